"""A deck under one hash: every card can be opened alone, with its proof, and none is guessed.

leaf = SHA-256(0x00 || "croupier/leaf/1" || 0x00 || hand || 0x00 || slot || card || salt), hand in
UTF-8, slot and card one byte each, the salt at least 16 bytes of its own. node = SHA-256(0x01 ||
left || right); a node without a sibling goes up as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

Span = tuple[int, int]

LEAF_LABEL = b"croupier/leaf/1"
SALT_BYTES_LEAST = 16


def leaf(hand: str, slot: int, card: int, salt: bytes) -> bytes:
    """The hash of one committed card. Raises ValueError for a salt below 16 bytes."""
    _long_enough((salt,))
    return sha256(_named(hand) + bytes((slot, card)) + salt).digest()


def leaves_of(hand: str, order: Sequence[int], salts: Sequence[bytes]) -> list[bytes]:
    """The leaves of a whole deck, as `leaf`."""
    _long_enough(salts)
    name = _named(hand)
    return [
        sha256(name + bytes((slot, card)) + salt).digest()
        for slot, (card, salt) in enumerate(zip(order, salts, strict=True))
    ]


def _named(hand: str) -> bytes:
    return b"\0" + LEAF_LABEL + b"\0" + hand.encode() + b"\0"


def _long_enough(salts: Sequence[bytes]) -> None:
    if min(map(len, salts), default=SALT_BYTES_LEAST) < SALT_BYTES_LEAST:
        raise ValueError(f"a salt has at least {SALT_BYTES_LEAST} bytes")


def commitment(hand: str, order: Sequence[int], salts: Sequence[bytes]) -> bytes:
    """The Merkle root of a deck: `order[slot]` is the card in each slot."""
    return root_of(leaves_of(hand, order, salts))


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root over leaves in their order. Raises ValueError when there are none."""
    return Tree(leaves).root


def proof_of(leaves: Sequence[bytes], slot: int) -> list[tuple[str, bytes]]:
    """The way from a slot to the root: ("left" | "right", the sibling there), bottom up."""
    return Tree(leaves).proof(slot)


class Tree:
    """All nodes over a deck's leaves. Raises ValueError when there are none."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        if not leaves:
            raise ValueError("there is nothing to commit to")
        self.levels = [list(leaves)]
        while len(self.levels[-1]) > 1:
            self.levels.append(_above(self.levels[-1]))

    @property
    def root(self) -> bytes:
        return self.levels[-1][0]

    def proof(self, slot: int, known: set[Span] | None = None) -> list[tuple[str, bytes]]:
        """As `proof_of`, but it ends at a node that its reader knows already.

        known: the nodes that earlier proofs have shown, each by the first slot under it and the
        one behind its last; what this one shows is added. Source: docs/fairness.md 4.
        """
        proof: list[tuple[str, bytes]] = []
        shown, at = set(), slot
        for height, level in enumerate(self.levels):
            here = self._span(height, at)
            if known is not None and here in known:
                break
            shown.add(here)
            sibling = at ^ 1
            if sibling < len(level):
                proof.append(("right" if sibling > at else "left", level[sibling]))
                shown.add(self._span(height, sibling))
            at //= 2
        if known is not None:
            known |= shown
        return proof

    def _span(self, height: int, at: int) -> Span:
        return at << height, min(at + 1 << height, len(self.levels[0]))


def opens(root: bytes, leaf_hash: bytes, proof: Sequence[tuple[str, bytes]]) -> bool:
    """Whether a leaf with its proof belongs to the root."""
    node = leaf_hash
    for side, sibling in proof:
        pair = node + sibling if side == "right" else sibling + node
        node = sha256(b"\x01" + pair).digest()
    return node == root


def opens_card(
    root: bytes, hand: str, slot: int, card: int, salt: bytes, proof: Sequence[tuple[str, bytes]]
) -> bool:
    """Whether a slot of a committed deck holds this card: what a viewer checks of an opening."""
    return opens(root, leaf(hand, slot, card, salt), proof)


def _above(level: Sequence[bytes]) -> list[bytes]:
    above = [
        sha256(b"\x01" + level[at] + level[at + 1]).digest() for at in range(0, len(level) - 1, 2)
    ]
    if len(level) % 2:
        above.append(level[-1])
    return above
