"""Accounts, transfers and legs: columns and constraints only.

What a constraint cannot say is said by the triggers in `migrations/*.sql`. The application's
role may read all of this and write none of it but currencies and limits; `ledger.py` writes
through functions of the database.
"""

from __future__ import annotations

import uuid
from datetime import time
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext as say

from casino.core.models import Role

PLAY_MONEY = "XTS"
"""ISO 4217 keeps this code for testing: it is never exchanged for money, nor money for it."""

# 2**53 - 1: every amount and balance survives a JavaScript client unrounded.
MOST_MINOR = 9_007_199_254_740_991


class Purpose(models.TextChoices):
    CASH = "cash", "Cash"
    BONUS = "bonus", "Bonus"
    PENDING = "pending", "Awaiting confirmation"
    RECEIVABLE = "receivable", "Owed by the player"
    SEAT = "seat", "Chips at a table"
    IN_PLAY = "in_play", "Stakes in play"
    BANK = "bank", "Table bank"
    RAKE = "rake", "Rake"
    DROP = "drop", "Drop"
    JACKPOT = "jackpot", "Jackpot"
    CAGE = "cage", "Cage"
    REVENUE = "revenue", "House revenue"
    ADJUSTMENTS = "adjustments", "Adjustments"
    EXCHANGE = "exchange", "Currency exchange"
    SPREAD = "spread", "Earned by exchange"
    OPERATOR = "operator", "At the operator's wallet"
    TIPS = "tips", "Tips"


OF_TABLE = (Purpose.IN_PLAY, Purpose.BANK, Purpose.RAKE, Purpose.DROP, Purpose.JACKPOT)


class Currency(models.Model):
    code = models.CharField(max_length=3, primary_key=True)
    exponent = models.PositiveSmallIntegerField(
        help_text="Decimal places of the major unit: 2 for EUR, 0 for JPY."
    )
    name = models.CharField(max_length=60)

    class Meta:
        verbose_name_plural = "currencies"
        ordering: ClassVar = ["code"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(code__regex="^[A-Z]{3}$"), name="currency_code_is_three_capitals"
            ),
            models.CheckConstraint(condition=Q(exponent__lte=4), name="currency_exponent_small"),
        ]

    def __str__(self) -> str:
        return self.code


class Account(models.Model):
    """One owner, one purpose, one currency. The balance is the sum of its legs, always."""

    purpose = models.CharField(max_length=12, choices=Purpose.choices)
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="accounts"
    )
    table_id = models.BigIntegerField(null=True)
    may_go_negative = models.BooleanField(default=False)
    balance_minor = models.BigIntegerField(default=0)
    last_leg_id = models.BigIntegerField(null=True, help_text="The leg that made the balance.")
    held_by = models.BigIntegerField(
        null=True, help_text="The hand in play that alone may take from this account."
    )
    opened_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["purpose", "currency", "player", "table_id"],
                nulls_distinct=False,
                name="account_opened_once",
            ),
            # The only one: PostgreSQL reads a row's check constraints anew at every posting, a
            # trigger's tests it keeps. Owner and purpose are tested when the account opens.
            models.CheckConstraint(
                condition=Q(balance_minor__range=(0, MOST_MINOR))
                | Q(may_go_negative=True, balance_minor__range=(-MOST_MINOR, MOST_MINOR)),
                name="account_balance_in_bounds",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["held_by"], condition=Q(held_by__isnull=False), name="account_held_by"
            ),
            models.Index(
                fields=["table_id"], condition=Q(table_id__isnull=False), name="account_table"
            ),
        ]

    def __str__(self) -> str:
        return f"{say(str(self.get_purpose_display()))} {self.currency_id} {self.pk}"


