import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("core", "0004_pits")]

    operations = [
        migrations.AlterField(
            model_name="device",
            name="profile",
            field=models.CharField(
                choices=[
                    ("display", "Dealer display"),
                    ("console", "Dealer console"),
                    ("floor", "Floor board"),
                ],
                default="display",
                max_length=16,
            ),
        ),
        migrations.AddField(
            model_name="device",
            name="distance_cm",
            field=models.PositiveSmallIntegerField(
                default=200, help_text="from the eyes to the screen: type sizes follow it"
            ),
        ),
        migrations.AddField(
            model_name="device",
            name="density_percent",
            field=models.PositiveSmallIntegerField(
                default=100,
                help_text="pixels per millimetre, against a 24-inch panel of 1920x1080",
            ),
        ),
        migrations.AddField(
            model_name="device",
            name="language",
            field=models.CharField(
                choices=[("en", "English"), ("pl", "Polski"), ("both", "English + polski")],
                default="en",
                max_length=4,
            ),
        ),
        migrations.AddField(
            model_name="device", name="sounds", field=models.BooleanField(default=False)
        ),
        migrations.AddField(
            model_name="device",
            name="code_hash",
            field=models.BinaryField(editable=False, max_length=32, null=True),
        ),
        migrations.AddField(
            model_name="device",
            name="code_expires_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="device",
            name="claimed_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.CreateModel(
            name="DealerPin",
            fields=[
                (
                    "dealer",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("pin_hash", models.CharField(editable=False, max_length=128)),
                ("given_at", models.DateTimeField(auto_now=True)),
                (
                    "given_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.RunSQL(
            "GRANT SELECT, INSERT, UPDATE ON core_dealerpin TO app", migrations.RunSQL.noop
        ),
    ]
