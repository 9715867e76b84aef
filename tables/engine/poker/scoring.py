"""What the hands of a showdown are worth, each evaluated once for each share of the pot."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tables.engine.poker.state import State
from tables.engine.poker.vocabulary import Share
from tables.engine.rankings import RANKINGS
from tables.engine.rankings.omaha import OmahaBoard, omaha_playing

OMAHA = ((2,), (3,))


def scores(state: State, share: Share, places: list[int]) -> list[int]:
    """Value of every place's hand by place; 0 for places not asked about or not qualifying."""
    found = [0] * len(state.numbers)
    board = state.cards(state.board)
    value = RANKINGS[share.ranking].value
    if not share.hole:
        for place in places:
            found[place] = value(hole_cards(state, place) + board)
    elif (share.hole, share.board) == OMAHA and share.ranking == "high":
        prepared = OmahaBoard(board)
        for place in places:
            found[place] = prepared.high(hole_cards(state, place))
    else:
        for place in places:
            found[place] = max(map(value, _choices(hole_cards(state, place), board, share)))
    return found


def playing(state: State, share: Share, place: int, value: int) -> tuple[int, ...]:
    """The cards of a place that make its value, most important first."""
    hole, board = hole_cards(state, place), state.cards(state.board)
    ranking = RANKINGS[share.ranking]
    if not share.hole:
        return ranking.playing(hole + board, value)
    if (share.hole, share.board) == OMAHA and share.ranking == "high":
        return omaha_playing(hole, board, value)
    for chosen in _choices(hole, board, share):
        if ranking.value(chosen) == value:
            return ranking.playing(chosen, value)
    return ()


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
