"""One cast for the money's tests: players with cash, a table, and a door past the functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from threading import Barrier, Event
from typing import Any

import psycopg
import pytest
from django.contrib.auth import get_user_model
from django.db import connection

from casino.core import approvals
from casino.core.approvals import approval_approve
from casino.core.models import Approval, Role, User
from tests.conftest import NAME
from tests.plugin import servers
from wallets import services

numbers = count(1)


@dataclass(frozen=True)
class Seated:
    """A player with cash, and with chips at the table."""

    player: int
    cash: int
    seat: int


@dataclass(frozen=True)
class Table:
    id: int
    bank: int
    rake: int
    drop: int
    in_play: int
    jackpot: int


def new_player() -> int:
    n = next(numbers)
    return int(get_user_model().objects.create(username=f"p{n}", display_name=f"Player {n}").pk)


def seated(table: Table, *, cash: int = 0, chips: int = 0, currency: str = "EUR") -> Seated:
    player = new_player()
    if cash + chips:
        services.deposit(
            player_id=player,
            amount_minor=cash + chips,
            currency=currency,
            key=f"deposit:{player}",
            actor_id=player,
        )
    seat = services.seat_account_open(player_id=player, table_id=table.id, currency=currency)
    if chips:
        services.buy_in(
            player_id=player, seat_account_id=seat, amount_minor=chips, key=f"buy-in:{player}"
        )
    return Seated(player, services.player_account(player_id=player, currency=currency), seat)


def staff(role: Role = Role.ADMIN) -> User:
    n = next(numbers)
    return User.objects.create(
        username=f"s{n}", display_name=f"Staff {n}", role=role, is_staff=True
    )


def agreed(asked: Approval, by: User | None = None) -> int:
    """The id of an approval that a second person has agreed to."""
    return approval_approve(approval_id=asked.pk, by=by or staff()).pk


def new_table(currency: str = "EUR") -> Table:
    table_id = next(numbers)
    return Table(id=table_id, **services.table_accounts_open(table_id=table_id, currency=currency))


def day_has_come(limits: str) -> None:
    """Of what waits for its day in that table: a second ago."""
    with psycopg.connect(servers.postgres.superuser_url(NAME), autocommit=True) as raw:
        raw.execute("SET session_replication_role = replica")
        raw.execute(f"UPDATE {limits} SET next_from = clock_timestamp() - interval '1 second'")


def balance(account_id: int) -> int:
    return services.balances_of([account_id])[account_id]


def agreeing_waits(monkeypatch: pytest.MonkeyPatch) -> tuple[Event, Event]:
    """Whoever agrees to a request sets the first, and waits for the second before he goes on.

    In vain, for half a second, where he holds what the other one needs to get so far.
    """
    has_agreed, is_there = Event(), Event()
    agree = approvals.approval_approve

    def agreed_to(**facts: Any) -> Any:
        found = agree(**facts)
        has_agreed.set()
        is_there.wait(0.5)
        return found

    monkeypatch.setattr(approvals, "approval_approve", agreed_to)
    return has_agreed, is_there


def at_once(calls: Sequence[Callable[[], Any]], *, threads: int) -> list[Any]:
    """What each call answered, or the exception it raised; each thread with its connection."""

    def run(call: Callable[[], Any]) -> Any:
        try:
            return call()
        except Exception as error:
            return error

    all_here = Barrier(threads, timeout=60)

    def leave(_: int) -> None:
        """Nobody leaves twice in another's place: a connection left open is one too few later."""
        all_here.wait()
        connection.close()

    with ThreadPoolExecutor(threads, initializer=connection.ensure_connection) as pool:
        answers = list(pool.map(run, calls))
        list(pool.map(leave, range(threads)))
    return answers


@pytest.fixture
def table(transactional_db: None) -> Table:
    return new_table()


@pytest.fixture
def owner(transactional_db: None) -> Iterator[psycopg.Connection[Any]]:
    """The role that migrates, with all triggers on: what a careless hand could try."""
    url = servers.postgres.url("owner", NAME)
    with psycopg.connect(url, autocommit=True, cursor_factory=psycopg.ClientCursor) as raw:
        yield raw


@pytest.fixture
def superuser(transactional_db: None) -> Iterator[psycopg.Connection[Any]]:
    """One who can switch the triggers off, and does."""
    with psycopg.connect(servers.postgres.superuser_url(NAME), autocommit=True) as raw:
        raw.execute("SET session_replication_role = replica")
        yield raw
