"""Shuffles, commitments, cuts and proofs as functions of seeds; docs/fairness.md is exact."""

from tables.engine.fairness.commitments import (
    Span,
    Tree,
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
from tables.engine.fairness.messages import (
    NO_ROOT,
    NOTHING,
    end_message,
    list_message,
    opened_message,
    receipt_message,
    roots_message,
)
from tables.engine.fairness.streams import house_dice, shuffle, shuffled, stream, uniform

__all__ = [
    "NOTHING",
    "NO_ROOT",
    "Span",
    "Tree",
    "chosen_deck",
    "commitment",
    "cut",
    "dealt_order",
    "dice_added",
    "die",
    "end_message",
    "house_dice",
    "joined",
    "leaf",
    "leaves_of",
    "list_message",
    "opened_message",
    "opens",
    "opens_card",
    "proof_of",
    "receipt_message",
    "root_of",
    "roots_message",
    "seed_commitment",
    "shuffle",
    "shuffled",
    "stream",
    "uniform",
]
