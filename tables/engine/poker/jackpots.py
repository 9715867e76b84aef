"""Hands that a jackpot is for: a good hand beaten, and the best hand of a time.

Both are read from the public view of a hand that is over, so only what was shown counts. Source:
docs/rules/jackpots.md 2 and 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tables.engine.cards import RANK_TEXT
from tables.engine.errors import BadOptions
from tables.engine.protocol import Json
from tables.engine.rankings.high import CLASSES
from tables.engine.reasons import Reason

Strength = tuple[int, ...]
WHOLE = 10_000
GAMES = ("holdem", "omaha", "pineapple", "crazy_pineapple")


@dataclass(frozen=True, slots=True)
class Least:
    """A hand of a class, and of these ranks where some are named: "AT" of a full house."""

    hand: str
    ranks: str = ""

    @property
    def strength(self) -> Strength:
        return strength({"class": self.hand, "ranks": self.ranks})


@dataclass(frozen=True, slots=True)
class BadBeat:
    """least: what must be beaten. beaten_by: the least that must beat it.

    pays_bp: of the meter. loser_bp, winner_bp, table_bp: how that is divided.
    """

    least: Least
    beaten_by: Least
    games: tuple[str, ...]
    min_players: int
    from_minor: int
    pays_bp: int
    loser_bp: int
    winner_bp: int
    table_bp: int


@dataclass(frozen=True, slots=True)
class HighHand:
    """The best hand of each `every_min` minutes from midnight UTC on is paid `pays_minor`."""

    least: Least
    games: tuple[str, ...]
    min_players: int
    every_min: int
    pays_minor: int


@dataclass(frozen=True, slots=True)
class Terms:
    """seed_minor: what the house puts the meter back to. two_persons_over_minor: a hit of more
    than this is agreed to by two."""

    bad_beat: BadBeat | None
    high_hand: HighHand | None
    seed_minor: int
    two_persons_over_minor: int


class Beat(NamedTuple):
    """Seats of a bad beat; words: the hand that was beaten."""

    losers: tuple[int, ...]
    winners: tuple[int, ...]
    others: tuple[int, ...]
    words: str


class High(NamedTuple):
    seat: int
    strength: Strength
    words: str


def strength(shown: Mapping[str, Any]) -> Strength:
    """What a named high hand is worth, to be compared; more ranks decide between equal ones."""
    return (CLASSES.index(shown["class"]), *map(RANK_TEXT.index, shown["ranks"]))


def bad_beat(terms: BadBeat, game: str, view: Json, result: Json) -> Beat | None:
    """The bad beat of a hand that is over; None when it is none."""
    if not _counts(terms.games, terms.min_players, game, view):
        return None
    if sum(pot["amount_minor"] for pot in result["pots"]) < terms.from_minor:
        return None
    hands = _both_play(view)
    main = [award for award in view["awards"] if award["pot"] == 0]
    winners = sorted({int(seat) for award in main for seat in award["winners"]})
    if not main or any(
        seat not in hands or strength(hands[seat]) < terms.beaten_by.strength for seat in winners
    ):
        return None
    beaten = {
        seat: strength(hand)
        for seat, hand in hands.items()
        if seat in main[0]["eligible"] and seat not in winners
    }
    best = max(beaten.values(), default=())
    if not best or best < terms.least.strength:
        return None
    losers = tuple(sorted(seat for seat, value in beaten.items() if value == best))
    dealt = (player["seat"] for player in view["players"])
    others = tuple(sorted(set(dealt) - {*losers, *winners}))
    return Beat(losers, tuple(winners), others, hands[losers[0]]["words"])


def high_hand(terms: HighHand, game: str, view: Json) -> High | None:
    """The best hand shown when all was over, if good enough; of equals that of the first seat."""
    if not _counts(terms.games, terms.min_players, game, view):
        return None
    found = [High(seat, strength(hand), hand["words"]) for seat, hand in _both_play(view).items()]
    best = max(found, key=lambda high: (high.strength, -high.seat), default=None)
    return best if best is not None and best.strength >= terms.least.strength else None


def _counts(games: tuple[str, ...], min_players: int, game: str, view: Json) -> bool:
    """Whether the hand is one of those the terms speak of; several boards or runs are none."""
    has_one_board = not any(award.get("board_no") for award in view["awards"])
    return game in games and len(view["players"]) >= min_players and has_one_board


def _both_play(view: Json) -> dict[int, Json]:
    """By seat, the high hands shown in which two cards of the player's own play."""
    return {
        int(seat): shown["high"]
        for seat, shown in view["shown"].items()
        if "high" in shown and len(set(shown["cards"]) & set(shown["high"]["cards"])) >= 2
    }


