"""How long the console's pages take in a house with a history: --hands 1000000 --legs 10000000.

A throw-away house of a hundred tables and five thousand players gets that many settled hands over
sixty gaming days, with their transfers, legs, hourly figures and the log's entries of their decks,
loaded past the triggers: rows to be read, whose running balances are no books. One player in fifty
was dealt in to every hand of his table. Then each page is asked for in this process, as a person of
the role whose page it is, and the whole answer timed: middleware, queries, template.
Prints one JSON object: milliseconds and queries by page. The servers do not wait for the disk.
"""

import argparse
import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from statistics import median
from typing import Any
from urllib.parse import urlencode

import orjson
import psycopg

from bench.common.packed import History
from bench.ledger import books_made

TABLES, PLAYERS, SEATS, DAYS = 100, 5_000, 6, 60
CALLS, ENOUGH_S, BOUND_MS = 11, 10, 500
AT_ONCE = 100_000
CURRENCY = "EUR"
FIRST = 1_000_000  # ids of what is loaded
BEFORE = 100  # numbers that the opening of a table may have used

# The room: tables by the house's own services, players past them.


def furnished(*, against_the_house: bool = True) -> tuple[list[Any], list[Any]]:
    """A hundred open tables, half of them against the house unless none shall be, and a person of
    each role."""
    from casino.core.models import Role, User
    from tables.engine.games.three_card_poker import STANDARD_PAYTABLES
    from tables.services.floor import table_open

    wager = {"least_minor": 500, "most_minor": 10_000, "step_minor": 100}
    wagers = ("ante_bonus", "pair_plus", "six_card")
    games: tuple[dict[str, Any], ...] = (
        {"game": "holdem", "chip_minor": 50, "options": {
            "limit": "no_limit", "small_blind_minor": 50, "big_blind_minor": 100}},
        {"game": "three_card_poker", "chip_minor": 100, "float_minor": 10**7, "min_players": 1,
         "options": {
             "limits": {"ante": wager, "pair_plus": wager, "six_card": wager},
             "paytables": {each: next(iter(STANDARD_PAYTABLES[each].values())) for each in wagers},
         }},
    )  # fmt: skip
    kinds = len(games) if against_the_house else 1
    tables = [
        table_open(
            name=f"Table {number:03}", currency=CURRENCY, max_seats=SEATS,
            buy_in_least_minor=1_000, buy_in_most_minor=100_000, **games[number % kinds],
        )
        for number in range(TABLES)
    ]  # fmt: skip
    people = [
        User.objects.create_user(
            username=f"staff-{role.value}", password=None, display_name=f"The {role.value}",
            role=role, is_staff=True,
        )
        for role in Role
        if role != Role.PLAYER
    ]  # fmt: skip
    return tables, people


PEOPLE = f"""
INSERT INTO core_user (id, username, display_name, password, first_name, last_name, email, role,
        is_active, is_staff, is_superuser, is_house, pits, date_joined, changed_at)
    SELECT {FIRST} + n, 'guest-' || n, 'Guest ' || n, '', '', '', 'guest' || n || '@example.org',
            'player', true, false, false, false, '{{}}', now(), now()
        FROM generate_series(0, {PLAYERS - 1}) AS n;
INSERT INTO wallets_playerlimits (player_id, self_excluded, changed_at)
    SELECT id, false, now() FROM core_user WHERE id >= {FIRST};
CREATE TABLE bench_table (nth int PRIMARY KEY, id bigint, game text, definition jsonb,
    options jsonb, in_play bigint, gain bigint, banked boolean);
CREATE TABLE bench_seat (player bigint PRIMARY KEY, cash bigint, seat bigint);
"""

