"""Attacks on a live house: each a few lines, each with the refusal it must meet.

An attack returns what it was answered with: a response (its status counts), a code with which a
socket was closed, a refusal's code, an SQLSTATE. What is not among the expected got through.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from uuid import uuid4

import httpx

from tests.flows.redteam.world import PASSWORD, Outcome, World

Deed = Callable[[World], "httpx.Response | Outcome"]
ATTACKS: list[Attack] = []
FORBIDDEN, CLOSED_TO = "42501", {302, 403, 404}


@dataclass(frozen=True)
class Attack:
    """words: what the attacker tries. refused: every answer that is a refusal."""

    group: str
    words: str
    refused: frozenset[Outcome]
    deed: Deed


def attack(group: str, words: str, *refused: Outcome) -> Callable[[Deed], Deed]:
    def add(deed: Deed) -> Deed:
        ATTACKS.append(Attack(group, words, frozenset(refused), deed))
        return deed

    return add


def attacks(group: str, *refused: Outcome, **deeds: Deed) -> None:
    """Several with the same refusal; their names are their words."""
    for name, deed in deeds.items():
        attack(group, name.replace("_", " "), *refused)(deed)


def seat_of(world: World, who: str, name: str = "duel") -> int:
    return int(world.table(who, name)["you"]["seat"])


# Who are you?

attacks(
    "identity", 401,
    a_wrong_password=lambda w: w.ask(
        None, "POST", "sign-in", {"username": "anna", "password": "guess"}
    ),
    a_name_that_nobody_has=lambda w: w.ask(
        None, "POST", "sign-in", {"username": "nobody-here", "password": PASSWORD}
    ),
    a_made_up_token=lambda w: w.ask(
        None, "GET", "wallet", headers={"Authorization": "Bearer ck_" + "A" * 43}
    ),
    an_expired_token=lambda w: w.ask("bert_expired", "GET", "wallet"),
    a_revoked_token=lambda w: w.ask("bert_revoked", "GET", "wallet"),
    no_token_at_all=lambda w: w.ask(None, "GET", "wallet"),
    a_token_in_the_address=lambda w: w.ask(
        None, "GET", f"wallet?access_token={w.facts['tokens']['anna']}"
    ),
    another_scheme=lambda w: w.plain.get("/api/v1/wallet", auth=("anna", PASSWORD)),
    no_token_for_a_ticket=lambda w: w.ask(None, "POST", f"tables/{w.facts['duel']}/tickets", {}),
)  # fmt: skip
attacks(
    "identity", 403,
    a_token_that_may_only_read_acts=lambda w: w.act("bert_reads", {"name": "fold"}),
    a_token_that_may_only_read_withdraws=lambda w: w.once(
        "bert_reads", "wallet/withdrawals", {"amount_minor": 100, "currency": w.facts["currency"]}
    ),
    a_token_that_may_only_read_makes_a_better_one=lambda w: w.ask(
        "bert_reads", "POST", "tokens", {"name": "more", "scopes": ["money"]}
    ),
    a_token_gives_a_new_one_what_it_has_not=lambda w: w.ask(
        "bert_accounts", "POST", "tokens", {"name": "more", "scopes": ["money"]}
    ),
)  # fmt: skip
attacks(
    "identity", 400,
    a_registration_that_names_its_role=lambda w: w.ask(
        None, "POST", "registrations",
        {"username": "evil", "display_name": "Evil", "password": PASSWORD, "role": "admin"},
    ),
    a_registration_of_the_staff=lambda w: w.ask(
        None, "POST", "registrations",
        {"username": "evil", "display_name": "Evil", "password": PASSWORD, "is_staff": True},
    ),
    a_name_written_backwards=lambda w: w.ask(
        None, "POST", "registrations",
        {"username": "evil", "display_name": "Anna\u202e", "password": PASSWORD},
    ),
    a_password_that_everybody_has=lambda w: w.ask(
        None, "POST", "registrations",
        {"username": "evil", "display_name": "Evil", "password": "password123"},
    ),
    nul_in_a_name=lambda w: w.ask(
        None, "POST", "sign-in", {"username": "an\0na", "password": PASSWORD}
    ),
)  # fmt: skip


@attack("identity", "passwords are tried one after another, then the right one", 429, 401, 423)
def guessing(world: World) -> httpx.Response:
    for nth in range(15):
        world.ask(None, "POST", "sign-in", {"username": "dora", "password": f"guess {nth}"})
    return world.ask(None, "POST", "sign-in", {"username": "dora", "password": PASSWORD})


@attack("identity", "a browser's session acts from a foreign page, without its CSRF token", 403)
def forged(world: World) -> httpx.Response:
    body = {"action_id": str(uuid4()), "turn_id": 1, "action": {"name": "fold"}}
    with world.browser("anna") as browser:
        return browser.post(f"/api/v1/tables/{world.facts['duel']}/actions", json=body)


# What belongs to others

attacks(
    "objects", 404,
    the_history_of_a_hand_in_play=lambda w: w.ask(
        "bert", "GET", f"hands/{w.table('anna')['hand']['id']}"
    ),
    ones_own_hand_while_it_is_in_play=lambda w: w.ask(
        "anna", "GET", f"hands/{w.table('anna')['hand']['id']}"
    ),
    anothers_token=lambda w: w.ask("bert", "DELETE", f"tokens/{w.facts['anna_token']}"),
    a_table_that_is_not_there=lambda w: w.ask("bert", "GET", "tables/999999999"),
    a_number_beyond_the_database=lambda w: w.ask("bert", "GET", f"hands/{10**30}"),
)  # fmt: skip


@attack(
    "objects", "cards that were folded, in the history of another's hand and its proof", "hidden"
)
def folded(world: World) -> Outcome:
    """The public part of a hand is everybody's, as whoever watched the table has seen it."""
    history = world.ask("bert", "GET", f"hands/{world.settled_hand}").json()
    proof = world.ask("bert", "GET", f"hands/{world.settled_hand}/proof").json()
    told = json.dumps(history["frames"])
    if '"private": {' in told or '"cards": ["' in told or proof["openings"]:
        return "seen"
    return "hidden"


