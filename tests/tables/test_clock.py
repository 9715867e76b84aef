from datetime import timedelta

import orjson
import pytest
from django.db import IntegrityError, OperationalError, ProgrammingError, connection
from django.utils import timezone
from psycopg.errors import LockNotAvailable

from tables import beliefs, clock, jobs
from tables.models import ClocksHeld, Event, Hand, Interruption, Table
from tables.services import dealing
from tables.services.acting import silence_judged
from tests.tables.dealing_cast import (
    clock_to,
    dealt,
    move,
    player,
    pulses_at,
    seated,
    table,
    three_card_table,
)  # fmt: skip
from wallets import limits

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sent(monkeypatch):
    """Tasks handed to the broker, which nobody carries out here."""
    tasks = []
    monkeypatch.setattr(jobs, "send", lambda name, *args: tasks.append((name, *args)) or True)
    return tasks


@pytest.fixture
def in_play():
    at = table()
    seated(at, player("alice"), player("bob"))
    dealt(at)
    return at


def claim():
    with connection.cursor() as cursor:
        cursor.execute("SELECT work, number, again FROM tables_claim_due(250, 2000)")
        return cursor.fetchall()


def test_a_due_turn_is_claimed_once_a_lease(in_play, sent):
    turn_id = beliefs.read(in_play.pk).turn_id
    clock_to(in_play, 400, claimed=False)
    pulses_at(0)
    clock.tick()
    clock.tick()
    assert sent == [("tables.expire_turn", in_play.pk, turn_id)]


def test_a_turn_within_its_grace_is_not_due(in_play, sent):
    clock_to(in_play, 200, claimed=False)
    pulses_at(0)
    assert clock.tick() == 0


@pytest.mark.parametrize("silent", ["web", "clock"])
def test_nothing_is_due_while_one_kind_of_process_is_silent(in_play, sent, silent):
    clock_to(in_play, 400, claimed=False)
    pulses_at(0)
    pulses_at(2_000, silent)
    assert clock.tick() == 0


@pytest.mark.parametrize("kind", ["web", "clock"])
def test_the_first_pulse_after_a_silence_moves_the_deadlines_that_were_running(in_play, kind):
    clock_to(in_play, 30_000, claimed=False)
    pulses_at(60_000, kind)
    before = Table.objects.get(pk=in_play.pk)
    assert clock.pulse(kind) == 1
    after = Table.objects.get(pk=in_play.pk)
    moved_s = (after.deadline - before.deadline).total_seconds()
    assert 64.9 < moved_s < 66
    assert after.turn_id == before.turn_id
    held = Event.objects.latest("seq")
    assert "clocks_held" in held.events
    assert held.turn == after.turn


def test_a_silence_is_judged_once_whoever_comes_back_first(in_play):
    clock_to(in_play, 30_000, claimed=False)
    pulses_at(60_000, "web")
    pulses_at(60_100, "clock")
    assert clock.pulse("clock") + clock.pulse("web") + clock.pulse("clock") == 1
    assert ClocksHeld.objects.count() == 1


@pytest.mark.parametrize(("first", "second"), [("web", "clock"), ("clock", "web")])
def test_a_deadline_between_the_beginnings_of_two_silences_moves_too(in_play, first, second):
    clock_to(in_play, 40_000, claimed=False)
    pulses_at(60_000, first)
    pulses_at(20_000, second)
    assert clock.pulse(second) == 0  # its own silence began when the deadline had passed
    assert clock.pulse(first) == 1
    (held,) = Event.objects.filter(events__contains="clocks_held")
    assert 64_900 < orjson.loads(held.events)[0]["public"]["by_ms"] < 66_000


def test_a_turn_that_came_and_went_in_the_rest_of_a_longer_silence_moves(in_play):
    pulses_at(60_000, "web")
    pulses_at(20_000, "clock")
    clock_to(in_play, 90_000, claimed=False)
    assert clock.pulse("clock") == 0
    with connection.cursor() as cursor:  # a moment later, while the web is still away
        cursor.execute("UPDATE tables_clocksheld SET ended = ended - interval '2 s'")
        cursor.execute("UPDATE tables_clocksheld SET began = began - interval '60 s'")
    clock_to(in_play, 1_000, claimed=False)
    assert clock.pulse("web") == 1


def test_a_silence_that_was_judged_twice_while_it_lasted_is_judged_to_its_end(in_play):
    pulses_at(60_000, "clock")
    pulses_at(0, "web")
    clock_to(in_play, 50_000, claimed=False)
    for _ in range(2):  # as an action that comes late does, while the clock stays away
        assert silence_judged()
        clock_to(in_play, 0, claimed=False)
    clock_to(in_play, 0, claimed=False)
    assert clock.pulse("clock") == 1


def test_a_deadline_that_two_silences_share_moves_once(in_play):
    clock_to(in_play, 10_000, claimed=False)
    pulses_at(60_000, "web")
    pulses_at(20_000, "clock")
    assert clock.pulse("clock") == 1
    assert clock.pulse("web") == 0


def test_a_deadline_past_before_the_silence_began_stays_past(in_play):
    clock_to(in_play, 70_000, claimed=False)
    pulses_at(60_000)
    assert clock.pulse("web") == 0


def test_a_short_pause_moves_nothing(in_play):
    pulses_at(2_500)
    assert clock.pulse("web") == 0
    assert not ClocksHeld.objects.exists()


