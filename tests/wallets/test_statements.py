"""PLP-02, PLP-10: a statement over any period is the sum of the ledger's rows in it."""

from __future__ import annotations

import base64
import csv
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reportlab.pdfbase import pdfmetrics

from casino.core.models import User
from casino.core.seal import signing_key
from tests.wallets.conftest import Seated, Table, agreed, new_table, seated, staff
from tests.wallets.test_api import client
from tests.wallets.test_play_limits import settle, stake
from wallets import controlling, errors, printing, services
from wallets.models import Account, Leg, Transfer
from wallets.statements import Statement, statement_for

Raw = psycopg.Connection[Any]
LONG_AGO = timezone.now() - timedelta(days=900)
PATH = "/api/v1/wallet/statement/period"


@pytest.fixture
def anna(table: Table) -> Seated:
    """Some life: paid in, played twice, an adjustment, a withdrawal."""
    anna = seated(table, cash=1_000, chips=500)
    stake(anna, table, 200)
    settle(anna, table, 200, 50)
    stake(anna, table, 100, hand=2)
    settle(anna, table, 100, 300, hand=2)
    asked = controlling.adjustment_ask(
        account_id=anna.cash, amount_minor=50, reason="=goodwill", by=staff()
    )
    controlling.adjust(approval_id=agreed(asked), by=None)
    services.withdraw(
        player_id=anna.player, amount_minor=400, currency="EUR", key="w", actor_id=None
    )
    return anna


def made(anna: Seated, begins: datetime = LONG_AGO, ends: datetime | None = None) -> Statement:
    return statement_for(
        player_id=anna.player,
        currency="EUR",
        begins=begins,
        ends=ends or timezone.now() + timedelta(days=1),
    )


def held(anna: Seated) -> int:
    accounts = Account.objects.filter(player_id=anna.player, currency_id="EUR")
    return sum(account.balance_minor for account in accounts)


def test_the_lines_add_up_from_the_opening_to_the_closing_balance(anna: Seated) -> None:
    whole = made(anna)
    assert (whole.opening_minor, whole.closing_minor) == (0, held(anna))
    assert sum(line.amount_minor for line in whole.lines) == whole.closing_minor
    assert whole.lines[-1].balance_minor == whole.closing_minor
    assert (whole.paid_in_minor, whole.paid_out_minor) == (1_500, 400)
    assert (whole.staked_minor, whole.net_minor) == (300, 50)
    assert whole.life_deposits_minor == 1_100
    assert {line.hand for line in whole.lines if line.kind == "settle"} == {1, 2}
    adjusted = next(line for line in whole.lines if line.kind == "adjustment")
    assert (adjusted.amount_minor, adjusted.reason) == (50, "=goodwill")


def test_any_two_periods_that_meet_are_one(anna: Seated) -> None:
    whole = made(anna)
    for line in whole.lines:
        first, rest = made(anna, ends=line.at), made(anna, begins=line.at)
        assert first.opening_minor == 0
        assert first.closing_minor == rest.opening_minor
        assert rest.closing_minor == whole.closing_minor
        assert len(first.lines) + len(rest.lines) == len(whole.lines)
        assert first.net_minor + rest.net_minor == whole.net_minor


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    moves=st.lists(st.tuples(st.booleans(), st.integers(1, 90)), min_size=1, max_size=12),
    cuts=st.tuples(st.integers(0, 12), st.integers(0, 12)),
)
def test_plp_02_a_statement_is_the_sum_of_the_ledgers_rows_in_any_window(
    transactional_db: None, moves: list[tuple[bool, int]], cuts: tuple[int, int]
) -> None:
    table = new_table()
    anna = seated(table, cash=1_000, chips=1_100)
    for number, (wins, amount) in enumerate(moves):
        stake(anna, table, amount, hand=number + table.id * 1_000)
        settle(anna, table, amount, 2 * amount * wins, hand=number + table.id * 1_000)
    times = list(
        Transfer.objects.filter(legs__account_id=anna.seat).values_list("created_at", flat=True)
    )
    begins, ends = sorted(times[min(cut, len(times) - 1)] for cut in cuts)
    of_window = made(anna, begins, ends)
    legs = Leg.objects.filter(account__player_id=anna.player)
    in_window = legs.filter(transfer__created_at__gte=begins, transfer__created_at__lt=ends)
    assert sum(line.amount_minor for line in of_window.lines) == sum(
        leg.amount_minor for leg in in_window
    )
    before = legs.filter(transfer__created_at__lt=begins)
    assert of_window.opening_minor == sum(leg.amount_minor for leg in before)


