"""A window whose time is up: the default of everyone who was awaited."""

from collections.abc import Mapping

from django.db import transaction

from casino.core.statements import one_row
from tables import beliefs, jobs, rules
from tables.beliefs import Belief
from tables.engine.banked.rounds import BETTING
from tables.engine.protocol import Hand
from tables.errors import BetsNotOpen
from tables.models import Table
from tables.services import clocks, naming
from tables.services.acting import committed_minor
from tables.services.playing import played_on
from tables.services.writing import write
from wallets import services as wallets


def turn_expire(*, table_id: int, turn_id: int) -> bool:
    """Do the default action of a turn that is due; once, whoever else tries.

    Returns whether it did: not if the turn has passed meanwhile, its deadline has moved, or the
    clock has not claimed it, which it does only while the whole house is alive.
    """
    with transaction.atomic():
        belief = beliefs.lock(table_id)
        if belief.turn_id != turn_id or belief.finished or not belief.is_past:
            return False
        (claimed,) = one_row("SELECT claimed FROM tables_table WHERE id = %s", [table_id])
        if claimed != f"expire:{turn_id}":
            return False
        if belief.hand_id is None:
            naming.time_out(belief)
            return True
        hand = belief.hand()
        if clocks.time_given(belief, hand):
            transaction.on_commit(lambda: beliefs.forget(table_id), robust=True)
            return False
        before, is_courtesy = hand.turn, hand.window in rules.COURTESIES
        awaited = [] if is_courtesy else list(hand.waiting)
        seats = belief.seats or {}
        committed = {seat: committed_minor(hand, int(seat)) for seat in seats}
        events = clocks.protected(belief, hand) or hand.expire()
        hand, house = played_on(hand, belief, locked=True)
        events += [*house, *clocks.timed_out(belief, awaited)]
        write(
            table_id=table_id,
            base_seq=belief.seq,
            events=events,
            state=rules.dump(hand),
            turn=rules.turn_after(hand, before=before, timing=belief.timing, away=belief.absent),
            stakes=released(belief, hand, committed),
            ending=rules.ending(hand),
        )
        if hand.over and belief.hand_id is not None:
            jobs.settle_hand(table_id, belief.hand_id)
    beliefs.forget(table_id)
    return True


@transaction.atomic
def betting_close(*, table_id: int, turn_id: int) -> None:
    """End a betting window before its time, as its end would. Raises BetsNotOpen."""
    belief = beliefs.lock(table_id)
    is_stopped = belief.status == Table.Status.STOPPED
    if belief.turn_id != turn_id or belief.hand_id is None or belief.finished or is_stopped:
        raise BetsNotOpen(table_id)
    hand = belief.hand()
    if hand.window != BETTING:
        raise BetsNotOpen(table_id)
    before = hand.turn
    events = hand.expire()
    hand, house = played_on(hand, belief, locked=True)
    write(
        table_id=table_id,
        base_seq=belief.seq,
        events=[*events, *house],
        state=rules.dump(hand),
        turn=rules.turn_after(hand, before=before, timing=belief.timing, away=belief.absent),
        ending=rules.ending(hand),
    )
    if hand.over:
        jobs.settle_hand(table_id, belief.hand_id)
    transaction.on_commit(lambda: beliefs.forget(table_id), robust=True)


def released(belief: Belief, hand: Hand, committed: Mapping[str, int]) -> list[str]:
    """What a time-out fold gives back of the stakes that were reserved to play on."""
    if belief.in_play_account is None or belief.hand_id is None or belief.seats is None:
        return []
    back: dict[int, int] = {}
    facts_of = {facts["account"]: facts for facts in belief.seats.values()}
    for seat, amount in committed.items():
        account_id = belief.seats[seat]["account"]
        moved = amount - committed_minor(hand, int(seat))
        back[account_id] = back.get(account_id, 0) + moved
    return [
        wallets.stake_packed(
            hand_id=belief.hand_id,
            key=f"release:{belief.table_id}:{belief.turn_id}:{account_id}",
            seat_account_id=account_id,
            in_play_account_id=belief.in_play_account,
            player_id=facts_of[account_id]["player"],
            amount_minor=-amount,
            bonus_account_id=facts_of[account_id].get("bonus"),
        )
        for account_id, amount in sorted(back.items(), key=lambda of: facts_of[of[0]]["player"])
        if amount
    ]
