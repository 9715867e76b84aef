"""Which hand beats which.

Every ranking is a `Ranking` value of its own file, built on `tables.py`; a bigger value wins.
`RANKINGS` is the list that game definitions name them from. Wild cards that depend on the game or
on the cards dealt are asked of `wild.wild_high` and `wild.spit_high`.
"""

from __future__ import annotations

from tables.engine.rankings import (
    ace_to_five,
    ace_to_six,
    badugi,
    deuce_to_seven,
    eight_or_better,
    high,
    short_deck,
    three_card,
    wild,
)
from tables.engine.rankings.tables import Ranking

RANKINGS: dict[str, Ranking] = {
    ranking.id: ranking
    for ranking in (
        high.RANKING,
        ace_to_five.RANKING,
        deuce_to_seven.RANKING,
        ace_to_six.RANKING,
        *eight_or_better.BY_TOP.values(),
        badugi.RANKING,
        badugi.ACE_HIGH,
        wild.BUG_HIGH,
        wild.WILD_HIGH,
        short_deck.RANKING,
        three_card.RANKING,
    )
}
