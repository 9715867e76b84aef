"""`manage.py chaos`: each mishap at each step of a hand of each family, in a house that plays on.

The soak's house and its audit; instead of outages by the clock, a list of cells in an order that
the seed chooses. A cell waits until a table stands at its step and lets its mishap happen; then the
whole house is asked what must hold, and in the end what became of each hand that was in play.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from casino.house.mishaps import Disk, JumpingPostgres, Mishaps, clock_library
from casino.house.searching import Search
from casino.house.soak import AuditedSoak, Outage, run_restlessly
from casino.house.trial import patiently, tell

STEPS = {
    "banked": ("between hands", "betting", "seeds", "decision", "settlement"),
    "poker": ("between hands", "seeds", "decision", "settlement"),
    "bluff": ("between hands", "seeds", "decision", "settlement"),
}
PAYING = "settlement"
LOOKED_FOR_S, LOOKS_EVERY_S = 12.0, 0.005
HELD_S = (0.4, 1.6)  # how long a payment stands still when a mishap comes; less than a lock may
PROBES_S = 3.0
TAKES_S = (3.6, 5.0)  # long enough for the house to call it a silence of its own
ENDS_WITHIN_S = 60.0
ARRIVES = timedelta(seconds=0.1)  # of a signal, at all it was sent to

STANDING = """
    SELECT t.id, t.hand_id, last.family, CASE WHEN t.hand_id IS NULL THEN 'between hands'
            WHEN t.finished THEN 'settlement'
            WHEN t.turn IS NULL THEN 'seeds'
            WHEN t.turn::jsonb ->> 'window' = 'betting' THEN 'betting'
            ELSE 'decision' END
    FROM tables_table t CROSS JOIN LATERAL (SELECT definition ->> 'family' AS family
        FROM tables_hand h WHERE h.table_id = t.id ORDER BY number DESC LIMIT 1) AS last
    WHERE t.status = 'open' ORDER BY t.id
"""
ENDS = "SELECT id, status FROM tables_hand WHERE status IN ('settled', 'voided')"
NEWEST = "SELECT table_id, max(id) FROM tables_hand GROUP BY 1"
TOLD = "SELECT coalesce(sum(seq), 0) FROM tables_table"
# A deal that is due for so long that nobody can still be about to make it.
UNDEALT = """
    SELECT id FROM tables_table WHERE status = 'open' AND hand_id IS NULL
        AND next_deal_at < clock_timestamp() - interval '20 s' ORDER BY id
