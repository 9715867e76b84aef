"""The floor and the books tell the same money, at every step of a hand."""

import pytest
from django.utils import timezone

from tables import beliefs
from tables.models import Hand
from tables.positions import positions
from tables.services import settling
from tests import cast
from tests.tables.dealing_cast import dealt, move, player, run_out, seated
from tests.tables.services.test_banked_rounds import progressive_table, round_of
from tests.wallets.conftest import agreed, staff
from wallets import controlling, ledger, reconciling
from wallets.reconciling import reconcile

pytestmark = pytest.mark.django_db(transaction=True)


def level() -> bool:
    kept = reconcile()
    assert kept.ok, kept.checks
    return True


def test_the_tables_are_asked() -> None:
    assert reconciling.PROVIDERS["tables"] is positions


def test_a_ring_hand_is_level_before_while_and_after() -> None:
    table = cast.holdem_table()
    for name in ("Alice", "Bob"):
        cast.person(name).sits(table)
    assert level()
    hand = cast.deal(table)
    assert set(positions(timezone.now()).held.values()) == {hand.pk}
    assert level()
    belief = beliefs.read(table.pk)
    play = belief.hand()
    while not play.over:
        people = {seat["player"]: int(number) for number, seat in hand.seats.items()}
        seat = play.waiting[0]
        player = next(player for player, number in people.items() if number == seat)
        act(table, player, belief.turn_id)
        belief = beliefs.read(table.pk)
        play = belief.hand()
        if belief.finished:
            break
    assert level()
    cast.settle(table, Hand.objects.get(pk=hand.pk))
    assert not positions(timezone.now()).held
    assert level()


def act(table: object, player: int, turn_id: int) -> None:
    from uuid import uuid4

    from tables.services.acting import act as play

    play(
        table_id=table.pk,  # type: ignore[attr-defined]
        player_id=player,
        action_id=uuid4(),
        turn_id=turn_id,
        action={"name": "fold"},
    )


def test_stakes_of_a_running_round_are_told_by_its_state() -> None:
    table = cast.three_card_table()
    anna = cast.person("Anna")
    anna.sits(table)
    cast.deal(table)
    turn = beliefs.read(table.pk).turn_id
    answer = anna.client.act(table, turn, {"name": "bet", "wagers": {"ante": 500}})
    assert answer.status_code == 200, answer.content
    assert list(positions(timezone.now()).in_play_minor.values()) == [1_000]  # ante and play
    assert level()


def test_a_jackpot_is_what_the_last_round_left_on_its_meter() -> None:
    at = progressive_table()
    ann = player("ann")
    seated(at, ann)
    assert level()
    played = round_of(at, [ann])
    account = at.accounts["jackpot"]
    left = played["meter"]["after_minor"]
    assert positions(timezone.now()).meters_minor == {account: left}
    assert level()

    bank = at.accounts["bank"]
    ledger.settle(  # a settlement of no hand, as only somebody past the tables could post it
        key="forged", kind="settle", reference={"hand": 10**9},
        legs=[ledger.Leg(account, -5), ledger.Leg(bank, 5)],
    )  # fmt: skip
    kept = reconcile()
    assert kept.checks["every settlement is of a settled hand"]
    assert kept.checks["jackpots equal their meters"] == [
        {"account": account, "books_minor": left - 5, "floor_minor": left}
    ]


def test_what_two_persons_corrected_belongs_to_the_meter() -> None:
    at = progressive_table()
    ann = player("ann")
    seated(at, ann)
    played = round_of(at, [ann])
    account = at.accounts["jackpot"]
    asked = controlling.adjustment_ask(
        account_id=account, amount_minor=70, reason="counted anew", by=staff()
    )
    controlling.adjust(approval_id=agreed(asked), by=None)
    assert positions(timezone.now()).meters_minor == {account: played["meter"]["after_minor"] + 70}
    assert level()
    running = dealt(at)
    asked = controlling.adjustment_ask(
        account_id=account, amount_minor=30, reason="while a round runs", by=staff()
    )
    controlling.adjust(approval_id=agreed(asked), by=None)
    move(at, ann, name="bet", wagers={"ante": 100, "progressive": 100})
    run_out(at)
    settling.hand_settle(table_id=at.pk, hand_id=running.pk)
    assert level()
    hand = Hand.objects.filter(table=at).latest("pk")
    asked = controlling.reversal_ask(hand_id=hand.pk, reason="misdeal", by=staff())
    controlling.hand_reverse(approval_id=agreed(asked), by=None, table_id=at.pk)
    assert level()
    round_of(at, [ann])
    assert level()
