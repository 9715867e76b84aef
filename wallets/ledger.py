"""The only writer of transfers, legs and holds: one call of a database function each.

The rules themselves are in `migrations/0002_*.sql`; here a refusal gets its class.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypedDict

from django.db import DatabaseError, connection

from wallets import errors
from wallets.models import MOST_MINOR


class Leg(NamedTuple):
    """A positive amount credits the account. No currency: the account's own."""

    account_id: int
    amount_minor: int
    currency: str | None = None


class Reference(TypedDict, total=False):
    hand: int
    table: int
    approval: int
    reason: str
    ttl_s: int  # of a pending transfer: afterwards it can only be voided
    weight_bp: int  # of a round: how much of its stakes counts towards a bonus


class Posted(NamedTuple):
    """`replayed`: the transfer was there already, written by an earlier call with this key.

    No transfer_id: there was nothing to move.
    """

    transfer_id: int | None
    replayed: bool


def post(
    *,
    key: str,
    kind: str,
    legs: Sequence[Leg],
    reference: Reference | None = None,
    actor: int | None = None,
) -> Posted:
    """Post two or more legs that sum to zero per currency, once per key.

    actor: the user who asked for it; None is the house itself.
    Raises KeyReused (same key, other content), InsufficientFunds, AccountHeld,
    UnbalancedTransfer, MalformedTransfer, UnknownAccount, CurrencyMismatch, MoneyPending,
    KindNotForThat; for the kinds deposit, buy_in and stake also PlayerExcluded, AccountNotActive
    and DepositLimitReached, LossLimitReached, StakeLimitReached, PlayTimeReached or
    RealityCheckDue.
    """
    return _posted("ledger_post", key, kind, _pack(legs), as_json(reference or {}), actor)


def pend(
    *,
    key: str,
    kind: str,
    legs: Sequence[Leg],
    intent: Sequence[Leg],
    reference: Reference | None = None,
    actor: int | None = None,
) -> Posted:
    """First of two phases: `legs` move money to accounts of purpose pending, now.

    intent: the legs that posting it will write; they take out exactly what `legs` put there.
    Raises as post().
    """
    return _posted(
        "ledger_pend", key, kind, _pack(legs), _pack(intent), as_json(reference or {}), actor
    )


def resolve(
    *,
    key: str,
    transfer_id: int,
    outcome: Literal["post", "void"],
    actor: int | None = None,
    amount_minor: int | None = None,
) -> Posted:
    """Second phase, once. amount_minor: post only a part, less than all; the rest goes back.

    Raises NotPending, AlreadyResolved, PendingExpired, KeyReused, MalformedTransfer (no part).
    """
    part = None if amount_minor is None else _whole(amount_minor)
    return _posted("ledger_resolve", key, transfer_id, outcome, actor, part)


def account_open(
    *, purpose: str, currency: str, player_id: int | None = None, table_id: int | None = None
) -> int:
    """The id of that owner's account; opened if there is none. Raises UnknownCurrency."""
    (account_id,) = call("ledger_account_open", purpose, currency, player_id, table_id)
    return int(account_id)


def hold(*, hand_id: int, account_ids: Sequence[int]) -> None:
    """Let only that hand take from these seats. Raises AccountHeld, UnknownAccount."""
    call("ledger_hold", hand_id, list(account_ids))


def release(*, hand_id: int) -> int:
    """Release what the hand holds; how many accounts that was."""
    (released,) = call("ledger_release", hand_id)
    return int(released)


def settle(
    *,
    key: str,
    kind: str,
    legs: Sequence[Leg],
    reference: Reference,
    actor: int | None = None,
) -> Posted:
    """Post and release the reference's hand in one step; without legs it only releases.

    Raises as post(), and AccountNotHeld when a seat among the legs is not held by the hand.
    """
    return _posted("ledger_settle", key, kind, _pack(legs), as_json(reference), actor)