def test_an_adjustment_is_in_the_players_own_history(anna: Seated) -> None:
    """A balance never changes without a line that its owner sees."""
    assert made(anna).closing_minor == held(anna)
    assert "adjustment" in {line.kind for line in made(anna).lines}


def ask(anna: Seated, **more: Any) -> Any:
    query = {
        "currency": "EUR",
        "begins": LONG_AGO.isoformat(),
        "ends": (timezone.now() + timedelta(days=1)).isoformat(),
    }
    return client(anna.player).get(PATH, query | more)


def test_plp_10_the_csv_is_what_the_signed_digest_covers(anna: Seated) -> None:
    answer = ask(anna, form="csv")
    assert answer["Content-Type"].startswith("text/csv")
    body = b"".join(answer.streaming_content)
    rows = list(csv.reader(body.decode().splitlines()))
    assert ["#net_minor", "50"] in rows
    header = next(number for number, row in enumerate(rows) if row[0] == "line")
    lines = [dict(zip(rows[header], row, strict=True)) for row in rows[header + 1 :]]
    assert sum(int(line["amount_minor"]) for line in lines) == held(anna)
    assert next(line for line in lines if line["kind"] == "adjustment")["reason"] == "'=goodwill"
    assert answer["Digest"] == f"sha-256={sha256(body).hexdigest()}"


def test_the_signature_is_the_houses(anna: Seated) -> None:
    figures = ask(anna).json()
    assert (figures["closing_minor"], figures["lines"]) == (held(anna), len(made(anna).lines))
    key: Ed25519PublicKey = signing_key().public_key()
    key.verify(base64.b64decode(figures["signature"]), f"statement:{figures['digest']}".encode())


def test_plp_10_the_page_is_made_to_be_printed(anna: Seated) -> None:
    page = ask(anna, form="html")
    text = page.content.decode()
    assert page["Content-Type"].startswith("text/html")
    assert "<td>-4.00</td>" in text
    assert "Closing balance" in text
    assert "style=" not in text  # the house's pages carry no inline style


def test_plp_10_the_pdf_prints_names_in_their_own_letters(anna: Seated) -> None:
    name = "Żak & Gęś-Łącka <b>"
    User.objects.filter(pk=anna.player).update(display_name=name)
    answer = ask(anna, form="pdf")
    assert answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"].endswith('-EUR.pdf"')
    assert answer.content.startswith(b"%PDF-")
    assert b"+NotoSans" in answer.content
    letters = pdfmetrics.getFont(printing.FONT).face.charToGlyph
    assert all(ord(letter) in letters for letter in name)


def test_a_statement_of_too_many_movements_is_not_printed(
    anna: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printing, "LINES_MOST", 2)
    answer = ask(anna, form="pdf")
    assert (answer.status_code, answer.json()["code"]) == (400, "statement_too_long")
    assert ask(anna, form="csv").status_code == 200


def test_a_statement_of_another_is_not_to_be_had(table: Table, anna: Seated) -> None:
    stranger = seated(table)
    assert ask(stranger).json()["lines"] == 0
    assert ask(stranger, player=anna.player, player_id=anna.player).json()["lines"] == 0


def test_a_currency_the_house_does_not_keep_has_no_statement(anna: Seated) -> None:
    with pytest.raises(errors.UnknownCurrency):
        statement_for(player_id=anna.player, currency="QQQ", begins=LONG_AGO, ends=timezone.now())
    assert ask(anna, currency="QQQ").status_code == 400
    assert ask(anna, begins="yesterday").status_code == 400