@attack("objects", "another's cards in the proof of a hand in play", "hidden")
def early_proof(world: World) -> Outcome:
    hand = world.table("anna")["hand"]["id"]
    answer = world.ask("carl", "GET", f"hands/{hand}/proof")
    return "seen" if shown(cards_of(world, "anna"), answer.text) else "hidden"


@attack("objects", "another's lines, named by a parameter", "his own")
def anothers_lines(world: World) -> Outcome:
    asked = f"?player_id={world.facts['ids']['anna']}"
    same = all(
        (answer := world.ask("bert", "GET", path + asked)).status_code == 400
        or answer.json() == world.ask("bert", "GET", path).json()
        for path in ("wallet/statement", "hands", "wallet")
    )
    return "his own" if same else "others"


attacks(
    "objects", 400, 404, 405,
    anothers_name_in_the_body=lambda w: w.once(
        "bert", "wallet/withdrawals",
        {"amount_minor": 100, "currency": w.facts["currency"],
         "player_id": w.facts["ids"]["anna"]},
    ),
    a_deposit_to_oneself=lambda w: w.once(
        "bert", "wallet/deposits", {"amount_minor": 100, "currency": w.facts["currency"]}
    ),
    a_bonus_to_oneself=lambda w: w.once("bert", "wallet/bonuses", {"amount_minor": 100}),
    another_role=lambda w: w.ask("bert", "PATCH", "me", {"role": "admin"}),
)  # fmt: skip

# At the table

