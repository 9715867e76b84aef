"""Running it: figures behind a token, lines of the log as JSON, files held against what was."""

import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from casino.console import files
from casino.console.models import Scan
from casino.core.logs import JsonLines, belong, belongs, request_id
from casino.core.meters import timed_action
from casino.core.models import LogEntry, Role
from tables.models import Hand, HouseStop, Paytable
from tests.cast import deal, holdem_table, person, settle, three_card_table
from tests.conftest import superuser
from tests.console.cast import console
from tests.tables.dealing_cast import run_out

pytestmark = pytest.mark.django_db(transaction=True)
TOKEN = {"HTTP_AUTHORIZATION": "Bearer a-token-of-the-house"}


@pytest.fixture
def token(settings: Settings) -> None:
    settings.METRICS_TOKEN = "a-token-of-the-house"


def figures(text: str) -> dict[str, float]:
    rows = re.findall(r"^(croupier_\S+) (\S+)$", text, re.M)
    return {name: float(value) for name, value in rows}


def test_figures_are_for_who_brings_the_token(settings: Settings, token: None) -> None:
    assert Client().get("/metrics").status_code == 404
    assert Client().get("/metrics", HTTP_AUTHORIZATION="Bearer x").status_code == 404
    assert Client().get("/metrics", **TOKEN).status_code == 200  # type: ignore[arg-type]
    settings.METRICS_TOKEN = ""
    assert Client().get("/metrics", HTTP_AUTHORIZATION="Bearer ").status_code == 404


def test_a_house_counts_its_hands_actions_tables_and_answers(token: None) -> None:
    client = Client()
    before = figures(client.get("/metrics", **TOKEN).content.decode())  # type: ignore[arg-type]
    table = holdem_table()
    players = [person(name) for name in ("Ann", "Bob")]
    for player in players:
        player.sits(table)
    hand = deal(table)
    settle(table, run_out(table))
    with timed_action():
        pass
    with pytest.raises(ValueError, match="no"), timed_action():
        raise ValueError("no")
    text = client.get("/metrics", **TOKEN).content.decode()  # type: ignore[arg-type]
    after = figures(text)
    assert after["croupier_hands_total"] == before["croupier_hands_total"] + 1
    assert after['croupier_tables{status="open"}'] == 1
    assert after["croupier_hands_open"] == 0
    played = 'croupier_action_seconds_count{outcome="played"}'
    assert after[played] == before.get(played, 0) + 1
    refused = played.replace("played", "refused")
    assert after[refused] == before.get(refused, 0) + 1
    route = 'croupier_request_seconds_count{method="GET",route="metrics",status="200"}'
    assert after[route] == before.get(route, 0) + 1
    assert "croupier_log_unsealed" in after
    for secret in ("Ann", "Bob", table.name, *(card + '"' for card in known_cards(hand))):
        assert secret not in text


def known_cards(hand: Hand) -> list[str]:
    hand.refresh_from_db()
    shown = [*(hand.final_view or {}).get("board", [])]
    return [str(card) for card in shown]


def test_figures_cost_the_same_queries_however_many_tables(token: None) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            Client().get("/metrics", **TOKEN)  # type: ignore[arg-type]
        return len(queries)

    holdem_table("T0")
    few = cost()
    for number in range(1, 4):
        holdem_table(f"T{number}")
    assert cost() == few <= 12


def line_of(message: str, *args: Any, error: Exception | None = None) -> dict[str, Any]:
    info = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord("tables.x", logging.INFO, "f", 1, message, args, info)
    line: dict[str, Any] = json.loads(JsonLines().format(record))
    return line


def test_a_line_says_what_it_belongs_to_and_is_one_line() -> None:
    told = belongs.set({"request": "abc"})
    try:
        belong(table=7, hand=12)
        line = line_of("two\nlines %s", "ą")
    finally:
        belongs.reset(told)
    assert (line["request"], line["table"], line["hand"]) == ("abc", 7, 12)
    assert line["message"] == "two\nlines ą"
    assert "\n" not in JsonLines().format(
        logging.LogRecord("x", logging.INFO, "f", 1, "two\nlines", (), None)
    )
    assert "request" not in line_of("later")


