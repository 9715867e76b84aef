"""Faults that products like this one had with money, each played as it was met there."""

from decimal import Decimal
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from casino.core.models import Role
from tables import beliefs, jobs
from tables.engine.poker.options import Rake
from tables.engine.poker.pots import rakes
from tables.models import Event, Hand, Table
from tables.services import dealing, expiring, settling
from tests import cast
from tests.cast import Person
from tests.tables.dealing_cast import clock_to
from tests.wallets.conftest import agreed, at_once, staff
from wallets import controlling, errors, ledger
from wallets import services as wallets
from wallets.ledger import Leg
from wallets.models import Account, Transfer
from wallets.models import Leg as LegRow
from wallets.proving import ledger_check
from wallets.selectors import statement, wallet

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "send", lambda *task: True)


@pytest.fixture
def at() -> Table:
    return cast.three_card_table()


@pytest.fixture
def ann(at: Table) -> Person:
    who = cast.person("Ann")
    who.sits(at, 10_000)
    return who


def dealt(at: Table) -> Hand:
    hand = dealing.hand_open(table_id=at.pk, number=beliefs.read(at.pk).hand_number + 1)
    assert hand is not None
    return hand


def bet(who: Person, at: Table, ante: Any, **more: Any) -> Any:
    turn = beliefs.read(at.pk).turn_id
    return who.client.act(at, turn, {"name": "bet", "wagers": {"ante": ante}}, **more)


def chips(who: Person, at: Table) -> int:
    return wallet(who.user.pk)[0].tables_minor.get(at.pk, 0)


def finished(at: Table) -> Hand:
    """The betting closes, silence folds."""
    hand = Hand.objects.get(pk=beliefs.read(at.pk).hand_id)
    while not beliefs.read(at.pk).finished:
        clock_to(at, 1_000)
        expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    return hand


def test_two_finishing_paths_that_both_see_it_pending_pay_once(at: Table, ann: Person) -> None:
    dealt(at)
    assert bet(ann, at, 500).status_code == 200
    hand = finished(at)
    pay = partial(settling.hand_settle, table_id=at.pk, hand_id=hand.pk)
    answers = at_once([pay] * 2, threads=2)
    assert sorted(answers) == [False, True]
    assert Transfer.objects.filter(hand_id=hand.pk, kind="settle").count() == 1


def test_sitting_down_at_a_running_table_takes_one_stake_for_one_round(at: Table) -> None:
    bob = cast.person("Bob")
    bob.sits(at)
    hand = dealt(at)
    late = cast.person("Late")
    late.sits(at, 10_000)
    refused = bet(late, at, 500)
    assert refused.status_code == 409  # not dealt in to the round that runs
    clock_to(at, 1_000)
    expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    assert chips(late, at) == 10_000
    dealt(at)
    assert bet(late, at, 500).status_code == 200
    stakes = LegRow.objects.filter(
        account__player=late.user, account__purpose="seat", transfer__kind="stake"
    )
    assert [leg.amount_minor for leg in stakes] == [-1_000]  # the Ante, and Play in reserve


def test_a_lost_answer_asked_for_again_is_one_debit(at: Table, ann: Person) -> None:
    dealt(at)
    turn, action = beliefs.read(at.pk).turn_id, str(uuid4())
    body: dict[str, Any] = {
        "action_id": action, "turn_id": turn,
        "action": {"name": "bet", "wagers": {"ante": 500}},
    }  # fmt: skip
    path = f"tables/{at.pk}/actions"
    first, again = (ann.client.send(path, body, key=None) for _ in range(2))
    assert first.status_code == again.status_code == 200
    assert (first.json()["seq"], first.json()["replayed"]) == (again.json()["seq"], False)
    assert again.json()["replayed"] is True
    assert chips(ann, at) == 9_000
    assert Event.objects.filter(action_id=action).count() == 1

    key = str(uuid4())
    top_up = f"tables/{at.pk}/top-ups"
    first, again = (ann.client.send(top_up, {"amount_minor": 1_000}, key=key) for _ in range(2))
    assert first.json() == again.json()
    other = ann.client.send(top_up, {"amount_minor": 2_000}, key=key)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    assert chips(ann, at) == 10_000


def test_the_key_of_a_refused_request_is_not_burnt(at: Table) -> None:
    poor = cast.person("Poor", cash_minor=900)
    key = str(uuid4())
    path = f"tables/{at.pk}/seats"
    refused = poor.client.send(path, {"buy_in_minor": 1_000}, key=key)
    assert (refused.status_code, refused.json()["code"]) == (409, "insufficient_funds")
    wallets.deposit(
        player_id=poor.user.pk, amount_minor=100, currency="EUR", key="more", actor_id=None
    )
    assert poor.client.send(path, {"buy_in_minor": 1_000}, key=key).status_code == 201
    assert Transfer.objects.filter(kind="buy_in").count() == 1