ACCOUNTS = f"""
WITH opened AS (
    INSERT INTO wallets_account (purpose, currency_id, player_id, table_id, may_go_negative,
            balance_minor, opened_at)
        SELECT p, '{CURRENCY}', u.id, CASE p WHEN 'seat' THEN t.id END, false, 50000, now()
            FROM core_user u
            JOIN bench_table t ON t.nth = (u.id - {FIRST}) % {TABLES}
            CROSS JOIN unnest(ARRAY['cash', 'seat']) AS p
            WHERE u.id >= {FIRST}
        RETURNING id, player_id, purpose
)
INSERT INTO bench_seat
    SELECT player_id, max(id) FILTER (WHERE purpose = 'cash'),
            max(id) FILTER (WHERE purpose = 'seat')
        FROM opened GROUP BY player_id;
"""

# Hand n is dealt at table n % TABLES; seat 1 is always the same player's, the others take turns.
PLAYED = f"""
CREATE TEMP TABLE played ON COMMIT DROP AS
    SELECT n, t.*, n / {TABLES} + 1 AS number, %(since)s + n * %(step)s::interval AS at,
            array_agg(s.seat ORDER BY place) AS accounts, array_agg(s.player ORDER BY place)
            AS players
        FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS n
        JOIN bench_table t ON t.nth = n %% {TABLES}
        CROSS JOIN generate_series(1, {SEATS}) AS place
        JOIN bench_seat s ON s.player = {FIRST} + n %% {TABLES} + {TABLES} * CASE place
            WHEN 1 THEN 0
            ELSE 1 + (n / {TABLES} * 5 + place) %% {PLAYERS // TABLES - 1} END
        GROUP BY n, t.nth
"""

HANDS = f"""
INSERT INTO tables_hand (id, table_id, number, game, definition, options, engine_version, seats,
        button, more_decks, status, result, final_view, first_seq, last_seq, started_at, settled_at)
    SELECT {FIRST} + n, id, number, game, definition, options, '1',
            (SELECT jsonb_object_agg(i::text, jsonb_build_object('player', players[i],
                'name', 'Guest ' || players[i] - {FIRST}, 'account', accounts[i],
                'stack_minor', 50000)) FROM generate_series(1, {SEATS}) AS i),
            1, '[]', 'settled',
            jsonb_build_object('rake_minor', 0, 'nets_minor', jsonb_build_object(
                '1', 300, '2', 300, '3', (n * 7919 %% 1000) * -100, '4', 0, '5', 0, '6', 0)),
            jsonb_build_object('board', '["As","Kd","7h","7c","2s"]'::jsonb, 'number', number),
            0, 0, at, at + interval '40 seconds'
        FROM played
"""

DEALT = f"""
INSERT INTO tables_dealt (player_id, hand_id)
    SELECT player, {FIRST} + n FROM played CROSS JOIN unnest(players) AS player
"""

# Hand by hand: what is put in, two legs each, then one transfer that pays it out.
TRANSFERS = f"""
INSERT INTO wallets_transfer (id, key, kind, phase, hand_id, table_id, actor_id, reason, leg_count,
        content_hash, xact_id, created_at)
    SELECT {FIRST} + n * %(each)s + i, 'b:' || n || ':' || i,
            CASE WHEN i = %(each)s - 1 THEN 'settle' ELSE 'stake' END, 'single', {FIRST} + n, id,
            CASE WHEN i < %(each)s - 1 THEN players[i %% {SEATS} + 1] END, '',
            CASE WHEN i = %(each)s - 1 THEN 4 ELSE 2 END, sha256(convert_to(n || ':' || i, 'UTF8')),
            1, at + i * interval '8 seconds'
        FROM played CROSS JOIN generate_series(0, %(each)s - 1) AS i
        ORDER BY n, i
"""

LEGS = f"""
INSERT INTO wallets_leg (id, transfer_id, position, account_id, currency, amount_minor,
        balance_after_minor)
    SELECT {FIRST} + n * %(legs)s + 2 * i + position, {FIRST} + n * %(each)s + i, position,
            CASE WHEN position = 1 THEN in_play
                WHEN i < %(each)s - 1 THEN accounts[i %% {SEATS} + 1]
                WHEN position = 4 THEN gain
                ELSE accounts[position - 1] END,
            '{CURRENCY}', CASE position WHEN 1 THEN -600 WHEN 4 THEN 200 ELSE 300 END, 50000
        FROM played CROSS JOIN generate_series(0, %(each)s - 1) AS i
        CROSS JOIN generate_series(1, 4) AS position
        WHERE position <= CASE WHEN i = %(each)s - 1 THEN 4 ELSE 2 END
        ORDER BY n, i, position
"""

