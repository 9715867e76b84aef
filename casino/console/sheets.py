"""Paytables as a person edits them: pays in a grid, exact figures beside, against what is live.

Nothing here is estimated: a change is priced by the same enumeration that approves it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as say

from casino.core.money import units
from tables.engine.banked.hands import HANDS, class_words
from tables.engine.banked.options import TIE_WORDS
from tables.engine.banked.prices import COUNTS
from tables.engine.banked.sheet import sheet
from tables.engine.banked.vocabulary import BankedGame, Bonus, Progressive, Side
from tables.models import Paytable
from tables.services.versions import banked_game

ODDS_MOST = 100_000


@dataclass(frozen=True)
class Line:
    """A class of hand in a grid. pays, live: odds to 1, None where the line is left out."""

    cls: str
    words: str
    hands: int
    chance: str
    pays: int | None
    live: int | None
    back: str
    delta: str

    @property
    def is_changed(self) -> bool:
        return self.pays != self.live


@dataclass(frozen=True)
class Figure:
    """One exact figure, of the version that is looked at and of the live one."""

    id: str
    words: str
    now: str
    live: str


@dataclass
class Grid:
    """A wager's paytable and what it comes to. returned: in percent; is_allowed: by the bounds."""

    wager: str
    name: str
    priced: str
    lines: list[Line]
    figures: list[Figure]
    returned: str
    change: str
    is_allowed: bool
    least: str
    most: str
    marks: dict[str, int] = field(default_factory=dict)


def grids(game: BankedGame, content: Mapping[str, Any], live: Mapping[str, Any]) -> list[Grid]:
    """Every paytable of a version, with its exact figures. Raises BadOptions."""
    now, before = sheet(game, content), sheet(game, live)
    found = []
    for wager in game.wagers:
        if isinstance(wager, Progressive) or not isinstance(wager, Bonus | Side):
            continue
        priced = game.decision.of if isinstance(wager, Bonus) else wager.id
        table = content.get("paytables", {}).get(wager.id)
        if table is None and wager.id not in live.get("paytables", {}):
            continue
        found.append(
            _grid(
                wager.id,
                wager.name,
                wager.hand,
                priced,
                table or {},
                live.get("paytables", {}).get(wager.id, {}),
                now.get(priced),
                before.get(priced),
            )
        )
    return found


def _grid(
    wager: str,
    name: str,
    hand: str,
    priced: str,
    pays: Mapping[str, int],
    live: Mapping[str, int],
    now: Mapping[str, Any] | None,
    before: Mapping[str, Any] | None,
) -> Grid:
    least, most = settings.PAYTABLE_RETURN_BP.get(priced, settings.PAYTABLE_RETURN_BP["default"])
    back, was = _fraction(now, "return"), _fraction(before, "return")
    is_allowed = back is not None and Fraction(least, 10_000) <= back <= Fraction(most, 10_000)
    return Grid(
        wager=wager,
        name=name,
        priced=priced,
        lines=_lines(hand, pays, live),
        figures=_figures(now, before),
        returned="–" if back is None else _percent(back),
        change=""
        if back is None or was is None or back == was
        else say("{0} points against live").format(_signed(back - was)),
        is_allowed=is_allowed,
        least=units(least, 2),
        most=units(most, 2),
        marks=_marks(least, most, back, was),
    )


def _lines(hand: str, pays: Mapping[str, int], live: Mapping[str, int]) -> list[Line]:
    """Every class the game knows; a line left out is paid as the one it falls to."""
    known = COUNTS[hand]()
    lines = []
    for cls in HANDS[hand].classes:
        chance = Fraction(known.counts[cls], known.total)
        now, before = (
            Fraction(table.get(HANDS[hand].line(cls, table), 0)) * chance for table in (pays, live)
        )
        lines.append(
            Line(
                cls=cls,
                words=class_words(cls),
                hands=known.counts[cls],
                chance=_percent(chance, 3),
                pays=pays.get(cls),
                live=live.get(cls),
                back=_percent(now, 3),
                delta="–" if now == before else _signed(now - before, 3),
            )
        )
    return lines


