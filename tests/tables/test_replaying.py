"""Hands of every kind of decision, played by chance, come out the same when played again."""

from random import Random
from typing import Any

import pytest

from tables import beliefs, replaying, rules
from tables.engine.errors import NeedsOpeners
from tables.engine.history.choices import any_action
from tables.errors import ReplayDiffers
from tables.models import Hand, Table
from tables.proofs import seen_of
from tables.services import blinds, expiring, settling
from tests.tables.dealing_cast import (
    clock_to,
    dealt,
    move,
    player,
    run_out,
    seated,
    table,
    three_card_table,
)

pytestmark = pytest.mark.django_db

STAKES = {"small_bet_minor": 100, "rake": {"basis_points": 500}}
BLINDS = {"big_blind_minor": 100}
GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("holdem", BLINDS),
    ("holdem", {"blinds_minor": [25, 50, 100]}),
    ("omaha", BLINDS | {"limit": "pot", "runs": 3, "show_window": True, "rabbit": True}),
    ("holdem", BLINDS | {"bomb_pot": {"ante_minor": 200, "boards": 2, "every_hands": 2}}),
    ("omaha8", STAKES | BLINDS | {"limit": "fixed", "kill": {"size": "full"}}),
    ("stud8", STAKES),
    ("triple_draw_27", BLINDS),
    ("gardena_jackpots", STAKES),
    ("crazy_pineapple", BLINDS),
    ("hilo_declare", STAKES),
    ("anaconda", STAKES),
    ("shotgun", STAKES),
    ("spit_in_the_ocean", STAKES | {"spit_called": True}),
    ("bluff_common", {"ante_minor": 200}),
    ("bluff_hand", {"ante_minor": 200}),
)


def by_chance(at: Table, random: Random) -> Hand:
    """Play the hand that runs; now and then somebody lets his time pass."""
    while not (belief := beliefs.read(at.pk)).finished:
        hand = belief.hand()
        if random.random() < 0.15:
            clock_to(at, 5_000)
            assert expiring.turn_expire(table_id=at.pk, turn_id=belief.turn_id)
            continue
        seat = random.choice(hand.waiting)
        move_as(at, belief, seat, any_action(hand.legal(seat), random, at.chip_minor))
    assert belief.hand_id is not None
    settling.hand_settle(table_id=at.pk, hand_id=belief.hand_id)
    return Hand.objects.get(pk=belief.hand_id)


def move_as(at: Table, belief: beliefs.Belief, seat: int, action: Any) -> None:
    assert belief.seats is not None
    who = at.seats.get(player_id=belief.seats[str(seat)]["player"]).player
    try:
        move(at, who, **action)
    except NeedsOpeners:
        move(at, who, name="check")


@pytest.mark.parametrize(
    ("game", "options"), GAMES, ids=[" ".join((game, *options)) for game, options in GAMES]
)
def test_a_hand_played_by_chance_is_played_again_from_the_store(
    game: str, options: dict[str, Any]
) -> None:
    at = table(game, options)
    seated(at, *(player(name) for name in ("ann", "bob", "cyd", "dan")))
    random = Random(game)
    for _ in range(6 if {"runs", "kill"} & set(options) else 2):
        dealt(at)
        row = by_chance(at, random)
        again = replaying.replay(row)
        assert again.result is not None
        assert rules.dump(again)


def test_a_hand_whose_big_blind_had_nothing_left_after_his_ante_is_played_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(blinds, "_drawn", lambda numbers: (numbers[0], []))
    at = table("holdem", BLINDS | {"ante_minor": 100})
    for name, chips_minor in (("ann", 10_000), ("bob", 100)):
        seated(at, player(name), chips_minor=chips_minor)
    dealt(at)
    row = by_chance(at, Random(1))
    told = [event.public["kind"] for event in seen_of(row.pk) if event.type == "blind_posted"]
    assert told == ["small"]
    assert replaying.replay(row).over


def test_a_round_against_the_house_is_played_again_its_taken_back_bets_too() -> None:
    at = three_card_table()
    ann, bob = player("ann"), player("bob")
    seated(at, ann, bob)
    dealt(at)
    move(at, ann, name="bet", wagers={"ante": 500, "pair_plus": 100})
    move(at, bob, name="bet", wagers={"ante": 700})
    move(at, bob, name="clear")
    move(at, bob, name="bet", wagers={"ante": 300})
    hand = run_out(at)
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    assert replaying.replay(Hand.objects.get(pk=hand.pk)).over


def test_a_hand_whose_row_was_changed_is_found() -> None:
    at = table()
    seated(at, player("ann"), player("bob"))
    dealt(at)
    row = by_chance(at, Random(1))
    row.seats["1"]["stack_minor"] += 100
    with pytest.raises(ReplayDiffers) as found:
        replaying.replay(row)
    assert found.value.hand_id == row.pk
