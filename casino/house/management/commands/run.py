import os
import sys
from typing import Any

from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Open the house: servers, web, workers, clock and players under one supervisor."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        # The supervisor runs for weeks and needs none of what Django has loaded by now.
        os.execv(sys.executable, [sys.executable, "-m", "casino.house"])  # noqa: S606
