import base64
import secrets
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from wallets.operator_contract import CHECKED_MINOR, Contract
from wallets.operators import HttpPort


class Command(BaseCommand):
    help = (
        "Check from outside that an operator's wallet keeps the contract. Give a test player with"
        f" {CHECKED_MINOR} minor units; he has as many afterwards."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("url")
        parser.add_argument("--secret", required=True, help="whsec_...")
        parser.add_argument("--player", required=True, help="what the operator calls him")
        parser.add_argument("--currency", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        other = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
        contract = Contract(
            HttpPort(options["url"], options["secret"]),
            HttpPort(options["url"], other),
            options["player"],
            options["currency"],
        )
        faults = 0
        for checked in contract.checked():
            faults += bool(checked.fault)
            self.stdout.write(f"{'FAULT' if checked.fault else 'ok':5} {checked.rule}")
            if checked.fault:
                self.stdout.write(f"      {checked.fault}")
        if faults:
            raise SystemExit(1)
