"""The running return of every wager beside its theory, and the alert when they part."""

import math
from typing import Any

from django.conf import settings
from django.db.models.functions import Now

from casino.core.log import log
from casino.core.rows import columns, row_from
from casino.core.statements import one_row
from tables.engine.banked.returns import brought
from tables.engine.banked.rounds import BankedRound
from tables.models import Hand, PaytableReturn
from tables.services.counting import exact

ADD = """
    INSERT INTO tables_paytablereturn (table_id, paytable_id, wager, spots, staked_minor, net_minor,
            expected_minor, variance)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
        ON CONFLICT (table_id, paytable_id, wager) DO UPDATE SET
            spots = tables_paytablereturn.spots + EXCLUDED.spots,
            staked_minor = tables_paytablereturn.staked_minor + EXCLUDED.staked_minor,
            net_minor = tables_paytablereturn.net_minor + EXCLUDED.net_minor,
            expected_minor = tables_paytablereturn.expected_minor + EXCLUDED.expected_minor,
            variance = tables_paytablereturn.variance + EXCLUDED.variance
        RETURNING """


def round_recorded(hand: Hand, played: BankedRound) -> None:
    """Add a settled round, once, in the transaction that settles it; alert on leaving the band."""
    assert hand.paytable_id is not None
    for wager, what in brought(played).items():
        figures = [
            what.spots, what.staked_minor, what.net_minor, exact(what.expected_minor),
            exact(what.variance),
        ]  # fmt: skip
        place = [hand.table_id, hand.paytable_id, wager]
        _judge(row_from(PaytableReturn, one_row(ADD + columns(PaytableReturn), place + figures)))


def _judge(row: PaytableReturn) -> None:
    apart = standard_errors(row)
    is_outside = row.spots >= settings.RETURN_SPOTS_LEAST and abs(apart) > settings.RETURN_BAND
    if is_outside == (row.outside_since is not None):
        return
    row.outside_since = Now() if is_outside else None
    row.save(update_fields=["outside_since"])
    log(
        "paytable.outside_band" if is_outside else "paytable.inside_band",
        f"paytable:{row.paytable_id}",
        None,
        {"table": row.table_id, "wager": row.wager, **figures(row)},
    )


def standard_errors(row: PaytableReturn) -> float:
    """How far players' winnings are from theory; above 0: they won more."""
    if not row.variance:
        return 0.0
    apart: float = float(row.net_minor - row.expected_minor) / math.sqrt(row.variance)
    return apart


def figures(row: PaytableReturn) -> dict[str, Any]:
    """Actual and theoretical return in percent of the stake, with the band around the latter."""
    staked = row.staked_minor or 1
    theory = 1 + float(row.expected_minor) / staked
    half = settings.RETURN_BAND * math.sqrt(row.variance) / staked
    return {
        "spots": row.spots,
        "staked_minor": row.staked_minor,
        "net_minor": row.net_minor,
        "actual_percent": round(100 * (1 + row.net_minor / staked), 4),
        "theoretical_percent": round(100 * theory, 4),
        "band_percent": [round(100 * (theory - half), 4), round(100 * (theory + half), 4)],
        "standard_errors": round(standard_errors(row), 3),
    }
