"""What a table did by the hour agrees with the ledger, to the minor unit."""

import pytest

from tables import jobs
from tables.models import Table, TableHour
from tables.services.voiding import hand_void
from tests.cast import deal, holdem_table, person, settle, three_card_table
from tests.tables.dealing_cast import run_out
from wallets.models import Account, Leg

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "send", lambda *task: True)


def ledger_win_minor(table: Table, purpose: str) -> int:
    account = Account.objects.get(table_id=table.pk, purpose=purpose)
    return sum(
        Leg.objects.filter(account=account)
        .exclude(transfer__kind="float")
        .values_list("amount_minor", flat=True)
    )


def test_a_round_is_counted_as_the_ledger_paid_it() -> None:
    table = three_card_table()
    ann = person("Ann")
    seat = ann.sits(table)
    hand = deal(table)
    turn = ann.sees(table)["hand"]["turn"]
    bets = {"name": "bet", "wagers": {"ante": 1_000, "pair_plus": 500}}
    answer = ann.client.act(table, turn["turn_id"], bets)
    assert answer.status_code == 200, answer.content
    settle(table, run_out(table))
    hour = TableHour.objects.get(table=table)
    hand.refresh_from_db()
    assert (hour.hands, hour.seats_dealt, hour.drop_minor) == (1, 1, 10_000)
    assert hour.staked_minor == hand.result["staked_minor"][str(seat)]
    assert hour.won_minor == ledger_win_minor(table, "bank") == hand.result["bank_minor"]
    assert hour.won_minor != 0
    assert hour.variance > 0


def test_a_voided_hand_counts_as_voided_alone() -> None:
    table = holdem_table()
    for name in ("Ann", "Bob"):
        person(name).sits(table)
    hand = deal(table)
    hand_void(table_id=table.pk, hand_id=hand.pk, reason="misdeal")
    hour = TableHour.objects.get(table=table)
    assert (hour.hands, hour.voided, hour.won_minor, hour.drop_minor) == (0, 1, 0, 20_000)
