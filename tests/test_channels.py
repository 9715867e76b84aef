"""RNG-11: every way out of the house, and that no card which nobody was shown leaves by it.

What is listed here is all there is: a new address, command, message of the socket or outbox without
a place in these lists fails. Addresses are opened, commands run and messages made beside a hand in
play; what can only be searched in a running house is named with the test that does it.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.core import mail
from django.core.management import call_command, get_commands
from django.core.management.base import CommandError
from django.db import connection, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from pytest_django import Settings
from rest_framework.test import APIClient
from rest_framework.views import APIView

import casino.console.tasks  # noqa: F401  what a job of each kind does
from casino.console import reporting, sending, watching, working
from casino.console.models import RaisedAlert, Receiver
from casino.core import devices, outbox, webhooks
from casino.core.models import Role, User, Webhook, WebhookMessage
from casino.house import archives, backups, doctor
from tables import beliefs, consumers, selectors
from tables.engine.cards import CARD_TEXT
from tables.errors import EntropyFailed
from tables.models import Cut, Deck, Hand, Table
from tables.services import decks, settling
from tests.console.cast import console, console_of, staff
from tests.tables.cut_cast import Giver, dealt_with_seeds, first_roots, went_on
from tests.tables.dealing_cast import move, player, seated, table

pytestmark = pytest.mark.django_db(transaction=True)

# A card as any page or file writes it: as data, or with its suit drawn.
CARD = re.compile(r"""["'](10|[2-9TJQKA])([cdhs])["']|\b(10|[2-9TJQKA])([♠♥♦♣])""")
DRAWN = dict(zip("♠♥♦♣", "shdc", strict=True))

# By the name of an address's parameter: which row. Those of NO_ROW have none here; what answers
# without its row is searched all the same.
NO_ROW = {
    "approval_id", "delivery_id", "receiver_id", "jackpot_id", "hit_id", "template_id", "pk",
    "dealer_id", "call_id", "paytable_id", "token_id", "grant_id", "webhook_id", "message_id",
    "transfer_id",
}  # fmt: skip
WORDS = {"currency": "EUR", "way": "deposit", "word": "approve", "name": "pause"}
# Opened by other means, or by nobody: with the reason.
LEFT_OUT = {
    r"admin/^(?P<app_label>core|wallets|tables)/$": "the index, opened as admin/ is",
    r"admin/(?P<url>.*)$": "whatever else: not found",
    "admin/r/<path:content_type_id>/<path:object_id>/": "sends on to a row's own page",
    "api/openapi.json": "the same however a house stands; its examples hold cards",
}
RECORDS = re.compile(r"admin/(core|wallets|tables|console)/[a-z]+/")
"""Lists, rows and histories of every record: tests/console/test_hidden_from_staff.py opens them."""

COMMANDS: dict[str, str] = {
    "doctor": "run", "export_log": "run", "verify_log": "run", "rewrap_secrets": "run",
    "verify_ledger": "run", "seal_log": "run", "reconcile": "run",
    "backup": "its manifest is searched; its dump in tests/house_players/test_house.py",
    "restore": "reads a backup into another database, tells counts",
    "archive_export": "test_an_archive_of_a_folded_hand_shows_no_card_and_no_salt",
    "archive_import": "reads files, tells counts",
    "clock": "runs until it is stopped; writes to the log, searched in test_house.py",
    "house": "the trial of test_house.py", "soak": "a trial of its own house",
    "chaos": "a trial of its own house", "rolling": "a trial of its own house",
    "house_players": "plays by the players' door alone", "run": "starts the house",
    "hold": "starts the servers alone", "seed_demo": "writes tables and players before any hand",
    "operator_player": "answers one account's money", "wallet_contract": "money alone",
    "cage": "money alone", "exchange": "money alone", "payments_compare": "money alone",
    "void_hand": "answers ids and codes of approvals", "stop_house": "answers counts of tables",
    "games": "the catalogue", "price": "prices of paytables", "play_cases": "cases of a file",
    "simulate": "hands of its own", "shuffle_stats": "decks of its own",
    "import_phh": "reads a file", "makewords": "words of the pages",
}  # fmt: skip
SOCKET = {
    "subscribe": "tests/tables/test_hidden_cards.py::"
                 "test_everyone_gets_his_own_cards_and_nobody_elses",
    "act": "tests/tables/test_consumers.py::"
           "test_a_deal_reaches_each_player_with_his_own_cards_alone",
    "commit_seed": "tests/tables/test_hidden_cards.py::test_no_salt_or_seed_leaves_before_its_time",
    "open_seed": "tests/tables/test_hidden_cards.py::test_no_salt_or_seed_leaves_before_its_time",
    "ping": "tests/tables/test_hidden_cards.py::test_the_public_sees_no_card_before_the_board",
}  # fmt: skip
HOUSE_TRIAL = "tests/house_players/test_house.py"
ELSEWHERE = {
    "what goes through Valkey: pushes, tasks, keys":
        f"{HOUSE_TRIAL}::test_valkey_never_hears_of_a_hidden_card",
    "the database, in a dump":
        f"{HOUSE_TRIAL}::test_a_dump_reads_no_salt_no_order_and_no_hidden_card",
    "every log, PostgreSQL's too, and the counts of /metrics":
        f"{HOUSE_TRIAL}::test_no_log_names_a_card_or_a_secret",
    "pages of a fault": "tests/console/test_hidden_from_staff.py::"
        "test_a_fault_of_the_house_shows_nothing_of_the_hand_it_was_reading",
    "what all that is published lets a player guess":
        "tests/proof/hiding.py::played",
}  # fmt: skip
OUTBOXES = {"WebhookMessage", "Delivery"}
REPORTS = {"tables_report", "hands_report"}


@pytest.fixture
def at() -> Table:
    """A hand before the flop, cut by its players: no card is open; a program of hers listens."""
    made = table(reveal_ms=30_000, positions={"button": 1})
    givers = [Giver(player(name)) for name in ("alice", "bob", "carol")]
    seated(made, *(giver.user for giver in givers))
    alice = givers[0].user
    webhooks.Webhook.objects.create(
        owner=alice, url="https://hooks.example.org/", kinds=list(Webhook.Kind.values),
        secret=webhooks.lock(b"whsec_AAAA", "webhook"),
    )  # fmt: skip
    first_roots(made)
    dealt_with_seeds(made, givers)
    assert went_on(made)
    return made


def user(name: str) -> User:
    return User.objects.get(username=name)


def cards_in(text: str) -> set[str]:
    found = set()
    for quoted, suit, rank, drawn in CARD.findall(text):
        found.add((quoted or rank).replace("10", "T") + (suit or DRAWN[drawn]))
    return found


def own_cards(at: Table, who: User) -> set[str]:
    """What this player holds, as his frames have told him."""
    told = [event for text in selectors.frames_since(at.pk, 0, who.pk) or ()
            for event in orjson.loads(text)["events"]]  # fmt: skip
    return {card for event in told for card in event.get("private", {}).get("cards", ())}


class Search:
    """Everything that must not be read, of the decks that lie closed at this moment."""

    def __init__(self, at: Table, own: User | None = None) -> None:
        self.own = set() if own is None else own_cards(at, own)
        self.secrets: list[str] = []
        for deck in Deck.objects.exclude(status=Deck.Status.OPENED):
            secret = beliefs.secret_of(deck.pk)
            texts = [CARD_TEXT[card] for card in secret.order[:8]]
            mine = {slot for slot, card in enumerate(secret.order) if CARD_TEXT[card] in self.own}
            self.secrets += [salt.hex() for slot, salt in enumerate(secret.salts)
                             if slot % 4 == 0 and slot not in mine]  # fmt: skip
            for order in (secret.order[:8], texts):
                self.secrets += [json.dumps(order)[1:-1], ",".join(map(str, order)),
                                 " ".join(map(str, order))]  # fmt: skip

    def of(self, text: str) -> list[str]:
        shown = sorted(cards_in(text) - self.own)
        return [*(secret for secret in self.secrets if secret in text), *shown]


def routes(
    patterns: list[URLPattern | URLResolver] | None = None, before: str = ""
) -> Iterator[tuple[str, Any]]:
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        elif not RECORDS.match(route) and route not in LEFT_OUT:
            yield route, pattern.callback


def path_of(route: str, rows: dict[str, Any]) -> str:
    """An address with its parameters filled in. Fails for a parameter without a row."""
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda named: str(rows[named[1]]), route)


