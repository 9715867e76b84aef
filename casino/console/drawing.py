"""Pictures of figures as SVG, drawn on the server: axes, lines, dots, bands, cells and flows.

Colour comes from the console's style sheet; every mark has words for who cannot see it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 14, 36


@dataclass(frozen=True)
class Axis:
    """From figures to places. log: by powers of ten. whole: counts have no halves."""

    low: float
    high: float
    begins: float
    ends: float
    log: bool = False
    whole: bool = False

    def at(self, figure: float) -> float:
        low, high, value = self.low, self.high, figure
        if self.log:
            low, high, value = (math.log10(max(each, 1.0)) for each in (low, high, value))
        share = (value - low) / (high - low) if high > low else 0.5
        return round(self.begins + share * (self.ends - self.begins), 1)

    def ticks(self, most: int = 6) -> list[float]:
        """Round figures along the axis."""
        if self.log:
            first, last = (
                math.floor(math.log10(max(self.low, 1))),
                math.ceil(math.log10(max(self.high, 1))),
            )
            return [10.0**power for power in range(first, last + 1)
                    if self.low <= 10.0**power <= self.high]  # fmt: skip
        span = self.high - self.low
        if span <= 0:
            return [self.low]
        step = 10 ** math.floor(math.log10(span / most))
        step *= next((by for by in (1, 2, 5, 10) if span / (step * by) <= most), 10)
        step = max(1, step) if self.whole else step
        first = math.ceil(self.low / step)
        return [each * step for each in range(first, math.floor(self.high / step) + 1)]


def along(figures: Iterable[float], *, log: bool = False) -> Axis:
    """The axis at the bottom."""
    known = list(figures) or [0.0, 1.0]
    return Axis(min(known), max(known), LEFT, WIDTH - RIGHT, log)


def upward(figures: Iterable[float]) -> Axis:
    """The axis at the left, with a little room above and below."""
    known = list(figures) or [0.0, 1.0]
    low, high = min(known), max(known)
    room = (high - low) * 0.06 or abs(high) * 0.1 or 1.0
    return Axis(low - room, high + room, HEIGHT - BOTTOM, TOP)


def label_of(figure: float) -> str:
    if figure == int(figure):
        return f"{int(figure):,}"
    return f"{figure:,.{max(0, 2 - math.floor(math.log10(abs(figure))))}f}".rstrip("0").rstrip(".")


def short(name: str, most: int = 20) -> str:
    """A name as it fits beside a line; whole it stands in the table of numbers."""
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


@dataclass
class Drawing:
    """What is drawn, in order. words: the picture in a sentence."""

    words: str
    width: int = WIDTH
    height: int = HEIGHT
    marks: list[SafeString] = field(default_factory=list)

    def frame(self, x: Axis, y: Axis, x_name: str, y_name: str) -> None:
        """Both axes with their ticks and names."""
        for tick in y.ticks():
            at = y.at(tick)
            self.marks.append(format_html(
                '<path class="grid" d="M{} {}H{}"/><text x="{}" y="{}" text-anchor="end">{}</text>',
                LEFT, at, WIDTH - RIGHT, LEFT - 6, at + 4, label_of(tick),
            ))  # fmt: skip
        for tick in x.ticks(8):
            at = x.at(tick)
            self.marks.append(format_html(
                '<path class="grid" d="M{} {}V{}"/><text x="{}" y="{}" text-anchor="middle">{}'
                "</text>", at, TOP, HEIGHT - BOTTOM, at, HEIGHT - BOTTOM + 16, label_of(tick),
            ))  # fmt: skip
        self.marks.append(format_html(
            '<text class="name" x="{}" y="{}" text-anchor="end">{}</text>'
            '<text class="name" x="{}" y="{}">{}</text>',
            WIDTH - RIGHT, HEIGHT - 4, x_name, LEFT + 4, TOP + 8, y_name,
        ))  # fmt: skip

    def line(self, points: Sequence[tuple[float, float]], kind: str, stepped: bool = False) -> None:
        if not points:
            return
        path = f"M{points[0][0]} {points[0][1]}"
        for x, y in points[1:]:
            path += f"H{x}V{y}" if stepped else f"L{x} {y}"
        self.marks.append(format_html('<path class="line {}" d="{}"/>', kind, path))

    def band(self, above: Sequence[tuple[float, float]], below: Sequence[tuple[float, float]],
             kind: str) -> None:  # fmt: skip
        points = [*above, *reversed(below)]
        if points:
            text = " ".join(f"{x},{y}" for x, y in points)
            self.marks.append(format_html('<polygon class="band {}" points="{}"/>', kind, text))

    def dot(self, x: float, y: float, words: str, kind: str = "") -> None:
        self.marks.append(format_html(
            '<circle class="dot {}" cx="{}" cy="{}" r="5"><title>{}</title></circle>',
            kind, x, y, words,
        ))  # fmt: skip

    def text(self, x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> None:
        self.marks.append(format_html(
            '<text class="{}" x="{}" y="{}" text-anchor="{}">{}</text>', kind, x, y, anchor, words
        ))  # fmt: skip

    def cell(self, x: float, y: float, width: float, height: float, share: float,
             words: str) -> None:  # fmt: skip
        """A cell of a heat map; share: 0 to 1, how strong it is."""
        self.marks.append(format_html(
            '<rect class="heat" x="{}" y="{}" width="{}" height="{}" rx="2" fill-opacity="{}">'
            "<title>{}</title></rect>", x, y, width, height, f"{max(0.04, min(1.0, share)):.2f}",
            words,
        ))  # fmt: skip

    def bar(self, x: float, y: float, width: float, height: float, words: str) -> None:
        self.marks.append(format_html(
            '<rect class="node" x="{}" y="{}" width="{}" height="{}" rx="2"><title>{}</title>'
            "</rect>", x, y, width, max(1.0, height), words,
        ))  # fmt: skip

    def strip(self, x: float, y: float, width: float, height: float, words: str, kind: str) -> None:
        """A stretch of time on a line."""
        self.marks.append(format_html(
            '<rect class="strip {}" x="{}" y="{}" width="{}" height="{}" rx="2"><title>{}</title>'
            "</rect>", kind, x, y, width, height, words,
        ))  # fmt: skip

    def flow(self, x1: float, y1: float, x2: float, y2: float, width: float, words: str) -> None:
        """A stream from one bar to another, as wide as what it carries."""
        mid = (x1 + x2) / 2
        self.marks.append(format_html(
            '<path class="flow" d="M{} {}C{} {} {} {} {} {}" stroke-width="{}"><title>{}</title>'
            "</path>", x1, y1, mid, y1, mid, y2, x2, y2, f"{max(1.0, width):.1f}", words,
        ))  # fmt: skip

    @property
    def svg(self) -> SafeString:
        marks = format_html_join("", "{}", ((mark,) for mark in self.marks))
        return format_html(
            '<svg class="picture" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>',
            self.width, self.height, self.words, marks,
        )  # fmt: skip