def shares(terms: BadBeat, beat: Beat, amount_minor: int) -> dict[int, int]:
    """By seat, what a bad beat of this amount pays; it sums to it.

    Without others at the table their part goes to the losers, and so does what does not divide.
    """
    paid: dict[int, int] = {}
    parts = [(beat.winners, terms.winner_bp), (beat.others, terms.table_bp)]
    for seats, points in parts:
        each = amount_minor * points // WHOLE // len(seats) if seats else 0
        paid |= dict.fromkeys(seats, each)
    left = amount_minor - sum(paid.values())
    each, odd = divmod(left, len(beat.losers))
    for nth, seat in enumerate(beat.losers):
        paid[seat] = each + (nth < odd)
    return paid


def read_terms(data: Mapping[str, Any]) -> Terms:
    """A jackpot's terms from JSON. Raises BadOptions with the field that is wrong."""
    _only(data, "", ("bad_beat", "high_hand", "seed_minor", "two_persons_over_minor"))
    beat, high = data.get("bad_beat"), data.get("high_hand")
    if beat is None and high is None:
        raise BadOptions("terms", Reason("jackpot_terms"))
    return Terms(
        None if beat is None else _bad_beat(beat),
        None if high is None else _high_hand(high),
        _whole(data, "seed_minor", 0),
        _whole(data, "two_persons_over_minor", 0),
    )


BAD_BEAT = (
    "least", "beaten_by", "games", "min_players", "from_minor", "pays_bp", "loser_bp", "winner_bp",
    "table_bp",
)  # fmt: skip
HIGH_HAND = ("least", "games", "min_players", "every_min", "pays_minor")


def _bad_beat(data: Mapping[str, Any]) -> BadBeat:
    _only(data, "bad_beat.", BAD_BEAT)
    split = [_whole(data, f"{who}_bp", usual) for who, usual in SPLIT]
    if sum(split) != WHOLE:
        raise BadOptions("bad_beat.loser_bp", Reason("jackpot_parts", whole=WHOLE))
    return BadBeat(
        _least(data.get("least"), "bad_beat.least"),
        _least(data.get("beaten_by") or {"class": "pair"}, "bad_beat.beaten_by"),
        _games(data.get("games"), "bad_beat.games"),
        _whole(data, "min_players", 4, least=3),
        _whole(data, "from_minor", 0),
        _whole(data, "pays_bp", WHOLE, least=1, most=WHOLE),
        *split,
    )


SPLIT = (("loser", 5_000), ("winner", 2_500), ("table", 2_500))


def _high_hand(data: Mapping[str, Any]) -> HighHand:
    _only(data, "high_hand.", HIGH_HAND)
    return HighHand(
        _least(data.get("least"), "high_hand.least"),
        _games(data.get("games"), "high_hand.games"),
        _whole(data, "min_players", 3, least=2),
        _whole(data, "every_min", 60, least=1, most=1_440),
        _whole(data, "pays_minor", 0, least=1),
    )


def _least(data: Any, field: str) -> Least:
    if not isinstance(data, Mapping) or set(data) - {"class", "ranks"}:
        raise BadOptions(field, Reason("jackpot_hand"))
    hand, ranks = data.get("class"), data.get("ranks", "")
    if not isinstance(hand, str) or hand not in CLASSES:
        raise BadOptions(field, Reason("jackpot_class", known=tuple(CLASSES)))
    if not isinstance(ranks, str) or any(rank not in RANK_TEXT for rank in ranks):
        raise BadOptions(field, Reason("jackpot_ranks", known=RANK_TEXT))
    return Least(hand, ranks)


def _games(data: Any, field: str) -> tuple[str, ...]:
    games = GAMES[:1] if data is None else data
    if not isinstance(games, (list, tuple)) or not games or any(g not in GAMES for g in games):
        raise BadOptions(field, Reason("not_list_of", known=GAMES))
    return tuple(games)


def _only(data: Any, prefix: str, names: tuple[str, ...]) -> None:
    if not isinstance(data, Mapping):
        raise BadOptions(prefix.rstrip(".") or "terms", Reason("no_object"))
    for name in data:
        if name not in names:
            raise BadOptions(f"{prefix}{name}", Reason("is_no_part"))


def _whole(
    data: Mapping[str, Any], name: str, usual: int, least: int = 0, most: int = 2**53
) -> int:
    given = data.get(name, usual)
    if type(given) is not int or not least <= given <= most:
        raise BadOptions(name, Reason("whole_from", least=least))
    return given
