"""Sitting down, topping up, sitting out, leaving."""

from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import transaction

from casino.core.models import User
from casino.core.rows import row_of, rows_where
from tables import beliefs
from tables.engine.protocol import Event
from tables.errors import (
    AlreadySeated,
    BuyInOutOfRange,
    BuyInSpent,
    NoSuchSeat,
    NotSeated,
    NotWholeChips,
    SeatHeld,
    SeatTaken,
    TableFull,
    TableNotOpen,
    TooManySpots,
)
from tables.models import Hand, Seat, Table
from tables.rules import KEEP, Turn
from tables.selectors import seat_facts, stacks_of
from tables.services import (
    blinds,
    clocks,
    collecting,
    counting,
    dealing,
    specials,
    stacks,
    waiting,
)
from tables.services.writing import event, write
from wallets import services as wallets


@dataclass
class Locked:
    """A table under its lock, and the events that leave with the transaction."""

    table: Table
    seq: int
    events: list[Event] = field(default_factory=list)
    turn: Turn = KEEP

    def in_hand(self, seat: Seat) -> bool:
        """Whether this very player's seat was dealt in to the hand in play."""
        if self.table.hand_id is None:
            return False
        dealt = Hand.objects.get(pk=self.table.hand_id).seats.get(str(seat.number))
        return dealt is not None and dealt["player"] == seat.player_id


@contextmanager
def table_locked(table_id: int) -> Iterator[Locked]:
    """Lock a table, let the body change its seats, write and push what happened."""
    with transaction.atomic():
        belief = beliefs.lock(table_id)
        locked = Locked(row_of(Table, table_id), belief.seq)
        yield locked
        if locked.events:
            write(table_id=table_id, base_seq=belief.seq, events=locked.events, turn=locked.turn)
    beliefs.forget(table_id)


@wallets.tells_limits
def seat_take(
    *,
    table_id: int,
    player: User,
    seat: int | None,
    buy_in_minor: int,
    key: str,
    posts: bool = False,
    spots: int = 1,
    invitation: str = "",
) -> Seat:
    """Sit down with chips bought from the player's wallet.

    seat: 1 to the table's seats; None takes the first free one. key: makes a repeat harmless.
    posts: at a running game he posts a big blind rather than wait for it. spots: how many beside
    each other, from the seat up. invitation: the code of a private table.
    Raises TableNotOpen, InvitationNeeded, FeederFirst, SeatHeld, NoSuchSeat, SeatTaken,
    TooManySpots, TableFull, AlreadySeated, BuyInOutOfRange, NotWholeChips, BuyInSpent, or what
    the wallets refuse; then nothing has changed.
    """
    with table_locked(table_id) as locked:
        table = locked.table
        if table.status not in (Table.Status.OPEN, Table.Status.PAUSED):
            raise TableNotOpen(table.status)
        _check_spots(table, spots)
        held = table.seats.filter(player=player).first()
        if held is not None:
            raise AlreadySeated(held.number)
        waiting.check_invited(table, invitation)
        waiting.check_not_fed(table)
        locked.events += waiting.calls_made(table)
        number = seat_for(table, player, seat, spots)
        check_chips(table, buy_in_minor, *stacks.buy_in_range(table, player.pk))
        account_id = wallets.seat_account_open(
            player_id=player.pk, table_id=table.pk, currency=table.currency
        )
        posted = wallets.buy_in(
            player_id=player.pk, seat_account_id=account_id, amount_minor=buy_in_minor, key=key
        )
        if posted.replayed:  # a seat without chips, shown with those of the one before
            raise BuyInSpent
        counting.chips_bought(table.pk, buy_in_minor)
        place = Seat.objects.create(
            table=table,
            number=number,
            player=player,
            account_id=account_id,
            owes_big=blinds.owes_at_first(table),
            bank_ms=clocks.bank_ms(table.timing),
            posts=posts,
            spots=spots,
        )
        locked.events.append(
            event(
                "seat_taken",
                player=player.display_name,
                stack_minor=stacks_of(table, [place])[number].stack_minor,
                **seat_facts(place),
            )
        )
        waiting.served(table, player.pk)
        dealing.schedule(table_id)
    return place


