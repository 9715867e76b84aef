"""Hands in step with PokerKit, on the games both deal: turns, calls, ranges and final stacks.

At the first difference a hand is left, and the difference goes under the rule that explains it: in
each of them the house's rule is its own, as RULES below says; a hand in which only the cap forbids
a raise goes on without it. A difference that no rule explains is a fault.
`python -m tests.engine.poker.lockstep` plays many hands.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any

import pokerkit
from pokerkit import Automation

from tables.engine.cards import CARD_TEXT
from tables.engine.poker.betting import capped, reopened
from tables.engine.poker.hand import PokerHand, start
from tables.engine.poker.vocabulary import FIXED
from tables.engine.protocol import Json, SeatIn
from tables.management.random_play import machine, workers
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
DEPTHS = ((2, 12), (6, 40), (30, 90), (80, 130))

HALF_BET = "an all-in of half a bet or more counts as one, less is only a call"
CAP = "the big blind counts for the cap of a bet and three raises"
SHORT_OPENING = "a first all-in below a full bet or raise does not re-open for those who acted"
ADDED_UP = "short all-ins add up from a player's own last action on, whatever lies between"
SHORT_FORCED = "a short blind or bring-in still makes the price a full one"
NO_CALLER = "nobody is asked who owes nothing and whom nobody could call"
ODD_CHIP = "odd chips go one each to the tied winners nearest the button's left"
NO_LOW = "a pot in which nobody has a low is all for high, whatever other pots do"
RESHUFFLE = "an empty stub is filled from the muck, without the drawer's own discards"
RULES = (
    HALF_BET, CAP, SHORT_OPENING, ADDED_UP, SHORT_FORCED, NO_CALLER, ODD_CHIP, NO_LOW, RESHUFFLE,
)  # fmt: skip


@dataclass(frozen=True)
class Peer:
    """A game of both; stakes as PokerKit takes them behind the ante."""

    game_id: str
    limit: str
    theirs: Any
    stakes: tuple[Any, ...]
    antes: tuple[int, ...] = (0,)
    options: dict[str, Any] = field(default_factory=dict)
    straddles: bool = False


class FixedOmahaEight(
    pokerkit.FixedLimitPokerMixin, pokerkit.FixedLimitOmahaHoldemHighLowSplitEightOrBetter
):  # type: ignore[misc]
    """PokerKit's own class of this name bets pot limit."""


PEERS = {
    "no-limit hold'em": Peer(
        "holdem", "no_limit", pokerkit.NoLimitTexasHoldem, (BLINDS, 2), (0, 0, 1)
    ),
    "no-limit hold'em with a straddle": Peer(
        "holdem", "no_limit", pokerkit.NoLimitTexasHoldem, ((1, 2, 4), 2), straddles=True
    ),
    "pot-limit Omaha with a straddle": Peer(
        "omaha", "pot", pokerkit.PotLimitOmahaHoldem, ((1, 2, 4), 2), straddles=True
    ),
    "fixed-limit hold'em": Peer("holdem", "fixed", pokerkit.FixedLimitTexasHoldem, (BLINDS, 2, 4)),
    "no-limit short deck": Peer(
        "short_deck", "no_limit", pokerkit.NoLimitShortDeckHoldem, (BLINDS, 2)
    ),
    "pot-limit Omaha": Peer("omaha", "pot", pokerkit.PotLimitOmahaHoldem, (BLINDS, 2), (0, 0, 1)),
    "fixed-limit Omaha hi-lo": Peer("omaha8", "fixed", FixedOmahaEight, (BLINDS, 2, 4)),
    "stud": Peer("stud", "fixed", pokerkit.FixedLimitSevenCardStud, (2, 4, 8), (1,), STUD),
    "stud hi-lo": Peer(
        "stud8", "fixed", pokerkit.FixedLimitSevenCardStudHighLowSplitEightOrBetter, (2, 4, 8),
        (1,), STUD,
    ),
    "razz": Peer("razz", "fixed", pokerkit.FixedLimitRazz, (2, 4, 8), (1,), STUD),
    "2-7 triple draw": Peer(
        "triple_draw_27", "fixed", pokerkit.FixedLimitDeuceToSevenLowballTripleDraw, (BLINDS, 2, 4)
    ),
    "no-limit 2-7 single draw": Peer(
        "kansas_city_lowball", "no_limit", pokerkit.NoLimitDeuceToSevenLowballSingleDraw,
        (BLINDS, 2),
    ),
    "badugi": Peer("badugi", "fixed", pokerkit.FixedLimitBadugi, (BLINDS, 2, 4)),
}  # fmt: skip


