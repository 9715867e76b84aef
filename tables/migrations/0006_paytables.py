from pathlib import Path

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0005_mixed_games"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Paytable",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("game", models.CharField(help_text="id in the catalogue of games", max_length=60)),
                ("name", models.CharField(max_length=60)),
                ("version", models.PositiveIntegerField(help_text="counted by game and name")),
                (
                    "content",
                    models.JSONField(help_text="paytables, policy, qualifier, orders, maxima"),
                ),
                ("content_hash", models.CharField(max_length=64)),
                ("prices", models.JSONField(help_text="exact figures by wager", null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("priced", "Priced"),
                            ("asked", "Asked"),
                            ("approved", "Approved"),
                            ("refused", "Refused"),
                        ],
                        default="draft",
                        max_length=10,
                    ),
                ),
                (
                    "approval_id",
                    models.BigIntegerField(help_text="what was last asked for it", null=True),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("priced_at", models.DateTimeField(null=True)),
                ("approved_at", models.DateTimeField(null=True)),
                (
                    "approved_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["game", "name", "-version"],
            },
        ),
        migrations.AddField(
            model_name="hand",
            name="paytable",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="hands",
                to="tables.paytable",
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="paytable",
            field=models.ForeignKey(
                help_text="in force from the next round; at games against the house",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="tables",
                to="tables.paytable",
            ),
        ),
        migrations.AddIndex(
            model_name="paytable",
            index=models.Index(fields=["game", "content_hash"], name="paytable_content"),
        ),
        migrations.AddConstraint(
            model_name="paytable",
            constraint=models.UniqueConstraint(
                fields=("game", "name", "version"), name="paytable_version_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="paytable",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("approved_by__isnull", True),
                    models.Q(("approved_by", models.F("author")), _negated=True),
                    _connector="OR",
                ),
                name="paytable_two_persons",
            ),
        ),
        migrations.AddConstraint(
            model_name="paytable",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status", "approved"), _negated=True),
                    ("approved_at__isnull", False),
                    _connector="OR",
                ),
                name="paytable_approved_when",
            ),
        ),
        migrations.RunSQL(Path(__file__).with_suffix(".sql").read_text()),
    ]
