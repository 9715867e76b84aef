"""A kind of table told before it is opened: the deal street by street, forced bets, limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from casino.console.kinds.fields import EVERY, LIMITS
from casino.console.refused import reason_told
from casino.core.money import units
from tables.engine.banked.vocabulary import BankedGame
from tables.engine.bluff.vocabulary import BluffGame
from tables.engine.games import Game
from tables.engine.games.custom import warnings
from tables.engine.games.mixed import MixedGame, change_of
from tables.engine.poker.options import Options, read_options
from tables.engine.poker.variants import dealt_as
from tables.engine.poker.vocabulary import (
    BIG,
    DECKS,
    FIXED,
    SPREAD,
    TWICE_BIG,
    Arrange,
    Bet,
    CallSpit,
    Deal,
    Declare,
    Discard,
    Draw,
    Pass,
    PokerGame,
    Roll,
    Share,
    Step,
)
from tables.models import Table
from tables.services.rotating import every_game

FIRST = {
    "left": _("from the button’s left"), "blinds": _("from the blinds’ left"),
    "bring_in": _("the bring-in"), "board": _("the best open cards"),
}  # fmt: skip
FORCED_WORDS = {
    "blinds": _("blinds"), "antes": _("antes"), "bring_in": _("antes and a bring-in"),
    "blinds_or_antes": _("blinds or antes"),
    "blinds_from_button": _("three blinds from the button"),
}  # fmt: skip
RANKING_WORDS = {
    "high": _("high hand"), "bug_high": _("high hand, the joker a bug"),
    "wild_high": _("high hand, wild cards"), "short_high": _("high hand of a short deck"),
    "spit_high": _("high hand, the spit wild"), "a5": _("ace-to-five low"),
    "27": _("deuce-to-seven low"), "a6": _("ace-to-six low"), "8ob": _("low of eight or better"),
    "9ob": _("low of nine or better"), "7ob": _("low of seven or better"),
    "badugi": _("badugi"), "badugi_ace_high": _("badugi, aces high"),
}  # fmt: skip


@dataclass(frozen=True)
class Street:
    """One step of a deal in words, with the cards it brings: down, up, to the board."""

    words: str
    down: int = 0
    up: int = 0
    board: int = 0

    @property
    def cards(self) -> list[str]:
        return ["down"] * self.down + ["up"] * self.up + ["board"] * self.board


@dataclass(frozen=True)
class Told:
    """stakes: words beside amounts. parts: of a mix, each game told by itself."""

    name: str
    stakes: list[tuple[str, str]]
    streets: list[Street]
    shares: list[str]
    warnings: list[str]
    deck: str = ""
    parts: list[Told] | None = None


def told(table: Table, exponent: int) -> Told:
    """What a table would deal, and for what. Raises BadOptions and what its game refuses."""
    dealt = every_game(table)
    if len(dealt) == 1:
        return game_told(dealt[0].game, dealt[0].options, exponent)
    mix = [game_told(each.game, each.options, exponent) for each in dealt]
    stakes = []
    if "change" in table.options:
        every, count = change_of(table.options)
        stakes = [(say("The game changes after"), f"{count} {EVERY[every]}")]
    return Told(table.game, stakes, [], [], [], parts=mix)


def game_told(game: Game, options: Mapping[str, Any], exponent: int) -> Told:
    if isinstance(game, PokerGame):
        read = read_options(game, options)
        as_dealt = game if game.die else dealt_as(game, read, 1)
        return Told(
            game.name, list(_stakes(game, read, exponent)), streets_of(as_dealt),
            shares_of(as_dealt), _warned(game), deck_words(as_dealt),
        )  # fmt: skip
    if isinstance(game, BluffGame):
        ante = units(int(options["ante_minor"]), exponent)
        dice = ngettext("{0} die each", "{0} dice each", game.dice).format(game.dice)
        return Told(game.name, [(say("Ante"), ante)], [Street(dice)], [], [])
    assert isinstance(game, BankedGame)
    return _banked(game, options, exponent)


def game_alone(game: Game | MixedGame) -> Told:
    """A game before anything is said of its stakes."""
    if isinstance(game, PokerGame):
        return Told(
            game.name, [], streets_of(game), shares_of(game), _warned(game),
            deck_words(game),
        )  # fmt: skip
    return Told(game.name, [], [], [], [])


def _warned(game: PokerGame) -> list[str]:
    return [reason_told(warning) for warning in warnings(game)]


def _banked(game: BankedGame, options: Mapping[str, Any], exponent: int) -> Told:
    names = {wager.id: wager.name for wager in game.wagers}
    stakes = [
        (
            names[wager],
            say("{0} to {1}, in steps of {2}").format(
                *(units(each[end], exponent) for end in ("least_minor", "most_minor", "step_minor"))
            ),
        )
        for wager, each in options["limits"].items()
    ]
    pays = [
        f"{names[wager]}: "
        + ", ".join(f"{line.replace('_', ' ')} {odds}" for line, odds in table.items())
        for wager, table in options.get("paytables", {}).items()
        if wager in names
    ]
    return Told(game.name, stakes, [], pays, [])


def _stakes(game: PokerGame, read: Options, exponent: int) -> list[tuple[str, str]]:
    """Everything that is paid or bet, as the table will have it when nothing is left open."""

    def money(minor: int) -> str:
        return units(minor, exponent)

    found = [(say("Limit"), str(LIMITS[read.limit]))]
    if read.blinds_minor:
        found.append((say("Blinds"), " / ".join(map(money, read.blinds_minor))))
    if read.ante_minor:
        found.append((say("Ante"), money(read.ante_minor)))
    if read.bring_in_minor:
        found.append((say("Bring-in"), money(read.bring_in_minor)))
    if read.limit == FIXED:
        found.append((say("Bets"), " / ".join(map(money, read.bets_minor[:2]))))
        found.append((say("Raises in a round"), str(read.max_raises)))
    elif read.limit == SPREAD:
        found.append((say("Bets"), say("{0} to {1}").format(*map(money, read.spread_minor))))
    else:
        found.append((say("Least bet"), money(read.least_bet_minor)))
    if read.rake is not None:
        caps = ", ".join(
            say("{1} from {0} players").format(least, money(cap))
            for least, cap in read.rake.caps_minor
        )
        percent = f"{read.rake.basis_points / 100:g} %"
        found.append((say("Rake"), percent + (say(", at most {0}").format(caps) if caps else "")))
    return found


def streets_of(game: PokerGame) -> list[Street]:
    return [_step(step, game) for step in game.steps]


def _step(step: Step, game: PokerGame) -> Street:
    if isinstance(step, Deal):
        return _deal(step)
    if isinstance(step, Bet):
        return Street(_bet(step))
    if isinstance(step, Draw):
        more = say(", {0} more than thrown away").format(step.more) if step.more else ""
        return Street(
            ngettext("Draw: up to {0} card", "Draw: up to {0} cards", step.most).format(step.most)
            + more
        )
    if isinstance(step, Discard):
        return Street(
            ngettext("Throw away {0} card", "Throw away {0} cards", step.count).format(step.count)
        )
    if isinstance(step, Pass):
        side = say("left") if step.direction == "left" else say("right")
        return Street(
            ngettext("Pass {0} card {1}", "Pass {0} cards {1}", step.count).format(step.count, side)
        )
    if isinstance(step, Arrange):
        return Street(say("Put {0} cards in order").format(step.count))
    if isinstance(step, Roll):
        return Street(say("Everybody’s next card is turned up"), up=1)
    if isinstance(step, CallSpit):
        return Street(say("Anybody may call for the common card"))
    assert isinstance(step, Declare)
    return Street(say("Declare high, low or both"))


def _deal(step: Deal) -> Street:
    parts = []
    if step.down:
        parts.append(ngettext("{0} card down", "{0} cards down", step.down).format(step.down))
    if step.up:
        parts.append(ngettext("{0} card up", "{0} cards up", step.up).format(step.up))
    words = ", ".join(parts) + (say(" to each player") if parts else "")
    if step.board:
        board = ngettext("{0} card", "{0} cards", step.board).format(step.board)
        words += (", " if words else "") + say("{0} to the board").format(board)
    if step.common_if_short:
        words += say("; one for all if the deck runs short")
    return Street(f"{step.street.capitalize()}: {words}", step.down, step.up, step.board)


def _bet(step: Bet) -> str:
    tier = {BIG: say("big"), TWICE_BIG: say("twice the big")}.get(step.tier, say("small"))
    words = say("Bets ({0}), {1} first").format(tier, FIRST[step.first])
    if step.openers:
        words += say(", openers needed")
    if step.must_open:
        words += say(", no checking before somebody opens")
    return words


def shares_of(game: PokerGame) -> list[str]:
    """Who wins which part of a pot."""
    whole = sum(share.part for share in game.shares)
    return [_share(share, whole) for share in game.shares]


def _share(share: Share, whole: int) -> str:
    words = str(RANKING_WORDS.get(share.ranking, share.ranking))
    if share.part != whole:
        words = say("{0} of {1} of the pot: {2}").format(share.part, whole, words)
    if share.hole:
        cards = (" / ".join(map(str, counts)) for counts in (share.hole, share.board))
        words += say(", {0} of one’s own and {1} of the board").format(*cards)
    if share.at_least:
        words += say(", at least {0}").format(say(share.at_least.replace("_", " ")))
    return words


def deck_words(game: PokerGame) -> str:
    cards = len(DECKS[game.deck])
    words = ngettext("{0} card", "{0} cards", cards).format(cards)
    if game.wild:
        words += say(", wild: {0}").format(" ".join(game.wild))
    return words
