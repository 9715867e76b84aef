import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

KEY = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


class Migration(migrations.Migration):
    dependencies = [
        ("console", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Job",
            fields=[
                ("id", KEY),
                ("kind", models.CharField(max_length=30)),
                ("asked", models.JSONField(default=dict, help_text="what it works on")),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("done", models.BigIntegerField(default=0)),
                ("of", models.BigIntegerField(default=0)),
                ("result", models.JSONField(null=True)),
                ("file_name", models.CharField(blank=True, max_length=120)),
                ("file", models.BinaryField(null=True)),
                (
                    "told_at",
                    models.DateTimeField(help_text="when it last said how far it is", null=True),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"indexes": [models.Index(fields=["kind", "id"], name="job_kind")]},
        ),
        migrations.CreateModel(
            name="Composition",
            fields=[
                ("id", KEY),
                ("name", models.CharField(max_length=60, unique=True)),
                (
                    "base",
                    models.CharField(blank=True, help_text="the game it changes", max_length=60),
                ),
                ("changes", models.JSONField(default=dict)),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "changed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "trial",
                    models.ForeignKey(
                        help_text="the last simulation of this version",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="console.job",
                    ),
                ),
            ],
            options={"ordering": ["name"]},
        ),
        migrations.RunSQL(
            "GRANT SELECT, INSERT, UPDATE ON console_job, console_composition TO app;"
            "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO app;"
        ),
    ]
