"""A house that makes proofs by the page on fair cards, honest until somebody edits and signs anew.

It shares the engine's streams and trees with the real one, and nothing with its run-time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tables.engine import fairness

Json = dict[str, Any]
DECK = tuple(range(52))
ZEROS = "0" * 64


@dataclass
class Secret:
    """What the house knows of a deck: cards and dice by slot, and their salts."""

    order: list[int]
    salts: list[bytes]


class House:
    def __init__(self, seed: int = 1, table: int = 7) -> None:
        self.random = Random(seed)
        self.key = Ed25519PrivateKey.from_private_bytes(Random(99).randbytes(32))
        self.table = table
        self.cuts = self.hands = self.seq = 0
        self.roots: list[str] = []
        self.secrets: dict[int, Secret] = {}
        self.now = 1_800_000_000_000

    @property
    def public_key(self) -> str:
        return self.key.public_key().public_bytes_raw().hex()

    def later(self) -> int:
        self.now += self.random.randrange(1, 40)
        return self.now

    # Decks

    def secret(self, cards: Sequence[int], dice: int) -> Secret:
        order = fairness.shuffle(cards, self.random.randbytes(32))
        order += fairness.house_dice(self.random.randbytes(32), dice)
        return Secret(order, [self.random.randbytes(16) for _ in order])

    def publish(self, secret: Secret) -> Json:
        number = len(self.roots) + 1
        self.secrets[number] = secret
        label = f"{self.table}/{number}"
        root = fairness.commitment(label, secret.order, secret.salts).hex()
        previous = self.roots[-1] if self.roots else ZEROS
        self.roots.append(root)
        return {"number": number, "root": root, "previous": previous, "signature": ""}

    # Cuts

    def cut(
        self,
        secrets: Sequence[Secret],
        *,
        cards: Sequence[int] = DECK,
        dice: int = 0,
        purpose: str = "deal",
        clients: int = 3,
        withheld: Sequence[int] = (),
        void: str = "",
        mode: str | None = None,
    ) -> Json:
        """A whole cut: published, listed, opened and ended. void: its reason, if it is void."""
        self.cuts += 1
        seeds = [self.random.randbytes(32) for _ in range(clients)]
        given = [fairness.seed_commitment(seed).hex() for seed in seeds]
        made: Json = {
            "number": self.cuts,
            "purpose": purpose,
            "mode": mode or ("players" if clients > len(withheld) else "house"),
            "kind": f"{len(cards)}+{dice}",
            "contents": None if purpose == "reshuffle" else sorted(cards),
            "roots": [self.publish(secret) for secret in secrets],
            "list": None,
            "seeds": [],
            "opened_at": [],
            "end": None,
            "full": [],
        }
        if clients:
            made["list"] = {"commitments": given, "at": self.later(), "signature": ""}
            for place, seed in enumerate(seeds):
                is_open = place not in withheld
                made["seeds"].append(seed.hex() if is_open else None)
                made["opened_at"].append(self.later() if is_open else None)
        self.end(made, void)
        return made

    def end(self, cut: Json, void: str = "") -> None:
        """Choose the dealt root as the seeds say, open the others, end the cut."""
        roots = [bytes.fromhex(root["root"]) for root in cut["roots"]]
        seeds = [bytes.fromhex(seed) for seed in cut["seeds"] if seed]
        chosen = cut["roots"][fairness.chosen_deck(roots, seeds)]["number"]
        cut["end"] = {
            "end": "void" if void else "dealt",
            "reason": void or "-",
            "root": None if void else chosen,
            "joined": fairness.joined(roots, seeds).hex() if seeds else None,
            "at": self.later(),
            "signature": "",
        }
        cut["full"] = [
            self.full(root["number"])
            for root in cut["roots"]
            if cut["purpose"] != "reshuffle" and (void or root["number"] != chosen)
        ]

    def full(self, number: int) -> Json:
        secret = self.secrets[number]
        return {
            "number": number,
            "cards": list(secret.order),
            "salts": [salt.hex() for salt in secret.salts],
        }

    # Openings

    def opening(self, cut: Json, position: int, to: str = "all") -> Json:
        self.seq += 1
        number = cut["end"]["root"]
        secret = self.secrets[number]
        cards, dice = map(int, cut["kind"].split("+"))
        roots = [bytes.fromhex(root["root"]) for root in cut["roots"]]
        seeds = [bytes.fromhex(seed) for seed in cut["seeds"] if seed]
        slot = fairness.cut(roots, seeds, cards)[position] if position < cards else position
        leaves = fairness.leaves_of(f"{self.table}/{number}", secret.order, secret.salts)
        made: Json = {
            "cut": cut["number"],
            "root": number,
            "position": position,
            "slot": slot,
            "card": secret.order[slot],
            "salt": secret.salts[slot].hex(),
            "proof": [[side, sibling.hex()] for side, sibling in fairness.proof_of(leaves, slot)],
            "seq": self.seq,
            "to": to,
        }
        if position >= cards:
            added = fairness.dice_added(roots, seeds, dice)[position - cards]
            made["face"] = fairness.die(made["card"], added)
        return made

    # Bundles

    def bundle(
        self, cuts: Sequence[Json], openings: Sequence[Json], *, viewer: int | None = 2,
        family: str = "poker", status: str = "settled", hand: int | None = None,
    ) -> Json:  # fmt: skip
        """A signed bundle; the viewer is the first client of every list."""
        if hand is None:
            self.hands += 1
        receipts = []
        for cut in cuts if viewer is not None else ():
            if cut["list"]:
                opened_at = cut["opened_at"][0] if cut["opened_at"] else None
                receipts.append(
                    {
                        "cut": cut["number"],
                        "root": cut["roots"][-1]["root"],
                        "commitment": cut["list"]["commitments"][0],
                        "at": cut["list"]["at"] - 5,
                        "signature": "",
                        "opened_at": opened_at,
                        "opened_signature": None,
                    }
                )
        made: Json = {
            "format": "croupier-proof-2",
            "table": self.table,
            "hand": 1000 + (hand or self.hands),
            "hand_number": hand or self.hands,
            "family": family,
            "status": status,
            "viewer": viewer,
            "public_key": self.public_key,
            "reveal_ms": 1000,
            "cuts": list(cuts),
            "openings": list(openings),
            "receipts": receipts,
        }
        self.sign(made)
        return made

    def sign(self, bundle: Json) -> None:
        """Every signature anew: what a house can always do is sign what it claims."""
        for cut in bundle["cuts"]:
            first, every = cut["roots"][0], [root["root"] for root in cut["roots"]]
            fields = (first["number"], cut["kind"], first["previous"], *every)
            word = "root" if len(every) == 1 else "roots"
            signature = self._signed(word, cut["number"], *fields)
            for root in cut["roots"]:
                root["signature"] = signature
            if cut["list"]:
                given = cut["list"]["commitments"]
                fields = (bundle["hand"], cut["list"]["at"], len(given), *given)
                cut["list"]["signature"] = self._signed("list", cut["number"], *fields)
            if cut["end"]:
                end = cut["end"]
                root = "-" if end["root"] is None else end["root"]
                fields = (end["end"], end["reason"], root, end["joined"] or "-", end["at"])
                end["signature"] = self._signed("end", cut["number"], *fields)
        for receipt in bundle["receipts"]:
            fields = (receipt["root"], receipt["commitment"], receipt["at"])
            receipt["signature"] = self._signed("receipt", receipt["cut"], *fields)
            if receipt["opened_at"] is not None:
                fields = (receipt["commitment"], receipt["opened_at"])
                receipt["opened_signature"] = self._signed("opened", receipt["cut"], *fields)

    def sign_each(self, bundle: Json) -> None:
        """Every root by itself, as in the first format."""
        bundle["format"] = "croupier-proof-1"
        for cut in bundle["cuts"]:
            for root in cut["roots"]:
                fields = (root["number"], cut["kind"], root["previous"], root["root"])
                root["signature"] = self._signed("root", cut["number"], *fields)

    def _signed(self, what: str, cut: int, *fields: object) -> str:
        words = " ".join(map(str, (f"croupier/{what}/1", self.table, cut, *fields)))
        return self.key.sign(words.encode()).hex()

    # Whole hands

    def decks(self, count: int, cards: Sequence[int] = DECK, dice: int = 0) -> list[Secret]:
        return [self.secret(cards, dice) for _ in range(count)]

    def ring_hand(self, *, decks: int = 4, seats: int = 10) -> Json:
        """A hand of hold'em seen by seat 2: own cards, the board, two hands shown."""
        cut = self.cut(self.decks(decks), clients=seats)
        own = [self.opening(cut, position, "you") for position in (1, 1 + seats)]
        board = [self.opening(cut, 2 * seats + place) for place in range(5)]
        shown = [self.opening(cut, position) for position in (0, seats, 1, 1 + seats)]
        return self.bundle([cut], [*own, *board, *shown])

    def whole_showdown(self) -> Json:
        """Ten seats, four decks, every card of every seat shown: the longest proof of hold'em."""
        return self.dealt_hand(shown=range(1, 11))

    def dealt_hand(self, shown: Sequence[int] = (1, 3), seats: int = 10) -> Json:
        """Hold'em as seat 2 sees it, the button at the last seat; some hands are shown."""
        cut = self.cut(self.decks(4), clients=seats)
        dealt = [self.dealing(cut, 0, [*range(1, seats + 1)] * 2, "down")]
        openings = self.opened_at(cut, (1, 1 + seats), dealt[0]["seq"], "you")
        first = 2 * seats
        for count in (3, 1, 1):
            dealt.append(self.dealing(cut, first + 1, [None] * count, "up"))
            first += 1 + count
            board = range(first - count, first)
            openings += self.opened_at(cut, board, dealt[-1]["seq"], "all")
        for seat in shown:
            hand = (seat - 1, seat - 1 + seats)
            if seat == 2:
                openings[0]["to"] = openings[1]["to"] = "all"
            else:
                openings += self.opened_at(cut, hand, self.seq + 1, "all")
        return self.in_order(self.bundle([cut], openings), dealt, seats=[2], button=seats)

    def dealt_round(self) -> Json:
        """Against the house: three spots, two of them this viewer's, and the dealer's cards."""
        cut = self.cut(self.decks(3), clients=2)
        to = [seat for seat in (2, 5, 6, None) for _ in range(3)]
        dealt = [self.dealing(cut, 0, to, "down")]
        openings = self.opened_at(cut, range(6), dealt[0]["seq"], "you")
        openings += self.opened_at(cut, range(9, 12), self.seq + 1, "all")
        bundle = self.bundle([cut], openings, family="banked")
        return self.in_order(bundle, dealt, seats=[2, 5], button=None)

    def round_without_bets(self) -> Json:
        """Against the house nothing is dealt where nobody bets: its decks wait for the next."""
        bundle = self.bundle([], [], family="banked", viewer=None)
        return self.in_order(bundle, [], seats=[], button=None)

    def dealt_dice(self) -> Json:
        """Liar's dice: the lot, everybody's cup, and again when one die is lost."""
        cut = self.cut(self.decks(1, (), 40), cards=(), dice=40)
        dealt = [self.dealing(cut, 0, [None] * 2, "up")]
        openings = self.opened_at(cut, range(2), dealt[0]["seq"], "all")
        for first, to in ((2, [2] * 5 + [4] * 5), (12, [4] * 5 + [2] * 4)):
            dealt.append(self.dealing(cut, first, to, "down"))
            own = [first + nth for nth, seat in enumerate(to) if seat == 2]
            openings += self.opened_at(cut, own, dealt[-1]["seq"], "you")
        bundle = self.bundle([cut], self.shortened(openings), family="bluff")
        return self.in_order(bundle, dealt, seats=[2], button=None)

    def dealing(self, cut: Json, first: int, to: list[int | None], how: str) -> Json:
        self.seq += 1
        return {"seq": self.seq, "cut": cut["number"], "first": first, "to": to, "how": how}

    def opened_at(self, cut: Json, places: Iterable[int], seq: int, to: str) -> list[Json]:
        return [{**self.opening(cut, place, to), "seq": seq} for place in places]

    def in_order(self, bundle: Json, dealt: list[Json], **facts: Any) -> Json:
        """In the format that says what was dealt to whom."""
        return {**bundle, **facts, "format": "croupier-proof-3", "dealt": dealt}

    def withheld_hand(self) -> Json:
        """Two cuts void, the third dealt without the seed that was withheld again."""
        cuts = [
            self.cut(self.decks(2), withheld=(2,), void="withheld"),
            self.cut(self.decks(2), withheld=(1,), void="withheld"),
            self.cut(self.decks(2), withheld=(1,)),
        ]
        return self.bundle(cuts, [self.opening(cuts[2], place) for place in (0, 3, 7)])

    def draw_hand(self) -> Json:
        """A draw that reshuffles what was mucked; the fourth opening is the reshuffle's first."""
        deal = self.cut(self.decks(2))
        own = [self.opening(deal, place, "you") for place in range(5)]
        mucked = [self.secrets[deal["end"]["root"]].order[one["slot"]] for one in own[:2]]
        slots = {one["slot"] for one in own}
        rest = [
            card
            for slot, card in enumerate(self.secrets[deal["end"]["root"]].order)
            if slot not in slots
        ]
        again = [*mucked, *rest[:8]]
        fresh = self.cut([self.secret(again, 0)], cards=again, purpose="reshuffle")
        drawn = [self.opening(fresh, place) for place in range(10)]
        kept = [{**one, "to": "all", "seq": self.seq + 1} for one in own[2:]]
        return self.bundle([deal, fresh], [*own, *drawn, *kept])

    def dice_hand(self) -> Json:
        """Liar's dice: no cards, one root, and dice added during the hand."""
        deal = self.cut(self.decks(1, (), 20), cards=(), dice=20)
        more = self.cut(self.decks(1, (), 10), cards=(), dice=10, purpose="dice")
        openings = [self.opening(deal, place, "you") for place in range(5)]
        openings += [self.opening(more, place) for place in range(10)]
        return self.bundle([deal, more], self.shortened(openings), family="bluff")

    def most_dice(self) -> Json:
        """Ten players at liar's dice show all they ever rolled: the longest proof of any game."""
        deal = self.cut(self.decks(1, (), 240), cards=(), dice=240, clients=10)
        openings = [self.opening(deal, place) for place in range(119)]
        return self.bundle([deal], self.shortened(openings), family="bluff")

    def shortened(self, openings: Sequence[Json]) -> list[Json]:
        """Each proof ends at the first node that an opening before it has shown."""
        shown: dict[int, set[fairness.Span]] = {}
        for one in openings:
            secret = self.secrets[one["root"]]
            label = f"{self.table}/{one['root']}"
            tree = fairness.Tree(fairness.leaves_of(label, secret.order, secret.salts))
            proof = tree.proof(one["slot"], shown.setdefault(one["root"], set()))
            one["proof"] = [[side, sibling.hex()] for side, sibling in proof]
        return list(openings)

    def voided_round(self) -> Json:
        """A round against the house that was voided: the dealt deck too lies open."""
        cut = self.cut(self.decks(3), clients=2)
        cut["full"] = [self.full(root["number"]) for root in cut["roots"]]
        return self.bundle(
            [cut], [self.opening(cut, 0, "you")], family="banked", status="voided"
        )  # fmt: skip

    def alone(self, mode: str) -> Json:
        """The house without the players: nobody sent a seed, or the market forbids it."""
        cut = self.cut(self.decks(1 if mode == "certified" else 3), clients=0, mode=mode)
        return self.bundle([cut], [self.opening(cut, place) for place in range(4)])


def listed(bundle: Json) -> Json:
    """A hand's cuts as a page of its table's cuts has them."""
    cuts = [
        {**{name: fact for name, fact in cut.items() if name != "full"}, "hand": bundle["hand"]}
        for cut in bundle["cuts"]
    ]
    return {"cuts": cuts, "ends": {"dealt": len(cuts)}, "next": None}


HONEST = (
    "ring_hand", "whole_showdown", "withheld_hand", "draw_hand", "dice_hand", "most_dice",
    "voided_round", "dealt_hand", "dealt_round", "dealt_dice", "round_without_bets",
)  # fmt: skip
