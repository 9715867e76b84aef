"""Nothing that is ever published helps to guess a card that was never shown."""

from __future__ import annotations

import multiprocessing
import os
from random import Random, SystemRandom

import pytest

from tests.proof.hiding import LEAKS, Game, played

LEAST_P = 0.001
HANDS = 3_000
MANY, PART = 1_000_000, 5_000
KINDS = {"folded", "discarded", "dealt to a discarder", "dealt from the reshuffled muck"}


def no_better_than_card_removal(game: Game) -> None:
    """Some thirty ways to guess are judged, so each may be out by chance as one in thirty may."""
    chances = game.chances()
    assert {kind for kind, _ in chances} == KINDS
    assert min(chances.values()) > LEAST_P / len(chances), game.report()
    for (kind, guess), score in game.scores.items():
        excess = score.right - score.expected
        assert excess < 4.5 * score.variance**0.5, f"{kind}, {guess}: {game.report()}"


def test_a_mucked_card_is_guessed_no_better_than_card_removal_allows() -> None:
    no_better_than_card_removal(Game().play(HANDS, Random("hiding")))


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_would_be_seen(leak: str) -> None:
    """Two decks of one order, one salt for all, decks that were never shuffled."""
    chances = Game().play(HANDS // 2, Random("leaking"), leak).chances()
    assert min(chances.values()) < 1e-6


@pytest.mark.slow
@pytest.mark.timeout(7_200)
def test_a_million_hands_give_nothing_away() -> None:
    game = Game()
    start = SystemRandom().getrandbits(64)
    tasks = [(PART, start + number) for number in range(MANY // PART)]
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        for part in pool.imap_unordered(played, tasks):
            game.merge(part)
    print(game.report())
    assert game.hands == MANY
    no_better_than_card_removal(game)
