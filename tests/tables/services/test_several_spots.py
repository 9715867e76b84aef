"""A player on several spots at a real table: his chips, his cards, his money."""

from typing import Any

import orjson
import pytest

from casino.house import accounting
from tables import beliefs, jobs, lobby, positions, selectors
from tables.engine.banked.errors import StackTooShort
from tables.engine.cards import FULL_DECK, parse_cards
from tables.errors import NoSuchSeat, NotYourSpot, SeatHeld, SeatTaken, TooManySpots
from tables.models import Seat, Table
from tables.services import acting, expiring, moving, seating, settling, waiting
from tests.tables import cut_cast
from tests.tables.dealing_cast import clock_to, dealt, move, player, seated, three_card_table
from wallets import services as wallets
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db(transaction=True)

# Spots 1 and 2 are Ann's, 3 is Bob's; the dealer's jack high does not qualify.
CARDS = ("Kh 8d 3c", "9c 9d 2h", "7h 6d 5c", "Js Td 8h")


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "send", lambda *task: True)
    front = parse_cards(" ".join(CARDS).split())
    deck = front + [card for card in FULL_DECK if card not in front]
    monkeypatch.setattr(beliefs, "deck_open", lambda deck_id, dealing=None: deck)


def table(most: int = 3) -> Table:
    at = three_card_table()
    at.options = {**at.options, "spots_per_player": most}
    at.save(update_fields=["options"])
    return at


def with_spots(at: Table, who: Any, spots: int, seat: int | None = None) -> Seat:
    return seating.seat_take(
        table_id=at.pk, player=who, seat=seat, buy_in_minor=10_000, key=f"sit:{who.pk}", spots=spots
    )


def chips(seat: Seat) -> int:
    return wallets.balances_of(account_ids=[seat.account_id])[seat.account_id]


def window_over(at: Table) -> None:
    """Let the time of the window that is open now pass."""
    clock_to(at, 5_000)
    expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)


def ante(at: Table, who: Any, seat: int, amount_minor: int) -> acting.Acted:
    return move(at, who, name="bet", seat=seat, wagers={"ante": amount_minor})


def test_every_spot_is_bet_decided_and_paid_from_one_seat_account() -> None:
    at, ann, bob = table(), player("ann"), player("bob")
    seat = with_spots(at, ann, 2)
    seated(at, bob)
    hand = dealt(at)
    assert list(hand.seats) == ["1", "2", "3"]
    ante(at, ann, 1, 1000)
    ante(at, ann, 2, 2000)
    move(at, bob, name="bet", wagers={"ante": 500})
    assert chips(seat) == 10_000 - 2 * 3000
    window_over(at)
    move(at, ann, name="fold", seat=1)
    move(at, ann, name="play", seat=2)
    move(at, bob, name="play")
    assert positions.positions(hand.started_at).in_play_minor == {
        at.accounts["in_play"]: 1000 + 4000 + 1000
    }
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    assert chips(seat) == 10_000 - 1000 + 2000
    told = positions.positions(hand.started_at).settled[hand.pk]
    assert told[seat.account_id] == 6000
    assert accounting.scalar(accounting.SETTLED_OTHERWISE) == 0
    assert ledger_check().as_json()["ok"]
    ended = lobby.hands_of(ann.pk).rows
    assert [(row["seat"], row["net_minor"]) for row in ended] == [(1, 1000)]


def test_the_second_bet_cannot_use_the_chips_of_the_first() -> None:
    at, ann = table(), player("ann")
    with_spots(at, ann, 2)
    dealt(at)
    ante(at, ann, 1, 4000)
    with pytest.raises(StackTooShort, match="needs 2200, the seat has 2000"):
        ante(at, ann, 2, 1100)


