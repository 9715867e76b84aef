"""The verbs of the money that other apps may call.

Amounts are whole minor units. Every verb takes its own locks; inside a caller's transaction a
refusal aborts it, so a caller that means to go on wraps the call in `transaction.atomic()`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Literal, ParamSpec, TypeVar

from django.db import connection, transaction

from casino.core import webhooks
from casino.core.models import Webhook
from wallets import errors, ledger, limits
from wallets.ledger import Leg, Posted, Reference
from wallets.models import OF_TABLE, PLAY_MONEY, Account, Purpose
from wallets.selectors import balances_of, expired_transfers

P = ParamSpec("P")
R = TypeVar("R")
LIMITS = (
    errors.DepositLimitReached, errors.LossLimitReached, errors.StakeLimitReached,
    errors.PlayTimeReached,
)  # fmt: skip

__all__ = [
    "balances_of",
    "buy_in",
    "cage_account",
    "carry_share",
    "cash_out",
    "deposit",
    "deposit_request",
    "hand_pay",
    "hand_void",
    "jackpot_award",
    "jackpot_seed",
    "pending_expire",
    "pending_resolve",
    "play_money",
    "player_account",
    "receivable_repay",
    "round_pay",
    "round_void",
    "seat_account_open",
    "settle_key",
    "stake_packed",
    "stakes_hold",
    "sweep",
    "table_accounts_open",
    "table_float",
    "tells_limits",
    "time_collect",
    "tip",
    "tips_brought",
    "withdraw",
    "withdrawal_request",
]


def tells_limits(work: Callable[P, R]) -> Callable[P, R]:
    """Whoever asked to be told of reached limits is told when `work` is refused for one.

    The refusal takes back what the work wrote, so this is written after it, once a minute.
    """

    @wraps(work)
    def told(*args: P.args, **more: P.kwargs) -> R:
        try:
            return work(*args, **more)
        except LIMITS as error:
            if not connection.needs_rollback:
                facts = {"player": error.player_id, "code": error.code}
                webhooks.tell(
                    Webhook.Kind.LIMIT_REACHED, f"{error.player_id}:{error.code}",
                    [error.player_id], facts, each_minute=True,
                )  # fmt: skip
                limits.reached_note(player_id=error.player_id, code=error.code)
            raise

    return told


def player_account(*, player_id: int, currency: str) -> int:
    """The player's cash account, opened at the first call. Raises UnknownCurrency."""
    return ledger.account_open(purpose=Purpose.CASH, currency=currency, player_id=player_id)


def seat_account_open(*, player_id: int, table_id: int, currency: str) -> int:
    """The account of a player's chips at a table; the same one whenever he comes back."""
    return ledger.account_open(
        purpose=Purpose.SEAT, currency=currency, player_id=player_id, table_id=table_id
    )


def table_accounts_open(*, table_id: int, currency: str) -> dict[str, int]:
    """The table's own accounts by purpose: bank, rake, drop, in_play, jackpot."""
    return {
        purpose.value: ledger.account_open(purpose=purpose, currency=currency, table_id=table_id)
        for purpose in OF_TABLE
    }


def cage_account(*, currency: str) -> int:
    """Where money enters and leaves the house; its balance is minus all that is inside."""
    return ledger.account_open(purpose=Purpose.CAGE, currency=currency)


@tells_limits
def deposit(
    *,
    player_id: int,
    amount_minor: int,
    currency: str,
    key: str,
    actor_id: int | None,
    reason: str = "",
) -> Posted:
    """Pay in: cage to cash. Raises PlayerExcluded, DepositLimitReached, KeyReused."""
    return ledger.post(
        key=key,
        kind="deposit",
        legs=_move(
            cage_account(currency=currency),
            player_account(player_id=player_id, currency=currency),
            amount_minor,
        ),
        reference=_because(reason),
        actor=actor_id,
    )


def play_money(*, player_id: int, amount_minor: int, key: str) -> Posted:
    """Give a player of a sandbox play money. Raises PlayMoneyApart outside of one, KeyReused."""
    return ledger.post(
        key=key,
        kind="play_money",
        legs=_move(
            cage_account(currency=PLAY_MONEY),
            player_account(player_id=player_id, currency=PLAY_MONEY),
            amount_minor,
        ),
        actor=player_id,
    )


def withdraw(
    *,
    player_id: int,
    amount_minor: int,
    currency: str,
    key: str,
    actor_id: int | None,
    reason: str = "",
) -> Posted:
    """Pay out at once: cash to cage, for excluded players too. Raises InsufficientFunds."""
    return ledger.post(
        key=key,
        kind="withdrawal",
        legs=_move(
            player_account(player_id=player_id, currency=currency),
            cage_account(currency=currency),
            amount_minor,
        ),
        reference=_because(reason),
        actor=actor_id,
    )