def round_pay(
    *,
    key: str,
    in_play_account_id: int,
    bank_account_id: int,
    staked_minor: int,
    returned_minor: Mapping[int, int],
    reference: Reference,
    actor: int | None = None,
) -> Posted:
    """Empty the round's stakes to the seats and the bank. Raises as post(), and StakesDiffer."""
    returned = {str(account): _whole(amount) for account, amount in returned_minor.items()}
    return _posted(
        "ledger_round_pay",
        key,
        in_play_account_id,
        bank_account_id,
        _whole(staked_minor),
        as_json(returned),
        as_json(reference),
        actor,
    )


def round_void(*, key: str, reference: Reference, actor: int | None = None) -> Posted:
    """Give every seat of the round its stakes back. Raises as post()."""
    return _posted("ledger_round_void", key, as_json(reference), actor)


def reverse(*, key: str, reference: Reference, actor: int) -> Posted:
    """Undo a settled hand or round, once. Raises HandNotSettled, ApprovalNeeded, KeyReused."""
    return _posted("ledger_reverse", key, as_json(reference), actor)


def cash_out(*, key: str, player_id: int, seat_account_id: int, actor: int | None) -> int:
    """Move all chips of a seat to its player's cash; how many. Raises as post()."""
    _, amount_minor = call("ledger_cash_out", key, player_id, seat_account_id, actor)
    return int(amount_minor)


def exchange(
    *, key: str, player_id: int, rate_id: int, given_minor: int, actor: int | None
) -> Posted:
    """Exchange a player's cash at a rate. Raises RateNotInForce, LimitWouldEnd, and as post()."""
    return _posted("ledger_exchange", key, player_id, rate_id, _whole(given_minor), actor)


def stake_packed(
    *,
    key: str,
    hand_id: int,
    table_id: int | None,
    player_id: int,
    seat_account_id: int,
    in_play_account_id: int,
    amount_minor: int,
    exposure_minor: int | None = None,
    bonus_account_id: int | None = None,
) -> str:
    """The argument of the SQL function ledger_stake(jsonb), which others' functions call."""
    cover = {} if exposure_minor is None else {"exposure": _whole(exposure_minor)}
    bonus = {} if bonus_account_id is None else {"bonus": bonus_account_id}
    return as_json(
        {
            **cover,
            **bonus,
            "key": key,
            "hand": hand_id,
            "table": table_id,
            "player": player_id,
            "seat": seat_account_id,
            "in_play": in_play_account_id,
            "amount": _whole(amount_minor),
        }
    )


def stake(packed: str) -> int | None:
    """Carry out what stake_packed() packed; the transfer's id, None for an amount of zero.

    Raises as post().
    """
    (transfer_id,) = call("ledger_stake", packed)
    return None if transfer_id is None else int(transfer_id)


def call(function: str, *arguments: Any) -> tuple[Any, ...]:
    """The row that one of the ledger's SQL functions answers."""
    places = ", ".join(["%s"] * len(arguments))
    with ledger_errors(), connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {function}({places})", arguments)  # noqa: S608
        row: tuple[Any, ...] = cursor.fetchone()
    return row


@contextmanager
def ledger_errors() -> Iterator[None]:
    """Give a refusal of the ledger's SQL its class; also for functions that call it."""
    try:
        yield
    except DatabaseError as error:
        if (refusal := refusal_of(error)) is None:
            raise
        raise refusal from error


def refusal_of(error: DatabaseError) -> errors.WalletError | None:
    """The rule that a database error stands for; None if it is not one of the ledger's."""
    cause = error.__cause__
    sqlstate = getattr(cause, "sqlstate", None) or ""
    if not sqlstate.startswith("LG"):
        return None
    facts = json.loads(getattr(cause, "diag").message_detail or "{}")  # noqa: B009
    if (make := _REFUSALS.get(sqlstate)) is None:
        words = getattr(cause, "diag").message_primary  # noqa: B009
        return errors.LedgerWriteRefused(sqlstate, words or "refused")
    return make(facts)


