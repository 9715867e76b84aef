"""What the hands of a showdown are worth, each evaluated once for each share of the pot."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from tables.engine.cards import FIRST_JOKER, RANK_TEXT
from tables.engine.poker.state import State
from tables.engine.poker.vocabulary import Share
from tables.engine.rankings import RANKINGS
from tables.engine.rankings.high import RANKING as HIGH
from tables.engine.rankings.high import high_on_board
from tables.engine.rankings.omaha import OmahaBoard, omaha_playing
from tables.engine.rankings.omaha_low import OmahaLowBoard, omaha_low_playing
from tables.engine.rankings.tables import LOW_RANK, Ranking
from tables.engine.rankings.wild import spit_high, wild_cards, wild_high

OMAHA = ((2,), (3,))
WILD_HIGHS = ("high", "bug_high", "wild_high")
AS_IT_IS = ("high", "a5", "27")
"""Rankings that no option of a table changes, but that of the low."""
TOP_OF = {"7ob": 7, "8ob": 8, "9ob": 9}
"""Rankings that ask for a low of a highest rank."""


def ranking_of(state: State, share: Share) -> Ranking:
    """The ranking of a share at this table, as its options say."""
    options = state.options
    name = share.ranking
    if state.game.wild:
        return wild_ranking(name, state.game.wild)
    if name in AS_IT_IS and options.low is None:
        return RANKINGS[name]
    if name in TOP_OF:
        return RANKINGS[name if options.low_top is None else f"{options.low_top}ob"]
    if name == "badugi" and options.badugi_ace_high:
        return RANKINGS["badugi_ace_high"]
    if share.side == "low" and options.low is not None:
        return RANKINGS[options.low]
    if name == "spit_high" and not state.board:
        return RANKINGS["wild_high"]
    if name == "spit_high":
        return spit_high(state.deck[state.board[0]], only_spit=options.only_spit_wild)
    return RANKINGS[name]


@lru_cache(maxsize=64)
def wild_ranking(name: str, ranks: str) -> Ranking:
    """A ranking in which all cards of these ranks are wild (in lows: as the bug)."""
    wild = wild_cards(RANK_TEXT.index(rank) for rank in ranks)
    if name in WILD_HIGHS:
        return wild_high(wild)
    natural = RANKINGS[name]

    def seen(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(FIRST_JOKER if card in wild else card for card in cards)

    def value(cards: tuple[int, ...]) -> int:
        return natural.value(seen(cards))

    def playing_cards(cards: tuple[int, ...], worth: int) -> tuple[int, ...]:
        helpers = [card for card in cards if card in wild or card >= FIRST_JOKER]
        return tuple(
            helpers.pop(0) if card >= FIRST_JOKER else card
            for card in natural.playing(seen(cards), worth)
        )

    return Ranking(f"wild_{name}", value, natural.words, playing_cards)


def scores(state: State, places: list[int]) -> list[list[int]]:
    """Value of every hand by share and place; 0 for places not asked about or not qualifying."""
    board = state.cards(state.board)
    hands = [(place, hole_cards(state, place)) for place in places]
    return [_scores(state, share, hands, board) for share in state.game.shares]


def _scores(
    state: State, share: Share, hands: list[tuple[int, tuple[int, ...]]], board: tuple[int, ...]
) -> list[int]:
    found = [0] * len(state.numbers)
    ranking = ranking_of(state, share)
    value = ranking.value
    if ranking is HIGH and board and not share.hole:
        value = high_on_board(board)
        for place, hole in hands:
            found[place] = value(hole)
    elif not share.hole:
        for place, hole in hands:
            found[place] = value(hole + board)
    elif (share.hole, share.board) == OMAHA and ranking.id == "high":
        prepared = OmahaBoard(board)
        for place, hole in hands:
            found[place] = prepared.high(hole)
    elif (share.hole, share.board) == OMAHA and ranking.id in TOP_OF:
        lows = OmahaLowBoard(board, TOP_OF[ranking.id])
        for place, hole in hands:
            found[place] = lows.value(hole)
    else:
        for place, hole in hands:
            found[place] = max(map(value, _choices(hole, board, share)))
    return found


def playing(
    ranking: Ranking, share: Share, hole: tuple[int, ...], board: tuple[int, ...], value: int
) -> tuple[int, ...]:
    """The cards that make a value, most important first."""
    if not share.hole:
        return ranking.playing(hole + board, value)
    if (share.hole, share.board) == OMAHA and ranking.id == "high":
        return omaha_playing(hole, board, value)
    if (share.hole, share.board) == OMAHA and ranking.id in TOP_OF:
        return omaha_low_playing(hole, board, value)
    for chosen in _choices(hole, board, share):
        if ranking.value(chosen) == value:
            return ranking.playing(chosen, value)
    return ()


def wild_cards_needed(state: State, share: Share, place: int, value: int) -> int:
    """How many wild cards a hand cannot do without to be worth `value` for a share."""
    hole, board = hole_cards(state, place), state.cards(state.board)
    value_of = ranking_of(state, share).value
    wild = [card for card in hole + board if is_wild(state, share, card)]
    for count in range(len(wild)):
        for kept in combinations(wild, count):
            without = [card for card in wild if card not in kept]
            own = tuple(card for card in hole if card not in without)
            common = tuple(card for card in board if card not in without)
            hands = _choices(own, common, share) if share.hole else [own + common]
            if any(hand and value_of(hand) == value for hand in hands):
                return count
    return len(wild)


def is_wild(state: State, share: Share, card: int) -> bool:
    """Whether a card stands for others: a joker, a wild rank, the spit and its like."""
    if card >= FIRST_JOKER:
        return True
    if share.ranking == "spit_high" and state.board:
        spit = state.deck[state.board[0]]
        return card == spit if state.options.only_spit_wild else card >> 2 == spit >> 2
    return RANK_TEXT[card >> 2] in state.game.wild


def top_card(state: State, share: Share, place: int, value: int) -> tuple[int, int]:
    """Rank and suit of the highest natural card that plays, as an odd chip compares them."""
    hole, board = hole_cards(state, place), state.cards(state.board)
    ranking = ranking_of(state, share)
    is_ace_low = share.side == "low" and not ranking.id.endswith("27")
    return max(
        (LOW_RANK[card] if is_ace_low else card >> 2, card & 3)
        for card in playing(ranking, share, hole, board, value)
        if card < FIRST_JOKER
    )


def hole_cards(state: State, place: int) -> tuple[int, ...]:
    """All cards a place holds, up or down."""
    return state.cards(state.down[place] + state.up[place])


def _choices(
    hole: tuple[int, ...], board: tuple[int, ...], share: Share
) -> Iterator[tuple[int, ...]]:
    """Every hand the share lets be made of these cards."""
    for own in share.hole:
        for common in share.board:
            for mine in combinations(hole, own):
                for shared in combinations(board, common):
                    yield mine + shared
