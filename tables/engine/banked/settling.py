"""Who is paid what, and why: the pure heart of every banked round.

Odds are to 1: a wager that wins at odds n returns its stake and n times its stake; a bonus has no
stake of its own and returns n times the stake it is paid on. Source: docs/rules/banked.md 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tables.engine.banked.errors import CannotSettle
from tables.engine.banked.hands import HANDS, RANKINGS, class_words
from tables.engine.banked.options import Jackpot, Paytable, Policy
from tables.engine.banked.vocabulary import (
    FORFEIT,
    WIN,
    Ante,
    BankedGame,
    Bonus,
    Choice,
    Progressive,
    Raise,
    Side,
    Wager,
)

FORFEITED = "forfeited_on_fold"


@dataclass(frozen=True, slots=True)
class WagerResult:
    """What became of one wager. odds: those it was paid at, None when it was not paid."""

    stake_minor: int
    returned_minor: int
    outcome: str
    odds: int | None
    words: str

    @property
    def net_minor(self) -> int:
        return self.returned_minor - self.stake_minor

    def public(self) -> dict[str, Any]:
        return {
            "stake_minor": self.stake_minor,
            "returned_minor": self.returned_minor,
            "net_minor": self.net_minor,
            "outcome": self.outcome,
            "odds": self.odds,
            "words": self.words,
        }


@dataclass(frozen=True, slots=True)
class Settlement:
    """What became of one spot; its wagers in settling order."""

    wagers: Mapping[str, WagerResult]
    words: str

    @property
    def staked_minor(self) -> int:
        return sum(result.stake_minor for result in self.wagers.values())

    @property
    def returned_minor(self) -> int:
        return sum(result.returned_minor for result in self.wagers.values())

    @property
    def net_minor(self) -> int:
        return self.returned_minor - self.staked_minor


@dataclass(frozen=True, slots=True)
class Contest:
    """A spot's hand against the dealer's: "win", "lose" or "tie", and how it is said."""

    verdict: str
    qualified: bool
    words: str


def settle(
    game: BankedGame,
    bets_minor: Mapping[str, int],
    player: Sequence[int],
    dealer: Sequence[int] | None,
    decision: str | None,
    *,
    paytables: Mapping[str, Paytable],
    policy: Policy,
    qualifier: str,
    order: Sequence[str] = (),
    jackpot: Jackpot | None = None,
) -> Settlement:
    """Settle one spot.

    bets_minor: what was staked before the deal, by wager; absent is 0.
    dealer: his cards; None only when no wager of this spot looks at them.
    decision: the name of the choice made, None for a spot that had none to make.
    order: of the wagers in the result; the game's own when empty.
    jackpot: what a progressive wager wins. Its share of the meter depends on the other spots and
    is added by `progressives.meter_paid`.
    Raises CannotSettle when these do not belong together.
    """
    choice = _choice(game, bets_minor, decision)
    folded = choice is not None and choice.folds
    contest = None
    if choice is not None and not folded:
        contest = _contest(game, player, _known(dealer), qualifier)
    results: dict[str, WagerResult] = {}
    for wager_id in order or game.settling.order:
        wager = game.wager[wager_id]
        if isinstance(wager, Ante | Raise):
            stake = _stake(wager, bets_minor, choice)
            if stake:
                results[wager_id] = _against_dealer(wager, stake, contest, policy.tie)
        elif isinstance(wager, Bonus):
            stake = bets_minor.get(wager.of, 0)
            if stake and contest is not None:
                results[wager_id] = _bonus(wager, stake, player, dealer, paytables)
        else:
            stake = bets_minor.get(wager_id, 0)
            if stake:
                lost = folded and policy.on_fold[wager_id] == FORFEIT
                if lost:
                    words = f"{wager.name}: forfeited by the fold"
                    results[wager_id] = WagerResult(stake, 0, FORFEITED, None, words)
                elif isinstance(wager, Progressive):
                    results[wager_id] = _progressive(wager, stake, player, jackpot)
                else:
                    results[wager_id] = _side(wager, stake, player, dealer, paytables)
    return Settlement(results, _spot_words(game, player, folded, contest))


def looks_at_dealer(
    game: BankedGame, bets_minor: Mapping[str, int], decision: str | None, policy: Policy
) -> bool:
    """Whether a live wager of the spot needs the dealer's hand."""
    choice = game.choices[decision] if decision is not None else None
    if choice is not None and not choice.folds:
        return True
    return any(
        HANDS[wager.hand].with_dealer for wager in live_sides(game, bets_minor, decision, policy)
    )


def live_sides(
    game: BankedGame, bets_minor: Mapping[str, int], decision: str | None, policy: Policy
) -> list[Side]:
    """The spot's side wagers that a fold has not taken."""
    choice = game.choices[decision] if decision is not None else None
    folded = choice is not None and choice.folds
    return [
        wager
        for wager in game.wagers
        if isinstance(wager, Side)
        and bets_minor.get(wager.id, 0)
        and not (folded and policy.on_fold[wager.id] == FORFEIT)
    ]


def _choice(game: BankedGame, bets_minor: Mapping[str, int], decision: str | None) -> Choice | None:
    must_decide = bets_minor.get(game.decision.of, 0) > 0
    if decision is None:
        if must_decide:
            raise CannotSettle(f"a spot with {game.decision.of} has to decide")
        return None
    if not must_decide:
        raise CannotSettle(f"a spot without {game.decision.of} has nothing to decide")
    choice = game.choices.get(decision)
    if choice is None:
        raise CannotSettle(f"{game.name} knows no decision {decision!r}")
    return choice


