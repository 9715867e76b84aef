"""Windows at the end of a hand: show one, show all or muck; and the cards that would have come."""

from __future__ import annotations

from random import Random
from typing import Any

import orjson
import pytest

from tables.engine.errors import BadCardChoice, NoSuchAction
from tables.engine.poker.hand import PokerHand, load, start
from tables.engine.protocol import SeatIn
from tests.engine.poker.boards import all_in, hand_of
from tests.engine.poker.playing import do, ring_game, shuffled, stacks_of, table_options

ACES, KINGS, LOW = "As Ad", "Kh Kc", "7s 2d"
BOARD = "2c 7d 9h Js 4c"


def heads_up(*, stacks: tuple[int, int] = (100, 100), **options: Any) -> PokerHand:
    """Kings in seat 1, the big blind; aces in seat 2, on the button."""
    return hand_of("holdem", list(stacks), [KINGS, ACES], [BOARD], show_window=True, **options)


def types(events: list[Any]) -> list[str]:
    return [event.type for event in events]


class TestWinnerWhomNobodyCalled:
    def folded(self, **options: Any) -> PokerHand:
        hand = heads_up(**options)
        do(hand, "raise 20", "fold")
        return hand

    def test_the_pot_is_paid_and_then_he_is_asked(self) -> None:
        hand = self.folded()
        assert (hand.window, hand.waiting, hand.over, hand.result) == ("show", (2,), False, None)
        assert stacks_of(hand) == {1: 98, 2: 102}
        look = hand.view(None)
        assert (look["pot_minor"], look["pots"], look["awards"][0]["winners"]) == (0, [], {"2": 4})

    def test_he_may_show_all_some_or_none(self) -> None:
        assert self.folded().legal(2) == [
            {"name": "muck"}, {"name": "show", "least_cards": 1, "most_cards": 2, "of": 2},
        ]  # fmt: skip

    def test_all_his_cards_are_a_shown_hand(self) -> None:
        hand = self.folded()
        events = do(hand, "show 0 1")
        assert types(events) == ["hand_shown", "hand_over"]
        assert events[0].public == {"seat": 2, "cards": ACES.split()}
        assert hand.view(1)["players"][1]["cards"] == ACES.split()

    def test_one_card_shows_that_one_alone(self) -> None:
        hand = self.folded()
        events = do(hand, "show 1")
        assert types(events) == ["cards_shown", "hand_over"]
        assert events[0].public == {"seat": 2, "cards": ["Ad"]}
        look = hand.view(1)
        assert look["seen"] == {"2": ["Ad"]}
        assert "cards" not in look["players"][1]

    def test_who_says_nothing_shows_nothing(self) -> None:
        hand = self.folded()
        events = hand.expire()
        assert types(events) == ["hand_mucked", "hand_over"]
        assert events[0].public == {"seat": 2, "default": True}
        assert "As" not in str(hand.view(1))

    def test_what_is_no_choice_is_refused_and_changes_nothing(self) -> None:
        hand = self.folded()
        before = orjson.dumps(hand.dump())
        for cards in ([], [2], [0, 0], "01"):
            with pytest.raises(BadCardChoice):
                hand.act(2, {"name": "show", "cards": cards})
        with pytest.raises(NoSuchAction):
            hand.act(2, {"name": "check"})
        assert orjson.dumps(hand.dump()) == before

    def test_a_hand_stored_while_he_thinks_goes_on(self) -> None:
        hand = self.folded()
        again = load(hand.game, hand.options, orjson.loads(orjson.dumps(hand.dump())), hand.deck)
        assert again.view(2) == hand.view(2)
        assert do(again, "show 0") == do(hand, "show 0")
        assert again.result == hand.result

    def test_he_is_not_asked_where_the_table_does_not_say_so(self) -> None:
        hand = hand_of("holdem", [100, 100], [KINGS, ACES], [BOARD])
        do(hand, "raise 20", "fold")
        assert hand.over


