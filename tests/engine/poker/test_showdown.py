"""Who shows, in which order, and what is said about it."""

from __future__ import annotations

from tables.engine.protocol import Event
from tests.engine.poker.playing import do, scripted

BOARD = "2c 3c 7h 8h 9d"
CHECKS = ("check",) * 3


def shown(events: list[Event]) -> list[int]:
    return [event.public["seat"] for event in events if event.type == "hand_shown"]


def mucked(events: list[Event]) -> list[int]:
    return [event.public["seat"] for event in events if event.type == "hand_mucked"]


def test_the_last_aggressor_shows_first() -> None:
    hand, _ = scripted("holdem", [100] * 3, hole=["Ks Kd", "As Ad", "Qs Qd"], board=BOARD)
    do(hand, "call", "call", "check", *CHECKS, *CHECKS)
    events = do(hand, "check", "bet 10", "call", "call")
    assert shown(events)[0] == 2


def test_checked_through_the_first_left_of_the_button_shows_first() -> None:
    hand, _ = scripted("holdem", [100] * 3, button=1, hole=["Ks Kd", "As Ad", "Qs Qd"], board=BOARD)
    do(hand, "raise 6", "call", "call")
    events = do(hand, *CHECKS, *CHECKS, *CHECKS)
    assert shown(events) == [2, 0, 1]


def test_a_hand_that_cannot_win_is_mucked_unseen() -> None:
    hand, _ = scripted("holdem", [100] * 3, button=1, hole=["Ks Kd", "Qs Qd", "As Ad"], board=BOARD)
    do(hand, "call", "call", "check")
    events = do(hand, *CHECKS, *CHECKS, *CHECKS)
    assert shown(events) == [2]
    assert mucked(events) == [0, 1]
    looks = {player["seat"]: player for player in hand.view(None)["players"]}
    assert "cards" not in looks[0]
    assert looks[2]["cards"] == ["As", "Ad"]


def test_without_auto_muck_every_hand_is_shown() -> None:
    hand, _ = scripted("holdem", [100] * 3, button=1, hole=["Ks Kd", "Qs Qd", "As Ad"],
                       board=BOARD, auto_muck=False)  # fmt: skip
    do(hand, "call", "call", "check")
    assert shown(do(hand, *CHECKS, *CHECKS, *CHECKS)) == [2, 0, 1]


def test_all_in_every_live_hand_is_tabled_before_the_board_is_run_out() -> None:
    hand, _ = scripted("holdem", [100] * 3, hole=["Ks Kd", "As Ad", "Qs Qd"], board=BOARD)
    do(hand, "raise 100", "call")
    events = do(hand, "call")
    kinds = [event.type for event in events]
    assert kinds.index("hand_shown") < kinds.index("board_dealt")
    assert kinds.count("board_dealt") == 3
    assert set(shown(events)) == {0, 1, 2}
    assert not mucked(events)


def test_an_all_in_hand_is_shown_even_if_it_cannot_win() -> None:
    hand, _ = scripted("holdem", [20, 100, 100], hole=["Qs Qd", "As Ad", "Ks Kd"], board=BOARD)
    do(hand, "raise 20", "call", "call")
    events = do(hand, *["check"] * 6)
    assert set(shown(events)) == {0, 1, 2}


def test_a_player_all_in_is_not_folded_and_gets_no_turn() -> None:
    hand, _ = scripted("holdem", [50, 100, 100], hole=["As Ad", "Ks Kd", "Qs Qd"], board=BOARD)
    do(hand, "raise 50", "call", "call")
    looks = {player["seat"]: player["status"] for player in hand.view(None)["players"]}
    assert looks == {0: "all_in", 1: "live", 2: "live"}
    assert hand.waiting == (1,)
    do(hand, "bet 50", "call")
    assert hand.result is not None
    assert [pot["awards"] for pot in hand.result["pots"]] == [{"0": 150}, {"1": 100}]


def test_a_fold_on_the_river_shows_nothing() -> None:
    hand, _ = scripted("holdem", [100] * 2, hole=["As Ad", "Ks Kd"], board=BOARD)
    do(hand, "call", "check", *["check"] * 4)
    events = do(hand, "bet 10", "fold")
    assert not shown(events)
    assert not any(event.private for event in events)
    assert hand.result is not None
    assert hand.result["showdown"] is False


def test_a_shown_hand_names_the_cards_that_play_in_words() -> None:
    hand, _ = scripted("holdem", [100] * 2, hole=["Kc 7s", "2d 4s"], board="Kd 7h 3c Jh 9d")
    do(hand, "call", "check")
    events = do(hand, *["check"] * 6)
    (public,) = [e.public for e in events if e.type == "hand_shown" and e.public["seat"] == 0]
    assert public["high"] == {
        "class": "two_pair",
        "ranks": "K7J",
        "words": "Two pair, kings and sevens, jack kicker",
        "cards": ["Kc", "Kd", "7s", "7h", "Jh"],
    }


def test_a_pot_says_why_in_one_line() -> None:
    hand, _ = scripted("holdem", [100] * 2, hole=["Kc 7s", "2d 4s"], board="Kd 7h 3c Jh 9d")
    events = do(hand, "call", "check", *["check"] * 6)
    (award,) = [event.public for event in events if event.type == "pot_awarded"]
    assert award["words"] == "Two pair, kings and sevens, jack kicker"
    hand, _ = scripted("holdem", [100] * 2)
    events = do(hand, "fold")
    (award,) = [event.public for event in events if event.type == "pot_awarded"]
    assert award["words"] == "Everybody else has folded"


def test_the_history_of_an_all_in_on_the_flop_has_the_whole_board_both_hands_and_the_pot() -> None:
    hand, events = scripted("holdem", [100] * 2, hole=["As Ad", "Ks Kd"], board=BOARD)
    events += do(hand, "call", "check", "bet 98", "call")
    boards = [event.public["board"] for event in events if event.type == "board_dealt"]
    assert boards[-1] == BOARD.split()
    assert set(shown(events)) == {0, 1}
    assert [event.type for event in events][-2:] == ["pot_awarded", "hand_over"]


def test_the_board_plays_for_both() -> None:
    hand, _ = scripted("holdem", [100] * 2, hole=["8d 5c", "8s 2h"], board="Ah Jd 3c Qs 3h")
    do(hand, "call", "check", *["check"] * 6)
    assert hand.result is not None
    assert hand.result["pots"][0]["awards"] == {"1": 2, "0": 2}


def test_omaha_plays_exactly_two_of_the_hand() -> None:
    hand, _ = scripted(
        "omaha", [100] * 2, hole=["As Kd Qc Jh", "2c 2h 3d 3h"], board="Ts 9s 8s 7s 2d"
    )
    events = do(hand, "call", "check", *["check"] * 6)
    (public,) = [e.public for e in events if e.type == "hand_shown" and e.public["seat"] == 0]
    assert public["high"]["class"] == "straight"
    assert set(public["high"]["cards"]) == {"Qc", "Jh", "Ts", "9s", "8s"}
