"""The vectors of docs/fairness.md, by the engine and by the page read literally."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from tables.engine import fairness

PAGE = Path(__file__).parents[3] / "docs" / "fairness.md"


def vectors() -> dict[str, Any]:
    text = PAGE.read_text().partition("```json")[2].partition("```")[0]
    return dict(json.loads(text))


V = vectors()


def unhex(texts: list[str]) -> list[bytes]:
    return [bytes.fromhex(text) for text in texts]


def test_the_engine_makes_the_published_streams_and_orders() -> None:
    seed = bytes.fromhex(V["stream"]["seed"])
    source = fairness.stream(V["stream"]["label"].encode(), seed)
    assert bytes(next(source) for _ in range(40)).hex() == V["stream"]["first_40"]
    drawn = fairness.uniform(V["uniform"]["most"], iter(bytes.fromhex(V["uniform"]["bytes"])))
    assert drawn == V["uniform"]["value"]
    assert fairness.shuffle(range(10), bytes.fromhex(V["shuffle"]["seed"])) == V["shuffle"]["of_10"]


def test_the_engine_makes_the_published_commitment_and_opening() -> None:
    deck, opening = V["deck"], V["opening"]
    leaves = fairness.leaves_of(deck["hand"], deck["cards"], unhex(deck["salts"]))
    assert [made.hex() for made in leaves] == deck["leaves"]
    root = fairness.root_of(leaves)
    assert root.hex() == deck["root"]
    proof = fairness.proof_of(leaves, opening["slot"])
    assert [[side, sibling.hex()] for side, sibling in proof] == opening["proof"]
    salt = bytes.fromhex(opening["salt"])
    assert fairness.opens_card(root, deck["hand"], opening["slot"], opening["card"], salt, proof)
    tree, known = fairness.Tree(leaves), set[fairness.Span]()
    for one in (opening, *V["openings_after_it"]):
        short = [[side, node.hex()] for side, node in tree.proof(one["slot"], known)]
        assert short == one["proof"]


def test_the_engine_makes_the_published_cut_and_dice() -> None:
    cut, dice = V["cut"], V["dice"]
    roots, seeds = unhex(cut["roots"]), unhex(cut["seeds"])
    assert [fairness.seed_commitment(seed).hex() for seed in seeds] == cut["commitments"]
    assert fairness.joined(roots, seeds).hex() == cut["joined"]
    assert fairness.chosen_deck(roots, seeds) == cut["chosen_deck"]
    assert fairness.cut(roots, seeds, 10) == cut["slots_of_10"]
    assert fairness.house_dice(bytes.fromhex(dice["house_seed"]), 8) == dice["house"]
    added = fairness.dice_added(roots, seeds, 6)
    assert added == dice["added"]
    assert list(map(fairness.die, dice["committed"], added)) == dice["faces"]


def hashed(*parts: bytes) -> bytes:
    return sha256(b"".join(parts)).digest()


def test_the_page_alone_leads_to_the_same_root_and_proof() -> None:
    deck, opening = V["deck"], V["opening"]
    leaves = [
        hashed(b"\0croupier/leaf/1\0", deck["hand"].encode(), b"\0", bytes([slot, card]), salt)
        for slot, (card, salt) in enumerate(zip(deck["cards"], unhex(deck["salts"]), strict=True))
    ]
    one, two = (hashed(b"\1", leaves[at], leaves[at + 1]) for at in (0, 2))
    root = hashed(b"\1", hashed(b"\1", one, two), leaves[4])
    assert root.hex() == deck["root"]
    node = leaves[opening["slot"]]
    for side, sibling in opening["proof"]:
        pair = [node, bytes.fromhex(sibling)]
        node = hashed(b"\1", *(pair if side == "right" else pair[::-1]))
    assert node == root


def test_the_page_alone_leads_to_the_same_cut() -> None:
    cut = V["cut"]
    roots, seeds = unhex(cut["roots"]), unhex(cut["seeds"])
    seed = hashed(b"croupier/joined/1\0", bytes([2]), *roots, len(seeds).to_bytes(2, "big"), *seeds)
    assert seed.hex() == cut["joined"]
    read = hashed(b"croupier/cut/1\0", seed, bytes(8))
    slots, at = list(range(10)), 0
    for place in range(9, 0, -1):
        n = place + 1
        while read[at] >= 256 - 256 % n:
            at += 1
        other = read[at] % n
        at += 1
        slots[place], slots[other] = slots[other], slots[place]
    assert slots == cut["slots_of_10"]
