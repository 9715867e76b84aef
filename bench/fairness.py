"""What fair cards cost the server in every hand, beside the bare cryptography they are made of.

Hands of hold'em at one full table whose players all give seeds, folded to the big blind and paid,
on throw-away servers that do not wait for the disk. Measured are the steps of docs/fairness.md 1:
decks published, the list closed and told (the event row and the frame that a hand without the
protocol does not have), decks cut (with the transaction of its own that the cut costs; the deal
itself is not counted, nor is its frame: of the statement that writes both, what it takes more than
a fold's in the median), and each client's commitment and opening. `server_ms` is
the CPU time of the house's process and of its database session together, which other work on the
machine does not stretch; `wall_ms` is what passed meanwhile. Statements are counted in hands of
their own, as the counting costs time. `bound` is what no house could leave out: the
hashes, signatures and ciphers of a hand in a bare loop, run after every hand. `at_rest_ms` is the
median of the ratios to it, times the quickest of these loops: what the same machine takes when
nothing else runs on it.
Prints one JSON object.
"""

import argparse
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import contextmanager
from functools import wraps
from hashlib import sha256
from math import ceil
from pathlib import Path
from statistics import median
from typing import Any
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

BAR_MS = 5.0
WARMING, COUNTED = 5, 5
PARTS = ("published", "listed", "told", "cut")


class Watch:
    """What named parts took, hand by hand; inner parts are taken out of outer ones.

    Each is wall time, the house's and the database's CPU time in ms, and a count of statements.
    """

    def __init__(self) -> None:
        self.hands: list[dict[str, list[float]]] = []
        self.inside: list[list[float]] = []
        self.statements = 0
        self.database: int | None = None

    def hand(self) -> None:
        self.hands.append(defaultdict(lambda: [0.0] * 4))

    def timed(self, part: str | None, call: Callable[..., Any]) -> Callable[..., Any]:
        """The call, its time given to the part; None: to nobody."""

        @wraps(call)
        def inner(*args: Any, **kwargs: Any) -> Any:
            self.inside.append([0.0] * 4)
            began = self.now()
            try:
                return call(*args, **kwargs)
            finally:
                spent = [now - then for now, then in zip(self.now(), began, strict=True)]
                taken = self.inside.pop()
                own = [one - other for one, other in zip(spent, taken, strict=True)]
                if part is not None and self.hands:
                    found = self.hands[-1][part]
                    found[:] = [one + more for one, more in zip(found, own, strict=True)]
                if self.inside:
                    outer = self.inside[-1]
                    outer[:] = [one + more for one, more in zip(outer, spent, strict=True)]

        return inner

    def now(self) -> tuple[float, ...]:
        # Nanoseconds on a processor, first of three figures that the kernel keeps of a process.
        spent = 0 if self.database is None else int(os.pread(self.database, 64, 0).split()[0])
        wall, own = time.perf_counter() * 1e3, time.process_time() * 1e3
        return wall, own, spent / 1e6, self.statements

    def counted(self, execute: Callable[..., Any], *rest: Any) -> Any:
        self.statements += 1
        return execute(*rest)

    def cut_alone(self, folds: int) -> None:
        """Give the cut what the write of its deal took more than a write that only plays."""
        plain = [median(hand["folds"][at] / folds for hand in self.hands) for at in range(4)]
        for hand in self.hands:
            for at, figure in enumerate(hand["dealt"]):
                hand["cut"][at] += max(0.0, figure - plain[at])

    def of(self, parts: tuple[str, ...], *which: int) -> list[float]:
        """The parts' sum of these figures in every hand, the smallest first."""
        return sorted(sum(hand[part][at] for part in parts for at in which) for hand in self.hands)


WALL, OWN, DATABASE, STATEMENTS = range(4)


def p99(values: list[float]) -> float:
    return values[ceil(0.99 * len(values)) - 1]


