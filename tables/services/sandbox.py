"""What a player of a sandbox may do at a table of play money: script its hands, set its clock.

Source: docs/sandbox.md.
"""

from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from typing import Any

import orjson
from django.db import connection, transaction
from django.utils import timezone

from casino.core import sandboxes
from casino.core.log import log
from casino.core.models import User
from tables import screens
from tables.engine.games import named
from tables.engine.games.three_card_poker import STANDARD_PAYTABLES
from tables.engine.history.scripts import read_script
from tables.errors import NotPlayMoney, NotSeated, NoTurnToTime, SandboxFull
from tables.frames import Row
from tables.models import DeckScript, Table
from tables.selectors import table_require
from tables.services import floor
from tables.services.seating import table_locked
from tables.services.writing import event
from wallets.models import PLAY_MONEY

CLOCK_SET = "SELECT * FROM tables_clock_set(%s, %s, %s, %s)"
LEFT_MS = (
    "SELECT extract(epoch FROM deadline - clock_timestamp()) * 1000 FROM tables_table WHERE id = %s"
)
TABLES_MOST, TABLES_EACH = 200, 20
LEFT_FOR = timedelta(hours=1)
"""So long after it was opened a table where nobody sits is anybody's to close."""
FLOAT_MINOR = 1_000_000_000
LIMITS = {"least_minor": 100, "most_minor": 10_000, "step_minor": 100}
THREE_CARD: Mapping[str, Any] = {
    "limits": {"ante": LIMITS, "pair_plus": LIMITS, "six_card": LIMITS},
    "paytables": {
        wager: next(iter(STANDARD_PAYTABLES[wager].values()))
        for wager in ("ante_bonus", "pair_plus", "six_card")
    },
}

STATUS = DeckScript.Status


def script_ask(*, table_id: int, player: User, script: Mapping[str, Any]) -> DeckScript:
    """Ask for the cards of the table's next hand, in place of what was asked before.

    Raises NoSandbox, NotPlayMoney, NotSeated, BadScript.
    """
    read_script(script)
    with table_locked(table_id) as locked:
        _admit(locked.table, player)
        locked.table.scripts.filter(status=STATUS.WAITING).update(status=STATUS.WITHDRAWN)
        asked = DeckScript.objects.create(table=locked.table, by=player, script=dict(script))
        log("sandbox.script", f"table:{table_id}", player, {"script": asked.pk})
    return asked


def script_withdraw(*, table_id: int, player: User) -> bool:
    """Let the next hand be dealt by chance after all; whether a script was waiting."""
    with table_locked(table_id) as locked:
        _admit(locked.table, player)
        waiting = locked.table.scripts.filter(status=STATUS.WAITING)
        return bool(waiting.update(status=STATUS.WITHDRAWN))


def _admit(table: Table, player: User) -> None:
    sandboxes.require()
    if table.currency != PLAY_MONEY:
        raise NotPlayMoney(table.currency)
    if not table.seats.filter(player=player).exists():
        raise NotSeated


@transaction.atomic
def table_open(
    *,
    player: User,
    name: str,
    game: str,
    options: Mapping[str, Any],
    max_seats: int,
    buy_in_least_minor: int,
    buy_in_most_minor: int,
    timing: Mapping[str, float],
) -> Table:
    """A private table for play money; who has its invitation sits down at it.

    A game against the house gets a bank that covers its rounds, and without `options` usual ones.
    Raises NoSandbox, SandboxFull, and what `floor.table_open` does.
    """
    sandboxes.require()
    User.objects.select_for_update(no_key=True).get(pk=player.pk)
    there = Table.objects.filter(currency=PLAY_MONEY).exclude(status=Table.Status.CLOSED)
    for tables, most in ((there, TABLES_MOST), (there.filter(opened_by=player), TABLES_EACH)):
        if tables.count() >= most:
            raise SandboxFull(most)
    is_banked = named(game, options).family == "banked"
    made = floor.table_open(
        name=name,
        game=game,
        options=options or (THREE_CARD if is_banked else {}),
        currency=PLAY_MONEY,
        buy_in_least_minor=buy_in_least_minor,
        buy_in_most_minor=buy_in_most_minor,
        max_seats=max_seats,
        min_players=1 if is_banked else 2,
        timing=timing,
        float_minor=FLOAT_MINOR if is_banked else 0,
        is_private=True,
    )
    made.opened_by = player
    made.save(update_fields=["opened_by"])
    log("sandbox.table", f"table:{made.pk}", player, {"game": game})
    return made


def table_close(*, table_id: int, player: User) -> None:
    """Close a table for play money after its hand, by who sits there or opened it, or by anybody
    where nobody sits for LEFT_FOR.

    Raises NoSandbox, NotPlayMoney, NotSeated, TableNotFound.
    """
    sandboxes.require()
    table_require(table_id)
    table = Table.objects.get(pk=table_id)
    is_left = table.opened_at <= timezone.now() - LEFT_FOR and not table.seats.exists()
    if table.currency != PLAY_MONEY or not (is_left or table.opened_by_id == player.pk):
        _admit(table, player)
    floor.table_drain(table_id=table_id)


def clock_set(*, table_id: int, player: User, left_ms: int | None, by_ms: int = 0) -> int | None:
    """Let the running window end in `left_ms`, None for never, or `by_ms` sooner than it would.

    Returns what is left. Raises NoSandbox, NotPlayMoney, NotSeated, NoTurnToTime.
    """
    with table_locked(table_id) as locked:
        table = locked.table
        _admit(table, player)
        if table.turn is None:
            raise NoTurnToTime
        with connection.cursor() as cursor:
            if by_ms:
                cursor.execute(LEFT_MS, [table_id])
                (now_ms,) = cursor.fetchone()
                if now_ms is None:
                    raise NoTurnToTime
                left_ms = max(0, round(now_ms) - by_ms)
            told = event("clock_set", left_ms=left_ms)
            public = orjson.dumps([{"type": told.type, "public": told.public}]).decode()
            cursor.execute(CLOCK_SET, [table_id, table.seq, public, left_ms])
            seq, turn, at = cursor.fetchone()
        row = Row(table_id, seq, public, turn, at, ())
        transaction.on_commit(partial(screens.publish, row), robust=True)
    return left_ms
