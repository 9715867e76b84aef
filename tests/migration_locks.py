"""What a migration's SQL would do to a house that plays meanwhile, read from the SQL alone.

A hot table is written by every hand. A lock on it that lasts as long as the table is large stops
the floor, and a change that the version before does not survive ends its processes while both run.
Each rule says what to write instead. Sources: PostgreSQL's manual, ALTER TABLE, explicit locking.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

HOT = frozenset((
    "core_idempotentrequest", "core_logentry", "core_ticket", "core_token", "core_user",
    "tables_clocksheld", "tables_cut", "tables_dealt", "tables_deck", "tables_event", "tables_hand",
    "tables_handarchive", "tables_handsecret", "tables_interruption", "tables_seat",
    "tables_seedcommitment", "tables_table", "tables_tablehour", "wallets_account", "wallets_leg",
    "wallets_playerlimits", "wallets_transfer",
))  # fmt: skip
NAME = r'(?:ONLY\s+)?(?:"?public"?\.)?"?(\w+)"?'
COMMENT = re.compile(r"--[^\n]*")
DOLLARS = re.compile(r"\$(\w*)\$")
ALTERED = re.compile(rf"ALTER TABLE (?:IF EXISTS )?{NAME}\s+(.*)", re.I | re.S)
INDEXED = re.compile(rf"CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?.*? ON {NAME}", re.I | re.S)
ALONE = re.compile(r'CREATE (?:UNIQUE )?INDEX CONCURRENTLY "?(\w+)"?', re.I)
DROPPED = re.compile(r'DROP INDEX CONCURRENTLY (IF EXISTS )?"?(\w+)"?', re.I)
CREATED = re.compile(rf"CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?{NAME}", re.I)
WRITTEN = re.compile(rf"(?:UPDATE|DELETE FROM) {NAME}\b", re.I)
WHOLE = re.compile(rf"(?:LOCK TABLE|LOCK|TRUNCATE TABLE|TRUNCATE|CLUSTER|VACUUM FULL) {NAME}", re.I)
REINDEXED = re.compile(rf"REINDEX (?:TABLE|INDEX) (CONCURRENTLY )?{NAME}", re.I)
NOT_NULL_CHECK = re.compile(r'CHECK \(+"?(\w+)"? IS NOT NULL\)+', re.I)
# What PostgreSQL works out once, whatever the row.
CONSTANT = re.compile(
    r"DEFAULT (?:'[^']*'|-?[\d.]+|true|false|null|now\(\)|statement_timestamp\(\)|"
    r"current_timestamp|current_date)(?:::[\w \[\]()]+)?(?=$|[\s,])", re.I,
)  # fmt: skip


class Finding(NamedTuple):
    """rule: what is wrong; instead: what to do; statement: where."""

    rule: str
    instead: str
    statement: str


RULES = {
    "index": "CREATE INDEX CONCURRENTLY, in a migration that is not atomic",
    "once_only": "DROP INDEX CONCURRENTLY IF EXISTS, first: a broken-off one bears the name",
    "rewritten": "a column without that default, filled in parts, the default set afterwards",
    "not_null": "a CHECK (... IS NOT NULL) NOT VALID, validated in a later migration, first",
    "type": "a new column, written by both versions, and the old one dropped a release later",
    "constraint": "NOT VALID now, VALIDATE CONSTRAINT in a later migration",
    "unique": "a unique index made CONCURRENTLY, then ADD CONSTRAINT ... USING INDEX",
    "validated_at_once": "VALIDATE CONSTRAINT in a later migration: the lock of its adding is held",
    "whole_table": "nothing that takes the table away from others",
    "many_rows": "rows changed in parts, by a command that commits between them",
    "old_code_reads": "dropped or renamed a release after the last code that names it (contracts)",
    "old_code_writes": "db_default: the version before inserts without the column",
}


def findings(sql: str, *, contracts: bool = False) -> list[Finding]:
    """What one migration's SQL does that a running house would feel.

    contracts: the migration says that no code in use names what it drops or renames.
    """
    found: list[Finding] = []
    new: set[str] = set()
    added: set[str] = set()
    checked: set[str] = set()
    gone: set[str] = set()
    for statement in statements(sql):
        if made := CREATED.match(statement):
            new.add(made[1])
        if dropped := DROPPED.match(statement):
            gone.add(dropped[2])
        for rule in (*_once_only(statement, gone), *_broken(statement, new, added, checked)):
            if rule != "old_code_reads" or not contracts:
                found.append(Finding(rule, RULES[rule], " ".join(statement.split())))
    return found


def statements(sql: str) -> Iterator[str]:
    """Its statements one by one; what stands between dollars is one piece of its own."""
    text, start, at = COMMENT.sub("", sql), 0, 0
    while at < len(text):
        if text[at] == "'":
            at = text.index("'", at + 1)
        elif text[at] == "$" and (quote := DOLLARS.match(text, at)):
            at = text.index(quote[0], quote.end()) + len(quote[0]) - 1
        elif text[at] == ";":
            if text[start:at].strip():
                yield text[start:at].strip()
            start = at + 1
        at += 1
    if text[start:].strip():
        yield text[start:].strip()


def _once_only(statement: str, gone: set[str]) -> Iterator[str]:
    """What is done outside a transaction stays half done, and the migration is repeated."""
    made, dropped = ALONE.match(statement), DROPPED.match(statement)
    if (made and made[1] not in gone) or (dropped and not dropped[1]):
        yield "once_only"


def _broken(statement: str, new: set[str], added: set[str], checked: set[str]) -> Iterator[str]:
    def hot(name: str) -> bool:
        return name in HOT and name not in new

    if (made := INDEXED.match(statement)) and hot(made[2]) and not made[1]:
        yield "index"
    if (again := REINDEXED.match(statement)) and not again[1]:
        yield "whole_table"
    if (taken := WHOLE.match(statement)) and hot(taken[1]):
        yield "whole_table"
    if (written := WRITTEN.match(statement)) and hot(written[1]):
        yield "many_rows"
    altered = ALTERED.match(statement)
    if altered and hot(altered[1]):
        for action in actions(altered[2]):
            yield from _action(action, added, checked)


def actions(text: str) -> list[str]:
    """The parts of one ALTER TABLE: commas within brackets or quotes do not part them."""
    parts, depth, quoted, start = [], 0, False, 0
    for at, sign in enumerate(text):
        quoted ^= sign == "'"
        depth += 0 if quoted else {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and not depth and not quoted:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


def _action(action: str, added: set[str], checked: set[str]) -> Iterator[str]:
    words = action.upper().split()
    match words:
        case ["ADD", "CONSTRAINT", *_]:
            yield from _constraint(action, added, checked)
        case ["ADD", *_]:
            yield from _column(action)
        case ["VALIDATE", "CONSTRAINT", *_]:
            if _name(action, 2) in added:
                yield "validated_at_once"
            checked.add(_name(action, 2))
        case ["ALTER", "COLUMN", _, "SET", "NOT", "NULL"]:
            if f"not null {_name(action, 2)}" not in checked:
                yield "not_null"
        case ["ALTER", "COLUMN", _, "TYPE", *_] | ["ALTER", "COLUMN", _, "SET", "DATA", *_]:
            yield "type"
        case ["ALTER", "COLUMN", _, "DROP", "DEFAULT"]:
            if f"column {_name(action, 2)}" in added:
                yield "old_code_writes"
        case ["DROP", "COLUMN", *_] | ["RENAME", *_]:
            yield "old_code_reads"
        case ["SET", "TABLESPACE", *_] | ["SET", "LOGGED" | "UNLOGGED"]:
            yield "whole_table"
    if words[:2] == ["ADD", "COLUMN"] and "NOT NULL" in action.upper():
        added.add(f"column {_name(action, 2)}")


def _column(action: str) -> Iterator[str]:
    upper = action.upper()
    if re.search(r"\b(BIG|SMALL)?SERIAL\b|GENERATED\b", upper) or (
        " DEFAULT " in upper and not CONSTANT.search(action)
    ):
        yield "rewritten"
    elif "NOT NULL" in upper and " DEFAULT " not in upper:
        yield "not_null"
    if re.search(r"\bREFERENCES\b|\bCHECK\b", upper):
        yield "constraint"
    if re.search(r"\bUNIQUE\b|\bPRIMARY KEY\b", upper):
        yield "unique"


def _constraint(action: str, added: set[str], checked: set[str]) -> Iterator[str]:
    upper = action.upper()
    if re.search(r"\bUNIQUE\b|\bPRIMARY KEY\b|\bEXCLUDE\b", upper):
        if "USING INDEX" not in upper:
            yield "unique"
        return
    added.add(_name(action, 2))
    if "NOT VALID" not in upper:
        yield "constraint"


def _name(action: str, place: int) -> str:
    return action.split()[place].strip('"')


def told(found: Sequence[Finding]) -> str:
    return "\n".join(f"{one.rule}: {one.statement}\n  instead: {one.instead}" for one in found)