def figures(watch: Watch, counting: Watch, *parts: str, share: int = 1) -> dict[str, float]:
    """counting: of the hands whose statements were counted. share: among how many clients the
    time is divided."""
    server, wall = watch.of(parts, OWN, DATABASE), watch.of(parts, WALL)
    return {
        "server_ms": round(median(server) / share, 2),
        "server_p99_ms": round(p99(server) / share, 2),
        "of_which_database_ms": round(median(watch.of(parts, DATABASE)) / share, 2),
        "wall_ms": round(median(wall) / share, 2),
        "statements": round(median(counting.of(parts, STATEMENTS)) / share, 1),
    }


def ratio(watch: Watch, parts: tuple[str, ...]) -> float:
    """The median hand's CPU time of these parts, in times of the bare cryptography beside it."""
    return median(
        sum(hand[part][OWN] + hand[part][DATABASE] for part in parts) / hand["bound"][OWN]
        for hand in watch.hands
    )


@contextmanager
def watched(watch: Watch) -> Any:
    from tables import jobs, screens
    from tables.services import acting, continuing, cutting, dealing, decks

    dealt = watch.timed(None, continuing.hand_dealt)
    written = dealing.write
    list_told, dealt_told = watch.timed("told", written), watch.timed("dealt", written)
    pushed = screens.publish

    def write(**given: Any) -> Any:
        # Without the protocol a hand has one frame as it is opened; that of its list is one more.
        told = list_told if given["events"][-1].type == "seeds_listed" else dealt_told
        return told(**given)

    def publish(row: Any) -> None:
        is_list = '"seeds_listed"' in row.events
        watch.timed("told" if is_list else None, pushed)(row)

    wrapped: list[tuple[Any, str, Any]] = [
        (decks, "roots_for", watch.timed("published", decks.roots_for)),
        (decks, "shuffled", watch.timed("published", decks.shuffled)),
        (dealing, "write", write),
        (acting, "write", watch.timed("folds", acting.write)),
        (screens, "publish", publish),
        (cutting, "list_closed", watch.timed("listed", cutting.list_closed)),
        (continuing, "hand_dealt", dealt),
        (continuing, "cut_go_on", watch.timed("cut", continuing.cut_go_on)),
        (dealing, "deal_begun", watch.timed("listed", dealing.deal_begun)),
        (jobs, "send", lambda *args, **facts: True),
    ]
    kept = [(module, name, getattr(module, name)) for module, name, _ in wrapped]
    for module, name, call in wrapped:
        setattr(module, name, call)
    try:
        yield
    finally:
        for module, name, call in kept:
            setattr(module, name, call)


def table_of(seats: int) -> tuple[Any, list[Any]]:
    from casino.core.models import User
    from tables.services import floor, seating
    from wallets import services as wallets

    table = floor.table_open(
        name="bench", game="holdem", options={"limit": "no_limit", "big_blind_minor": 100},
        currency="EUR", buy_in_least_minor=100, buy_in_most_minor=1_000_000, max_seats=seats,
        certified=False,
    )  # fmt: skip
    players = []
    for number in range(seats):
        who = User.objects.create_user(f"p{number}", password=None, display_name=f"p{number}")
        wallets.deposit(
            player_id=who.pk, amount_minor=10**7, currency="EUR", key=f"in:{number}", actor_id=None
        )
        seating.seat_take(
            table_id=table.pk, player=who, seat=None, buy_in_minor=10**6, key=f"s:{number}"
        )
        players.append(who)
    return table, players


def hand_played(table_id: int, players: list[Any], watch: Watch) -> None:
    """One hand by its players' seeds, from their commitments to its payment."""
    from tables import beliefs
    from tables.models import Cut
    from tables.services import acting, continuing, dealing, seeds, settling

    given = {who.pk: os.urandom(32) for who in players}
    cut = Cut.objects.filter(table_id=table_id, status="open").latest("number")
    commit = watch.timed("commitments", seeds.seed_commit)
    opened = watch.timed("openings", seeds.seed_open)
    for player_id, seed in given.items():
        hashed = sha256(b"croupier/seed/1\0" + seed).hexdigest()
        commit(table_id=table_id, player_id=player_id, cut=cut.number, commitment=hashed)
    number = beliefs.read(table_id).hand_number + 1
    assert dealing.hand_open(table_id=table_id, number=number) is not None
    for player_id, seed in given.items():
        opened(table_id=table_id, player_id=player_id, cut=cut.number, seed=seed)
    assert continuing.cut_go_on(table_id=table_id, cut_id=cut.pk)
    while not (belief := beliefs.read(table_id)).finished:
        assert belief.seats is not None
        acting.act(
            table_id=table_id,
            player_id=belief.seats[str(belief.hand().waiting[0])]["player"],
            action_id=uuid4(),
            turn_id=belief.turn_id,
            action={"name": "fold"},
        )
    assert belief.hand_id is not None
    settling.hand_settle(table_id=table_id, hand_id=belief.hand_id)