def test_two_bets_of_eighty_against_a_hundred_are_one_bet(at: Table) -> None:
    one, two = at, cast.three_card_table(name="another")
    ann = cast.person("Both", cash_minor=2_000)
    for place in (one, two):
        ann.sits(place, 1_000)
    account = wallets.player_account(player_id=ann.user.pk, currency="EUR")
    wallets.deposit(
        player_id=ann.user.pk, amount_minor=100, currency="EUR", key="100", actor_id=None
    )
    draw = [
        partial(
            wallets.withdraw, player_id=ann.user.pk, amount_minor=80, currency="EUR",
            key=f"w{n}", actor_id=None,
        )
        for n in range(2)
    ]  # fmt: skip
    answers = at_once(draw, threads=2)
    assert sorted(type(answer).__name__ for answer in answers) == ["InsufficientFunds", "Posted"]
    assert wallets.balances_of(account_ids=[account])[account] == 20


def test_opposite_transfers_four_hundred_at_once_all_succeed(at: Table) -> None:
    cage, bank = wallets.cage_account(currency="EUR"), at.accounts["bank"]
    before = wallets.balances_of(account_ids=[cage, bank])

    def move(n: int, source: int, target: int, amount: int) -> None:
        ledger.post(
            key=f"{source}:{n}", kind="float", legs=[Leg(source, -amount), Leg(target, amount)]
        )

    calls = [
        call
        for n in range(200)
        for call in (partial(move, n, cage, bank, 10), partial(move, n, bank, cage, 5))
    ]
    assert set(at_once(calls, threads=16)) == {None}
    after = wallets.balances_of(account_ids=[cage, bank])
    assert (after[cage] - before[cage], after[bank] - before[bank]) == (-1_000, 1_000)


@pytest.mark.parametrize(("pot", "rake"), [(16_330, 816), (16_350, 817)])
def test_five_percent_is_rounded_down_by_one_rule_everywhere(pot: int, rake: int) -> None:
    five = Rake(basis_points=500, caps_minor=(), no_flop_no_drop=False)
    assert rakes([pot], five, players=2, chip_minor=1) == [rake]
    assert Decimal(rake) <= Decimal(pot) * 5 / 100 < rake + 1


@pytest.mark.parametrize("amount", [-600, "1e3", 600.5, 60_000, True, None])
def test_an_amount_that_is_none_is_refused_and_books_nothing(
    at: Table, ann: Person, amount: Any
) -> None:
    dealt(at)
    written = Transfer.objects.count()
    answer = bet(ann, at, amount)
    assert answer.status_code in (400, 409), answer.content
    assert Transfer.objects.count() == written
    for path, body in (
        ("top-ups", {"amount_minor": amount}),
        ("seats", {"buy_in_minor": amount}),
    ):
        answer = ann.client.send(f"tables/{at.pk}/{path}", body)
        assert 400 <= answer.status_code < 500, answer.content
    assert Transfer.objects.count() == written


def test_nothing_staked_is_no_bet(at: Table, ann: Person) -> None:
    dealt(at)
    assert bet(ann, at, 0).json()["code"] == "nothing_staked"


def test_an_operators_adjustment_stands_in_the_players_own_history(at: Table, ann: Person) -> None:
    account = wallets.player_account(player_id=ann.user.pk, currency="EUR")
    by = staff(Role.CAGE)
    asked = controlling.adjustment_ask(
        account_id=account, amount_minor=50, reason="a chip under the table", by=by
    )
    controlling.adjust(approval_id=agreed(asked), by=None)
    (newest, *_) = lines = statement(ann.user.pk)
    assert (newest.kind, newest.amount_minor, newest.reason) == (
        "adjustment", 50, "a chip under the table",
    )  # fmt: skip
    written = Transfer.objects.get(kind="adjustment")
    assert (written.actor_id, written.legs.count()) == (by.pk, 2)
    assert sum(line.amount_minor for line in lines) == sum(
        Account.objects.filter(player=ann.user).values_list("balance_minor", flat=True)
    )


@pytest.mark.parametrize(("debit", "credit"), [(12_345, 12_344), (10_000, 9_999)])
def test_no_tolerance_lets_an_unbalanced_entry_in(at: Table, debit: int, credit: int) -> None:
    legs = [Leg(wallets.cage_account(currency="EUR"), -debit), Leg(at.accounts["bank"], credit)]
    with pytest.raises(errors.UnbalancedTransfer):
        ledger.post(key="close", kind="float", legs=legs)


