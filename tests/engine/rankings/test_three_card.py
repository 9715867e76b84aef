"""Three-card hands, all of them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from tables.engine.cards import FULL_DECK, card_texts, parse_cards
from tables.engine.rankings.tables import category_of
from tables.engine.rankings.three_card import (
    CLASSES,
    MINI_ROYAL,
    QUALIFIERS,
    RANKING,
    STRAIGHT,
    three_card,
    three_card_words,
)

ALL = {cards: three_card(cards) for cards in combinations(FULL_DECK, 3)}


def value(text: str) -> int:
    return three_card(parse_cards(text.split()))


def plainly(cards: tuple[int, ...]) -> tuple[int, ...]:
    """The same order, written another way: class first, then the ranks that decide."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    suited = len({card % 4 for card in cards}) == 1
    kinds = len(set(ranks))
    if ranks == [12, 1, 0]:
        ranks = [1, 0, -1]
    straight = kinds == 3 and ranks[0] - ranks[2] == 2
    if kinds == 2:
        pair = ranks[1]
        return (1, pair, next(rank for rank in ranks if rank != pair))
    if kinds == 1:
        return (4, *ranks)
    return ((0, 3, 2, 5)[straight + 2 * suited], *ranks)


def test_every_hand_has_its_class() -> None:
    counts = Counter(CLASSES[category_of(held)] for held in ALL.values())
    assert counts == {
        "straight_flush": 48,
        "three_of_a_kind": 52,
        "straight": 720,
        "flush": 1096,
        "pair": 3744,
        "high_card": 16440,
    }
    assert sum(held == MINI_ROYAL for held in ALL.values()) == 4


def test_there_are_741_strengths_in_the_plain_order() -> None:
    by_value = sorted(ALL, key=ALL.__getitem__)
    assert len(set(ALL.values())) == 741
    order = [plainly(cards) for cards in by_value]
    assert order == sorted(order)
    assert len(set(order)) == 741


def test_the_dealer_qualifies_from_queen_three_deuce() -> None:
    qualified = sum(held >= QUALIFIERS["queen"] for held in ALL.values())
    assert qualified * 1105 == 769 * len(ALL)
    assert value("Qs 3d 2h") >= QUALIFIERS["queen"] > value("Js Td 8h")
    assert value("2s 2d 3h") >= QUALIFIERS["pair"] > value("As Kd Jh")


def test_hands_are_said_in_words() -> None:
    said = {text: three_card_words(value(text))[1] for text in (
        "Ts Th 3d", "Jh 6h 2h", "As Jd 5c", "9d 8c 7s", "6c 6d 6h", "5s 4s 3s", "As Ks Qs",
        "Ah 2d 3c",
    )}  # fmt: skip
    assert list(said.values()) == [
        "Pair of tens",
        "Flush, jack high",
        "Ace high",
        "Straight, nine high",
        "Three sixes",
        "Straight flush, five high",
        "Mini royal",
        "Straight, three high",
    ]


def test_the_playing_cards_come_in_the_order_in_which_they_count() -> None:
    def playing(text: str) -> str:
        cards = tuple(parse_cards(text.split()))
        return " ".join(card_texts(RANKING.playing(cards, RANKING.value(cards))))

    assert playing("3d Ts Th") == "Ts Th 3d"
    assert playing("Ah 3c 2d") == "3c 2d Ah"
    assert playing("5c As Jd") == "As Jd 5c"
    assert category_of(value("Ah 3c 2d")) == STRAIGHT
