from pathlib import Path
from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("core", "0009_bound"),
        ("wallets", "0005_no_play_money_outside"),
    ]

    operations: ClassVar = [
        migrations.AlterField(
            model_name="controlband",
            name="deed",
            field=models.CharField(
                choices=[
                    ("adjustment", "Adjustment"),
                    ("reversal", "Reversal"),
                    ("bonus", "Bonus given alone"),
                ],
                max_length=12,
            ),
        ),
        migrations.RunSQL(
            Path(__file__).with_suffix(".sql").read_text(),
            "DROP TRIGGER grant_agreed ON wallets_bonusgrant; DROP FUNCTION ledger_grant_agreed();",
        ),
    ]