def rows_of(at: Table, admin: User) -> dict[str, Any]:
    today = timezone.now().date().isoformat()
    job = working.job_ask(
        kind=reporting.HANDS, by=admin,
        asked={"begins": today, "ends": today, "by": "table", "demo": True,
               "as": "csv"},
    )  # fmt: skip
    working.job_run(job.pk)
    device, _ = devices.device_enrol(name="Screen", table_id=at.pk, by=admin)
    return {
        **dict.fromkeys(NO_ROW, 1), **WORDS, "day": today, "table_id": at.pk,
        "hand_id": at.hands.get().pk,
        "player_id": user("alice").pk, "user_id": admin.pk, "id": admin.pk, "job_id": job.pk,
        "device_id": device.pk,
    }  # fmt: skip


def text_of(answer: Any) -> str:
    content = b"".join(answer) if answer.streaming else answer.content
    if content[:2] == b"PK":  # a workbook
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            content = b"\n".join(book.read(name) for name in book.namelist())
    return str(content.decode("utf-8", "replace"))


def test_no_address_shows_a_card_of_a_hand_in_play(at: Table, settings: Settings) -> None:
    """Every address that can be read, for an administrator, a player, a screen and a stranger."""
    settings.METRICS_TOKEN = "a-token"
    admin = staff(Role.ADMIN)
    rows = rows_of(at, admin)
    office, alice, screen, stranger = console_of(admin), APIClient(), Client(), Client()
    alice.force_login(user("alice"))
    _, key = devices.device_enrol(name="Another", table_id=at.pk, by=admin)
    screen.get(f"/display/{at.pk}", {"key": key})
    viewers = [(alice, Search(at, user("alice"))), (screen, Search(at)), (stranger, Search(at))]
    console_search, wrong, answered = Search(at), {}, 0
    for route, _ in routes():
        of_console = route.startswith("admin/")
        clients = [(office, console_search)]
        for client, search in clients if of_console else [*clients, *viewers]:
            answer = client.get(path_of(route, rows), headers={"Authorization": "Bearer a-token"}
                                if route == "metrics" else {})  # fmt: skip
            answered += answer.status_code == 200
            if shown := search.of(text_of(answer)):
                wrong[route] = shown
    assert wrong == {}
    assert answered > 150
    measures = stranger.get("/metrics", headers={"Authorization": "Bearer a-token"})
    assert b"croupier_" in measures.content  # it was answered, not refused, when it was searched
    assert office.get("/admin/pit/").status_code == 200  # he was let in to the end


