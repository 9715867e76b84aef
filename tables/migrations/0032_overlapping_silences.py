from pathlib import Path

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tables", "0031_fewer_indexes")]
    operations = [migrations.RunSQL(Path(__file__).with_suffix(".sql").read_text())]
