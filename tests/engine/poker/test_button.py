"""Button and blinds from hand to hand."""

from __future__ import annotations

from hypothesis import given
from hypothesis.strategies import integers, lists, sets

from tables.engine.poker.button import Positions, first_positions, next_positions


def test_the_positions_of_a_first_hand() -> None:
    assert first_positions([1, 4, 7], 4) == Positions(4, 7, 1)
    assert first_positions([1, 4], 4) == Positions(4, 4, 1)


def test_the_next_of_two_has_the_button_that_a_first_hand_finds_on_an_empty_seat() -> None:
    assert first_positions([1, 3], 2) == Positions(3, 3, 1)
    assert first_positions([1, 3], 9) == Positions(1, 1, 3)
    assert first_positions([1, 3, 4], 2) == Positions(2, 3, 4)  # it posts nothing: it stays


@given(sets(integers(1, 10), min_size=2), integers(1, 10), integers(1, 10), integers(1, 10))
def test_whoever_posts_is_active(seats: set[int], button: int, small: int, big: int) -> None:
    active = sorted(seats)
    for at in (
        first_positions(active, button),
        next_positions(Positions(button, small, big), active),
    ):
        assert {post["seat"] for post in at.posts()} <= seats


def test_a_big_blind_that_leaves_makes_the_small_blind_dead_and_then_the_button() -> None:
    after = next_positions(Positions(1, 2, 3), [1, 2, 4])
    assert after == Positions(2, 3, 4, small_posts=False)
    assert after.posts() == [{"seat": 4, "kind": "big"}]
    assert next_positions(after, [1, 2, 4]) == Positions(3, 4, 1)


def test_from_three_to_two_nobody_posts_the_big_blind_twice_running() -> None:
    for left in ([1, 2], [1, 3], [2, 3]):
        after = next_positions(Positions(1, 2, 3), left)
        assert after.big != 3
        assert after.button == after.small


def test_from_two_to_three_button_and_blinds_are_three_seats() -> None:
    for active in ([1, 5, 7], [1, 3, 5]):
        after = next_positions(Positions(1, 1, 5), active)
        assert len({after.button, after.small, after.big}) == 3
        assert after.big != 5


@given(lists(sets(integers(1, 9), min_size=2), min_size=1, max_size=12))
def test_whoever_stays_pays_a_big_blind_each_time_it_passes_him(tables: list[set[int]]) -> None:
    at = first_positions(sorted(tables[0]), min(tables[0]))
    for active in tables:
        after = next_positions(at, sorted(active))
        passed = {seat for seat in active if _between(at.big, seat, after.big)}
        assert passed == set()
        assert after.big in active
        assert after.big != at.big
        at = after


def _between(low: int, seat: int, high: int) -> bool:
    return (seat - low) % 10 < (high - low) % 10 and seat != low