def seat_top_up(*, table_id: int, player: User, amount_minor: int, key: str) -> int:
    """Buy more chips; in a hand they play from the next one on. Returns the chips on the table.

    Raises NotSeated, BuyInOutOfRange (more than the table's most), NotWholeChips, or what the
    wallets refuse.
    """
    with table_locked(table_id) as locked:
        seat = seat_of(locked.table, player)
        before_minor = _stack_minor(seat)
        posted = wallets.buy_in(
            player_id=player.pk,
            seat_account_id=seat.account_id,
            amount_minor=amount_minor,
            key=key,
        )
        stack_minor = _stack_minor(seat)
        if not posted.replayed:
            most = max(locked.table.buy_in_most_minor - before_minor, 0)
            check_chips(locked.table, amount_minor, locked.table.chip_minor, most)
            counting.chips_bought(table_id, amount_minor)
            if (
                not before_minor
                and not seat.owes_time_minor
                and seat.status == Seat.Status.SITTING_OUT
            ):
                seat.status = Seat.Status.PLAYING
                seat.save(update_fields=["status"])
            shown_minor = stacks_of(locked.table, [seat])[seat.number].stack_minor
            locked.events.append(_changed(seat, None if locked.in_hand(seat) else shown_minor))
        dealing.schedule(table_id)
    return stack_minor


def seat_spots(*, table_id: int, player: User, spots: int) -> Seat:
    """Take further spots beside the seat, or give some up, from the next round on.

    Raises NotSeated, TooManySpots, NoSuchSeat, SeatTaken.
    """
    with table_locked(table_id) as locked:
        seat = seat_of(locked.table, player)
        _check_spots(locked.table, spots)
        before, seat.spots = seat.spots, spots
        locked.events += waiting.calls_made(locked.table)
        kept = held_for_others(locked.table, player.pk)
        _check_free(locked.table, {*_taken(locked.table, but=seat), *kept}, seat.numbers)
        if spots != before:
            seat.save(update_fields=["spots"])
            locked.events.append(_changed(seat, None))
    return seat


def seat_sit_out(*, table_id: int, player: User, at: str = Seat.SitsOut.NEVER) -> str:
    """Be dealt in no more; in a hand the seat's turns pass at once, unless it plays it out.

    at: play on until the hand in play is over, or until the big blind reaches the seat. Returns
    the seat's status now. Raises NotSeated.
    """
    with table_locked(table_id) as locked:
        seat = seat_of(locked.table, player)
        if at == Seat.SitsOut.HAND and not locked.in_hand(seat):
            at = Seat.SitsOut.NEVER
        if at:
            seat.sits_out_at = at
            seat.save(update_fields=["sits_out_at"])
        else:
            _status(locked, seat, Seat.Status.SITTING_OUT)
    return seat.status


def seat_return(*, table_id: int, player: User) -> None:
    """Be dealt in again as soon as nothing is owed, or it is posted, or the big blind comes.

    Raises NotSeated, TimeFeeOwed.
    """
    with table_locked(table_id) as locked:
        seat = seat_of(locked.table, player)
        paid_minor = collecting.debt_paid(locked.table, seat)
        _status(
            locked,
            seat,
            Seat.Status.PLAYING,
            stack_minor=_stack_minor(seat) if paid_minor else None,
        )
        dealing.schedule(table_id)


def seat_choose(*, table_id: int, player: User, **choices: bool | int | None) -> Seat:
    """Change what the player has chosen for himself at this seat.

    choices: posts, auto_post, agrees_to_blind, straddles, wants_bomb_pot, tops_up_to_minor. Raises
    NotSeated.
    """
    with table_locked(table_id) as locked:
        seat = seat_of(locked.table, player)
        for name, chosen in choices.items():
            setattr(seat, name, chosen)
        seat.save(update_fields=list(choices))
        if "wants_bomb_pot" in choices:
            locked.events += specials.told(locked.table)
        dealing.schedule(table_id)
    return seat


def seat_leave(*, table_id: int, player: User) -> int | None:
    """Stand up with all chips; who is in a hand leaves when it is settled.

    Returns the minor units paid out, or None when the seat leaves later. Raises NotSeated.
    """
    with table_locked(table_id) as locked:
        seat = seat_of(locked.table, player)
        if locked.in_hand(seat):
            if seat.status != Seat.Status.LEAVING:
                seat.status = Seat.Status.LEAVING
                seat.save(update_fields=["status"])
                locked.events.append(_changed(seat, None))
            return None
        return _given_up(locked, seat)


def seat_away(*, table_id: int, player_id: int) -> bool:
    """Stand a player up who has sat out for longer than the table allows; all chips are paid out.

    Returns whether it did: not if he is back meanwhile. Source: docs/rules/interruptions.md 6.4.
    """
    with table_locked(table_id) as locked:
        if (table_id, player_id) not in clocks.away_too_long():
            return False
        _given_up(locked, locked.table.seats.get(player_id=player_id), why="away")
    return True


