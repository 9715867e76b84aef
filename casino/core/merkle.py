"""A Merkle tree's root over a stream, in memory that grows with its logarithm (RFC 6962, 2.1)."""

from __future__ import annotations

from hashlib import sha256

# Different first bytes for leaves and nodes: no node can be passed off as a leaf.
LEAF, NODE = b"\x00", b"\x01"


class MerkleStream:
    def __init__(self) -> None:
        self.count = 0
        self._subtrees: list[tuple[int, bytes]] = []  # (height, root), the tallest first

    def add(self, leaf: bytes) -> None:
        height, root = 0, sha256(LEAF + leaf).digest()
        while self._subtrees and self._subtrees[-1][0] == height:
            _, left = self._subtrees.pop()
            height, root = height + 1, sha256(NODE + left + root).digest()
        self._subtrees.append((height, root))
        self.count += 1

    def root(self) -> bytes:
        """The root over all leaves so far; of nothing, the hash of nothing."""
        if not self._subtrees:
            return sha256(b"").digest()
        *lefts, (_, root) = self._subtrees
        for _, left in reversed(lefts):
            root = sha256(NODE + left + root).digest()
        return root
