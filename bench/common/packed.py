"""Hands that ended long ago, loaded by COPY: their rows, who was dealt in, their packed events.

They are the hands that `bench.console` makes, number by number, as they are once they are packed;
what a hand leaves in the ledger, the sealed log and its decks is not made. After the first two
hundred thousand the same hands come again under later numbers: to make them all would take hours.
"""

import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import orjson

AT_ONCE = 100_000
MADE = 200_000
EVENTS_A_HAND = 8
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
HAND = (
    "id, table_id, number, game, definition, options, engine_version, seats, button, more_decks,"
    " status, result, final_view, first_seq, last_seq, started_at, settled_at"
)
ARCHIVE = "hand_id, table_id, rows, first_seq, last_seq, events, private, packed_at"
AGAIN = (
    f"""INSERT INTO tables_hand ({HAND})
        SELECT id + %(by)s, table_id, number + %(deals)s, game, definition, options,
            engine_version, seats, button, more_decks, status, result, final_view,
            first_seq + %(seqs)s, last_seq + %(seqs)s, started_at + %(later)s,
            settled_at + %(later)s
        FROM tables_hand WHERE id >= %(first)s AND id < %(end)s ORDER BY id""",
    "INSERT INTO tables_dealt (player_id, hand_id)"
    " SELECT player_id, hand_id + %(by)s FROM dealt_first WHERE hand_id < %(end)s",
    f"""INSERT INTO tables_handarchive ({ARCHIVE})
        SELECT hand_id + %(by)s, table_id, rows, first_seq + %(seqs)s, last_seq + %(seqs)s, events,
            private, packed_at + %(later)s
        FROM tables_handarchive WHERE hand_id >= %(first)s AND hand_id < %(end)s
        ORDER BY hand_id""",
)


