import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

KEY = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


class Migration(migrations.Migration):
    dependencies = [("core", "0005_devices")]

    operations = [
        migrations.CreateModel(
            name="LogOrigin",
            fields=[
                ("entry_id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("address", models.GenericIPAddressField()),
                ("role", models.CharField(blank=True, max_length=16)),
            ],
        ),
        migrations.CreateModel(
            name="SecondFactor",
            fields=[
                ("id", KEY),
                ("secret", models.BinaryField(help_text="encrypted")),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("last_step", models.BigIntegerField(default=0)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="second_factor",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RecoveryCode",
            fields=[
                ("id", KEY),
                ("code_hash", models.BinaryField(max_length=32, unique=True)),
                ("used_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="recovery_codes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("used_at", None)),
                        fields=["user"],
                        name="recovery_code_unused",
                    )
                ]
            },
        ),
        migrations.RunSQL(
            "GRANT SELECT, INSERT, UPDATE, DELETE ON core_secondfactor TO app;"
            "GRANT SELECT, INSERT, UPDATE (used_at) ON core_recoverycode TO app;"
            "GRANT SELECT, INSERT ON core_logorigin TO app;"
            "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO app;"
        ),
    ]