attacks(
    "play", 403, 404, 409, 422,
    a_stranger_acts=lambda w: w.act("bert", {"name": "fold"}),
    a_stranger_acts_for_a_seat=lambda w: w.act(
        "bert", {"name": "fold", "seat": seat_of(w, "anna")}
    ),
    out_of_turn=lambda w: w.act(
        "carl" if w.awaited() == "anna" else "anna", {"name": "fold"}
    ),
    a_decision_that_has_passed=lambda w: w.act(w.awaited(), {"name": "fold"}, turn_id=1),
    a_decision_to_come=lambda w: w.act(w.awaited(), {"name": "fold"}, turn_id=10**6),
    a_raise_beyond_the_stack=lambda w: w.act(
        w.awaited(), {"name": "raise", "to_minor": 10**9}
    ),
    a_raise_below_the_least=lambda w: w.act(w.awaited(), {"name": "raise", "to_minor": 1}),
    a_bet_at_a_spot_of_another=lambda w: w.act(
        "bert", {"name": "bet", "wagers": {"ante": 500}, "seat": seat_of(w, "anna", "banked")},
        "banked",
    ),
    another_seat_is_stood_up=lambda w: w.once("bert", f"tables/{w.facts['duel']}/leave", {}),
    a_seat_that_is_taken=lambda w: w.once(
        "bert", f"tables/{w.facts['duel']}/seats",
        {"seat": seat_of(w, "anna"), "buy_in_minor": 20_000},
    ),
    seeds_for_a_table_one_does_not_sit_at=lambda w: w.ask(
        "bert", "POST", f"tables/{w.facts['duel']}/seeds", {"cut": 1, "commitment": "00" * 32}
    ),
)  # fmt: skip
attacks(
    "play", 400, 409, 422,
    an_action_named_like_a_method=lambda w: w.act(w.awaited(), {"name": "__class__"}),
    an_action_of_a_hundred_fields=lambda w: w.act(
        w.awaited(), {"name": "fold"} | {f"f{n}": n for n in range(100)}
    ),
    an_amount_with_a_point=lambda w: w.act(w.awaited(), {"name": "raise", "to_minor": 400.5}),
    an_amount_that_is_true=lambda w: w.act(w.awaited(), {"name": "raise", "to_minor": True}),
    an_amount_of_a_thousand_digits=lambda w: w.act(
        w.awaited(), {"name": "raise", "to_minor": 10**1000}
    ),
    an_amount_below_zero=lambda w: w.act(w.awaited(), {"name": "raise", "to_minor": -(10**6)}),
)  # fmt: skip


@attack("play", "one action id for two decisions", "counted once")
def twice(world: World) -> Outcome:
    who, key = world.awaited(), str(uuid4())
    first = world.act(who, {"name": "call"}, action_id=key).json()
    again = world.act(who, {"name": "fold"}, action_id=key).json()
    same = again.get("replayed") and again["seq"] == first["seq"] == world.table(who)["seq"]
    return "counted once" if same else "counted twice"


@attack("play", "twenty clicks at once on one decision", "one")
def clicks(world: World) -> Outcome:
    who = world.awaited()
    turn = world.table(who)["hand"]["turn"]["turn_id"]
    names = {choice["name"] for choice in world.table(who)["you"]["legal_actions"]}
    action = {"name": "check" if "check" in names else "call"}
    with ThreadPoolExecutor(20) as pool:
        answers = [
            pool.submit(world.act, who, action, turn_id=turn) for _ in range(20)
        ]  # fmt: skip
    done = sum(answer.result().status_code == 200 for answer in answers)
    return "one" if done == 1 else f"{done} counted"


# Sockets

attacks(
    "sockets", 4401,
    no_ticket=lambda w: w.socket(None),
    a_made_up_ticket=lambda w: w.socket("A" * 43),
    nul_for_a_ticket=lambda w: w.socket("%00"),
)  # fmt: skip
attacks(
    "sockets", 403,
    from_a_foreign_page=lambda w: w.socket(w.ticket("bert"), origin="https://evil.example"),
    from_an_address_that_looks_alike=lambda w: w.socket(
        w.ticket("bert"), origin=w.house.url.replace("127.0.0.1", "127.0.0.1.evil.example")
    ),
)  # fmt: skip


@attack("sockets", "a ticket is used twice", 4401)
def reused(world: World) -> Outcome:
    ticket = world.ticket("bert")
    assert world.socket(ticket) == "open"
    return world.socket(ticket)


@attack("sockets", "a ticket of another table", 4403, 4401)
def elsewhere(world: World) -> Outcome:
    return world.socket(world.ticket("bert", name="banked"), name="duel")


@attack("sockets", "who only watches acts", 4403)
def watcher(world: World) -> Outcome:
    act = {"type": "act", "action_id": str(uuid4()), "turn_id": 1, "action": {"name": "fold"}}
    return world.socket(world.ticket("bert"), json.dumps(act))


attacks(
    "sockets", 1009, 4429, 4403, "malformed_message", "cut",
    a_message_of_a_megabyte=lambda w: w.socket(w.ticket("bert"), '"' + "x" * 2**20 + '"'),
    brackets_ten_thousand_deep=lambda w: w.socket(w.ticket("bert"), "[" * 10_000 + "]" * 10_000),
    bytes_in_place_of_text=lambda w: w.socket(w.ticket("bert"), b"\xff\x00"),
    a_message_of_no_kind=lambda w: w.socket(w.ticket("bert"), '{"type": "__init__"}'),
    a_message_of_the_house_itself=lambda w: w.socket(
        w.ticket("bert"), '{"type": "table.takeover", "player": 1, "by": "x"}'
    ),
    a_thousand_messages_in_a_row=lambda w: w.socket(w.ticket("bert"), *['{"type": "x"}'] * 1000),
)  # fmt: skip

