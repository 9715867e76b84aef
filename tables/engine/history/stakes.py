"""What a game can be played for when nobody has set a table up: options, decks, seats and chips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import orjson

from tables.engine.banked.options import DEALS, SEAT_ORDERS
from tables.engine.banked.options import read_options as read_banked_options
from tables.engine.banked.vocabulary import BankedGame, Progressive
from tables.engine.bluff.vocabulary import BluffGame
from tables.engine.errors import BadOptions
from tables.engine.games import (
    GAMES,
    WITH_KILL_CARD,
    Game,
    game_of,
    load_hand,
    part_game,
    start_hand,
)
from tables.engine.games.mixed import DEFAULT_CHANGE, MixedGame, options_of, parts_of
from tables.engine.games.three_card_poker import STANDARD_PAYTABLES
from tables.engine.poker.hand import deck_of
from tables.engine.poker.options import options_of as ring_options
from tables.engine.poker.options import read_options
from tables.engine.poker.vocabulary import ANTES, BRING_IN, SPREAD, PokerGame
from tables.engine.protocol import Event, Hand, Json, SeatIn
from tables.engine.reasons import Reason

BET_MINOR = 100
"""The big blind, the small bet, or the least wager."""

DICE_AT_A_TIME = 60


class Chance(Protocol):
    """Where randomness comes from: the engine has none of its own."""

    def random(self) -> float: ...
    def randint(self, a: int, b: int, /) -> int: ...
    def choice(self, seq: Any, /) -> Any: ...
    def sample(self, population: Any, k: int) -> list[Any]: ...
    def shuffle(self, x: Any, /) -> None: ...


MODIFIERS = ("four_before_", "double_", "triple_")


def dealt_by(game_id: str) -> Game:
    """The game of an id, modified ones included. Raises UnknownGame."""
    return WITH_KILL_CARD.get(game_id) or game_of(game_id)


def is_modified(game_id: str) -> bool:
    """Whether an id is another game's with a modifier."""
    if game_id in WITH_KILL_CARD:
        return True
    return any(game_id.startswith(word) and game_id[len(word) :] in GAMES for word in MODIFIERS)


def limits_of(game: Game | MixedGame) -> tuple[str, ...]:
    """The betting structures a game may be set to, its usual one first; () where there are none."""
    return game.limits if isinstance(game, PokerGame | MixedGame) else ()


def default_options(game: Game | MixedGame, limit: str | None = None, **changes: Any) -> Json:
    """Complete options of a table in small stakes; changes win. Raises BadOptions."""
    if isinstance(game, MixedGame):
        usual: Json = {"small_bet_minor": BET_MINOR}
        if not game.by_button:
            usual["change"] = dict(DEFAULT_CHANGE)
        return {**usual, **({"limit": limit} if limit else {}), **changes}
    if isinstance(game, PokerGame):
        return read_options(game, {**_ring_stakes(game, limit), **changes}).to_json()
    if limit is not None:
        raise BadOptions("limit", Reason("no_structure", game=game.id))
    if isinstance(game, BankedGame):
        return {**_banked_options(game), **changes}
    usual = {"ante_minor": BET_MINOR, "loss": game.losses[0], "lives": 3, "chip_minor": 1}
    return {**usual, **changes}


def rotation(game: Game | MixedGame, options: Json) -> list[tuple[Game, Json]]:
    """The games a table deals one after the other, each with its options. Raises BadOptions."""
    if not isinstance(game, MixedGame):
        return [(game, options)]
    found: list[tuple[Game, Json]] = []
    for part in parts_of(game, options):
        dealt = part_game(part)
        found.append((dealt, options_of(part, dealt, options)))
    return found


def _ring_stakes(game: PokerGame, limit: str | None) -> Json:
    stakes: Json = {"limit": limit or game.default_limit, "min_bet_minor": BET_MINOR}
    if game.forced in (ANTES, BRING_IN):
        stakes["small_bet_minor"] = BET_MINOR
    else:
        stakes["big_blind_minor"] = BET_MINOR
    if stakes["limit"] == SPREAD:
        stakes["spread_minor"] = [BET_MINOR, 5 * BET_MINOR]
    return stakes


def _banked_options(game: BankedGame) -> Json:
    paytables = {name: next(iter(known.values())) for name, known in STANDARD_PAYTABLES.items()}
    limits = {"least_minor": BET_MINOR, "most_minor": 100 * BET_MINOR, "step_minor": BET_MINOR}
    options: Json = {
        "limits": {w.id: dict(limits) for w in game.placed if not isinstance(w, Progressive)},
        "paytables": {name: dict(table) for name, table in paytables.items()},
    }
    read = read_banked_options(game, options)
    return {
        **options,
        "qualifier": read.qualifier,
        "deal": DEALS[0],
        "settle_wagers": list(read.settle_wagers),
        "settle_seats": SEAT_ORDERS[0],
    }


def fresh_deck(game: Game, options: Json, random: Chance) -> list[int]:
    """Shuffled cards; rolled dice where a game is played with them."""
    if isinstance(game, BluffGame):
        return more_dice(random)
    if isinstance(game, PokerGame):
        deck = list(deck_of(game, ring_options(game, options)))
    else:
        deck = list(game.deck)
    deck.sort(key=lambda _: random.random())  # a shuffle, at a fifth of its price
    return deck


def more_dice(random: Chance) -> list[int]:
    return [random.randint(1, 6) for _ in range(DICE_AT_A_TIME)]


@dataclass(frozen=True, slots=True)
class Setup:
    """All that a hand begins with; the same setup and the same actions give the same hand."""

    game: Game
    options: Json
    seats: tuple[SeatIn, ...]
    deck: list[int]
    button: int
    carry: Json | None = None
    die: int = 0
    posts: tuple[Json, ...] | None = None

    @property
    def brought_minor(self) -> int:
        """Chips on the table, those of a carried pot included."""
        carried = int(self.carry["carry_minor"]) if self.carry else 0
        return sum(seat.stack_minor for seat in self.seats) + carried

    def start(self) -> tuple[Hand, list[Event]]:
        """Raises BadSeats, BadOptions, CardNotInDeck."""
        return start_hand(
            self.game,
            self.seats,
            self.options,
            self.deck,
            button=self.button,
            posts=self.posts,
            carry=self.carry,
            die=self.die,
        )

    def load(self, state: bytes, deck: Sequence[int] | None = None) -> Hand:
        """The hand of a dumped state; deck: another one than its own."""
        cards = self.deck if deck is None else deck
        return load_hand(self.game, self.options, orjson.loads(state), cards)
