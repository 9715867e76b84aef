from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.core.errors import CoreError
from casino.core.models import User
from wallets.errors import WalletError
from wallets.models import PaymentLine
from wallets.payments import counted, file_compare

DIFFERS = 1


class Command(BaseCommand):
    help = "Hold a payment provider's CSV file against the books; exit 1 when they differ."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("provider", help="its name in the keys of its transfers")
        parser.add_argument("file", type=Path)
        parser.add_argument("--from", required=True, type=date.fromisoformat, dest="from_day")
        parser.add_argument("--to", required=True, type=date.fromisoformat, dest="to_day")
        parser.add_argument("--by", required=True, help="user name of the house's staff")

    def handle(self, *args: Any, **options: Any) -> None:
        by = User.objects.filter(username=options["by"]).first()
        if by is None:
            raise CommandError(f"there is no user {options['by']!r}")
        try:
            file = file_compare(
                provider=options["provider"], name=options["file"].name,
                content=options["file"].read_bytes(), from_day=options["from_day"],
                to_day=options["to_day"], by=by,
            )  # fmt: skip
        except (CoreError, WalletError, OSError) as error:
            raise CommandError(str(error)) from error
        for line in file.lines.exclude(outcome=PaymentLine.Outcome.MATCHED).order_by("line"):
            self.stdout.write(
                f"line {line.line}: {line.reference}: {line.get_outcome_display()}; there "
                f"{line.amount_minor} {line.currency}, here {line.booked_minor}"
            )
        for held in file.missing:
            self.stdout.write(
                f"transfer {held['transfer']}: {held['reference']}: not in the file; here "
                f"{held['minor']} {held['currency']}"
            )
        counts = ", ".join(f"{count} {name}" for name, count in counted(file).items())
        self.stdout.write(f"comparison {file.pk}: {counts}")
        if not file.ok:
            raise CommandError("the file and the books differ", returncode=DIFFERS)
