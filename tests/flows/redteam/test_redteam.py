"""Every attack meets its refusal, and afterwards nobody has a cent more or less."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from casino.house.supervisor import House
from tests.flows.redteam import further  # noqa: F401 - adds to the attacks
from tests.flows.redteam.attacks import ATTACKS, Attack
from tests.flows.redteam.world import World
from tests.plugin import ROOT

pytestmark = pytest.mark.house
REPORT = os.environ.get("REDTEAM_REPORT")
met: dict[str, dict[str, str]] = {}


@pytest.fixture(scope="module")
def world(house: House) -> Iterator[World]:
    made = World(house)
    yield made
    if REPORT:
        told = {"attacks": sum(map(len, met.values())), "met": met}
        Path(REPORT).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


@pytest.mark.parametrize("tried", ATTACKS, ids=lambda tried: f"{tried.group}: {tried.words}")
def test_an_attack_is_refused_and_takes_nothing(world: World, tried: Attack) -> None:
    anna = world.total_minor("anna"), world.total_minor("carl")
    answer = tried.deed(world)
    got = answer.status_code if isinstance(answer, httpx.Response) else answer
    words = answer.text[:300] if isinstance(answer, httpx.Response) else ""
    assert got in tried.refused, f"{got}: {words}"
    assert (world.total_minor("anna"), world.total_minor("carl")) == anna
    met.setdefault(tried.group, {})[tried.words] = str(got)


def test_there_are_many_and_each_is_its_own() -> None:
    assert len(ATTACKS) >= 60
    assert len({(tried.group, tried.words) for tried in ATTACKS}) == len(ATTACKS)


def test_afterwards_the_books_are_true(world: World) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "verify_ledger"], cwd=ROOT, capture_output=True, text=True,
        env={**world.house.child_environment("command"), "PYTHONPATH": str(ROOT)}, check=False,
    )  # fmt: skip
    assert json.loads(done.stdout)["ok"], done.stderr
