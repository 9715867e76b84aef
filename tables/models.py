"""What stands in the database about tables and hands. Columns and constraints only."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext as say


class Paytable(models.Model):
    """A version of the paytables and of the house rules of a game against the house.

    `content` is frozen when approval is asked for, by a trigger; a round stores which version it
    was opened with. `prices` are its exact figures.
    """

    class Status(models.TextChoices):
        DRAFT = "draft"
        PRICED = "priced"
        ASKED = "asked"
        APPROVED = "approved"
        REFUSED = "refused"

    game = models.CharField(max_length=60, help_text="id in the catalogue of games")
    name = models.CharField(max_length=60)
    version = models.PositiveIntegerField(help_text="counted by game and name")
    content = models.JSONField(help_text="paytables, policy, qualifier, orders, maxima")
    content_hash = models.CharField(max_length=64)
    prices = models.JSONField(null=True, help_text="exact figures by wager")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    approval_id = models.BigIntegerField(null=True, help_text="what was last asked for it")
    made_at = models.DateTimeField(auto_now_add=True)
    priced_at = models.DateTimeField(null=True)
    approved_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["game", "name", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "name", "version"], name="paytable_version_once"
            ),
            models.CheckConstraint(
                condition=Q(approved_by__isnull=True) | ~Q(approved_by=F("author")),
                name="paytable_two_persons",
            ),
            models.CheckConstraint(
                condition=~Q(status="approved") | Q(approved_at__isnull=False),
                name="paytable_approved_when",
            ),
        ]
        indexes = [models.Index(fields=["game", "content_hash"], name="paytable_content")]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"


class PaytableReturn(models.Model):
    """What a wager brought at a table under one version, beside what it should have brought.

    Minor units; `expected_minor` is what players should have won, `variance` that of their win.
    """

    table = models.ForeignKey("Table", on_delete=models.PROTECT, related_name="returns")
    paytable = models.ForeignKey(Paytable, on_delete=models.PROTECT, related_name="returns")
    wager = models.CharField(max_length=40)
    spots = models.BigIntegerField(default=0)
    staked_minor = models.BigIntegerField(default=0)
    net_minor = models.BigIntegerField(default=0, help_text="won by players")
    expected_minor = models.DecimalField(max_digits=40, decimal_places=6, default=0)
    variance = models.DecimalField(max_digits=60, decimal_places=6, default=0)
    outside_since = models.DateTimeField(null=True, help_text="left the band, and an alert told so")

    class Meta:
        ordering = ["table", "-paytable", "wager"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "paytable", "wager"], name="paytable_return_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.wager} at {self.table}"


class Table(models.Model):
    """One table of the floor, and the hand in play on it.

    The run-time columns (`seq` to `finished`) are written by the SQL functions of
    `migrations/0002_runtime.sql` alone; a trigger refuses a new `state` without a new `seq`.
    None of them stands in an index: every action would write to all indexes of the row.
    """

    class Status(models.TextChoices):
        DRAFT = "draft"
        OPEN = "open"
        PAUSED = "paused"
        STOPPED = "stopped"
        DRAINING = "draining"
        CLOSED = "closed"

    name = models.CharField(max_length=60, unique=True)
    game = models.CharField(max_length=60, help_text="id in the catalogue of games")
    options = models.JSONField(default=dict, help_text="stakes, limits, paytables of the game")
    timing = models.JSONField(default=dict, help_text="seconds per kind of decision and pause")
    currency = models.CharField(max_length=3)
    chip_minor = models.BigIntegerField(default=1)
    max_seats = models.PositiveSmallIntegerField(default=6)
    min_players = models.PositiveSmallIntegerField(default=2)
    buy_in_least_minor = models.BigIntegerField()
    buy_in_most_minor = models.BigIntegerField()
    is_house = models.BooleanField(default=False, help_text="demo table, kept out of reports")
    decks_per_hand = models.PositiveSmallIntegerField(
        default=4, help_text="committed at once; the players' seeds choose one"
    )
    reveal_ms = models.PositiveIntegerField(default=1000, help_text="how long seeds are awaited")
    certified = models.BooleanField(
        default=False, help_text="the market takes no seeds of players: the house deals alone"
    )
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    invitation = models.CharField(
        max_length=20, blank=True, help_text="a private table's code; empty: open to all"
    )
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, editable=False,
        related_name="+", help_text="the player whose table of a sandbox it is",
    )  # fmt: skip
    opened_at = models.DateTimeField(db_default=Now(), editable=False)
    pit = models.CharField(
        max_length=40, blank=True, default="", help_text="staff of other pits do not run it"
    )
    version = models.PositiveIntegerField(default=1, help_text="of its rules and stakes")
    held_ms = models.PositiveIntegerField(null=True, help_text="left of the turn that is stopped")
    accounts = models.JSONField(default=dict, help_text="ledger account id by purpose")
    button = models.PositiveSmallIntegerField(null=True)
    hand_number = models.BigIntegerField(default=0)
    positions = models.JSONField(null=True, help_text="button and blinds of the last hand")
    carry = models.JSONField(null=True, help_text="chips nobody has won, and who plays for them")
    mix = models.JSONField(null=True, help_text="which game of a mix runs, for how long")
    specials = models.JSONField(null=True, help_text="bomb pots counted, legs, kills")
    next_first = models.PositiveSmallIntegerField(null=True, help_text="begins at liar's dice")
    paytable = models.ForeignKey(
        Paytable, on_delete=models.PROTECT, null=True, related_name="tables",
        help_text="in force from the next round; at games against the house",
    )  # fmt: skip

    feeds = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="feeders",
        help_text="the main table whose open seats its players must move to",
    )  # fmt: skip
    jackpot = models.ForeignKey(
        "Jackpot", on_delete=models.PROTECT, null=True, related_name="tables",
        help_text="what its drop goes to, and may be won from",
    )  # fmt: skip
    time_fee_minor = models.BigIntegerField(
        default=0, help_text="time collection: what each seat pays; 0 for none"
    )
    time_fee_every_s = models.PositiveIntegerField(default=1800)
    time_fee_due = models.DateTimeField(null=True, help_text="before the first deal from then on")

    seq = models.BigIntegerField(default=0)
    state = models.TextField(null=True)
    hand_id = models.BigIntegerField(null=True)
    turn_id = models.BigIntegerField(default=0)
    turn = models.TextField(null=True)
    deadline = models.DateTimeField(null=True)
    finished = models.BooleanField(default=False)
    next_deal_at = models.DateTimeField(null=True)
    claimed = models.CharField(max_length=40, default="", blank=True)
    claimed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(buy_in_least_minor__gt=0)
                & Q(buy_in_most_minor__gte=F("buy_in_least_minor")),
                name="table_buy_in_range",
            ),
            models.CheckConstraint(condition=Q(chip_minor__gt=0), name="table_chip_positive"),
            models.CheckConstraint(
                condition=Q(time_fee_minor__gte=0, time_fee_every_s__gte=60),
                name="table_time_fee_sensible",
            ),
            models.CheckConstraint(
                condition=Q(decks_per_hand__gte=1) & Q(decks_per_hand__lte=16),
                name="table_decks_1_to_16",
            ),
            models.CheckConstraint(
                condition=Q(max_seats__gte=1) & Q(max_seats__lte=10), name="table_seats_1_to_10"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class TableHour(models.Model):
    """What a table did in one hour of one gaming day under one dealer, or none; minor units, added
    up as it happens.

    Reports and the pit read these rows instead of hands and legs; the day's close compares their
    sum with the ledger. `won_minor` is what bank or rake gained, `expected_minor` what theory says
    of it and `variance` that of the difference, both at games against the house alone.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="hours")
    gaming_day = models.DateField()
    hour = models.DateTimeField()
    dealer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+",
        help_text="who was signed on at its console then",
    )  # fmt: skip
    hands = models.BigIntegerField(default=0)
    voided = models.BigIntegerField(default=0)
    seats_dealt = models.BigIntegerField(default=0)
    drop_minor = models.BigIntegerField(default=0, help_text="chips bought at the table")
    staked_minor = models.BigIntegerField(default=0, help_text="wagered against the house")
    won_minor = models.BigIntegerField(default=0)
    expected_minor = models.DecimalField(max_digits=40, decimal_places=6, default=0)
    variance = models.DecimalField(max_digits=60, decimal_places=6, default=0)
    tips_minor = models.BigIntegerField(default=0, db_default=0, help_text="given to the dealers")
    jackpot_in_minor = models.BigIntegerField(
        default=0, db_default=0, help_text="what hands gave to jackpots"
    )
    jackpot_out_minor = models.BigIntegerField(
        default=0, db_default=0, help_text="what jackpots paid to players"
    )

    class Meta:
        ordering = ["gaming_day", "hour", "table"]
        constraints = [
            models.UniqueConstraint(
                fields=["gaming_day", "table", "hour", "dealer"],
                nulls_distinct=False,
                name="table_hour_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} at {self.hour:%Y-%m-%d %H:00}"


class Seat(models.Model):
    """A player at a table; the chips before him are the balance of `account_id`.

    He may have several spots beside each other: `number` and those above it.
    """

    class Status(models.TextChoices):
        PLAYING = "playing"
        SITTING_OUT = "sitting_out"
        LEAVING = "leaving"

    class SitsOut(models.TextChoices):
        NEVER = "", "not asked for"
        HAND = "hand", "when this hand is over"
        BIG_BLIND = "big_blind", "when the big blind reaches him"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="seats"
    )
    account_id = models.BigIntegerField()
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.PLAYING)
    spots = models.PositiveSmallIntegerField(default=1)
    taken_at = models.DateTimeField(auto_now_add=True)
    owes_big = models.BooleanField(default=False, help_text="a big blind, live")
    owes_small = models.BooleanField(default=False, help_text="a small blind, dead")
    posts = models.BooleanField(default=False, help_text="rather than wait for the big blind")
    auto_post = models.BooleanField(default=True, help_text="blinds are put in without asking")
    agrees_to_blind = models.BooleanField(default=False, help_text="to the next one, once")
    straddles = models.BooleanField(default=False, help_text="whenever the table lets him")
    wants_bomb_pot = models.BooleanField(default=False, help_text="as the next hand, once")
    sits_out_at = models.CharField(
        max_length=10, choices=SitsOut.choices, default=SitsOut.NEVER, blank=True
    )
    owes_time_minor = models.BigIntegerField(
        default=0, help_text="time collection he could not pay; due before he plays on"
    )
    tops_up_to_minor = models.BigIntegerField(null=True, help_text="when this hand is over, once")
    must_move_to = models.ForeignKey(
        Table, on_delete=models.SET_NULL, null=True, related_name="+",
        help_text="the main table, as soon as his hand is over",
    )  # fmt: skip
    moves_to = models.PositiveSmallIntegerField(null=True, help_text="when his hand is over")
    sat_out_at = models.DateTimeField(null=True, help_text="written by a trigger")
    orbits_away = models.PositiveIntegerField(default=0, help_text="big blinds that passed him")
    seen_at = models.DateTimeField(null=True, help_text="when a connection last held the seat")
    bank_ms = models.PositiveIntegerField(default=0, help_text="left of the time bank")
    disconnect_ms = models.PositiveIntegerField(default=0, help_text="spent in disconnect_hand_id")
    disconnect_hand_id = models.BigIntegerField(null=True)
    time_outs = models.PositiveSmallIntegerField(default=0, help_text="hands running")
    timed_out_hand_id = models.BigIntegerField(null=True, help_text="the last of them")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="seat_once"),
            models.UniqueConstraint(fields=["table", "player"], name="player_once_per_table"),
            models.CheckConstraint(condition=Q(spots__gte=1), name="seat_has_a_spot"),
        ]

    def __str__(self) -> str:
        return say("seat {0}").format(self.number)

    @property
    def numbers(self) -> range:
        """The seat numbers of all its spots."""
        return range(self.number, self.number + self.spots)


