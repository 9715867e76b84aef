"""What holds in every hand of every game, and that who watches it would see a breach."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tables.engine.games import GAMES, WITH_KILL_CARD
from tables.engine.games.mixed import MIXES
from tables.engine.history.laws import LawBroken
from tables.engine.history.simulation import FULL, LIGHT, USUAL, Simulation, any_setup, play
from tables.engine.history.stakes import default_options, is_modified, limits_of, rotation
from tables.engine.poker import actions, betting, dealing
from tables.engine.poker.hand import PokerHand
from tables.engine.poker.state import State
from tables.engine.protocol import Event, Json

EVERY = {**GAMES, **WITH_KILL_CARD}
ROOT = Path(__file__).parent.parent.parent
HANDS = 2

HARD: dict[str, dict[str, Any]] = {
    "poker": {
        "chip_minor": 25,
        "ante_minor": 25,
        "rake": {"basis_points": 500, "caps_minor": {"2": 100, "4": 300}},
        "auto_muck": False,
        "uncapped_heads_up": True,
        "naturals_win": True,
        "odd_chips": "suit",
        "bring_in_tie": "position",
    },
    "banked": {
        "limits": {
            "ante": {"least_minor": 50, "most_minor": 500, "step_minor": 25},
            "pair_plus": {"least_minor": 25, "most_minor": 100, "step_minor": 5},
            "six_card": {"least_minor": 25, "most_minor": 100, "step_minor": 5},
            "progressive": {"least_minor": 100, "most_minor": 100, "step_minor": 100},
        },
        "policy": {"pair_plus_on_fold": "keep", "six_card_on_fold": "forfeit", "tie": "win"},
        "progressive": {
            "stake_minor": 100,
            "meter_basis_points": {"mini_royal": 10_000},
            "pays": {"straight_flush": 100, "straight": 6},
            "envy": {"straight": 2},
            "contribution_basis_points": 2_000,
            "seed_minor": 50_000,
        },
        "qualifier": "pair",
        "deal": "singly",
        "settle_seats": "first_first",
    },
    "bluff": {"rake": {"basis_points": 1_000}, "lives": 1},
}
"""Options of a table that has all that a usual one has not, by family."""

Change = Callable[[pytest.MonkeyPatch], None]


def simulate(
    game_id: str,
    hands: int,
    *,
    limit: str | None = None,
    seats: int | None = None,
    seed: str = "a",
    checks: str = FULL,
    **options: Any,
) -> Simulation:
    game = MIXES.get(game_id) or EVERY[game_id]
    options = default_options(game, limit, **options)
    table = Simulation(rotation(game, options), seats, checks)
    for number in range(hands):
        table.play_one(Random(f"{seed}/{number}"))
    return table


@pytest.mark.parametrize("game_id", sorted(EVERY))
def test_nothing_breaks_a_law_at_any_limit_with_few_seats_or_many(game_id: str) -> None:
    game = EVERY[game_id]
    limits = limits_of(game) or (None,)
    for limit in limits[:1] if is_modified(game_id) else limits:
        least, most = game.seats[0], game.seats[-1]
        hard = simulate(game_id, HANDS, limit=limit, seats=least, **HARD[game.family])
        assert hard.figures.hands == HANDS
        assert simulate(game_id, 1, limit=limit, seats=most).figures.hands == 1


@pytest.mark.slow
@pytest.mark.parametrize("game_id", sorted(EVERY))
def test_nothing_breaks_a_law_in_many_hands_of_a_hard_table(game_id: str) -> None:
    options = HARD[EVERY[game_id].family]
    assert simulate(game_id, 60, seed="hard", **options).figures.hands == 60


@pytest.mark.parametrize("loss", ["out", "ante"])
def test_liars_dice_may_cost_the_game_or_an_ante(loss: str) -> None:
    assert simulate("bluff_common", HANDS, loss=loss).figures.hands == HANDS


@pytest.mark.parametrize("mix", sorted(MIXES))
def test_a_mix_of_games_is_dealt_by_turns(mix: str) -> None:
    assert simulate(mix, len(MIXES[mix].parts) + 1).figures.hands == len(MIXES[mix].parts) + 1


@pytest.mark.parametrize("base", ["stud", "holdem"])
def test_a_killed_deal_is_followed_by_a_new_one_for_those_still_in(base: str) -> None:
    simulation = simulate(f"{base}+kill_card", 0)
    followed = 0
    for number in range(60):
        simulation.play_one(Random(f"k/{number}"))
        assert simulation.last is not None
        carry = simulation.last[0].carry
        followed += carry is not None and bool(carry["seats"])
    assert followed


def test_the_same_seed_plays_the_same_hands() -> None:
    first, second = (simulate("omaha8", 5).figures.to_json() for _ in range(2))
    assert first == second
    assert first != simulate("omaha8", 5, seed="b").figures.to_json()


def test_a_pot_that_is_carried_goes_into_the_next_deal() -> None:
    game = GAMES["gardena_jackpots"]
    simulation = Simulation([(game, default_options(game))], checks=LIGHT)
    seen = []
    for number in range(60):
        simulation.play_one(Random(f"c/{number}"))
        assert simulation.last is not None
        setup, result = simulation.last
        seen.append((setup.carry, result.get("carry")))
    assert any(before and after for before, after in seen)
    assert any(before and not after for before, after in seen)


# Who watches would see it


Views = dict[int | None, Json]


def leaks_in_its_view(patch: pytest.MonkeyPatch) -> None:
    plain = PokerHand.views

    def views(self: PokerHand, viewers: Iterable[int | None]) -> Views:
        following = self.texts([self.next_card])
        return {seat: {**look, "next": following} for seat, look in plain(self, viewers).items()}

    patch.setattr(PokerHand, "views", views)


def hints_in_its_view(patch: pytest.MonkeyPatch) -> None:
    plain = PokerHand.views

    def views(self: PokerHand, viewers: Iterable[int | None]) -> Views:
        strength = sum(self.cards(self.down[0]))
        return {seat: {**look, "strength": strength} for seat, look in plain(self, viewers).items()}

    patch.setattr(PokerHand, "views", views)


def leaks_in_its_events(patch: pytest.MonkeyPatch) -> None:
    plain = State.tell

    def tell(self: State, kind: str, public: Json, private: dict[int, Json] | None = None) -> None:
        plain(self, kind, {**public, "private": list((private or {}).values())}, private)

    patch.setattr(State, "tell", tell)


def tells_a_neighbour(patch: pytest.MonkeyPatch) -> None:
    plain = State.tell

    def tell(self: State, kind: str, public: Json, private: dict[int, Json] | None = None) -> None:
        if private and len(private) > 1:
            seats = list(private)
            private = dict(
                zip(seats, [private[seat] for seat in (*seats[1:], seats[0])], strict=True)
            )
        plain(self, kind, public, private)

    patch.setattr(State, "tell", tell)


def pays_a_chip_too_many(patch: pytest.MonkeyPatch) -> None:
    plain = State.pay

    def pay(self: State, place: int, amount: int) -> int:
        self.stacks[place] += 1
        return plain(self, place, amount)

    patch.setattr(State, "pay", pay)


def offers_too_much(patch: pytest.MonkeyPatch) -> None:
    _change_offers(patch, +1)


def offers_too_little(patch: pytest.MonkeyPatch) -> None:
    _change_offers(patch, -1)


def _change_offers(patch: pytest.MonkeyPatch, by: int) -> None:
    plain = actions.legal_bets

    def legal_bets(state: State, place: int) -> list[Json]:
        choices = plain(state, place)
        for choice in choices:
            if "most_to_minor" in choice:
                choice["most_to_minor"] += by
        return choices

    patch.setattr(actions, "legal_bets", legal_bets)


def folds_when_it_refuses(patch: pytest.MonkeyPatch) -> None:
    plain = PokerHand.act

    def act(self: PokerHand, seat: int, action: Any) -> list[Event]:
        if action.get("name") == "dance":
            self.raises += 1
        return plain(self, seat, action)

    patch.setattr(PokerHand, "act", act)


def forgets_a_field(patch: pytest.MonkeyPatch) -> None:
    plain = PokerHand.dump

    def dump(self: PokerHand) -> list[Any]:
        stored = plain(self)
        stored[stored.index(self.board, 1)] = []
        return stored

    patch.setattr(PokerHand, "dump", dump)


def counts_on_between_hands(patch: pytest.MonkeyPatch) -> None:
    plain, ticks = State.tell, count()

    def tell(self: State, kind: str, public: Json, private: dict[int, Json] | None = None) -> None:
        plain(self, kind, {**public, "tick": next(ticks)}, private)

    patch.setattr(State, "tell", tell)


def deals_a_card_twice(patch: pytest.MonkeyPatch) -> None:
    plain = State.texts

    def texts(self: State, positions: list[int]) -> list[str]:
        is_board = 3 <= len(positions) <= 5
        return plain(self, [*positions[:-1], positions[0]] if is_board else positions)

    patch.setattr(State, "texts", texts)


def passes_a_seat_over(patch: pytest.MonkeyPatch) -> None:
    plain = betting.raise_to

    def raise_to(state: State, place: int, to: int) -> int:
        added = plain(state, place, to)
        if len(state.pending) > 2:
            state.pending.append(state.pending.pop(0))
        return added

    patch.setattr(betting, "raise_to", raise_to)


def deals_a_card_to_two(patch: pytest.MonkeyPatch) -> None:
    plain = dealing.deal_board

    def deal_board(state: State, street: str, count: int) -> None:
        if street == "turn" and len(state.able()) > 1:  # a bet before the hand is worth anything
            state.next_card = state.down[0][0]
        plain(state, street, count)

    patch.setattr(dealing, "deal_board", deal_board)


@pytest.mark.parametrize(
    ("change", "law"),
    [
        (leaks_in_its_view, "a view shows what its viewer has been told"),
        (hints_in_its_view, "hidden cards show nowhere in a view"),
        (leaks_in_its_events, "events keep down cards"),
        (tells_a_neighbour, "private parts are their owner's"),
        (pays_a_chip_too_many, "chips are conserved"),
        (offers_too_much, "both ends of a range are accepted"),
        (offers_too_little, "what is not legal is refused"),
        (folds_when_it_refuses, "a refused action changes nothing"),
        (forgets_a_field, "a loaded hand looks as it did"),
        (counts_on_between_hands, "the same actions give the same events"),
        (deals_a_card_twice, "no card is in two places"),
    ],
)
def test_an_engine_that_breaks_a_law_is_found_out(
    change: Change, law: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(monkeypatch)
    with pytest.raises(LawBroken) as broken:
        simulate("holdem", 20, seats=6)
    assert broken.value.law == law


def guarded(hands: int) -> None:
    """Hands of hold'em, none of them witnessed in full."""
    game = GAMES["holdem"]
    options = default_options(game)
    for number in range(hands):
        random = Random(f"g/{number}")
        play(any_setup(game, options, random, 6), random, USUAL)


