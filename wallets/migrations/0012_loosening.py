from pathlib import Path

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("wallets", "0011_kinds"),
    ]

    operations = [
        migrations.RunSQL(Path(__file__).with_suffix(".sql").read_text()),
    ]
