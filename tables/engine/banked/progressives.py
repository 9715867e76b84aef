"""The meter of a progressive wager: what a round adds to it and who is paid from it.

Several spots may win a share at once. Shares that together pass the whole meter are cut in
proportion, so the order of settling never changes what is paid. Source: docs/rules/banked.md 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tables.engine.banked.hands import HANDS, class_words
from tables.engine.banked.options import WHOLE, Jackpot
from tables.engine.banked.settling import FORFEITED, Settlement, WagerResult
from tables.engine.banked.vocabulary import BankedGame, Progressive

ENVY = "envy"


@dataclass(frozen=True, slots=True)
class Meter:
    """A round's meter in minor units. seeded: what the house adds so that it starts again."""

    before_minor: int
    contributed_minor: int
    paid_minor: int
    seeded_minor: int
    seed_minor: int

    @property
    def after_minor(self) -> int:
        return self.before_minor + self.contributed_minor - self.paid_minor + self.seeded_minor

    def public(self) -> dict[str, int]:
        return {
            "before_minor": self.before_minor,
            "contributed_minor": self.contributed_minor,
            "paid_minor": self.paid_minor,
            "seeded_minor": self.seeded_minor,
            "seed_minor": self.seed_minor,
            "after_minor": self.after_minor,
        }


def progressive_of(game: BankedGame) -> Progressive | None:
    return next((wager for wager in game.wagers if isinstance(wager, Progressive)), None)


def contributed(jackpot: Jackpot, stakes_minor: Sequence[int]) -> int:
    """What these stakes add to the meter; each is rounded down on its own."""
    return sum(stake * jackpot.contribution // WHOLE for stake in stakes_minor)


def meter_paid(
    game: BankedGame,
    jackpot: Jackpot,
    settlements: Mapping[int, Settlement],
    cards: Mapping[int, Sequence[int]],
) -> tuple[dict[int, Settlement], Meter]:
    """Add shares of the meter and envy to the settlements of a round.

    cards: of each spot, also of those without the wager. Envy is owed to spots with a progressive
    wager for another spot's hand, and only if that spot has the wager too.
    """
    wager = progressive_of(game)
    assert wager is not None
    won = {
        seat: settlement.wagers[wager.id].outcome
        for seat, settlement in settlements.items()
        if wager.id in settlement.wagers
    }
    stakes = {seat: settlements[seat].wagers[wager.id].stake_minor for seat in won}
    pool = jackpot.meter_minor + contributed(jackpot, list(stakes.values()))
    shares = {seat: jackpot.meter[line] for seat, line in won.items() if line in jackpot.meter}
    whole = max(WHOLE, sum(shares.values()))
    paid = {seat: pool * share // whole for seat, share in shares.items()}
    envied = {
        seat: _envy_line(wager, jackpot, cards[seat])
        for seat, line in won.items()
        if line != FORFEITED
    }
    changed = dict(settlements)
    for seat, stake in stakes.items():
        wagers = dict(settlements[seat].wagers)
        if seat in paid:
            result = wagers[wager.id]
            words = f"{result.words}: {paid[seat]}"
            wagers[wager.id] = replace(result, returned_minor=paid[seat], words=words)
        lines = [line for other, line in envied.items() if other != seat and line]
        if lines:
            units = sum(jackpot.envy[line] for line in lines)
            named = ", ".join(class_words(line) for line in lines)
            words = f"Envy: {named} at another spot, {units} units"
            wagers[ENVY] = WagerResult(0, units * stake, ENVY, units, words)
        changed[seat] = Settlement(wagers, settlements[seat].words)
    left = pool - sum(paid.values())
    meter = Meter(
        before_minor=jackpot.meter_minor,
        contributed_minor=pool - jackpot.meter_minor,
        paid_minor=pool - left,
        seeded_minor=max(0, jackpot.seed_minor - left),
        seed_minor=jackpot.seed_minor,
    )
    return changed, meter


def _envy_line(wager: Progressive, jackpot: Jackpot, cards: Sequence[int]) -> str:
    hand = HANDS[wager.hand]
    return hand.line(hand.class_of(cards, ()), jackpot.envy)


def result_of(meter: Meter | None) -> dict[str, Any]:
    """The meter's part of a round's result; nothing where there is none."""
    return {} if meter is None else {"meter": meter.public()}
