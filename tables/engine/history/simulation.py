"""Hands played at random, each watched from beginning to end, and what came of them in figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean, median
from typing import Any, NamedTuple

from tables.engine.banked.rounds import BankedRound
from tables.engine.errors import NeedsOpeners, RuleViolation
from tables.engine.games import Game
from tables.engine.history.choices import any_action
from tables.engine.history.guarding import Guard
from tables.engine.history.laws import Step, Witness, require, result_adds_up
from tables.engine.history.specials import specially
from tables.engine.history.stakes import BET_MINOR, Chance, Setup, fresh_deck, more_dice
from tables.engine.poker.hand import PokerHand
from tables.engine.poker.vocabulary import PokerGame
from tables.engine.protocol import Action, Event, Hand, Json, SeatIn

CHECKS = FULL, USUAL, LIGHT = "full", "usual", "light"
"""How closely hands are watched: by a `Witness`; by a `Guard` after every action and one hand in
`FULL_EVERY` by a `Witness`; by their results alone."""

FULL_EVERY = 400
MOST_STEPS = 5_000
TRIES = 20
EXPIRE_SHARE = 0.05
DEPTHS = (2, 12, 100)
"""How deep stacks are, in bets: all-in at once, now and then, hardly ever."""


class Doing(NamedTuple):
    """One step of a hand: an action of a seat, or what the run-time does by itself (seat None)."""

    do: Callable[[Hand], list[Event]]
    seat: int | None = None

    def __call__(self, hand: Hand) -> list[Event]:
        return self.do(hand)


@dataclass(slots=True)
class Figures:
    """What came of a number of hands. Amounts are minor units."""

    hands: int = 0
    actions: int = 0
    showdowns: int = 0
    carried: int = 0
    rake_minor: int = 0
    pots_minor: list[int] = field(default_factory=list)
    bank_minor: int = 0
    classes: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)

    def count(self, setup: Setup, result: Json, events: list[Event], actions: int) -> None:
        self.hands += 1
        self.actions += actions
        if setup.game.family == "banked":
            self.bank_minor += result["bank_minor"]
            self.pots_minor.append(sum(result["staked_minor"].values()))
        else:
            self.showdowns += result["showdown"]
            self.carried += bool(result["carry_minor"])
            self.rake_minor += result["rake_minor"]
            self.pots_minor.append(sum(pot["amount_minor"] for pot in result["pots"]))
            self.endings[result["street"]] += 1
        for event in events:
            for name in classes_of(event):
                self.classes[name] += 1

    def to_json(self) -> Json:
        pots = self.pots_minor or [0]
        shares = {name: round(n / max(1, self.hands), 4) for name, n in self.endings.items()}
        return {
            "hands": self.hands,
            "actions": self.actions,
            "showdown_share": round(self.showdowns / max(1, self.hands), 4),
            "carried_share": round(self.carried / max(1, self.hands), 4),
            "endings": shares,
            "pot_minor": {
                "mean": round(fmean(pots), 1),
                "median": round(median(pots), 1),
                "most": max(pots),
            },
            "rake_minor": self.rake_minor,
            "bank_minor": self.bank_minor,
            "classes": dict(self.classes.most_common()),
        }


def classes_of(event: Event) -> Iterator[str]:
    """Classes of the hands an event shows: "high full_house", "badugi" ..."""
    if event.type == "hand_shown":
        for name, shown in event.public.items():
            if isinstance(shown, dict) and "class" in shown:
                yield f"{name} {shown['class']}"
    if "class" in event.public and event.type != "hand_called":
        yield str(event.public["class"])


def any_setup(game: Game, options: Json, random: Chance, seats: int | None) -> Setup:
    """A table with random seats, stacks, button and deck. seats: how many, None for any number."""
    count = random.choice(game.seats) if seats is None else seats
    banked = game.family == "banked"
    numbers = sorted(random.sample(list(game.seats) if banked else range(1, 11), count))
    depth = random.choice(DEPTHS) * BET_MINOR
    least = options["ante_minor"] if game.family == "bluff" else 1
    faces = game.die if isinstance(game, PokerGame) else ()
    return Setup(
        game=game,
        options=options,
        seats=tuple(SeatIn(n, random.randint(least, max(least, depth))) for n in numbers),
        deck=fresh_deck(game, options, random),
        button=random.randint(1, 10),
        die=random.randint(1, len(faces)) if faces else 0,
    )


def after(setup: Setup, result: Json) -> Setup:
    """The next deal, with the pot the last one has carried.

    A pot that names its claimants is played for by them alone, with the chips they have left.
    """
    carry = result["carry"]
    claimants = carry.get("seats")
    if not claimants:
        return replace(setup, carry=carry)
    seats = tuple(SeatIn(seat, result["stacks_minor"][str(seat)]) for seat in claimants)
    return replace(setup, seats=seats, button=carry["button"], carry=carry)


def play(setup: Setup, random: Chance, checks: str) -> tuple[Json, list[Event], int]:
    """Play a hand to its end, watched at every step unless the checks are light.

    Returns its result, its events and how many steps it took. Raises LawBroken.
    """
    if checks == FULL:
        return _play_in_full(setup, random)
    hand, events = setup.start()
    guard = Guard(setup, random.randint(0, 10)) if checks == USUAL else None
    if guard:
        guard.saw(hand, events)
    told = list(events)
    count = 0
    while not hand.over:
        require(count < MOST_STEPS, "a hand ends", f"not after {MOST_STEPS} steps")
        doing, events = _anything(setup, hand, random)
        count += 1
        told += events
        if guard:
            guard.saw(hand, events, doing.seat)
    assert hand.result is not None
    result_adds_up(setup, hand.result)
    return hand.result, told, count


def _play_in_full(setup: Setup, random: Chance) -> tuple[Json, list[Event], int]:
    """Every step witnessed by all, the hand going on from its stored state and played again."""
    hand, events = setup.start()
    witness = Witness(setup, random)
    state = witness.saw(hand, events)
    steps: list[Step] = []
    told = list(events)
    while not hand.over:
        require(len(steps) < MOST_STEPS, "a hand ends", f"not after {MOST_STEPS} steps")
        witness.try_edges(hand, state)
        hand = setup.load(state)
        doing, events = _anything(setup, hand, random)
        steps.append(doing)
        told += events
        state = witness.saw(hand, events, doing.seat)
    assert hand.result is not None
    witness.ended(hand, steps)
    return hand.result, told, len(steps)


def _anything(setup: Setup, hand: Hand, random: Chance) -> tuple[Doing, list[Event]]:
    """Do something that is legal now. Returns how to do it again, and what it caused."""
    window, waiting = hand.window, hand.waiting
    if window == "dice":
        setup.deck.extend(more_dice(random))
        # Played again, the dice are all there from the start and nothing waits for them.
        return _done(hand, lambda again: again.expire() if again.window == "dice" else [])
    if window == "reshuffle":
        assert isinstance(hand, PokerHand)
        order = hand.mucked
        random.shuffle(order)
        return _done(hand, lambda again: again.reshuffle(order))
    if isinstance(hand, BankedRound) and window == "betting":
        return _any_bet(hand, random)
    if not waiting or random.random() < EXPIRE_SHARE:
        return _done(hand, lambda again: again.expire())
    seat = waiting[0] if len(waiting) == 1 else random.choice(waiting)
    choices = hand.legal(seat)
    for _ in range(TRIES):
        action = any_action(choices, random, setup.options.get("chip_minor", 1))
        try:
            return _acted(hand, seat, action)
        except NeedsOpeners:
            continue  # offered to all alike, whatever they hold
    return _done(hand, lambda again: again.expire())


def _any_bet(hand: BankedRound, random: Chance) -> tuple[Doing, list[Event]]:
    """A bet of some seat, changed and cleared at times, until no more are taken."""
    for _ in range(TRIES):
        seat = random.choice(hand.seats)
        choices = hand.legal(seat)
        if not choices or random.random() < 1 / (2 * len(hand.seats)):
            break
        try:
            return _acted(hand, seat, any_action(choices, random))
        except RuleViolation:
            continue  # more than the stack, or a side wager alone
    return _done(hand, lambda again: again.expire())


def _acted(hand: Hand, seat: int, action: Action) -> tuple[Doing, list[Event]]:
    doing = Doing(lambda again: again.act(seat, action), seat)
    return doing, doing(hand)


def _done(hand: Hand, do: Callable[[Any], list[Event]]) -> tuple[Doing, list[Event]]:
    doing = Doing(do)
    return doing, doing(hand)


@dataclass(slots=True)
class Simulation:
    """Hands at one table, one after the other; a pot that is carried goes into the next deal.

    games: what is dealt, by turns, each with its options.
    """

    games: Sequence[tuple[Game, Json]]
    seats: int | None = None
    checks: str = FULL
    figures: Figures = field(default_factory=Figures)
    last: tuple[Setup, Json] | None = None

    def play_one(self, random: Chance) -> None:
        """Play the next hand. Raises LawBroken."""
        game, options = self.games[self.figures.hands % len(self.games)]
        setup = any_setup(game, options, random, self.seats)
        if self.last is not None and self.last[1].get("carry"):
            setup = after(setup, self.last[1])
        else:
            setup = specially(setup, random)
        if self.checks != LIGHT and self.figures.hands < len(self.games):
            Witness(setup, random).definition_is_plain_json()
        closely = self.checks == USUAL and self.figures.hands % FULL_EVERY == 0
        result, events, actions = play(setup, random, FULL if closely else self.checks)
        self.last = setup, result
        self.figures.count(setup, result, events, actions)