"""
# What must hold at any moment, while hands are in play.
LAWS = {
    "paid twice": """
        SELECT count(*) FROM (SELECT hand_id FROM wallets_transfer WHERE kind = 'settle'
            AND hand_id IS NOT NULL GROUP BY hand_id HAVING count(*) > 1) AS twice
    """,
    "paid though void": """
        SELECT count(*) FROM wallets_transfer t JOIN tables_hand h ON h.id = t.hand_id
            WHERE t.kind = 'settle' AND h.status <> 'settled'
    """,
    "the ledger does not sum to zero": """
        SELECT count(*) FROM (SELECT currency_id FROM wallets_account GROUP BY currency_id
            HAVING sum(balance_minor) <> 0) AS off
    """,
    "balances are not their legs": """
        SELECT count(*) FROM wallets_account a LEFT JOIN (SELECT account_id, sum(amount_minor) AS s
            FROM wallets_leg GROUP BY account_id) AS l ON l.account_id = a.id
            WHERE a.balance_minor <> coalesce(l.s, 0)
    """,
    "events have gaps": """
        SELECT count(*) FROM tables_table t LEFT JOIN (SELECT table_id, count(*) AS n,
            max(seq) AS last FROM tables_event GROUP BY table_id) AS e ON e.table_id = t.id
            WHERE t.seq <> coalesce(e.last, 0) OR e.n <> e.last
    """,
    "a root without its end": """
        SELECT count(*) FROM tables_cut c JOIN tables_hand h ON h.id = c.hand_id
            WHERE h.status IN ('settled', 'voided') AND c.status IN ('open', 'listed')
    """,
    # Windows that would have ended in a silence, or while people come back from it. A jump of the
    # clock is held as a silence too; of what was written at its times the order is not known.
    "a seed lost to a silence": """
        SELECT count(*) FROM tables_seedcommitment s JOIN tables_cut c ON c.id = s.cut_id
            JOIN tables_table t ON t.id = c.table_id
            JOIN tables_clocksheld silence ON silence.began
                    <= to_timestamp((c.listed_ms + t.reveal_ms / 2) / 1000.0)
                AND to_timestamp(c.ended_ms / 1000.0) BETWEEN silence.began
                    AND silence.ended + interval '4.9 s'
            WHERE s.withheld_at IS NOT NULL AND NOT EXISTS (SELECT FROM tables_clocksheld jump
                WHERE jump.ended - jump.began > interval '15 s'
                    AND to_timestamp(c.listed_ms / 1000.0)
                        BETWEEN jump.began AND jump.ended + interval '6 s')
    """,
}


class Cell(NamedTuple):
    name: str
    family: str
    step: str

    @property
    def where(self) -> str:
        return f"{self.family}: {self.step}"

    def is_met(self, found: list[Standing]) -> bool:
        return any((one.family, one.step) == (self.family, self.step) for one in found)


Table = dict[str, dict[str, dict[str, int]]]
"""By mishap, then by family and step, how often which verdict."""


class Standing(NamedTuple):
    """A table at the moment of a mishap. newest: the last hand it had then."""

    table: int
    hand: int | None
    family: str
    step: str
    newest: int


@dataclass
class Chaos(AuditedSoak):
    """For `seconds_of_play`. only: mishaps whose names hold it.

    before: what earlier runs have tried; what was tried least comes first.
    """

    only: str = ""
    before: Table = field(default_factory=dict)
    disk: Disk | None = None
    rows: list[dict[str, Any]] = field(default_factory=list)
    hits: list[tuple[Standing, str, list[str]]] = field(default_factory=list)
    mishaps_done: list[dict[str, Any]] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    leaks: list[str] = field(default_factory=list)
    undealt: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.chance = random.Random(self.seed)  # noqa: S311  # which comes when is no secret
        self.mishaps = Mishaps(self.house, self.chance, disk=self.disk)
        JumpingPostgres.library = clock_library()
        self.house.postgres = JumpingPostgres
        if not JumpingPostgres.library:
            self.mishaps.untried["clock jumps"] = "libfaketime is not installed"
        no_disk = Disk(self.data, *["no disk of its own"] * 2)
        for name, why_not in (self.disk or no_disk).cannot.items():
            self.mishaps.untried[name] = why_not

    def play(self, settled: Callable[[], int], shown_down: Callable[[], int]) -> None:
        self.search = Search(self.data)
        patiently(self.mishaps.commits_may_fail)
        end = time.monotonic() + self.seconds_of_play
        ways = self.mishaps.all()
        cells = [
            Cell(name, family, step)
            for name in ways
            if self.only in name
            for family, steps in STEPS.items()
            for step in steps
        ]
        self.chance.shuffle(cells)
        before = self.before
        times = Counter({c: sum(before.get(c.name, {}).get(c.where, {}).values()) for c in cells})
        while time.monotonic() < end:
            cell = min(cells, key=times.__getitem__)
            hit = self.tried(cell, ways[cell.name])
            # One that is not met for long has its turn all the same.
            times.update([cell] * (not cell.is_met(hit)))
            times.update(Cell(cell.name, one.family, one.step) for one in hit)

    def tried(self, cell: Cell, way: Callable[[float], None]) -> list[Standing]:
        """One mishap, once a table stands at the cell's step; all tables as they stood then."""
        with ExitStack() as stack:
            hit = self.met(cell, stack)
            way(self.chance.uniform(*TAKES_S))
        ended = datetime.now(UTC)
        if cell.name in self.mishaps.silent:
            assert self.mishaps.down_at is not None
            self.outages.append(Outage("web", self.mishaps.down_at + ARRIVES, ended))
        self.answers[self.answer()] += 1
        back_s = self.back_s()
        broken = [law for law, query in LAWS.items() if patiently(lambda q=query: _one(q))]  # type: ignore[misc]
        broken += self.gave_away(self.search.anew)
        for one in hit:
            self.hits.append((one, cell.name, broken))
        self.mishaps_done.append({**cell._asdict(), "met": cell.is_met(hit), "back_s": back_s})
        not_met = "" if cell.is_met(hit) else ", none at that step"
        tell(f"{' / '.join(cell)}: {len(hit)} tables{not_met}, on after {back_s} s {broken or ''}")
        return hit

    def gave_away(self, look: Callable[[], list[str]]) -> list[str]:
        found = patiently(look)
        self.leaks += found
        return ["a hidden card"] * bool(found)

    def met(self, cell: Cell, stack: ExitStack) -> list[Standing]:
        """All tables once one stands at the cell's step, or when none does for long.

        Paying takes a moment: it is held in the middle until a while after the stack has been left
        to a mishap.
        """
        end = time.monotonic() + LOOKED_FOR_S
        if cell.step == PAYING:
            held = stack.enter_context(self.mishaps.payments_held())
            while not held.are_waited_for() and time.monotonic() < end:
                found = self.standing()
                held.hold({one.hand for one in found if one.hand and one.family == cell.family})
                time.sleep(LOOKS_EVERY_S)
            held.let_go_after(self.chance.uniform(*HELD_S))
            return self.standing()
        while not cell.is_met(found := self.standing()) and time.monotonic() < end:
            time.sleep(LOOKS_EVERY_S)
        return found

    @staticmethod
    def standing() -> list[Standing]:
        from casino.house.accounting import rows

        newest: dict[int, int] = dict(patiently(lambda: rows(NEWEST)))
        return [
            Standing(table, hand, family, step, newest[table])
            for table, hand, family, step in patiently(lambda: rows(STANDING))
            if table in newest
        ]

    def back_s(self) -> float | None:
        """How long until anything is told at any table again; None if nothing is for long."""
        began = time.monotonic()
        told = patiently(lambda: _one(TOLD))
        while patiently(lambda: _one(TOLD)) == told:
            if time.monotonic() - began > ENDS_WITHIN_S:
                return None
            time.sleep(0.05)
        return round(time.monotonic() - began, 1)

    @staticmethod
    def never_dealt() -> list[int]:
        """Tables whose deal is overdue and does not come, though all that was down is back."""
        from casino.house.accounting import rows

        end = time.monotonic() + ENDS_WITHIN_S
        while (found := patiently(lambda: rows(UNDEALT))) and time.monotonic() < end:
            time.sleep(0.5)
        return [table for (table,) in found]

    def come_to_rest(self, open_hands: Callable[[], int]) -> None:
        self.undealt = self.never_dealt()
        super().come_to_rest(open_hands)
        from casino.house.accounting import rows

        for look in (self.search.anew, self.search.whole):
            self.gave_away(look)
        self.search.listener.close()
        ends: dict[int, str] = dict(patiently(lambda: rows(ENDS)))
        newest: dict[int, int] = dict(patiently(lambda: rows(NEWEST)))
        for one, name, broken in self.hits:
            if one.hand is None:
                verdict = "dealt" if newest.get(one.table, 0) > one.newest else "no players"
            else:
                verdict = ends.get(one.hand, "no end")
            row = {"name": name, "family": one.family, "step": one.step, "verdict": verdict}
            self.rows.append(row | ({"broken": broken} if broken else {}))

    def answer(self) -> str:
        """How the house answers right after: by its status, or not at all."""
        import httpx

        try:
            return str(httpx.get(f"{self.house.url}/ready", timeout=PROBES_S).status_code)
        except httpx.HTTPError:
            return "none"

    def run(self) -> dict[str, Any]:
        report = super().run()
        for row in self.rows:
            if row.get("broken") or row["verdict"] == "no end":
                report["faults"].append(" / ".join(map(str, row.values())))
        report["faults"] += [
            f"nothing goes on after {one['name']}"
            for one in self.mishaps_done
            if one["back_s"] is None
        ]
        report["faults"] += [f"no hand is dealt at table {table}" for table in self.undealt]
        report["faults"] += [f"shown too much: {leak}" for leak in self.leaks]
        report["ok"] = not report["faults"]
        return report | {
            "names": sorted(self.mishaps.all() | self.mishaps.untried),
            "lines_searched": self.search.heard,
            "seed": self.seed,
            "mishaps": self.mishaps_done,
            "cells": self.rows,
            "untried": self.mishaps.untried,
            "answers": dict(self.answers),
        }


