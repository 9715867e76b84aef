"""Reading the Poker Hand History format (PHH): a hand, or many, as told by whoever wrote them.

Nothing of a document is trusted: its size, its depth, its numbers and its words are bounded here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from tables.engine.cards import CARD_OF
from tables.engine.errors import BadHistory
from tables.engine.history.phh import UNKNOWN, VARIANTS

GAME_OF = {variant: game for game, variant in VARIANTS.items()}

TEXT_MOST, HANDS_MOST, ACTIONS_MOST, PLAYERS_MOST = 2_000_000, 2_000, 1_000, 10
NESTED_MOST, PLACES_MOST = 64, 6
AMOUNT_MOST = 10**15
NAME_MOST = 60
NUMBERED = re.compile(r"^[0-9]{1,9}$")
CARDS = re.compile(r"^(?:[2-9TJQKA][cdhs]|\?\?)+$")
PLAYER = re.compile(r"^p([1-9][0-9]?)$")
DEAL_BOARD, DEAL_HOLE = "db", "dh"
BRING_IN, CHECK_CALL, FOLD, RAISE, DISCARD, SHOW = "pb", "cc", "f", "cbr", "sd", "sm"
WITH_CARDS, ALONE = (DISCARD, SHOW), (BRING_IN, CHECK_CALL, FOLD)


@dataclass(frozen=True, slots=True)
class Done:
    """One action. verb: the format's; player: counted from 0, -1 for the board."""

    verb: str
    player: int = -1
    cards: tuple[str, ...] = ()
    to_minor: int = 0


@dataclass(frozen=True, slots=True)
class PhhHand:
    """A hand as it is told. Amounts are whole units of 10 ** -exponent; lists are by player."""

    name: str
    variant: str
    game_id: str
    limit: str
    exponent: int
    antes_minor: tuple[int, ...]
    blinds_minor: tuple[int, ...]
    bring_in_minor: int
    bets_minor: tuple[int, ...]
    least_bet_minor: int
    stacks_minor: tuple[int, ...]
    actions: tuple[Done, ...]
    ends_minor: tuple[int, ...] | None
    rake_minor: int
    taken_minor: int


def read_phh(text: str) -> list[tuple[str, PhhHand | BadHistory]]:
    """Every hand of a document by its name, or why it cannot be read. Raises BadHistory.

    A document is one hand, or a table for each, named by numbers (`.phhs`).
    """
    if len(text) > TEXT_MOST:
        raise BadHistory("", f"has more than {TEXT_MOST} characters")
    _shallow(text)
    try:
        data = tomllib.loads(text, parse_float=_amount_of)
    except (ValueError, InvalidOperation, RecursionError) as error:
        raise BadHistory("", f"is no TOML: {str(error)[:200]}") from None
    if "variant" in data:
        return [(_name(data, "1"), _told(data, "1"))]
    many = [(name, hand) for name, hand in data.items() if NUMBERED.match(name)]
    if not many or len(many) > HANDS_MOST:
        raise BadHistory(
            "variant", f"is missing, and there are not 1 to {HANDS_MOST} numbered hands"
        )
    return [(_name(hand, name), _told(hand, name)) for name, hand in many]


def _shallow(text: str) -> None:
    """Nesting is counted before anything recurs into it."""
    depth = 0
    for char in text:
        depth += (char in "[{") - (char in "]}")
        if depth > NESTED_MOST:
            raise BadHistory("", "is nested too deeply")
        depth = max(depth, 0)


def _amount_of(text: str) -> Decimal:
    number = Decimal(text.replace("_", ""))
    if not number.is_finite() or abs(number.adjusted()) > 18 or len(text) > 40:
        raise ValueError(f"{text[:40]} is no amount")
    return number


def _name(data: Any, number: str) -> str:
    told = data.get("hand", number) if isinstance(data, Mapping) else number
    return str(told)[:NAME_MOST] if isinstance(told, (int, str)) else number


def _told(data: Any, number: str) -> PhhHand | BadHistory:
    try:
        return hand_of(data, number)
    except BadHistory as error:
        return error


