from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("wallets", "0004_operator_wallet")]

    operations: ClassVar = [
        migrations.AddConstraint(
            model_name="operatorcall",
            constraint=models.CheckConstraint(
                condition=models.Q(("currency", "XTS"), _negated=True),
                name="operator_call_of_no_play_money",
            ),
        ),
    ]
