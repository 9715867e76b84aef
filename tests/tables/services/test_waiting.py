"""Reserving, waiting lists with timed calls, changing seats and tables, private tables, chance."""

import json
from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from tables import lobby
from tables.errors import (
    AlreadySeated,
    BuyInOutOfRange,
    HandInPlay,
    InvitationNeeded,
    NoSeatAnywhere,
    NotWaiting,
    NotWholeChips,
    OtherCurrency,
    SeatHeld,
    SeatsFree,
    SeatTaken,
    TableFull,
    TooManySeatsHeld,
)
from tables.models import Event, Seat, SeatHold, Table, Waiting
from tables.services import floor, moving, seating, waiting
from tests.tables.dealing_cast import dealt, played_out, player, seated, table
from tests.tables.services.test_blinds import hand_through
from wallets import services as wallets
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db(transaction=True)


def opened(name: str = "Amber", **facts) -> Table:
    return floor.table_open(
        **{
            "name": name, "game": "holdem", "currency": "EUR", "max_seats": 2,
            "options": {"limit": "no_limit", "big_blind_minor": 100},
            "buy_in_least_minor": 4_000, "buy_in_most_minor": 10_000, **facts,
        }
    )  # fmt: skip


def sits(at: Table, who, seat: int | None = None, **more) -> Seat:
    return seating.seat_take(
        table_id=at.pk, player=who, seat=seat, buy_in_minor=10_000, key=f"{at.pk}:{who.pk}", **more
    )


def full(at: Table) -> list:
    players = [player(f"{at.name} {n}") for n in range(at.max_seats)]
    for who in players:
        sits(at, who)
    return players


def run_out(model) -> None:
    field = "until" if model is SeatHold else "called_until"
    model.objects.exclude(**{field: None}).update(**{field: timezone.now() - timedelta(seconds=1)})


def told(at: Table, kind: str) -> list[dict]:
    rows = Event.objects.filter(table=at).order_by("seq").values_list("events", flat=True)
    return [e["public"] for row in rows for e in json.loads(row) if e["type"] == kind]


def test_a_reserved_seat_is_kept_for_its_player_and_is_free_again_in_time():
    at = opened(max_seats=3)
    ann, bob = player("ann"), player("bob")
    until = waiting.seat_reserve(table_id=at.pk, player=ann, seat=2)
    assert 58 < (until - timezone.now()).total_seconds() <= 60
    with pytest.raises(SeatHeld):
        waiting.seat_reserve(table_id=at.pk, player=bob, seat=2)
    with pytest.raises(SeatHeld):
        sits(at, bob, 2)
    assert sits(at, bob).number == 1
    assert sits(at, ann).number == 2
    assert not SeatHold.objects.exists()
    waiting.seat_reserve(table_id=at.pk, player=player("cid"), seat=3)
    run_out(SeatHold)
    assert sits(at, player("dee")).number == 3


def test_a_player_reserves_one_seat_a_table():
    at = opened(max_seats=4)
    ann = player("ann")
    waiting.seat_reserve(table_id=at.pk, player=ann, seat=2)
    waiting.seat_reserve(table_id=at.pk, player=ann, seat=3)
    assert waiting.holds_of(at) == {3: ann.pk}
    sits(at, player("bob"), 2)
    with pytest.raises(SeatTaken):
        waiting.seat_reserve(table_id=at.pk, player=ann, seat=2)


def test_no_more_than_three_seats_of_the_house_are_kept_for_one_player():
    ann = player("ann")
    first, *others, last = (opened(name=f"t{n}") for n in range(4))
    for at in (first, *others):
        waiting.seat_reserve(table_id=at.pk, player=ann, seat=2)
    with pytest.raises(TooManySeatsHeld):
        waiting.seat_reserve(table_id=last.pk, player=ann, seat=2)
    waiting.seat_reserve(table_id=first.pk, player=ann, seat=1)  # gives the former one up
    sits(first, ann, 1)
    waiting.seat_reserve(table_id=last.pk, player=ann, seat=2)


