"""What the ledger refuses: one class per rule, with its facts. Status codes are not chosen here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar


class WalletError(Exception):
    """A rule of the money was broken; nothing was written."""

    code: ClassVar[str] = "wallet_error"


@dataclass(eq=False)
class InsufficientFunds(WalletError):
    code: ClassVar[str] = "insufficient_funds"
    account_id: int
    balance_minor: int
    asked_minor: int

    def __str__(self) -> str:
        return f"{self.asked_minor} asked for, {self.balance_minor} there"


@dataclass(eq=False)
class AccountHeld(WalletError):
    code: ClassVar[str] = "account_held"
    account_id: int
    hand_id: int

    def __str__(self) -> str:
        return f"the chips are in play in hand {self.hand_id} until it is settled"


@dataclass(eq=False)
class AccountNotHeld(WalletError):
    code: ClassVar[str] = "account_not_held"
    account_id: int
    hand_id: int

    def __str__(self) -> str:
        return f"hand {self.hand_id} does not hold account {self.account_id} (any more)"


@dataclass(eq=False)
class KeyReused(WalletError):
    """transfer_id: None for what was done under the key and moved nothing."""

    code: ClassVar[str] = "key_reused"
    key: str
    field: str
    transfer_id: int | None

    def __str__(self) -> str:
        return f"key {self.key} was used before with another {self.field}"


@dataclass(eq=False)
class UnbalancedTransfer(WalletError):
    code: ClassVar[str] = "unbalanced_transfer"
    key: str

    def __str__(self) -> str:
        return f"the legs of transfer {self.key} do not sum to zero"


@dataclass(eq=False)
class MalformedTransfer(WalletError):
    code: ClassVar[str] = "malformed_transfer"
    key: str
    account_id: int | None = None

    def __str__(self) -> str:
        if self.account_id is None:
            return f"transfer {self.key} needs two or more legs"
        return f"transfer {self.key} names account {self.account_id} twice or moves nothing there"


@dataclass(eq=False)
class InvalidAmount(WalletError):
    code: ClassVar[str] = "invalid_amount"
    amount: str

    def __str__(self) -> str:
        return f"{self.amount} is not a positive whole number of minor units"


@dataclass(eq=False)
class UnknownAccount(WalletError):
    code: ClassVar[str] = "unknown_account"
    account_id: int

    def __str__(self) -> str:
        return f"there is no such account: {self.account_id}"


@dataclass(eq=False)
class UnknownCurrency(WalletError):
    code: ClassVar[str] = "unknown_currency"
    currency: str

    def __str__(self) -> str:
        return f"the house keeps no accounts in {self.currency}"


@dataclass(eq=False)
class StatementTooLong(WalletError):
    code: ClassVar[str] = "statement_too_long"
    lines: int
    most: int

    def __str__(self) -> str:
        return (
            f"{self.lines} movements are too many to print, at most {self.most} are;"
            " ask for a shorter period, or for CSV"
        )


@dataclass(eq=False)
class CurrencyMismatch(WalletError):
    code: ClassVar[str] = "currency_mismatch"
    account_id: int
    kept_in: str
    asked: str

    def __str__(self) -> str:
        return f"account {self.account_id} is kept in {self.kept_in}, not {self.asked}"


@dataclass(eq=False)
class NotBetweenPlayers(WalletError):
    code: ClassVar[str] = "not_between_players"
    key: str

    def __str__(self) -> str:
        return f"transfer {self.key} moves money between players outside a hand"


@dataclass(eq=False)
class NotPending(WalletError):
    code: ClassVar[str] = "not_pending"
    transfer_id: int

    def __str__(self) -> str:
        return f"transfer {self.transfer_id} is not a pending one"


@dataclass(eq=False)
class AlreadyResolved(WalletError):
    code: ClassVar[str] = "already_resolved"
    transfer_id: int
    outcome: str

    def __str__(self) -> str:
        return f"transfer {self.transfer_id} was resolved before: {self.outcome}"


@dataclass(eq=False)
class MoneyPending(WalletError):
    code: ClassVar[str] = "money_pending"
    account_id: int

    def __str__(self) -> str:
        return f"the money on account {self.account_id} waits for its transfer to be resolved"


@dataclass(eq=False)
class StakesDiffer(WalletError):
    code: ClassVar[str] = "stakes_differ"
    hand_id: int
    staked_minor: int
    asked_minor: int

    def __str__(self) -> str:
        return f"round {self.hand_id} has {self.staked_minor} staked, not {self.asked_minor}"


@dataclass(eq=False)
class BankCannotCover(WalletError):
    """A table's bank holds less than the round in play could cost."""

    code: ClassVar[str] = "bank_cannot_cover"
    account_id: int
    balance_minor: int
    exposure_minor: int

    def __str__(self) -> str:
        return f"the round could cost {self.exposure_minor}, the bank holds {self.balance_minor}"


