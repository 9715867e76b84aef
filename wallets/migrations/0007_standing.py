from pathlib import Path
from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    dependencies: ClassVar = [("wallets", "0006_bonus_by_two")]

    operations: ClassVar = [
        migrations.RunSQL(
            Path(__file__).with_suffix(".sql").read_text(),
            "DROP FUNCTION ledger_standing, ledger_session;",
        )
    ]