def test_a_reservation_asked_for_again_lasts_no_longer():
    at = opened()
    ann = player("ann")
    until = waiting.seat_reserve(table_id=at.pk, player=ann, seat=2)
    assert waiting.seat_reserve(table_id=at.pk, player=ann, seat=2) == until
    sits(at, player("bob"))
    waiting.list_join(table_id=at.pk, player=(cid := player("cid")))
    run_out(SeatHold)
    with pytest.raises(SeatHeld):
        waiting.seat_reserve(table_id=at.pk, player=ann, seat=2)
    waiting.lists_called()
    assert waiting.holds_of(at) == {2: cid.pk}


def test_nobody_waits_while_a_table_of_the_kind_has_a_seat():
    full_table, other = opened("One"), opened("Two")
    full(full_table)
    with pytest.raises(SeatsFree) as refused:
        waiting.list_join(table_id=full_table.pk, player=player("ann"))
    assert refused.value.table_id == other.pk


def test_first_come_first_called_at_whichever_table_of_the_kind_a_seat_comes_free():
    one, two = opened("One"), opened("Two")
    full(one)
    leaver = full(two)[0]
    ann, bob = player("ann"), player("bob")
    assert waiting.list_join(table_id=one.pk, player=ann) == 1
    assert waiting.list_join(table_id=one.pk, player=bob) == 2
    assert waiting.list_join(table_id=two.pk, player=ann) == 1  # the same list, once
    seating.seat_leave(table_id=two.pk, player=leaver)
    assert waiting.lists_called() == 1
    assert waiting.lists_called() == 0
    (mine,) = waiting.lists_of(ann.pk)
    assert mine["called"]["table"] == two.pk
    assert waiting.lists_of(bob.pk)[0]["place"] == 1
    with pytest.raises(SeatHeld):
        sits(two, player("walk in"), mine["called"]["seat"])
    assert sits(two, ann).number == mine["called"]["seat"]
    assert not waiting.lists_of(ann.pk)
    assert told(two, "seat_called")[-1]["seat"] == mine["called"]["seat"]


def test_who_does_not_come_in_time_is_off_the_list_and_the_next_is_called():
    at = opened()
    leaver = full(at)[0]
    ann, bob = player("ann"), player("bob")
    for who in (ann, bob):
        waiting.list_join(table_id=at.pk, player=who)
    seating.seat_leave(table_id=at.pk, player=leaver)
    waiting.lists_called()
    run_out(SeatHold)
    run_out(Waiting)
    waiting.lists_called()
    assert not waiting.lists_of(ann.pk)
    assert waiting.lists_of(bob.pk)[0]["called"]["table"] == at.pk
    assert sits(at, bob)


def test_a_walk_in_does_not_overtake_the_list_even_before_the_call():
    at = opened()
    leaver = full(at)[0]
    ann = player("ann")
    waiting.list_join(table_id=at.pk, player=ann)
    seating.seat_leave(table_id=at.pk, player=leaver)
    with pytest.raises(Exception, match="seat"):
        sits(at, player("walk in"))
    assert sits(at, ann)


def test_a_player_may_give_up_his_place():
    at = opened()
    full(at)
    ann = player("ann")
    waiting.list_join(table_id=at.pk, player=ann)
    waiting.list_leave(table_id=at.pk, player=ann)
    with pytest.raises(NotWaiting):
        waiting.list_leave(table_id=at.pk, player=ann)
    with pytest.raises(AlreadySeated):
        waiting.list_join(table_id=at.pk, player=at.seats.first().player)


def test_a_seat_is_changed_at_once_between_hands_and_after_the_hand_in_one():
    at = table(max_seats=8)
    players = [player(f"p{n}") for n in range(3)]
    seated(at, *players, chips_minor=20_000)
    assert moving.seat_change(table_id=at.pk, player=players[0], to=7).number == 7
    assert told(at, "seat_moved")[-1]["from"] == 1
    dealt(at)
    waits = moving.seat_change(table_id=at.pk, player=players[1], to=5)
    assert (waits.number, waits.moves_to) == (2, 5)
    played_out(at)
    assert at.seats.get(player=players[1]).number == 5
    with pytest.raises(SeatTaken):
        moving.seat_change(table_id=at.pk, player=players[1], to=7)
    assert ledger_check().ok


