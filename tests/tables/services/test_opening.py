"""Drafts, copies, templates, schedules, stopping a table and stopping the house."""

import json
from datetime import UTC, datetime, time, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.utils import timezone
from hypothesis import given
from hypothesis.strategies import datetimes, integers, sets, times

from casino.core.errors import NameTaken, RoleMissing
from casino.core.models import Role
from tables import beliefs, clock, lobby, selectors
from tables.engine.errors import BadOptions, UnknownGame
from tables.errors import HandInPlay, ReasonMissing, StatusNotPossible, TableNotOpen, TableStopped
from tables.models import Hand, HouseStop, Schedule, Table
from tables.services import dealing, expiring, floor, opening, seating, settling
from tests.core.cast import person
from tests.tables.dealing_cast import clock_to, dealt, move, player, run_out, seated
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db(transaction=True)


def opened(name: str = "Amber", game: str = "holdem", **facts) -> Table:
    options = facts.pop("options", {"limit": "no_limit", "big_blind_minor": 100})
    return floor.table_open(
        name=name, game=game, options=options, currency="EUR", buy_in_least_minor=1_000,
        buy_in_most_minor=50_000, max_seats=6, **facts,
    )  # fmt: skip


def in_play(at: Table) -> Hand:
    seated(at, player(f"{at.name} a"), player(f"{at.name} b"), chips_minor=20_000)
    return dealt(at)


def test_a_draft_is_not_in_the_lobby_takes_nobody_and_can_be_opened():
    draft = opened(is_draft=True)
    assert draft.status == "draft"
    assert not lobby.tables().rows
    with pytest.raises(TableNotOpen):
        seated(draft, player("early"))
    floor.table_resume(table_id=draft.pk)
    assert [row["id"] for row in lobby.tables().rows] == [draft.pk]
    assert in_play(draft).number == 1


def test_a_copy_is_a_draft_of_the_same_kind_with_accounts_of_its_own():
    first = opened(timing={"action_s": 33})
    copy = opening.table_clone(table_id=first.pk, name="Beryl")
    assert opening.facts_of(copy) == opening.facts_of(first)
    assert copy.status == "draft"
    assert copy.accounts != first.accounts
    with pytest.raises(NameTaken):
        opening.table_clone(table_id=first.pk, name="Beryl")


def test_a_template_keeps_a_kind_and_opens_tables_of_it():
    template = opening.template_save(name="No limit 1", table_id=opened().pk)
    one = opening.table_from(template_id=template.pk, name="One")
    floor.table_resume(table_id=one.pk)
    assert in_play(one).options["big_blind_minor"] == 100
    with pytest.raises(NameTaken):
        opening.template_save(name="No limit 1", table_id=one.pk)
    with pytest.raises(RoleMissing):
        opening.template_save(name="x", table_id=one.pk, by=person("d", Role.FLOOR))


def test_what_a_table_deals_for_changes_only_between_versions():
    at = opened()
    hand = in_play(at)
    change = {"options": {"limit": "no_limit", "big_blind_minor": 200}}
    floor.table_pause(table_id=at.pk)
    with pytest.raises(HandInPlay):
        opening.table_revise(table_id=at.pk, changes=change)
    run_out(at)
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    with pytest.raises(StatusNotPossible):  # two sit there, for other stakes
        opening.table_revise(table_id=at.pk, changes=change)
    for seat in at.seats.all():
        seating.seat_leave(table_id=at.pk, player=seat.player)
    revised = opening.table_revise(table_id=at.pk, changes=change)
    assert (revised.version, revised.options["big_blind_minor"]) == (2, 200)
    assert Hand.objects.get(pk=hand.pk).options["big_blind_minor"] == 100
    floor.table_resume(table_id=at.pk)
    with pytest.raises(StatusNotPossible):
        opening.table_revise(table_id=at.pk, changes=change)
    for wrong in ({"currency": "PLN"}, {"name": "x"}):
        with pytest.raises(BadOptions):
            opening.table_revise(table_id=at.pk, changes=wrong)


def test_a_change_that_cannot_be_dealt_changes_nothing():
    at = opened(is_draft=True)
    with pytest.raises(BadOptions):
        opening.table_revise(table_id=at.pk, changes={"options": {"big_blind_minor": 0}})
    at.refresh_from_db()
    assert at.version == 1


def test_a_stopped_table_stands_still_in_the_middle_of_a_hand_and_goes_on_where_it_stood():
    at = opened()
    in_play(at)
    clock_to(at, -12_000)  # twelve seconds are left
    before = beliefs.read(at.pk)
    floor.table_stop(table_id=at.pk)
    row = Table.objects.get(pk=at.pk)
    assert (row.status, row.deadline) == ("stopped", None)
    assert 11_000 < row.held_ms <= 12_000
    with pytest.raises(TableStopped):
        move(at, name="call")
    assert not expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    assert clock.tick() == 0
    floor.table_resume(table_id=at.pk)
    row.refresh_from_db()
    left_s = (row.deadline - timezone.now()).total_seconds()
    assert 15 < left_s <= 17
    after = beliefs.read(at.pk)
    assert after.state == before.state
    assert json.loads(row.turn)["seats"] == list(before.hand().waiting)
    assert not move(at, name="call").replayed