def _given_up(locked: Locked, seat: Seat, **why: str) -> int:
    amount = wallets.cash_out(
        player_id=seat.player_id,
        seat_account_id=seat.account_id,
        key=f"leave:{locked.table.pk}:{seat.pk}",
    )
    stacks.gone(locked.table, seat.player_id, amount)
    seat.delete()
    locked.events.append(event("seat_left", seat=seat.number, **why))
    return amount


def _status(locked: Locked, seat: Seat, status: str, *, stack_minor: int | None = None) -> None:
    """Give a seat its new status; what was asked for later falls."""
    changed = seat.status != status
    seat.status, seat.sits_out_at = status, Seat.SitsOut.NEVER
    seat.save(update_fields=["status", "sits_out_at"])
    if changed:
        locked.events.append(_changed(seat, stack_minor))


def _stack_minor(seat: Seat) -> int:
    return wallets.balances_of(account_ids=[seat.account_id])[seat.account_id]


def seat_of(table: Table, player: User) -> Seat:
    found = rows_where(Seat, "table_id = %s AND player_id = %s", [table.pk, player.pk])
    if not found:
        raise NotSeated
    found[0].table = table
    return found[0]


def _changed(seat: Seat, stack_minor: int | None) -> Event:
    """stack_minor None: what the hand in play says stands."""
    return event("seat_changed", stack_minor=stack_minor, **seat_facts(seat))


def _check_spots(table: Table, spots: int) -> None:
    most = table.options.get("spots_per_player", 1)
    if not 1 <= spots <= most:
        raise TooManySpots(spots, most)


def _taken(table: Table, *, but: Seat | None = None) -> set[int]:
    """The numbers of all spots that have a player, in the hand in play or after it.

    but: the seat that does not stand in its own way.
    """
    taken = {
        number
        for seat in table.seats.all()
        if but is None or seat.pk != but.pk
        for number in seat.numbers
    }
    if table.hand_id is not None:
        dealt = Hand.objects.values_list("seats", flat=True).get(pk=table.hand_id)
        taken |= {
            int(number)
            for number, facts in dealt.items()
            if but is None or facts["player"] != but.player_id
        }
    return taken


def seat_for(table: Table, player: User, seat: int | None, spots: int) -> int:
    """The seat he may take: of those that are not held for others, his own hold first.

    Raises SeatHeld and as `_free_seat`.
    """
    holds, others = waiting.holds_of(table), held_for_others(table, player.pk)
    if seat is not None and others & set(range(seat, seat + spots)):
        raise SeatHeld(seat)
    mine = next((number for number, held_for in holds.items() if held_for == player.pk), None)
    wanted = mine if seat is None and spots == 1 else seat
    return _free_seat(table, {*_taken(table), *others}, wanted, spots)


def _free_seat(table: Table, taken: Container[int], seat: int | None, spots: int) -> int:
    """The seat, or the first with so many free spots from it up."""
    if seat is not None:
        _check_free(table, taken, range(seat, seat + spots))
        return seat
    for first in range(1, table.max_seats + 2 - spots):
        if all(number not in taken for number in range(first, first + spots)):
            return first
    raise TableFull(table.max_seats)


def check_free(table: Table, seat: Seat, to: int) -> None:
    """Whether a seat with its spots may stand there. Raises SeatHeld, NoSuchSeat, SeatTaken."""
    numbers = range(to, to + seat.spots)
    if held_for_others(table, seat.player_id) & set(numbers):
        raise SeatHeld(to)
    _check_free(table, _taken(table, but=seat), numbers)


def held_for_others(table: Table, player_id: int) -> set[int]:
    return {number for number, held_for in waiting.holds_of(table).items() if held_for != player_id}


def _check_free(table: Table, taken: Container[int], numbers: range) -> None:
    for number in numbers:
        if not 1 <= number <= table.max_seats:
            raise NoSuchSeat(number, table.max_seats)
        if number in taken:
            raise SeatTaken(number)


def check_chips(table: Table, amount_minor: int, least: int, most: int) -> None:
    """Raises BuyInOutOfRange, NotWholeChips."""
    if not least <= amount_minor <= most:
        raise BuyInOutOfRange(amount_minor, least, most)
    if amount_minor % table.chip_minor:
        raise NotWholeChips(amount_minor, table.chip_minor)
