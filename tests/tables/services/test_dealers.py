"""Shifts, breaks, relief and a dealer's deeds at his console."""

from typing import Any

import orjson
import pytest

from casino.core.devices import pin_give
from casino.core.errors import PinRefused, RoleMissing
from casino.core.models import Device, LogEntry, Role, User
from tables import jobs, selectors
from tables.errors import (
    BetsNotOpen,
    CallUnknown,
    DealerElsewhere,
    NobodySignedOn,
    NotADealersConsole,
    NothingToPay,
    TableNotFound,
)
from tables.models import Event, Shift, Table
from tables.services import dealers, displays
from tables.services.seating import seat_take
from tables.services.settling import hand_settle
from tables.services.voiding import hand_void
from tests.cast import deal, holdem_table, person, three_card_table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "send", lambda *task: True)


@pytest.fixture
def paula() -> User:
    return person("Paula", Role.PIT_MANAGER).user


@pytest.fixture
def at() -> Table:
    return three_card_table()


@pytest.fixture
def console(at: Table, paula: User) -> Device:
    device, _ = displays.enrol(name="Desk", profile="console", table_id=at.pk, by=paula)
    return device


def dealer(name: str, by: User) -> tuple[User, str]:
    user = person(name, Role.DEALER).user
    return user, pin_give(dealer=user, by=by)


@pytest.fixture
def dora(console: Device, paula: User) -> User:
    user, pin = dealer("Dora", paula)
    dealers.sign_on(device=console, dealer_id=user.pk, pin=pin)
    return user


def told(table: Table, kind: str) -> list[dict[str, Any]]:
    rows = Event.objects.filter(table=table).order_by("seq").values_list("events", flat=True)
    events = [event for row in rows for event in orjson.loads(row)]
    return [event["public"] for event in events if event["type"] == kind]


def on_screen(table: Table) -> dict[str, Any]:
    return selectors.table_snapshot(table.pk)


def seated(table: Table) -> User:
    ann = person("Ann").user
    seat_take(table_id=table.pk, player=ann, seat=None, buy_in_minor=5_000, key="sit")
    return ann


def test_a_dealer_signs_on_and_the_screen_says_who_deals(at: Table, dora: User) -> None:
    facts = on_screen(at)["dealer"]
    assert (facts["name"], facts["break_since"]) == ("Dora", None)
    assert told(at, "dealer_on") == [{"dealer": "Dora", "since": facts["since"]}]
    assert LogEntry.objects.filter(kind="shift.began", actor_id=dora.pk).count() == 1


def test_a_wrong_pin_signs_nobody_on(at: Table, console: Device, paula: User) -> None:
    user, pin = dealer("Dora", paula)
    with pytest.raises(PinRefused):
        dealers.sign_on(device=console, dealer_id=user.pk, pin=pin[::-1] + "0")
    assert (on_screen(at)["dealer"], told(at, "dealer_on")) == (None, [])


def test_relief_ends_one_shift_and_begins_another(
    at: Table, console: Device, dora: User, paula: User
) -> None:
    erin, pin = dealer("Erin", paula)
    dealers.sign_on(device=console, dealer_id=erin.pk, pin=pin)
    assert told(at, "dealer_on")[-1]["relieves"] == "Dora"
    assert Shift.objects.get(dealer=dora).end == Shift.End.RELIEVED
    assert on_screen(at)["dealer"]["name"] == "Erin"


def test_a_break_ends_with_the_pin_and_until_then_nothing_can_be_done(
    at: Table, console: Device, dora: User, paula: User
) -> None:
    dealers.break_begin(device=console)
    assert on_screen(at)["dealer"]["break_since"] is not None
    with pytest.raises(NobodySignedOn):
        dealers.break_begin(device=console)
    with pytest.raises(NobodySignedOn):
        dealers.bets_close(device=console, turn_id=1)
    dealers.sign_on(device=console, dealer_id=dora.pk, pin=pin_give(dealer=dora, by=paula))
    assert on_screen(at)["dealer"]["break_since"] is None
    assert [len(told(at, kind)) for kind in ("dealer_on", "dealer_break", "dealer_back")] == [1] * 3


def test_a_dealer_deals_at_one_table(at: Table, dora: User, paula: User) -> None:
    other = holdem_table()
    desk, _ = displays.enrol(name="Other", profile="console", table_id=other.pk, by=paula)
    pin = pin_give(dealer=dora, by=paula)
    with pytest.raises(DealerElsewhere):
        dealers.sign_on(device=desk, dealer_id=dora.pk, pin=pin)
    dealers.shift_end(table_id=at.pk, by=paula)
    dealers.sign_on(device=desk, dealer_id=dora.pk, pin=pin)
    assert (on_screen(at)["dealer"], on_screen(other)["dealer"]["name"]) == (None, "Dora")


