"""The engine as the rest of this app sees it: any family, through the one protocol."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson

from tables.engine import games
from tables.engine.bluff.vocabulary import BluffGame
from tables.engine.poker.vocabulary import DECKS, PokerGame
from tables.engine.protocol import Event, Hand, SeatIn

# Stored with every hand: which engine can play it again, byte for byte.
ENGINE_VERSION = "1"
# Windows in which a hand waits for the house, not for a seat: for the deck that the players' seeds
# choose, for the mucked cards in a fresh order, for more dice.
CLOSED, RESHUFFLE, DICE = "closed", "reshuffle", "dice"
FOR_THE_HOUSE = (CLOSED, RESHUFFLE, DICE)
DICE_AT_ONCE = 240
# What a decision may take when the table's timing does not say.
DEFAULT_S = {
    "betting": 15, "decision": 15, "action": 20, "name_game": 20, "agree": 10, "run": 12,
    "show": 6,
}  # fmt: skip
# Windows that ask for nothing a player must give: silence costs him neither a clock nor his seat.
COURTESIES = ("run", "show")


@dataclass(frozen=True, slots=True)
class Turn:
    """What becomes of the decision window: it stays, another opens, or nobody is asked."""

    mode: str
    public: dict[str, Any]
    time_ms: int | None = None


KEEP = Turn("keep", {})
NONE = Turn("none", {})


@dataclass(frozen=True, slots=True)
class Ending:
    """A hand that has just ended: its result and the public view of its end."""

    result: dict[str, Any]
    view: dict[str, Any]


@lru_cache(maxsize=256)
def _definition(text: bytes) -> games.Game:
    return games.game_from_json(orjson.loads(text))


def definition(data: Mapping[str, Any]) -> games.Game:
    return _definition(orjson.dumps(data))


def start(
    data: Mapping[str, Any],
    seats: list[SeatIn],
    options: Mapping[str, Any],
    deck: list[int],
    *,
    button: int | None,
    posts: Sequence[Mapping[str, Any]] | None = None,
    carry: Mapping[str, Any] | None = None,
    first: int | None = None,
) -> tuple[Hand, list[Event]]:
    """Start a hand of any family.

    deck: cards in dealing order, a die behind them in games that roll one first; or dice.
    carry: what the hand before left in the pot. first: who begins at liar's dice.
    """
    game = definition(data)
    if isinstance(game, PokerGame):
        cards = len(DECKS[game.deck])
        die = deck[cards] + 1 if game.die else 0
        return games.start_hand(
            game, seats, options, deck[:cards], button=button, posts=posts, carry=carry, die=die
        )
    return games.start_hand(game, seats, options, faces(game, deck), first=first)


def load(data: Mapping[str, Any], options: Mapping[str, Any], state: str, deck: list[int]) -> Hand:
    game = definition(data)
    return games.load_hand(game, options, orjson.loads(state), faces(game, deck))


def faces(game: games.Game, deck: list[int]) -> list[int]:
    """Dice are committed as 0 to 5 and show 1 to 6."""
    return [die + 1 for die in deck] if isinstance(game, BluffGame) else deck


def legal(hand: Hand, seats: Sequence[int]) -> list[dict[str, Any]]:
    """What a player dealt in at these seats may do; each action names its seat if several."""
    if len(seats) == 1:
        return hand.legal(seats[0])
    return [{"seat": seat, **action} for seat in seats for action in hand.legal(seat)]


def dump(hand: Hand) -> str:
    return orjson.dumps(hand.dump()).decode()


def turn_after(
    hand: Hand, *, before: int | None, timing: Mapping[str, Any], away: Sequence[int]
) -> Turn:
    """What became of the decision window, `before` being the hand's turn counter until now."""
    if hand.over or hand.window in FOR_THE_HOUSE:
        return NONE
    if hand.turn == before:
        return KEEP
    public: dict[str, Any] = {"window": hand.window, "seats": list(hand.waiting)}
    if len(hand.waiting) == 1:
        # What a seat may choose from is public: the rules never let it depend on hidden cards.
        legal = hand.legal(hand.waiting[0])
        public["actions"] = [choice["name"] for choice in legal]
        for choice in legal:
            if choice["name"] == "bring_in":
                public["bring_in_minor"] = choice["amount_minor"]
        shown = hand.view(None)
        for name in ("call_minor", "least_to_minor", "most_to_minor"):
            if shown.get(name) is not None:
                public[name] = shown[name]
    return Turn("open", public, _time_ms(hand, timing, away))


def _time_ms(hand: Hand, timing: Mapping[str, Any], away: Sequence[int]) -> int:
    if hand.waiting and all(seat in away for seat in hand.waiting):
        return 0  # nobody is there to decide: the default comes as soon as the clock sees it
    kind = hand.window if hand.window in DEFAULT_S else "action"
    seconds: float = timing.get(f"{kind}_s", DEFAULT_S[kind])
    return round(1000 * seconds)


def ending(hand: Hand) -> Ending | None:
    if not hand.over:
        return None
    assert hand.result is not None
    return Ending(hand.result, hand.view(None))


def buy_in(options: Mapping[str, Any], least_minor: int, most_minor: int) -> dict[str, int]:
    """What a player may bring, and where there are blinds how many big blinds that is.

    Source: docs/rules/seating.md 1.1.
    """
    facts = {"least_minor": least_minor, "most_minor": most_minor}
    big = (options.get("blinds_minor") or [options.get("big_blind_minor") or 0])[-1]
    if isinstance(big, int) and big > 0:
        facts |= {"least_big_blinds": -(-least_minor // big), "most_big_blinds": most_minor // big}
    return facts


def deck_of(game: games.Game) -> tuple[list[int], int]:
    """The cards a game is dealt from, in order, and how many dice it rolls from that deck."""
    if isinstance(game, PokerGame):
        return list(DECKS[game.deck]), int(bool(game.die))
    if isinstance(game, BluffGame):
        return [], DICE_AT_ONCE
    return list(game.deck), 0
