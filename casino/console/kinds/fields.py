"""The fields of a game's options, made from the words that the engine reads them by.

A field knows which limits it matters for; what is left empty takes the rules' own default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tables.engine.banked.vocabulary import BankedGame, Progressive
from tables.engine.bluff.vocabulary import BluffGame
from tables.engine.games import Game
from tables.engine.games.mixed import CHANGES, MixedGame
from tables.engine.poker.options import DIE_CARDS, DIE_HANDS
from tables.engine.poker.vocabulary import (
    ANTES,
    BLINDS,
    BLINDS_OR_ANTES,
    BRING_IN,
    FIXED,
    SPREAD,
    Bet,
    Deal,
    Pass,
    PokerGame,
)

AMOUNT, WHOLE, FLAG, CHOICE, PERCENT = "amount", "whole", "flag", "choice", "percent"
Words = str | Promise
Choices = tuple[tuple[str, Words], ...]

BETS, FORCED, RAKE, RULES = "bets", "forced", "rake", "rules"
GROUPS: dict[str, Words] = {
    BETS: _("Bets"), FORCED: _("Forced bets"), RAKE: _("Rake"), RULES: _("House rules"),
}  # fmt: skip

LIMITS: dict[str, Words] = {
    "no_limit": _("no limit"), "fixed": _("fixed limit"), "pot": _("pot limit"),
    "half_pot": _("half-pot limit"), "spread": _("spread limit"),
}  # fmt: skip
EVERY: dict[str, Words] = {
    "hands": _("hands"), "orbits": _("rounds of the button"), "minutes": _("minutes"),
}  # fmt: skip
LOSSES: dict[str, Words] = {
    "die": _("a die"), "out": _("the game"), "ante": _("an ante, to its winner"),
    "life": _("a life"),
}  # fmt: skip
CAPS = (2, 3, 5)
"""Numbers of players from which a cap of the rake may differ."""


@dataclass(frozen=True)
class Field:
    """name: of the option, dotted where it stands inside another one.

    limits: those it matters for; () for all.
    """

    name: str
    kind: str
    label: Words
    group: str
    help: Words = ""
    choices: Choices = ()
    initial: Any = None
    limits: tuple[str, ...] = ()
    args: tuple[Any, ...] = ()

    @property
    def words(self) -> str:
        return str(self.label).format(*self.args)


def fields_of(game: Game | MixedGame) -> list[Field]:
    """Every option that a table of the game may set, in the order in which one thinks of them."""
    if isinstance(game, PokerGame):
        return list(_of_poker(game))
    if isinstance(game, MixedGame):
        return list(_of_mix(game))
    if isinstance(game, BluffGame):
        return list(_of_bluff(game))
    return list(_of_banked(game))


def limit_choices(limits: tuple[str, ...]) -> Choices:
    return tuple((limit, LIMITS[limit]) for limit in limits)


def _of_poker(game: PokerGame) -> Iterator[Field]:
    loose = tuple(limit for limit in game.limits if limit != FIXED)
    yield Field(
        "limit", CHOICE, _("Limit"), BETS, choices=limit_choices(game.limits),
        initial=game.default_limit,
    )  # fmt: skip
    has_blinds = game.forced not in (ANTES, BRING_IN)
    if has_blinds:
        yield Field("big_blind_minor", AMOUNT, _("Big blind"), FORCED)
        yield Field("small_blind_minor", AMOUNT, _("Small blind"), FORCED, _("half the big one"))
    if game.forced in (BLINDS, BLINDS_OR_ANTES):
        yield Field(
            "straddle", CHOICE, _("Straddles"), FORCED,
            choices=(
                ("", _("none")), ("left", _("left of the big blind")), ("button", _("the button")),
                ("either", _("either of them")),
            ),
        )  # fmt: skip
    if game.forced in (BLINDS, BLINDS_OR_ANTES) and FIXED in game.limits:
        yield from _of_kill()
    if has_blinds and any(isinstance(step, Deal) and step.board for step in game.steps):
        yield from _of_bomb_pot()
    if FIXED in game.limits:
        small = _("the big blind") if has_blinds else ""
        yield Field("small_bet_minor", AMOUNT, _("Small bet"), BETS, small, limits=(FIXED,))
        yield Field(
            "big_bet_minor", AMOUNT, _("Big bet"), BETS, _("twice the small one"), limits=(FIXED,)
        )
        yield Field("max_raises", WHOLE, _("Raises in a round"), BETS, "3", limits=(FIXED,))
        yield Field(
            "uncapped_heads_up", FLAG, _("No cap on raises between two"), BETS, limits=(FIXED,)
        )
    if loose:
        least = _("the big blind") if has_blinds else ""
        yield Field("min_bet_minor", AMOUNT, _("Least bet"), BETS, least, limits=loose)
    if SPREAD in game.limits:
        yield Field("spread_minor.0", AMOUNT, _("Spread from"), BETS, limits=(SPREAD,))
        yield Field("spread_minor.1", AMOUNT, _("Spread to"), BETS, limits=(SPREAD,))
    yield Field("cap_big_blinds", WHOLE, _("Cap: most big blinds a hand"), BETS, _("none"))
    ante = _("none") if has_blinds else _("a fifth of the small bet")
    yield Field("ante_minor", AMOUNT, _("Ante"), FORCED, ante)
    if game.forced == BRING_IN:
        yield Field("bring_in_minor", AMOUNT, _("Bring-in"), FORCED, _("half the small bet"))
        yield Field(
            "bring_in_tie", CHOICE, _("Equal cards bring in by"), RULES,
            choices=(("suit", _("suit")), ("position", _("position"))), initial="suit",
        )  # fmt: skip
    yield from _of_rake()
    yield from _of_drop()
    yield Field("auto_muck", FLAG, _("Losing hands are mucked by themselves"), RULES, initial=True)
    yield Field(
        "odd_chips", CHOICE, _("The odd chip goes by"), RULES,
        choices=(("position", _("position")), ("suit", _("suit"))), initial="position",
    )  # fmt: skip
    yield from _of_showing()
    yield from _of_rules(game)


def _of_kill() -> Iterator[Field]:
    yield Field(
        "kill.size", CHOICE, _("Kill pots"), FORCED, limits=(FIXED,),
        choices=(("", _("none")), ("full", _("full kill")), ("half", _("half kill"))),
    )  # fmt: skip
    yield Field(
        "kill.after", CHOICE, _("Kills"), FORCED, limits=(FIXED,), initial="two_in_a_row",
        choices=(("two_in_a_row", _("who wins two in a row")), ("scoop", _("who scoops a pot"))),
    )  # fmt: skip
    yield Field("kill.from_minor", AMOUNT, _("From a pot of"), FORCED, limits=(FIXED,))


def _of_bomb_pot() -> Iterator[Field]:
    yield Field("bomb_pot.ante_minor", AMOUNT, _("Bomb pots: ante"), FORCED, _("none"))
    yield Field(
        "bomb_pot.boards", CHOICE, _("Bomb pots: boards"), FORCED,
        choices=(("1", "1"), ("2", "2")), initial="1",
    )  # fmt: skip
    yield Field(
        "bomb_pot.every_hands", WHOLE, _("Bomb pots: every so many hands"), FORCED,
        _("only when asked for"),
    )  # fmt: skip


def _of_showing() -> Iterator[Field]:
    yield Field(
        "runs", CHOICE, _("All-in hands are run"), RULES, initial="1",
        choices=(("1", _("once")), ("2", _("up to twice")), ("3", _("up to three times"))),
    )  # fmt: skip
    yield Field("show_window", FLAG, _("Players are asked whether they show"), RULES)
    yield Field("rabbit", FLAG, _("The board that would have come is shown"), RULES)


def _of_rake() -> Iterator[Field]:
    yield Field("rake.basis_points", PERCENT, _("Rake, percent of the pot"), RAKE, _("none"))
    words = (_("Cap with two"), _("Cap with three or four"), _("Cap with five or more"))
    for players, label in zip(CAPS, words, strict=True):
        yield Field(f"rake.caps_minor.{players}", AMOUNT, label, RAKE, _("as with fewer"))
    yield Field("rake.no_flop_no_drop", FLAG, _("No flop, no drop"), RAKE, initial=True)


def _of_drop() -> Iterator[Field]:
    """What a hand gives to the jackpots of its table: a sum, or a part of its pots."""
    yield Field("drop.amount_minor", AMOUNT, _("Jackpot drop"), RAKE, _("none"))
    yield Field("drop.basis_points", PERCENT, _("or percent of the pot"), RAKE, _("none"))
    yield Field("drop.most_minor", AMOUNT, _("Most of that part"), RAKE, _("no limit"))
    yield Field("drop.from_minor", AMOUNT, _("Drop from a pot of"), RAKE, _("any"))


def _of_rules(game: PokerGame) -> Iterator[Field]:
    """House rules that this very game knows."""
    bets = [step for step in game.steps if isinstance(step, Bet)]
    lows = [share for share in game.shares if share.side == "low"]
    rankings = {share.ranking for share in game.shares}
    if any(bet.pair_doubles for bet in bets):
        yield Field(
            "no_double_bet", FLAG, _("An open pair does not double the bet"), RULES, limits=(FIXED,)
        )
    if any(bet.openers for bet in bets):
        yield Field(
            "openers", CHOICE, _("A pair to open with"), RULES,
            choices=(("J", _("jacks")), ("Q", _("queens")), ("K", _("kings")), ("A", _("aces"))),
            initial="J",
        )  # fmt: skip
    if any(share.at_least for share in game.shares):
        yield Field(
            "winner_min", FLAG, _("The pot needs its least winning hand"), RULES, initial=True
        )
    if rankings & {"7ob", "8ob", "9ob"}:
        yield Field(
            "low_top", CHOICE, _("A low is at most"), RULES,
            choices=(("", _("as the game says")), ("7", "7"), ("8", "8"), ("9", "9")),
        )  # fmt: skip
    if game.checked_seven:
        yield Field(
            "no_check_raise", FLAG, _("Who checked after the draw may not raise"), RULES,
            limits=(FIXED,),
        )  # fmt: skip
    if lows or rankings <= {"high", "bug_high"}:
        yield Field(
            "low", CHOICE, _("Lows are ranked"), RULES,
            choices=(
                ("", _("as the game says")), ("a5", _("ace to five")), ("a6", _("ace to six")),
                ("27", _("deuce to seven")),
            ),
        )  # fmt: skip
        yield Field("declare", FLAG, _("Hands are declared"), RULES)
    if game.deck in ("53", "54"):
        yield Field("no_joker", FLAG, _("Without the joker"), RULES)
        yield Field("naturals_win", FLAG, _("Natural hands beat equal wild ones"), RULES)
    elif game.wild or rankings & {"spit_high", "wild_high"}:
        yield Field("naturals_win", FLAG, _("Natural hands beat equal wild ones"), RULES)
    if rankings & {"badugi", "badugi_ace_high"}:
        yield Field("badugi_ace_high", FLAG, _("Aces are high in a badugi"), RULES)
    if any(isinstance(step, Pass) for step in game.steps):
        yield Field("rollout", FLAG, _("Cards are rolled out one by one"), RULES)
        yield Field("bet_before_pass", FLAG, _("A round of bets before the first pass"), RULES)
    if "spit_high" in rankings and isinstance(game.steps[0], Deal) and game.steps[0].board:
        yield Field("spit_called", FLAG, _("Players call for the spit"), RULES)
        yield Field("only_spit_wild", FLAG, _("Only the spit itself is wild"), RULES)
    if game.kill:
        yield Field("kill_card", CHOICE, _("The card that kills a deal"), RULES,
                    choices=tuple((card, card) for card in _cards()), initial="Kh")  # fmt: skip
    if game.die:
        faces = tuple((f"{n} {hand}", f"{n} {hand}") for n in DIE_CARDS for hand in DIE_HANDS)
        for nth, face in enumerate(game.die):
            yield Field(f"die_map.{nth}", CHOICE, _("Face {0} of the die"), RULES,
                        choices=faces, initial=face, args=(nth + 1,))  # fmt: skip


def _cards() -> Iterator[str]:
    return (rank + suit for suit in "shdc" for rank in "23456789TJQKA")


def _of_mix(mix: MixedGame) -> Iterator[Field]:
    yield Field("small_bet_minor", AMOUNT, _("Small bet"), BETS, _("the big blind too"))
    yield Field(
        "limit", CHOICE, _("Limit"), BETS,
        choices=(("", _("each game its own")), *limit_choices(tuple(LIMITS))),
    )  # fmt: skip
    yield Field("big_blind_minor", AMOUNT, _("Big blind at the other limits"), BETS)
    yield Field("spread_minor.0", AMOUNT, _("Spread from"), BETS)
    yield Field("spread_minor.1", AMOUNT, _("Spread to"), BETS)
    yield Field("max_raises", WHOLE, _("Raises in a round"), BETS, "3")
    yield Field("uncapped_heads_up", FLAG, _("No cap on raises between two"), BETS)
    yield Field("cap_big_blinds", WHOLE, _("Cap: most big blinds a hand"), BETS, _("none"))
    if mix.by_button:
        yield Field(
            "variants", FLAG, _("The button may change a game he names"), RULES, initial=True
        )
    else:
        yield Field(
            "change.every", CHOICE, _("The game changes by"), RULES,
            choices=tuple((word, EVERY[word]) for word in CHANGES), initial="minutes",
        )  # fmt: skip
        yield Field("change.count", WHOLE, _("after so many"), RULES, initial=20)
    yield from _of_rake()
    yield from _of_drop()
    yield Field("auto_muck", FLAG, _("Losing hands are mucked by themselves"), RULES, initial=True)
    yield from _of_showing()
    yield Field("naturals_win", FLAG, _("Natural hands beat equal wild ones"), RULES)
    for name, label, words in (
        ("odd_chips", _("The odd chip goes by"), ("position", "suit")),
        ("bring_in_tie", _("Equal cards bring in by"), ("suit", "position")),
    ):
        said = {"position": _("position"), "suit": _("suit")}
        yield Field(name, CHOICE, label, RULES, choices=tuple((w, said[w]) for w in words),
                    initial=words[0])  # fmt: skip
    yield Field("level_minutes", WHOLE, _("Minutes a level of bets lasts"), RULES)


def _of_bluff(game: BluffGame) -> Iterator[Field]:
    yield Field("ante_minor", AMOUNT, _("Ante"), FORCED)
    yield Field(
        "loss", CHOICE, _("The loser of a challenge loses"), RULES,
        choices=tuple((word, LOSSES[word]) for word in game.losses), initial=game.losses[0],
    )  # fmt: skip
    yield Field("lives", WHOLE, _("Lives of a player"), RULES, "3")
    yield from (field for field in _of_rake() if field.name != "rake.no_flop_no_drop")


def _of_banked(game: BankedGame) -> Iterator[Field]:
    for wager in game.placed:
        if isinstance(wager, Progressive):
            yield Field(f"limits.{wager.id}.on", FLAG, _("Progressive is offered"), BETS)
            continue
        for end, label in (
            ("least", _("{0}, from")), ("most", _("{0}, to")), ("step", _("{0}, in steps of")),
        ):  # fmt: skip
            yield Field(f"limits.{wager.id}.{end}_minor", AMOUNT, label, BETS, args=(wager.name,))
    yield Field("spots_per_player", WHOLE, _("Spots a player may have"), RULES, initial=1)


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted names as objects: {"rake.basis_points": 5} is {"rake": {"basis_points": 5}}."""
    found: dict[str, Any] = {}
    for name, value in flat.items():
        *path, last = name.split(".")
        into = found
        for part in path:
            into = into.setdefault(part, {})
        into[last] = value
    return found


def flat(options: Mapping[str, Any], name: str) -> Any:
    """The value of a dotted name; None where there is none."""
    held: Any = options
    for part in name.split("."):
        if isinstance(held, Mapping):
            held = held.get(part)
        elif isinstance(held, (list, tuple)) and part.isdigit() and int(part) < len(held):
            held = held[int(part)]
        else:
            return None
    return held
