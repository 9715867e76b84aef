"""Tables as a house keeps them: drafts, copies, templates, schedules, the stop of a whole house.

Source: docs/rules/interruptions.md 6.3 and 6.5 to 6.9.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from casino.core.errors import NameTaken
from casino.core.log import log
from casino.core.models import User
from casino.core.services import pit_require, role_require
from tables.engine.errors import BadOptions, UnknownGame
from tables.engine.games import GAMES
from tables.engine.games.mixed import MIXES
from tables.engine.reasons import Reason
from tables.errors import HandInPlay, ReasonMissing, StatusNotPossible, TableError
from tables.models import HouseStop, Schedule, Table, Template
from tables.rules import NONE
from tables.selectors import database_now, is_stopped
from tables.services import floor, naming
from tables.services.seating import table_locked
from tables.services.writing import event
from wallets.gaming_day import policy

COPIED = (
    "game", "options", "currency", "buy_in_least_minor", "buy_in_most_minor", "max_seats",
    "min_players", "chip_minor", "timing", "decks_per_hand", "reveal_ms", "certified",
    "time_fee_minor", "time_fee_every_s",
    "pit",
)  # fmt: skip
STATUS = Table.Status


def facts_of(table: Table) -> dict[str, Any]:
    """What makes another table of the same kind; not its name, its chips or its players."""
    return {name: getattr(table, name) for name in COPIED}


def table_clone(*, table_id: int, name: str, by: User | None = None) -> Table:
    """A draft like another table. Raises as `floor.table_open`."""
    return floor.table_open(
        name=name, is_draft=True, by=by, **facts_of(Table.objects.get(pk=table_id))
    )


def template_save(*, name: str, table_id: int, by: User | None = None) -> Template:
    """Keep a table's kind under a name: by game and limit, say "No limit 1/2".

    Raises RoleMissing, NameTaken.
    """
    if by is not None:
        role_require(by, floor.OPENERS)
    facts = facts_of(Table.objects.get(pk=table_id))
    try:
        with transaction.atomic():
            template = Template.objects.create(name=name.strip(), facts=facts)
    except IntegrityError as error:
        raise NameTaken("name") from error
    log("template.saved", f"template:{template.pk}", by, {"game": facts["game"]})
    return template


def table_from(*, template_id: int, name: str, by: User | None = None) -> Table:
    """A draft of a template's kind. Raises as `floor.table_open`."""
    template = Template.objects.get(pk=template_id)
    return floor.table_open(name=name, is_draft=True, by=by, **template.facts)


# What may change between two hands of a table, as a new version of its rules.


def table_revise(*, table_id: int, changes: Mapping[str, Any], by: User | None = None) -> Table:
    """Change what a table deals for: of a draft, or of a paused table where nobody sits.

    changes: any of `COPIED` but the game's family, the currency and the chip. Hands keep what they
    were dealt by. Raises RoleMissing, HandInPlay, StatusNotPossible, BadOptions,
    FeederNotPossible, JackpotNotPossible.
    """
    if by is not None:
        role_require(by, floor.RUNNERS)
    fixed = sorted(set(changes) - (set(COPIED) - {"currency", "chip_minor"}))
    if fixed:
        raise BadOptions(fixed[0], Reason("is_fixed"))
    with table_locked(table_id) as locked:
        table = locked.table
        if by is not None:
            pit_require(by, table.pit, str(changes.get("pit", table.pit)))
        if table.hand_id is not None:
            raise HandInPlay(table.hand_id)
        is_empty = not table.seats.exists() and table.carry is None
        if table.status != STATUS.DRAFT and not (table.status == STATUS.PAUSED and is_empty):
            raise StatusNotPossible(table.status, "changed")
        if dropped := naming.dropped(table):
            locked.events += dropped
            locked.turn = NONE
        before = {name: getattr(table, name) for name in changes}
        floor.kind_set(table, changes, by)
        table.version += 1
        table.positions = table.button = table.mix = table.specials = None
        table.save(
            update_fields=[
                *changes, "options", "paytable", "version", "positions", "button", "mix",
                "specials",
            ]
        )  # fmt: skip
        locked.events.append(
            event(
                "table_changed",
                status=table.status,
                stakes=table.options,
                version=table.version,
                game=table.game,
            )
        )
        after = {name: getattr(table, name) for name in changes}
        log("table.revised", f"table:{table_id}", by, {
            "fields": sorted(changes), "version": table.version, "before": before, "after": after,
        })  # fmt: skip
    return table


