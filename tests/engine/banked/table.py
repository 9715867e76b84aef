"""A Three Card Poker table as the tests set it up."""

from __future__ import annotations

from typing import Any

from tables.engine.banked import rounds
from tables.engine.banked.rounds import BankedRound
from tables.engine.cards import FULL_DECK, parse_cards
from tables.engine.games.three_card_poker import STANDARD_PAYTABLES, THREE_CARD_POKER
from tables.engine.protocol import Event, SeatIn

LIMITS = {"least_minor": 100, "most_minor": 100_000, "step_minor": 100}
SIDE = {"least_minor": 100, "most_minor": 50_000, "step_minor": 50}


def options(**changes: Any) -> dict[str, Any]:
    return {
        "limits": {"ante": LIMITS, "pair_plus": SIDE, "six_card": SIDE},
        "paytables": {
            wager: next(iter(tables.values())) for wager, tables in STANDARD_PAYTABLES.items()
        },
        "policy": {},
        **changes,
    }


def deck(*hands: str) -> list[int]:
    """A deck that begins with these hands, one text of cards each, the dealer's last."""
    front = parse_cards(" ".join(hands).split())
    return front + [card for card in FULL_DECK if card not in front]


def opened(
    stacks: dict[int, int], cards: list[int], changed: dict[str, Any] | None = None
) -> BankedRound:
    seats = [SeatIn(seat, stack) for seat, stack in stacks.items()]
    table, events = rounds.start(THREE_CARD_POKER, seats, changed or options(), cards)
    assert events == []
    return table


def bet(table: BankedRound, seat: int, **wagers: int) -> list[Event]:
    return table.act(seat, {"name": "bet", "wagers": wagers})


def types(events: list[Event]) -> list[str]:
    return [event.type for event in events]


def only(events: list[Event], kind: str) -> list[dict[str, Any]]:
    return [event.public for event in events if event.type == kind]
