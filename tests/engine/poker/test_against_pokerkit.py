"""Hand after hand in step with PokerKit, on the games both deal.

Left out, where the house's rules are right: short blinds and bring-ins and the half-bet rule (fixed
limit is played deep), the cap of blind games (PokerKit does not count the blind), an opening all-in
below the least bet (PokerKit re-opens to those who checked), the double bet on fourth street, rake,
reshuffles (few draw few), and pots with more than one odd chip.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pokerkit
import pytest
from pokerkit import Automation

from tables.engine.cards import CARD_TEXT
from tables.engine.poker.betting import capped
from tables.engine.poker.hand import PokerHand, start
from tables.engine.protocol import SeatIn
from tests.engine.poker.playing import do, ring_game, shuffled, table_options

AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
BLINDS = (1, 2)
STUD = {"ante_minor": 1, "bring_in_minor": 2, "small_bet_minor": 4, "no_double_bet": True}


@dataclass(frozen=True)
class Peer:
    """A game of both; stakes as PokerKit takes them behind the ante, stacks a range."""

    game_id: str
    limit: str
    theirs: Any
    stakes: tuple[Any, ...]
    stacks: tuple[int, int] = (80, 130)
    antes: tuple[int, ...] = (0,)
    options: dict[str, Any] = field(default_factory=dict)


class FixedOmahaEight(
    pokerkit.FixedLimitPokerMixin, pokerkit.FixedLimitOmahaHoldemHighLowSplitEightOrBetter
):  # type: ignore[misc]
    """PokerKit's own class of this name bets pot limit."""


PEERS = {
    "no-limit hold'em": Peer(
        "holdem", "no_limit", pokerkit.NoLimitTexasHoldem, (BLINDS, 2), (4, 60), (0, 0, 1)
    ),
    "fixed-limit hold'em": Peer("holdem", "fixed", pokerkit.FixedLimitTexasHoldem, (BLINDS, 2, 4)),
    "no-limit short deck": Peer(
        "short_deck", "no_limit", pokerkit.NoLimitShortDeckHoldem, (BLINDS, 2), (4, 60)
    ),
    "pot-limit Omaha": Peer(
        "omaha", "pot", pokerkit.PotLimitOmahaHoldem, (BLINDS, 2), (4, 60), (0, 0, 1)
    ),
    "fixed-limit Omaha hi-lo": Peer("omaha8", "fixed", FixedOmahaEight, (BLINDS, 2, 4)),
    "stud": Peer(
        "stud", "fixed", pokerkit.FixedLimitSevenCardStud, (2, 4, 8), antes=(1,), options=STUD
    ),
    "stud hi-lo": Peer(
        "stud8", "fixed", pokerkit.FixedLimitSevenCardStudHighLowSplitEightOrBetter, (2, 4, 8),
        antes=(1,), options=STUD,
    ),
    "razz": Peer("razz", "fixed", pokerkit.FixedLimitRazz, (2, 4, 8), antes=(1,), options=STUD),
    "2-7 triple draw": Peer(
        "triple_draw_27", "fixed", pokerkit.FixedLimitDeuceToSevenLowballTripleDraw, (BLINDS, 2, 4)
    ),
    "no-limit 2-7 single draw": Peer(
        "kansas_city_lowball", "no_limit", pokerkit.NoLimitDeuceToSevenLowballSingleDraw,
        (BLINDS, 2), (8, 60),
    ),
    "badugi": Peer("badugi", "fixed", pokerkit.FixedLimitBadugi, (BLINDS, 2, 4)),
}  # fmt: skip


def peer_of(hand: PokerHand, peer: Peer, ante: int) -> Any:
    stacks = [stack for _, stack in hand.opening]
    return peer.theirs.create_state(AUTOMATIC, True, ante, *peer.stakes, stacks, len(stacks))


def held(hand: PokerHand, place: int) -> list[str]:
    """Cards of a place in the order in which it got them."""
    down, up = hand.down[place], hand.up[place]
    return hand.texts([*down[:2], *up, *down[2:]] if up else down)


