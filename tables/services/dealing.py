"""Opening a hand: who is dealt in, the committed deck bound, forced bets posted."""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from tables import beliefs, rules
from tables.engine.games import GAMES
from tables.engine.protocol import SeatIn
from tables.models import Deck, Hand, Seat, Table
from tables.services import decks
from tables.services.writing import event, write
from wallets import services as wallets
from wallets.selectors import excluded_of

SOON_S = 1.0
NEVER = None


def hand_open(*, table_id: int, number: int) -> Hand | None:
    """Open hand `number` of a table; opening it twice returns the first.

    None when the table cannot deal now (not open, a hand in play, too few players with chips);
    it is then dealt when a player sits down.
    """
    with transaction.atomic():
        belief = beliefs.lock(table_id)
        table = Table.objects.get(pk=table_id)
        if number <= table.hand_number:
            return table.hands.filter(number=number).first()
        if table.hand_id is not None or table.status != Table.Status.OPEN:
            return None
        seats = list(table.seats.select_related("player").filter(status=Seat.Status.PLAYING))
        barred = excluded_of(seat.player_id for seat in seats)
        seats = [seat for seat in seats if seat.player_id not in barred]
        stacks = wallets.balances_of(account_ids=[seat.account_id for seat in seats])
        dealt_in = [seat for seat in seats if stacks[seat.account_id] >= table.chip_minor]
        if len(dealt_in) < table.min_players:
            Table.objects.filter(pk=table_id).update(next_deal_at=NEVER)
            return None
        hand = _open(table, table.hand_number + 1, dealt_in, stacks, belief.seq, belief.away)
    beliefs.forget(table_id)
    return hand


def _open(
    table: Table,
    number: int,
    seats: Sequence[Seat],
    stacks: dict[int, int],
    seq: int,
    away: Sequence[int],
) -> Hand:
    game = GAMES[table.game]
    definition = game.to_json()
    button = None if game.family == "banked" else next_button(table, seats)
    events = []
    if not table.decks.filter(status=Deck.Status.COMMITTED).exists():
        events.append(decks.deck_commit(table, rules.deck_of(game)))
    deck = decks.deck_bind(table)
    hand = Hand.objects.create(
        table=table,
        number=number,
        game=table.game,
        definition=definition,
        options=table.options,
        engine_version=rules.ENGINE_VERSION,
        seats={
            str(seat.number): {
                "player": seat.player_id,
                "name": seat.player.display_name,
                "account": seat.account_id,
                "stack_minor": stacks[seat.account_id],
            }
            for seat in seats
        },
        button=button,
        deck_id=deck.pk,
        first_seq=seq + 1,
    )
    play, dealt = rules.start(
        definition,
        [SeatIn(seat.number, stacks[seat.account_id]) for seat in seats],
        table.options,
        beliefs.deck_open(deck.pk),
        button,
    )
    if game.family != "banked":
        wallets.stakes_hold(hand_id=hand.pk, seat_account_ids=[seat.account_id for seat in seats])
    Table.objects.filter(pk=table.pk).update(
        hand_id=hand.pk, hand_number=number, button=button, next_deal_at=NEVER, finished=False
    )
    events.append(_opened(table, hand, deck))
    write(
        table_id=table.pk,
        base_seq=seq,
        events=[*events, *dealt],
        state=rules.dump(play),
        turn=rules.turn_after(play, before=None, timing=table.timing, away=away),
        ending=rules.ending(play),
    )
    return hand


def _opened(table: Table, hand: Hand, deck: Deck) -> Any:
    game = GAMES[table.game]
    return event(
        "hand_opened",
        hand_id=hand.pk,
        number=hand.number,
        family=game.family,
        game={"id": game.id, "name": game.name, "limit": table.options.get("limit", "")},
        button=hand.button,
        stakes=table.options,
        seats=[
            {"seat": int(number), "player": seat["name"], "stack_minor": seat["stack_minor"]}
            for number, seat in hand.seats.items()
        ],
        root=deck.root,
    )


def next_button(table: Table, seats: Sequence[Seat]) -> int:
    """The next dealt-in seat clockwise; at a fresh table one of them by lot."""
    numbers = sorted(seat.number for seat in seats)
    if table.button is None:
        return secrets.choice(numbers)
    return next((number for number in numbers if number > table.button), numbers[0])


def schedule(table_id: int, after_s: float = SOON_S) -> None:
    """Let the next hand be dealt after a pause, unless one is in play or scheduled already."""
    Table.objects.filter(
        pk=table_id, hand_id=None, next_deal_at=None, status=Table.Status.OPEN
    ).update(next_deal_at=Now() + timedelta(seconds=after_s))
