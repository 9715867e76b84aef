"""Handing work on while Valkey is away, as a process of its own finds it."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.conf import settings

from casino.house.places import ROOT

HANDED_ON = """
import json, time
import casino.celery
casino.celery.app.set_current()
from tables import hub, jobs
told = []
for table_id in range(1, 11):
    began = time.monotonic()
    sent = jobs.send("tables.deal_hand", table_id, 1)
    hub.publish(table_id, 1, "{}", [])
    told.append([sent, time.monotonic() - began])
print(json.dumps(told))
"""


@pytest.fixture(params=["refuses", "never answers"])
def away(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a Valkey that is not there, or takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        if request.param == "refuses":
            listening.close()
        yield f"redis://127.0.0.1:{port}/0"


def test_who_hands_work_on_while_the_broker_is_away_is_not_held_up(away: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HANDED_ON],
        cwd=ROOT,
        env={**os.environ, "REDIS_URL": away, "CROUPIER_PART": "clock"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    told = json.loads(done.stdout)
    assert [sent for sent, _ in told] == [False] * 10
    # A clock that were held up for longer would be silent itself, and hold everybody's time.
    assert sum(seconds for _, seconds in told) < settings.SILENCE_MS / 1000