class TestBeatenAtTheShowdown:
    def river(self, **options: Any) -> tuple[PokerHand, list[Any]]:
        hole = [KINGS, LOW, ACES]
        hand = hand_of("holdem", [100] * 3, hole, ["3c 8d 9h Js 4c"], show_window=True, **options)
        do(hand, "call", "call", "check", *["check"] * 6, "check", "check", "bet 4", "call")
        return hand, do(hand, "call")

    def test_who_must_show_shows_and_the_beaten_are_asked_at_once(self) -> None:
        hand, events = self.river()
        assert [e.public["seat"] for e in events if e.type == "hand_shown"] == [3]
        assert (hand.window, set(hand.waiting)) == ("show", {1, 2})
        assert stacks_of(hand) == {1: 94, 2: 94, 3: 112}

    def test_a_beaten_hand_that_is_shown_is_named(self) -> None:
        hand, _ = self.river()
        events = hand.act(1, {"name": "show", "cards": [0, 1]})
        assert events[0].public["high"]["class"] == "pair"
        assert not hand.over
        hand.act(2, {"name": "muck"})
        assert hand.over
        assert set(hand.view(None)["shown"]) == {"1", "3"}

    def test_silence_mucks_all_of_them(self) -> None:
        hand, _ = self.river()
        assert types(hand.expire()) == ["hand_mucked", "hand_mucked", "hand_over"]

    def test_hands_that_are_all_in_are_tabled_and_nobody_is_asked(self) -> None:
        hand = heads_up()
        all_in(hand)
        assert hand.over
        assert set(hand.view(None)["shown"]) == {"1", "2"}

    def test_without_auto_muck_all_are_shown_and_nobody_is_asked(self) -> None:
        hand, _ = self.river(auto_muck=False)
        assert hand.over
        assert set(hand.view(None)["shown"]) == {"1", "2", "3"}


class TestRabbit:
    def test_the_rest_of_the_board_is_shown_burns_left_out(self) -> None:
        hand = hand_of("holdem", [100, 100], [KINGS, ACES], [BOARD], rabbit=True)
        do(hand, "call", "check")
        events = do(hand, "bet 10", "fold")
        assert types(events)[-3:] == ["pot_awarded", "rabbit_shown", "hand_over"]
        assert events[-2].public == {"cards": ["Js", "4c"], "boards": [["Js", "4c"]]}
        assert hand.view(None)["rabbit"] == [["Js", "4c"]]
        assert hand.view(None)["board"] == BOARD.split()[:3]

    def test_before_the_flop_it_is_the_whole_board(self) -> None:
        hand = hand_of("holdem", [100, 100], [KINGS, ACES], [BOARD], rabbit=True)
        assert do(hand, "fold")[-2].public["cards"] == BOARD.split()

    def test_it_is_the_board_that_comes_when_nobody_folds(self) -> None:
        hands = [hand_of("omaha", [100] * 3, ["Ks Kh Qs Qh", *REST], [BOARD], rabbit=True)
                 for _ in range(2)]  # fmt: skip
        do(hands[0], "fold", "fold")
        all_in(hands[1])
        assert hands[0].view(None)["rabbit"][0] == hands[1].texts(hands[1].board)

    def test_no_mucked_card_is_among_them(self) -> None:
        hand = hand_of("holdem", [100] * 3, [KINGS, LOW, ACES], ["3c 8d 9h Js 4c"], rabbit=True)
        do(hand, "fold", "fold")
        shown = {card for board in hand.view(None)["rabbit"] for card in board}
        assert not shown & {*KINGS.split(), *LOW.split(), *ACES.split()}

    @pytest.mark.parametrize("game_id", ["stud", "five_card_draw", "crazy_pineapple"])
    def test_nothing_is_shown_where_players_were_to_get_or_throw_cards(self, game_id: str) -> None:
        game = ring_game(game_id)
        seats = [SeatIn(1, 100), SeatIn(2, 100)]
        deck = shuffled(game, Random(5))
        hand, _ = start(game, seats, table_options(game, rabbit=True), deck, button=1)
        while not hand.over:
            names = [choice["name"] for choice in hand.legal(hand.waiting[0])]
            do(hand, "fold" if "fold" in names else names[0])
        assert "rabbit" not in hand.view(None)

    def test_nothing_is_shown_after_a_showdown(self) -> None:
        hand = hand_of("holdem", [100, 100], [KINGS, ACES], [BOARD], rabbit=True)
        all_in(hand)
        assert "rabbit" not in hand.view(None)


REST = ["Jd Jh Ts Th", "As Ah 8s 8h"]
