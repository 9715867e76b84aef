"""What becomes of a hand in which a card was dealt wrongly.

Before substantial action most faults mean the same deal again, with button and blinds where they
were; after it the hand plays on. A fouled deck always ends the hand, and all bets go back. Source:
docs/rules/interruptions.md 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

from tables.engine.poker.state import State
from tables.engine.poker.vocabulary import DECKS, Deal, PokerGame
from tables.engine.protocol import Event

REDEAL, PLAYS_ON, VOID = "redeal", "plays_on", "void"

WRONG_SEAT_FIRST = "wrong_seat_first"
SEAT_SKIPPED, SEAT_EXTRA, WRONG_COUNT = "seat_skipped", "seat_extra", "wrong_count"
FIRST_CARD_EXPOSED, TWO_CARDS_EXPOSED = "first_card_exposed", "two_cards_exposed"
CARD_EXPOSED = "card_exposed"
TWO_CARDS_BOXED, CARD_BOXED = "two_cards_boxed", "card_boxed"
FOULED_DECK = "fouled_deck"

MISDEALS = (
    WRONG_SEAT_FIRST, SEAT_SKIPPED, SEAT_EXTRA, WRONG_COUNT, FIRST_CARD_EXPOSED,
    TWO_CARDS_EXPOSED, TWO_CARDS_BOXED,
)  # fmt: skip
# A single card that was seen later on, or lay face up in the deck, spoils nothing.
SMALL_FAULTS = (CARD_EXPOSED, CARD_BOXED)
FAULTS = (*MISDEALS, *SMALL_FAULTS, FOULED_DECK)

WITH_CHIPS = ("called", "bet", "raised", "completed")
WITHOUT_CHIPS = ("checked", "folded")
STREET_OVER = ("board_dealt", "street_opened", "draw_announced")


def is_substantial(events: Iterable[Event | Mapping[str, Any]]) -> bool:
    """Whether the first round has seen two actions, one of them with chips, or any three.

    Blinds, antes and a bring-in are no actions; a second street means that there were some.
    """
    actions = with_chips = 0
    for event in events:
        kind = event.type if isinstance(event, Event) else event["type"]
        actions += kind in WITH_CHIPS or kind in WITHOUT_CHIPS
        with_chips += kind in WITH_CHIPS
        if kind in STREET_OVER or actions >= 3 or (actions >= 2 and with_chips):
            return True
    return False


def verdict_of(fault: str, events: Iterable[Event | Mapping[str, Any]]) -> str:
    """What the rules say of a fault in a hand with these events. Raises KeyError for no fault."""
    if fault == FOULED_DECK:
        return VOID
    if fault in SMALL_FAULTS:
        return PLAYS_ON
    if fault not in MISDEALS:
        raise KeyError(fault)
    return PLAYS_ON if is_substantial(events) else REDEAL


def cards_each(game: PokerGame) -> int:
    """How many cards a seat gets before the first decision."""
    leading = takewhile(lambda step: isinstance(step, Deal), game.steps)
    return sum(step.down + step.up for step in leading if isinstance(step, Deal))


def first_street(state: State) -> list[tuple[int, int]]:
    """(seat, card) of a hand's first cards, in the order in which they left the deck."""
    held = [
        (at, state.numbers[place])
        for place in range(len(state.numbers))
        for at in (*state.down[place], *state.up[place])
    ]
    first = sorted(held)[: cards_each(state.game) * len(state.living())]
    return [(seat, state.deck[at]) for at, seat in first]


def faults_in_deal(
    game: PokerGame, numbers: Sequence[int], button: int, dealt: Sequence[tuple[int, int]]
) -> list[str]:
    """What is wrong with the first cards of a deal, as far as the cards themselves tell.

    numbers: the seats dealt in. dealt: see `first_street`. Returns faults of the list above, none
    for a good deal.
    """
    each = cards_each(game)
    if not each:
        return []
    cards = [card for _, card in dealt]
    counts = {seat: sum(got == seat for got, _ in dealt) for seat in {*numbers, *dict(dealt)}}
    first = min(numbers, key=lambda seat: (seat <= button, seat))
    found = {
        FOULED_DECK: len(set(cards)) != len(cards) or not set(cards) <= set(DECKS[game.deck]),
        SEAT_EXTRA: any(seat not in numbers for seat in counts),
        SEAT_SKIPPED: any(not counts[seat] for seat in numbers),
        WRONG_COUNT: any(counts[seat] not in (0, each) for seat in numbers),
        WRONG_SEAT_FIRST: bool(dealt) and dealt[0][0] in numbers and dealt[0][0] != first,
    }
    return [fault for fault, is_there in found.items() if is_there]
