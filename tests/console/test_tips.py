"""Tips: boxes counted at the cage, the pool paid out by two, figures beside the win."""

from datetime import timedelta
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.utils import timezone

from casino.console import tips
from casino.console.figures import report
from casino.core.models import Approval, LogEntry, Role
from tables.models import TableHour
from tests.cast import holdem_table
from tests.console.cast import console, staff
from wallets.gaming_day import gaming_day
from wallets.models import Account
from wallets.tips import pools

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_box_is_counted_once_and_paid_out_by_hours_as_two_agreed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, dora, dan = holdem_table("Amber"), staff(Role.DEALER, "Dora"), staff(Role.DEALER, "Dan")
    cage = console(Role.CAGE, "Cora")
    assert "No tip was given yet" in cage.get("/admin/tips/").content.decode()
    form = {"table": table.pk, "dealer": dora.pk, "amount": "12.50", "once": uuid4()}
    for _ in range(2):
        assert cage.post("/admin/tips/box/", form).status_code == 302
    assert pools() == {"EUR": 1_250}
    box = TableHour.objects.get()
    assert (box.dealer_id, box.tips_minor) == (dora.pk, 1_250)
    runs, hour = box.hour, timedelta(hours=1)
    for dealer in (dora, dan):
        TableHour.objects.create(
            table=table, dealer=dealer, gaming_day=box.gaming_day, hour=runs - 2 * hour, hands=5
        )
    # An hour in which her box was counted, and one that is not over, are none that are paid.
    TableHour.objects.filter(pk=box.pk).update(hour=runs - hour)
    TableHour.objects.create(table=table, dealer=dan, gaming_day=box.gaming_day, hour=runs, hands=5)
    page = cage.get("/admin/tips/").content.decode()
    for words in ("12.50", "6.25", "Dora", "Dan", "Amber"):
        assert words in page
    pay = "/admin/tips/EUR/pay/"
    assert page.count(pay) == 1
    assert 'value="6.25"' in cage.get(pay).content.decode()
    shares = {f"share_{dora.pk}": "8", f"share_{dan.pk}": "4.5", "reason": "the week"}
    too_much = cage.post(pay, {**shares, f"share_{dan.pk}": "4.51", "once": uuid4()})
    assert too_much.status_code == 422
    once = {**shares, "once": uuid4()}
    for _ in range(2):
        assert cage.post(pay, once).status_code == 302
    approval = Approval.objects.get()
    finn = console(Role.FINANCE, "Finn")
    shown = finn.get(f"/admin/approvals/{approval.pk}/").content.decode()
    for words in ("Dora", "8.00", "Dan", "4.50"):
        assert words in shown
    finn.post(f"/admin/approvals/{approval.pk}/agree/", {"once": uuid4()})
    assert pools() == {"EUR": 0}
    assert Account.objects.get(purpose="cage", currency="EUR").balance_minor == 0
    assert LogEntry.objects.filter(kind="tips.paid").count() == 2
    today = gaming_day(timezone.now())
    rows = report(begins=today, ends=today, by="dealer", house_tables=True).rows
    assert {row.name: (row.day.tips_minor, row.hours) for row in rows} == {
        "Dora": (1_250, 1), "Dan": (0, 2),
    }  # fmt: skip
    assert {row.day.won_minor for row in rows} == {0}
    assert tips.shares_of("EUR", 100) == [], "an hour is paid once"
    monkeypatch.setattr(tips, "timezone", SimpleNamespace(now=lambda: runs + 2 * hour))
    later = tips.shares_of("EUR", 100)
    assert [(share.dealer, share.hours, share.fair_minor) for share in later] == [(dan, 1, 100)]


def test_who_may_not_pay_out_reads_alone() -> None:
    finance = console(Role.FINANCE)
    assert finance.get("/admin/tips/").status_code == 200
    assert finance.get("/admin/tips/box/").status_code == 403


@pytest.mark.parametrize("typed", ["0", "-1", "1.234", "ten", ""])
def test_what_is_no_amount_fills_no_pool(typed: str) -> None:
    table, dora = holdem_table(), staff(Role.DEALER, "Dora")
    form = {"table": table.pk, "dealer": dora.pk, "amount": typed, "once": uuid4()}
    assert console(Role.CAGE).post("/admin/tips/box/", form).status_code == 422
    assert pools() == {}
