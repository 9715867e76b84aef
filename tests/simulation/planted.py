"""Bugs that the simulation must find, each put into the code that runs for as long as it is tried.

A plant names the text it changes; code that does not hold it any more is a failure of the test.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

import psycopg

from tables.services import settling, voiding, writing
from wallets import services as wallets

Change = tuple[str, str]


@contextmanager
def in_python(function: FunctionType, *changes: Change) -> Iterator[None]:
    """Its code is exchanged in place, for whoever has imported it by name."""
    source = textwrap.dedent(inspect.getsource(function))
    names = dict(function.__globals__)
    exec(compile(_changed(source, changes), f"planted:{function.__name__}", "exec"), names)
    kept, function.__code__ = function.__code__, inspect.unwrap(names[function.__name__]).__code__
    try:
        yield
    finally:
        function.__code__ = kept


@contextmanager
def in_sql(
    owner: psycopg.Connection[Any], *functions: tuple[str, tuple[Change, ...]]
) -> Iterator[None]:
    kept = []
    for name, changes in functions:
        row = owner.execute(
            "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = %s", [name]
        ).fetchone()
        assert row is not None, name
        kept.append(row[0])
        owner.execute(_changed(row[0], changes))
    try:
        yield
    finally:
        for written in kept:
            owner.execute(written)


def _changed(text: str, changes: tuple[Change, ...]) -> str:
    for old, new in changes:
        assert text.count(old) == 1, f"{text.count(old)} times: {old}"
        text = text.replace(old, new)
    return text


@contextmanager
def double_settle(owner: psycopg.Connection[Any]) -> Iterator[None]:
    """A hand is paid by whoever comes, under a key of his own."""
    settling._claiming.cache_clear()
    with (
        in_python(settling._claiming.__wrapped__, (" AND status = 'finished'", "")),
        in_python(
            wallets.settle_key,
            ('return f"hand:{hand_id}:settle"',
             'import time\n    return f"hand:{hand_id}:settle:{time.monotonic_ns()}"'),
        ),
    ):  # fmt: skip
        try:
            yield
        finally:
            settling._claiming.cache_clear()


@contextmanager
def lost_deadline(owner: psycopg.Connection[Any]) -> Iterator[None]:
    """What was handed to a worker once is never looked for again."""
    lease = "OR t.claimed_at < v_now - p_lease_ms * interval '1 millisecond'"
    with in_sql(owner, ("tables_claim_due", ((lease, ""),))):
        yield


@contextmanager
def unlocked_balance(owner: psycopg.Connection[Any]) -> Iterator[None]:
    """Balances are read without their locks, and nothing compares them with their legs."""
    lock = "FOR NO KEY UPDATE"
    moved = "(NEW.balance_minor, NEW.last_leg_id) IS DISTINCT FROM"
    with in_sql(
        owner,
        ("ledger_write", ((f"ORDER BY id {lock}", "ORDER BY id"),)),
        ("ledger_leg_check", ((lock, ""),)),
        ("ledger_account_guard", ((f"IF {moved}", f"IF false AND {moved}"),)),
    ):
        yield


@contextmanager
def stale_hand(owner: psycopg.Connection[Any]) -> Iterator[None]:
    """The table is read before its lock is had."""
    lock = "PERFORM 1 FROM tables_table t WHERE t.id = p_table FOR UPDATE;"
    read = "RETURN QUERY SELECT * FROM tables_read(p_table);"
    with in_sql(owner, ("tables_lock", ((lock, ""), (read, f"{read}\n    {lock}")))):
        yield


@contextmanager
def early_push(owner: psycopg.Connection[Any]) -> Iterator[None]:
    """A frame is sent in the transaction that writes its row."""
    later = "transaction.on_commit(partial(screens.publish, row), robust=True)"
    with in_python(writing.write, (later, "screens.publish(row)")):
        yield


@contextmanager
def kept_stakes(owner: psycopg.Connection[Any]) -> Iterator[None]:
    """A round that the floor voids gives no stakes back."""
    back = "wallets.round_void(hand_id=hand_id, table_id=table_id)"
    with in_python(voiding.hand_void, (back, "pass")):
        yield


BUGS = {
    "double settle": double_settle,
    "lost deadline": lost_deadline,
    "unlocked balance": unlocked_balance,
    "stale hand under lock": stale_hand,
    "push before commit": early_push,
    "void keeps the stakes": kept_stakes,
}