def _one(query: str) -> int:
    from casino.house.accounting import scalar

    return scalar(query)


def table_of(cells: list[dict[str, Any]], before: Table) -> Table:
    """What became of these cells, on top of those before."""
    for row in cells:
        where = Cell(row["name"], row["family"], row["step"]).where
        at = before.setdefault(row["name"], {}).setdefault(where, {})
        verdict = "broken" if row.get("broken") else row["verdict"]
        at[verdict] = at.get(verdict, 0) + 1
    return {name: dict(sorted(steps.items())) for name, steps in sorted(before.items())}


def not_tried(table: Table, names: list[str], why: dict[str, str]) -> dict[str, dict[str, str]]:
    """Each cell that no run has tried, and the reason."""
    found: dict[str, dict[str, str]] = {}
    for name in names:
        for family, steps in STEPS.items():
            for cell in (Cell(name, family, step) for step in steps):
                if cell.where not in table.get(name, {}):
                    reason = why.get(name, "no table stood there when this was done")
                    found.setdefault(name, {})[cell.where] = reason
    return found


def kept_in(path: Path | None) -> dict[str, Any]:
    if path is None or not path.exists():
        return {}
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return kept


def added(path: Path, report: dict[str, Any]) -> None:
    """Keep a run with those before it: of each run what it came to, and how often each verdict."""
    kept = kept_in(path)
    backs = [one["back_s"] or 0.0 for one in report["mishaps"]]
    run = {name: report[name] for name in KEPT} | {
        "mishaps": len(backs), "tables_hit": len(report["cells"]), "longest_back_s": max(backs),
    }  # fmt: skip
    table = table_of(report["cells"], kept.get("table", {}))
    whole = {
        "runs": [*kept.get("runs", []), run],
        "table": table,
        "not_tried": not_tried(table, report["names"], report["untried"]),
    }
    path.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


