"""A game's definition as rows that people fill in, and back into the words it is written in.

Source: docs/rules/home.md 8.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any

from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _

from casino.console.kinds.fields import LIMITS, Words
from casino.console.kinds.telling import FIRST, FORCED_WORDS, RANKING_WORDS
from tables.engine.games import GAMES
from tables.engine.poker.claims import NO_PAIR
from tables.engine.poker.vocabulary import (
    CARRY,
    DECKS,
    EVERY_LIMIT,
    FORCED,
    OTHER_GAME,
    STEP_OF_WORD,
    PokerGame,
    Share,
)
from tables.engine.rankings.high import CLASSES

RANKS = "23456789TJQKA"
MOST_ROWS = 60
STEP_WORDS: dict[str, Words] = {
    "deal": _("Deal"), "bet": _("Betting round"), "draw": _("Draw"), "discard": _("Discard"),
    "pass": _("Pass cards"), "arrange": _("Arrange"), "roll": _("Roll a card"),
    "declare": _("Declare"), "spit": _("Call for the spit"),
}  # fmt: skip
DECK_WORDS: dict[str, Words] = {
    "52": _("52 cards"), "36": _("36 cards, sixes up"), "53": _("with a joker"),
    "54": _("with two jokers"),
}  # fmt: skip
PART_WORDS: dict[str, Words] = {
    "street": _("Street"), "down": _("Down"), "up": _("Up"), "board": _("To the board"),
    "common_if_short": _("One for all if short"), "tier": _("Bet"), "first": _("First to act"),
    "pair_doubles": _("A pair may bet big"), "openers": _("Openers needed"),
    "must_open": _("No checking first"), "passed_out": _("If nobody opens"), "most": _("At most"),
    "more": _("More than given"), "refusable": _("One card may be refused"),
    "count": _("Cards"), "direction": _("To the"), "last": _("Turned up anyway"),
    "ranking": _("Ranked by"), "side": _("Side"), "hole": _("Own cards that play"),
    "part": _("Parts of the pot"), "at_least": _("At least"),
}  # fmt: skip
CHOICES: dict[str, tuple[tuple[str, Words], ...]] = {
    "tier": (("0", _("small")), ("1", _("big")), ("2", _("twice the big"))),
    "first": tuple(FIRST.items()),
    "passed_out": (("", _("go on")), (CARRY, _("chips stay for a new deal")),
                   (OTHER_GAME, _("the other game"))),
    "direction": (("left", _("left")), ("right", _("right"))),
    "ranking": tuple(RANKING_WORDS.items()),
    "side": (("high", _("high")), ("low", _("low"))),
    "at_least": (("", "–"), *((name, _(name.replace("_", " "))) for name in CLASSES),
                 (NO_PAIR, _("no pair"))),
}  # fmt: skip
OF_GAME = ("least_seats", "most_seats", "deck", "forced", "limits", "wild", "burns", "low_boards",
           "checked_seven", "rising_openers", "kill", "steps", "shares")  # fmt: skip
LISTS = ("hole", "board")


@dataclass(frozen=True)
class Cell:
    """One input of a row. words: which steps it belongs to."""

    name: str
    label: Words
    kind: str
    value: Any
    words: str = ""
    choices: tuple[tuple[str, Words], ...] = ()


@dataclass(frozen=True)
class Line:
    """A step or a share as a row of inputs; nth: its place in the form."""

    nth: str
    word: str
    cells: list[Cell]


def step_parts() -> dict[str, tuple[str, str]]:
    """By field of any step: its kind and the steps that have it."""
    found: dict[str, tuple[str, str]] = {}
    for word, step in STEP_OF_WORD.items():
        for field in fields(step):
            kind = "choice" if field.name in CHOICES else str(field.type)
            _kind, words = found.get(field.name, (kind, ""))
            found[field.name] = (kind, f"{words} {word}".strip())
    return found


def step_line(nth: str, step: Mapping[str, Any]) -> Line:
    word = str(step.get("step", "deal"))
    cells = [
        Cell(f"step.{nth}.{name}", PART_WORDS[name], kind,
             step.get(name, _usual(word, name)), words, CHOICES.get(name, ()))
        for name, (kind, words) in step_parts().items()
    ]  # fmt: skip
    return Line(nth, word, cells)


def _usual(word: str, name: str) -> Any:
    for field in fields(STEP_OF_WORD.get(word, STEP_OF_WORD["deal"])):
        if field.name == name and field.default is not MISSING:
            return field.default
    return ""


def share_line(nth: str, share: Mapping[str, Any]) -> Line:
    cells = []
    for field in fields(Share):
        value = share.get(field.name, "" if field.default is MISSING else field.default)
        if field.name in LISTS:
            value = ", ".join(map(str, value))
        label = PART_WORDS["hole"] if field.name == "hole" else PART_WORDS.get(field.name, "")
        if field.name == "board":
            label = _("Board cards that play")
        kind = "choice" if field.name in CHOICES else "str" if field.name in LISTS else "int"
        cells.append(
            Cell(f"share.{nth}.{field.name}", label, kind, value, "", CHOICES.get(field.name, ()))
        )
    return Line(nth, "", cells)


def shown(data: Mapping[str, Any]) -> dict[str, Any]:
    """A definition's JSON as the form shows it."""
    return {
        "steps": [step_line(str(nth), step) for nth, step in enumerate(data.get("steps", []))],
        "shares": [share_line(str(nth), share) for nth, share in enumerate(data.get("shares", []))],
        "empty_step": step_line("NEW", {"step": "deal"}),
        "empty_share": share_line("NEW", {"ranking": "high"}),
        "step_words": STEP_WORDS.items(),
        "decks": [(deck, DECK_WORDS[deck]) for deck in DECKS],
        "forced": [(name, FORCED_WORDS[name]) for name in FORCED],
        "limits": [(name, LIMITS[name]) for name in EVERY_LIMIT],
        "ranks": list(RANKS),
        "bases": [(g.id, g.name) for g in GAMES.values() if g.family == "poker"],
        "cards": [rank + suit for suit in "shdc" for rank in RANKS],
        "data": {**plain_defaults(), **data},
    }


