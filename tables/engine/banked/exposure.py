"""The most that a round of Three Card Poker can cost the house: an upper bound, close and quick.

All spots share the dealer's hand. For one hand of his, a *menu* says what a spot can hold (own
class, class of the six cards, whether it beats him) and how many spots can hold the rare six-card
hands at once; every spot then takes the best that is left. Only the cards that two spots would
need at the same time are counted for the rare hands, so the bound is never below the truth. Of
22,100 dealer's hands 26 menus are left that no other one covers; `menus` holds them.
Source: docs/rules/banked.md 5.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from tables.engine.banked.hands import (
    HANDS,
    RANKINGS,
    SIX_CARD_CLASSES,
    THREE_CARD_CLASSES,
    five_card_class,
    three_card_class,
)
from tables.engine.banked.menus import FULL_DECK_MENUS
from tables.engine.banked.options import Jackpot, Rules, read_rules
from tables.engine.banked.progressives import contributed, progressive_of
from tables.engine.banked.vocabulary import FORFEIT, WIN, Ante, BankedGame, Bonus, Progressive, Side
from tables.engine.rankings.high import high
from tables.engine.rankings.three_card import QUALIFIERS, three_card

OWN = ("high_card", *reversed(THREE_CARD_CLASSES))
"""Own classes from the lowest; a mini royal is counted as a straight flush, its surplus apart."""
SIX = ("", *reversed(SIX_CARD_CLASSES))
STRAIGHT_FLUSH = OWN.index("straight_flush")
RARE = tuple(
    SIX.index(cls)
    for cls in ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush")
)
LOSES, TIES, BEATS = range(3)
EVERYONE = 7
MINI_ROYAL_RANKS = (10, 11, 12)

Vector = tuple[int, ...]
Kind = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Menu:
    """What the spots can hold against one dealer's hand.

    qualifiers: how many of `QUALIFIERS`, from the lowest, the dealer meets. one_colour: of his
    cards. caps: most spots at once with a six-card hand of `RARE` or better. mini_royals: most
    spots with one. best: (own class, six-card class) -> LOSES, TIES or BEATS at best.
    """

    qualifiers: int
    one_colour: bool
    caps: tuple[int, ...]
    mini_royals: int
    best: Mapping[Kind, int]

    def covers(self, other: Menu) -> bool:
        """Whether every round that is possible with the other menu is possible with this one."""
        return (
            self.qualifiers == other.qualifiers
            and self.one_colour >= other.one_colour
            and self.mini_royals >= other.mini_royals
            and all(mine >= his for mine, his in zip(self.caps, other.caps, strict=True))
            and all(self.best.get(kind, -1) >= verdict for kind, verdict in other.best.items())
        )


def full_deck_menus() -> tuple[Menu, ...]:
    """The stored menus of 52 cards."""
    return tuple(
        Menu(
            qualifiers,
            one_colour,
            caps,
            mini_royals,
            {(int(code[0]), int(code[1])): int(code[2]) for code in codes.split()},
        )
        for qualifiers, one_colour, caps, mini_royals, codes in FULL_DECK_MENUS
    )


def menus_of(deck: Sequence[int]) -> tuple[Menu, ...]:
    """The menus of any deck, worked out; slow for a full one."""
    kept: list[Menu] = []
    for dealer in combinations(deck, 3):
        menu = menu_of(dealer, deck)
        if not any(other.covers(menu) for other in kept):
            kept = [other for other in kept if not menu.covers(other)] + [menu]
    return tuple(kept)


def menu_of(dealer: Sequence[int], deck: Sequence[int]) -> Menu:
    """What three cards out of the rest of the deck can be against these of the dealer."""
    his = three_card(dealer)
    left = [card for card in deck if card not in dealer]
    best: dict[Kind, int] = {}
    for cards in combinations(left, 3):
        mine = three_card(cards)
        own = min(OWN.index(three_card_class(mine)), STRAIGHT_FLUSH)
        cls = five_card_class(high((*cards, *dealer)))
        kind = own, SIX.index(cls) if cls in SIX else 0
        verdict = BEATS if mine > his else TIES if mine == his else LOSES
        best[kind] = max(best.get(kind, LOSES), verdict)
    suits = range(4)
    return Menu(
        qualifiers=sum(his >= least for least in QUALIFIERS.values()),
        one_colour=len({card & 3 in (1, 2) for card in dealer}) == 1,
        caps=_caps(dealer, left),
        mini_royals=sum(all(4 * rank + s in left for rank in MINI_ROYAL_RANKS) for s in suits),
        best=best,
    )


def _caps(dealer: Sequence[int], left: Sequence[int]) -> tuple[int, ...]:
    """How many spots at once can have a royal flush, a straight flush or better, and so on."""
    needs = list(_straight_flush_needs(dealer, left))
    royals = min(1, sum(royal for royal, _ in needs))
    straight_flushes = _most_apart([cards for _, cards in needs])
    alike = max(Counter(card >> 2 for card in dealer).values())
    suited = max(Counter(card & 3 for card in dealer).values())
    # Without a pair the dealer's ranks leave nine cards, and quads or a full house take three.
    quads = straight_flushes + (3, 2, 1)[alike - 1]
    full_houses = straight_flushes + 3 if alike == 1 else EVERYONE
    flushes = full_houses + (0, 3, 5)[suited - 1]
    found = royals, straight_flushes, quads, max(quads, full_houses), max(quads, flushes)
    return tuple(min(EVERYONE, cap) for cap in found)


def _straight_flush_needs(
    dealer: Sequence[int], left: Sequence[int]
) -> Iterable[tuple[bool, frozenset[int]]]:
    """The cards that make a straight flush with the dealer's, and whether it is a royal one."""
    for suit in range(4):
        held = {card >> 2 for card in dealer if card & 3 == suit}
        for top in range(12, 2, -1):
            ranks = {(top - place) % 13 for place in range(5)}
            need = frozenset(4 * rank + suit for rank in ranks - held)
            if len(need) <= 3 and need <= set(left):
                yield top == 12, need


