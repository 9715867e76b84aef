"""What tables brought over gaming days: the figures of reports, each defined once, here.

drop is what players bought in chips at a table; handle is all that was wagered against the house;
win is what bank or rake gained; hold is win of drop; win % is win of handle, the only one that can
be held against the edge; expected is the exact theoretical win of the bets that were made, with
the band in which chance alone leaves the win 19 days of 20. What hands gave to jackpots, what these
paid, and tips stand beside the win and are no part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Count, Q, Sum
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _

from casino.console.floors import tables_of
from casino.console.pit import FIGURES, Day
from casino.core.models import User
from tables.engine.games import Game, named
from tables.engine.games.mixed import MixedGame
from tables.models import Table, TableHour
from wallets.gaming_day import day_begins

BY = {
    "table": _("Table"), "game": _("Game"), "day": _("Gaming day"), "shift": _("Shift"),
    "hour": _("Hour"), "dealer": _("Dealer"),
}  # fmt: skip
SHIFT_HOURS = 8  # from the gaming day's beginning
DAYS_MOST = 400
# Not an hour in which only money was counted: a dealer's box, a jackpot, a hand undone later.
PLAYED = Q(hands__gt=0) | Q(voided__gt=0, hands__gte=0) | Q(drop_minor__gt=0)


@dataclass(frozen=True)
class Row:
    """One line of a report; hours: those in which hands were dealt or chips bought."""

    name: str
    game: str
    currency: str
    hours: int
    day: Day
    table_id: int | None = None
    is_banked: bool = False

    @property
    def hands_an_hour(self) -> float:
        return self.day.hands / self.hours if self.hours else 0.0

    @property
    def seats_a_hand(self) -> float:
        return self.day.seats_dealt / self.day.hands if self.day.hands else 0.0

    @property
    def hold(self) -> float | None:
        return self.day.hold if self.is_banked else None

    @property
    def win_percent(self) -> float | None:
        return 100 * self.day.won_minor / self.day.staked_minor if self.day.staked_minor else None

    @property
    def edge_percent(self) -> float | None:
        """The theoretical win of the handle: what win % should come to."""
        staked = self.day.staked_minor
        return 100 * self.day.expected_minor / staked if staked else None


@dataclass(frozen=True)
class Report:
    """by: a key of BY."""

    begins: date
    ends: date
    by: str
    rows: list[Row]
    totals: list[Row]

    @property
    def by_words(self) -> str:
        return str(BY[self.by])

    @property
    def has_jackpots(self) -> bool:
        """Whether the page needs their columns; files always have them."""
        return any(row.day.jackpot_in_minor or row.day.jackpot_out_minor for row in self.rows)

    @property
    def has_tips(self) -> bool:
        return any(row.day.tips_minor for row in self.rows)


KEYS: dict[str, tuple[str, ...]] = {
    "table": (), "game": (), "day": ("gaming_day",), "hour": ("hour",),
    "shift": ("gaming_day", "hour"), "dealer": ("dealer_id",),
}  # fmt: skip


def report(*, begins: date, ends: date, by: str, house_tables: bool, user: object = None) -> Report:
    """Figures of the gaming days from `begins` to `ends`, both counted.

    house_tables: whether demo tables count. user: for whom; who works in some pits sees theirs.
    """
    tables = {table.pk: table for table in tables_of(user) if house_tables or not table.is_house}
    keys = KEYS[by]
    found = (
        TableHour.objects.filter(gaming_day__range=(begins, ends), table_id__in=tables)
        .order_by()
        .values_list("table_id", *keys)
        .annotate(played=Count("hour", filter=PLAYED, distinct=True))
        .annotate(*(Sum(name) for name in FIGURES))
    )
    games = {pk: named(table.game, table.options) for pk, table in tables.items()}
    named_by = _names(by, begins, ends)
    lines = [
        _line(tables[table], games[table], by, named_by(*rest[: len(keys)]), rest[len(keys) :])
        for table, *rest in found
    ]
    rows = sorted(
        _merged(lines, lambda row: (row.name, row.currency, row.is_banked)),
        key=lambda row: row.name,
    )
    totals = [
        Row(
            say("House games") if banked else say("Games among players"),
            "",
            row.currency,
            row.hours,
            row.day,
            is_banked=banked,
        )
        for banked in (True, False)
        for row in _merged(
            [line for line in lines if line.is_banked == banked], lambda row: row.currency
        )
    ]
    return Report(begins, ends, by, rows, totals)


def _names(by: str, begins: date, ends: date) -> Callable[..., str]:
    """What a line is called, from its key in the rows."""
    if by == "dealer":
        dealers: dict[int | None, str] = {None: say("no dealer signed on")}
        rows = TableHour.objects.filter(gaming_day__range=(begins, ends), dealer__isnull=False)
        ids = rows.order_by().values_list("dealer_id", flat=True).distinct()
        dealers.update(User.objects.filter(pk__in=list(ids)).values_list("pk", "display_name"))
        return lambda dealer: dealers[dealer]
    if by == "shift":
        days = ((begins + timedelta(days=nth)) for nth in range((ends - begins).days + 1))
        first = {day: day_begins(day) for day in days}
        return lambda day, hour: _shift(day, first[day], hour)
    return lambda *key: _moment(key[0]) if key else ""


def _shift(day: date, begins: datetime, hour: datetime) -> str:
    """The third of the gaming day that an hour belongs to; an hour may begin before its day."""
    nth = max(0, int((hour - begins).total_seconds() // 3600 // SHIFT_HOURS))
    from_h = (begins.hour + nth * SHIFT_HOURS) % 24
    return say("{0}, from {1:02} to {2:02}").format(
        day.isoformat(), from_h, (from_h + SHIFT_HOURS) % 24
    )


def _line(table: Table, game: Game | MixedGame, by: str, key: str, figures: list[Any]) -> Row:
    hours, *sums = figures
    return Row(
        name={"table": table.name, "game": game.name}.get(by, key),
        game=game.name if by == "table" else "",
        currency=table.currency,
        hours=hours,
        day=Day(*(int(figure) for figure in sums)),
        table_id=table.pk if by == "table" else None,
        is_banked=game.family == "banked",
    )


def _moment(at: date | datetime) -> str:
    return f"{at:%Y-%m-%d %H:00} UTC" if isinstance(at, datetime) else at.isoformat()


def _merged(lines: Iterable[Row], key: Any) -> list[Row]:
    """Table-hours added up: ten tables of an hour each count ten hours."""
    found: dict[Any, Row] = {}
    for line in lines:
        known = found.get(key(line))
        found[key(line)] = (
            line
            if known is None
            else Row(
                line.name, line.game, line.currency, known.hours + line.hours,
                known.day.plus(line.day), line.table_id,
                known.is_banked and line.is_banked,
            )
        )  # fmt: skip
    return list(found.values())


COLUMNS = (
    "name", "game", "currency", "hands", "voided", "table hours", "hands an hour", "seats a hand",
    "drop", "handle", "win", "hold %", "win %", "expected win", "expected %", "band ±",
    "jackpot in", "jackpot out", "tips",
)  # fmt: skip
MONEY = (
    "drop", "handle", "win", "expected win", "band ±", "jackpot in", "jackpot out", "tips",
)  # fmt: skip


def cells(row: Row) -> list[Any]:
    """A row as COLUMNS name it; amounts in minor units."""
    day, banked = row.day, row.is_banked
    return [
        row.name, row.game, row.currency, day.hands, day.voided, row.hours,
        round(row.hands_an_hour, 1), round(row.seats_a_hand, 2), day.drop_minor,
        day.staked_minor if banked else None, day.won_minor,
        None if row.hold is None else round(row.hold, 2),
        None if row.win_percent is None else round(row.win_percent, 2),
        day.expected_minor if banked else None,
        None if row.edge_percent is None else round(row.edge_percent, 2),
        day.band_minor if banked else None,
        day.jackpot_in_minor, day.jackpot_out_minor, day.tips_minor,
    ]  # fmt: skip
