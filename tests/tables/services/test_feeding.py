"""Must-move: who goes to the main game, when, and what it costs. docs/rules/seating.md 7."""

from datetime import timedelta

import pytest

from casino.core.errors import PitNotYours, RoleMissing
from casino.core.models import Role, User
from tables import beliefs
from tables.errors import FeederFirst, FeederNotPossible
from tables.models import Event, Seat, Table
from tables.selectors import database_now
from tables.services import feeding, floor, moving, opening, seating, settling, waiting
from tests.console.cast import console
from tests.core.cast import person
from tests.tables.dealing_cast import dealt, move, played_out, player, seated, table
from wallets import limits
from wallets import services as wallets
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db


@pytest.fixture
def main() -> Table:
    made = table(name="main", max_seats=3)
    seated(made, player("ann"), player("bob"), player("cyd"))
    return made


@pytest.fixture
def feeder(main: Table) -> Table:
    made = table(name="feeder", max_seats=6)
    people = [player(name) for name in ("dan", "eve", "fay")]
    seated(made, *people)
    for nth, who in enumerate(people):
        at = database_now() - timedelta(minutes=(10, 30, 20)[nth])
        made.seats.filter(player=who).update(taken_at=at)
    return feeding.feeder_set(table_id=made.pk, main_id=main.pk)


def leaves(at: Table, name: str) -> None:
    seating.seat_leave(table_id=at.pk, player=at.seats.get(player__username=name).player)


def names(at: Table) -> set[str]:
    return set(at.seats.values_list("player__username", flat=True))


def test_the_longest_seated_moves_with_his_stack_when_a_seat_opens(
    main: Table, feeder: Table
) -> None:
    assert feeding.must_moves_made() == 0  # the main game is full
    leaves(main, "bob")
    assert feeding.must_moves_made() == 1
    assert names(main) == {"ann", "cyd", "eve"}
    assert names(feeder) == {"dan", "fay"}
    account = main.seats.get(player__username="eve").account_id
    assert wallets.balances_of(account_ids=[account])[account] == 10_000
    assert feeding.must_moves_made() == 0
    assert ledger_check().ok


def test_never_in_mid_hand_and_dealt_in_no_more_before_he_goes(main: Table, feeder: Table) -> None:
    dealt(feeder)
    leaves(main, "bob")
    assert feeding.must_moves_made() == 0
    assert '"must_move"' in "".join(
        Event.objects.filter(table=feeder).values_list("events", flat=True)
    )
    move(feeder, name="raise", to_minor=300)
    played_out(feeder)
    hand = dealt(feeder)
    assert len(hand.seats) == 2
    assert feeding.must_moves_made() == 1
    assert "eve" in names(main)


def test_being_made_to_move_costs_nothing(main: Table, feeder: Table) -> None:
    dealt(main)  # a running game: who sits down by himself owes a big blind
    leaves(main, "bob")
    played_out(main)
    Seat.objects.filter(table=feeder).update(owes_big=False)
    assert feeding.must_moves_made() == 1
    assert not main.seats.get(player__username="eve").owes_big


def test_seats_of_the_main_game_are_for_the_feeders_players(main: Table, feeder: Table) -> None:
    leaves(main, "bob")
    late = player("late")
    with pytest.raises(FeederFirst):
        seating.seat_take(table_id=main.pk, player=late, seat=None, buy_in_minor=5_000, key="late")
    with pytest.raises(FeederFirst):
        waiting.seat_reserve(table_id=main.pk, player=late, seat=2)
    dan = feeder.seats.get(player__username="dan").player
    with pytest.raises(FeederFirst):
        moving.seat_transfer(table_id=feeder.pk, player=dan, to_table=main.pk)
    for name in ("dan", "eve", "fay"):
        leaves(feeder, name)
    seated(main, late)
    assert "late" in names(main)


def test_a_seat_that_is_gone_again_calls_nobody(main: Table, feeder: Table) -> None:
    dealt(feeder)
    leaves(main, "bob")
    feeding.must_moves_made()
    assert feeder.seats.filter(must_move_to=main).count() == 1
    Table.objects.filter(pk=main.pk).update(max_seats=1)
    feeding.must_moves_made()
    assert not feeder.seats.filter(must_move_to=main).exists()


