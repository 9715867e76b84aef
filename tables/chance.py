"""How likely chance alone would part what was counted from what was expected, at least so far."""

from __future__ import annotations

import math
from collections.abc import Sequence

CELL_LEAST = 5.0
"""A cell that should hold fewer is joined with its neighbour before a chi-square is trusted."""
TERMS_MOST = 100_000
EXACT = 1e-15


def chi_square_p(statistic: float, freedom: int) -> float:
    """The chance of a chi-square at least as large. freedom: degrees of freedom, at least 1.

    The regularised upper incomplete gamma function of freedom/2 and statistic/2: its series below
    the hump, its continued fraction above (Abramowitz and Stegun 6.5.29 and 6.5.31).
    """
    if freedom < 1:
        raise ValueError("a chi-square has at least one degree of freedom")
    if statistic <= 0:
        return 1.0
    a, x = freedom / 2, statistic / 2
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        return max(0.0, 1.0 - scale * _series(a, x))
    return min(1.0, scale * _fraction(a, x))


def normal_p(z: float) -> float:
    """The chance of a standard normal at least so far from 0, on either side."""
    return math.erfc(abs(z) / math.sqrt(2))


def goodness(counts: Sequence[float], chances: Sequence[float]) -> tuple[float, int]:
    """The chi-square of counts against the chances of their cells, and its degrees of freedom.

    Neighbouring cells are joined, from the first on, until each should hold CELL_LEAST.
    Raises ValueError when fewer than two are left.
    """
    total = sum(counts)
    cells: list[list[float]] = [[0.0, 0.0]]
    for count, chance in zip(counts, chances, strict=True):
        if cells[-1][1] >= CELL_LEAST:
            cells.append([0.0, 0.0])
        cells[-1][0] += count
        cells[-1][1] += chance * total
    if cells[-1][1] < CELL_LEAST and len(cells) > 1:
        last = cells.pop()
        cells[-1] = [cells[-1][0] + last[0], cells[-1][1] + last[1]]
    if len(cells) < 2:
        raise ValueError(f"{total} are too few to judge")
    return sum((found - due) ** 2 / due for found, due in cells), len(cells) - 1


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    for number in range(1, TERMS_MOST):
        term *= x / (a + number)
        total += term
        if term < total * EXACT:
            return total
    raise ArithmeticError(f"no end at {a}, {x}")


def _fraction(a: float, x: float) -> float:
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    value = d
    for number in range(1, TERMS_MOST):
        step = -number * (number - a)
        b += 2
        d = 1 / (step * d + b or tiny)
        c = b + step / c or tiny
        value *= d * c
        if abs(d * c - 1) < EXACT:
            return value
    raise ArithmeticError(f"no end at {a}, {x}")
