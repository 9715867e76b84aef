"""Stored deadlines -> work. Any number of clocks may run; each turn is claimed once a lease."""

import logging
import time
from collections.abc import Callable

from django.conf import settings
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    close_old_connections,
    connection,
)

from casino.core.statements import is_away, is_held_up
from tables import jobs
from tables.services import (
    clocks,
    dealing,
    expiring,
    feeding,
    high_hands,
    interrupting,
    opening,
    seating,
    settling,
    waiting,
)
from tables.services.continuing import cut_go_on

logger = logging.getLogger(__name__)

LEASE_MS = 2_000
# Chores of the house, by seconds between them; a second clock's repeat does no harm.
CHORES_S = {
    "long.seal_log": 60.0,
    "long.send_webhooks": 3.0,
    "long.watch_house": 15.0,
    "long.sweep_core": 3600.0,
    "long.sweep_tables": 60.0,
    "long.reconcile": 3600.0,
    "long.wallet_chores": 300.0,
    "long.report_pairs": 1800.0,
}
if settings.OPERATOR_WALLET_URL:
    CHORES_S["long.operator_wallet"] = 3.0
BACK_OFF_S = 0.25
HANDS_OWN = (DataError, IntegrityError)
"""Of what the database refuses, what lies in the hand that was to be written."""
FLOOR_S = 1.0

# In one order, however the database found them.
TABLES_DUE = "SELECT * FROM tables_claim_due(%s, %s) ORDER BY table_id"
CUTS_DUE = "SELECT table_id, 'cut', cut_id, again FROM tables_claim_cuts(%s) ORDER BY cut_id"

WORK: dict[str, tuple[str, Callable[[int, int], object]]] = {
    "deal": ("tables.deal_hand", lambda t, n: dealing.hand_open(table_id=t, number=n)),
    "settle": ("tables.settle_hand", lambda t, n: settling.hand_settle(table_id=t, hand_id=n)),
    "expire": ("tables.expire_turn", lambda t, n: expiring.turn_expire(table_id=t, turn_id=n)),
    "cut": ("tables.cut_go_on", lambda t, n: cut_go_on(table_id=t, cut_id=n)),
}


# What is looked after once a second, whichever table it is of.
ROUNDS: tuple[Callable[[], int], ...] = (
    opening.schedules_kept,
    waiting.lists_called,
    feeding.must_moves_made,
    high_hands.periods_closed,
    dealing.tried_again,
)


def run(stopped: Callable[[], bool]) -> None:
    """Tick until told to stop; a database that is away is waited for."""
    pulsed = walked = 0.0

    def beat() -> None:
        nonlocal pulsed
        if (now := time.monotonic()) - pulsed >= settings.PULSE_MS / 1000:
            pulse("clock")
            pulsed = now

    due_at = {chore: time.monotonic() + every_s for chore, every_s in CHORES_S.items()}
    while not stopped():
        began = time.monotonic()
        for chore in [chore for chore, at in due_at.items() if at <= began]:
            jobs.send(chore, queue="long")
            due_at[chore] = began + CHORES_S[chore]
        try:
            beat()
            tick(beat)
            if began - walked >= FLOOR_S:
                walk(beat)
                walked = began
        except (DatabaseError, InterfaceError) as error:
            logger.warning("clock waits for the database: %s", error)
            connection.close()
            time.sleep(BACK_OFF_S)
        close_old_connections()
        rest = settings.CLOCK_POLL_MS / 1000 - (time.monotonic() - began)
        if rest > 0:
            time.sleep(rest)


def tick(beat: Callable[[], object] = lambda: None) -> int:
    """Claim what is due and hand it to the workers. Returns how much was due.

    Work that was claimed before and is still there when its lease is out is done here: a broker
    that forgets, or no worker at all, delays a table by a lease, no longer.
    beat: called between two tables, so that a clock that has much to do is not taken for silent.
    """
    with connection.cursor() as cursor:
        cursor.execute(TABLES_DUE, [settings.GRACE_MS, LEASE_MS])
        due = cursor.fetchall()
        cursor.execute(CUTS_DUE, [LEASE_MS])
        due += cursor.fetchall()
    for table_id, work, number, again in due:
        task, service = WORK[work]
        if again or not jobs.send(task, table_id, number):
            do_here(service, work, table_id, number)
            beat()
    return len(due)


def walk(beat: Callable[[], object] = lambda: None) -> int:
    """Once round the floor: tables whose hour has come, who has been away for too long.

    Returns how many were stood up.
    """
    for round_of_the_floor in ROUNDS:
        try:
            round_of_the_floor()
        except Exception as error:
            if is_away(error):
                raise
            # Whatever it is about, it may not stop the clock of all tables.
            logger.exception("the floor: %s failed", round_of_the_floor.__name__)
        beat()
    gone = clocks.away_too_long()
    for table_id, player_id in gone:
        do_here(
            lambda t, p: seating.seat_away(table_id=t, player_id=p), "stand up", table_id, player_id
        )
    return len(gone)


def do_here(service: Callable[[int, int], object], work: str, table_id: int, number: int) -> None:
    try:
        service(table_id, number)
    except Exception as error:
        if is_away(error):
            raise
        if is_held_up(error):
            logger.warning("table %s: %s %s waits: %s", table_id, work, number, error)
            return
        # One table that cannot go on must not stop the clock of all others; it is tried again
        # when its lease is out, and the log says why it stands.
        logger.exception("table %s: %s %s failed", table_id, work, number)
        # A database that does not fit its program is no fault of the hand that met it.
        is_of_hand = not isinstance(error, DatabaseError) or isinstance(error, HANDS_OWN)
        if work in ("expire", "settle", "cut") and is_of_hand:
            judge(table_id, error)


def judge(table_id: int, error: Exception) -> None:
    """A hand whose work has failed goes on, waits or is voided, by the house's own rule."""
    try:
        interrupting.hand_judged(table_id=table_id, error=error)
    except Exception as fault:
        if is_away(fault):
            raise
        logger.exception("table %s: no verdict", table_id)


def pulse(kind: str) -> int:
    """Say that this kind of process is alive. Returns how many tables' deadlines were moved."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tables_pulse(%s, %s, %s)",
            [kind, settings.SILENCE_MS, settings.HELD_EXTRA_MS],
        )
        moved = int(cursor.fetchone()[0])
    if moved:
        logger.warning("%s was silent: the clocks of %s tables were held", kind, moved)
    return moved
