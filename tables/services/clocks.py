"""A player's own clocks: time bank, disconnect clock, time-outs in a row, being away for long.

All are options of a table's timing and are off unless it says otherwise; deadlines are absolute,
stored with the table and told by the turn. Source: docs/rules/interruptions.md 1.4, 1.7 to 1.9,
3.3 to 3.6 and 6.4.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.models import F
from django.db.models.functions import Least

from casino.core.rows import columns, row_from, row_write, rows_where
from casino.core.statements import one_row
from tables import rules
from tables.beliefs import Belief
from tables.engine.errors import RuleViolation
from tables.engine.poker.hand import PokerHand
from tables.engine.protocol import Event, Hand
from tables.models import ClockDay, Seat, Table
from tables.models import Hand as HandRow
from tables.selectors import database_now, seat_facts
from tables.services.writing import event, extend

# What a table may set, in seconds or counts: the least and the most, and what holds otherwise.
OPTIONS: Mapping[str, tuple[float, float, float]] = {
    "time_bank_s": (0, 600, 0),
    "time_bank_step_s": (1, 120, 10),
    "time_bank_refill_s": (0, 60, 1),
    "disconnect_s": (0, 600, 0),
    "disconnect_hand_s": (0, 3_600, 60),
    "disconnect_day_s": (0, 36_000, 600),
    "connection_grace_s": (3, 60, 6),
    "protections_a_day": (0, 100, 0),
    "time_outs": (0, 20, 0),
    "away_s": (0, 86_400, 0),
    "away_orbits": (0, 100, 0),
    "rathole_s": (0, 86_400, 0),
}
PLAYING_NOW = (
    "table_id = %s AND player_id = ANY (%s::bigint[]) AND status = 'playing' ORDER BY number"
)
BANK, DISCONNECT = "time_bank", "disconnect"
SHARED_WINDOWS = ("betting", "decision", *rules.COURTESIES)


def option(timing: Mapping[str, Any], name: str) -> float:
    stands: float = timing.get(name, OPTIONS[name][2])
    return stands


def disconnect_left_ms(timing: Mapping[str, Any], in_hand_ms: int, today_ms: int) -> int:
    """What a lost connection may still cost the table: by turn, hand and day."""
    by_turn, by_hand, by_day = (
        round(1000 * option(timing, name))
        for name in ("disconnect_s", "disconnect_hand_s", "disconnect_day_s")
    )
    return max(0, min(by_turn, by_hand - in_hand_ms, by_day - today_ms))


def time_given(belief: Belief, hand: Hand) -> bool:
    """Let a player's own clock run where his turn's time is up; False when he has none left.

    The table's row is locked by the caller. The turn stays the same; its deadline moves.
    """
    seat = asked_alone(belief, hand)
    if seat is None:
        return False
    now = database_now()
    if is_heard(seat, now, belief.timing):
        clock, by_ms = BANK, _bank_taken(belief, seat)
    else:  # who cannot be heard spends his disconnect clock and keeps his bank
        clock, by_ms = DISCONNECT, _disconnect_taken(belief, seat, now)
    if not by_ms:
        return False
    told = event("clock_started", seat=seat.number, clock=clock, by_ms=by_ms, left_ms=seat.bank_ms)
    extend(table_id=belief.table_id, base_seq=belief.seq, events=[told], by_ms=by_ms, clock=clock)
    return True


def _bank_taken(belief: Belief, seat: Seat) -> int:
    by_ms = min(round(1000 * option(belief.timing, "time_bank_step_s")), seat.bank_ms)
    if by_ms:
        seat.bank_ms -= by_ms
        row_write(Seat, seat.pk, bank_ms=seat.bank_ms)
    return by_ms


def _disconnect_taken(belief: Belief, seat: Seat, now: datetime) -> int:
    in_hand_ms = seat.disconnect_ms if seat.disconnect_hand_id == belief.hand_id else 0
    if not disconnect_left_ms(belief.timing, in_hand_ms, 0):
        return 0
    spent = today(seat.player_id, now)
    by_ms = disconnect_left_ms(belief.timing, in_hand_ms, spent.disconnect_ms)
    seat.disconnect_ms, seat.disconnect_hand_id = in_hand_ms + by_ms, belief.hand_id
    seat.save(update_fields=["disconnect_ms", "disconnect_hand_id"])
    spent.disconnect_ms += by_ms
    spent.save(update_fields=["disconnect_ms"])
    return by_ms


def asked_alone(belief: Belief, hand: Hand) -> Seat | None:
    """The seat whose decision alone is awaited, if its player still plays; else None."""
    if len(hand.waiting) != 1 or hand.window in SHARED_WINDOWS:
        return None
    facts = (belief.seats or {}).get(str(hand.waiting[0]))
    if facts is None:
        return None
    found = one_row(_playing(), [belief.table_id, facts["player"]])
    return None if found is None else row_from(Seat, found)


@lru_cache(maxsize=1)
def _playing() -> str:
    return (
        f"SELECT {columns(Seat)} FROM tables_seat WHERE table_id = %s AND player_id = %s"  # noqa: S608
        f" AND status = '{Seat.Status.PLAYING}' ORDER BY number LIMIT 1"
    )


def is_heard(seat: Seat, now: datetime, timing: Mapping[str, Any]) -> bool:
    """Whether a connection holds the seat, or did within the grace; who never had one is heard."""
    grace = timedelta(seconds=option(timing, "connection_grace_s"))
    return seat.seen_at is None or now - seat.seen_at <= grace


def today(player_id: int, now: datetime) -> ClockDay:
    return ClockDay.objects.get_or_create(player_id=player_id, day=now.date())[0]


def protected(belief: Belief, hand: Hand) -> list[Event] | None:
    """Instead of a fold: all-in for what is in. None where disconnect protection does not hold.

    Only facing a bet, and only as often as the table allows a player on one day.
    """
    most = option(belief.timing, "protections_a_day")
    seat = asked_alone(belief, hand) if most and isinstance(hand, PokerHand) else None
    if seat is None:
        return None
    now = database_now()
    if is_heard(seat, now, belief.timing):
        return None
    spent = today(seat.player_id, now)
    if spent.protections >= most:
        return None
    assert isinstance(hand, PokerHand)
    try:
        events = hand.protect(hand.waiting[0])
    except RuleViolation:  # nothing to call: he checks
        return None
    spent.protections += 1
    spent.save(update_fields=["protections"])
    return events


def timed_out(belief: Belief, awaited: Iterable[int]) -> list[Event]:
    """Count a time-out against those whose decision was awaited; what follows from it.

    Who cannot be heard sits out when the hand is over; who lets his time run out in so many hands
    running sits out at once.
    """
    if belief.definition is None or belief.definition["family"] == "banked":
        return []  # nobody is waited for: a round goes on without him
    players = {
        (belief.seats or {})[str(seat)]["player"]
        for seat in awaited
        if str(seat) in (belief.seats or {})
    }
    most = option(belief.timing, "time_outs")
    now, events = database_now(), []
    for seat in rows_where(Seat, PLAYING_NOW, [belief.table_id, list(players)]):
        if seat.timed_out_hand_id != belief.hand_id:
            seat.time_outs, seat.timed_out_hand_id = seat.time_outs + 1, belief.hand_id
        if most and seat.time_outs >= most:
            seat.status, seat.time_outs = Seat.Status.SITTING_OUT, 0
            facts = seat_facts(seat)
            events.append(event("seat_changed", stack_minor=None, why="timed_out", **facts))
        elif not is_heard(seat, now, belief.timing):
            seat.sits_out_at = Seat.SitsOut.HAND
        names = ("status", "time_outs", "timed_out_hand_id", "sits_out_at")
        row_write(Seat, seat.pk, **{name: getattr(seat, name) for name in names})
    return events


def hand_ended(table: Table, hand: HandRow, seats: Iterable[Seat]) -> None:
    """Refill the banks of those dealt in, and forget the time-outs of who has acted since.

    seats: the table's as they are now; its row is locked by the caller.
    """
    players = {facts["player"] for facts in hand.seats.values()}
    dealt = [seat for seat in seats if seat.pk is not None and seat.player_id in players]
    awake = [seat.pk for seat in dealt if seat.time_outs and seat.timed_out_hand_id != hand.pk]
    if awake:
        Seat.objects.filter(pk__in=awake).update(time_outs=0)
    full_ms = bank_ms(table.timing)
    refill_ms = round(1000 * option(table.timing, "time_bank_refill_s"))
    spent = [seat.pk for seat in dealt if seat.bank_ms < full_ms]
    if spent and refill_ms:
        refilled = Least(F("bank_ms") + refill_ms, full_ms)
        Seat.objects.filter(pk__in=spent).update(bank_ms=refilled)


def bank_ms(timing: Mapping[str, Any]) -> int:
    """What a player sits down with, and the most he can have."""
    return round(1000 * option(timing, "time_bank_s"))


def seen(places: Iterable[tuple[int, int]]) -> None:
    """A connection holds these seats. places: (table id, player id)."""
    tables, players = zip(*places, strict=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT tables_seats_seen(%s, %s)", [list(tables), list(players)])


def away_too_long() -> list[tuple[int, int]]:
    """(table id, player id) of those who have sat out for longer than their table allows."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM tables_away_too_long()")
        return [(table_id, player_id) for table_id, player_id in cursor.fetchall()]
