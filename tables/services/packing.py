"""Packing the events of hands that ended long ago: one compact row a hand, read as before.

Nothing is lost by it: the database takes an event out only where the same stands in the archive.
"""

import logging
import time
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from casino.core.meters import RETIRED
from casino.core.statements import all_rows
from tables.models import Hand

logger = logging.getLogger(__name__)

BATCH = 100
RUN_S = 5.0  # short: whatever else waits for the same worker goes on in between
UNPACKED = "SELECT * FROM tables_hands_unpacked(%s::bigint, %s::integer)"
PACK = "SELECT * FROM tables_hands_pack(%s::bigint[], %s::timestamptz)"


def hands_pack(older_than: timedelta | None = None, most_s: float = RUN_S) -> int:
    """Pack hands that ended longer ago, oldest first, a batch at a time; returns how many.

    older_than: settings.HANDS_PACKED_AFTER_DAYS unless given. most_s: seconds after which no
    further batch is begun. May be stopped, repeated, or run twice at once at any moment: a batch is
    a statement, and locks nothing that play touches.
    """
    if older_than is None:
        older_than = timedelta(days=settings.HANDS_PACKED_AFTER_DAYS)
        if not older_than:
            return 0
    before, began, after, packed = timezone.now() - older_than, time.monotonic(), 0, 0
    while time.monotonic() - began < most_s:
        ids = [row[0] for row in all_rows(UNPACKED, [after, BATCH])]
        done = len(all_rows(PACK, [ids, before])) if ids else 0
        packed += done
        if not ids or (not done and _is_younger(ids[-1], before)):
            break  # ids come in the order of time: what follows is younger still
        after = ids[-1]
    if packed:
        RETIRED.labels("hands").inc(packed)
        logger.info("%s hands packed, as far as hand %s", packed, after)
    return packed


def _is_younger(hand_id: int, than: datetime) -> bool:
    return Hand.objects.filter(pk=hand_id, started_at__gte=than).exists()
