"""Voiding a hand that cannot go on: every chip goes back to where it came from."""

from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from casino.core import approvals
from casino.core.log import log
from casino.core.models import Role, User
from casino.core.services import pit_require, role_require
from tables import beliefs
from tables.engine.poker import misdeals
from tables.errors import HandNotFound, HandNotInPlay, PotStillCarried, ReasonMissing
from tables.models import Hand, Interruption, Table
from tables.rules import NONE
from tables.services import blinds, counting, cutting, decks, jackpots, moving, rotating
from tables.services.settling import closed, seats_after
from tables.services.writing import event, write
from wallets import controlling, selectors
from wallets import services as wallets

VOIDERS = (Role.FLOOR, Role.PIT_MANAGER, Role.ADMIN)
PAUSE_S = 5.0
REDEALT, REFUNDED = Interruption.Verdict.REDEALT, Interruption.Verdict.REFUNDED
# Accounts whose gain is the house's win.
OF_THE_HOUSE = ("bank", "rake")


def hand_void(
    *, table_id: int, hand_id: int, reason: str, by: User | None = None, code: str = "floor"
) -> None:
    """Void the hand in play, folded or not everyone gets back what he put in.

    A pot that earlier hands left stays for the next deal, button and missed blinds are what they
    were before it. by: who voids it; None is the house. code: what happened, kept with the verdict.
    Raises RoleMissing, ReasonMissing, HandNotInPlay (settled, voided or of another table).
    """
    if by is not None:
        role_require(by, VOIDERS)
        pit_require(by, Table.objects.filter(pk=table_id).values_list("pit", flat=True).get())
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
        blinds.undone(table)
        Interruption.objects.create(
            table=table,
            hand=hand,
            code=code,
            verdict=REDEALT if code in misdeals.MISDEALS else REFUNDED,
            detail=reason.strip()[:300],
            by=by,
        )
        events = [
            event("hand_voided", hand_id=hand_id, reason=reason.strip(), code=code),
            *cutting.voided_with(table_id, hand_id),
        ]
        if table.status == Table.Status.DRAINING:  # this was to be its last hand
            events += closed(table)
        else:
            seats = beliefs.seats_of(table)
            events += [*seats_after(table, seats), *moving.seats_moved(table, seats)]
        if table.status == Table.Status.OPEN:
            events += decks.roots_for(table, rotating.coming(table))
        write(table_id=table_id, base_seq=belief.seq, events=events, state="", turn=NONE)
        Table.objects.filter(pk=table_id).update(
            hand_id=None, finished=False, next_deal_at=Now() + timedelta(seconds=PAUSE_S)
        )
        facts = {"table": table_id, "reason": reason.strip(), "number": hand.number}
        log("hand.voided", f"hand:{hand_id}", by, facts)
    beliefs.forget(table_id)


@transaction.atomic
def hand_reverse(*, approval_id: int, by: User | None) -> None:
    """Undo a settled hand as two people agreed; once, also when it is asked for again.

    Its money goes back as `wallets.selectors.reversal_preview` says, that of a jackpot it has won
    too; its record stays as it was.
    Raises ApprovalMissing, ApprovalNotOpen, ApprovalExpired, HandNotFound, HandNotSettled,
    PotStillCarried, BandExceeded.
    """
    approval = approvals.approval_get(approval_id, kind=controlling.REVERSAL)
    hand = Hand.objects.filter(pk=approval.payload["hand"]).first()
    if hand is None:
        raise HandNotFound(approval.payload["hand"])
    belief = beliefs.lock(hand.table_id)
    _check_carried(hand)
    fallen = jackpots.hits_fall(hand, by)
    lines = selectors.reversal_preview(hand.pk)
    posted = controlling.hand_reverse(approval_id=approval_id, by=by, table_id=hand.table_id)
    if posted.replayed:
        return
    jackpots.made_whole(hand, by)
    given_back = sum(line.amount_minor for line in lines if line.purpose in OF_THE_HOUSE)
    counting.hand_reversed(hand, -given_back, jackpots.gone_back_minor(fallen))
    told = [
        event("hand_reversed", hand_id=hand.pk, number=hand.number, reason=approval.reason),
        *jackpots.after_fall(Table.objects.get(pk=hand.table_id), hand, fallen),
    ]
    write(table_id=hand.table_id, base_seq=belief.seq, events=told)
    facts = {"table": hand.table_id, "approval": approval_id, "number": hand.number}
    log("hand.reversed", f"hand:{hand.pk}", by, facts)


def _check_carried(hand: Hand) -> None:
    """Raises PotStillCarried for a hand whose chips are in the pot that the table carries."""
    since = Hand.objects.filter(
        table_id=hand.table_id, status=Hand.Status.SETTLED, number__gte=hand.number
    )
    is_carrying = Table.objects.filter(pk=hand.table_id, carry__isnull=False).exists()
    if is_carrying and not since.filter(result__carry_minor=0).exists():
        raise PotStillCarried(hand.pk)
