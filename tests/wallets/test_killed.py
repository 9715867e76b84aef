"""kill -9 between any two statements of a posting: afterwards it is all there, or not at all.

A server of its own, so that its crashes meet nobody. The ledger's functions are rewritten there
with a point between their statements; at the point that is due, the server process kills itself
with SIGKILL. PostgreSQL then throws all its processes away and recovers from its log, and the
client, which never got an answer, asks again with the same key.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

import psycopg
import pytest

from casino.core.models import User
from casino.house.places import installed_binaries, temporary_place
from casino.house.servers import Postgres
from tests.conftest import CLEAN, NAME, superuser
from tests.plugin import servers
from wallets.proving import RULES

Raw = psycopg.Connection[Any]
DATABASE = "killed"
POINT = """
CREATE FUNCTION fault_point() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER AS $point$
DECLARE
    at integer := coalesce(nullif(current_setting('fault.at', true), ''), '0')::integer + 1;
BEGIN
    PERFORM set_config('fault.at', at::text, false);
    IF at = nullif(current_setting('fault.due', true), '')::integer THEN
        EXECUTE format('COPY (SELECT 1) TO PROGRAM ''kill -9 %s''', pg_backend_pid());
        PERFORM pg_sleep(60);
    END IF;
    RETURN true;
