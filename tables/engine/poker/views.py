"""How a hand looks to one seat, or to everybody. Nothing hidden from a viewer is in his view."""

from __future__ import annotations

from collections.abc import Iterable

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


def public_view(state: State) -> Json:
    """The hand as anybody may see it."""
    awaited = state.pending[0] if state.pending and isinstance(state.now, Bet) else None
    look: Json = {
        "family": "poker",
        "game": state.game.id,
        "limit": state.options.limit,
        "street": state.street,
        "board": state.texts(state.board),
        "button": state.button,
        "players": _players(state),
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


def views_of(state: State, public: Json, viewers: Iterable[int | None]) -> dict[int | None, Json]:
    """The hand as each of these seats may see it: what anybody may, and his own cards.

    public: its `public_view`; what all have in common is not copied.
    """
    numbers, players = state.numbers, public["players"]
    lowest = numbers.index(min(numbers))
    looks: dict[int | None, Json] = {}
    for viewer in viewers:
        looks[viewer] = public
        if viewer not in numbers:
            continue
        place = numbers.index(viewer)
        if not state.shown[place]:
            own = players.copy()
            nth = place - lowest  # from the end where it is negative
            own[nth] = {**own[nth], "cards": card_texts(hole_cards(state, place))}
            looks[viewer] = {**public, "players": own}
    return looks


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


def _players(state: State) -> list[Json]:
    """What is seen of each seat, by seat number: no cards but those up, and of hands shown."""
    numbers, stacks, live, shown = state.numbers, state.stacks, state.live, state.shown
    over = state.ending is not None
    put, paid, down, up, last = state.put, state.paid, state.down, state.up, state.last
    aside = () if over else state.aside
    lowest = numbers.index(min(numbers))  # places go clockwise, and so do seat numbers
    players: list[Json] = []
    for place in (*state.seats[lowest:], *state.seats[:lowest]):
        stack, done = stacks[place], last[place]
        player: Json = {
            "seat": numbers[place],
            "stack_minor": stack + aside[place] if aside else stack,
            "bet_minor": 0 if over else put[place],
            "paid_minor": paid[place],
            "status": "folded" if not live[place] else "live" if stack or over else "all_in",
            "down": len(down[place]) if live[place] else 0,
            "up": state.texts(up[place]) if up[place] and live[place] else [],
            "last": None if done is None else {"name": done} if type(done) is str else _last(*done),
        }
        if shown[place]:
            player["cards"] = card_texts(hole_cards(state, place))
        players.append(player)
    return players


def _last(name: str, figure: int) -> Json:
    """What a seat did last, where that has a figure: how many cards, or an amount."""
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
