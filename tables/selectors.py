"""Every read of tables and hands, and what a viewer may see of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple

import orjson
from django.db import connection, transaction
from django.db.models import Q, QuerySet, Sum

from casino.core.statements import one_row
from tables import beliefs, choosing, costs, cuts, events, rules, shifts, specials
from tables.engine.games import named
from tables.engine.games.mixed import MixedGame
from tables.errors import HandNotFound, TableNotFound
from tables.frames import Row, frame, instant, with_private
from tables.hub import Push
from tables.models import Deck, Event, Hand, Seat, Table
from wallets import bonuses
from wallets import selectors as wallet_selectors
from wallets import services as wallets
from wallets.bonuses import Fund

REPLAY_MOST = 200
STOPPED = """
    SELECT EXISTS (
        SELECT FROM tables_housestop WHERE game IN ('', %s) AND lifted_at IS NULL
    )
"""
STANDING = f"""
    SELECT t.seq, t.currency, {cuts.WITHHELD}, found.*
        FROM tables_table t
        LEFT JOIN tables_seat s ON s.table_id = t.id AND s.player_id = %(player)s
        CROSS JOIN LATERAL ledger_standing(%(player)s, t.currency, s.account_id) AS found
        WHERE t.id = %(table)s
"""  # noqa: S608
OWN_PART = """
    SELECT e.private, e.private_seats, h.seats
        FROM tables_event e JOIN tables_hand h ON h.id = e.hand_id
        WHERE e.table_id = %s AND e.seq = %s AND e.private IS NOT NULL
"""


@contextmanager
def one_moment() -> Iterator[None]:
    """Let several reads see the database as it was at the first of them."""
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield


def database_now() -> datetime:
    now: datetime = one_row("SELECT clock_timestamp()", [])[0]
    return now


def tables_open() -> "QuerySet[Table]":
    """The lobby: every table that is not closed, with its seats counted."""
    hidden = (Table.Status.CLOSED, Table.Status.DRAFT)
    return Table.objects.exclude(status__in=hidden).annotate(
        seats_taken=Sum("seats__spots", filter=~Q(seats__status=Seat.Status.LEAVING), default=0)
    )


def is_stopped(table: Table) -> bool:
    """Whether the house has stopped dealing, this game or any."""
    found: bool = one_row(STOPPED, [table.game])[0]
    return found


def table_require(table_id: int) -> None:
    """Raises TableNotFound."""
    if not Table.objects.filter(pk=table_id).exists():
        raise TableNotFound(table_id)


def table_facts(table: Table) -> dict[str, Any]:
    """What stands on a table's placard."""
    game = named(table.game, table.options)
    facts = {
        "id": table.pk,
        "name": table.name,
        "family": game.family,
        "game": {"id": game.id, "name": game.name, "limit": table.options.get("limit", "")},
        "currency": table.currency,
        "exponent": wallet_selectors.exponents()[table.currency],
        "chip_minor": table.chip_minor,
        "max_seats": table.max_seats,
        "min_players": table.min_players,
        "status": table.status,
        "stakes": table.options,
        "buy_in": rules.buy_in(table.options, table.buy_in_least_minor, table.buy_in_most_minor),
        "timing": table.timing,
        "feeds": None if table.feeds is None else {"id": table.feeds.pk, "name": table.feeds.name},
        "time_collection": costs.time_collection(table),
        "jackpot": costs.jackpot(table),
        "version": table.version,
        "stopped": is_stopped(table),
    }
    if isinstance(game, MixedGame):
        facts["next_game"] = choosing.next_game(table)
    if "paytables" in table.options:
        facts["paytables"] = table.options["paytables"]
    return facts


class Stack(NamedTuple):
    """What a seat can stake: its chips, and against the house its player's bonus money."""

    chips_minor: int
    bonus: Fund | None

    @property
    def stack_minor(self) -> int:
        return self.chips_minor + (0 if self.bonus is None else self.bonus.balance_minor)