def _most_apart(sets: Sequence[frozenset[int]], used: frozenset[int] = frozenset()) -> int:
    """How many of the sets share no card."""
    return max(
        (
            1 + _most_apart(sets[at + 1 :], used | cards)
            for at, cards in enumerate(sets)
            if not cards & used
        ),
        default=0,
    )


@dataclass(frozen=True, slots=True)
class Choices:
    """A menu priced by a table's rules.

    slots: (how many spots, index of what they may take), rare first; the last is for everybody.
    """

    slots: tuple[tuple[int, int], ...]
    mini_royals: int

    def each(self) -> list[int]:
        return [option for count, option in self.slots for _ in range(count)]


class Exposure:
    """The bound for one set of rules; made once, asked at every bet."""

    __slots__ = ("_all", "_choices", "_game", "_mini", "_options", "_rules", "_vectors", "_wagers")

    def __init__(self, game: BankedGame, rules: Rules, menus: Sequence[Menu]) -> None:
        self._game, self._rules = game, rules
        self._wagers = tuple(wager.id for wager in game.placed)
        self._vectors: list[Vector] = []
        self._options: list[tuple[int, ...]] = []
        self._mini = self._mini_royal_surplus()
        vectors: dict[Vector, int] = {}
        options: dict[tuple[int, ...], int] = {}
        found = {self._choices_of(menu, vectors, options) for menu in menus}
        self._vectors, self._options = list(vectors), list(options)
        self._choices = self._widest(found)

    def worst_case(self, bets_minor: Iterable[Mapping[str, int]]) -> int:
        """The most that the spots with these bets can win together, in minor units; 0 or more.

        bets_minor: what each spot has staked before the deal, by wager. Cost: about a millisecond.
        """
        bets = [tuple(bet.get(wager, 0) for wager in self._wagers) for bet in bets_minor if bet]
        if not bets:
            return 0
        worth = [[sum(map(int.__mul__, vector, bet)) for vector in self._vectors] for bet in bets]
        values = [[max(map(row.__getitem__, option)) for option in self._options] for row in worth]
        surplus = sorted((sum(map(int.__mul__, self._mini, bet)) for bet in bets), reverse=True)
        extras = [sum(surplus[:count]) for count in range(5)]
        ceilings = [
            (_ceiling(choices, values) + extras[choices.mini_royals], number)
            for number, choices in enumerate(self._choices)
        ]
        most = 0
        for ceiling, number in sorted(ceilings, reverse=True):
            if ceiling <= most:
                break
            choices = self._choices[number]
            most = max(most, _assigned(choices, values) + extras[choices.mini_royals])
        return most + self._progressive_extra(bets)

    def _widest(self, found: set[Choices]) -> tuple[Choices, ...]:
        """Those that no other one covers, slot by slot."""
        kept: list[Choices] = []
        for choices in found:
            if not any(self._covers(other, choices) for other in kept):
                kept = [other for other in kept if not self._covers(choices, other)] + [choices]
        return tuple(kept)

    def _covers(self, wide: Choices, narrow: Choices) -> bool:
        if wide.mini_royals < narrow.mini_royals:
            return False
        slots = zip(wide.each(), narrow.each(), strict=True)
        return all(mine == his or self._option_covers(mine, his) for mine, his in slots)

    def _option_covers(self, wide: int, narrow: int) -> bool:
        able = [self._vectors[number] for number in self._options[wide]]
        return all(
            any(_at_most(self._vectors[number], other) for other in able)
            for number in self._options[narrow]
        )

    def _choices_of(
        self, menu: Menu, vectors: dict[Vector, int], options: dict[tuple[int, ...], int]
    ) -> Choices:
        slots: list[tuple[int, int]] = []
        taken = 0
        for level, cap in (*zip(RARE, menu.caps, strict=True), (0, EVERYONE)):
            reach = level or RARE[-1] - 1
            count = min(cap, EVERYONE) - taken
            if count <= 0:
                continue
            taken += count
            able = {
                vector
                for kind, verdict in menu.best.items()
                if kind[1] <= reach
                for vector in self._vectors_of(menu, kind, verdict)
            }
            kept = tuple(
                sorted(vectors.setdefault(vector, len(vectors)) for vector in _undominated(able))
            )
            slots.append((count, options.setdefault(kept, len(options))))
        return Choices(tuple(slots), menu.mini_royals)

    def _vectors_of(self, menu: Menu, kind: Kind, verdict: int) -> Iterable[Vector]:
        """What one unit of each wager wins, played and folded."""
        yield tuple(self._won(wager, menu, kind, verdict, False) for wager in self._game.placed)
        yield tuple(self._won(wager, menu, kind, verdict, True) for wager in self._game.placed)

    def _won(self, wager: Ante | Side, menu: Menu, kind: Kind, verdict: int, folded: bool) -> int:
        if isinstance(wager, Ante):
            return -1 if folded else self._ante(menu, kind, verdict)
        if folded and self._rules.policy.on_fold[wager.id] == FORFEIT:
            return -1
        if isinstance(wager, Progressive):
            jackpot = self._rules.jackpot
            return _units(jackpot, OWN[kind[0]]) - 1 if jackpot is not None else -1
        table = self._rules.paytables.get(wager.id, {})
        if wager.hand == "six_card":
            line = HANDS[wager.hand].line(SIX[kind[1]], table)
        elif wager.hand == "three_card":
            line = HANDS[wager.hand].line(OWN[kind[0]], table) if kind[0] else ""
        else:
            colours = ["three_one_colour"] + ["six_one_colour"] * menu.one_colour
            lines = (HANDS[wager.hand].line(cls, table) for cls in colours)
            return max((table[line] for line in lines if line and table[line]), default=-1)
        return table[line] if line and table[line] else -1

    def _ante(self, menu: Menu, kind: Kind, verdict: int) -> int:
        """Ante, raise and bonus together."""
        rules = self._rules
        values = sorted(QUALIFIERS.values())
        if menu.qualifiers <= values.index(QUALIFIERS[rules.qualifier]):
            net = 1
        elif verdict == BEATS or (verdict == TIES and rules.policy.tie == WIN):
            net = 2
        else:
            net = 0 if verdict == TIES else -2
        return net + self._bonus(OWN[kind[0]])

    def _bonus(self, cls: str) -> int:
        paid = 0
        for wager in self._game.wagers:
            if isinstance(wager, Bonus):
                table = self._rules.paytables.get(wager.id, {})
                line = HANDS[wager.hand].line(cls, table) if cls != "high_card" else ""
                paid += table[line] if line else 0
        return paid

    def _mini_royal_surplus(self) -> Vector:
        """What a mini royal wins above any other straight flush, by wager."""
        surplus = []
        for wager in self._game.placed:
            if isinstance(wager, Ante):
                gain = self._bonus("mini_royal") - self._bonus("straight_flush")
            elif isinstance(wager, Progressive) and self._rules.jackpot is not None:
                jackpot = self._rules.jackpot
                best = max(_units(jackpot, cls) for cls in ("mini_royal", "mini_royal_spades"))
                gain = best - _units(jackpot, "straight_flush")
            elif wager.hand == "three_card":
                table = self._rules.paytables.get(wager.id, {})
                lines = [HANDS[wager.hand].line(c, table) for c in ("mini_royal", "straight_flush")]
                mini, usual = (table[line] if line and table[line] else -1 for line in lines)
                gain = mini - usual
            else:
                gain = 0
            surplus.append(max(0, gain))
        return tuple(surplus)

    def _progressive_extra(self, bets: Sequence[Vector]) -> int:
        """What a progressive costs beside its own lines: the meter's part, envy, a new seed."""
        wager, jackpot = progressive_of(self._game), self._rules.jackpot
        if wager is None or jackpot is None:
            return 0
        at = self._wagers.index(wager.id)
        stakes = [bet[at] for bet in bets if bet[at]]
        if not stakes:
            return 0
        hits = [jackpot.envy.get("mini_royal_spades", 0)]
        hits += [jackpot.envy.get("mini_royal", 0)] * 4
        lower = [units for line, units in jackpot.envy.items() if not line.startswith("mini")]
        hits += [max(lower, default=0)] * len(stakes)
        envy = sum(sorted(hits, reverse=True)[: len(stakes)])
        others = sum(stakes) - min(stakes)
        return contributed(jackpot, stakes) + envy * others + jackpot.seed_minor


