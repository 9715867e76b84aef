"""What a script asks of the next hand: cards by name, a class of hand, dice.

    {"seats": {"1": {"hand": "straight flush"}, "2": {"cards": ["Ah", "Ad"]}}, "board": ["2c"]}

A hand may be asked for in words, "a straight flush" as well as `straight_flush`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tables.engine.cards import RANK_TEXT, parse_card
from tables.engine.errors import BadScript, UnknownCard

FIELDS = ("seats", "board", "next", "dealer", "die")
WISH_FIELDS = ("cards", "hand", "ranks", "side", "dice")
CARDS_MOST, SEATS_MOST, TEXT_MOST, DICE_MOST = 54, 30, 40, 24
HELD = {
    "royal": "royal_flush", "quads": "four_of_a_kind", "trips": "three_of_a_kind",
    "set": "three_of_a_kind", "boat": "full_house", "no_pair": "high_card", "wheel": "straight",
}  # fmt: skip
"""What players call some hands."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What one seat, or the dealer, is to get.

    cards: in the order in which they are dealt, the first ones of the hand. hand: a class, of the
    share of the pot that `side` names, or of the game's first. ranks: those of the class, the most
    important first. dice: the faces of the first roll.
    """

    cards: tuple[int, ...] = ()
    hand: str = ""
    ranks: str = ""
    side: str = ""
    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Script:
    """seats: by number. board, next: what comes to the board, and what is dealt after the deal."""

    seats: Mapping[int, Wish]
    board: tuple[int, ...] = ()
    next: tuple[int, ...] = ()
    dealer: Wish | None = None
    die: int | None = None

    @property
    def named(self) -> list[int]:
        """Every card that the script names."""
        wishes = [*self.seats.values(), *([self.dealer] if self.dealer else [])]
        return [card for wish in wishes for card in wish.cards] + [*self.board, *self.next]


def read_script(data: Any) -> Script:
    """The script of its JSON form. Raises BadScript."""
    given = _object(data, "", FIELDS)
    seats = given.get("seats", {})
    if not isinstance(seats, Mapping) or len(seats) > SEATS_MOST:
        raise BadScript("seats", f"an object of at most {SEATS_MOST} seats")
    wishes = {}
    for number, wish in seats.items():
        if not str(number).isascii() or not str(number).isdigit() or len(str(number)) > 4:
            raise BadScript("seats", "is named by seat numbers")
        wishes[int(number)] = _wish(wish, f"seats.{int(number)}")
    script = Script(
        wishes,
        _cards(given.get("board", []), "board"),
        _cards(given.get("next", []), "next"),
        None if given.get("dealer") is None else _wish(given["dealer"], "dealer"),
        None if given.get("die") is None else _dice([given["die"]], "die")[0],
    )
    named = script.named
    if len(set(named)) < len(named):
        raise BadScript("cards", "a card is named twice")
    return script


def _wish(data: Any, where: str) -> Wish:
    given = _object(data, where, WISH_FIELDS)
    for name in ("hand", "ranks", "side"):
        text = given.get(name, "")
        if not isinstance(text, str) or len(text) > TEXT_MOST or not text.isprintable():
            raise BadScript(f"{where}.{name}", f"a text of at most {TEXT_MOST} characters")
    hand, ranks = _class(given.get("hand", "")), given.get("ranks", "").upper()
    if set(ranks) - set(RANK_TEXT):
        raise BadScript(f"{where}.ranks", f"is written with {RANK_TEXT}")
    if hand == "royal_flush":
        hand, ranks = "straight_flush", "A"
    cards = _cards(given.get("cards", []), f"{where}.cards")
    if cards and hand:
        raise BadScript(where, "names its cards or its hand, not both")
    dice = _dice(given.get("dice", []), f"{where}.dice")
    return Wish(cards, hand, ranks, given.get("side", ""), dice)


def _class(text: str) -> str:
    """`straight_flush` of "a straight flush"."""
    words = text.lower().replace("-", " ").replace("_", " ").split()
    if words[:1] in (["a"], ["an"]):
        words = words[1:]
    name = "_".join(words)
    return HELD.get(name, name)


def _object(data: Any, where: str, names: Sequence[str]) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise BadScript(where or "script", "is an object")
    for name in data:
        if name not in names:
            raise BadScript(f"{where}.{str(name)[:TEXT_MOST]}".lstrip("."), "is not known")
    return data


def _cards(data: Any, where: str) -> tuple[int, ...]:
    texts = data.split() if isinstance(data, str) else data
    if not isinstance(texts, list) or len(texts) > CARDS_MOST:
        raise BadScript(where, f"a list of at most {CARDS_MOST} cards")
    try:
        return tuple(parse_card(text) for text in texts)
    except UnknownCard as error:
        raise BadScript(where, str(error)) from None


def _dice(data: Any, where: str) -> tuple[int, ...]:
    if not isinstance(data, list) or len(data) > DICE_MOST:
        raise BadScript(where, f"a list of at most {DICE_MOST} dice")
    if any(type(face) is not int or not 1 <= face <= 6 for face in data):
        raise BadScript(where, "dice show 1 to 6")
    return tuple(data)