LOGGED = """
INSERT INTO core_logentry (at, kind, subject, facts, content_hash)
    SELECT at, kind, 'table:' || id, jsonb_build_object('cut', number),
            sha256(convert_to(kind, 'UTF8'))
        FROM played CROSS JOIN unnest(ARRAY['cut.published', 'cut.ended']) AS kind ORDER BY n
"""

HOURS = """
INSERT INTO tables_tablehour (table_id, gaming_day, hour, hands, voided, seats_dealt, drop_minor,
        staked_minor, won_minor, expected_minor, variance)
    SELECT h.table_id, (date_trunc('hour', h.started_at) - interval '6 hours')::date,
            date_trunc('hour', h.started_at), count(*), 0, 6 * count(*), 1000 * count(*),
            CASE WHEN bool_or(t.banked) THEN 600 * count(*) ELSE 0 END, 20 * count(*),
            CASE WHEN bool_or(t.banked) THEN 20.5 * count(*) ELSE 0 END,
            CASE WHEN bool_or(t.banked) THEN 2e6 * count(*) ELSE 0 END
        FROM tables_hand h JOIN bench_table t ON t.id = h.table_id GROUP BY 1, 2, 3
"""


# Ten minutes of each table's display, one in fifty of them late.
SCREENS = f"""
WITH screens AS (
    INSERT INTO core_device (name, profile, table_id, distance_cm, density_percent, language,
            sounds, secret_version, enrolled_by_id, enrolled_at, last_seen_at)
        SELECT 'Screen ' || nth, 'display', id, 200, 100, 'en', false, 1,
                (SELECT min(id) FROM core_user), now(), now()
            FROM bench_table RETURNING id, table_id
)
INSERT INTO core_screenlag (device_id, table_id, at, most_ms)
    SELECT s.id, s.table_id, at, CASE WHEN (s.id + extract(epoch FROM at)::bigint / 600) % 50 = 0
            THEN 3000 ELSE 1050 END
        FROM screens s CROSS JOIN generate_series(
            date_bin('10 minutes', now() - interval '{DAYS} days', '2000-01-01Z'), now(),
            interval '10 minutes') AS at
"""


