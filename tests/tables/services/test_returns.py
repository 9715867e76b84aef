"""Actual return beside the theoretical one: exact theory, and an alert when payments are wrong."""

from fractions import Fraction
from typing import Any

import pytest

from casino.core.models import LogEntry, Role
from tables import jobs
from tables.engine.banked.returns import brought
from tables.engine.banked.rounds import BankedRound
from tables.models import Hand, PaytableReturn, Table
from tables.services import returns
from tests.cast import deal, person, settle, three_card_table
from tests.engine.banked.table import bet, deck, opened
from tests.tables.dealing_cast import move, run_out

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "send", lambda *task: True)


def finished(*hands: str, decision: str = "play", **wagers: int) -> BankedRound:
    table = opened({1: 100_000}, deck(*hands))
    bet(table, 1, **wagers)
    table.expire()
    if not table.over:
        table.act(1, {"name": decision})
    return table


def test_the_best_decision_is_expected_to_cost_the_house_edge() -> None:
    what = brought(finished("Ks 8d 3c", "Js Td 8h", ante=1_000, pair_plus=500))
    assert what["ante"].net_minor == 1_000
    assert what["ante"].expected_minor == -1_000 * Fraction(686_689, 20_358_520)
    assert what["pair_plus"].net_minor == -500
    assert what["pair_plus"].expected_minor == -500 * Fraction(128, 5_525)


def test_what_a_poor_decision_gives_away_is_taken_from_the_theory() -> None:
    edge = Fraction(686_689, 20_358_520)
    folded = brought(finished("Ac Kd Qh", "Kh Qd Js", decision="fold", ante=1_000))["ante"]
    assert folded.net_minor == -1_000
    assert folded.expected_minor < -1_000 * (edge + 1)
    played = brought(finished("2c 3d 7h", "Kh Qd Js", ante=1_000))["ante"]
    assert -1_000 * (edge + 1) < played.expected_minor < -1_000 * edge


def test_a_forfeited_winner_is_no_alarm() -> None:
    what = brought(finished("5c 5d 9h", "Ac Kd 2s", decision="fold", ante=1_000, pair_plus=500))[
        "pair_plus"
    ]
    assert what.net_minor == -500
    assert what.expected_minor == -500 * Fraction(128, 5_525) - 1_000


def test_every_settled_round_is_recorded_once() -> None:
    table = three_card_table()
    ann = person("Ann")
    ann.sits(table)
    hand = deal(table)
    move(table, ann.user, name="bet", wagers={"ante": 500, "pair_plus": 500})
    settle(table, run_out(table))
    rows = {row.wager: row for row in PaytableReturn.objects.filter(table=table)}
    assert set(rows) == {"ante", "pair_plus"}
    assert rows["ante"].paytable_id == Hand.objects.get(pk=hand.pk).paytable_id
    assert (rows["ante"].spots, rows["ante"].staked_minor) == (1, 500)
    assert rows["ante"].net_minor == -500


def recorded(table: Table, what: Any, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(returns, "brought", lambda played: {"pair_plus": what})
    hand = Hand(table_id=table.pk, paytable_id=table.paytable_id)
    for _ in range(times):
        returns.round_recorded(hand, finished("2c 3d 7h", "Kh Qd Js", pair_plus=500))


def test_a_wrong_paytable_raises_one_alert(monkeypatch: pytest.MonkeyPatch) -> None:
    table = three_card_table()
    lost = brought(finished("2c 3d 7h", "Kh Qd Js", pair_plus=500))["pair_plus"]
    lost.net_minor = 500  # paid though it had lost
    recorded(table, lost, 140, monkeypatch)
    row = PaytableReturn.objects.get(table=table)
    assert row.outside_since is not None
    alert = LogEntry.objects.get(kind="paytable.outside_band")
    assert alert.facts["wager"] == "pair_plus"
    assert alert.facts["spots"] >= 100
    assert alert.facts["standard_errors"] > 4
    seen = person("Maths", Role.GAME_MATHS).client.read(f"paytables/{row.paytable_id}/returns")
    assert seen.json()["returns"][0]["outside_since"] is not None


def test_honest_rounds_raise_none(monkeypatch: pytest.MonkeyPatch) -> None:
    table = three_card_table()
    what = brought(finished("2c 3d 7h", "Kh Qd Js", pair_plus=500))["pair_plus"]
    what.net_minor = round(what.expected_minor)
    recorded(table, what, 110, monkeypatch)
    assert not LogEntry.objects.filter(kind="paytable.outside_band").exists()
    figures = returns.figures(PaytableReturn.objects.get(table=table))
    low, high = figures["band_percent"]
    assert low < figures["actual_percent"] < high
