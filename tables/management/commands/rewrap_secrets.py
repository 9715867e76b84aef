"""Wrap every hidden card and seed at rest in the newest of CARD_KEYS."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tables.services.rewrapping import rewrap
from tables.vault import SecretUnreadable


class Command(BaseCommand):
    help = (
        "Wraps decks, seeds and private parts of events in the newest of CARD_KEYS. "
        "May be stopped and begun again; when it has ended, the keys after the first can go."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        wrapped: dict[str, int] = {}
        seen = 0
        try:
            for table, count in rewrap():
                wrapped[table] = wrapped.get(table, 0) + count
                seen += 1
                if seen % 20 == 0:
                    self.stderr.write(f"{table}: {wrapped[table]} so far")
        except SecretUnreadable as error:
            raise CommandError(f"no key of CARD_KEYS opens the secret of {error}") from error
        for table, count in wrapped.items():
            self.stdout.write(f"{table}: {count} wrapped anew")
