"""Straddles, bomb pots and kill pots at a real table, through the ledger."""

import pytest

from casino.core.errors import RoleMissing
from tables import beliefs, replaying, selectors
from tables.engine.poker.rare import KILL, STRADDLE
from tables.errors import NoBombPots
from tables.models import Hand, Table
from tables.services import floor, seating, settling, voiding
from tests.tables.dealing_cast import dealt, move, player, run_out, seated, table
from tests.tables.services.test_runs import told
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db(transaction=True)
NO_LIMIT = {"limit": "no_limit", "big_blind_minor": 100}
FIXED = {"limit": "fixed", "big_blind_minor": 100}


def ring(count: int, **options) -> tuple[Table, list]:
    at = table(options=options, max_seats=10)
    players = [player(f"p{nth}") for nth in range(count)]
    seated(at, *players, chips_minor=20_000)
    return at, players


def folded_out(at: Table) -> Hand:
    """Deal a hand, fold and check it to its end and settle it."""
    dealt(at)
    hand = run_out(at)
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    at.refresh_from_db()
    return Hand.objects.get(pk=hand.pk)


def won_by(at: Table, seat: int) -> Hand:
    """A hand that all play to the flop, where they fold to this seat's bet."""
    dealt(at)
    while not (belief := beliefs.read(at.pk)).finished:
        hand = belief.hand()
        legal = {choice["name"]: choice for choice in hand.legal(hand.waiting[0])}
        first = hand.view(None)["street"] == "preflop"
        if hand.waiting[0] == seat and "bet" in legal and not first:
            move(at, name="bet")
        elif "check" in legal:
            move(at, name="check")
        else:
            move(at, name="call" if first else "fold")
    settling.hand_settle(table_id=at.pk, hand_id=belief.hand_id)
    at.refresh_from_db()
    return Hand.objects.get(pk=belief.hand_id)


def of_kind(at: Table, kind: str) -> list[dict]:
    return [event["public"] for event in told(at) if event["type"] == kind]


def test_who_wishes_straddles_when_he_sits_left_of_the_big_blind_and_acts_last():
    at, players = ring(4, **NO_LIMIT, straddle="left")
    for who in players:
        seating.seat_choose(table_id=at.pk, player=who, straddles=True)
    dealt(at)
    (post,) = [one for one in of_kind(at, "blind_posted") if one["kind"] == STRADDLE]
    at.refresh_from_db()
    assert post["seat"] == at.positions["big"] % 4 + 1
    assert (post["amount_minor"], post["to_minor"]) == (200, 200)
    hand = beliefs.read(at.pk).hand()
    assert hand.waiting[0] == post["seat"] % 4 + 1
    assert hand.legal(hand.waiting[0])[1]["amount_minor"] == 200
    settling.hand_settle(table_id=at.pk, hand_id=run_out(at).pk)
    assert ledger_check().ok


def test_nobody_straddles_against_his_wish_or_where_the_table_has_none():
    for options, wishes in ((NO_LIMIT | {"straddle": "left"}, False), (NO_LIMIT, True)):
        at = table(options=options, name=f"T{wishes}", max_seats=10)
        players = [player(f"{wishes}{nth}") for nth in range(4)]
        seated(at, *players, chips_minor=5_000)
        for who in players:
            seating.seat_choose(table_id=at.pk, player=who, straddles=wishes)
        dealt(at)
        assert STRADDLE not in [one["kind"] for one in of_kind(at, "blind_posted")]


def test_every_nth_hand_is_a_bomb_pot_and_button_and_blinds_stay_for_it():
    at, _ = ring(3, **NO_LIMIT, bomb_pot={"ante_minor": 300, "boards": 2, "every_hands": 2})
    folded_out(at)
    assert selectors.table_snapshot(at.pk)["specials"]["bomb_pot"]
    before = {name: at.positions[name] for name in ("button", "small", "big")}
    bomb = folded_out(at)
    assert bomb.definition["special"] == "bomb_pot"
    assert bomb.options["ante_minor"] == 300
    assert [one["amount_minor"] for one in of_kind(at, "ante_posted")] == [300] * 3
    boards = [one.get("board_no", 1) for one in of_kind(at, "board_dealt")]
    assert boards == [1, 2] * 3
    assert {name: at.positions[name] for name in before} == before
    after = folded_out(at)
    assert "special" not in after.definition
    assert at.positions["big"] != before["big"]
    assert ledger_check().ok


