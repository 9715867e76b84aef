"""How house players decide. Plain rules with some chance in them: lively tables, no good poker.

Nothing here knows a server: a spot is what a player sees, an action what it sends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

GAMES = frozenset({"holdem", "tight_holdem", "omaha", "omaha5", "omaha6", "three_card_poker"})
"""What these rules of thumb are meant for."""
RANKS = "23456789TJQKA"
QUEEN_SIX_FOUR = (10, 4, 2)
"""The least hand worth playing on in Three Card Poker, as indexes into RANKS."""
PAIR_UP_FROM = 0.4  # of each hole pair's best, what makes a pocket pair stronger than two cards
GAP_COST = 0.04
FEAR_PER_OTHER, FEAR_PER_CARD = 0.1, 0.06
DECLINES_CHANCE, WILD_CHANCE = 0.12, 0.15
MADE = {"pair": 0.42, "top_pair": 0.58, "two_pair": 0.76, "trips": 0.84, "straight": 0.92}


@dataclass(frozen=True)
class Spot:
    """A decision in a ring game as the player who must make it sees it. Amounts in minor units.

    least_to_minor, most_to_minor: what a bet or raise may bring the street's total to; None when
    neither is possible. is_open: nobody has bet on this street, so a raise is called a bet.
    others: how many may still win against this player.
    """

    cards: tuple[str, ...]
    board: tuple[str, ...]
    pot_minor: int
    call_minor: int
    least_to_minor: int | None
    most_to_minor: int | None
    is_open: bool
    others: int = 1
    chip_minor: int = 1


@dataclass(frozen=True)
class Temper:
    """How one player leans. loose: calls more; bold: bets and raises more; both around 0.

    all_in_chance: of a bet or raise being for all chips. gambling: chance to call a large bet
    whatever the cards; the two together make side pots.
    """

    loose: float = 0.0
    bold: float = 0.0
    all_in_chance: float = 0.16
    gambling: float = 0.42


def ring_action(spot: Spot, temper: Temper, random: Random) -> dict[str, Any]:
    """What to do: a fold, check, call, or a bet or raise with its amount."""
    feeling = strength(spot.cards, spot.board) + random.gauss(0.0, 0.1)
    feeling -= FEAR_PER_OTHER * (spot.others - 2) + FEAR_PER_CARD * max(0, len(spot.cards) - 2)
    may_raise = spot.least_to_minor is not None
    wants_raise = feeling + temper.bold > (0.5 if spot.is_open else 0.78)
    if may_raise and (wants_raise or random.random() < 0.08 + temper.bold / 2):
        return raise_action(spot, feeling, temper, random)
    if not spot.call_minor:
        return {"name": "check"}
    price = spot.call_minor / (spot.pot_minor + spot.call_minor)
    gambles = price > 0.3 and random.random() < temper.gambling
    if gambles or feeling + temper.loose > 0.2 + 0.8 * price:
        return {"name": "call"}
    return {"name": "fold"}


def raise_action(spot: Spot, feeling: float, temper: Temper, random: Random) -> dict[str, Any]:
    least, most = spot.least_to_minor, spot.most_to_minor
    assert least is not None
    assert most is not None
    name = "bet" if spot.is_open else "raise"
    is_short = most < least + 2 * spot.pot_minor
    if is_short or random.random() < temper.all_in_chance + max(0.0, feeling - 0.8):
        return {"name": name, "to_minor": most}
    fraction = random.choice((0.0, 0.33, 0.5, 0.75))
    wanted = least + round(fraction * spot.pot_minor)
    whole = wanted - wanted % spot.chip_minor
    return {"name": name, "to_minor": min(max(least, whole), most)}


def strength(cards: Sequence[str], board: Sequence[str]) -> float:
    """A rough feeling for a hand, from 0 (nothing) to 1; unknown cards are middling."""
    if len(cards) < 2:
        return 0.4
    return before_flop(cards) if not board else after_flop(cards, board)


def before_flop(cards: Sequence[str]) -> float:
    """The mean of the two best pairs of hole cards: with two cards, of the only one."""
    best = sorted((two_cards(*pair) for pair in combinations(cards, 2)), reverse=True)[:2]
    return sum(best) / len(best)


def two_cards(one: str, other: str) -> float:
    low, high = sorted((RANKS.index(one[0]), RANKS.index(other[0])))
    if low == high:
        return PAIR_UP_FROM + 0.55 * high / 12
    gap = min(high - low - 1, 4)
    suited = 0.06 if one[1] == other[1] else 0.0
    return 0.08 + 0.3 * high / 12 + 0.22 * low / 12 - GAP_COST * gap + suited


def after_flop(cards: Sequence[str], board: Sequence[str]) -> float:
    """By what the hole cards make of the board; what lies on the board alone helps nobody."""
    held = [RANKS.index(card[0]) for card in cards]
    shared = [RANKS.index(card[0]) for card in board]
    counts = Counter(held + shared)
    suits = Counter(card[1] for card in (*cards, *board))
    if max(suits.values()) >= 5 or has_straight(counts):
        return MADE["straight"]
    matched = [rank for rank in set(held) if counts[rank] >= 2]
    if any(counts[rank] >= 3 for rank in matched):
        return MADE["trips"]
    if len(matched) >= 2:
        return MADE["two_pair"]
    if matched:
        return MADE["top_pair"] if matched[0] >= max(shared) else MADE["pair"]
    drawing = len(board) < 5 and max(suits.values()) == 4
    return (0.36 if drawing else 0.08) + 0.12 * max(held) / 12


def has_straight(ranks: Mapping[int, int]) -> bool:
    present = set(ranks) | ({-1} if 12 in ranks else set())  # the ace also stands below the two
    return any(all(low + step in present for step in range(5)) for low in range(-1, 9))


def answer(legal: Sequence[Mapping[str, Any]], random: Random) -> dict[str, Any]:
    """Dealer's choice: any game of the list, at times with a wild rank; mostly agreed to."""
    first = legal[0]
    if "games" not in first:
        declines = random.random() < DECLINES_CHANCE
        return {"name": "decline_game" if declines else "accept_game"}
    named = random.choice(first["games"])
    action: dict[str, Any] = {"name": first["name"], "nth": named["nth"]}
    if first["changes"] and random.random() < WILD_CHANCE:
        rank = random.choice(RANKS)
        action["changes"] = {"name": f"{named['name']}, {rank} wild", "wild": rank}
    return action


