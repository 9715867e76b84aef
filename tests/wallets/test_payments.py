"""W-10: a payment provider's file is held against the books; what differs is named, not moved."""

from __future__ import annotations

from datetime import date, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from casino.core.errors import RoleMissing
from casino.core.models import LogEntry, Role, User
from tests.wallets.conftest import Seated, Table, balance, seated, staff
from wallets import errors, payments, services
from wallets.gaming_day import day_begins, gaming_day
from wallets.models import PaymentFile, Transfer
from wallets.payments import payment_key

Raw = psycopg.Connection[Any]
HEAD = "reference,kind,currency,amount,status\n"


@pytest.fixture
def anna(table: Table) -> Seated:
    return seated(table, cash=100_000)


def purse(anna: Seated, reference: str, amount: int) -> dict[str, Any]:
    return {
        "player_id": anna.player, "amount_minor": amount, "currency": "EUR",
        "key": payment_key("bank", reference), "actor_id": None,
    }  # fmt: skip


def today() -> date:
    return gaming_day(timezone.now())


def compared(text: str, by: User | None = None, day: date | None = None) -> PaymentFile:
    return payments.file_compare(
        provider="bank", name="day.csv", content=(HEAD + text).encode(), from_day=day or today(),
        to_day=day or today(), by=by or staff(Role.FINANCE),
    )  # fmt: skip


def outcomes(file: PaymentFile) -> list[str]:
    return [line.outcome for line in file.lines.order_by("line")]


def test_w_10_what_agrees_with_the_books_is_matched(anna: Seated) -> None:
    services.deposit(**purse(anna, "D1", 12_50))
    services.withdraw(**purse(anna, "W1", 700))
    waiting = services.withdrawal_request(**purse(anna, "W2", 1_000)).transfer_id
    assert waiting is not None
    services.pending_resolve(transfer_id=waiting, outcome="post", key="paid", actor_id=None)
    voided = services.deposit_request(**purse(anna, "D2", 5_000)).transfer_id
    assert voided is not None
    services.pending_resolve(transfer_id=voided, outcome="void", key="void", actor_id=None)
    file = compared(
        "D1,deposit,EUR,12.5,settled\nW1,withdrawal,EUR,7,settled\n"
        "W2,withdrawal,EUR,10.00,settled\nD2,deposit,EUR,50.00,failed\nD9,deposit,EUR,1,failed\n"
    )
    assert outcomes(file) == ["matched"] * 5
    assert (file.ok, file.missing) == (True, [])


def test_w_10_each_difference_has_its_name(anna: Seated) -> None:
    for reference, amount in (("less", 100), ("way", 300), ("money", 400), ("twice", 600)):
        services.deposit(**purse(anna, reference, amount))
    services.deposit(**purse(anna, "failed", 500))
    services.withdrawal_request(**purse(anna, "waits", 800))
    part = services.withdrawal_request(**purse(anna, "part", 900)).transfer_id
    assert part is not None
    services.pending_resolve(
        transfer_id=part, outcome="post", key="p", actor_id=None, amount_minor=250
    )
    file = compared(
        "less,deposit,EUR,1.01,settled\nway,withdrawal,EUR,3.00,settled\n"
        "money,deposit,USD,4.00,settled\ntwice,deposit,EUR,6.00,settled\n"
        "twice,deposit,EUR,6.00,settled\nfailed,deposit,EUR,5.00,failed\n"
        "waits,withdrawal,EUR,8.00,settled\npart,withdrawal,EUR,9.00,settled\n"
        "nobody,deposit,EUR,9.00,settled\n"
    )
    assert outcomes(file) == [
        "amount", "kind", "currency", "matched", "repeated", "failed", "waiting", "amount",
        "unknown",
    ]  # fmt: skip
    booked = {line.reference: line.booked_minor for line in file.lines.all()}
    assert (booked["less"], booked["part"], booked["waits"]) == (100, 250, 0)
    assert booked["nobody"] is None
    assert not file.ok


def test_w_10_a_payment_in_the_books_that_the_file_leaves_out_is_missing(
    table: Table, anna: Seated, superuser: Raw
) -> None:
    services.deposit(**purse(anna, "told", 100))
    left_out = services.deposit(**purse(anna, "left out", 200))
    yesterday = services.deposit(**purse(anna, "yesterday", 300))
    superuser.execute(
        "UPDATE wallets_transfer SET created_at = %s WHERE id = %s",
        (day_begins(today()) - timedelta(seconds=1), yesterday.transfer_id),
    )
    services.deposit(**{**purse(anna, "", 400), "key": payment_key("other", "told")})
    file = compared("told,deposit,EUR,1.00,settled\n")
    assert file.missing == [
        {"transfer": left_out.transfer_id, "reference": "left out", "kind": "deposit",
            "currency": "EUR", "minor": 200}
    ]  # fmt: skip
    assert not file.ok
    before = compared("yesterday,deposit,EUR,3.00,settled\n", day=today() - timedelta(days=1))
    assert before.ok


