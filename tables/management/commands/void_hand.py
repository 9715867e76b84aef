from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.core.errors import CoreError
from casino.core.models import User
from tables.engine.poker.misdeals import FAULTS, PLAYS_ON, VOID
from tables.errors import TableError
from tables.models import Hand
from tables.services.interrupting import misdeal_ruled
from tables.services.voiding import hand_void


class Command(BaseCommand):
    help = "Void a hand in play: every chip goes back to where it came from, and the log says why."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("hand", type=int, help="the hand's id, not its number at the table")
        why = parser.add_mutually_exclusive_group(required=True)
        why.add_argument("--reason")
        why.add_argument(
            "--misdeal", choices=FAULTS, help="rule by the list of misdeals; the hand may play on"
        )
        parser.add_argument("--by", required=True, help="user name of floor or pit manager")

    def handle(self, *args: Any, **options: Any) -> None:
        hand = Hand.objects.filter(pk=options["hand"]).first()
        by = User.objects.filter(username=options["by"]).first()
        if hand is None:
            raise CommandError(f"there is no hand {options['hand']}")
        if by is None:
            raise CommandError(f"there is no user {options['by']!r}")
        try:
            ruled = self.rule(hand, by, options)
        except (TableError, CoreError) as error:
            raise CommandError(str(error)) from error
        if ruled == PLAYS_ON:
            self.stdout.write(f"hand {hand.pk} plays on: the fault came too late to matter")
        else:
            self.stdout.write(f"hand {hand.pk} is void; everyone has his chips back")

    def rule(self, hand: Hand, by: User, options: dict[str, Any]) -> str:
        if options["misdeal"] is not None:
            return misdeal_ruled(
                table_id=hand.table_id, hand_id=hand.pk, fault=options["misdeal"], by=by
            )
        hand_void(table_id=hand.table_id, hand_id=hand.pk, reason=options["reason"], by=by)
        return VOID
