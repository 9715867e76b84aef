"""One house for all stories that need one; each has people and a table of its own in it."""

import json
import os
import subprocess
import sys

import pytest

from casino.house.parts import CLOCK, WORKERS, web
from casino.house.supervisor import House
from tests.plugin import ROOT

FOREIGN = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL")


@pytest.fixture(scope="package")
def house(tmp_path_factory):
    kept = {name: os.environ.pop(name) for name in FOREIGN if name in os.environ}
    opened = House(
        tmp_path_factory.mktemp("house"), 0, parts=(*web(), *WORKERS, CLOCK), environment="demo",
        settings={"HOUSE_PLAYERS": "0"}, durable=False, say=lambda line: None,
    )  # fmt: skip
    try:
        opened.start()
        opened.wait_ready()
        yield opened
    finally:
        opened.stop()
        os.environ.update(kept)


def furnished(house, script):
    """Run a script among the house's own code; what it printed last, read as JSON."""
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", script],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env={**house.child_environment("command"), "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
