"""How often hands and cuts come to nothing, and whether that went anybody's way.

A house that voids what it would lose, or a player who withholds his seed to get other cards, shows
here: what is void or dealt anew must go neither way more often than chance allows. Everything is
counted from what is public. docs/fairness.md 10.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any, NamedTuple

import orjson
from django.core.cache import BaseCache, caches
from django.db import connection
from django.db.models import Count

from casino.core import broker
from tables import beliefs, events, rules
from tables.chance import chi_square_p, normal_p
from tables.engine.banked.options import read_options
from tables.engine.banked.rounds import places
from tables.engine.banked.vocabulary import BankedGame
from tables.engine.rankings.three_card import three_card
from tables.models import Cut, Hand, SeedCommitment

HANDS_MOST = 200_000
"""The newest hands that are looked at."""
VOIDED_MOST = 2_000
JUDGED_LEAST = 20
"""Below so many events of the rarer kind chance alone explains anything."""
KEPT_S = 600
KEY = "tables.voids"


@dataclass(frozen=True, slots=True)
class Question:
    """A group beside what it is compared with. p: of chance alone; None when too few to say."""

    name: str
    group: str
    won: int
    lost: int
    others_won: int
    others_lost: int
    p: float | None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def independence_p(won: int, lost: int, others_won: int, others_lost: int) -> float | None:
    """Pearson's chi-square: does who won depend on the group? None below JUDGED_LEAST."""
    group, others = won + lost, others_won + others_lost
    winners, losers = won + others_won, lost + others_lost
    if min(group, others, winners, losers) < JUDGED_LEAST:
        return None
    total = group + others
    apart = won * others_lost - lost * others_won
    return chi_square_p(total * apart**2 / (group * others * winners * losers), 1)


def even_p(one: int, other: int) -> float | None:
    """Whether two equally likely outcomes come equally often. None below JUDGED_LEAST."""
    total = one + other
    return normal_p((one - other) / sqrt(total)) if total >= JUDGED_LEAST else None


def figures() -> dict[str, Any]:
    """Counts of all hands and cuts, and the questions; worked out every ten minutes at most.

    While the house's cache is away each process keeps its own.
    """
    own = caches["process"]
    if broker.is_resting():
        return _kept(own)
    try:
        with broker.asked():
            return _kept(caches["default"])
    except broker.AWAY:
        return _kept(own)


def _kept(cache: BaseCache) -> dict[str, Any]:
    found: dict[str, Any] | None = cache.get(KEY)
    if found is None:
        found = worked_out()
        cache.set(KEY, found, KEPT_S)
    return found


def worked_out() -> dict[str, Any]:
    return {
        "hands": _by(Hand.objects.filter(status__in=("settled", "voided")), "status"),
        "cuts": _by(Cut.objects.filter(status__in=("dealt", "void")), "status"),
        "void_cuts": _by(Cut.objects.filter(status="void"), "reason"),
        "withheld_seeds": SeedCommitment.objects.filter(withheld_at__isnull=False).count(),
        "questions": [one.to_json() for one in (redealt_rounds(), withholders(), voided_rounds())],
    }


def _by(rows: Any, field: str) -> dict[str, int]:
    return dict(rows.values_list(field).annotate(Count("pk")).order_by())


REDEALT = """
WITH newest AS (
    SELECT id, definition, (result->>'bank_minor')::bigint AS bank FROM tables_hand
    WHERE status = 'settled' ORDER BY id DESC LIMIT %s
)
SELECT EXISTS (SELECT FROM tables_cut c WHERE c.hand_id = h.id AND c.reason = 'withheld'),
    bank > 0, count(*)
FROM newest h WHERE h.definition->>'family' = 'banked' AND bank <> 0
GROUP BY 1, 2
"""
WITHHELD = """
WITH newest AS (
    SELECT id, definition, seats, result FROM tables_hand
    WHERE status = 'settled' ORDER BY id DESC LIMIT %s
)
SELECT EXISTS (
        SELECT FROM tables_seedcommitment s JOIN tables_cut c ON c.id = s.cut_id
        WHERE c.hand_id = h.id AND s.withheld_at IS NOT NULL
            AND s.player_id = (h.seats->n.seat->>'player')::bigint
    ),
    n.net::bigint > 0, count(*)
FROM newest h, jsonb_each_text(h.result->'nets_minor') AS n (seat, net)
WHERE h.definition->>'family' <> 'banked' AND n.net::bigint <> 0
GROUP BY 1, 2
"""


def redealt_rounds() -> Question:
    """Rounds against the house that a withheld seed brought fresh decks: did the bank win more?

    Rounds that end even count for neither.
    """
    return _compared("redealt_rounds", "bank", REDEALT)


def withholders() -> Question:
    """Games among players: does he who withheld a seed win more often than the others?"""
    return _compared("withholders", "withholder", WITHHELD)


def voided_rounds() -> Question:
    """Voided rounds against the house lie open: were the dealer's cards better than the spots'?

    The first spot of each is looked at. By the cards alone either is equally likely.
    """
    found = Counter(map(_dealer_ahead, _voided_deals()))
    won, lost = found[1], found[-1]
    half = (won + lost) / 2
    return Question(
        "voided_rounds", "dealer", won, lost, round(half), round(half), even_p(won, lost)
    )


def _compared(name: str, group: str, query: str) -> Question:
    with connection.cursor() as cursor:
        cursor.execute(query, [HANDS_MOST])
        counts = {(is_one, won): count for is_one, won, count in cursor.fetchall()}
    won, lost, others_won, others_lost = (
        counts.get((is_one, has_won), 0) for is_one in (True, False) for has_won in (True, False)
    )
    p = independence_p(won, lost, others_won, others_lost)
    return Question(name, group, won, lost, others_won, others_lost, p)


class Deal(NamedTuple):
    """A spot's cards and the dealer's."""

    spot: tuple[int, ...]
    dealer: tuple[int, ...]


def _dealer_ahead(deal: Deal) -> int:
    """1, 0 or -1: the dealer's cards are better, as good, or worse."""
    dealer, spot = three_card(deal.dealer), three_card(deal.spot)
    return (dealer > spot) - (dealer < spot)


def _voided_deals() -> Iterator[Deal]:
    voided = Hand.objects.filter(status=Hand.Status.VOIDED, definition__family="banked")
    for hand in voided.order_by("-pk")[:VOIDED_MOST]:
        rows = events.of_hand(hand.pk)
        dealt = next((row for row in rows if '"cards_dealt"' in row.events), None)
        if dealt is None:
            continue  # voided while bets were placed: no cards, nothing to like or dislike
        told = orjson.loads(dealt.events)
        spots = next(one["public"]["down"] for one in told if one["type"] == "cards_dealt")
        assert hand.deck_id is not None
        deck = beliefs.deck_open(hand.deck_id)
        game = rules.definition(hand.definition)
        assert isinstance(game, BankedGame)
        first, *_, dealer = places(game.deal, len(spots), read_options(game, hand.options).packets)
        yield Deal(tuple(deck[at] for at in first), tuple(deck[at] for at in dealer))
