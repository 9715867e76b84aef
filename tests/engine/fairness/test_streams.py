"""Fair numbers and fair orders."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import factorial

import pytest

from tables.engine.fairness import shuffle, shuffled, stream, uniform

SEED = bytes(range(32))


def every_path(size: int, choices: Callable[[int], int]) -> list[tuple[int, ...]]:
    """All sequences of draws of a shuffle whose place p offers `choices(p)` of them."""
    return list(product(*(range(choices(place)) for place in range(size - 1, 0, -1))))


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_every_order_comes_of_exactly_one_sequence_of_draws(size: int) -> None:
    paths = every_path(size, lambda place: place + 1)
    orders = Counter(tuple(shuffled(range(size), iter(path))) for path in paths)
    assert len(orders) == factorial(size)
    assert set(orders.values()) == {1}


def swap_with_any(items: Sequence[int], draws: Iterator[int]) -> tuple[int, ...]:
    order = list(items)
    for place in range(len(order)):
        other = next(draws)
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def swap_below(items: Sequence[int], draws: Iterator[int]) -> tuple[int, ...]:
    """Off by one: a card may not stay where it is."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = next(draws) % last
        order[last], order[other] = order[other], order[last]
    return tuple(order)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_the_well_known_bad_shuffles_are_seen_to_be_bad(size: int) -> None:
    naive = Counter(
        swap_with_any(range(size), iter(path)) for path in product(range(size), repeat=size)
    )
    assert len(set(naive.values())) > 1
    paths = every_path(size, lambda place: place + 1)
    off_by_one = Counter(swap_below(range(size), iter(path)) for path in paths)
    assert len(off_by_one) < factorial(size)
    assert tuple(range(size)) not in off_by_one


def test_a_number_is_exactly_uniform_over_all_bytes_and_pairs_of_bytes() -> None:
    for most in range(1, 257):
        kept: Counter[int] = Counter()
        for byte in range(256):
            # The byte 0 behind it stands in for the next one after a refusal.
            source = iter((byte, 0))
            value = uniform(most, source)
            if next(source, None) is not None:
                kept[value] += 1
        assert set(kept.values()) == {256 // most}
        assert len(kept) == most


@pytest.mark.parametrize("most", [257, 1000, 65_536])
def test_two_bytes_serve_larger_ranges(most: int) -> None:
    counts: Counter[int] = Counter()
    for value in range(65_536):
        source = iter((*value.to_bytes(2, "big"), 0, 0))
        drawn = uniform(most, source)
        if len(list(source)) == 2:
            counts[drawn] += 1
    assert set(counts.values()) == {65_536 // most}
    assert len(counts) == most


def test_a_byte_modulo_52_would_favour_the_first_48_cards() -> None:
    naive = Counter(byte % 52 for byte in range(256))
    assert {naive[card] for card in range(48)} == {5}
    assert {naive[card] for card in range(48, 52)} == {4}


@pytest.mark.parametrize("most", [0, -1, 65_537])
def test_a_range_out_of_reach_is_refused(most: int) -> None:
    with pytest.raises(ValueError, match="most"):
        uniform(most, iter(b"\0\0"))


def test_a_seed_has_at_least_32_bytes() -> None:
    with pytest.raises(ValueError, match="32"):
        next(stream(b"any", bytes(31)))


def test_labels_and_seeds_part_the_streams() -> None:
    def begins(label: bytes, seed: bytes) -> bytes:
        source = stream(label, seed)
        return bytes(next(source) for _ in range(32))

    flipped = bytes([SEED[0] ^ 1]) + SEED[1:]
    assert len({begins(b"a", SEED), begins(b"b", SEED), begins(b"a", flipped)}) == 3


def test_a_shuffled_deck_keeps_its_cards_and_each_place_gets_all_of_them() -> None:
    rng = random.Random(1)
    places = [Counter[int]() for _ in range(8)]
    rounds = 4000
    for _ in range(rounds):
        order = shuffle(range(8), rng.randbytes(32))
        assert sorted(order) == list(range(8))
        for place, card in enumerate(order):
            places[place][card] += 1
    expected = rounds / 8
    chi_square = sum(
        (places[place][card] - expected) ** 2 / expected for place in range(8) for card in range(8)
    )
    # 49 degrees of freedom: beyond 95 lies one run in ten thousand, and the seed is fixed.
    assert chi_square < 95
