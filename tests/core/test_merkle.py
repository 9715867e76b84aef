from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from casino.core.merkle import MerkleStream


def root_by_definition(leaves: list[bytes]) -> bytes:
    """RFC 6962 section 2.1, word for word."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    left, right = root_by_definition(leaves[:split]), root_by_definition(leaves[split:])
    return sha256(b"\x01" + left + right).digest()


@given(st.lists(st.binary(max_size=4), max_size=40))
def test_the_stream_gives_the_root_of_the_definition(leaves: list[bytes]) -> None:
    tree = MerkleStream()
    for leaf in leaves:
        tree.add(leaf)
    assert tree.root() == root_by_definition(leaves)
    assert tree.count == len(leaves)
