"""The processes of a house as greenlets, of which a seed lets one run at a time.

Each has a database connection and beliefs of its own. It may hand over after any statement and
before any commit, so transactions interleave as the seed says; who waits for another's lock is
found out from PostgreSQL and left alone until he has it. So a run is repeated by its seed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from select import POLLIN, POLLOUT, poll
from signal import SIGCONT, SIGSTOP
from typing import Any, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections
from django.db.backends.postgresql.base import ServerBindingCursor
from django.db.backends.signals import connection_created
from greenlet import getcurrent, greenlet
from psycopg._preparing import PrepareManager
from psycopg.abc import PQGen
from psycopg.waiting import Ready, Wait

from tables import beliefs

Answer = TypeVar("Answer")
IDLE, READY, RUNNING, BLOCKED = "idle", "ready", "running", "blocked"
PATIENCE_MS = 4  # until PostgreSQL is asked whether a statement waits for a lock; then doubled
STANDSTILL_S = 30.0  # PostgreSQL ends a deadlock after one
GOES_ON = 0.4  # how often a process does its next statement before another gets a turn
# Simulated time comes first, PostgreSQL's own second; locks are waited for as long as it takes,
# and no process is quiet too long for a clock that is not his.
SESSION = (
    "SET search_path = simulated, pg_catalog, public; SET lock_timeout = 0;"
    " SET idle_in_transaction_session_timeout = 0"
)
WAITING = "SELECT cardinality(pg_blocking_pids(%s)) > 0"
# How many of the dead leave their line to the next: a new one costs what thousand statements do.
LINE_KEPT = 0.9
NOT_WITHIN = psycopg.pq.TransactionStatus.IDLE
NO_STATEMENTS = ("SAVEPOINT", "RELEASE", "ROLLBACK")
READS = ('SELECT "', "SELECT seq, ")  # of the ORM, and tables_read(): they commit nothing


class Died(BaseException):
    """The process was killed here: nothing it still wanted to do is done."""


@dataclass
class Job:
    """do: a transaction or several. failed: what becomes of it when its process dies or the
    database fails; it is told which."""

    label: str
    do: Callable[[], object]
    failed: Callable[[str], object] = lambda why: None


@dataclass(frozen=True)
class Faults:
    """How often things go wrong: by statement, by commit."""

    statement: float = 0.002
    dies: float = 0.001
    commit: float = 0.01
    answer_lost: float = 0.005
    dies_committed: float = 0.005

    def before(self, random: Random) -> None:
        drawn = random.random()
        if drawn < self.dies:
            raise Died
        if drawn < self.dies + self.statement:
            raise OperationalError("simulated: the statement failed")


class Process:
    def __init__(self, stage: Stage, name: str) -> None:
        self.stage, self.name = stage, name
        self.beliefs: dict[int, beliefs.Belief] = {}
        self.decks: dict[int, Any] = {}
        self.job: Job | None = None
        self.state = IDLE
        self.pid = 0
        self.was_blocked = False  # since its last statement began
        self.line: Any = connections.create_connection(DEFAULT_DB_ALIAS)
        self.line._commit = self.commit
        rolled_back = self.line._rollback
        self.line._rollback = lambda: (rolled_back(), self.let_go())
        self.greenlet = greenlet(self.run)

    def run(self) -> None:
        while self.job is not None:
            self.work(self.job)
            self.state = IDLE
            self.stage.switch()
        self.line.close()

    def work(self, job: Job) -> None:
        try:
            job.do()
        except Died:
            if self.stage.random.random() >= LINE_KEPT:
                self.line.close()
            self.beliefs.clear()
            self.decks.clear()
            self.stage.counts["deaths"] += 1
            job.failed("died")
        except (OperationalError, InterfaceError) as error:
            if "deadlock" in str(error):
                self.stage.counts["deadlocks"] += 1
            self.stage.counts["failures"] += 1
            job.failed("failed")
        except Exception as error:
            self.stage.broken(job.label, error)

    def connected(self) -> None:
        raw = self.line.connection
        raw.execute(SESSION)
        self.pid = raw.info.backend_pid
        raw.wait = self.wait
        raw._prepared = Prepared()
        raw.cursor_factory = _watched(self)

    @property
    def is_within(self) -> bool:
        """Whether it has a transaction open."""
        raw = self.line.connection
        return raw is not None and raw.pgconn.transaction_status != NOT_WITHIN

    def statement(self, text: str, done: Callable[[], Answer]) -> Answer:
        if not text.startswith(NO_STATEMENTS):
            self.stage.faults.before(self.stage.random)
        try:
            return done()
        finally:
            if not self.line.in_atomic_block and not text.startswith(READS):
                self.stage.commits += 1
            self.stage.hand_over(self)

    def wait(self, answer: PQGen[Answer], interval: float = 0.1) -> Answer:
        """In place of the driver's: who waits for another's lock lets the others go on."""
        self.was_blocked = False
        socket = self.line.connection.pgconn.socket
        if not self.stage.may_wait(self):
            return psycopg.waiting.wait(answer, socket, interval)
        patience_ms = PATIENCE_MS
        try:
            wanted = next(answer)
            while True:
                ready = _ready(socket, wanted, patience_ms)
                if ready:
                    wanted = answer.send(ready)
                elif self.stage.is_waiting(self):
                    self.state, self.was_blocked = BLOCKED, True
                    self.tell(SIGSTOP)
                    self.stage.counts["waits"] += 1
                    self.stage.switch()
                else:
                    patience_ms *= 2
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    def tell(self, signal: int) -> None:
        """Who waits for a lock is stopped: given it, he goes on when it is his turn."""
        os.kill(self.pid, signal)

    def is_answered(self, patience_ms: int) -> bool:
        return bool(_ready(self.line.connection.pgconn.socket, Wait.R, patience_ms))

    def commit(self) -> None:
        """In place of Django's: nothing is pushed or enqueued before this has returned."""
        stage = self.stage
        stage.hand_over(self)
        faults, drawn = stage.faults, stage.random.random()
        if drawn < faults.commit:
            raise OperationalError("simulated: the commit failed")
        with self.line.wrap_database_errors:
            self.line.connection.commit()
        stage.commits += 1
        self.let_go()
        if drawn < faults.commit + faults.answer_lost:
            raise OperationalError("simulated: nobody knows whether it was committed")
        if drawn < faults.commit + faults.answer_lost + faults.dies_committed:
            raise Died

    def let_go(self) -> None:
        """Its locks are gone: who waited for one does his statement before it goes on."""
        if self.stage.others_wait:
            self.stage.hand_over(self)


