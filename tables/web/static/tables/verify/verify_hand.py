#!/usr/bin/env python3
"""Check the proof of a hand, or of many, without the house that dealt it.

    python3 verify_hand.py [--key HEX] [--receipts FILE] [--json] bundle.json [bundle.json ...]

One file, nothing but the standard library of Python 3.10 or later, written from the house's page on
fair cards alone (its sections are named in brackets). Every step says what it checked and, if
something is wrong, what. Exit status: 0 when all of it holds, 1 when something does not, 2 for
wrong arguments.

--key: the house's public key as it was published before; without it a bundle is only shown to agree
with the key that it names itself.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256, sha512
from itertools import pairwise
from typing import Any

Json = dict[str, Any]
Span = tuple[int, int]
Problem = tuple[str, str, Json]
Told = tuple[str, "Json | None", "Report"]

FORMATS = ("croupier-proof-1", "croupier-proof-2", "croupier-proof-3")
TOGETHER = "all of them together"
HASH = 32
SALT_LEAST = 16
WITHHELD, WITHHELD_MOST = "withheld", 2
FACES = 6
WORDS = {
    "purpose": ("deal", "reshuffle", "dice"),
    "mode": ("players", "house", "certified", "scripted"),
}
RANKS, SUITS, JOKERS = "23456789TJQKA", "cdhs", ("Jk", "X1", "X2")
FIRST_CARD = {36: 16, 52: 0, 53: 0, 54: 0}

STEPS = {
    "form": "The bundle has every field of section 8, each of its kind.",
    "key": "The key in the bundle is the one the house has published.",
    "signatures": "The house has signed every root, list, receipt, opened seed and end [8].",
    "numbering": "Roots are numbered without a gap and each names the one before [8].",
    "lists": "Every receipt's commitment is on its closed list, and no seed came before it [1, 8].",
    "seeds": "Every opened seed is the one its commitment was made of [5].",
    "ends": "Every cut ends once; a withheld seed makes it void, twice in a hand [1].",
    "joined": "The opened seeds and all roots give the joined seed and choose the deck [5].",
    "decks": "The decks that were not dealt are opened, complete, and give their roots [3].",
    "openings": "Every shown card gives the root of the dealt deck by its own proof [4].",
    "order": "Cards were dealt in their order, each to whom it was due, and none left out [8].",
    "cut": "Every shown card was dealt from the slot that the players' cut names [5].",
    "cards": "No card and no salt comes twice [6, 8].",
    "dice": "Every die shows the house's number and the players' together [6].",
    "table": "Bundles of one table agree, and no root between them is missing [8].",
}

SIGNED, HEX, SEALED = "hex64", "hex32", "hex16+"
LIST = {"commitments": [HEX], "at": "whole", "signature": SIGNED}
END = {
    "end": "text", "reason": "text", "root": "whole?", "joined": HEX + "?", "at": "whole",
    "signature": SIGNED,
}  # fmt: skip
ROOT = {"number": "whole", "root": HEX, "previous": HEX, "signature": SIGNED}
CUT = {
    "number": "whole", "purpose": "text", "mode": "text", "kind": "kind",
    "contents": (["whole"],), "roots": [ROOT], "list": (LIST,), "seeds": [HEX + "?"],
    "opened_at": ["whole?"], "end": (END,),
    "full": [{"number": "whole", "cards": ["whole"], "salts": [SEALED]}],
}  # fmt: skip
OPENING = {
    "cut": "whole", "root": "whole", "position": "whole", "slot": "whole", "card": "whole",
    "salt": SEALED, "proof": [["side", HEX]], "seq": "whole", "to": "text",
}  # fmt: skip
RECEIPT = {
    "cut": "whole", "root": HEX, "commitment": HEX, "at": "whole", "signature": SIGNED,
    "opened_at": "whole?", "opened_signature": SIGNED + "?",
}  # fmt: skip
PAGE = {
    "cuts": [{name: shape for name, shape in {**CUT, "hand": "whole?"}.items() if name != "full"}],
    "ends": {}, "next": "whole?",
}  # fmt: skip
BUNDLE = {
    "format": "text", "table": "whole", "hand": "whole", "hand_number": "whole", "family": "text",
    "status": "text", "viewer": "whole?", "public_key": HEX, "reveal_ms": "whole", "cuts": [CUT],
    "openings": [OPENING], "receipts": [RECEIPT],
}  # fmt: skip

# What a bundle of the third format has besides.
DEALT = {
    "seats": ["whole"], "button": "whole?",
    "dealt": [
        {"seq": "whole", "cut": "whole", "first": "whole", "to": ["whole?"], "how": "text"}
    ],
}  # fmt: skip


class Report:
    """What each step looked at, and what it found wrong."""

    def __init__(self) -> None:
        self.checked = dict.fromkeys(STEPS, 0)
        self.problems: list[Problem] = []

    def wrong(self, step: str, code: str, **facts: Any) -> None:
        self.problems.append((step, code, facts))

    def check(self, step: str, holds: bool, code: str, **facts: Any) -> bool:
        self.checked[step] += 1
        if not holds:
            self.wrong(step, code, **facts)
        return holds

    def to_json(self) -> Json:
        return {
            "holds": not self.problems,
            "checked": self.checked,
            "problems": [
                {"step": step, "code": code, "facts": facts} for step, code, facts in self.problems
            ],
        }


# Streams, commitments and cuts (sections 2 to 6)


def stream(label: str, seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from sha256(label.encode() + b"\0" + seed + block.to_bytes(8, "big")).digest()
        block += 1


def uniform(most: int, source: Iterator[int]) -> int:
    size = 1 if most <= 256 else 2
    values = 256**size
    while True:
        value = 0
        for _ in range(size):
            value = value * 256 + next(source)
        if value < values - values % most:
            return value % most


def shuffled(count: int, source: Iterator[int]) -> list[int]:
    order = list(range(count))
    for place in range(count - 1, 0, -1):
        other = uniform(place + 1, source)
        order[place], order[other] = order[other], order[place]
    return order


def leaf(hand: str, slot: int, card: int, salt: bytes) -> bytes:
    name = b"croupier/leaf/1\0" + hand.encode() + b"\0"
    return sha256(b"\0" + name + bytes([slot, card]) + salt).digest()


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    level = list(leaves)
    while len(level) > 1:
        above = [node(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
        level = above + level[len(level) - len(level) % 2 :]
    return level[0]


def way(slot: int, count: int) -> list[tuple[str, Span, Span]]:
    """From a slot up to the root [4]: the side of each sibling, it, and the node above both.

    Nodes are told apart by the slots under them: the first, and the one behind the last.
    """
    found = []
    width, at, size = count, slot, 1
    while width > 1:
        sibling = at ^ 1
        if sibling < width:
            below = (sibling * size, min((sibling + 1) * size, count))
            above = (at // 2 * 2 * size, min((at // 2 + 1) * 2 * size, count))
            found.append(("left" if at % 2 else "right", below, above))
        at, width, size = at // 2, (width + 1) // 2, 2 * size
    return found


def sides(slot: int, count: int) -> list[str]:
    """On which side the siblings of a slot stand, from the leaf up [4]."""
    return [side for side, _, _ in way(slot, count)]


def seed_commitment(seed: bytes) -> bytes:
    return sha256(b"croupier/seed/1\0" + seed).digest()


def joined_seed(roots: Sequence[bytes], seeds: Sequence[bytes]) -> bytes:
    text = b"croupier/joined/1\0" + bytes([len(roots)]) + b"".join(roots)
    return sha256(text + len(seeds).to_bytes(2, "big") + b"".join(seeds)).digest()


# Ed25519 (RFC 8032, 5.1)

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)
Point = tuple[int, int, int, int]


def add(one: Point, two: Point) -> Point:
    a = (one[1] - one[0]) * (two[1] - two[0]) % P
    b = (one[1] + one[0]) * (two[1] + two[0]) % P
    c = 2 * one[3] * two[3] * D % P
    d = 2 * one[2] * two[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar: int, point: Point) -> Point:
    total = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            total = add(total, point)
        point = add(point, point)
        scalar >>= 1
    return total


def x_of(y: int, sign: int) -> int | None:
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_1 % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    return P - x if x % 2 != sign else x


def point_of(data: bytes) -> Point | None:
    number = int.from_bytes(data, "little")
    y, sign = number % 2**255, number >> 255
    x = x_of(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


def bytes_of(point: Point) -> bytes:
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x % 2) << 255).to_bytes(32, "little")


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = x_of(BASE_Y, 0) or 0
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def signature_holds(key: bytes, message: bytes, signature: bytes) -> bool:
    point = point_of(key)
    scalar = int.from_bytes(signature[32:], "little")
    if point is None or scalar >= ORDER:
        return False
    hashed = sha512(signature[:32] + key + message).digest()
    challenge = int.from_bytes(hashed, "little") % ORDER
    minus = (P - point[0], point[1], 1, P - point[3])
    return bytes_of(add(times(scalar, BASE), times(challenge, minus))) == signature[:32]


# Form


def misfits(found: Any, wanted: Any, where: str) -> Iterator[str]:
    """Where a value is not what the page says: a path into the bundle."""
    if isinstance(wanted, dict):
        if not isinstance(found, dict):
            yield where
            return
        for name, kind in wanted.items():
            if name not in found:
                yield f"{where}.{name}"
            else:
                yield from misfits(found[name], kind, f"{where}.{name}")
    elif isinstance(wanted, tuple):
        if found is not None:
            yield from misfits(found, wanted[0], where)
    elif isinstance(wanted, list):
        fits = isinstance(found, list) and len(wanted) in (1, len(found))
        if not fits:
            yield where
            return
        for at, one in enumerate(found):
            kind = wanted[at] if len(wanted) > 1 else wanted[0]
            yield from misfits(one, kind, f"{where}[{at}]")
    elif not is_of(found, wanted):
        yield where


def is_of(found: Any, kind: str) -> bool:
    if kind.endswith("?"):
        return found is None or is_of(found, kind[:-1])
    if kind == "whole":
        return isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 2**53
    if not isinstance(found, str):
        return False
    if kind == "side":
        return found in ("left", "right")
    if kind == "kind":
        cards, plus, dice = found.partition("+")
        return bool(plus) and all(
            part.isascii() and part.isdigit() and str(int(part)) == part and int(part) <= 255
            for part in (cards, dice)
        )
    if kind == "text":
        return True
    digits = all(one in "0123456789abcdef" for one in found)
    if kind == SEALED:
        return digits and len(found) >= 2 * SALT_LEAST and len(found) % 2 == 0
    return digits and len(found) == 2 * int(kind[3:])


def raw(texts: Sequence[str]) -> list[bytes]:
    return [bytes.fromhex(text) for text in texts]


def counts(cut: Json) -> tuple[int, int]:
    """Cards and dice of each of its decks."""
    cards, dice = cut["kind"].split("+")
    return int(cards), int(dice)


def commitments(cut: Json) -> list[str]:
    return cut["list"]["commitments"] if cut["list"] else []


def opened(cut: Json) -> list[bytes]:
    return raw([seed for seed in cut["seeds"] if seed is not None])


def dealt_root(cut: Json) -> int | None:
    return cut["end"]["root"] if cut["end"] else None


def is_dealt(cut: Json) -> bool:
    return bool(cut["end"]) and cut["end"]["end"] == "dealt"


# One bundle, step by step


def verify(bundle: Any, key: str = "") -> Report:
    """Every step for one bundle. key: the house's, 64 hexadecimal digits, if it is known."""
    report = Report()
    for where in form_misfits(bundle):
        report.wrong("form", "misfit", where=where)
    if report.problems:
        return report
    report.check("form", bundle["format"] in FORMATS, "other_format", found=bundle["format"])
    for cut in bundle["cuts"]:
        kinds_fit(cut, report)
    if report.problems:
        return report
    if key:
        fits = bundle["public_key"] == key.lower()
        report.check("key", fits, "other_key", found=bundle["public_key"])
    check_signatures(bundle, report)
    check_numbering(bundle["table"], bundle["cuts"], report)
    check_lists(bundle, report)
    check_seeds(bundle, report)
    check_ends(bundle, report)
    for cut in bundle["cuts"]:
        check_joined(cut, report)
        check_decks(bundle, cut, report)
    check_openings(bundle, report)
    if tells_order(bundle):
        check_order(bundle, report)
    check_cards(bundle, report)
    return report


