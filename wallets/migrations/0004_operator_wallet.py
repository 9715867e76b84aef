import uuid
from pathlib import Path
from typing import ClassVar

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("core", "0008_sandbox"),
        ("wallets", "0003_currencies"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations: ClassVar = [
        migrations.CreateModel(
            name="OperatorPlayer",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="operator",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "reference",
                    models.CharField(
                        help_text="What the operator calls him.", max_length=80, unique=True
                    ),
                ),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
            ],
        ),
        migrations.CreateModel(
            name="OperatorCall",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                (
                    "way",
                    models.CharField(
                        choices=[
                            ("in", "Debit: to the tables"),
                            ("out", "Credit: back to the operator"),
                        ],
                        max_length=3,
                    ),
                ),
                ("amount_minor", models.BigIntegerField()),
                (
                    "key",
                    models.CharField(
                        help_text="The caller's; a further try is another row.", max_length=200
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("asked", "Asked"),
                            ("done", "Done"),
                            ("refused", "Refused"),
                            ("undoing", "Being rolled back"),
                            ("undone", "Rolled back"),
                        ],
                        default="asked",
                        max_length=8,
                    ),
                ),
                ("attempts", models.PositiveIntegerField(default=0)),
                (
                    "next_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(),
                        help_text="Nobody else sends it before.",
                    ),
                ),
                ("problem", models.CharField(blank=True, default="", max_length=200)),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
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
                        related_name="operator_calls",
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
                "ordering": ["-made_at"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("status__in", ["asked", "undoing"])),
                        fields=["next_at"],
                        name="operator_call_due",
                    ),
                    models.Index(fields=["player", "-made_at"], name="operator_call_player"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("amount_minor__range", (1, 9007199254740991))),
                        name="operator_call_amount",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status__in", ["asked", "undoing", "done"])),
                        fields=("key",),
                        name="operator_call_once",
                    ),
                ],
            },
        ),
        migrations.RunSQL(Path(__file__).with_suffix(".sql").read_text()),
    ]