def _known(dealer: Sequence[int] | None) -> Sequence[int]:
    if dealer is None:
        raise CannotSettle("a live wager needs the dealer's cards")
    return dealer


def _contest(
    game: BankedGame, player: Sequence[int], dealer: Sequence[int], qualifier: str
) -> Contest:
    order = RANKINGS[game.ranking]
    mine, his = order.ranking.value(tuple(player)), order.ranking.value(tuple(dealer))
    verdict = "win" if mine > his else "lose" if mine < his else "tie"
    qualified = his >= order.qualifiers[qualifier]
    mine_words, his_words = (order.ranking.words(value)[1] for value in (mine, his))
    if not qualified:
        words = f"{mine_words}: the dealer does not qualify with {_inside(his_words)}"
    elif verdict == "tie":
        words = f"{mine_words}: a tie with the dealer"
    else:
        beats = "beats" if verdict == "win" else "loses to"
        closer = " by the next card" if mine_words == his_words else ""
        words = f"{mine_words} {beats} the dealer's {_inside(his_words)}{closer}"
    return Contest(verdict, qualified, words)


def _stake(wager: Ante | Raise, bets_minor: Mapping[str, int], choice: Choice | None) -> int:
    if isinstance(wager, Ante):
        return bets_minor.get(wager.id, 0)
    if choice is None or choice.raises != wager.id:
        return 0
    return choice.times * bets_minor.get(wager.of, 0)


def _against_dealer(
    wager: Ante | Raise, stake: int, contest: Contest | None, tie: str
) -> WagerResult:
    """contest: None for a spot that folded."""
    name = wager.name
    if contest is None:
        return WagerResult(stake, 0, "fold_lose", None, f"{name}: folded")
    if not contest.qualified:
        if wager.unqualified == WIN:
            return _paid(
                stake, 1, "win_dealer_not_qualified", f"{name}: dealer does not qualify, 1 to 1"
            )
        return _pushed(stake, "push_dealer_not_qualified", f"{name}: dealer does not qualify, push")
    if contest.verdict == "win":
        return _paid(stake, 1, "win", f"{name}: wins, 1 to 1")
    if contest.verdict == "lose":
        return WagerResult(stake, 0, "lose", None, f"{name}: loses")
    if tie == WIN:
        return _paid(stake, 1, "win_tie", f"{name}: tie, 1 to 1")
    return _pushed(stake, "push_tie", f"{name}: tie, push")


def _bonus(
    wager: Bonus,
    base: int,
    player: Sequence[int],
    dealer: Sequence[int] | None,
    paytables: Mapping[str, Paytable],
) -> WagerResult:
    _, line, odds = _line(wager, player, dealer, paytables)
    if not odds:
        return WagerResult(0, 0, "none", None, f"{wager.name}: none")
    return WagerResult(0, base * odds, line, odds, _paid_words(wager, line, odds))


def _side(
    wager: Side,
    stake: int,
    player: Sequence[int],
    dealer: Sequence[int] | None,
    paytables: Mapping[str, Paytable],
) -> WagerResult:
    cls, line, odds = _line(wager, player, dealer, paytables)
    if not odds:
        held = class_words(cls) if cls else HANDS[wager.hand].nothing
        return WagerResult(stake, 0, "lose", None, f"{wager.name}: {held}, loses")
    return _paid(stake, odds, line, _paid_words(wager, line, odds))


def _progressive(
    wager: Progressive, stake: int, player: Sequence[int], jackpot: Jackpot | None
) -> WagerResult:
    """Paid "for one": the stake is gone, what is won stands alone."""
    if jackpot is None:
        raise CannotSettle("a progressive wager needs its terms")
    hand = HANDS[wager.hand]
    cls = hand.class_of(player, ())
    line = hand.line(cls, jackpot.lines)
    if line in jackpot.meter:
        part = jackpot.meter[line] / 100
        words = f"{wager.name}: {class_words(line)}, {part:g} % of the meter"
        return WagerResult(stake, 0, line, None, words)
    if units := jackpot.pays.get(line, 0):
        words = f"{wager.name}: {class_words(line)}, {units} for 1"
        return WagerResult(stake, units * stake, line, units - 1, words)
    held = class_words(cls) if cls else hand.nothing
    return WagerResult(stake, 0, "lose", None, f"{wager.name}: {held}, loses")


def _line(
    wager: Bonus | Side,
    player: Sequence[int],
    dealer: Sequence[int] | None,
    paytables: Mapping[str, Paytable],
) -> tuple[str, str, int]:
    """Class of these cards, the paytable's line for it and its odds; 0 when nothing is paid."""
    hand = HANDS[wager.hand]
    cls = hand.class_of(player, _known(dealer) if hand.with_dealer else ())
    table = paytables.get(wager.id, {})
    line = hand.line(cls, table)
    return cls, line, table[line] if line else 0


def _paid(stake: int, odds: int, outcome: str, words: str) -> WagerResult:
    return WagerResult(stake, stake * (1 + odds), outcome, odds, words)


def _pushed(stake: int, outcome: str, words: str) -> WagerResult:
    return WagerResult(stake, stake, outcome, None, words)


def _paid_words(wager: Wager, line: str, odds: int) -> str:
    return f"{wager.name}: {class_words(line)}, {odds} to 1"


def _inside(words: str) -> str:
    """A sentence's first letter small, for the middle of another."""
    return words[0].lower() + words[1:]


def _spot_words(
    game: BankedGame, player: Sequence[int], folded: bool, contest: Contest | None
) -> str:
    if contest is not None:
        return contest.words
    if folded:
        return "Folded"
    ranking = RANKINGS[game.ranking].ranking
    return ranking.words(ranking.value(tuple(player)))[1]
