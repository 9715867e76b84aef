"""Chances as the tables of the textbooks give them."""

import math

import pytest

from tables.chance import chi_square_p, goodness, normal_p


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [
        (3.841459, 1, 0.05),
        (6.634897, 1, 0.01),
        (15.08627, 5, 0.01),
        (20.51501, 5, 0.001),
        (124.3421, 100, 0.05),
        (149.4493, 100, 0.001),
        (100.0, 100, 0.481192),
    ],
)
def test_a_chi_square_has_the_chance_of_the_tables(
    statistic: float, freedom: int, p: float
) -> None:
    assert chi_square_p(statistic, freedom) == pytest.approx(p, rel=2e-5)


@pytest.mark.parametrize(("statistic", "freedom"), [(2772, 2601), (2823, 2651)])
def test_thousands_of_cells_are_judged_as_the_laboratories_do(
    statistic: float, freedom: int
) -> None:
    assert chi_square_p(statistic, freedom) == pytest.approx(0.01, rel=0.03)


def test_two_degrees_of_freedom_are_an_exponential() -> None:
    for statistic in (0.1, 1.0, 2.9, 4.1, 30.0, 900.0):
        assert chi_square_p(statistic, 2) == pytest.approx(math.exp(-statistic / 2), rel=1e-9)


def test_nothing_out_of_the_way_is_certain_and_nothing_less_than_impossible() -> None:
    assert chi_square_p(0, 7) == 1.0
    assert chi_square_p(1e6, 7) == 0.0
    with pytest.raises(ValueError, match="freedom"):
        chi_square_p(1, 0)


def test_a_normal_deviate_has_two_sides() -> None:
    assert normal_p(1.959964) == pytest.approx(0.05, rel=1e-5)
    assert normal_p(-2.575829) == pytest.approx(0.01, rel=1e-5)


def test_cells_that_are_too_small_are_joined() -> None:
    statistic, freedom = goodness([30, 2, 1, 60, 7], [0.3, 0.02, 0.02, 0.6, 0.06])
    assert freedom == 2
    assert statistic == pytest.approx((30 - 30) ** 2 / 30 + (63 - 64) ** 2 / 64 + 1 / 6)
    assert goodness([60, 40, 0], [0.5, 0.48, 0.02]) == (pytest.approx(100 / 50 + 100 / 50), 1)
    with pytest.raises(ValueError, match="too few"):
        goodness([3, 3], [0.5, 0.5])
