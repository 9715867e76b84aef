"""Decisions about cards: what to throw away, and how draws are served.

All who draw first say in turn how many; then they are served seat by seat, each one's discards
mucked when he has his new cards. The stub is used first; when it is out the run-time gives the
mucked positions a fresh order (`reshuffle`), and a drawer's own discards are passed over for him.
Source: docs/rules/draw.md 2 and 14; docs/rules/holdem.md 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from tables.engine.errors import BadCardChoice, BadState, MalformedAction, NoSuchAction
from tables.engine.poker.claims import BOTH, HIGH, LOW
from tables.engine.poker.dealing import cards_to_come, deal_board
from tables.engine.poker.rare import Asked
from tables.engine.poker.scoring import hole_cards, ranking_of
from tables.engine.poker.state import State
from tables.engine.poker.vocabulary import (
    Arrange,
    CallSpit,
    Declare,
    Discard,
    Draw,
    Pass,
    Roll,
)
from tables.engine.protocol import Action, Json
from tables.engine.rankings.pineapple import auto_discard

DRAW, STAND_PAT, DISCARD, DECLARE = "draw", "stand_pat", "discard", "declare"
PASS_CARDS, ARRANGE, SPIT, PASS = "pass_cards", "arrange", "spit", "pass"
TAKE, REFUSE = "take", "refuse"
SIDES = (HIGH, LOW, BOTH)
REFUSED = -2
"""In `offered`: the card was refused and the next one is due face down."""

OFFER = (TAKE, REFUSE)
NAMES: dict[type[Any], tuple[str, ...]] = {
    Draw: (STAND_PAT, DRAW),
    Discard: (DISCARD,),
    Pass: (PASS_CARDS,),
    Arrange: (ARRANGE,),
    CallSpit: (PASS, SPIT),
    Declare: (DECLARE,),
}
"""What may be done in each kind of step; with an extra card to come nobody stands pat."""

AT_ONCE = (Declare, Pass, Arrange, CallSpit, Asked)
"""Steps in which all decide at the same time, hidden from each other."""

Choice: TypeAlias = Draw | Discard | Declare | Pass | Arrange | CallSpit


def open_choice(state: State, step: Choice) -> None:
    """Ask every live seat, those all-in too, from the button's left."""
    if isinstance(step, (Draw, Discard, Pass)):
        open_street(state, step.street)
    if isinstance(step, CallSpit) and state.board:
        return
    if not state.picks:
        state.picks = [[] for _ in state.numbers]
        state.thrown = [[] for _ in state.numbers]
    if isinstance(step, Declare):
        state.declared = [""] * len(state.numbers)
    state.pending = state.living()
    state.turn += 1


def open_street(state: State, street: str) -> None:
    if street != state.street:
        state.street = street
        state.streets += 1
        state.tell("street_opened", {"street": street})


def legal_choice(state: State, place: int) -> list[Json]:
    step = state.now
    held = len(state.down[place]) + len(state.up[place])
    if state.offered >= 0:
        return [{"name": TAKE}, {"name": REFUSE}]
    if isinstance(step, Draw):
        draw = _pick(DRAW, 0, min(step.most, held), held)
        return [draw] if step.more else [{"name": STAND_PAT}, draw]
    if isinstance(step, Discard):
        return [_pick(DISCARD, step.count, step.count, held)]
    if isinstance(step, Pass):
        return [_pick(PASS_CARDS, step.count, step.count, held)]
    if isinstance(step, Arrange):
        return [_pick(ARRANGE, step.count, step.count, held)]
    if isinstance(step, CallSpit):
        return [{"name": PASS}, {"name": SPIT}]
    return [{"name": DECLARE, "options": list(SIDES)}]


def _pick(name: str, least: int, most: int, held: int) -> Json:
    return {"name": name, "least_cards": least, "most_cards": most, "of": held}


def default_choice(state: State, place: int) -> Json:
    """Stand pat, pass or keep the first cards as held, declare high, take what is offered.

    A discard is the card whose going leaves the best hand on the board.
    """
    step = state.now
    if state.offered >= 0:
        return {"name": TAKE}
    if isinstance(step, Draw):
        return {"name": DRAW, "cards": []} if step.more else {"name": STAND_PAT}
    if isinstance(step, Discard):
        hole = hole_cards(state, place)
        return {"name": DISCARD, "cards": _least_wanted(state, hole, step.count)}
    if isinstance(step, Pass):
        return {"name": PASS_CARDS, "cards": list(range(step.count))}
    if isinstance(step, Arrange):
        return {"name": ARRANGE, "cards": list(range(step.count))}
    if isinstance(step, CallSpit):
        return {"name": PASS}
    return {"name": DECLARE, "choice": HIGH}


