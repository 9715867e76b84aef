"""A betting round: what it costs, who may raise to what, and when it is over.

A round is `pending` (places still to act, in order), `price`, the size of a raise, and what each
place faced when it last acted. A raise makes everybody else pending again; a call or a fold takes
the first one out; nobody pending, the round is over.

Source: docs/rules/poker.md 5 and 6.
"""

from __future__ import annotations

from tables.engine.poker.pots import uncalled
from tables.engine.poker.rare import STRADDLE
from tables.engine.poker.state import State
from tables.engine.poker.vocabulary import (
    AFTER_BLINDS,
    BIG,
    BY_BRING_IN,
    FIXED,
    NO_LIMIT,
    POT,
    SPREAD,
    Bet,
    Draw,
)


def open_round(state: State, step: Bet, order: list[int]) -> None:
    """Begin a round; order: live places, the first to act first. Blinds are posted already."""
    options = state.options
    state.faced = [-1] * len(state.numbers)
    state.raises = 0
    state.uncapped = state.completing = state.double = False
    size = options.bets_minor[step.tier] if options.limit == FIXED else options.least_bet_minor
    if state.game.checked_seven or options.no_check_raise:
        state.checked = [False] * len(state.numbers)
        state.before = state.paid.copy()
    if step.first == AFTER_BLINDS and options.blinds_minor:
        state.price = state.level = options.blinds_minor[-1]
        state.raises = 1
        size = options.bets_minor[step.tier] if options.limit == FIXED else max(size, state.price)
        if options.limit == SPREAD:
            size = min(size, options.spread_minor[1])
        if state.rare is not None:
            over_price(state)
    else:
        state.put = [0] * len(state.numbers)
        state.price = state.level = 0
    state.raise_by = size
    state.full_to = state.level + size
    stacks = state.stacks
    pending = [place for place in order if stacks[place]]
    state.asked = False
    if step.first == BY_BRING_IN:
        state.completing = True
    elif step.pair_doubles and options.limit == FIXED and not options.no_double_bet:
        state.double = any(_paired(state, place) for place in order)
    if len(pending) > 1 or (pending and not _settled(state, pending[0])):
        state.asked = True
        state.first = order[0]
        state.aggressor = -1
        state.pending = pending
        state.turn += 1
        _lift_cap(state)
    else:
        state.pending = []


def over_price(state: State) -> None:
    """A straddle raises the big blind, in fixed limit for the cap too; a kill is the bet itself."""
    rare = state.rare
    if rare is not None and rare.over:
        state.price = state.level = rare.over_minor
        state.raises += rare.over == STRADDLE


def _after_draw(state: State) -> bool:
    return any(isinstance(step, Draw) for step in state.game.steps[: state.step])


def _paired(state: State, place: int) -> bool:
    ranks = [card >> 2 for card in state.cards(state.up[place])]
    return len(set(ranks)) < len(ranks)


def close_round(state: State) -> None:
    """Give back what nobody called; it was never in play and is never raked."""
    place, excess = uncalled(state.paid)
    if excess:
        state.paid[place] -= excess
        state.put[place] = max(0, state.put[place] - excess)
        state.stacks[place] += excess
        state.tell(
            "uncalled_returned",
            {
                "seat": state.numbers[place],
                "amount_minor": excess,
                "stack_minor": state.held(place),
            },
        )


def reach(state: State, place: int) -> int:
    """The furthest any other live place can go in this round."""
    furthest = 0
    put, stacks, live = state.put, state.stacks, state.live
    for other in state.seats:
        if live[other] and other != place:
            there = put[other] + stacks[other]
            if there > furthest:
                furthest = there
    return furthest


def can_go_beyond(state: State, place: int, amount: int) -> bool:
    """Whether any other live place can go further than an amount in this round."""
    put, stacks, live = state.put, state.stacks, state.live
    for other in state.seats:
        if live[other] and put[other] + stacks[other] > amount and other != place:
            return True
    return False


def owed(state: State, place: int) -> int:
    """Chips a call adds: at most what is left, and no more than others can match."""
    put = state.put[place]
    missing = state.price - put
    if missing > 0 and len(state.pending) == 1 and not can_go_beyond(state, place, state.price - 1):
        missing = max(0, reach(state, place) - put)
    stack = state.stacks[place]
    return stack if missing > stack else missing


