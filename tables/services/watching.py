"""Play looked at: from where players came, pairs out of line by the day, hands players report.

Source: docs/operations.md, "Watching play".
"""

import hmac
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any

import orjson
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction
from django.utils import timezone

from casino.core.log import log
from casino.core.models import User
from casino.core.retiring import deleted
from casino.core.statements import quiet_for_long
from tables import events
from tables.engine.history.pairs import Finding, Pairs, Played, Thresholds, flows, one_place
from tables.errors import HandNotFound, ReasonMissing
from tables.models import Hand, HandReport, Origin, PairFinding, PairReport
from wallets.gaming_day import day_begins, gaming_day

BATCH = 200
ONE_DAY = timedelta(days=1)
REASON_MOST = 500


def limits_of(given: Mapping[str, int]) -> Thresholds:
    """The usual thresholds but for those that the house sets. Raises ImproperlyConfigured."""
    known = [each.name for each in fields(Thresholds)]
    for name, figure in given.items():
        if name not in known:
            raise ImproperlyConfigured(f"WATCH_LIMITS: {name} is none of {', '.join(known)}")
        if figure < 1 or (name.endswith("_percent") and figure > 100):
            raise ImproperlyConfigured(f"WATCH_LIMITS: {name} cannot be {figure}")
    return Thresholds(**given)


LIMITS = limits_of(settings.WATCH_LIMITS)
NOTE = """
    INSERT INTO tables_origin (table_id, player_id, address, device, day, first_at, last_at)
        VALUES (%s, %s, %s, %s, %s, now(), now())
        ON CONFLICT (day, table_id, player_id, address, device) DO UPDATE SET last_at = now()
"""


