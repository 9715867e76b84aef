"""Every parser that reads what others have written, with what it may say to it.

A parser returns or raises one of its own errors; anything else is a fault of the house.
"""

from __future__ import annotations

import functools
import io
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import orjson
from hypothesis import strategies as st
from rest_framework.exceptions import ParseError

from casino.core.api.parsing import PlainJsonParser
from casino.core.errors import AddressRefused, NameRefused
from casino.core.money import minor_of
from casino.core.outgoing import is_public, url_of
from casino.core.services import display_name_clean, username_clean
from tables.engine.cards import parse_card, parse_cards
from tables.engine.errors import RuleViolation
from tables.engine.games import GAMES
from tables.engine.games.custom import composed, warnings
from tables.engine.history.choices import any_action
from tables.engine.history.scripts import read_script
from tables.engine.history.stakes import Setup, default_options, fresh_deck
from tables.engine.poker.jackpots import read_terms
from tables.engine.poker.options import read_options
from tables.engine.poker.vocabulary import PokerGame
from tables.engine.protocol import Hand, SeatIn
from tables.errors import MalformedMessage
from tables.shapes import action_checked, hash_checked, number_checked
from tests.fuzz.inputs import ANY, SCALARS, TEXT, spoilt
from tests.proof.house import House as ProvingHouse
from tests.proof.verifier import verifier


@dataclass(frozen=True)
class Parser:
    """read: given one input. raises: what it may answer a bad one with."""

    given: st.SearchStrategy[Any]
    read: Callable[[Any], object]
    raises: tuple[type[Exception], ...]


def parse_json(body: bytes) -> object:
    return PlainJsonParser().parse(io.BytesIO(body))


BODIES = st.one_of(
    ANY.map(lambda value: json.dumps(value).encode(errors="surrogatepass")),
    st.binary(max_size=60),
    st.sampled_from([
        b"[" * 100_000, b"[" * 5_000 + b"]" * 5_000, b'{"a":' * 5_000, b"9" * 5_000, b"1e999",
        b'"\\ud800"', b'{"a":1,"a":2}', b"\xff\xfe", b"\xef\xbb\xbf{}", b"[1,]", b"-",
        b'"' + b"x" * 250_000,
    ]),
)  # fmt: skip

RING = [game.to_json() for game in GAMES.values() if isinstance(game, PokerGame)]


def compose(data: Any) -> object:
    if not isinstance(data, dict):
        data = {"steps": data}
    return warnings(composed(None, data))


def recompose(data: Any) -> object:
    base = GAMES["holdem"]
    assert isinstance(base, PokerGame)
    return composed(base, data if isinstance(data, dict) else {"name": data})


OPTIONS = [
    {name: value for name, value in default_options(game).items() if value is not None}
    for game in GAMES.values()
    if isinstance(game, PokerGame)
]


def options(data: Any) -> object:
    game = GAMES["holdem"]
    assert isinstance(game, PokerGame)
    return read_options(game, data if isinstance(data, dict) else {"limit": data})


SCRIPTS = [
    {"seats": {"1": {"hand": "a straight flush", "ranks": "K"}, "2": {"cards": ["Ah", "Ad"]}},
     "board": ["2c", "3c", "4d", "5h", "9s"], "next": ["Tc"], "die": 3},
    {"dealer": {"cards": ["Qs", "6h", "4c"]}, "seats": {"3": {"dice": [1, 1, 6]}}},
]  # fmt: skip
TERMS = [
    {"bad_beat": {"least": {"class": "four_of_a_kind", "ranks": "8"}, "games": ["holdem"],
                  "min_players": 4, "from_minor": 1_000, "pays_bp": 5_000},
     "high_hand": {"least": {"class": "full_house"}, "min_players": 3, "every_min": 60,
                   "pays_minor": 500}, "seed_minor": 10},
]  # fmt: skip
ACTIONS = [
    {"name": "fold"}, {"name": "raise", "to_minor": 600}, {"name": "draw", "cards": ["Ah", "Kd"]},
    {"name": "bet", "wagers": {"ante": 500, "pair_plus": 500}, "seat": 2},
    {"name": "bid", "quantity": 3, "face": 5}, {"name": "declare", "choice": "high"},
    {"name": "name_game", "game": "holdem", "limit": "no_limit", "changes": {"wild": ["2"]}},
    {"name": "pass", "cards": [0, 1, 2]}, {"name": "show"}, {"name": "call", "class": "full_house"},
]  # fmt: skip
FAMILIES = (
    "holdem", "stud8", "triple_draw_27", "anaconda", "hilo_declare", "three_card_poker",
    "bluff_common", "bluff_hand",
)  # fmt: skip