def stacks_of(table: Table, seats: Iterable[Seat]) -> dict[int, Stack]:
    """By seat number. A bonus is its player's wherever he sits, so two tables show it both."""
    held = list(seats)
    chips = wallets.balances_of(account_ids=[seat.account_id for seat in held])
    funds: Mapping[int, Fund] = {}
    if named(table.game, table.options).family == "banked":
        players = [seat.player_id for seat in held]
        funds = bonuses.funds_of(player_ids=players, currency=table.currency)
    return {seat.number: Stack(chips[seat.account_id], funds.get(seat.player_id)) for seat in held}


def seat_facts(seat: Seat) -> dict[str, Any]:
    """What everybody may know of a taken seat, its chips apart."""
    owes = [
        kind for kind, is_owed in (("big", seat.owes_big), ("small", seat.owes_small)) if is_owed
    ]
    return {
        "seat": seat.number,
        "status": seat.status,
        "spots": seat.spots,
        "owes": owes,
        "time_bank_ms": seat.bank_ms,
    }


def seat_choices(seat: Seat) -> dict[str, Any]:
    """What its player has chosen for himself."""
    return {
        "posts": seat.posts,
        "auto_post": seat.auto_post,
        "agrees_to_blind": seat.agrees_to_blind,
        "straddles": seat.straddles,
        "wants_bomb_pot": seat.wants_bomb_pot,
        "sits_out_at": seat.sits_out_at or None,
        "tops_up_to_minor": seat.tops_up_to_minor,
    }


@one_moment()
def table_snapshot(table_id: int, player_id: int | None = None) -> dict[str, Any]:
    """The whole table as one viewer may see it, as of `seq`; player_id None is the public.

    Raises TableNotFound.
    """
    belief = beliefs.read(table_id)
    table = Table.objects.get(pk=table_id)
    seats = list(table.seats.select_related("player"))
    stacks = stacks_of(table, seats)
    own = next((seat for seat in seats if seat.player_id == player_id), None)
    snapshot: dict[str, Any] = {
        "table": table_facts(table),
        "seq": belief.seq,
        "server_time": instant(database_now()),
        "seats": [
            {
                "player": seat.player.display_name,
                "stack_minor": stacks[seat.number].stack_minor,
                **seat_facts(seat),
            }
            for seat in seats
        ],
        "specials": specials.facts(table, seats),
        "hand": None,
        "choice": None,
        "last_hand": _last_hand(table),
        "dealer": shifts.dealer_facts(table_id),
        "floor_calls": shifts.calls_open(table),
        "next_root": _next_root(table),
        "cuts": cuts.running(table_id, player_id),
        "you": None if player_id is None else _you(table, player_id, own),
    }
    if belief.hand_id is not None and belief.state is not None:
        _add_hand(snapshot, belief, player_id)
    elif (choice := choosing.choice_facts(table)) is not None:
        snapshot["choice"] = {**choice, "turn": _turn(table_id)}
        if player_id is not None:
            snapshot["you"]["legal_actions"] = choosing.legal(table, player_id)
    return snapshot


def _you(table: Table, player_id: int, seat: Seat | None) -> dict[str, Any]:
    money = wallet_selectors.money_of(player_id, table.currency)
    you: dict[str, Any] = {
        "seat": None,
        "legal_actions": [],
        "money": money._asdict(),
        "seeds_barred_until": cuts.barred_until(player_id),
    }
    if seat is not None:
        you |= {"seat": seat.number, "choices": seat_choices(seat)}
    return you


