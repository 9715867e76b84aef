"""Each kind of alert there is, raised by what it is about."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from casino.console import alerts, faults, watching
from casino.console.models import RaisedAlert
from casino.core.approvals import approval_ask
from casino.core.log import log
from casino.core.models import LogEntry, Role
from tables import room
from tables.models import (
    ClocksHeld,
    PairFinding,
    PairReport,
    PaytableReturn,
    Pulse,
    Table,
    TableHour,
)
from tables.services import dealers, displays
from tests.cast import CURRENCY, deal, holdem_table, person, settle, three_card_table
from tests.conftest import superuser
from tests.console.cast import staff
from tests.console.test_pit import lose_display
from tests.tables.dealing_cast import clock_to, run_out
from wallets import limits, seamless, services
from wallets.errors import DepositLimitReached
from wallets.gaming_day import gaming_day
from wallets.models import CashCase, OperatorCall, OperatorPlayer
from wallets.operators import OK, Answer

pytestmark = pytest.mark.django_db(transaction=True)
UNDONE = ExitStack()


@pytest.fixture(autouse=True)
def undone() -> Iterator[None]:
    yield
    UNDONE.close()


def _dealt() -> Table:
    table = holdem_table()
    for name in ("Ann", "Bob"):
        person(name).sits(table)
    deal(table)
    return table


def _stuck() -> None:
    clock_to(_dealt(), 60_000)


def _display() -> None:
    lose_display(holdem_table())


def _hold() -> None:
    now = timezone.now()
    TableHour.objects.create(
        table=three_card_table(), gaming_day=gaming_day(now), hour=now, hands=100,
        won_minor=-50_000, expected_minor=1_000, variance=10_000**2,
    )  # fmt: skip


def _return() -> None:
    table = three_card_table()
    PaytableReturn.objects.create(
        table=table, paytable=table.paytable, wager="pair_plus", outside_since=timezone.now()
    )


def _asked() -> None:
    table = _dealt()
    settle(table, run_out(table))
    hand = table.hands.get()
    approval_ask(
        kind="hand.void", subject=f"hand:{hand.pk}", payload={"hand": hand.pk}, reason="misdeal",
        by=staff(Role.FLOOR, "Fay"),
    )  # fmt: skip


def _call() -> None:
    device, _ = displays.enrol(
        name="Desk", profile="console", table_id=holdem_table().pk, by=staff(Role.FLOOR, "Fay")
    )
    dealers.floor_call(device=device, why="help")


def _cash() -> None:
    today = gaming_day(timezone.now())
    CashCase.objects.create(
        player=person("Ann").user, gaming_day=today, currency_id=CURRENCY, way="in",
        reason="report", total_minor=1_500_000, due_on=today + timedelta(days=15),
    )  # fmt: skip


def _pairs() -> None:
    yesterday = gaming_day(timezone.now()) - timedelta(days=1)
    report = PairReport.objects.create(gaming_day=yesterday, hands=80, thresholds={})
    ann, bob = person("Ann").user, person("Bob").user
    PairFinding.objects.create(report=report, kind="dumping", a=ann, b=bob, figures={})


def _limit() -> None:
    ann = person("Ann").user
    limits.deposit_limit_set(player_id=ann.pk, currency=CURRENCY, window_days=1, most_minor=100)
    for number in range(2):  # told of once
        with pytest.raises(DepositLimitReached):
            services.deposit(
                player_id=ann.pk, amount_minor=101, currency=CURRENCY, key=f"d{number}",
                actor_id=None,
            )  # fmt: skip
    assert LogEntry.objects.get(kind="limits.reached").facts == {"code": "deposit_limit_reached"}


def _operator() -> None:
    held = seamless.player_link(player=person("Ann").user, reference="A-1")
    services.deposit(
        player_id=held.player_id, amount_minor=700, currency=CURRENCY, key="d", actor_id=None
    )
    call = seamless.give_back(held=held, currency=CURRENCY)
    assert call is not None
    with superuser() as raw:
        raw.execute("UPDATE wallets_operatorcall SET made_at = made_at - interval '11 minutes'")


def _silent() -> None:
    Pulse.objects.update(at=timezone.now() - timedelta(minutes=1))


def _disk() -> None:
    UNDONE.enter_context(override_settings(DISK_LEAST_MB=10**9))


def _told(kind: str) -> Callable[[], Any]:
    return lambda: log(kind, "house:all", None)


RAISED: dict[str, Callable[[], Any]] = {
    "stuck": _stuck, "display": _display, "hold": _hold, "return": _return, "approval": _asked,
    "call": _call, "cash": _cash, "pairs": _pairs, "limits.reached": _limit, "silent": _silent,
    "disk": _disk, "operator": _operator,
    **{kind: _told(kind) for kind in alerts.TOLD if kind != "limits.reached"},
}  # fmt: skip


def test_no_kind_is_left_out() -> None:
    source = Path(alerts.__file__).read_text()
    named = set(re.findall(r'\balert\(\s*"(\w+)"', source)) | alerts.TOLD.keys()
    assert named == RAISED.keys()


@pytest.mark.parametrize("kind", RAISED)
def test_it_is_raised_by_what_it_is_about(kind: str) -> None:
    assert kind not in {each.kind for each in watching.watch()} - {"silent"}
    RAISED[kind]()
    found = {each.kind for each in watching.watch()} - {"silent"}
    standing = {each.kind for each in watching.standing()}
    assert found == {kind} - {"silent"}
    assert kind in standing


def test_a_disk_that_stays_nearly_full_is_one_alert_until_there_is_room_again() -> None:
    with override_settings(DISK_LEAST_MB=10**9):
        (raised,) = (each for each in watching.watch() if each.kind == "disk")
        RaisedAlert.objects.filter(pk=raised.pk).update(
            since=raised.since - timedelta(minutes=3), key="disk:house:before"
        )
        (again,) = (each for each in watching.watch() if each.kind == "disk")
        assert again.since == raised.since - timedelta(minutes=3)
        assert "disk" not in {each.kind for each in watching.watch()}
    watching.watch()
    assert "disk" not in {each.kind for each in watching.standing()}


def test_a_disk_about_the_line_is_one_alert_until_there_is_room_to_spare(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def free(mb: int) -> bool:
        """Whether the alert stands with so much room."""
        disk = SimpleNamespace(f_bavail=mb, f_frsize=2**20)
        monkeypatch.setattr(room.os, "statvfs", lambda folder: disk)
        watching.watch()
        return "disk" in {each.kind for each in watching.standing()}

    with override_settings(DISK_LEAST_MB=100):
        assert [free(mb) for mb in (110, 99, 110, 99, 124, 125, 110)] == [
            False, True, True, True, True, False, False,
        ]  # fmt: skip
    assert RaisedAlert.objects.filter(kind="disk").count() == 1


def test_a_wallet_that_does_not_answer_is_one_alert_until_every_call_has_ended() -> None:
    _operator()
    (raised,) = (each for each in watching.watch() if each.kind == "operator")
    held = OperatorPlayer.objects.get()
    services.deposit(
        player_id=held.player_id, amount_minor=300, currency=CURRENCY, key="e", actor_id=None
    )
    later = seamless.give_back(held=held, currency=CURRENCY)
    assert later is not None
    first = OperatorCall.objects.exclude(pk=later.pk).get()
    with superuser() as raw:
        raw.execute("UPDATE wallets_operatorcall SET made_at = made_at - interval '11 minutes'")
    seamless.ended(first.pk, Answer(OK))
    assert not [each for each in watching.watch() if each.kind == "operator"]
    assert raised.key in {each.key for each in watching.standing()}
    seamless.ended(later.pk, Answer(OK))
    watching.watch()
    assert raised.key not in {each.key for each in watching.standing()}


def test_what_the_house_did_wrong_and_when_it_was_silent_stands_in_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*args: Any, **more: Any) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr("casino.console.pages.front.first_page", broken)
    monkeypatch.setattr(faults, "_told", {})
    client = Client(raise_request_exception=False)
    ada = staff(Role.ADMIN, "Ada")
    client.force_login(ada)
    for _ in range(2):
        assert client.get("/admin/").status_code == 500
    entry = LogEntry.objects.get(kind="house.fault")
    assert (entry.actor_id, entry.facts) == (
        ada.pk,
        {"error": "ZeroDivisionError", "route": "admin/"},
    )
    now = timezone.now()
    ClocksHeld.objects.create(kind="web", began=now - timedelta(seconds=9), ended=now, tables=3)
    for _ in range(2):
        watching.watch()
    assert LogEntry.objects.get(kind="house.silent").facts == {"seconds": 9.0, "tables": 3}