def form_misfits(bundle: Any) -> list[str]:
    found = list(misfits(bundle, BUNDLE, "bundle"))
    if not found and tells_order(bundle):
        found = list(misfits(bundle, DEALT, "bundle"))
    return found


def tells_order(bundle: Json) -> bool:
    """Bundles of the first two formats do not say what was dealt to whom."""
    return bool(bundle["format"] == FORMATS[2])


def kinds_fit(cut: Json, report: Report) -> None:
    """Sizes that every later step relies on."""
    cards, dice = counts(cut)
    slots, number, contents = cards + dice, cut["number"], cut["contents"]
    report.check("form", 1 <= slots <= 255, "no_deck", cut=number)
    report.check("form", 1 <= len(cut["roots"]) <= 255, "no_roots", cut=number)
    for field, known in WORDS.items():
        report.check("form", cut[field] in known, "unknown_word", cut=number, found=cut[field])
    if cut["end"]:
        end = cut["end"]
        known_end = end["end"] in ("dealt", "void")
        whole = known_end and (end["root"] is not None) == is_dealt(cut)
        no_reason = is_dealt(cut) and cut["mode"] != "scripted"
        whole = whole and (end["reason"] == "-") == no_reason
        report.check("form", whole, "odd_end", cut=number)
    if contents is None:
        report.check("form", cut["purpose"] == "reshuffle", "no_contents", cut=number)
    else:
        first = FIRST_CARD.get(cards)
        due = contents if first is None else list(range(first, first + cards))
        rising = all(one < two for one, two in pairwise(contents))
        fits = len(contents) == cards and rising and contents == due
        fits = fits and cut["purpose"] != "reshuffle" and all(card <= 255 for card in contents)
        report.check("form", fits, "odd_contents", cut=number)
    for full in cut["full"]:
        fits = len(full["cards"]) == len(full["salts"]) == slots
        fits = fits and all(card <= 255 for card in full["cards"])
        report.check("form", fits, "odd_deck", cut=number, root=full["number"])


