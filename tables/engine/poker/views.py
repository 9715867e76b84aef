"""How a hand looks to one seat, or to everybody. Nothing hidden from a viewer is in his view."""

from __future__ import annotations

from typing import Any

from tables.engine.cards import card_texts
from tables.engine.poker import betting
from tables.engine.poker.choosing import DRAW, STAND_PAT
from tables.engine.poker.claims import contested_pots
from tables.engine.poker.rare import Rare
from tables.engine.poker.scoring import hole_cards
from tables.engine.poker.showdown import POT_NAMES, hand_values, shown_hand
from tables.engine.poker.state import State
from tables.engine.poker.vocabulary import Bet
from tables.engine.protocol import Json


def view(state: State, viewer: int | None) -> Json:
    """The hand as seat `viewer` may see it; None: as anybody may."""
    awaited = state.pending[0] if state.pending and isinstance(state.now, Bet) else None
    look: Json = {
        "family": "poker",
        "game": state.game.id,
        "limit": state.options.limit,
        "street": state.street,
        "board": state.texts(state.board),
        "button": state.button,
        "players": _players(state, viewer),
        "pot_minor": 0 if state.ending else state.pot(),
        "pots": [] if state.ending else _pots(state),
        "call_minor": None,
        "least_to_minor": None,
        "most_to_minor": None,
        "declared": _declared(state),
        "shown": _shown(state),
        "awards": state.awards,
        "over": state.over,
    }
    if state.game.special:
        look["special"] = state.game.special
    if state.rare is not None:
        look |= rare_view(state, state.rare)
    if awaited is not None:
        look["call_minor"] = betting.owed(state, awaited)
        limits = betting.raise_range(state, awaited)
        if limits is not None:
            look["least_to_minor"], look["most_to_minor"] = limits
    return look


def rare_view(state: State, rare: Rare) -> Json:
    """What only few hands have to show."""
    look: Json = {}
    if rare.over:
        seat = state.numbers[rare.over_place]
        look["over_blind"] = {"kind": rare.over, "seat": seat, "to_minor": rare.over_minor}
    if rare.boards:
        look["boards"] = [state.texts(board) for board in (state.board, *rare.boards)]
    if rare.runs > 1:
        look["runs"] = rare.runs
    if any(rare.seen):
        seen = zip(state.numbers, rare.seen, strict=True)
        look["seen"] = {str(seat): state.texts(cards) for seat, cards in seen if cards}
    if rare.rabbit:
        look["rabbit"] = [state.texts(board) for board in rare.rabbit]
    return look


def _players(state: State, viewer: int | None) -> list[Json]:
    """What is seen of each seat, by seat number; cards of the viewer's own and shown ones alone."""
    numbers, stacks, live = state.numbers, state.stacks, state.live
    over = state.ending is not None
    put, paid, down, up, last = state.put, state.paid, state.down, state.up, state.last
    aside = () if over else state.aside
    players: list[Json] = []
    for place in sorted(state.seats, key=numbers.__getitem__):
        number, stack = numbers[place], stacks[place]
        player: Json = {
            "seat": number,
            "stack_minor": stack + aside[place] if aside else stack,
            "bet_minor": 0 if over else put[place],
            "paid_minor": paid[place],
            "status": "folded" if not live[place] else "live" if stack or over else "all_in",
            "down": len(down[place]) if live[place] else 0,
            "up": state.texts(up[place]) if up[place] and live[place] else [],
            "last": _last(last[place]) if last[place] else None,
        }
        if number == viewer or state.shown[place]:
            player["cards"] = card_texts(hole_cards(state, place))
        players.append(player)
    return players


def _last(done: Any) -> Json:
    """What a seat did last, from how the state has it: a name, or a name and its figure."""
    if isinstance(done, str):
        return {"name": done}
    name, figure = done
    return {"name": name, "count" if name in (DRAW, STAND_PAT) else "to_minor": figure}


def _declared(state: State) -> Json:
    """Declarations, once all have made theirs."""
    if not state.declared:
        return {}
    living = state.living()
    if not all(state.declared[place] for place in living):
        return {}
    return {str(state.numbers[place]): state.declared[place] for place in living}


def _shown(state: State) -> Json:
    if not any(state.shown):
        return {}
    places = [place for place in state.seats if state.shown[place]]
    values = hand_values(state, places)
    return {str(state.numbers[place]): shown_hand(state, place, values) for place in places}


def _pots(state: State) -> list[Json]:
    numbers = state.numbers
    return [
        {
            "name": name,
            "amount_minor": amount,
            "eligible": sorted([numbers[place] for place in places]),
        }
        for name, (amount, places) in zip(POT_NAMES, contested_pots(state, []), strict=False)
    ]
