"""The floor's work: opening tables, pausing, draining and closing them, changing their placard."""

import secrets
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction

from casino.core.errors import NameTaken
from casino.core.log import log
from casino.core.models import Role, User
from casino.core.services import pit_require, role_require
from tables.engine.banked.vocabulary import BankedGame
from tables.engine.errors import BadOptions
from tables.engine.games import Game, named
from tables.engine.games.mixed import MixedGame
from tables.engine.reasons import Reason
from tables.errors import (
    HandInPlay,
    NoBombPots,
    OptionsFixed,
    StatusNotPossible,
)
from tables.models import Table
from tables.rules import NONE
from tables.services import (
    clocks,
    dealing,
    decks,
    feeding,
    jackpots,
    naming,
    rotating,
    specials,
    stopping,
    versions,
)
from tables.services.seating import Locked, table_locked
from tables.services.settling import closed
from tables.services.writing import event, write
from wallets import services as wallets

OPENERS = (Role.PIT_MANAGER, Role.ADMIN)
RUNNERS = (Role.FLOOR, Role.PIT_MANAGER, Role.ADMIN)
# What a table may set, each with its least and its most.
TIMING: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("action_s", "betting_s", "decision_s", "name_game_s", "agree_s"), (1, 600)),
    **dict.fromkeys(("run_s", "show_s"), (1, 60)),
    **dict.fromkeys(("pause_s", "cycle_s"), (0, 600)),
    **{name: (least, most) for name, (least, most, _) in clocks.OPTIONS.items()},
}
TIME_FEE_EVERY_S = range(60, 86_401)
DECKS_PER_HAND, REVEAL_MS = range(1, 17), range(100, 5_001)
DRAFT, OPEN, PAUSED, STOPPED, DRAINING, CLOSED = (
    Table.Status.DRAFT,
    Table.Status.OPEN,
    Table.Status.PAUSED,
    Table.Status.STOPPED,
    Table.Status.DRAINING,
    Table.Status.CLOSED,
)


@transaction.atomic
def table_open(
    *,
    name: str,
    game: str,
    options: Mapping[str, Any],
    currency: str,
    buy_in_least_minor: int,
    buy_in_most_minor: int,
    max_seats: int,
    min_players: int = 2,
    chip_minor: int = 1,
    timing: Mapping[str, float] | None = None,
    float_minor: int = 0,
    is_house: bool = False,
    is_draft: bool = False,
    is_private: bool = False,
    decks_per_hand: int = 4,
    reveal_ms: int = 1_000,
    certified: bool | None = None,
    time_fee_minor: int = 0,
    time_fee_every_s: int = 1_800,
    pit: str = "",
    by: User | None = None,
) -> Table:
    """Open a table with its accounts, its first decks committed, ready for players.

    is_draft: not for players yet; its kind may still change. float_minor: chips brought from the
    cage to the bank of a game against the house. is_private: only for who brings its code.
    decks_per_hand, reveal_ms: docs/fairness.md 1. certified: no player gives seeds; None is what
    the market says. time_fee_minor: what each seat pays every so many seconds (9.6 of poker.md).
    by: who opens it; None is the house itself. Raises RoleMissing, UnknownGame, BadOptions,
    NameTaken, UnknownCurrency, and of a game against the house PaytableNotApproved,
    ReturnOutOfBounds.
    """
    if by is not None:
        role_require(by, OPENERS)
        pit_require(by, pit)
    table = Table(
        name=name.strip(),
        pit=pit.strip(),
        game=game,
        options=options_complete(named(game, options), options, chip_minor),
        currency=currency,
        buy_in_least_minor=buy_in_least_minor,
        buy_in_most_minor=buy_in_most_minor,
        max_seats=max_seats,
        min_players=min_players,
        chip_minor=chip_minor,
        timing=timing_checked(timing or {}),
        is_house=is_house,
        status=DRAFT if is_draft else OPEN,
        invitation=secrets.token_hex(5) if is_private else "",
        decks_per_hand=decks_per_hand,
        reveal_ms=reveal_ms,
        certified=settings.CERTIFIED_CARDS if certified is None else certified,
        time_fee_minor=time_fee_minor,
        time_fee_every_s=time_fee_every_s,
    )
    table_check(table, float_minor)
    _adopt(table, by)
    _save_named(table)
    table.accounts = wallets.table_accounts_open(table_id=table.pk, currency=currency)
    table.save(update_fields=["accounts"])
    if float_minor:
        wallets.table_float(
            bank_account_id=table.accounts["bank"],
            amount_minor=float_minor,
            key=f"table:{table.pk}:float",
            actor_id=None if by is None else by.pk,
        )
    roots = decks.roots_for(table, rotating.coming(table))
    opened = event("table_changed", status=table.status)
    write(table_id=table.pk, base_seq=0, events=[opened, *roots])
    log("table.opened", f"table:{table.pk}", by, {"game": game, "currency": currency})
    table.refresh_from_db()
    return table