def test_without_a_broker_the_clock_does_the_work_itself(in_play, monkeypatch):
    monkeypatch.setattr(jobs, "send", lambda *args: False)
    clock_to(in_play, 400, claimed=False)
    pulses_at(0)
    clock.tick()
    assert beliefs.read(in_play.pk).finished  # heads-up, the time-out's fold ends the hand


def test_work_that_the_workers_forgot_is_done_when_its_lease_is_out(in_play, sent):
    clock_to(in_play, 400, claimed=False)
    pulses_at(0)
    clock.tick()
    Table.objects.update(claimed_at="2020-01-01T00:00:00Z")
    clock.tick()
    assert beliefs.read(in_play.pk).finished  # heads-up, the time-out's fold ends the hand


def test_a_finished_hand_is_found_again_and_settled(in_play, sent):
    move(in_play, name="fold")
    assert beliefs.read(in_play.pk).finished
    assert claim() == []  # the one who finished it has enqueued it
    Table.objects.update(claimed_at="2020-01-01T00:00:00Z")
    clock.tick()
    assert Hand.objects.get().status == "settled"


def test_the_next_hand_is_dealt_when_its_pause_is_over(in_play, sent):
    move(in_play, name="fold")
    from tables.services import settling

    settling.hand_settle(table_id=in_play.pk, hand_id=Hand.objects.get().pk)
    assert claim() == []
    Table.objects.update(next_deal_at="2020-01-01T00:00:00Z")
    clock.tick()
    assert sent[-1] == ("tables.deal_hand", in_play.pk, 2)


def test_one_table_that_cannot_go_on_does_not_stop_the_others(in_play, monkeypatch, caplog):
    monkeypatch.setattr(jobs, "send", lambda *args: False)
    monkeypatch.setitem(clock.WORK, "expire", ("x", lambda t, n: 1 // 0))
    clock_to(in_play, 400, claimed=False)
    pulses_at(0)
    assert clock.tick() == 1
    assert "ZeroDivisionError" in caplog.text


def held_up():
    error = OperationalError("canceling statement due to lock timeout")
    error.__cause__ = LockNotAvailable()
    return error


@pytest.mark.parametrize(
    ("error", "rulings"),
    [(held_up(), 0), (IntegrityError("a constraint"), 1), (ProgrammingError("no such column"), 0)],
    ids=["held up", "refused", "not understood"],
)
def test_what_the_database_refuses_of_one_table_holds_up_no_other(
    in_play, monkeypatch, error, rulings
):
    other = table(name="other")
    seated(other, player("carl"), player("dora"))
    dealt(other)
    monkeypatch.setattr(jobs, "send", lambda *args: False)
    task, expire = clock.WORK["expire"]

    def fails(table_id, turn_id):
        if table_id == in_play.pk:
            raise error
        expire(table_id, turn_id)

    monkeypatch.setitem(clock.WORK, "expire", (task, fails))
    for at in (in_play, other):
        clock_to(at, 400, claimed=False)
    pulses_at(0)
    assert clock.tick() == 2
    assert beliefs.read(other.pk).finished
    assert Interruption.objects.filter(table=in_play).count() == rulings


def test_a_database_that_is_away_is_no_fault_of_a_table(in_play, monkeypatch):
    def fails(table_id, turn_id):
        raise OperationalError("the connection is lost")

    monkeypatch.setattr(jobs, "send", lambda *args: False)
    monkeypatch.setitem(clock.WORK, "expire", ("x", fails))
    clock_to(in_play, 400, claimed=False)
    pulses_at(0)
    with pytest.raises(OperationalError):
        clock.tick()
    assert not Interruption.objects.exists()


def test_a_round_of_the_floor_that_fails_stops_neither_the_next_one_nor_the_clock(
    in_play, monkeypatch, caplog
):
    def broken():
        return 1 // 0

    made = []
    monkeypatch.setattr(clock, "ROUNDS", (broken, lambda: made.append(True) or 1))
    assert clock.walk() == 0
    assert made == [True]
    assert "the floor: broken failed" in caplog.text


def test_a_clock_that_does_much_itself_is_not_silent_meanwhile(in_play, monkeypatch):
    monkeypatch.setattr(jobs, "send", lambda *args: False)
    clock_to(in_play, 400, claimed=False)
    pulses_at(0)
    beats = []
    clock.tick(lambda: beats.append(beliefs.read(in_play.pk).finished))
    assert beats == [True]


def test_a_table_is_dealt_again_when_its_player_has_seen_what_kept_him_out(sent):
    at, ann = three_card_table(), player("ann")
    seated(at, ann)
    row = limits.reality_check_set(player_id=ann.pk, every_s=60)
    row.reality_from = timezone.now() - timedelta(hours=1)
    row.save()
    assert dealing.hand_open(table_id=at.pk, number=1) is None
    limits.reality_check_acknowledge(player_id=ann.pk)
    clock.walk()
    Table.objects.exclude(next_deal_at=None).update(next_deal_at=timezone.now())
    clock.tick()
    assert sent == [("tables.deal_hand", at.pk, 1)]
    assert dealing.hand_open(table_id=at.pk, number=1) is not None


def test_a_table_with_too_few_players_rests(in_play, sent):
    at = table(name="lonely")
    seated(at, player("carl"))
    assert dealing.hand_open(table_id=at.pk, number=1) is None
    clock.walk()
    assert Table.objects.get(pk=at.pk).next_deal_at is None
    assert Table.objects.get(pk=in_play.pk).next_deal_at is None
