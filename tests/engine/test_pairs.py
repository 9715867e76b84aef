"""Pairs of players: colluders are told by their figures, honest ones are not.

Bots play by known probabilities, so it is known which pairs must be found.
"""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from tables.engine.history.pairs import (
    DUMPING,
    ONE_PLACE,
    SOFT_PLAY,
    TOGETHER,
    Pairs,
    Played,
    Thresholds,
    flows,
    one_place,
)

BIG = 100


def hand(random: Random, players: list[int], partners: frozenset[int] = frozenset()) -> Played:
    """Two of the table are left on the flop; the better half of a coin wins twenty big blinds.

    Partners lose to each other's lower number, and never bet when alone.
    """
    a, b = random.sample(players, 2)
    are_partners = {a, b} <= partners
    acts = [("board_dealt", 0)]
    gone = [seat for seat in players if seat not in (a, b)]
    acts = [*(("folded", seat) for seat in gone), *acts]
    for seat in (a, b, a, b):
        bets = not are_partners and random.random() < 0.4
        acts.append(("bet" if bets else "checked", seat))
    winner, loser = sorted((a, b)) if are_partners else random.sample((a, b), 2)
    nets = dict.fromkeys(players, 0) | {winner: 20 * BIG, loser: -20 * BIG}
    return Played({seat: seat for seat in players}, nets, BIG, acts)


def many(random: Random, count: int, partners: frozenset[int] = frozenset()) -> Pairs:
    pairs = Pairs()
    for _ in range(count):
        pairs.add(hand(random, list(range(1, 7)), partners))
    return pairs


def test_a_pair_that_passes_chips_on_and_spares_itself_is_found_and_nobody_else() -> None:
    limits = Thresholds(together_hands_least=10**6)
    for seed in range(5):
        found = many(Random(seed), 600, frozenset((2, 5))).findings(limits)
        assert {(one.kind, one.a, one.b) for one in found} == {(DUMPING, 5, 2), (SOFT_PLAY, 2, 5)}


def test_honest_players_are_left_alone() -> None:
    limits = Thresholds(together_hands_least=10**6)
    told = [one for seed in range(20) for one in many(Random(seed), 600).findings(limits)]
    assert told == []


def test_a_few_hands_tell_nothing() -> None:
    limits = Thresholds(together_hands_least=10**6)
    assert many(Random(1), 20, frozenset((2, 5))).findings(limits) == []


def test_two_who_never_play_apart_are_found() -> None:
    pairs, random = Pairs(), Random(3)
    for nth in range(200):
        others = random.sample(range(3, 20), 4)
        table = [1, 2, *others] if nth % 2 else others
        pairs.add(hand(random, table))
    found = [one for one in pairs.findings(Thresholds()) if one.kind == TOGETHER]
    assert [(one.a, one.b) for one in found] == [(1, 2)]
    assert found[0].figures == {"hands": 100, "percent": 100}


def test_chips_go_from_losers_to_winners_by_what_each_won() -> None:
    assert flows({1: -300, 2: 200, 3: 100, 4: 0}) == {(1, 2): 200, (1, 3): 100}
    assert flows({1: -100, 2: -200, 3: 290}) == {(1, 3): 100, (2, 3): 200}  # rake left aside
    assert flows({1: 0, 2: 0}) == {}


def test_folds_before_the_flop_and_decisions_against_several_are_no_time_alone() -> None:
    pairs = Pairs()
    acts = [("checked", 1), ("board_dealt", 0), ("checked", 1), ("bet", 2), ("folded", 3),
            ("checked", 1), ("bet", 2)]  # fmt: skip
    pairs.add(Played({1: 1, 2: 2, 3: 3}, {1: 0, 2: 0, 3: 0}, BIG, acts))
    assert dict(pairs.alone) == {(1, 2): 1, (2, 1): 1}
    assert dict(pairs.bets) == {(1, 2): 0, (2, 1): 1}


def test_players_from_one_place_at_one_table_are_found_once_a_pair() -> None:
    seen = [(7, "here", 1), (7, "here", 2), (7, "there", 3), (8, "here", 3), (8, "here", 1)]
    found = one_place([*seen, *seen])
    assert [(one.kind, one.a, one.b) for one in found] == [(ONE_PLACE, 1, 2), (ONE_PLACE, 1, 3)]


@pytest.mark.parametrize("count", [2, 6])
def test_every_pair_of_a_hand_is_counted_together(count: int) -> None:
    pairs = Pairs()
    players = list(range(1, count + 1))
    pairs.add(hand(Random(1), players))
    assert set(pairs.together) == set(combinations(players, 2))