def table_pause(*, table_id: int, by: User | None = None) -> None:
    """Deal no further hand; the one in play goes on. Raises RoleMissing, StatusNotPossible."""
    _to_status(table_id, PAUSED, (OPEN,), by)


def bomb_pot_order(*, table_id: int, by: User | None = None) -> None:
    """Let the next hand be a bomb pot. Raises RoleMissing, NoBombPots."""
    if by is not None:
        role_require(by, RUNNERS)
    with table_locked(table_id) as locked:
        if by is not None:
            pit_require(by, locked.table.pit)
        if locked.table.options.get("bomb_pot") is None:
            raise NoBombPots
        locked.events += specials.ordered(locked.table)
        log("table.bomb_pot", f"table:{table_id}", by, {})


def table_stop(*, table_id: int, by: User | None = None) -> None:
    """Pause now: the hand in play stands still, its clock too, and nobody may act.

    Raises RoleMissing, StatusNotPossible.
    """
    _to_status(table_id, STOPPED, (OPEN, PAUSED, DRAINING), by)


def table_resume(*, table_id: int, by: User | None = None) -> None:
    """Deal again, also at a table that was draining or closed. Raises RoleMissing,
    StatusNotPossible (read from an archive)."""
    _to_status(table_id, OPEN, (DRAFT, PAUSED, STOPPED, DRAINING, CLOSED), by)


def table_drain(*, table_id: int, by: User | None = None) -> None:
    """Take no new players and close as soon as the hand in play is settled, else at once.

    Raises RoleMissing, StatusNotPossible.
    """
    _to_status(table_id, DRAINING, (OPEN, PAUSED, STOPPED), by)


def table_close(*, table_id: int, by: User | None = None) -> None:
    """Close between hands; who sits there is paid out. Raises RoleMissing, HandInPlay."""
    _to_status(table_id, CLOSED, (DRAFT, OPEN, PAUSED, STOPPED, DRAINING), by)


