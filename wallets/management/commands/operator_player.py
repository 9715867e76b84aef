from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.core.models import User
from wallets.models import OperatorCall, OperatorPlayer
from wallets.seamless import OPEN, player_link


class Command(BaseCommand):
    help = "Keep a player's money in the operator's wallet, or list the calls that are not ended."

    def add_arguments(self, parser: CommandParser) -> None:
        deeds = parser.add_subparsers(dest="deed", required=True)
        link = deeds.add_parser("link", help="from now on his money stands there")
        link.add_argument("player", help="user name")
        link.add_argument("reference", help="what the operator calls him")
        deeds.add_parser("open", help="calls that are not ended")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["deed"] == "open":
            for call in OperatorCall.objects.filter(status__in=OPEN).order_by("made_at"):
                self.stdout.write(f"{call.pk} {call} after {call.attempts} tries {call.problem}")
            return
        player = User.objects.named(options["player"]).first()
        if player is None:
            raise CommandError(f"there is no user {options['player']!r}")
        if OperatorPlayer.objects.filter(player=player).exists():
            raise CommandError(f"{player} is linked already")
        player_link(player=player, reference=options["reference"])
        self.stdout.write(f"{player} is {options['reference']} at the operator's wallet")
