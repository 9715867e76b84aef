from pathlib import Path
from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    dependencies: ClassVar = [("wallets", "0009_bounds_kept")]

    operations: ClassVar = [
        migrations.RunSQL(Path(__file__).with_suffix(".sql").read_text(), migrations.RunSQL.noop)
    ]
