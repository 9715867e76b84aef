"""`manage.py soak`: a house is played in while its processes are killed, and audited afterwards.

The same trial as `manage.py house`, for so many seconds and with restless players, who lose their
lines, keep silent, change seats and tables; every few seconds the web processes, the workers or the
clock are killed and come back. Afterwards the books must be true, no hand stuck, no decision taken
from anybody by the house's own silence, every hand come out the same when it is played again, and
every player's money be what he brought and what his hands say.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from casino.house import trial
from casino.house.errors import HouseError
from casino.house.trial import Trial, patiently, tell

PARTS = ("web", "worker", "clock")
TABLES, PLAYERS = 11, 36
REST_S = 300.0  # for the last hands of slow games, on a machine that is busy with many
FAULTS = (
    "hands_without_end",
    "decisions_taken_by_an_outage",
    "hands_replayed_otherwise",
    "players_unaccounted",
)
BETWEEN_S = 12.0  # from one outage to the next, on average
# Long enough for the house to call it a silence of its own.
DOWN_S = (3.5, 6.0)

UNENDED = """
    SELECT count(*) FROM tables_hand h WHERE h.status IN ('settled', 'voided') AND (
        h.status = 'settled' AND NOT EXISTS (SELECT FROM tables_event e
            WHERE e.table_id = h.table_id AND e.seq BETWEEN h.first_seq AND h.last_seq
            AND e.events LIKE '%"hand_opened"%')
        OR NOT EXISTS (SELECT FROM tables_event e WHERE e.table_id = h.table_id
            AND e.seq = h.last_seq
            AND (e.events LIKE '%"hand_settled"%' OR e.events LIKE '%"hand_voided"%')))
"""
# Each default that was done for a player, with the deadline that had passed for it.
DEFAULTS = """
    SELECT (t.turn::jsonb ->> 'deadline')::timestamptz, e.table_id, e.seq
    FROM tables_event e CROSS JOIN LATERAL (
        SELECT o.turn FROM tables_event o WHERE o.table_id = e.table_id AND o.seq < e.seq
            AND o.turn IS NOT NULL ORDER BY o.seq DESC LIMIT 1) AS t
    WHERE e.action_id IS NULL AND e.events LIKE '%"default":true%'
        AND t.turn::jsonb ->> 'deadline' IS NOT NULL
"""
VERDICTS = "SELECT code || ' ' || verdict, count(*) FROM tables_interruption GROUP BY 1 ORDER BY 1"


@dataclass
class Outage:
    """A part that was down, by this machine's clock."""

    part: str
    began: datetime
    ended: datetime

    def as_json(self) -> dict[str, Any]:
        down_s = round((self.ended - self.began).total_seconds(), 1)
        return {"part": self.part, "began": self.began.isoformat(), "down_s": down_s}


@dataclass
class Soak(Trial):
    """A trial that lasts `seconds_of_play` and kills parts of its house at random."""

    seconds_of_play: float = 60.0
    seed: int = 0
    between_s: float = BETWEEN_S
    outages: list[Outage] = field(default_factory=list)

    def play(self, settled: Callable[[], int], shown_down: Callable[[], int]) -> None:
        chance = random.Random(self.seed)  # noqa: S311  # which part dies is no secret
        end = time.monotonic() + self.seconds_of_play
        while (left_s := end - time.monotonic()) > 0:
            time.sleep(min(self.between_s * chance.uniform(0.7, 1.3), left_s))
            if time.monotonic() < end:
                self.take_down(chance.choice(PARTS), chance.uniform(*DOWN_S))
            tell(f"{patiently(settled)} hands settled, {len(self.outages)} outages")

    def take_down(self, part: str, seconds: float) -> None:
        """Hold it down. Until it is down a deadline may still pass as any other does."""
        comes_back = datetime.now(UTC) + timedelta(seconds=seconds)
        self.house.hold(part, seconds)
        began = datetime.now(UTC)
        time.sleep(seconds)
        self.outages.append(Outage(part, began, comes_back))

    def rest_s(self) -> float:
        return REST_S

    def run(self) -> dict[str, Any]:
        report = super().run()
        report["outages"] = [outage.as_json() for outage in self.outages]
        return report | {
            "tables": int(self.settings["HOUSE_TABLES"]),
            "players": int(self.settings["HOUSE_PLAYERS"]),
            **counts_of_players(self.data),
        }