def table_change(
    *,
    table_id: int,
    name: str | None = None,
    timing: Mapping[str, float] | None = None,
    options: Mapping[str, Any] | None = None,
    pit: str | None = None,
    by: User | None = None,
) -> Table:
    """Change a table's name and pit, its timing between hands, its options before its first hand.

    Raises RoleMissing, HandInPlay, OptionsFixed, BadOptions, NameTaken, PaytableNotApproved,
    FeederNotPossible, JackpotNotPossible.
    """
    if by is not None:
        role_require(by, RUNNERS)
    with table_locked(table_id) as locked:
        table = locked.table
        if table.hand_id is not None and (timing is not None or options is not None):
            raise HandInPlay(table.hand_id)
        was = {"name": table.name, "timing": table.timing, "stakes": table.options,
               "pit": table.pit}  # fmt: skip
        changed: dict[str, Any] = {}
        if name is not None and name.strip() != table.name:
            changed["name"] = table.name = name.strip()
        if by is not None:
            pit_require(by, table.pit, *([] if pit is None else [pit.strip()]))
        if pit is not None and pit.strip() != table.pit:
            changed["pit"] = table.pit = pit.strip()
        if timing is not None and timing != table.timing:
            changed["timing"] = table.timing = timing_checked(timing)
        if options is not None and options != table.options:
            if table.hand_number:
                raise OptionsFixed(table.hand_number)
            table.options = options_complete(named(table.game, options), options, table.chip_minor)
            changed["stakes"] = table.options
        if changed:
            table_check(table, 0)
            if "stakes" in changed:
                _check_bound(table)
                _adopt(table, by)
                changed["stakes"] = table.options
            _save_named(table, ["name", "timing", "options", "paytable", "pit"])
            told = {name: value for name, value in changed.items() if name != "pit"}
            locked.events.append(event("table_changed", status=table.status, **told))
            before = {name: was[name] for name in changed}
            facts = {"fields": sorted(changed), "before": before, "after": changed}
            log("table.changed", f"table:{table_id}", by, facts)
    return table


def _to_status(
    table_id: int, wanted: Table.Status, possible: tuple[Table.Status, ...], by: User | None
) -> None:
    """Change a table's status, once; what it already is changes nothing."""
    if by is not None:
        role_require(by, RUNNERS)
    with table_locked(table_id) as locked:
        table = locked.table
        if by is not None:
            pit_require(by, table.pit)
        if table.status == wanted:
            return
        is_archived = not table.accounts  # read from an archive: there is no money of it here
        if table.status not in possible or (wanted == OPEN and is_archived):
            raise StatusNotPossible(table.status, wanted)
        if wanted == DRAINING and table.hand_id is None:
            wanted = CLOSED
        if wanted == CLOSED:
            if table.hand_id is not None:
                raise HandInPlay(table.hand_id)
            if dropped := naming.dropped(table):
                locked.events += dropped
                locked.turn = NONE
            locked.events += closed(table)
        else:
            Table.objects.filter(pk=table_id).update(status=wanted)
            locked.events.append(event("table_changed", status=wanted))
        former, table.status = table.status, wanted
        if wanted == STOPPED:
            stopping.turn_held(locked)
        elif former == STOPPED:
            stopping.turn_released(locked)
        if wanted == OPEN:
            _ready(locked)
        log(f"table.{wanted}", f"table:{table_id}", by)


def kind_set(table: Table, changes: Mapping[str, Any], by: User | None) -> None:
    """Put another kind into a table's row, not saved yet, if it can be dealt.

    Raises BadOptions, FeederNotPossible, JackpotNotPossible.
    """
    for name, value in changes.items():
        setattr(table, name, value)
    table.timing = timing_checked(table.timing)
    table.options = options_complete(
        named(table.game, table.options), table.options, table.chip_minor
    )
    table_check(table, 0)
    _check_bound(table)
    _adopt(table, by)


def _check_bound(table: Table) -> None:
    """Whether what hangs on a table still fits its kind. Raises FeederNotPossible and
    JackpotNotPossible."""
    feeding.check_alike(table)
    if table.jackpot_id is not None:
        jackpots.check_shows(table)


def _ready(locked: Locked) -> None:
    table = locked.table
    if table.hand_id is None:
        locked.events += decks.roots_for(table, rotating.coming(table))
    dealing.schedule(table.pk)


def options_complete(
    game: Game | MixedGame, options: Mapping[str, Any], chip_minor: int
) -> dict[str, Any]:
    """The options with the chip, and the limit of a poker game, said. Raises BadOptions."""
    complete = dict(options)
    if game.family == "banked":
        return complete
    if complete.setdefault("chip_minor", chip_minor) != chip_minor:
        raise BadOptions("chip_minor", Reason("chip_fixed", chip_minor=chip_minor))
    if game.family == "poker" and not complete.get("limit"):
        complete["limit"] = getattr(game, "default_limit", "")
    return complete


