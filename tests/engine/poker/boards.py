"""Hands whose cards come out as told on several boards: burns are cards that nobody has named."""

from __future__ import annotations

from typing import Any

from tables.engine.cards import FULL_DECK
from tables.engine.poker.hand import PokerHand, start
from tables.engine.protocol import SeatIn
from tests.engine.poker.playing import cards, do, ring_game, table_options

STREETS = (3, 1, 1)


def deck_of(
    hole: list[str], boards: list[str], kept: int = 0, *, at_once: bool = False
) -> list[int]:
    """hole: by place from the button's left. boards: each whole; the first `kept` cards of a later
    run lie there already. at_once: street by street on every board, behind one burn a street.
    """
    hands = [cards(hand) for hand in hole]
    laid = [cards(board) for board in boards]
    out: list[int | None] = [hand[nth] for nth in range(len(hands[0])) for hand in hands]
    if at_once:
        for end, count in zip((3, 4, 5), STREETS, strict=True):
            out.append(None)
            for board in laid:
                out += board[end - count : end]
    else:
        for nth, board in enumerate(laid):
            for end, count in zip((3, 4, 5), STREETS, strict=True):
                if end <= (kept if nth else 0):
                    continue
                out += [None, *board[end - count : end]]
    named = {card for card in out if card is not None}
    spare = [card for card in FULL_DECK if card not in named]
    return [spare.pop() if card is None else card for card in out] + spare


def hand_of(
    game_id: str,
    stacks: list[int],
    hole: list[str],
    boards: list[str],
    kept: int = 0,
    limit: str | None = None,
    **options: Any,
) -> PokerHand:
    """Stacks and hands by seat from 1; the last seat has the button."""
    game = ring_game(game_id)
    seats = [SeatIn(seat, stack) for seat, stack in enumerate(stacks, 1)]
    table = table_options(game, limit, **options)
    deck = deck_of(hole, boards, kept)
    hand, _ = start(game, seats, table, deck, button=len(stacks))
    return hand


def all_in(hand: PokerHand) -> None:
    """Raise or call with all there is until nobody is asked for a bet."""
    while hand.window == "turn":
        choices = {choice["name"]: choice for choice in hand.legal(hand.waiting[0])}
        more = next((c for c in choices.values() if "most_to_minor" in c), None)
        if more:
            do(hand, f"{more['name']} {more['most_to_minor']}")
        else:
            do(hand, "call" if "call" in choices else "check")


def run_it(hand: PokerHand, *choices: int) -> list[Any]:
    """Answers of those who are asked, in order of their seats."""
    events: list[Any] = []
    for choice in choices:
        events += hand.act(hand.waiting[0], {"name": "run_it", "choice": choice})
    return events