def test_who_is_no_dealer_any_more_does_nothing_at_his_console(
    at: Table, console: Device, dora: User
) -> None:
    User.objects.filter(pk=dora.pk).update(role=Role.PLAYER)
    with pytest.raises(RoleMissing):
        dealers.break_begin(device=console)


def test_who_signs_off_can_do_nothing_more(at: Table, console: Device, dora: User) -> None:
    dealers.sign_off(device=console)
    assert told(at, "dealer_off") == [{"dealer": "Dora"}]
    with pytest.raises(NobodySignedOn):
        dealers.payouts_confirm(device=console, hand_id=1)


@pytest.mark.parametrize("profile", ["display", "floor"])
def test_a_screen_that_only_shows_does_nothing(
    at: Table, dora: User, paula: User, profile: str
) -> None:
    screen, _ = displays.enrol(name="Screen", profile=profile, table_id=at.pk, by=paula)
    for deed in (
        lambda: dealers.floor_call(device=screen, why="help"),
        lambda: dealers.bets_close(device=screen, turn_id=1),
        lambda: dealers.sign_off(device=screen),
    ):
        with pytest.raises(NotADealersConsole):
            deed()


def test_another_console_of_the_table_has_no_part_in_the_shift(
    at: Table, dora: User, paula: User
) -> None:
    second, _ = displays.enrol(name="Second", profile="console", table_id=at.pk, by=paula)
    with pytest.raises(NobodySignedOn):
        dealers.break_begin(device=second)


def test_bets_are_closed_early_once_and_the_round_goes_on(
    at: Table, console: Device, dora: User
) -> None:
    seated(at)
    hand = deal(at)
    turn = on_screen(at)["hand"]["turn"]["turn_id"]
    with pytest.raises(BetsNotOpen):
        dealers.bets_close(device=console, turn_id=turn - 1)
    dealers.bets_close(device=console, turn_id=turn)
    assert len(told(at, "no_more_bets")) == 1
    with pytest.raises(BetsNotOpen):
        dealers.bets_close(device=console, turn_id=turn)
    assert hand_settle(table_id=at.pk, hand_id=hand.pk)
    assert LogEntry.objects.get(kind="bets.closed_early").actor_id == dora.pk


def test_payouts_are_confirmed_once_and_only_of_the_last_settled_hand(
    at: Table, console: Device, dora: User
) -> None:
    seated(at)
    hand = deal(at)
    with pytest.raises(NothingToPay):
        dealers.payouts_confirm(device=console, hand_id=hand.pk)
    dealers.bets_close(device=console, turn_id=on_screen(at)["hand"]["turn"]["turn_id"])
    hand_settle(table_id=at.pk, hand_id=hand.pk)
    dealers.payouts_confirm(device=console, hand_id=hand.pk)
    assert told(at, "payouts_confirmed") == [{"hand_id": hand.pk, "dealer": "Dora"}]
    assert on_screen(at)["dealer"]["confirmed_hand"] == hand.pk
    with pytest.raises(NothingToPay):
        dealers.payouts_confirm(device=console, hand_id=hand.pk)


def test_the_floor_is_called_once_and_answers(at: Table, console: Device, paula: User) -> None:
    call = dealers.floor_call(device=console, why="help")
    assert dealers.floor_call(device=console, why="help") == call
    assert [one["why"] for one in on_screen(at)["floor_calls"]] == ["help"]
    for _ in range(2):
        dealers.floor_answer(call_id=call.pk, by=paula)
    assert on_screen(at)["floor_calls"] == []
    assert [len(told(at, kind)) for kind in ("floor_called", "floor_answered")] == [1, 1]
    with pytest.raises(RoleMissing):
        dealers.floor_answer(call_id=call.pk, by=person("Ann").user)
    with pytest.raises(CallUnknown):
        dealers.floor_call(device=console, why="coffee")


def test_a_void_is_asked_for_by_the_dealer_and_the_request_ends_with_the_hand(
    at: Table, console: Device, dora: User, paula: User
) -> None:
    with pytest.raises(NothingToPay):
        dealers.floor_call(device=console, why="void")
    seated(at)
    hand = deal(at)
    call = dealers.floor_call(device=console, why="void")
    assert (call.hand_id, call.dealer_id) == (hand.pk, dora.pk)
    assert len(on_screen(at)["floor_calls"]) == 1
    hand_void(table_id=at.pk, hand_id=hand.pk, reason="Misdeal", by=paula)
    assert on_screen(at)["floor_calls"] == []


def test_a_device_is_pointed_at_tables_that_exist(console: Device, paula: User) -> None:
    with pytest.raises(TableNotFound):
        displays.change(device=console, table_id=0, by=paula)
    console.refresh_from_db()
    assert console.table_id is not None
