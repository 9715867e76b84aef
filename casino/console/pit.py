"""The floor at a glance: one tile a table, those that need a human first.

However many tables and hands there are, a look costs the same few queries.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

import orjson
from django.db.models import Min, Sum
from django.utils import timezone
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _

from casino.console.alerts import BAND, CRITICAL, JUDGED_FROM, Alert, alerts_now
from casino.console.floors import tables_of
from casino.console.kinds.fields import LIMITS
from casino.core.models import Device
from casino.core.money import units
from tables.engine.games import named
from tables.models import Hand, Seat, Table, TableHour
from tables.selectors import database_now
from wallets.gaming_day import day_begins, gaming_day
from wallets.selectors import exponents

# What a table waits for.
WINDOWS = {
    "betting": _("bets"), "decision": _("play or fold"), "turn": _("turn"), "draw": _("draw"),
    "discard": _("discards"), "pass": _("passing cards"), "arrange": _("arranging cards"),
    "declare": _("declarations"), "spit": _("call for the spit"), "name_game": _("naming the game"),
    "agree": _("agreeing to the game"), "stopped": _("stopped"), "closed": _("cutting the deck"),
    "reshuffle": _("reshuffle"), "dice": _("dice"),
}  # fmt: skip
LIVE_WITHIN = timedelta(seconds=20)
HOUR_S = 3600
ORDER = {
    Table.Status.STOPPED: 1, Table.Status.OPEN: 2, Table.Status.DRAINING: 3,
    Table.Status.PAUSED: 4, Table.Status.DRAFT: 5, Table.Status.CLOSED: 6,
}  # fmt: skip
FIGURES = (
    "hands", "voided", "seats_dealt", "drop_minor", "staked_minor", "won_minor",
    "expected_minor", "variance", "tips_minor", "jackpot_in_minor", "jackpot_out_minor",
)  # fmt: skip


class Day(NamedTuple):
    """What a table did in a gaming day, in minor units; see TableHour."""

    hands: int = 0
    voided: int = 0
    seats_dealt: int = 0
    drop_minor: int = 0
    staked_minor: int = 0
    won_minor: int = 0
    expected_minor: int = 0
    variance: int = 0
    tips_minor: int = 0
    jackpot_in_minor: int = 0
    jackpot_out_minor: int = 0

    @property
    def hold(self) -> float | None:
        """Win in percent of the drop; None where nobody bought chips."""
        return 100 * self.won_minor / self.drop_minor if self.drop_minor else None

    @property
    def band_minor(self) -> int:
        """Half the width of the band in which chance alone leaves the win 19 days of 20."""
        return round(BAND * math.sqrt(self.variance))

    @property
    def is_outside(self) -> bool:
        if self.hands < JUDGED_FROM or not self.variance:
            return False
        return abs(self.won_minor - self.expected_minor) > self.band_minor

    def plus(self, other: Day) -> Day:
        return Day(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


@dataclass
class Tile:
    """One table as the floor sees it."""

    table: Table
    game: str
    family: str
    limits: str
    seats: int
    hand: Hand | None
    phase: str
    deadline: datetime | None
    day: Day
    hands_an_hour: int
    display: Device | None
    display_state: str
    alerts: list[Alert] = field(default_factory=list)

    @property
    def open_alerts(self) -> list[Alert]:
        return [alert for alert in self.alerts if alert.is_open]

    @property
    def grade(self) -> str:
        grades = {alert.grade for alert in self.open_alerts}
        return CRITICAL if CRITICAL in grades else next(iter(grades), "")

    @property
    def rank(self) -> tuple[int, str]:
        urgent = {CRITICAL: 0, "warn": 1}.get(self.grade)
        return (ORDER[Table.Status(self.table.status)] if urgent is None else urgent, "")

    @property
    def deeds(self) -> list[tuple[str, str, str]]:
        """What the floor may do with the table as it stands: name, word on the button, key."""
        at, running = Table.Status(self.table.status), self.hand is not None
        found = []
        if at != Table.Status.OPEN:
            found.append(("open", say("Open"), "o"))
        if at == Table.Status.OPEN:
            found.append(("pause", say("Pause"), "p"))
        if running and at in (Table.Status.OPEN, Table.Status.PAUSED, Table.Status.DRAINING):
            found.append(("stop", say("Stop"), "s"))
        if at in (Table.Status.OPEN, Table.Status.PAUSED, Table.Status.STOPPED):
            found.append(("drain", say("Drain"), "d"))
        if not running and at in (Table.Status.PAUSED, Table.Status.STOPPED):
            found.append(("close", say("Close"), "c"))
        if at == Table.Status.OPEN and self.table.options.get("bomb_pot") is not None:
            found.append(("bomb", say("Bomb pot"), "b"))
        return found

    @property
    def is_off(self) -> bool:
        return self.table.status in (Table.Status.PAUSED, Table.Status.CLOSED)

    @property
    def band(self) -> dict[str, int] | None:
        """The win beside its band, on an axis of 240 units with the expected win at its middle."""
        if self.family != "banked" or not self.day.variance:
            return None
        half = self.day.band_minor or 1
        away = (self.day.won_minor - self.day.expected_minor) / half
        return {"x": round(120 + max(-1.9, min(1.9, away)) * 60)}


@dataclass
class Pit:
    tiles: list[Tile]
    house: list[Alert]
    day: date
    turns_at: datetime
    totals: list[tuple[str, Day]]

    @property
    def need(self) -> int:
        return sum(1 for tile in self.tiles if tile.open_alerts) + len(
            [alert for alert in self.house if alert.is_open]
        )

    @property
    def opened(self) -> int:
        return sum(1 for tile in self.tiles if tile.table.status == Table.Status.OPEN)

    @property
    def players(self) -> tuple[int, int]:
        return (
            sum(tile.seats for tile in self.tiles),
            sum(tile.table.max_seats for tile in self.tiles if not tile.is_off),
        )


def pit(user: object = None) -> Pit:
    """The floor as it stands now: the tables of a person's pits, or all of them."""
    now = database_now()
    today = gaming_day(timezone.now())
    tables = list(tables_of(user).select_related("paytable"))
    seats = dict(Seat.objects.values_list("table_id").annotate(Sum("spots")))
    hands = Hand.objects.defer("final_view", "result", "options", "seats").in_bulk(
        [table.hand_id for table in tables if table.hand_id is not None]
    )
    days = days_of(today, today)
    devices = list(Device.objects.filter(revoked_at=None, table_id__isnull=False).order_by("pk"))
    displays = {device.table_id: device for device in devices}
    found = alerts_now(tables, devices, now)
    pace = hands_an_hour(now)
    places = exponents()
    tiles = [
        _tile(
            table,
            seats=seats.get(table.pk, 0),
            hand=hands.get(table.hand_id or 0),
            day=days.get(table.pk, Day()),
            pace=pace.get(table.pk, 0),
            display=displays.get(table.pk),
            now=now,
            exponent=places[table.currency],
        )
        for table in tables
    ]
    for tile in tiles:
        tile.alerts = [alert for alert in found if alert.table_id == tile.table.pk]
    totals: dict[str, Day] = {}
    for tile in tiles:
        if tile.family == "banked":
            currency = tile.table.currency
            totals[currency] = totals.get(currency, Day()).plus(tile.day)
    return Pit(
        tiles=sorted(tiles, key=lambda tile: (tile.rank, tile.table.name)),
        house=[alert for alert in found if alert.table_id is None],
        day=today,
        turns_at=day_begins(today + timedelta(days=1)),
        totals=sorted(totals.items()),
    )


