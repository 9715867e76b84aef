"""The ledger's transfers as a stream of the sealed log: every column of a transfer and its legs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from hashlib import sha256

from django.db import connection
from django.db.models import Max

from wallets.models import Transfer

ROWS = """
    SELECT t.id, t.key, t.kind, t.phase, t.resolves_id, t.hand_id, t.table_id, t.approval_id,
            t.actor_id, t.reason, t.intent::text, t.leg_count, encode(t.content_hash, 'hex'),
            t.xact_id, (extract(epoch FROM t.created_at) * 1000000)::bigint, l.legs
        FROM wallets_transfer t
        LEFT JOIN LATERAL (
            SELECT string_agg(
                    concat_ws(':', id, position, account_id, currency, amount_minor,
                        balance_after_minor),
                    ',' ORDER BY position, id
                ) AS legs
                FROM wallets_leg WHERE transfer_id = t.id
        ) AS l ON true
        WHERE (t.id >= %(from)s OR %(from)s = 1) AND t.id <= %(to)s
        ORDER BY t.id
"""
TOLD_EVERY = 100_000


class TransferStream:
    """Writers hold the log's lock by the trigger `transfer_before_seal`.

    The hash is worked out from the bare columns, not taken from the row's own: whoever alters a
    row can alter that too. It covers more than a transfer's content: times, ids and the balances
    that the legs left behind.
    """

    name = "transfers"

    def __init__(self) -> None:
        self.told: Callable[[int], object] | None = None
        self._seen = 0

    def last_id(self) -> int:
        return Transfer.objects.aggregate(last=Max("id"))["last"] or 0

    def hashes(self, from_id: int, to_id: int) -> Iterator[tuple[int, bytes]]:
        """From 1 takes in whatever was put before the first."""
        with connection.chunked_cursor() as cursor:
            cursor.execute(ROWS, {"from": from_id, "to": to_id})
            for row in cursor:
                content = json.dumps(["transfer-row-1", *row], separators=(",", ":"))
                yield row[0], sha256(content.encode()).digest()
                self._seen += 1
                if self.told is not None and self._seen % TOLD_EVERY == 0:
                    self.told(self._seen)


TRANSFERS = TransferStream()
