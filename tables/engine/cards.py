"""Cards as numbers.

A card is `4 * rank + suit`: rank 0..12 for deuce..ace, suit 0..3 for clubs, diamonds, hearts,
spades. 52, 53 and 54 are jokers. Text ("Kh", "Jk") is for events, views and exports alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tables.engine.errors import UnknownCard

RANK_TEXT = "23456789TJQKA"
SUIT_TEXT = "cdhs"
JOKER_TEXT = ("Jk", "X1", "X2")
FIRST_JOKER = 52

CARD_TEXT: tuple[str, ...] = tuple(rank + suit for rank in RANK_TEXT for suit in SUIT_TEXT) + (
    JOKER_TEXT
)
CARD_OF: dict[str, int] = {text: card for card, text in enumerate(CARD_TEXT)}

FULL_DECK: tuple[int, ...] = tuple(range(52))
SHORT_DECK: tuple[int, ...] = tuple(range(16, 52))  # sixes and up
JOKER_DECK: tuple[int, ...] = tuple(range(53))
TWO_JOKER_DECK: tuple[int, ...] = tuple(range(54))

RANK_WORDS = (
    "deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "jack", "queen", "king", "ace",
)  # fmt: skip
RANK_PLURALS = tuple(word + ("es" if word.endswith("x") else "s") for word in RANK_WORDS)


def parse_card(text: str) -> int:
    """The card of "Kh", "Jk"... Raises UnknownCard."""
    try:
        return CARD_OF[text]
    except (KeyError, TypeError):
        raise UnknownCard(str(text)) from None


def parse_cards(texts: Iterable[str]) -> list[int]:
    """Cards of their texts, in order. Raises UnknownCard."""
    return [parse_card(text) for text in texts]


def card_texts(cards: Sequence[int]) -> list[str]:
    """Texts of cards, in order."""
    text = CARD_TEXT
    return [text[card] for card in cards]
