"""Proves the books from their legs, and that what was sealed is still as it was sealed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.core.heads import heads_of
from casino.core.telling import teller
from casino.core.verifying import verify
from wallets.proving import ledger_check, one_moment
from wallets.sealing import TRANSFERS
from wallets.selectors import transfers_after_seal


class Command(BaseCommand):
    help = (
        "Prove the books: sums, balances and hashes from the legs, then the seals over transfers"
        " and log. Ends with 1 and names the first fault when they are not sound."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--against",
            type=Path,
            action="append",
            default=[],
            help="a head exported earlier (seal_log --head); shows a cut or rewritten history",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        heads = heads_of(options["against"])
        told = teller(self.stderr.write)
        TRANSFERS.told = lambda rows: told(f"{rows} sealed transfers read")
        try:
            with one_moment():
                check = ledger_check(told)
                told("seals")
                verdict = verify(heads, told)
                unsealed = transfers_after_seal()
        finally:
            TRANSFERS.told = None
        told("done")
        findings = [str(finding) for finding in verdict.findings]
        first = check.first_fault or next(iter(findings), None)
        report = check.as_json() | {
            "ok": check.ok and verdict.sound,
            "first_fault": first,
            "seals": {
                "ok": verdict.sound,
                "seals": verdict.seals,
                "sealed_entries": verdict.sealed_entries,
                "unsealed_entries": verdict.unsealed_entries,
                "unsealed_transfers": unsealed,
                "heads": len(heads),
                "findings": findings,
            },
        }
        self.stdout.write(json.dumps(report, indent=2))
        if first is not None:
            raise CommandError(f"the books are not sound: {first}")