def plain_defaults() -> dict[str, Any]:
    return {
        field.name: field.default for field in fields(PokerGame) if field.default is not MISSING
    }


def read(sent: Mapping[str, Any], lists: Any) -> dict[str, Any]:
    """The definition that was filled in. lists: reads all values of a name.

    Raises ValueError, in words, for what is no number.
    """
    data: dict[str, Any] = {
        "least_seats": _whole(sent, "least_seats", 2),
        "most_seats": _whole(sent, "most_seats", 10),
        "deck": str(sent.get("deck", "52")),
        "forced": str(sent.get("forced", "blinds")),
        "limits": list(lists("limits")),
        "wild": "".join(rank for rank in RANKS if rank in lists("wild")),
        **{name: sent.get(name) == "on"
           for name in ("burns", "low_boards", "checked_seven", "rising_openers")},
        "kill": str(sent.get("kill", "")),
    }  # fmt: skip
    data["steps"] = [_step(row, nth) for nth, row in enumerate(_rows(sent, "step"), start=1)]
    data["shares"] = [_share(row, nth) for nth, row in enumerate(_rows(sent, "share"), start=1)]
    return data


def changes_of(data: Mapping[str, Any], base: PokerGame | None) -> dict[str, Any]:
    """What differs from the game it changes, or from nothing."""
    stands = {**plain_defaults(), **(base.to_json() if base is not None else {})}
    found = {}
    for name in OF_GAME:
        if name in data and _same(data[name]) != _same(stands.get(name)):
            found[name] = data[name]
    return found


def _same(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _rows(sent: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    for name in sent:
        head, _dot, rest = str(name).partition(".")
        nth, _dot, field = rest.partition(".")
        if head == kind and field and nth.isdecimal() and len(nth) < 4:
            rows.setdefault(nth, {})[field] = sent[name]
    order = sorted(rows, key=int)
    return [rows[nth] for nth in order[:MOST_ROWS]]


def _step(row: Mapping[str, Any], nth: int) -> dict[str, Any]:
    word = str(row.get("step", ""))
    kind = STEP_OF_WORD.get(word)
    if kind is None:
        raise ValueError(say("Step {0}: choose what it is").format(nth))
    found: dict[str, Any] = {"step": word}
    for field in fields(kind):
        if field.name not in row and str(field.type) != "bool" and field.default is not MISSING:
            continue
        value = _typed(row, field.name, str(field.type), say("Step {0}").format(nth))
        if field.default is MISSING or value != field.default:
            found[field.name] = value
    return found


def _share(row: Mapping[str, Any], nth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in fields(Share):
        where = say("Share {0}").format(nth)
        if field.name in LISTS:
            value: Any = _counts(str(row.get(field.name, "")), where)
        else:
            value = _typed(row, field.name, str(field.type), where)
        if field.default is MISSING or value != _same(field.default):
            found[field.name] = value
    return found


def _typed(row: Mapping[str, Any], name: str, kind: str, where: str) -> Any:
    typed = str(row.get(name, "")).strip()
    if kind == "bool":
        return typed == "on"
    if kind == "int":
        if not typed:
            return 0
        if not typed.isdecimal() or len(typed) > 3:
            raise ValueError(f"{where}, {PART_WORDS[name]}: " + say("a whole number"))
        return int(typed)
    return typed


def _counts(typed: str, where: str) -> list[int]:
    parts = [part for part in typed.replace(",", " ").split() if part]
    if not all(part.isdecimal() and len(part) < 3 for part in parts):
        raise ValueError(f"{where}: " + say("numbers of cards, as 2 or 0, 1, 2"))
    return [int(part) for part in parts]


def _whole(sent: Mapping[str, Any], name: str, usual: int) -> int:
    typed = str(sent.get(name, usual)).strip()
    if not typed.isdecimal() or len(typed) > 2:
        raise ValueError(say("Seats are whole numbers"))
    return int(typed)
