"""Calls of poker dice: a class of hand, with its faces if the caller wishes.

A bare class means its lowest hand; odd dice are not called. A hand held makes a call true when it
is at least as good. Source: docs/rules/bluff.md 3.4 and 3.5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from typing import Any

from tables.engine.bluff.errors import NoSuchCall
from tables.engine.errors import MalformedAction
from tables.engine.rankings.dice import (
    CLASSES,
    FIVE,
    FOUR,
    FULL_HOUSE,
    HIGH_DIE,
    HIGH_STRAIGHT,
    LOW_STRAIGHT,
    PAIR,
    THREE,
    TWO_PAIR,
    dice_words,
)
from tables.engine.rankings.tables import encode, ranks_of

Faces = tuple[int, ...]

FACES = range(1, 7)
SINGLES: tuple[Faces, ...] = tuple((face,) for face in FACES)

FACES_OF: dict[int, tuple[Faces, ...]] = {
    HIGH_DIE: ((6,),),
    PAIR: SINGLES,
    TWO_PAIR: tuple((high, low) for low, high in combinations(FACES, 2)),
    THREE: SINGLES,
    LOW_STRAIGHT: ((),),
    HIGH_STRAIGHT: ((),),
    FULL_HOUSE: tuple(permutations(FACES, 2)),
    FOUR: SINGLES,
    FIVE: SINGLES,
}
"""The faces each class may be called with; five dice of no class always hold a six."""


def _value(category: int, faces: Faces) -> int:
    """Least value of a hand that makes the call true."""
    straights = {LOW_STRAIGHT: (5, 4, 3, 2, 1), HIGH_STRAIGHT: (6, 5, 4, 3, 2)}
    return encode(category, *straights.get(category, faces))


CALLS: tuple[int, ...] = tuple(
    sorted(_value(category, faces) for category, known in FACES_OF.items() for faces in known)
)
"""Every call, the lowest first, as the least value that makes it true."""

LOWEST_OF: dict[str, int] = {
    cls: min(_value(category, faces) for faces in FACES_OF[category])
    for category, cls in enumerate(CLASSES)
}


def read_call(action: Mapping[str, Any]) -> int:
    """The call of an action {"class", "faces"?}. Raises NoSuchCall, MalformedAction."""
    cls, faces = action.get("class"), action.get("faces")
    if not isinstance(cls, str) or not (faces is None or isinstance(faces, list | tuple)):
        raise MalformedAction("a call names a class, and may list its faces")
    if cls not in CLASSES:
        raise NoSuchCall(cls)
    if not faces:
        return LOWEST_OF[cls]
    category = CLASSES.index(cls)
    called = tuple(sorted(faces, reverse=True)) if category == TWO_PAIR else tuple(faces)
    if called not in FACES_OF[category]:
        raise NoSuchCall(f"{cls} {'-'.join(map(str, faces))}")
    return _value(category, called)


def call_json(call: int) -> dict[str, Any]:
    """A call as it is written in actions and events."""
    cls, words = dice_words(call)
    straight = cls in ("low_straight", "high_straight")
    faces: Sequence[int] = [] if straight else [face for face in ranks_of(call) if face]
    return {"class": cls, "faces": list(faces), "words": words}


def higher_calls(standing: int | None) -> tuple[int, ...]:
    """The calls that may follow another, the lowest first."""
    return CALLS if standing is None else CALLS[CALLS.index(standing) + 1 :]