class Transfer(models.Model):
    """Two or more legs that sum to zero per currency. Written once, never changed.

    A pending transfer moves the money into accounts of purpose `pending` and keeps in
    `intent` where it goes when confirmed; another transfer, which names it in `resolves`,
    posts or voids it, once.
    """

    class Phase(models.TextChoices):
        SINGLE = "single", "Posted at once"
        PENDING = "pending", "Pending"
        POST = "post", "Posts a pending one"
        VOID = "void", "Voids a pending one"

    key = models.CharField(max_length=200, unique=True)
    kind = models.CharField(max_length=32)
    phase = models.CharField(max_length=8, choices=Phase.choices, default=Phase.SINGLE)
    resolves = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="resolutions", db_index=False
    )
    hand_id = models.BigIntegerField(null=True)
    table_id = models.BigIntegerField(null=True)
    approval_id = models.BigIntegerField(null=True)
    actor_id = models.BigIntegerField(null=True, help_text="Empty: the house itself.")
    reason = models.TextField(default="", blank=True)
    intent = models.JSONField(null=True)
    leg_count = models.SmallIntegerField()
    content_hash = models.BinaryField(max_length=32)
    xact_id = models.BigIntegerField(help_text="The database transaction that wrote it.")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["resolves"],
                condition=Q(resolves__isnull=False),
                name="transfer_resolved_once",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["hand_id"], condition=Q(hand_id__isnull=False), name="transfer_hand"
            ),
            BrinIndex(fields=["created_at"], name="transfer_created"),
        ]

    def __str__(self) -> str:
        return self.key


class Leg(models.Model):
    """A positive amount credits the account, a negative one takes from it."""

    # No foreign keys in the database: the trigger on legs locks both rows, which nobody can
    # remove, and a constraint would look them up a second time at the end of each posting.
    transfer = models.ForeignKey(
        Transfer,
        on_delete=models.PROTECT,
        related_name="legs",
        db_index=False,
        db_constraint=False,
    )
    position = models.SmallIntegerField(help_text="1 up to the transfer's leg count.")
    account = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="legs", db_index=False, db_constraint=False
    )
    currency = models.CharField(max_length=3)
    amount_minor = models.BigIntegerField()
    balance_after_minor = models.BigIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["transfer", "position"], name="leg_position_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["account", "id"], name="leg_account_id")]

    def __str__(self) -> str:
        return say("{0} {1} on {2}").format(self.amount_minor, self.currency, self.account_id)


class ExchangeRate(models.Model):
    """For `gives_minor` of one currency a player gets `gets_minor` of another. Never changed.

    middle_minor: what it is worth at the market of `source`; the difference is the house's spread.
    """

    gives = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+")
    gets = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+")
    gives_minor = models.BigIntegerField()
    gets_minor = models.BigIntegerField()
    middle_minor = models.BigIntegerField()
    source = models.CharField(max_length=100, help_text="Whose market, and which fixing of it.")
    from_at = models.DateTimeField(db_default=Now())
    until_at = models.DateTimeField()
    approval_id = models.BigIntegerField(
        unique=True, help_text="By which two persons agreed to it; its transfers carry it too."
    )

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(gives_minor__range=(1, MOST_MINOR), gets_minor__gte=1)
                & Q(middle_minor__range=(F("gets_minor"), MOST_MINOR), until_at__gt=F("from_at"))
                & ~Q(gives=F("gets")),
                name="exchange_rate_makes_sense",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.gives_minor} {self.gives_id} for {self.gets_minor} {self.gets_id}"


class PlayerLimits(models.Model):
    """Locked first by every deposit, buy-in and stake of the player."""

    class State(models.TextChoices):
        NEW = "new", "New: identity not verified"
        VERIFIED = "verified", "Verified"
        SUSPENDED = "suspended", "Suspended"
        DORMANT = "dormant", "Dormant"
        CLOSED = "closed", "Closed"

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        primary_key=True,
        related_name="limits",
    )
    state = models.CharField(
        max_length=10, choices=State.choices, default=State.NEW, db_default=State.NEW
    )
    self_excluded = models.BooleanField(default=False)
    excluded_until = models.DateTimeField(null=True, blank=True)
    cool_off_until = models.DateTimeField(null=True, blank=True)
    reality_check_s = models.PositiveIntegerField(
        null=True, blank=True, help_text="Play pauses this often until the player says go on."
    )
    reality_from = models.DateTimeField(null=True, blank=True)
    playing_from = models.DateTimeField(null=True, blank=True, help_text="This session's begin.")
    playing_last = models.DateTimeField(null=True, blank=True, help_text="To the minute.")
    is_limited = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Has a spending or time limit, or reality checks: only then play is counted.",
    )
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "player limits"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(state__in=["new", "verified", "suspended", "dormant", "closed"]),
                name="player_state_known",
            ),
            models.CheckConstraint(
                condition=Q(reality_check_s__isnull=True) | Q(reality_check_s__gte=60),
                name="reality_check_a_minute_or_more",
            ),
        ]

    def __str__(self) -> str:
        return say("limits of {0}").format(self.player_id)


