"""Who wants to be told of what, and the outbox of signed messages."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0006_second_factor"),
    ]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "is_house",
                    models.BooleanField(default=False, help_text="told of everybody's events"),
                ),
                ("url", models.CharField(max_length=500)),
                (
                    "kinds",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("hand.settled", "Hand Settled"),
                                ("chips.bought", "Buy In"),
                                ("chips.cashed_out", "Cash Out"),
                                ("limit.reached", "Limit Reached"),
                                ("jackpot.hit", "Jackpot Hit"),
                                ("jackpot.paid", "Jackpot Paid"),
                            ],
                            max_length=30,
                        ),
                        size=None,
                    ),
                ),
                ("secret", models.BinaryField()),
                ("former_secret", models.BinaryField(null=True)),
                ("former_until", models.DateTimeField(null=True)),
                ("is_on", models.BooleanField(default=True)),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="webhooks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="WebhookMessage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("hand.settled", "Hand Settled"),
                            ("chips.bought", "Buy In"),
                            ("chips.cashed_out", "Cash Out"),
                            ("limit.reached", "Limit Reached"),
                            ("jackpot.hit", "Jackpot Hit"),
                            ("jackpot.paid", "Jackpot Paid"),
                        ],
                        max_length=30,
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        help_text="what it tells of: told once per webhook", max_length=150
                    ),
                ),
                ("body", models.TextField()),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("waiting", "Waiting"), ("sent", "Sent"), ("dead", "Given up")],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                (
                    "next_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("problem", models.CharField(blank=True, max_length=200)),
                ("sent_at", models.DateTimeField(null=True)),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="messages",
                        to="core.webhook",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("status", "waiting")),
                        fields=["next_at"],
                        name="webhook_message_due",
                    ),
                    models.Index(fields=["webhook", "-id"], name="webhook_message_list"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("webhook", "key"), name="webhook_message_once")
                ],
            },
        ),
        migrations.RunSQL(
            "GRANT SELECT, INSERT ON core_webhook TO app;"
            "GRANT UPDATE (secret, former_secret, former_until, is_on) ON core_webhook TO app;"
            "GRANT SELECT, INSERT, DELETE ON core_webhookmessage TO app;"
            "GRANT UPDATE (status, attempts, next_at, problem, sent_at)"
            " ON core_webhookmessage TO app;"
            "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO app;"
        ),
    ]
