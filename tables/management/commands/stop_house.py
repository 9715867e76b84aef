from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.core.errors import CoreError
from casino.core.models import User
from tables.engine.errors import UnknownGame
from tables.errors import TableError
from tables.services.opening import house_go_on, house_stop


class Command(BaseCommand):
    help = "Deal no further hand, of one game or of any; hands in play are finished and paid."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", default="", help="id of a game; left out: every game")
        parser.add_argument("--by", required=True, help="user name of floor or pit manager")
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--reason", help="stop, for this reason")
        what.add_argument("--lift", action="store_true", help="deal again")

    def handle(self, *args: Any, **options: Any) -> None:
        by = User.objects.filter(username=options["by"]).first()
        if by is None:
            raise CommandError(f"there is no user {options['by']!r}")
        try:
            if options["lift"]:
                lifted = house_go_on(game=options["game"], by=by)
                self.stdout.write("dealt again" if lifted else "nothing was stopped")
            else:
                house_stop(reason=options["reason"], game=options["game"], by=by)
                self.stdout.write("no further hand is dealt")
        except (TableError, CoreError, UnknownGame) as error:
            raise CommandError(str(error)) from error
