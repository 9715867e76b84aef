"""The best hand of a time: who leads, what locks when the time is over, who leads when it falls.

Source: docs/rules/jackpots.md 3 and 4.6.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta

from django.db import transaction
from django.db.models.functions import Now

from casino.core.log import log
from casino.core.models import LogEntry, User
from tables import costs
from tables.engine.poker.jackpots import High, Terms, high_hand, read_terms
from tables.engine.protocol import Event
from tables.models import Hand, Jackpot, JackpotHit, JackpotTerms
from tables.selectors import database_now
from tables.services.writing import event

Kind, Status = JackpotHit.Kind, JackpotHit.Status


def terms_of(jackpot: Jackpot, hand: Hand) -> JackpotTerms | None:
    """The terms that a hand is judged by; None for one that hits nothing."""
    if hand.definition["family"] != "poker" or not _all_are_guests(hand):
        return None
    return jackpot.terms.filter(at__lte=hand.started_at).order_by("-version").first()


def _all_are_guests(hand: Hand) -> bool:
    players = [seat["player"] for seat in hand.seats.values()]
    return not User.objects.filter(pk__in=players, is_house=True).exists()


def looked_for(jackpot: Jackpot, version: JackpotTerms, terms: Terms, hand: Hand) -> list[Event]:
    """Let a hand that is just paid lead if it is the best of its time; what to tell.

    The jackpot's row is locked.
    """
    if terms.high_hand is None:
        return []
    now = database_now()
    _closed(jackpot, now)
    high = high_hand(terms.high_hand, hand.game, hand.final_view or {})
    leading = jackpot.hits.filter(status=Status.LEADING).first()
    if high is None or (leading is not None and list(high.strength) <= leading.strength):
        return []
    if leading is not None:
        leading.status = Status.BEATEN
        leading.save(update_fields=["status"])
    until = period_end(now, terms.high_hand.every_min)
    hit = _leads(jackpot, version, hand, high, until)
    return [event("high_hand_led", hit=hit.pk, seat=high.seat, words=high.words)]


def _leads(
    jackpot: Jackpot, version: JackpotTerms, hand: Hand, high: High, until: datetime
) -> JackpotHit:
    player = str(hand.seats[str(high.seat)]["player"])
    hit, _ = JackpotHit.objects.update_or_create(
        hand=hand,
        kind=Kind.HIGH_HAND,
        defaults={
            "jackpot": jackpot,
            "terms": version,
            "status": Status.LEADING,
            "words": high.words[:120],
            "strength": list(high.strength),
            "shares": {player: 0},
            "until": until,
        },
    )
    return hit


def period_end(at: datetime, every_min: int) -> datetime:
    """When the high hand's time that runs at a moment is over, by whole times from midnight UTC.

    The last one of a day ends with it.
    """
    midnight = _midnight(at)
    every = timedelta(minutes=every_min)
    end = midnight + ((at - midnight) // every + 1) * every
    return min(end, midnight + timedelta(days=1))


def _midnight(at: datetime) -> datetime:
    return datetime.combine(at.astimezone(UTC).date(), time(), UTC)


def periods_closed() -> int:
    """Lock every high hand whose time is over; how many. Safe to repeat."""
    due = JackpotHit.objects.filter(status=Status.LEADING, until__lte=Now())
    locked = 0
    for jackpot_id in set(due.values_list("jackpot", flat=True)):
        with transaction.atomic():
            jackpot = Jackpot.objects.select_for_update().get(pk=jackpot_id)
            locked += over_locked(jackpot)
    return locked


def over_locked(jackpot: Jackpot) -> bool:
    """Lock the high hand whose time is over now, if one is; the jackpot's row is locked."""
    return _closed(jackpot, database_now())


def _closed(jackpot: Jackpot, now: datetime) -> bool:
    """Lock the high hand whose time is over; the jackpot's row is locked."""
    hit = jackpot.hits.filter(status=Status.LEADING, until__lte=now).first()
    if hit is None:
        return False
    terms = read_terms(hit.terms.content).high_hand
    assert terms is not None
    hit.amount_minor = min(terms.pays_minor, max(0, costs.meter_minor(jackpot)))
    hit.shares = dict.fromkeys(hit.shares, hit.amount_minor)
    hit.status = Status.LOCKED
    hit.save(update_fields=["amount_minor", "shares", "status"])
    log("jackpot.locked", f"hit:{hit.pk}", None, {"kind": hit.kind, "minor": hit.amount_minor})
    return True


def led_again(fallen: JackpotHit) -> JackpotHit | None:
    """A high hand has fallen: the best of the others of its time leads, or is locked at once.

    The jackpot's row is locked, the fallen hit decided.
    """
    best: tuple[Hand, High, JackpotTerms] | None = None
    for hand in _others_of(fallen):
        version = terms_of(fallen.jackpot, hand)
        terms = None if version is None else read_terms(version.content).high_hand
        high = None if terms is None else high_hand(terms, hand.game, hand.final_view or {})
        if version and high and (best is None or high.strength > best[1].strength):
            best = hand, high, version
    if best is None:
        return None
    hand, high, version = best
    assert fallen.until is not None
    now = database_now()
    later = fallen.jackpot.hits.filter(status=Status.LEADING).first()
    if later is not None:  # of the time that runs now: only one of a jackpot leads
        JackpotHit.objects.filter(pk=later.pk).update(status=Status.BEATEN)
    hit = _leads(fallen.jackpot, version, hand, high, fallen.until)
    log("jackpot.led_again", f"hit:{hit.pk}", None, {"in_place_of": fallen.pk})
    _closed(fallen.jackpot, now)
    if later is not None:
        JackpotHit.objects.filter(pk=later.pk).update(status=Status.LEADING)
    hit.refresh_from_db()
    return hit


def _others_of(fallen: JackpotHit) -> Iterator[Hand]:
    """The hands of a high hand's time in the order of their settlement, those that stand."""
    terms = read_terms(fallen.terms.content).high_hand
    assert terms is not None
    assert fallen.until is not None
    within = fallen.until - timedelta(microseconds=1)
    every = timedelta(minutes=terms.every_min)
    begins = _midnight(within) + (within - _midnight(within)) // every * every
    decided = fallen.jackpot.hits.filter(
        kind=Kind.HIGH_HAND, status__in=(Status.REFUSED, Status.PAID)
    )
    hands = Hand.objects.filter(
        table__jackpot=fallen.jackpot,
        status=Hand.Status.SETTLED,
        settled_at__gte=begins,
        settled_at__lt=fallen.until,
    ).exclude(pk__in=decided.values("hand"))
    for hand in hands.order_by("settled_at", "pk").iterator(chunk_size=200):
        undone = LogEntry.objects.filter(kind="hand.reversed", subject=f"hand:{hand.pk}")
        if not undone.exists():
            yield hand