def withdrawal_request(
    *,
    player_id: int,
    amount_minor: int,
    currency: str,
    key: str,
    actor_id: int | None,
    ttl_s: int | None = None,
    reason: str = "",
) -> Posted:
    """Set the money aside until the withdrawal is resolved, or its time is over.

    Raises InsufficientFunds.
    """
    pending = ledger.account_open(purpose=Purpose.PENDING, currency=currency, player_id=player_id)
    cash = player_account(player_id=player_id, currency=currency)
    return ledger.pend(
        key=key,
        kind="withdrawal",
        legs=_move(cash, pending, amount_minor),
        intent=_move(pending, cage_account(currency=currency), amount_minor),
        reference=_because(reason) | _until(ttl_s),
        actor=actor_id,
    )


def deposit_request(
    *,
    player_id: int,
    amount_minor: int,
    currency: str,
    key: str,
    actor_id: int | None,
    ttl_s: int | None = None,
    reason: str = "",
) -> Posted:
    """A deposit that its payment provider has still to confirm; it cannot be played with.

    ttl_s: afterwards it can only be voided. Raises PlayerExcluded, DepositLimitReached.
    """
    pending = ledger.account_open(purpose=Purpose.PENDING, currency=currency, player_id=player_id)
    cash = player_account(player_id=player_id, currency=currency)
    return ledger.pend(
        key=key,
        kind="deposit",
        legs=_move(cage_account(currency=currency), pending, amount_minor),
        intent=_move(pending, cash, amount_minor),
        reference=_because(reason) | _until(ttl_s),
        actor=actor_id,
    )


def pending_resolve(
    *,
    transfer_id: int,
    outcome: Literal["post", "void"],
    key: str,
    actor_id: int | None,
    amount_minor: int | None = None,
) -> Posted:
    """Confirm a deposit or pay a requested withdrawal out, or a part of it, or give it up, once.

    Raises NotPending, AlreadyResolved, PendingExpired, MalformedTransfer (a part that is none).
    """
    return ledger.resolve(
        key=key,
        transfer_id=transfer_id,
        outcome=outcome,
        actor=actor_id,
        amount_minor=amount_minor,
    )


def pending_expire() -> int:
    """Void every pending transfer whose time is over; how many there were. Safe to repeat."""
    expired = expired_transfers()
    for transfer_id in expired:
        try:
            ledger.resolve(
                key=f"transfer:{transfer_id}:expired", transfer_id=transfer_id, outcome="void"
            )
        except errors.AlreadyResolved:  # somebody else was quicker
            continue
    return len(expired)


def receivable_repay(
    *, player_id: int, amount_minor: int, currency: str, key: str, actor_id: int | None
) -> Posted:
    """Pay back from cash what is owed. Raises InsufficientFunds, OwesLess."""
    owed = ledger.account_open(purpose=Purpose.RECEIVABLE, currency=currency, player_id=player_id)
    return ledger.post(
        key=key,
        kind="repayment",
        legs=_move(player_account(player_id=player_id, currency=currency), owed, amount_minor),
        actor=actor_id,
    )


def table_float(
    *, bank_account_id: int, amount_minor: int, key: str, actor_id: int | None
) -> Posted:
    """Bring chips from the cage to a table's bank; a negative amount takes them back."""
    bank = _account(bank_account_id, Purpose.BANK)
    return ledger.post(
        key=key,
        kind="float",
        legs=[
            Leg(cage_account(currency=bank.currency_id), -amount_minor),
            Leg(bank.pk, amount_minor),
        ],
        reference={"table": bank.table_id} if bank.table_id is not None else {},
        actor=actor_id,
    )


def sweep(*, account_id: int, amount_minor: int, key: str, actor_id: int | None) -> Posted:
    """Move collected rake, drop or bank winnings to the house's revenue."""
    account = Account.objects.get(pk=account_id)
    revenue = ledger.account_open(purpose=Purpose.REVENUE, currency=account.currency_id)
    return ledger.post(
        key=key,
        kind="sweep",
        legs=_move(account_id, revenue, amount_minor),
        reference={"table": account.table_id} if account.table_id is not None else {},
        actor=actor_id,
    )


def buy_in(*, player_id: int, seat_account_id: int, amount_minor: int, key: str) -> Posted:
    """Cash to chips; for top-ups too. Raises InsufficientFunds, PlayerExcluded, UnknownAccount."""
    seat = _account(seat_account_id, Purpose.SEAT, player_id)
    with transaction.atomic():
        posted = ledger.post(
            key=key,
            kind="buy_in",
            legs=_move(
                player_account(player_id=player_id, currency=seat.currency_id),
                seat.pk,
                amount_minor,
            ),
            reference={"table": seat.table_id} if seat.table_id is not None else {},
            actor=player_id,
        )
        _chips_told(Webhook.Kind.BUY_IN, key, seat, amount_minor)
    return posted