@dataclass
class Difference(Exception):
    """rule: what explains it, None if nothing does; facts: what differs."""

    rule: str | None
    facts: str

    def __str__(self) -> str:
        return f"{self.rule or 'UNEXPLAINED'}: {self.facts}"


def peer_of(hand: PokerHand, peer: Peer, ante: int) -> Any:
    stacks = hand.opening
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


def short_forced(hand: PokerHand) -> bool:
    """Whether somebody was too short for his ante, blind or bring-in."""
    options = hand.options
    over = 2 * max(options.blinds_minor) if options.straddle else 0
    forced = options.ante_minor + max(*options.blinds_minor, options.bring_in_minor, over)
    return any(stack < forced for stack in hand.opening)


def all_in_between(hand: PokerHand) -> bool:
    """Whether somebody is all-in in this round for less than a whole number of bets."""
    step = hand.raise_by
    return hand.level != hand.price or any(
        put % step for put, stack in zip(hand.put, hand.stacks, strict=True) if put and not stack
    )


def blinds_counted(hand: PokerHand) -> int:
    """How many of this round's bets are blinds: the big one, and a straddle over it."""
    if not hand.options.blinds_minor or hand.streets > 1:
        return 0
    return 2 if hand.rare is not None and hand.rare.over else 1


def why_other_range(hand: PokerHand, place: int, peer: Any) -> str | None:
    """The rule by which a place may raise otherwise than at the peer's."""
    if short_forced(hand):
        return SHORT_FORCED
    if hand.options.limit == FIXED:
        if all_in_between(hand):
            return HALF_BET
    elif not reopened(hand, place) and hand.raises == blinds_counted(hand):
        return SHORT_OPENING
    elif reopened(hand, place) and hand.faced[place] >= 0 and peer.consecutive_short_all_in_amounts:
        return ADDED_UP
    return None


def compare_choices(hand: PokerHand, peer: Any) -> bool:
    """Whose turn it is, what a call costs, and how far a raise may go. Raises Difference.

    Returns whether the house's cap alone forbids a raise: the hand goes on without one.
    """
    place = hand.pending[0]
    if peer.actor_index != place:
        rule = SHORT_FORCED if short_forced(hand) else None
        raise Difference(rule, f"turn of {place}, theirs of {peer.actor_index}")
    choices = {choice["name"]: choice for choice in hand.legal(hand.numbers[place])}
    if peer.can_post_bring_in() != ("bring_in" in choices):
        raise Difference(None, f"bring-in {peer.can_post_bring_in()} theirs")
    if "bring_in" not in choices:
        call = choices["call"]["amount_minor"] if "call" in choices else 0
        if peer.checking_or_calling_amount != call:
            rule = SHORT_FORCED if short_forced(hand) else None
            raise Difference(rule, f"call {call}, theirs {peer.checking_or_calling_amount}")
    bet = next((choice for choice in choices.values() if "most_to_minor" in choice), None)
    ours = (bet["least_to_minor"], bet["most_to_minor"]) if bet else None
    low = peer.min_completion_betting_or_raising_to_amount
    high = peer.max_completion_betting_or_raising_to_amount
    theirs = None if low is None else (low, high)
    if ours is None and theirs and capped(hand) and not all_in_between(hand):
        return True
    if ours != theirs:
        raise Difference(why_other_range(hand, place, peer), f"raise to {ours}, theirs {theirs}")
    return False


def asked_alone(hand: PokerHand, peer: Any) -> None:
    """Whether the peer still asks somebody when here the bets are over. Raises Difference."""
    if peer.actor_index is None or hand.window == "turn":
        return
    rule = None
    if sum(1 for live, stack in zip(peer.statuses, peer.stacks, strict=True) if live and stack) < 2:
        rule = NO_CALLER
    elif short_forced(hand):
        rule = SHORT_FORCED
    raise Difference(rule, f"they ask {peer.actor_index}")


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


def compare_ends(hand: PokerHand, peer: Any) -> None:
    """The final stacks. Raises Difference."""
    theirs, ours = list(peer.stacks), hand.stacks
    if peer.status:
        raise Difference(None, "theirs is not over")
    if theirs == ours:
        return
    assert hand.ending is not None
    pots = hand.ending["pots"]
    facts = f"stacks {ours}, theirs {theirs}"
    if short_forced(hand) and sum(theirs) == sum(ours):
        raise Difference(SHORT_FORCED, facts)
    if len({"low" in pot for pot in pots}) > 1:
        raise Difference(NO_LOW, facts)
    odd = all(abs(a - b) <= 2 * len(pots) for a, b in zip(theirs, ours, strict=True))
    split = any(len(pot["awards"]) > 1 for pot in pots)
    raise Difference(ODD_CHIP if odd and split else None, facts)