def origin_noted(table_id: int, player_id: int, address: str, agent: str) -> None:
    """Note from where a player's connection came. Only keyed hashes are kept.

    agent: what his program calls itself.
    """
    day = gaming_day(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(NOTE, [table_id, player_id, hashed(address), hashed(agent), day])


def hashed(text: str) -> str:
    key = settings.SECRET_KEY.encode()
    return hmac.new(key, b"origin:" + text.encode(), sha256).hexdigest()[:32]


# Pairs of players, by the day


def report_daily() -> PairReport | None:
    """The report of the gaming day that has ended; None when it stands. Safe to repeat.

    Days on which the house was closed are made up for.
    """
    ended = gaming_day(timezone.now()) - ONE_DAY
    last = PairReport.objects.filter(gaming_day__lte=ended).order_by("-gaming_day").first()
    day, made = ended if last is None else last.gaming_day + ONE_DAY, None
    while day <= ended:
        made = report_make(day)
        day += ONE_DAY
    return made


@transaction.atomic
def report_make(day: date, limits: Thresholds = LIMITS) -> PairReport:
    """Look at every pair of players of a gaming day's hands among players."""
    quiet_for_long()
    begins = day_begins(day)
    pairs, hands = Pairs(), 0
    for played in hands_of(begins, day_begins(day + ONE_DAY)):
        pairs.add(played)
        hands += 1
    seen = Origin.objects.filter(day=day, player__is_house=False)
    places = seen.values_list("table", "address", "device", "player")
    found = pairs.findings(limits)
    found += one_place((table, f"{at} {by}", player) for table, at, by, player in places)
    report = PairReport.objects.create(gaming_day=day, hands=hands, thresholds=asdict(limits))
    house = set(User.objects.filter(is_house=True).values_list("pk", flat=True))
    PairFinding.objects.bulk_create(
        _row(report, finding) for finding in found if not {finding.a, finding.b} <= house
    )
    log("pairs.reported", f"pairs:{day}", None, {"hands": hands, "findings": len(found)})
    return report


def _row(report: PairReport, finding: Finding) -> PairFinding:
    return PairFinding(
        report=report, kind=finding.kind, a_id=finding.a, b_id=finding.b, figures=finding.figures
    )


def hands_of(begins: datetime, ends: datetime) -> Iterator[Played]:
    """Settled hands among players, oldest first."""
    hands = Hand.objects.filter(
        status=Hand.Status.SETTLED, settled_at__gte=begins, settled_at__lt=ends
    ).exclude(definition__family="banked")
    batch: list[Hand] = []
    for hand in hands.order_by("pk").iterator(chunk_size=BATCH):
        batch.append(hand)
        if len(batch) == BATCH:
            yield from _read(batch)
            batch = []
    yield from _read(batch)


def _read(hands: Sequence[Hand]) -> Iterator[Played]:
    acts: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for row in events.of_hands(hand.pk for hand in hands):
        assert row.hand_id is not None
        acts[row.hand_id] += [
            (one["type"], int(one["public"].get("seat") or 0)) for one in orjson.loads(row.events)
        ]
    for hand in hands:
        yield _played(hand, acts[hand.pk])


def _played(hand: Hand, acts: Sequence[tuple[str, int]]) -> Played:
    options = hand.options
    blinds = options.get("blinds_minor") or [options.get("big_blind_minor") or 0]
    unit = blinds[-1] or options.get("small_bet_minor") or options.get("ante_minor") or 1
    return Played(
        {int(seat): facts["player"] for seat, facts in hand.seats.items()},
        nets_by_player(hand),
        unit,
        acts,
    )


def nets_by_player(hand: Hand) -> dict[int, int]:
    nets: dict[int, int] = {}
    for seat, minor in (hand.result or {}).get("nets_minor", {}).items():
        player = hand.seats[seat]["player"]
        nets[player] = nets.get(player, 0) + minor
    return nets


# One hand, as whoever looks into it needs it


def hand_case(hand: Hand) -> dict[str, Any]:
    """Decisions with the time each took, chips from player to player, and shared origins.

    The cards are in the hand's own record; who may see them is decided there.
    """
    players = sorted({facts["player"] for facts in hand.seats.values()})
    day = gaming_day(hand.started_at)
    seen = Origin.objects.filter(day=day, table=hand.table_id, player__in=players)
    places = seen.values_list("table", "address", "device", "player")
    return {
        "decisions": _decisions(hand),
        "flows_minor": flows(nets_by_player(hand)),
        "one_place": [
            (one.a, one.b)
            for one in one_place((table, f"{a} {d}", who) for table, a, d, who in places)
        ],
    }


def _decisions(hand: Hand) -> list[dict[str, Any]]:
    """What each player did, and how many milliseconds after he was asked."""
    found = []
    asked_at: datetime | None = None
    for row in events.of_hand(hand.pk):
        if row.action_id is not None and asked_at is not None:
            first = orjson.loads(row.events)[:1]
            if first and (seat := first[0]["public"].get("seat")):
                think_ms = round((row.at - asked_at).total_seconds() * 1000)
                player = hand.seats[str(seat)]["player"]
                found.append({"player": player, "did": first[0]["type"], "think_ms": think_ms})
        if row.turn is not None:
            asked_at = row.at
    return found


def origins_forget() -> int:
    """Delete from where players came long ago; how many rows."""
    oldest = gaming_day(timezone.now() - timedelta(days=settings.ORIGINS_KEPT_DAYS))
    return deleted("origins", Origin.objects.filter(day__lt=oldest))


# Players' complaints


def hand_report(*, hand_id: int, player: User, reason: str) -> HandReport:
    """Keep a player's complaint about a hand that he was dealt into; once a hand and player.

    Raises HandNotFound, ReasonMissing.
    """
    if not reason.strip():
        raise ReasonMissing
    hand = Hand.objects.filter(pk=hand_id).first()
    if hand is None or player.pk not in [facts["player"] for facts in hand.seats.values()]:
        raise HandNotFound(hand_id)
    with transaction.atomic():
        report, is_new = HandReport.objects.get_or_create(
            hand=hand, player=player, defaults={"reason": reason.strip()[:REASON_MOST]}
        )
        if is_new:
            log("hand.reported", f"hand:{hand_id}", player, {"report": report.pk})
    return report
