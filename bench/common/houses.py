"""A throw-away house in which something is measured: no demo, no house players."""

import contextlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from casino.house.parts import CLOCK, WORKERS, web
from casino.house.supervisor import House

CURRENCY = "EUR"
PURSE_MINOR = 10**9


@contextmanager
def opened() -> Iterator[House]:
    """The house, ready, with two web processes, workers and clock, every commit on disk; Django of
    this process talks to its database."""
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as folder:
        house = House(
            Path(folder), 0, parts=(*web(), *WORKERS, CLOCK), environment="demo",
            say=lambda line: None,
        )  # fmt: skip
        try:
            house.start()
            house.wait_ready()
            os.environ["CROUPIER_DATA"] = folder
            os.environ["DJANGO_SETTINGS_MODULE"] = "casino.settings"
            import django

            django.setup()
            yield house
        finally:
            house.stop()


def socket_url(house: House) -> str:
    return house.url.replace("http", "ws", 1) + "/ws/v1/tables/"


def table_made(name: str, game: str, seats: int, *, bank_minor: int = 0, **facts: Any) -> int:
    """An open table of house players, its bank filled with so much. Returns its id."""
    from tables.models import Table
    from wallets import services as wallets

    table = Table.objects.create(
        name=name, game=game, currency=CURRENCY, max_seats=seats, is_house=True,
        buy_in_least_minor=100, buy_in_most_minor=PURSE_MINOR, **facts,
    )  # fmt: skip
    accounts = wallets.table_accounts_open(table_id=table.pk, currency=CURRENCY)
    Table.objects.filter(pk=table.pk).update(accounts=accounts)
    if bank_minor:
        wallets.table_float(
            bank_account_id=accounts["bank"], amount_minor=bank_minor, key=f"bank:{name}",
            actor_id=None,
        )  # fmt: skip
    return int(table.pk)


def player_seated(name: str, table_id: int) -> str:
    """A house player with a purse, all of it on the table. Returns his ticket for its socket."""
    from casino.core.models import User
    from tables.services import seating
    from wallets import services as wallets

    user = User.objects.create_user(username=name, display_name=name, is_house=True)
    wallets.deposit(
        player_id=user.pk, amount_minor=PURSE_MINOR, currency=CURRENCY, key=name, actor_id=None
    )
    seating.seat_take(
        table_id=table_id, player=user, seat=None, buy_in_minor=PURSE_MINOR, key=f"sit:{name}"
    )
    return player_ticket(name, table_id)


def player_ticket(name: str, table_id: int) -> str:
    """A further ticket of a player; one is good for half a minute."""
    from casino.core.models import User
    from casino.core.tickets import ticket_issue

    user = User.objects.get(username=name)
    return ticket_issue(table_id=table_id, role="player", user_id=user.pk)


def watcher_tickets(name: str, tables: Iterable[int], each: int = 1) -> Mapping[int, list[str]]:
    """Tickets of displays, so many for each table."""
    from casino.core.models import User
    from casino.core.tickets import ticket_issue

    user, _ = User.objects.get_or_create(username=name, defaults={"display_name": name})
    return {
        table_id: [
            ticket_issue(table_id=table_id, role="display", user_id=user.pk) for _ in range(each)
        ]
        for table_id in tables
    }


def process_tree(pids: Iterable[int]) -> list[int]:
    """These processes and all they have started that still run."""
    return [process for process, _ in _tree(pids)]


def cpu_s(pids: Iterable[int]) -> float:
    """What these processes and all they have started, the ended ones too, have computed so far."""
    return sum(ticks for _, ticks in _tree(pids)) / os.sysconf("SC_CLK_TCK")


def _tree(pids: Iterable[int]) -> list[tuple[int, int]]:
    """Processes with their descendants: the number of each, and its ticks of the processor."""
    children: dict[int, list[int]] = {}
    spent: dict[int, int] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = file.read_text().rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(file.parent.name))
            spent[int(file.parent.name)] = sum(map(int, fields[11:15]))
    found, known = [], list(pids)
    while known:
        pid = known.pop()
        if pid in spent:
            found.append((pid, spent[pid]))
        known += children.get(pid, [])
    return found


def cpu_by_part(house: House) -> dict[str, float]:
    return {name: cpu_s(house.pids(name)) for name in house.part_names()}


def memory_kb(pids: Iterable[int]) -> int:
    """What these processes alone hold in memory, in kB: their private pages."""
    total = 0
    for pid in pids:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith(("Private_Clean:", "Private_Dirty:")):
                total += int(line.split()[1])
    return total


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2)
