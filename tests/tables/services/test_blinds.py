"""Blinds at a real table: what is owed stands in the seats, and is posted through the ledger."""

import json
from itertools import pairwise

import pytest

from tables import beliefs
from tables.models import Event, Hand, Seat, Table
from tables.services import dealing, floor, seating, settling
from tests.tables.dealing_cast import dealt, move, played_out, player, seated, table
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db(transaction=True)


def ring(count: int = 3, **facts) -> tuple[Table, list]:
    at = table(max_seats=10, **facts)
    players = [player(f"p{n}") for n in range(count)]
    seated(at, *players, chips_minor=20_000)
    return at, players


def events_of(at: Table, kind: str) -> list[dict]:
    rows = Event.objects.filter(table=at).order_by("seq").values_list("events", flat=True)
    return [e["public"] for row in rows for e in json.loads(row) if e["type"] == kind]


def at_seat(at: Table, number: int) -> Seat:
    return at.seats.get(number=number)


def hand_through(at: Table) -> Hand:
    """Deal the next hand, fold it out and settle it."""
    hand = dealt(at)
    while not beliefs.read(at.pk).finished:
        move(at, name="fold")
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    at.refresh_from_db()
    return Hand.objects.get(pk=hand.pk)


def joins(at: Table, name: str, seat: int, **more):
    who = player(name)
    seating.seat_take(
        table_id=at.pk, player=who, seat=seat, buy_in_minor=20_000, key=f"sit:{who.pk}", **more
    )
    return who


def test_the_first_button_is_drawn_by_the_highest_card_for_all_to_see():
    at, _ = ring(4)
    hand_through(at)
    (drawn,) = events_of(at, "button_drawn")
    ranks = "23456789TJQKA"
    best = max(
        drawn["cards"],
        key=lambda n: (ranks.index(drawn["cards"][n][0]), "cdhs".index(drawn["cards"][n][1])),
    )
    assert set(drawn["cards"]) == {"1", "2", "3", "4"}
    assert str(drawn["button"]) == best
    assert at.button == drawn["button"]
    hand_through(at)
    assert len(events_of(at, "button_drawn")) == 1


def test_a_newcomer_in_mid_orbit_plays_no_hand_for_free():
    at, _ = ring(3)
    hand_through(at)
    big = at.positions["big"]
    joins(at, "new", 9 if big == 3 else 10)
    assert at_seat(at, 9 if big == 3 else 10).owes_big
    hands = 0
    while "new" not in [s["name"] for s in hand_through(at).seats.values()]:
        hands += 1
    assert hands <= 2
    assert at.positions["big"] in (9, 10)
    assert not at.seats.get(player__username="new").owes_big
    assert ledger_check().ok


def test_a_newcomer_who_leaves_while_he_waits_has_paid_nothing():
    at, _ = ring(3)
    while hand_through(at) and at.positions["big"] == 3:
        pass
    who = joins(at, "new", 10)
    hand_through(at)
    assert seating.seat_leave(table_id=at.pk, player=who) == 20_000


def test_a_newcomer_who_posts_is_dealt_in_at_once_for_a_live_big_blind():
    at, _ = ring(4)
    while hand_through(at) and at.positions["big"] != 2:
        pass
    joins(at, "new", 5, posts=True)
    assert "5" in dealt(at).seats
    (posted,) = [e for e in events_of(at, "blind_posted") if e["seat"] == 5]
    assert (posted["kind"], posted["amount_minor"], posted["bet_minor"]) == ("live", 100, 100)


def test_nobody_posts_on_the_button():
    at, _ = ring(4)
    while hand_through(at) and at.positions["big"] != 1:
        pass
    joins(at, "new", 5, posts=True)  # between the button, seat 4, and the small blind
    assert "5" not in hand_through(at).seats
    assert at.positions["button"] == 4
    assert at_seat(at, 5).owes_big
    assert "5" in hand_through(at).seats  # the button has passed him


def test_who_misses_both_blinds_posts_them_dead_and_live_when_he_comes_back():
    at, players = ring(5)
    while hand_through(at) and at.positions["big"] != 1:
        pass
    seating.seat_sit_out(table_id=at.pk, player=players[1])
    hand_through(at)
    assert (at_seat(at, 2).owes_big, at_seat(at, 2).owes_small) == (True, False)
    hand_through(at)
    assert (at_seat(at, 2).owes_big, at_seat(at, 2).owes_small) == (True, True)
    told = [e for e in events_of(at, "seat_changed") if e["seat"] == 2]
    assert told[-1]["owes"] == ["big", "small"]
    seating.seat_return(table_id=at.pk, player=players[1])
    seating.seat_choose(table_id=at.pk, player=players[1], posts=True)
    for _ in range(5):
        hand = hand_through(at)
        if "2" in hand.seats:
            break
    mine = [e for e in events_of(at, "blind_posted") if e["seat"] == 2][-2:]
    assert [(e["kind"], e["amount_minor"], e["bet_minor"]) for e in mine] == [
        ("dead", 50, 0), ("live", 100, 100),
    ]  # fmt: skip
    assert not at_seat(at, 2).owes_small
    assert ledger_check().ok