def test_a_seat_that_was_taken_meanwhile_is_not_changed_to():
    at = table(max_seats=8)
    players = [player(f"p{n}") for n in range(3)]
    seated(at, *players, chips_minor=20_000)
    dealt(at)
    moving.seat_change(table_id=at.pk, player=players[1], to=5)
    seating.seat_take(table_id=at.pk, player=player("x"), seat=5, buy_in_minor=10_000, key="x")
    played_out(at)
    seat = at.seats.get(player=players[1])
    assert (seat.number, seat.moves_to) == (2, None)


def test_moving_away_from_the_big_blind_owes_one_and_towards_it_nothing():
    at = table(max_seats=9)
    players = [player(f"p{n}") for n in range(4)]
    for who, seat in zip(players, (1, 4, 6, 8), strict=True):
        seating.seat_take(
            table_id=at.pk, player=who, seat=seat, buy_in_minor=10_000, key=f"k{seat}"
        )
    while hand_through(at) and at.positions["big"] != 1:
        pass
    moving.seat_change(table_id=at.pk, player=players[1], to=3)  # nearer to it
    assert not at.seats.get(player=players[1]).owes_big
    moving.seat_change(table_id=at.pk, player=players[2], to=7)  # further from it
    assert at.seats.get(player=players[2]).owes_big


def test_a_player_goes_to_another_table_with_all_his_chips_between_hands():
    one, two = opened("One", max_seats=4), opened("Two", max_seats=4, buy_in_most_minor=5_000)
    ann, bob = player("ann"), player("bob")
    sits(one, ann)
    sits(one, bob)
    dealt(one)
    with pytest.raises(HandInPlay):
        moving.seat_transfer(table_id=one.pk, player=ann, to_table=two.pk)
    played_out(one)
    before = wallets.balances_of(account_ids=[one.seats.get(player=ann).account_id])
    place = moving.seat_transfer(table_id=one.pk, player=ann, to_table=two.pk, to=3)
    assert place.number == 3
    after = wallets.balances_of(account_ids=[place.account_id])[place.account_id]
    assert after == next(iter(before.values()))
    assert after > two.buy_in_most_minor
    assert not one.seats.filter(player=ann).exists()
    assert told(one, "seat_left")[-1]["why"] == "moved"
    assert ledger_check().ok


def test_a_transfer_that_is_refused_leaves_the_player_where_he_is():
    one, two = opened("One"), opened("Two", currency="PLN")
    ann = player("ann")
    sits(one, ann)
    with pytest.raises(OtherCurrency):
        moving.seat_transfer(table_id=one.pk, player=ann, to_table=two.pk)
    assert one.seats.get(player=ann)
    assert ledger_check().ok


def test_a_transfer_brings_whole_chips_and_what_the_player_left_that_table_with():
    one, two = opened("One", max_seats=3), opened("Two", max_seats=3, chip_minor=50)
    back = opened("Back", max_seats=3, timing={"rathole_s": 3_600})
    ann, bob = player("ann"), player("bob")
    seating.seat_take(table_id=one.pk, player=ann, seat=None, buy_in_minor=4_020, key="odd")
    with pytest.raises(NotWholeChips):
        moving.seat_transfer(table_id=one.pk, player=ann, to_table=two.pk)
    sits(back, bob)
    seating.seat_leave(table_id=back.pk, player=bob)
    seating.seat_take(table_id=one.pk, player=bob, seat=None, buy_in_minor=4_000, key="less")
    with pytest.raises(BuyInOutOfRange):
        moving.seat_transfer(table_id=one.pk, player=bob, to_table=back.pk)
    seating.seat_top_up(table_id=one.pk, player=bob, amount_minor=6_000, key="more")
    moving.seat_transfer(table_id=one.pk, player=bob, to_table=back.pk)
    assert [seat.player_id for seat in one.seats.all()] == [ann.pk]
    assert ledger_check().ok


