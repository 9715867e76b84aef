"""Opening a hand: who is dealt in, the committed deck bound, forced bets posted."""

import logging
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models.functions import Now

from casino.core.rows import row_of, row_write
from tables import beliefs, entropy, jobs, room, rules
from tables.beliefs import Belief
from tables.cuts import Committed
from tables.engine.protocol import Event, SeatIn
from tables.errors import EntropyFailed, Misdealt, StacksMoved
from tables.models import Hand, Seat, Table
from tables.selectors import is_stopped, seats_facts, stacks_of
from tables.services import (
    blinds,
    carrying,
    checking,
    collecting,
    decks,
    naming,
    rotating,
    versions,
)
from tables.services.cutting import Step
from tables.services.playing import deal_begun, next_roots, played_on
from tables.services.writing import event, write
from wallets import bonuses
from wallets import services as wallets
from wallets.bonuses import Fund
from wallets.selectors import excluded_of

logger = logging.getLogger(__name__)

SOON_S = 1.0
NEVER = None
AFTER_ALARM = timedelta(seconds=10)
AGAIN_S = 5.0
# Tables that have gone to rest with players enough. Whose row is held is seen again a moment later.
AT_REST = """
    UPDATE tables_table SET next_deal_at = statement_timestamp() + %s * interval '1 s' WHERE id IN (
        SELECT t.id FROM tables_table t
        WHERE t.status = 'open' AND t.hand_id IS NULL AND t.next_deal_at IS NULL AND t.turn IS NULL
            AND t.min_players <= (SELECT count(*) FROM tables_seat s WHERE s.table_id = t.id
                AND s.status = 'playing' AND s.must_move_to_id IS NULL)
        FOR UPDATE OF t SKIP LOCKED)
"""


def hand_open(*, table_id: int, number: int) -> Hand | None:
    """Open hand `number` of a table; opening it twice returns the first.

    None when the table cannot deal now (not open, a hand in play, too few players with chips);
    it is then dealt when a player sits down. None too when its game must be named first.
    Where randomness fails nothing is dealt and an alarm is given; it is tried again, as it is where
    the disk is nearly full.
    """
    try:
        hand = _hand_open(table_id, number)
    except Misdealt as error:
        checking.deck_replaced(table_id=table_id, fault=error.fault)
        hand = None
    except EntropyFailed as error:
        decks.alarm(table_id, error)
        Table.objects.filter(pk=table_id).update(next_deal_at=Now() + AFTER_ALARM)
        hand = None
    beliefs.forget(table_id)
    return hand


def _hand_open(table_id: int, number: int) -> Hand | None:
    with transaction.atomic():
        belief = beliefs.lock(table_id)
        table = row_of(Table, table_id)
        if number <= table.hand_number:
            return table.hands.filter(number=number).first()
        if table.hand_id is not None or table.status != Table.Status.OPEN or is_stopped(table):
            return None
        if room.is_short():
            logger.error("table %s is not dealt: the disk is nearly full", table_id)
            Table.objects.filter(pk=table_id).update(next_deal_at=Now() + AFTER_ALARM)
            return None
        entropy.seed()  # a source that fails stops every new deal, whatever is committed already
        stacks = carrying.who_plays(table, seats_here(table))
        least, hand = carrying.least_players(table), None
        if len(stacks) >= least and (events := collecting.time_collected(table)):
            write(table_id=table_id, base_seq=belief.seq, events=events)
            belief = beliefs.lock(table_id)
            stacks = carrying.who_plays(table, seats_here(table))
        if len(stacks) >= least and naming.comes_first(table):
            naming.game_asked(table, belief, stacks)
        elif lineup := blinds.lined_up(table, naming.who_agreed(table, stacks), least):
            hand = _open(table, belief, lineup)
        else:
            Table.objects.filter(pk=table_id).update(next_deal_at=NEVER)
            if events := [*naming.dropped(table), *carrying.pot_shared(table)]:
                write(table_id=table_id, base_seq=belief.seq, events=events, turn=rules.NONE)
                schedule(table_id)
    return hand


def seats_here(table: Table) -> dict[Seat, int]:
    """What every seat has to stake whose player wants to play and may."""
    seats = [
        seat
        for seat in beliefs.seats_of(table)
        if seat.status == Seat.Status.PLAYING and seat.must_move_to_id is None
    ]
    barred = excluded_of(seat.player_id for seat in seats)
    stacks = stacks_of(table, seats)
    return {seat: stacks[seat.number].stack_minor for seat in seats if seat.player_id not in barred}


