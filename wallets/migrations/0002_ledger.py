from pathlib import Path
from typing import ClassVar

from django.db import migrations

# In this order. Each function stands once, in the file of what it is about.
PARTS = (
    "final",  # what is never changed
    "kinds",  # which accounts a kind of transfer moves: a new kind is a line there
    "pending",  # two phases
    "books",  # what is refused, whoever writes
    "protection",  # limits and states of players
    "loosening",  # who may loosen them, and when
    "posting",  # the way in
    "hands",  # among players
    "cover",  # what a bank must hold
    "rounds",  # against the house
    "bonus",  # grants
    "bonus_play",  # whose money is at stake, and where it comes back to
    "corrections",  # adjustments and reversals
    "exchange",  # between currencies
    "rights",  # who may call what
)


def sql(part: str) -> str:
    return Path(__file__).with_name(f"0002_{part}.sql").read_text()


class Migration(migrations.Migration):
    """What the database refuses, how it posts, and who may call it. There is no way back."""

    dependencies: ClassVar = [("wallets", "0001_initial"), ("core", "0008_sandbox")]

    operations: ClassVar = [migrations.RunSQL(sql(part)) for part in PARTS]