class SeatHold(models.Model):
    """A free seat that is kept for a player until a moment: reserved, or called from the list."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="holds")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    until = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="hold_once"),
            models.UniqueConstraint(fields=["table", "player"], name="hold_per_player_once"),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} is held"


class Departure(models.Model):
    """What a player left a table with: within its window he must bring that back."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()
    chips_minor = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "player"], name="departure_once"),
        ]

    def __str__(self) -> str:
        return f"left with {self.chips_minor}"


class Waiting(models.Model):
    """A player on the list of one kind of table; first come, first called.

    kind: game, limit, stakes and currency as one text. called_to: where a seat is held for him.
    """

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=200)
    asked_at = models.DateTimeField(auto_now_add=True)
    called_to = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, related_name="+")
    called_until = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["player", "kind"], name="waits_once"),
        ]

    def __str__(self) -> str:
        return self.kind


class Interruption(models.Model):
    """What the house ruled when a hand could not simply go on, and why. Never changed."""

    class Verdict(models.TextChoices):
        RESTORED = "restored", "goes on from what is stored"
        PLAYS_ON = "plays_on", "the fault came too late to matter"
        REFUNDED = "refunded", "void, every stake went back"
        REDEALT = "redeal", "void, and the same deal again"
        FRESH_DECK = "fresh_deck", "the deck was replaced before the deal"
        WAITS = "waits", "paid as soon as the books can be reached; a human is needed"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="interruptions")
    hand = models.ForeignKey(
        "Hand", on_delete=models.PROTECT, null=True, related_name="interruptions"
    )
    code = models.CharField(max_length=40, help_text="what happened")
    verdict = models.CharField(max_length=10, choices=Verdict.choices)
    detail = models.CharField(max_length=300, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.code}: {self.verdict}"