@functools.cache
def hands_in_play() -> list[tuple[Setup, Hand, bytes]]:
    """A hand of each family in each of its first windows, with its state to begin again from."""
    chance, found = random.Random(13), []
    for name in FAMILIES:
        game = GAMES[name]
        options = default_options(game)
        for steps in range(4):
            seats = tuple(SeatIn(seat, 20_000) for seat in (1, 2, 3))
            setup = Setup(game, options, seats, fresh_deck(game, options, chance), 1)
            hand, _ = setup.start()
            for _ in range(steps * 2):
                if hand.over or not hand.waiting:
                    break
                seat = hand.waiting[0]
                hand.act(seat, any_action(hand.legal(seat), chance))
            if not hand.over and hand.waiting:
                found.append((setup, hand, orjson.dumps(hand.dump())))
    return found


def act(given: tuple[int, Any, int]) -> object:
    """What is refused has changed nothing; after what is taken the hand begins again."""
    nth, action, seat = given
    held = hands_in_play()
    setup, hand, state = held[nth % len(held)]
    try:
        events = hand.act(hand.waiting[0] if seat == 0 else seat, action_checked(action))
    except RuleViolation:
        if orjson.dumps(hand.dump()) != state:
            raise AssertionError("refused, but it changed the hand") from None
        raise
    held[nth % len(held)] = (setup, setup.load(state), state)
    return events


@functools.cache
def bundles() -> list[Any]:
    house = ProvingHouse()
    return json.loads(json.dumps([house.ring_hand(decks=2, seats=2), house.dice_hand()]))


@st.composite
def proofs(draw: st.DrawFn) -> Any:
    return draw(spoilt(bundles()))


def name_shown(text: str) -> object:
    shown = display_name_clean(text)
    assert shown.isprintable(), repr(shown)
    assert shown == display_name_clean(shown)
    return shown


def address(text: str) -> object:
    url = url_of(text)
    assert url.scheme == "https"
    return url.host


def public(given: str) -> object:
    return is_public(given)


def amount(given: tuple[str, int]) -> object:
    minor = minor_of(*given)
    assert type(minor) is int
    return minor


CARD_TEXT = st.one_of(TEXT, st.sampled_from(["Ah", "Kd", "Tc", "Jk"]), SCALARS)
HOSTS = st.one_of(
    TEXT,
    st.builds(
        "{}://{}{}{}".format,
        st.sampled_from(["https", "http", "file", "gopher", "HTTPS", "ftp", "javascript"]),
        st.sampled_from(["", "a:b@", "@", "evil@", "[", "[::1]", "[::ffff:127.0.0.1]"]) | TEXT,
        st.sampled_from(["127.0.0.1", "localhost", "0", "017700000001", "2130706433", "例え", ""]),
        st.sampled_from(["", ":0", ":99999", ":-1", ":443x", "/", "?#", "\\@a"]) | TEXT,
    ),
)
PARSERS: dict[str, Parser] = {
    "a card": Parser(CARD_TEXT, parse_card, (RuleViolation,)),
    "cards": Parser(st.lists(CARD_TEXT, max_size=8), parse_cards, (RuleViolation,)),
    "a body": Parser(BODIES, parse_json, (ParseError,)),
    "a composed game": Parser(spoilt(RING), compose, (RuleViolation,)),
    "changes of a game": Parser(spoilt(RING, 2), recompose, (RuleViolation,)),
    "options of a table": Parser(spoilt(OPTIONS), options, (RuleViolation,)),
    "a script of the sandbox": Parser(spoilt(SCRIPTS), read_script, (RuleViolation,)),
    "terms of a jackpot": Parser(spoilt(TERMS), read_terms, (RuleViolation,)),
    "an action's shape": Parser(spoilt(ACTIONS), action_checked, (RuleViolation,)),
    "an action at a hand": Parser(
        st.tuples(st.integers(0, 50), spoilt(ACTIONS), st.integers(-1, 4)), act, (RuleViolation,)
    ),
    "a hash": Parser(ANY, lambda value: hash_checked("seed", value), (MalformedMessage,)),
    "a number": Parser(ANY, lambda value: number_checked("cut", value), (MalformedMessage,)),
    "a proof": Parser(proofs(), verifier.verify, ()),
    "a public name": Parser(TEXT, name_shown, (NameRefused,)),
    "a user name": Parser(TEXT, username_clean, (NameRefused,)),
    "an address of the web": Parser(HOSTS, address, (AddressRefused,)),
    "an amount as typed": Parser(st.tuples(TEXT, st.integers(0, 6)), amount, (ValueError,)),
}
