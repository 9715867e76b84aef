"""Attacks by the list of the OWASP API top ten of 2023 that the others leave open."""

from __future__ import annotations

import asyncio

import httpx
from websockets.asyncio.client import connect

from tests.flows.redteam.attacks import attack, attacks
from tests.flows.redteam.world import PASSWORD, Outcome, World

KINDS = ["hand.settled"]


def webhook(world: World, url: str) -> httpx.Response:
    return world.ask("bert", "POST", "webhooks", {"url": url, "kinds": KINDS})


# The house is made to ask where an attacker may not.
attacks(
    "requests of the house", 400,
    **{
        f"a_webhook_to_{name}": lambda w, url=url: webhook(w, url)
        for name, url in {
            "this_machine": "https://127.0.0.1/", "this_machine_by_name": "https://localhost/",
            "this_machine_in_six": "https://[::1]/",
            "this_machine_mapped": "https://[::ffff:127.0.0.1]/",
            "this_machine_as_a_number": "https://2130706433/", "nowhere": "https://0.0.0.0/",
            "the_cloud_s_own_data": "https://169.254.169.254/latest/meta-data/",
            "a_neighbour": "https://10.0.0.1/", "a_neighbour_in_six": "https://[fd00::1]/",
            "a_file": "file:///etc/passwd", "plain_text": "http://example.org/",
            "a_name_and_a_password": "https://a:b@example.org/",
        }.items()
    },
)  # fmt: skip

# Fields that are not his to set.
attacks(
    "fields", 400,
    a_webhook_for_somebody_else=lambda w: w.ask(
        "bert", "POST", "webhooks",
        {"url": "https://example.org/", "kinds": KINDS, "owner": w.facts["ids"]["anna"]},
    ),
    a_token_for_somebody_else=lambda w: w.ask(
        "bert", "POST", "tokens",
        {"name": "x", "scopes": ["read"], "user": w.facts["ids"]["anna"]},
    ),
    a_limit_for_somebody_else=lambda w: w.ask(
        "bert", "PUT", "wallet/limits",
        {"kind": "loss", "currency": w.facts["currency"], "window_days": 1, "most_minor": 1,
         "player_id": w.facts["ids"]["anna"]},
    ),
    a_stack_at_his_own_seat=lambda w: w.ask(
        "bert", "PATCH", f"tables/{w.facts['banked']}/seat", {"stack_minor": 10**6}
    ),
    an_account_of_the_house=lambda w: w.ask(
        None, "POST", "registrations",
        {"username": "evil", "display_name": "Evil", "password": PASSWORD, "is_house": True},
    ),
    an_action_with_a_time_of_its_own=lambda w: w.act(
        w.awaited(), {"name": "fold"}, deadline="2099-01-01T00:00:00Z"
    ),
)  # fmt: skip

# What is the staff's.
attacks(
    "functions", 403, 404,
    a_player_reads_paytables=lambda w: w.ask("bert", "GET", "paytables"),
    a_player_drafts_a_paytable=lambda w: w.ask(
        "bert", "POST", "paytables", {"game": "three_card_poker", "name": "mine", "content": {}}
    ),
    a_player_prices_a_paytable=lambda w: w.ask("bert", "POST", "paytables/1/price", {}),
    a_player_approves_a_paytable=lambda w: w.ask("bert", "POST", "paytables/1/approve", {}),
    a_stranger_to_a_hand_flags_it=lambda w: w.ask(
        "bert", "POST", f"hands/{w.settled_hand}/flag", {}
    ),
    another_s_messages_are_read=lambda w: w.ask("bert", "GET", "webhooks/1/messages"),
    another_s_webhook_is_ended=lambda w: w.ask("bert", "DELETE", "webhooks/1"),
)  # fmt: skip

attacks(
    "functions", 409,
    a_bonus_of_another_is_forfeited=lambda w: w.once("bert", "wallet/bonuses/1/forfeit", {}),
)  # fmt: skip

# More than anybody needs.
attacks(
    "resources", 400, 413,
    a_thousand_kinds_of_message=lambda w: w.ask(
        "bert", "POST", "webhooks", {"url": "https://example.org/", "kinds": ["x"] * 1000}
    ),
    a_statement_of_a_thousand_years=lambda w: w.ask(
        "bert", "GET", "wallet/statement/period?from=1000-01-01&to=2999-01-01"
    ),
    a_page_of_a_statement_without_end=lambda w: w.ask(
        "bert", "GET", "wallet/statement?limit=100000000"
    ),
    an_export_of_everything_at_once=lambda w: w.ask("bert", "GET", "hands/export?limit=10000000"),
    a_name_of_a_megabyte=lambda w: w.ask(
        None, "POST", "registrations",
        {"username": "x" * 2**20, "display_name": "x", "password": PASSWORD},
    ),
    frames_from_before_the_first=lambda w: w.ask(
        "bert", "GET", f"tables/{w.facts['duel']}/events?from_seq=-{10**30}"
    ),
)  # fmt: skip


@attack("sockets", "compression is asked for beside secrets", "plain")
def compressed(world: World) -> Outcome:
    """What is compressed with a secret in it tells its length."""
    url = world.house.url.replace("http", "ws", 1)
    path = f"/ws/v1/tables/{world.facts['duel']}?ticket={world.ticket('bert')}"

    async def agreed() -> list[object]:
        async with connect(url + path, compression="deflate", open_timeout=10) as socket:
            return list(socket.protocol.extensions)

    return "compressed" if asyncio.run(agreed()) else "plain"


@attack("door", "a page takes a script, a picture or a frame from elsewhere", "refused")
def elsewhere(world: World) -> Outcome:
    for path in ("/", "/play/", "/verify/", "/voids/", "/api/docs/"):
        policy = world.plain.get(path, follow_redirects=True).headers["Content-Security-Policy"]
        if "default-src 'none'" not in policy or "unsafe" in policy or "http" in policy:
            return f"let in at {path}"
    return "refused"


@attack("door", "a script reads the session, or a foreign page sends it", "closed")
def cookie(world: World) -> Outcome:
    where = "/admin/login/"
    with httpx.Client(base_url=world.house.url, timeout=20) as client:
        page = client.get(where)
        asked = {"username": "staff_floor", "password": PASSWORD}
        asked["csrfmiddlewaretoken"] = page.cookies["csrftoken"]
        answer = client.post(where, data=asked, headers={"Referer": world.house.url})
    told = page.headers.get_list("set-cookie") + answer.headers.get_list("set-cookie")
    ours = [line for line in told if line.startswith(("sessionid=", "console_browser="))]
    closed = all("HttpOnly" in line and "SameSite=" in line for line in ours)
    return "closed" if len(ours) == 2 and closed else "open"