@pytest.mark.parametrize("times", [3, 6])
def test_a_task_handed_out_again_and_again_in_parallel_settles_once(
    at: Table, ann: Person, times: int
) -> None:
    dealt(at)
    assert bet(ann, at, 500).status_code == 200
    clock_to(at, 1_000)
    turn = beliefs.read(at.pk).turn_id
    at_once([partial(expiring.turn_expire, table_id=at.pk, turn_id=turn)] * times, threads=times)
    hand = finished(at)
    settle = partial(settling.hand_settle, table_id=at.pk, hand_id=hand.pk)
    answers = at_once([settle] * times, threads=times)
    assert answers.count(True) == 1
    assert chips(ann, at) == 9_500
    assert ledger_check().ok


def test_a_task_is_handed_on_after_its_commit_and_never_after_a_rollback(
    at: Table, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt(at)
    assert bet(ann, at, 500).status_code == 200
    clock_to(at, 1_000)
    expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    clock_to(at, 1_000)
    turn = beliefs.read(at.pk).turn_id
    found: list[tuple[str, Any]] = []

    def handed_on(name: str, table_id: int, number: int, **more: Any) -> bool:
        """What a worker that begins at once finds; a connection of its own sees commits alone."""
        (status,) = at_once([lambda: Hand.objects.get(pk=number).status], threads=1)
        found.append((name, status))
        return True

    monkeypatch.setattr(jobs, "send", handed_on)
    with transaction.atomic():
        expiring.turn_expire(table_id=at.pk, turn_id=turn)
        transaction.set_rollback(True)
    assert found == []
    beliefs.forget(at.pk)
    with transaction.atomic():
        expiring.turn_expire(table_id=at.pk, turn_id=turn)
        assert found == []
    assert found == [("tables.settle_hand", "finished")]


def test_nobody_reads_or_moves_anothers_money(at: Table, ann: Person) -> None:
    eve = cast.person("Eve")
    secret = str(statement(ann.user.pk)[0].id)
    for path, query in (
        ("wallet/statement", {"player": ann.user.pk}),
        ("wallet/statement", {"cursor": int(secret) + 1, "player_id": ann.user.pk}),
        (f"wallet/{ann.user.pk}", {}),
        ("wallet", {"player": ann.user.pk}),
    ):
        answer = eve.client.read(path, **query)
        assert answer.status_code in (200, 400, 404)
        if answer.status_code == 200:
            assert all(line["id"] != int(secret) for line in answer.json().get("lines", [])), (
                answer.content
            )
    assert eve.client.send(f"tables/{at.pk}/leave").status_code in (404, 409)
    assert eve.client.send(f"tables/{at.pk}/top-ups", {"amount_minor": 100}).status_code in (
        404, 409,
    )  # fmt: skip


def test_a_stake_cannot_be_carried_away_before_it_is_lost(at: Table) -> None:
    ann = cast.person("Escape", cash_minor=1_000)
    ann.sits(at, 1_000)
    hand = dealt(at)
    assert bet(ann, at, 500).status_code == 200
    assert chips(ann, at) == 0
    answer = ann.client.send("wallet/withdrawals", {"amount_minor": 1_000, "currency": "EUR"})
    assert answer.json()["code"] == "insufficient_funds"
    assert ann.client.send(f"tables/{at.pk}/leave").json()["left"] is False
    finished(at)
    bank = wallets.balances_of(account_ids=[at.accounts["bank"]])[at.accounts["bank"]]
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    assert wallets.balances_of(account_ids=[at.accounts["bank"]])[at.accounts["bank"]] == bank + 500
    assert ann.cash_minor() == 500  # the Play stake, which was never played


def test_an_editable_balance_does_not_exist(at: Table, ann: Person) -> None:
    account = wallets.player_account(player_id=ann.user.pk, currency="EUR")
    with pytest.raises(DatabaseError), transaction.atomic():
        Account.objects.filter(pk=account).update(balance_minor=10**6)
    connection.close()


def test_a_crash_in_the_middle_of_a_hand_costs_no_chip(at: Table, ann: Person) -> None:
    """All that a process knew is gone; the hand goes on from what stands in the database."""
    dealt(at)
    assert bet(ann, at, 500).status_code == 200
    total = sum(wallet(ann.user.pk)[0].tables_minor.values())
    beliefs.forget(at.pk)
    (read,) = at_once([lambda: beliefs.read(at.pk).state], threads=1)  # by another process's eyes
    assert read == beliefs.read(at.pk).state
    hand = finished(at)
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    assert chips(ann, at) == total + 500  # the reserve came back, the Ante was lost
    assert ledger_check().ok
