"""What the floor board tells: of every table that is not closed, what everybody may know."""

from collections.abc import Sequence
from typing import Any

import orjson
from django.db.models import Count, Q

from tables import beliefs, shifts
from tables.engine.games import named
from tables.frames import instant
from tables.models import Seat, Table
from tables.selectors import database_now, is_stopped, one_moment
from wallets import selectors as wallet_selectors

PLAYING = Q(seats__status=Seat.Status.PLAYING)


@one_moment()
def board(pits: Sequence[str] = ()) -> dict[str, Any]:
    """pits: only their tables; none is all of them."""
    shown = Table.objects.exclude(status__in=(Table.Status.CLOSED, Table.Status.DRAFT))
    if pits:
        shown = shown.filter(pit__in=pits)
    tables = shown.annotate(taken=Count("seats"), at_play=Count("seats", filter=PLAYING))
    exponents = wallet_selectors.exponents()
    return {
        "server_time": instant(database_now()),
        "tables": [_tile(table, exponents[table.currency]) for table in tables.order_by("name")],
    }


def _tile(table: Table, exponent: int) -> dict[str, Any]:
    game = named(table.game, table.options)
    counts: dict[str, int] = {"taken": table.taken, "at_play": table.at_play}  # type: ignore[attr-defined]
    return {
        "id": table.pk,
        "name": table.name,
        "pit": table.pit,
        "game": game.name,
        "family": game.family,
        "status": table.status,
        "stopped": is_stopped(table),
        "stakes": table.options,
        "currency": table.currency,
        "exponent": exponent,
        "max_seats": table.max_seats,
        **counts,
        "seq": table.seq,
        "dealer": shifts.dealer_facts(table.pk),
        "floor_calls": shifts.calls_open(table),
        "hand": _hand(table),
    }


def _hand(table: Table) -> dict[str, Any] | None:
    """The hand in play: how far it is, what is in it and whose turn it is until when."""
    belief = beliefs.read(table.pk)
    if belief.hand_id is None or belief.state is None:
        return None
    view = belief.hand().view(None)
    turn = None if table.turn is None or belief.finished else orjson.loads(table.turn)
    spots = view.get("spots") or []
    return {
        "id": belief.hand_id,
        "number": belief.hand_number,
        "street": view.get("street", view.get("phase", "")),
        "players": len(view.get("players") or spots),
        "in_it": _in_it(view),
        "amount_minor": view["pot_minor"] if "pot_minor" in view else _staked(spots),
        "waiting": list(view.get("waiting") or ()),
        "window": view.get("window", ""),
        "deadline": None if turn is None else turn.get("deadline"),
        "over": bool(view.get("over")),
    }


def _in_it(view: dict[str, Any]) -> int:
    if view["family"] == "banked":
        return sum(1 for spot in view["spots"] if any((spot.get("wagers") or {}).values()))
    return sum(1 for player in view["players"] if player["status"] not in ("folded", "out"))


def _staked(spots: Sequence[dict[str, Any]]) -> int:
    return sum(sum((spot.get("wagers") or {}).values()) for spot in spots)
