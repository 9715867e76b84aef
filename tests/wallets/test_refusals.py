"""What the database refuses, whoever writes: raw SQL as the owner, triggers on; and as `app`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from casino.core.models import Role
from tests.conftest import NAME
from tests.plugin import servers
from tests.wallets.conftest import (
    Seated,
    Table,
    balance,
    new_player,
    new_table,
    seated,
    staff,
)
from wallets import ledger, limits, services
from wallets.errors import BonusNotForThat, InsufficientFunds, KindNotForThat
from wallets.ledger import Leg

Raw = psycopg.Connection[Any]
KEY = "raw"


def transfer(raw: Raw, legs: dict[int, int], *, key: str = KEY, **columns: Any) -> int:
    """Write a transfer row as its hash demands; its legs are left to the test."""
    row = {"kind": "deposit", "phase": "single", "hand_id": None, "leg_count": len(legs)} | columns
    content = ",".join(f"{account}:{amount}" for account, amount in legs.items())
    found = raw.execute(
        """
        INSERT INTO wallets_transfer (key, kind, phase, hand_id, reason, leg_count, content_hash,
                xact_id)
            VALUES (%(key)s, %(kind)s, %(phase)s, %(hand_id)s, '', %(leg_count)s,
                ledger_content(%(key)s, %(kind)s, %(phase)s, NULL, %(hand_id)s, NULL, NULL,
                    NULL, '', NULL, %(content)s),
                0)
            RETURNING id
        """,
        row | {"key": key, "content": content},
    ).fetchone()
    assert found is not None
    return int(found[0])


def leg(raw: Raw, transfer_id: int, position: int, account: int, amount: int) -> None:
    raw.execute(
        """
        INSERT INTO wallets_leg (transfer_id, position, account_id, currency, amount_minor,
                balance_after_minor)
            SELECT %s, %s, id, currency_id, %s, 0 FROM wallets_account WHERE id = %s
        """,
        (transfer_id, position, amount, account),
    )


def write(raw: Raw, legs: dict[int, int], **columns: Any) -> int:
    """A transfer and its legs, in a transaction."""
    with raw.transaction():
        written = transfer(raw, legs, **columns)
        for position, (account, amount) in enumerate(legs.items(), 1):
            leg(raw, written, position, account, amount)
    return written


@pytest.fixture
def anna(table: Table) -> Seated:
    return seated(table, cash=1_000, chips=500)


@pytest.fixture
def cage(table: Table) -> int:
    return services.cage_account(currency="EUR")


@contextmanager
def refusal(raw: Raw, sqlstate: str) -> Iterator[None]:
    """What stands in the block, one transaction, ends with that refusal."""
    with pytest.raises(psycopg.Error) as caught, raw.transaction():
        yield
    assert caught.value.sqlstate == sqlstate


def refused(raw: Raw, sqlstate: str, sql: str, *arguments: Any) -> None:
    with refusal(raw, sqlstate):
        raw.execute(sql, arguments)


def test_the_raw_way_in_does_work_when_every_rule_is_kept(
    owner: Raw, anna: Seated, cage: int
) -> None:
    write(owner, {cage: -10, anna.cash: 10})
    assert balance(anna.cash) == 1_010


def test_legs_sum_to_zero(owner: Raw, anna: Seated, cage: int) -> None:
    with refusal(owner, "LG002"):
        write(owner, {cage: -100, anna.cash: 99})
    assert balance(anna.cash) == 1_000


def test_legs_sum_to_zero_in_each_currency(owner: Raw, anna: Seated, cage: int) -> None:
    yen = services.cage_account(currency="JPY")
    with refusal(owner, "LG002"):
        write(owner, {cage: -100, yen: 100}, kind="float")


def test_a_transfer_without_its_legs_does_not_commit(owner: Raw, anna: Seated, cage: int) -> None:
    with refusal(owner, "LG002"):
        transfer(owner, {cage: -1, anna.cash: 1})


def test_a_transfer_has_two_legs(owner: Raw, anna: Seated) -> None:
    with refusal(owner, "LG017"):
        write(owner, {anna.cash: 1})


def test_no_leg_follows_once_the_sum_was_checked_early(owner: Raw, anna: Seated, cage: int) -> None:
    with refusal(owner, "LG008"):
        written = transfer(owner, {cage: -5, anna.cash: 5})
        leg(owner, written, 1, cage, -5)
        leg(owner, written, 2, anna.cash, 5)
        owner.execute("SET CONSTRAINTS ALL IMMEDIATE")
        leg(owner, written, 3, anna.cash, 7)
    assert balance(anna.cash) == 1_000


def test_checking_early_refuses_what_does_not_sum_to_zero(
    owner: Raw, anna: Seated, cage: int
) -> None:
    with refusal(owner, "LG002"):
        owner.execute("SET CONSTRAINTS ALL IMMEDIATE")
        transfer(owner, {cage: -5, anna.cash: 5})


def test_a_transfer_is_what_its_hash_says(owner: Raw, anna: Seated, cage: int) -> None:
    with refusal(owner, "LG002"):
        written = transfer(owner, {cage: -5, anna.cash: 5})
        leg(owner, written, 1, cage, -6)
        leg(owner, written, 2, anna.cash, 6)


def test_a_leg_moves_something(owner: Raw, anna: Seated, cage: int) -> None:
    with refusal(owner, "LG008"):
        write(owner, {cage: 0, anna.cash: 0})


def test_no_leg_joins_a_transfer_of_an_earlier_transaction(
    owner: Raw, anna: Seated, cage: int
) -> None:
    written = write(owner, {cage: -5, anna.cash: 5})
    refused(
        owner,
        "LG008",
        """INSERT INTO wallets_leg (transfer_id, position, account_id, currency, amount_minor,
                balance_after_minor) VALUES (%s, 2, %s, 'EUR', 5, 0)""",
        written,
        anna.cash,
    )


def test_savepoints_do_not_hide_the_transaction(owner: Raw, anna: Seated, cage: int) -> None:
    with owner.transaction():
        with owner.transaction():
            written = transfer(owner, {cage: -5, anna.cash: 5})
        with owner.transaction():
            leg(owner, written, 1, cage, -5)
        with owner.transaction():
            leg(owner, written, 2, anna.cash, 5)
    assert balance(anna.cash) == 1_005


@pytest.mark.parametrize("rows", ["wallets_transfer", "wallets_leg"])
@pytest.mark.parametrize("sql", ["UPDATE {} SET id = id", "DELETE FROM {}", "TRUNCATE {} CASCADE"])
def test_w_08_written_money_is_never_changed(owner: Raw, anna: Seated, rows: str, sql: str) -> None:
    refused(owner, "LG001", sql.format(rows))


@pytest.mark.parametrize("rows", ["wallets_account", "wallets_currency"])
@pytest.mark.parametrize("sql", ["DELETE FROM {}", "TRUNCATE {} CASCADE"])
def test_accounts_and_currencies_stay(owner: Raw, anna: Seated, rows: str, sql: str) -> None:
    refused(owner, "LG001", sql.format(rows))


def test_a_currency_keeps_its_exponent(owner: Raw, anna: Seated) -> None:
    refused(owner, "LG001", "UPDATE wallets_currency SET exponent = 3 WHERE code = 'EUR'")


def test_a_balance_moves_only_with_a_leg(owner: Raw, anna: Seated) -> None:
    refused(
        owner,
        "LG009",
        "UPDATE wallets_account SET balance_minor = balance_minor + 1 WHERE id = %s",
        anna.cash,
    )


def test_a_balance_does_not_have_the_same_leg_twice(owner: Raw, anna: Seated) -> None:
    refused(
        owner,
        "LG009",
        """UPDATE wallets_account a SET balance_minor = balance_minor + amount_minor
            FROM wallets_leg l WHERE a.id = %s AND l.id = a.last_leg_id""",
        anna.cash,
    )


def test_a_balance_does_not_go_back_to_an_earlier_leg(owner: Raw, anna: Seated) -> None:
    refused(
        owner,
        "LG009",
        """UPDATE wallets_account a SET balance_minor = balance_after_minor, last_leg_id = l.id
            FROM wallets_leg l WHERE a.id = %s AND l.account_id = a.id AND l.id < a.last_leg_id""",
        anna.cash,
    )


def test_a_leg_that_a_conflict_drops_moves_nothing(owner: Raw, anna: Seated, cage: int) -> None:
    with owner.transaction():
        written = transfer(owner, {cage: -5, anna.cash: 5})
        leg(owner, written, 1, cage, -5)
        owner.execute(
            """INSERT INTO wallets_leg (transfer_id, position, account_id, currency,
                    amount_minor, balance_after_minor)
                VALUES (%s, 1, %s, 'EUR', 900, 0) ON CONFLICT DO NOTHING""",
            (written, anna.cash),
        )
        leg(owner, written, 2, anna.cash, 5)
    assert balance(anna.cash) == 1_005


def test_an_account_opens_empty(owner: Raw, anna: Seated) -> None:
    refused(
        owner,
        "LG009",
        """INSERT INTO wallets_account (purpose, currency_id, table_id, may_go_negative,
                balance_minor) VALUES ('bank', 'EUR', 999, true, 5)""",
    )


@pytest.mark.parametrize(
    ("purpose", "player", "table_id", "negative"),
    [
        ("cash", False, None, False),
        ("cash", True, 7, False),
        ("cash", True, None, True),
        ("seat", True, None, False),
        ("seat", True, 7, True),
        ("in_play", False, 7, True),
        ("bank", False, None, True),
        ("cage", False, 7, True),
        ("purse", True, None, False),
    ],
)
def test_an_account_has_its_owner_and_players_money_stays_positive(
    owner: Raw, table: Table, purpose: str, player: bool, table_id: int | None, negative: bool
) -> None:
    refused(
        owner,
        "LG010",
        """INSERT INTO wallets_account (purpose, currency_id, player_id, table_id,
                may_go_negative, balance_minor) VALUES (%s, 'PLN', %s, %s, %s, 0)""",
        purpose,
        new_player() if player else None,
        table_id,
        negative,
    )


@pytest.mark.parametrize(
    "change",
    [
        "purpose = 'bonus'",
        "currency_id = 'USD'",
        "player_id = NULL",
        "may_go_negative = true",
        "table_id = 3",
        "held_by = 9",
    ],
)
def test_an_account_keeps_its_owner_purpose_and_currency(
    owner: Raw, anna: Seated, change: str
) -> None:
    refused(owner, "LG010", f"UPDATE wallets_account SET {change} WHERE id = %s", anna.cash)


def test_no_player_goes_below_zero(owner: Raw, anna: Seated, cage: int) -> None:
    with refusal(owner, "LG003"):
        write(owner, {anna.cash: -1_001, cage: 1_001}, kind="withdrawal")


def test_w_04_the_balance_row_itself_refuses_to_go_below_zero(superuser: Raw, anna: Seated) -> None:
    refused(
        superuser,
        "23514",
        "UPDATE wallets_account SET balance_minor = -1 WHERE id = %s",
        anna.cash,
    )


def test_a_held_seat_gives_only_to_its_hand(
    owner: Raw, table: Table, anna: Seated, cage: int
) -> None:
    services.stakes_hold(hand_id=77, seat_account_ids=[anna.seat])
    for hand in (None, 78):
        with refusal(owner, "LG004"):
            write(owner, {anna.seat: -5, table.rake: 5}, hand_id=hand)
    write(owner, {anna.seat: -5, table.rake: 5}, kind="settle", hand_id=77)
    assert balance(anna.seat) == 495


def test_a_hold_does_not_pass_from_hand_to_hand(owner: Raw, anna: Seated) -> None:
    services.stakes_hold(hand_id=77, seat_account_ids=[anna.seat])
    refused(owner, "LG010", "UPDATE wallets_account SET held_by = 78 WHERE id = %s", anna.seat)


def test_a_leg_is_in_its_accounts_currency(owner: Raw, anna: Seated, cage: int) -> None:
    with refusal(owner, "LG007"):
        written = transfer(owner, {cage: -5, anna.cash: 5})
        owner.execute(
            """INSERT INTO wallets_leg (transfer_id, position, account_id, currency,
                    amount_minor, balance_after_minor) VALUES (%s, 1, %s, 'JPY', -5, 0)""",
            (written, cage),
        )


def test_no_transfer_from_player_to_player_outside_a_hand(
    owner: Raw, table: Table, anna: Seated
) -> None:
    bea = seated(table, chips=500)
    with refusal(owner, "LG016"):
        write(owner, {anna.seat: -5, bea.cash: 5}, kind="cash_out")
    write(owner, {anna.seat: -5, bea.seat: 5}, kind="settle", hand_id=5)


def test_pending_money_moves_only_by_its_resolution(owner: Raw, anna: Seated, cage: int) -> None:
    services.withdrawal_request(
        player_id=anna.player, amount_minor=100, currency="EUR", key="w", actor_id=None
    )
    found = owner.execute("SELECT id FROM wallets_account WHERE purpose = 'pending'").fetchone()
    assert found is not None
    with refusal(owner, "LG018"):
        write(owner, {found[0]: -100, cage: 100})


def test_a_resolution_carries_out_its_pending_transfer_once(
    owner: Raw, anna: Seated, cage: int
) -> None:
    pending = services.withdrawal_request(
        player_id=anna.player, amount_minor=100, currency="EUR", key="w", actor_id=None
    ).transfer_id
    assert pending is not None
    services.pending_resolve(transfer_id=pending, outcome="post", key="p", actor_id=None)
    refused(
        owner,
        "23505",
        """INSERT INTO wallets_transfer (key, kind, phase, resolves_id, reason, leg_count,
                content_hash, xact_id) VALUES ('again', 'test', 'void', %s, '', 2, '', 0)""",
        pending,
    )


@pytest.mark.parametrize(
    ("kind", "source", "target"),
    [
        ("gift", "adjustments", "cash"),  # a correction under another name
        ("bonus_grant", "adjustments", "cash"),
        ("bonus_expired", "adjustments", "bonus"),
        ("float", "cage", "cash"),  # a deposit past its limit
        ("withdrawal", "cage", "cash"),
        ("repayment", "cage", "receivable"),
        ("sweep", "jackpot", "revenue"),
        ("sweep", "in_play", "revenue"),
        ("settle", "bank", "cash"),
        ("buy_in", "bank", "seat"),
        ("time_collection", "seat", "cash"),
        ("jackpot_seed", "bank", "jackpot"),
        ("jackpot_award", "jackpot", "cash"),  # of no hand
    ],
)
def test_a_kind_moves_only_what_it_is_for(
    owner: Raw, table: Table, anna: Seated, kind: str, source: str, target: str
) -> None:
    def account(purpose: str) -> int:
        if purpose in ("jackpot", "in_play", "bank"):
            return int(getattr(table, purpose))
        player = anna.player if purpose in ("cash", "bonus", "receivable", "seat") else None
        at = table.id if purpose == "seat" else None
        return ledger.account_open(purpose=purpose, currency="EUR", player_id=player, table_id=at)

    services.table_float(bank_account_id=table.bank, amount_minor=50, key="chips", actor_id=None)
    ledger.settle(
        key="fill", kind="settle", reference={"hand": 1},
        legs=[Leg(table.bank, -20), Leg(table.jackpot, 10), Leg(table.in_play, 10)],
    )  # fmt: skip
    legs = dict(sorted({account(source): -5, account(target): 5}.items()))
    with refusal(owner, "LG036"):
        write(owner, legs, kind=kind)
    with pytest.raises((KindNotForThat, BonusNotForThat)):  # and as `app`
        ledger.post(key="x", kind=kind, legs=[Leg(at, amount) for at, amount in legs.items()])


def test_play_moves_money_only_in_a_hand(owner: Raw, table: Table, anna: Seated) -> None:
    legs = {table.in_play: 5, anna.seat: -5}
    for kind in ("stake", "settle"):
        with refusal(owner, "LG036"):
            write(owner, dict(sorted(legs.items())), kind=kind)


@pytest.fixture(params=["app", "owner"])
def role(request: pytest.FixtureRequest, transactional_db: None) -> Iterator[Raw]:
    """Raw SQL as the role that runs everything, and as the one that migrates."""
    url = servers.postgres.url(request.param, NAME)
    with psycopg.connect(url, autocommit=True, cursor_factory=psycopg.ClientCursor) as raw:
        yield raw


def test_whoever_calls_the_ledgers_functions_is_held_to_its_rules(
    role: Raw, table: Table, anna: Seated, cage: int
) -> None:
    bea = seated(table, cash=50)
    services.stakes_hold(hand_id=77, seat_account_ids=[anna.seat])
    asked = services.withdrawal_request(
        player_id=anna.player, amount_minor=100, currency="EUR", key="w", actor_id=None
    ).transfer_id
    services.pending_resolve(transfer_id=asked or 0, outcome="void", key="v", actor_id=None)
    pending = ledger.account_open(purpose="pending", currency="EUR", player_id=anna.player)
    adjustments = ledger.account_open(purpose="adjustments", currency="EUR")

    def post(key: str, kind: str, *legs: tuple[int, int], reference: str = "{}") -> str:
        moved = json.dumps([[account, amount, None] for account, amount in legs])
        return f"SELECT ledger_post('{key}', '{kind}', '{moved}', '{reference}', NULL)"

    role.execute(post("once", "float", (cage, -5), (table.bank, 5)))
    refusals = {
        post("a", "float", (cage, -5), (table.bank, 4)): "LG002",
        post("once", "float", (cage, -6), (table.bank, 6)): "LG005",
        post("c", "withdrawal", (anna.cash, -1_001), (cage, 1_001)): "LG003",
        post("d", "cash_out", (anna.seat, -5), (anna.cash, 5)): "LG004",
        post("e", "settle", (anna.seat, -5), (table.rake, 5), reference='{"hand": 78}'): "LG004",
        post("f", "cash_out", (bea.seat, -0), (bea.cash, 0)): "LG017",
        post("g", "float", (cage, -5)): "LG017",
        post("h", "float", (cage, -5), (10**9, 5)): "LG006",
        post("i", "gift", (adjustments, -5), (anna.cash, 5)): "LG036",
        post("j", "adjustment", (adjustments, -5), (anna.cash, 5)): "LG026",
        post("k", "withdrawal", (pending, -5), (cage, 5)): "LG018",
        f"SELECT ledger_resolve('l', {asked}, 'post', NULL, NULL)": "LG011",
        "SELECT ledger_reverse('m', '{\"hand\": 5}', NULL)": "LG021",
        f"SELECT ledger_cash_out('n', {bea.player}, {anna.seat}, NULL)": "LG006",
        "SELECT ledger_account_open('cash', 'EUR', NULL, 7)": "LG010",
        "SELECT ledger_account_open('cage', 'ZZZ', NULL, NULL)": "LG019",
    }
    for sql, sqlstate in refusals.items():
        with refusal(role, sqlstate):
            role.execute(sql)
    with refusal(role, "LG002"):  # checked before its legs are there
        role.execute("SET CONSTRAINTS ALL IMMEDIATE")
        role.execute(post("now", "float", (cage, -5), (table.bank, 5)))
    assert (balance(anna.cash), balance(anna.seat), balance(table.bank)) == (1_000, 500, 5)


def test_protection_is_not_taken_back_by_raw_sql(role: Raw, anna: Seated) -> None:
    day: dict[str, Any] = {"player_id": anna.player, "window_days": 1}
    limits.deposit_limit_set(**day, currency="EUR", most_minor=100)
    limits.spend_limit_set(**day, kind="loss", currency="EUR", most_minor=100)
    limits.time_limit_set(**day, most_s=600)
    limits.cool_off(player_id=anna.player, until=timezone.now() + timedelta(days=2))
    limits.exclude(player_id=anna.player, until=timezone.now() + timedelta(days=200))
    staffed = staff(Role.COMPLIANCE)
    limits.state_set(player_id=anna.player, state="suspended", by=staffed, reason="papers")
    for sql in (
        "UPDATE wallets_depositlimit SET most_minor = 101",
        "UPDATE wallets_depositlimit SET next_from = now(), next_minor = NULL",
        "UPDATE wallets_depositlimit SET next_from = now() + interval '1 hour', next_minor = 999",
        "UPDATE wallets_spendlimit SET most_minor = 101",
        "UPDATE wallets_spendlimit SET kind = 'stake'",
        "UPDATE wallets_timelimit SET most_s = 601",
        "UPDATE wallets_timelimit SET next_from = now() - interval '1 s', next_s = 9999",
        "UPDATE wallets_playerlimits SET excluded_until = now()",
        "UPDATE wallets_playerlimits SET cool_off_until = NULL",
        "UPDATE wallets_playerlimits SET state = 'verified'",
    ):
        refused(role, "LG037", sql)
    for tighter in (
        "UPDATE wallets_depositlimit SET most_minor = 99",
        "UPDATE wallets_timelimit SET next_from = now() + interval '25 hours', next_s = 9999",
        "UPDATE wallets_playerlimits SET excluded_until = now() + interval '400 days'",
    ):
        role.execute(tighter)


@pytest.mark.parametrize(
    "rows", ["depositlimit", "spendlimit", "timelimit", "playerlimits", "limitchange"]
)
def test_limits_and_their_history_stay(owner: Raw, anna: Seated, rows: str) -> None:
    refused(owner, "LG001", f"DELETE FROM wallets_{rows}")
    refused(owner, "LG001", f"TRUNCATE wallets_{rows}")


APP_MAY_NOT = [
    "UPDATE wallets_account SET balance_minor = 0",
    "UPDATE wallets_account SET held_by = NULL",
    "INSERT INTO wallets_account (purpose, currency_id, may_go_negative, balance_minor)"
    " VALUES ('cage', 'USD', true, 0)",
    "DELETE FROM wallets_account",
    "INSERT INTO wallets_transfer (key) VALUES ('x')",
    "UPDATE wallets_transfer SET reason = ''",
    "DELETE FROM wallets_transfer",
    "TRUNCATE wallets_transfer CASCADE",
    "INSERT INTO wallets_leg (transfer_id) VALUES (1)",
    "UPDATE wallets_leg SET amount_minor = 1",
    "DELETE FROM wallets_leg",
    "TRUNCATE wallets_leg",
    "DELETE FROM wallets_currency",
    "UPDATE wallets_currency SET exponent = 1",
    "DELETE FROM wallets_playerlimits",
    "DROP TABLE wallets_leg",
    "ALTER TABLE wallets_leg DISABLE TRIGGER ALL",
    "SET session_replication_role = replica",
    "SELECT ledger_write('k', 'deposit', 'single', NULL, NULL, '{1,2}', '{-1,1}', NULL, NULL,"
    " NULL, NULL, '', NULL)",
    "CREATE TABLE public.wallets_shadow (id int)",
]


@pytest.mark.parametrize("sql", APP_MAY_NOT)
def test_the_application_has_no_right_to(table: Table, sql: str) -> None:
    with (
        pytest.raises(DatabaseError) as caught,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql)
    assert getattr(caught.value.__cause__, "sqlstate", None) == "42501"


def test_a_temporary_table_does_not_stand_in_for_the_books(table: Table, anna: Seated) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE wallets_account AS SELECT * FROM wallets_account")
        cursor.execute("UPDATE pg_temp.wallets_account SET balance_minor = 1000000000")
        cursor.execute("SET search_path = pg_temp, public")
    try:
        with pytest.raises(InsufficientFunds):
            ledger.post(
                key="shadow",
                kind="withdrawal",
                legs=[
                    Leg(anna.cash, -5_000),
                    Leg(new_table().bank, 5_000),
                ],
            )
    finally:
        connection.close()