def test_a_bomb_pot_comes_when_all_who_play_have_asked_and_wishes_count_once():
    at, players = ring(3, **NO_LIMIT, bomb_pot={"ante_minor": 300})
    folded_out(at)
    for who in players:
        assert "special" not in (Hand.objects.last().definition)
        assert not selectors.table_snapshot(at.pk)["specials"]["bomb_pot"]
        seating.seat_choose(table_id=at.pk, player=who, wants_bomb_pot=True)
    assert of_kind(at, "specials_changed")[-1]["asked"] == [1, 2, 3]
    assert folded_out(at).definition["special"] == "bomb_pot"
    assert not at.seats.filter(wants_bomb_pot=True).exists()
    assert "special" not in folded_out(at).definition


def test_the_floor_orders_one_and_a_voided_one_is_dealt_again():
    at, players = ring(2, **NO_LIMIT, bomb_pot={"ante_minor": 300})
    folded_out(at)
    with pytest.raises(RoleMissing):
        floor.bomb_pot_order(table_id=at.pk, by=players[0])
    floor.bomb_pot_order(table_id=at.pk)
    hand = dealt(at)
    assert Hand.objects.get(pk=hand.pk).definition["special"] == "bomb_pot"
    voiding.hand_void(table_id=at.pk, hand_id=hand.pk, reason="spilt coffee")
    assert folded_out(at).definition["special"] == "bomb_pot"
    assert "special" not in folded_out(at).definition
    assert ledger_check().ok


def test_a_table_without_them_is_ordered_none():
    at, _ = ring(2, **NO_LIMIT)
    with pytest.raises(NoBombPots):
        floor.bomb_pot_order(table_id=at.pk)


def test_who_wins_two_hands_in_a_row_kills_the_third_at_twice_the_limit():
    at, players = ring(3, **FIXED, kill={"size": "full"})
    seat = at.seats.get(player=players[1]).number
    won_by(at, seat)
    assert selectors.table_snapshot(at.pk)["specials"]["leg"] == seat
    won_by(at, seat)
    assert of_kind(at, "specials_changed")[-1]["kills"] == seat
    hand = dealt(at)
    (post,) = [one for one in of_kind(at, "blind_posted") if one["kind"] == KILL]
    assert (post["seat"], post["to_minor"]) == (seat, 200)
    assert Hand.objects.get(pk=hand.pk).options["small_bet_minor"] == 200
    run_out(at)
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    assert ledger_check().ok


def test_a_killer_wherever_he_sits_is_played_again_from_the_store():
    at, players = ring(3, **FIXED, kill={"size": "half"})
    seat = at.seats.get(player=players[1]).number
    for _ in range(6):  # the button passes the killer's seat, so each blind is his once
        assert replaying.replay(won_by(at, seat)).over
    kills = [one for one in of_kind(at, "blind_posted") if one["kind"] == KILL]
    assert {one["amount_minor"] for one in kills} == {
        50,
        100,
        150,
    }  # over the big blind, small, none


def test_a_killer_of_yesterday_owes_nothing_when_the_table_opens_again():
    at, players = ring(3, **FIXED, kill={}, bomb_pot={"ante_minor": 100})
    at.specials = {"since": 3, "ordered": True, "leg": players[0].pk, "kills": players[0].pk}
    at.save(update_fields=["specials"])
    floor.table_close(table_id=at.pk)
    floor.table_resume(table_id=at.pk)
    at.refresh_from_db()
    assert at.specials is None
    for nth, who in enumerate(players):
        seating.seat_take(
            table_id=at.pk, player=who, seat=None, buy_in_minor=20_000, key=f"back:{nth}"
        )
    dealt(at)
    assert KILL not in {one["kind"] for one in of_kind(at, "blind_posted")}


def test_a_killer_who_sits_out_owes_nothing_and_has_lost_his_leg():
    at, players = ring(3, **FIXED, kill={})
    seat = at.seats.get(player=players[1]).number
    won_by(at, seat)
    won_by(at, seat)
    seating.seat_sit_out(table_id=at.pk, player=players[1])
    folded_out(at)
    assert KILL not in [one["kind"] for one in of_kind(at, "blind_posted")]
    stands = selectors.table_snapshot(at.pk)["specials"]
    assert stands["kills"] is None
    assert stands["leg"] != seat
