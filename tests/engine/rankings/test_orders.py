"""Fast orders against the same rules written the slow way, and against other people's."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations

import pokerkit
import pytest
from phevaluator import evaluate_cards

from tables.engine.cards import CARD_TEXT, FULL_DECK, card_texts, parse_cards
from tables.engine.rankings import RANKINGS
from tables.engine.rankings.ace_to_five import ace_to_five
from tables.engine.rankings.badugi import ACE_HIGH, badugi
from tables.engine.rankings.deuce_to_seven import deuce_to_seven
from tables.engine.rankings.eight_or_better import BY_TOP
from tables.engine.rankings.high import STRAIGHT, high
from tables.engine.rankings.omaha_low import omaha_low, omaha_low_playing
from tables.engine.rankings.tables import category_of
from tables.engine.rankings.wild import bug_high, spit_high, wild_cards, wild_high

Cards = tuple[int, ...]
JOKER = 52


def deals(seed: int, size: int, count: int, deck: Cards = FULL_DECK) -> Iterator[Cards]:
    rng = random.Random(seed)
    for _ in range(count):
        yield tuple(rng.sample(deck, size))


def hand(text: str) -> Cards:
    return tuple(parse_cards(text.split()))


def same_order(
    hands: list[Cards], ours: Callable[[Cards], int], theirs: Callable[[Cards], object]
) -> None:
    """Whether two orders agree on every pair: sorted by one they are sorted by the other."""
    by_ours: dict[int, object] = {}
    for cards in hands:
        value, other = ours(cards), theirs(cards)
        assert by_ours.setdefault(value, other) == other, card_texts(cards)
    ranked = [by_ours[value] for value in sorted(by_ours)]
    assert ranked == sorted(ranked)  # type: ignore[type-var]
    assert len(set(map(str, ranked))) == len(ranked)


# Plainly written rules: a hand as a list that sorts like its strength


def low_ranks(cards: Cards) -> list[int]:
    return sorted(((card // 4 + 1) % 13 for card in cards), reverse=True)


def plain_ace_to_five(cards: Cards) -> list[int]:
    best: list[int] = []
    for five in combinations(low_ranks(cards), 5):
        counts = sorted(((five.count(rank), rank) for rank in set(five)), reverse=True)
        shape = [count for count, _ in counts]
        judged = [-count for count in shape] + [0] * (5 - len(shape))
        found = judged + [-rank for _, rank in counts] + [0] * (5 - len(shape))
        best = max(best, found) if best else found
    return best


def plain_qualified(cards: Cards, top: int) -> list[int]:
    ranks = sorted({rank for rank in low_ranks(cards) if rank < top})[:5]
    return [1] + [-rank for rank in reversed(ranks)] if len(ranks) == 5 else [0]


def plain_badugi(cards: Cards, rank_of: Callable[[int], int]) -> list[int]:
    found = [
        [size, *sorted(-rank_of(card) for card in held)]
        for size in range(1, 5)
        for held in combinations(cards, size)
        if len({card // 4 for card in held}) == size == len({card % 4 for card in held})
    ]
    return max(found)


def ace_low(card: int) -> int:
    return (card // 4 + 1) % 13


def test_high_agrees_with_phevaluator_on_five_six_and_seven_cards() -> None:
    for size in (5, 6, 7):
        same_order(list(deals(size, size, 4000)), high, lambda cards: -evaluate_cards(*cards))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_ace_to_five_is_the_plain_rule(size: int) -> None:
    same_order(list(deals(size, size, 3000)), ace_to_five, plain_ace_to_five)


@pytest.mark.parametrize("top", [7, 8, 9])
def test_a_qualified_low_is_the_plain_rule(top: int) -> None:
    value_of = BY_TOP[top].value
    hands = list(deals(top, 7, 5000))
    same_order(hands, value_of, lambda cards: plain_qualified(cards, top))
    assert all((value_of(cards) == 0) == (plain_qualified(cards, top) == [0]) for cards in hands)


def test_deuce_to_seven_is_high_turned_round_but_for_the_wheel() -> None:
    wheel = {12, 0, 1, 2, 3}
    hands = [c for c in deals(27, 5, 20000) if {card // 4 for card in c} != wheel]
    same_order(hands, deuce_to_seven, lambda cards: -high(cards))
    ace_high = hand("As 2d 3c 4d 5s")
    assert deuce_to_seven(hand("As Kd Qh Jc 9d")) < deuce_to_seven(ace_high)
    assert deuce_to_seven(ace_high) < deuce_to_seven(hand("Ks Qd Jh Tc 8d"))
    assert deuce_to_seven(hand("2s 2d 3c 4d 5s")) < deuce_to_seven(ace_high)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_badugi_is_the_plain_rule(size: int) -> None:
    hands = list(deals(size, size, 4000))
    same_order(hands, badugi, lambda cards: plain_badugi(cards, ace_low))
    same_order(hands, ACE_HIGH.value, lambda cards: plain_badugi(cards, lambda card: card // 4))


def test_lows_and_badugi_agree_with_pokerkit() -> None:
    kinds: tuple[tuple[str, type[pokerkit.Hand], int], ...] = (
        ("a5", pokerkit.RegularLowHand, 7),
        ("27", pokerkit.StandardLowHand, 5),
        ("badugi", pokerkit.BadugiHand, 4),
    )
    for ranking, kind, size in kinds:
        value_of = RANKINGS[ranking].value
        for a, b in zip(deals(1, size, 150), deals(2, size, 150), strict=True):
            ours = (value_of(a) > value_of(b)) - (value_of(a) < value_of(b))
            first, second = (kind.from_game("".join(card_texts(cards)), ()) for cards in (a, b))
            assert ours == (first > second) - (first < second), (ranking, a, b)


# Cards that stand for others


def every_fill(naturals: list[int], count: int) -> Iterator[Cards]:
    """The naturals with any cards in the place of the wild ones; ranks may repeat beyond four."""
    if not count:
        yield tuple(naturals)
        return
    for card in FULL_DECK:
        yield from every_fill([*naturals, card], count - 1)


def ranked_with_copies(cards: Cards) -> int:
    """High value of five cards of which some may be the same card."""
    ranks = [card // 4 for card in cards]
    if max(ranks.count(rank) for rank in ranks) == 5:
        return high(cards)
    suited = len({card % 4 for card in cards}) == 1
    if suited and len(set(ranks)) < 5:
        return 0  # a flush holds no rank twice
    return high(cards)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_wild_card_is_whichever_card_is_best(seed: int) -> None:
    deuces = wild_high(wild_cards([0]))
    checked = 0
    for cards in deals(seed, 5, 2500):
        wilds = [card for card in cards if card < 4]
        if len(wilds) not in (1, 2) or (len(wilds) == 2 and checked > 40):
            continue
        checked += 1
        naturals = [card for card in cards if card >= 4]
        assert deuces.value(cards) == max(
            map(ranked_with_copies, every_fill(naturals, len(wilds)))
        ), card_texts(cards)
    assert checked > 40


def test_seven_cards_with_wilds_hold_the_best_of_their_fives() -> None:
    deuces = wild_high(wild_cards([0])).value
    for cards in deals(5, 7, 600):
        assert deuces(cards) == max(map(deuces, combinations(cards, 5)))


def test_the_bug_is_an_ace_or_completes_a_straight_or_flush() -> None:
    for four in deals(9, 4, 1500):
        allowed = [high((*four, card)) for card in FULL_DECK[48:] if card not in four]
        if all(ace in four for ace in FULL_DECK[48:]):
            allowed = [high((*four, 48))]
        completed = [high((*four, card)) for card in FULL_DECK if card not in four]
        allowed += [value for value in completed if category_of(value) in (STRAIGHT, 5, 8)]
        assert bug_high((*four, JOKER)) == max(allowed), card_texts(four)


def test_seven_cards_with_the_bug_hold_the_best_of_their_fives() -> None:
    for six in deals(10, 6, 600):
        cards = (*six, JOKER)
        assert bug_high(cards) == max(map(bug_high, combinations(cards, 5)))


def test_a_joker_in_a_low_is_the_lowest_rank_not_held() -> None:
    for four in deals(11, 4, 1500):
        missing = next(rank for rank in range(13) if rank not in low_ranks(four))
        free = next(card for card in FULL_DECK if ace_low(card) == missing)
        assert ace_to_five((*four, JOKER)) == ace_to_five((*four, free))
        low = BY_TOP[8].value
        assert low((*four, JOKER)) == low((*four, free))


@pytest.mark.parametrize("name", ["27", "a6"])
def test_a_joker_where_flushes_count_is_any_card_that_makes_the_best_low(name: str) -> None:
    value_of = RANKINGS[name].value
    for four in deals(12, 4, 400):
        best = max(value_of((*four, card)) for card in FULL_DECK if card not in four)
        assert value_of((*four, JOKER)) == best


def test_the_spit_card_alone_or_all_of_its_rank_is_wild() -> None:
    spit = parse_cards(["6d"])[0]
    cards = (*hand("As Ad 6c 4d"), spit)
    assert spit_high(spit).words(spit_high(spit).value(cards))[0] == "four_of_a_kind"
    only = spit_high(spit, only_spit=True)
    assert only.words(only.value(cards))[0] == "three_of_a_kind"


# Two from the hand, three from the board


@pytest.mark.parametrize("hole", [4, 5, 6])
def test_an_omaha_low_is_the_best_two_and_three(hole: int) -> None:
    for top in (7, 8, 9):
        value_of = BY_TOP[top].value
        for cards in deals(hole + top, hole + 5, 250):
            own, board = cards[:hole], cards[hole:]
            best = max(
                value_of(two + three)
                for two in combinations(own, 2)
                for three in combinations(board, 3)
            )
            assert omaha_low(own, board, top) == best
            playing = omaha_low_playing(own, board, best)
            assert value_of(playing) == best if best else playing == ()


# Every ranking


@pytest.mark.parametrize("name", sorted(RANKINGS))
def test_the_cards_that_play_alone_have_the_value(name: str) -> None:
    ranking = RANKINGS[name]
    size = {"27": 5, "a6": 5, "badugi": 4, "badugi_ace_high": 4, "three_card": 3}.get(name, 7)
    deck = FULL_DECK[16:] if name == "short_high" else FULL_DECK
    for cards in deals(13, size, 300, deck):
        value = ranking.value(cards)
        playing = ranking.playing(cards, value)
        cls, words = ranking.words(value)
        assert words
        assert set(playing) <= set(cards)
        if value:
            assert cls
            assert ranking.value(playing) == value
        else:
            assert playing == ()


@pytest.mark.parametrize(
    ("name", "cards", "said"),
    [
        ("a5", "8s 6d 4h 2c As", "Low 8-6-4-2-A"),
        ("a5", "8s 8d 4h 4c As", "Two pair, eights and fours, ace kicker"),
        ("27", "7s 5d 4h 3c 2d", "Low 7-5-4-3-2"),
        ("27", "As 5d 4h 3c 2d", "Low A-5-4-3-2"),
        ("27", "As 5s 4s 3s 2s", "Flush, ace five four three deuce"),
        ("a6", "5s 4d 3h 2c Ad", "Straight, five high"),
        ("a6", "Ks Qs Js Ts As", "Flush, king queen jack ten ace"),
        ("8ob", "8s 6d 4h 2c Ks", "No low"),
        ("badugi", "8s 6d 4h Ac", "Badugi 8-6-4-A"),
        ("badugi", "7s 3d Ah Ac", "Three cards, 7-3-A"),
        ("badugi", "7s 7d 7h 7c", "One card, 7"),
        ("bug_high", "As Ad Ah Ac Jk", "Five of a kind, aces"),
        ("short_high", "As 6d 7h 8c 9d", "Straight, nine high"),
        ("short_high", "As 6s 7s 8s Ts", "Flush, ace ten eight seven six"),
    ],
)
def test_hands_are_said_in_words(name: str, cards: str, said: str) -> None:
    ranking = RANKINGS[name]
    assert ranking.words(ranking.value(hand(cards)))[1] == said


def test_in_the_short_deck_a_flush_beats_a_full_house() -> None:
    value_of = RANKINGS["short_high"].value
    order = [
        "As 6d 7h 8c 9d", "6s 7d 8h 9c Td", "Ks Kd Kh 6c 6d", "6s 7s 8s 9s Js", "6s 6d 6h 6c 7d",
        "As 6s 7s 8s 9s", "6s 7s 8s 9s Ts",
    ]  # fmt: skip
    values = [value_of(hand(text)) for text in order]
    assert values == sorted(set(values))
    assert value_of(hand("Ks Kd Kh Qc Qd")) < value_of(hand("6s 7s 8s 9s Js"))
    assert value_of(hand("Ks Kd Kh Qc Jd")) < values[0]
    assert CARD_TEXT[16] == "6c"


@pytest.mark.parametrize("name", ["a5", "27", "a6"])
def test_fewer_than_five_cards_rank_by_pairs_and_high_cards(name: str) -> None:
    value_of = RANKINGS[name].value
    for size in (2, 3, 4):
        run = value_of(hand("6s 5s 4s 3s")[:size])
        assert run > value_of(hand("Ks Qs Js Ts")[:size]) > value_of(hand("2c 2d 3h 4s")[:size])
