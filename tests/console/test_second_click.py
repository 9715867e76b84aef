"""A form that is sent twice is done once, and the second time told the same."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from casino.console.door import SHOWN, STATE
from casino.console.models import Receiver
from casino.core import second_factor
from casino.core.models import LogEntry, Role, User
from tables.models import Hand, Jackpot, Paytable, Table
from tests.cast import HOLDEM, deal, holdem_table, person, three_card_table
from tests.console.cast import console, console_of, staff
from tests.console.test_kinds import filled

pytestmark = pytest.mark.django_db(transaction=True)
JACKPOT = {
    "seed": "10", "two_persons_over": "1000", "beat": "on", "beat_least": "four_of_a_kind",
    "beat_players": "4", "beat_pays": "50", "beat_loser": "50", "beat_winner": "25",
    "high_least": "full_house", "high_every": "60", "high_pays": "5", "games": ["holdem"],
    "name": "Pot of gold",
}  # fmt: skip


def sent_twice(
    client: Client, where: str, form: Mapping[str, Any], done: Callable[[], int]
) -> tuple[str, str]:
    """Where both led and the words that both told; `done` counts what came of it: one."""
    once = {**form, "once": str(uuid4())}
    told = []
    for _ in range(2):
        answer = client.post(where, once)
        assert answer.status_code == 302, answer.content.decode()[-3000:]
        said = [str(each) for each in answer.wsgi_request._messages]
        told.append((answer.url, said[-1]))
    assert told[0] == told[1]
    assert done() == 1
    return told[0]


def test_a_jackpot_is_opened_once_though_its_tables_are_taken_then() -> None:
    table = holdem_table(options={**HOLDEM, "auto_muck": False})
    led, said = sent_twice(
        console(Role.FINANCE), "/admin/jackpots/new/", {**JACKPOT, "tables": [table.pk]},
        Jackpot.objects.count,
    )  # fmt: skip
    assert (led, said) == ("/admin/jackpots/", "Pot of gold is open.")


def test_ones_own_second_factor_is_turned_off_once_and_not_refused_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ada, on = staff(Role.ADMIN, "Ada"), [True]
    monkeypatch.setattr(second_factor, "is_on", lambda user: on[0])

    def drop(*, user: User, by: User) -> None:
        assert on.pop()
        assert user == by == ada
        on.append(False)

    monkeypatch.setattr(second_factor, "factor_drop", drop)
    client = console_of(ada)
    session = client.session
    session[STATE] = SHOWN
    session.save()
    where = f"/admin/second-factor/{ada.pk}/off/"
    _, said = sent_twice(client, where, {}, lambda: on.count(False))
    assert said == "The second factor of Ada is off."


def test_a_hand_is_voided_once_though_none_is_in_play_then() -> None:
    table = holdem_table()
    for name in ("Ann", "Bob"):
        person(name).sits(table)
    hand = deal(table)
    _, said = sent_twice(
        console(Role.PIT_MANAGER), f"/admin/pit/{table.pk}/void/",
        {"hand": hand.pk, "reason": "Misdeal", "note": ""},
        Hand.objects.filter(status="voided").count,
    )  # fmt: skip
    assert "is void, every stake went back" in said


def test_a_table_is_opened_once_and_both_lead_to_it() -> None:
    client = console(Role.PIT_MANAGER)
    where = "/admin/tables/new/?game=holdem&currency=EUR"
    led, _ = sent_twice(client, where, filled("holdem", then="draft"), Table.objects.count)
    assert led == f"/admin/tables/{Table.objects.get().pk}/"


def test_the_next_version_of_a_paytable_is_begun_once() -> None:
    paytable = three_card_table().paytable
    assert paytable is not None
    drafts = Paytable.objects.exclude(pk=paytable.pk).filter(status=Paytable.Status.DRAFT)
    led, _ = sent_twice(
        console(Role.GAME_MATHS), f"/admin/paytables/{paytable.pk}/draft/", {}, drafts.count
    )
    assert led == f"/admin/paytables/{drafts.get().pk}/"


def test_a_receiver_is_switched_once_and_again_by_another_form() -> None:
    client = console(Role.ADMIN)
    form = {"kind": "mail", "address": "pit@example.org", "once": uuid4()}
    assert client.post("/admin/alerts/new/", form).status_code == 302
    switched = LogEntry.objects.filter(kind="alert.receiver_switched")
    where = f"/admin/alerts/receivers/{Receiver.objects.get().pk}/"
    sent_twice(client, where, {}, switched.count)
    assert client.post(where, {"once": uuid4()}).status_code == 302
    assert switched.count() == 2


def test_what_one_has_sent_is_nothing_that_another_has() -> None:
    table = holdem_table()
    form = {"once": str(uuid4())}
    for role in (Role.FLOOR, Role.PIT_MANAGER):
        assert console(role).post(f"/admin/pit/{table.pk}/pause/", form).status_code == 302
        Table.objects.filter(pk=table.pk).update(status=Table.Status.OPEN)
    assert LogEntry.objects.filter(kind="table.paused").count() == 2
    dealer = console(Role.DEALER).post(f"/admin/pit/{table.pk}/pause/", form)
    assert dealer.status_code == 403
