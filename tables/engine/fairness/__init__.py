"""Shuffles, commitments, cuts and proofs as functions of seeds; docs/fairness.md is exact."""

from tables.engine.fairness.commitments import (
    commitment,
    leaf,
    leaves_of,
    opens,
    opens_card,
    proof_of,
    root_of,
)
from tables.engine.fairness.cutting import (
    chosen_deck,
    cut,
    dealt_order,
    dice_added,
    die,
    joined,
    seed_commitment,
)
from tables.engine.fairness.streams import house_dice, shuffle, shuffled, stream, uniform

__all__ = [
    "chosen_deck",
    "commitment",
    "cut",
    "dealt_order",
    "dice_added",
    "die",
    "house_dice",
    "joined",
    "leaf",
    "leaves_of",
    "opens",
    "opens_card",
    "proof_of",
    "root_of",
    "seed_commitment",
    "shuffle",
    "shuffled",
    "stream",
    "uniform",
]
