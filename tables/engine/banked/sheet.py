"""A version of the paytables as it is kept and shown: its canonical text and its exact figures.

Fractions are [numerator, denominator] in lowest terms. Source: docs/rules/banked.md 3 and 6.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from math import isqrt
from typing import Any

from tables.engine.banked.exposure import exposure_of
from tables.engine.banked.hands import HANDS, class_words
from tables.engine.banked.options import WHOLE, Jackpot, Rules, read_rules
from tables.engine.banked.prices import (
    COUNTS,
    LOST_BY_FOLDING,
    Price,
    ante_play_price,
    best_strategy,
    side_price,
    suit_classes,
    unfolded_counts,
)
from tables.engine.banked.vocabulary import FORFEIT, BankedGame, Bonus, Progressive, Side
from tables.engine.cards import RANK_TEXT

Part = list[int]
RANKS_OF_STRENGTH = {suited.value: suited.ranks for suited in suit_classes()}


def rules_text(rules: Mapping[str, Any]) -> str:
    """The one text of a version's rules, whatever order they were written in."""
    return json.dumps(rules, sort_keys=True, separators=(",", ":"))


def rules_hash(rules: Mapping[str, Any]) -> str:
    return sha256(rules_text(rules).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Priced:
    """A wager, its exact price and what it pays by line.

    never_folded: its price where no fold forfeits it, as beside no ante.
    """

    wager: str
    price: Price
    odds: Mapping[str, int]
    never_folded: Price


def priced(game: BankedGame, rules: Rules) -> list[Priced]:
    """Every wager that these rules can price. An ante is priced with its raise and bonus.

    A side wager that a fold forfeits is priced beside an ante, with the folds of the ante's best
    strategy; a progressive with its meter at the seed, alone at the table.
    """
    bonus = next(wager.id for wager in game.wagers if isinstance(wager, Bonus))
    ladder = rules.paytables.get(bonus, {})
    ante = ante_play_price(ladder, qualifier=rules.qualifier, tie=rules.policy.tie)
    found = [Priced(game.decision.of, ante, ladder, ante)]
    for wager in game.placed:
        if isinstance(wager, Progressive):
            if rules.jackpot is not None:
                price = progressive_price(wager.hand, rules.jackpot)
                found.append(Priced(wager.id, price, rules.jackpot.pays, price))
        elif isinstance(wager, Side) and wager.id in rules.paytables:
            table = rules.paytables[wager.id]
            price = never_folded = side_price(wager.hand, table)
            if rules.policy.on_fold[wager.id] == FORFEIT and wager.hand in LOST_BY_FOLDING:
                paid = unfolded_counts(wager.hand, rules.qualifier, rules.policy.tie)
                price = side_price(wager.hand, table, paid)
            found.append(Priced(wager.id, price, table, never_folded))
    return found


def progressive_price(hand: str, jackpot: Jackpot) -> Price:
    """Price of a progressive wager while its meter stands at the seed, without envy."""
    known = COUNTS[hand]()
    mean = square = hits = Fraction(0)
    for cls, count in known.counts.items():
        line = HANDS[hand].line(cls, jackpot.lines)
        chance = Fraction(count, known.total)
        won = Fraction(jackpot.pays.get(line, 0))
        if line in jackpot.meter:
            won = Fraction(jackpot.seed_minor * jackpot.meter[line], WHOLE * jackpot.stake_minor)
        mean += chance * won
        square += chance * won * won
        hits += chance if won > 1 else 0
    return Price(
        house_edge=1 - mean,
        element_of_risk=1 - mean,
        hit_frequency=hits,
        variance=square - mean * mean,
        played=Fraction(1),
        lines={cls: Fraction(count, known.total) for cls, count in known.counts.items()},
    )


def sheet(game: BankedGame, rules: Mapping[str, Any]) -> dict[str, Any]:
    """All figures of a version, by wager. Raises BadOptions."""
    read = read_rules(game, rules)
    bound = exposure_of(game, rules)
    return {
        each.wager: {
            **figures(each.price),
            "worst_case_units": _worst_units(each, read.jackpot)
            if isinstance(game.wager[each.wager], Progressive)
            else bound.worst_case([{each.wager: 1}]),
            "lines": _lines(game, each),
            **(_without_folds(game, each) if each.price != each.never_folded else {}),
            **(_strategy(read, each) if each.wager == game.decision.of else {}),
            **(_meter(game, each, read.jackpot) if read.jackpot else {}),
        }
        for each in priced(game, read)
    }


def _without_folds(game: BankedGame, each: Priced) -> dict[str, Any]:
    """The figures of a wager that a fold forfeits, for a spot that has nothing to fold."""
    wager = game.wager[each.wager]
    may_stand = isinstance(wager, Side) and set(wager.needs) != {game.decision.of}
    return {"without_ante": figures(each.never_folded)} if may_stand else {}


def figures(price: Price) -> dict[str, Any]:
    return {
        "return": part(1 - price.house_edge),
        "house_edge": part(price.house_edge),
        "element_of_risk": part(price.element_of_risk),
        "hit_frequency": part(price.hit_frequency),
        "variance": part(price.variance),
        "standard_deviation": decimals_of_root(price.variance),
        "played": part(price.played),
    }


def part(figure: Fraction) -> Part:
    return [figure.numerator, figure.denominator]


def decimals_of_root(figure: Fraction, places: int = 6) -> str:
    """The square root of a fraction, rounded down at so many decimals; no float on the way."""
    scale = 10**places
    root = isqrt(figure.numerator * scale * scale // figure.denominator)
    return f"{root // scale}.{root % scale:0{places}}"


def _lines(game: BankedGame, each: Priced) -> list[dict[str, Any]]:
    """What each class pays, best first, with its exact chance."""
    wager = game.wager[each.wager]
    hand = HANDS[wager.hand] if isinstance(wager, Side) else HANDS["three_card"]
    counts = COUNTS[wager.hand if isinstance(wager, Side) else "three_card"]().counts
    lines = []
    for cls in hand.classes:
        line = hand.line(cls, each.odds)
        if cls in each.odds or line:
            chance = part(each.price.lines[cls])
            odds = each.odds[line] if line else 0
            lines.append(
                {"line": cls, "words": class_words(cls), "pays": odds, "chance": chance,
                 "hands": counts[cls]}
            )  # fmt: skip
    return lines


def _strategy(rules: Rules, each: Priced) -> dict[str, Any]:
    best = best_strategy(each.odds, qualifier=rules.qualifier, tie=rules.policy.tie)
    return {
        "strategy": {
            "threshold": strength_text(best.threshold),
            "hands_played": best.played,
            "exceptions": [
                {"hand": strength_text(value), "played": played, "of": of}
                for value, played, of in best.exceptions
            ],
        }
    }


def strength_text(value: int) -> str:
    """A strength by its three ranks: "Q-6-4"; "" for one above every hand."""
    ranks = RANKS_OF_STRENGTH.get(value, ())
    return "-".join(RANK_TEXT[rank] for rank in sorted(ranks, reverse=True))


def _worst_units(each: Priced, jackpot: Jackpot | None) -> int:
    """What the house itself can lose per unit: the meter pays its own share."""
    return max(each.odds.values(), default=0) - 1


def _meter(game: BankedGame, each: Priced, jackpot: Jackpot) -> dict[str, Any]:
    wager = game.wager[each.wager]
    if not isinstance(wager, Progressive):
        return {}
    hand = HANDS[wager.hand]
    share = _mean(
        each.price, {c: jackpot.meter.get(hand.line(c, jackpot.lines), 0) for c in hand.classes}
    )
    fixed = _mean(
        each.price, {c: jackpot.pays.get(hand.line(c, jackpot.lines), 0) for c in hand.classes}
    )
    envy = _mean(
        each.price, {c: jackpot.envy.get(hand.line(c, jackpot.envy), 0) for c in hand.classes}
    )
    even = (1 - fixed) * WHOLE * jackpot.stake_minor / share
    return {
        "meter": {
            "seed_minor": jackpot.seed_minor,
            "shares": dict(jackpot.meter),
            "envy": dict(jackpot.envy),
            "break_even_minor": part(even),
            "envy_per_other_spot": part(envy),
            "contribution_basis_points": jackpot.contribution,
        }
    }


def _mean(price: Price, won: Mapping[str, int]) -> Fraction:
    return sum((price.lines[cls] * units for cls, units in won.items()), Fraction(0))