def check_signatures(bundle: Json, report: Report) -> None:
    key, table = bytes.fromhex(bundle["public_key"]), bundle["table"]
    for cut in bundle["cuts"]:
        for number, what, fields, signature in signed_in(cut, bundle["hand"]):
            facts = {"what": what, "cut": cut["number"], "number": number}
            holds = is_signed(key, what, (table, cut["number"], *fields), signature)
            report.check("signatures", holds, "bad_signature", **facts)
    for place, receipt in enumerate(bundle["receipts"]):
        for what, fields, signature in signed_for(receipt):
            facts = {"what": what, "cut": receipt["cut"], "number": place}
            holds = is_signed(key, what, (table, receipt["cut"], *fields), signature)
            report.check("signatures", holds, "bad_signature", **facts)


def is_signed(key: bytes, what: str, fields: Sequence[Any], signature: str) -> bool:
    words = " ".join(str(field) for field in (f"croupier/{what}/1", *fields))
    return signature_holds(key, words.encode(), bytes.fromhex(signature))


def signed_in(cut: Json, hand: int | None) -> Iterator[tuple[int, str, Sequence[Any], str]]:
    """What the house has signed of a cut: a root's number or 0, the word, the fields, and how."""
    fields: Sequence[Any]
    roots = cut["roots"]
    signatures = {root["signature"] for root in roots}
    if len(roots) > 1 and len(signatures) == 1:
        first, every = roots[0], [root["root"] for root in roots]
        fields = (first["number"], cut["kind"], first["previous"], *every)
        yield first["number"], "roots", fields, first["signature"]
    else:  # a deck alone, or the way of the first format: each by itself
        for root in roots:
            fields = (root["number"], cut["kind"], root["previous"], root["root"])
            yield root["number"], "root", fields, root["signature"]
    if cut["list"]:
        given = cut["list"]["commitments"]
        yield 0, "list", (hand, cut["list"]["at"], len(given), *given), cut["list"]["signature"]
    if cut["end"]:
        end = cut["end"]
        root = "-" if end["root"] is None else end["root"]
        fields = (end["end"], end["reason"], root, end["joined"] or "-", end["at"])
        yield 0, "end", fields, end["signature"]


