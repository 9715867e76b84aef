"""Whether many legs make the ledger slower: a million, or with --legs 10000000 ten.

Two ledgers on the same throw-away PostgreSQL: one empty but for fifty players, the other with the
same players and those legs besides, loaded by COPY with balances, running balances and
hashes as they must be, then sealed and proven once. After that postings and statements are timed
on both, turn and turn about, so that what else the machine does meets both.
Prints one JSON object: latencies in microseconds, and how much the grown ledger takes of the empty
one's. The servers do not wait for the disk.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from bench.common.beside import Measured, Work, answering, side_by_side
from bench.ledger import CURRENCY, Till, books_made

LEGS = 1_000_000
PLAYERS, TURNS = 50, 40
ASKED = {"posting": 60, "round": 30, "statement_page": 15, "statement_period": 15}
# The loaded history is another currency's, so that its balances and the tills' are apart.
LOADED_CURRENCY, LOADED_PLAYERS, LOADED_TABLES = "USD", 5_000, 100
STAKE_MINOR, BOUGHT_MINOR = 500, 50_000
FIRST = 1_000_000  # ids of what is loaded
YEAR = timedelta(days=365)
LINES_OF_BEFORE = 100


# Measuring: a process of its own for each ledger.


def till() -> None:
    """Open the players' tills, then answer how long each verb takes."""
    import django

    django.setup()
    from wallets import ledger, selectors, services, statements

    table = 10**12
    accounts = services.table_accounts_open(table_id=table, currency=CURRENCY)
    services.table_float(
        bank_account_id=accounts["bank"], amount_minor=10**9, key="float", actor_id=None
    )
    tills = [Till(number, table, accounts) for number in range(PLAYERS)]
    numbers, hands = count(), count(10**12)
    for one in tills:
        services.buy_in(
            player_id=one.player, seat_account_id=one.seat, amount_minor=500_000,
            key=f"in:{one.player}",
        )  # fmt: skip

    def posting() -> None:
        one = tills[next(numbers) % PLAYERS]
        services.buy_in(
            player_id=one.player, seat_account_id=one.seat, amount_minor=1,
            key=f"top:{next(numbers)}",
        )  # fmt: skip

    def round_of_play() -> None:
        one, hand = tills[next(numbers) % PLAYERS], next(hands)
        packed = services.stake_packed(
            hand_id=hand, key=f"stake:{hand}", seat_account_id=one.seat,
            in_play_account_id=accounts["in_play"], player_id=one.player, amount_minor=100,
        )  # fmt: skip
        ledger.stake(packed)
        services.round_pay(
            hand_id=hand, in_play_account_id=accounts["in_play"],
            returned={one.seat: 100}, bank_account_id=accounts["bank"], staked_total=100,
        )  # fmt: skip

    def page() -> None:
        selectors.statement(tills[next(numbers) % PLAYERS].player)

    def period() -> None:
        one = tills[next(numbers) % PLAYERS]
        now = datetime.now(UTC)
        statements.statement_for(
            player_id=one.player, currency=CURRENCY, begins=now - timedelta(days=1), ends=now
        )

    for _ in range(LINES_OF_BEFORE * PLAYERS // 3):
        round_of_play()
    verbs = {"posting": posting, "round": round_of_play, "statement_page": page,
             "statement_period": period}  # fmt: skip
    answering({verb: partial(_ready, work) for verb, work in verbs.items()})


def _ready(work: Work) -> Work:
    return work


# Loading.


def history(legs: int) -> Iterator[tuple[int, int, str, int | None, int, int, int]]:
    """(player, table, kind, hand, source, target, amount) of two-leg transfers, in their order.

    Sources and targets are account ids; see accounts().
    """
    cage = FIRST
    for number in range(LOADED_PLAYERS):
        cash, seat = cash_of(number), cash_of(number) + 1
        yield number, 0, "deposit", None, cage, cash, BOUGHT_MINOR
        yield number, number % LOADED_TABLES, "buy_in", None, cash, seat, BOUGHT_MINOR
    for played in range((legs // 2 - 2 * LOADED_PLAYERS) // 2):
        number = played % LOADED_PLAYERS
        seat, in_play = cash_of(number) + 1, FIRST + 1 + number % LOADED_TABLES
        hand = FIRST + played
        yield number, number % LOADED_TABLES, "stake", hand, seat, in_play, STAKE_MINOR
        yield number, number % LOADED_TABLES, "settle", hand, in_play, seat, STAKE_MINOR


def cash_of(number: int) -> int:
    return FIRST + 1 + LOADED_TABLES + 2 * number


def loaded(url: str, legs: int) -> dict[str, Any]:
    """Fill the books by COPY, past the triggers; what that took."""
    balances: dict[int, int] = {}
    last: dict[int, int] = {}
    began = time.perf_counter()
    with psycopg.connect(url) as raw:
        raw.execute("SET session_replication_role = replica")
        raw.execute(
            "INSERT INTO core_user (id, username, display_name, password, first_name, last_name,"
            " email, role, is_active, is_staff, is_superuser, is_house, pits, date_joined,"
            " changed_at)"
            " SELECT n, 'g' || n, 'g' || n, '', '', '', '', 'player', true, false, false, false,"
            " '{}', now(), now() FROM generate_series(%s::bigint, %s) AS n",
            (FIRST, FIRST + LOADED_PLAYERS - 1),
        )
        raw.execute(
            "INSERT INTO wallets_playerlimits (player_id, self_excluded, changed_at)"
            " SELECT id, false, now() FROM core_user WHERE id >= %s",
            (FIRST,),
        )
        with (
            psycopg.connect(url) as beside,
            raw.cursor().copy(f"COPY wallets_transfer ({TRANSFER}) FROM STDIN") as transfers,
        ):
            beside.execute("SET session_replication_role = replica")
            with beside.cursor().copy(f"COPY wallets_leg ({LEG}) FROM STDIN") as rows:
                written = copied(transfers, rows, legs, balances, last)
        purposes = {FIRST: "cage"}
        purposes |= {FIRST + 1 + n: "in_play" for n in range(LOADED_TABLES)}
        with raw.cursor().copy(
            "COPY wallets_account (id, purpose, currency_id, player_id, table_id, may_go_negative,"
            " balance_minor, last_leg_id, opened_at) FROM STDIN"
        ) as accounts:
            for account, balance in balances.items():
                number, is_seat = divmod(account - cash_of(0), 2)
                purpose = purposes.get(account, "seat" if is_seat else "cash")
                table = FIRST + (
                    account - FIRST - 1 if purpose == "in_play" else number % LOADED_TABLES
                )
                accounts.write_row((
                    account, purpose, LOADED_CURRENCY,
                    None if account in purposes else FIRST + number,
                    table if purpose in ("in_play", "seat") else None,
                    purpose == "cage", balance, last[account], "2025-01-01",
                ))  # fmt: skip
        for table in ("core_user", "wallets_account", "wallets_transfer", "wallets_leg"):
            raw.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id)"
                f" FROM {table}))"
            )
    copied_s = time.perf_counter() - began
    with psycopg.connect(url, autocommit=True) as raw:
        raw.execute("VACUUM ANALYZE")
        size = raw.execute("SELECT pg_database_size(current_database())").fetchone()
    assert size is not None
    return {
        "legs": 2 * written,
        "transfers": written,
        "copy_s": round(copied_s, 1),
        "vacuum_s": round(time.perf_counter() - began - copied_s, 1),
        "database_mb": size[0] // 2**20,
    }


TRANSFER = (
    "id, key, kind, phase, hand_id, table_id, actor_id, reason, leg_count, content_hash, xact_id,"
    " created_at"
)
LEG = "id, transfer_id, position, account_id, currency, amount_minor, balance_after_minor"


def copied(
    transfers: Any, rows: Any, legs: int, balances: dict[int, int], last: dict[int, int]
) -> int:
    """Write the history's rows; how many transfers there were."""
    start = datetime.now(UTC) - YEAR
    step = YEAR / (legs // 2)
    written, leg = 0, FIRST
    for number, table, kind, hand, source, target, amount in history(legs):
        transfer, player = FIRST + written, FIRST + number
        key, moved = f"g:{transfer}", sorted(((source, -amount), (target, amount)))
        content = json.dumps(
            [
                "transfer-1", key, kind, "single", None, hand, FIRST + table, None, player, "",
                None, ",".join(f"{account}:{by}" for account, by in moved),
            ]
        )  # fmt: skip
        digest = sha256(content.encode()).hexdigest()
        hand_text = "\\N" if hand is None else hand
        transfers.write(
            f"{transfer}\t{key}\t{kind}\tsingle\t{hand_text}\t{FIRST + table}\t{player}\t\t2\t"
            f"\\\\x{digest}\t1\t{start + step * written}\n"
        )
        for position, (account, by) in enumerate(moved, 1):
            balance = balances[account] = balances.get(account, 0) + by
            last[account] = leg
            rows.write(
                f"{leg}\t{transfer}\t{position}\t{account}\t{LOADED_CURRENCY}\t{by}\t{balance}\n"
            )
            leg += 1
        written += 1
    return written


# The whole of it.


def timed(command: str, uses: dict[str, str]) -> tuple[float, str]:
    """Seconds of a management command, and what it printed."""
    manage = Path(__file__).resolve().parent.parent / "manage.py"
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, str(manage), command], env=os.environ | uses,
        stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    return round(time.perf_counter() - began, 1), done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--legs", type=int, default=LEGS)
    parser.add_argument("--till", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.till:
        till()
        return
    from casino.house.servers import temporary_servers

    with temporary_servers() as servers:
        ledgers = {name: books_made(servers, f"bench_{name}") for name in ("empty", "grown")}
        result: dict[str, Any] = {"bench": "growth"}
        result["loaded"] = loaded(servers.postgres.superuser_url("bench_grown"), options.legs)
        seal_s, _ = timed("seal_log", ledgers["grown"])
        verify_s, told = timed("verify_ledger", ledgers["grown"])
        proof = json.loads(told)
        result["sealed_s"] = seal_s
        result["verified"] = {
            "s": verify_s, "ok": proof["ok"], "transfers": proof["transfers_checked"],
            "sealed_transfers": proof["transfers_checked"] - proof["seals"]["unsealed_transfers"],
        }  # fmt: skip
        urls = [servers.postgres.superuser_url(f"bench_{name}") for name in ledgers]
        tills = {name: Measured([__file__, "--till"], uses) for name, uses in ledgers.items()}
        result["latency"] = side_by_side(tills, urls, ASKED, TURNS)
    result["cores"] = os.cpu_count()
    print(json.dumps(result))


if __name__ == "__main__":
    main()