def days_of(begins: date, ends: date) -> dict[int, Day]:
    """Each table's figures over gaming days, both counted."""
    rows = (
        TableHour.objects.filter(gaming_day__range=(begins, ends))
        .order_by()
        .values_list("table_id")
        .annotate(*(Sum(name) for name in FIGURES))
    )
    return {table: Day(*(int(figure) for figure in figures)) for table, *figures in rows}


def hands_an_hour(now: datetime) -> dict[int, int]:
    """How fast each table went in the hour that runs and the one before it."""
    begins = now.replace(minute=0, second=0, microsecond=0) - timedelta(hours=1)
    rows = (
        TableHour.objects.filter(hour__gte=begins, gaming_day__gte=begins.date() - timedelta(1))
        .order_by()
        .values_list("table_id")
        .annotate(Sum("hands"), Min("hour"))
    )
    return {
        table: round(hands * HOUR_S / max((now - first).total_seconds(), HOUR_S / 6))
        for table, hands, first in rows
    }


def _tile(
    table: Table,
    *,
    seats: int,
    hand: Hand | None,
    day: Day,
    pace: int,
    display: Device | None,
    now: datetime,
    exponent: int,
) -> Tile:
    game = named(table.game, table.options)
    return Tile(
        table=table,
        game=game.name,
        family=game.family,
        limits=limits_words(game.family, table.options, exponent),
        seats=seats,
        hand=hand,
        phase=phase_words(table),
        deadline=table.deadline,
        day=day,
        hands_an_hour=pace,
        display=display,
        display_state=display_words(display, now),
    )


def limits_words(family: str, options: Mapping[str, Any], exponent: int) -> str:
    """The stakes as they are said on the floor: "no limit 0.50/1", "5–100", "ante 2"."""

    def money(minor: int) -> str:
        return units(minor, exponent).removesuffix("." + "0" * exponent)

    if family == "banked":
        first = next(iter(options["limits"].values()))
        return f"{money(first['least_minor'])}–{money(first['most_minor'])}"
    blinds = _first(options, (("small_blind_minor", "big_blind_minor"),))
    bets = _first(options, (("small_bet_minor", "big_bet_minor"),))
    kind = str(options.get("limit", ""))
    words = str(LIMITS.get(kind, kind))
    if kind == "fixed" and bets:
        return say("limit {0}").format("/".join(map(money, bets)))
    if blinds:
        return f"{words} " + "/".join(map(money, blinds))
    if options.get("big_blind_minor"):
        return f"{words} {money(options['big_blind_minor'])}"
    if "small_bet_minor" in options:
        small = options["small_bet_minor"]
        return say("limit {0}").format(f"{money(small)}/{money(2 * small)}")
    if "ante_minor" in options:
        return say("ante {0}").format(money(options["ante_minor"]))
    return words


def _first(options: Mapping[str, Any], pairs: Iterable[tuple[str, str]]) -> list[int]:
    for pair in pairs:
        if all(options.get(name) is not None for name in pair):
            return [options[name] for name in pair]
    return []


def phase_words(table: Table) -> str:
    if table.hand_id is None:
        return say("between hands") if table.status == Table.Status.OPEN else ""
    if table.finished:
        return say("settling")
    if table.turn is None:
        return say("dealing")
    turn = orjson.loads(table.turn)
    seats = turn.get("seats", [])
    if turn.get("window") != "turn" or len(seats) != 1:
        return str(WINDOWS.get(turn.get("window", ""), turn.get("window", "")))
    return say("seat {0} to act").format(seats[0])


def display_words(display: Device | None, now: datetime) -> str:
    if display is None:
        return say("no display")
    if display.last_seen_at is None:
        return say("display never seen")
    if now - display.last_seen_at <= LIVE_WITHIN:
        return say("display live")
    return say("display off")