def standing(table_id: int, player_id: int) -> dict[str, Any]:
    """A player's money, his time of play and what bars him as of `seq`: told after every hand.

    One statement, because every player at a table asks at the same moment.
    """
    asked = {"player": player_id, "table": table_id, "barred": cuts.BARRED}
    seq, currency, withheld_at, *columns = one_row(STANDING, asked)
    found = wallet_selectors.Standing.of(columns)
    since = None if found.since is None else instant(found.since)
    return {
        "seq": seq,
        "currency": currency,
        **found._asdict(),
        "since": since,
        "seeds_barred_until": cuts.barred_since(withheld_at),
    }


def _add_hand(snapshot: dict[str, Any], belief: beliefs.Belief, player_id: int | None) -> None:
    assert belief.hand_id is not None
    hand = belief.hand()
    own = [] if player_id is None else belief.seats_of(player_id)
    dealt_as = own[0] if own else None
    record = Hand.objects.get(pk=belief.hand_id)
    snapshot["hand"] = {
        "id": record.pk,
        "number": record.number,
        "game": {"id": record.game, "name": record.definition.get("name", record.game)},
        "button": record.button,
        "stakes": record.options,
        "root": None if record.deck_id is None else Deck.objects.get(pk=record.deck_id).root,
        "cut": cuts.of_hand(record),
        "seats": seats_facts(record.seats),
        "turn": None if belief.finished else _turn(belief.table_id),
        "view": hand.view(dealt_as),
    }
    if dealt_as is not None:
        snapshot["you"]["dealt_as"] = dealt_as
        if not belief.finished:
            snapshot["you"]["legal_actions"] = rules.legal(hand, own)


