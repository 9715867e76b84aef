"""What pairs of players did with each other over many hands, and which of it is out of line.

Four questions: do chips go one way, do they spare each other when alone, do they always play
together, do they come from one place. Figures are for a person to look at, never a verdict.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

Pair = tuple[int, int]

DUMPING, SOFT_PLAY, TOGETHER, ONE_PLACE = "dumping", "soft_play", "together", "one_place"
AGGRESSIVE = frozenset(("bet", "raised", "completed"))
DECISIONS = AGGRESSIVE | {"folded", "checked", "called"}
STREETS = frozenset(("street_opened", "board_dealt"))
MILLI = 1_000


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From when on a figure is told. Chips are counted in big blinds, shares in percent.

    one_way_percent: how much of all that went between two went one way. spared_percent: how often
    they bet when alone with each other, of how often they do when alone with others.
    """

    hands_least: int = 30
    big_blinds_least: int = 100
    one_way_percent: int = 85
    alone_least: int = 20
    spared_percent: int = 25
    together_hands_least: int = 60
    together_percent: int = 90


@dataclass(frozen=True, slots=True)
class Played:
    """One hand. players: by seat. nets_minor: by player. acts: (event, seat) in order, 0 for none.

    unit_minor: the big blind, or the small bet.
    """

    players: Mapping[int, int]
    nets_minor: Mapping[int, int]
    unit_minor: int
    acts: Sequence[tuple[str, int]]


class Finding(NamedTuple):
    """a, b: players; of one-way chips from a to b."""

    kind: str
    a: int
    b: int
    figures: dict[str, int]


@dataclass
class Pairs:
    """Counts over the hands that were added."""

    hands: Counter[int] = field(default_factory=Counter)
    together: Counter[Pair] = field(default_factory=Counter)
    flow: Counter[Pair] = field(default_factory=Counter)  # thousandths of a big blind, a to b
    alone: Counter[Pair] = field(default_factory=Counter)  # decisions of a, alone with b
    bets: Counter[Pair] = field(default_factory=Counter)  # of these bets and raises
    all_alone: Counter[int] = field(default_factory=Counter)
    all_bets: Counter[int] = field(default_factory=Counter)

    def add(self, played: Played) -> None:
        players = sorted(set(played.players.values()))
        self.hands.update(players)
        self.together.update(combinations(players, 2))
        for pair, minor in flows(played.nets_minor).items():
            self.flow[pair] += minor * MILLI // max(1, played.unit_minor)
        self._alone(played)

    def _alone(self, played: Played) -> None:
        """Decisions after the first street of whoever has one opponent left."""
        live, streets = dict(played.players), 0
        for type_, seat in played.acts:
            if type_ in STREETS:
                streets += 1
            elif type_ in DECISIONS and seat in live:
                if len(live) == 2 and streets:
                    (other,) = (player for at, player in live.items() if at != seat)
                    pair = live[seat], other
                    self.alone[pair] += 1
                    self.bets[pair] += type_ in AGGRESSIVE
                if type_ == "folded":
                    del live[seat]

    def findings(self, limits: Thresholds) -> list[Finding]:
        found = []
        self.all_alone, self.all_bets = _by_first(self.alone), _by_first(self.bets)
        for pair in sorted(self.together):
            found += [
                finding
                for finding in (
                    self._dumping(pair, limits),
                    self._soft_play(pair, limits),
                    self._always(pair, limits),
                )
                if finding is not None
            ]
        return found

    def _dumping(self, pair: Pair, limits: Thresholds) -> Finding | None:
        a, b = pair
        there, back = self.flow[a, b], self.flow[b, a]
        if there < back:
            (a, b), there, back = (b, a), back, there
        net = (there - back) // MILLI
        if self.together[pair] < limits.hands_least or net < limits.big_blinds_least:
            return None
        if 100 * there < limits.one_way_percent * (there + back):
            return None
        figures = {
            "hands": self.together[pair],
            "big_blinds": net,
            "one_way_percent": 100 * there // (there + back),
        }
        return Finding(DUMPING, a, b, figures)

    def _soft_play(self, pair: Pair, limits: Thresholds) -> Finding | None:
        a, b = pair
        alone = self.alone[a, b] + self.alone[b, a]
        bets = self.bets[a, b] + self.bets[b, a]
        others_alone = self.all_alone[a] + self.all_alone[b] - alone
        others_bets = self.all_bets[a] + self.all_bets[b] - bets
        if min(alone, others_alone) < limits.alone_least or not others_bets:
            return None
        # Rates are compared without dividing: bets / alone against their share of the usual rate.
        if 100 * bets * others_alone > limits.spared_percent * others_bets * alone:
            return None
        figures = {
            "alone": alone,
            "bets_percent": 100 * bets // alone,
            "usual_percent": 100 * others_bets // others_alone,
        }
        return Finding(SOFT_PLAY, a, b, figures)

    def _always(self, pair: Pair, limits: Thresholds) -> Finding | None:
        a, b = pair
        hands = self.together[pair]
        most = max(self.hands[a], self.hands[b])
        if hands < limits.together_hands_least or 100 * hands < limits.together_percent * most:
            return None
        return Finding(TOGETHER, a, b, {"hands": hands, "percent": 100 * hands // most})


def _by_first(counts: Counter[Pair]) -> Counter[int]:
    found: Counter[int] = Counter()
    for (who, _), count in counts.items():
        found[who] += count
    return found


def flows(nets_minor: Mapping[int, int]) -> dict[Pair, int]:
    """By (loser, winner), the chips that went from one to the other in a hand; rake left aside."""
    gains = {player: net for player, net in nets_minor.items() if net > 0}
    whole = sum(gains.values())
    return {
        (loser, winner): -net * gain // whole
        for loser, net in nets_minor.items()
        if net < 0
        for winner, gain in gains.items()
    }


def one_place(seen: Iterable[tuple[int, str, int]]) -> list[Finding]:
    """Players who came to one table from one place. seen: (table, place, player)."""
    at: dict[tuple[int, str], set[int]] = defaultdict(set)
    for table, place, player in seen:
        at[table, place].add(player)
    tables: Counter[Pair] = Counter()
    for players in at.values():
        tables.update(combinations(sorted(players), 2))
    return [Finding(ONE_PLACE, a, b, {"tables": count}) for (a, b), count in sorted(tables.items())]