@dataclass(eq=False)
class HandNotSettled(WalletError):
    code: ClassVar[str] = "hand_not_settled"
    hand_id: int

    def __str__(self) -> str:
        return f"hand {self.hand_id} is not settled: there is nothing to reverse"


@dataclass(eq=False)
class PlayerExcluded(WalletError):
    code: ClassVar[str] = "player_excluded"
    player_id: int
    until: datetime | None

    def __str__(self) -> str:
        if self.until is None:
            return "the player is excluded from play"
        return f"the player is excluded from play until {self.until.isoformat()}"


@dataclass(eq=False)
class DepositLimitReached(WalletError):
    code: ClassVar[str] = "deposit_limit_reached"
    player_id: int
    asked_minor: int
    used_minor: int
    most_minor: int
    window_days: int

    def __str__(self) -> str:
        return (
            f"{self.used_minor} of {self.most_minor} paid in within {self.window_days} d;"
            f" {self.asked_minor} more would pass the limit"
        )


@dataclass(eq=False)
class AccountNotActive(WalletError):
    code: ClassVar[str] = "account_not_active"
    player_id: int
    state: str

    def __str__(self) -> str:
        return f"the account is {self.state}: it takes no deposits and no bets"


@dataclass(eq=False)
class LossLimitReached(WalletError):
    code: ClassVar[str] = "loss_limit_reached"
    player_id: int
    asked_minor: int
    used_minor: int
    most_minor: int
    window_days: int

    def __str__(self) -> str:
        return (
            f"{self.used_minor} of {self.most_minor} lost within {self.window_days} d;"
            f" {self.asked_minor} more could pass the limit"
        )


@dataclass(eq=False)
class StakeLimitReached(WalletError):
    code: ClassVar[str] = "stake_limit_reached"
    player_id: int
    asked_minor: int
    used_minor: int
    most_minor: int
    window_days: int

    def __str__(self) -> str:
        return (
            f"{self.used_minor} of {self.most_minor} staked within {self.window_days} d;"
            f" {self.asked_minor} more would pass the limit"
        )


@dataclass(eq=False)
class PlayTimeReached(WalletError):
    code: ClassVar[str] = "play_time_reached"
    player_id: int
    used_s: int
    most_s: int
    window_days: int

    def __str__(self) -> str:
        return f"{self.used_s} s of {self.most_s} s played within {self.window_days} d"


@dataclass(eq=False)
class RealityCheckDue(WalletError):
    code: ClassVar[str] = "reality_check_due"
    player_id: int
    since: datetime

    def __str__(self) -> str:
        return f"play pauses until the player has seen how long he played since {self.since}"


@dataclass(eq=False)
class ApprovalNeeded(WalletError):
    code: ClassVar[str] = "approval_needed"
    key: str

    def __str__(self) -> str:
        return f"transfer {self.key} is not what two persons agreed to"


@dataclass(eq=False)
class BandExceeded(WalletError):
    code: ClassVar[str] = "band_exceeded"
    role: str
    deed: str
    amount_minor: int
    most_minor: int

    def __str__(self) -> str:
        return f"as {self.role} one agrees to {self.deed}s up to {self.most_minor}"


@dataclass(eq=False)
class PendingExpired(WalletError):
    code: ClassVar[str] = "pending_expired"
    transfer_id: int

    def __str__(self) -> str:
        return f"transfer {self.transfer_id} has expired and can only be voided"


@dataclass(eq=False)
class OwesLess(WalletError):
    code: ClassVar[str] = "owes_less"
    account_id: int
    owed_minor: int
    asked_minor: int

    def __str__(self) -> str:
        return f"{self.owed_minor} is owed, not {self.asked_minor}"


@dataclass(eq=False)
class CaseNotOpen(WalletError):
    code: ClassVar[str] = "case_not_open"
    case_id: int

    def __str__(self) -> str:
        return f"case {self.case_id} is not open"


@dataclass(eq=False)
class BonusBetTooLarge(WalletError):
    code: ClassVar[str] = "bonus_bet_too_large"
    player_id: int
    asked_minor: int
    most_minor: int

    def __str__(self) -> str:
        return f"with bonus money at most {self.most_minor} is staked in a round"


@dataclass(eq=False)
class BonusNotForThat(WalletError):
    code: ClassVar[str] = "bonus_not_for_that"
    account_id: int

    def __str__(self) -> str:
        return "bonus money is played with, not moved"