def signed_for(receipt: Json) -> Iterator[tuple[str, Sequence[Any], str]]:
    fields: Sequence[Any] = (receipt["root"], receipt["commitment"], receipt["at"])
    yield "receipt", fields, receipt["signature"]
    if receipt["opened_at"] is not None:
        fields = (receipt["commitment"], receipt["opened_at"])
        yield "opened", fields, receipt["opened_signature"] or "0" * 128


def check_numbering(table: int, cuts: Sequence[Json], report: Report) -> None:
    before = 0
    known: dict[int, str] = {}
    for cut in cuts:
        fits = cut["number"] > before
        report.check("numbering", fits, "cuts_out_of_order", cut=cut["number"], after=before)
        before = cut["number"]
        last = cut["roots"][0]["number"] - 1
        for root in cut["roots"]:
            number = root["number"]
            facts = {"cut": cut["number"], "root": number}
            report.check("numbering", number == last + 1, "root_gap", after=last, **facts)
            report.check("numbering", number not in known, "two_roots", **facts)
            report.check("numbering", root["root"] not in known.values(), "root_again", **facts)
            last = number
            known[number] = root["root"]
    for cut in cuts:
        for root in cut["roots"]:
            number = root["number"]
            due = "0" * 64 if number == 1 else known.get(number - 1, root["previous"])
            facts = {"cut": cut["number"], "root": number}
            report.check("numbering", root["previous"] == due, "wrong_previous", **facts)


def check_lists(bundle: Json, report: Report) -> None:
    known = {cut["number"]: cut for cut in bundle["cuts"]}
    for cut in bundle["cuts"]:
        number, given = cut["number"], commitments(cut)
        for place, commitment in enumerate(given):
            first = given.index(commitment) == place
            report.check("lists", first, "commitment_twice", cut=number, place=place)
        if not cut["list"]:
            report.check("lists", not cut["seeds"], "seeds_without_list", cut=number)
            continue
        for place, at in enumerate(cut["opened_at"]):
            late = at is None or at >= cut["list"]["at"]
            report.check("lists", late, "opened_before_list", cut=number, place=place)
    for place, receipt in enumerate(bundle["receipts"]):
        facts = {"cut": receipt["cut"], "receipt": place}
        listed = known.get(receipt["cut"])
        if not report.check("lists", listed is not None, "receipt_of_unknown_cut", **facts):
            continue
        assert listed is not None
        fits = receipt["root"] == listed["roots"][-1]["root"]
        report.check("lists", fits, "receipt_of_other_roots", **facts)
        if listed["list"]:
            stands = receipt["commitment"] in commitments(listed)
            report.check("lists", stands, "receipt_not_listed", **facts)
            early = receipt["at"] <= listed["list"]["at"]
            report.check("lists", early, "receipt_after_list", **facts)
            late = receipt["opened_at"] is None or receipt["opened_at"] >= listed["list"]["at"]
            report.check("lists", late, "list_after_opening", **facts)
        else:
            unheard = is_dealt(listed)
            report.check("lists", not unheard, "receipt_not_listed", **facts)


def check_seeds(bundle: Json, report: Report) -> None:
    for cut in bundle["cuts"]:
        number, given = cut["number"], commitments(cut)
        window_open = not cut["end"] and not cut["seeds"]
        whole = len(cut["seeds"]) == len(cut["opened_at"]) and all(
            (seed is None) == (at is None)
            for seed, at in zip(cut["seeds"], cut["opened_at"], strict=True)
        )
        whole = whole and (window_open or len(cut["seeds"]) == len(given))
        if not report.check("seeds", whole, "seeds_missing", cut=number):
            continue
        for place, seed in enumerate(cut["seeds"]):
            if seed is not None:
                fits = seed_commitment(bytes.fromhex(seed)).hex() == given[place]
                report.check("seeds", fits, "seed_not_committed", cut=number, place=place)
        for place, receipt in enumerate(bundle["receipts"]):
            mine = receipt["cut"] == number and receipt["opened_at"] is not None
            if mine and cut["seeds"] and receipt["commitment"] in given:
                heard = cut["seeds"][given.index(receipt["commitment"])] is not None
                report.check("seeds", heard, "opened_seed_left_out", cut=number, receipt=place)


def is_over(bundle: Json) -> bool:
    """Whether the hand was played to its end."""
    return bundle["status"] in ("finished", "settled")