@pytest.mark.parametrize(
    ("change", "law"),
    [
        (leaks_in_its_view, "a view shows what its viewer has been told"),
        (leaks_in_its_events, "events keep down cards"),
        (tells_a_neighbour, "private parts are their owner's"),
        (pays_a_chip_too_many, "chips are conserved"),
        (passes_a_seat_over, "turns go clockwise"),
        (deals_a_card_to_two, "no card is in two places"),
    ],
)
def test_a_breach_is_found_out_at_the_usual_checks_too(
    change: Change, law: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(monkeypatch)
    with pytest.raises(LawBroken) as broken:
        guarded(60)
    assert broken.value.law == law


@pytest.mark.parametrize("game_id", sorted(set(GAMES) - {g for g in GAMES if is_modified(g)}))
def test_nothing_breaks_a_law_at_the_usual_checks(game_id: str) -> None:
    assert simulate(game_id, 5, checks=USUAL, seed="u").figures.hands == 5


# The commands


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command with a database and a broker that nobody answers at."""
    nowhere = {
        "DATABASE_URL": "postgresql://app@127.0.0.1:1/nothing",
        "REDIS_URL": "redis://127.0.0.1:1/0",
    }
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env={**os.environ, **nowhere},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_games_are_listed_without_a_database() -> None:
    done = run("games", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    listed = {game["id"]: game for game in json.loads(done.stdout)}
    assert set(listed) == {*MIXES, *(game_id for game_id in GAMES if not is_modified(game_id))}
    assert {"holdem", "double_draw_27", "bluff_hand", "three_card_poker", "horse"} <= set(listed)
    for game_id, game in listed.items():
        assert set(game) == {"id", "name", "family", "seats", "limits", "options", "source"}
        seats = (MIXES.get(game_id) or GAMES[game_id]).seats
        assert game["seats"] == [seats[0], seats[-1]]
        assert game["source"]
        if game["family"] == "poker":
            assert game["options"]["limit"] == game["limits"][0]


def test_a_simulation_prints_what_came_of_it() -> None:
    done = run("simulate", "badugi", "--hands", "20", "--seats", "3", "--seed", "s", "--json")
    assert done.returncode == 0
    row = json.loads(done.stdout)
    assert (row["game"], row["hands"], row["seats"], row["violation"]) == ("badugi", 20, 3, None)
    assert row["hands_per_s"] > 0
    assert sum(row["endings"].values()) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(
    "game_id", ["horse", "four_before_johnson", "triple_five_card_draw", "razz+kill_card"]
)
def test_mixes_and_modified_games_are_simulated_too(
    game_id: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("simulate", game_id, "--hands=6", "--seed=m", "--json")
    row = json.loads(capsys.readouterr().out)
    assert (row["game"], row["hands"], row["violation"]) == (game_id, 6, None)


def test_a_violation_is_told_with_seed_and_hand_and_ends_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pays_a_chip_too_many(monkeypatch)
    with pytest.raises(SystemExit) as left:
        call_command("simulate", "holdem", "--hands=5", "--seed=s", "--json")
    assert left.value.code == 1
    row = json.loads(capsys.readouterr().out)
    assert (row["seed"], row["violation"]["hand"]) == ("s", 1)
    assert row["violation"]["law"] == "chips are conserved"


@pytest.mark.parametrize(
    "words",
    [
        ["simulate"],
        ["simulate", "bridge"],
        ["simulate", "double_holdem"],
        ["simulate", "holdem", "--limit=sky"],
        ["simulate", "holdem", "--seats=11"],
        ["simulate", "three_card_poker", "--limit=fixed"],
        ["simulate", "holdem", "--every"],
    ],
)
def test_what_cannot_be_simulated_is_refused(words: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command(*words)
