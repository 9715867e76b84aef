"""The pit: those that need a human first, acted on from the tile, the same few queries always."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from casino.console.pit import pit
from casino.core.models import Device, LogEntry, Role
from casino.house import doctor
from tables.models import Cut, Hand, Table
from tables.services import opening
from tables.specials import specials_of
from tests.cast import deal, holdem_table, person, three_card_table
from tests.conftest import superuser
from tests.console.cast import console, console_of, staff
from tests.tables.dealing_cast import pulses_at, run_out

pytestmark = pytest.mark.django_db(transaction=True)


def lose_display(table: Table) -> None:
    Device.objects.create(
        name="D", table_id=table.pk, enrolled_by=staff(Role.FLOOR, "Fay"),
        last_seen_at=timezone.now() - timedelta(seconds=60),
    )  # fmt: skip


def test_a_table_that_needs_a_human_comes_first_until_somebody_has_seen_it() -> None:
    holdem_table("Amber")
    lost = holdem_table("Zinc")
    lose_display(lost)
    pulses_at(0)  # however long the tables took here
    seen = pit()
    assert [tile.table.name for tile in seen.tiles] == ["Zinc", "Amber"]
    assert (seen.need, seen.tiles[0].grade) == (1, "crit")
    alert = seen.tiles[0].alerts[0]
    client = console(Role.FLOOR, "Flora")
    assert client.post("/admin/pit/acknowledge/", {"key": alert.key}).status_code == 302
    pulses_at(0)  # however long the page took here
    seen = pit()
    assert [tile.table.name for tile in seen.tiles] == ["Amber", "Zinc"]
    assert (seen.need, seen.tiles[1].alerts[0].by) == (0, "Flora")
    assert "seen by Flora" in client.get("/admin/pit/").content.decode()
    assert LogEntry.objects.filter(kind="alert.acknowledged").count() == 1


@pytest.mark.parametrize("sent", [{}, {"key": ""}, {"key": "a\x00b"}, {"key": "x" * 101}])
def test_an_alert_that_cannot_be_is_not_seen_by_anybody(sent: dict[str, str]) -> None:
    assert console(Role.FLOOR).post("/admin/pit/acknowledge/", sent).status_code == 302
    assert not LogEntry.objects.filter(kind="alert.acknowledged").exists()


@pytest.mark.parametrize("hand", ["0", "x", "9" * 40])
def test_no_other_hand_is_voided_than_the_one_that_was_looked_at(hand: str) -> None:
    table = holdem_table()
    for name in ("Ann", "Bob"):
        person(name).sits(table)
    deal(table)
    sent = {"hand": hand, "reason": "Misdeal", "password": "croupier-demo"}
    assert console(Role.FLOOR).post(f"/admin/pit/{table.pk}/void/", sent).status_code == 302
    assert Hand.objects.get().status == Hand.Status.OPEN


def test_a_condition_that_comes_back_is_a_new_alert() -> None:
    table = holdem_table()
    lose_display(table)
    console(Role.FLOOR).post("/admin/pit/acknowledge/", {"key": pit().tiles[0].alerts[0].key})
    Device.objects.update(last_seen_at=timezone.now() - timedelta(seconds=40))
    assert pit().need == 1


def test_a_hand_that_does_not_go_on_is_an_alert() -> None:
    table = holdem_table()
    for name in ("Ann", "Bob"):
        person(name).sits(table)
    deal(table)
    pulses_at(0)  # however long the dealing took here
    assert pit().need == 0
    Table.objects.filter(pk=table.pk).update(deadline=timezone.now() - timedelta(seconds=30))
    assert pit().tiles[0].alerts[0].words == "The hand does not go on"


def late(**facts: Any) -> tuple[list[str], list[str]]:
    """Words of the pit's alerts and of the doctor when something was due half a minute ago."""
    Table.objects.update(**facts)
    told = [each.words for tile in pit().tiles for each in tile.alerts]
    return told, [each.words.split(":")[0] for each in doctor._hands()]


def test_a_payment_that_fails_again_and_again_is_an_alert() -> None:
    table = holdem_table()
    for name in ("Ann", "Bob"):
        person(name).sits(table)
    deal(table)
    run_out(table)
    assert late() == ([], [])
    with superuser() as admin:  # as if all that was told of it had been half a minute earlier
        admin.execute("SET session_replication_role = replica")
        admin.execute("UPDATE tables_event SET at = at - interval '30 seconds'")
    found = late(claimed_at=timezone.now())  # as the clock does every two seconds
    assert found == (["The hand does not go on"], ["1 hands wait for their payment"])


def test_a_next_hand_that_is_not_dealt_is_an_alert_unless_the_house_has_stopped() -> None:
    holdem_table()
    ago = timezone.now() - timedelta(seconds=30)
    found = late(next_deal_at=ago)
    assert found == (["The next hand is not dealt"], ["1 tables wait for their next hand"])
    opening.house_stop(reason="drill")
    assert late(next_deal_at=ago) == ([], [])


