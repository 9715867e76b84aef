"""What a table's options, or a die, make of a game before it is dealt, from value to value.

Source: docs/rules/home.md 2, 5 and 6; docs/rules/omaha.md 9.
"""

from __future__ import annotations

from dataclasses import replace

from tables.engine.errors import BadOptions
from tables.engine.poker.options import Options
from tables.engine.poker.vocabulary import (
    SMALL,
    Arrange,
    Bet,
    CallSpit,
    Deal,
    Declare,
    Discard,
    Pass,
    PokerGame,
    Roll,
    Share,
    Step,
)
from tables.engine.reasons import Reason

ROLLS: tuple[Step, ...] = tuple(
    step for nth in range(1, 5) for step in (Roll(f"roll{nth}"), Bet(SMALL))
)
"""Four cards turned up one by one, a bet after each; the fifth is seen at the showdown."""


def dealt_as(game: PokerGame, options: Options, die: int) -> PokerGame:
    """The game as this hand deals it. Raises BadOptions."""
    if game.die:
        game = by_die(replace(game, die=options.die_map or game.die), die)
    if game.kill:
        game = replace(game, kill=options.kill_card)
    if not options.changes_game:
        return game
    if options.no_joker:
        game = replace(game, deck="52")
    if options.declare:
        game = _declared(game, options.low or "a5")
    elif options.low is not None and all(share.side == "high" for share in game.shares):
        game = replace(game, shares=(Share(options.low, "low"),))
    if options.bet_before_pass:
        game = replace(game, steps=_bet_first(game))
    if options.rollout:
        game = replace(game, steps=(*game.steps, _five_of(game), *ROLLS))
    if options.spit_called:
        game = replace(game, steps=_called_spit(game))
    return game


def by_die(game: PokerGame, die: int) -> PokerGame:
    """The number of hole cards and the shares that a face of the die stands for."""
    if not 1 <= die <= len(game.die):
        raise BadOptions("die", Reason("die_shows", faces=len(game.die)))
    cards, _, low = game.die[die - 1].partition(" ")
    first = game.steps[0]
    assert isinstance(first, Deal)
    shares = game.shares[:1]
    if low != "high":
        shares = (*shares, replace(shares[0], ranking=low, side="low"))
    steps = (replace(first, down=int(cards)), *game.steps[1:])
    return replace(game, steps=steps, shares=shares, die=())


def with_kill_card(game: PokerGame) -> PokerGame:
    """The game with a card that ends the deal when it comes face up."""
    return replace(
        game,
        id=f"{game.id}+kill_card",
        name=f"{game.name} with a kill card",
        kill="Kh",
        source="docs/rules/home.md 7",
    )


def _declared(game: PokerGame, low: str) -> PokerGame:
    """A high-low game with a declaration after the last bet and no qualifier."""
    if [share.side for share in game.shares] != ["high", "low"]:
        raise BadOptions("declare", Reason("not_split"))
    if any(isinstance(step, Declare) for step in game.steps):
        return game
    high, other = game.shares
    return replace(
        game,
        steps=(*game.steps, Declare()),
        shares=(high, replace(other, ranking=low, at_least="")),
    )


def _five_of(game: PokerGame) -> Arrange:
    """Five cards to arrange and roll, of those a player holds face down."""
    arrange = Arrange()
    held = up = 0
    for step in game.steps:
        if isinstance(step, Deal):
            held, up = held + step.down, up + step.up
        elif isinstance(step, Discard):
            held -= step.count
    if up or held < arrange.count or any(isinstance(step, Arrange) for step in game.steps):
        raise BadOptions("rollout", Reason("not_rolled"))
    return arrange


def _bet_first(game: PokerGame) -> tuple[Step, ...]:
    """A round of bets before the first pass."""
    deal, first, *rest = game.steps
    if not isinstance(deal, Deal) or not isinstance(first, Pass):
        raise BadOptions("bet_before_pass", Reason("no_pass"))
    return (replace(deal, street="before_pass"), Bet(SMALL), replace(first, street="deal"), *rest)


def _called_spit(game: PokerGame) -> tuple[Step, ...]:
    """Five cards each, one at a time; after each anybody may call for the spit."""
    deal, *rest = game.steps
    if not isinstance(deal, Deal) or not deal.board:
        raise BadOptions("spit_called", Reason("no_spit"))
    rounds: list[Step] = []
    for nth in range(1, 6):
        rounds += [Deal(deal.street, down=1), CallSpit(last=nth == 5)]
    return (*rounds, *rest)