def _open(table: Table, belief: Belief, lineup: blinds.LinedUp) -> Hand:
    stacks, positions = lineup.stacks, lineup.positions
    game, options = lineup.otherwise or rotating.game_now(table)
    if game.family == "banked":
        options = metered(table, options)
    funds: Mapping[int, Fund] = {}
    if game.family == "banked":
        players = [seat.player_id for seat in stacks]
        funds = bonuses.funds_of(player_ids=players, currency=table.currency)
    hand = Hand.objects.create(
        table=table,
        number=table.hand_number + 1,
        game=game.id,
        definition=game.to_json(),
        options=options,
        paytable=table.paytable,
        engine_version=rules.ENGINE_VERSION,
        seats={
            str(number): {
                "player": seat.player_id,
                "name": seat.player.display_name,
                "account": seat.account_id,
                "stack_minor": stack_minor,
                **({"bonus": funds[seat.player_id].account_id} if seat.player_id in funds else {}),
                **({} if number == seat.number else {"player_seat": seat.number}),
            }
            for seat, stack_minor in stacks.items()
            for number in spots_of(seat, options)
        },
        button=positions.get("button"),
        carry=carrying.dealt_for(table, (seat.number for seat in stacks)),
        first_seq=belief.seq + 1,
    )
    if game.family != "banked":
        stacks_hold(hand, stacks)
    row_write(
        Table,
        table.pk,
        hand_id=hand.pk,
        hand_number=hand.number,
        button=hand.button,
        positions=positions,
        next_deal_at=NEVER,
        finished=False,
    )
    naming.dealt(table)
    table.positions = positions
    if game.family == "banked":
        hand_dealt(table, hand, belief.seq, Step(None, lineup.events))
        return hand
    step = deal_begun(table, hand.pk, game)
    events = [*lineup.events, *step.events]
    if step.deck is None:
        # Seats and forced bets are fixed; the cards wait for the players' seeds.
        write(
            table_id=table.pk,
            base_seq=belief.seq,
            events=events,
            turn=rules.NONE,
            also=step.unwritten,
        )
    else:
        hand_dealt(table, hand, belief.seq, step._replace(events=events))
    return hand


def hand_dealt(table: Table, hand: Hand, base_seq: int, step: Step) -> None:
    """Begin an opened hand: forced bets and the first cards, or the betting of a round.

    step: the deck that was cut for it, None for a round whose betting comes first, and what has
    happened so far. The table's row is locked by the caller.
    """
    deck = step.deck
    game = rules.definition(hand.definition)
    cards: list[int] = []
    roots: list[Event] = []
    if deck is not None:
        hand.deck_id = deck.id  # as its row has it since the cut
        if step.roots is None:
            step = step.now()  # what the table deals next is read from its cuts
        cards = list(checking.deck_checked(game, beliefs.deck_open(deck.id, step.dealing)))
        roots = next_roots(table, step)
    elif not decks.is_ready(table, game):
        roots = [decks.deck_commit(table, game)]
    numbers = [int(number) for number in hand.seats]
    play, dealt = rules.start(
        hand.definition,
        [
            SeatIn(int(number), seat["stack_minor"], seat.get("player_seat"))
            for number, seat in hand.seats.items()
        ],
        hand.options,
        cards,
        button=hand.button,
        posts=(table.positions or {}).get("posts"),
        carry=hand.carry,
        first=carrying.who_begins(table, numbers),
    )
    checking.deal_checked(play)
    if play.window in rules.FOR_THE_HOUSE:
        step = step.now()
    belief = beliefs.lock(table.pk)
    play, more = played_on(play, belief, locked=True)
    write(
        table_id=table.pk,
        base_seq=base_seq,
        events=[*step.events, _opened(hand, deck), *dealt, *more, *roots],
        state=rules.dump(play),
        turn=rules.turn_after(play, before=None, timing=table.timing, away=belief.absent),
        ending=rules.ending(play),
        also=step.unwritten,
    )
    if play.over:
        jobs.settle_hand(table.pk, hand.pk)


def spots_of(seat: Seat, options: Mapping[str, Any]) -> range:
    """The seat's spots, as far as the table still allows so many."""
    return seat.numbers[: options.get("spots_per_player", 1)]


def stacks_hold(hand: Hand, stacks: Mapping[Seat, int]) -> None:
    """Hold the seats' chips, and be sure that they are what the hand was dealt on.

    Raises StacksMoved if a correction took some between the reading and the hold; dealt again.
    """
    accounts = [seat.account_id for seat in stacks]
    wallets.stakes_hold(hand_id=hand.pk, seat_account_ids=accounts)
    held = wallets.balances_of(account_ids=accounts)
    moved = [seat.number for seat, chips in stacks.items() if held[seat.account_id] != chips]
    if moved:
        raise StacksMoved(tuple(moved))


def metered(table: Table, options: Mapping[str, Any]) -> dict[str, Any]:
    """A banked round's options, with where the meter of its progressive stands as it begins."""
    progressive = options.get("progressive")
    if progressive is None:
        return dict(options)
    account = table.accounts["jackpot"]
    meter_minor = wallets.balances_of(account_ids=[account])[account]
    return {**options, "progressive": {**progressive, "meter_minor": meter_minor}}


def _opened(hand: Hand, deck: Committed | None) -> Event:
    game = rules.definition(hand.definition)
    return event(
        "hand_opened",
        hand_id=hand.pk,
        number=hand.number,
        family=game.family,
        game={"id": game.id, "name": game.name, "limit": hand.options.get("limit", "")},
        button=hand.button,
        stakes=hand.options,
        seats=seats_facts(hand.seats),
        **({} if hand.paytable is None else {"paytable": versions.paytable_facts(hand.paytable)}),
        carry_minor=(hand.carry or {}).get("carry_minor", 0),
        **({"special": special} if (special := getattr(game, "special", "")) else {}),
        root=None if deck is None else deck.root,
    )


def schedule(table_id: int, after_s: float = SOON_S) -> None:
    """Let the next hand be dealt after a pause, unless one is in play or scheduled already."""
    Table.objects.filter(
        pk=table_id, hand_id=None, next_deal_at=None, status=Table.Status.OPEN
    ).update(next_deal_at=Now() + timedelta(seconds=after_s))


def tried_again() -> int:
    """Look again soon whether tables at rest can be dealt; how many. Safe to repeat.

    What kept a player out of the next hand ends without a word at his table: a limit's day, a
    pause, a reality check that he has seen.
    """
    with connection.cursor() as cursor:
        cursor.execute(AT_REST, [AGAIN_S])
        return int(cursor.rowcount)