def timing_checked(timing: Mapping[str, float]) -> dict[str, float]:
    """Raises BadOptions."""
    for name, seconds in timing.items():
        if name not in TIMING:
            raise BadOptions(f"timing.{name}", Reason("not_known", known=tuple(TIMING)))
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
            raise BadOptions(f"timing.{name}", Reason("no_number"))
        least, most = TIMING[name]
        if not least <= seconds <= most:
            raise BadOptions(f"timing.{name}", Reason("out_of_range", least=least, most=most))
    return dict(timing)


def table_check(table: Table, float_minor: int) -> None:
    """Whether the table can be dealt as it stands: a full table is dealt to, for trial.

    Raises BadOptions.
    """
    game = named(table.game, table.options)
    if not table.name or len(table.name) > 60:
        raise BadOptions("name", Reason("characters", least=1, most=60))
    if table.chip_minor < 1:
        raise BadOptions("chip_minor", Reason("amount_too_small", least_minor=1))
    if table.decks_per_hand not in DECKS_PER_HAND:
        raise BadOptions("decks_per_hand", Reason("out_of_range", least=1, most=DECKS_PER_HAND[-1]))
    if table.reveal_ms not in REVEAL_MS:
        raise BadOptions(
            "reveal_ms", Reason("milliseconds", least=REVEAL_MS[0], most=REVEAL_MS[-1])
        )
    if not 1 <= table.max_seats <= game.seats[-1]:
        raise BadOptions("max_seats", Reason("out_of_range", least=1, most=game.seats[-1]))
    if not game.seats[0] <= table.min_players <= table.max_seats:
        raise BadOptions(
            "min_players", Reason("out_of_range", least=game.seats[0], most=table.max_seats)
        )
    if not 0 < table.buy_in_least_minor <= table.buy_in_most_minor < 2**62:
        raise BadOptions("buy_in_least_minor", Reason("buy_ins"))
    if table.time_fee_minor < 0 or (table.time_fee_minor and game.family == "banked"):
        raise BadOptions("time_fee_minor", Reason("fee_by_clock"))
    if table.time_fee_minor % table.chip_minor:
        raise BadOptions("time_fee_minor", Reason("not_whole_of_chip", chip_minor=table.chip_minor))
    if table.time_fee_every_s not in TIME_FEE_EVERY_S:
        raise BadOptions("time_fee_every_s", Reason("seconds", least=60, most=86_400))
    if float_minor < 0 or (float_minor and game.family != "banked"):
        raise BadOptions("float_minor", Reason("float_of_house"))
    for field in ("buy_in_least_minor", "buy_in_most_minor"):
        if getattr(table, field) % table.chip_minor:
            raise BadOptions(field, Reason("not_whole_of_chip", chip_minor=table.chip_minor))
    for dealt in rotating.every_game(table):
        rotating.tried(dealt, table.max_seats, table.buy_in_least_minor)
    if game.family == "banked":
        _check_wagers(table)


def _adopt(table: Table, by: User | None) -> None:
    """A game against the house is played by an approved version of its paytables."""
    if isinstance(named(table.game, table.options), BankedGame):
        table.paytable = versions.adopted(table, by=by)
        table.options = {**table.options, "version": table.paytable.pk}


def _check_wagers(table: Table) -> None:
    for wager, figures in table.options["limits"].items():
        for figure in figures.values():
            if figure % table.chip_minor:
                raise BadOptions(
                    f"limits.{wager}",
                    Reason("not_whole", amount_minor=figure, chip_minor=table.chip_minor),
                )


def _save_named(table: Table, fields: list[str] | None = None) -> None:
    """Raises NameTaken."""
    try:
        with transaction.atomic():
            table.save(update_fields=fields)
    except IntegrityError as error:
        diagnostics = getattr(error.__cause__, "diag", None)
        if "name" not in (getattr(diagnostics, "constraint_name", None) or ""):
            raise
        raise NameTaken("name") from error