class Window(models.IntegerChoices):
    """Rolling: the last so many days, to the second."""

    DAY = 1, "24 hours"
    WEEK = 7, "7 days"
    MONTH = 30, "30 days"


class DepositLimit(models.Model):
    """The most a player may pay in within a rolling window.

    `next_minor` is the looser figure that begins to count at `next_from`; empty `next_minor`
    with a `next_from` means that the limit ends then.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="deposit_limits"
    )
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+")
    window_days = models.PositiveSmallIntegerField(choices=Window.choices)
    most_minor = models.BigIntegerField()
    next_minor = models.BigIntegerField(null=True, blank=True)
    next_from = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["player", "currency", "window_days"], name="deposit_limit_once"
            ),
            models.CheckConstraint(
                condition=Q(window_days__in=[1, 7, 30]), name="deposit_limit_window_known"
            ),
            models.CheckConstraint(
                condition=Q(most_minor__range=(0, MOST_MINOR)), name="deposit_limit_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(next_minor__isnull=True)
                | Q(next_from__isnull=False, next_minor__gt=F("most_minor")),
                name="deposit_limit_loosens_later",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.most_minor} {self.currency_id} in {self.window_days} d"


class SpendLimit(models.Model):
    """The most a player may lose, or stake, within a rolling window; looser as DepositLimit.

    A loss is what left his chips by play and has not come back, stakes of open rounds included.
    A stake is a bet against the house, or what a hand among players cost him.
    """

    class Kind(models.TextChoices):
        LOSS = "loss", "Loss"
        STAKE = "stake", "Stake"

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="spend_limits"
    )
    kind = models.CharField(max_length=8, choices=Kind.choices)
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+")
    window_days = models.PositiveSmallIntegerField(choices=Window.choices)
    most_minor = models.BigIntegerField()
    next_minor = models.BigIntegerField(null=True, blank=True)
    next_from = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["player", "kind", "currency", "window_days"], name="spend_limit_once"
            ),
            models.CheckConstraint(
                condition=Q(window_days__in=[1, 7, 30], kind__in=["loss", "stake"]),
                name="spend_limit_known",
            ),
            models.CheckConstraint(
                condition=Q(most_minor__range=(0, MOST_MINOR)), name="spend_limit_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(next_minor__isnull=True)
                | Q(next_from__isnull=False, next_minor__gt=F("most_minor")),
                name="spend_limit_loosens_later",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.most_minor} {self.currency_id} in {self.window_days} d"


class TimeLimit(models.Model):
    """The longest a player may play within a rolling window; looser as DepositLimit."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="time_limits"
    )
    window_days = models.PositiveSmallIntegerField(choices=Window.choices)
    most_s = models.PositiveIntegerField()
    next_s = models.PositiveIntegerField(null=True, blank=True)
    next_from = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "window_days"], name="time_limit_once"),
            models.CheckConstraint(
                condition=Q(window_days__in=[1, 7, 30]), name="time_limit_window_known"
            ),
            models.CheckConstraint(
                condition=Q(next_s__isnull=True)
                | Q(next_from__isnull=False, next_s__gt=F("most_s")),
                name="time_limit_loosens_later",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.most_s} s in {self.window_days} d"