KEPT = (
    "seed", "ok", "faults", "seconds", "hands_settled", "voided", "hands_replayed",
    "hands_replayed_otherwise", "decisions_taken_by_an_outage", "players_unaccounted",
    "lines_searched", "untried", "answers",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, default=60.0, help="of mishaps (60)")
    parser.add_argument("--seed", type=int, default=0, help="of what happens when (0)")
    parser.add_argument("--only", default="", help="mishaps whose name holds this")
    parser.add_argument("--tables", type=int, default=11, help="of mixed kinds (11)")
    parser.add_argument("--players", type=int, default=30, help="restless ones (30)")
    parser.add_argument("--results", type=Path, help="a JSON file that keeps the cells of all runs")


def as_words(options: dict[str, Any]) -> list[str]:
    return [
        word
        for name in ("seconds", "seed", "only", "tables", "players", "results")
        if options[name] not in (None, "")
        for word in (f"--{name}", str(options[name]))
    ]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="manage.py chaos")
    add_arguments(parser)
    options = parser.parse_args(arguments)

    @contextmanager
    def chaos_in(data: Path, settings: dict[str, str]) -> Iterator[Chaos]:
        with ExitStack() as stack:
            stack.callback(shutil.rmtree, data, ignore_errors=True)
            yield Chaos(
                data, 0, 0.0, settings=settings, seconds_of_play=options.seconds,
                seed=options.seed, only=options.only,
                before=kept_in(options.results).get("table", {}),
                disk=stack.enter_context(Disk(data)),
            )  # fmt: skip

    report = run_restlessly(
        options, chaos_in, HOUSE_PACE="lingering", HOUSE_MIX=str(options.seed + 1)
    )
    if report is None:
        return 1
    if options.results:
        added(options.results, report)
    report["cells"] = table_of(report["cells"], {})
    print(json.dumps(report, indent=2))
    for fault in report["faults"]:
        print(f"croupier: {fault}", file=sys.stderr)
    return 0 if report["ok"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
