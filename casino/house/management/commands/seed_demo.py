import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from casino.env import Environment
from casino.house import seed

LOOPBACK = {"127.0.0.1", "localhost", "::1"}
INDENT = "  "


class Command(BaseCommand):
    help = "Furnish a demo house: staff, accounts, tables, displays. Twice adds nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("a production house is not furnished with demo accounts")
        env = Environment({})
        seeded = seed.seed(
            timing=seed.TIMING[env.choice("HOUSE_PACE", tuple(seed.TIMING), "calm")],
            is_open=settings.HOST not in LOOPBACK,
            tables=env.integer("HOUSE_TABLES", len(seed.FURNITURE)),
            players=env.count("HOUSE_PLAYERS", len(seed.HOUSE_PLAYERS)),
            mix=env.integer("HOUSE_MIX", 0),
        )
        for line in welcome(seeded, os.environ.get("CROUPIER_URL") or own_url()):
            self.stdout.write(INDENT + line)


def own_url() -> str:
    return f"http://{settings.HOST}:{settings.PORT}"


def welcome(seeded: seed.Seeded, url: str) -> list[str]:
    """What the supervisor shows when the house is open: who signs in how, and the displays."""
    staff = [account.username for account in seed.STAFF]
    return [
        f"Staff     {sign_ins(seeded, staff)}",
        f"Player    {sign_ins(seeded, [seed.PERSON.username])}",
        f"Tables    {url}/play/",
        "Displays",
        *(
            f"{INDENT}{name:<14}{url}/display/{table}?key={key}"
            for name, table, key in seeded.displays
        ),
    ]


def sign_ins(seeded: seed.Seeded, usernames: list[str]) -> str:
    """Names with their passwords; one that all of them share is said once."""
    told = {name: seeded.passwords[name] or "(told before)" for name in usernames}
    shared = set(told.values())
    if len(shared) == 1:
        return f"{', '.join(told)} / {shared.pop()}"
    return ", ".join(f"{name} / {password}" for name, password in told.items())
