"""Who can win what: the pots as they are contested, and the winners of each share of one.

Source: docs/rules/poker.md 8 and 12.5; docs/rules/draw.md 4.5, 6.3, 6.4 and 14.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tables.engine.poker.pots import Pot, layers
from tables.engine.poker.scoring import wild_cards_needed
from tables.engine.poker.state import State
from tables.engine.poker.vocabulary import Share
from tables.engine.rankings import RANKINGS
from tables.engine.rankings.high import CLASSES, HIGH_CARD
from tables.engine.rankings.lows import TOP
from tables.engine.rankings.tables import category_of

HIGH, LOW, BOTH = "high", "low", "both"
NO_PAIR = "no_pair"
"""Qualifier of a low: five different ranks."""
WORST_SEVEN = RANKINGS["a5"].value((20, 16, 12, 9, 5))  # 7-6-5-4-3

Values = Sequence[Sequence[int]]


class Claim(NamedTuple):
    """share: its index in the game; winners: places in order from the button's left."""

    share: int
    winners: list[int]


def contested_pots(state: State, values: Values) -> list[Pot]:
    """The pots, main first; values: by share and place, [] when nothing is shown down."""
    extra = state.dead + state.carried
    if state.claimed:
        return _with_claims(state, layers(state.paid, state.live, extra))
    barred = _barred(state, values) if values and state.game.checked_seven else set()
    if not barred or barred >= set(state.living()):
        return layers(state.paid, state.live, extra)
    before = layers(state.before, state.live, extra)
    after = [paid - was for paid, was in zip(state.paid, state.before, strict=True)]
    pots: list[Pot] = []
    for amount, places in layers(after, state.live, 0):
        free = [place for place in places if place not in barred] or places
        if pots and pots[-1].places == free:
            pots[-1] = Pot(pots[-1].amount_minor + amount, free)
        elif amount:
            pots.append(Pot(amount, free))
    return before + pots


def _with_claims(state: State, new: list[Pot]) -> list[Pot]:
    """Pots of a deal that died, each for those of its claimants who are still in, then the new."""
    living = state.living()
    old = [
        Pot(amount, [place for place in places if state.live[place]] or living)
        for amount, places in state.claimed
    ]
    pots: list[Pot] = []
    for pot in old + new:
        if pots and pots[-1].places == pot.places:
            pots[-1] = Pot(pots[-1].amount_minor + pot.amount_minor, pot.places)
        elif pot.amount_minor:
            pots.append(pot)
    return pots


def _barred(state: State, values: Values) -> set[int]:
    """Places with a 7-low or better that checked after the last draw."""
    lows = values[0]
    return {p for p in state.living() if state.checked[p] and lows[p] >= WORST_SEVEN}


def claims(state: State, pot: Pot, values: Values) -> list[Claim]:
    """The winners of each share of a pot that somebody wins; [] carries the pot."""
    if not values or len(pot.places) == 1:
        return [Claim(0, pot.places)]
    if any(state.declared):
        return _declared(state, pot.places, values)
    found = []
    for index, share in enumerate(state.game.shares):
        by_place = values[index]
        best = max([by_place[place] for place in pot.places])
        if best and not (share.at_least and _too_little(state, share.at_least, best)):
            tied = [p for p in pot.places if by_place[p] == best]
            found.append(Claim(index, outright(state, share, tied, best)))
    return found


def outright(state: State, share: Share, tied: list[int], value: int) -> list[int]:
    """Of equal hands those that win: all, or where naturals win those with fewest wild cards."""
    if len(tied) < 2 or not state.options.naturals_win:
        return tied
    wild = [wild_cards_needed(state, share, place, value) for place in tied]
    return [place for place, count in zip(tied, wild, strict=True) if count == min(wild)]


def _too_little(state: State, at_least: str, best: int) -> bool:
    if at_least == NO_PAIR:
        return category_of(TOP - best) > HIGH_CARD
    return state.options.winner_min and category_of(best) < CLASSES.index(at_least)


def _declared(state: State, places: list[int], values: Values) -> list[Claim]:
    """Best high of those who declared it, best low likewise; `both` must win both outright."""
    playing = places
    while True:
        high = _best(state, playing, HIGH, values)
        low = _best(state, playing, LOW, values)
        both = [place for place in playing if state.declared[place] == BOTH]
        failing = [place for place in both if high != [place] or low != [place]]
        if not failing:
            break
        playing = [place for place in playing if place not in failing]
        if not playing:
            return [Claim(0, places)]
    if not high or not low:
        return [Claim(0, high)] if high else [Claim(1, low)]
    return [Claim(0, high), Claim(1, low)]


def _best(state: State, places: list[int], side: str, values: Values) -> list[int]:
    index = (HIGH, LOW).index(side)
    by_place = values[index]
    playing = [place for place in places if state.declared[place] in (side, BOTH)]
    best = max([by_place[place] for place in playing], default=0)
    tied = [place for place in playing if by_place[place] == best]
    return outright(state, state.game.shares[index], tied, best)
