"""Ace-to-six low: straights and flushes count against the hand, the ace is low, 6-4-3-2-A is best.

T-J-Q-K-A is no straight, the ace being low (in one suit a flush); A-2-3-4-5 is one.
Source: docs/rules/poker.md 11.5 and 12.2.
"""

from __future__ import annotations

from tables.engine.rankings.lows import counted_low
from tables.engine.rankings.tables import LOW_RANK

RANKING = counted_low("a6", LOW_RANK[:52], lowest=1)
ace_to_six = RANKING.value
