"""The players' part in the order of the cards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from tables.engine.fairness import (
    chosen_deck,
    cut,
    dealt_order,
    dice_added,
    die,
    joined,
    seed_commitment,
)

ROOTS = [bytes([number]) * 32 for number in range(4)]
SEEDS = [b"a" * 32, b"b" * 32]


def test_without_a_seed_the_house_alone_has_chosen() -> None:
    assert cut(ROOTS, [], 52) == list(range(52))
    assert chosen_deck(ROOTS, []) == 0
    assert dice_added(ROOTS, [], 3) == [0, 0, 0]


def test_a_cut_deals_every_slot_once() -> None:
    slots = cut(ROOTS, SEEDS, 52)
    assert sorted(slots) == list(range(52))
    committed = [f"card {slot}" for slot in range(52)]
    assert sorted(dealt_order(committed, slots)) == sorted(committed)
    assert dealt_order(committed, slots)[0] == f"card {slots[0]}"


def test_one_honest_seed_in_any_place_changes_everything() -> None:
    made = {
        tuple(cut(roots, seeds, 52))
        for roots, seeds in (
            (ROOTS, SEEDS),
            (ROOTS, SEEDS[::-1]),
            (ROOTS, SEEDS[:1]),
            (ROOTS, [SEEDS[0], b"c" * 32]),
            (ROOTS[::-1], SEEDS),
            (ROOTS[:1], SEEDS),
        )
    }
    assert len(made) == 6


def test_a_joined_seed_cannot_be_read_two_ways() -> None:
    assert joined(ROOTS[:1], [ROOTS[1], ROOTS[2]]) != joined(ROOTS[:2], [ROOTS[2]])


def test_the_chosen_deck_is_uniform() -> None:
    rng = random.Random(5)
    counts = Counter(chosen_deck(ROOTS, [rng.randbytes(32)]) for _ in range(4000))
    assert set(counts) == {0, 1, 2, 3}
    assert all(abs(count - 1000) < 130 for count in counts.values())


def test_a_die_is_fair_if_either_part_is() -> None:
    for fixed in range(6):
        assert {die(fixed, added) for added in range(6)} == {1, 2, 3, 4, 5, 6}
        assert {die(committed, fixed) for committed in range(6)} == {1, 2, 3, 4, 5, 6}
    assert Counter(dice_added(ROOTS, SEEDS, 6000)).keys() == set(range(6))


@pytest.mark.parametrize(
    "made",
    [
        lambda: seed_commitment(bytes(31)),
        lambda: joined([bytes(31)], SEEDS),
        lambda: cut(ROOTS, [bytes(33)], 52),
    ],
)
def test_roots_and_seeds_of_another_length_are_refused(made: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="32"):
        made()
