"""Hand after hand in step with PokerKit, on the games both deal.

Left out, where the house's rules are right: short blinds, the half-bet rule of fixed limit (stacks
are deep), the cap (PokerKit does not count the blind), an opening all-in below the least bet
(PokerKit re-opens to those who checked), rake, and pots with more than one odd chip.
"""

from __future__ import annotations

import warnings
from random import Random
from typing import Any

import pytest
from pokerkit import (
    Automation,
    FixedLimitTexasHoldem,
    NoLimitTexasHoldem,
    PotLimitOmahaHoldem,
)

from tables.engine.poker.betting import capped
from tables.engine.poker.hand import PokerHand, start
from tables.engine.protocol import SeatIn
from tests.engine.poker.playing import ring_game, shuffled, table_options

AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)

PEERS: dict[str, tuple[str, str, Any, Any]] = {
    "no-limit hold'em": ("holdem", "no_limit", NoLimitTexasHoldem, ((1, 2), 2)),
    "fixed-limit hold'em": ("holdem", "fixed", FixedLimitTexasHoldem, ((1, 2), 2, 4)),
    "pot-limit Omaha": ("omaha", "pot", PotLimitOmahaHoldem, ((1, 2), 2)),
}


def peer_of(hand: PokerHand, peer_game: Any, stakes: Any, ante: int) -> Any:
    stacks = [dict(map(tuple, hand.opening))[number] for number in hand.numbers]  # type: ignore[arg-type]
    blinds, *bets = stakes
    return peer_game.create_state(AUTOMATIC, True, ante, blinds, *bets, stacks, len(stacks))


def deal_like(hand: PokerHand, peer: Any) -> None:
    """Give the peer the cards this hand has dealt."""
    while True:
        if peer.can_burn_card():
            peer.burn_card("??")
        elif peer.can_deal_hole():
            place = peer.hole_dealee_index
            peer.deal_hole(hand.texts(hand.down[place])[len(peer.hole_cards[place])])
        elif peer.can_deal_board():
            done = sum(len(cards) for cards in peer.board_cards)
            peer.deal_board("".join(hand.texts(hand.board)[done : done + peer.board_dealing_count]))
        else:
            return


def compare_choices(hand: PokerHand, peer: Any) -> None:
    place = hand.pending[0]
    assert peer.actor_index == place
    choices = {choice["name"]: choice for choice in hand.legal(hand.numbers[place])}
    call = choices["call"]["amount_minor"] if "call" in choices else 0
    assert peer.checking_or_calling_amount == call
    bet = choices.get("bet") or choices.get("raise")
    low = peer.min_completion_betting_or_raising_to_amount
    if capped(hand) or (hand.faced[place] == 0 and hand.price < hand.raise_by):
        assert bet is None
        return
    assert (bet is None) == (low is None)
    if bet:
        high = peer.max_completion_betting_or_raising_to_amount
        assert (bet["least_to_minor"], bet["most_to_minor"]) == (low, high)


def one_action(hand: PokerHand, peer: Any, random: Random) -> None:
    seat = hand.waiting[0]
    choices = {choice["name"]: choice for choice in hand.legal(seat)}
    bet = choices.get("bet") or choices.get("raise")
    if bet and random.random() < 0.3:
        to = random.choice((bet["least_to_minor"], bet["most_to_minor"]))
        hand.act(seat, {"name": bet["name"], "to_minor": to})
        peer.complete_bet_or_raise_to(to)
    elif "call" in choices and random.random() < 0.3:
        hand.act(seat, {"name": "fold"})
        peer.fold()
    else:
        hand.act(seat, {"name": "call" if "call" in choices else "check"})
        peer.check_or_call()


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("name", PEERS)
def test_same_turns_ranges_and_stacks(name: str, seed: int) -> None:
    game_id, limit, peer_game, stakes = PEERS[name]
    random = Random(f"{name} {seed}")
    game = ring_game(game_id)
    count = random.randint(2, 6)
    least, most = (60, 90) if limit == "fixed" else (4, 60)
    ante = random.choice((0, 0, 1)) if limit != "fixed" else 0
    seats = [SeatIn(seat, random.randint(least, most)) for seat in range(count)]
    options = table_options(game, limit, ante_minor=ante)
    hand, _ = start(game, seats, options, shuffled(game, random), button=random.randrange(count))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = peer_of(hand, peer_game, stakes, ante)
        deal_like(hand, peer)
        while not hand.over:
            compare_choices(hand, peer)
            one_action(hand, peer, random)
            deal_like(hand, peer)
    assert not peer.status
    assert sum(peer.stacks) == sum(hand.stacks)
    assert all(abs(a - b) <= 2 for a, b in zip(peer.stacks, hand.stacks, strict=True))