def banked_bet(
    limits: Mapping[str, Mapping[str, int]], stack_minor: int, random: Random
) -> dict[str, Any] | None:
    """An ante, at times with side wagers; None to sit this round out.

    limits: by wager {least_minor, most_minor, step_minor}. The play stake is kept in reserve.
    """
    ante = some_chips(limits["ante"], stack_minor // 2, random)
    if ante is None or random.random() < 0.04:
        return None
    wagers = {"ante": ante}
    left = stack_minor - 2 * ante
    for wager, chance in (("pair_plus", 0.5), ("six_card", 0.25), ("prime", 0.25)):
        if wager in limits and random.random() < chance:
            stake = some_chips(limits[wager], left, random)
            if stake is not None:
                wagers[wager] = stake
                left -= stake
    return {"name": "bet", "wagers": wagers}


def some_chips(limits: Mapping[str, int], most_minor: int, random: Random) -> int | None:
    """One to five times the least stake, within the limits; None when it cannot be paid."""
    least, step = limits["least_minor"], limits["step_minor"]
    if most_minor < least:
        return None
    wanted = least * random.choice((1, 1, 1, 2, 2, 3, 5))
    amount = min(wanted, limits["most_minor"], most_minor)
    return max(least, amount - amount % step)


def banked_choice(cards: Sequence[str]) -> dict[str, Any]:
    """Play with queen, six, four or better, else fold: the best a player can do."""
    return {"name": "play" if worth_playing(cards) else "fold"}


def worth_playing(cards: Sequence[str]) -> bool:
    if len(cards) < 3:  # his line broke before he saw them: the stakes are in already
        return True
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    is_flush = len({card[1] for card in cards}) == 1
    is_straight = (ranks[0] - ranks[2] == 2 and len(set(ranks)) == 3) or ranks == [12, 1, 0]
    has_pair = len(set(ranks)) < 3
    return is_flush or is_straight or has_pair or tuple(ranks) >= QUEEN_SIX_FOUR
