"""Hands written in the Poker Hand History format, read again by PokerKit."""

from __future__ import annotations

import tomllib
import warnings
from decimal import Decimal
from typing import Any

import pytest
from pokerkit import HandHistory

from tables.engine.history.phh import VARIANTS, phh, toml, why_no_phh
from tables.engine.poker.hand import PokerHand
from tables.engine.poker.vocabulary import FIXED
from tests.engine.history.records import record_of, whole_hands
from tests.engine.poker.lockstep import FixedOmahaEight
from tests.engine.poker.playing import do, ring_game, scripted, table_options

GAMES = sorted(VARIANTS)


@pytest.fixture(autouse=True)
def omaha_hi_lo_is_fixed_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """PokerKit's own class for FO/8 bets pot limit."""
    warnings.simplefilter("ignore")
    monkeypatch.setitem(HandHistory.game_types, "FO/8", FixedOmahaEight)


def stakes(game_id: str, limit: str, **changes: Any) -> dict[str, Any]:
    return table_options(ring_game(game_id), limit, no_double_bet=True, **changes)


def read(text: str, exponent: int = 0) -> list[int]:
    """The stacks at the end, in minor units, as PokerKit plays the document."""
    unit = Decimal(10) ** exponent

    def minor(told: str) -> int:
        return int(Decimal(told) * unit)

    history = HandHistory.loads(text, parse_value=minor)
    history.parse_value = minor
    return list(list(history)[-1].stacks)


def may_differ(hand: PokerHand) -> bool:
    """Odd chips of a split pot, and pots without a low beside others with one."""
    assert hand.result is not None
    pots = hand.result["pots"]
    split = any(len(pot["awards"]) > 1 for pot in pots)
    return split or len({"low" in pot for pot in pots}) > 1


@pytest.mark.parametrize(("game_id", "limit"), GAMES)
@pytest.mark.parametrize("viewer", [None, 1])
def test_read_again_it_ends_with_the_same_stacks(
    game_id: str, limit: str, viewer: int | None
) -> None:
    options = stakes(game_id, limit)
    depth = (400, 400) if limit == FIXED else (30, 90)
    same = 0
    seats = (2, 4) if game_id in ("triple_draw_27", "badugi") else (2, 6)
    for hand, events in whole_hands(game_id, options, 12, stacks=depth, seats=seats):
        record = record_of(hand, events, options, viewer=viewer)
        assert why_no_phh(record) == ""
        stacks = read(phh(record))
        assert sum(stacks) == sum(hand.stacks)
        if stacks == hand.stacks:
            same += 1
        else:
            assert may_differ(hand), phh(record)
    assert same >= 8


def test_amounts_are_of_the_major_unit_and_rake_is_told_beside_them() -> None:
    options = stakes("holdem", "no_limit", rake={"basis_points": 500})
    for hand, events in whole_hands("holdem", options, 8, stacks=(60, 60)):
        text = phh(record_of(hand, events, options, viewer=2, exponent=2))
        told = tomllib.loads(text, parse_float=Decimal)
        assert told["blinds_or_straddles"][:2] == [Decimal("0.01"), Decimal("0.02")]
        assert hand.result is not None
        assert told["_rake"] * 100 == hand.result["rake_minor"]
        assert [stack * 100 for stack in told["finishing_stacks"]] == hand.stacks
        ahead = sum(read(text, 2)) - sum(hand.stacks)
        assert ahead == hand.result["rake_minor"]


def test_a_straddle_left_of_the_big_blind_is_a_third_blind() -> None:
    def posts(button: int, count: int) -> list[dict[str, Any]]:
        small, big, over = ((button + nth) % count + 1 for nth in range(3))
        return [
            {"seat": small, "kind": "small"},
            {"seat": big, "kind": "big"},
            {"seat": over, "kind": "straddle"},
        ]

    options = stakes("holdem", "no_limit", straddle="left")
    played = whole_hands("holdem", options, 8, stacks=(60, 90), seats=(4, 6), posts=posts)
    for hand, events in played:
        text = phh(record_of(hand, events, options))
        assert tomllib.loads(text)["blinds_or_straddles"][:3] == [1, 2, 4]
        assert read(text) == hand.stacks or may_differ(hand)


@pytest.mark.parametrize("word", ["show", "muck"])
def test_what_is_shown_after_all_have_folded_is_no_showdown(word: str) -> None:
    options = stakes("holdem", "no_limit", show_window=True)
    hand, events = scripted("holdem", [100, 100], show_window=True)
    events += do(hand, "fold")
    places = {"cards": [0, 1]} if word == "show" else {}
    events += hand.act(hand.waiting[0], {"name": word, **places})
    text = phh(record_of(hand, events, options))
    assert " sm" not in text
    assert read(text) == hand.stacks


def test_a_kill_pot_is_refused_with_the_reason() -> None:
    options = stakes("holdem", "fixed", kill={"size": "full"})
    posts = [{"seat": 2, "kind": "small"}, {"seat": 3, "kind": "big"}, {"seat": 1, "kind": "kill"}]
    played = whole_hands(
        "holdem", options, 2, stacks=(90, 90), seats=(3, 3), posts=lambda *_: posts
    )
    for hand, events in played:
        assert "kill" in why_no_phh(record_of(hand, events, options))


def test_a_viewer_s_own_cards_are_in_it_and_no_other_s() -> None:
    hand, events = scripted(
        "holdem", [100, 100], hole=["Kc 7s", "2d 4s"], board="Kd 7h 3c Jh 9d", button=0
    )
    events += do(hand, "raise 6", "call", "check", "bet 94", "fold")
    options = stakes("holdem", "no_limit")
    text = phh(record_of(hand, events, options, viewer=1))
    assert "2d4s" in text
    assert "Kc" not in text
    assert "d dh p2 ????" in text
    assert "????" in phh(record_of(hand, events, options)).replace("d dh p2", "")


def test_what_the_format_cannot_say_is_refused_with_the_reason() -> None:
    options = stakes("holdem", "no_limit")
    hand, events = scripted("holdem", [100, 100])
    events += do(hand, "fold")
    assert why_no_phh(record_of(hand, events, options)) == ""
    assert "voided" in why_no_phh(record_of(hand, events, options, result=None))
    assert "earlier hand" in why_no_phh(record_of(hand, events, options, carry_minor=5))
    pot_limit = stakes("holdem", "pot")
    assert "no variant" in why_no_phh(record_of(hand, events, pot_limit))
    changed = {**hand.game.to_json(), "wild": "2"}
    assert "no variant" in why_no_phh(record_of(hand, events, options, definition=changed))


@pytest.mark.parametrize("text", ['a "b" \\ c', "line\nbreak\x07", "Zażółć gęślą 🂡", "'''"])
def test_any_name_can_be_read_again(text: str) -> None:
    assert tomllib.loads(f"name = {toml(text)}") == {"name": text}