def test_a_transfer_does_not_overtake_the_list():
    one, two = opened("One", max_seats=3), opened("Two")
    ann, (bob, _) = player("ann"), full(two)
    sits(one, ann)
    sits(one, player("cid"))
    sits(one, player("dee"))
    waiting.list_join(table_id=two.pk, player=(eve := player("eve")))
    seating.seat_leave(table_id=two.pk, player=bob)
    with pytest.raises(TableFull):
        moving.seat_transfer(table_id=one.pk, player=ann, to_table=two.pk)
    assert sits(two, eve).number == 1


def test_nobody_moves_onto_a_seat_that_was_reserved_meanwhile():
    at = opened(max_seats=4)
    ann, bob = player("ann"), player("bob")
    sits(at, ann)
    sits(at, bob)
    dealt(at)
    moving.seat_change(table_id=at.pk, player=ann, to=4)
    waiting.seat_reserve(table_id=at.pk, player=(cid := player("cid")), seat=4)
    played_out(at)
    assert at.seats.get(player=ann).number == 1
    assert sits(at, cid).number == 4


def test_no_seat_of_a_private_table_is_kept_for_who_is_not_invited():
    at = opened(is_private=True)
    ann, code = player("ann"), at.invitation
    with pytest.raises(InvitationNeeded):
        waiting.seat_reserve(table_id=at.pk, player=ann, seat=1)
    waiting.seat_reserve(table_id=at.pk, player=ann, seat=1, invitation=code)
    for who in (ann, player("bob")):
        sits(at, who, invitation=code)
    cid = player("cid")
    for wrong in ("", "guess", "\u00e9"):
        with pytest.raises(InvitationNeeded):
            waiting.list_join(table_id=at.pk, player=cid, invitation=wrong)
    assert waiting.list_join(table_id=at.pk, player=cid, invitation=code) == 1


def test_a_private_table_takes_only_its_code_and_is_listed_for_its_own_players():
    at = opened(is_private=True)
    ann = player("ann")
    for code in ("", "guess"):
        with pytest.raises(InvitationNeeded):
            sits(at, ann, invitation=code)
    assert not lobby.tables(viewer_id=ann.pk).rows
    sits(at, ann, invitation=at.invitation)
    assert [row["id"] for row in lobby.tables(viewer_id=ann.pk).rows] == [at.pk]
    assert not lobby.tables(viewer_id=player("bob").pk).rows


def test_chance_seats_a_player_evenly_over_all_seats_he_can_pay_for(monkeypatch):
    one, two = opened("One", max_seats=6), opened("Two", max_seats=3)
    opened("Dear", buy_in_least_minor=50_000, buy_in_most_minor=90_000)
    opened("Private", is_private=True)
    sits(two, player("sitting"), 2)
    drawn = Counter()
    real = moving.chance.choice

    def counted(seats):
        for _ in range(400):
            drawn[real(seats)] += 1
        return real(seats)

    monkeypatch.setattr(moving.chance, "choice", counted)
    place = moving.seat_at_random(
        player=player("ann"), game="holdem", currency="EUR", buy_in_minor=10_000, key="r"
    )
    assert set(drawn) == {(one.pk, n) for n in range(1, 7)} | {(two.pk, 1), (two.pk, 3)}
    chi_square = sum((count - 50) ** 2 / 50 for count in drawn.values())
    assert chi_square < 30  # 7 degrees of freedom: one run in ten thousand
    assert place.table_id in (one.pk, two.pk)
    with pytest.raises(NoSeatAnywhere):
        moving.seat_at_random(
            player=player("bob"), game="omaha", currency="EUR", buy_in_minor=10_000, key="q"
        )


def test_the_placard_tells_the_buy_in_in_big_blinds_too():
    opened()
    (row,) = lobby.tables().rows
    assert (row["buy_in"]["least_big_blinds"], row["buy_in"]["most_big_blinds"]) == (40, 100)
