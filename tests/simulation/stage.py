"""The processes of a house as threads, of which a seed lets one run at a time.

Each has a database connection and beliefs of its own. It may hand over after any statement and
before any commit, so transactions interleave as the seed says; who waits for another's lock is
found out from PostgreSQL and left alone until he has it. So a run is repeated by its seed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from threading import Lock, Thread, current_thread
from typing import Any

import psycopg
from django.db import InterfaceError, OperationalError, connection
from django.db.backends.signals import connection_created

from tables import beliefs

IDLE, READY, RUNNING, BLOCKED = "idle", "ready", "running", "blocked"
PATIENCE_S = 0.004  # until PostgreSQL is asked whether a statement waits for a lock; then doubled
STANDSTILL_S = 30.0  # PostgreSQL ends a deadlock after one
GOES_ON = 0.4  # how often a process does its next statement before another gets a turn
# Simulated time comes first, PostgreSQL's own second; locks are waited for as long as it takes.
SESSION = "SET search_path = simulated, pg_catalog, public; SET lock_timeout = 0"
WAITING = "SELECT cardinality(pg_blocking_pids(%s)) > 0"
# How many of the dead leave their line to the next: a new one costs what thousand statements do.
LINE_KEPT = 0.9
NOT_WITHIN = psycopg.pq.TransactionStatus.IDLE
NO_STATEMENTS = ("SAVEPOINT", "RELEASE", "ROLLBACK")


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


class Process(Thread):
    def __init__(self, stage: Stage, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self.stage = stage
        self.beliefs: dict[int, beliefs.Belief] = {}
        self.decks: dict[int, Any] = {}
        self.job: Job | None = None
        self.state = IDLE
        self.pid = 0
        self.is_within = False  # a transaction
        self.go = Lock()
        self.go.acquire()

    def run(self) -> None:
        connection.execute_wrappers.append(self.watched)
        connection._commit = self.commit  # type: ignore[method-assign]
        rolled_back = connection._rollback
        connection._rollback = lambda: (rolled_back(), self.let_go())  # type: ignore[method-assign]
        while True:
            self.go.acquire()
            if self.job is None:
                connection.close()
                return
            self.work(self.job)
            self.stage.ended(self)

    def work(self, job: Job) -> None:
        try:
            job.do()
        except Died:
            if self.stage.random.random() >= LINE_KEPT:
                connection.close()
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

    def watched(self, execute: Any, sql: Any, values: Any, many: bool, context: Any) -> Any:
        text = str(sql)
        if not text.startswith(NO_STATEMENTS):
            self.stage.faults.before(self.stage.random)
        try:
            return execute(sql, values, many, context)
        finally:
            if not connection.in_atomic_block:
                self.stage.commits += 1
            self.stage.hand_over(self)

    def commit(self) -> None:
        """In place of Django's: nothing is pushed or enqueued before this has returned."""
        stage = self.stage
        stage.hand_over(self)
        faults, drawn = stage.faults, stage.random.random()
        if drawn < faults.commit:
            raise OperationalError("simulated: the commit failed")
        with connection.wrap_database_errors:
            connection.connection.commit()
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

    def connected(self) -> None:
        connection.connection.execute(SESSION)
        self.pid = connection.connection.info.backend_pid


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
        self.mutex, self.back = Lock(), Lock()
        self.back.acquire()
        self.processes = [Process(self, name) for name in names]

    @contextmanager
    def open(self) -> Iterator[None]:
        connection_created.connect(_connected)
        for process in self.processes:
            process.start()
        try:
            yield
        finally:
            self.faults = Faults(0, 0, 0, 0, 0)
            while any(process.state != IDLE for process in self.processes):
                self.turn()
            for process in self.processes:
                process.job = None
                process.go.release()
                process.join()
            connection_created.disconnect(_connected)

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
        with believing(process.beliefs, process.decks):
            process.state = RUNNING
            # As it is now: he may have what he waits for before anybody could look again.
            self.others_wait = bool(self.of(BLOCKED))
            process.go.release()
            patience_s = PATIENCE_S if self.may_wait(process) else -1
            while not self.back.acquire(timeout=patience_s):
                patience_s *= 2
                with self.mutex:
                    if process.state == RUNNING and self.is_waiting(process):
                        process.state = BLOCKED
                        self.counts["waits"] += 1
                        break
            self.settle()
        return process

    def may_wait(self, process: Process) -> bool:
        """Whether anybody else has a transaction open, or a statement, with locks in it."""
        return self.others_wait or any(
            other.is_within for other in self.processes if other is not process
        )

    def settle(self) -> None:
        """Whoever has got the lock he waited for is ready before anything else happens."""
        for process in self.of(BLOCKED):
            while process.state == BLOCKED and not self.is_waiting(process):
                time.sleep(0.0002)

    def until_somebody_can(self) -> None:
        end = time.monotonic() + STANDSTILL_S
        while not self.of(READY):
            if time.monotonic() > end:
                states = {process.name: process.state for process in self.processes}
                raise AssertionError(f"everybody waits for somebody: {states}")
            time.sleep(0.01)

    def is_waiting(self, process: Process) -> bool:
        row = self.watcher.execute(WAITING, [process.pid]).fetchone()
        return bool(row and row[0])

    def hand_over(self, process: Process) -> None:
        """Called by a process after a statement: it goes on, or waits for its next turn."""
        process.is_within = connection.connection.info.transaction_status != NOT_WITHIN
        with self.mutex:
            was_blocked = process.state == BLOCKED
            # While somebody waits for a lock, whatever may have freed it ends a turn.
            if not was_blocked and not self.others_wait and self.random.random() < GOES_ON:
                return
            process.state = READY
        if not was_blocked:
            self.back.release()
        process.go.acquire()

    def ended(self, process: Process) -> None:
        process.is_within = False
        process.state = IDLE
        self.back.release()


@contextmanager
def believing(held: dict[int, beliefs.Belief], decks: dict[int, Any]) -> Iterator[None]:
    kept = beliefs._beliefs, beliefs._decks
    beliefs._beliefs, beliefs._decks = held, decks
    try:
        yield
    finally:
        beliefs._beliefs, beliefs._decks = kept


def _connected(**signal: Any) -> None:
    process = current_thread()
    if isinstance(process, Process):
        process.connected()
