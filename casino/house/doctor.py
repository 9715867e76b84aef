"""`manage.py doctor`: is this house well? Each question is one line, with what to do about a no.

A house at rest (just restored, not opened yet) is asked only what its database and keys can tell.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import redis
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from casino.core.errors import SigningKeyUnusable
from casino.core.seal import signing_key
from casino.house.places import free_mb
from tables import beliefs, entropy, lateness, room, vault
from tables.errors import EntropyFailed
from tables.models import Hand, HandSecret

WELL, WARNING, FAULT = "ok", "warning", "fault"
DRIFT_MOST_S = 1.0
SILENT_MOST_S = 5.0
LATE_MOST_S = 15.0
UNSEALED_MOST_S = 300.0
UNPACKED_MOST_DAYS, UNPACKED_LOOKED_AT = 2, 1_000
FREE_LEAST_MB = 1024
CONNECTIONS_MOST_SHARE = 0.8
LATE_WORDS = {
    "cards": "{} hands wait for their cards: does a clock run?",
    "deal": "{} tables wait for their next hand: do a clock and workers run?",
    "decision": "{} decisions are late: does a clock run?",
    "payment": "{} hands wait for their payment: do workers run?",
}


@dataclass(frozen=True)
class Finding:
    """The answer to one question. grade: ok, warning or fault; a fault must be mended."""

    question: str
    grade: str
    words: str


Question = Callable[[], Iterator[Finding]]


def examine(*, at_rest: bool = False) -> list[Finding]:
    """Ask everything; a question that cannot even be put is a fault with its reason."""
    found: list[Finding] = []
    is_away = False  # the database did not answer the first question; the rest would say it again
    asked = AT_REST if at_rest else (*AT_REST, *AT_WORK)
    for question in asked:
        if is_away and question not in WITHOUT_DATABASE:
            continue
        name = question.__name__.removeprefix("_").replace("_", " ")
        try:
            answers = [*question()]
        except (DatabaseError, redis.RedisError, OSError, ValueError) as error:
            lines = str(error).strip().splitlines()
            answers = [Finding(name, FAULT, lines[0] if lines else type(error).__name__)]
            is_away = is_away or question is _database
            connection.close()
        found += answers or [Finding(name, WELL, "")]
    return found


def _database() -> Iterator[Finding]:
    version, superuser, may_create, recovering, read_only = _row(
        "SELECT current_setting('server_version'), r.rolsuper,"
        " has_schema_privilege('public', 'CREATE'), pg_is_in_recovery(),"
        " current_setting('transaction_read_only') = 'on'"
        " FROM pg_roles r WHERE rolname = current_user"
    )
    if recovering:
        words = "it is a standby or still being recovered: what it holds is not yet all it will"
        yield Finding("database", FAULT, words)
    elif read_only:
        yield Finding("database", FAULT, "it takes no writes: default_transaction_read_only is on")
    elif superuser or may_create:
        yield Finding("database", FAULT, "the house runs with rights to change the schema")
    else:
        yield Finding("database", WELL, f"PostgreSQL {version}")


def _schema() -> Iterator[Finding]:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        yield Finding("schema", FAULT, f"{len(plan)} migrations are not applied: manage.py migrate")


def _durability() -> Iterator[Finding]:
    for name in ("fsync", "synchronous_commit", "full_page_writes"):
        (value,) = _row("SELECT current_setting(%s)", name)
        if value != "on":
            grade = FAULT if settings.PRODUCTION else WARNING
            yield Finding("durability", grade, f"{name} is {value}: a power cut may lose money")


def _database_log() -> Iterator[Finding]:
    (length,) = _row("SELECT current_setting('log_parameter_max_length_on_error')")
    if length != "0":
        words = "log_parameter_max_length_on_error is not 0: cards may reach PostgreSQL's log"
        yield Finding("database log", FAULT, words)


def _keys() -> Iterator[Finding]:
    try:
        vault.keys()
        signing_key()
    except (ImproperlyConfigured, SigningKeyUnusable) as error:
        yield Finding("keys", FAULT, str(error))
        return
    hands = Hand.objects.filter(status__in=[Hand.Status.OPEN, Hand.Status.FINISHED])
    decks_of = {hand.pk: {hand.deck_id, *hand.more_decks} - {None} for hand in hands.iterator()}
    unread = _unread(set().union(*decks_of.values()))
    closed = sum(1 for decks in decks_of.values() if decks & unread)
    if closed:
        words = (
            f"the cards of {closed} hands in play open with no key: bring the key into CARD_KEYS;"
            " where it is lost, void those hands"
        )
        yield Finding("keys", FAULT, words)
        return
    # Of tables that are open alone: hands of another house's archive may be here without its key.
    last = {
        deck_id
        for (deck_id,) in _rows(
            "SELECT h.deck_id FROM tables_table t JOIN tables_hand h ON h.table_id = t.id"
            " AND h.number = t.hand_number WHERE t.status <> 'closed' AND h.deck_id IS NOT NULL"
        )
    }
    if _unread(last):
        words = "decks of hands that are over open with no key: bring the key into CARD_KEYS"
        yield Finding("keys", FAULT, f"{words}; without it they have no proof")
        return
    yield Finding("keys", WELL, f"the cards of {len(decks_of)} hands in play can be read")


def _unread(decks: set[int]) -> set[int]:
    """Those of the decks whose secret no key of ours opens, or that have none."""
    found = set(decks)
    for secret in HandSecret.objects.filter(deck_id__in=decks):
        try:
            vault.unseal(secret.sealed, beliefs.deck_label(secret.pk))
        except vault.SecretUnreadable:
            continue
        found.discard(secret.pk)
    return found


def _books() -> Iterator[Finding]:
    for currency, total in _rows(
        "SELECT currency_id, sum(balance_minor) FROM wallets_account GROUP BY 1"
        " HAVING sum(balance_minor) <> 0"
    ):
        yield Finding("books", FAULT, f"{currency} is {total} minor units out: verify_ledger")


def _entropy() -> Iterator[Finding]:
    try:
        entropy.seed()
    except EntropyFailed as error:
        yield Finding("entropy", FAULT, str(error))


def _disk() -> Iterator[Finding]:
    # None for parts in containers of their own, which keep nothing.
    disks = {folder.stat().st_dev: folder for folder in room.folders()}
    for folder in disks.values():
        free = free_mb(folder)
        grade = FAULT if room.is_short_at(folder) else WELL if free >= FREE_LEAST_MB else WARNING
        total = shutil.disk_usage(folder).total // 1_000_000
        where = f" at {folder}" * (len(disks) > 1)
        yield Finding("disk", grade, f"{free:,} of {total:,} MB free{where}")


def _clock() -> Iterator[Finding]:
    before = datetime.now(UTC)
    (there,) = _row("SELECT clock_timestamp()")
    drift_s = max((before - there).total_seconds(), (there - datetime.now(UTC)).total_seconds())
    if drift_s > DRIFT_MOST_S:
        words = f"this machine and the database differ by {drift_s:.1f} s"
        yield Finding("clock", WARNING, words)


def _parts() -> Iterator[Finding]:
    ages = dict(
        _rows("SELECT kind, extract(epoch FROM clock_timestamp() - at)::float FROM tables_pulse")
    )
    for kind in ("web", "clock"):
        if ages.get(kind, SILENT_MOST_S + 1) > SILENT_MOST_S:
            yield Finding("parts", FAULT, f"no {kind} process is alive")


def _hands() -> Iterator[Finding]:
    (before,) = _row("SELECT clock_timestamp() - %s * interval '1 second'", LATE_MOST_S)
    found = Counter(one.what for one in lateness.late(before))
    for what, words in LATE_WORDS.items():
        if found[what]:
            yield Finding("hands", FAULT, words.format(found[what]))


def _log() -> Iterator[Finding]:
    (age_s,) = _row(
        "SELECT extract(epoch FROM clock_timestamp() - min(at))::float FROM core_logentry"
        " WHERE id > (SELECT coalesce(max(to_id), 0) FROM core_logseal)"
    )
    if age_s is not None and age_s > UNSEALED_MOST_S:
        words = f"entries of {age_s / 60:.0f} minutes ago are not sealed: does the long queue run?"
        yield Finding("log", WARNING, words)


def _packing() -> Iterator[Finding]:
    if not settings.HANDS_PACKED_AFTER_DAYS:
        return
    (waiting,) = _row(
        "SELECT count(*) FROM tables_hands_unpacked(0, %s) AS unpacked (id)"
        " JOIN tables_hand h ON h.id = unpacked.id JOIN tables_table t ON t.id = h.table_id"
        " WHERE h.number < t.hand_number"
        " AND h.settled_at < clock_timestamp() - %s * interval '1 day'"
        # What was told of a hand after it was packed lies apart for good.
        " AND NOT EXISTS (SELECT FROM tables_handarchive a WHERE a.hand_id = h.id)",
        UNPACKED_LOOKED_AT,
        settings.HANDS_PACKED_AFTER_DAYS + UNPACKED_MOST_DAYS,
    )
    if waiting:
        words = f"{waiting} hands or more should be packed by now: does the long queue run?"
        yield Finding("packing", WARNING, words)


def _valkey() -> Iterator[Finding]:
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2)
    with client:
        memory: Any = client.info("memory")
        kept: Any = client.info("persistence")
        version: Any = client.info("server")
    if memory["maxmemory_policy"] != "noeviction":
        yield Finding("valkey", WARNING, "maxmemory-policy is not noeviction: tasks come late")
    if not kept["aof_enabled"]:
        yield Finding("valkey", WARNING, "appendonly is off: after a restart tasks come late")
    name = "Valkey" if "valkey_version" in version else "Redis"
    yield Finding(
        "valkey", WELL, f"{name} {version.get('valkey_version', version['redis_version'])}"
    )


def _connections() -> Iterator[Finding]:
    used, most = _row(
        "SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),"
        " current_setting('max_connections')::int"
    )
    grade = WELL if used <= most * CONNECTIONS_MOST_SHARE else WARNING
    yield Finding("connections", grade, f"{used} of {most} used")


AT_REST: tuple[Question, ...] = (
    _database, _schema, _durability, _database_log, _keys, _books, _entropy, _disk,
)  # fmt: skip
AT_WORK: tuple[Question, ...] = (
    _clock, _parts, _hands, _log, _packing, _valkey, _connections,
)  # fmt: skip
WITHOUT_DATABASE = {_entropy, _disk, _valkey}


def _row(statement: str, *values: str | float) -> tuple[Any, ...]:
    (row,) = _rows(statement, *values)
    return row


def _rows(statement: str, *values: str | float) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
        return list(cursor.fetchall())
