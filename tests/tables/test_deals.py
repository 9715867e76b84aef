"""What was dealt to whom, of hands of every game: the verifier finds the order of the rules."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import orjson
import pytest

from tables.deals import Deals, Seen
from tables.engine.bluff.vocabulary import BluffGame
from tables.engine.games import GAMES, WITH_KILL_CARD
from tables.engine.history.simulation import MOST_STEPS, _anything, any_setup
from tables.engine.history.specials import specially
from tables.engine.history.stakes import Setup, default_options
from tables.engine.protocol import Event
from tables.proofs import Openings
from tests.proof.verifier import verifier

EVERY = [*GAMES, *WITH_KILL_CARD]
HANDS = int(os.environ.get("DEALS_HANDS", "6"))
ROLLED_MOST = 2_000


@dataclass
class Tree:
    """A deck that lies as it is dealt: position, slot and place in `order` are one number."""

    number: int
    order: Sequence[int]
    cards: int
    is_reshuffle: bool = False
    slot_of: dict[int, int] = field(init=False)
    position_of: Mapping[int, int] = field(init=False)

    def __post_init__(self) -> None:
        self.slot_of = {card: slot for slot, card in enumerate(self.order[: self.cards])}
        self.position_of = {slot: slot for slot in range(self.cards)}

    @property
    def deck(self) -> Tree:
        return self

    def opening(self, slot: int, seq: int, to: str) -> dict[str, Any]:
        return {"cut": self.number, "position": slot, "slot": slot, "seq": seq, "to": to}


class Played:
    """A hand by chance, its events as proofs read them, and the proof of each viewer."""

    def __init__(self, setup: Setup, random: Random) -> None:
        self.setup = setup
        dice = isinstance(setup.game, BluffGame)
        order = [0] * ROLLED_MOST if dice else [*setup.deck, setup.die]
        self.trees = {1: Tree(1, order, 0 if dice else len(setup.deck))}
        self.seen = [Seen(1, "decks_cut", {"cut": 1}, {})]
        hand, events = setup.start()
        self.told(events)
        for _ in range(MOST_STEPS):
            if hand.over:
                return
            if hand.window == "reshuffle":
                cut = len(self.trees) + 1
                muck = [hand.deck[at] for at in hand.mucked]  # type: ignore[attr-defined]
                self.trees[cut] = Tree(cut, muck, len(muck), is_reshuffle=True)
                self.seen.append(Seen(self.seen[-1].seq + 1, "decks_cut", {"cut": cut}, {}))
            _, events = _anything(setup, hand, random)
            self.told(events)
        raise AssertionError("the hand does not end")

    def told(self, events: Sequence[Event]) -> None:
        seq = self.seen[-1].seq + 1
        for event in events:
            public = orjson.loads(orjson.dumps(event.public, option=orjson.OPT_NON_STR_KEYS))
            private = {
                str(seat): orjson.loads(orjson.dumps(part, option=orjson.OPT_NON_STR_KEYS))
                for seat, part in (event.private or {}).items()
            }
            self.seen.append(Seen(seq, event.type, public, private))

    def viewers(self) -> list[list[int]]:
        players: dict[int, list[int]] = {}
        for seat in self.setup.seats:
            players.setdefault(seat.player_seat or seat.seat, []).append(seat.seat)
        return [[], *players.values()]

    def proof(self, seats: list[int]) -> dict[str, Any]:
        openings = Openings([str(seat) for seat in seats], self.trees)  # type: ignore[arg-type]
        deals = Deals(self.trees)
        for seen in self.seen:
            openings.follow(seen)
            deals.follow(seen)
        family = self.setup.game.family
        return {
            "family": family,
            "button": self.setup.button if family == "poker" else None,
            "seats": seats,
            "cuts": [
                {
                    "number": number,
                    "purpose": "reshuffle" if tree.is_reshuffle else "deal",
                    "kind": f"{tree.cards}+{len(tree.order) - tree.cards}",
                    "end": {"end": "dealt"},
                }
                for number, tree in self.trees.items()
            ],
            "dealt": deals.found,
            "openings": list(openings.found.values()),
        }


def judged(bundle: dict[str, Any]) -> tuple[int, list[Any]]:
    """How many checks there were, and what they found."""
    report = verifier.Report()
    verifier.check_order(bundle, report)
    return report.checked["order"], list(report.problems)


def played(game_id: str, random: Random, **options: Any) -> Played:
    game = {**GAMES, **WITH_KILL_CARD}[game_id]
    setup = any_setup(game, {**default_options(game), **options}, random, None)
    return Played(specially(setup, random), random)


@pytest.mark.parametrize("game_id", EVERY)
def test_every_game_deals_in_the_order_that_the_verifier_asks_for(game_id: str) -> None:
    assert_in_order(game_id)


@pytest.mark.parametrize("game_id", ["holdem", "omaha"])
@pytest.mark.parametrize("boards", [1, 2])
def test_several_boards_and_what_would_have_come_are_dealt_in_order(
    game_id: str, boards: int
) -> None:
    """Bomb pots, the rest of the board dealt more often than once, rabbit hunts."""
    bomb_pot = {"ante_minor": 100, "boards": boards, "every_hands": 0}
    told = assert_in_order(
        game_id, hands=10 * HANDS, runs=3, rabbit=True, show_window=True, bomb_pot=bomb_pot
    )
    assert "rabbit_shown" in told
    assert boards == 2 or "runs_agreed" in told


def assert_in_order(game_id: str, hands: int = HANDS, **options: Any) -> set[str]:
    """Types of the events that the hands had."""
    random, checks, told = Random(f"deals/{game_id}"), 0, set()
    for _ in range(hands):
        hand = played(game_id, random, **options)
        told |= {seen.type for seen in hand.seen}
        for seats in hand.viewers():
            bundle = hand.proof(seats)
            made, problems = judged(bundle)
            assert problems == [], bundle
            checks += made
    assert checks > 0
    return told
