from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("core", "0011_agreed_at_a_browser")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="ScreenLag",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("table_id", models.BigIntegerField()),
                ("at", models.DateTimeField(help_text="when the ten minutes began")),
                ("most_ms", models.PositiveIntegerField()),
                (
                    "device",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="core.device",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("at", "table_id", "device"), name="screen_lag_once"
                    )
                ],
            },
        ),
        migrations.RunSQL(
            "GRANT SELECT, INSERT, UPDATE, DELETE ON core_screenlag TO app;"
            "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO app;",
            migrations.RunSQL.noop,
        ),
    ]