class Prepared(PrepareManager):
    """Statements stay prepared after a rollback: faults make many, and no table is altered here.

    The driver's own forgets them all, as what was rolled back may have made what they name.
    """

    prepare_threshold = 0  # a plan is made once, and not before
    prepared_max = sys.maxsize  # a process does everything here, and says it in more ways

    def clear(self) -> bool:
        return False


def _watched(process: Process) -> type[ServerBindingCursor]:
    """Cursors of which every statement is a step of the process, on whatever way it is sent."""

    class Watched(ServerBindingCursor):
        def execute(self, query: Any, *values: Any, **how: Any) -> Any:
            send = super().execute
            return process.statement(str(query), lambda: send(query, *values, **how))

        def executemany(self, query: Any, *values: Any, **how: Any) -> Any:
            send = super().executemany
            return process.statement(str(query), lambda: send(query, *values, **how))

    return Watched


def _ready(socket: int, wanted: int, patience_ms: int) -> int:
    """Which of what is wanted of a socket is to be had, before patience is at its end."""
    watch = poll()
    watch.register(socket, (POLLIN * bool(wanted & Wait.R)) | (POLLOUT * bool(wanted & Wait.W)))
    ready = 0
    for _, told in watch.poll(patience_ms):
        # Whatever else is told of it, an end or an error, reading finds out.
        ready |= (Ready.R * bool(told & ~POLLOUT)) | (Ready.W * bool(told & POLLOUT))
    return ready


