from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.core.errors import CoreError
from casino.core.models import User
from tables.errors import TableError
from tables.models import Hand
from tables.services.voiding import hand_void


class Command(BaseCommand):
    help = "Void a hand in play: every chip goes back to where it came from, and the log says why."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("hand", type=int, help="the hand's id, not its number at the table")
        parser.add_argument("--reason", required=True)
        parser.add_argument("--by", required=True, help="user name of floor or pit manager")

    def handle(self, *args: Any, **options: Any) -> None:
        hand = Hand.objects.filter(pk=options["hand"]).first()
        by = User.objects.filter(username=options["by"]).first()
        if hand is None:
            raise CommandError(f"there is no hand {options['hand']}")
        if by is None:
            raise CommandError(f"there is no user {options['by']!r}")
        try:
            hand_void(table_id=hand.table_id, hand_id=hand.pk, reason=options["reason"], by=by)
        except (TableError, CoreError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"hand {hand.pk} is void; everyone has his chips back")