def test_nobody_is_called_from_a_table_that_carries_a_pot() -> None:
    options = {"limit": "fixed", "small_bet_minor": 100, "ante_minor": 20}
    main = table("gardena_jackpots", options, name="main", max_seats=3)
    feeder = table("gardena_jackpots", options, name="feeder", max_seats=6)
    seated(main, player("ann"), player("bob"))
    seated(feeder, *(player(name) for name in ("dan", "eve", "fay")))
    feeding.feeder_set(table_id=feeder.pk, main_id=main.pk)
    hand = dealt(feeder)
    assert feeding.must_moves_made() == 0  # called, but he plays this hand
    assert feeder.seats.filter(must_move_to=main).exists()
    while not beliefs.read(feeder.pk).finished:
        move(feeder, name="check")
    settling.hand_settle(table_id=feeder.pk, hand_id=hand.pk)
    assert feeding.must_moves_made() == 0
    assert len(dealt(feeder).seats) == 3  # all three play for what they left
    assert ledger_check().ok


def test_who_may_not_play_is_passed_over_and_keeps_nobody_from_the_main_game(
    main: Table, feeder: Table
) -> None:
    eve = feeder.seats.get(player__username="eve").player
    limits.exclude(player_id=eve.pk, until=None)
    leaves(main, "bob")
    seq = beliefs.read(main.pk).seq
    assert feeding.must_moves_made() == 1
    assert names(main) == {"ann", "cyd", "fay"}
    assert not feeder.seats.filter(must_move_to=main).exists()
    assert feeding.must_moves_made() == 0
    assert beliefs.read(main.pk).seq == seq + 1
    limits.exclusion_lift(player_id=eve.pk)
    leaves(main, "ann")
    assert feeding.must_moves_made() == 1
    assert "eve" in names(main)


@pytest.mark.parametrize("which", ["main", "feeder"])
def test_neither_of_a_pair_becomes_a_table_of_another_kind(
    main: Table, feeder: Table, which: str
) -> None:
    at = main if which == "main" else feeder
    for name in names(at):
        leaves(at, name)
    floor.table_pause(table_id=at.pk)
    dearer = {"options": {"limit": "no_limit", "big_blind_minor": 200}}
    with pytest.raises(FeederNotPossible):
        opening.table_revise(table_id=at.pk, changes=dearer)
    with pytest.raises(FeederNotPossible):
        floor.table_change(table_id=at.pk, **dearer)
    opening.table_revise(table_id=at.pk, changes={"max_seats": 5})


def test_a_pair_is_made_by_the_staff_of_both_pits(main: Table) -> None:
    other = table(name="other", pit="north")
    south = person("south", Role.FLOOR)
    User.objects.filter(pk=south.pk).update(pits=["south"])
    Table.objects.filter(pk=main.pk).update(pit="south")
    for one, two in ((other, main), (main, other)):
        with pytest.raises(PitNotYours):
            feeding.feeder_set(table_id=one.pk, main_id=two.pk, by=south)


@pytest.mark.parametrize("must", [True, False])
def test_what_he_owes_by_the_clock_goes_with_him(must: bool) -> None:
    main, feeder = (
        table(name=name, time_fee_minor=600, max_seats=4) for name in ("main", "feeder")
    )
    dan = player("dan")
    seated(feeder, dan)
    if must:
        feeding.feeder_set(table_id=feeder.pk, main_id=main.pk)
    feeder.seats.update(owes_time_minor=600, status="sitting_out")
    if must:
        assert feeding.must_moves_made() == 1
    else:
        moving.seat_transfer(table_id=feeder.pk, player=dan, to_table=main.pk)
    assert main.seats.get().owes_time_minor == 600
    seating.seat_return(table_id=main.pk, player=dan)
    account = main.seats.get().account_id
    assert wallets.balances_of(account_ids=[account])[account] == 9_400


def test_only_a_table_of_the_same_kind_can_be_fed_and_no_chain_is_made(
    main: Table, feeder: Table
) -> None:
    dearer = table(name="dear", options={"limit": "no_limit", "big_blind_minor": 200})
    for one, other in ((dearer, main), (main, feeder), (main, main)):
        with pytest.raises(FeederNotPossible):
            feeding.feeder_set(table_id=one.pk, main_id=other.pk)
    with pytest.raises(RoleMissing):
        feeding.feeder_set(table_id=feeder.pk, main_id=None, by=person("c", Role.CAGE))
    feeding.feeder_set(table_id=feeder.pk, main_id=None, by=person("f", Role.FLOOR))
    leaves(main, "bob")
    assert feeding.must_moves_made() == 0


def test_the_floor_sets_it_in_the_console(main: Table) -> None:
    other = table(name="other")
    desk = console(Role.FLOOR)
    where = f"/admin/tables/{other.pk}/feeds/"
    assert "main" in desk.get(where).content.decode()
    assert desk.post(where, {"main": main.pk}).status_code == 302
    other.refresh_from_db()
    assert other.feeds_id == main.pk
    assert desk.post(where, {"main": ""}).status_code == 302
    other.refresh_from_db()
    assert other.feeds_id is None