def _figures(now: Mapping[str, Any] | None, before: Mapping[str, Any] | None) -> list[Figure]:
    def pair(name: str, words: str, say: Any) -> Figure:
        said = ["–" if figures is None else say(figures) for figures in (now, before)]
        return Figure(name, words, *said)

    return [
        pair("return", say("Return"), lambda f: _percent(Fraction(*f["return"])) + " %"),
        pair("edge", say("House edge"), lambda f: _percent(Fraction(*f["house_edge"])) + " %"),
        pair("exactly", say("exactly"), lambda f: "/".join(map(str, f["house_edge"]))),
        pair(
            "risk",
            say("Of all that is staked"),
            lambda f: _percent(Fraction(*f["element_of_risk"])) + " %",
        ),
        pair("wins", say("Wins one in"), lambda f: _one_in(Fraction(*f["hit_frequency"]))),
        pair("deviation", say("Standard deviation"), lambda f: f["standard_deviation"][:7]),
        pair(
            "variance", say("Variance"), lambda f: units(round(Fraction(*f["variance"]) * 10**4), 4)
        ),
        pair(
            "worst", say("Most a unit can cost the house"), lambda f: f"{f['worst_case_units']:,}"
        ),
    ]


def _marks(least: int, most: int, back: Fraction | None, was: Fraction | None) -> dict[str, int]:
    """Places on an axis of 320 units: the allowed span in its middle 200, the rest around it."""

    def at(figure: Fraction) -> int:
        share = (figure * 10_000 - least) / Fraction(max(most - least, 1))
        return round(max(Fraction(6), min(Fraction(314), 60 + 200 * share)))

    marks = {}
    if back is not None:
        marks["draft"] = at(back)
    if was is not None:
        marks["live"] = at(was)
    return marks


def _fraction(figures: Mapping[str, Any] | None, name: str) -> Fraction | None:
    return None if figures is None else Fraction(*figures[name])


def _percent(figure: Fraction, places: int = 4) -> str:
    return units(round(figure * 100 * 10**places), places)


def _signed(figure: Fraction, places: int = 4) -> str:
    text = _percent(figure, places)
    return text if figure < 0 else f"+{text}"


def _one_in(figure: Fraction) -> str:
    return "–" if not figure else units(round(1000 / figure), 3)


def live_of(game_id: str) -> Paytable | None:
    """The approved version that is in force at most tables, else the last one approved."""
    approved = Paytable.objects.filter(game=game_id, status=Paytable.Status.APPROVED)
    ranked = sorted(
        approved.prefetch_related("tables"),
        key=lambda each: (len(each.tables.all()), each.pk),
    )
    return ranked[-1] if ranked else None


def typed(game_id: str, base: Mapping[str, Any], form: Mapping[str, Any]) -> dict[str, Any]:
    """The content that a filled-in grid means: `pays.<wager>.<class>`, qualifier and tie.

    What the grid does not show stays as in `base`. Raises ValueError for what is no odds.
    """
    game = banked_game(game_id)
    content = {**base}
    tables: dict[str, dict[str, int]] = {}
    for wager in game.wagers:
        if isinstance(wager, Progressive) or not isinstance(wager, Bonus | Side):
            continue
        table = {}
        for cls in HANDS[wager.hand].classes:
            odds = str(form.get(f"pays.{wager.id}.{cls}", "")).strip()
            if odds:
                table[cls] = _odds(odds, f"{wager.name}, {class_words(cls)}")
        if table:
            tables[wager.id] = table
    content["paytables"] = tables
    qualifier = form.get("qualifier")
    if qualifier in game.qualifiers:
        content = _unless_usual(content, "qualifier", qualifier, game.qualifiers[0], base)
    tie = form.get("tie")
    if tie in TIE_WORDS:
        policy = _unless_usual(
            dict(base.get("policy", {})), "tie", tie, TIE_WORDS[0], base.get("policy", {})
        )
        content = _unless_usual(content, "policy", policy, {}, base)
    return content


def _odds(text: str, where: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) > ODDS_MOST:
        raise ValueError(say("{0}: whole odds to 1, up to {1:,}").format(where, ODDS_MOST))
    return int(text)


def _unless_usual(
    content: dict[str, Any], name: str, value: Any, usual: Any, base: Mapping[str, Any]
) -> dict[str, Any]:
    """Say it only where it was said or is not the usual, so that equal rules stay equal text."""
    if value == usual and name not in base:
        return {key: kept for key, kept in content.items() if key != name}
    return {**content, name: value}