class Template(models.Model):
    """A kind of table under a name: what another one like it is opened with."""

    name = models.CharField(max_length=60, unique=True)
    facts = models.JSONField()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Schedule(models.Model):
    """When a table opens and closes by itself, in the house's time zone."""

    table = models.OneToOneField(Table, on_delete=models.PROTECT, related_name="schedule")
    weekdays = models.JSONField(default=list, help_text="0 is Monday: days on which it opens")
    opens = models.TimeField()
    closes = models.TimeField(help_text="at or before the opening: of the next morning")
    is_on = models.BooleanField(default=True)
    wants_open = models.BooleanField(default=False, help_text="what was last carried out")

    def __str__(self) -> str:
        return f"{self.table}: {self.opens:%H:%M} to {self.closes:%H:%M}"


class HouseStop(models.Model):
    """No further hand is dealt, of one game or of any, until it is lifted."""

    game = models.CharField(max_length=60, blank=True, help_text="empty: every game")
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)
    lifted_at = models.DateTimeField(null=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["game"], name="stopped_once", condition=Q(lifted_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"stop of {self.game or 'the house'}"


class ClockDay(models.Model):
    """What a player's lost connections have cost his tables on one day, by UTC."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    disconnect_ms = models.PositiveIntegerField(default=0)
    protections = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "day"], name="clock_day_once"),
        ]

    def __str__(self) -> str:
        return f"{self.day}"


class Hand(models.Model):
    """One hand or round: it ends by the definition and options it began with."""

    class Status(models.TextChoices):
        OPEN = "open"
        FINISHED = "finished"
        SETTLED = "settled"
        VOIDED = "voided"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="hands", db_index=False)
    number = models.BigIntegerField()
    game = models.CharField(max_length=60)
    definition = models.JSONField()
    options = models.JSONField()
    paytable = models.ForeignKey(
        Paytable, on_delete=models.PROTECT, null=True, related_name="hands"
    )
    engine_version = models.CharField(max_length=20)
    seats = models.JSONField(help_text="by seat: player, name, account, stack_minor")
    button = models.PositiveSmallIntegerField(null=True)
    deck_id = models.BigIntegerField(
        unique=True, null=True, help_text="null until the cut has chosen it"
    )
    more_decks = models.JSONField(default=list, help_text="of dice, in the order they are used")
    carry = models.JSONField(null=True, help_text="what the hand before left in the pot")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    result = models.JSONField(null=True)
    final_view = models.JSONField(null=True, help_text="the public view when it was over")
    first_seq = models.BigIntegerField(default=0)
    last_seq = models.BigIntegerField(null=True)
    started_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="hand_number_once"),
        ]
        indexes = [
            models.Index(
                fields=["status"], name="hand_not_settled", condition=~Q(status="settled")
            ),
            models.Index(fields=["started_at", "id"], name="hand_begun"),
            models.Index(fields=["table", "started_at", "id"], name="hand_of_table"),
        ]

    def __str__(self) -> str:
        return say("hand {0}").format(self.number)


class Jackpot(models.Model):
    """A pool that the drops of its tables fill: for bad beats, for high hands, or for both."""

    name = models.CharField(max_length=60, unique=True)
    currency = models.CharField(max_length=3)
    account_id = models.BigIntegerField(unique=True)
    opened_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class JackpotTerms(models.Model):
    """What a jackpot is won by and how it is divided, from a moment on. Never changed.

    A hand is judged by the terms that were in force when it began.
    """

    jackpot = models.ForeignKey(Jackpot, on_delete=models.PROTECT, related_name="terms")
    version = models.PositiveIntegerField()
    content = models.JSONField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["jackpot", "-version"]
        verbose_name_plural = "jackpot terms"
        constraints = [
            models.UniqueConstraint(fields=["jackpot", "version"], name="jackpot_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.jackpot} v{self.version}"


class JackpotMeter(models.Model):
    """What went into a jackpot account and out of it; with corrections that is its balance."""

    account_id = models.BigIntegerField(primary_key=True)
    dropped_minor = models.BigIntegerField(default=0)
    seeded_minor = models.BigIntegerField(default=0)
    paid_minor = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.dropped_minor} + {self.seeded_minor} - {self.paid_minor}"


class JackpotHit(models.Model):
    """A hand that wins from a jackpot: locked at once, paid when the house has verified it.

    A high hand leads until a better one comes or its time is over; then it is locked. shares:
    minor units by player. `amount_minor` is out of the meter from the moment it is locked.
    """

    class Kind(models.TextChoices):
        BAD_BEAT = "bad_beat", "Bad beat"
        HIGH_HAND = "high_hand", "High hand"

    class Status(models.TextChoices):
        LEADING = "leading", "leads"
        BEATEN = "beaten", "was beaten"
        LOCKED = "locked", "to be verified"
        PAID = "paid", "paid"
        REFUSED = "refused", "refused"

    jackpot = models.ForeignKey(Jackpot, on_delete=models.PROTECT, related_name="hits")
    terms = models.ForeignKey(JackpotTerms, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="jackpot_hits")
    status = models.CharField(max_length=10, choices=Status.choices)
    words = models.CharField(max_length=120, help_text="the hand that was beaten, or is highest")
    strength = models.JSONField(default=list)
    until = models.DateTimeField(null=True, help_text="of a high hand: the end of its time")
    amount_minor = models.BigIntegerField(default=0)
    shares = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)
    approval_id = models.BigIntegerField(null=True, help_text="of two persons, over a size")
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True)
    note = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["hand", "kind"], name="jackpot_hit_once_a_hand"),
            models.UniqueConstraint(
                fields=["jackpot"], name="jackpot_one_leads", condition=Q(status="leading")
            ),
            models.CheckConstraint(condition=Q(amount_minor__gte=0), name="jackpot_hit_not_below"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.words}"


class Origin(models.Model):
    """From where a player came to a table: keyed hashes of his address and of his device.

    Only equality can be read from them.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="+")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    address = models.CharField(max_length=32)
    device = models.CharField(max_length=32)
    day = models.DateField()
    first_at = models.DateTimeField(auto_now_add=True)
    last_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["day", "table", "player", "address", "device"], name="origin_once_a_day"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} at {self.table}"


