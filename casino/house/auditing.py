"""What a house that was killed over and over must still be able to show, hand by hand and player
by player. Asked when it has come to rest."""

from __future__ import annotations

from typing import Any

from casino.house.accounting import rows
from tables.errors import ReplayDiffers
from tables.models import Hand
from tables.replaying import replay

NAMED_MOST = 10

# What came in and went out by other doors than hands; between a player's own accounts it cancels.
BESIDE_HANDS = """
    SELECT a.player_id, coalesce(sum(l.amount_minor), 0)::bigint
        FROM wallets_leg l
        JOIN wallets_account a ON a.id = l.account_id
        JOIN wallets_transfer t ON t.id = l.transfer_id
        WHERE a.player_id IS NOT NULL AND t.kind NOT IN ('settle', 'stake', 'unstake', 'void')
        GROUP BY 1
"""
HELD = """
    SELECT player_id, sum(balance_minor)::bigint FROM wallets_account
        WHERE player_id IS NOT NULL GROUP BY 1
"""


def not_replayed() -> tuple[int, list[str]]:
    """How many settled hands were played again, and which of them came out otherwise."""
    count, differing = 0, []
    for hand in Hand.objects.filter(status=Hand.Status.SETTLED).order_by("pk").iterator():
        count += 1
        try:
            replay(hand)
        except ReplayDiffers as error:
            differing.append(f"{hand.game}: {error}")
        except Exception as error:
            # A stored hand that the engine refuses outright is as much a finding.
            differing.append(f"{hand.game}: hand {hand.pk}: {error!r}")
    return count, differing


def unaccounted() -> list[dict[str, int]]:
    """Players whose money is not what they brought and what the results of their hands say."""
    told: dict[int, int] = dict(rows(BESIDE_HANDS))
    for hand in Hand.objects.filter(status=Hand.Status.SETTLED).iterator():
        for player, minor in won(hand).items():
            told[player] = told.get(player, 0) + minor
    held: dict[int, int] = dict(rows(HELD))
    return [
        {"player": player, "held_minor": held.get(player, 0), "told_minor": told.get(player, 0)}
        for player in sorted(held.keys() | told.keys())
        if held.get(player, 0) != told.get(player, 0)
    ]


def won(hand: Hand) -> dict[int, int]:
    """By player, what a settled hand says he won or lost; minor units."""
    result: dict[str, Any] = hand.result or {}
    found: dict[int, int] = {}
    if hand.definition["family"] == "banked":
        staked = result["staked_minor"]
        nets = {
            seat: minor - staked.get(seat, 0) for seat, minor in result["returned_minor"].items()
        }
        nets |= {seat: -minor for seat, minor in staked.items() if seat not in nets}
    else:
        nets = result["nets_minor"]
    for seat, minor in nets.items():
        player = hand.seats[seat]["player"]
        found[player] = found.get(player, 0) + minor
    return found
