"""The map of misdeals, and a dealer whose faults are injected into every variant."""

from __future__ import annotations

import pytest

from tables.engine.games import GAMES, start_hand
from tables.engine.poker import misdeals
from tables.engine.poker.hand import PokerHand
from tables.engine.poker.misdeals import (
    CARD_BOXED,
    CARD_EXPOSED,
    FAULTS,
    FOULED_DECK,
    MISDEALS,
    PLAYS_ON,
    REDEAL,
    SEAT_EXTRA,
    SEAT_SKIPPED,
    VOID,
    WRONG_COUNT,
    WRONG_SEAT_FIRST,
    cards_each,
    faults_in_deal,
    first_street,
    is_substantial,
    verdict_of,
)
from tables.engine.poker.vocabulary import BRING_IN, DECKS, PokerGame
from tables.engine.protocol import SeatIn

BLINDS = [{"type": "blind_posted"}, {"type": "blind_posted"}]
CALL, FOLD, CHECK = {"type": "called"}, {"type": "folded"}, {"type": "checked"}
POKER = [game for game in GAMES.values() if isinstance(game, PokerGame) and cards_each(game)]


@pytest.mark.parametrize(
    ("actions", "substantial"),
    [
        ([], False),
        ([CALL], False),
        ([FOLD, FOLD], False),
        ([FOLD, CALL], True),
        ([CALL, FOLD], True),
        ([FOLD, FOLD, FOLD], True),
        ([CHECK, CHECK, CHECK], True),
        ([{"type": "board_dealt"}], True),
    ],
)
def test_substantial_action_is_two_with_chips_or_any_three(
    actions: list[dict[str, str]], substantial: bool
) -> None:
    assert is_substantial([*BLINDS, *actions]) == substantial


@pytest.mark.parametrize("fault", FAULTS)
def test_the_verdict_on_every_fault_early_and_late(fault: str) -> None:
    early, late = verdict_of(fault, BLINDS), verdict_of(fault, [*BLINDS, CALL, FOLD])
    if fault == FOULED_DECK:
        assert (early, late) == (VOID, VOID)
    elif fault in (CARD_EXPOSED, CARD_BOXED):
        assert (early, late) == (PLAYS_ON, PLAYS_ON)
    else:
        assert (early, late) == (REDEAL, PLAYS_ON)


def test_what_is_no_fault_gets_no_verdict() -> None:
    with pytest.raises(KeyError):
        verdict_of("bad_luck", BLINDS)


def dealt(game: PokerGame) -> tuple[PokerHand, list[tuple[int, int]]]:
    options: dict[str, object] = {"small_bet_minor": 100, "ante_minor": 10}
    if game.forced in ("blinds", "blinds_from_button"):
        options = {"big_blind_minor": 100}
    if game.forced == BRING_IN:
        options["bring_in_minor"] = 20
    seats = [SeatIn(number, 10_000) for number in (2, 4, 7)[: max(2, game.seats[0])]]
    deck = list(DECKS[game.deck])
    hand, _ = start_hand(game, seats, options, deck, button=4, die=1 if game.die else 0)
    assert isinstance(hand, PokerHand)
    return hand, first_street(hand)


@pytest.mark.parametrize("game", POKER, ids=[game.id for game in POKER])
def test_an_injected_fault_is_found_in_every_variant_and_a_good_deal_is_good(
    game: PokerGame,
) -> None:
    hand, cards = dealt(game)
    numbers, button = list(hand.numbers), hand.button

    def found(deal: list[tuple[int, int]]) -> list[str]:
        return faults_in_deal(hand.game, numbers, button, deal)

    assert found(cards) == []
    first = cards[0][0]
    assert WRONG_SEAT_FIRST in found([*cards[1:], cards[0]])
    assert SEAT_SKIPPED in found([pair for pair in cards if pair[0] != first])
    assert SEAT_EXTRA in found([*cards, (9, cards[0][1])])
    extra = next(card for card in DECKS[game.deck] if card not in {c for _, c in cards})
    assert WRONG_COUNT in found([*cards, (first, extra)])
    assert FOULED_DECK in found([(first, cards[1][1]), *cards[1:]])
    assert FOULED_DECK in found([(first, 99), *cards[1:]])


def test_the_list_of_misdeals_is_the_one_of_the_rules() -> None:
    assert len(MISDEALS) == 7
    assert set(FAULTS) == {*MISDEALS, CARD_EXPOSED, CARD_BOXED, FOULED_DECK}
    assert misdeals.TWO_CARDS_EXPOSED in MISDEALS