def check_ends(bundle: Json, report: Report) -> None:
    over = is_over(bundle)
    voids = deals = 0
    for at, cut in enumerate(bundle["cuts"]):
        number, purpose = cut["number"], cut["purpose"]
        if not cut["end"]:
            report.check("ends", bundle["status"] != "settled", "not_ended", cut=number)
            continue
        missing = None in cut["seeds"]
        if is_dealt(cut):
            patient = not missing or voids == WITHHELD_MOST
            report.check("ends", patient, "dealt_without_a_seed", cut=number)
            deals += purpose == "deal"
        elif cut["end"]["reason"] == WITHHELD:
            report.check("ends", missing, "nothing_withheld", cut=number)
            voids += 1
            few = voids <= WITHHELD_MOST
            report.check("ends", few, "too_many_voids", cut=number, voids=voids)
            followed = any(later["purpose"] == purpose for later in bundle["cuts"][at + 1 :])
            report.check("ends", followed or not over, "not_followed", cut=number)
        elif cut["list"]:
            later = [one for one in bundle["cuts"][at + 1 :] if one["purpose"] == purpose]
            again = any(is_dealt(one) for one in later)
            report.check("ends", not again, "redrawn", cut=number, reason=cut["end"]["reason"])
    no_bets = bundle["family"] == "banked" and not bundle["cuts"] and not bundle["openings"]
    one = deals == 1 or not over or no_bets
    report.check("ends", one and deals <= 1, "not_one_deal", deals=deals)


def check_joined(cut: Json, report: Report) -> None:
    facts = {"cut": cut["number"]}
    roots, seeds = raw([root["root"] for root in cut["roots"]]), opened(cut)
    if cut["mode"] == "scripted":
        report.check("joined", False, "scripted", **facts)
    alone = cut["mode"] in ("certified", "scripted")
    single = alone or cut["purpose"] == "reshuffle" or counts(cut)[0] == 0
    report.check("joined", not single or len(roots) == 1, "not_one_root", **facts)
    if alone:
        report.check("joined", not cut["list"] and not seeds, "seeds_in_certified", **facts)
    if not cut["end"]:
        return
    due = joined_seed(roots, seeds) if seeds else None
    said = cut["end"]["joined"]
    fits = said == (due.hex() if due else None) or (said is None and not is_dealt(cut))
    report.check("joined", fits, "joined_differs", **facts)
    if not is_dealt(cut):
        return
    chosen = uniform(len(roots), stream("croupier/deck/1", due)) if due else 0
    number = cut["roots"][chosen]["number"]
    report.check("joined", dealt_root(cut) == number, "other_deck", due=number, **facts)
    alone = cut["mode"] != "players"
    report.check("joined", alone == (not seeds), "mode_differs", **facts)


def check_decks(bundle: Json, cut: Json, report: Report) -> None:
    number, (cards, _) = cut["number"], counts(cut)
    known = cut["purpose"] == "reshuffle" or cards == 0 or cards in FIRST_CARD
    report.check("decks", known, "no_such_deck", cut=number, cards=cards)
    every = {root["number"]: root["root"] for root in cut["roots"]}
    dealt = dealt_root(cut)
    voided_round = bundle["family"] == "banked" and bundle["status"] == "voided"
    due = set()
    if cut["end"] and cut["purpose"] != "reshuffle":
        due = set(every) if voided_round else set(every) - {dealt}
    shown = [full["number"] for full in cut["full"]]
    for root in every:
        facts = {"cut": number, "root": root}
        if root in due:
            report.check("decks", root in shown, "deck_not_opened", **facts)
        else:
            report.check("decks", root not in shown, "deck_opened_too_much", **facts)
    for full in cut["full"]:
        facts = {"cut": number, "root": full["number"]}
        if not report.check("decks", full["number"] in every, "deck_of_unknown_root", **facts):
            continue
        hand = f"{bundle['table']}/{full['number']}"
        pairs = zip(full["cards"], raw(full["salts"]), strict=True)
        leaves = [leaf(hand, slot, card, salt) for slot, (card, salt) in enumerate(pairs)]
        fits = root_of(leaves).hex() == every[full["number"]]
        report.check("decks", fits, "deck_is_another", **facts)
        if cut["contents"] is not None:
            complete = sorted(full["cards"][:cards]) == cut["contents"]
            report.check("decks", complete, "deck_not_complete", **facts)
        low = all(value < FACES for value in full["cards"][cards:])
        report.check("decks", low, "no_die", **facts)


def check_openings(bundle: Json, report: Report) -> None:
    """Each shown card's proof, its place in the cut, and each die's face."""
    known = {cut["number"]: cut for cut in bundle["cuts"]}
    orders: dict[int, list[int]] = {}
    added: dict[int, list[int]] = {}
    nodes: dict[int, dict[Span, bytes]] = {}
    for at, opening in enumerate(bundle["openings"]):
        facts = {"opening": at, "cut": opening["cut"], "position": opening["position"]}
        cut = known.get(opening["cut"])
        every = {root["number"]: root["root"] for root in cut["roots"]} if cut else {}
        held = opening["root"] in every
        if not report.check("openings", held, "opening_of_unknown_root", **facts):
            continue
        assert cut is not None
        is_dealt_one = dealt_root(cut) == opening["root"]
        report.check("openings", is_dealt_one, "deck_was_not_dealt", **facts)
        cards, dice = counts(cut)
        slot, position, card = opening["slot"], opening["position"], opening["card"]
        fits = slot < cards + dice and position < cards + dice and card <= 255
        if not report.check("openings", fits, "no_such_place", **facts):
            continue
        root, shown = every[opening["root"]], nodes.setdefault(opening["root"], {})
        proof_holds(bundle, cut, opening, root, shown, facts, report)
        number = cut["number"]
        if number not in orders:
            orders[number], added[number] = cut_of(cut)
        order = orders[number] + list(range(cards, cards + dice))
        report.check("cut", order[position] == slot, "wrong_slot", due=order[position], **facts)
        if slot < cards:
            in_deck = cut["contents"] is None or card in cut["contents"]
            report.check("openings", in_deck and "face" not in opening, "not_in_deck", **facts)
        else:
            face = 1 + (card + added[number][slot - cards]) % FACES
            fits = card < FACES and opening.get("face") == face
            report.check("dice", fits, "wrong_face", due=face, **facts)


