"""Every page of the console against every role: what is not named here is closed."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.console import urls
from casino.console.composing import composition_save, trial_ask
from casino.core.approvals import approval_ask
from casino.core.hooks import Webhook
from casino.core.models import Role
from tables.models import Table
from tables.services import dealers, displays, tipping
from tables.services.opening import template_save
from tests.cast import deal, holdem_table, person, settle, three_card_table
from tests.console.cast import console, staff
from tests.tables.dealing_cast import run_out
from wallets import services

pytestmark = pytest.mark.django_db(transaction=True)

D, F, P, C, N, S, K, M, A = (
    Role.DEALER, Role.FLOOR, Role.PIT_MANAGER, Role.CAGE, Role.FINANCE, Role.SURVEILLANCE,
    Role.COMPLIANCE, Role.GAME_MATHS, Role.ADMIN,
)  # fmt: skip
PIT = {F, P, N, S, K, M, A}
RUN = {F, P, A}
PEOPLE = {F, P, C, N, S, K, A}
PAYTABLES = {F, P, S, K, M, A}
STAFF = {F, P, C, N, S, K, M, A}

# Address, its arguments by name of what stands in the house, who gets in.
READ: dict[str, tuple[tuple[str, ...], set[Role]]] = {
    "records": ((), {D, *STAFF}),
    "account": ((), {D, *STAFF}),
    "step-up": ((), {D, *STAFF}),
    "second-factor-begin": ((), {D, *STAFF}),
    "recovery-codes": ((), {D, *STAFF}),
    "second-factor-off": (("player",), {A}),
    "pit": ((), PIT),
    "pit-tiles": ((), PIT),
    "pit-deed": (("table", "=pause"), RUN),
    "pit-void": (("table",), RUN),
    "alerts": ((), STAFF),
    "audit": ((), {S, K, A}),
    "files": ((), {S, K, M, A}),
    "files-accept": ((), {A}),
    "jobs": ((), STAFF),
    "pictures": ((), {P, N, S, K, M, A}),
    "jackpots": ((), {F, P, N, S, K, A}),
    "jackpot-new": ((), {N, A}),
    "watching": ((), {S, K}),
    "hand-stacks": (("settled",), PIT),
    "receiver-new": ((), {A}),
    "webhooks": ((), {A}),
    "webhook-new": ((), {A}),
    "webhook": (("webhook",), {A}),
    "webhook-secret": (("webhook",), {A}),
    "devices": ((), {F, P, S, K, A}),
    "device-new": ((), {F, P, A}),
    "device": (("device",), {F, P, A}),
    "device-code": (("device",), {F, P, A}),
    "device-revoke": (("device",), {F, P, A}),
    "dealer-pin": (("dealer",), {P, A}),
    "call-answer": (("call",), {F, P, A}),
    "shift-end": (("table",), {F, P, A}),
    "approvals": ((), STAFF),
    "approval": (("approval",), STAFF),
    "books": ((), {C, N, S, K, A}),
    "cage": ((), {C, A}),
    "cash": (("player", "=EUR", "=deposit"), {C, A}),
    "cash-asked": (("asked", "=pay"), {C, A}),
    "tips": ((), {P, C, N, S, K, A}),
    "tips-box": ((), {C, A}),
    "tips-pay": (("=EUR",), {C, A}),
    "players": ((), PEOPLE),
    "player": (("player",), PEOPLE),
    "player-exclude": (("player",), {F, P, C, K, A}),
    "player-lift": (("player",), {K, A}),
    "player-adjust": (("player", "=EUR"), {C, N, K, A}),
    "player-note": (("player",), {F, P, C, S, K, A}),
    "hands": ((), PIT),
    "hand": (("hand",), PIT),
    "hand-cards": (("settled",), {S, K}),
    "hand-undo": (("settled",), {F, P, A}),
    "reports": ((), {P, N, S, K, M, A}),
    "close": ((), {N, S, K, A}),
    "close-seal": (("=2026-01-01",), {N, A}),
    "tables": ((), PIT),
    "table-new": ((), {P, A}),
    "table": (("table",), PIT),
    "table-clone": (("table",), {P, A}),
    "table-feeds": (("table",), RUN),
    "table-template": (("table",), {P, A}),
    "table-schedule": (("table",), {P, A}),
    "template-open": (("template",), {P, A}),
    "games": ((), PAYTABLES),
    "game-new": ((), PAYTABLES),
    "game": (("game",), PAYTABLES),
    "job": (("job",), STAFF),
    "paytables": ((), PAYTABLES),
    "paytable": (("paytable",), PAYTABLES),
}
# Addresses that only take a form; a role that may not is refused before anything is read.
WRITE: dict[str, tuple[tuple[str, ...], set[Role]]] = {
    "acknowledge": ((), RUN),
    "jackpot-terms": (("=1",), {N, A}),
    "jackpot-confirm": (("=1",), {P, N, A}),
    "jackpot-refuse": (("=1",), {P, N, A}),
    "watching-day": (("=2026-01-01",), {S, K}),
    "watching-hand": (("hand",), {S, K}),
    "files-check": ((), {S, K, M, A}),
    "receiver-switch": (("=1",), {A}),
    "delivery-again": (("=1",), {A}),
    "webhook-switch": (("webhook",), {A}),
    "webhook-again": (("webhook", "=1"), {A}),
    "approval-decide": (("approval", "=agree"), {P, A}),
    "close-count": ((), {N, A}),
    "paytable-figures": (("paytable",), PAYTABLES),
    "paytable-draft": (("paytable",), {M, P, A}),
    "table-preview": ((), PIT),
    "game-preview": ((), PAYTABLES),
    "game-trial": (("game",), {M, P, A}),
}


@pytest.fixture
def house() -> dict[str, Any]:
    table = holdem_table()
    players = [person(name) for name in ("Ann", "Bob")]
    for player in players:
        player.sits(table)
    settled = deal(table)
    settle(table, run_out(table))
    hand = deal(table)
    paytable = three_card_table().paytable
    assert paytable is not None
    maths = staff(Role.GAME_MATHS, "Mat")
    game = composition_save(name="Own", base="holdem", changes={"wild": "2"}, by=maths)
    asked = approval_ask(
        kind="hand.void", subject=f"hand:{hand.pk}", payload={"hand": hand.pk},
        reason="misdeal", by=staff(Role.FLOOR, "Fiona"),
    )  # fmt: skip
    dora = staff(Role.DEALER, "Dora")
    tipping.box_counted(
        table_id=table.pk, dealer_id=dora.pk, amount_minor=500, key="box",
        by=staff(Role.CAGE, "Clara"),
    )  # fmt: skip
    device, _ = displays.enrol(
        name="Desk", profile="console", table_id=table.pk, by=staff(Role.FLOOR, "Fay")
    )
    return {
        "table": table.pk, "hand": hand.pk, "approval": asked.pk, "player": players[0].user.pk,
        "settled": settled.pk, "paytable": paytable.pk,
        "asked": services.withdrawal_request(
            player_id=players[0].user.pk, amount_minor=100, currency="EUR", key="asked",
            actor_id=players[0].user.pk,
        ).transfer_id,
        "template": template_save(name="Usual", table_id=table.pk).pk, "game": game.pk,
        "job": trial_ask(composition=game, by=maths).pk,
        "device": device.pk, "dealer": dora.pk,
        "call": dealers.floor_call(device=device, why="help").pk,
        "webhook": Webhook.objects.create(
            owner=staff(Role.ADMIN, "Ada"), url="https://one.example/", kinds=["hand.settled"],
            is_house=True, secret=b"",
        ).pk,
    }  # fmt: skip


def address(name: str, args: tuple[str, ...], house: dict[str, Any]) -> str:
    values = [arg[1:] if arg.startswith("=") else house[arg] for arg in args]
    return reverse(f"console:{name}", args=values)


def test_every_address_is_in_the_matrix_and_names_its_page() -> None:
    named = {pattern.name for pattern in urls.urlpatterns}
    assert named == READ.keys() | WRITE.keys() | {"first", "second-factor", "job-file"}
    for pattern in urls.urlpatterns:
        assert pattern.callback.console_page


@pytest.mark.parametrize("role", [role for role in Role if role != Role.PLAYER])
def test_pages_open_to_their_roles_alone(role: Role, house: dict[str, Any]) -> None:
    client = console(role)
    for name, (args, roles) in READ.items():
        answer = client.get(address(name, args, house))
        assert answer.status_code == (200 if role in roles else 403), (name, role)
        if answer.status_code == 200:
            assert answer.headers["Cache-Control"].startswith("max-age=0")
    for name, (args, roles) in WRITE.items():
        if role not in roles:
            assert client.post(address(name, args, house)).status_code == 403, (name, role)
    assert Table.objects.get(pk=house["table"]).status == "open"


def test_strangers_and_players_are_sent_to_the_door(house: dict[str, Any]) -> None:
    player = Client()
    player.force_login(person("Cid").user)
    for client in (Client(), player):
        for name, (args, _) in {**READ, **WRITE}.items():
            where = address(name, args, house)
            for answer in (client.get(where), client.post(where)):
                assert (answer.status_code, answer.url[:13]) == (302, "/admin/login/")


def test_a_page_of_another_role_says_so_in_the_consoles_layout(house: dict[str, Any]) -> None:
    client = console(Role.DEALER)
    for where in ("/admin/pit/", f"/admin/core/user/{house['player']}/change/"):
        answer = client.get(where)
        assert answer.status_code == 403
        assert "text/html" in answer.headers["Content-Type"]
        assert "Your role, dealer, does not open this page." in answer.content.decode()


@pytest.mark.parametrize(
    ("role", "first"),
    [(F, "/admin/pit/"), (P, "/admin/pit/"), (C, "/admin/cage/"), (D, "/admin/records/")],
)
def test_the_day_begins_where_the_work_is(role: Role, first: str) -> None:
    assert console(role).get("/admin/").url == first


def test_the_icon_browsers_ask_for_is_there() -> None:
    assert Client().get("/favicon.ico").headers["Location"].endswith("icon.svg")
