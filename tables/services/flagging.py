"""A player flags a hand for the floor.

Source: docs/rules/poker.md 7.7.
"""

from casino.core.log import log
from casino.core.models import LogEntry, User
from tables.errors import HandNotFound, TooManyFlags
from tables.frames import instant
from tables.models import FloorCall, Hand
from tables.selectors import database_now
from tables.services.seating import table_locked
from tables.services.writing import event

OPEN_MOST = 3
FLAGGED = "hand.flagged"


def hand_flag(*, hand_id: int, player: User) -> FloorCall:
    """Call the floor for a hand the player was dealt into; a hand is flagged once, whoever does it.

    The hand goes on meanwhile. Raises HandNotFound, TooManyFlags.
    """
    hand = Hand.objects.filter(pk=hand_id).first()
    if hand is None or player.pk not in [facts["player"] for facts in hand.seats.values()]:
        raise HandNotFound(hand_id)
    with table_locked(hand.table_id) as locked:
        dispute = FloorCall.Why.DISPUTE
        flagged = FloorCall.objects.filter(hand_id=hand_id, why=dispute, device_id=None).first()
        if flagged is not None:
            return flagged
        _check_open(player)
        now = database_now()
        call = FloorCall.objects.create(
            table_id=hand.table_id, why=dispute, hand_id=hand_id, called_at=now
        )
        locked.events.append(
            event("floor_called", call=call.pk, why=dispute, hand_id=hand_id, since=instant(now))
        )
        log(FLAGGED, f"hand:{hand_id}", player, {"call": call.pk})
    return call


def _check_open(player: User) -> None:
    """Raises TooManyFlags: each call rings at the floor, and none may drown those of others."""
    User.objects.select_for_update(no_key=True).get(pk=player.pk)
    waiting = FloorCall.objects.filter(
        why=FloorCall.Why.DISPUTE, device_id=None, answered_at=None
    ).values_list("hand_id", flat=True)
    subjects = [f"hand:{hand_id}" for hand_id in waiting]
    own = LogEntry.objects.filter(kind=FLAGGED, actor_id=player.pk, subject__in=subjects)
    if own.count() >= OPEN_MOST:
        raise TooManyFlags(OPEN_MOST)