def seats_facts(seats: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The seats of a hand as all may know them; a further spot names its player's seat."""
    return [
        {"seat": int(number), "player": seat["name"], "stack_minor": seat["stack_minor"]}
        | ({"player_seat": seat["player_seat"]} if "player_seat" in seat else {})
        for number, seat in sorted(seats.items(), key=lambda item: int(item[0]))
    ]


def _turn(table_id: int) -> dict[str, Any] | None:
    turn = Table.objects.values_list("turn", flat=True).get(pk=table_id)
    return None if turn is None else orjson.loads(turn)


def _last_hand(table: Table) -> dict[str, Any] | None:
    hand = table.hands.filter(status=Hand.Status.SETTLED).order_by("-number").first()
    if hand is None:
        return None
    return {
        "id": hand.pk,
        "number": hand.number,
        "game": {"id": hand.game, "name": hand.definition.get("name", hand.game)},
        "stakes": hand.options,
        "view": hand.final_view,
        "result": hand.result,
        "settled_at": None if hand.settled_at is None else instant(hand.settled_at),
    }


def _next_root(table: Table) -> dict[str, Any] | None:
    waiting = table.decks.filter(status=Deck.Status.COMMITTED, cut__hand_id=None)
    deck = waiting.order_by("number").first()
    return None if deck is None else {"number": deck.number, "root": deck.root}


def legal_actions(table_id: int, player_id: int) -> dict[str, Any]:
    """What the player may do at this moment, for the answer to a refused action."""
    belief = beliefs.read(table_id)
    seats = belief.seats_of(player_id)
    actions: list[dict[str, Any]] = []
    if belief.hand_id is None:
        actions = choosing.legal(Table.objects.get(pk=table_id), player_id)
    elif seats and belief.state is not None and not belief.finished:
        actions = rules.legal(belief.hand(), seats)
    return {"seq": belief.seq, "turn_id": belief.turn_id, "legal_actions": actions}


def frames_since(table_id: int, from_seq: int, player_id: int | None) -> list[str] | None:
    """The frames after `from_seq` as one viewer may see them.

    None when there are too many to send, or the table was never there: a snapshot serves better.
    """
    newest = Table.objects.filter(pk=table_id).values_list("seq", flat=True).first()
    if newest is None:
        raise TableNotFound(table_id)
    if not newest - REPLAY_MOST <= from_seq <= newest:
        return None
    rows = list(Event.objects.filter(table_id=table_id, seq__gt=from_seq).order_by("seq"))
    if rows and rows[-1].seq - from_seq != len(rows):  # a hand between them has been packed
        return None
    frames = []
    for row in rows:
        text = frame(_row(row))
        if player_id is not None and row.private_seats:
            parts = _private_parts(row, player_id)
            text = text if parts is None else with_private(text, parts)
        frames.append(text)
    return frames


def pushes_since(table_id: int, from_seq: int) -> list[Push]:
    """The public frames after `from_seq`, oldest first, for a room that missed some."""
    rows = Event.objects.filter(table_id=table_id, seq__gt=from_seq).order_by("seq")[:REPLAY_MOST]
    return [Push(row.seq, frame(_row(row)), row.private_seats) for row in rows]


def seqs_of(table_ids: Sequence[int]) -> tuple[str, dict[int, int]]:
    """The database's time and the newest seq of each table, in one query."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT clock_timestamp(), t.id, t.seq FROM (SELECT 1) one"
            " LEFT JOIN tables_table t ON t.id = ANY(%s)",
            [list(table_ids)],
        )
        rows = cursor.fetchall()
    return instant(rows[0][0]), {row[1]: row[2] for row in rows if row[1] is not None}


def with_own_part(table_id: int, seq: int, text: str, player_id: int) -> str:
    """A frame with the private part of the seat in which this player was dealt that hand."""
    found = one_row(OWN_PART, [table_id, seq])
    if found is None:
        return text
    sealed, seats, dealt = found
    row = Sealed(table_id, seq, sealed, orjson.loads(seats))
    parts = _parts_of(row, beliefs.dealt_to(orjson.loads(dealt), player_id))
    return text if parts is None else with_private(text, parts)


def _private_parts(row: Event, player_id: int) -> list[dict[str, Any] | None] | None:
    if row.private is None or row.hand_id is None:
        return None
    dealt: Mapping[str, Any] = Hand.objects.values_list("seats", flat=True).get(pk=row.hand_id)
    return _parts_of(row, beliefs.dealt_to(dealt, player_id))


class Sealed(NamedTuple):
    """The private side of an event row."""

    table_id: int
    seq: int
    private: bytes | memoryview | None
    private_seats: Sequence[int]


def _parts_of(row: Event | Sealed, seats: Sequence[int]) -> list[dict[str, Any] | None] | None:
    """The private part of each event of a row for who was dealt these seats in its hand."""
    if row.private is None or not set(seats) & set(row.private_seats):
        return None
    return [None if part is None else _own_part(part, seats) for part in events.parts_of(row)]


def frame_for(row: Event, seats: Sequence[int]) -> str:
    """A row's frame as who was dealt these seats in its hand may see it; () is the public."""
    text = frame(_row(row))
    parts = _parts_of(row, seats)
    return text if parts is None else with_private(text, parts)


def _own_part(part: Mapping[str, dict[str, Any]], seats: Sequence[int]) -> dict[str, Any] | None:
    """What one player may know; by seat where he has several spots."""
    own = {str(seat): part[str(seat)] for seat in seats if str(seat) in part}
    if len(seats) == 1 or not own:
        return next(iter(own.values()), None)
    return {"seats": own}


def hidden_parts(hand_id: int) -> dict[int, list[dict[str, Any] | None]]:
    """By seq, every seat's private part of every event of a hand that is over.

    For auditors alone: whoever calls this has noted who looks, and why. Raises HandNotFound for a
    hand that does not exist or is still in play.
    """
    over = (Hand.Status.SETTLED, Hand.Status.VOIDED)
    if not Hand.objects.filter(pk=hand_id, status__in=over).exists():
        raise HandNotFound(hand_id)
    return {
        row.seq: events.parts_of(row) for row in events.of_hand(hand_id) if row.private is not None
    }


def _row(event: Event) -> Row:
    return Row(event.table_id, event.seq, event.events, event.turn, event.at, event.private_seats)
