from pathlib import Path
from typing import ClassVar

from django.db import migrations

PARTS = ("guards", "functions", "rights")


def sql(part: str) -> str:
    return Path(__file__).with_name(f"0002_ledger_{part}.sql").read_text()


class Migration(migrations.Migration):
    """What the database refuses, how it posts, and who may call it. There is no way back."""

    dependencies: ClassVar = [("wallets", "0001_initial"), ("core", "0001_initial")]

    operations: ClassVar = [migrations.RunSQL(sql(part)) for part in PARTS]