@dataclass(eq=False)
class KindNotForThat(WalletError):
    code: ClassVar[str] = "kind_not_for_that"
    account_id: int
    kind: str
    purpose: str

    def __str__(self) -> str:
        return f"a transfer of kind {self.kind} does not move that on a {self.purpose} account"


@dataclass(eq=False)
class BonusActive(WalletError):
    code: ClassVar[str] = "bonus_active"
    player_id: int
    currency: str

    def __str__(self) -> str:
        return f"the player has an active bonus in {self.currency} already"


@dataclass(eq=False)
class BonusNeedsAnother(WalletError):
    """A bonus with less to stake than it is, or beyond what the role gives alone."""

    code: ClassVar[str] = "bonus_needs_another"
    amount_minor: int
    wager_minor: int

    def __str__(self) -> str:
        return "a second person has to agree to this bonus"


@dataclass(eq=False)
class BonusEnded(WalletError):
    code: ClassVar[str] = "bonus_ended"
    grant_id: int

    def __str__(self) -> str:
        return f"bonus {self.grant_id} has ended, or is not the player's"


@dataclass(eq=False)
class LimitUnknown(WalletError):
    code: ClassVar[str] = "limit_unknown"
    field: str
    value: str

    def __str__(self) -> str:
        return f"there is no limit with {self.field} {self.value}"


@dataclass(eq=False)
class TermTooShort(WalletError):
    code: ClassVar[str] = "term_too_short"
    least: str

    def __str__(self) -> str:
        return f"that is shorter than {self.least}"


@dataclass(eq=False)
class StateStepRefused(WalletError):
    code: ClassVar[str] = "state_step_refused"
    before: str
    after: str

    def __str__(self) -> str:
        return f"an account does not go from {self.before} to {self.after} like this"


@dataclass(eq=False)
class LimitStillBinding(WalletError):
    code: ClassVar[str] = "limit_still_binding"
    player_id: int
    until: datetime

    def __str__(self) -> str:
        return f"the exclusion runs until {self.until.isoformat()}"


@dataclass(eq=False)
class ProtectionHolds(WalletError):
    code: ClassVar[str] = "protection_holds"
    player_id: int

    def __str__(self) -> str:
        return "a limit is loosened a day later, or by two persons"


@dataclass(eq=False)
class LedgerWriteRefused(WalletError):
    """Written past the ledger's functions, and refused by the database."""

    code: ClassVar[str] = "ledger_write_refused"
    sqlstate: str
    words: str

    def __str__(self) -> str:
        return self.words


@dataclass(eq=False)
class RateMissing(WalletError):
    code: ClassVar[str] = "rate_missing"
    gives: str
    gets: str

    def __str__(self) -> str:
        return f"{self.gives} is not exchanged for {self.gets} here now"


@dataclass(eq=False)
class RateNotInForce(WalletError):
    code: ClassVar[str] = "rate_not_in_force"
    rate: int

    def __str__(self) -> str:
        return "that exchange rate is not in force"


@dataclass(eq=False)
class LimitWouldEnd(WalletError):
    """A player cannot leave a limit behind by changing his money."""

    code: ClassVar[str] = "limit_would_end"
    player_id: int
    kind: str
    currency: str

    def __str__(self) -> str:
        return f"there is no {self.kind} limit in {self.currency} yet"


@dataclass(eq=False)
class PlayMoneyApart(WalletError):
    """Play money is given only in a sandbox, and nothing else is given so or exchanged for it."""

    code: ClassVar[str] = "play_money_apart"
    currency: str

    def __str__(self) -> str:
        return f"{self.currency}: play money is given in a sandbox alone and is no other money"


@dataclass(eq=False)
class OperatorRefused(WalletError):
    """The operator's wallet says no; nothing has moved."""

    code: ClassVar[str] = "operator_refused"
    reason: str
    balance_minor: int | None

    def __str__(self) -> str:
        return f"your operator's wallet refuses it: {self.reason}"


@dataclass(eq=False)
class OperatorUnsure(WalletError):
    """No answer that can be relied on: what was asked is rolled back, or asked again."""

    code: ClassVar[str] = "operator_unsure"

    def __str__(self) -> str:
        return "your operator's wallet has not answered; what was asked of it is taken back"


@dataclass(eq=False)
class CallOutOfStep(WalletError):
    """A call to an operator's wallet and its transfer would end in different ways."""

    code: ClassVar[str] = "call_out_of_step"
    call: str

    def __str__(self) -> str:
        return f"call {self.call} has ended otherwise"


@dataclass(eq=False)
class PaymentFileMalformed(WalletError):
    code: ClassVar[str] = "payment_file_malformed"
    line: int
    fault: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.fault}"
