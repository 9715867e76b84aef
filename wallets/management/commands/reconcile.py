"""Reconciles now, whatever was done today before."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.core.telling import teller
from wallets.reconciling import reconcile


class Command(BaseCommand):
    help = "Reconcile the books with themselves and with the tables; ends with 1 if they differ."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--day", type=date.fromisoformat, help="the gaming day; the one that runs if not given"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        kept = reconcile(day=options["day"], told=teller(self.stderr.write))
        self.stdout.write(
            json.dumps(
                {
                    "reconciliation": kept.pk,
                    "gaming_day": kept.gaming_day.isoformat(),
                    "ok": kept.ok,
                    "providers": kept.providers,
                    "balances": kept.balances,
                    "checks": kept.checks,
                },
                indent=2,
            )
        )
        if not kept.ok:
            raise CommandError(f"reconciliation {kept.pk} found differences")