def cash_out(*, player_id: int, seat_account_id: int, key: str) -> int:
    """All chips of the seat back to cash, also for excluded players; how many there were.

    Raises AccountHeld while a hand holds them, UnknownAccount.
    """
    with transaction.atomic():
        amount_minor = ledger.cash_out(
            key=key, player_id=player_id, seat_account_id=seat_account_id, actor=player_id
        )
        if amount_minor:
            seat = Account.objects.get(pk=seat_account_id)
            _chips_told(Webhook.Kind.CASH_OUT, key, seat, amount_minor)
    return amount_minor


def _chips_told(kind: str, key: str, seat: Account, amount_minor: int) -> None:
    player_id = seat.player_id
    assert player_id is not None
    facts = {
        "player": player_id, "table": seat.table_id, "currency": seat.currency_id,
        "amount_minor": amount_minor,
    }  # fmt: skip
    webhooks.tell(kind, key, [player_id], facts)


def stakes_hold(*, hand_id: int, seat_account_ids: Iterable[int]) -> None:
    """Opening a ring hand: its seats' chips are at stake. Raises AccountHeld, UnknownAccount."""
    ledger.hold(hand_id=hand_id, account_ids=list(seat_account_ids))


def hand_pay(
    *,
    hand_id: int,
    legs_by_account: Mapping[int, int],
    currency: str,
    table_id: int | None = None,
) -> Posted:
    """Settle a ring hand and release its seats, once.

    legs_by_account: net of each seat, of rake, jackpot and carried pot; sums to zero. Zero nets
    may be there. Raises AccountNotHeld when the hand was voided, KeyReused on other nets.
    """
    return ledger.settle(
        key=settle_key(hand_id),
        kind="settle",
        legs=[Leg(account, net, currency) for account, net in legs_by_account.items() if net],
        reference=_hand(hand_id, table_id),
    )


def carry_share(
    *,
    hand_id: int,
    in_play_account_id: int,
    shares: Mapping[int, int],
    table_id: int | None = None,
) -> Posted:
    """Give a pot that nobody has won back to seats, once.

    hand_id: the hand that left it. shares: minor units to each seat account.
    """
    legs = [Leg(in_play_account_id, -sum(shares.values()))]
    legs += [Leg(account, amount) for account, amount in shares.items() if amount]
    return ledger.post(
        key=f"hand:{hand_id}:carry",
        kind="carry",
        legs=legs,
        reference=_hand(hand_id, table_id),
    )


def time_collect(
    *, table_id: int, seat_account_id: int, rake_account_id: int, amount_minor: int, key: str
) -> Posted:
    """Take a table's time collection from a seat that no hand holds.

    Raises InsufficientFunds, AccountHeld, KeyReused.
    """
    return ledger.post(
        key=key,
        kind="time_collection",
        legs=_move(seat_account_id, rake_account_id, amount_minor),
        reference={"table": table_id},
    )


def tip(*, table_id: int, seat_account_id: int, amount_minor: int, key: str) -> Posted:
    """From a player's chips at a table to the dealers' pool.

    Raises InsufficientFunds, AccountHeld (by a hand), KeyReused.
    """
    seat = Account.objects.get(pk=seat_account_id, purpose=Purpose.SEAT)
    return _tipped(
        seat.pk, seat.currency_id, amount_minor, {"table": table_id}, key, seat.player_id
    )


def tips_brought(
    *,
    table_id: int,
    currency: str,
    amount_minor: int,
    key: str,
    actor_id: int | None,
    reason: str = "",
) -> Posted:
    """What lay in a table's box for tips, counted into the pool at the cage. Raises KeyReused."""
    reference: Reference = {"table": table_id, **_because(reason)}
    cage = cage_account(currency=currency)
    return _tipped(cage, currency, amount_minor, reference, key, actor_id)


def _tipped(
    source: int,
    currency: str,
    amount_minor: int,
    reference: Reference,
    key: str,
    actor_id: int | None,
) -> Posted:
    pool = ledger.account_open(purpose=Purpose.TIPS, currency=currency)
    return ledger.post(
        key=key,
        kind="tip",
        legs=_move(source, pool, amount_minor),
        reference=reference,
        actor=actor_id,
    )


