"""How many postings a second the ledger takes, and whether fifty writers can make it go wrong.

Two-leg postings by one process: through the bare SQL function, through `wallets.ledger`, and by
django-hordak, another ledger inside Django, on the same PostgreSQL in the same run (it is left
out where it is not installed: requirements-bench.txt). Then 50 writers over 20 players with random
verbs, every tenth of them sent twice at once and every tenth again later; the books are proven
afterwards. The servers are throw-away ones that do not wait for the disk.
Prints one JSON object.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

import psycopg
from psycopg.errors import LockNotAvailable

DATABASE, RIVAL = "bench", "bench_rival"
RIVALS = "django-hordak==2.0.0"
CURRENCY = "EUR"
WRITERS, PLAYERS = 50, 20


NUMBERS = count()


def rate(call: Callable[[int], object], seconds: float) -> float:
    """Calls a second, after a short start."""
    numbers = NUMBERS
    for _ in range(50):
        call(next(numbers))
    done, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        call(next(numbers))
        done += 1
    return done / spent


class Till:
    """One player at a table for house-banked games, and one at a game among players."""

    def __init__(self, number: int, table: int, accounts: dict[str, int]) -> None:
        from casino.core.models import User
        from wallets import services

        name = f"bench-{number}-{time.monotonic_ns()}"
        user = User.objects.create(username=name, display_name=f"b{time.monotonic_ns()}")
        self.player, self.table, self.accounts = user.pk, table, accounts
        services.deposit(
            player_id=user.pk,
            amount_minor=10**6,
            currency=CURRENCY,
            key=f"{name}:in",
            actor_id=None,
        )
        self.seat = services.seat_account_open(player_id=user.pk, table_id=table, currency=CURRENCY)


def verb(till: Till, dice: random.Random, key: str) -> Callable[[], object]:
    """Something one can ask of the money, of a random kind and size, under that key."""
    from wallets import ledger, services

    amount = dice.randrange(1, 500)
    purse: dict[str, Any] = {
        "player_id": till.player, "amount_minor": amount, "currency": CURRENCY, "key": key,
        "actor_id": None,
    }  # fmt: skip
    hand = int(key.split(":")[1]) * 1_000_000 + int(key.split(":")[2])
    packed = services.stake_packed(
        hand_id=hand, key=key, seat_account_id=till.seat,
        in_play_account_id=till.accounts["in_play"], player_id=till.player, amount_minor=amount,
    )  # fmt: skip

    def round_of_play() -> None:
        ledger.stake(packed)
        services.round_pay(
            hand_id=hand,
            in_play_account_id=till.accounts["in_play"],
            returned={till.seat: amount * (hand % 3)},
            bank_account_id=till.accounts["bank"],
            staked_total=amount,
        )

    verbs: list[Callable[[], object]] = [
        lambda: services.deposit(**purse),
        lambda: services.withdraw(**purse),
        lambda: services.withdrawal_request(**purse),
        lambda: services.buy_in(
            player_id=till.player, seat_account_id=till.seat, amount_minor=amount, key=key
        ),
        lambda: services.cash_out(player_id=till.player, seat_account_id=till.seat, key=key),
        round_of_play,
        round_of_play,
        round_of_play,
    ]
    return dice.choice(verbs)


def storm(*, writers: int, players: int, seconds: float) -> dict[str, Any]:
    """Random verbs, duplicates and late repeats from many threads; the books proven afterwards."""
    from django.db import connection

    from wallets import services
    from wallets.errors import WalletError
    from wallets.proving import ledger_check

    tables = []
    for number in range(4):
        table = time.monotonic_ns() % 10**12 + number
        tables.append((table, services.table_accounts_open(table_id=table, currency=CURRENCY)))
    tills = [Till(number, *tables[number % len(tables)]) for number in range(players)]
    ends = time.monotonic() + seconds

    def write(writer: int) -> Counter[str]:
        dice, told, sent = random.Random(writer), Counter[str](), []
        for number in count():
            if time.monotonic() >= ends:
                break
            ask = verb(dice.choice(tills), dice, f"storm:{writer}:{number}")
            if sent and dice.random() < 0.1:
                ask = dice.choice(sent)  # a client that lost an answer asks again
            for _ in range(2 if dice.random() < 0.1 else 1):
                try:
                    ask()
                except WalletError as refusal:
                    told[refusal.code] += 1
                except Exception as fault:
                    # Two seconds for a lock are the house's "busy, try again", not a fault.
                    busy = isinstance(fault.__cause__, LockNotAvailable)
                    told["busy" if busy else f"fault: {fault!r}"[:200]] += 1
                else:
                    told["done"] += 1
            sent = [*sent[-20:], ask]
        connection.close()
        return told

    with ThreadPoolExecutor(writers) as pool:
        told = sum(pool.map(write, range(writers)), Counter[str]())
    check = ledger_check()
    return {
        "writers": writers,
        "players": players,
        "seconds": seconds,
        "calls_per_s": round(told["done"] / seconds),
        "refused": {
            name: n for name, n in sorted(told.items()) if not name.startswith(("fault", "done"))
        },
        "faults": {name: n for name, n in told.items() if name.startswith("fault")},
        "ledger": {"ok": check.ok, "first_fault": check.first_fault},
        "transfers": check.transfers_checked,
    }


def alone(url: str, seconds: float) -> dict[str, float]:
    """Two-leg postings of one process: by the SQL function alone, and through wallets.ledger."""
    from wallets import ledger, services

    banks = [
        services.table_accounts_open(table_id=10**13 + n, currency=CURRENCY)["bank"]
        for n in range(2)
    ]
    legs = json.dumps([[banks[0], -5, None], [banks[1], 5, None]])
    with psycopg.connect(url, autocommit=True) as raw:

        def bare(number: int) -> None:
            raw.execute(
                "SELECT * FROM ledger_post(%s, %s, %s, %s, %s)",
                (f"bare:{number}", "float", legs, "{}", None),
            ).fetchone()

        moved = [ledger.Leg(banks[0], -5), ledger.Leg(banks[1], 5)]

        def ours(number: int) -> None:
            ledger.post(key=f"ours:{number}", kind="float", legs=moved)

        # Turn and turn about, so that what else the machine does meets both.
        turns = [(rate(bare, seconds / 8), rate(ours, seconds / 8)) for _ in range(8)]
    bare_per_s, ours_per_s = (median(rates) for rates in zip(*turns, strict=True))
    return {
        "bare_sql_per_s": round(bare_per_s),
        "wallets_per_s": round(ours_per_s),
        "share_of_bare": round(ours_per_s / bare_per_s, 3),
    }


def rival(host: str, port: str, seconds: float) -> None:
    """In a process of its own: the same postings by django-hordak. Prints its rate."""
    from django.conf import settings

    settings.configure(
        INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "mptt", "hordak"],
        DATABASES={
            "default": {
                "ENGINE": "django.db.backends.postgresql", "NAME": RIVAL, "USER": "owner",
                "HOST": host, "PORT": port, "CONN_MAX_AGE": None,
            }
        },
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        USE_TZ=True,
        SECRET_KEY="bench",
        DEFAULT_CURRENCY=CURRENCY,
        CURRENCIES=[CURRENCY],
    )  # fmt: skip
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import transaction
    from hordak.models import Account
    from moneyed import Money

    call_command("migrate", verbosity=0)
    banks = [
        Account.objects.create(name=f"bank {n}", code=str(n), type="AS", currencies=[CURRENCY])
        for n in range(2)
    ]

    def post(number: int) -> None:
        with transaction.atomic():
            banks[0].transfer_to(banks[1], Money("0.05", CURRENCY))

    print(json.dumps({"per_s": round(rate(post, seconds))}))


def rival_beside(postgres: Any, seconds: float) -> dict[str, Any] | None:
    if find_spec("hordak") is None:
        return None
    with psycopg.connect(postgres.superuser_url("postgres"), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {RIVAL} OWNER owner")
    done = subprocess.run(
        [
            sys.executable, __file__, "--rival", str(postgres.place.sockets), "--seconds",
            str(seconds),
        ],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        return {"failed": done.stderr.strip().splitlines()[-1:]}
    return {"package": RIVALS, **json.loads(done.stdout.splitlines()[-1])}


def uses_of(servers: Any, database: str) -> dict[str, str]:
    """The environment of who uses a database."""
    postgres = servers.postgres
    return {
        "CROUPIER_ENV": "test",
        "CROUPIER_DATA": str(postgres.place.house),
        "DATABASE_URL": postgres.url("app", database),
        "DATABASE_OWNER_URL": postgres.url("owner", database),
        "REDIS_URL": servers.valkey.url(),
        "DJANGO_SETTINGS_MODULE": "casino.settings",
    }


def books_made(servers: Any, database: str) -> dict[str, str]:
    """A database of its own with empty books; answers the environment of who uses it."""
    with psycopg.connect(servers.postgres.superuser_url(), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {database} OWNER owner")
    uses = uses_of(servers, database)
    manage = Path(__file__).resolve().parent.parent / "manage.py"
    subprocess.run(
        [sys.executable, str(manage), "migrate", "--verbosity", "0"],
        env=os.environ | uses | {"CROUPIER_ROLE": "owner"},
        check=True,
    )
    return uses


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="of the writers' trial")
    parser.add_argument("--alone-seconds", type=float, default=5)
    parser.add_argument("--rival", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rival:
        rival(options.rival, "", options.seconds)
        return
    from casino.house.servers import temporary_servers

    with temporary_servers() as servers:
        postgres = servers.postgres
        os.environ.update(books_made(servers, DATABASE))
        import django

        django.setup()
        result: dict[str, Any] = {"bench": "ledger"}
        result |= alone(postgres.url("app", DATABASE), options.alone_seconds)
        result["rival"] = rival_beside(postgres, options.alone_seconds)
        result["storm"] = storm(writers=WRITERS, players=PLAYERS, seconds=options.seconds)
        result["cores"] = os.cpu_count()
        print(json.dumps(result))
        if result["storm"]["faults"] or not result["storm"]["ledger"]["ok"]:
            raise SystemExit("the ledger went wrong under many writers")


if __name__ == "__main__":
    main()
