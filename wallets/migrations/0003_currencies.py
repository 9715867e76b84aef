from typing import ClassVar

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

CURRENCIES = (
    ("EUR", 2, "Euro"),
    ("USD", 2, "US dollar"),
    ("PLN", 2, "Polish złoty"),
    ("JPY", 0, "Japanese yen"),
    # ISO 4217 reserves XTS for testing: no real money can ever bear it.
    ("XTS", 0, "Play chips"),
)


def seed(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    currency = apps.get_model("wallets", "Currency")
    currency.objects.bulk_create(
        currency(code=code, exponent=exponent, name=name) for code, exponent, name in CURRENCIES
    )


class Migration(migrations.Migration):
    dependencies: ClassVar = [("wallets", "0002_ledger")]

    operations: ClassVar = [migrations.RunPython(seed, migrations.RunPython.noop)]
