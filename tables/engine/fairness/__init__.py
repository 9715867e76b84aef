"""Shuffles, commitments and proofs as functions of seeds and salts; docs/fairness.md is exact."""

from tables.engine.fairness.commitments import commitment, leaf, leaves_of, opens, proof_of, root_of
from tables.engine.fairness.streams import shuffle, stream, uniform

__all__ = [
    "commitment",
    "leaf",
    "leaves_of",
    "opens",
    "proof_of",
    "root_of",
    "shuffle",
    "stream",
    "uniform",
]
