from typing import ClassVar

import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("core", "0007_webhooks")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="Sandbox",
            fields=[
                (
                    "id",
                    models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False),
                ),
                (
                    "opened_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="sandbox_is_one")
                ],
            },
        ),
        migrations.RunSQL(
            "REVOKE ALL ON core_sandbox FROM PUBLIC, app; GRANT SELECT ON core_sandbox TO app;"
            "CREATE FUNCTION core_sandbox_is_open() RETURNS boolean LANGUAGE sql STABLE"
            " AS 'SELECT EXISTS (SELECT FROM public.core_sandbox)';"
        ),
    ]
