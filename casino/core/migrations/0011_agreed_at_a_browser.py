from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("core", "0010_messages_are_not_counted")]

    operations: ClassVar = [
        migrations.RemoveConstraint(model_name="approval", name="approval_at_another_browser"),
        migrations.AddConstraint(
            model_name="approval",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("approved_by__isnull", True),
                    ("asked_on", ""),
                    models.Q(
                        models.Q(("decided_on", ""), _negated=True),
                        models.Q(("decided_on", models.F("asked_on")), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="approval_at_another_browser",
            ),
        ),
    ]