def _units(jackpot: Jackpot, cls: str) -> int:
    """What the house itself pays for a class, "for one"."""
    if cls == "high_card":
        return 0
    line = HANDS["three_card_spades"].line(cls, jackpot.lines)
    return jackpot.pays.get(line, 0)


def _undominated(vectors: set[Vector]) -> list[Vector]:
    """Those that no other one beats on every wager."""
    return [
        one
        for one in vectors
        if not any(other != one and _at_most(one, other) for other in vectors)
    ]


def _at_most(one: Vector, other: Vector) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))


def _ceiling(choices: Choices, values: Sequence[Sequence[int]]) -> int:
    """Above `_assigned`, and quicker: a spot may take several slots."""
    *rare, (_, usual) = choices.slots
    total = sum(row[usual] for row in values)
    for count, option in rare:
        gains = sorted((row[option] - row[usual] for row in values), reverse=True)
        total += sum(gain for gain in gains[:count] if gain > 0)
    return total


def _assigned(choices: Choices, values: Sequence[Sequence[int]]) -> int:
    """The most that the spots win when each takes one slot."""
    *rare, (_, usual) = choices.slots
    best = {0: sum(row[usual] for row in values)}
    bits = [1 << spot for spot in range(len(values))]
    for count, option in rare:
        gains = [
            (bit, row[option] - row[usual])
            for bit, row in zip(bits, values, strict=True)
            if row[option] > row[usual]
        ]
        for _ in range(min(count, len(gains))):
            reached = dict(best)
            for taken, total in best.items():
                for bit, gain in gains:
                    if not taken & bit and reached.get(taken | bit, 0) < total + gain:
                        reached[taken | bit] = total + gain
            best = reached
    return max(best.values())


def exposure_of(game: BankedGame, rules: Mapping[str, Any]) -> Exposure:
    """The bound for a game by rules as plain JSON, made once for each. Raises BadOptions."""
    progressive = rules.get("progressive")
    if progressive is not None:  # where the meter stands costs the house nothing
        kept = {name: value for name, value in progressive.items() if name != "meter_minor"}
        rules = {**rules, "progressive": kept}
    return _exposure(game, json.dumps(rules, sort_keys=True))


@lru_cache(maxsize=64)
def _exposure(game: BankedGame, rules: str) -> Exposure:
    if game.ranking not in RANKINGS:
        raise KeyError(game.ranking)
    return Exposure(game, read_rules(game, json.loads(rules)), full_deck_menus())
