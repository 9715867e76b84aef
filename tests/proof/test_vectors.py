"""The page's vectors, by the code that signs and by the verifier that was written from the page."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tables.engine import fairness
from tests.engine.fairness.test_vectors import V, unhex
from tests.proof.vectors import bundle_of_vectors
from tests.proof.verifier import verifier

SIGNED = V["signed"]
WORDS = ("root", "roots", "receipt", "list", "opened", "end", "void")
ROOTS, GIVEN = V["cut"]["roots"], V["cut"]["commitments"]


def at_ms(word: str) -> int:
    """The instant that a signed text names; a list's is not its last word."""
    return int(SIGNED[word]["text"].split()[4 if word == "list" else -1])


def by_the_house() -> dict[str, bytes]:
    table, cut, number, kind = (SIGNED[name] for name in ("table", "cut", "number", "kind"))
    roots = (table, cut, number, kind, SIGNED["previous"])
    return {
        "root": fairness.roots_message(*roots, ROOTS[:1]),
        "roots": fairness.roots_message(*roots, ROOTS),
        "receipt": fairness.receipt_message(table, cut, ROOTS[-1], GIVEN[0], at_ms("receipt")),
        "list": fairness.list_message(table, cut, SIGNED["hand"], at_ms("list"), GIVEN),
        "opened": fairness.opened_message(table, cut, GIVEN[0], at_ms("opened")),
        "end": fairness.end_message(
            table, cut, "dealt", fairness.NOTHING, number, V["cut"]["joined"], at_ms("end")
        ),
        "void": fairness.end_message(table, cut, "void", "withheld", None, None, at_ms("void")),
    }


@pytest.mark.parametrize("word", WORDS)
def test_the_house_signs_the_published_words_as_published(word: str) -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(SIGNED["private_key"]))
    assert key.public_key().public_bytes_raw().hex() == SIGNED["public_key"]
    assert by_the_house()[word].decode() == SIGNED[word]["text"]
    assert key.sign(by_the_house()[word]).hex() == SIGNED[word]["signature"]


@pytest.mark.parametrize("word", WORDS)
def test_the_verifier_takes_the_published_signatures_and_no_other(word: str) -> None:
    key = bytes.fromhex(SIGNED["public_key"])
    signature = bytes.fromhex(SIGNED[word]["signature"])
    text = SIGNED[word]["text"].encode()
    assert verifier.signature_holds(key, text, signature)
    assert not verifier.signature_holds(key, text + b"0", signature)
    others = [bytes.fromhex(SIGNED[other]["signature"]) for other in WORDS if other != word]
    assert not any(verifier.signature_holds(key, text, other) for other in others)


def bad_signatures(bundle: dict[str, Any]) -> set[str]:
    report = verifier.verify(bundle, SIGNED["public_key"])
    return {facts["what"] for _, code, facts in report.problems if code == "bad_signature"}


def test_the_verifier_puts_the_same_words_together_from_a_bundle() -> None:
    """All holds but for decks of five cards, of which the second is nothing but a root."""
    report = verifier.verify(bundle_of_vectors(), SIGNED["public_key"])
    found = [(step, code) for step, code, _ in report.problems]
    assert found == [("decks", "no_such_deck"), ("decks", "deck_not_opened")]
    assert report.checked["signatures"] == 5
    alone = bundle_of_vectors()
    (cut,) = alone["cuts"]
    cut["roots"] = [{**cut["roots"][0], "signature": SIGNED["root"]["signature"]}]
    assert "root" not in bad_signatures(alone)
    void = bundle_of_vectors()
    void["cuts"][0]["end"] = {
        "end": "void", "reason": "withheld", "root": None, "joined": None, "at": at_ms("void"),
        "signature": SIGNED["void"]["signature"],
    }  # fmt: skip
    assert bad_signatures(void) == set()


@pytest.mark.parametrize(
    ("what", "field", "other"),
    [
        ("roots", "kind", "6+0"), ("roots", "number", 10), ("list", "list", {"at": 1}),
        ("end", "end", {"joined": None}), ("end", "end", {"at": 1}),
    ],
)  # fmt: skip
def test_no_word_of_what_is_signed_may_change(what: str, field: str, other: Any) -> None:
    bundle = bundle_of_vectors()
    (cut,) = bundle["cuts"]
    cut[field] = {**cut[field], **other} if isinstance(other, dict) else other
    if field == "kind":
        cut["contents"] = list(range(6))
    assert what in bad_signatures(bundle)


def test_the_verifier_makes_the_published_streams_trees_and_cuts() -> None:
    stream, deck, cut, dice = V["stream"], V["deck"], V["cut"], V["dice"]
    source = verifier.stream(stream["label"], bytes.fromhex(stream["seed"]))
    assert bytes(next(source) for _ in range(40)).hex() == stream["first_40"]
    drawn = verifier.uniform(V["uniform"]["most"], iter(bytes.fromhex(V["uniform"]["bytes"])))
    assert drawn == V["uniform"]["value"]
    source = verifier.stream("croupier/shuffle/1", bytes.fromhex(V["shuffle"]["seed"]))
    assert verifier.shuffled(10, source) == V["shuffle"]["of_10"]
    pairs = enumerate(zip(deck["cards"], unhex(deck["salts"]), strict=True))
    leaves = [verifier.leaf(deck["hand"], slot, card, salt) for slot, (card, salt) in pairs]
    assert [one.hex() for one in leaves] == deck["leaves"]
    assert verifier.root_of(leaves).hex() == deck["root"]
    roots, seeds = unhex(cut["roots"]), unhex(cut["seeds"])
    assert [verifier.seed_commitment(seed).hex() for seed in seeds] == cut["commitments"]
    joined = verifier.joined_seed(roots, seeds)
    assert joined.hex() == cut["joined"]
    chosen = verifier.uniform(len(roots), verifier.stream("croupier/deck/1", joined))
    assert chosen == cut["chosen_deck"]
    order, _ = verifier.cut_of({**cut_of_vectors(cut), "kind": "10+0"})
    assert order == cut["slots_of_10"]
    _, added = verifier.cut_of({**cut_of_vectors(cut), "kind": "0+6"})
    assert added == dice["added"]


def cut_of_vectors(cut: dict[str, Any]) -> dict[str, Any]:
    return {"roots": [{"root": root} for root in cut["roots"]], "seeds": cut["seeds"]}
