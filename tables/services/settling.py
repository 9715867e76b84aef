"""Paying a finished hand: one transfer, then the table is made ready for the next."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import lru_cache

from django.db import transaction

from casino.core.rows import columns, row_from, row_of
from casino.core.statements import one_row
from tables import beliefs, jobs
from tables.engine.banked.rounds import BankedRound
from tables.engine.protocol import Event
from tables.models import Hand, Seat, Table
from tables.rules import NONE
from tables.selectors import seat_facts, stacks_of
from tables.services import (
    carrying,
    clocks,
    counting,
    decks,
    jackpots,
    moving,
    returns,
    rotating,
    specials,
    stacks,
    telling,
)
from tables.services.writing import event, write
from wallets import bonuses
from wallets import services as wallets

# Long enough to read the result; a table's timing may say otherwise. At a banked table the dealer
# pays spot after spot, and the screen leads him through them.
PAUSE_S = {"poker": 5.0, "banked": 3.0, "bluff": 6.0}
SPOT_S = 1.5
# Where the next deal is enqueued at once, the clock looks again only when the lease is out.
RESTING = """
    UPDATE tables_table SET hand_id = NULL, finished = false, next_first = %(next_first)s,
        next_deal_at = greatest(statement_timestamp() + %(pause)s::interval,
            %(cycle_over)s::timestamptz),
        claimed = coalesce(%(claimed)s::text, claimed),
        claimed_at = CASE WHEN %(claimed)s::text IS NULL THEN claimed_at
            ELSE statement_timestamp() END
        WHERE id = %(table)s RETURNING id
"""


@lru_cache(maxsize=1)
def _claiming() -> str:
    return (
        "UPDATE tables_hand SET status = 'settled', settled_at = statement_timestamp(),"  # noqa: S608
        " last_seq = %s WHERE id = %s AND table_id = %s AND status = 'finished'"
        f" RETURNING {columns(Hand)}"
    )


def hand_settle(*, table_id: int, hand_id: int) -> bool:
    """Pay a finished hand through the ledger and close it; once, whoever else tries.

    Returns whether this call paid it.
    """
    with transaction.atomic():
        belief = beliefs.lock(table_id)
        claimed = one_row(_claiming(), [belief.seq + 1, hand_id, table_id])
        if claimed is None:
            return False
        table, hand = row_of(Table, table_id), row_from(Hand, claimed)
        jackpots.locked(table)
        won_minor = pay(table, hand)
        played: BankedRound | None = None
        if hand.paytable_id is not None:
            opened = belief.hand()
            assert isinstance(opened, BankedRound)
            played = opened
            returns.round_recorded(hand, played)
        counting.hand_settled(hand, won_minor, played)
        carrying.carried_on(table, hand)
        is_last = table.status == Table.Status.DRAINING
        seats = beliefs.seats_of(table)
        events = [event("hand_settled", hand_id=hand_id), *jackpots.hand_judged(table, hand)]
        telling.hand_told(hand, events)
        if is_last:
            events += closed(table)
        else:
            events += stacks.topped_up(table, hand, seats)
            events += [*seats_after(table, seats), *moving.seats_moved(table, seats)]
            events += [*specials.hand_settled(table, hand), *rotating.moved_on(table, hand)]
            if rotating.follows(table) is None:  # else they are out since this hand began
                events += decks.roots_for(table, rotating.coming(table))
        clocks.hand_ended(table, hand, seats)
        write(table_id=table_id, base_seq=belief.seq, events=events, state="", turn=NONE)
        pause_s = table.timing.get("pause_s", reading_s(hand))
        is_dealt_now = not pause_s and not table.timing.get("cycle_s")
        rest = {
            "table": table_id,
            "next_first": (hand.result or {}).get("next_first"),
            "pause": timedelta(seconds=pause_s),
            "cycle_over": hand.started_at + timedelta(seconds=table.timing.get("cycle_s", 0)),
            "claimed": f"deal:{table.hand_number + 1}" if is_dealt_now else None,
        }
        one_row(RESTING, rest)
        if is_dealt_now:
            jobs.deal_hand(table_id, table.hand_number + 1)
    beliefs.forget(table_id)
    return True


def reading_s(hand: Hand) -> float:
    """How long a hand's result is left on the table by default."""
    family: str = hand.definition["family"]
    spots = len((hand.result or {}).get("spots", ())) if family == "banked" else 0
    return PAUSE_S[family] + SPOT_S * spots


