"""How soon after the last decision a round of Three Card Poker is paid and on every screen.

Seven players at one table bet ante, Pair Plus and 6-Card and play every hand, through the
WebSockets of two web processes; a worker settles the round. Counted from the moment in which the
last of them sends his decision to the moment in which the last of the seven and a display have
the payments. Prints one JSON object.
"""

import argparse
import asyncio
import json
import os
import time
from statistics import median
from typing import Any
from uuid import uuid4

import orjson
import uvloop
import websockets

from bench.common.houses import (
    opened,
    percentile,
    player_seated,
    socket_url,
    table_made,
    watcher_tickets,
)

SPOTS = 7
TIMING = {"betting_s": 1, "decision_s": 20, "pause_s": 0}
WAGERS = {"ante": 500, "pair_plus": 500, "six_card": 500}
BAR_MS, GOAL_MS = 60, 25


class Rounds:
    """What the seven and the display have seen. Times are of one clock, in seconds."""

    def __init__(self) -> None:
        self.decided_at: dict[int, float] = {}  # hand -> when the last decision was sent
        self.paid_at: dict[int, list[float]] = {}  # hand -> when each socket had the payments
        self.refused = 0

    async def play(self, url: str, ticket: str) -> None:
        async with websockets.connect(f"{url}?ticket={ticket}") as socket:
            seat, hand, answered = 0, 0, ""
            async for text in socket:
                message = orjson.loads(text)
                turn: dict[str, Any] | None = None
                match message["type"]:
                    case "hello":
                        seat = message["you"]["seat"]
                        await socket.send('{"type":"subscribe"}')
                    case "snapshot":
                        if message["state"]["hand"]:
                            hand = message["state"]["hand"]["id"]
                            turn = message["state"]["hand"]["turn"]
                    case "events":
                        hand, turn = self.heard(message["events"], hand)
                    case "refused":
                        self.refused += 1
                if turn is None or f"{hand} {turn['window']}" == answered:
                    continue
                answered = f"{hand} {turn['window']}"
                is_betting = turn["window"] == "betting"
                await socket.send(
                    orjson.dumps(
                        {
                            "type": "act",
                            "action_id": str(uuid4()),
                            "turn_id": turn["turn_id"],
                            "action": {"name": "bet", "wagers": WAGERS, "seat": seat}
                            if is_betting
                            else {"name": "play", "seat": seat},
                        }
                    ).decode()
                )
                if not is_betting:
                    self.decided_at[hand] = time.perf_counter()

    async def watch(self, url: str, ticket: str) -> None:
        async with websockets.connect(f"{url}?ticket={ticket}") as socket:
            await socket.send('{"type":"subscribe"}')
            hand = 0
            async for text in socket:
                message = orjson.loads(text)
                if message["type"] == "events":
                    hand, _ = self.heard(message["events"], hand)

    def heard(self, events: list[dict[str, Any]], hand: int) -> tuple[int, dict[str, Any] | None]:
        """Note a payment. Returns the hand in play and the turn, if the frame opens one."""
        turn = None
        for event in events:
            match event["type"]:
                case "hand_opened":
                    hand = event["public"]["hand_id"]
                case "turn_opened":
                    turn = event["public"]
                case "hand_settled":
                    self.paid_at.setdefault(event["public"]["hand_id"], []).append(
                        time.perf_counter()
                    )
        return hand, turn

    def waits_ms(self) -> list[float]:
        """Of each round that all have seen to its end."""
        return [
            1000 * (max(at) - self.decided_at[hand])
            for hand, at in self.paid_at.items()
            if len(at) == SPOTS + 1 and hand in self.decided_at
        ]


async def run(url: str, tickets: list[str], display: str, seconds: float) -> Rounds:
    rounds = Rounds()
    sockets = [asyncio.create_task(rounds.play(url, ticket)) for ticket in tickets]
    sockets.append(asyncio.create_task(rounds.watch(url, display)))
    await asyncio.sleep(seconds)
    for task in sockets:
        if task.done():
            task.result()
        task.cancel()
    await asyncio.gather(*sockets, return_exceptions=True)
    return rounds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=40)
    options = parser.parse_args()
    with opened() as house:
        from casino.house.seed import three_card_stakes

        table_id = table_made(
            "bench round",
            "three_card_poker",
            SPOTS,
            options=three_card_stakes(500, 10_000),
            timing=TIMING,
            min_players=SPOTS, bank_minor=10**8,
        )  # fmt: skip
        tickets = [player_seated(f"bench-{place}", table_id) for place in range(SPOTS)]
        display = watcher_tickets("bench-watcher", [table_id])[table_id][0]
        url = f"{socket_url(house)}{table_id}"
        rounds = uvloop.run(run(url, tickets, display, options.seconds))

        from wallets.proving import ledger_check

        waits = rounds.waits_ms()
        if not waits:
            raise SystemExit("no round came to its end")
        print(
            json.dumps(
                {
                    "bench": "rounds",
                    "rounds": len(waits),
                    "last_decision_to_all_paid_ms": {
                        "p50": round(median(waits), 1), "p99": percentile(waits, 0.99),
                    },
                    "bar_p50_ms": BAR_MS,
                    "goal_p50_ms": GOAL_MS,
                    "refused": rounds.refused,
                    "ledger_ok": ledger_check().ok,
                    "load": round(os.getloadavg()[0], 1),
                    "cores": os.cpu_count(),
                }
            )
        )  # fmt: skip


if __name__ == "__main__":
    main()