def test_a_click_meant_for_before_the_stop_does_nothing_after_it():
    at = opened()
    in_play(at)
    before = beliefs.read(at.pk).turn_id
    floor.table_stop(table_id=at.pk)
    floor.table_resume(table_id=at.pk)
    assert beliefs.read(at.pk).turn_id != before


def test_a_stopped_table_without_a_hand_is_a_paused_one_and_a_finished_hand_is_paid():
    at = opened()
    hand = in_play(at)
    run_out(at)
    floor.table_stop(table_id=at.pk)
    assert settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    assert dealing.hand_open(table_id=at.pk, number=2) is None
    floor.table_resume(table_id=at.pk)
    assert dealing.hand_open(table_id=at.pk, number=2) is not None
    assert ledger_check().ok


def test_a_stop_of_the_house_counts_at_once_and_harms_no_hand_in_play():
    one, other = opened("One"), opened("Other")
    hand = in_play(one)
    seated(other, player("c"), player("d"), chips_minor=20_000)
    began = timezone.now()
    stop = opening.house_stop(reason="fire alarm")
    assert timezone.now() - began < timedelta(seconds=2)
    assert opening.house_stop(reason="again").pk == stop.pk
    assert dealing.hand_open(table_id=other.pk, number=1) is None
    move(one, name="call")
    run_out(one)
    assert settling.hand_settle(table_id=one.pk, hand_id=hand.pk)
    assert dealing.hand_open(table_id=one.pk, number=2) is None
    assert selectors.table_snapshot(one.pk)["table"]["stopped"]
    assert opening.house_go_on()
    assert not opening.house_go_on()
    assert dealing.hand_open(table_id=one.pk, number=2) is not None
    assert HouseStop.objects.get().lifted_at is not None
    assert ledger_check().ok


def test_one_game_may_be_stopped_alone():
    holdem, omaha = opened("H"), opened("O", "omaha", options={"big_blind_minor": 100})
    for at in (holdem, omaha):
        seated(at, player(f"{at.name}1"), player(f"{at.name}2"), chips_minor=20_000)
    opening.house_stop(reason="a dispute", game="omaha")
    assert dealing.hand_open(table_id=omaha.pk, number=1) is None
    assert dealing.hand_open(table_id=holdem.pk, number=1) is not None
    with pytest.raises(UnknownGame):
        opening.house_stop(reason="x", game="bridge")
    with pytest.raises(ReasonMissing):
        opening.house_stop(reason=" ")
    with pytest.raises(RoleMissing):
        opening.house_stop(reason="x", by=person("fin", Role.FINANCE))


def test_the_house_is_stopped_and_goes_on_by_a_command(capsys):
    person("flora", Role.FLOOR)
    call_command("stop_house", "--by", "flora", "--reason", "drill")
    assert HouseStop.objects.get().by.username == "flora"
    call_command("stop_house", "--by", "flora", "--lift")
    assert "dealt again" in capsys.readouterr().out
    with pytest.raises(CommandError):
        call_command("stop_house", "--by", "nobody", "--lift")


def test_a_scheduled_table_opens_and_drains_once_and_the_floor_has_the_last_word():
    at = opened(is_draft=True)
    now = timezone.now()
    day = {"opens": (now - timedelta(hours=1)).time(), "closes": (now + timedelta(hours=1)).time()}
    plan = Schedule.objects.create(table=at, weekdays=list(range(7)), **day)
    zone_hours = opening.planned(plan.opens, plan.closes, plan.weekdays, "UTC", now)
    assert zone_hours
    Schedule.objects.update(opens=time(0, 0), closes=time(0, 0))  # round the clock
    assert opening.schedules_kept() == 1
    assert Table.objects.get(pk=at.pk).status == "open"
    floor.table_pause(table_id=at.pk)
    assert opening.schedules_kept() == 0
    assert Table.objects.get(pk=at.pk).status == "paused"
    Schedule.objects.update(weekdays=[])
    assert opening.schedules_kept() == 1
    assert Table.objects.get(pk=at.pk).status == "closed"


def test_an_hour_that_could_not_be_kept_is_kept_a_moment_later(monkeypatch):
    at = opened(is_draft=True)
    Schedule.objects.create(table=at, weekdays=list(range(7)), opens=time(0), closes=time(0))

    def busy(**of):
        raise OperationalError("canceling statement due to lock timeout")

    with monkeypatch.context() as once:
        once.setattr(floor, "table_resume", busy)
        with pytest.raises(OperationalError):
            opening.schedules_kept()
    assert opening.schedules_kept() == 1
    assert Table.objects.get(pk=at.pk).status == "open"


@given(
    opens=times(), closes=times(), weekdays=sets(integers(0, 6)),
    now=datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1)),  # noqa: DTZ001
)  # fmt: skip
def test_a_schedule_is_open_exactly_on_its_days_between_its_hours(opens, closes, weekdays, now):
    wanted = opening.planned(opens, closes, sorted(weekdays), "UTC", now.replace(tzinfo=UTC))
    today, yesterday = now.weekday() in weekdays, (now.weekday() - 1) % 7 in weekdays
    at = now.time()
    if closes > opens:
        assert wanted == (today and opens <= at < closes)
    else:
        assert wanted == ((today and at >= opens) or (yesterday and at < closes))