def test_silence_folds_every_spot_and_gives_all_reserved_stakes_back_at_once() -> None:
    at, ann = table(), player("ann")
    seat = with_spots(at, ann, 3)
    hand = dealt(at)
    for spot, amount in ((1, 500), (2, 700), (3, 900)):
        ante(at, ann, spot, amount)
    window_over(at)
    window_over(at)
    assert chips(seat) == 10_000 - 2100
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    assert chips(seat) == 10_000 - 2100
    assert ledger_check().as_json()["ok"]


def test_a_void_gives_every_stake_back() -> None:
    from tables.services.voiding import hand_void

    at, ann = table(), player("ann")
    seat = with_spots(at, ann, 2)
    hand = dealt(at)
    ante(at, ann, 1, 500)
    ante(at, ann, 2, 700)
    hand_void(table_id=at.pk, hand_id=hand.pk, reason="a card lay face up")
    assert chips(seat) == 10_000


def test_a_player_gets_the_cards_of_his_spots_and_a_snapshot_that_names_them() -> None:
    at, ann, bob = table(), player("ann"), player("bob")
    with_spots(at, ann, 2)
    seated(at, bob)
    dealt(at)
    for who, seat in ((ann, 1), (ann, 2), (bob, 3)):
        ante(at, who, seat, 500)
    window_over(at)

    def own(who: Any) -> Any:
        frames = selectors.frames_since(at.pk, 0, who.pk)
        assert frames is not None
        events = [event for text in frames for event in orjson.loads(text)["events"]]
        return next(event.get("private") for event in events if event["type"] == "cards_dealt")

    assert own(ann) == {
        "seats": {"1": {"cards": ["Kh", "8d", "3c"]}, "2": {"cards": ["9c", "9d", "2h"]}}
    }
    assert own(bob) == {"cards": ["7h", "6d", "5c"]}
    snapshot = selectors.table_snapshot(at.pk, ann.pk)
    assert [seat["spots"] for seat in snapshot["seats"]] == [2, 1]
    assert [seat.get("player_seat") for seat in snapshot["hand"]["seats"]] == [None, 1, None]
    seen = {spot["seat"] for spot in snapshot["hand"]["view"]["spots"] if "cards" in spot}
    assert seen == {1, 2}
    legal = snapshot["you"]["legal_actions"]
    assert [(choice["seat"], choice["name"]) for choice in legal] == [
        (1, "play"), (1, "fold"), (2, "play"), (2, "fold"),
    ]  # fmt: skip
    legal = selectors.table_snapshot(at.pk, bob.pk)["you"]["legal_actions"]
    assert [choice["name"] for choice in legal] == ["play", "fold"]
    assert all("seat" not in choice for choice in legal)


@pytest.mark.parametrize("seat", [3, 0, "2", 1.0, True, None])
def test_only_a_spot_of_ones_own_can_be_played(seat: Any) -> None:
    at, ann, bob = table(), player("ann"), player("bob")
    with_spots(at, ann, 2)
    seated(at, bob)
    dealt(at)
    with pytest.raises(NotYourSpot, match="you were dealt in at 1, 2"):
        move(at, ann, name="bet", seat=seat, wagers={"ante": 100})


def test_spots_are_beside_each_other_free_and_no_more_than_the_table_allows() -> None:
    at, ann, bob, cid = table(), player("ann"), player("bob"), player("cid")
    with pytest.raises(TooManySpots, match="4 spots were asked for, a player may have 3"):
        with_spots(at, ann, 4)
    with pytest.raises(NoSuchSeat):
        with_spots(at, ann, 2, seat=7)
    with_spots(at, ann, 2, seat=2)
    with pytest.raises(SeatTaken, match="seat 3"):
        with_spots(at, bob, 1, seat=3)
    with pytest.raises(SeatTaken, match="seat 2"):
        with_spots(at, bob, 2, seat=1)
    assert with_spots(at, bob, 3).number == 4  # the first place where three are free
    with pytest.raises(SeatTaken, match="seat 4"):
        seating.seat_spots(table_id=at.pk, player=ann, spots=3)
    assert with_spots(at, cid, 1).number == 1
    (row,) = lobby.tables().rows
    assert row["seats_taken"] == 6
    with pytest.raises(TooManySpots):
        seating.seat_spots(table_id=at.pk, player=ann, spots=0)