class PairReport(models.Model):
    """What a nightly look at pairs of players found in one gaming day, by which thresholds."""

    gaming_day = models.DateField(unique=True)
    at = models.DateTimeField(auto_now_add=True)
    hands = models.BigIntegerField()
    thresholds = models.JSONField()

    class Meta:
        ordering = ["-gaming_day"]

    def __str__(self) -> str:
        return f"{self.gaming_day}"


class PairFinding(models.Model):
    """A pair whose figures are out of line; for a person to look at, never a verdict."""

    class Kind(models.TextChoices):
        DUMPING = "dumping", "Chips go one way"
        SOFT_PLAY = "soft_play", "They spare each other"
        TOGETHER = "together", "Always together"
        ONE_PLACE = "one_place", "From one place"

    report = models.ForeignKey(PairReport, on_delete=models.PROTECT, related_name="findings")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    a = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    b = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    figures = models.JSONField()

    class Meta:
        ordering = ["kind", "id"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.a}, {self.b}"


class HandReport(models.Model):
    """A player's complaint about a hand he was in."""

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="reports")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=500)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["hand", "player"], name="hand_reported_once"),
        ]

    def __str__(self) -> str:
        return f"{self.hand}: {self.reason[:40]}"


class Event(models.Model):
    """What one action or house step caused: one row, one `seq`, one frame. Never changed.

    `events` is the JSON array of public parts, `private` the ciphertext of the private ones by
    seat, readable by the projection for their owner alone.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="+", db_index=False)
    seq = models.BigIntegerField()
    hand_id = models.BigIntegerField(null=True)
    action_id = models.UUIDField(null=True)
    events = models.TextField()
    turn = models.TextField(null=True, help_text="public part of the turn this row opened")
    private = models.BinaryField(null=True)
    private_seats = models.JSONField(default=list)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "seq"], name="event_seq_once"),
            models.UniqueConstraint(
                fields=["table", "action_id"],
                name="event_action_once",
                condition=Q(action_id__isnull=False),
            ),
        ]
        indexes = [models.Index(fields=["hand_id"], name="event_hand")]

    def __str__(self) -> str:
        return f"event {self.seq}"


class HandArchive(models.Model):
    """All events of a hand that is over, in one row. Never changed but by another wrapping.

    Written by tables_hands_pack() alone, in the statement that takes the rows out of Event;
    `tables.events` reads both. `events` is a JSON array of [id, seq, action id, events, turn,
    private seats, microseconds of its time], `private` the ciphertexts in the same order.
    """

    hand = models.OneToOneField(
        Hand, on_delete=models.PROTECT, primary_key=True, related_name="archive"
    )
    table = models.ForeignKey(
        Table, on_delete=models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    rows = models.IntegerField()
    first_seq = models.BigIntegerField()
    last_seq = models.BigIntegerField()
    events = models.TextField()
    private = ArrayField(models.BinaryField(null=True))
    packed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"events of hand {self.pk}"


class Dealt(models.Model):
    """Who was dealt in to which hand: the way to a player's own hands. Written by a trigger."""

    pk = models.CompositePrimaryKey("player_id", "hand_id")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False,
        db_constraint=False,
    )  # fmt: skip
    hand = models.ForeignKey(
        Hand, on_delete=models.PROTECT, related_name="dealt", db_index=False, db_constraint=False
    )

    def __str__(self) -> str:
        return f"player {self.player_id} in hand {self.hand_id}"


