"""The catalogue of games, and the one door to start or go on with a hand of any family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from tables.engine.banked import rounds
from tables.engine.banked.vocabulary import BankedGame
from tables.engine.bluff import play as liars_dice
from tables.engine.bluff.vocabulary import BluffGame
from tables.engine.errors import BadOptions, UnknownGame
from tables.engine.games import bluff, draw, holdem, home, omaha, stud
from tables.engine.games.custom import composed
from tables.engine.games.mixed import MIXES, MixedGame, Part
from tables.engine.games.three_card_poker import THREE_CARD_POKER
from tables.engine.poker import hand as ring_games
from tables.engine.poker.variants import with_kill_card
from tables.engine.poker.vocabulary import PokerGame
from tables.engine.protocol import Event, Hand, Seats
from tables.engine.reasons import Reason

Game: TypeAlias = PokerGame | BankedGame | BluffGame

CUSTOM = "custom"

ALL: tuple[Game, ...] = (
    *holdem.GAMES,
    *omaha.GAMES,
    *stud.GAMES,
    *draw.GAMES,
    *home.GAMES,
    *bluff.GAMES,
    THREE_CARD_POKER,
)

GAMES: dict[str, Game] = {game.id: game for game in ALL}

WITH_KILL_CARD: dict[str, PokerGame] = {
    game.id: game
    for game in map(
        with_kill_card, (*holdem.GAMES, *omaha.GAMES, *stud.GAMES, home.SPIT_IN_THE_OCEAN)
    )
}
"""Games with cards that lie face up, with a card that ends the deal; they are named, not listed."""


def game_of(game_id: str) -> Game:
    """The game of an id. Raises UnknownGame."""
    game = GAMES.get(game_id) or WITH_KILL_CARD.get(game_id)
    if game is None:
        raise UnknownGame(game_id)
    return game


def named(game_id: str, options: Mapping[str, Any]) -> Game | MixedGame:
    """What a table may be opened for: a game, a mix, or what its options compose.

    options: for `custom`, {"custom": {"name", "base"?: a game's id, "changes": {...}}}, the changes
    in the JSON form of a definition. Raises UnknownGame, BadDefinition, BadOptions.
    """
    mix = MIXES.get(game_id)
    if mix is not None:
        # A rotation of the table's own goes by no other's name.
        is_own = options.get("games") is not None and not mix.by_button
        return replace(mix, name="Mixed games") if is_own else mix
    if game_id != CUSTOM:
        return game_of(game_id)
    said = options.get(CUSTOM)
    if not isinstance(said, Mapping) or not isinstance(said.get("changes", {}), Mapping):
        raise BadOptions(CUSTOM, Reason("composed_of"))
    base = None if said.get("base") is None else game_of(str(said["base"]))
    if base is not None and not isinstance(base, PokerGame):
        raise BadOptions(CUSTOM, Reason("no_poker_game", game=base.id))
    changes = dict(said.get("changes", {}))
    return composed(base, {**changes, "id": CUSTOM, "name": str(said.get("name") or "Custom game")})


def part_game(part: Part) -> PokerGame:
    """The game of a mix's part. Raises UnknownGame, BadDefinition, BadOptions."""
    game = named(part.game, {} if part.custom is None else {CUSTOM: part.custom})
    if not isinstance(game, PokerGame):
        raise BadOptions("games", Reason("no_poker_game", game=part.game))
    return game


def varied(part: Part, changes: Mapping[str, Any]) -> Part:
    """A part with changes, as a game the table composes: what its button may name instead.

    changes: fields of the definition in its JSON form, `name` among them. Raises what `part_game`
    does for a game that cannot be dealt.
    """
    custom: Mapping[str, Any] = part.custom or {"base": part.game}
    known = {**custom.get("changes", {}), **changes}
    name = known.pop("name", None) or f"{part_game(part).name}, changed"
    made = Part(CUSTOM, part.limit, {**custom, "name": name, "changes": known})
    part_game(made)
    return made


def own_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """A table's options without what composes its game."""
    return {name: value for name, value in options.items() if name != CUSTOM}


def game_from_json(data: Mapping[str, Any]) -> Game:
    """The definition a hand has stored. Raises UnknownGame, BadDefinition."""
    family = data.get("family")
    if family == PokerGame.family:
        return PokerGame.from_json(data)
    if family == "banked":
        return BankedGame.from_json(data)
    if family == BluffGame.family:
        return BluffGame.from_json(data)
    raise UnknownGame(f"{data.get('id')} of family {family}")


def start_hand(
    game: Game,
    seats: Seats,
    options: Mapping[str, Any],
    deck: Sequence[int],
    *,
    button: int | None = None,
    posts: Sequence[Mapping[str, Any]] | None = None,
    carry: Mapping[str, Any] | None = None,
    die: int = 0,
    first: int | None = None,
) -> tuple[Hand, list[Event]]:
    """Start a hand of any family; button, posts, carry and die are for ring games.

    seats: those dealt in, clockwise. deck: the cards in dealing order; the engine never shuffles.
    posts: who posts what when blinds do not simply follow the button, see `poker.forced`.
    carry: the "carry" of the result before. die: what was rolled, in games that roll one first.
    first: the seat that begins at liar's dice; None lets the dice say.
    """
    if isinstance(game, BankedGame):
        return rounds.start(game, seats, options, deck)
    if isinstance(game, BluffGame):
        return liars_dice.start(game, seats, options, deck, first=first)
    if button is None:
        raise BadOptions("button", Reason("button_seat"))
    return ring_games.start(
        game, seats, options, deck, button=button, posts=posts, carry=carry, die=die
    )


def load_hand(
    game: Game, options: Mapping[str, Any], state: Sequence[Any], deck: Sequence[int]
) -> Hand:
    """A hand from its stored state."""
    if isinstance(game, BankedGame):
        return rounds.load(game, options, state, deck)
    if isinstance(game, BluffGame):
        return liars_dice.load(game, options, state, deck)
    return ring_games.load(game, options, state, deck)