class Stage:
    """Who may run next. watcher: a connection that sees what the processes wait for."""

    def __init__(
        self, random: Random, watcher: psycopg.Connection[Any], names: tuple[str, ...]
    ) -> None:
        self.random, self.watcher = random, watcher
        self.faults = Faults()
        self.counts = {"deaths": 0, "failures": 0, "deadlocks": 0, "waits": 0, "turns": 0}
        self.broken: Callable[[str, Exception], None] = lambda label, error: None
        self.others_wait = False
        self.commits = 0
        self.main = getcurrent()
        self.processes = [Process(self, name) for name in names]

    @contextmanager
    def open(self) -> Iterator[None]:
        def connected(connection: Any, **signal: Any) -> None:
            for process in self.processes:
                if process.line is connection:
                    process.connected()

        connection_created.connect(connected)
        try:
            yield
        finally:
            self.faults = Faults(0, 0, 0, 0, 0)
            while any(process.state != IDLE for process in self.processes):
                self.turn()
            for process in self.processes:
                process.job = None
                process.greenlet.switch()
            connection_created.disconnect(connected)

    def switch(self) -> None:
        """Called by a process: on with whoever gives turns, until he gives it another."""
        self.main.switch()

    def of(self, *states: str) -> list[Process]:
        return [process for process in self.processes if process.state in states]

    def idle(self, kind: str) -> list[Process]:
        return [process for process in self.of(IDLE) if process.name.startswith(kind)]

    def begin(self, process: Process, job: Job) -> None:
        process.job = job
        process.state = READY

    def turn(self) -> Process:
        """Let one of those who can go on do so, until it hands over, ends or waits for a lock."""
        while not (ready := self.of(READY)):
            self.until_somebody_can()
        process = self.random.choice(ready)
        self.counts["turns"] += 1
        mine = connections[DEFAULT_DB_ALIAS]
        kept = beliefs._beliefs, beliefs._decks
        process.state = RUNNING
        # As it is now: he may have what he waits for before anybody could look again.
        self.others_wait = bool(self.of(BLOCKED))
        beliefs._beliefs, beliefs._decks = process.beliefs, process.decks
        connections[DEFAULT_DB_ALIAS] = process.line
        try:
            process.greenlet.switch()
        finally:
            connections[DEFAULT_DB_ALIAS] = mine
            beliefs._beliefs, beliefs._decks = kept
        if self.others_wait or process.state == BLOCKED:
            self.settle()
        return process

    def may_wait(self, process: Process) -> bool:
        """Whether anybody else has a transaction open, or a statement, with locks in it."""
        return self.others_wait or any(
            other.is_within for other in self.processes if other is not process
        )

    def settle(self) -> None:
        """Whoever has got the lock he waited for is ready before anything else happens.

        One after another: of two who go on at once, PostgreSQL lets either have first what both
        want next.
        """
        while any(self.goes_on(process) for process in self.of(BLOCKED)):
            pass

    def goes_on(self, process: Process) -> bool:
        """Whether he has his lock; then he does his statement, or comes to wait for another."""
        if self.is_waiting(process):
            return False
        process.tell(SIGCONT)
        while not process.is_answered(1):
            if self.is_waiting(process):
                process.tell(SIGSTOP)
                return True
        process.state = READY
        return True

    def until_somebody_can(self) -> None:
        end = time.monotonic() + STANDSTILL_S
        for process in self.of(BLOCKED):
            process.tell(SIGCONT)  # of those in a deadlock one must find it
        while not self.of(READY):
            if time.monotonic() > end:
                states = {process.name: process.state for process in self.processes}
                raise AssertionError(f"everybody waits for somebody: {states}")
            time.sleep(0.01)
            self.settle()
        for process in self.of(BLOCKED):
            process.tell(SIGSTOP)

    def is_waiting(self, process: Process) -> bool:
        row = self.watcher.execute(WAITING, [process.pid]).fetchone()
        return bool(row and row[0])

    def hand_over(self, process: Process) -> None:
        """Called by a process after a statement: it goes on, or waits for its next turn."""
        if process.was_blocked:  # and has been given this turn since
            process.was_blocked = False
            return
        # While somebody waits for a lock, whatever may have freed it ends a turn.
        if self.others_wait or self.random.random() >= GOES_ON:
            process.state = READY
            self.switch()


@contextmanager
def believing(held: dict[int, beliefs.Belief], decks: dict[int, Any]) -> Iterator[None]:
    kept = beliefs._beliefs, beliefs._decks
    beliefs._beliefs, beliefs._decks = held, decks
    try:
        yield
    finally:
        beliefs._beliefs, beliefs._decks = kept
