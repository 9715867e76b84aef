"""The doors a player finds his own protection behind."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.wallets.conftest import Seated, Table, seated
from tests.wallets.test_api import client, eur
from tests.wallets.test_play_limits import settle, stake
from wallets.models import PlayerLimits

LIMITS = "/api/v1/wallet/limits"


@pytest.fixture
def anna(table: Table) -> Seated:
    return seated(table, cash=1_000, chips=500)


def put(anna: Seated, **body: Any) -> Any:
    return client(anna.player).put(LIMITS, body, format="json")


def test_a_limit_is_set_and_read_with_what_is_used_of_it(table: Table, anna: Seated) -> None:
    stake(anna, table, 200)
    put(anna, kind="deposit", currency="EUR", window_days=30, most_minor=5_000)
    put(anna, kind="loss", currency="EUR", window_days=1, most_minor=300)
    answer = put(anna, kind="time", window_days=7, most_s=36_000)
    assert answer.status_code == 200
    lines = {line["kind"]: line for line in answer.json()["limits"]}
    assert (lines["deposit"]["most_minor"], lines["deposit"]["used_minor"]) == (5_000, 1_500)
    assert (lines["loss"]["most_minor"], lines["loss"]["used_minor"]) == (300, 200)
    assert (lines["time"]["most_s"], lines["time"]["most_minor"]) == (36_000, None)


def test_plp_05_a_looser_limit_says_from_when_it_counts(anna: Seated) -> None:
    put(anna, kind="loss", currency="EUR", window_days=1, most_minor=300)
    (line,) = put(anna, kind="loss", currency="EUR", window_days=1, most_minor=None).json()[
        "limits"
    ]
    assert (line["most_minor"], line["next_minor"]) == (300, None)
    assert line["next_from"] > (timezone.now() + timedelta(hours=23)).isoformat()


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "fun", "currency": "EUR", "window_days": 1, "most_minor": 1},
        {"kind": "loss", "currency": "EUR", "window_days": 2, "most_minor": 1},
        {"kind": "loss", "currency": "EUR", "window_days": 1, "most_minor": -1},
        {"kind": "loss", "currency": "EUR", "window_days": 1},
        {"kind": "loss", "currency": "EUR", "window_days": 1, "most_minor": "100"},
        {"kind": "loss", "currency": "EUR", "window_days": 1, "most_minor": 100.0},
        {"kind": "loss", "currency": "EUR", "window_days": 1, "most_minor": True},
        {"kind": "loss", "currency": "EUR", "window_days": 1, "most_minor": 1, "most": 1},
    ],
)
def test_a_limit_that_makes_no_sense_is_refused(anna: Seated, body: dict[str, Any]) -> None:
    assert put(anna, **body).status_code == 400


def test_a_currency_the_house_does_not_keep_is_named(anna: Seated) -> None:
    answer = put(anna, kind="loss", currency="QQQ", window_days=1, most_minor=1)
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_currency")


def test_plp_03_the_session_shows_time_and_net_position(table: Table, anna: Seated) -> None:
    door = client(anna.player)
    assert door.get("/api/v1/wallet/session").json()["elapsed_s"] == 0
    stake(anna, table, 200)
    settle(anna, table, 200, 50)
    PlayerLimits.objects.update(playing_from=timezone.now() - timedelta(minutes=5))
    seen = door.get("/api/v1/wallet/session").json()
    assert seen["elapsed_s"] in (300, 301)
    assert (seen["net"], seen["barred"]) == ([eur(-150)], None)


def test_a_reality_check_is_set_shown_and_acknowledged(table: Table, anna: Seated) -> None:
    door = client(anna.player)
    door.put("/api/v1/wallet/reality-check", {"every_s": 600}, format="json")
    stake(anna, table, 1)
    PlayerLimits.objects.update(reality_from=timezone.now() - timedelta(minutes=10))
    assert door.get("/api/v1/wallet/session").json()["barred"] == "reality_check_due"
    answer = door.post("/api/v1/wallet/reality-check/acknowledge")
    assert (answer.status_code, answer.json()["barred"]) == (200, None)


def test_pauses_and_closing(anna: Seated) -> None:
    door = client(anna.player)
    assert door.post("/api/v1/wallet/cool-off", {"hours": 1}, format="json").status_code == 400
    cooled = door.post("/api/v1/wallet/cool-off", {"hours": 24}, format="json")
    assert cooled.json()["cool_off_until"] is not None
    assert door.post("/api/v1/wallet/exclusion", {"months": 3}, format="json").status_code == 400
    gone = door.post("/api/v1/wallet/exclusion", {"months": None}, format="json")
    assert gone.json()["excluded_until_lifted"] is True
    assert door.get("/api/v1/wallet/session").json()["barred"] == "player_excluded"
    assert door.post("/api/v1/wallet/close").json()["state"] == "closed"