def _least_wanted(state: State, hole: tuple[int, ...], count: int) -> list[int]:
    """Places of the cards that go when their holder does not say which."""
    board, kept, out = state.cards(state.board), hole, []
    for _ in range(count):
        card = auto_discard(kept, board, ranking_of(state, state.game.shares[0]).value)
        kept = tuple(other for other in kept if other != card)
        out.append(hole.index(card))
    return out


def do_choice(state: State, place: int, action: Action, default: bool) -> None:
    """Do what the step asks. Raises NoSuchAction, BadCardChoice, MalformedAction."""
    step, name = state.now, action.get("name")
    names = OFFER if state.offered >= 0 else NAMES[type(step)]
    if name not in names or (name == STAND_PAT and isinstance(step, Draw) and step.more):
        raise NoSuchAction(str(name), names)
    if state.offered >= 0:
        _answer_offer(state, place, name == TAKE, default)
    elif isinstance(step, Draw):
        thrown = [] if name == STAND_PAT else chosen(state, place, action, 0, step.most)
        _announce(state, place, step, thrown, default)
    elif isinstance(step, Discard):
        _discard(state, place, chosen(state, place, action, step.count, step.count), default)
    elif isinstance(step, Pass):
        picked = chosen(state, place, action, step.count, step.count)
        _pick_to_pass(state, place, step, picked)
    elif isinstance(step, Arrange):
        _arrange(state, place, chosen(state, place, action, step.count, step.count))
    elif isinstance(step, CallSpit):
        _call_spit(state, place, step, called=name == SPIT)
    else:
        _declare(state, place, action.get("choice"))


def chosen(state: State, place: int, action: Action, least: int, most: int) -> list[int]:
    """Positions of the cards an action names by their place in the hand."""
    named = action.get("cards")
    hand = state.down[place] + state.up[place]
    if not isinstance(named, (list, tuple)):
        raise BadCardChoice("cards must be a list of places in the hand, counted from 0")
    for index in named:
        if type(index) is not int or not 0 <= index < len(hand):
            raise BadCardChoice(f"{index!r} is no place in a hand of {len(hand)} cards")
    if len(set(named)) != len(named):
        raise BadCardChoice("a card is named twice")
    if not least <= len(named) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise BadCardChoice(f"{len(named)} cards are named; {wanted} may be")
    return [hand[index] for index in named]


def _declare(state: State, place: int, side: Any) -> None:
    if side not in SIDES:
        raise MalformedAction(f"choice must be one of {', '.join(SIDES)}")
    seat = state.numbers[place]
    state.declared[place] = side
    state.pending.remove(place)
    state.tell("declared", {"seat": seat}, {seat: {"choice": side}})
    if not state.pending:
        sides = {str(state.numbers[p]): state.declared[p] for p in state.living()}
        state.tell("declarations_shown", {"declarations": sides})


def _pick_to_pass(state: State, place: int, step: Pass, picked: list[int]) -> None:
    """Lay cards aside; when all have, they change hands, folded neighbours skipped."""
    state.picks[place] = picked
    state.pending.remove(place)
    state.tell("pass_chosen", {"seat": state.numbers[place], "count": step.count})
    if state.pending:
        return
    living = state.living()
    towards = 1 if step.direction == "left" else -1
    private = {}
    for giver in living:
        passed = state.picks[giver]
        state.down[giver] = [p for p in state.down[giver] if p not in passed]
    for nth, giver in enumerate(living):
        taker = living[(nth + towards) % len(living)]
        state.down[taker] += state.picks[giver]
        private[state.numbers[taker]] = {"cards": state.texts(state.picks[giver])}
    for giver in living:
        state.picks[giver] = []
    public = {"count": step.count, "direction": step.direction}
    state.tell("cards_passed", public, private)


def _arrange(state: State, place: int, order: list[int]) -> None:
    """The first card of the order is rolled first; cards left out are thrown away."""
    state.muck += [p for p in state.down[place] if p not in order]
    state.down[place] = order
    state.pending.remove(place)
    seat = state.numbers[place]
    state.tell("arranged", {"seat": seat}, {seat: {"cards": state.texts(order)}})


def roll(state: State, step: Roll) -> None:
    """Turn up everybody's next card."""
    open_street(state, step.street)
    up = {}
    for place in state.living():
        position = state.down[place].pop(0)
        state.up[place].append(position)
        up[str(state.numbers[place])] = state.texts([position])
    state.tell("cards_rolled", {"street": step.street, "up": up})


def _call_spit(state: State, place: int, step: CallSpit, *, called: bool) -> None:
    state.pending.remove(place)
    if called:
        state.pending = []
        state.tell("spit_called", {"seat": state.numbers[place]})
    if called or (step.last and not state.pending):
        deal_board(state, state.street, 1)