class AuditedSoak(Soak):
    """Counts, before the house is closed, what only a house that was killed can have done."""

    found: dict[str, Any]

    def come_to_rest(self, open_hands: Callable[[], int]) -> None:
        super().come_to_rest(open_hands)
        from casino.house.accounting import rows, scalar

        taken = [
            (table_id, seq, deadline.isoformat())
            for deadline, table_id, seq in patiently(lambda: rows(DEFAULTS))
            if any(outage.began <= deadline <= outage.ended for outage in self.silences())
        ]
        from casino.house import auditing

        replayed, differing = patiently(auditing.not_replayed)
        unaccounted = patiently(auditing.unaccounted)
        self.found = {
            "hands_replayed": replayed,
            "hands_replayed_otherwise": len(differing),
            "how": differing[: auditing.NAMED_MOST],
            "players_unaccounted": len(unaccounted),
            "who": unaccounted[: auditing.NAMED_MOST],
            "hands_without_end": patiently(lambda: scalar(UNENDED)),
            "decisions_taken_by_an_outage": len(taken),
            "where": taken[:10],
            "verdicts": dict(patiently(lambda: rows(VERDICTS))),
        }

    def silences(self) -> Iterator[Outage]:
        return (outage for outage in self.outages if outage.part in ("web", "clock"))

    def run(self) -> dict[str, Any]:
        report = super().run() | self.found
        # What hands come to is the trial's business; here few may be played at all.
        report["faults"] = [fault for fault in report["faults"] if fault != "showdowns"]
        for name in FAULTS:
            if report[name]:
                report["faults"].append(f"{name}: {report[name]}")
        report["ok"] = not report["faults"]
        return report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, default=60.0, help="of play (60)")
    parser.add_argument("--seed", type=int, default=0, help="of what is killed when (0)")
    parser.add_argument(
        "--between",
        type=float,
        default=BETWEEN_S,
        help=f"seconds from outage to outage ({BETWEEN_S:g})",
    )
    parser.add_argument("--tables", type=int, default=TABLES, help=f"of mixed kinds ({TABLES})")
    parser.add_argument("--players", type=int, default=PLAYERS, help=f"restless ones ({PLAYERS})")
    parser.add_argument("--report", type=Path, help="where to write the JSON report")


def as_words(options: dict[str, Any]) -> list[str]:
    return [
        word
        for name in ("seconds", "seed", "between", "tables", "players", "report")
        if options[name] is not None
        for word in (f"--{name}", str(options[name]))
    ]


def counts_of_players(data: Path) -> dict[str, int]:
    """What the players did on purpose."""
    counts = json.loads(data.joinpath("players.json").read_text(encoding="utf-8"))
    return {name: counts[name] for name in ("kept_silent", "dropped", "moved")}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="manage.py soak")
    add_arguments(parser)
    options = parser.parse_args(arguments)

    def soak_in(data: Path, settings: dict[str, str]) -> AbstractContextManager[AuditedSoak]:
        return nullcontext(
            AuditedSoak(
                data, 0, 0.0, settings=settings, seconds_of_play=options.seconds,
                seed=options.seed, between_s=options.between,
            )
        )  # fmt: skip

    report = run_restlessly(options, soak_in)
    if report is None:
        return 1
    return trial.reported(report, options.report)


def run_restlessly(
    options: argparse.Namespace,
    soak_in: Callable[[Path, dict[str, str]], AbstractContextManager[AuditedSoak]],
    **more: str,
) -> dict[str, Any] | None:
    """The report of a soak in a throw-away house of restless players, cleared away afterwards; its
    logs stay when it went wrong. None when the house did not open, which is said.

    more: settings of that house.
    """
    trial.leave_well()
    settings = {
        "HOUSE_PACE": "restless",
        "HOUSE_TABLES": str(options.tables),
        "HOUSE_PLAYERS": str(options.players),
        **more,
    }
    went_well = False
    with soak_in(trial.throw_away_folder(), settings) as soak:
        try:
            report = soak.run()
            went_well = report["ok"]
        except HouseError as error:
            print(f"croupier: {error}", file=sys.stderr)
            return None
        finally:
            trial.clear_away(soak, keep_logs=not went_well)
    return report


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
