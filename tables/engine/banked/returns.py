"""What a round brought beside what it should have brought, wager by wager.

The theory of an ante assumes the best strategy. Whoever plays otherwise gives away, hand by hand,
exactly what `raise_value` says; that is taken from the theory, so a table of poor players is no
alarm and a wrong payment is one. Source: docs/rules/banked.md 7.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tables.engine.banked.options import RULES, read_rules
from tables.engine.banked.prices import Price, raise_value
from tables.engine.banked.rounds import BankedRound
from tables.engine.banked.settling import FORFEITED, WagerResult, settle
from tables.engine.banked.sheet import priced
from tables.engine.banked.vocabulary import BankedGame, Bonus, Progressive, Raise, Side


@dataclass(slots=True)
class Brought:
    """One wager over some spots, in minor units: what was staked, what players won, what theory
    says they win, and the variance of that."""

    spots: int = 0
    staked_minor: int = 0
    net_minor: int = 0
    expected_minor: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)

    def add(self, stake: int, net: int, price: Price, given_away: Fraction) -> None:
        self.spots += 1
        self.staked_minor += stake
        self.net_minor += net
        self.expected_minor -= stake * price.house_edge + given_away
        self.variance += stake * stake * price.variance


def brought(played: BankedRound) -> dict[str, Brought]:
    """What a finished round brought, by wager; an ante with its raise and bonus.

    A progressive is left out: what it should bring moves with its meter.
    """
    prices = _prices(played.game, played.options)
    found: dict[str, Brought] = {}
    for seat, settlement in played.settlements.items():
        wagers = settlement.wagers
        for wager_id, result in wagers.items():
            wager = played.game.wager.get(wager_id)
            if wager_id not in prices or isinstance(wager, Progressive | None):
                continue
            if isinstance(wager, Side):
                net, lost = result.net_minor, _forfeited(played, seat, wager, result)
            else:
                net, lost = _ante_net(played.game, wagers), _regret(played, seat, result)
            known = found.setdefault(wager_id, Brought())
            known.add(result.stake_minor, net, prices[wager_id], lost)
    return found


def _prices(game: BankedGame, options: Mapping[str, Any]) -> dict[str, Price]:
    rules = {name: options[name] for name in RULES if name in options and name != "progressive"}
    return _priced(game, json.dumps(rules, sort_keys=True))


@lru_cache(maxsize=64)
def _priced(game: BankedGame, rules: str) -> dict[str, Price]:
    found = priced(game, read_rules(game, json.loads(rules)))
    return {each.wager: each.never_folded for each in found}


def _ante_net(game: BankedGame, wagers: Mapping[str, WagerResult]) -> int:
    together = {game.decision.of} | {w.id for w in game.wagers if isinstance(w, Raise | Bonus)}
    return sum(result.net_minor for wager, result in wagers.items() if wager in together)


def _regret(played: BankedRound, seat: int, result: WagerResult) -> Fraction:
    """What the decision gave away, in minor units; 0 for the best one."""
    rules, game = played.rules, played.game
    bonus = next(wager.id for wager in game.wagers if isinstance(wager, Bonus))
    cards = played.cards_of(seat)
    ladder = rules.paytables.get(bonus, {})
    playing = raise_value(cards, ladder, rules.qualifier, rules.policy.tie)
    folded = played.choices[seat] == game.fold.name
    return result.stake_minor * (max(playing, Fraction(-1)) - (-1 if folded else playing))


def _forfeited(played: BankedRound, seat: int, wager: Side, result: WagerResult) -> Fraction:
    """What a fold took from a side wager that would have won."""
    if result.outcome != FORFEITED:
        return Fraction(0)
    rules = played.rules
    alive = settle(
        played.game, {wager.id: result.stake_minor}, played.cards_of(seat), played.dealer_cards(),
        None, paytables=rules.paytables, policy=rules.policy, qualifier=rules.qualifier,
    )  # fmt: skip
    return Fraction(alive.net_minor - result.net_minor)
