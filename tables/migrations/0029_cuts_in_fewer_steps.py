from pathlib import Path

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tables", "0028_hours_by_dealer")]

    operations = [migrations.RunSQL(Path(__file__).with_suffix(".sql").read_text())]
