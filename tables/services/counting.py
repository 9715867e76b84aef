"""What a table did, added up by the hour while it happens, in the transaction that did it."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.db import connection
from django.utils import timezone

from tables.engine.banked.returns import brought
from tables.engine.banked.rounds import BankedRound
from tables.models import Hand
from wallets.controlling import reverse_key
from wallets.gaming_day import gaming_day
from wallets.selectors import posted_at
from wallets.services import settle_key

MICRO = 10**6

ADD = """
    INSERT INTO tables_tablehour AS h (table_id, gaming_day, hour, dealer_id, hands, voided,
            seats_dealt, drop_minor, staked_minor, won_minor, expected_minor, variance,
            tips_minor, jackpot_in_minor, jackpot_out_minor)
        VALUES (%(table)s, %(day)s, date_trunc('hour', %(at)s),
            coalesce(%(dealer)s, (
                SELECT dealer_id FROM tables_shift
                    WHERE table_id = %(table)s AND ended_at IS NULL
            )),
            %(hands)s, %(voided)s, %(seats)s, %(drop)s, %(staked)s, %(won)s, %(expected)s,
            %(variance)s, %(tips)s, %(jackpot_in)s, %(jackpot_out)s)
        ON CONFLICT (gaming_day, table_id, hour, dealer_id) DO UPDATE SET
            hands = h.hands + EXCLUDED.hands,
            voided = h.voided + EXCLUDED.voided,
            seats_dealt = h.seats_dealt + EXCLUDED.seats_dealt,
            drop_minor = h.drop_minor + EXCLUDED.drop_minor,
            staked_minor = h.staked_minor + EXCLUDED.staked_minor,
            won_minor = h.won_minor + EXCLUDED.won_minor,
            expected_minor = h.expected_minor + EXCLUDED.expected_minor,
            variance = h.variance + EXCLUDED.variance,
            tips_minor = h.tips_minor + EXCLUDED.tips_minor,
            jackpot_in_minor = h.jackpot_in_minor + EXCLUDED.jackpot_in_minor,
            jackpot_out_minor = h.jackpot_out_minor + EXCLUDED.jackpot_out_minor
"""
NOTHING: Mapping[str, Any] = dict.fromkeys(
    (
        "hands", "voided", "seats", "drop", "staked", "won", "expected", "variance", "tips",
        "jackpot_in", "jackpot_out",
    ), 0,
)  # fmt: skip


def chips_bought(table_id: int, amount_minor: int) -> None:
    _add(table_id, timezone.now(), drop=amount_minor)


def hand_settled(hand: Hand, won_minor: int, played: BankedRound | None) -> None:
    """won_minor: what bank or rake gained by it. played: the round, at games against the house."""
    figures: dict[str, Any] = {}
    if played is not None:
        by_wager = brought(played).values()
        figures = {
            "expected": exact(-sum((what.expected_minor for what in by_wager), Fraction(0))),
            "variance": exact(sum((what.variance for what in by_wager), Fraction(0))),
            "staked": _staked_minor(hand),
        }
    at = posted_at(settle_key(hand.pk)) or timezone.now()
    figures |= _jackpot(hand)
    _add(hand.table_id, at, hands=1, seats=len(hand.seats), won=won_minor, **figures)


def time_collected(table_id: int, won_minor: int, key: str) -> None:
    """Rake by the clock. key: of the transfer that took it."""
    _add(table_id, posted_at(key) or timezone.now(), won=won_minor)


def tipped(table_id: int, amount_minor: int, key: str, dealer_id: int | None = None) -> None:
    """What the dealers were given. key: of the transfer. dealer_id: whose box it lay in; None: who
    is signed on."""
    at = posted_at(key) or timezone.now()
    _add(table_id, at, tips=amount_minor, dealer=dealer_id)


def jackpot_paid(table_id: int, amount_minor: int, key: str) -> None:
    """A hit of the table's was paid. key: of the transfer."""
    _add(table_id, posted_at(key) or timezone.now(), jackpot_out=amount_minor)


def hand_voided(hand: Hand) -> None:
    _add(hand.table_id, timezone.now(), voided=1)


def hand_reversed(hand: Hand, won_minor: int, awarded_minor: int) -> None:
    """A settled hand was undone: the hour in which that happens gives its win back.

    won_minor: what bank or rake gave back. awarded_minor: what jackpots had paid for it.
    """
    at = posted_at(reverse_key(hand.pk)) or timezone.now()
    staked_minor = _staked_minor(hand)
    jackpot = _jackpot(hand)
    _add(
        hand.table_id, at, voided=1, hands=-1, won=-won_minor, staked=-staked_minor,
        jackpot_in=-jackpot["jackpot_in"], jackpot_out=-jackpot["jackpot_out"] - awarded_minor,
    )  # fmt: skip


def _jackpot(hand: Hand) -> dict[str, int]:
    """What a hand gave to a jackpot and what it won of one in its own settlement."""
    result = hand.result or {}
    meter = result.get("meter", {})
    return {
        "jackpot_in": result.get("drop_minor", 0) + meter.get("contributed_minor", 0),
        "jackpot_out": meter.get("paid_minor", 0),
    }


def _staked_minor(hand: Hand) -> int:
    return sum((hand.result or {}).get("staked_minor", {}).values())


def exact(figure: Fraction) -> Decimal:
    """A fraction of a minor unit to six decimals, as the rows keep it."""
    return Decimal(round(figure * MICRO)).scaleb(-6)


def _add(table_id: int, at: datetime, **figures: Any) -> None:
    """at: the moment that the ledger has too, so that both count it to the same gaming day."""
    place = {
        "dealer": None, **NOTHING, **figures, "table": table_id, "at": at, "day": gaming_day(at),
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(ADD, place)
