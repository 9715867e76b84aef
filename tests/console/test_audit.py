"""The audit log: who did what, from where, why, before and after; sealed, filtered, exported."""

import csv
import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.console import audit
from casino.core.approvals import approval_ask
from casino.core.log import log
from casino.core.models import LogEntry, Role
from casino.core.seal import seal_new
from tables.services import floor
from tests.cast import holdem_table, person
from tests.console.cast import console, console_of, staff
from wallets import limits

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_change_is_told_with_before_after_person_role_and_address() -> None:
    table = holdem_table("Amber", pit="West")
    petra = staff(Role.PIT_MANAGER, "Petra")
    floor.table_change(table_id=table.pk, name="Birch", pit="East", by=petra)
    console_of(petra).post(f"/admin/pit/{table.pk}/pause/")
    page = console(Role.SURVEILLANCE, "Sue").get("/admin/audit/").content.decode()
    assert "<s>Amber</s> → <b>Birch</b>" in page
    assert "<s>West</s> → <b>East</b>" in page
    assert "Petra" in page
    assert "pit manager" in page
    assert "127.0.0.1" in page
    assert "waits" in page
    seal_new()
    entry = LogEntry.objects.get(kind="table.changed")
    (line,) = audit.lines_of([entry])
    assert line.seal == 1
    assert line.about == "table Birch"


def test_only_what_differs_inside_a_value_is_told() -> None:
    changes = audit.changes_of(
        {"before": {"stakes": {"ante_minor": 5, "limit": "fixed"}},
         "after": {"stakes": {"ante_minor": 10, "limit": "fixed"}}}
    )  # fmt: skip
    assert changes == [audit.Change("stakes, ante", "5", "10")]


@pytest.mark.parametrize(
    ("asked", "kinds"),
    [
        ({"area": "sign_in"}, {"sign_in.refused"}),
        ({"kind": "report."}, {"report.exported"}),
        ({"subject": "hand:7"}, {"hand.voided"}),
        ({"actor": "Petra"}, {"hand.voided"}),
        ({"area": "overrides", "actor": "nobody"}, set()),
        ({"begins": "2020-01-01", "ends": "2020-01-02"}, set()),
    ],
)
def test_filters(asked: dict[str, str], kinds: set[str]) -> None:
    petra = staff(Role.PIT_MANAGER, "Petra")
    log("sign_in.refused", "user:unknown", None, {"failures": 1})
    log("report.exported", "report:tables", None)
    log("hand.voided", "hand:7", petra, {"reason": "Misdeal"})
    client = console(Role.COMPLIANCE, "Cora")
    lines = client.get("/admin/audit/", asked).context["lines"]
    found = {line.entry.kind for line in lines}
    assert found - {"sign_in.done"} == kinds


def test_the_file_has_the_hash_of_each_entry_and_is_logged_itself() -> None:
    log("hand.voided", "hand:7", None, {"reason": "=cmd"})
    answer = console(Role.COMPLIANCE, "Cora").get("/admin/audit/?as=csv&kind=hand.")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert rows[0]["kind"] == "hand.voided"
    assert rows[0]["reason"] == "'=cmd"
    entry = LogEntry.objects.get(kind="hand.voided")
    assert rows[0]["content sha256"] == bytes(entry.content_hash).hex()
    assert LogEntry.objects.filter(kind="report.exported").count() == 1


def test_the_page_costs_the_same_queries_however_many_entries() -> None:
    client, people = console(Role.ADMIN, "Ada"), [staff(Role.FLOOR, f"F{n}") for n in range(3)]

    def cost() -> int:
        client.get("/admin/audit/")
        with CaptureQueriesContext(connection) as queries:
            assert client.get("/admin/audit/").status_code == 200
        return len(queries)

    log("table.opened", f"table:{holdem_table('T0').pk}", people[0])
    log("user.viewed", f"user:{people[0].pk}", people[0])
    few = cost()
    for number in range(1, 6):
        log("table.opened", f"table:{holdem_table(f'T{number}').pk}", people[number % 3])
        log("user.viewed", f"user:{people[number % 3].pk}", people[0])
    assert cost() == few
    assert few <= 20


def test_the_reason_of_a_deed_stands_beside_it_though_another_row_keeps_it() -> None:
    ann, kim = person("Ann"), staff(Role.COMPLIANCE, "Kim")
    limits.exclude(player_id=ann.user.pk, until=None, by_id=kim.pk, reason="asked at the table")
    asked = approval_ask(
        kind="hand.void", subject="hand:7", payload={"hand": 7}, reason="wrong stub", by=kim
    )
    log("hand.reversed", "hand:7", kim, {"approval": asked.pk})
    told = {
        line.entry.kind: line
        for line in audit.lines_of(LogEntry.objects.filter(actor_id=kim.pk))
    }  # fmt: skip
    assert told["limits.changed"].reason == "asked at the table"
    assert told["limits.changed"].changes[0].name == "exclusion"
    assert told["hand.reversed"].reason == "wrong stub"
