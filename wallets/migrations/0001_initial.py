import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Currency",
            fields=[
                ("code", models.CharField(max_length=3, primary_key=True, serialize=False)),
                (
                    "exponent",
                    models.PositiveSmallIntegerField(
                        help_text="Decimal places of the major unit: 2 for EUR, 0 for JPY."
                    ),
                ),
                ("name", models.CharField(max_length=60)),
            ],
            options={
                "verbose_name_plural": "currencies",
                "ordering": ["code"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("code__regex", "^[A-Z]{3}$")),
                        name="currency_code_is_three_capitals",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("exponent__lte", 4)), name="currency_exponent_small"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Account",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("cash", "Cash"),
                            ("bonus", "Bonus"),
                            ("pending", "Awaiting confirmation"),
                            ("receivable", "Owed by the player"),
                            ("seat", "Chips at a table"),
                            ("in_play", "Stakes in play"),
                            ("bank", "Table bank"),
                            ("rake", "Rake"),
                            ("drop", "Drop"),
                            ("jackpot", "Jackpot"),
                            ("cage", "Cage"),
                            ("revenue", "House revenue"),
                            ("adjustments", "Adjustments"),
                            ("exchange", "Currency exchange"),
                            ("spread", "Earned by exchange"),
                            ("operator", "At the operator's wallet"),
                            ("tips", "Tips"),
                        ],
                        max_length=12,
                    ),
                ),
                ("table_id", models.BigIntegerField(null=True)),
                ("may_go_negative", models.BooleanField(default=False)),
                ("balance_minor", models.BigIntegerField(default=0)),
                (
                    "last_leg_id",
                    models.BigIntegerField(help_text="The leg that made the balance.", null=True),
                ),
                (
                    "held_by",
                    models.BigIntegerField(
                        help_text="The hand in play that alone may take from this account.",
                        null=True,
                    ),
                ),
                (
                    "opened_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="accounts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "currency",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="wallets.currency",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("held_by__isnull", False)),
                        fields=["held_by"],
                        name="account_held_by",
                    ),
                    models.Index(
                        condition=models.Q(("table_id__isnull", False)),
                        fields=["table_id"],
                        name="account_table",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("purpose", "currency", "player", "table_id"),
                        name="account_opened_once",
                        nulls_distinct=False,
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("balance_minor__range", (0, 9007199254740991)),
                            models.Q(
                                ("balance_minor__range", (-9007199254740991, 9007199254740991)),
                                ("may_go_negative", True),
                            ),
                            _connector="OR",
                        ),
                        name="account_balance_in_bounds",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Transfer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=200, unique=True)),
                ("kind", models.CharField(max_length=32)),
                (
                    "phase",
                    models.CharField(
                        choices=[
                            ("single", "Posted at once"),
                            ("pending", "Pending"),
                            ("post", "Posts a pending one"),
                            ("void", "Voids a pending one"),
                        ],
                        default="single",
                        max_length=8,
                    ),
                ),
                ("hand_id", models.BigIntegerField(null=True)),
                ("table_id", models.BigIntegerField(null=True)),
                ("approval_id", models.BigIntegerField(null=True)),
                (
                    "actor_id",
                    models.BigIntegerField(help_text="Empty: the house itself.", null=True),
                ),
                ("reason", models.TextField(blank=True, default="")),
                ("intent", models.JSONField(null=True)),
                ("leg_count", models.SmallIntegerField()),
                ("content_hash", models.BinaryField(max_length=32)),
                (
                    "xact_id",
                    models.BigIntegerField(help_text="The database transaction that wrote it."),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "resolves",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="resolutions",
                        to="wallets.transfer",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("hand_id__isnull", False)),
                        fields=["hand_id"],
                        name="transfer_hand",
                    ),
                    django.contrib.postgres.indexes.BrinIndex(
                        fields=["created_at"], name="transfer_created"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("resolves__isnull", False)),
                        fields=("resolves",),
                        name="transfer_resolved_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Leg",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "position",
                    models.SmallIntegerField(help_text="1 up to the transfer's leg count."),
                ),
                ("currency", models.CharField(max_length=3)),
                ("amount_minor", models.BigIntegerField()),
                ("balance_after_minor", models.BigIntegerField()),
                (
                    "account",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="legs",
                        to="wallets.account",
                    ),
                ),
                (
                    "transfer",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="legs",
                        to="wallets.transfer",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["account", "id"], name="leg_account_id")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("transfer", "position"), name="leg_position_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ExchangeRate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("gives_minor", models.BigIntegerField()),
                ("gets_minor", models.BigIntegerField()),
                ("middle_minor", models.BigIntegerField()),
                (
                    "source",
                    models.CharField(
                        help_text="Whose market, and which fixing of it.", max_length=100
                    ),
                ),
                (
                    "from_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("until_at", models.DateTimeField()),
                (
                    "approval_id",
                    models.BigIntegerField(
                        help_text="By which two persons agreed to it; its transfers carry it too.",
                        unique=True,
                    ),
                ),
                (
                    "gets",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="wallets.currency",
                    ),
                ),
                (
                    "gives",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="wallets.currency",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("gets_minor__gte", 1),
                            ("gives_minor__range", (1, 9007199254740991)),
                            ("middle_minor__range", (models.F("gets_minor"), 9007199254740991)),
                            ("until_at__gt", models.F("from_at")),
                            models.Q(("gives", models.F("gets")), _negated=True),
                        ),
                        name="exchange_rate_makes_sense",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PlayerLimits",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="limits",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("self_excluded", models.BooleanField(default=False)),
                ("excluded_until", models.DateTimeField(blank=True, null=True)),
                ("changed_at", models.DateTimeField(auto_now=True)),
                ("cool_off_until", models.DateTimeField(blank=True, null=True)),
                (
                    "is_limited",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="Has a spending or time limit, or reality checks: only then play is counted.",
                    ),
                ),
                (
                    "playing_from",
                    models.DateTimeField(blank=True, help_text="This session's begin.", null=True),
                ),
                (
                    "playing_last",
                    models.DateTimeField(blank=True, help_text="To the minute.", null=True),
                ),
                (
                    "reality_check_s",
                    models.PositiveIntegerField(
                        blank=True,
                        help_text="Play pauses this often until the player says go on.",
                        null=True,
                    ),
                ),
                ("reality_from", models.DateTimeField(blank=True, null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("new", "New: identity not verified"),
                            ("verified", "Verified"),
                            ("suspended", "Suspended"),
                            ("dormant", "Dormant"),
                            ("closed", "Closed"),
                        ],
                        db_default="new",
                        default="new",
                        max_length=10,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "player limits",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["new", "verified", "suspended", "dormant", "closed"])
                        ),
                        name="player_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("reality_check_s__isnull", True),
                            ("reality_check_s__gte", 60),
                            _connector="OR",
                        ),
                        name="reality_check_a_minute_or_more",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DepositLimit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "window_days",
                    models.PositiveSmallIntegerField(
                        choices=[(1, "24 hours"), (7, "7 days"), (30, "30 days")]
                    ),
                ),
                ("most_minor", models.BigIntegerField()),
                ("next_minor", models.BigIntegerField(blank=True, null=True)),
                ("next_from", models.DateTimeField(blank=True, null=True)),
                (
                    "currency",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="wallets.currency",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deposit_limits",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("player", "currency", "window_days"), name="deposit_limit_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("window_days__in", [1, 7, 30])),
                        name="deposit_limit_window_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("most_minor__range", (0, 9007199254740991))),
                        name="deposit_limit_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("next_minor__isnull", True),
                            models.Q(
                                ("next_from__isnull", False),
                                ("next_minor__gt", models.F("most_minor")),
                            ),
                            _connector="OR",
                        ),
                        name="deposit_limit_loosens_later",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SpendLimit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(choices=[("loss", "Loss"), ("stake", "Stake")], max_length=8),
                ),
                (
                    "window_days",
                    models.PositiveSmallIntegerField(
                        choices=[(1, "24 hours"), (7, "7 days"), (30, "30 days")]
                    ),
                ),
                ("most_minor", models.BigIntegerField()),
                ("next_minor", models.BigIntegerField(blank=True, null=True)),
                ("next_from", models.DateTimeField(blank=True, null=True)),
                (
                    "currency",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="wallets.currency",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="spend_limits",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("player", "kind", "currency", "window_days"),
                        name="spend_limit_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind__in", ["loss", "stake"]), ("window_days__in", [1, 7, 30])
                        ),
                        name="spend_limit_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("most_minor__range", (0, 9007199254740991))),
                        name="spend_limit_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("next_minor__isnull", True),
                            models.Q(
                                ("next_from__isnull", False),
                                ("next_minor__gt", models.F("most_minor")),
                            ),
                            _connector="OR",
                        ),
                        name="spend_limit_loosens_later",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TimeLimit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "window_days",
                    models.PositiveSmallIntegerField(
                        choices=[(1, "24 hours"), (7, "7 days"), (30, "30 days")]
                    ),
                ),
                ("most_s", models.PositiveIntegerField()),
                ("next_s", models.PositiveIntegerField(blank=True, null=True)),
                ("next_from", models.DateTimeField(blank=True, null=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="time_limits",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("player", "window_days"), name="time_limit_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("window_days__in", [1, 7, 30])),
                        name="time_limit_window_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("next_s__isnull", True),
                            models.Q(
                                ("next_from__isnull", False), ("next_s__gt", models.F("most_s"))
                            ),
                            _connector="OR",
                        ),
                        name="time_limit_loosens_later",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LimitChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "what",
                    models.CharField(
                        help_text="deposit, loss, stake, time, state, ...", max_length=20
                    ),
                ),
                ("currency", models.CharField(blank=True, max_length=3)),
                ("window_days", models.PositiveSmallIntegerField(null=True)),
                ("before", models.CharField(blank=True, max_length=40)),
                ("after", models.CharField(blank=True, max_length=40)),
                ("effective_at", models.DateTimeField()),
                ("by_id", models.BigIntegerField(help_text="Empty: the house itself.", null=True)),
                ("reason", models.TextField(blank=True)),
                ("approval_id", models.BigIntegerField(null=True)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="limit_changes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["player", "id"], name="limit_change_player")],
            },
        ),
        migrations.CreateModel(
            name="PlaySession",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField()),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="play_sessions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["player", "ended_at"], name="play_session_end")],
            },
        ),
        migrations.CreateModel(
            name="HousePolicy",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                (
                    "unverified_may_play",
                    models.BooleanField(
                        default=True,
                        help_text="Whether a player whose identity is not verified may pay in and play.",
                    ),
                ),
                ("dormant_after_days", models.PositiveIntegerField(default=365)),
                ("gaming_day_starts", models.TimeField(default="06:00")),
                ("time_zone", models.CharField(default="UTC", max_length=60)),
            ],
            options={
                "verbose_name_plural": "house policy",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("id", 1)), name="house_policy_is_one"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ControlBand",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "deed",
                    models.CharField(
                        choices=[("adjustment", "Adjustment"), ("reversal", "Reversal")],
                        max_length=12,
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("player", "Player"),
                            ("dealer", "Dealer"),
                            ("floor", "Floor"),
                            ("pit_manager", "Pit manager"),
                            ("cage", "Cage"),
                            ("finance", "Finance"),
                            ("surveillance", "Surveillance"),
                            ("compliance", "Compliance"),
                            ("game_maths", "Game maths"),
                            ("admin", "Administrator"),
                        ],
                        max_length=16,
                    ),
                ),
                ("most_minor", models.BigIntegerField()),
                (
                    "currency",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="wallets.currency",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("deed", "role", "currency"), name="control_band_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("most_minor__range", (0, 9007199254740991))),
                        name="control_band_not_negative",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CashThreshold",
            fields=[
                (
                    "currency",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        serialize=False,
                        to="wallets.currency",
                    ),
                ),
                ("report_over_minor", models.BigIntegerField()),
                (
                    "near_bp",
                    models.PositiveIntegerField(
                        default=8000,
                        help_text="Basis points of it from which a sum is just under it.",
                    ),
                ),
                (
                    "near_count",
                    models.PositiveSmallIntegerField(
                        default=3, help_text="So many sums just under it make a case."
                    ),
                ),
                (
                    "window_days",
                    models.PositiveSmallIntegerField(
                        default=7, help_text="Gaming days that are looked at together."
                    ),
                ),
                (
                    "suspicious_from_minor",
                    models.BigIntegerField(
                        blank=True,
                        help_text="From here on hardly any play, or chips passed on, make a case; empty: half.",
                        null=True,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("near_bp__range", (1, 10000)),
                            ("near_count__gte", 2),
                            ("window_days__range", (1, 31)),
                        ),
                        name="cash_watch_makes_sense",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("report_over_minor__range", (0, 9007199254740991))),
                        name="cash_threshold_not_negative",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CashCase",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("gaming_day", models.DateField()),
                (
                    "way",
                    models.CharField(
                        choices=[
                            ("in", "Paid in"),
                            ("out", "Paid out"),
                            ("table", "At the tables"),
                        ],
                        max_length=5,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("over", "Over the threshold"),
                            ("structuring", "Sums kept just under it"),
                            ("minimal_play", "In and out with hardly any play"),
                            ("chip_passing", "Chips passed to another player"),
                        ],
                        default="over",
                        max_length=12,
                    ),
                ),
                ("total_minor", models.BigIntegerField()),
                (
                    "facts",
                    models.JSONField(default=dict, help_text="What was found, in minor units."),
                ),
                ("due_on", models.DateField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("reported", "Reported"),
                            ("dismissed", "Needs no report"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("note", models.TextField(blank=True)),
                ("closed_by_id", models.BigIntegerField(null=True)),
                ("closed_at", models.DateTimeField(null=True)),
                (
                    "opened_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "currency",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="wallets.currency",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cash_cases",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("player", "gaming_day", "currency", "way", "reason"),
                        name="cash_case_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Reconciliation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("gaming_day", models.DateField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("ok", models.BooleanField()),
                (
                    "providers",
                    models.JSONField(help_text="Who said what the tables' money should be."),
                ),
                (
                    "balances",
                    models.JSONField(help_text="The trial balance: by currency and purpose."),
                ),
                (
                    "checks",
                    models.JSONField(help_text="By check, what differs; nothing when it agrees."),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["gaming_day"], name="reconciliation_day")],
            },
        ),
        migrations.CreateModel(
            name="PaymentFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("provider", models.CharField(max_length=40)),
                ("name", models.CharField(max_length=200)),
                ("digest", models.CharField(help_text="SHA-256 of the file.", max_length=64)),
                (
                    "from_day",
                    models.DateField(help_text="The first gaming day that it accounts for."),
                ),
                ("to_day", models.DateField(help_text="The last.")),
                ("ok", models.BooleanField()),
                (
                    "missing",
                    models.JSONField(
                        help_text="Payments of these days in the books, none of them here."
                    ),
                ),
                ("by_id", models.BigIntegerField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("provider", "digest", "from_day", "to_day"),
                        name="payment_file_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PaymentLine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "line",
                    models.PositiveIntegerField(help_text="In the file; the heading is line 1."),
                ),
                ("reference", models.CharField(max_length=120)),
                ("kind", models.CharField(max_length=12)),
                ("currency", models.CharField(max_length=3)),
                ("amount_minor", models.BigIntegerField()),
                ("has_failed", models.BooleanField()),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("matched", "Agrees"),
                            ("amount", "Another amount"),
                            ("currency", "Another currency"),
                            ("kind", "The other way"),
                            ("waiting", "Not confirmed here"),
                            ("unknown", "Not in the books"),
                            ("failed", "Failed there, booked here"),
                            ("repeated", "Named before"),
                        ],
                        max_length=10,
                    ),
                ),
                ("transfer_id", models.BigIntegerField(null=True)),
                ("booked_minor", models.BigIntegerField(null=True)),
                (
                    "file",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="lines",
                        to="wallets.paymentfile",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("file", "line"), name="payment_line_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="BonusGrant",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("amount_minor", models.BigIntegerField()),
                ("wager_minor", models.BigIntegerField(help_text="To be staked before it is won.")),
                (
                    "most_bet_minor",
                    models.BigIntegerField(
                        help_text="The most at stake in a round in which bonus money plays.",
                        null=True,
                    ),
                ),
                (
                    "funds",
                    models.CharField(
                        choices=[
                            ("cash_first", "Own money first"),
                            ("bonus_first", "Bonus money first"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("active", "Active"),
                            ("won", "Won"),
                            ("expired", "Expired"),
                            ("forfeited", "Given up"),
                        ],
                        max_length=10,
                    ),
                ),
                ("granted_by", models.BigIntegerField(null=True)),
                (
                    "granted_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("expires_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "currency",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="wallets.currency",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bonus_grants",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "transfer",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="wallets.transfer",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("amount_minor__gt", 0),
                            ("wager_minor__gte", 0),
                            ("funds__in", ["cash_first", "bonus_first"]),
                            ("status__in", ["active", "won", "expired", "forfeited"]),
                        ),
                        name="bonus_grant_makes_sense",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="BonusProgress",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("hand_id", models.BigIntegerField(db_index=True)),
                ("counted_minor", models.BigIntegerField()),
                (
                    "grant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="progress",
                        to="wallets.bonusgrant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="BonusPart",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("hand_id", models.BigIntegerField(db_index=True)),
                ("amount_minor", models.BigIntegerField(help_text="Below zero: staked.")),
                (
                    "grant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="parts",
                        to="wallets.bonusgrant",
                    ),
                ),
                (
                    "transfer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="wallets.transfer",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="BonusWeight",
            fields=[
                (
                    "game",
                    models.CharField(
                        help_text="id in the catalogue of games",
                        max_length=60,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "weight_bp",
                    models.PositiveIntegerField(
                        help_text="Basis points of a stake that count: 10000 is all of it."
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("weight_bp__lte", 10000)),
                        name="bonus_weight_of_a_whole",
                    )
                ],
            },
        ),
    ]
