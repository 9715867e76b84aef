"""The stand-alone verifier: what it makes of honest proofs, vectors, and nonsense."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from tests.engine.fairness.test_vectors import V, unhex
from tests.proof.house import HONEST, House, listed
from tests.proof.verifier import FILE, verifier


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """As a player runs it: a plain Python, without this project or its packages."""
    return subprocess.run(
        [sys.executable, "-I", "-S", str(FILE), *map(str, arguments)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def kept(folder: Path, **bundles: Any) -> list[Path]:
    for name, bundle in bundles.items():
        (folder / f"{name}.json").write_text(json.dumps(bundle))
    return [folder / f"{name}.json" for name in bundles]


@pytest.mark.parametrize("hand", HONEST)
def test_an_honest_hand_holds_in_every_step(hand: str) -> None:
    house = House()
    report = verifier.verify(getattr(house, hand)(), house.public_key)
    assert report.problems == []
    steps = ("form", "key", "signatures", "joined", "openings")
    assert all(report.checked[step] for step in steps) or hand == "round_without_bets"


def test_roots_that_were_signed_one_by_one_hold_as_long_as_each_does() -> None:
    house = House()
    bundle = house.ring_hand()
    house.sign_each(bundle)
    assert verifier.verify(bundle, house.public_key).problems == []
    first, second = bundle["cuts"][0]["roots"][:2]
    first["signature"], second["signature"] = second["signature"], first["signature"]
    codes = [code for _, code, _ in verifier.verify(bundle).problems]
    assert codes == ["bad_signature"] * 2


@pytest.mark.parametrize("mode", ["house", "certified"])
def test_a_house_that_chose_alone_says_so_and_holds(mode: str) -> None:
    assert verifier.verify(House().alone(mode)).problems == []


@pytest.mark.parametrize("hand", ["whole_showdown", "most_dice"])
def test_the_longest_proofs_are_below_fifty_kilobytes(hand: str) -> None:
    assert len(json.dumps(getattr(House(), hand)())) < 50_000


def test_a_hand_in_play_holds_as_far_as_it_has_come() -> None:
    house = House()
    bundle = house.ring_hand()
    bundle.update(status="open", openings=bundle["openings"][:2])
    assert verifier.verify(bundle).problems == []
    bundle["cuts"][0].update(seeds=[], opened_at=[], end=None, full=[])
    bundle.update(openings=[])
    bundle["receipts"][0].update(opened_at=None, opened_signature=None)
    assert verifier.verify(bundle).problems == []


def test_hands_of_a_table_and_two_views_of_one_agree() -> None:
    house = House()
    first, second = house.ring_hand(), house.draw_hand()
    public = copy.deepcopy(first)
    public["openings"] = [one for one in first["openings"] if one["to"] == "all"]
    public.update(viewer=None, receipts=[])
    report = verifier.verify_together([first, public, second])
    assert report.problems == []
    assert report.checked["table"] > 200


def test_the_tables_cuts_fill_in_what_no_bundle_has_and_are_held_to_it(tmp_path: Path) -> None:
    house = House()
    first, between, last = house.ring_hand(), house.withheld_hand(), house.ring_hand()
    files = kept(tmp_path, first=first, last=last, cuts=listed(between))
    done = run("--key", house.public_key, *files)
    assert done.returncode == 0, done.stdout
    assert run(*files[:2]).returncode == 1
    other = listed(last)
    other["cuts"][0]["end"]["at"] += 1
    told = run("--json", *files, *kept(tmp_path, other=other)).stdout.splitlines()[-1]
    codes = [one["code"] for one in json.loads(told)["problems"]]
    assert codes == ["bad_signature", "two_ends"]


def test_a_dealing_to_more_seats_than_a_deck_has_cards_is_told_at_once() -> None:
    house = House()
    bundle = house.dealt_hand()
    bundle["dealt"][0]["to"] = list(range(1, 100_001))
    began = time.process_time()
    codes = {code for _, code, _ in verifier.verify(bundle, house.public_key).problems}
    assert time.process_time() - began < 10
    assert "left_out" in codes
    assert "out_of_turn" not in codes


def test_the_published_vectors_come_out_byte_for_byte() -> None:
    deck, opening, cut, dice = (V[name] for name in ("deck", "opening", "cut", "dice"))
    source = verifier.stream(V["stream"]["label"], bytes.fromhex(V["stream"]["seed"]))
    assert bytes(next(source) for _ in range(40)).hex() == V["stream"]["first_40"]
    drawn = verifier.uniform(V["uniform"]["most"], iter(bytes.fromhex(V["uniform"]["bytes"])))
    assert drawn == V["uniform"]["value"]
    secret = bytes.fromhex(V["shuffle"]["seed"])
    shuffled = verifier.shuffled(10, verifier.stream("croupier/shuffle/1", secret))
    assert shuffled == V["shuffle"]["of_10"]
    salts = unhex(deck["salts"])
    leaves = [
        verifier.leaf(deck["hand"], slot, card, salts[slot])
        for slot, card in enumerate(deck["cards"])
    ]
    assert [one.hex() for one in leaves] == deck["leaves"]
    assert verifier.root_of(leaves).hex() == deck["root"]
    assert verifier.sides(opening["slot"], 5) == [side for side, _ in opening["proof"]]
    roots, seeds = unhex(cut["roots"]), unhex(cut["seeds"])
    assert [verifier.seed_commitment(seed).hex() for seed in seeds] == cut["commitments"]
    joined = verifier.joined_seed(roots, seeds)
    assert joined.hex() == cut["joined"]
    assert verifier.uniform(2, verifier.stream("croupier/deck/1", joined)) == cut["chosen_deck"]
    slots = verifier.shuffled(10, verifier.stream("croupier/cut/1", joined))
    assert slots == cut["slots_of_10"]
    rolled = verifier.stream("croupier/die/1", joined)
    assert [verifier.uniform(6, rolled) for _ in range(6)] == dice["added"]


# RFC 8032, 7.1: tests 1 to 3.
RFC_8032 = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
        "d25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
        "387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
        "4a7c15e9716ed28dc027beceea1ec40a",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("key", "message", "signature"), RFC_8032)
def test_the_signatures_of_the_standard_hold(key: str, message: str, signature: str) -> None:
    parts = [bytes.fromhex(one) for one in (key, message, signature)]
    assert verifier.signature_holds(*parts)
    assert not verifier.signature_holds(parts[0], parts[1] + b"\0", parts[2])


def test_signatures_are_judged_as_a_well_known_library_judges_them() -> None:
    source = Random(3)
    order = verifier.ORDER
    for number in range(30):
        key = Ed25519PrivateKey.from_private_bytes(source.randbytes(32))
        message = source.randbytes(number)
        signature = bytearray(key.sign(message))
        if number % 3 == 1:
            signature[source.randrange(64)] ^= 1 << source.randrange(8)
        if number % 3 == 2:  # the same scalar again, beyond the group's order: malleable
            scalar = int.from_bytes(signature[32:], "little") + order
            signature[32:] = scalar.to_bytes(32, "little")
        public = key.public_key().public_bytes_raw()
        assert verifier.signature_holds(public, message, bytes(signature)) == (number % 3 == 0)
        assert library_holds(public, message, bytes(signature)) == (number % 3 == 0)


def library_holds(key: bytes, message: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def test_a_key_that_is_no_point_signs_nothing() -> None:
    assert not verifier.signature_holds(b"\x02" + bytes(31), b"", bytes(64))
    assert not verifier.signature_holds(b"\xff" * 32, b"", bytes(64))


BROKEN: list[tuple[str, Callable[[dict[str, Any]], object]]] = [
    ("bundle.table", lambda one: one.update(table="7")),
    ("bundle.table", lambda one: one.update(table=True)),
    ("bundle.hand", lambda one: one.pop("hand")),
    ("bundle.public_key", lambda one: one.update(public_key="AB" * 32)),
    ("bundle.cuts[0].kind", lambda one: one["cuts"][0].update(kind="52")),
    ("bundle.cuts[0].list", lambda one: one["cuts"][0].update(list=[])),
    ("bundle.cuts[0].roots[1].root", lambda one: one["cuts"][0]["roots"][1].update(root="00")),
    ("bundle.openings[0].salt", lambda one: one["openings"][0].update(salt="00" * 15)),
    ("bundle.openings[0].proof[0]", lambda one: one["openings"][0].update(proof=[["left"]])),
    (
        "bundle.openings[0].proof[0][0]",
        lambda one: one["openings"][0].update(proof=[["up", "00" * 32]]),
    ),
    ("bundle.receipts", lambda one: one.update(receipts={})),
]  # fmt: skip


@pytest.mark.parametrize(("where", "change"), BROKEN)
def test_a_bundle_of_another_form_is_told_where(
    where: str, change: Callable[[dict[str, Any]], object]
) -> None:
    bundle = House().ring_hand()
    change(bundle)
    report = verifier.verify(bundle)
    assert ("form", "misfit", {"where": where}) in report.problems
    assert report.checked["signatures"] == 0


@pytest.mark.parametrize("text", ["", "[]", "null", "{", '"x"', '{"format": 1}', "[" * 100_000])
def test_anything_else_than_a_bundle_does_not_hold(text: str, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text(text)
    done = run(file)
    assert done.returncode == 1
    assert "does NOT hold" in done.stdout
    assert "Traceback" not in done.stderr


def test_the_command_explains_every_step_and_ends_well(tmp_path: Path) -> None:
    house = House()
    files = kept(tmp_path, one=house.dealt_hand(), two=house.draw_hand())
    done = run("--key", house.public_key, *files)
    assert done.returncode == 0, done.stdout + done.stderr
    for words in verifier.STEPS.values():
        assert f"holds  {words}" in done.stdout or words.startswith("Every die")
    assert "position 21, slot " in done.stdout
    assert done.stdout.count(": holds") == 3


def test_a_proof_of_nothing_says_that_it_proves_nothing(tmp_path: Path) -> None:
    house = House()
    empty, dealt = kept(tmp_path, empty=house.round_without_bets(), dealt=house.dealt_round())
    assert "nothing is proven" in run(empty).stdout
    assert "nothing is proven" not in run(dealt).stdout


def test_without_the_published_key_it_says_that_it_was_not_compared(tmp_path: Path) -> None:
    house = House()
    (file,) = kept(tmp_path, one=house.ring_hand())
    assert "Not compared" in run(file).stdout
    other = run("--key", "00" * 32, "--json", file)
    told = json.loads(other.stdout)
    assert other.returncode == 1
    assert [one["code"] for one in told["problems"]] == ["other_key"]


def test_receipts_that_the_client_kept_are_checked_whatever_the_bundle_says(tmp_path: Path) -> None:
    house = House()
    bundle = house.ring_hand()
    receipts = bundle["receipts"]
    bundle["receipts"] = []
    bundle["cuts"][0]["list"]["commitments"][0] = "ab" * 32
    house.sign(bundle)
    bundle_file, receipts_file = kept(tmp_path, bundle=bundle, receipts=receipts)
    told = json.loads(run("--receipts", receipts_file, "--json", bundle_file).stdout)
    assert "receipt_not_listed" in [one["code"] for one in told["problems"]]
    assert run("--receipts", bundle_file, bundle_file).returncode == 2
