"""Amounts as people write them, and back, to the minor unit."""

import pytest
from hypothesis import given
from hypothesis.strategies import integers

from casino.core.money import minor_of, units, units_plain


@pytest.mark.parametrize(
    ("minor", "exponent", "text"),
    [
        (123_450, 2, "1,234.50"), (5, 2, "0.05"), (-5, 2, "−0.05"), (0, 2, "0.00"),
        (1_000, 0, "1,000"), (1_234_567, 3, "1,234.567"), (-100_000, 2, "−1,000.00"),
    ],
)  # fmt: skip
def test_amounts_are_grouped_with_the_decimals_of_their_currency(
    minor: int, exponent: int, text: str
) -> None:
    assert units(minor, exponent) == text


@given(minor=integers(-(10**15), 10**15), exponent=integers(0, 4))
def test_what_is_written_is_read_back(minor: int, exponent: int) -> None:
    assert minor_of(units(minor, exponent), exponent) == minor
    assert minor_of(units_plain(minor, exponent), exponent) == minor


@pytest.mark.parametrize(
    ("typed", "minor"),
    [("12,5", 1_250), ("1 234,50", 123_450), ("1,234", 123_400), ("1,234.5", 123_450), ("7", 700),
     ("-3.20", -320), (" 0.01 ", 1)],
)  # fmt: skip
def test_a_comma_is_a_decimal_point_or_a_group(typed: str, minor: int) -> None:
    assert minor_of(typed, 2) == minor


@pytest.mark.parametrize("typed", ["", "x", "1.2.3", "0.001", "NaN", "Infinity", "1e400", "--1"])
def test_what_is_no_amount_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match=r"amount|decimal"):
        minor_of(typed, 2)