def seats_of(random: Random, depth: tuple[int, int], least: int = 2) -> Iterator[SeatIn]:
    for seat in range(random.randint(least, 6)):
        yield SeatIn(seat, random.randint(*depth))


def play(name: str, seed: str) -> bool:
    """Play one hand of a game of both. Raises Difference. Returns whether the cap was met."""
    peer = PEERS[name]
    random = Random(f"{name} {seed}")
    game = ring_game(peer.game_id)
    ante = random.choice(peer.antes)
    seats = list(seats_of(random, random.choice(DEPTHS), 4 if peer.straddles else 2))
    options = table_options(game, peer.limit, ante_minor=ante) | peer.options
    deck = shuffled(game, random)
    button = random.randrange(len(seats))
    posts = None
    if peer.straddles:
        options["straddle"] = "left"
        small, big, over = ((button + nth) % len(seats) for nth in (1, 2, 3))
        posts = [{"seat": small, "kind": "small"}, {"seat": big, "kind": "big"}]
        posts.append({"seat": over, "kind": "straddle"})
    hand, _ = start(game, seats, options, deck, button=button, posts=posts)
    theirs = peer_of(hand, peer, ante)
    deal_like(hand, theirs)
    met_the_cap = False
    while not hand.over:
        if hand.window == "reshuffle":
            raise Difference(RESHUFFLE, "the stub is out")
        if hand.window == "draw":
            one_draw(hand, theirs, random)
            if hand.window == "reshuffle":
                continue
        else:
            met_the_cap |= compare_choices(hand, theirs)
            one_bet(hand, theirs, random)
        deal_like(hand, theirs)
        asked_alone(hand, theirs)
    compare_ends(hand, theirs)
    return met_the_cap


def play_many(name: str, seed: str, first: int, count: int) -> Json:
    """So many hands of a game: how many were equal, and why the others were not."""
    warnings.simplefilter("ignore")
    equal = 0
    explained: Counter[str] = Counter()
    unexplained: list[str] = []
    for number in range(first, first + count):
        try:
            if play(name, f"{seed}/{number}"):
                explained[CAP] += 1
            else:
                equal += 1
        except Difference as difference:
            if difference.rule:
                explained[difference.rule] += 1
            else:
                unexplained.append(f"{seed}/{number}: {difference.facts}")
        except Exception as error:
            unexplained.append(f"{seed}/{number}: {type(error).__name__}: {error}")
    return {
        "game": name, "hands": count, "equal": equal, "differences": dict(explained),
        "unexplained": unexplained,
    }  # fmt: skip


BATCH = 500


def _batch(task: tuple[str, str, int, int]) -> Json:
    return play_many(*task)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", help=f"of {', '.join(PEERS)}; all unless named")
    parser.add_argument("--hands", type=int, default=10_000, help="of each game")
    parser.add_argument("--seed", default="house")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--report", type=Path, help="write the sums here")
    told = parser.parse_args(arguments)
    began = time.monotonic()
    tasks = [
        (name, told.seed, first, min(BATCH, told.hands - first))
        for name in told.games or PEERS
        for first in range(0, told.hands, BATCH)
    ]
    games: dict[str, Json] = {}
    with workers(told.processes) as pool:
        for nth, part in enumerate(pool.imap(_batch, tasks), start=1):
            name = part.pop("game")
            whole = games.setdefault(
                name, {"hands": 0, "equal": 0, "differences": Counter(), "unexplained": []}
            )
            for key, found in part.items():
                whole[key] = whole[key] + (Counter(found) if key == "differences" else found)
            print(f"{nth} of {len(tasks)} parts, {name}: {whole['hands']} hands", file=sys.stderr)
    report = {
        "machine": machine(),
        "processes": told.processes,
        "seconds": round(time.monotonic() - began),
        "seed": told.seed,
        "pokerkit": version("pokerkit"),
        "games": games,
    }
    text = json.dumps(report, indent=1)
    print(text)
    if told.report:
        told.report.write_text(text + "\n")
    return int(any(game["unexplained"] for game in games.values()))


if __name__ == "__main__":
    sys.exit(main())
