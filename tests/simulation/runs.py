"""One run of the simulation, in a database that is emptied for it, and its report."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

import psycopg
from django.db import connection
from django.utils import timezone

from tables import entropy, hub, jobs
from tables.services import moving, naming
from tests.conftest import CLEAN
from tests.simulation import planted
from tests.simulation.house import FLOOR, House
from tests.simulation.laws import Broken, Laws
from tests.simulation.moments import Moments
from tests.simulation.stage import SESSION, Faults, Stage, believing

CREW = ("web-1", "web-2", "worker-1", "worker-2", "clock")
# Ids are part of what decks are cut by: a run that is repeated counts from one again.
FROM_ONE = """
DO $$ DECLARE s record; is_used boolean; BEGIN
    FOR s IN SELECT c.oid::regclass AS name, t.oid::regclass AS owner FROM pg_class c
            JOIN pg_depend d ON d.objid = c.oid AND d.deptype IN ('a', 'i')
            JOIN pg_class t ON t.oid = d.refobjid WHERE c.relkind = 'S' AND t.relkind = 'r' LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %s)', s.owner) INTO is_used;
        IF NOT is_used THEN PERFORM setval(s.name, 1, false); END IF;
    END LOOP;
END $$;
"""


def run(
    seed: str,
    *,
    superuser_url: str,
    owner_url: str,
    hands: int,
    tables: int = len(FLOOR),
    seconds_most: float = 600.0,
    bug: str | None = None,
    faults: Faults | None = None,
    told: Callable[[int], None] = lambda hands: None,
) -> dict[str, Any]:
    """Play so many hands, or until a law is broken or the time is over.

    bug: one of `planted.BUGS`. The same seed, tables and bug give the same digest.
    """
    began = time.monotonic()
    violation = None
    with ExitStack() as stack:
        watcher = stack.enter_context(psycopg.connect(superuser_url, autocommit=True))
        watcher.execute(CLEAN)
        watcher.execute(f"RESET session_replication_role; {FROM_ONE}")
        watcher.execute("VACUUM")  # rows lie where they would in a database that is new
        moments = Moments(watcher)
        stack.callback(moments.close)
        house = _house(seed, watcher, moments, faults)
        stack.enter_context(_instead(house, seed))
        house.furnished(FLOOR[:tables])
        house.laws.step(is_quiet=True)
        house.is_open = True
        if bug is not None:
            owner = stack.enter_context(psycopg.connect(owner_url, autocommit=True))
            stack.enter_context(planted.BUGS[bug](owner))
        settled = 0
        try:
            with house.stage.open():
                while settled < hands and time.monotonic() - began < seconds_most:
                    house.step()
                    if house.laws.counts["hand_settled"] > settled:
                        settled = house.laws.counts["hand_settled"]
                        told(settled)
                house.rest()
            house.laws.at_rest()
        except Broken as broken:
            violation = {"law": broken.law, "facts": broken.facts}
    seconds = time.monotonic() - began
    counts = house.laws.counts
    return {
        "seed": seed,
        "ok": violation is None,
        "violation": violation,
        "hands": counts["hand_settled"],
        "voided": counts["hand_voided"],
        "seconds": round(seconds, 1),
        "hands_a_minute": round(60 * counts["hand_settled"] / seconds),
        "simulated_seconds": moments.now_ms // 1000,
        "time_outs": counts["time_outs"],
        "decisions": len(house.laws.actions),
        "pushed": house.laws.pushed,
        "silences": len(house.laws.silences),
        "families": house.settled_by("definition__family"),
        "games": house.settled_by("game"),
        "tasks": dict(house.fates),
        **house.stage.counts,
        "refused": dict(house.refused.most_common()),
        "digest": house.trace.hexdigest(),
    }


def _house(
    seed: str, watcher: psycopg.Connection[Any], moments: Moments, faults: Faults | None
) -> House:
    stage = Stage(Random(f"{seed}/turns"), watcher, CREW)
    if faults is not None:
        stage.faults = faults
    laws = Laws(watcher, moments, stage)

    def broken(label: str, error: Exception) -> None:
        if not isinstance(error, Broken):
            error = Broken("no work fails for good", f"{label}: {error!r}")
        laws.faults.append(error)

    stage.broken = broken
    return House(Random(f"{seed}/deeds"), stage, moments, laws)


@contextmanager
def _instead(house: House, seed: str) -> Iterator[None]:
    """What the processes share with the world outside is the simulation's."""
    connection.ensure_connection()
    connection.connection.execute(SESSION)
    try:
        with (
            patch.object(timezone, "now", house.moments.now),
            patch.object(jobs, "send", house.send),
            patch.object(hub, "publish", house.publish),
            patch.object(entropy, "_source", Random(f"{seed}/cards").randbytes),
            patch.object(naming.secrets, "choice", Random(f"{seed}/first").choice),
            patch.object(moving, "chance", Random(f"{seed}/moves")),
            believing({}, {}),
        ):
            yield
    finally:
        connection.close()
