"""What goes into the pot before the first decision: antes, blinds, missed blinds.

Who cannot pay in full is all-in for what he has; the price of a round stays a full one. Source:
docs/rules/poker.md 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tables.engine.errors import BadOptions, BadSeats
from tables.engine.poker.rare import KILL, STRADDLE
from tables.engine.poker.state import State
from tables.engine.poker.vocabulary import BLINDS_FROM_BUTTON
from tables.engine.reasons import Reason

SMALL_BLIND, BIG_BLIND = "small", "big"
DEAD, LIVE = "dead", "live"
POSTS = (SMALL_BLIND, BIG_BLIND, DEAD, LIVE, STRADDLE, KILL)


def post_forced(state: State, posts: Sequence[Mapping[str, Any]] | None) -> None:
    """Take antes from all, blinds by position and what the run-time says is owed.

    posts: [{"seat", "kind", "amount_minor"?}]. "small" and "big" put that blind on a seat; as soon
    as either is named no blind goes by position (a dead small blind names the big one alone).
    "live" is a missed big blind that counts as the seat's bet; "dead" goes to the pot alone.
    "straddle" and "kill" are blinds over the big one, at most one of them; they count as the
    seat's bet.
    """
    options = state.options
    if options.ante_minor:
        for place in state.seats:
            _ante(state, place, options.ante_minor)
    if not options.blinds_minor:
        if posts:
            raise BadOptions("posts", Reason("no_blinds"))
        return
    for place, kind, amount in _named(state, posts) if posts else by_position(state):
        if kind in (STRADDLE, KILL):
            _post_over(state, place, kind, amount)
            continue
        _post(state, place, kind, amount)
        if kind == BIG_BLIND:
            state.last_blind = place


def _named(state: State, posts: Sequence[Mapping[str, Any]]) -> list[tuple[int, str, int]]:
    """The posts the run-time names, behind the blinds."""
    named = [(_place(state, post), _kind(post), _amount(state, post)) for post in posts]
    blinds = [post for post in named if post[1] in (SMALL_BLIND, BIG_BLIND)]
    kinds = [kind for _, kind, _ in blinds]
    if len(blinds) != len(set(kinds)) or (blinds and BIG_BLIND not in kinds):
        raise BadOptions("posts", Reason("post_blinds"))
    extra = [post for post in named if post[1] in (DEAD, LIVE)]
    over = [post for post in named if post[1] in (STRADDLE, KILL)]
    if len(over) > 1:
        raise BadOptions("posts", Reason("post_over"))
    return (blinds or by_position(state)) + extra + over


def by_position(state: State) -> list[tuple[int, str, int]]:
    """(place, kind, amount) of the blinds from the left; heads-up the button's is small.

    Of more blinds than seats the first ones fall away.
    """
    count = len(state.numbers)
    blinds = state.options.blinds_minor[-count:]
    places: Sequence[int] = state.seats
    if count == 2:
        places = (1, 0)
    elif state.game.forced == BLINDS_FROM_BUTTON:
        places = (count - 1, *range(count - 1))
    last = len(blinds) - 1
    posts = [(places[nth], SMALL_BLIND, blinds[nth]) for nth in range(last) if blinds[nth]]
    posts.append((places[last], BIG_BLIND, blinds[last]))
    return posts


def _ante(state: State, place: int, amount: int) -> None:
    taken = min(amount, state.stacks[place])
    if not taken:
        return  # all-in since an earlier deal of the same pot
    state.stacks[place] -= taken
    state.paid[place] += taken
    public = {
        "seat": state.numbers[place],
        "amount_minor": taken,
        "stack_minor": state.held(place),
    }
    if not state.stacks[place]:
        public["all_in"] = True
    state.tell("ante_posted", public)


def _post_over(state: State, place: int, kind: str, amount: int) -> None:
    """A blind over the big one. A straddle is made in full or not at all; a kill is owed.

    Who straddles acts last in the first round; who kills acts in his turn. Who is all-in for his
    own blind has nothing left to kill with.
    """
    if not state.stacks[place]:
        return
    if kind == STRADDLE and state.put[place] + state.stacks[place] < amount:
        return
    _post(state, place, kind, amount - state.put[place])
    state.events[-1].public["to_minor"] = amount
    rare = state.rarely()
    rare.over, rare.over_place, rare.over_minor = kind, place, amount
    if kind == STRADDLE:
        state.last_blind = place


def _post(state: State, place: int, kind: str, amount: int) -> None:
    if not state.stacks[place]:
        return
    if kind == DEAD:
        taken = min(amount, state.stacks[place])
        state.stacks[place] -= taken
        state.dead += taken
    else:
        taken = state.pay(place, amount)
    public = {
        "seat": state.numbers[place],
        "kind": kind,
        "amount_minor": taken,
        "bet_minor": state.put[place],
        "stack_minor": state.held(place),
    }
    if not state.stacks[place]:
        public["all_in"] = True
    state.tell("blind_posted", public)


def _place(state: State, post: Mapping[str, Any]) -> int:
    seat = post.get("seat")
    if seat not in state.numbers:
        raise BadSeats(Reason("post_of_none", seat=seat))
    return state.numbers.index(seat)


def _kind(post: Mapping[str, Any]) -> str:
    kind = post.get("kind")
    if kind not in POSTS:
        raise BadOptions("posts", Reason("post_kind", kind=kind, known=POSTS))
    return str(kind)


def _amount(state: State, post: Mapping[str, Any]) -> int:
    blinds = state.options.blinds_minor
    kind = post.get("kind")
    small = kind in (SMALL_BLIND, DEAD)
    usual = 2 * blinds[-1] if kind in (STRADDLE, KILL) else blinds[0] if small else blinds[-1]
    amount = post.get("amount_minor", usual)
    if not isinstance(amount, int) or isinstance(amount, bool) or amount <= 0:
        raise BadOptions("posts", Reason("not_an_amount", amount=amount))
    if kind in (STRADDLE, KILL) and amount <= blinds[-1]:
        raise BadOptions("posts", Reason("post_not_over", kind=kind, amount_minor=amount))
    return amount
