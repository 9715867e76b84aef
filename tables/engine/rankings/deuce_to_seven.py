"""Deuce-to-seven low: the exact reverse of high, with the ace always high.

A-2-3-4-5 is ace-high, no straight (in one suit a flush); 7-5-4-3-2 of mixed suits is best.
Source: docs/rules/poker.md 11.4 and 12.2.
"""

from __future__ import annotations

from tables.engine.rankings.lows import counted_low

RANKING = counted_low("27", tuple(card >> 2 for card in range(52)), lowest=2)
deuce_to_seven = RANKING.value
