"""A player's own clocks, at a table and through the real expiry of its turns."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from hypothesis import given
from hypothesis.strategies import integers

from tables import beliefs, clock
from tables.engine.errors import BadOptions
from tables.models import ClockDay, Event, Hand, Seat, Table
from tables.services import clocks, expiring, floor, seating, settling
from tests.tables.dealing_cast import clock_to, dealt, move, player, seated, table
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db(transaction=True)
DISCONNECTS = {"disconnect_s": 20, "disconnect_hand_s": 30, "disconnect_day_s": 45}


def opened(count: int = 3, **timing: float):
    at = table(timing=timing)
    players = {f"p{n}": player(f"p{n}") for n in range(count)}
    seated(at, *players.values(), chips_minor=20_000)
    dealt(at)
    return at, players


def events_of(at: Table, kind: str) -> list[dict]:
    rows = Event.objects.filter(table=at).order_by("seq").values_list("events", flat=True)
    return [e["public"] for row in rows for e in json.loads(row) if e["type"] == kind]


def asked(at: Table) -> Seat:
    return at.seats.get(number=beliefs.read(at.pk).hand().waiting[0])


def runs_out(at: Table) -> bool:
    """Let the deadline of the open turn pass; whether the default was done."""
    clock_to(at, 5_000)
    return expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)


def last_seen(seat: Seat, seconds_ago: float) -> None:
    Seat.objects.filter(pk=seat.pk).update(seen_at=timezone.now() - timedelta(seconds=seconds_ago))


def long_away() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tables_seat SET sat_out_at = sat_out_at - interval '61 s'"
            " WHERE status = 'sitting_out'"
        )


def folded_out(at: Table) -> None:
    while not beliefs.read(at.pk).finished:
        move(at, name="fold")
    settling.hand_settle(table_id=at.pk, hand_id=Hand.objects.latest("pk").pk)


def test_when_the_action_time_is_up_the_time_bank_runs_in_steps_and_the_turn_stays():
    at, _ = opened(time_bank_s=25, time_bank_step_s=10)
    before, seat = beliefs.read(at.pk), asked(at)
    assert not runs_out(at)
    after = beliefs.read(at.pk)
    assert (after.turn_id, after.seq) == (before.turn_id, before.seq + 1)
    assert not after.is_past
    row = Table.objects.get(pk=at.pk)
    assert 9 < (row.deadline - timezone.now()).total_seconds() <= 10
    turn = json.loads(row.turn)
    assert (turn["clock"], turn["turn_id"]) == ("time_bank", before.turn_id)
    assert events_of(at, "clock_started")[-1] == {
        "seat": seat.number, "clock": "time_bank", "by_ms": 10_000, "left_ms": 15_000,
    }  # fmt: skip
    assert not runs_out(at)
    assert not runs_out(at)
    assert [e["by_ms"] for e in events_of(at, "clock_started")] == [10_000, 10_000, 5_000]
    assert runs_out(at)  # the bank is empty: the default
    assert beliefs.read(at.pk).turn_id != before.turn_id


def test_an_action_in_the_time_bank_counts():
    at, _ = opened(time_bank_s=30)
    assert not runs_out(at)
    assert not move(at, name="call").replayed


def test_a_second_delivery_of_the_same_time_out_takes_nothing_more_from_the_bank():
    at, _ = opened(time_bank_s=30)
    clock_to(at, 5_000)
    turn_id = beliefs.read(at.pk).turn_id
    for _ in range(3):
        expiring.turn_expire(table_id=at.pk, turn_id=turn_id)
    assert len(events_of(at, "clock_started")) == 1


def test_the_bank_is_refilled_by_every_hand_a_player_is_dealt_in_to_and_never_above_its_most():
    at, _ = opened(time_bank_s=30, time_bank_refill_s=2)
    seat = asked(at)
    assert not runs_out(at)
    folded_out(at)
    assert Seat.objects.get(pk=seat.pk).bank_ms == 22_000
    for other in at.seats.exclude(pk=seat.pk):
        assert other.bank_ms == 30_000
    for _ in range(6):
        dealt(at)
        folded_out(at)
    assert Seat.objects.get(pk=seat.pk).bank_ms == 30_000


def test_without_a_time_bank_the_default_comes_at_once():
    at, _ = opened()
    assert runs_out(at)
    assert not events_of(at, "clock_started")


def test_who_has_lost_his_connection_gets_the_disconnect_clock_and_keeps_his_bank():
    at, _ = opened(time_bank_s=30, **DISCONNECTS)
    seat = asked(at)
    last_seen(seat, 60)
    assert not runs_out(at)
    seat.refresh_from_db()
    assert (seat.bank_ms, seat.disconnect_ms) == (30_000, 20_000)
    assert events_of(at, "clock_started")[-1]["clock"] == "disconnect"
    assert not runs_out(at)  # the hand's cap leaves 10 of its 30 seconds
    assert events_of(at, "clock_started")[-1]["by_ms"] == 10_000
    assert runs_out(at)
    seat.refresh_from_db()
    assert (seat.bank_ms, seat.sits_out_at) == (30_000, Seat.SitsOut.HAND)


def test_the_days_cap_of_the_disconnect_clock_holds_over_hands_and_tables():
    at, _ = opened(**DISCONNECTS)
    seat = asked(at)
    ClockDay.objects.create(
        player_id=seat.player_id, day=timezone.now().date(), disconnect_ms=40_000
    )
    last_seen(seat, 60)
    assert not runs_out(at)
    assert events_of(at, "clock_started")[-1]["by_ms"] == 5_000
    assert runs_out(at)
    assert ClockDay.objects.get().disconnect_ms == 45_000


def test_within_the_grace_a_lost_connection_is_none():
    at, _ = opened(time_bank_s=30, connection_grace_s=10, **DISCONNECTS)
    last_seen(asked(at), 8)
    assert not runs_out(at)
    assert events_of(at, "clock_started")[-1]["clock"] == "time_bank"


def test_who_never_had_a_connection_has_not_lost_one():
    at, _ = opened(**DISCONNECTS)
    assert runs_out(at)
    assert not ClockDay.objects.exists()


def test_any_process_that_holds_a_connection_keeps_its_seat_seen():
    at, _ = opened()
    seats = list(at.seats.all())
    clocks.seen([(at.pk, seats[0].player_id), (at.pk, seats[1].player_id)])
    seen = {seat.number: seat.seen_at is not None for seat in at.seats.all()}
    assert seen == {1: True, 2: True, 3: False}
    last_seen(seats[0], 60)
    clocks.seen([(at.pk, seats[0].player_id)])  # another web process
    assert clocks.is_heard(at.seats.get(number=1), timezone.now(), {})


def test_time_outs_in_two_hands_running_make_a_player_sit_out_and_an_action_forgives_one():
    at, _ = opened(count=2, time_outs=2)
    first = asked(at)
    runs_out(at)
    settling.hand_settle(table_id=at.pk, hand_id=Hand.objects.latest("pk").pk)
    assert Seat.objects.get(pk=first.pk).time_outs == 1
    dealt(at)
    folded_out(at)  # he, or the other, acted: no time-out in this hand
    assert Seat.objects.get(pk=first.pk).time_outs == 0
    for _ in range(2):
        dealt(at)
        while not beliefs.read(at.pk).finished:
            if asked(at).pk == first.pk:
                runs_out(at)
            else:
                names = [c["name"] for c in beliefs.read(at.pk).hand().legal(asked(at).number)]
                move(at, name="raise", to_minor=300) if "raise" in names else move(at, name="call")
        settling.hand_settle(table_id=at.pk, hand_id=Hand.objects.latest("pk").pk)
    seat = Seat.objects.get(pk=first.pk)
    assert seat.status == Seat.Status.SITTING_OUT
    assert seat.sat_out_at is not None
    told = [e for e in events_of(at, "seat_changed") if e["seat"] == seat.number]
    assert told[-1]["why"] == "timed_out"


def test_disconnect_protection_is_all_in_for_what_is_in_and_counted_by_the_day():
    at, _ = opened(protections_a_day=1)
    move(at, name="raise", to_minor=300)
    seat = asked(at)
    last_seen(seat, 60)
    assert runs_out(at)
    assert events_of(at, "protected")[-1]["seat"] == seat.number
    assert ClockDay.objects.get().protections == 1
    move(at, name="call")
    while not beliefs.read(at.pk).finished:
        names = [c["name"] for c in beliefs.read(at.pk).hand().legal(asked(at).number)]
        move(at, name="check" if "check" in names else "call")
    settling.hand_settle(table_id=at.pk, hand_id=Hand.objects.latest("pk").pk)
    assert ledger_check().ok
    dealt(at)
    move(at, name="raise", to_minor=300)
    last_seen(asked(at), 60)
    ClockDay.objects.create(player_id=asked(at).player_id, day=timezone.now().date(), protections=1)
    assert runs_out(at)
    assert len(events_of(at, "protected")) == 1  # used up for this day: he is folded


@pytest.mark.parametrize("timing", [{"away_s": 60}, {"away_orbits": 2}])
def test_who_sits_out_for_too_long_is_stood_up_with_all_his_chips(timing):
    at, players = opened(**timing)
    folded_out(at)
    seating.seat_sit_out(table_id=at.pk, player=players["p0"])
    assert clock.walk() == 0
    if "away_s" in timing:
        long_away()
    else:
        for _ in range(5):
            dealt(at)
            folded_out(at)
    assert clock.walk() == 1
    assert clock.walk() == 0
    assert not at.seats.filter(player=players["p0"]).exists()
    assert events_of(at, "seat_left")[-1]["why"] == "away"
    assert ledger_check().ok


def test_who_comes_back_in_time_keeps_his_seat():
    at, players = opened(away_s=60)
    folded_out(at)
    seating.seat_sit_out(table_id=at.pk, player=players["p0"])
    long_away()
    seating.seat_return(table_id=at.pk, player=players["p0"])
    assert clock.walk() == 0
    assert not seating.seat_away(table_id=at.pk, player_id=players["p0"].pk)


@given(
    by_turn=integers(0, 600), by_hand=integers(0, 3600), by_day=integers(0, 36_000),
    in_hand_ms=integers(0, 4_000_000), today_ms=integers(0, 40_000_000),
)  # fmt: skip
def test_no_cap_of_the_disconnect_clock_is_ever_passed(
    by_turn: int, by_hand: int, by_day: int, in_hand_ms: int, today_ms: int
):
    timing = {"disconnect_s": by_turn, "disconnect_hand_s": by_hand, "disconnect_day_s": by_day}
    left = clocks.disconnect_left_ms(timing, in_hand_ms, today_ms)
    assert 0 <= left <= 1000 * by_turn
    assert left == 0 or (in_hand_ms + left <= 1000 * by_hand and today_ms + left <= 1000 * by_day)


def test_the_clocks_of_a_table_are_checked_when_they_are_set():
    assert floor.timing_checked({"time_bank_s": 30, "away_orbits": 3}) == {
        "time_bank_s": 30, "away_orbits": 3,
    }  # fmt: skip
    for timing in ({"time_bank_s": 601}, {"time_bank_step_s": 0}, {"time_outs": True}):
        with pytest.raises(BadOptions):
            floor.timing_checked(timing)
