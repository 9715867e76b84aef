"""Reads of many: games, tables and hands, by pages that stay in place while rows are added."""

from typing import Any, NamedTuple, TypeVar

from django.db.models import Count, F, Q, Sum

from tables import costs, rules
from tables.beliefs import dealt_to
from tables.engine.games import GAMES, named
from tables.engine.games.mixed import MIXES
from tables.models import Dealt, Hand, Seat, Table, Waiting
from wallets import selectors as wallet_selectors

FAMILIES = ("poker", "banked", "bluff", "mixed")

Row = TypeVar("Row", Table, Hand)


class Page(NamedTuple):
    """next: the cursor of the page after; None on the last one."""

    rows: list[dict[str, Any]]
    next: int | None


def games() -> list[dict[str, Any]]:
    """Every game this house can deal."""
    return [
        {
            "id": game.id,
            "name": game.name,
            "family": game.family,
            "seats": {"least": game.seats[0], "most": game.seats[-1]},
            "limits": list(getattr(game, "limits", ())),
        }
        for game in (*GAMES.values(), *MIXES.values())
    ]


def tables(
    *,
    family: str | None = None,
    game: str | None = None,
    status: str | None = None,
    currency: str | None = None,
    betting: str | None = None,
    name: str | None = None,
    buy_in_minor: int | None = None,
    free_seat: bool = False,
    viewer_id: int | None = None,
    after: int = 0,
    most: int = 50,
) -> Page:
    """Tables in the order in which they were opened; closed ones only when asked for.

    after: the cursor, an id. betting: the limit. name: a part of it. buy_in_minor: only those that
    take so much. free_seat: only those that somebody can sit down at now.
    viewer_id: who looks; a private table is listed for those who sit there alone.
    """
    wanted = Q(pk__gt=after)
    if family is not None:
        wanted &= Q(
            game__in=[
                known.id for known in (*GAMES.values(), *MIXES.values()) if known.family == family
            ]
        )
    if game is not None:
        wanted &= Q(game=game)
    if currency is not None:
        wanted &= Q(currency=currency)
    if betting is not None:
        wanted &= Q(options__limit=betting)
    if name is not None:
        wanted &= Q(name__icontains=name)
    if buy_in_minor is not None:
        wanted &= Q(buy_in_least_minor__lte=buy_in_minor, buy_in_most_minor__gte=buy_in_minor)
    hidden = (Table.Status.CLOSED, Table.Status.DRAFT)
    wanted &= ~Q(status__in=hidden) if status is None else Q(status=status)
    own = Seat.objects.filter(player_id=viewer_id).values("table")
    wanted &= Q(invitation="") | Q(pk__in=own)
    found = Table.objects.filter(wanted).annotate(seats_taken=Sum("seats__spots", default=0))
    if free_seat:
        found = found.filter(
            seats_taken__lt=F("max_seats"), status__in=(Table.Status.OPEN, Table.Status.PAUSED)
        )
    rows, cursor = _page(list(found.order_by("pk")[: most + 1]), most)
    exponents = wallet_selectors.exponents()
    waiting = _waiting(rows)
    return Page(
        [
            {
                **_table(table, exponents[table.currency]),
                "waiting": waiting.get(kind_of(table), 0),
            }
            for table in rows
        ],
        cursor,
    )


def _waiting(tables: list[Table]) -> dict[str, int]:
    """How many wait for each kind of these tables and are not called yet."""
    kinds = {kind_of(table) for table in tables}
    found = Waiting.objects.filter(kind__in=kinds, called_to=None).order_by()
    return dict(found.values_list("kind").annotate(Count("id")))


def _table(table: Table, exponent: int) -> dict[str, Any]:
    game = named(table.game, table.options)
    return {
        "id": table.pk,
        "name": table.name,
        "family": game.family,
        "game": {"id": game.id, "name": game.name, "limit": table.options.get("limit", "")},
        "currency": table.currency,
        "exponent": exponent,
        "chip_minor": table.chip_minor,
        "stakes": table.options,
        "buy_in": rules.buy_in(table.options, table.buy_in_least_minor, table.buy_in_most_minor),
        "time_collection": costs.time_collection(table),
        "jackpot": costs.jackpot(table),
        "status": table.status,
        "max_seats": table.max_seats,
        "min_players": table.min_players,
        "seats_taken": table.seats_taken,  # type: ignore[attr-defined]
    }


def kind_of(table: Table) -> str:
    """What a list is for: tables that deal the same at the same stakes."""
    options = table.options
    big = options.get("big_blind_minor") or options.get("small_bet_minor") or 0
    if options.get("blinds_minor"):  # games with antes list none
        big = options["blinds_minor"][-1]
    limit = options.get("limit") or ""
    return f"{table.game}|{limit}|{big}|{table.currency}|{table.invitation}"


class HandPage(NamedTuple):
    """Rows themselves; next: as of a Page."""

    rows: list[Hand]
    next: int | None


def hands_of(player_id: int, *, before: int | None = None, most: int = 50) -> Page:
    """Hands that ended in which the player was dealt in, newest first. before: the cursor."""
    page = page_of_hands(player_id, before=before, most=most)
    return Page([_hand(hand, player_id) for hand in page.rows], page.next)


def page_of_hands(player_id: int, *, before: int | None = None, most: int = 50) -> HandPage:
    """The rows of `hands_of`, each with its table."""
    found = Dealt.objects.filter(
        player_id=player_id, hand__status__in=(Hand.Status.SETTLED, Hand.Status.VOIDED)
    ).select_related("hand__table")
    if before is not None:
        found = found.filter(hand_id__lt=before)
    hands = [one.hand for one in found.order_by("-hand_id")[: most + 1]]
    return HandPage(*_page(hands, most))


def _hand(hand: Hand, player_id: int) -> dict[str, Any]:
    seats = dealt_to(hand.seats, player_id)
    nets = (hand.result or {}).get("nets_minor", {})
    return {
        "id": hand.pk,
        "number": hand.number,
        "table": {"id": hand.table_id, "name": hand.table.name},
        "game": {
            "id": hand.game,
            "name": hand.definition["name"],
            "limit": hand.options.get("limit", ""),
        },
        "status": hand.status,
        "started_at": hand.started_at,
        "settled_at": hand.settled_at,
        "seat": seats[0],
        "currency": hand.table.currency,
        "net_minor": 0
        if hand.status == Hand.Status.VOIDED
        else sum(nets.get(str(seat), 0) for seat in seats),
        "rake_minor": (hand.result or {}).get("rake_minor", 0),
        "drop_minor": (hand.result or {}).get("drop_minor", 0),
    }


def _page(rows: list[Row], most: int) -> tuple[list[Row], int | None]:
    """Of one row more than asked for, the page and its cursor."""
    return rows[:most], rows[most - 1].pk if len(rows) > most else None
