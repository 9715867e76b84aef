"""Whether many stored hands make play and the search of hands slower: --hands 10000000.

Two houses of a hundred tables on the same throw-away PostgreSQL: one with ten thousand hands, so
that every search finds a full page, the other with those of `--hands`. The newest five thousand of
either are loaded past the triggers with all that a hand leaves behind (events, cuts, decks and
their secrets, transfers and legs, entries of the log), those before them by COPY as they are once
they are packed; how a million legs slow the ledger is bench/growth.py's. At a table of each that
has its share of the history six players then play on; their actions, deals and payments are timed
in both, turn and turn about, and so is the search of hands, the console's by whoever looks into
hands and a player's own by the API. Some hands of the small house are packed, and that is timed
too. Prints one JSON object: latencies in microseconds, and how much the grown house takes of the
other. The servers do not wait for the disk; --folder puts them on one, some 3 kB a hand, where
they stay to be measured again.
"""

import argparse
import json
import os
import time
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import psycopg

from bench.common.beside import Measured, Work, answering, side_by_side
from bench.common.packed import EVENTS_A_HAND
from bench.console import BEFORE, FIRST, TABLES, furnished, loaded
from bench.ledger import CURRENCY, books_made, uses_of

FEW, LEGS_A_HAND = 10_000, 10
PLAYERS, STACK_MINOR = 6, 100_000
TURNS = 20
ASKED = {
    "action": 20, "deal": 5, "settle": 5,
    **dict.fromkeys((
        "newest", "by table", "by player", "by day", "by number", "by size", "by table and size",
        "the end of a table's day", "the end of a player's day", "by players of a name",
        "a player's own", "a player's page", "a packed hand", "a hand", "a packed hand, by the API",
    ), 5),
}  # fmt: skip
BAR = 1.2
LIVE = "live-"  # begins the names of those who play
STOPPED_S = 120
WHOLE = 5_000  # of either house's hands, the newest: not packed yet, with all they leave behind

# Eight event rows a hand, a cut of four decks, and what is kept of their order and salts.
EVENTS = f"""
INSERT INTO tables_event (table_id, seq, hand_id, events, private_seats, at)
    SELECT id, {BEFORE} + (number - 1) * {EVENTS_A_HAND} + i, {FIRST} + n,
            '[{{"type":"action_taken","public":{{"seat":' || i || ',"name":"call",'
            || '"amount_minor":100,"to_minor":100,"stack_minor":49900}}}},{{"type":"pot_changed",'
            || '"public":{{"pots":[{{"amount_minor":600,"seats":[1,2,3,4,5,6]}}]}}}}]',
            '[]', at + i * interval '6 seconds'
        FROM played CROSS JOIN generate_series(1, {EVENTS_A_HAND}) AS i ORDER BY n, i
"""
CUTS = f"""
INSERT INTO tables_cut (id, table_id, number, hand_id, purpose, kind, contents, takes_seeds,
        attempt, status, published_at, list_signature, seeds, opened_ms, mode, reason, root_number,
        joined, ended_ms, end_signature)
    SELECT {FIRST} + n, id, {BEFORE} + number, {FIRST} + n, 'deal', '52+0',
            (SELECT jsonb_agg(card) FROM generate_series(0, 51) AS card), true, 0, 'dealt', at, '',
            '[]', '[]', 'house', '', {BEFORE} + number * 4, '', 0, repeat('ab', 64)
        FROM played ORDER BY n
"""
DECKS = f"""
INSERT INTO tables_deck (id, table_id, cut_id, number, kind, root, previous, signature, status,
        committed_at)
    SELECT {FIRST} + n * 4 + i, id, {FIRST} + n, {BEFORE} + number * 4 + i, '52+0', root, root,
            repeat('cd', 64), CASE i WHEN 0 THEN 'dealt' ELSE 'opened' END, at
        FROM played CROSS JOIN generate_series(0, 3) AS i,
            encode(sha256(convert_to(n || '/' || i, 'UTF8')), 'hex') AS root
        ORDER BY n, i
"""
SECRETS = f"""
INSERT INTO tables_handsecret (deck_id, sealed)
    SELECT {FIRST} + n * 4 + i,
            decode(repeat(encode(sha256(convert_to(n || '/' || i, 'UTF8')), 'hex'), 29), 'hex')
        FROM played CROSS JOIN generate_series(0, 3) AS i ORDER BY n, i
"""
# Who plays on at a table begins where its history ends.
GOES_ON = f"""
SET session_replication_role = replica;
UPDATE tables_table t SET seq = {BEFORE} + {EVENTS_A_HAND} * hand_number;
SELECT setval('tables_cut_id_seq', (SELECT max(id) FROM tables_cut)),
    setval('tables_deck_id_seq', (SELECT max(id) FROM tables_deck));
"""


