"""Hands found again and told step by step, with the money they moved."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import orjson
from django.db.models import BigIntegerField, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.fields.json import KT
from django.utils.translation import gettext as say

from casino.console.paging import ROWS
from casino.console.people import players_like
from casino.core.log import log
from casino.core.models import User
from casino.core.money import units
from casino.core.services import role_require
from tables import events, replaying, selectors
from tables.errors import ReasonMissing, ReplayDiffers
from tables.models import Deck, Event, Hand, Table
from wallets.models import Leg, Transfer
from wallets.selectors import exponents

logger = logging.getLogger(__name__)

PLAYERS_MOST = 20
APART = timedelta(hours=1)
# What a line of the replay does not repeat: it stands elsewhere on the page, or is for programs.
UNTOLD = {
    "seat", "words", "name", "hand_id", "number", "family", "game", "stakes", "seats", "root",
    "signature", "roots", "seeds", "commitments", "joined", "takes_seeds", "cards", "board",
    "dealer", "street", "class", "pot", "button", "share", "spots",
}  # fmt: skip
OVER = (Hand.Status.SETTLED, Hand.Status.VOIDED)
# As in the index hand_by_size.
MOVED = RawSQL("hand_moved(tables_hand.result)", [], output_field=BigIntegerField())


@dataclass(frozen=True)
class Query:
    """What hands are looked for by; what is empty does not count.

    size_minor: chips that moved. pits: whose tables alone count. user: who looks. before: the id
    below which the page begins, if not with the newest."""

    number: int | None = None
    table_id: int | None = None
    player: str = ""
    status: str = ""
    begins: datetime | None = None
    ends: datetime | None = None
    size_minor: int | None = None
    pits: tuple[str, ...] = ()
    user: object = None
    before: int | None = None


def hands_like(query: Query) -> QuerySet[Hand]:
    """Hands; every filter has an index to walk, in the order of `order_of()`."""
    wanted = Q()
    if query.number is not None:
        tables = Table.objects.values_list("pk", flat=True)
        wanted &= Q(pk=query.number) | Q(table_id__in=list(tables), number=query.number)
    if query.table_id is not None:
        wanted &= Q(table_id=query.table_id)
    if query.pits:
        own = Table.objects.filter(pit__in=query.pits).values_list("pk", flat=True)
        wanted &= Q(table_id__in=list(own))
    if query.status:
        wanted &= Q(status=query.status)
    if query.begins is not None:
        wanted &= Q(started_at__gte=query.begins)
    if query.ends is not None:
        wanted &= Q(started_at__lt=query.ends)
    found = Hand.objects.filter(wanted).select_related("table").defer("definition", "final_view")
    found = found.annotate(game_name=KT("definition__name"))
    if query.size_minor is not None:
        found = found.alias(moved_minor=MOVED).filter(moved_minor__gte=query.size_minor)
    return _dealt_to(found, query) if query.player else found


def order_of(query: Query) -> tuple[Any, ...]:
    """What goes before the id, the last first, as in the index that a page is read from: players'
    hands come by id, others by size if it is asked, others of a day or a table by time."""
    if query.player:
        return ()
    if query.size_minor is not None:
        return (MOVED, "table_id", "started_at")
    if query.begins is not None or query.ends is not None or query.table_id is not None:
        return ("started_at",)
    return ()


def _dealt_to(hands: QuerySet[Hand], query: Query) -> QuerySet[Hand]:
    """One player's hands come in the order of his rows; of several, the newest of each are enough
    for a page."""
    players = players_like(query.player, query.user)[:PLAYERS_MOST]
    rows = Q(**_ids_of_days(query))
    each = [hands.filter(rows, dealt__player_id=player.pk) for player in players]
    if len(each) == 1:
        return each[0]
    if query.before is not None:
        each = [of_one.filter(pk__lt=query.before) for of_one in each]
    newest = [of_one.order_by("-pk").values_list("pk")[: ROWS + 1] for of_one in each]
    first = Hand.objects.none().values_list("pk")
    return hands.filter(pk__in={pk for (pk,) in first.union(*newest, all=True)})


def _ids_of_days(query: Query) -> dict[str, int]:
    """Between which ids of a player's rows the hands of the time asked for lie: ids rise with the
    time, but for those that began within `APART` of each other."""
    begun, bounds = Hand.objects.order_by("started_at", "pk").values_list("pk", flat=True), {}
    if query.begins is not None:
        earlier = begun.filter(started_at__lt=query.begins - APART).last()
        bounds["dealt__hand_id__gt"] = earlier or 0
    if query.ends is not None:
        later = begun.filter(started_at__gte=query.ends + APART).first()
        if later is not None:
            bounds["dealt__hand_id__lt"] = later
    return bounds


@dataclass
class Said:
    """One thing that happened: by whom, what, with which cards, and the figures of it."""

    who: str
    what: str
    cards: list[str] = field(default_factory=list)
    figures: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Step:
    """What one action, or one step of the house, caused. hidden: who saw which cards, if told."""

    seq: int
    at: datetime
    said: list[Said]
    hidden: list[tuple[str, list[str]]] = field(default_factory=list)


@dataclass
class SeatLine:
    seat: str
    player_id: int
    name: str
    stack_minor: int
    net_minor: int | None
    words: str


@dataclass
class Sheet:
    """A hand as its page shows it.

    differs: where the hand, played again from its decks, does not come out as it was told.
    """

    hand: Hand
    seats: list[SeatLine]
    steps: list[Step]
    transfers: list[tuple[Transfer, list[Leg]]]
    deck: Deck | None
    is_reversed: bool
    is_over: bool
    with_cards: bool
    differs: str | None = None
    is_replayed: bool = False


def hand_of(hand_id: int) -> Hand | None:
    return Hand.objects.select_related("table", "paytable").filter(pk=hand_id).first()


def sheet_of(hand: Hand, *, with_cards: bool = False) -> Sheet:
    """with_cards: hidden cards too; only of a hand that is over, and who looks is logged before."""
    is_over = hand.status in OVER
    names = {seat: facts["name"] for seat, facts in hand.seats.items()}
    exponent = exponents()[hand.table.currency]
    hidden = selectors.hidden_parts(hand.pk) if with_cards and is_over else {}
    transfers = list(Transfer.objects.filter(hand_id=hand.pk).order_by("id"))
    legs: dict[int, list[Leg]] = {}
    for leg in Leg.objects.filter(transfer__in=transfers).select_related("account__player"):
        legs.setdefault(leg.transfer_id, []).append(leg)
    return Sheet(
        hand=hand,
        seats=[_seat(hand, seat) for seat in sorted(hand.seats, key=int)],
        steps=[
            _step(row, names, exponent, hidden.get(row.seq, [])) for row in events.of_hand(hand.pk)
        ],
        transfers=[(each, legs.get(each.pk, [])) for each in transfers],
        deck=None if hand.deck_id is None else Deck.objects.get(pk=hand.deck_id),
        is_reversed=any(each.kind == "reversal" for each in transfers),
        is_over=is_over,
        with_cards=bool(hidden),
        is_replayed=bool(hidden) and hand.status == Hand.Status.SETTLED,
        differs=_differs(hand) if hidden and hand.status == Hand.Status.SETTLED else None,
    )


def _differs(hand: Hand) -> str | None:
    """Play a hand again: its decks are seen by whoever sees all cards, and by nobody else.

    A muck that was shuffled again holds exactly what was mucked, or the engine refuses it.
    """
    try:
        replaying.replay(hand)
    except ReplayDiffers as error:
        return str(error)
    except Exception as error:
        logger.exception("hand %s cannot be played again", hand.pk)
        return type(error).__name__
    return None


def _seat(hand: Hand, seat: str) -> SeatLine:
    facts, result = hand.seats[seat], hand.result or {}
    spot = result.get("spots", {}).get(seat, {})
    return SeatLine(
        seat=seat,
        player_id=facts["player"],
        name=facts["name"],
        stack_minor=facts["stack_minor"],
        net_minor=result.get("nets_minor", {}).get(seat),
        words=spot.get("words", ""),
    )


def _step(
    row: Event, names: Mapping[str, str], exponent: int, hidden: list[dict[str, Any] | None]
) -> Step:
    said = [
        _said(each["type"], each["public"], names, exponent) for each in orjson.loads(row.events)
    ]
    seen: dict[str, list[str]] = {}
    for part in hidden:
        for seat, shown in (part or {}).items():
            seen.setdefault(seat, []).extend(_cards_in(shown))
    cards = [(names.get(seat, f"seat {seat}"), cards) for seat, cards in seen.items() if cards]
    return Step(seq=row.seq, at=row.at, said=said, hidden=cards)


def _said(kind: str, public: dict[str, Any], names: Mapping[str, str], exponent: int) -> Said:
    seat = str(public.get("seat", ""))
    what = say(str(public.get("words") or public.get("name") or kind).replace("_", " "))
    cards = [*_texts(public.get("cards")), *_texts(public.get("board"))]
    figures = [
        (say(name.removesuffix("_minor").replace("_", " ")), _figure(name, value, names, exponent))
        for name, value in public.items()
        if name not in UNTOLD and value not in (None, [], {}, "")
    ]
    return Said(names.get(seat, f"seat {seat}" if seat else ""), what, cards, figures)


def _figure(name: str, value: Any, names: Mapping[str, str], exponent: int) -> str:
    is_money = name.endswith("_minor") or name in ("winners", "wagers")
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if isinstance(value, int):
        return units(value, exponent) if is_money else str(value)
    if isinstance(value, list):
        return ", ".join(_figure(name, each, names, exponent) for each in value)
    if isinstance(value, dict):
        if "words" in value:
            return str(value["words"])
        kept = {k: v for k, v in value.items() if v not in (None, "", [], {})}
        inner = "_minor" if is_money else ""
        return ", ".join(
            f"{names.get(key, key.removesuffix('_minor').replace('_', ' '))} "
            f"{_figure(key if key.endswith('_minor') else key + inner, each, names, exponent)}"
            for key, each in kept.items()
        )
    return say(str(value).replace("_", " ")) if value else ""


def _texts(value: Any) -> list[str]:
    """Cards in a public part, by seat or in a row; face-down ones are no text."""
    if isinstance(value, dict):
        return [card for each in value.values() for card in _texts(each)]
    if isinstance(value, list):
        return [card for each in value for card in ([each] if isinstance(each, str) else [])]
    return []


def _cards_in(part: Any) -> list[str]:
    if isinstance(part, dict):
        return [card for each in part.values() for card in _cards_in(each)]
    if isinstance(part, list):
        return [str(each) for each in part if isinstance(each, (str, int))]
    return []


def cards_asked(*, hand: Hand, reason: str, by: User, roles: Any) -> None:
    """Note, before anything is shown, who looks at a hand's hidden cards. Raises RoleMissing,
    ReasonMissing."""
    role_require(by, roles)
    if not reason.strip():
        raise ReasonMissing
    facts = {"number": hand.number, "table": hand.table_id, "reason": reason.strip()}
    log("hand.cards_seen", f"hand:{hand.pk}", by, facts)
