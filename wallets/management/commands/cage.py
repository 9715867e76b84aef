from typing import Any
from uuid import uuid4

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.core.errors import CoreError
from casino.core.models import User
from wallets import services
from wallets.cage import VERBS, cash_recorded
from wallets.errors import WalletError


class Command(BaseCommand):
    help = "Record what a player brought to the cage or took from it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", choices=VERBS)
        parser.add_argument("player", help="user name")
        parser.add_argument("amount_minor", type=int, help="in minor units: 2500 is 25.00 EUR")
        parser.add_argument("currency")
        parser.add_argument("--by", required=True, help="user name of the cage's staff")
        parser.add_argument("--reason", default="")
        parser.add_argument("--key", default="", help="the same key is carried out once")

    def handle(self, *args: Any, **options: Any) -> None:
        verb, currency = options["verb"], options["currency"].upper()
        player, by = (self.user(options[name]) for name in ("player", "by"))
        try:
            posted = cash_recorded(
                verb=verb,
                player_id=player.pk,
                amount_minor=options["amount_minor"],
                currency=currency,
                key=options["key"] or f"cage:{uuid4()}",
                by=by,
                reason=options["reason"],
            )
        except (CoreError, WalletError) as error:
            raise CommandError(str(error)) from error
        account = services.player_account(player_id=player.pk, currency=currency)
        balance = services.balances_of(account_ids=[account])[account]
        done = "already recorded" if posted.replayed else "recorded"
        self.stdout.write(f"{done}; {player.username} has {balance} {currency} in minor units")

    def user(self, username: str) -> User:
        found = User.objects.filter(username=username).first()
        if found is None:
            raise CommandError(f"there is no user {username!r}")
        return found
