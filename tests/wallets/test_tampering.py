"""Whoever switches the triggers off and rewrites sealed rows is found out, every time."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command

from casino.core.models import LogEntry, LogSeal
from casino.core.seal import head, seal_new
from casino.core.verifying import verify
from tests.conftest import NAME
from tests.plugin import servers
from tests.wallets.conftest import Table, new_table, seated
from wallets import services
from wallets.models import Leg, Transfer

Raw = psycopg.Connection[Any]
SEALED = ("wallets_transfer", "wallets_leg", "core_logentry", "core_logseal")
SEALS = 3


@pytest.fixture
def books(transactional_db: None) -> Iterator[Raw]:
    """Three seals over some transfers, and a connection that undoes what it forged."""
    table = new_table()
    for _ in range(SEALS):
        for _ in range(5):
            player = seated(table, cash=700, chips=300)
            services.withdraw(
                player_id=player.player,
                amount_minor=200,
                currency="EUR",
                key=f"out:{player.player}",
                actor_id=player.player,
                reason="asked for",
            )
        seal_new()
    with psycopg.connect(servers.postgres.superuser_url(NAME), autocommit=True) as raw:
        raw.execute("SET session_replication_role = replica")
        for name in SEALED:
            raw.execute(f"CREATE TEMP TABLE kept_{name} AS SELECT * FROM {name}")
        yield raw


def restore(raw: Raw) -> None:
    for name in SEALED:
        raw.execute(f"DELETE FROM {name}; INSERT INTO {name} SELECT * FROM kept_{name}")


def some(dice: random.Random, raw: Raw, name: str) -> int:
    return int(dice.choice(raw.execute(f"SELECT id FROM {name} ORDER BY id").fetchall())[0])


def edit(dice: random.Random, raw: Raw) -> None:
    """One column of one row, whichever; a number by one, a text by a letter, a time by 1 us."""
    name = dice.choice(("wallets_transfer", "wallets_leg"))
    column = dice.choice(
        {
            "wallets_transfer": (
                "kind = kind || 'x'", "reason = reason || '.'", "key = key || 'x'",
                "actor_id = coalesce(actor_id, 0) + 1", "hand_id = coalesce(hand_id, 0) + 1",
                "table_id = coalesce(table_id, 0) + 1", "xact_id = xact_id + 1",
                "approval_id = 1", "leg_count = leg_count + 1",
                "content_hash = sha256(content_hash)",
                "created_at = created_at + interval '1 us'", "intent = '[]'",
            ),
            "wallets_leg": (
                "amount_minor = amount_minor + 1", "currency = 'USD'", "position = position + 7",
                "balance_after_minor = balance_after_minor + 1",
            ),
        }[name]
    )  # fmt: skip
    raw.execute(f"UPDATE {name} SET {column} WHERE id = %s", (some(dice, raw, name),))


def delete(dice: random.Random, raw: Raw) -> None:
    """A whole transfer with its legs, or a leg alone."""
    if dice.random() < 0.5:
        gone = some(dice, raw, "wallets_transfer")
        raw.execute("DELETE FROM wallets_leg WHERE transfer_id = %s", (gone,))
        raw.execute("DELETE FROM wallets_transfer WHERE id = %s", (gone,))
    else:
        raw.execute("DELETE FROM wallets_leg WHERE id = %s", (some(dice, raw, "wallets_leg"),))


def insert(dice: random.Random, raw: Raw) -> None:
    """A copy of a transfer under an id that was free: below the first, or in the place of one."""
    pattern = some(dice, raw, "wallets_transfer")
    first = Transfer.objects.earliest("pk").pk
    free = dice.choice((0, -dice.randrange(1, 99), first - 1, pattern))
    if free == pattern:
        raw.execute("UPDATE wallets_leg SET transfer_id = -1 WHERE transfer_id = %s", (pattern,))
        raw.execute("UPDATE wallets_transfer SET id = -1 WHERE id = %s", (pattern,))
        return
    raw.execute(
        """
        INSERT INTO wallets_transfer
            SELECT (jsonb_populate_record(t,
                    jsonb_build_object('id', %s, 'key', t.key || '-again'))).*
                FROM wallets_transfer t WHERE id = %s
        """,
        (free, pattern),
    )


def reorder(dice: random.Random, raw: Raw) -> None:
    """Two transfers, or two of their legs, change places."""
    name = dice.choice(("wallets_transfer", "wallets_leg"))
    one, two = some(dice, raw, name), some(dice, raw, name)
    if one == two:
        edit(dice, raw)
        return
    if name == "wallets_transfer":
        for was, becomes in ((one, -9), (two, one), (-9, two)):
            raw.execute("UPDATE wallets_transfer SET id = %s WHERE id = %s", (becomes, was))
        return
    raw.execute("UPDATE wallets_leg SET id = -id WHERE id IN (%s, %s)", (one, two))
    raw.execute(
        "UPDATE wallets_leg SET id = CASE id WHEN %s THEN %s ELSE %s END WHERE id IN (%s, %s)",
        (-one, two, one, -one, -two),
    )


DEEDS: tuple[Callable[[random.Random, Raw], None], ...] = (edit, delete, insert, reorder)


def test_w_09_a_hundred_seeded_tamperings_of_sealed_rows_are_each_found(books: Raw) -> None:
    assert verify().sound
    missed = []
    for seed in range(100):
        dice = random.Random(seed)
        deed = DEEDS[seed % len(DEEDS)]
        deed(dice, books)
        if verify().sound:
            missed.append((seed, deed.__name__))
        restore(books)
    assert missed == []
    assert verify().sound


def cut(raw: Raw, seals: int) -> None:
    """Take the last seals away as if they had never been, and let all else agree."""
    last = LogSeal.objects.order_by("-id")[seals - 1]
    entry = LogEntry.objects.filter(kind="stream.sealed", pk__gte=last.from_id).earliest("pk")
    first = entry.facts["from"]
    raw.execute("DELETE FROM wallets_leg WHERE transfer_id >= %s", (first,))
    raw.execute("DELETE FROM wallets_transfer WHERE id >= %s", (first,))
    raw.execute("DELETE FROM core_logentry WHERE id >= %s", (last.from_id,))
    raw.execute("DELETE FROM core_logseal WHERE id >= %s", (last.pk,))
    raw.execute("""
        UPDATE wallets_account a SET (balance_minor, last_leg_id) = (
            SELECT coalesce(sum(amount_minor), 0), max(id) FROM wallets_leg WHERE account_id = a.id
        )
    """)


@pytest.mark.parametrize("seals", range(1, SEALS + 1))
@pytest.mark.parametrize("anew", [False, True])
def test_w_09_a_cut_tail_is_found_against_an_exported_head(
    books: Raw, tmp_path: Path, seals: int, anew: bool
) -> None:
    """anew: whoever cut it holds the signing key too, and sealed another history."""
    kept = tmp_path / "head.json"
    kept.write_text(json.dumps(head()))
    cut(books, seals)
    if anew:
        for _ in range(seals):
            seated(new_table(), cash=700)
            seal_new()
    assert verify().sound  # the chain alone cannot tell
    out = StringIO()
    with pytest.raises(CommandError, match="exported head"):
        call_command("verify_ledger", against=[kept], stdout=out, stderr=StringIO())
    assert not json.loads(out.getvalue())["seals"]["ok"]


def test_a_sound_history_stands_against_every_head_of_it(table: Table, tmp_path: Path) -> None:
    heads = []
    for number in range(3):
        seated(table, cash=700)
        seal_new()
        heads.append(tmp_path / f"{number}.json")
        heads[-1].write_text(json.dumps(head()))
    out = StringIO()
    call_command("verify_ledger", against=heads, stdout=out, stderr=StringIO())
    report = json.loads(out.getvalue())
    assert (report["ok"], report["seals"]["heads"]) == (True, 3)
    assert Leg.objects.count() == 6