def raise_range(state: State, place: int) -> tuple[int, int] | None:
    """(least, most) this place may bet or raise to; None when no bet or raise is open to it."""
    options = state.options
    limit = options.limit
    price = state.price
    top = state.put[place] + state.stacks[place]
    if top <= price or not reopened(state, place) or capped(state):
        return None
    if state.completing and top < options.bring_in_minor:
        return None  # all he has is less than the bring-in
    if options.no_check_raise and limit == FIXED and state.checked[place] and _after_draw(state):
        return None
    if not can_go_beyond(state, place, price):
        return None
    if limit == FIXED:
        to = min(state.full_to, top)
        return to, to if not state.double else min(double_to(state), top)
    chip = options.chip_minor
    least = _whole(state, state.raise_by if state.completing else price + state.raise_by)
    if limit == NO_LIMIT:
        return min(least, top), top
    if limit == SPREAD:
        most = price + options.spread_minor[1]
    else:
        called = state.pot() + price - state.put[place]
        most = price + (called if limit == POT else called // 2)
    most = max(least, most - most % chip)
    return min(least, top), min(most, top)


def double_to(state: State) -> int:
    """What a big bet or raise goes to while small and big are both open."""
    return _whole(state, state.level + state.options.bets_minor[BIG])


def _whole(state: State, amount: int) -> int:
    """Rounded up to whole chips: an all-in may have left a price between them."""
    return amount + -amount % state.options.chip_minor


def reopened(state: State, place: int) -> bool:
    """Whether a place that has acted faces enough since then to raise again."""
    faced = state.faced[place]
    if faced < 0:
        return True
    if state.options.limit == FIXED:
        return state.level > faced
    return state.price - faced >= state.raise_by


def capped(state: State) -> bool:
    """Whether the round has seen its one bet and all its raises."""
    options = state.options
    if options.limit not in (FIXED, SPREAD) or state.uncapped:
        return False
    return state.raises > options.max_raises


def check_or_call(state: State, place: int, amount: int) -> None:
    if amount:
        state.pay(place, amount)
    elif state.checked:
        state.checked[place] = True
    pending = state.pending
    if state.options.limit == FIXED:
        state.faced[place] = state.level
    else:
        state.faced[place] = 0 if state.completing else state.price
    del pending[0]
    if len(pending) == 1 and _settled(state, pending[0]):
        state.pending = []


def fold(state: State, place: int) -> None:
    state.live[place] = 0
    pending = state.pending
    del pending[0]
    if state.options.uncapped_heads_up:
        _lift_cap(state)
    if len(pending) == 1 and _settled(state, pending[0]):
        state.pending = []


def bring_in(state: State, place: int) -> int:
    """Open for the bring-in, which is no bet. Returns the chips added."""
    amount = state.options.bring_in_minor
    added = state.pay(place, amount)
    state.price = state.level = amount
    if amount >= state.full_to:
        state.full_to = amount + state.raise_by
        state.completing = False
    state.faced[place] = _faced(state)
    state.pending = [p for p in state.from_place(place) if p != place and state.stacks[p]]
    _end_if_settled(state)
    return added


def set_aside(state: State, place: int) -> None:
    """All-in for what is in: the place's other chips stay out of this hand."""
    if not state.aside:
        state.aside = [0] * len(state.numbers)
    state.aside[place] += state.stacks[place]
    state.stacks[place] = 0
    del state.pending[0]
    _lift_cap(state)
    _end_if_settled(state)


def keep_out(state: State, big_blinds: int) -> None:
    """Keep what each place has above the table's cap out of the hand.

    Source: docs/rules/poker.md 4.8.
    """
    blinds, bets = state.options.blinds_minor, state.options.bets_minor
    most = big_blinds * (blinds[-1] if blinds else bets[0])
    state.aside = [max(0, stack - most) for stack in state.stacks]
    state.stacks = [min(stack, most) for stack in state.stacks]


def raise_to(state: State, place: int, to: int) -> int:
    """Bet or raise to an amount `raise_range` allows. Returns the chips added."""
    added = state.pay(place, to - state.put[place])
    by = to - state.price
    half_big = (state.level + double_to(state)) // 2 if state.double else 0
    if state.double and to > state.full_to and to >= half_big:
        state.raise_by = state.options.bets_minor[BIG]  # after a big one only big raises
        state.double = False
    if state.options.limit == FIXED:
        # Half of what is missing to the full bet counts as one; several short all-ins add up.
        if 2 * (to - state.level) >= state.full_to - state.level:
            state.raises += 1
            state.level = to
            state.full_to = _whole(state, to + state.raise_by)
            state.completing = False
    elif (to if state.completing else by) >= state.raise_by:
        state.raises += 1
        state.raise_by = to if state.completing else by
        state.completing = False
    state.price = to
    state.aggressor = place
    state.faced[place] = _faced(state)
    stacks = state.stacks
    state.pending = [p for p in state.from_place(place) if p != place and stacks[p]]
    _lift_cap(state)
    _end_if_settled(state)
    return added


def _faced(state: State) -> int:
    """What a place has faced by acting now."""
    if state.options.limit == FIXED:
        return state.level
    return 0 if state.completing else state.price


def _settled(state: State, place: int) -> bool:
    """Whether the last place to act owes nothing and nobody could answer a raise."""
    return not can_go_beyond(state, place, state.put[place])


def _end_if_settled(state: State) -> None:
    pending = state.pending
    if len(pending) == 1 and _settled(state, pending[0]):
        state.pending = []


def _lift_cap(state: State) -> None:
    """Two who can still bet, before the cap is reached: no cap, where the table says so."""
    options = state.options
    if options.uncapped_heads_up and not capped(state) and len(state.able()) == 2:
        state.uncapped = True
