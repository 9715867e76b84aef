"""Hands run twice in step with PokerKit: stacks are equal but for odd chips between tied hands."""

from __future__ import annotations

import warnings
from random import Random

import pokerkit
import pytest
from pokerkit import Mode

from tests.engine.poker.boards import hand_of, run_it
from tests.engine.poker.lockstep import AUTOMATIC
from tests.engine.poker.playing import do, stacks_of

ALL = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


@pytest.mark.parametrize("seed", range(30))
def test_run_twice_pays_as_pokerkit_pays(seed: int) -> None:
    warnings.simplefilter("ignore")
    random = Random(seed)
    deck, count = random.sample(ALL, 52), random.randint(2, 5)
    stacks = [random.randint(3, 40) for _ in range(count)]
    hole = [" ".join(deck[nth * 2 : nth * 2 + 2]) for nth in range(count)]
    rest = deck[2 * count :]
    boards = [" ".join(rest[nth * 5 : nth * 5 + 5]) for nth in range(2)]
    hand = hand_of("holdem", stacks, hole, boards, runs=2)
    peer = pokerkit.NoLimitTexasHoldem.create_state(
        AUTOMATIC, True, 0, (1, 2), 2, stacks, count, mode=Mode.CASH_GAME
    )
    while peer.can_deal_hole():
        place = peer.hole_dealee_index
        peer.deal_hole(hole[place].split()[len(peer.hole_cards[place])])
    while hand.window == "turn":
        choices = {choice["name"]: choice for choice in hand.legal(hand.waiting[0])}
        more = next((c for c in choices.values() if "most_to_minor" in c), None)
        if more:
            do(hand, f"{more['name']} {more['most_to_minor']}")
            peer.complete_bet_or_raise_to(more["most_to_minor"])
        else:
            do(hand, "call" if "call" in choices else "check")
            peer.check_or_call()
    run_it(hand, *[2] * len(hand.waiting))
    laid = iter(f"{boards[0]} {boards[1]}".split())
    while peer.status:
        if peer.can_select_runout_count():
            peer.select_runout_count(2)
        elif peer.can_burn_card():
            peer.burn_card("??")
        elif peer.can_deal_board():
            peer.deal_board("".join(next(laid) for _ in range(peer.board_dealing_count)))
        else:
            peer.check_or_call()
    assert hand.over
    assert len(hand.view(None)["boards"]) == 2
    theirs, ours = list(peer.stacks), list(stacks_of(hand).values())
    tied = sum(len(award["winners"]) > 1 for award in hand.awards)
    assert sum(abs(a - b) for a, b in zip(theirs, ours, strict=True)) <= 2 * tied