def test_a_table_without_the_option_gives_one_spot_to_a_player() -> None:
    at, ann = three_card_table(), player("ann")
    with pytest.raises(TooManySpots, match="a player may have 1"):
        with_spots(at, ann, 2)


def test_spots_change_from_the_next_round_on_and_nobody_sits_down_on_one_in_play() -> None:
    at, ann, bob = table(), player("ann"), player("bob")
    with_spots(at, ann, 2)
    hand = dealt(at)
    ante(at, ann, 2, 500)
    seating.seat_spots(table_id=at.pk, player=ann, spots=1)
    with pytest.raises(SeatTaken, match="seat 2"):
        with_spots(at, bob, 1, seat=2)
    window_over(at)
    move(at, ann, name="play", seat=2)
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    assert with_spots(at, bob, 1, seat=2).number == 2
    assert list(dealt(at).seats) == ["1", "2"]
    seating.seat_leave(table_id=at.pk, player=bob)
    seating.seat_spots(table_id=at.pk, player=ann, spots=1)


def test_a_spot_that_is_kept_for_somebody_is_not_taken_as_a_further_one() -> None:
    at, ann, bob = table(), player("ann"), player("bob")
    with_spots(at, ann, 1)
    waiting.seat_reserve(table_id=at.pk, player=bob, seat=2)
    with pytest.raises(SeatTaken, match="seat 2"):
        seating.seat_spots(table_id=at.pk, player=ann, spots=2)


def test_a_wish_to_move_that_further_spots_make_impossible_falls_and_the_round_is_paid() -> None:
    at, ann = table(), player("ann")
    seat = with_spots(at, ann, 1)
    hand = dealt(at)
    ante(at, ann, 1, 500)
    moving.seat_change(table_id=at.pk, player=ann, to=7)
    seating.seat_spots(table_id=at.pk, player=ann, spots=3)
    window_over(at)
    move(at, ann, name="fold")
    assert settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    seat.refresh_from_db()
    assert (seat.number, seat.spots, seat.moves_to) == (1, 3, None)


def test_a_player_with_spots_does_not_move_onto_a_seat_that_is_kept_for_another() -> None:
    at, ann, bob = table(), player("ann"), player("bob")
    with_spots(at, ann, 2)
    waiting.seat_reserve(table_id=at.pk, player=bob, seat=5)
    with pytest.raises(SeatHeld):
        moving.seat_change(table_id=at.pk, player=ann, to=4)
    assert moving.seat_change(table_id=at.pk, player=ann, to=6).number == 6


@pytest.mark.parametrize("gives_seed", [False, True])
def test_an_absent_player_keeps_nobody_waiting_at_any_spot(gives_seed: bool) -> None:
    at, ann = table(), player("ann")
    with_spots(at, ann, 2)
    dealt(at)
    giver = cut_cast.Giver(ann)
    if gives_seed:
        giver.commits(at)
    ante(at, ann, 1, 500)
    ante(at, ann, 2, 500)
    seating.seat_sit_out(table_id=at.pk, player=ann)
    assert beliefs.read(at.pk).absent == [1, 2]
    window_over(at)
    if gives_seed:
        giver.opens(at)
        assert cut_cast.went_on(at)
    at.refresh_from_db()
    assert at.deadline is not None
    assert at.turn is not None
    opened = orjson.loads(at.turn)
    assert opened["seats"] == [1, 2]
    assert beliefs.read(at.pk).is_past


def test_a_further_spot_is_dealt_only_while_the_table_allows_it() -> None:
    at, ann = table(), player("ann")
    with_spots(at, ann, 3)
    Table.objects.filter(pk=at.pk).update(options={**at.options, "spots_per_player": 2})
    assert list(dealt(at).seats) == ["1", "2"]
