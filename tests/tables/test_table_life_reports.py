"""Faults that players of other houses have reported about life at the table; here they cannot be.

Each test is one report: the small input that brought it out, and what is right.
"""

from uuid import uuid4

import pytest

from tables import beliefs, clock, consumers, selectors
from tables.errors import NoHandInPlay, TurnPassed
from tables.hub import hub
from tables.models import Event, Hand, Seat
from tables.services import acting, dealing, expiring, seating, settling
from tables.threads import in_thread
from tests.tables.dealing_cast import (
    clock_to,
    dealt,
    move,
    played_out,
    player,
    pulses_at,
    run_out,
    seated,
    table,
)  # fmt: skip
from tests.tables.services.test_blinds import hand_through, joins
from tests.tables.test_consumers import heard, opened
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def rooms():
    """The hub of a web process, in this test's loop."""
    hub.start(rows=lambda table_id, seq: in_thread(selectors.pushes_since, table_id, seq))
    yield hub
    await hub.stop()


def ring(count: int, chips_minor: int = 20_000):
    at = table(max_seats=10)
    players = [player(f"p{n}") for n in range(count)]
    seated(at, *players, chips_minor=chips_minor)
    return at, players


def blinds_of(at) -> dict[str, int]:
    return {post["kind"]: post["seat"] for post in at.positions["posts"]}


def test_two_players_post_and_act_as_two_and_after_a_bust_nobody_pays_twice_running():
    at, _ = ring(2)
    dealt(at)
    at.refresh_from_db()
    assert blinds_of(at)["small"] == at.button
    assert beliefs.read(at.pk).hand().waiting == (at.button,)
    move(at, name="call")
    move(at, name="check")
    assert beliefs.read(at.pk).hand().waiting == (blinds_of(at)["big"],)
    three, players = ring_of_three_and_one_busts()
    last = three.positions["big"]
    hand_through(three)
    assert three.positions["big"] != last
    assert len(players) == 3


def ring_of_three_and_one_busts():
    at = table(name="three", max_seats=10)
    players = [player(f"q{n}") for n in range(3)]
    seated(at, *players, chips_minor=20_000)
    while hand_through(at) and at.positions["big"] != 3:
        pass
    gone = at.seats.get(number=1)
    seating.seat_sit_out(table_id=at.pk, player=gone.player)
    return at, players


def test_a_big_blind_that_leaves_lets_nobody_skip_his_own():
    at, _ = ring(4)
    while hand_through(at) and at.positions["big"] != 3:
        pass
    seating.seat_leave(table_id=at.pk, player=at.seats.get(number=3).player)
    hand_through(at)
    assert (at.button, blinds_of(at)) == (2, {"big": 4})
    hand_through(at)
    assert (at.button, blinds_of(at)) == (3, {"small": 4, "big": 1})


def test_a_newcomer_gets_no_hand_for_nothing_and_waiting_costs_nothing():
    at, _ = ring(3)
    while hand_through(at) and at.positions["big"] != 3:
        pass
    new = joins(at, "new", 8)
    assert "8" in hand_through(at).seats  # the big blind has come to him
    assert at.positions["big"] == 8
    seating.seat_leave(table_id=at.pk, player=new)
    again = joins(at, "again", 7)  # behind the big blind: it reaches him last
    for _ in range(2):
        assert "7" not in hand_through(at).seats
    assert seating.seat_leave(table_id=at.pk, player=again) == 20_000


def test_a_big_blind_that_is_away_is_checked_when_checking_is_free_and_his_blind_stays_live():
    at, _ = ring(3)
    dealt(at)
    move(at, name="call")
    move(at, name="call")
    big = beliefs.read(at.pk).hand().waiting[0]
    clock_to(at, 5_000)
    assert expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    view = beliefs.read(at.pk).hand().view(None)
    away = next(one for one in view["players"] if one["seat"] == big)
    assert away["status"] == "live"
    assert view["street"] == "flop"