def proof_holds(
    bundle: Json,
    cut: Json,
    opening: Json,
    root: str,
    shown: dict[Span, bytes],
    facts: Json,
    report: Report,
) -> None:
    """The proof leads to the root, or to a node that an opening before it has shown [4].

    shown: those nodes; what a good proof shows is added.
    """
    slot, path = opening["slot"], opening["proof"]
    due = way(slot, sum(counts(cut)))
    fits = [side for side, _ in path] == [side for side, _, _ in due[: len(path)]]
    report.check("openings", fits, "proof_of_another_place", **facts)
    hand = f"{bundle['table']}/{opening['root']}"
    at = leaf(hand, slot, opening["card"], bytes.fromhex(opening["salt"]))
    here: Span = (slot, slot + 1)
    passed = {here: at}
    for (side, sibling), (_, below, above) in zip(path, due, strict=False):
        other = bytes.fromhex(sibling)
        at = node(at, other) if side == "right" else node(other, at)
        passed[below], passed[above], here = other, at, above
    end = bytes.fromhex(root) if len(path) >= len(due) else shown.get(here)
    if report.check("openings", fits and at == end, "proof_fails", **facts):
        shown.update(passed)


def cut_of(cut: Json) -> tuple[list[int], list[int]]:
    """The slot of each card's position, and the players' part of each die."""
    cards, dice = counts(cut)
    seeds = opened(cut)
    if not seeds:
        return list(range(cards)), [0] * dice
    joined = joined_seed(raw([root["root"] for root in cut["roots"]]), seeds)
    rolled = stream("croupier/die/1", joined)
    order = shuffled(cards, stream("croupier/cut/1", joined))
    return order, [uniform(FACES, rolled) for _ in range(dice)]


def check_order(bundle: Json, report: Report) -> None:
    """Places of a deck are dealt one after the other, each to whom it is due [8]."""
    known = {cut["number"]: cut for cut in bundle["cuts"]}
    due: dict[tuple[int, bool], int] = {}
    holders: dict[tuple[int, int], tuple[Json, int | None]] = {}
    before = 0
    for at, dealt in enumerate(bundle["dealt"]):
        number, first, to = dealt["cut"], dealt["first"], dealt["to"]
        facts = {"cut": number, "dealt": at}
        cut = known.get(number)
        sound = cut is not None and is_dealt(cut) and cut["purpose"] != "reshuffle"
        sound = sound and dealt["how"] in ("up", "down")
        if not report.check("order", sound, "dealt_from_no_deck", **facts):
            continue
        assert cut is not None
        cards, dice = counts(cut)
        rolled = first >= cards
        next_one = due.get((number, rolled), cards if rolled else 0)
        may_burn = bundle["family"] == "poker" and not rolled and next_one > 0
        follows = first == next_one or (may_burn and first == next_one + 1)
        fits = follows and to != [] and first + len(to) <= (cards + dice if rolled else cards)
        report.check("order", fits, "left_out", due=next_one, first=first, **facts)
        due[number, rolled] = first + len(to)
        in_time = dealt["seq"] >= before
        # More than a deck holds is wrong already, and would take long to look through.
        in_turn = in_time and (not fits or in_their_turn(to, bundle["family"], bundle["button"]))
        report.check("order", in_turn, "out_of_turn", **facts)
        before = dealt["seq"]
        for nth, seat in enumerate(to):
            holders.setdefault((number, first + nth), (dealt, seat))
    shown = set()
    reshuffles = {cut["number"] for cut in bundle["cuts"] if cut["purpose"] == "reshuffle"}
    for at, opening in enumerate(bundle["openings"]):
        number, position, seq = opening["cut"], opening["position"], opening["seq"]
        facts = {"cut": number, "opening": at, "position": position}
        shown.add((number, position))
        if number in reshuffles:
            continue
        held = holders.get((number, position))
        if not report.check("order", held is not None, "never_dealt", **facts):
            continue
        assert held is not None
        dealt, seat = held
        when = seq == dealt["seq"] if dealt["how"] == "up" else seq >= dealt["seq"]
        report.check("order", when, "shown_at_another_time", **facts)
        if dealt["how"] == "down" and seq == dealt["seq"] and opening["to"] == "you":
            report.check("order", seat in bundle["seats"], "of_another_seat", **facts)
    for (number, position), (dealt, seat) in holders.items():
        if dealt["how"] == "up" or seat in bundle["seats"]:
            proved = (number, position) in shown
            report.check("order", proved, "not_opened", cut=number, position=position)


