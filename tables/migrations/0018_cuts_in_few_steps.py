from pathlib import Path

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tables", "0017_hands_by_time")]

    operations = [migrations.RunSQL(Path(__file__).with_suffix(".sql").read_text())]