def _until(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


SPENT = {"loss": errors.LossLimitReached, "stake": errors.StakeLimitReached}

_REFUSALS: dict[str, Callable[[dict[str, Any]], errors.WalletError]] = {
    "LG002": lambda f: errors.UnbalancedTransfer(f["key"]),
    "LG003": lambda f: errors.InsufficientFunds(f["account"], f["balance"], f["asked"]),
    "LG004": lambda f: errors.AccountHeld(f["account"], f["hand"]),
    "LG005": lambda f: errors.KeyReused(f["key"], f["field"], f["transfer"]),
    "LG006": lambda f: errors.UnknownAccount(f["account"]),
    "LG007": lambda f: errors.CurrencyMismatch(f["account"], f["kept_in"], f["asked"]),
    "LG011": lambda f: errors.AlreadyResolved(f["transfer"], f["outcome"]),
    "LG012": lambda f: errors.AccountNotHeld(f["account"], f["hand"]),
    "LG013": lambda f: errors.PlayerExcluded(f["player"], _until(f["until"])),
    "LG014": lambda f: errors.DepositLimitReached(
        f["player"], f["asked"], f["used"], f["most"], f["window_days"]
    ),
    "LG015": lambda f: errors.NotPending(f["transfer"]),
    "LG016": lambda f: errors.NotBetweenPlayers(f["key"]),
    "LG017": lambda f: errors.MalformedTransfer(f["key"], f.get("account")),
    "LG018": lambda f: errors.MoneyPending(f["account"]),
    "LG019": lambda f: errors.UnknownCurrency(f["currency"]),
    "LG032": lambda f: errors.BonusBetTooLarge(f["player"], f["asked"], f["most"]),
    "LG033": lambda f: errors.BonusNotForThat(f["account"]),
    "LG037": lambda f: errors.ProtectionHolds(f["player"]),
    "LG042": lambda f: errors.BonusNeedsAnother(f["amount"], f["wager"]),
    "LG036": lambda f: errors.KindNotForThat(f["account"], f["kind"], f["purpose"]),
    "LG035": lambda f: errors.BonusActive(f["player"], f["currency"]),
    "LG030": lambda f: errors.BankCannotCover(f["account"], f["balance"], f["exposure"]),
    "LG031": lambda f: errors.BankCannotCover(f["account"], f["balance"], f["exposure"]),
    "LG020": lambda f: errors.StakesDiffer(f["hand"], f["staked"], f["asked"]),
    "LG021": lambda f: errors.HandNotSettled(f["hand"]),
    "LG022": lambda f: errors.AccountNotActive(f["player"], f["state"]),
    "LG023": lambda f: SPENT[f["kind"]](
        f["player"], f["asked"], f["used"], f["most"], f["window_days"]
    ),
    "LG024": lambda f: errors.PlayTimeReached(f["player"], f["used"], f["most"], f["window_days"]),
    "LG025": lambda f: errors.RealityCheckDue(f["player"], datetime.fromisoformat(f["since"])),
    "LG026": lambda f: errors.ApprovalNeeded(f["key"]),
    "LG027": lambda f: errors.PendingExpired(f["transfer"]),
    "LG038": lambda f: errors.RateNotInForce(f["rate"]),
    "LG039": lambda f: errors.LimitWouldEnd(f["player"], f["kind"], f["currency"]),
    "LG041": lambda f: errors.CallOutOfStep(str(f.get("call", f.get("transfer")))),
    "LG040": lambda f: errors.PlayMoneyApart(f["currency"]),
    "LG028": lambda f: errors.OwesLess(f["account"], f["owed"], f["asked"]),
}


def _posted(function: str, *arguments: Any) -> Posted:
    transfer_id, replayed = call(function, *arguments)
    return Posted(transfer_id, replayed)


def _whole(amount_minor: object) -> int:
    # bool is an int to Python, and JSON would carry 1.5 and "1e3" to the database.
    if type(amount_minor) is not int or abs(amount_minor) > MOST_MINOR:
        raise errors.InvalidAmount(repr(amount_minor))
    return amount_minor


def _pack(legs: Sequence[Leg]) -> str:
    return as_json([[leg.account_id, _whole(leg.amount_minor), leg.currency] for leg in legs])


def as_json(value: object) -> str:
    """As the ledger's functions take it."""
    return json.dumps(value, separators=(",", ":"))