# Cards


@attack("cards", "a stranger reads all frames of the table from the first on", "hidden")
def frames(world: World) -> Outcome:
    own = cards_of(world, "anna")
    seen = world.ask("bert", "GET", f"tables/{world.facts['duel']}/events?from_seq=0").text
    seen += world.ask("bert", "GET", f"tables/{world.facts['duel']}").text
    return "hidden" if '"private":{' not in seen and not shown(own, seen) else "seen"


@attack("cards", "the other player at the table reads his snapshot and frames", "hidden")
def opponent(world: World) -> Outcome:
    own = cards_of(world, "anna")
    seen = world.ask("carl", "GET", f"tables/{world.facts['duel']}").text
    seen += world.ask("carl", "GET", f"tables/{world.facts['duel']}/events?from_seq=0").text
    return "seen" if shown(own, seen) else "hidden"


@attack("cards", "surveillance reads the pages of a hand in play", "hidden")
def surveillance(world: World) -> Outcome:
    hand = world.table("anna")["hand"]["id"]
    pages = [f"/admin/hands/{hand}/", f"/admin/tables/hand/{hand}/change/", "/admin/pit/"]
    seen = "".join(world.page("surveillance", page).text for page in pages)
    return "seen" if shown(cards_of(world, "anna"), seen) else "hidden"


@attack("cards", "the rows of the database are read as the house's own role", "hidden")
def rows(world: World) -> Outcome:
    import psycopg

    own = cards_of(world, "anna")
    with psycopg.connect(world.app_url) as database:
        seen = "".join(
            str(row)
            for table in ("tables_handsecret", "tables_event", "tables_hand")
            for row in database.execute(f"SELECT to_jsonb(t) - 'final_view' FROM {table} t")
        )
    return "seen" if f'"{own[0]}{own[1]}"' in seen or f"{own[0]}', '{own[1]}" in seen else "hidden"


attacks(
    "cards", *CLOSED_TO,
    secrets_of_decks_in_the_console=lambda w: w.page("surveillance", "/admin/tables/handsecret/"),
    a_display_of_nobodys=lambda w: w.plain.get(f"/display/{w.facts['duel']}"),
    a_ticket_for_a_display_of_nobodys=lambda w: w.plain.post(
        f"/display/{w.facts['duel']}/ticket", headers={"Cookie": "device=A"}
    ),
)  # fmt: skip


def cards_of(world: World, who: str) -> list[str]:
    """His own cards, as he alone is told them."""
    table = world.table(who)
    seat = table["you"]["seat"]

    def rows(found: object) -> Iterator[list[str]]:
        if isinstance(found, dict):
            if found.get("seat") == seat and found.get("cards"):
                yield found["cards"]
            for part in found.values():
                yield from rows(part)
        elif isinstance(found, list):
            for part in found:
                yield from rows(part)

    return next(rows(table))


def shown(cards: list[str], text: str) -> bool:
    """Both cards beside each other, as any list of a hand would write them."""
    first, second = cards[:2]
    orders = ((first, second), (second, first))
    return any(f'"{one}","{other}"' in text.replace(" ", "") for one, other in orders)


# Money

SEATS = "tables/{}/seats"
attacks(
    "money", 400, 409, 422,
    **{
        f"a_buy_in_of_{name}": lambda w, amount=amount: w.once(
            "bert", SEATS.format(w.facts["duel"]), {"seat": None, "buy_in_minor": amount}
        )
        for name, amount in {
            "less_than_nothing": -5_000, "nothing": 0, "a_half": 5_000.5, "text": "5000",
            "true": True, "more_than_the_database_counts": 2**63, "more_than_he_has": 10**9,
        }.items()
    },
    a_withdrawal_of_more_than_he_has=lambda w: w.once(
        "bert", "wallet/withdrawals", {"amount_minor": 10**9, "currency": w.facts["currency"]}
    ),
    a_withdrawal_below_zero=lambda w: w.once(
        "bert", "wallet/withdrawals", {"amount_minor": -100, "currency": w.facts["currency"]}
    ),
    a_withdrawal_in_a_currency_of_his_own=lambda w: w.once(
        "bert", "wallet/withdrawals", {"amount_minor": 100, "currency": "XBT"}
    ),
    a_withdrawal_without_a_key=lambda w: w.ask(
        "bert", "POST", "wallet/withdrawals",
        {"amount_minor": 100, "currency": w.facts["currency"]},
    ),
    chips_of_a_hand_in_play=lambda w: w.once(
        "anna", f"tables/{w.facts['duel']}/transfer", {"to_table": w.facts["duel"]}
    ),
)  # fmt: skip


