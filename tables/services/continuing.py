"""A hand goes on once the players' seeds are in, or the time to open them is over."""

from django.db import transaction

from casino.core.rows import row_told
from casino.core.statements import one_row
from tables import beliefs, cuts, jobs, rules
from tables.cuts import Running
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
        table, hand, cut = _awaited(table_id, cut_id)
        if hand is None or table.status == Table.Status.STOPPED:
            return False
        if cut is None or cut.hand_id != hand.pk:
            return False
        step = cutting.go_on(table, cut)
        if step is None:
            return False
        if step.deck is None:
            also = step.unwritten
            write(table_id=table_id, base_seq=table.seq, events=step.events, also=also)
        elif table.state is None:
            hand_dealt(table, hand, table.seq, step)
        else:
            _played(table, step.now())
    beliefs.forget(table_id)
    return True


AWAITED = "SELECT of_table, of_hand, cut, ahead FROM tables_cut_lock(%s::bigint, %s::bigint, true)"


def _awaited(table_id: int, cut_id: int) -> tuple[Table, Hand | None, Running | None]:
    """A table, its row locked, with its hand in play and a cut that still runs.

    Of table and hand what a deal asks for is there; anything else is read when it is asked for.
    Raises Table.DoesNotExist.
    """
    of_table, of_hand, cut, ahead = one_row(AWAITED, [table_id, cut_id])
    if of_table is None:
        raise Table.DoesNotExist
    return (
        row_told(Table, of_table),
        None if of_hand is None else row_told(Hand, of_hand),
        None if cut is None else cuts.running_of(table_id, cut, ahead),
    )


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
