from threading import Barrier, Thread
from uuid import uuid4

import pytest
from django.db import connection, connections

from tables import beliefs
from tables.engine.errors import RuleViolation
from tables.errors import NoHandInPlay, NotDealtIn, TooLate, TurnPassed
from tables.models import Event, Table
from tables.services import acting, expiring
from tests.tables.dealing_cast import (
    clock_to,
    dealt,
    move,
    played_out,
    player,
    pulses_at,
    seated,
    table,
    three_card_table,
)  # fmt: skip
from wallets import services as wallets
from wallets.errors import InsufficientFunds
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db(transaction=True)


def act(at: Table, who, turn_id: int, action_id=None, **action):
    return acting.act(
        table_id=at.pk,
        player_id=who.pk,
        action_id=action_id or uuid4(),
        turn_id=turn_id,
        action=action,
    )


@pytest.fixture
def heads_up():
    at = table()
    players = [player("alice"), player("bob")]
    seated(at, *players)
    dealt(at)
    belief = beliefs.read(at.pk)
    first = next(p for p in players if belief.seat_of(p.pk) in belief.hand().waiting)
    second = next(p for p in players if p != first)
    return at, first, second


def test_the_same_action_id_is_played_once_and_answered_alike(heads_up):
    at, first, _ = heads_up
    turn_id, action_id = beliefs.read(at.pk).turn_id, uuid4()
    once = act(at, first, turn_id, action_id, name="call")
    again = act(at, first, turn_id, action_id, name="call")
    assert (again.seq, again.replayed) == (once.seq, True)
    assert not once.replayed
    assert Event.objects.filter(action_id=action_id).count() == 1


def test_a_click_for_an_earlier_turn_changes_nothing(heads_up):
    at, first, second = heads_up
    turn_id = beliefs.read(at.pk).turn_id
    act(at, first, turn_id, name="raise", to_minor=300)
    act(at, second, beliefs.read(at.pk).turn_id, name="raise", to_minor=900)
    before = beliefs.read(at.pk)
    with pytest.raises(TurnPassed):
        act(at, first, turn_id, name="raise", to_minor=10_000)
    assert beliefs.read(at.pk) == before


def test_an_illegal_action_is_refused_with_its_rule_and_changes_nothing(heads_up):
    at, first, _ = heads_up
    before = beliefs.read(at.pk)
    with pytest.raises(RuleViolation) as refused:
        act(at, first, before.turn_id, name="raise", to_minor=101)
    assert refused.value.code == "bet_too_small"
    assert beliefs.read(at.pk) == before


def test_nobody_acts_in_a_hand_he_was_not_dealt(heads_up):
    at, _, _ = heads_up
    with pytest.raises(NotDealtIn):
        act(at, player("carol"), beliefs.read(at.pk).turn_id, name="call")


def test_a_stale_belief_refuses_nobody(heads_up):
    """What another process wrote is seen before an action is turned down."""
    at, first, second = heads_up
    old = beliefs.read(at.pk)
    act(at, first, old.turn_id, name="call")
    beliefs.forget(at.pk)
    beliefs.believe(old)
    act(at, second, beliefs.read(at.pk).turn_id, name="check")
    assert beliefs.read(at.pk).seq == old.seq + 2


@pytest.mark.parametrize(("late_ms", "counts"), [(0, True), (150, True), (400, False)])
def test_an_action_counts_until_the_grace_after_the_deadline_is_over(heads_up, late_ms, counts):
    at, first, _ = heads_up
    turn_id = beliefs.read(at.pk).turn_id
    clock_to(at, late_ms)
    pulses_at(0)
    if counts:
        act(at, first, turn_id, name="call")
    else:
        with pytest.raises(TooLate):
            act(at, first, turn_id, name="call")
        assert beliefs.read(at.pk).turn_id == turn_id


def test_a_late_action_counts_when_the_house_was_silent(heads_up):
    at, first, _ = heads_up
    turn_id = beliefs.read(at.pk).turn_id
    clock_to(at, 30_000)
    pulses_at(60_000)
    act(at, first, turn_id, name="call")
    types = [row.events for row in Event.objects.order_by("-seq")[:2]]
    assert "called" in types[0]
    assert "clocks_held" in types[1]


def test_a_time_out_is_done_once_and_closes_the_window(heads_up):
    at, first, _ = heads_up
    turn_id = beliefs.read(at.pk).turn_id
    clock_to(at, 400)
    assert expiring.turn_expire(table_id=at.pk, turn_id=turn_id)
    assert not expiring.turn_expire(table_id=at.pk, turn_id=turn_id)
    with pytest.raises((TurnPassed, NoHandInPlay)):
        act(at, first, turn_id, name="call")