def hand_of(data: Any, number: str = "1") -> PhhHand:
    """The hand of a parsed table. Raises BadHistory."""
    if not isinstance(data, Mapping):
        raise BadHistory(number, "is no table")
    variant = data.get("variant")
    if not isinstance(variant, str) or variant not in GAME_OF:
        raise BadHistory("variant", f"{str(variant)[:20]} is none of {', '.join(sorted(GAME_OF))}")
    game_id, limit = GAME_OF[variant]
    exponent = _exponent(data)
    read = _Amounts(data, exponent)
    stacks = read.many("starting_stacks")
    if not 2 <= len(stacks) <= PLAYERS_MOST or min(stacks) <= 0:
        raise BadHistory("starting_stacks", f"2 to {PLAYERS_MOST} amounts above 0")
    count = len(stacks)
    told = data.get("actions")
    if not isinstance(told, list) or len(told) > ACTIONS_MOST:
        raise BadHistory("actions", f"a list of at most {ACTIONS_MOST}")
    extra = [name for name in ("_jackpot_drop",) if name in data]
    return PhhHand(
        name=_name(data, number),
        variant=variant,
        game_id=game_id,
        limit=limit,
        exponent=exponent,
        antes_minor=read.many("antes", count),
        blinds_minor=read.many("blinds_or_straddles", count),
        bring_in_minor=read.one("bring_in"),
        bets_minor=(read.one("small_bet"), read.one("big_bet")),
        least_bet_minor=read.one("min_bet"),
        stacks_minor=stacks,
        actions=tuple(_done(one, count, exponent) for one in told),
        ends_minor=read.many("finishing_stacks", count) if "finishing_stacks" in data else None,
        rake_minor=read.one("_rake"),
        taken_minor=sum(read.one(name) for name in extra),
    )


def _exponent(data: Mapping[str, Any]) -> int:
    """How many places the amounts of a hand have."""
    found = [0]
    for value in data.values():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, Decimal):
                found.append(_places(one))
            elif isinstance(one, str) and (amount := _raised_to(one)) is not None:
                found.append(_places(amount))
    if max(found) > PLACES_MOST:
        raise BadHistory("actions", f"amounts have more than {PLACES_MOST} places")
    return max(found)


def _places(amount: Decimal) -> int:
    exponent = amount.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _raised_to(action: str) -> Decimal | None:
    words = action.partition("#")[0].split()
    if len(words) != 3 or words[1] != RAISE:
        return None
    try:
        return _amount_of(words[2])
    except (ValueError, InvalidOperation):
        raise BadHistory("actions", f"{action[:NAME_MOST]!r} has no amount") from None


def _minor(value: Any, exponent: int, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise BadHistory(where, "is no amount")
    if not -AMOUNT_MOST < value < AMOUNT_MOST:
        raise BadHistory(where, "is too large")
    return int(value * 10**exponent)


class _Amounts:
    """Fields of a hand that hold amounts."""

    def __init__(self, data: Mapping[str, Any], exponent: int) -> None:
        self.data = data
        self.exponent = exponent

    def one(self, name: str) -> int:
        """An amount not below 0; 0 if it is not told."""
        amount = _minor(self.data.get(name, 0), self.exponent, name)
        if amount < 0:
            raise BadHistory(name, "is below 0")
        return amount

    def many(self, name: str, count: int | None = None) -> tuple[int, ...]:
        """An amount for each player; zeros if they are not told."""
        told = self.data.get(name, [0] * (count or 0))
        if not isinstance(told, list) or (count is not None and len(told) != count):
            raise BadHistory(name, "a list of an amount for each player")
        return tuple(_minor(one, self.exponent, name) for one in told[: PLAYERS_MOST + 1])


def _done(told: Any, count: int, exponent: int) -> Done:
    if not isinstance(told, str):
        raise BadHistory("actions", "are texts")
    words = told.partition("#")[0].split()
    fault = BadHistory("actions", f"{told[:NAME_MOST]!r} is not understood")
    if words[:2] == ["d", DEAL_BOARD] and len(words) == 3:
        return Done(DEAL_BOARD, cards=_cards(words[2], fault))
    if words[:2] == ["d", DEAL_HOLE] and len(words) == 4:
        return Done(DEAL_HOLE, _player(words[2], count, fault), _cards(words[3], fault))
    if len(words) < 2:
        raise fault
    player, verb, rest = _player(words[0], count, fault), words[1], words[2:]
    if verb == RAISE and len(rest) == 1:
        amount = _raised_to(told)
        return Done(RAISE, player, to_minor=_minor(amount, exponent, "actions"))
    if verb in WITH_CARDS and len(rest) <= 1:
        return Done(verb, player, _cards(rest[0], fault) if rest else ())
    if verb in ALONE and not rest:
        return Done(verb, player)
    raise fault


def _player(word: str, count: int, fault: BadHistory) -> int:
    found = PLAYER.match(word)
    if found is None or int(found[1]) > count:
        raise fault
    return int(found[1]) - 1


def _cards(text: str, fault: BadHistory) -> tuple[str, ...]:
    if len(text) > 40 or not CARDS.match(text):
        raise fault
    cards = tuple(text[at : at + 2] for at in range(0, len(text), 2))
    assert all(card == UNKNOWN or card in CARD_OF for card in cards)
    return cards


def named_cards(actions: Sequence[Done]) -> list[str]:
    """Every card that is dealt or shown by name, each once."""
    told = (card for done in actions for card in done.cards if card != UNKNOWN)
    return list(dict.fromkeys(told))
