"""Chips in the middle: what is given back, how it is layered into pots, raked and split.

Source: docs/rules/poker.md 4.3, 4.4, 8 and 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tables.engine.poker.options import Drop, Rake


class Pot(NamedTuple):
    """amount_minor: chips before rake; places: who can win them, in order from the button."""

    amount_minor: int
    places: list[int]


def uncalled(paid_minor: list[int]) -> tuple[int, int]:
    """(place, excess) of the largest contribution over the next; (-1, 0) when it was met."""
    most = max(paid_minor)
    if paid_minor.count(most) > 1:
        return -1, 0
    place = paid_minor.index(most)
    return place, most - max(paid_minor[:place] + paid_minor[place + 1 :])


def layers(paid_minor: Sequence[int], live: Sequence[int], extra_minor: int) -> list[Pot]:
    """Slice contributions into a main pot and side pots, main first.

    paid_minor: by place, the uncalled part already returned. extra_minor: dead and carried chips;
    they join the main pot. Chips of folded places above the last live one join the last pot.
    The pots sum to sum(paid_minor) + extra_minor. Cost O(places^2).
    """
    alive = [place for place, holds in enumerate(live) if holds]
    if len(alive) == 1:
        return [Pot(sum(paid_minor) + extra_minor, alive)]
    levels = sorted({paid_minor[place] for place in alive})
    if levels[0] == max(paid_minor):
        return [Pot(sum(paid_minor) + extra_minor, alive)]
    pots: list[Pot] = []
    places = alive
    layered = -extra_minor
    for level in levels:
        reached = sum([paid if paid < level else level for paid in paid_minor])
        if reached > layered:
            pots.append(Pot(reached - layered, places))
            layered = reached
        places = [place for place in places if paid_minor[place] > level]
    above = sum(paid_minor) - layered
    if above:
        rest, places = pots.pop() if pots else Pot(0, alive)
        pots.append(Pot(rest + above, places))
    return pots


def rakes(amounts_minor: Sequence[int], rake: Rake, players: int, chip_minor: int) -> list[int]:
    """The rake of each pot, main first; the cap holds for the hand, not for a pot.

    The sum is that of one pot of all chips: rounded down once, to whole chips. What is due of a pot
    that has not so many whole chips comes from the one before it.
    """
    cap = rake.cap_minor(players)
    taken = total = 0
    found = []
    for amount in amounts_minor:
        total += amount
        due = total * rake.basis_points // 10_000
        due -= due % chip_minor
        if cap is not None:
            due = min(due, cap - cap % chip_minor)
        found.append(due - taken)
        taken = due
    for nth in range(len(found) - 1, -1, -1):
        amount = amounts_minor[nth]
        lacking = found[nth] - (amount - amount % chip_minor)
        if lacking > 0:
            found[nth] -= lacking
            if nth:
                found[nth - 1] += lacking
    return found


def drops(
    amounts_minor: Sequence[int], raked_minor: Sequence[int], drop: Drop, chip_minor: int
) -> list[int]:
    """The drop of each pot, main first; as the rake it is reckoned on all pots as if one.

    It never takes more than the rake has left of them.
    """
    total = sum(amounts_minor)
    due = drop.amount_minor
    if drop.basis_points:
        due = total * drop.basis_points // 10_000
        if drop.most_minor is not None:
            due = min(due, drop.most_minor)
        due -= due % chip_minor
    if total < drop.from_minor:
        due = 0
    found = []
    for amount, raked in zip(amounts_minor, raked_minor, strict=True):
        taken = min(due, amount - raked)
        taken -= taken % chip_minor
        found.append(taken)
        due -= taken
    return found


def split(amount_minor: int, winners: int, chip_minor: int = 1) -> list[int]:
    """Equal shares in whole chips, odd chips one each to the first; a rest below a chip too.

    winners: how many; they stand in order from the button's left.
    """
    if winners == 1:
        return [amount_minor]
    chips, rest = divmod(amount_minor, chip_minor)
    each, odd = divmod(chips, winners)
    shares = [(each + (nth < odd)) * chip_minor for nth in range(winners)]
    shares[0] += rest
    return shares


def portions(amount_minor: int, parts: Sequence[int], chip_minor: int = 1) -> list[int]:
    """Divide a pot by weights in whole chips; what does not divide goes to the first part."""
    if len(parts) == 1:
        return [amount_minor]
    whole = sum(parts)
    chips = amount_minor // chip_minor
    shares = [chips * part // whole * chip_minor for part in parts]
    shares[0] += amount_minor - sum(shares)
    return shares