def test_a_turn_that_is_not_due_is_not_timed_out(heads_up):
    at, _, _ = heads_up
    assert not expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)


def test_a_turn_that_the_clock_has_not_claimed_is_not_timed_out(heads_up):
    """A task of unknown origin, or one of before a silence, costs nobody a decision."""
    at, _, _ = heads_up
    clock_to(at, 400)
    Table.objects.update(claimed="")
    assert not expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)


def test_of_many_at_once_one_action_takes_the_turn(heads_up):
    at, first, _ = heads_up
    turn_id = beliefs.read(at.pk).turn_id
    start, outcomes = Barrier(8), []

    def click():
        try:
            start.wait()
            act(at, first, turn_id, name="call")
            outcomes.append("played")
        except (TurnPassed, RuleViolation, NoHandInPlay):
            outcomes.append("refused")
        finally:
            connections.close_all()

    clicks = [Thread(target=click) for _ in range(8)]
    for thread in clicks:
        thread.start()
    for thread in clicks:
        thread.join()
    assert outcomes.count("played") == 1
    assert outcomes.count("refused") == 7


def test_a_waiting_reader_sees_the_hand_as_it_is_after_the_wait(heads_up):
    """The lock and the read are two statements: a join would show the hand before the wait."""
    at, first, _ = heads_up
    turn_id = beliefs.read(at.pk).turn_id
    seen, locked = [], Barrier(2)

    def wait_for_the_row():
        try:
            from django.db import transaction

            with transaction.atomic():
                locked.wait()
                seen.append(beliefs.lock(at.pk))
        finally:
            connections.close_all()

    from django.db import transaction

    reader = Thread(target=wait_for_the_row)
    with transaction.atomic():
        beliefs.lock(at.pk)
        reader.start()
        locked.wait()
        _until_a_lock_is_awaited()
        act(at, first, turn_id, name="call")
    reader.join()
    assert seen[0].seq == beliefs.read(at.pk).seq
    assert seen[0].turn_id != turn_id


def _until_a_lock_is_awaited() -> None:
    with connection.cursor() as cursor:
        for _ in range(500):
            cursor.execute("SELECT count(*), pg_sleep(0.01) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return
    raise AssertionError("nobody waits for the row")


def test_a_bet_leaves_the_seat_at_once_and_reserves_the_play(transactional_db):
    at = three_card_table()
    alice = player("alice")
    seated(at, alice)
    dealt(at)
    move(at, alice, name="bet", wagers={"ante": 1_000, "pair_plus": 500})
    account = at.seats.get().account_id
    assert wallets.balances_of(account_ids=[account])[account] == 10_000 - 2_500
    move(at, alice, name="clear")
    assert wallets.balances_of(account_ids=[account])[account] == 10_000
    assert ledger_check().ok


def test_a_bet_the_ledger_refuses_writes_nothing(transactional_db):
    """Chips that left the seat behind the engine's back cannot be staked twice."""
    at = three_card_table()
    alice = player("alice")
    seated(at, alice, chips_minor=1_000)
    dealt(at)
    account = at.seats.get().account_id
    wallets.cash_out(player_id=alice.pk, seat_account_id=account, key="behind")
    before = beliefs.read(at.pk)
    with pytest.raises(InsufficientFunds):
        move(at, alice, name="bet", wagers={"ante": 500})
    assert beliefs.read(at.pk) == before


def test_nothing_is_bet_after_no_more_bets(transactional_db):
    at = three_card_table()
    alice = player("alice")
    seated(at, alice)
    dealt(at)
    turn_id = beliefs.read(at.pk).turn_id
    move(at, alice, name="bet", wagers={"ante": 1_000})
    clock_to(at, 400)
    assert expiring.turn_expire(table_id=at.pk, turn_id=turn_id)
    with pytest.raises(TurnPassed):
        act(at, alice, turn_id, name="bet", wagers={"ante": 2_000})


def test_a_hand_is_played_from_the_deal_to_the_ledger(heads_up):
    at, _, _ = heads_up
    hand = played_out(at)
    assert hand.status == "settled"
    stacks = wallets.balances_of(account_ids=[seat.account_id for seat in at.seats.all()])
    by_seat = {seat.number: stacks[seat.account_id] for seat in at.seats.all()}
    assert by_seat == {int(n): m for n, m in hand.result["stacks_minor"].items()}
    assert ledger_check().ok