def jackpot_seed(
    *, jackpot_account_id: int, amount_minor: int, key: str, actor_id: int | None
) -> Posted:
    """Bring money of the house to a jackpot: cage to jackpot. Nothing takes it back."""
    jackpot = Account.objects.get(pk=jackpot_account_id, purpose=Purpose.JACKPOT)
    return ledger.post(
        key=key,
        kind="jackpot_seed",
        legs=_move(cage_account(currency=jackpot.currency_id), jackpot.pk, amount_minor),
        reference={"table": jackpot.table_id} if jackpot.table_id is not None else {},
        actor=actor_id,
    )


def jackpot_award(
    *,
    jackpot_account_id: int,
    awards: Mapping[int, int],
    currency: str,
    hand_id: int,
    key: str,
    actor_id: int | None,
) -> Posted:
    """Pay a jackpot that a hand has hit to its players' wallets, in one transfer.

    awards: minor units by player. Raises InsufficientFunds.
    """
    cash = {player_account(player_id=who, currency=currency): won for who, won in awards.items()}
    return ledger.post(
        key=key,
        kind="jackpot_award",
        legs=[
            Leg(jackpot_account_id, -sum(cash.values())),
            *(Leg(account, minor) for account, minor in cash.items() if minor),
        ],
        reference={"hand": hand_id},
        actor=actor_id,
    )


def hand_void(*, hand_id: int) -> int:
    """Release a ring hand's seats without paying; how many it still held."""
    return ledger.release(hand_id=hand_id)


def stake_packed(
    *,
    hand_id: int,
    key: str,
    seat_account_id: int,
    in_play_account_id: int,
    player_id: int,
    amount_minor: int,
    table_id: int | None = None,
    exposure_minor: int | None = None,
    bonus_account_id: int | None = None,
) -> str:
    """A banked bet's argument for the SQL function ledger_stake(jsonb).

    amount_minor: seat to in-play; negative gives chips back, zero moves nothing. exposure_minor:
    the most that the round can cost the table's bank with this bet; it holds that from then on, or
    the call raises BankCannotCover. bonus_account_id: the player's, when bonus money may play too;
    the bet is then split as his grant says. The call also raises PlayerExcluded, InsufficientFunds
    and the like: wrap it in `ledger.ledger_errors()`.
    """
    return ledger.stake_packed(
        key=key,
        hand_id=hand_id,
        table_id=table_id,
        player_id=player_id,
        seat_account_id=seat_account_id,
        in_play_account_id=in_play_account_id,
        amount_minor=amount_minor,
        exposure_minor=exposure_minor,
        bonus_account_id=bonus_account_id,
    )


def round_pay(
    *,
    hand_id: int,
    in_play_account_id: int,
    returned: Mapping[int, int],
    bank_account_id: int,
    staked_total: int,
    table_id: int | None = None,
    weight_bp: int = 10_000,
) -> Posted:
    """Settle a banked round, once: in-play gives up its stakes, the bank covers the difference.

    returned: minor units to each seat account, stake and winnings together; to the jackpot what
    the meter gains, negative when it pays.
    weight_bp: basis points of the stakes that count towards a bonus.
    Raises StakesDiffer when the ledger holds another total for the round, KeyReused when it was
    voided or settled otherwise.
    """
    return ledger.round_pay(
        key=settle_key(hand_id),
        in_play_account_id=in_play_account_id,
        bank_account_id=bank_account_id,
        staked_minor=staked_total,
        returned_minor=returned,
        reference=_hand(hand_id, table_id) | _weight(weight_bp),
    )


def round_void(*, hand_id: int, table_id: int | None = None) -> Posted:
    """Return all stakes of a banked round, once. Raises KeyReused when it was settled."""
    return ledger.round_void(key=settle_key(hand_id), reference=_hand(hand_id, table_id))


def settle_key(hand_id: int) -> str:
    """The one key under which a hand or round is settled or voided."""
    return f"hand:{hand_id}:settle"


def _move(source: int, target: int, amount_minor: int) -> list[Leg]:
    if type(amount_minor) is not int or amount_minor <= 0:
        raise errors.InvalidAmount(repr(amount_minor))
    return [Leg(source, -amount_minor), Leg(target, amount_minor)]


def _account(account_id: int, purpose: Purpose, player_id: int | None = None) -> Account:
    account = Account.objects.filter(pk=account_id, purpose=purpose, player_id=player_id).first()
    if account is None:
        raise errors.UnknownAccount(account_id)
    return account


def _because(reason: str) -> Reference:
    return {"reason": reason} if reason else {}


def _weight(weight_bp: int) -> Reference:
    return {} if weight_bp == 10_000 else {"weight_bp": weight_bp}


def _until(ttl_s: int | None) -> Reference:
    return {} if ttl_s is None else {"ttl_s": ttl_s}


def _hand(hand_id: int, table_id: int | None) -> Reference:
    return {"hand": hand_id} if table_id is None else {"hand": hand_id, "table": table_id}
