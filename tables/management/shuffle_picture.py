"""A picture of a shuffle's findings: every card at every place, and each test's chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from tables.engine.cards import CARD_TEXT
from tables.management.shuffle_battery import SIZE, Battery, Finding

CELL, LEFT, TOP, LINE = 9, 46, 64, 22
STRONG = 4.5
"""Standard deviations at which a cell has its full colour."""
BARS, LONGEST = 560, 420


def picture(battery: Battery, findings: Sequence[Finding], title: str, level: float) -> str:
    """An SVG. level: the chance below which a test rejects."""
    side = SIZE * CELL
    width, height = LEFT + side + 40 + BARS, TOP + side + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' font-family="sans-serif" font-size="12" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{LEFT}" y="24" font-size="16">{escape(title)}</text>',
        f'<text x="{LEFT}" y="46">Cards down, places across; blue: seldom, red: often,'
        f" full at {STRONG} deviations</text>",
        *_cells(battery),
        *_bars(findings, LEFT + side + 40, level),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _cells(battery: Battery) -> list[str]:
    deviations = battery.deviations()
    found = []
    for card in range(SIZE):
        y = TOP + card * CELL
        if card % 4 == 0:
            found.append(f'<text x="{LEFT - 24}" y="{y + 9}">{CARD_TEXT[card]}</text>')
        for place in range(SIZE):
            colour = _colour(float(deviations[card, place]))
            found.append(
                f'<rect x="{LEFT + place * CELL}" y="{y}" width="{CELL}" height="{CELL}"'
                f' fill="{colour}"/>'
            )
    return found


def _colour(deviation: float) -> str:
    faded = round(255 * (1 - min(1.0, abs(deviation) / STRONG)))
    return f"rgb(255,{faded},{faded})" if deviation > 0 else f"rgb({faded},{faded},255)"


def _bars(findings: Sequence[Finding], x: int, level: float) -> list[str]:
    """One bar a test; its length is the power of ten of its chance, ten powers at most."""
    per_power = LONGEST / 10
    edge = x - math.log10(level) * per_power
    bottom = TOP + len(findings) * 2 * LINE
    found = [
        f'<text x="{x}" y="46">Chance of a result at least as far out</text>',
        f'<path d="M{edge:.1f} {TOP}V{bottom}" stroke="#999" stroke-dasharray="4 3"/>',
        f'<text x="{edge + 4:.1f}" y="{bottom}">rejected beyond {level:.2g}</text>',
    ]
    for number, one in enumerate(findings):
        y = TOP + number * 2 * LINE
        powers = min(10.0, -math.log10(one.p)) if one.p > 0 else 10.0
        fill = "#b3261e" if one.p < level else "#1f7a4d"
        found += [
            f'<text x="{x}" y="{y + 12}">{escape(one.name)}: p = {one.p:.3g}</text>',
            f'<rect x="{x}" y="{y + 16}" width="{max(1.0, powers * per_power):.1f}" height="10"'
            f' fill="{fill}"/>',
        ]
    return found
