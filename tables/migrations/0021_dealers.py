import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0020_time_collection"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Shift",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("device_id", models.BigIntegerField()),
                ("began_at", models.DateTimeField()),
                ("break_since", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "end",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("relieved", "Relieved"),
                            ("off", "Off"),
                            ("floor", "ended by the floor"),
                        ],
                        default="",
                        max_length=10,
                    ),
                ),
                (
                    "confirmed_hand_id",
                    models.BigIntegerField(help_text="the last hand he has paid", null=True),
                ),
                (
                    "dealer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="shifts",
                        to="tables.table",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=Q(ended_at__isnull=True),
                        fields=("table",),
                        name="one_dealer_at_a_table",
                    ),
                    models.UniqueConstraint(
                        condition=Q(ended_at__isnull=True),
                        fields=("dealer",),
                        name="dealer_at_one_table",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            Q(("end", ""), ("ended_at__isnull", True)),
                            Q(("end__gt", ""), ("ended_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="shift_ended_why",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="FloorCall",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "why",
                    models.CharField(
                        choices=[
                            ("help", "Help"),
                            ("dispute", "Dispute"),
                            ("chips", "Fill or credit"),
                            ("void", "Void the hand"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "hand_id",
                    models.BigIntegerField(help_text="that in play when it was made", null=True),
                ),
                ("device_id", models.BigIntegerField()),
                ("called_at", models.DateTimeField()),
                ("answered_at", models.DateTimeField(null=True)),
                (
                    "answered_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "dealer",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="floor_calls",
                        to="tables.table",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=Q(answered_at__isnull=True),
                        fields=["table"],
                        name="floor_call_open",
                    )
                ]
            },
        ),
        migrations.RunSQL(
            "GRANT SELECT, INSERT, UPDATE ON tables_shift, tables_floorcall TO app;"
            "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO app;",
            migrations.RunSQL.noop,
        ),
    ]