# Stops: a row, read before every deal, so that it counts at once for any number of tables.


def house_stop(*, reason: str, game: str = "", by: User | None = None) -> HouseStop:
    """Deal no further hand, of one game or of any; hands in play are finished and paid.

    Raises RoleMissing, ReasonMissing, UnknownGame.
    """
    if by is not None:
        role_require(by, floor.RUNNERS)
    if not reason.strip():
        raise ReasonMissing
    if game and game not in GAMES and game not in MIXES:
        raise UnknownGame(game)
    with transaction.atomic():
        stop, is_new = HouseStop.objects.get_or_create(
            game=game, lifted_at=None, defaults={"reason": reason.strip(), "by": by}
        )
        if is_new:
            log("house.stopped", f"game:{game or 'all'}", by, {"stop": stop.pk})
    _tell(game)
    return stop


def house_go_on(*, game: str = "", by: User | None = None) -> bool:
    """Lift a stop; tables that were to deal do so within a lease. Returns whether there was one."""
    if by is not None:
        role_require(by, floor.RUNNERS)
    with transaction.atomic():
        lifted = HouseStop.objects.filter(game=game, lifted_at=None).update(
            lifted_at=Now(), lifted_by=by
        )
        if lifted:
            log("house.went_on", f"game:{game or 'all'}", by)
    _tell(game)
    return bool(lifted)


def _tell(game: str) -> None:
    """Tell the tables; one that cannot be told now shows it with its next snapshot."""
    tables = Table.objects.filter(status=STATUS.OPEN)
    for table in tables.filter(game=game) if game else tables:
        with table_locked(table.pk) as locked:
            locked.events.append(
                event("table_changed", status=table.status, stopped=is_stopped(table))
            )


# Schedules


def planned(opens: time, closes: time, weekdays: Sequence[int], zone: str, now: datetime) -> bool:
    """Whether a schedule wants its table open at an instant.

    weekdays: days on which it opens, Monday is 0; a closing time at or before the opening one is
    of the next morning.
    """
    local = now.astimezone(ZoneInfo(zone))
    for days_ago in (0, 1):
        day = local.date() - timedelta(days=days_ago)
        if day.weekday() not in weekdays:
            continue
        begins = datetime.combine(day, opens, local.tzinfo)
        ends = datetime.combine(day, closes, local.tzinfo)
        if closes <= opens:
            ends = datetime.combine(day + timedelta(days=1), closes, local.tzinfo)
        if begins <= local < ends:
            return True
    return False


def schedules_kept() -> int:
    """Open and drain the tables whose hour has come, once; what the floor does between stands.

    Returns how many were changed.
    """
    now, zone = database_now(), policy().time_zone
    changed = 0
    for schedule in Schedule.objects.filter(is_on=True).select_related("table"):
        wanted = planned(schedule.opens, schedule.closes, schedule.weekdays, zone, now)
        if wanted == schedule.wants_open:
            continue
        with transaction.atomic():  # an hour that was noted, and not kept, would be lost
            claimed = Schedule.objects.filter(pk=schedule.pk, wants_open=not wanted).update(
                wants_open=wanted
            )
            if claimed and _kept(schedule.table, wanted):
                changed += 1
    return changed


def _kept(table: Table, wanted: bool) -> bool:
    try:
        if wanted:
            floor.table_resume(table_id=table.pk)
        else:
            floor.table_drain(table_id=table.pk)
    except TableError as error:  # the floor has been quicker; the log says what stood in the way
        log("schedule.refused", f"table:{table.pk}", None, {"code": error.code})
        return False
    return True


def schedule_set(
    *,
    table_id: int,
    opens: time,
    closes: time,
    weekdays: Sequence[int],
    is_on: bool,
    by: User | None = None,
) -> Schedule:
    """Say when a table opens and drains by itself. Raises RoleMissing, PitNotYours."""
    if by is not None:
        role_require(by, floor.OPENERS)
        pit_require(by, Table.objects.get(pk=table_id).pit)
    with transaction.atomic():
        schedule, _ = Schedule.objects.update_or_create(
            table_id=table_id,
            defaults={"opens": opens, "closes": closes, "weekdays": list(weekdays), "is_on": is_on},
        )
        facts = {"opens": f"{opens:%H:%M}", "closes": f"{closes:%H:%M}", "on": is_on}
        log("table.scheduled", f"table:{table_id}", by, facts)
    return schedule
