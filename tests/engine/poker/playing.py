"""Hands for tests: tables with sensible stakes, and players who do anything that is legal."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from tables.engine.cards import FIRST_JOKER, parse_cards
from tables.engine.games import GAMES, WITH_KILL_CARD
from tables.engine.history.stacking import stacked_deck
from tables.engine.poker.hand import PokerHand, start
from tables.engine.poker.openers import may_open
from tables.engine.poker.options import read_options
from tables.engine.poker.scoring import hole_cards
from tables.engine.poker.variants import dealt_as
from tables.engine.poker.vocabulary import ANTES, BRING_IN, DECKS, PokerGame
from tables.engine.protocol import Event, SeatIn

ALL_GAMES = {**GAMES, **WITH_KILL_CARD}
RING_GAMES = sorted(game.id for game in ALL_GAMES.values() if isinstance(game, PokerGame))


CARD_ACTIONS = ("draw", "discard", "pass_cards", "arrange", "show")

TABLE_OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "omaha8": ({}, {"low_top": 9}),
    "stud8": ({}, {"no_double_bet": True}),
    "california_lowball": ({}, {"no_check_raise": True}),
    "baduci": ({}, {"badugi_ace_high": True}),
    "gardena_jackpots": ({}, {"winner_min": None}),
    "hilo_declare": ({}, {"low": "27"}, {"no_joker": True}),
    "shotgun": ({}, {"low": "a5"}),
    "skinny_minnie": ({}, {"declare": True}),
    "spit_in_the_ocean": ({}, {"only_spit_wild": True}, {"spit_called": True}),
    "anaconda": ({}, {"bet_before_pass": True}, {"rollout": True, "bet_before_pass": True}),
}


def ring_game(game_id: str) -> PokerGame:
    game = ALL_GAMES[game_id]
    assert isinstance(game, PokerGame)
    return game


def table_options(game: PokerGame, limit: str | None = None, **changes: Any) -> dict[str, Any]:
    """Stakes of 2 and 4; changes win."""
    options: dict[str, Any] = {"limit": limit or game.default_limit}
    if options["limit"] == "spread":
        options["spread_minor"] = [2, 10]
    if game.forced in (ANTES, BRING_IN):
        options |= {"small_bet_minor": 4, "ante_minor": 1}
    else:
        options |= {"small_blind_minor": 1, "big_blind_minor": 2}
    return options | changes


def shuffled(game: PokerGame, random: Random) -> list[int]:
    deck = list(DECKS[game.deck])
    random.shuffle(deck)
    return deck


def random_start(game: PokerGame, random: Random) -> tuple[PokerHand, list[Event], dict[str, Any]]:
    """A hand with random seats, stacks, limit, button, rake and deck; and its options."""
    count = random.choice(game.seats)
    numbers = sorted(random.sample(range(1, 11), count))
    deep = random.choice((6, 40, 300))
    seats = [SeatIn(number, random.randint(1, deep)) for number in numbers]
    options = table_options(game, random.choice(game.limits), auto_muck=random.random() < 0.5)
    if random.random() < 0.5:
        options["rake"] = {"basis_points": 500, "caps_minor": {"2": 3, "4": 6}}
    options |= random.choice(TABLE_OPTIONS.get(game.id, ({},)))
    if random.random() < 0.2:
        options["drop"] = random.choice(
            ({"amount_minor": 3, "from_minor": 9}, {"basis_points": 900, "most_minor": 7})
        )
    if random.random() < 0.2:
        options["cap_big_blinds"] = random.randint(5, 30)
    if random.random() < 0.3:
        options["runs"] = random.choice((2, 3))
    if random.random() < 0.3:
        options |= {"show_window": True, "rabbit": True}
    deck = shuffled(game, random)
    if options.get("no_joker"):
        deck.remove(FIRST_JOKER)
    button = random.randint(1, 10)
    carry = {"carry_minor": 7, "openers": "Q"} if random.random() < 0.2 else None
    setup = {"button": button, "carry": carry, "die": random.randint(1, 6)}
    hand, events = start(game, seats, options, deck, **setup)
    return hand, events, {"deck": deck, "seats": seats, "setup": setup}


def any_action(hand: PokerHand, seat: int, random: Random) -> dict[str, Any]:
    """Something legal for the seat; folding and raising not too often."""
    choices = [choice for choice in hand.legal(seat) if _open_to(hand, seat, choice)]
    if choices[0]["name"] == "fold" and len(choices) > 1 and random.random() < 0.85:
        choices = choices[1:]
    choice = random.choice(choices)
    action: dict[str, Any] = {"name": choice["name"]}
    if "most_to_minor" in choice:
        least, most = choice["least_to_minor"], choice["most_to_minor"]
        action["to_minor"] = random.choice((least, most, random.randint(least, most)))
    if "most_cards" in choice:
        held = choice["of"]
        count = random.randint(choice["least_cards"], choice["most_cards"])
        action["cards"] = random.sample(range(held), count)
    if "options" in choice:
        action["choice"] = random.choice(choice["options"])
    return action


def _open_to(hand: PokerHand, seat: int, choice: dict[str, Any]) -> bool:
    """Whether the seat holds what an opening takes (everybody is offered it)."""
    if "openers" not in choice:
        return True
    return may_open(hole_cards(hand, hand.numbers.index(seat)), choice["openers"])


def played(hand: PokerHand, random: Random) -> Iterator[tuple[int, dict[str, Any], list[Event]]]:
    """Play to the end; yields (seat, action, events) after each action; seat 0: a reshuffle."""
    for _ in range(2_000):
        if hand.over:
            return
        if hand.window == "reshuffle":
            order = hand.mucked
            random.shuffle(order)
            yield 0, {"order": order}, hand.reshuffle(order)
            continue
        seat = random.choice(hand.waiting)
        action = any_action(hand, seat, random)
        yield seat, action, hand.act(seat, action)
    raise AssertionError("the hand does not end")


def repeat(hand: PokerHand, seat: int, action: dict[str, Any]) -> list[Event]:
    """Do again what `played` has told."""
    return hand.act(seat, action) if seat else hand.reshuffle(action["order"])


def scripted(
    game_id: str,
    stacks: list[int],
    *,
    button: int = 0,
    hole: list[str] | None = None,
    board: str = "",
    limit: str | None = None,
    die: int = 0,
    carry: dict[str, Any] | None = None,
    **options: Any,
) -> tuple[PokerHand, list[Event]]:
    """A hand of seats 0.. whose cards come out as told ("As Kd" per seat); burns are any cards."""
    game = ring_game(game_id)
    table = read_options(game, table_options(game, limit, **options))
    script = {
        "hole": [hand.split() for hand in hole] if hole else [[] for _ in stacks],
        "board": board.split(),
        "button": button,
        "actions": [],
    }
    return start(
        game,
        [SeatIn(seat, stack) for seat, stack in enumerate(stacks)],
        table,
        stacked_deck(dealt_as(game, table, die), script),
        button=button,
        die=die,
        carry=carry,
    )


def do(hand: PokerHand, *actions: str) -> list[Event]:
    """Act for whoever is awaited: "call", "raise 20", "draw 0 3" ... Returns all events."""
    events: list[Event] = []
    for text in actions:
        name, *figures = text.split()
        action: dict[str, Any] = {"name": name}
        if name in CARD_ACTIONS:
            action["cards"] = [int(figure) for figure in figures]
        elif name == "declare":
            action["choice"] = figures[0]
        elif figures:
            action["to_minor"] = int(figures[0])
        events += hand.act(hand.waiting[0], action)
    return events


def stacks_of(hand: PokerHand) -> dict[int, int]:
    return dict(zip(hand.numbers, hand.stacks, strict=True))


def cards(text: str) -> tuple[int, ...]:
    return tuple(parse_cards(text.split()))