def test_an_error_is_told_without_the_values_of_variables() -> None:
    def broken() -> None:
        hole_cards = ["As", "Kd"]
        raise ValueError(len(hole_cards))

    try:
        broken()
    except ValueError as error:
        line = line_of("went wrong", error=error)
    assert line["error"] == "ValueError"
    assert line["message"] == "went wrong"
    assert "['As', 'Kd']" not in line["trace"]  # the source's own line has other quotes


@pytest.mark.parametrize("asked", ["", "short", "a b c d e f g", "x" * 65, "ok\nno-line-break"])
def test_a_request_brings_its_id_only_if_it_can_stand_in_a_log(asked: str) -> None:
    made = request_id(asked)
    assert made != asked
    assert re.fullmatch(r"[0-9a-f]{32}", made)
    assert request_id("0af7651916cd43dd") == "0af7651916cd43dd"


def test_every_answer_names_its_request() -> None:
    answer = Client().get("/favicon.ico", headers={"X-Request-ID": "0af7651916cd43dd"})
    assert answer.headers["X-Request-ID"] == "0af7651916cd43dd"


@pytest.fixture
def tree(tmp_path: Path, settings: Settings) -> Path:
    """A small house of files, in place of the whole one."""
    settings.BASE_DIR = tmp_path
    for name in ("casino/a.py", "tables/b.sql", "wallets/c.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text("one\n")
    return tmp_path


def test_one_byte_of_one_file_is_found_and_told_once(tree: Path) -> None:
    assert files.check().differing == []
    (tree / "casino/a.py").write_text("onE\n")
    (tree / "wallets/c.txt").write_text("not looked at\n")
    assert files.check().differing == ["casino/a.py"]
    files.check()
    entry = LogEntry.objects.get(kind="files.altered")
    assert entry.facts["names"] == ["casino/a.py"]
    assert not HouseStop.objects.exists()
    (tree / "casino/new.py").write_text("x")
    (tree / "tables/b.sql").unlink()
    assert files.check().differing == ["casino/a.py", "casino/new.py", "tables/b.sql"]
    assert LogEntry.objects.filter(kind="files.altered").count() == 2


def test_a_setting_and_a_paytable_changed_by_hand_are_found(tree: Path, settings: Settings) -> None:
    table = three_card_table()
    files.check()
    settings.GRACE_MS = 251
    with superuser() as admin:
        admin.execute("SET session_replication_role = replica")
        admin.execute(
            "UPDATE tables_paytable SET content = jsonb_set(content,"
            " '{paytables,pair_plus,pair}', '2') WHERE id = %s",
            [table.paytable_id],
        )
    version = Paytable.objects.get(pk=table.paytable_id)
    assert files.check().differing == ["setting GRACE_MS", f"paytable {version}"]


def test_a_production_house_deals_no_further_hand_until_somebody_has_looked(
    tree: Path, settings: Settings
) -> None:
    files.check()
    settings.PRODUCTION = True
    (tree / "tables/b.sql").write_text("two")
    files.check()
    assert HouseStop.objects.get().lifted_at is None
    client = console(Role.ADMIN, "Ada")
    page = client.get("/admin/files/").content.decode()
    assert "tables/b.sql" in page
    settings.PRODUCTION = False
    assert client.post("/admin/files/accept/").status_code == 302
    assert files.check().differing == []
    assert LogEntry.objects.get(kind="files.accepted").actor_id is not None


def test_it_is_looked_at_once_a_day(tree: Path) -> None:
    assert files.check_due() is True
    assert files.check_due() is False
    Scan.objects.update(at="2020-01-01T00:00:00Z")
    assert files.check_due() is True
