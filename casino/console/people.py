"""Finding players, and everything the house knows of one of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as say

from casino.console.access import PAGES
from casino.console.floors import pits_of, tables_of
from casino.console.models import PlayerNote
from casino.console.paging import number_typed
from casino.core.log import log
from casino.core.models import LogEntry, Role, Token, User
from casino.core.services import role_require
from tables.models import Seat
from wallets import limits
from wallets.models import Account, LimitChange, PlayerLimits, Purpose
from wallets.selectors import (
    LimitLine,
    Purse,
    balances_of,
    barred_of,
    limits_of,
    protection_of,
    wallet,
)

FOUND_MOST = 50
LOG_MOST = 40
NOTED = "player.noted"


def players_of(user: object) -> QuerySet[User]:
    """The players whom somebody of the staff may look up: who works in some pits alone, those who
    have sat at a table of them."""
    players = User.objects.filter(role=Role.PLAYER)
    if not pits_of(user):
        return players
    own = list(tables_of(user).values_list("pk", flat=True))
    sat = Account.objects.filter(purpose=Purpose.SEAT, player=OuterRef("pk"), table_id__in=own)
    return players.filter(Exists(sat))


def players_like(words: str, user: object = None) -> QuerySet[User]:
    """Players by id, user name, display name or address of mail, or by a token's first letters.

    user: for whom; see `players_of`.
    """
    typed = words.strip()
    players = players_of(user).order_by("display_name")
    if not typed:
        return players.none()
    wanted = (
        Q(display_name__icontains=typed) | Q(username__icontains=typed) | Q(email__iexact=typed)
    )
    number = number_typed(typed.lower().removeprefix("player").strip(" #"))
    if number is not None:
        wanted |= Q(pk=number)
    if len(typed) >= 4:
        held = Token.objects.filter(hint__startswith=typed).values("user_id")
        wanted |= Q(pk__in=held)
    return players.filter(wanted)


def player_of(player_id: int, user: object = None) -> User | None:
    """A player of other pits is not there for him."""
    return players_of(user).filter(pk=player_id).first()


@dataclass
class SeatHeld:
    """Where the player sits now, with the chips before him in minor units."""

    seat: Seat
    chips_minor: int
    in_hand: bool


@dataclass
class Sheet:
    """All of a player that one page shows."""

    player: User
    protection: PlayerLimits
    barred: str | None
    seats: list[SeatHeld]
    purses: list[Purse]
    limits: list[LimitLine]
    changes: list[LimitChange]
    tokens: list[Token] = field(default_factory=list)
    log: list[LogEntry] = field(default_factory=list)
    notes: list[PlayerNote] = field(default_factory=list)

    @property
    def state_words(self) -> str:
        """How his account stands, the strictest first."""
        now = timezone.now()
        held = self.protection
        if held.self_excluded:
            return say("Excluded until lifted")
        if held.excluded_until is not None and held.excluded_until > now:
            return say("Excluded until {0}").format(date_format(held.excluded_until, "j M Y"))
        if held.cool_off_until is not None and held.cool_off_until > now:
            return say("Cooling off until {0}").format(date_format(held.cool_off_until, "j M H:i"))
        if not self.player.is_active:
            return say("Closed")
        return say(str(held.get_state_display()))

    @property
    def is_excluded(self) -> bool:
        until = self.protection.excluded_until
        return self.protection.self_excluded or (until is not None and until > timezone.now())


def sheet_of(player: User) -> Sheet:
    seats = list(Seat.objects.filter(player=player).select_related("table"))
    chips = balances_of(seat.account_id for seat in seats)
    return Sheet(
        player=player,
        protection=protection_of(player.pk),
        barred=barred_of([player.pk]).get(player.pk),
        seats=[
            SeatHeld(seat, chips[seat.account_id], seat.table.hand_id is not None) for seat in seats
        ],
        purses=wallet(player.pk),
        limits=limits_of(player.pk),
        changes=list(LimitChange.objects.filter(player=player).order_by("-id")[:20]),
        tokens=list(Token.objects.filter(user=player).order_by("-id")[:20]),
        log=list(LogEntry.objects.filter(subject=f"user:{player.pk}").order_by("-id")[:LOG_MOST]),
        notes=list(PlayerNote.objects.filter(player=player).select_related("by").order_by("-id")),
    )


def names_of(ids: set[int | None]) -> dict[int, str]:
    people = User.objects.filter(pk__in=[each for each in ids if each is not None])
    return dict(people.values_list("pk", "display_name"))


@transaction.atomic
def note_write(*, player: User, text: str, by: User) -> PlayerNote:
    """Raises RoleMissing."""
    role_require(by, PAGES["players.note"])
    note = PlayerNote.objects.create(player=player, by=by, text=text)
    log(NOTED, f"user:{player.pk}", by, {"note": note.pk})
    return note


@transaction.atomic
def player_exclude(*, player: User, until: datetime | None, reason: str, by: User) -> None:
    """Exclude at once: no bet and no new hand from now on; what is in play is settled to him.

    until: None is until the house lifts it. Raises RoleMissing.
    """
    role_require(by, PAGES["players.exclude"])
    limits.exclude(player_id=player.pk, until=until, by_id=by.pk, reason=reason)