def test_no_refusal_shows_a_card_of_a_hand_in_play(at: Table) -> None:
    """What writes is asked with nothing to write, by a player who is dealt in."""
    rows = rows_of(at, staff(Role.ADMIN))
    alice, search, wrong, asked = APIClient(), Search(at, user("alice")), {}, 0
    alice.force_login(user("alice"))
    for route, callback in routes():
        view = getattr(callback, "view_class", None) or getattr(callback, "cls", None)
        if not (view and issubclass(view, APIView)):
            continue
        for method in ("post", "put", "patch", "delete"):
            if not hasattr(view, method):
                continue
            with transaction.atomic():
                answer = alice.generic(
                    method.upper(), path_of(route, rows), "{}", "application/json",
                    headers={"Idempotency-Key": f"{method}:{route}"},
                )  # fmt: skip
                transaction.set_rollback(True)
            asked += 1
            if shown := search.of(text_of(answer)):
                wrong[f"{method} {route}"] = shown
    assert wrong == {}
    assert asked > 40


def test_no_command_tells_a_card_of_a_hand_in_play(at: Table, tmp_path: Path) -> None:
    search = Search(at)
    options: dict[str, list[str]] = {
        "doctor": ["--json"], "export_log": [str(tmp_path / "log")],
    }  # fmt: skip
    for name, how in COMMANDS.items():
        if how != "run":
            continue
        told = io.StringIO()
        try:
            call_command(name, *options.get(name, []), stdout=told, stderr=told)
        except (CommandError, SystemExit) as error:
            told.write(str(error))
        assert search.of(told.getvalue()) == [], name
    assert (tmp_path / "log").stat().st_size > 0
    assert search.of((tmp_path / "log").read_text()) == []


