"""Rounds against the house at a real table: the progressive's money, the time between rounds."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tables import beliefs, jobs
from tables.engine.cards import FULL_DECK, parse_cards
from tables.models import Table, TableHour
from tables.services import settling
from tests.tables.dealing_cast import (
    THREE_CARD,
    dealt,
    move,
    player,
    run_out,
    seated,
    three_card_table,
)
from wallets import services as wallets

pytestmark = pytest.mark.django_db(transaction=True)

STAKE = {"least_minor": 100, "most_minor": 100, "step_minor": 100}
PROGRESSIVE = {
    **THREE_CARD,
    "limits": {**THREE_CARD["limits"], "progressive": STAKE},
    "progressive": {
        "stake_minor": 100,
        "meter_basis_points": {"mini_royal_spades": 10_000},
        "pays": {"mini_royal": 500, "straight_flush": 100, "three_of_a_kind": 90},
        "envy": {"mini_royal_spades": 100, "mini_royal": 25},
        "contribution_basis_points": 2_000,
        "seed_minor": 1_000_000,
    },
}


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "send", lambda *task: True)


def stacked(monkeypatch: pytest.MonkeyPatch, *hands: str) -> None:
    front = parse_cards(" ".join(hands).split())
    deck = front + [card for card in FULL_DECK if card not in front]
    monkeypatch.setattr(beliefs, "deck_open", lambda deck_id, dealing=None: deck)


def progressive_table() -> Table:
    at = three_card_table()
    Table.objects.filter(pk=at.pk).update(options=PROGRESSIVE)
    at.refresh_from_db()
    return at


def held(at: Table) -> dict[str, int]:
    balances = wallets.balances_of(account_ids=at.accounts.values())
    return {purpose: balances[account] for purpose, account in at.accounts.items()}


def round_of(at: Table, players: Sequence[Any]) -> dict[str, Any]:
    hand = dealt(at)
    for who in players:
        move(at, who, name="bet", wagers={"ante": 100, "progressive": 100})
    over = run_out(at)
    assert settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    result: dict[str, Any] = over.result
    return result


def test_stakes_feed_the_meter_and_a_hit_empties_it(monkeypatch: pytest.MonkeyPatch) -> None:
    at = progressive_table()
    ann, bob = player("ann"), player("bob")
    seated(at, ann, bob)
    before = held(at)
    stacked(monkeypatch, "2c 5d 9h", "3c 6d Th", "Js 8s 4c")
    round_of(at, [ann, bob])
    after = held(at)
    assert after["jackpot"] == 1_000_040
    assert after["in_play"] == 0
    assert after["bank"] + after["jackpot"] == before["bank"] + 400  # both folded, all lost

    stacked(monkeypatch, "As Ks Qs", "3c 6d Th", "Js 8s 4c")
    result = round_of(at, [ann, bob])
    assert result["meter"]["before_minor"] == 1_000_040
    assert result["meter"]["paid_minor"] == 1_000_080
    assert held(at)["jackpot"] == 1_000_000
    prizes = result["spots"]["1"]["wagers"]["progressive"]["returned_minor"]
    assert prizes == 1_000_080
    assert result["spots"]["2"]["wagers"]["envy"]["returned_minor"] == 100 * 100
    hours = TableHour.objects.filter(table=at)
    assert sum(hour.jackpot_in_minor for hour in hours) == 80
    assert sum(hour.jackpot_out_minor for hour in hours) == 1_000_080


def test_the_ledger_moves_what_the_round_says(monkeypatch: pytest.MonkeyPatch) -> None:
    at = progressive_table()
    ann = player("ann")
    seated(at, ann)
    stacked(monkeypatch, "Ah Kh Qh", "Js 8s 4c")
    start = held(at)
    result = round_of(at, [ann])
    end = held(at)
    moved = {name: end[name] - start[name] for name in start}
    assert moved["jackpot"] + moved["bank"] == result["bank_minor"]
    assert sum(moved.values()) + sum(result["nets_minor"].values()) == 0


def test_the_next_round_waits_for_the_least_time_between_rounds() -> None:
    at = three_card_table(timing={"pause_s": 0, "cycle_s": 30})
    ann = player("ann")
    seated(at, ann)
    hand = dealt(at)
    run_out(at)
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    at.refresh_from_db()
    assert at.next_deal_at is not None
    assert at.next_deal_at - hand.started_at == timedelta(seconds=30)
    assert at.next_deal_at > timezone.now()