class LimitChange(models.Model):
    """What was changed about a player's protection, by whom and from when. Never changed."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="limit_changes"
    )
    what = models.CharField(max_length=20, help_text="deposit, loss, stake, time, state, ...")
    currency = models.CharField(max_length=3, blank=True)
    window_days = models.PositiveSmallIntegerField(null=True)
    before = models.CharField(max_length=40, blank=True)
    after = models.CharField(max_length=40, blank=True)
    effective_at = models.DateTimeField()
    by_id = models.BigIntegerField(null=True, help_text="Empty: the house itself.")
    reason = models.TextField(blank=True)
    approval_id = models.BigIntegerField(null=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes: ClassVar = [models.Index(fields=["player", "id"], name="limit_change_player")]

    def __str__(self) -> str:
        return f"{self.what}: {self.before or 'none'} to {self.after or 'none'}"


class PlaySession(models.Model):
    """A run of play without a longer pause. The one that runs stands on PlayerLimits."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="play_sessions"
    )
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["player", "ended_at"], name="play_session_end")]

    def __str__(self) -> str:
        return f"{self.started_at:%Y-%m-%d %H:%M} to {self.ended_at:%H:%M}"


class ControlBand(models.Model):
    """The most a role may agree to. A deed without bands in its currency has none for anybody;
    one with bands is agreed to only by the roles that have one."""

    class Deed(models.TextChoices):
        ADJUSTMENT = "adjustment", "Adjustment"
        REVERSAL = "reversal", "Reversal"
        BONUS = "bonus", "Bonus given alone"

    deed = models.CharField(max_length=12, choices=Deed.choices)
    role = models.CharField(max_length=16, choices=Role.choices)
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+")
    most_minor = models.BigIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["deed", "role", "currency"], name="control_band_once"),
            models.CheckConstraint(
                condition=Q(most_minor__range=(0, MOST_MINOR)), name="control_band_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role}: {self.deed} up to {self.most_minor} {self.currency_id}"


class HousePolicy(models.Model):
    """What this house's market asks; one row."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    unverified_may_play = models.BooleanField(
        default=True,
        help_text="Whether a player whose identity is not verified may pay in and play.",
    )
    dormant_after_days = models.PositiveIntegerField(default=365)
    gaming_day_starts = models.TimeField(default="06:00")
    time_zone = models.CharField(max_length=60, default="UTC")

    def starts(self) -> time:
        """The time of day at which a gaming day begins, also of a row not read back yet."""
        at = self.gaming_day_starts
        return time.fromisoformat(at) if isinstance(at, str) else at

    class Meta:
        verbose_name_plural = "house policy"
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(id=1), name="house_policy_is_one")
        ]

    def __str__(self) -> str:
        return say("the house's policy")


class Reconciliation(models.Model):
    """What one reconciliation found. Never changed; a gaming day may have several."""

    gaming_day = models.DateField()
    at = models.DateTimeField(db_default=Now())
    ok = models.BooleanField()
    providers = models.JSONField(help_text="Who said what the tables' money should be.")
    balances = models.JSONField(help_text="The trial balance: by currency and purpose.")
    checks = models.JSONField(help_text="By check, what differs; nothing when it agrees.")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["gaming_day"], name="reconciliation_day")]

    def __str__(self) -> str:
        return f"{self.gaming_day}: {say('level') if self.ok else say('differs')}"


class PaymentFile(models.Model):
    """A payment provider's account of a time, held against the books. Never changed."""

    provider = models.CharField(max_length=40)
    name = models.CharField(max_length=200)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the file.")
    from_day = models.DateField(help_text="The first gaming day that it accounts for.")
    to_day = models.DateField(help_text="The last.")
    ok = models.BooleanField()
    missing = models.JSONField(help_text="Payments of these days in the books, none of them here.")
    by_id = models.BigIntegerField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["provider", "digest", "from_day", "to_day"], name="payment_file_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.from_day} to {self.to_day}"


class PaymentLine(models.Model):
    """One payment as the provider tells it, and what the books hold for its reference."""

    class Outcome(models.TextChoices):
        MATCHED = "matched", "Agrees"
        AMOUNT = "amount", "Another amount"
        CURRENCY = "currency", "Another currency"
        KIND = "kind", "The other way"
        WAITING = "waiting", "Not confirmed here"
        UNKNOWN = "unknown", "Not in the books"
        FAILED = "failed", "Failed there, booked here"
        REPEATED = "repeated", "Named before"

    file = models.ForeignKey(PaymentFile, on_delete=models.PROTECT, related_name="lines")
    line = models.PositiveIntegerField(help_text="In the file; the heading is line 1.")
    reference = models.CharField(max_length=120)
    kind = models.CharField(max_length=12)
    currency = models.CharField(max_length=3)
    amount_minor = models.BigIntegerField()
    has_failed = models.BooleanField()
    outcome = models.CharField(max_length=10, choices=Outcome.choices)
    transfer_id = models.BigIntegerField(null=True)
    booked_minor = models.BigIntegerField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["file", "line"], name="payment_line_once"),
        ]

    def __str__(self) -> str:
        return f"{self.reference}: {self.outcome}"


