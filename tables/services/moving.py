"""Moving about: to another seat, to another table with all chips, to a seat that chance gives.

Source: docs/rules/seating.md 4 to 6.
"""

from collections.abc import Sequence
from random import SystemRandom

from casino.core.models import User
from tables import beliefs
from tables.engine.poker import entering
from tables.engine.protocol import Event
from tables.errors import (
    AlreadySeated,
    HandInPlay,
    InvitationNeeded,
    NoSeatAnywhere,
    NoSuchSeat,
    OtherCurrency,
    SeatHeld,
    SeatTaken,
    TableNotOpen,
)
from tables.models import Seat, Table
from tables.selectors import seat_facts
from tables.services import blinds, clocks, counting, dealing, seating, stacks, waiting
from tables.services.seating import Locked, table_locked
from tables.services.writing import event
from wallets import services as wallets

# Which of several seats is drawn is nobody's secret, but nobody's choice either.
chance = SystemRandom()


def seat_change(*, table_id: int, player: User, to: int) -> Seat:
    """Move to another free seat: now, or when the hand he is in is over.

    Moving towards the big blind costs nothing; any other move owes one, as if he sat down anew.
    Raises NotSeated, NoSuchSeat, SeatTaken, SeatHeld.
    """
    with table_locked(table_id) as locked:
        table = locked.table
        seat = seating.seat_of(table, player)
        seating.check_free(table, seat, to)
        seat.moves_to = to
        seat.save(update_fields=["moves_to"])
        if table.hand_id is None:
            locked.events += seats_moved(table, beliefs.seats_of(table))
            dealing.schedule(table_id)
    seat.refresh_from_db()
    return seat


def seats_moved(table: Table, seats: Sequence[Seat]) -> list[Event]:
    """Between hands: seats are changed; whose new one has gone meanwhile stays where he is.

    Not while chips are carried to the next deal: who plays for them is known by his seat.
    seats: the table's; one that has no key has just been left.
    """
    if table.carry is not None:
        return []
    told = []
    for seat in seats:
        to, former = seat.moves_to, seat.number
        if to is None or seat.pk is None:
            continue
        seat.moves_to = None
        if _is_free(table, seat, to):
            seat.number = to
            big = (table.positions or {}).get("big")
            is_nearer = big is not None and entering.passed(big, to, former)
            seat.owes_big = seat.owes_big or (blinds.owes_at_first(table) and not is_nearer)
        seat.save(update_fields=["moves_to", "number", "owes_big"])
        if seat.number != former:
            told.append(event("seat_moved", **{"from": former}, **seat_facts(seat)))
    return told


def _is_free(table: Table, seat: Seat, to: int) -> bool:
    try:
        seating.check_free(table, seat, to)
    except (NoSuchSeat, SeatHeld, SeatTaken):
        return False  # further spots since may need more seats than there are
    return True


def seat_transfer(
    *, table_id: int, player: User, to_table: int, to: int | None = None, posts: bool = False
) -> Seat:
    """Move to another table with all chips, between two hands, by one entry each way.

    He brings what he has, also more than that table's most, and owes a big blind there,
    and what he owed by the clock.
    Raises NotSeated, HandInPlay, FeederFirst, TableNotOpen, OtherCurrency, AlreadySeated,
    SeatTaken, SeatHeld, TableFull, NotWholeChips, BuyInOutOfRange (he has left that table with
    more), or what the wallets refuse; then he sits where he sat.
    """
    first, second = sorted((table_id, to_table))
    with table_locked(first) as one, table_locked(second) as two:
        here, there = (one, two) if first == table_id else (two, one)
        seat = seating.seat_of(here.table, player)
        if here.in_hand(seat):
            raise HandInPlay(here.table.hand_id or 0)
        waiting.check_not_fed(there.table)
        return transferred(here, there, seat, to, posts)


def transferred(
    here: Locked, there: Locked, seat: Seat, to: int | None, posts: bool, *, must: bool = False
) -> Seat:
    """Both tables are locked. must: he is made to move and brings what he has.

    Raises as `seat_transfer`.
    """
    player, table = seat.player, there.table
    if table.status not in waiting.TAKES:
        raise TableNotOpen(table.status)
    if table.invitation:
        raise InvitationNeeded
    if table.currency != here.table.currency:
        raise OtherCurrency(table.currency)
    if (own := table.seats.filter(player=player).first()) is not None:
        raise AlreadySeated(own.number)
    there.events += waiting.calls_made(table)
    number = seating.seat_for(table, player, to, 1)
    key = f"transfer:{here.table.pk}:{seat.pk}"
    chips_minor = wallets.cash_out(
        player_id=player.pk, seat_account_id=seat.account_id, key=f"{key}:out"
    )
    least = 0 if must else stacks.brought_back(table, player.pk)
    seating.check_chips(table, chips_minor, least, max(chips_minor, least))
    account_id = wallets.seat_account_open(
        player_id=player.pk, table_id=table.pk, currency=table.currency
    )
    if chips_minor:
        wallets.buy_in(
            player_id=player.pk, seat_account_id=account_id, amount_minor=chips_minor,
            key=f"{key}:in",
        )  # fmt: skip
        counting.chips_bought(table.pk, chips_minor)
    stacks.gone(here.table, player.pk, chips_minor)
    seat.delete()
    here.events.append(event("seat_left", seat=seat.number, why="moved"))
    place = Seat.objects.create(
        table=table, number=number, player=player, account_id=account_id, posts=posts,
        status=seat.status, owes_big=blinds.owes_at_first(table),
        bank_ms=clocks.bank_ms(table.timing), auto_post=seat.auto_post,
        owes_time_minor=seat.owes_time_minor,
    )  # fmt: skip
    there.events.append(
        event(
            "seat_taken",
            player=player.display_name,
            stack_minor=chips_minor,
            **seat_facts(place),
        )
    )
    waiting.served(table, player.pk)
    dealing.schedule(table.pk)
    return place


def seat_at_random(
    *, player: User, game: str, currency: str, buy_in_minor: int, key: str, posts: bool = False
) -> Seat:
    """A seat that chance gives, among all free ones at open tables of a game that he can pay for.

    Every such seat is as likely as any other. Raises NoSeatAnywhere, and as `seating.seat_take`.
    """
    tables = Table.objects.filter(
        game=game, currency=currency, status=Table.Status.OPEN, invitation="",
        buy_in_least_minor__lte=buy_in_minor, buy_in_most_minor__gte=buy_in_minor,
    ).exclude(seats__player=player)  # fmt: skip
    seats = [(table.pk, seat) for table in tables for seat in waiting.seats_free(table)]
    if not seats:
        raise NoSeatAnywhere
    table_id, seat = chance.choice(seats)
    return seating.seat_take(
        table_id=table_id, player=player, seat=seat, buy_in_minor=buy_in_minor, key=key, posts=posts
    )