class Cut(models.Model):
    """The decks committed for one deal, reshuffle or roll, and what players' seeds make of them.

    `hand_id` is null while it waits for the table's next deal. `expected` are the players asked in
    a running hand, null before one. `due` is when its running window ends. docs/fairness.md 1.
    """

    class Purpose(models.TextChoices):
        DEAL = "deal"
        RESHUFFLE = "reshuffle"
        DICE = "dice"

    class Status(models.TextChoices):
        OPEN = "open"
        LISTED = "listed"
        DEALT = "dealt"
        VOID = "void"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="cuts", db_index=False)
    number = models.BigIntegerField(help_text="without gaps per table")
    hand_id = models.BigIntegerField(null=True)
    purpose = models.CharField(max_length=10, choices=Purpose.choices)
    kind = models.CharField(max_length=10, help_text="cards + dice")
    contents = models.JSONField(null=True, help_text="the deck's cards; null: a secret muck")
    takes_seeds = models.BooleanField(default=True)
    attempt = models.PositiveSmallIntegerField(default=0, help_text="fresh cuts after withholding")
    expected = models.JSONField(null=True, help_text="players asked while a hand runs")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    due = models.DateTimeField(null=True)
    claimed_due = models.DateTimeField(null=True, help_text="the window that a clock found over")
    claimed_at = models.DateTimeField(null=True)
    published_at = models.DateTimeField(auto_now_add=True)
    listed_ms = models.BigIntegerField(null=True)
    commitments = models.JSONField(null=True, help_text="the closed list")
    list_signature = models.CharField(max_length=128, default="", blank=True)
    seeds = models.JSONField(default=list, help_text="opened ones, null for a withheld one")
    opened_ms = models.JSONField(default=list, help_text="when each was opened")
    mode = models.CharField(max_length=10, default="", blank=True)
    reason = models.CharField(max_length=40, default="", blank=True)
    root_number = models.BigIntegerField(null=True, help_text="of the dealt deck")
    joined = models.CharField(max_length=64, default="", blank=True)
    ended_ms = models.BigIntegerField(null=True)
    end_signature = models.CharField(max_length=128, default="", blank=True)

    class Meta:
        ordering = ["table", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="cut_number_once"),
            models.UniqueConstraint(
                fields=["table"],
                name="cut_one_waiting",
                condition=Q(hand_id__isnull=True, status="open"),
            ),
        ]
        indexes = [
            models.Index(fields=["hand_id"], name="cut_hand"),
            models.Index(fields=["due"], name="cut_due", condition=Q(due__isnull=False)),
        ]

    def __str__(self) -> str:
        return say("cut {0}").format(self.number)