class CashThreshold(models.Model):
    """More than this in a gaming day, each way by itself, is reported.

    And what is watched besides: sums kept just under it, within so many gaming days.
    """

    currency = models.OneToOneField(Currency, on_delete=models.PROTECT, primary_key=True)
    report_over_minor = models.BigIntegerField()
    near_bp = models.PositiveIntegerField(
        default=8_000, help_text="Basis points of it from which a sum is just under it."
    )
    near_count = models.PositiveSmallIntegerField(
        default=3, help_text="So many sums just under it make a case."
    )
    window_days = models.PositiveSmallIntegerField(
        default=7, help_text="Gaming days that are looked at together."
    )
    suspicious_from_minor = models.BigIntegerField(
        null=True,
        blank=True,
        help_text="From here on hardly any play, or chips passed on, make a case; empty: half.",
    )

    def suspicious_from(self) -> int:
        """In minor units."""
        return self.suspicious_from_minor or self.report_over_minor // 2

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(near_bp__range=(1, 10_000), near_count__gte=2)
                & Q(window_days__range=(1, 31)),
                name="cash_watch_makes_sense",
            ),
            models.CheckConstraint(
                condition=Q(report_over_minor__range=(0, MOST_MINOR)),
                name="cash_threshold_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"over {self.report_over_minor} {self.currency_id}"


class CashCase(models.Model):
    """Cash beyond the threshold, or a suspicion, to be judged in time. The player is not told."""

    class Way(models.TextChoices):
        IN = "in", "Paid in"
        OUT = "out", "Paid out"
        TABLE = "table", "At the tables"

    class Reason(models.TextChoices):
        OVER = "over", "Over the threshold"
        STRUCTURING = "structuring", "Sums kept just under it"
        MINIMAL_PLAY = "minimal_play", "In and out with hardly any play"
        CHIP_PASSING = "chip_passing", "Chips passed to another player"

    class Status(models.TextChoices):
        OPEN = "open", "Open"
        REPORTED = "reported", "Reported"
        DISMISSED = "dismissed", "Needs no report"

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="cash_cases"
    )
    gaming_day = models.DateField()
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+")
    way = models.CharField(max_length=5, choices=Way.choices)
    reason = models.CharField(max_length=12, choices=Reason.choices, default=Reason.OVER)
    total_minor = models.BigIntegerField()
    facts = models.JSONField(default=dict, help_text="What was found, in minor units.")
    due_on = models.DateField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    note = models.TextField(blank=True)
    closed_by_id = models.BigIntegerField(null=True)
    closed_at = models.DateTimeField(null=True)
    opened_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["player", "gaming_day", "currency", "way", "reason"],
                name="cash_case_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.gaming_day} {self.way} {self.total_minor} {self.currency_id}"


class BonusGrant(models.Model):
    """A bonus and its terms; written by functions of the ledger alone.

    It becomes the player's own when `wager_minor` has been staked at house-banked games, and goes
    back to the house when it expires before.
    """

    class Funds(models.TextChoices):
        CASH_FIRST = "cash_first", "Own money first"
        BONUS_FIRST = "bonus_first", "Bonus money first"

    class Status(models.TextChoices):
        ACTIVE = "active", "Active"
        WON = "won", "Won"
        EXPIRED = "expired", "Expired"
        FORFEITED = "forfeited", "Given up"

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bonus_grants"
    )
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+")
    amount_minor = models.BigIntegerField()
    wager_minor = models.BigIntegerField(help_text="To be staked before it is won.")
    most_bet_minor = models.BigIntegerField(
        null=True, help_text="The most at stake in a round in which bonus money plays."
    )
    funds = models.CharField(max_length=12, choices=Funds.choices)
    status = models.CharField(max_length=10, choices=Status.choices)
    granted_by = models.BigIntegerField(null=True)
    transfer = models.OneToOneField(Transfer, on_delete=models.PROTECT, related_name="+")
    granted_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(amount_minor__gt=0, wager_minor__gte=0)
                & Q(funds__in=["cash_first", "bonus_first"])
                & Q(status__in=["active", "won", "expired", "forfeited"]),
                name="bonus_grant_makes_sense",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount_minor} {self.currency_id}, {self.status}"


