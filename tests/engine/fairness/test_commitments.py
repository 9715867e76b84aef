"""A committed deck opens card by card, and only as it was committed."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.engine.fairness import (
    commitment,
    leaf,
    leaves_of,
    opens,
    opens_card,
    proof_of,
    root_of,
)

SALTS = [sha256(bytes([slot])).digest()[:16] for slot in range(54)]
HAND = "3/17"


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7, 8, 36, 52, 53, 54])
def test_every_slot_opens_with_its_proof(size: int) -> None:
    order = list(range(size))[::-1]
    leaves = leaves_of(HAND, order, SALTS[:size])
    root = commitment(HAND, order, SALTS[:size])
    assert root == root_of(leaves)
    for slot, card in enumerate(order):
        proof = proof_of(leaves, slot)
        assert len(proof) <= 6
        assert opens_card(root, HAND, slot, card, SALTS[slot], proof)


@given(
    slot=st.integers(0, 51),
    other=st.integers(0, 51),
    part=st.sampled_from(("hand", "slot", "card", "salt", "side", "sibling", "short")),
)
def test_an_opening_of_anything_else_fails(slot: int, other: int, part: str) -> None:
    order = list(range(52))
    leaves = leaves_of(HAND, order, SALTS[:52])
    root = root_of(leaves)
    hand, card, salt, proof = HAND, order[slot], SALTS[slot], proof_of(leaves, slot)
    named = slot
    if part == "hand":
        hand = "3/18"
    elif part == "slot" and other != slot:
        named = other
    elif part == "card" and other != slot:
        card = other
    elif part == "side":
        side, sibling = proof[0]
        proof[0] = ("left" if side == "right" else "right", sibling)
    elif part == "sibling":
        proof[-1] = (proof[-1][0], sha256(proof[-1][1]).digest())
    elif part == "short":
        proof = proof[:-1]
    else:
        salt = sha256(salt).digest()[:16]
    assert not opens_card(root, hand, named, card, salt, proof)


def test_an_inner_node_cannot_pass_for_a_leaf() -> None:
    leaves = leaves_of(HAND, [0, 1, 2, 3], SALTS[:4])
    root = root_of(leaves)
    node = sha256(b"\x01" + leaves[0] + leaves[1]).digest()
    proof = proof_of(leaves, 0)[1:]
    assert opens(root, node, proof)
    forged = (leaf(HAND, slot, card, SALTS[0]) for slot in range(4) for card in range(52))
    assert node not in set(forged)


def test_equal_cards_in_other_slots_or_with_other_salts_have_other_leaves() -> None:
    made = {leaf(HAND, slot, 7, salt) for slot in range(52) for salt in SALTS[:10]}
    assert len(made) == 520


def test_a_short_salt_could_be_guessed_and_is_refused() -> None:
    with pytest.raises(ValueError, match="salt"):
        leaf(HAND, 0, 0, bytes(15))


def test_there_is_no_root_of_nothing() -> None:
    with pytest.raises(ValueError, match="nothing"):
        root_of([])