@attack("money", "one key for two withdrawals", 422)
def rekeyed(world: World) -> httpx.Response:
    key, currency = str(uuid4()), world.facts["currency"]
    first = {"amount_minor": 100, "currency": currency}
    assert world.once("bert", "wallet/withdrawals", first, key).status_code < 300
    return world.once("bert", "wallet/withdrawals", first | {"amount_minor": 200}, key)


@attack("money", "his last money is withdrawn twenty times at once", "once")
def drained(world: World) -> Outcome:
    before = world.ask("dora", "GET", "wallet").json()
    (purse,) = before["purses"]
    body = {
        "amount_minor": purse["cash"]["amount_minor"],
        "currency": purse["currency"],
    }
    with ThreadPoolExecutor(20) as pool:
        answers = [
            pool.submit(world.once, "dora", "wallet/withdrawals", body) for _ in range(20)
        ]  # fmt: skip
    done = sum(answer.result().status_code < 300 for answer in answers)
    return "once" if done == 1 else f"{done} times"


# The house's own rooms

attacks(
    "console", *CLOSED_TO,
    nobody_opens_the_pit=lambda w: w.page(None, "/admin/pit/"),
    a_player_opens_the_pit=lambda w: w.page("bert", "/admin/pit/"),
    a_dealer_opens_the_cage=lambda w: w.page("dealer", "/admin/cage/"),
    the_floor_opens_the_audit_log=lambda w: w.page("floor", "/admin/audit/"),
    the_cage_opens_the_day_close=lambda w: w.page("cage", "/admin/close/"),
    the_cage_asks_for_cards=lambda w: w.page("cage", f"/admin/hands/{w.settled_hand}/cards/"),
    finance_opens_a_table=lambda w: w.page("finance", "/admin/tables/new/"),
    surveillance_pays_cash=lambda w: w.post_page(
        "surveillance",
        f"/admin/cage/{w.facts['ids']['bert']}/{w.facts['currency']}/deposit/",
        {"amount": "100"},
    ),
    a_dealer_pauses_a_table=lambda w: w.post_page(
        "dealer", f"/admin/pit/{w.facts['duel']}/pause/", {}
    ),
    the_floor_makes_itself_an_administrator=lambda w: w.page(
        "floor", f"/admin/core/user/{w.facts['ids']['bert']}/change/"
    ),
)  # fmt: skip
attacks(
    "console", 403,
    cash_is_paid_from_a_foreign_page=lambda w: w.browser("cage").post(
        f"/admin/cage/{w.facts['ids']['bert']}/{w.facts['currency']}/deposit/",
        data={"amount": "100"},
    ),
    a_table_is_closed_from_a_foreign_page=lambda w: w.browser("floor").post(
        f"/admin/pit/{w.facts['duel']}/close/"
    ),
)  # fmt: skip


@attack("console", "a table is closed by a link", "still open")
def linked(world: World) -> Outcome:
    world.page("floor", f"/admin/pit/{world.facts['duel']}/close/")
    status = world.table("bert")["table"]["status"]
    return "still open" if status == "open" else str(status)


# The door itself

