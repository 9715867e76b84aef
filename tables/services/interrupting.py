"""What the house rules, by itself or on a floor manager's report, when a hand cannot simply go on.

Finish, restore or refund: a hand that is over waits to be paid, one that can be read goes on, one
that cannot is voided. Every verdict is stored with its code. Source: docs/rules/interruptions.md 7
and 8.
"""

import logging
from typing import Any

import orjson
from django.db import DatabaseError, transaction

from casino.core.models import User
from casino.core.services import pit_require, role_require
from tables import beliefs, events
from tables.engine.poker import misdeals
from tables.errors import HandNotInPlay, UnknownFault
from tables.models import Interruption, Table
from tables.services import voiding
from tables.services.writing import event, write

logger = logging.getLogger(__name__)

Verdict = Interruption.Verdict
CANNOT_GO_ON, UNREADABLE, UNPAID = "cannot_go_on", "unreadable", "unpaid"
PATIENCE = 3
"""How often the same hand may fail to go on, though it can be read, before it is voided."""


def hand_judged(*, table_id: int, error: BaseException) -> str | None:
    """Rule on the hand of a table whose work has failed; the verdict, None if there is no hand.

    A hand that is over is never voided: who has won it plays no part in what becomes of it.
    """
    with transaction.atomic():
        belief = beliefs.lock(table_id)
        if belief.hand_id is None:
            return None
        if belief.finished:
            return _ruled(belief, UNPAID, Verdict.WAITS, error)
        why = _unreadable(belief)
        known = Interruption.objects.filter(hand_id=belief.hand_id, code=CANNOT_GO_ON).count()
        if why is None and known < PATIENCE - 1:
            return _ruled(belief, CANNOT_GO_ON, Verdict.RESTORED, error)
        voiding.hand_void(
            table_id=table_id,
            hand_id=belief.hand_id,
            reason=f"The hand could not go on: {type(why or error).__name__}",
            code=UNREADABLE if why else CANNOT_GO_ON,
        )
        return Verdict.REFUNDED


def _unreadable(belief: beliefs.Belief) -> Exception | None:
    """Why a hand cannot be read from what is stored of it; None when it can."""
    if belief.state is None:
        return None  # its cards wait for the players' seeds
    try:
        hand = belief.hand()
        hand.view(None)
        for seat in hand.waiting:
            hand.legal(seat)
    except DatabaseError:
        raise
    except Exception as error:
        # Whatever it is, the verdict is the same; it is stored and the log says the rest.
        logger.exception("table %s: the hand cannot be read", belief.table_id)
        return error
    return None


def _ruled(belief: beliefs.Belief, code: str, verdict: str, error: BaseException) -> str:
    """Store a verdict; the same one of the same hand is stored as often as its patience counts."""
    assert belief.hand_id is not None
    past = Interruption.objects.filter(hand_id=belief.hand_id, code=code, verdict=verdict)
    if verdict != Verdict.WAITS or not past.exists():
        Interruption.objects.create(
            table_id=belief.table_id,
            hand_id=belief.hand_id,
            code=code,
            verdict=verdict,
            detail=type(error).__name__,
        )
    return verdict


def misdeal_ruled(*, table_id: int, hand_id: int, fault: str, by: User | None = None) -> str:
    """Rule on a fault of the deal that somebody has seen, by the house's list; the verdict.

    by: who reports it; None is the house. Raises RoleMissing, PitNotYours, UnknownFault,
    HandNotInPlay.
    """
    if by is not None:
        role_require(by, voiding.VOIDERS)
        pit_require(by, Table.objects.values_list("pit", flat=True).get(pk=table_id))
    if fault not in misdeals.FAULTS:
        raise UnknownFault(fault, misdeals.FAULTS)
    with transaction.atomic():
        belief = beliefs.lock(table_id)
        if belief.hand_id != hand_id or belief.finished:
            raise HandNotInPlay(hand_id)
        ruled = misdeals.verdict_of(fault, _told(hand_id))
        if ruled == misdeals.PLAYS_ON:
            told = event("misdeal_ruled", hand_id=hand_id, fault=fault, verdict=ruled)
            write(table_id=table_id, base_seq=belief.seq, events=[told])
            Interruption.objects.create(
                table_id=table_id, hand_id=hand_id, code=fault, verdict=ruled, by=by
            )
        else:
            words = fault.replace("_", " ")
            voiding.hand_void(
                table_id=table_id, hand_id=hand_id, reason=f"Misdeal: {words}", by=by, code=fault
            )
    beliefs.forget(table_id)
    return ruled


def _told(hand_id: int) -> list[dict[str, Any]]:
    return [one for row in events.of_hand(hand_id) for one in orjson.loads(row.events)]
