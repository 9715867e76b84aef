"""A player's page: found by anything, looked at under one's name, protected at once."""

from datetime import date

import pytest

from casino.console.people import players_like
from casino.core.log import log
from casino.core.models import Approval, LogEntry, Role
from casino.core.services import token_issue
from tests.cast import CURRENCY, deal, holdem_table, person
from tests.console.cast import console, console_of, staff
from wallets.models import CashCase, PlayerLimits
from wallets.selectors import barred_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_players_are_found_by_number_name_mail_and_token() -> None:
    ann = person("Ann Berg").user
    ann.email = "ann@example.org"
    ann.save()
    person("Bob")
    token, raw = token_issue(user=ann)
    for words in (str(ann.pk), f"#{ann.pk}", "berg", "ann berg", "ANN@example.org", token.hint):
        assert list(players_like(words)) == [ann], words
    assert not players_like("").exists()
    assert not players_like(raw[8:]).exists()


def test_looking_is_logged_under_ones_name() -> None:
    ann = person("Ann")
    client = console(Role.CAGE)
    page = client.get(f"/admin/players/{ann.user.pk}/").content.decode()
    assert "1,000.00" in page
    entry = LogEntry.objects.get(kind="user.viewed")
    assert (entry.subject, entry.facts) == (f"user:{ann.user.pk}", {"tab": "overview"})


def test_the_floor_sees_a_player_without_his_money() -> None:
    ann = person("Ann", cash_minor=77_777)
    client = console(Role.FLOOR)
    assert "777.77" not in client.get(f"/admin/players/{ann.user.pk}/").content.decode()
    assert client.get(f"/admin/players/{ann.user.pk}/?tab=statement").status_code == 403


@pytest.mark.parametrize("tab", ["overview", "statement", "hands", "devices", "log"])
def test_every_tab_says_amounts_in_units(tab: str) -> None:
    table = holdem_table()
    ann = person("Ann")
    ann.sits(table)
    token_issue(user=ann.user)
    client = console(Role.COMPLIANCE)
    answer = client.get(f"/admin/players/{ann.user.pk}/?tab={tab}")
    assert answer.status_code == 200
    if tab == "statement":
        assert "−100.00" in answer.content.decode()


def test_an_exclusion_counts_at_once_and_in_mid_hand() -> None:
    table = holdem_table()
    ann, bob = person("Ann"), person("Bob")
    ann.sits(table)
    bob.sits(table)
    deal(table)
    client = console(Role.FLOOR)
    where = f"/admin/players/{ann.user.pk}/exclude/"
    assert client.post(where, {"term": "", "reason": ""}).status_code == 422
    answer = client.post(where, {"term": "", "reason": "asked at the table"})
    assert answer.status_code == 302
    assert barred_of([ann.user.pk]) == {ann.user.pk: "player_excluded"}
    assert ann.sees(table)["you"]["dealt_as"] == 1  # the hand is played to its end
    page = client.get(f"/admin/players/{ann.user.pk}/").content.decode()
    assert "Excluded until lifted" in page
    assert "asked at the table" in page


def test_only_those_who_protect_lift_an_exclusion() -> None:
    ann = person("Ann")
    console(Role.FLOOR).post(f"/admin/players/{ann.user.pk}/exclude/", {"reason": "asked"})
    client = console(Role.COMPLIANCE)
    answer = client.post(f"/admin/players/{ann.user.pk}/lift/", {"reason": "half a year is over"})
    assert answer.status_code == 302
    assert not PlayerLimits.objects.get(player=ann.user).self_excluded


def test_a_note_stays_under_the_name_of_who_wrote_it() -> None:
    ann = person("Ann")
    client = console(Role.PIT_MANAGER, "Max")
    where = f"/admin/players/{ann.user.pk}/note/"
    assert client.post(where, {"text": "asks for <b>credit</b>"}).status_code == 302
    page = client.get(f"/admin/players/{ann.user.pk}/").content.decode()
    assert "asks for &lt;b&gt;credit&lt;/b&gt;" in page
    assert "Max" in page
    assert "credit" not in str(LogEntry.objects.filter(kind="player.noted").values())


def test_who_works_in_a_pit_finds_those_who_have_sat_there() -> None:
    west, east = holdem_table("Amber", pit="West"), holdem_table("Birch", pit="East")
    ann, bob = person("Ann"), person("Bob")
    ann.sits(west)
    bob.sits(east)
    fay = staff(Role.FLOOR, "Fay")
    fay.pits = ["West"]
    fay.save()
    client = console_of(fay)
    assert list(players_like("ann", fay)) == [ann.user]
    assert list(players_like("bob", fay)) == []
    assert "Bob" not in client.get("/admin/players/?q=b").content.decode()
    for page in ("", "exclude/", "note/"):
        assert client.get(f"/admin/players/{bob.user.pk}/{page}").status_code == 404
        assert client.get(f"/admin/players/{ann.user.pk}/{page}").status_code == 200
    deal_in = client.get(f"/admin/hands/?player={bob.name}")
    assert deal_in.context["rows"] == []


def test_a_wallet_is_corrected_by_two_and_never_by_one() -> None:
    ann, cora, finn = person("Ann"), staff(Role.CAGE, "Cora"), staff(Role.FINANCE, "Finn")
    where = f"/admin/players/{ann.user.pk}/adjust/EUR/"
    asks = console_of(cora)
    for wrong in ({"amount": "0"}, {"amount": "1.005"}, {"way": "both"}, {"why": ""}):
        form = {"way": "take", "amount": "12.50", "why": "Paid wrongly", "note": "chip", **wrong}
        assert asks.post(where, form).status_code == 422
    form = {"way": "take", "amount": "12.50", "why": "Paid wrongly", "note": "a chip"}
    assert (
        console_of(staff(Role.CAGE, "Cid"), stepped_up=False).post(where, form).status_code == 422
    )
    assert asks.post(where, form).status_code == 302
    asked = Approval.objects.get()
    assert (asked.payload["amount_minor"], asked.reason) == (-1_250, "Paid wrongly: a chip")
    agree = f"/admin/approvals/{asked.pk}/agree/"
    assert asks.post(agree, {"note": ""}).status_code == 403
    assert ann.cash_minor() == 100_000
    assert console_of(finn).post(agree, {"note": ""}).status_code == 302
    assert ann.cash_minor() == 98_750
    assert console_of(cora).get(f"/admin/players/{ann.user.pk}/adjust/JPY/").status_code == 404


def test_cases_stand_beside_the_log_for_who_reports_them_alone() -> None:
    ann = person("Ann").user
    CashCase.objects.create(
        player=ann, gaming_day=date(2026, 1, 15), currency_id=CURRENCY, way=CashCase.Way.IN,
        reason=CashCase.Reason.STRUCTURING, total_minor=1_490_000, due_on=date(2026, 1, 30),
    )  # fmt: skip
    where = f"/admin/players/{ann.pk}/?tab=log"
    page = console(Role.COMPLIANCE).get(where).content.decode()
    assert "Sums kept just under it" in page
    assert "14,900.00" in page
    log("cash.case", f"user:{ann.pk}", None, {"reason": "structuring"})
    assert "structuring" in console(Role.ADMIN).get(where).content.decode()
    for role in (Role.FLOOR, Role.CAGE, Role.FINANCE, Role.SURVEILLANCE):
        page = console(role).get(where).content.decode()
        assert "just under it" not in page
        assert "structuring" not in page
