"""What a seat costs beside the bets: told to everybody before he sits down."""

from typing import Any

from django.db.models import Sum

from tables.engine.cards import RANK_TEXT
from tables.engine.rankings.high import CLASSES
from tables.frames import instant
from tables.models import Jackpot, JackpotHit, Table
from wallets.selectors import balances_of


def time_collection(table: Table) -> dict[str, Any] | None:
    """What every seat pays by the clock, and when next; null where nothing is taken."""
    if not table.time_fee_minor:
        return None
    due = table.time_fee_due
    return {
        "amount_minor": table.time_fee_minor,
        "every_s": table.time_fee_every_s,
        "next_at": None if due is None else instant(due),
    }


def meter_minor(jackpot: Jackpot) -> int:
    """What can be won from a jackpot now: its money less what is locked for hits."""
    held = balances_of(account_ids=[jackpot.account_id])[jackpot.account_id]
    locked = jackpot.hits.filter(status=JackpotHit.Status.LOCKED)
    return held - int(locked.aggregate(sum=Sum("amount_minor"))["sum"] or 0)


def jackpot(table: Table) -> dict[str, Any] | None:
    """The jackpot that can be won at a table, by which terms, and what leads; null for none."""
    pool = table.jackpot
    if pool is None:
        return None
    version = pool.terms.order_by("-version").first()
    leading = pool.hits.filter(status=JackpotHit.Status.LEADING).select_related("hand").first()
    return {
        "name": pool.name,
        "meter_minor": meter_minor(pool),
        "terms": None if version is None else {"version": version.version, **version.content},
        "leads": None
        if leading is None or leading.until is None
        else {
            "class": CLASSES[leading.strength[0]],
            "ranks": "".join(RANK_TEXT[rank] for rank in leading.strength[1:]),
            "words": leading.words,
            "until": instant(leading.until),
        },
    }
