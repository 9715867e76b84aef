"""Time that moves only when the simulation says so, for every process at once.

The run-time takes the time from the database, so a schema that is searched before PostgreSQL's own
gives it another. The ledger's functions name theirs and keep the real one.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# One expression, so that PostgreSQL puts it in the place of the call.
MOMENT = """
CREATE FUNCTION simulated.{name}() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
    SELECT timestamptz 'epoch'
        + pg_sequence_last_value('simulated.micros') * interval '1 microsecond' $$;
"""
NAMES = ("clock_timestamp", "statement_timestamp", "now")
MADE = f"""
DROP SCHEMA IF EXISTS simulated CASCADE;
CREATE SCHEMA simulated;
CREATE SEQUENCE simulated.micros;
SELECT setval(
    'simulated.micros', (extract(epoch FROM date_trunc('second', now())) * 1000000)::bigint);
{"".join(MOMENT.format(name=name) for name in NAMES)}
GRANT USAGE ON SCHEMA simulated TO app;
GRANT SELECT ON simulated.micros TO app;
UPDATE public.tables_pulse SET at = simulated.clock_timestamp();
"""
GONE = "DROP SCHEMA IF EXISTS simulated CASCADE"
NEXT = """
    SELECT extract(epoch FROM min(at) - simulated.clock_timestamp()) * 1000 FROM (
        SELECT deadline AS at FROM public.tables_table
        UNION ALL SELECT next_deal_at FROM public.tables_table WHERE status = 'open'
        UNION ALL SELECT claimed_at + interval '2 s' FROM public.tables_table WHERE finished
        UNION ALL SELECT due FROM public.tables_cut WHERE status IN ('open', 'listed')
    ) AS due WHERE at > simulated.clock_timestamp()
"""


class Moments:
    """admin: a superuser's connection in autocommit."""

    def __init__(self, admin: psycopg.Connection[Any]) -> None:
        self.admin = admin
        admin.execute(MADE)
        (self.began_us,) = self._row("SELECT last_value FROM simulated.micros")
        self.now_ms = 0

    def close(self) -> None:
        self.admin.execute(GONE)

    def advance(self, ms: int) -> None:
        self.now_ms += ms
        self.admin.execute(
            "SELECT setval('simulated.micros', %s)", [self.began_us + 1000 * self.now_ms]
        )

    def now(self) -> datetime:
        """For what takes a process's own clock: there is no other time here."""
        return EPOCH + timedelta(microseconds=self.began_us + 1000 * self.now_ms)

    def next_ms(self) -> int | None:
        """Milliseconds until something is due; None when nothing ever is."""
        (ms,) = self._row(NEXT)
        return None if ms is None else int(ms) + 1

    def parsed_ms(self, told: str) -> int:
        """A moment as a turn tells it, in milliseconds since the simulation began."""
        return round(datetime.fromisoformat(told).timestamp() * 1000) - self.began_us // 1000

    def _row(self, query: str) -> tuple[Any, ...]:
        row = self.admin.execute(query).fetchone()
        assert row is not None
        return row