def bare(decks: int, seats: int) -> Callable[[], None]:
    """The cryptography of one hand and nothing else: hashes, signatures, ciphers."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    key, cipher = Ed25519PrivateKey.generate(), AESGCM(os.urandom(32))
    words, plain = os.urandom(100), os.urandom(900)
    # A shuffle reads some three blocks; a deck has 52 leaves and 51 nodes above them.
    hashes = decks * (3 + 52 + 51) + 5 + 2 * seats

    def work() -> None:
        for _ in range(hashes):
            sha256(words).digest()
        for _ in range(decks + 2 + 2 * seats):
            key.sign(words)
        for secret in [plain] * decks + [plain[:32]] * seats:
            nonce = os.urandom(12)
            cipher.encrypt(nonce, secret, b"")
        for secret in [plain] + [plain[:32]] * seats:
            nonce = os.urandom(12)
            cipher.decrypt(nonce, cipher.encrypt(nonce, secret, b""), b"")

    return work


def report(seats: int, hands: int) -> dict[str, Any]:
    from django.db import connection

    from casino.core.garbage import seldom_sought

    watch, counting = Watch(), Watch()
    table, players = table_of(seats)
    session = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")
    bound = watch.timed("bound", bare(table.decks_per_hand, seats))
    with session.open("rb") as spent, watched(watch):
        watch.database = spent.fileno()
        for number in range(WARMING + hands):
            if number == WARMING:
                seldom_sought()  # as every process of a house does once all is loaded
            if number >= WARMING:
                watch.hand()
            hand_played(table.pk, players, watch)
            bound()
    with watched(counting), connection.execute_wrapper(counting.counted):
        for _ in range(COUNTED):
            counting.hand()
            hand_played(table.pk, players, counting)
    connection.close()
    for each in (watch, counting):
        each.cut_alone(folds=seats - 1)
    all_parts = (*PARTS, "commitments", "openings")
    bounds = watch.of(("bound",), OWN)
    house = figures(watch, counting, *PARTS)
    house["at_rest_ms"] = round(ratio(watch, PARTS) * bounds[0], 2)
    return {
        "bench": "fairness",
        "seats": seats,
        "decks": table.decks_per_hand,
        "hands": hands,
        "house": {part: figures(watch, counting, part) for part in PARTS},
        "house_together": house,
        "client": {
            part: figures(watch, counting, part, share=seats)
            for part in ("commitments", "openings")
        },
        "everything": figures(watch, counting, *all_parts),
        "bound_ms": {"median": round(median(bounds), 2), "best": round(bounds[0], 2)},
        "times_bound": round(ratio(watch, all_parts), 1),
        "bar_ms": BAR_MS,
        "misses": [] if house["server_p99_ms"] < BAR_MS else ["house_together"],
        "load": round(os.getloadavg()[0], 1),
        "cores": os.cpu_count(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=150)
    parser.add_argument("--seats", type=int, default=10)
    options = parser.parse_args()
    from bench.ledger import books_made
    from casino.house.servers import temporary_servers

    with temporary_servers() as servers:
        os.environ.update(books_made(servers, "bench"))
        import django

        django.setup()
        from casino.core.garbage import seldom_sought

        seldom_sought()  # as in the house's processes
        print(json.dumps(report(options.seats, options.hands)))


if __name__ == "__main__":
    main()