class History:
    """players, tables, seats: how many of each. before: numbers of events used already."""

    def __init__(
        self, raw: Any, *, first: int, tables: int, players: int, seats: int, before: int,
        since: datetime, step: timedelta,
    ) -> None:  # fmt: skip
        self.raw, self.first, self.tables = raw, first, tables
        self.others, self.places, self.before = players // tables - 1, range(1, seats + 1), before
        self.since_us, self.step_us = (since - EPOCH) // MICROSECOND, step / MICROSECOND
        self.at = {
            nth: (table_id, f"{game}\t{definition}\t{options}")
            for nth, table_id, game, definition, options in raw.execute(
                "SELECT nth, id, game, definition::text, options::text FROM bench_table"
            )
        }
        self.accounts: Mapping[int, int] = dict(raw.execute("SELECT player, seat FROM bench_seat"))
        told = orjson.dumps([
            {"type": "action_taken", "public": {
                "seat": 1, "name": "call", "amount_minor": 100, "to_minor": 100,
                "stack_minor": 49900}},
            {"type": "pot_changed", "public": {
                "pots": [{"amount_minor": 600, "seats": [1, 2, 3, 4, 5, 6]}]}},
        ]).decode()  # fmt: skip
        self.told = escaped(orjson.dumps(told).decode())

    def load(self, hands: int) -> None:
        """The first so many hands of the history, into tables that are empty yet."""
        with self.raw.transaction():
            # Emptied in the transaction that fills them, they are not written to the log of the
            # database too.
            self.raw.execute("TRUNCATE tables_hand, tables_dealt, tables_handarchive CASCADE")
            # Its index is made of all rows at once: quicker than row by row.
            self.raw.execute("ALTER TABLE tables_dealt DROP CONSTRAINT tables_dealt_pkey")
            self.made(0, min(hands, MADE))
            self.raw.execute("CREATE TEMP TABLE dealt_first AS SELECT * FROM tables_dealt")
            for low in range(MADE, hands, MADE):
                self.again(low, min(MADE, hands - low))
            self.raw.execute("SET LOCAL maintenance_work_mem = '1GB'")
            self.raw.execute("ALTER TABLE tables_dealt ADD PRIMARY KEY (player_id, hand_id)")

    def again(self, low: int, hands: int) -> None:
        """The first so many hands once more, from the number `low` on."""
        deals = low // self.tables
        facts = {
            "by": low, "deals": deals, "seqs": deals * EVENTS_A_HAND, "first": self.first,
            "end": self.first + hands, "later": timedelta(microseconds=low * self.step_us),
        }  # fmt: skip
        for statement in AGAIN:
            self.raw.execute(statement, facts)
        print(f"{low + hands:,} hands", file=sys.stderr, flush=True)

    def made(self, first: int, end: int) -> None:
        for low in range(first, end, AT_ONCE):
            numbers = range(low, min(low + AT_ONCE, end))
            self.copied(f"COPY tables_hand ({HAND}) FROM STDIN", map(self.hand, numbers))
            self.copied(
                "COPY tables_dealt (player_id, hand_id) FROM STDIN", map(self.dealt, numbers)
            )
            self.copied(
                f"COPY tables_handarchive ({ARCHIVE}) FROM STDIN", map(self.archive, numbers)
            )

    def copied(self, statement: str, rows: Iterator[str]) -> None:
        with self.raw.cursor().copy(statement) as copy:
            batch: list[str] = []
            for row in rows:
                batch.append(row)
                if len(batch) == 500:
                    copy.write("".join(batch))
                    batch.clear()
            copy.write("".join(batch))

    def players(self, n: int) -> list[int]:
        """Seat 1 is always the same player's, the others take turns."""
        table, turn = n % self.tables, n // self.tables * 5
        return [
            self.first + table + self.tables * (place > 1 and 1 + (turn + place) % self.others)
            for place in self.places
        ]

    def began(self, n: int, later_s: int = 0) -> str:
        return (EPOCH + timedelta(microseconds=self.micros(n) + later_s * 10**6)).isoformat()

    def micros(self, n: int) -> int:
        return self.since_us + int(n * self.step_us)

    def hand(self, n: int) -> str:
        table_id, rules = self.at[n % self.tables]
        number = n // self.tables + 1
        seats = ",".join(
            f'"{place}":{{"player":{player},"name":"Guest {player - self.first}",'
            f'"account":{self.accounts[player]},"stack_minor":50000}}'
            for place, player in enumerate(self.players(n), 1)
        )
        seq = self.seq(n)
        return (
            f"{self.first + n}\t{table_id}\t{number}\t{rules}\t1\t{{{seats}}}\t1\t[]\tsettled\t"
            f'{{"rake_minor":0,"nets_minor":{{"1":300,"2":300,"3":{n * 7919 % 1000 * -100},'
            f'"4":0,"5":0,"6":0}}}}\t{{"board":["As","Kd","7h","7c","2s"],"number":{number}}}\t'
            f"{seq + 1}\t{seq + EVENTS_A_HAND}\t{self.began(n)}\t{self.began(n, 40)}\n"
        )

    def seq(self, n: int) -> int:
        return self.before + n // self.tables * EVENTS_A_HAND

    def dealt(self, n: int) -> str:
        return "".join(f"{player}\t{self.first + n}\n" for player in self.players(n))

    def archive(self, n: int) -> str:
        seq, at = self.seq(n), self.micros(n)
        rows = ",".join(
            f"[{n * EVENTS_A_HAND + i},{seq + i},null,{self.told},null,[],{at + i * 6_000_000}]"
            for i in range(1, EVENTS_A_HAND + 1)
        )
        cards = sha256(str(n).encode()).hexdigest() * 3
        private = f'{{"\\\\\\\\x{cards}",NULL,NULL,NULL,NULL,NULL}}'
        return (
            f"{self.first + n}\t{self.at[n % self.tables][0]}\t{EVENTS_A_HAND}\t{seq + 1}\t"
            f"{seq + EVENTS_A_HAND}\t[{rows}]\t{private}\t{self.began(n, 2_592_000)}\n"
        )


def escaped(text: str) -> str:
    """As COPY's text format takes it."""
    return text.replace("\\", "\\\\")