def test_seeds_whose_window_never_ends_are_an_alert() -> None:
    table = holdem_table()
    for name in ("Ann", "Bob"):
        person(name).sits(table)
    hand = deal(table)
    assert late() == ([], [])
    ago = timezone.now() - timedelta(seconds=30)
    Cut.objects.filter(status="open", table=table).update(hand_id=hand.pk, due=ago)
    assert late() == (["The hand does not go on"], ["1 hands wait for their cards"])


def test_paused_drained_opened_and_closed_from_the_tile() -> None:
    table = holdem_table()
    ann = person("Ann")
    ann.sits(table)
    client = console(Role.PIT_MANAGER)
    for deed, status in (("pause", "paused"), ("open", "open"), ("pause", "paused"),
                         ("close", "closed")):  # fmt: skip
        where = f"/admin/pit/{table.pk}/{deed}/"
        assert client.get(where).status_code == 200
        assert client.post(where).status_code == 302
        assert Table.objects.get().status == status
    assert ann.cash_minor() == 100_000


def test_a_bomb_pot_is_ordered_from_the_tile_of_a_table_that_deals_them() -> None:
    table, plain = holdem_table(), holdem_table("Onyx")
    table.options = {**table.options, "bomb_pot": {"ante_minor": 300, "boards": 1}}
    table.save(update_fields=["options"])
    deeds = {tile.table.pk: [name for name, _, _ in tile.deeds] for tile in pit().tiles}
    assert ("bomb" in deeds[table.pk], "bomb" in deeds[plain.pk]) == (True, False)
    client = console(Role.FLOOR)
    assert client.post(f"/admin/pit/{table.pk}/bomb/").status_code == 302
    table.refresh_from_db()
    assert specials_of(table).ordered
    assert client.post(f"/admin/pit/{plain.pk}/bomb/").status_code == 422


def test_what_a_service_refuses_is_told_on_the_form() -> None:
    table = holdem_table()
    for name in ("Ann", "Bob"):
        person(name).sits(table)
    deal(table)
    client = console(Role.FLOOR)
    client.post(f"/admin/pit/{table.pk}/pause/")
    answer = client.post(f"/admin/pit/{table.pk}/close/")
    assert answer.status_code == 422
    assert "is in play" in answer.content.decode()
    assert Table.objects.get().status == "paused"


def test_a_void_shows_what_goes_back_and_asks_for_a_reason_and_the_password() -> None:
    table = holdem_table()
    for name in ("Ann", "Bob"):
        person(name).sits(table)
    hand = deal(table)
    user = staff(Role.FLOOR)
    user.set_password("a long one 123")
    user.save()
    client = console_of(user, stepped_up=False)
    where = f"/admin/pit/{table.pk}/void/"
    shown = client.get(where).content.decode()
    assert "Ann" in shown
    assert "0.50" in shown
    form = {"reason": "Misdeal", "note": "two cards face up", "hand": hand.pk}
    assert client.post(where, form).status_code == 422
    assert client.post(where, form | {"password": "wrong"}).status_code == 422
    assert Hand.objects.get().status == "open"
    assert client.post(where, form | {"password": "a long one 123"}).status_code == 302
    assert Hand.objects.get().status == "voided"
    entry = LogEntry.objects.get(kind="hand.voided")
    assert (entry.actor_id, entry.facts["reason"]) == (user.pk, "Misdeal: two cards face up")
    assert LogEntry.objects.filter(kind="sign_in.stepped_up").count() == 1


def test_money_is_in_human_units() -> None:
    table = three_card_table()
    person("Ann").sits(table, 12_300)
    page = console(Role.PIT_MANAGER).get("/admin/pit/").content.decode()
    assert "5–100" in page
    assert "minor" not in page


@pytest.mark.parametrize("where", ["/admin/cage/?q=p", "/admin/players/?q=p", "/admin/hands/"])
def test_a_list_costs_the_same_queries_however_long_it_is(where: str) -> None:
    client = console(Role.ADMIN)

    def cost() -> int:
        client.get(where)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(where).status_code == 200
        return len(queries)

    table = holdem_table()
    for name in ("P1", "P2"):
        person(name).sits(table)
    deal(table)
    few = cost()
    for number in range(3, 6):
        other = holdem_table(f"T{number}")
        for part in "ab":
            person(f"P{number}{part}").sits(other)
        deal(other)
    assert cost() == few
    assert few <= 18


def test_the_pit_costs_the_same_queries_however_many_tables() -> None:
    client = console(Role.PIT_MANAGER)

    def cost() -> int:
        client.get("/admin/pit/tiles/")
        with CaptureQueriesContext(connection) as queries:
            assert client.get("/admin/pit/tiles/").status_code == 200
        return len(queries)

    holdem_table("T0")
    client.get("/admin/pit/tiles/")
    few = cost()
    for number in range(1, 8):
        table = holdem_table(f"T{number}")
        person(f"P{number}").sits(table)
    assert cost() == few
    assert few <= 25
