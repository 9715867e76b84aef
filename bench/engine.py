"""How fast the rules are: hands, stored states, evaluations and exact prices.

Hands are called down by six players (draw games change a card at every draw) over the same decks
as PokerKit's, `folded_out` are hold'em hands folded to the big blind; evaluations stand beside
phevaluator's Python call for seven cards. Everything is CPU time of this process, the best of
several rounds in which both sides take turns: other work on the machine only ever slows a round.
`ratio` is what `bar` and `goal` are about.
Prints one JSON object.
"""

import argparse
import json
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from time import process_time
from typing import Any, NamedTuple

import orjson
import pokerkit
import pokerkit.state
from phevaluator import evaluate_cards

from tables.engine.banked import prices
from tables.engine.cards import CARD_TEXT
from tables.engine.games import GAMES, load_hand, start_hand
from tables.engine.games.three_card_poker import STANDARD_PAYTABLES
from tables.engine.poker.vocabulary import DECKS, PokerGame
from tables.engine.protocol import Hand, SeatIn
from tables.engine.rankings import RANKINGS
from tables.engine.rankings.omaha import OmahaBoard

SEATS = tuple(SeatIn(number, 10_000) for number in range(1, 7))
BUTTON = 6
AUTOMATIC = tuple(pokerkit.Automation)

BLINDS = {"blinds_minor": [5, 10]}
ANTES = {"ante_minor": 1, "bring_in_minor": 3, "small_bet_minor": 10}
FIXED = ((5, 10), 10, 20)
STUD = (1, 3, 10, 20)


class Peer(NamedTuple):
    """A game both sides deal, and by how much ours is to be faster."""

    game: str
    limit: str
    options: dict[str, Any]
    theirs: Any
    stakes: tuple[Any, ...]
    bar: float
    goal: float


PEERS = {
    "holdem": Peer("holdem", "no_limit", BLINDS, pokerkit.NoLimitTexasHoldem,
                   ((5, 10), 10), 60, 110),
    "omaha": Peer("omaha", "pot", BLINDS, pokerkit.PotLimitOmahaHoldem, ((5, 10), 10), 120, 260),
    "omaha8": Peer("omaha8", "fixed", BLINDS,
                   pokerkit.FixedLimitOmahaHoldemHighLowSplitEightOrBetter, FIXED, 200, 450),
    "stud": Peer("stud", "fixed", ANTES, pokerkit.FixedLimitSevenCardStud, STUD, 30, 60),
    "razz": Peer("razz", "fixed", ANTES, pokerkit.FixedLimitRazz, STUD, 30, 60),
    "stud8": Peer("stud8", "fixed", ANTES,
                  pokerkit.FixedLimitSevenCardStudHighLowSplitEightOrBetter, STUD, 50, 95),
    "triple_draw_27": Peer("triple_draw_27", "fixed", BLINDS,
                           pokerkit.FixedLimitDeuceToSevenLowballTripleDraw, FIXED, 8, 15),
    "badugi": Peer("badugi", "fixed", BLINDS, pokerkit.FixedLimitBadugi, FIXED, 14, 27),
    "folded_out": Peer("holdem", "no_limit", BLINDS, pokerkit.NoLimitTexasHoldem,
                       ((5, 10), 10), 7, 12),
}  # fmt: skip

EVALUATIONS = {
    "high": ("high", 7, DECKS["52"], 3, 5),
    "a5": ("a5", 7, DECKS["52"], 3, 5),
    "8ob": ("8ob", 7, DECKS["52"], 3, 5),
    "badugi": ("badugi", 4, DECKS["52"], 2, 3),
    "bug": ("bug_high", 7, DECKS["53"], 1.5, 3),
    "wild": ("wild_high", 7, DECKS["54"], 1.5, 3),
}
"""Ranking, cards, deck, bar and goal; hands of the last two always hold a joker."""


def turns(rounds: int, *sides: Callable[[], int]) -> list[float]:
    """Things a second of each side, the sides taking turns; the best rounds."""
    rates: list[list[float]] = [[] for _ in sides]
    for _ in range(rounds):
        for side, found in zip(sides, rates, strict=True):
            began = process_time()
            done = side()
            found.append(done / (process_time() - began))
    return [max(found) for found in rates]


def for_a_while(play: Callable[[], Any], least_s: float) -> int:
    """Play again and again for so much CPU time. Returns how often."""
    until, done = process_time() + least_s, 0
    while process_time() < until:
        play()
        done += 1
    return done


def over(rows: dict[str, Any], bar: float, goal: float) -> dict[str, Any]:
    ratio = rows["ratio"]
    return {**rows, "bar": bar, "goal": goal, "holds": ratio >= bar, "reaches_goal": ratio >= goal}


# Hands


def decks_of(game: PokerGame, count: int) -> list[list[int]]:
    random = Random(f"decks of {game.id}")
    decks = [list(DECKS[game.deck]) for _ in range(count)]
    for deck in decks:
        random.shuffle(deck)
    return decks