def pay(table: Table, hand: Hand) -> int:
    """Post the hand's one settlement; returns what the table's bank or rake gained by it."""
    result = hand.result or {}
    accounts = {seat: facts["account"] for seat, facts in hand.seats.items()}
    if hand.definition["family"] == "banked":
        returned: dict[int, int] = {}
        for seat, amount in result["returned_minor"].items():
            returned[accounts[seat]] = returned.get(accounts[seat], 0) + amount
        if "meter" in result:
            returned[table.accounts["jackpot"]] = meter_change(table, result["meter"])
        staked_minor = sum(result["staked_minor"].values())
        wallets.round_pay(
            hand_id=hand.pk,
            in_play_account_id=table.accounts["in_play"],
            returned=returned,
            bank_account_id=table.accounts["bank"],
            staked_total=staked_minor,
            table_id=table.pk,
            weight_bp=bonuses.weight_of(hand.game),
        )
        return int(staked_minor - sum(returned.values()))
    legs = {accounts[seat]: net for seat, net in result["nets_minor"].items() if net}
    if result["rake_minor"]:
        legs[table.accounts["rake"]] = result["rake_minor"]
    if result.get("drop_minor"):
        legs[table.accounts["jackpot"]] = result["drop_minor"]
        jackpots.dropped(table, result["drop_minor"])
    kept = result["carry_minor"] - (hand.carry or {}).get("carry_minor", 0)
    if kept:
        legs[table.accounts["in_play"]] = kept
    wallets.hand_pay(
        hand_id=hand.pk, legs_by_account=legs, currency=table.currency, table_id=table.pk
    )
    return int(result["rake_minor"])


def meter_change(table: Table, meter: Mapping[str, int]) -> int:
    """What the progressive's account gains: contributions less prizes, and the seed it lacks.

    What stands there now counts, not what stood there when the round began; the bank makes up
    the difference.
    """
    account = table.accounts["jackpot"]
    held_minor = wallets.balances_of(account_ids=[account])[account]
    seed_minor = meter["seed_minor"]
    left_minor = max(held_minor, seed_minor) + meter["contributed_minor"] - meter["paid_minor"]
    return max(left_minor, seed_minor) - held_minor


def closed(table: Table) -> list[Event]:
    """No hand follows at this table: its chips and decks are cleared away and it closes.

    Its row is locked by the caller and no hand is in play.
    """
    events = [
        *carrying.pot_shared(table),
        *seats_after(table, beliefs.seats_of(table), closing=True),
        *decks.waiting_void(table, "table_closed"),
        event("table_changed", status=Table.Status.CLOSED),
    ]
    Table.objects.filter(pk=table.pk).update(status=Table.Status.CLOSED)
    return events


def seats_after(table: Table, seats: Sequence[Seat], *, closing: bool = False) -> list[Event]:
    """Between hands: who leaves is cashed out, who has nothing to stake sits out.

    seats: the table's; of who has left the key is none afterwards. closing: everybody leaves.
    """
    events = []
    plays_on = (table.carry or {}).get("seats", ())
    if closing:  # whoever comes next draws for a button of his own, and owes no kill of today's
        Table.objects.filter(pk=table.pk).update(
            positions=None, button=None, time_fee_due=None, specials=None
        )
    held = stacks_of(table, seats)
    for seat in seats:
        stack_minor = held[seat.number].stack_minor
        if closing or seat.status == Seat.Status.LEAVING:
            paid_minor = wallets.cash_out(
                player_id=seat.player_id,
                seat_account_id=seat.account_id,
                key=f"leave:{table.pk}:{seat.pk}",
            )
            if not closing:
                stacks.gone(table, seat.player_id, paid_minor)
            seat.delete()
            events.append(event("seat_left", seat=seat.number))
        elif seat.number in plays_on:
            continue
        elif seat.status == Seat.Status.PLAYING and (
            not stack_minor or seat.sits_out_at == Seat.SitsOut.HAND
        ):
            seat.status, seat.sits_out_at = Seat.Status.SITTING_OUT, Seat.SitsOut.NEVER
            seat.save(update_fields=["status", "sits_out_at"])
            events.append(event("seat_changed", stack_minor=stack_minor, **seat_facts(seat)))
    return events
