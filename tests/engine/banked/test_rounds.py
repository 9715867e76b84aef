"""A round from the betting window to the payout."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.engine.banked import errors, rounds
from tables.engine.banked.rounds import BankedRound
from tables.engine.banked.vocabulary import BankedGame
from tables.engine.cards import CARD_TEXT, FULL_DECK
from tables.engine.errors import (
    BadOptions,
    BadSeats,
    BadState,
    CardNotInDeck,
    HandIsOver,
    MalformedAction,
    NoSuchAction,
    NotInHand,
    NotYourTurn,
    RuleViolation,
)
from tables.engine.games.three_card_poker import THREE_CARD_POKER
from tables.engine.protocol import Event, SeatIn
from tests.engine.banked.table import LIMITS, SIDE, bet, deck, only, opened, options, types

THREE_SPOTS = deck("Kh 8d 3c", "9c 9d 2h", "7h 6d 5c", "Js Td 8h")


def test_several_spots_are_dealt_packet_by_packet_from_the_lowest_seat_the_dealer_last() -> None:
    table = opened({5: 9000, 2: 9000, 7: 9000, 1: 9000}, THREE_SPOTS)
    for seat in (7, 2, 5):
        bet(table, seat, ante=1000)
    events = table.expire()
    assert types(events) == ["no_more_bets", "cards_dealt"]
    dealt = events[1]
    assert dealt.public == {"street": "deal", "down": {"2": 3, "5": 3, "7": 3}, "dealer": 3}
    assert dealt.private == {
        2: {"cards": ["Kh", "8d", "3c"]},
        5: {"cards": ["9c", "9d", "2h"]},
        7: {"cards": ["7h", "6d", "5c"]},
    }
    assert table.waiting == (2, 5, 7)
    assert (table.window, table.turn) == ("decision", 2)


def test_a_bet_reserves_the_play_stake_and_a_new_one_replaces_it() -> None:
    table = opened({1: 5000}, THREE_SPOTS)
    (event,) = bet(table, 1, ante=1000, pair_plus=500)
    assert event == Event(
        "bet_placed",
        {
            "seat": 1,
            "wagers": {"ante": 1000, "pair_plus": 500, "six_card": 0},
            "reserved_minor": 1000,
            "stack_minor": 2500,
        },
    )
    assert table.committed(1) == 2500
    bet(table, 1, pair_plus=200)
    assert table.committed(1) == 200
    assert table.act(1, {"name": "clear"}) == [
        Event("bet_cleared", {"seat": 1, "stack_minor": 5000})
    ]
    assert table.committed(1) == 0


def test_deciding_turns_the_reserve_into_a_stake_or_gives_it_back() -> None:
    table = opened({1: 5000, 2: 5000}, THREE_SPOTS)
    bet(table, 1, ante=1000)
    bet(table, 2, ante=1000)
    table.expire()
    (decided,) = table.act(2, {"name": "fold"})
    assert decided.public == {"seat": 2, "name": "fold", "play_minor": 0, "stack_minor": 4000}
    assert (table.committed(1), table.committed(2)) == (2000, 1000)
    events = table.act(1, {"name": "play"})
    assert only(events, "decided")[0]["play_minor"] == 1000
    assert table.over
    assert (table.committed(1), table.committed(2)) == (2000, 1000)


def test_the_last_decision_settles_every_spot_from_the_dealers_right() -> None:
    table = opened({2: 9000, 5: 9000, 7: 9000}, THREE_SPOTS)
    bet(table, 2, ante=1000, pair_plus=500)
    bet(table, 5, pair_plus=500)
    bet(table, 7, ante=1000, six_card=500)
    table.expire()
    assert table.waiting == (2, 7)
    table.act(7, {"name": "play"})
    events = table.act(2, {"name": "fold"})
    assert types(events) == [
        "decided", "dealer_revealed", "hand_shown", "spot_settled", "hand_shown", "spot_settled",
        "spot_settled", "hand_over",
    ]  # fmt: skip
    revealed = only(events, "dealer_revealed")[0]
    assert revealed == {
        "cards": ["Js", "Td", "8h"],
        "qualifies": False,
        "class": "high_card",
        "words": "Jack high",
    }
    assert [shown["seat"] for shown in only(events, "hand_shown")] == [7, 5]
    seven, five, two = only(events, "spot_settled")
    assert list(seven["wagers"]) == ["play", "ante_bonus", "ante", "six_card"]
    assert seven["net_minor"] == 1000 + 1000 - 500
    assert five["wagers"]["pair_plus"]["words"] == "Pair Plus: pair, 1 to 1"
    assert five["net_minor"] == 500
    assert two["net_minor"] == -1500
    assert only(events, "hand_over") == [
        {
            "nets_minor": {"2": -1500, "5": 500, "7": 1500},
            "stacks_minor": {"2": 7500, "5": 9500, "7": 10500},
            "bank_minor": -500,
        }
    ]
    result = table.result
    assert result is not None
    assert result["staked_minor"] == {"2": 1500, "5": 500, "7": 2500}
    assert result["returned_minor"] == {"2": 0, "5": 1000, "7": 4000}
    assert result["bank_minor"] == -500


def test_the_settling_order_is_the_tables_to_choose() -> None:
    changed = options(settle_wagers=["pair_plus", "ante"], settle_seats="first_first")
    table = opened({2: 9000, 5: 9000}, THREE_SPOTS, changed)
    bet(table, 2, ante=1000, pair_plus=500)
    bet(table, 5, ante=1000, pair_plus=500)
    table.expire()
    table.act(2, {"name": "play"})
    events = table.act(5, {"name": "play"})
    spots = only(events, "spot_settled")
    assert [spot["seat"] for spot in spots] == [2, 5]
    assert list(spots[0]["wagers"]) == ["pair_plus", "ante", "play", "ante_bonus"]


def test_silence_folds_every_undecided_spot() -> None:
    table = opened({1: 5000, 2: 5000, 3: 5000}, THREE_SPOTS)
    for seat in (1, 2, 3):
        bet(table, seat, ante=1000)
    table.expire()
    table.act(2, {"name": "play"})
    assert table.default_action(1) == {"name": "fold"}
    events = table.expire()
    assert [(e["seat"], e["default"]) for e in only(events, "decided")] == [(1, True), (3, True)]
    assert table.over


def test_a_round_nobody_bets_on_ends_without_cards() -> None:
    table = opened({1: 5000}, THREE_SPOTS)
    bet(table, 1, ante=1000)
    table.act(1, {"name": "clear"})
    events = table.expire()
    assert types(events) == ["no_more_bets", "hand_over"]
    assert table.over
    assert table.result is not None
    assert table.result["nets_minor"] == {"1": 0}
    assert table.view(None)["dealer"] == {"down": 0, "cards": None}


def test_pair_plus_alone_needs_no_decision_and_no_dealer() -> None:
    table = opened({4: 5000}, deck("Qc Qd 7h", "Ks 9d 3c"))
    bet(table, 4, pair_plus=500)
    events = table.expire()
    assert types(events) == [
        "no_more_bets", "cards_dealt", "dealer_not_needed", "hand_shown", "spot_settled",
        "hand_over",
    ]  # fmt: skip
    assert table.turn == 1
    assert table.view(None)["dealer"] == {"down": 3, "cards": None}


def test_the_dealer_reveals_when_all_fold_only_for_a_wager_that_needs_him() -> None:
    cards = deck("Jh 7d 2c", "Jd Jc 7s")
    for six_card, expected in ((0, "dealer_not_needed"), (500, "dealer_revealed")):
        table = opened({4: 5000}, cards)
        bet(table, 4, ante=1000, six_card=six_card)
        table.expire()
        events = table.act(4, {"name": "fold"})
        assert types(events)[1] == expected
        assert ("hand_shown" in types(events)) == bool(six_card)


def test_a_deck_may_come_after_no_more_bets() -> None:
    table = opened({1: 5000}, [])
    bet(table, 1, ante=1000)
    assert types(table.expire()) == ["no_more_bets"]
    assert (table.window, table.waiting) == ("closed", ())
    with pytest.raises(errors.BetsClosed):
        bet(table, 1, ante=2000)
    with pytest.raises(BadState):
        table.expire()
    loaded = rounds.load(THREE_CARD_POKER, options(), table.dump(), deck("Qc Qd 7h", "Ks 9d 3c"))
    assert types(loaded.expire()) == ["cards_dealt"]
    assert loaded.waiting == (1,)


REFUSED: list[tuple[dict[str, Any], type[RuleViolation]]] = [
    ({}, MalformedAction),
    ({"name": "bet"}, MalformedAction),
    ({"name": "bet", "wagers": {"ante": 1000}, "to_minor": 3}, MalformedAction),
    ({"name": "bet", "wagers": {"ante": "1000"}}, MalformedAction),
    ({"name": "bet", "wagers": {"ante": True}}, MalformedAction),
    ({"name": "bet", "wagers": {"ante": -100}}, MalformedAction),
    ({"name": "bet", "wagers": {}}, errors.NothingStaked),
    ({"name": "bet", "wagers": {"ante": 0}}, errors.NothingStaked),
    ({"name": "bet", "wagers": {"play": 1000}}, errors.UnknownWager),
    ({"name": "bet", "wagers": {"prime": 1000}}, errors.UnknownWager),
    ({"name": "bet", "wagers": {"ante": 50}}, errors.WagerTooSmall),
    ({"name": "bet", "wagers": {"ante": 100_100}}, errors.WagerTooLarge),
    ({"name": "bet", "wagers": {"ante": 150}}, errors.WagerOffStep),
    ({"name": "bet", "wagers": {"six_card": 100}}, errors.WagerNeedsAnother),
    ({"name": "bet", "wagers": {"ante": 1600}}, errors.StackTooShort),
    ({"name": "bet", "wagers": {"ante": 1400, "pair_plus": 300}}, errors.StackTooShort),
    ({"name": "clear"}, NoSuchAction),
    ({"name": "play"}, NoSuchAction),
]


@pytest.mark.parametrize(("action", "error"), REFUSED)
def test_a_refused_bet_changes_nothing(action: dict[str, Any], error: type[RuleViolation]) -> None:
    table = opened({1: 3000}, THREE_SPOTS)
    before = table.dump()
    with pytest.raises(error):
        table.act(1, action)
    assert table.dump() == before


def test_a_seat_acts_only_when_it_may() -> None:
    table = opened({1: 9000, 2: 9000}, THREE_SPOTS)
    with pytest.raises(NotInHand):
        bet(table, 3, ante=1000)
    bet(table, 1, ante=1000)
    bet(table, 2, pair_plus=1000)
    table.expire()
    with pytest.raises(errors.BetsClosed):
        bet(table, 1, ante=2000)
    with pytest.raises(errors.BetsClosed):
        table.act(1, {"name": "clear"})
    with pytest.raises(NotYourTurn):
        table.act(2, {"name": "play"})
    with pytest.raises(NotYourTurn):
        table.default_action(2)
    with pytest.raises(NoSuchAction):
        table.act(1, {"name": "call"})
    with pytest.raises(MalformedAction):
        table.act(1, {"name": "play", "play_minor": 500})
    assert table.legal(2) == []
    table.act(1, {"name": "play"})
    with pytest.raises(HandIsOver):
        table.act(1, {"name": "play"})
    with pytest.raises(HandIsOver):
        table.expire()


def test_legal_says_the_ranges_the_stack_allows() -> None:
    table = opened({1: 1150, 2: 90}, THREE_SPOTS)
    (offer,) = table.legal(1)
    assert offer["wagers"] == {
        "ante": {"least_minor": 100, "most_minor": 500, "step_minor": 100},
        "pair_plus": {"least_minor": 100, "most_minor": 1150, "step_minor": 50},
        "six_card": {"least_minor": 100, "most_minor": 1150, "step_minor": 50},
    }
    assert table.legal(2) == []
    bet(table, 1, ante=500)
    assert [legal["name"] for legal in table.legal(1)] == ["bet", "clear"]
    table.expire()
    assert table.legal(1) == [{"name": "play", "amount_minor": 500}, {"name": "fold"}]


def test_pair_plus_alone_is_a_house_setting() -> None:
    table = opened({1: 5000}, THREE_SPOTS, options(policy={"pair_plus_alone": False}))
    with pytest.raises(errors.WagerNeedsAnother):
        bet(table, 1, pair_plus=500)
    bet(table, 1, ante=100, pair_plus=500)


def test_a_deck_with_a_card_twice_is_not_dealt() -> None:
    table = opened({1: 5000}, [0, 1, 2, 0, 3, 4])
    bet(table, 1, ante=1000)
    with pytest.raises(CardNotInDeck):
        table.expire()


@pytest.mark.parametrize(
    "changes",
    [
        {"limits": {}},
        {"limits": {"ante": {"least_minor": 100}}},
        {"limits": {"ante": {"least_minor": 150, "most_minor": 1000, "step_minor": 100}}},
        {"limits": {"play": LIMITS}},
        {"limits": {"ante": LIMITS, "pair_plus": SIDE}, "paytables": {}},
        {"paytables": {"pair_plus": {"two_pair": 3}}},
        {"paytables": {"pair_plus": {"pair": 1.5}}},
        {"paytables": {"pair_plus": {"pair": -1}}},
        {"paytables": {"ante": {"pair": 1}}},
        {"policy": {"pair_plus_on_fold": "sometimes"}},
        {"policy": {"pair_plus_alone": 1}},
        {"policy": {"ties": "push"}},
        {"qualifier": "nine"},
        {"settle_wagers": ["ante", "ante"]},
        {"settle_wagers": ["roulette"]},
        {"settle_seats": "random"},
        {"rake": 5},
    ],
)
def test_options_out_of_range_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(BadOptions):
        opened({1: 5000}, THREE_SPOTS, options(**changes))


@pytest.mark.parametrize("numbers", [(), (0,), (8,), (3, 3)])
def test_seats_that_cannot_be_dealt_in_are_refused(numbers: tuple[int, ...]) -> None:
    with pytest.raises(BadSeats):
        rounds.start(THREE_CARD_POKER, [SeatIn(n, 1000) for n in numbers], options(), THREE_SPOTS)


def test_the_game_is_a_value_that_json_keeps() -> None:
    stored = json.loads(json.dumps(THREE_CARD_POKER.to_json()))
    assert BankedGame.from_json(stored) == THREE_CARD_POKER


def test_a_state_of_another_format_is_refused() -> None:
    with pytest.raises(BadState):
        rounds.load(THREE_CARD_POKER, options(), [99], THREE_SPOTS)


# Whatever happens

stakes = st.fixed_dictionaries(
    {},
    optional={
        "ante": st.integers(1, 20).map(lambda n: n * 100),
        "pair_plus": st.integers(2, 20).map(lambda n: n * 50),
        "six_card": st.integers(2, 20).map(lambda n: n * 50),
    },
)


@st.composite
def played(draw: st.DrawFn) -> tuple[list[int], dict[int, int], dict[int, Any], dict[int, str]]:
    cards = draw(st.permutations(FULL_DECK))
    seats = draw(st.sets(st.integers(1, 7), min_size=1))
    stacks = {seat: draw(st.integers(0, 8000)) for seat in sorted(seats)}
    bets = {seat: draw(stakes) for seat in stacks}
    decisions = {seat: draw(st.sampled_from(("play", "fold", "silent"))) for seat in stacks}
    return cards, stacks, bets, decisions


def reloaded(table: BankedRound) -> BankedRound:
    state = json.loads(json.dumps(table.dump()))
    return rounds.load(table.game, table.options, state, table.deck)


def hidden_cards(table: BankedRound, viewer: int | None) -> set[str]:
    """Cards in the deck that this viewer has not been shown."""
    known = set()
    for seat, places in table.dealt.items():
        if seat == viewer or (table.over and table._shown(seat)):
            known.update(places)
    if table.over and table.dealt and table._dealer_needed():
        known.update(table.dealer)
    return {CARD_TEXT[card] for place, card in enumerate(table.deck) if place not in known}


@settings(max_examples=150, deadline=None)
@given(played())
def test_money_is_conserved_state_reloads_and_nothing_hidden_is_seen(
    story: tuple[list[int], dict[int, int], dict[int, Any], dict[int, str]],
) -> None:
    cards, stacks, bets, decisions = story
    table = opened(stacks, cards)
    twin = opened(stacks, cards)
    log: list[Event] = []

    def step(act: Any) -> None:
        """The same on the round, and on one that is stored and loaded around every step."""
        nonlocal twin
        twin = reloaded(twin)
        try:
            events = act(table)
        except RuleViolation as refused:
            with pytest.raises(type(refused)):
                act(twin)
            return
        assert act(twin) == events
        assert reloaded(twin).dump() == table.dump()
        log.extend(events)
        for viewer in (None, *stacks):
            seen = json.dumps(table.view(viewer))
            assert not [card for card in hidden_cards(table, viewer) if f'"{card}"' in seen]

    for seat, wagers in bets.items():
        action = {"name": "bet", "wagers": wagers}
        step(lambda t, seat=seat, action=action: t.act(seat, action))
        assert 0 <= table.committed(seat) <= stacks[seat]
    step(lambda t: t.expire())
    for seat, name in decisions.items():
        if name != "silent" and seat in table.waiting:
            step(lambda t, seat=seat, name=name: t.act(seat, {"name": name}))
    if not table.over:
        step(lambda t: t.expire())

    assert table.over
    result = table.result
    assert result is not None
    over = log[-1].public
    assert sum(result["nets_minor"].values()) + result["bank_minor"] == 0
    for seat, stack in stacks.items():
        key = str(seat)
        net = result["returned_minor"][key] - result["staked_minor"][key]
        assert net == result["nets_minor"][key] == over["nets_minor"][key]
        assert over["stacks_minor"][key] == stack + net >= 0
        assert result["staked_minor"][key] == table.committed(seat)
    shown = {card for event in log for card in event.public.get("cards", [])}
    assert not shown & hidden_cards(table, None)


# Dealing and settling orders, the maxima


def test_cards_go_round_singly_where_the_table_says_so() -> None:
    cards = deck("2c 3c 4c", "5d 6d 7d", "8h 9h Th")[:9]
    rest = [card for card in FULL_DECK if card not in cards]
    table = opened({1: 10_000, 2: 10_000}, cards + rest, options(deal="singly"))
    for seat in (1, 2):
        bet(table, seat, ante=100)
    table.expire()
    assert table.view(1)["spots"][0]["cards"] == ["2c", "5d", "8h"]
    assert table.view(2)["spots"][1]["cards"] == ["3c", "6d", "9h"]
    for seat in (1, 2):
        events = table.act(seat, {"name": "play"})
    assert only(events, "dealer_revealed")[0]["cards"] == ["4c", "7d", "Th"]
    again = rounds.load(THREE_CARD_POKER, table.options, table.dump(), table.deck)
    assert again.result == table.result


@pytest.mark.parametrize(("order", "seats"), [("last_first", [2, 1]), ("first_first", [1, 2])])
def test_spots_are_settled_in_the_order_of_the_rules(order: str, seats: list[int]) -> None:
    rules = options(settle_seats=order, settle_wagers=["pair_plus"])
    table = opened({1: 10_000, 2: 10_000}, deck("Kh 8d 3c", "9c 5d 2h", "Js Td 8h"), rules)
    for seat in (1, 2):
        bet(table, seat, ante=100, pair_plus=100)
    table.expire()
    for seat in (1, 2):
        events = table.act(seat, {"name": "play"})
    settled = only(events, "spot_settled")
    assert [spot["seat"] for spot in settled] == seats
    assert next(iter(settled[0]["wagers"])) == "pair_plus"


def test_prime_is_offered_where_the_table_has_limits_for_it() -> None:
    limits = {**options()["limits"], "prime": SIDE}
    table = opened({1: 10_000}, deck("Kh 8d 3h", "Jd Td 8h"), options(limits=limits))
    offered = table.legal(1)[0]["wagers"]
    assert "prime" in offered
    bet(table, 1, ante=100, prime=100)
    table.expire()
    events = table.act(1, {"name": "play"})
    prime = only(events, "spot_settled")[0]["wagers"]["prime"]
    assert (prime["odds"], prime["returned_minor"]) == (4, 500)


def test_announced_maxima_are_kept_when_the_bet_is_placed() -> None:
    rules = options(most_spot_minor=30_000, most_round_minor=45_000)
    table = opened({1: 100_000, 2: 100_000}, deck("Kh 8d 3c", "9c 5d 2h", "Js Td 8h"), rules)
    with pytest.raises(errors.PayoutTooLarge) as refused:
        bet(table, 1, ante=100, pair_plus=1_000)
    error = refused.value
    assert (error.scope, error.payout_minor, error.most_minor) == ("spot", 40_700, 30_000)
    assert error.possible == {"ante": 0, "pair_plus": 700}
    assert not table.bets[1]
    bet(table, 1, ante=100, pair_plus=700)
    with pytest.raises(errors.PayoutTooLarge) as refused:
        bet(table, 2, ante=100, pair_plus=700)
    assert (refused.value.scope, refused.value.possible["pair_plus"]) == ("round", 350)
    bet(table, 2, ante=100, pair_plus=350)
    bet(table, 1, ante=100)
    bet(table, 2, ante=100, pair_plus=700)


@pytest.mark.parametrize(
    "change",
    [{"deal": "anyhow"}, {"most_spot_minor": 0}, {"most_round_minor": True}, {"progressive": {}}],
)
def test_house_options_out_of_their_range_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadOptions):
        opened({1: 10_000}, deck("Kh 8d 3c", "Js Td 8h"), options(**change))
