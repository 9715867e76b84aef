"""A hand goes on once the players' seeds are in, or the time to open them is over."""

from django.db import transaction

from tables import beliefs, cuts, jobs, rules
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
        table = beliefs.row_of(Table, table_id, locked=True)
        if table.hand_id is None or table.status == Table.Status.STOPPED:
            return False
        cut = cuts.locked(table_id, cut_id)
        if cut is None or cut.hand_id != table.hand_id:
            return False
        step = cutting.go_on(table, cut)
        if step is None:
            return False
        if step.deck is None:
            write(table_id=table_id, base_seq=table.seq, events=step.events)
        elif table.state is None:
            hand_dealt(table, beliefs.row_of(Hand, table.hand_id), table.seq, step)
        else:
            _played(table, step)
    beliefs.forget(table_id)
    return True


def _played(table: Table, step: Step) -> None:
    """Go on with a hand that has begun: a round's deal, a reshuffle, more dice."""
    belief = beliefs.lock(table.pk)
    hand, given = with_deck(belief.hand(), belief, step)
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
