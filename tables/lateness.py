"""What should have been done at a table by now and was not, whoever asks: floor or doctor."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from casino.core.statements import all_rows

# A payment's lateness is not told by when it was claimed: the clock claims what cannot be done anew
# every two seconds.
LATE = """
    WITH looked_at AS (
        SELECT t.* FROM tables_table t WHERE %(tables)s::bigint[] IS NULL OR t.id = ANY(%(tables)s)
    )
    SELECT t.id, t.deadline, 'decision' FROM looked_at t
        WHERE t.hand_id IS NOT NULL AND t.deadline < %(before)s
    UNION ALL SELECT t.id, e.at, 'payment' FROM looked_at t
        JOIN tables_event e ON e.table_id = t.id AND e.seq = t.seq
        WHERE t.finished AND e.at < %(before)s
    UNION ALL SELECT t.id, c.due, 'cards' FROM looked_at t
        JOIN tables_cut c ON c.hand_id = t.hand_id AND c.status IN ('open', 'listed')
        WHERE t.status <> 'stopped' AND c.due < %(before)s
    UNION ALL SELECT t.id, t.next_deal_at, 'deal' FROM looked_at t
        WHERE t.hand_id IS NULL AND t.status = 'open' AND t.next_deal_at < %(before)s
            AND NOT EXISTS (SELECT FROM tables_housestop s
                WHERE s.game IN ('', t.game) AND s.lifted_at IS NULL)
    ORDER BY 1, 2
"""


class Late(NamedTuple):
    """what: a decision, a payment, cards (of a hand whose seeds' window keeps them) or a deal (of
    the next hand)."""

    table_id: int
    since: datetime
    what: str


def late(before: datetime, table_ids: Sequence[int] | None = None) -> list[Late]:
    """What was due before that moment at these tables, or at any; the oldest of a table first."""
    tables = None if table_ids is None else list(table_ids)
    return [Late(*row) for row in all_rows(LATE, {"before": before, "tables": tables})]