def forever(decks: Sequence[list[int]]) -> Iterator[list[int]]:
    while True:
        yield from decks


Script = list[dict[str, Any]]


def script_of(peer: Peer, deck: list[int], *, fold: bool) -> Script:
    """What is done, one action after the other: the same over any deck."""
    hand, script = our_start(peer, deck), []
    while not hand.over:
        (seat,) = hand.waiting
        action = {"name": "fold"} if fold else passive_action(hand, seat)
        hand.act(seat, action)
        script.append(action)
    return script


def passive_action(hand: Hand, seat: int) -> dict[str, Any]:
    """Check, call or bring in, whichever is possible; change the first card at a draw."""
    if hand.window == "draw":
        return {"name": "draw", "cards": [0]}
    first, second = hand.legal(seat)[:2]
    return {"name": second["name"] if first["name"] == "fold" else first["name"]}


def our_start(peer: Peer, deck: list[int]) -> Hand:
    options = {"limit": peer.limit, **peer.options}
    return start_hand(GAMES[peer.game], SEATS, options, deck, button=BUTTON)[0]


def our_hand(peer: Peer, deck: list[int], script: Script) -> Hand:
    hand = our_start(peer, deck)
    act = hand.act
    for action in script:
        act(hand.waiting[0], action)
    return hand


@contextmanager
def dealt_from(decks: Iterator[list[int]]) -> Iterator[None]:
    """Let PokerKit deal from our decks: where it shuffles, it takes the next of them."""
    cards = [next(iter(pokerkit.Card.parse(text))) for text in CARD_TEXT[:52]]
    plain = pokerkit.state.shuffle

    def arrange(deck: Any) -> None:
        deck.clear()
        deck.extend(cards[card] for card in next(decks))

    pokerkit.state.shuffle = arrange
    try:
        yield
    finally:
        pokerkit.state.shuffle = plain


def their_hand(peer: Peer, *, fold: bool) -> Any:
    *first, last = peer.stakes
    antes = () if peer.options is ANTES else (0,)
    stacks = (SEATS[0].stack_minor,) * len(SEATS)
    state = peer.theirs.create_state(AUTOMATIC, True, *antes, *first, last, stacks, len(SEATS))
    while state.status:
        if state.stand_patter_or_discarder_index is not None:
            place = state.stand_patter_or_discarder_index
            state.stand_pat_or_discard((state.hole_cards[place][0],))
        elif state.can_post_bring_in():
            state.post_bring_in()
        elif fold:
            state.fold()
        else:
            state.check_or_call()
    return state


def hands(rounds: int, least_s: float) -> dict[str, Any]:
    return {name: hands_of(name, peer, rounds, least_s) for name, peer in PEERS.items()}


def hands_of(name: str, peer: Peer, rounds: int, least_s: float) -> dict[str, Any]:
    game = GAMES[peer.game]
    assert isinstance(game, PokerGame)
    decks = decks_of(game, 200)
    fold = name == "folded_out"
    script = script_of(peer, decks[0], fold=fold)
    with dealt_from(iter(decks)):
        same = sum(same_hand(peer, deck, script, fold=fold) for deck in decks[:20])
    ours, theirs = forever(decks), forever(decks)
    with dealt_from(theirs):
        our_rate, their_rate = turns(
            rounds,
            lambda: for_a_while(lambda: our_hand(peer, next(ours), script), least_s),
            lambda: for_a_while(lambda: their_hand(peer, fold=fold), least_s),
        )
    row = {
        "per_s": round(our_rate),
        "pokerkit_per_s": round(their_rate),
        "same_of_20": same,
        "ratio": round(our_rate / their_rate, 1),
    }
    return over(row, peer.bar, peer.goal)


def same_hand(peer: Peer, deck: list[int], script: Script, *, fold: bool) -> bool:
    """Whether both sides end with the same stacks (draw games burn a card at PokerKit's)."""
    result = our_hand(peer, deck, script).result
    assert result is not None
    state = their_hand(peer, fold=fold)
    ours = [result["stacks_minor"][str(seat.seat)] for seat in SEATS]
    return all(abs(a - b) <= 1 for a, b in zip(ours, state.stacks, strict=True))


# Stored states


def server_turns(rounds: int, least_s: float) -> dict[str, Any]:
    """A turn as the run-time takes it: load from JSON, act, the next choices, store as JSON."""
    after = {"holdem": 8, "stud": 14, "triple_draw_27": 20}
    return {
        name: server_turn(PEERS[name], actions, rounds, least_s) for name, actions in after.items()
    }


def server_turn(peer: Peer, actions: int, rounds: int, least_s: float) -> dict[str, Any]:
    """The turn after so many actions."""
    game = GAMES[peer.game]
    assert isinstance(game, PokerGame)
    options = {"limit": peer.limit, **peer.options}
    deck = decks_of(game, 1)[0]
    hand, _ = start_hand(game, SEATS, options, deck, button=BUTTON)
    for _ in range(actions):
        (seat,) = hand.waiting
        hand.act(seat, passive_action(hand, seat))
    state = orjson.dumps(hand.dump())
    (seat,) = hand.waiting
    action = passive_action(hand, seat)

    def turn() -> None:
        loaded = load_hand(game, options, orjson.loads(state), deck)
        loaded.act(seat, action)
        loaded.legal(loaded.waiting[0])
        orjson.dumps(loaded.dump())

    (rate,) = turns(rounds, lambda: for_a_while(turn, least_s))
    return within({"us": round(1e6 / rate, 1), "bytes": len(state)}, "us", 20, 10)