class BonusProgress(models.Model):
    """What a settled round counted towards a grant; a reversal counts it back."""

    grant = models.ForeignKey(BonusGrant, on_delete=models.PROTECT, related_name="progress")
    hand_id = models.BigIntegerField(db_index=True)
    counted_minor = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.counted_minor} by hand {self.hand_id}"


class BonusPart(models.Model):
    """Of what a transfer moved on a bonus account by play, whose money it is: which grant's."""

    grant = models.ForeignKey(BonusGrant, on_delete=models.PROTECT, related_name="parts")
    transfer = models.ForeignKey(Transfer, on_delete=models.PROTECT, related_name="+")
    hand_id = models.BigIntegerField(db_index=True)
    amount_minor = models.BigIntegerField(help_text="Below zero: staked.")

    def __str__(self) -> str:
        return f"{self.amount_minor} in hand {self.hand_id}"


class BonusWeight(models.Model):
    """How much of a game's stakes counts towards a bonus; of a game without a row, all."""

    game = models.CharField(
        max_length=60, primary_key=True, help_text="id in the catalogue of games"
    )
    weight_bp = models.PositiveIntegerField(
        help_text="Basis points of a stake that count: 10000 is all of it."
    )

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(weight_bp__lte=10_000), name="bonus_weight_of_a_whole"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.weight_bp} bp"


class OperatorPlayer(models.Model):
    """A player whose money stays in his operator's wallet but for what he has at tables."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        primary_key=True,
        related_name="operator",
    )
    reference = models.CharField(
        max_length=80, unique=True, help_text="What the operator calls him."
    )
    made_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.reference


class OperatorCall(models.Model):
    """Money asked of an operator's wallet, or given to it: one transaction of his, once.

    Its amount waits in a pending transfer until he has answered. Triggers keep both in step.
    """

    class Way(models.TextChoices):
        IN = "in", "Debit: to the tables"
        OUT = "out", "Credit: back to the operator"

    class Status(models.TextChoices):
        ASKED = "asked", "Asked"
        DONE = "done", "Done"
        REFUSED = "refused", "Refused"
        UNDOING = "undoing", "Being rolled back"
        UNDONE = "undone", "Rolled back"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="operator_calls"
    )
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+")
    way = models.CharField(max_length=3, choices=Way.choices)
    amount_minor = models.BigIntegerField()
    key = models.CharField(max_length=200, help_text="The caller's; a further try is another row.")
    transfer = models.OneToOneField(Transfer, on_delete=models.PROTECT, related_name="+")
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.ASKED)
    attempts = models.PositiveIntegerField(default=0)
    next_at = models.DateTimeField(db_default=Now(), help_text="Nobody else sends it before.")
    problem = models.CharField(max_length=200, blank=True, default="")
    made_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-made_at"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(amount_minor__range=(1, MOST_MINOR)), name="operator_call_amount"
            ),
            models.CheckConstraint(
                condition=~Q(currency=PLAY_MONEY), name="operator_call_of_no_play_money"
            ),
            models.UniqueConstraint(
                fields=["key"],
                condition=Q(status__in=["asked", "undoing", "done"]),
                name="operator_call_once",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["next_at"],
                condition=Q(status__in=["asked", "undoing"]),
                name="operator_call_due",
            ),
            models.Index(fields=["player", "-made_at"], name="operator_call_player"),
        ]

    def __str__(self) -> str:
        return f"{self.way} {self.amount_minor} {self.currency_id}, {self.status}"