def test_w_10_a_difference_moves_nothing_and_is_on_the_sealed_log(
    anna: Seated, caplog: pytest.LogCaptureFixture
) -> None:
    had = (balance(anna.cash), Transfer.objects.count())
    by = staff(Role.FINANCE)
    file = compared("ghost,deposit,EUR,900.00,settled\n", by)
    assert (balance(anna.cash), Transfer.objects.count()) == had
    entry = LogEntry.objects.get(kind="payments.difference")
    assert (entry.subject, entry.actor_id) == (f"payments:{file.pk}", by.pk)
    assert entry.facts == {"unknown": 1, "missing": 0}
    assert "payments of bank" in caplog.text


def test_w_10_the_same_file_is_compared_once(anna: Seated) -> None:
    text = "ghost,deposit,EUR,900.00,settled\n"
    first = compared(text)
    services.deposit(**purse(anna, "ghost", 90_000))
    assert compared(text).pk == first.pk
    again = compared(text + "\n")  # another file, to be compared with the books of now
    assert (again.ok, first.ok) == (True, False)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a,deposit,EUR,1.001,settled\n", 2), ("a,deposit,JPY,1.0,settled\n", 2),
        ("a,deposit,EUR,1e3,settled\n", 2), ("a,deposit,EUR,-1,settled\n", 2),
        ("a,deposit,EUR,0,settled\n", 2), ("a,deposit,EUR,٣,settled\n", 2),
        ("a,deposit,XXX,1,settled\n", 2), ("a,refund,EUR,1,settled\n", 2),
        ("a,deposit,EUR,1,settled\nb,deposit,EUR,1,maybe\n", 3), (",deposit,EUR,1,settled\n", 2),
        ("a,deposit,EUR,1\n", 2), ("a,deposit,EUR,1,settled,more\n", 2),
        ("a\0b,deposit,EUR,1,settled\n", 2), (f"{'a' * 121},deposit,EUR,1,settled\n", 2),
        ("a,deposit,EUR,90071992547409.92,settled\n", 2),
    ],
    ids=repr,
)  # fmt: skip
def test_w_10_a_file_that_is_not_understood_is_refused_whole(
    table: Table, text: str, line: int
) -> None:
    with pytest.raises(errors.PaymentFileMalformed) as caught:
        compared(text)
    assert caught.value.line == line
    assert PaymentFile.objects.count() == 0


@pytest.mark.parametrize("content", [b"", b"reference,amount\n", b"\xff\xfe", b'a,"b'])
def test_w_10_what_is_no_such_table_is_refused(table: Table, content: bytes) -> None:
    with pytest.raises(errors.PaymentFileMalformed):
        payments.file_compare(
            provider="bank", name="x", content=content, from_day=today(), to_day=today(),
            by=staff(Role.FINANCE),
        )  # fmt: skip


def test_w_10_only_finance_compares_and_what_was_found_stays(anna: Seated, owner: Raw) -> None:
    with pytest.raises(RoleMissing):
        compared("", staff(Role.CAGE))
    compared("ghost,deposit,EUR,9.00,settled\n")
    for deed in ("UPDATE wallets_paymentfile SET ok = true", "DELETE FROM wallets_paymentline"):
        with pytest.raises(psycopg.Error) as caught:
            owner.execute(deed)
        assert caught.value.sqlstate == "LG001"


def test_w_10_the_command_reports_and_fails_when_they_differ(anna: Seated, tmp_path: Path) -> None:
    path, by = tmp_path / "day.csv", staff(Role.FINANCE)
    services.deposit(**purse(anna, "told", 100))
    services.deposit(**purse(anna, "left out", 200))
    days = ["--from", str(today()), "--to", str(today()), "--by", by.username]
    path.write_text(HEAD + "told,deposit,EUR,1.50,settled\n")
    out = StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("payments_compare", "bank", str(path), *days, stdout=out)
    assert caught.value.returncode == 1
    assert "line 2: told: Another amount; there 150 EUR, here 100" in out.getvalue()
    assert "left out: not in the file; here 200 EUR" in out.getvalue()
    path.write_text(HEAD + "told,deposit,EUR,1,settled\nleft out,deposit,EUR,2,settled\n")
    out = StringIO()
    call_command("payments_compare", "bank", str(path), *days, stdout=out)
    assert "2 matched, 0 missing" in out.getvalue()