def deal_like(hand: PokerHand, peer: Any) -> None:
    """Give the peer the cards this hand has dealt."""
    while True:
        if peer.can_burn_card():
            peer.burn_card("??")
        elif peer.can_deal_hole():
            place = peer.hole_dealee_index
            peer.deal_hole(held(hand, place)[len(peer.hole_cards[place])])
        elif peer.can_deal_board():
            done = sum(len(cards) for cards in peer.board_cards)
            peer.deal_board("".join(hand.texts(hand.board)[done : done + peer.board_dealing_count]))
        else:
            return


def compare_choices(hand: PokerHand, peer: Any) -> None:
    place = hand.pending[0]
    assert peer.actor_index == place
    choices = {choice["name"]: choice for choice in hand.legal(hand.numbers[place])}
    assert peer.can_post_bring_in() == ("bring_in" in choices)
    if "bring_in" not in choices:
        call = choices["call"]["amount_minor"] if "call" in choices else 0
        assert peer.checking_or_calling_amount == call
    low = peer.min_completion_betting_or_raising_to_amount
    bet = next((choice for choice in choices.values() if "most_to_minor" in choice), None)
    if capped(hand) or (hand.faced[place] == 0 and hand.price < hand.raise_by):
        assert bet is None or hand.completing
        return
    assert (bet is None) == (low is None)
    if bet:
        high = peer.max_completion_betting_or_raising_to_amount
        assert (bet["least_to_minor"], bet["most_to_minor"]) == (low, high)


def one_bet(hand: PokerHand, peer: Any, random: Random) -> None:
    seat = hand.waiting[0]
    choices = {choice["name"]: choice for choice in hand.legal(seat)}
    bet = next((choice for choice in choices.values() if "most_to_minor" in choice), None)
    if bet and random.random() < 0.3:
        to = random.choice((bet["least_to_minor"], bet["most_to_minor"]))
        hand.act(seat, {"name": bet["name"], "to_minor": to})
        peer.complete_bet_or_raise_to(to)
    elif "bring_in" in choices:
        do(hand, "bring_in")
        peer.post_bring_in()
    elif "call" in choices and random.random() < 0.3:
        do(hand, "fold")
        peer.fold()
    else:
        do(hand, "call" if "call" in choices else "check")
        peer.check_or_call()


def one_draw(hand: PokerHand, peer: Any, random: Random) -> None:
    place = hand.pending[0]
    thrown = random.sample(range(len(hand.down[place])), random.randint(0, 2))
    texts = [CARD_TEXT[hand.deck[hand.down[place][index]]] for index in thrown]
    do(hand, f"draw {' '.join(map(str, thrown))}")
    peer.stand_pat_or_discard("".join(texts))


def seats_of(peer: Peer, random: Random) -> Iterator[SeatIn]:
    most = 4 if peer.theirs.__name__.endswith(("Draw", "Badugi")) else 6
    for seat in range(random.randint(2, most)):
        yield SeatIn(seat, random.randint(*peer.stacks))


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("name", PEERS)
def test_same_turns_ranges_and_stacks(name: str, seed: int) -> None:
    peer = PEERS[name]
    random = Random(f"{name} {seed}")
    game = ring_game(peer.game_id)
    ante = random.choice(peer.antes)
    seats = list(seats_of(peer, random))
    options = table_options(game, peer.limit, ante_minor=ante) | peer.options
    hand, _ = start(
        game, seats, options, shuffled(game, random), button=random.randrange(len(seats))
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = peer_of(hand, peer, ante)
        deal_like(hand, theirs)
        while not hand.over:
            if hand.window == "draw":
                one_draw(hand, theirs, random)
            else:
                compare_choices(hand, theirs)
                one_bet(hand, theirs, random)
            deal_like(hand, theirs)
    assert not theirs.status
    assert sum(theirs.stacks) == sum(hand.stacks)
    assert all(abs(a - b) <= 2 for a, b in zip(theirs.stacks, hand.stacks, strict=True))