def in_their_turn(to: Sequence[int | None], family: str, button: int | None) -> bool:
    """Card by card from the button's left, or, where no button is, from the lowest seat.

    Against the house each may get all of his at once, and the dealer (null) comes last; dice come
    to each at once, whoever begins.
    """
    order = list(dict.fromkeys(to))
    counted = {seat: list(to).count(seat) for seat in order}
    by_card = [
        seat
        for turn in range(max(counted.values(), default=0))
        for seat in order
        if counted[seat] > turn
    ]
    at_once = [seat for seat in order for _ in range(counted[seat])]
    seats = [seat for seat in order if seat is not None]
    begins = seats[0] - 1 if family == "bluff" and seats else 0
    if family == "poker" and button is not None:
        begins = button
    due = sorted(seat for seat in seats if seat > begins)
    due += sorted(seat for seat in seats if seat <= begins)
    given = list(to) == by_card or (family != "poker" and list(to) == at_once)
    return given and order == due + [None] * (None in order)


def check_cards(bundle: Json, report: Report) -> None:
    cards_of = {cut["number"]: counts(cut)[0] for cut in bundle["cuts"]}
    reshuffles = {cut["number"] for cut in bundle["cuts"] if cut["purpose"] == "reshuffle"}
    in_slot: dict[tuple[int, int], int] = {}
    of_card: dict[tuple[int, int], int] = {}
    salts: dict[str, tuple[int, int]] = {}
    first_seq: dict[int, int] = {}
    for opening in bundle["openings"]:
        number = opening["cut"]
        first_seq[number] = min(opening["seq"], first_seq.get(number, opening["seq"]))
    for at, opening in enumerate(bundle["openings"]):
        number, root, slot, card = (opening[name] for name in ("cut", "root", "slot", "card"))
        facts = {"opening": at, "cut": number, "card": card}
        same = in_slot.setdefault((root, slot), card) == card
        report.check("cards", same, "slot_twice", **facts)
        if slot >= cards_of.get(number, 0):
            continue
        once = of_card.setdefault((root, card), slot) == slot
        for later in bundle["openings"]:
            if (
                later["cut"] > number
                and later["card"] == card
                and later["slot"] < cards_of.get(later["cut"], 0)
            ):
                gone = later["cut"] in reshuffles and opening["seq"] < first_seq[later["cut"]]
                once = once and gone
        report.check("cards", once, "card_twice", **facts)
    for salt, root, slot in salts_of(bundle):
        fresh = salts.setdefault(salt, (root, slot)) == (root, slot)
        report.check("cards", fresh, "salt_again", root=root, slot=slot)


# Many bundles of one table


def verify_together(bundles: Sequence[Json], listed: Sequence[Json] = ()) -> Report:
    """What several bundles say together: views of one hand, and hands of one table.

    listed: cuts of that table as the house tells everybody, which no hand of the bundles used.
    """
    report = Report()
    tables = sorted({bundle["table"] for bundle in bundles})
    if listed and len(tables) > 1:
        report.wrong("table", "cuts_of_which_table", tables=len(tables))
        listed = ()
    deals: dict[tuple[int, int, int], Json] = {}
    for table in tables:
        own = [bundle for bundle in bundles if bundle["table"] == table]
        key = bytes.fromhex(own[0]["public_key"])
        for cut in listed:
            for number, what, fields, signature in signed_in(cut, cut["hand"]):
                facts = {"what": what, "cut": cut["number"], "number": number}
                holds = is_signed(key, what, (table, cut["number"], *fields), signature)
                report.check("table", holds, "bad_signature", **facts)
        told = [(cut, bundle["hand"]) for bundle in own for cut in bundle["cuts"]]
        agree(table, told + [(cut, cut["hand"]) for cut in listed], report)
        for hand in sorted({bundle["hand"] for bundle in own}):
            views = [bundle for bundle in own if bundle["hand"] == hand]
            for view in views:
                for dealt in view["dealt"] if tells_order(view) else ():
                    which = (hand, dealt["cut"], dealt["first"])
                    same = deals.setdefault(which, dealt) == dealt
                    facts = {"hand": hand, "cut": dealt["cut"], "first": dealt["first"]}
                    report.check("table", same, "two_deals", **facts)
            pool = {**views[0], "openings": [one for view in views for one in view["openings"]]}
            pooled = Report()
            check_cards(pool, pooled)
            report.checked["table"] += pooled.checked["cards"]
            for _, code, facts in pooled.problems:
                report.wrong("table", code, hand=hand, **facts)
        salts_differ(own, report)
    return report


def agree(table: int, cuts: Sequence[tuple[Json, int | None]], report: Report) -> None:
    """One history of cuts and roots, whoever was told of it.

    cuts: each with its hand, None for one that waits for a hand or was void before any.
    """
    facts = {"table": table}
    seen: dict[tuple[int, str], Any] = {}
    hands: dict[int, int] = {}
    roots: dict[int, Json] = {}
    codes = {"list": "two_lists", "end": "two_ends", "seeds": "two_seeds"}
    for cut, hand in cuts:
        if hand is not None:
            same = hands.setdefault(cut["number"], hand) == hand
            report.check("table", same, "two_hands", cut=cut["number"], **facts)
        for field, code in codes.items():
            if cut[field]:
                same = seen.setdefault((cut["number"], field), cut[field]) == cut[field]
                report.check("table", same, code, cut=cut["number"], **facts)
        for root in cut["roots"]:
            same = roots.setdefault(root["number"], root)["root"] == root["root"]
            report.check("table", same, "two_roots", root=root["number"], **facts)
    named: dict[str, int] = {}
    for number in range(min(roots), max(roots) + 1) if roots else ():
        if not report.check("table", number in roots, "root_missing", root=number, **facts):
            continue
        once = named.setdefault(roots[number]["root"], number) == number
        report.check("table", once, "root_again", root=number, **facts)
        if number - 1 in roots:
            fits = roots[number]["previous"] == roots[number - 1]["root"]
            report.check("table", fits, "wrong_previous", root=number, **facts)


