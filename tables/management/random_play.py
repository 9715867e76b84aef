"""Rows of random hands: which there are, one played, many by several processes, and their sum."""

import multiprocessing
import os
import platform
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.pool import Pool
from pathlib import Path
from random import Random
from typing import NamedTuple

from casino.core.garbage import seldom_sought
from tables.engine.games import GAMES, WITH_KILL_CARD, Game
from tables.engine.games.mixed import MIXES, MixedGame
from tables.engine.history.laws import LawBroken
from tables.engine.history.simulation import Simulation
from tables.engine.history.stakes import default_options, is_modified, limits_of, rotation
from tables.engine.protocol import Json

PROGRESS_S = 2.0
RARELY = 200_000
"""How many more objects there must be than before until cycles are looked for."""
FEWER = 10
"""By how much fewer hands are played at each limit and size, and of a modified game."""


class Run(NamedTuple):
    """One row of a simulation: a game at a limit, with a number of seats (None: any number)."""

    game: Game | MixedGame
    limit: str | None
    seats: int | None
    hands: int


class Task(NamedTuple):
    """A run with what all runs of a simulation share."""

    run: Run
    seed: str
    checks: str
    changes: Json


def every_run(hands: int) -> Iterator[Run]:
    """Each game as it usually is; then at each limit with the fewest and the most seats."""
    for mix in MIXES.values():
        yield Run(mix, None, None, hands)
    for game in (*GAMES.values(), *WITH_KILL_CARD.values()):
        of_this = max(1, hands // FEWER) if is_modified(game.id) else hands
        yield Run(game, None, None, of_this)
        for limit in limits_of(game) or (None,):
            for seats in (game.seats[0], game.seats[-1]):
                yield Run(game, limit, seats, max(1, of_this // FEWER))


def stakes_of(run: Run, changes: Json) -> tuple[Json, list[tuple[Game, Json]]]:
    """The options of a table, and the games it deals by turns with theirs. Raises BadOptions."""
    stakes = default_options(run.game, run.limit, **changes)
    return stakes, rotation(run.game, stakes)


def played(task: Task, tell: Callable[[str], None] | None = None) -> Json:
    """Play a run until its end or the first violation. tell: hears of progress."""
    run, seed, checks, changes = task
    stakes, games = stakes_of(run, changes)
    simulation = Simulation(games, run.seats, checks=checks)
    violation = None
    began, told = time.process_time(), time.monotonic()
    for number in range(1, run.hands + 1):
        try:
            simulation.play_one(Random(f"{seed}/{number}"))  # noqa: S311 - to be repeatable
        except Exception as error:
            # Whatever the engine raises on a legal action is a violation too.
            violation = {"hand": number, **_violated(error)}
            break
        if tell and time.monotonic() - told > PROGRESS_S:
            told = time.monotonic()
            tell(f"{run.game.id}: {number} of {run.hands} hands")
    spent = time.process_time() - began
    return {
        "game": run.game.id,
        "limit": stakes.get("limit"),
        "seats": run.seats,
        "seed": seed,
        "checks": checks,
        "hands_per_s": round(simulation.figures.hands / max(spent, 1e-6), 1),
        **simulation.figures.to_json(),
        "violation": violation,
    }


def played_by_many(tasks: Sequence[Task], processes: int) -> Iterator[Json]:
    """The rows of all runs as they come in, the longest begun first."""
    longest_first = sorted(tasks, key=lambda task: -task.run.hands)
    with workers(processes) as pool:
        yield from pool.imap_unordered(played, longest_first)


def workers(processes: int) -> Pool:
    """Processes that end with this one, however it ends."""
    return multiprocessing.get_context("fork").Pool(processes, initializer=_begin)


def _begin() -> None:
    seldom_sought(RARELY)
    _leave_with_parent()


def _leave_with_parent() -> None:
    def wait() -> None:
        parent = multiprocessing.parent_process()
        assert parent is not None
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def summed(rows: Sequence[Json], processes: int, seconds: float) -> Json:
    """What many runs came to, game by game."""
    games: dict[str, Json] = {}
    for row in rows:
        game = games.setdefault(row["game"], {"runs": 0, "hands": 0, "actions": 0, "showdowns": 0})
        game["runs"] += 1
        game["hands"] += row["hands"]
        game["actions"] += row["actions"]
        game["showdowns"] += round(row["showdown_share"] * row["hands"])
    return {
        "machine": machine(),
        "processes": processes,
        "seconds": round(seconds),
        "checks": sorted({row["checks"] for row in rows}),
        "seed": rows[0]["seed"] if rows else None,
        "runs": len(rows),
        "hands": sum(row["hands"] for row in rows),
        "actions": sum(row["actions"] for row in rows),
        "violations": [row for row in rows if row["violation"]],
        "games": dict(sorted(games.items())),
    }


def machine() -> Json:
    """What a figure was measured on: the model of its cores, their number, and the Python."""
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return {
        "cores": os.cpu_count(),
        "cpu": models[0] if models else platform.machine(),
        "python": platform.python_version(),
        "load": [round(load, 1) for load in os.getloadavg()],
    }


def _violated(error: Exception) -> dict[str, str]:
    if isinstance(error, LawBroken):
        return {"law": error.law, "facts": error.facts}
    return {"law": "the engine plays on", "facts": f"{type(error).__name__}: {error}"}
