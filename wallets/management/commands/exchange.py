from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.core.errors import CoreError
from casino.core.models import User
from wallets import exchanging
from wallets.errors import WalletError


class Command(BaseCommand):
    help = "Ask for an exchange rate, quote an exchange, or carry it out at the cage's counter."

    def add_arguments(self, parser: CommandParser) -> None:
        deeds = parser.add_subparsers(dest="deed", required=True)
        rate = deeds.add_parser("rate", help="ask a second person to agree to a rate")
        rate.add_argument("gives_minor", type=int, help="for so many minor units of it")
        rate.add_argument("gives", help="the currency that players give")
        rate.add_argument("gets_minor", type=int, help="they get so many minor units of the other")
        rate.add_argument("gets")
        rate.add_argument("--middle-minor", type=int, required=True, help="its worth at the market")
        rate.add_argument("--source", required=True, help="whose market, and which fixing of it")
        rate.add_argument("--hours", type=int, default=24, help="how long it is in force")
        rate.add_argument("--reason", default="rate of the day")
        quote = deeds.add_parser("quote", help="what an amount brings now")
        quote.add_argument("given_minor", type=int)
        quote.add_argument("gives")
        quote.add_argument("gets")
        do = deeds.add_parser("do", help="exchange at the rate that the player was quoted")
        do.add_argument("player", help="user name")
        do.add_argument("given_minor", type=int)
        do.add_argument("rate", type=int, help="number of the rate, as the quote says")
        do.add_argument("--key", default="", help="the same key is carried out once")
        for deed in (rate, do):
            deed.add_argument("--by", required=True, help="user name of the house's staff")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.stdout.write(getattr(self, options["deed"])(options))
        except (CoreError, WalletError) as error:
            raise CommandError(str(error)) from error

    def rate(self, options: dict[str, Any]) -> str:
        asked = exchanging.rate_ask(
            gives=options["gives"], gets=options["gets"], gives_minor=options["gives_minor"],
            gets_minor=options["gets_minor"], middle_minor=options["middle_minor"],
            source=options["source"], valid_for=timedelta(hours=options["hours"]),
            reason=options["reason"], by=self.user(options["by"]),
        )  # fmt: skip
        return f"asked for as approval {asked.pk}; a second person agrees to it in the console"

    def quote(self, options: dict[str, Any]) -> str:
        rate = exchanging.rate_now(gives=options["gives"], gets=options["gets"])
        if rate is None:
            raise CommandError("there is no such rate in force")
        quote = exchanging.quote(rate=rate, given_minor=options["given_minor"])
        return (
            f"rate {rate.pk}: {quote.given_minor} {options['gives']} brings {quote.gets_minor} "
            f"{options['gets']} in minor units, {quote.spread_minor} of it kept by the house"
        )

    def do(self, options: dict[str, Any]) -> str:
        posted = exchanging.exchange(
            player_id=self.user(options["player"]).pk, rate_id=options["rate"],
            given_minor=options["given_minor"], key=options["key"] or f"exchange:{uuid4()}",
            by=self.user(options["by"]),
        )  # fmt: skip
        done = "already carried out" if posted.replayed else "carried out"
        return f"{done} as transfer {posted.transfer_id}"

    def user(self, username: str) -> User:
        found = User.objects.filter(username=username).first()
        if found is None:
            raise CommandError(f"there is no user {username!r}")
        return found
