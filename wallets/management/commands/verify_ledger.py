import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from wallets.selectors import ledger_check


class Command(BaseCommand):
    help = "Proves the books from their legs; ends with 1 and names the rows when they are not."

    def handle(self, *args: Any, **options: Any) -> None:
        check = ledger_check()
        self.stdout.write(json.dumps(check.as_json(), indent=2))
        if not check.ok:
            raise CommandError("the ledger does not add up")
