"""A typed client is made of the document without a warning, and plays a hand over the wire."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.core.cache import cache

from casino.core import bearers
from tables import jobs
from tests.cast import CURRENCY, deal, holdem_table, settle
from tests.plugin import ROOT
from wallets import services as wallets

PASSWORD = "a long one 123"
HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a client made afresh of docs/openapi.json."""
    folder = tmp_path_factory.mktemp("client")
    done = subprocess.run(
        [Path(sys.executable).with_name("openapi-python-client"), "generate",
         "--path", ROOT / "docs" / "openapi.json", "--config", HERE / "settings.yaml",
         "--output-path", folder / "croupier_client", "--meta", "none", "--fail-on-warning"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    (folder / "visit.py").write_text((HERE / "visit.py").read_text(encoding="utf-8"))
    return folder


@pytest.fixture
def visit(made: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(made))
    yield importlib.import_module("visit")
    for name in [
        name for name in sys.modules if name.partition(".")[0] in ("visit", "croupier_client")
    ]:
        del sys.modules[name]


@pytest.fixture
def house(live_server: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An address to ask at; nobody deals or settles by himself there."""
    monkeypatch.setattr(jobs, "send", lambda *task: True)
    bearers.tokens_forget_all()
    cache.clear()
    yield live_server.url
    bearers.tokens_forget_all()


def test_the_client_and_its_use_are_typed_throughout(made: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", "",
         "--cache-dir", ROOT / ".mypy_cache" / "client", "-p", "croupier_client", "-m", "visit"],
        cwd=made, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_client_has_every_operation_of_the_document(made: Path) -> None:
    document = json.loads((ROOT / "docs" / "openapi.json").read_text(encoding="utf-8"))
    asked = {facts["operationId"] for path in document["paths"].values() for facts in path.values()}
    files = {path.stem for path in (made / "croupier_client" / "api").rglob("*.py")}
    assert len(asked) > 60
    assert asked <= files


def test_a_hand_is_played_with_it_from_registration_to_statement(
    house: str, visit: ModuleType
) -> None:
    table = holdem_table()
    guests = []
    for name in ("Ann", "Bob"):
        player = visit.joined(house, name, PASSWORD)
        wallets.deposit(
            player_id=player.id, amount_minor=50_000, currency=CURRENCY, key=f"in:{name}",
            actor_id=None,
        )  # fmt: skip
        guests.append(visit.Guest.entering(house, name, PASSWORD))
    assert [guest.sits(table.pk, 10_000) for guest in guests] == [1, 2]
    hand = deal(table)

    done = visit.played(guests, table.pk)
    assert done[0] == "call"
    assert done.count("check") == 7  # the big blind's, and two on each of three streets
    settle(table, hand)

    nets = [guest.hands()[0].net_minor for guest in guests]
    assert sum(nets) + guests[0].hands()[0].rake_minor == 0
    for guest, net in zip(guests, nets, strict=True):
        guest.leaves(table.pk)
        assert guest.cash_minor() == 50_000 + net
        lines = guest.lines()
        assert {"deposit", "buy_in", "cash_out"} <= {line.kind for line in lines}
        assert lines[0].balance.amount_minor in (0, 50_000 + net)


def test_a_refusal_comes_as_a_problem_with_its_code(house: str, visit: ModuleType) -> None:
    visit.joined(house, "Ann", PASSWORD)
    with pytest.raises(visit.Refused) as wrong:
        visit.Guest.entering(house, "Ann", "not hers at all")
    assert wrong.value.code == "sign_in_refused"
    guest = visit.Guest.entering(house, "Ann", PASSWORD)
    with pytest.raises(visit.Refused) as poor:
        guest.sits(holdem_table().pk, 10_000)
    assert poor.value.code == "insufficient_funds"
    assert guest.goes() == 204
    with pytest.raises(visit.Refused) as gone:
        guest.cash_minor()
    assert gone.value.code == "token_invalid"