def test_a_silent_player_is_acted_for_once_whoever_is_killed_and_a_late_answer_is_refused():
    at, _ = ring(2)
    dealt(at)
    turn_id = beliefs.read(at.pk).turn_id
    belief = beliefs.read(at.pk)
    silent = belief.seats[str(belief.hand().waiting[0])]["player"]
    clock_to(at, 5_000, claimed=False)
    pulses_at(0)
    for _ in range(3):  # the clock, a worker that is killed, another worker
        clock.tick()
        expiring.turn_expire(table_id=at.pk, turn_id=turn_id)
    defaults = [row for row in Event.objects.values_list("events", flat=True) if '"default"' in row]
    assert len(defaults) == 1
    with pytest.raises((NoHandInPlay, TurnPassed)):
        acting.act(
            table_id=at.pk, player_id=silent, action_id=uuid4(), turn_id=turn_id,
            action={"name": "call"},
        )  # fmt: skip


def test_a_second_click_on_an_old_button_decides_nothing_new():
    at, _ = ring(2)
    dealt(at)
    before = beliefs.read(at.pk)
    first = before.seats[str(before.hand().waiting[0])]["player"]
    move(at, name="raise", to_minor=400)
    move(at, name="raise", to_minor=1_200)
    stands = beliefs.read(at.pk)
    with pytest.raises(TurnPassed):
        acting.act(
            table_id=at.pk, player_id=first, action_id=uuid4(),
            turn_id=before.turn_id, action={"name": "raise", "to_minor": 20_000},
        )  # fmt: skip
    assert beliefs.read(at.pk).state == stands.state


def test_a_worker_killed_on_the_turn_loses_nobodys_chips():
    at, _ = ring(3)
    hand = dealt(at)
    while beliefs.read(at.pk).hand().view(None)["street"] != "turn":
        names = [
            c["name"]
            for c in beliefs.read(at.pk).hand().legal(beliefs.read(at.pk).hand().waiting[0])
        ]
        move(at, name="check" if "check" in names else "call")
    beliefs.forget(at.pk)  # whatever any process remembered is gone
    stored = beliefs.read(at.pk).hand().view(None)
    assert stored["pot_minor"] == 300
    assert played_out(at).pk == hand.pk
    assert ledger_check().ok


def test_an_all_in_player_is_not_folded_gets_no_turn_and_may_win_the_main_pot():
    at = table(max_seats=10)
    short, *others = (player(f"p{n}") for n in range(3))
    seated(at, short, chips_minor=500)
    seated(at, *others, chips_minor=20_000)
    dealt(at)
    while beliefs.read(at.pk).seat_of(short.pk) not in beliefs.read(at.pk).hand().waiting:
        move(at, name="call")
    move(at, name="raise", to_minor=500)
    seat = beliefs.read(at.pk).seat_of(short.pk)
    while not beliefs.read(at.pk).finished:
        hand = beliefs.read(at.pk).hand()
        assert seat not in hand.waiting
        mine = next(one for one in hand.view(None)["players"] if one["seat"] == seat)
        assert mine["status"] == "all_in"
        names = [choice["name"] for choice in hand.legal(hand.waiting[0])]
        move(at, name="check" if "check" in names else "call")
    result = Hand.objects.get().result
    assert str(seat) in {str(one) for pot in result["pots"][:1] for one in pot["eligible"]}
    settling.hand_settle(table_id=at.pk, hand_id=Hand.objects.get().pk)
    assert ledger_check().ok


async def test_closing_one_of_two_windows_marks_nobody_as_gone(rooms):
    at, who = await in_thread(seated_alone)
    first = await opened(at, who)
    await heard(first, "hello")
    second = await opened(at, who)
    await heard(second, "hello")
    await first.leave()
    await in_thread(forgotten, at)
    await consumers.note_seen()
    assert await in_thread(is_seen, at)
    await second.leave()
    await in_thread(forgotten, at)
    await consumers.note_seen()
    assert not await in_thread(is_seen, at)


def seated_alone():
    at = table()
    who = player("ann")
    seated(at, who)
    return at, who


def forgotten(at) -> None:
    Seat.objects.filter(table=at).update(seen_at=None)


def is_seen(at) -> bool:
    return Seat.objects.get(table=at).seen_at is not None


def test_an_idle_table_deals_again_as_soon_as_two_are_there():
    at, players = ring(2)
    hand_through(at)
    seating.seat_sit_out(table_id=at.pk, player=players[0])
    assert dealing.hand_open(table_id=at.pk, number=at.hand_number + 1) is None
    seating.seat_return(table_id=at.pk, player=players[0])
    at.refresh_from_db()
    assert at.next_deal_at is not None
    assert dealing.hand_open(table_id=at.pk, number=at.hand_number + 1) is not None
    run_out(at)