def test_no_alert_mail_or_webhook_and_no_manifest_tells_a_card(
    at: Table, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    search = Search(at)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    Receiver.objects.create(
        kind=Receiver.Kind.MAIL, address="pit@example.org", made_by=staff(Role.ADMIN)
    )
    decks.alarm(at.pk, EntropyFailed("it came short"))
    assert watching.watch()
    assert sending.deliveries_due() > 0
    told = [json.dumps(sending.message_of(alert)) for alert in RaisedAlert.objects.all()]
    told += [f"{one.subject}\n{one.body}" for one in mail.outbox]
    told += [str(finding) for finding in doctor.examine()]
    assert mail.outbox
    for _ in range(2):
        move(at, name="fold")
    settling.hand_settle(table_id=at.pk, hand_id=at.hands.get().pk)
    messages = list(WebhookMessage.objects.values_list("body", flat=True))
    assert messages
    with connection.cursor() as cursor:
        told.append(json.dumps(backups._facts(cursor.connection)))
    assert search.of("\n".join([*told, *map(str, messages), caplog.text])) == []


def test_an_archive_of_a_folded_hand_shows_no_card_and_no_salt(at: Table, tmp_path: Path) -> None:
    for _ in range(2):
        move(at, name="fold")
    settling.hand_settle(table_id=at.pk, hand_id=at.hands.get().pk)
    search = Search(at)
    assert archives.export(tmp_path / "archive").hands == 1
    (file,) = (tmp_path / "archive").glob("hands-*")
    text = gzip.decompress(file.read_bytes()).decode()
    assert all(part in text for part in ("secrets", "private", "cards_dealt"))
    assert search.of(text + (tmp_path / "archive" / archives.MANIFEST).read_text()) == []


def test_no_history_of_a_hand_that_was_folded_shows_what_was_mucked(at: Table) -> None:
    """In every written form, for who lost it: his own cards and no other's, for ever."""
    hand = Hand.objects.get()
    for _ in range(2):
        move(at, name="fold")
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    bob, search, read = APIClient(), Search(at, user("bob")), 0
    bob.force_login(user("bob"))
    forms = ("", "?format=phh", "?format=ohh", "?format=text")
    addresses = [f"hands/{hand.pk}{form}" for form in forms]
    addresses += [f"hands/export{form}" for form in forms[1:]]
    addresses += ["hands", "me/data", f"hands/{hand.pk}/proof", f"tables/{at.pk}",
                  f"tables/{at.pk}/events?from_seq=0", f"tables/{at.pk}/cuts"]  # fmt: skip
    for address in addresses:
        answer = bob.get(f"/api/v1/{address}")
        read += answer.status_code == 200
        assert search.of(text_of(answer)) == [], address
    assert read >= len(addresses) - 1


def test_the_same_search_finds_what_is_open(at: Table) -> None:
    """It can find: a salt of an opened deck, a card in each way of writing, a card of one's own."""
    cut = Cut.objects.get(hand_id=Hand.objects.get().pk)
    opened = beliefs.secret_of(cut.decks.filter(status=Deck.Status.OPENED)[0].pk)
    search = Search(at)
    search.secrets.append(opened.salts[0].hex())
    proof = console(Role.ADMIN).get(f"/api/v1/hands/{cut.hand_id}/proof").content.decode()
    assert search.of(proof) == [opened.salts[0].hex()]
    assert search.of('{"cards":["As"]} <b>10♥</b>') == ["As", "Th"]
    mine = own_cards(at, user("alice"))
    assert len(mine) == 2
    assert Search(at, user("alice")).of(json.dumps(sorted(mine))) == []


def test_every_command_outbox_and_message_has_its_place() -> None:
    own = {name for name, app in get_commands().items()
           if app.partition(".")[0] in ("casino", "tables", "wallets")}  # fmt: skip
    assert own == set(COMMANDS)
    assert set(consumers.HANDLERS) == set(SOCKET)
    assert {one.__name__ for one in outbox.Outgoing.__subclasses__()} == OUTBOXES
    assert {name for name in vars(reporting) if name.endswith("_report")} == REPORTS
    for where in [*SOCKET.values(), *ELSEWHERE.values()]:
        file, _, name = where.partition("::")
        assert f"def {name}(" in (Path(__file__).parent.parent / file).read_text(), where
