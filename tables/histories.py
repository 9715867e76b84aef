"""Hands that are over in their written forms, each as one viewer may know it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from tables import events, selectors
from tables.beliefs import dealt_to
from tables.engine.history.forms import FORMS
from tables.engine.history.record import Record, SeatOf, Told
from tables.engine.poker.vocabulary import PokerGame
from tables.errors import FormatNotAvailable, HandNotFound
from tables.frames import instant
from tables.lobby import page_of_hands
from tables.models import Hand
from wallets import selectors as wallet_selectors

NATIVE = "native"
FORMATS = (NATIVE, *FORMS)
OVER = (Hand.Status.SETTLED, Hand.Status.VOIDED)


def history(hand_id: int, player_id: int | None) -> dict[str, Any]:
    """The native form: every frame as this viewer was sent it, and which other forms there are.

    Raises HandNotFound for a hand that does not exist or is still in play.
    """
    (seen,) = _seen([_one(hand_id)], player_id)
    return seen.native()


def written(hand_id: int, player_id: int | None, name: str) -> str:
    """A hand in the written form of that name. Raises HandNotFound, FormatNotAvailable."""
    (seen,) = _seen([_one(hand_id)], player_id)
    reasons = seen.reasons()
    if reasons[name]:
        raise FormatNotAvailable(name, reasons[name], tuple(_there(reasons)))
    return FORMS[name].write(seen.record)


def export(
    player_id: int, name: str, *, before: int | None = None, most: int = 50
) -> tuple[list[str], int | None]:
    """A page of a player's own hands, newest first, one line of JSON each; and the next cursor.

    A hand that cannot take the form says why in place of its history.
    """
    page = page_of_hands(player_id, before=before, most=most)
    return [_line(seen, name) for seen in _seen(page.rows, player_id)], page.next


class _Seen(NamedTuple):
    """A hand that is over, as one viewer may know it."""

    hand: Hand
    frames: list[Any]
    record: Record

    def reasons(self) -> dict[str, str]:
        """By form why the hand cannot take it; "" if it can."""
        return {name: form.why_not(self.record) for name, form in FORMS.items()}

    def native(self) -> dict[str, Any]:
        hand, reasons = self.hand, self.reasons()
        return {
            "id": hand.pk,
            "table": hand.table_id,
            "number": hand.number,
            "game": hand.game,
            "status": hand.status,
            "started_at": hand.started_at,
            "settled_at": hand.settled_at,
            "result": hand.result,
            "formats": _there(reasons),
            "formats_refused": {name: why_not for name, why_not in reasons.items() if why_not},
            "frames": self.frames,
        }


def _there(reasons: Mapping[str, str]) -> list[str]:
    return [NATIVE, *(name for name, why_not in reasons.items() if not why_not)]


def _line(seen: _Seen, name: str) -> str:
    facts: dict[str, Any] = {"id": seen.hand.pk, "number": seen.hand.number, "format": name}
    if name == NATIVE:
        return _json({**facts, "history": seen.native()})
    form = FORMS[name]
    if why_not := form.why_not(seen.record):
        return _json({**facts, "history": None, "why_not": why_not})
    told = form.write(seen.record)
    if form.media.endswith("json"):
        return _json(facts)[:-1] + f',"history":{told}}}'
    return _json({**facts, "history": told})


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()


def _seen(hands: Sequence[Hand], player_id: int | None) -> list[_Seen]:
    """Hands with their events, all read at once."""
    exponents = wallet_selectors.exponents()
    own = {
        hand.pk: () if player_id is None else tuple(dealt_to(hand.seats, player_id))
        for hand in hands
    }
    frames: dict[int, list[Any]] = {hand.pk: [] for hand in hands}
    for row in events.of_hands(frames):
        assert row.hand_id is not None
        frames[row.hand_id].append(orjson.loads(selectors.frame_for(row, own[row.hand_id])))
    return [
        _Seen(
            hand,
            frames[hand.pk],
            _record(hand, frames[hand.pk], own[hand.pk], exponents[hand.table.currency]),
        )
        for hand in hands
    ]


def _record(hand: Hand, frames: Iterable[Any], own: Sequence[int], exponent: int) -> Record:
    """What the engine's history writes forms from."""
    return Record(
        hand_id=hand.pk,
        number=hand.number,
        table=hand.table.name,
        max_seats=hand.table.max_seats,
        definition=hand.definition,
        options=hand.options,
        currency=hand.table.currency,
        exponent=exponent,
        button=hand.button,
        seats=_seats(hand),
        viewer=own,
        started_at=instant(hand.started_at),
        events=[
            Told(event["type"], event["public"], event.get("private"))
            for frame in frames
            for event in frame["events"]
        ],
        result=None if hand.status == Hand.Status.VOIDED else hand.result,
        carry_minor=int((hand.carry or {}).get("carry_minor", 0)),
    )


def _seats(hand: Hand) -> list[SeatOf]:
    """From the button's left in ring games, where that is the order of the deal."""
    seats = sorted(int(seat) for seat in hand.seats)
    if hand.definition["family"] == PokerGame.family and hand.button is not None:
        seats.sort(key=lambda seat: seat <= (hand.button or 0))
    facts = hand.seats
    return [
        SeatOf(seat, facts[str(seat)]["name"], facts[str(seat)]["stack_minor"]) for seat in seats
    ]


def _one(hand_id: int) -> Hand:
    hand = Hand.objects.select_related("table").filter(pk=hand_id, status__in=OVER).first()
    if hand is None:
        raise HandNotFound(hand_id)
    return hand