attacks(
    "door", 400,
    another_host=lambda w: w.plain.get("/api/v1/games", headers={"Host": "evil.example"}),
    nul_in_a_filter=lambda w: w.ask("bert", "GET", "hands?game=%00"),
    a_page_of_a_billion=lambda w: w.ask("bert", "GET", "hands?limit=1000000000"),
    a_made_up_cursor=lambda w: w.ask("bert", "GET", "hands?cursor=%F0%9F%82%A1"),
    a_filter_that_is_a_query=lambda w: w.ask("bert", "GET", "hands?table_id=1%20OR%201=1"),
    not_a_number=lambda w: w.ask(
        "bert", "POST", f"tables/{w.facts['duel']}/actions",
        content=b'{"action_id":"x","turn_id":NaN,"action":{"name":"fold"}}',
        headers={"Content-Type": "application/json"},
    ),
    a_body_ten_thousand_deep=lambda w: w.ask(
        "bert", "POST", f"tables/{w.facts['duel']}/actions", content=b"[" * 10_000,
        headers={"Content-Type": "application/json"},
    ),
)  # fmt: skip
attacks(
    "door", 413, 400,
    a_body_of_ten_megabytes=lambda w: w.ask(
        "bert", "POST", "sign-in", content=b'{"username":"' + b"x" * 10_000_000 + b'"}',
        headers={"Content-Type": "application/json"},
    ),
)  # fmt: skip
attacks(
    "door", 415, 400,
    entities_in_xml=lambda w: w.ask(
        "bert", "POST", "sign-in",
        content=b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
        headers={"Content-Type": "application/xml"},
    ),
)  # fmt: skip
attacks(
    "door", 404, 400,
    a_way_out_of_the_static_files=lambda w: w.plain.get("/static/%2e%2e/%2e%2e/house.env"),
    the_repository=lambda w: w.plain.get("/.git/config"),
    the_keys=lambda w: w.plain.get("/house.env"),
)  # fmt: skip
attacks(
    "door", 405, 401, 403, 400, 501,
    a_method_that_mirrors=lambda w: w.plain.request("TRACE", "/api/v1/games"),
    a_delete_in_a_get=lambda w: w.ask(
        "bert", "POST", f"hands/{w.settled_hand}", headers={"X-HTTP-Method-Override": "DELETE"}
    ),
)  # fmt: skip


@attack("door", "an error page tells of the house's inside", "nothing told")
def error_page(world: World) -> Outcome:
    seen = "".join(
        world.plain.get(path).text.lower()
        for path in ("/nothing-here", "/api/v1/nothing", "/admin/nothing", "/api/v1/hands/x")
    )
    words = ("traceback", "settings", "secret_key", "django_settings", "urlconf", "psycopg")
    return "told" if any(word in seen for word in words) else "nothing told"


@attack("door", "a page lets itself be framed, or runs what was written into it", "refused")
def headers(world: World) -> Outcome:
    for path in ("/play/", "/admin/login/", "/verify/", f"/odds/{world.facts['banked']}"):
        policy = world.plain.get(path, follow_redirects=True).headers["Content-Security-Policy"]
        if "frame-ancestors 'none'" not in policy or "'unsafe-inline'" in policy.split("style")[0]:
            return f"let in at {path}"
    return "refused"


# The database, by whoever has the house's own credentials

attacks(
    "database", FORBIDDEN,
    **{
        name: lambda w, statement=statement: w.sql(statement)
        for name, statement in {
            "a_balance_is_written": "UPDATE wallets_account SET balance_minor = 10000000",
            "a_leg_is_written": "INSERT INTO wallets_leg SELECT * FROM wallets_leg LIMIT 1",
            "a_transfer_is_deleted": "DELETE FROM wallets_transfer",
            "the_ledger_is_emptied": "TRUNCATE wallets_leg CASCADE",
            "an_event_is_changed": "UPDATE tables_event SET events = '[]'",
            "an_event_is_deleted": "DELETE FROM tables_event",
            "the_log_is_changed": "UPDATE core_logentry SET facts = '{}'",
            "the_log_is_cut": "DELETE FROM core_logentry",
            "a_seal_is_changed": "UPDATE core_logseal SET root = ''",
            "a_table_is_dropped": "DROP TABLE wallets_leg",
            "a_table_is_made": "CREATE TABLE evil (x int)",
            "triggers_are_switched_off": "ALTER TABLE wallets_leg DISABLE TRIGGER ALL",
            "triggers_are_passed_over": "SET session_replication_role = replica",
            "another_role_is_taken": "SET ROLE owner",
            "passwords_are_read": "SELECT * FROM pg_authid",
            "a_program_is_run": "COPY (SELECT 1) TO PROGRAM 'id'",
            "a_file_is_read": "SELECT pg_read_file('/etc/passwd')",
            "a_function_is_replaced":
                "CREATE OR REPLACE FUNCTION tables_pulse(text) RETURNS int LANGUAGE sql"
                " AS 'SELECT 1'",
        }.items()
    },
)  # fmt: skip