def house(url: str, hands: int) -> None:
    """Fill a house with its history, seat six players, then answer how long things take."""
    import django

    django.setup()
    from django.conf import settings
    from django.test import Client

    from casino.core.models import Role, User
    from tables.models import Table

    settings.ALLOWED_HOSTS = ["testserver"]
    print(json.dumps(kept(url) or made(url, hands)), flush=True)
    looker, player = Client(), Client()
    looker.force_login(User.objects.get(role=Role.SURVEILLANCE))
    player.force_login(User.objects.get(pk=FIRST))
    # Six more players at the next table, if those of another time still sit at theirs.
    time_before = User.objects.filter(username__startswith=LIVE).count() // PLAYERS
    tables = list(Table.objects.order_by("pk"))
    play = playing(tables[time_before], time_before)
    answering({
        **{verb: partial(next, play[verb]) for verb in play},
        **{
            verb: partial(page, looker if address.startswith("/admin/") else player, address)
            for verb, address in searches(tables[0], hands).items()
        },
    })  # fmt: skip


def kept(url: str) -> dict[str, Any] | None:
    """What was told of a house when it was filled, or nothing yet."""
    with psycopg.connect(url) as raw:
        if raw.execute("SELECT to_regclass('bench_facts')").fetchone() == (None,):
            return None
        row = raw.execute("SELECT facts FROM bench_facts").fetchone()
    assert row is not None
    return dict(row[0])


def made(url: str, hands: int) -> dict[str, Any]:
    """Fill a house; answers the facts of it, and keeps them with it."""
    began = time.perf_counter()
    tables, _ = furnished(against_the_house=False)
    facts = loaded(
        url, tables, hands, hands * LEGS_A_HAND, told=False, more=(EVENTS, CUTS, DECKS, SECRETS),
        packed=max(0, hands - WHOLE), screens=False,
    )  # fmt: skip
    with psycopg.connect(url, autocommit=True) as raw:
        for statement in GOES_ON.strip().split(";\n"):
            raw.execute(statement)
        if hands == FEW:
            facts["packing"] = packing_of(raw)
        facts["made_s"] = round(time.perf_counter() - began)
        raw.execute("CREATE TABLE bench_facts AS SELECT %s::json AS facts", [json.dumps(facts)])
    return facts


SEALED = """
INSERT INTO core_logseal (id, from_id, to_id, entries, root, previous_hash, seal_hash, public_key,
        signature, sealed_at)
    SELECT 1, 1, max(id), count(*), '', '', '', '', '', now() FROM core_logentry
"""
SIZES = """
SELECT (SELECT avg(bytes)::bigint FROM (SELECT sum(pg_column_size(e.*)) AS bytes FROM tables_event e
        WHERE hand_id IS NOT NULL GROUP BY hand_id) AS whole),
    (SELECT avg(pg_column_size(a.*))::bigint FROM tables_handarchive a)
"""


def packing_of(raw: Any) -> dict[str, Any]:
    """How long it takes to pack half of the hands that lie whole, and what it saves."""
    from tables.services import packing

    raw.execute(SEALED)
    began = time.perf_counter()
    hands = packing.hands_pack(timedelta(days=15), most_s=60)
    spent = time.perf_counter() - began
    whole, packed = raw.execute(SIZES).fetchone()
    return {"hands": hands, "hands_a_s": round(hands / spent), "bytes_a_hand": [whole, packed]}


