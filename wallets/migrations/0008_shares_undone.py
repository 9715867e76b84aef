from pathlib import Path
from typing import ClassVar

from django.db import migrations

SQL = Path(__file__).with_suffix(".sql").read_text()


class Migration(migrations.Migration):
    dependencies: ClassVar = [("wallets", "0007_standing")]

    operations: ClassVar = [
        migrations.RunSQL(SQL, SQL.replace("'settle', 'carry', ", "'settle', "))
    ]
