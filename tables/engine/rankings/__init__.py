"""Which hand beats which.

Every ranking is a `Ranking` value of its own file, built on `tables.py`; a bigger value wins.
`RANKINGS` is the list that game definitions name them from.
"""

from __future__ import annotations

from tables.engine.rankings import high
from tables.engine.rankings.tables import Ranking

RANKINGS: dict[str, Ranking] = {ranking.id: ranking for ranking in (high.RANKING,)}