def playing(table: Any, time_before: int) -> dict[str, Iterator[Work]]:
    """Six players check and call at a table for ever: its deals, actions and payments, each as it
    comes next; what comes before it is done on the way. time_before: how often others have."""
    from casino.core.models import User
    from tables import beliefs, jobs
    from tables.services import acting, dealing, seating, settling
    from wallets import services as wallets

    jobs.send = lambda *args, **facts: True
    for number in range(PLAYERS):
        name = f"{LIVE}{time_before}-{number}"
        user = User.objects.create_user(name, password=None, display_name=name)
        wallets.deposit(
            player_id=user.pk, amount_minor=STACK_MINOR, currency=CURRENCY, key=name, actor_id=None
        )
        seating.seat_take(
            table_id=table.pk, player=user, seat=None, buy_in_minor=STACK_MINOR, key=f"s:{name}"
        )

    def steps() -> Iterator[tuple[str, Work]]:
        while True:
            number = beliefs.read(table.pk).hand_number + 1
            yield "deal", partial(dealing.hand_open, table_id=table.pk, number=number)
            while not (belief := beliefs.read(table.pk)).finished:
                assert belief.seats is not None, "nobody is dealt in any more"
                hand = belief.hand()
                seat = hand.waiting[0]
                names = {choice["name"] for choice in hand.legal(seat)}
                yield "action", partial(
                    acting.act, table_id=table.pk, action_id=uuid4(), turn_id=belief.turn_id,
                    player_id=belief.seats[str(seat)]["player"],
                    action={"name": "call" if "call" in names else "check"},
                )  # fmt: skip
            hand_id = belief.hand_id
            assert hand_id is not None
            yield "settle", partial(settling.hand_settle, table_id=table.pk, hand_id=hand_id)

    coming = steps()

    def each(verb: str) -> Iterator[Work]:
        while True:
            for found, work in coming:
                if found == verb:
                    yield work
                    break
                work()

    return {verb: each(verb) for verb in ("deal", "action", "settle")}


def searches(table: Any, hands: int) -> dict[str, str]:
    from django.utils import timezone

    from tables.models import Hand
    from wallets.gaming_day import day_begins, gaming_day

    day = gaming_day(timezone.now()) - timedelta(days=3)
    # Few of a small house are of one table and day: both are asked for the last page, of one hand.
    of_day = Hand.objects.filter(table=table, started_at__gte=day_begins(day))
    second = of_day.order_by("started_at")[1].pk
    asked: dict[str, dict[str, Any]] = {
        "newest": {}, "by table": {"table": table.pk}, "by player": {"player": "Guest 0"},
        "by day": {"day": day},
        "by number": {"number": hands // TABLES}, "by size": {"size": "490"},
        "the end of a table's day": {"table": table.pk, "day": day, "before": second},
        "by table and size": {"table": table.pk, "size": "490"},
        "the end of a player's day": {"player": "Guest 0", "day": day, "before": second},
        "by players of a name": {"player": "Guest 12"},
    }  # fmt: skip
    return {
        **{words: f"/admin/hands/?{urlencode(query)}" for words, query in asked.items()},
        "a player's own": "/api/v1/hands",
        "a player's page": f"/api/v1/hands?cursor={FIRST + hands // 2}",
        "a packed hand": f"/admin/hands/{FIRST + hands // 2}/",
        "a hand": f"/admin/hands/{FIRST + hands - TABLES}/",
        "a packed hand, by the API": f"/api/v1/hands/{FIRST + hands // 2}",
    }


def page(client: Any, address: str) -> Work:
    def asked() -> None:
        answer = client.get(address)
        if answer.status_code != 200:
            raise SystemExit(f"{address}: {answer.status_code}")

    return asked


def is_there(url: str, database: str) -> bool:
    with psycopg.connect(url) as raw:
        found = raw.execute("SELECT FROM pg_database WHERE datname = %s", [database]).fetchone()
    return found is not None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument(
        "--folder", type=Path, help="where the servers lie, and stay for the next time: 3 kB a hand"
    )
    parser.add_argument("--house", nargs=2, metavar=("URL", "HANDS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.house:
        house(options.house[0], int(options.house[1]))
        return
    from casino.house.places import place_for
    from casino.house.servers import quick_servers, temporary_servers

    folder = options.folder
    with quick_servers(place_for(folder), STOPPED_S) if folder else temporary_servers() as servers:
        result: dict[str, Any] = {"bench": "hands", "bar": BAR}
        houses, urls = {}, []
        for name, hands in (("empty", FEW), ("grown", options.hands)):
            database = f"bench_{name}"
            urls.append(servers.postgres.superuser_url(database))
            uses = uses_of(servers, database)
            if not is_there(servers.postgres.superuser_url(), database):
                books_made(servers, database)
            houses[name] = Measured([__file__, "--house", urls[-1], str(hands)], uses)
            result[name] = json.loads(houses[name].told())
            if result[name]["hands"] != hands:
                raise SystemExit(f"{folder} holds {result[name]['hands']} hands, not {hands}")
        result["latency"] = latency = side_by_side(houses, urls, ASKED, options.turns)
    result["misses"] = [what for what, row in latency.items() if row["grown_of_empty"] > BAR]
    result["cores"], result["load"] = os.cpu_count(), round(os.getloadavg()[0], 1)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