END $point$;
"""
RATE = 1
PLAYERS, CASH, CHIPS, BONUS = 3, 100_000, 5_000_000, 200_000
hands = count(1_000)


class House(NamedTuple):
    postgres: Postgres
    table: dict[str, int]
    players: list[dict[str, int]]


# Not a PERFORM: that would change FOUND between a statement and who looks at it.
HERE = "IF public.fault_point() THEN NULL; END IF;"


def pointed(definition: str) -> str:
    """The function with a point before its first statement and after each of the others."""
    head, begin, body = re.split(r"(\nBEGIN\n)", definition, maxsplit=1)
    lines = []
    for line in body.splitlines():
        lines.append(line)
        if line.endswith(";") and not line.lstrip().startswith(("--", "RETURN")):
            lines.append(HERE)
    return head + begin + HERE + "\n" + "\n".join(lines)


def copied(postgres: Postgres) -> None:
    """The tests' database as it stands, on that server."""
    with psycopg.connect(postgres.superuser_url(), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {DATABASE} OWNER owner")
    programs = installed_binaries()
    dump = subprocess.run(
        [programs.postgres("pg_dump"), servers.postgres.superuser_url(NAME)],
        capture_output=True, check=True,
    ).stdout  # fmt: skip
    subprocess.run(
        [programs.postgres("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1",
         postgres.superuser_url(DATABASE)],
        input=dump, stdout=subprocess.DEVNULL, check=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def house(django_db_setup: None, django_db_blocker: Any) -> Iterator[House]:
    place = temporary_place()
    postgres = Postgres(place, durable=True)
    try:
        postgres.start()
        with django_db_blocker.unblock(), superuser() as admin:
            for number in range(PLAYERS + 2):
                User.objects.create(username=f"k{number}", display_name=f"k{number}")
            copied(postgres)
            admin.execute(CLEAN)
        with psycopg.connect(postgres.superuser_url(DATABASE), autocommit=True) as admin:
            furnished = furnish(admin)
            admin.execute(POINT)
            for (definition,) in admin.execute(
                "SELECT pg_get_functiondef(p.oid) FROM pg_proc p JOIN pg_language l"
                " ON l.oid = p.prolang WHERE l.lanname = 'plpgsql' AND p.proname LIKE 'ledger_%'"
                # Not where statements grow with the history: there would be no last point.
                " AND p.proname NOT IN ('ledger_refuse', 'ledger_spent')"
            ).fetchall():
                admin.execute(pointed(definition))
        yield House(postgres, *furnished)
    finally:
        postgres.stop()
        shutil.rmtree(place.house, ignore_errors=True)
        shutil.rmtree(place.servers, ignore_errors=True)


def one(raw: Raw, sql: str, *arguments: Any) -> Any:
    row = raw.execute(sql, arguments).fetchone()
    assert row is not None
    return row[0]


def account(raw: Raw, purpose: str, player: int | None = None, table: int | None = None) -> int:
    return int(one(raw, "SELECT ledger_account_open(%s, 'EUR', %s, %s)", purpose, player, table))


def post(raw: Raw, key: str, kind: str, legs: dict[int, int]) -> None:
    raw.execute(
        "SELECT ledger_post(%s, %s, %s, '{}', NULL)",
        (key, kind, json.dumps([[at, amount, None] for at, amount in legs.items()])),
    )


def furnish(raw: Raw) -> tuple[dict[str, int], list[dict[str, int]]]:
    """A table with a bank, players with cash, chips and a bonus, two of staff."""
    table = {name: account(raw, name, table=1) for name in ("bank", "rake", "in_play", "jackpot")}
    cage = account(raw, "cage")
    post(raw, "float", "float", {cage: -(10**8), table["bank"]: 10**8})
    players = []
    for number in range(PLAYERS + 2):
        player = one(raw, "SELECT id FROM core_user WHERE username = %s", f"k{number}")
        if number >= PLAYERS:
            continue
        facts = {"id": player, "cash": account(raw, "cash", player)}
        facts |= {"seat": account(raw, "seat", player, 1)}
        post(raw, f"in:{player}", "deposit", {cage: -CASH - CHIPS, facts["cash"]: CASH + CHIPS})
        post(raw, f"buy:{player}", "buy_in", {facts["cash"]: -CHIPS, facts["seat"]: CHIPS})
        terms = {"amount": BONUS, "wager": 10**6, "funds": "bonus_first",
                 "expires_at": "2100-01-01"}  # fmt: skip
        one(
            raw, "SELECT ledger_bonus_grant(%s, %s, 'EUR', %s, NULL)",
            f"g:{player}", player, json.dumps(terms),
        )  # fmt: skip
        facts["bonus"] = account(raw, "bonus", player)
        raw.execute(  # limits, so that their checks are among what is interrupted
            "INSERT INTO wallets_spendlimit (player_id, kind, currency_id, window_days, most_minor)"
            " SELECT %s, 'loss', c, 1, 90000000 FROM unnest(ARRAY['EUR', 'PLN']) AS c",
            (player,),
        )
        players.append(facts)
    raw.execute(f"""
        SET session_replication_role = replica;  -- nobody is here to agree to it
        INSERT INTO wallets_exchangerate (id, gives_id, gets_id, gives_minor, gets_minor,
                middle_minor, source, until_at, approval_id)
            VALUES ({RATE}, 'EUR', 'PLN', 100, 425, 430, 'test', '2100-01-01', 1);
        RESET session_replication_role;
    """)
    return table, players


class Deed(NamedTuple):
    """What comes before, and the posting itself; both SQL with its arguments."""

    before: list[tuple[str, tuple[Any, ...]]]
    posting: tuple[str, tuple[Any, ...]]


def a_deposit(house: House, hand: int) -> Deed:
    ann = house.players[0]
    legs = json.dumps([[1, -50, None], [ann["cash"], 50, None]])
    cage = f"(SELECT id FROM wallets_account WHERE purpose = 'cage' AND {hand} = {hand})"
    return Deed([], (
        "SELECT ledger_post(%s, 'deposit', jsonb_set(%s::jsonb, '{0,0}', to_jsonb("
        f"{cage})), '{{}}', NULL)", (f"d{hand}", legs),
    ))  # fmt: skip


def held(house: House, hand: int) -> tuple[str, tuple[Any, ...]]:
    return "SELECT ledger_hold(%s, %s)", (hand, [who["seat"] for who in house.players])


def a_hand_settled(house: House, hand: int) -> Deed:
    legs = [[who["seat"], net, None] for who, net in zip(house.players, (-30, 20, 5), strict=True)]
    legs.append([house.table["rake"], 5, None])
    return Deed([held(house, hand)], (
        "SELECT ledger_settle(%s, 'settle', %s, %s, NULL)",
        (f"hand:{hand}:settle", json.dumps(legs), json.dumps({"hand": hand, "table": 1})),
    ))  # fmt: skip


def a_stake(house: House, hand: int, player: int = 0) -> tuple[str, tuple[Any, ...]]:
    who = house.players[player]
    packed = {
        "key": f"s{hand}:{player}", "hand": hand, "table": 1, "player": who["id"],
        "seat": who["seat"], "bonus": who["bonus"], "in_play": house.table["in_play"],
        "amount": 500, "exposure": 50_000,
    }  # fmt: skip
    return "SELECT ledger_stake(%s)", (json.dumps(packed),)


def a_split_stake(house: House, hand: int) -> Deed:
    return Deed([], a_stake(house, hand))


def a_round_paid(house: House, hand: int) -> Deed:
    stakes = [a_stake(house, hand, player) for player in range(PLAYERS)]
    staked = 500 * PLAYERS
    returned = {str(who["seat"]): staked // PLAYERS for who in house.players}
    return Deed(stakes, (
        "SELECT ledger_round_pay(%s, %s, %s, %s, %s, %s, NULL)",
        (
            f"hand:{hand}:settle", house.table["in_play"], house.table["bank"], staked,
            json.dumps(returned), json.dumps({"hand": hand, "table": 1}),
        ),
    ))  # fmt: skip


def a_round_voided(house: House, hand: int) -> Deed:
    return Deed([a_stake(house, hand)], (
        "SELECT ledger_round_void(%s, %s, NULL)",
        (f"hand:{hand}:settle", json.dumps({"hand": hand, "table": 1})),
    ))  # fmt: skip


def a_round_of_an_ended_bonus(house: House, hand: int) -> Deed:
    """Its return goes on to the house, while a new bonus runs."""
    who = house.players[2]
    end = (
        "SELECT ledger_bonus_end(id, 'forfeited', NULL) FROM wallets_bonusgrant"
        " WHERE player_id = %s AND status = 'active'", (who["id"],),
    )  # fmt: skip
    terms = json.dumps(
        {"amount": 900, "wager": 10**6, "funds": "bonus_first", "expires_at": "2100-01-01"}
    )
    old, new = (
        ("SELECT ledger_bonus_grant(%s, %s, 'EUR', %s, NULL)", (key, who["id"], terms))
        for key in (f"old{hand}", f"new{hand}")
    )
    return Deed([end, old, a_stake(house, hand, 2), end, new], (
        "SELECT ledger_round_pay(%s, %s, %s, 500, %s, %s, NULL)",
        (
            f"hand:{hand}:settle", house.table["in_play"], house.table["bank"],
            json.dumps({who["seat"]: 700}), json.dumps({"hand": hand, "table": 1}),
        ),
    ))  # fmt: skip


def an_exchange(house: House, hand: int) -> Deed:
    ann = house.players[0]["id"]
    return Deed([], ("SELECT ledger_exchange(%s, %s, %s, 7, NULL)", (f"e{hand}", ann, RATE)))


def a_withdrawal_paid_in_part(house: House, hand: int) -> Deed:
    ann = house.players[0]
    asked = (
        "SELECT ledger_pend(%s, 'withdrawal', jsonb_build_array(jsonb_build_array(%s::bigint,"
        " -10), jsonb_build_array(ledger_account_open('pending', 'EUR', %s, NULL), 10)),"
        " jsonb_build_array(jsonb_build_array(ledger_account_open('pending', 'EUR', %s, NULL),"
        " -10), jsonb_build_array(ledger_account_open('cage', 'EUR', NULL, NULL), 10)), '{}',"
        " NULL)",
        (f"w{hand}", ann["cash"], ann["id"], ann["id"]),
    )
    return Deed([asked], (
        "SELECT ledger_resolve(%s, (SELECT id FROM wallets_transfer WHERE key = %s), 'post',"
        " NULL, 4)", (f"r{hand}", f"w{hand}"),
    ))  # fmt: skip


def leaving(house: House, hand: int) -> Deed:
    ann = house.players[0]
    back = json.dumps([[ann["cash"], -700, None], [ann["seat"], 700, None]])
    return Deed(
        [("SELECT ledger_post(%s, 'buy_in', %s, '{}', NULL)", (f"b{hand}", back))],
        ("SELECT ledger_cash_out(%s, %s, %s, NULL)", (f"c{hand}", ann["id"], ann["seat"])),
    )


STATE = """
    SELECT (SELECT json_agg(a ORDER BY id) FROM (
            SELECT id, balance_minor, last_leg_id, held_by FROM wallets_account) AS a),
        (SELECT count(*) FROM wallets_transfer), (SELECT count(*) FROM wallets_leg),
        (SELECT json_agg(c) FROM wallets_cover c), (SELECT count(*) FROM wallets_bonusprogress),
        (SELECT count(*) FROM wallets_bonuspart)
"""


def connected(house: House, role: str) -> Raw:
    """Once the server is there again."""
    for _ in range(600):
        try:
            return psycopg.connect(house.postgres.url(role, DATABASE), autocommit=True)
        except psycopg.OperationalError:
            time.sleep(0.05)
    raise AssertionError("the server did not come back")


def is_killed_at(house: House, point: int, posting: tuple[str, tuple[Any, ...]]) -> bool:
    """Whether the posting got as far as that point, and died there."""
    with connected(house, "app") as bystander, connected(house, "app") as raw:
        raw.execute(f"SET fault.due = '{point}'")
        try:
            raw.execute(*posting)
        except psycopg.OperationalError:
            with pytest.raises(psycopg.OperationalError):  # all are thrown out: it has begun
                bystander.execute("SELECT pg_sleep(30)")
            return True
    return False


def killed_everywhere(house: House, deed: Any) -> int:
    """Kill it at every point in turn; at how many there were."""
    for point in count(1):
        with connected(house, "app") as raw:
            before, posting = deed(house, hand := next(hands))
            for sql, arguments in before:
                raw.execute(sql, arguments)
            stood = raw.execute(STATE).fetchone()
        died = is_killed_at(house, point, posting)
        with connected(house, "app") as raw:
            if died:
                assert raw.execute(STATE).fetchone() == stood, (point, "not all or nothing")
                raw.execute(*posting)
            assert raw.execute(STATE).fetchone() != stood
            after = raw.execute(STATE).fetchone()
            raw.execute(*posting)  # and once more, by a client that lost this answer too
            assert raw.execute(STATE).fetchone() == after, (point, "done twice")
        if hand % 10 == 0 or not died:
            sound(house)
        if not died:
            return point - 1
    raise AssertionError("no end of points")


def sound(house: House) -> None:
    with connected(house, "app") as raw:
        for name, rule in RULES.items():
            assert raw.execute(rule.query).fetchall() == [], name


def test_a_posting_killed_between_any_two_statements_is_all_or_nothing(house: House) -> None:
    assert killed_everywhere(house, a_deposit) >= 25


@pytest.mark.slow
@pytest.mark.parametrize(
    "deed",
    [
        a_hand_settled, a_split_stake, a_round_paid, a_round_voided, a_withdrawal_paid_in_part,
        leaving, a_round_of_an_ended_bonus, an_exchange,
    ],
)  # fmt: skip
def test_so_is_every_other_posting(house: House, deed: Any) -> None:
    assert killed_everywhere(house, deed) >= 25