def test_without_auto_post_who_does_not_agree_to_his_blind_sits_out_and_owes_it():
    at, players = ring(4)
    while hand_through(at) and at.positions["big"] != 1:
        pass
    seating.seat_choose(table_id=at.pk, player=players[1], auto_post=False)
    hand = hand_through(at)
    assert "2" not in hand.seats
    assert at.positions["big"] == 3
    seat = at_seat(at, 2)
    assert (seat.status, seat.owes_big) == (Seat.Status.SITTING_OUT, True)


def test_without_auto_post_an_agreed_blind_is_put_in_once():
    at, players = ring(4)
    while hand_through(at) and at.positions["big"] != 1:
        pass
    seating.seat_choose(table_id=at.pk, player=players[1], auto_post=False, agrees_to_blind=True)
    assert "2" in hand_through(at).seats
    assert at.positions["big"] == 2
    assert not at_seat(at, 2).agrees_to_blind
    assert "2" not in hand_through(at).seats  # the small blind was not agreed to
    assert at_seat(at, 2).owes_small


def test_who_sits_out_at_his_next_big_blind_plays_until_it_comes():
    at, players = ring(4)
    while hand_through(at) and at.positions["big"] != 1:
        pass
    status = seating.seat_sit_out(
        table_id=at.pk, player=players[2], at=Seat.SitsOut.BIG_BLIND.value
    )
    assert status == Seat.Status.PLAYING
    assert "3" in hand_through(at).seats
    assert "3" not in hand_through(at).seats
    assert at_seat(at, 3).status == Seat.Status.SITTING_OUT
    assert at.positions["big"] == 4


def test_who_sits_out_after_this_hand_plays_it_to_its_end():
    at, players = ring(3)
    dealt(at)
    seating.seat_sit_out(table_id=at.pk, player=players[0], at=Seat.SitsOut.HAND.value)
    assert at_seat(at, 1).status == Seat.Status.PLAYING
    played_out(at)
    assert at_seat(at, 1).status == Seat.Status.SITTING_OUT
    assert "1" not in hand_through(at).seats


def test_from_three_to_two_and_back_nobody_pays_the_big_blind_twice_running():
    at, players = ring(3)
    bigs = []
    for nth in range(9):
        if nth == 3:
            seating.seat_sit_out(table_id=at.pk, player=players[1])
        if nth == 6:
            seating.seat_return(table_id=at.pk, player=players[1])
        hand_through(at)
        bigs.append(at.positions["big"])
    assert all(one != other for one, other in pairwise(bigs))


def test_a_big_blind_that_leaves_lets_nobody_escape_his():
    at, _ = ring(4)
    while hand_through(at) and at.positions["big"] != 3:
        pass
    assert (at.positions["button"], at.positions["small"]) == (1, 2)
    seating.seat_leave(table_id=at.pk, player=at_seat(at, 3).player)
    hand_through(at)
    assert (at.positions["button"], at.positions["big"]) == (2, 4)
    assert at.positions["posts"] == [{"seat": 4, "kind": "big"}]
    hand_through(at)
    assert (at.positions["button"], at.positions["small"], at.positions["big"]) == (3, 4, 1)


def test_two_newcomers_and_nobody_who_has_paid_draw_for_the_button_again():
    at, players = ring(2)
    hand_through(at)
    for who in players:
        seating.seat_leave(table_id=at.pk, player=who)
    seated(at, player("x"), player("y"), chips_minor=20_000)
    assert len(hand_through(at).seats) == 2
    assert len(events_of(at, "button_drawn")) == 2


def test_in_games_without_blinds_nobody_waits():
    at = floor.table_open(
        name="Stud", game="stud", options={"small_bet_minor": 100}, currency="EUR",
        buy_in_least_minor=1_000, buy_in_most_minor=50_000, max_seats=6,
    )  # fmt: skip
    seated(at, player("a"), player("b"), chips_minor=20_000)
    hand = dealt(at)
    assert len(hand.seats) == 2
    seated(at, player("c"), chips_minor=20_000)
    assert not at.seats.get(player__username="c").owes_big


def test_who_waits_may_be_dealt_in_as_soon_as_he_posts_also_at_a_table_that_stands_still():
    at, players = ring(2)
    hand_through(at)
    seating.seat_sit_out(table_id=at.pk, player=players[0])
    assert dealing.hand_open(table_id=at.pk, number=at.hand_number + 1) is None
    joins(at, "new", 5)
    hand = dealing.hand_open(table_id=at.pk, number=at.hand_number + 1)
    assert hand is not None  # the game begins anew: one who has paid, one who has not
    assert len(hand.seats) == 2