def loaded(
    url: str,
    tables: list[Any],
    hands: int,
    legs: int,
    told: bool,
    more: Sequence[str] = (),
    packed: int = 0,
    screens: bool = True,
) -> dict[str, Any]:
    """more: statements that add to what every hand leaves behind. packed: so many of the hands,
    the oldest, are as they are once they are packed, and leave nothing else behind. screens:
    whether displays told how far they were behind."""
    from django.utils import timezone

    from tables.engine.games import named

    each = max(2, (legs // hands - 4) // 2 + 1)  # transfers of a hand
    until = timezone.now()
    facts = {"since": until - timedelta(days=DAYS), "step": timedelta(days=DAYS) / hands,
             "each": each, "legs": 2 * each + 2}  # fmt: skip
    began = time.perf_counter()
    with psycopg.connect(url, autocommit=True) as raw:
        raw.execute("SET session_replication_role = replica")
        raw.execute(PEOPLE)
        for nth, table in enumerate(tables):
            game = named(table.game, table.options)
            banked = game.family == "banked"
            raw.execute(
                "INSERT INTO bench_table VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
                (nth, table.pk, table.game, orjson.dumps(game.to_json()).decode(),
                 orjson.dumps(table.options).decode(), table.accounts["in_play"],
                 table.accounts["bank" if banked else "rake"], banked),
            )  # fmt: skip
        raw.execute(ACCOUNTS)
        raw.execute("ANALYZE bench_seat")
        if packed:
            History(
                raw, first=FIRST, tables=TABLES, players=PLAYERS, seats=SEATS, before=BEFORE,
                since=facts["since"], step=facts["step"],
            ).load(packed)  # fmt: skip
        for first in range(packed, hands, AT_ONCE):
            window = {**facts, "first": first, "last": min(first + AT_ONCE, hands) - 1}
            with raw.transaction():
                raw.execute(PLAYED, window)
                for statement in (HANDS, DEALT, TRANSFERS, LEGS, LOGGED, *more):
                    raw.execute(statement, window)
            if told:
                print(window["last"] + 1, round(time.perf_counter() - began), flush=True)
        raw.execute("VACUUM ANALYZE")
        raw.execute(HOURS)
        if screens:
            raw.execute(SCREENS)
        raw.execute(
            "UPDATE tables_table t SET hand_number = found.last FROM (SELECT table_id,"
            " max(number) AS last FROM tables_hand GROUP BY 1) AS found WHERE found.table_id = t.id"
        )
        for name in ("core_user", "tables_hand", "wallets_transfer", "wallets_leg"):
            raw.execute(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'),"
                        f" (SELECT max(id) FROM {name}))")  # fmt: skip
        load_s = time.perf_counter() - began
        raw.execute("VACUUM ANALYZE")
        counts = {
            name: _one(raw, f"SELECT count(*) FROM {table}")
            for name, table in (
                ("hands", "tables_hand"), ("transfers", "wallets_transfer"),
                ("legs", "wallets_leg"), ("log_entries", "core_logentry"),
                ("table_hours", "tables_tablehour"), ("screen_lags", "core_screenlag"),
            )
        }  # fmt: skip
        size = _one(raw, "SELECT pg_database_size(current_database())")
    return {**counts, "load_s": round(load_s), "database_mb": size // 2**20}


def _one(raw: Any, query: str) -> int:
    row = raw.execute(query).fetchone()
    assert row is not None
    return int(row[0])


# The pages.


def pages(tables: list[Any], hands: int) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """(what it is, role, address, query) of each page that is timed."""
    from django.utils import timezone

    from wallets.gaming_day import gaming_day

    today = gaming_day(timezone.now())
    day, month = today - timedelta(days=3), today - timedelta(days=30)
    regular, often = FIRST, FIRST + TABLES + 4
    yield "pit", "pit_manager", "pit/", {}
    yield "pit, its refresh", "pit_manager", "pit/tiles/", {}
    for tab in ("overview", "statement", "hands", "devices", "log"):
        yield f"player, {tab}", "compliance", f"players/{regular}/", {"tab": tab}
    yield "player, hands of one who played less", "compliance", f"players/{often}/", {
        "tab": "hands"}  # fmt: skip
    yield "players by name", "compliance", "players/", {"q": "guest 12"}
    yield "players by number", "compliance", "players/", {"q": str(regular)}
    searches: dict[str, dict[str, Any]] = {
        "newest": {},
        "by number": {"number": hands // TABLES // 2},
        "by id": {"number": FIRST + hands // 2},
        "by table": {"table": tables[7].pk},
        "by player": {"player": "Guest 0"},
        "by player and table": {"player": "Guest 7", "table": tables[7].pk},
        "by players of a name": {"player": "Guest 12"},
        "by a player who has none there": {"player": "Guest 7", "table": tables[8].pk},
        "by day": {"day": day.isoformat()},
        "by table and day": {"day": day.isoformat(), "table": tables[7].pk},
        "by player and day": {"day": day.isoformat(), "player": "Guest 7"},
        "by state": {"status": "voided"},
        "by state and day": {"status": "voided", "day": day.isoformat()},
        "by size": {"size": "490"},
        "by size no hand had": {"size": "100000"},
        "by size and day": {"size": "490", "day": day.isoformat()},
    }
    for words, query in searches.items():
        yield f"hands, {words}", "surveillance", "hands/", query
    yield "hand", "surveillance", f"hands/{FIRST + hands // 2}/", {}
    for by in ("table", "game", "day", "hour"):
        yield f"report of a day, by {by}", "finance", "reports/", {
            "begins": day, "ends": day, "by": by, "demo": "on"}  # fmt: skip
    yield "report of a day as CSV", "finance", "reports/", {
        "begins": day, "ends": day, "by": "table", "demo": "on", "as": "csv"}  # fmt: skip
    yield "report of a month, by table", "finance", "reports/", {
        "begins": month, "ends": today, "by": "table", "demo": "on"}  # fmt: skip
    yield "day close", "finance", "close/", {"day": day.isoformat()}
    yield "audit log", "compliance", "audit/", {}
    yield "audit log of a table", "compliance", "audit/", {"subject": f"table:{tables[7].pk}"}
    yield "audit log of a person", "compliance", "audit/", {"actor": "The compliance"}
    yield "audit log of a kind", "compliance", "audit/", {"kind": "user.viewed"}
    yield "audit log of a day", "compliance", "audit/", {"begins": day, "ends": day}
    yield "audit log of an area", "compliance", "audit/", {"area": "overrides"}
    for name in ("return", "hold", "flow", "seats", "displays"):
        yield f"picture: {name}", "finance", "pictures/", {"name": name}
    yield "books", "finance", "books/", {}
    yield "alerts", "pit_manager", "alerts/", {}
    yield "approvals", "pit_manager", "approvals/", {}
    yield "cage", "cage", "cage/", {"q": "guest 12"}


@contextmanager
def counted() -> Iterator[list[dict[str, str]]]:
    from django.db import connection, reset_queries

    connection.force_debug_cursor = True
    reset_queries()
    found: list[dict[str, str]] = []
    try:
        yield found
        found += connection.queries
    finally:
        connection.force_debug_cursor = False


def timed(clients: dict[str, Any], page: tuple[str, str, str, dict[str, Any]]) -> dict[str, Any]:
    """The first call apart: it reads from disk what the others find in memory."""
    _words, role, where, query = page
    address = f"/admin/{where}?{urlencode(query)}"
    spent: list[float] = []
    while len(spent) < CALLS and (len(spent) < 3 or sum(spent) < 1000 * ENOUGH_S):
        began = time.perf_counter()
        answer = clients[role].get(address)
        spent.append(1000 * (time.perf_counter() - began))
        if answer.status_code != 200:
            raise SystemExit(f"{address}: {answer.status_code}")
    with counted() as queries:
        clients[role].get(address)
    slowest = max(queries, key=lambda each: float(each["time"]))
    found = {
        "first_ms": round(spent[0], 1), "p50_ms": round(median(spent[1:]), 1),
        "max_ms": round(max(spent[1:]), 1), "queries": len(queries),
    }  # fmt: skip
    if found["p50_ms"] > BOUND_MS / 2:
        found["slowest_query"] = f"{1000 * float(slowest['time']):.0f} ms: {slowest['sql'][:300]}"
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--legs", type=int, default=200_000)
    parser.add_argument("--told", action="store_true", help="say how far the loading is")
    options = parser.parse_args()
    from casino.house.servers import temporary_servers

    with temporary_servers() as servers:
        os.environ.update(books_made(servers, "bench_console"))
        import django

        django.setup()
        from django.conf import settings
        from django.test import Client

        settings.ALLOWED_HOSTS = ["testserver"]
        tables, people = furnished()
        url = servers.postgres.superuser_url("bench_console")
        result: dict[str, Any] = {"bench": "console"}
        result["loaded"] = loaded(url, tables, options.hands, options.legs, options.told)
        clients = {}
        for user in people:
            clients[user.role] = Client()
            clients[user.role].force_login(user)
        result["pages"] = {page[0]: timed(clients, page) for page in pages(tables, options.hands)}
        result["slower_than_500_ms"] = [
            words for words, found in result["pages"].items() if found["p50_ms"] > BOUND_MS
        ]
        result["cores"], result["load"] = os.cpu_count(), os.getloadavg()[0]
        print(json.dumps(result))


if __name__ == "__main__":
    main()