class Deck(models.Model):
    """A committed deck: its root is published before any seed is taken that cuts it."""

    class Status(models.TextChoices):
        COMMITTED = "committed"
        DEALT = "dealt"
        OPENED = "opened"
        VOID = "void"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="decks", db_index=False)
    cut = models.ForeignKey(Cut, on_delete=models.PROTECT, null=True, related_name="decks")
    number = models.BigIntegerField(help_text="without gaps per table")
    kind = models.CharField(max_length=10, default="52+0", help_text="cards + dice")
    root = models.CharField(max_length=64)
    previous = models.CharField(
        max_length=64, default="", blank=True, help_text="the root with the number before"
    )
    signature = models.CharField(max_length=128)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.COMMITTED)
    dealing = models.JSONField(
        null=True, help_text="slot of each card's position, then what is added to each die"
    )
    committed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="deck_number_once"),
        ]

    def __str__(self) -> str:
        return say("deck {0}").format(self.number)


class SeedCommitment(models.Model):
    """A player's commitment to a seed, and the seed itself once he has opened it.

    `sealed` is the seed's ciphertext: nobody reads it before the cut is made of it.
    """

    cut = models.ForeignKey(
        Cut, on_delete=models.PROTECT, related_name="commitments_given", db_index=False
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    commitment = models.CharField(max_length=64)
    at_ms = models.BigIntegerField()
    signature = models.CharField(max_length=128)
    sealed = models.BinaryField(null=True)
    opened_ms = models.BigIntegerField(null=True)
    opened_signature = models.CharField(max_length=128, default="", blank=True)
    withheld_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["cut", "player"], name="seed_once_per_player"),
            models.UniqueConstraint(fields=["cut", "commitment"], name="seed_commitment_once"),
        ]
        indexes = [
            models.Index(
                fields=["player", "withheld_at"],
                name="seed_withheld",
                condition=Q(withheld_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"commitment {self.commitment[:8]}"


class HandSecret(models.Model):
    """A deck's order and salts, encrypted; read by `beliefs.deck_open` and `secret_of` alone."""

    deck_id = models.BigIntegerField(primary_key=True)
    sealed = models.BinaryField()

    def __str__(self) -> str:
        return f"secret of deck {self.deck_id}"


class Pulse(models.Model):
    """When each kind of process was last alive, by the database's clock."""

    kind = models.CharField(max_length=10, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.kind


class ClocksHeld(models.Model):
    """A silence of the house, and how far it moved the deadlines that were running."""

    kind = models.CharField(max_length=10)
    began = models.DateTimeField()
    ended = models.DateTimeField()
    tables = models.IntegerField()

    class Meta:
        verbose_name_plural = "clocks held"
        constraints = [
            models.UniqueConstraint(fields=["kind", "began"], name="silence_judged_once"),
        ]
        indexes = [models.Index(fields=["ended"], name="silence_by_end")]

    def __str__(self) -> str:
        return f"{self.kind} silent since {self.began:%H:%M:%S}"


class Shift(models.Model):
    """A dealer's time at a table's console: from signing on to relief or signing off.

    The table's events tell every change of it; this row is what stands now.
    """

    class End(models.TextChoices):
        RELIEVED = "relieved"
        OFF = "off"
        FLOOR = "floor", "ended by the floor"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="shifts")
    dealer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    device_id = models.BigIntegerField()
    began_at = models.DateTimeField()
    break_since = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    end = models.CharField(max_length=10, choices=End.choices, default="", blank=True)
    confirmed_hand_id = models.BigIntegerField(null=True, help_text="the last hand he has paid")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(ended_at__isnull=True), name="one_dealer_at_a_table"
            ),
            models.UniqueConstraint(
                fields=["dealer"], condition=Q(ended_at__isnull=True), name="dealer_at_one_table"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, end="") | Q(ended_at__isnull=False, end__gt=""),
                name="shift_ended_why",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.dealer} at table {self.table_id}"


class FloorCall(models.Model):
    """A call for the floor, a dealer's or a player's, until somebody has answered it."""

    class Why(models.TextChoices):
        HELP = "help", "Help"
        DISPUTE = "dispute", "Dispute"
        CHIPS = "chips", "Fill or credit"
        VOID = "void", "Void the hand"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="floor_calls")
    why = models.CharField(max_length=10, choices=Why.choices)
    hand_id = models.BigIntegerField(null=True, help_text="that in play when it was made")
    device_id = models.BigIntegerField(null=True, help_text="empty: a player flags the hand")
    dealer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    called_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        indexes = [
            models.Index(
                fields=["table"], name="floor_call_open", condition=Q(answered_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return say("{0} at table {1}").format(say(str(self.get_why_display())), self.table_id)


class DeckScript(models.Model):
    """What a player of a sandbox asks of the next hand of a table for play money."""

    class Status(models.TextChoices):
        WAITING = "waiting"
        DEALT = "dealt"
        FAILED = "failed"
        WITHDRAWN = "withdrawn"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="scripts")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    script = models.JSONField(help_text="what is asked for, as it was sent")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    hand_id = models.BigIntegerField(null=True)
    fault = models.CharField(
        max_length=200, default="", blank=True, help_text="why it could not be dealt"
    )
    asked_at = models.DateTimeField(db_default=Now())
    dealt_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(status="waiting"), name="script_one_waiting"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.status} at table {self.table_id}"