def salts_differ(bundles: Sequence[Json], report: Report) -> None:
    salts: dict[str, tuple[int, int]] = {}
    for bundle in bundles:
        for salt, root, slot in salts_of(bundle):
            fresh = salts.setdefault(salt, (root, slot)) == (root, slot)
            report.check("table", fresh, "salt_again", root=root, slot=slot)


def salts_of(bundle: Json) -> Iterator[tuple[str, int, int]]:
    """Each salt, and the root and slot at which it stands."""
    for opening in bundle["openings"]:
        yield opening["salt"], opening["root"], opening["slot"]
    for cut in bundle["cuts"]:
        for full in cut["full"]:
            for slot, salt in enumerate(full["salts"]):
                yield salt, full["number"], slot


# For people


def card_text(card: int) -> str:
    if card < 52:
        return RANKS[card // 4] + SUITS[card % 4]
    return JOKERS[card - 52] if card < 55 else str(card)


def told(report: Report, with_key: bool, steps: Sequence[str]) -> list[str]:
    lines = []
    for step in steps:
        wrong = [one for one in report.problems if one[0] == step]
        verdict = "WRONG" if wrong else "holds" if report.checked[step] else "-----"
        lines.append(f"  {verdict}  {STEPS[step]} ({report.checked[step]} checks)")
        if step == "key" and not with_key:
            lines.append("         Not compared: give the published key with --key.")
        if step == "order" and not report.checked[step]:
            lines.append("         Not looked at: this bundle does not say what was dealt to whom.")
        for _, code, facts in wrong:
            said = ", ".join(f"{name} {value}" for name, value in facts.items())
            lines.append(f"         {code.replace('_', ' ')}: {said}")
    return lines


def shown(bundle: Json) -> list[str]:
    lines = []
    if is_over(bundle) and not bundle["cuts"]:
        lines.append("         Nothing was dealt, says the house, and nothing is proven: there is")
        lines.append("         no cut, as where nobody bets. Whoever did bet here is deceived.")
    for opening in bundle["openings"]:
        what = f"die {opening['face']}" if "face" in opening else card_text(opening["card"])
        whose = "all" if opening["to"] == "all" else "this viewer"
        lines.append(
            f"         position {opening['position']}, slot {opening['slot']} of root"
            f" {opening['root']}: {what}, to {whose}"
        )
    return lines


def read(file: str) -> Any:
    if file == "-":
        return json.load(sys.stdin)
    with open(file, encoding="utf-8") as source:
        return json.load(source)


def with_receipts(bundle: Any, kept: Sequence[Json]) -> Any:
    """A bundle with the receipts that a client kept itself, for the cuts that it tells of."""
    cuts = {cut["number"] for cut in bundle["cuts"]}
    fresh = [one for one in kept if one["cut"] in cuts and one not in bundle["receipts"]]
    return {**bundle, "receipts": [*bundle["receipts"], *fresh]}


def verify_files(files: Sequence[str], key: str, kept: Sequence[Json]) -> Iterator[Told]:
    """A name, the bundle if it can be read, and its report; last one for all of them together.

    A file may also be a page of a table's cuts.
    """
    whole: list[Json] = []
    listed: list[Json] = []
    for file in files:
        report = Report()
        try:
            bundle = read(file)
        except (OSError, ValueError, RecursionError) as error:
            report.wrong("form", "unreadable", error=str(error))
            yield file, None, report
            continue
        if not any(misfits(bundle, PAGE, "page")):
            listed += bundle["cuts"]
            continue
        if not any(misfits(bundle, BUNDLE, "bundle")):
            bundle = with_receipts(bundle, kept)
        report = verify(bundle, key)
        if any(step == "form" for step, _, _ in report.problems):
            yield file, None, report
        else:
            whole.append(bundle)
            yield file, bundle, report
    if whole and len(whole) + len(listed) > 1:
        yield TOGETHER, None, verify_together(whole, listed)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check the proofs of hands.")
    parser.add_argument(
        "bundles", nargs="+",
        help="files of the proof's JSON, and of pages of the table's cuts; - reads one",
    )  # fmt: skip
    parser.add_argument("--key", default="", help="the house's public key, 64 digits")
    parser.add_argument(
        "--receipts", help="a JSON list of receipts that your client kept, whatever a bundle says"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object for each report")
    options = parser.parse_args(arguments)
    kept = read(options.receipts) if options.receipts else []
    for where in misfits(kept, [RECEIPT], "receipts"):
        parser.error(f"no list of receipts: {where}")
    sound = True
    for name, bundle, report in verify_files(options.bundles, options.key, kept):
        sound = sound and not report.problems
        if options.json:
            print(json.dumps({"file": name, **report.to_json()}))
            continue
        print(f"{name}: {'does NOT hold' if report.problems else 'holds'}")
        steps = [step for step in STEPS if (step == "table") == (name == TOGETHER)]
        print("\n".join(told(report, bool(options.key), steps)))
        if bundle is not None:
            print("\n".join(shown(bundle)))
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