def within(row: dict[str, Any], unit: str, bar: float, goal: float) -> dict[str, Any]:
    spent = row[unit]
    figures = {f"bar_{unit}": bar, f"goal_{unit}": goal}
    return {**row, **figures, "holds": spent <= bar, "reaches_goal": spent <= goal}


# Evaluations


def dealt(size: int, deck: Sequence[int], count: int, *held: int) -> list[tuple[int, ...]]:
    random = Random(size)
    rest = [card for card in deck if card not in held]
    return [(*held, *random.sample(rest, size - len(held))) for _ in range(count)]


def evaluations(rounds: int, count: int) -> dict[str, Any]:
    sevens = dealt(7, DECKS["52"], count)

    def theirs() -> int:
        for a, b, c, d, e, f, g in sevens:
            evaluate_cards(a, b, c, d, e, f, g)
        return count

    found = {}
    for name, (ranking, size, deck, bar, goal) in EVALUATIONS.items():
        value = RANKINGS[ranking].value
        cards = dealt(size, deck, count, *deck[52:53])

        def ours(value: Any = value, cards: Any = cards) -> int:
            for held in cards:
                value(held)
            return count

        ours()  # fill the tables
        found[name] = compared(turns(rounds, ours, theirs), bar, goal)
    found["omaha"] = omaha(rounds, count, theirs)
    return found


def omaha(rounds: int, count: int, theirs: Callable[[], int]) -> dict[str, Any]:
    """Six hands of four cards on one board."""
    tables = [
        (cards[:5], [cards[5 + 4 * nth : 9 + 4 * nth] for nth in range(6)])
        for cards in dealt(29, DECKS["52"], count // 6)
    ]

    def ours() -> int:
        for board, holes in tables:
            high = OmahaBoard(board).high
            for hole in holes:
                high(hole)
        return 6 * len(tables)

    ours()
    return compared(turns(rounds, ours, theirs), 0.6, 1)


def compared(rates: list[float], bar: float, goal: float) -> dict[str, Any]:
    ours, theirs = rates
    row = {
        "per_s": round(ours), "phevaluator_per_s": round(theirs), "ratio": round(ours / theirs, 2),
    }  # fmt: skip
    return over(row, bar, goal)


# Prices


def cold(work: Callable[[], Any]) -> float:
    """Milliseconds of CPU time with nothing remembered from before."""
    for held in vars(prices).values():
        if hasattr(held, "cache_clear"):
            held.cache_clear()
    began = process_time()
    work()
    return (process_time() - began) * 1000


def exact_prices(rounds: int) -> dict[str, Any]:
    bonus = STANDARD_PAYTABLES["ante_bonus"]["1-4-5"]
    six = STANDARD_PAYTABLES["six_card"]["5-10-15-25-50-200-1000"]
    plus = STANDARD_PAYTABLES["pair_plus"]["1-4-6-30-40"]
    ante_ms = min(cold(lambda: prices.ante_play_price(bonus)) for _ in range(rounds))
    six_ms = min(cold(lambda: prices.side_price("six_card", six)) for _ in range(rounds))
    prices.ante_play_price(bonus)
    prices.side_price("three_card", plus)
    again = {
        "ante_play": lambda: prices.ante_play_price({**bonus, "straight": 2}),
        "pair_plus": lambda: prices.side_price("three_card", {**plus, "flush": 3}),
        "six_card": lambda: prices.side_price("six_card", {**six, "flush": 20}),
    }
    rows = {"ante_play_cold": (ante_ms, 100, 20), "six_card_cold": (six_ms, 250, 100)}
    for name, work in again.items():
        (rate,) = turns(rounds, lambda work=work: for_a_while(work, 0.02))
        rows[f"{name}_again"] = (1000 / rate, 2, 0.5)
    return {
        name: within({"ms": round(spent, 3)}, "ms", bar, goal)
        for name, (spent, bar, goal) in rows.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.25, help="of each side in a round")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    measured = {
        "question": "how fast are the rules?",
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "hands": hands(arguments.rounds, arguments.seconds),
        "server_turn": server_turns(arguments.rounds, arguments.seconds),
        "evaluations": evaluations(arguments.rounds, 60_000),
        "prices": exact_prices(arguments.rounds),
    }
    rows = [
        f"{group}.{name}"
        for group, found in measured.items()
        if isinstance(found, dict)
        for name, row in found.items()
        if not row["holds"]
    ]
    print(json.dumps({**measured, "misses": rows, "valid": True}))


if __name__ == "__main__":
    main()
