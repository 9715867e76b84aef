"""Kill pots: who has won pays a blind over the big one, and the limits of the next hand are higher.

Source: docs/rules/poker.md 3.11.
"""

from __future__ import annotations

from typing import NamedTuple

from tables.engine.poker.options import Options
from tables.engine.poker.rare import KILL
from tables.engine.poker.special_options import FULL, SCOOP, Kill
from tables.engine.poker.vocabulary import Deal, PokerGame
from tables.engine.protocol import Json


class Standing(NamedTuple):
    """Between two hands, by seat: who has won the last one (a leg), and who must kill the next."""

    leg: int | None = None
    kills: int | None = None


def raised(kill: Kill, amount_minor: int) -> int:
    """An amount in a kill pot: twice, or half as much again."""
    return amount_minor * 2 if kill.size == FULL else amount_minor * 3 // 2


def kill_options(options: Options) -> Json:
    """A table's options for a kill pot: its blinds, and bets at the higher limit."""
    kill = options.kill
    assert kill is not None
    small, big, _ = options.bets_minor
    bets = {"small_bet_minor": raised(kill, small), "big_bet_minor": raised(kill, big)}
    return {**options.to_json(), **bets, "straddle": None, "bomb_pot": None, "kill": None}


def kill_post(options: Options, seat: int) -> Json:
    """What the killer puts in, as `start` takes it."""
    assert options.kill is not None
    amount = raised(options.kill, options.blinds_minor[-1])
    return {"seat": seat, "kind": KILL, "amount_minor": amount}


def standing_after(game: PokerGame, kill: Kill, before: Standing, result: Json) -> Standing:
    """Who has a leg and who kills, after a hand. result: its result."""
    awards: dict[int, int] = {}
    for pot in result["pots"]:
        for seat, amount in pot["awards"].items():
            if amount:
                awards[int(seat)] = awards.get(int(seat), 0) + amount
    if not awards:
        return Standing(before.leg)
    winner = next(iter(awards)) if len(awards) == 1 else None
    if winner is None:  # split: who had a leg and shares in it keeps it
        kept = before.leg if before.leg in awards else None
        again = before.kills if before.kills in awards and kill.after != SCOOP else None
        return Standing(kept, again)
    size = sum(pot["amount_minor"] for pot in result["pots"])
    first = game.steps[0]
    assert isinstance(first, Deal)
    counts = result["street"] != first.street and size >= kill.from_minor
    if kill.after == SCOOP:
        return Standing(None, winner if counts else None)
    return Standing(winner, winner if counts and before.leg == winner else None)