def _discard(state: State, place: int, thrown: list[int], default: bool) -> None:
    seat = state.numbers[place]
    texts = state.texts(thrown)
    _throw(state, place, thrown)
    state.muck += thrown
    state.pending.remove(place)
    state.last[place] = DISCARD
    public: Json = {"seat": seat, "count": len(thrown)}
    if default:
        public["default"] = True
    state.tell("discarded", public, {seat: {"cards": texts}})


def _announce(state: State, place: int, step: Draw, thrown: list[int], default: bool) -> None:
    seat = state.numbers[place]
    state.picks[place] = thrown
    state.pending.remove(place)
    count = len(thrown)
    state.last[place] = [DRAW if count or step.more else STAND_PAT, count]
    public: Json = {"seat": seat, "count": count}
    if default:
        public["default"] = True
    state.tell("draw_announced", public, {seat: {"cards": state.texts(thrown)}})
    if not state.pending:
        state.serving = [p for p in state.living() if state.picks[p] or step.more]
        state.owing = -1
        serve(state)


def serve(state: State) -> None:
    """Serve those who draw, in turn, as far as there are cards to give."""
    step = state.now
    assert isinstance(step, Draw)
    end = len(state.deck) - cards_to_come(state)
    while state.serving:
        place = state.serving[0]
        picks = state.picks[place]
        if state.owing < 0:
            _throw(state, place, picks)
            state.owing = len(picks) + step.more
            state.drawn = []
        while state.owing:
            position = _next_card(state, place, end)
            if position < 0:
                return
            if step.refusable and len(picks) == 1 and state.offered != REFUSED:
                _offer(state, place, position)
                return
            state.offered = -1
            state.down[place].append(position)
            state.drawn.append(position)
            state.owing -= 1
        _served(state, place)


def _served(state: State, place: int) -> None:
    seat = state.numbers[place]
    private = {seat: {"cards": state.texts(state.drawn)}}
    state.tell("cards_drawn", {"seat": seat, "count": len(state.drawn)}, private)
    if place != state.opener:  # an opener's discards are kept apart, to prove his openers
        state.muck += state.picks[place]
    state.picks[place] = []
    state.owing = -1
    del state.serving[0]


def _offer(state: State, place: int, position: int) -> None:
    """Turn up the one card of a draw of one; its drawer may refuse it."""
    state.offered = position
    state.pending = [place]
    state.turn += 1
    seat = state.numbers[place]
    state.tell("card_offered", {"seat": seat, "card": state.texts([position])[0]})


def _answer_offer(state: State, place: int, taken: bool, default: bool) -> None:
    position, state.offered = state.offered, REFUSED
    state.pending = []
    public: Json = {"seat": state.numbers[place], "taken": taken}
    if default:
        public["default"] = True
    state.tell("offer_answered", public)
    if taken:
        state.offered = -1
        state.up[place].append(position)
        state.drawn = [position]
        state.owing = 0
        _served(state, place)
    else:
        state.muck.append(position)
    serve(state)


def needs_shuffle(state: State) -> bool:
    """Whether a draw waits for a fresh order of what has been mucked."""
    return bool(state.serving)


def reshuffle(state: State, order: Sequence[int]) -> None:
    """Go on serving from the mucked cards in this order. Raises BadState if it is another set."""
    if not needs_shuffle(state) or sorted(order) != sorted(shuffled_again(state)):
        raise BadState("a reshuffle takes exactly the positions that are mucked")
    for place in state.seats:
        if not state.live[place]:
            state.down[place] = []
            state.up[place] = []
    place = state.serving[0]
    if all(position in state.thrown[place] for position in order):
        state.thrown[place] = []  # nothing else is left in the deck
    state.refill = list(order)
    state.muck = []
    state.tell("muck_reshuffled", {"count": len(state.refill)})
    serve(state)


def shuffled_again(state: State) -> list[int]:
    """Positions a reshuffle puts into a fresh order: all that is mucked, folded hands among it."""
    if not needs_shuffle(state):
        return []
    folded = [place for place in state.seats if not state.live[place]]
    return state.muck + [p for place in folded for p in state.down[place] + state.up[place]]


def _next_card(state: State, place: int, end: int) -> int:
    """The next position for a place; -1 when a reshuffle is needed first. end: of the stub."""
    position = state.next_card
    if position < end:
        state.next_card = position + 1
        return position
    refill, own = state.refill, state.thrown[place]
    for nth, position in enumerate(refill):
        if position not in own:
            state.muck += refill[:nth]  # passed over: back with the muck, for others
            state.refill = refill[nth + 1 :]
            return position
    state.muck += refill
    state.refill = []
    return -1


def _throw(state: State, place: int, thrown: list[int]) -> None:
    state.down[place] = [position for position in state.down[place] if position not in thrown]
    if state.up[place]:
        state.up[place] = [position for position in state.up[place] if position not in thrown]
    state.thrown[place] += thrown
