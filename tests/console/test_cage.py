"""The cage takes amounts as people write them, once however often the button is pressed."""

import re
from uuid import uuid4

import pytest

from casino.core.models import LogEntry, Role
from tests.cast import holdem_table, person
from tests.console.cast import console

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_amount_is_typed_in_units_and_recorded_once() -> None:
    ann = person("Ann")
    client = console(Role.CAGE, "Cora")
    where = f"/admin/cage/{ann.user.pk}/EUR/deposit/"
    shown = client.get(where).content.decode()
    assert "1,000.00 EUR" in shown
    key = re.search(r'name="once" value="([^"]+)"', shown)
    assert key is not None
    form = {"amount": "1,250.5", "reason": "receipt 7", "once": key[1]}
    for _ in range(2):
        assert client.post(where, form).status_code == 302
    assert ann.cash_minor() == 225_050
    assert LogEntry.objects.filter(kind="cage.deposit").count() == 1
    counter = client.get("/admin/cage/").content.decode()
    for words in ("1,250.50 EUR", "receipt 7", "Cora", "Ann"):
        assert words in counter


@pytest.mark.parametrize("typed", ["", "0", "-5", "12.345", "ten", "1e3000", "NaN", "inf"])
def test_what_is_no_amount_is_told_on_the_form(typed: str) -> None:
    ann = person("Ann")
    client = console(Role.CAGE)
    answer = client.post(
        f"/admin/cage/{ann.user.pk}/EUR/deposit/", {"amount": typed, "once": uuid4()}
    )
    assert answer.status_code == 422
    assert ann.cash_minor() == 100_000


def test_more_than_he_has_is_not_paid_out() -> None:
    ann = person("Ann")
    client = console(Role.CAGE)
    where = f"/admin/cage/{ann.user.pk}/EUR/withdraw/"
    assert client.post(where, {"amount": "1000.01", "once": uuid4()}).status_code == 422
    assert client.post(where, {"amount": "1 000,00", "once": uuid4()}).status_code == 302
    assert ann.cash_minor() == 0


def test_who_has_no_wallet_yet_may_pay_in_what_is_played_in_here() -> None:
    holdem_table()
    ann = person("Ann", cash_minor=0)
    page = console(Role.CAGE).get("/admin/cage/?q=ann").content.decode()
    assert f"/admin/cage/{ann.user.pk}/EUR/deposit/" in page
    assert f"/admin/cage/{ann.user.pk}/USD/deposit/" not in page


def test_what_a_player_asks_for_is_paid_out_or_given_back_at_the_cage_once() -> None:
    ann = person("Ann")
    for amount_minor in (2_550, 700):
        body = {"amount_minor": amount_minor, "currency": "EUR"}
        assert ann.client.send("wallet/withdrawals", body).status_code == 201
    client = console(Role.CAGE, "Cora")
    counter = client.get("/admin/cage/").content.decode()
    assert "25.50 EUR" in counter
    pay, back = re.findall(r"/admin/cage/asked/\d+/(?:pay|return)/", counter)[0::3]
    shown = client.get(pay).content.decode()
    assert "25.50 EUR" in shown
    once = {"once": uuid4()}
    for _ in range(2):
        assert client.post(pay, once).status_code == 302
    assert client.post(back, {"once": uuid4()}).status_code == 302
    colleague = console(Role.CAGE, "Cid").post(pay, {"once": uuid4()})
    assert colleague.status_code == 422
    assert "was resolved before" in colleague.content.decode()
    assert client.post(pay.replace("asked/", "asked/9"), {"once": uuid4()}).status_code == 404
    assert ann.cash_minor() == 100_000 - 2_550
    purse = ann.client.read("wallet").json()["purses"][0]
    assert purse["pending"]["amount_minor"] == 0
    kinds = LogEntry.objects.filter(kind__startswith="cage.request").values_list("kind", flat=True)
    assert sorted(kinds) == ["cage.request_paid", "cage.request_returned"]
    assert "/admin/cage/asked/" not in client.get("/admin/cage/").content.decode()
