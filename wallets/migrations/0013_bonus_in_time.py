from pathlib import Path

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("wallets", "0012_loosening"),
    ]

    operations = [
        migrations.RunSQL(Path(__file__).with_suffix(".sql").read_text()),
    ]
