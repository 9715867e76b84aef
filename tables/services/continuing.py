"""A hand goes on once the players' seeds are in, or the time to open them is over."""

from django.db import transaction

from tables import beliefs, cuts, jobs, rules
from tables.beliefs import Belief
from tables.models import Hand, Table
from tables.services import cutting
from tables.services.cutting import Step
from tables.services.dealing import hand_dealt
from tables.services.playing import played_on, with_deck
from tables.services.writing import write


def cut_go_on(*, table_id: int, cut_id: int) -> bool:
    """Do the next step of a cut that the hand in play waits for; once, whoever else tries.

    Returns whether there was one: not while seeds are awaited and the clock has not claimed the
    end of their window, nor while the table is stopped, nor when the hand is not in play any more.
    """
    with transaction.atomic():
        belief = beliefs.lock(table_id)
        if belief.hand_id is None or belief.status == Table.Status.STOPPED:
            return False
        cut = cuts.locked(table_id, cut_id)
        if cut is None or cut.hand_id != belief.hand_id:
            return False
        table = beliefs.row_of(Table, table_id)
        step = cutting.go_on(table, cut)
        if step is None:
            return False
        if step.deck is None:
            write(table_id=table_id, base_seq=belief.seq, events=step.events)
        elif belief.state is None:
            hand = beliefs.row_of(Hand, belief.hand_id)
            hand_dealt(table, hand, belief.seq, step.events, step.deck)
        else:
            _played(table, belief, step)
    beliefs.forget(table_id)
    return True


def _played(table: Table, belief: Belief, step: Step) -> None:
    """Go on with a hand that has begun: a round's deal, a reshuffle, more dice."""
    assert step.deck is not None
    hand, given = with_deck(belief.hand(), belief, step.deck)
    hand, more = played_on(hand, beliefs.lock(table.pk), locked=True)
    write(
        table_id=table.pk,
        base_seq=belief.seq,
        events=[*step.events, *given, *more],
        state=rules.dump(hand),
        turn=rules.turn_after(hand, before=None, timing=table.timing, away=belief.absent),
        ending=rules.ending(hand),
    )
    if hand.over and belief.hand_id is not None:
        jobs.settle_hand(table.pk, belief.hand_id)
