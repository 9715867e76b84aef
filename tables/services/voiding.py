"""Voiding a hand that cannot go on: every chip goes back to where it came from."""

from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from casino.core.log import log
from casino.core.models import Role, User
from casino.core.services import role_require
from tables import beliefs
from tables.errors import HandNotInPlay, ReasonMissing
from tables.models import Hand, Table
from tables.rules import NONE
from tables.services import counting, decks, rotating
from tables.services.settling import seats_after
from tables.services.writing import event, write
from wallets import services as wallets

VOIDERS = (Role.FLOOR, Role.PIT_MANAGER, Role.ADMIN)
PAUSE_S = 5.0


def hand_void(*, table_id: int, hand_id: int, reason: str, by: User | None = None) -> None:
    """Void the hand in play, folded or not everyone gets back what he put in.

    A pot that earlier hands left stays for the next deal. by: who voids it; None is the house.
    Raises RoleMissing, ReasonMissing, HandNotInPlay (settled, voided or of another table).
    """
    if by is not None:
        role_require(by, VOIDERS)
    if not reason.strip():
        raise ReasonMissing
    with transaction.atomic():
        belief = beliefs.lock(table_id)
        voided = Hand.objects.filter(
            pk=hand_id, table_id=table_id, status__in=(Hand.Status.OPEN, Hand.Status.FINISHED)
        ).update(status=Hand.Status.VOIDED, settled_at=Now(), last_seq=belief.seq + 1, result=None)
        if not voided:
            raise HandNotInPlay(hand_id)
        hand = Hand.objects.get(pk=hand_id)
        table = Table.objects.get(pk=table_id)
        if hand.definition["family"] == "banked":
            wallets.round_void(hand_id=hand_id, table_id=table_id)
        else:
            wallets.hand_void(hand_id=hand_id)
        counting.hand_voided(hand)
        events = [
            event("hand_voided", hand_id=hand_id, reason=reason.strip()),
            *seats_after(table),
        ]
        if table.status == Table.Status.OPEN and (coming := rotating.coming(table)) is not None:
            events.append(decks.deck_commit(table, coming))
        write(table_id=table_id, base_seq=belief.seq, events=events, state="", turn=NONE)
        Table.objects.filter(pk=table_id).update(
            hand_id=None, finished=False, next_deal_at=Now() + timedelta(seconds=PAUSE_S)
        )
        facts = {"table": table_id, "reason": reason.strip(), "number": hand.number}
        log("hand.voided", f"hand:{hand_id}", by, facts)
    beliefs.forget(table_id)
