from pathlib import Path

from django.db import migrations


class Migration(migrations.Migration):
    """The run-time's functions, what history refuses, and the rights of `app`."""

    dependencies = [("tables", "0001_initial"), ("wallets", "0002_ledger")]
    operations = [
        migrations.RunSQL(Path(__file__).with_suffix(".sql").read_text(), migrations.RunSQL.noop)
    ]
