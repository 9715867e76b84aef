"""Jacks or better: what a deal takes to be opened, and what happens when nobody opens it.

Source: docs/rules/draw.md 4 and 5.
"""

from __future__ import annotations

from itertools import combinations

from tables.engine.cards import RANK_PLURALS, RANK_TEXT
from tables.engine.errors import NeedsOpeners
from tables.engine.poker.scoring import hole_cards
from tables.engine.poker.state import State
from tables.engine.rankings import RANKINGS
from tables.engine.rankings.high import PAIR
from tables.engine.rankings.tables import encode

RISING = ("J", "Q", "K", "A")


def may_open(cards: tuple[int, ...], rank: str) -> bool:
    """Whether a hand is a pair of this rank or better, a joker counted as the bug."""
    return RANKINGS["bug_high"].value(cards) >= encode(PAIR, RANK_TEXT.index(rank))


def keep_openers(state: State, place: int) -> None:
    """Note who opens and on which cards. Raises NeedsOpeners."""
    if not may_open(hole_cards(state, place), state.needed):
        raise NeedsOpeners(RANK_PLURALS[RANK_TEXT.index(state.needed)])
    held = state.down[place] + state.up[place]
    state.opener = place
    state.openers = next(
        list(some)
        for count in range(1, len(held) + 1)
        for some in combinations(held, count)
        if may_open(state.cards(some), state.needed)
    )


def next_needed(state: State, *, passed_out: bool) -> str:
    """What the next deal takes to be opened."""
    if not state.game.rising_openers or not passed_out:
        return state.options.openers
    return RISING[min(RISING.index(state.needed) + 1, len(RISING) - 1)]


def show_openers(state: State) -> None:
    """At the end of a hand its opener proves that he could."""
    if state.openers:
        state.tell(
            "openers_shown",
            {"seat": state.numbers[state.opener], "cards": state.texts(state.openers)},
        )
