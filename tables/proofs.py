"""Proofs of hands: what one viewer may check, in the words of docs/fairness.md 8.

Nothing is opened here but what the hand's events have shown this viewer, card by card, and decks
that were dealt to nobody. An opening is made when it is asked for, from the deck's secret.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson
from django.db.models import Count

from casino.core.seal import signing_key
from tables import beliefs, events
from tables.deals import Deals, Seen
from tables.engine import fairness
from tables.engine.cards import parse_card
from tables.errors import HandNotFound
from tables.models import Cut, Deck, Event, Hand, SeedCommitment, Table
from tables.selectors import one_moment, table_require

FORMAT = "croupier-proof-3"
ALL, YOU = "all", "you"

# Where each event shows cards, its public part and its private one. Fields that repeat what was
# shown before (a whole board, the five that play) show nothing new.
PUBLIC_CARDS = {
    "board_dealt": "cards", "hand_shown": "cards", "openers_shown": "cards",
    "dealer_revealed": "cards", "cards_dealt": "up", "cards_rolled": "up", "card_offered": "card",
    "deal_killed": "card", "cards_shown": "cards", "rabbit_shown": "cards",
}  # fmt: skip
PRIVATE_CARDS = {"cards_dealt": "cards", "cards_drawn": "cards", "cards_passed": "cards"}


class Tree:
    """A dealt deck opened for the making of proofs; never given away as a whole."""

    def __init__(self, cut: Cut, deck: Deck) -> None:
        self.cut = cut
        self.deck = deck
        self.number, self.is_reshuffle = cut.number, cut.purpose == Cut.Purpose.RESHUFFLE
        self.cards = int(cut.kind.partition("+")[0])
        self.order, self.salts = beliefs.secret_of(deck.pk)
        self.dealing = list(deck.dealing or range(len(self.order)))
        label = f"{deck.table_id}/{deck.number}"
        self.tree = fairness.Tree(fairness.leaves_of(label, self.order, self.salts))
        self.known: set[fairness.Span] = set()  # what the openings made so far have shown
        self.slot_of = {card: slot for slot, card in enumerate(self.order[: self.cards])}
        self.position_of = {slot: at for at, slot in enumerate(self.dealing[: self.cards])}

    def opening(self, slot: int, seq: int, to: str) -> dict[str, Any]:
        opened = {
            "cut": self.cut.number,
            "root": self.deck.number,
            "position": self.position_of.get(slot, slot),
            "slot": slot,
            "card": self.order[slot],
            "salt": self.salts[slot].hex(),
            "proof": [[side, node.hex()] for side, node in self.tree.proof(slot, self.known)],
            "seq": seq,
            "to": to,
        }
        if slot >= self.cards:
            opened["face"] = fairness.die(self.order[slot], self.dealing[slot])
        return opened


class Openings:
    """The openings of one viewer, in the order in which things were shown to him."""

    def __init__(self, seats: Sequence[str], trees: Mapping[int, Tree]) -> None:
        self.seats = seats  # of this viewer's, several at a table where he has further spots
        self.trees = trees  # by the number of their cut
        self.dealt: list[Tree] = []  # as far as the events have come
        self.found: dict[tuple[int, int], dict[str, Any]] = {}
        self.rolled = 0
        self.cups: dict[str, list[int]] = {}

    def follow(self, seen: Seen) -> None:
        """Take in what one event shows."""
        if seen.type == "decks_cut":
            self.dealt.append(self.trees[seen.public["cut"]])
            return
        for card in _cards(seen.public.get(PUBLIC_CARDS.get(seen.type, ""))):
            self.card(card, seen.seq, ALL)
        for seat in self.seats:
            mine = seen.private.get(seat, {})
            for card in _cards(mine.get(PRIVATE_CARDS.get(seen.type, ""))):
                self.card(card, seen.seq, YOU)
        if seen.type == "die_rolled":
            self.add(self.dealt[0], self.dealt[0].cards, seen.seq, ALL)
        elif seen.type in DICE:
            DICE[seen.type](self, seen)

    def card(self, text: str, seq: int, to: str) -> None:
        """A card comes of the newest deck that holds it: what was mucked is dealt from the muck."""
        card = parse_card(text)
        tree = next(tree for tree in reversed(self.dealt) if card in tree.slot_of)
        self.add(tree, tree.slot_of[card], seq, to)

    def add(self, tree: Tree, slot: int, seq: int, to: str) -> None:
        key = (tree.deck.number, slot)
        if key not in self.found:
            self.found[key] = tree.opening(slot, seq, to)
        elif to == ALL:
            self.found[key]["to"] = ALL

    # Liar's dice: who holds which of the dice that were rolled one after the other

    def die(self, at: int, seq: int, to: str) -> None:
        for tree in self.dealt:
            if at < len(tree.order):
                self.add(tree, at, seq, to)
                return
            at -= len(tree.order)

    def take(self, count: int) -> list[int]:
        self.rolled += count
        return list(range(self.rolled - count, self.rolled))

    def lot_drawn(self, seen: Seen) -> None:
        for roll in seen.public["rolls"]:
            for at in self.take(len(roll)):
                self.die(at, seen.seq, ALL)

    def dice_rolled(self, seen: Seen) -> None:
        """Everybody's dice, or those of a cup that goes round which its holder rolls again."""
        if "counts" in seen.public:
            self.cups = {seat: self.take(count) for seat, count in seen.public["counts"].items()}
            new = [at for seat in self.seats for at in self.cups.get(seat, [])]
        else:
            seat = str(seen.public["seat"])
            which = seen.private[seat]["rolled"]
            new = self.take(len(which))
            held = self.cups.get(seat) or [-1] * len(which)
            for nth, at in zip(which, new, strict=True):
                held[nth] = at
            self.cups = {seat: held}
            new = new if seat in self.seats else []
        for at in new:
            self.die(at, seen.seq, YOU)

    def dice_passed(self, seen: Seen) -> None:
        self.cups = {str(seen.public["seat"]): self.cups.pop(str(seen.public["caller"]))}

    def dice_shown(self, seen: Seen) -> None:
        for seat in seen.public["dice"]:
            for at in self.cups[seat]:
                self.die(at, seen.seq, ALL)


DICE = {
    "lot_drawn": Openings.lot_drawn,
    "dice_rolled": Openings.dice_rolled,
    "dice_passed": Openings.dice_passed,
    "dice_shown": Openings.dice_shown,
}


SHOWS = re.compile(
    '"type":"(?:{})"'.format("|".join({*PUBLIC_CARDS, *PRIVATE_CARDS, *DICE, "die_rolled"}))
)
"""In a frame's text: it may show a card or a die."""


def _cards(shown: Any) -> Iterator[str]:
    if isinstance(shown, str):
        yield shown
    elif isinstance(shown, Mapping):
        for cards in shown.values():
            yield from cards
    elif shown is not None:
        yield from shown


def seen_of(hand_id: int) -> Iterator[Seen]:
    """The hand's events in order, each with its private parts by seat; never for a viewer."""
    for row in events.of_hand(hand_id):
        parts = events.parts_of(row)
        for nth, event in enumerate(orjson.loads(row.events)):
            private = parts[nth] if nth < len(parts) else None
            yield Seen(row.seq, event["type"], event["public"], private or {})


@one_moment()
def bundle(hand_id: int, player_id: int | None) -> dict[str, Any]:
    """The proof of a hand for one viewer; player_id None is the public. Raises HandNotFound."""
    hand = Hand.objects.filter(pk=hand_id).first()
    if hand is None:
        raise HandNotFound(hand_id)
    dealt_as = [seat for seat, facts in hand.seats.items() if facts["player"] == player_id]
    cuts = _cuts(hand_id)
    trees = _trees(cuts)
    openings, deals = Openings(dealt_as, trees), Deals(trees)
    for seen in seen_of(hand_id):
        openings.follow(seen)
        deals.follow(seen)
    is_void_round = hand.status == Hand.Status.VOIDED and hand.definition["family"] == "banked"
    return {
        "format": FORMAT,
        "table": hand.table_id,
        "hand": hand.pk,
        "hand_number": hand.number,
        "family": hand.definition["family"],
        "status": hand.status,
        "viewer": min(map(int, dealt_as), default=None),
        "seats": sorted(map(int, dealt_as)),
        "button": hand.button,
        "public_key": public_key(),
        "reveal_ms": Table.objects.values_list("reveal_ms", flat=True).get(pk=hand.table_id),
        "cuts": [{**cut_facts(cut), "full": _full(cut, is_void_round)} for cut in cuts],
        "dealt": deals.found,
        "openings": list(openings.found.values()),
        "receipts": _receipts(cuts, player_id),
    }


class Opened(NamedTuple):
    """What has been opened to a viewer of a hand so far, in the order in which it was shown."""

    hand_id: int
    openings: list[dict[str, Any]]


@one_moment()
def opened_by(table_id: int, seq: int, player_id: int | None) -> Opened | None:
    """The openings of the hand that the table's event `seq` belongs to, as of that event.

    player_id None is the public. None for an event between two hands, or one that is kept no more.
    """
    event = Event.objects.filter(table_id=table_id, seq=seq).only("hand_id").first()
    if event is None or event.hand_id is None:
        return None
    hand = Hand.objects.get(pk=event.hand_id)
    dealt_as = [seat for seat, facts in hand.seats.items() if facts["player"] == player_id]
    openings = Openings(dealt_as, _trees(_cuts(hand.pk)))
    for seen in seen_of(hand.pk):
        if seen.seq <= seq:
            openings.follow(seen)
    return Opened(hand.pk, list(openings.found.values()))


def _cuts(hand_id: int) -> list[Cut]:
    return list(Cut.objects.filter(hand_id=hand_id).order_by("number").prefetch_related("decks"))


def _trees(cuts: Sequence[Cut]) -> dict[int, Tree]:
    """The decks that were dealt, by the number of their cut."""
    return {
        cut.number: Tree(cut, deck)
        for cut in cuts
        for deck in cut.decks.all()
        if deck.number == cut.root_number
    }


def public_key() -> str:
    """The house's Ed25519 key, with which it signs roots, receipts, lists and ends."""
    return signing_key().public_key().public_bytes_raw().hex()


def cut_facts(cut: Cut) -> dict[str, Any]:
    """A cut as everybody may know it; its decks are fetched already."""
    listed = None
    if cut.commitments is not None:
        listed = {
            "commitments": cut.commitments,
            "at": cut.listed_ms,
            "signature": cut.list_signature,
        }
    end = None
    if cut.ended_ms is not None:
        end = {
            "end": cut.status,
            "reason": cut.reason or fairness.NOTHING,
            "root": cut.root_number,
            "joined": cut.joined or None,
            "at": cut.ended_ms,
            "signature": cut.end_signature,
        }
    return {
        "number": cut.number,
        "purpose": cut.purpose,
        "mode": _mode(cut),
        "kind": cut.kind,
        "contents": cut.contents,
        "roots": [
            {
                "number": deck.number,
                "root": deck.root,
                "previous": deck.previous,
                "signature": deck.signature,
            }
            for deck in sorted(cut.decks.all(), key=lambda deck: deck.number)
        ],
        "list": listed,
        "seeds": cut.seeds,
        "opened_at": cut.opened_ms,
        "end": end,
    }


def _mode(cut: Cut) -> str:
    """Who has cut; of a void or running cut: who would have, as far as seeds are known."""
    if cut.mode:
        return cut.mode
    if not cut.takes_seeds:
        return "certified"
    return "players" if any(cut.seeds) else "house"


def _full(cut: Cut, is_void_round: bool) -> list[dict[str, Any]]:
    """Decks that were dealt to nobody, or in a round that counts for nothing; never a muck."""
    if cut.purpose == Cut.Purpose.RESHUFFLE or cut.ended_ms is None:
        return []
    opened = []
    for deck in sorted(cut.decks.all(), key=lambda deck: deck.number):
        if deck.number == cut.root_number and not is_void_round:
            continue
        secret = beliefs.secret_of(deck.pk)
        salts = [salt.hex() for salt in secret.salts]
        opened.append({"number": deck.number, "cards": secret.order, "salts": salts})
    return opened


def _receipts(cuts: Sequence[Cut], player_id: int | None) -> list[dict[str, Any]]:
    if player_id is None:
        return []
    of = {cut.pk: cut for cut in cuts}
    given = SeedCommitment.objects.filter(cut__in=of, player_id=player_id).order_by("pk")
    return [
        {
            "cut": of[one.cut_id].number,
            "root": max(of[one.cut_id].decks.all(), key=lambda deck: deck.number).root,
            "commitment": one.commitment,
            "at": one.at_ms,
            "signature": one.signature,
            "opened_at": one.opened_ms,
            "opened_signature": one.opened_signature or None,
        }
        for one in given
    ]


@one_moment()
def cuts_of(table_id: int, *, before: int | None, most: int) -> dict[str, Any]:
    """A page of a table's cuts, newest first, and how often which end came.

    before: the number of a cut, None for the newest page. Raises TableNotFound.
    """
    table_require(table_id)
    cuts = Cut.objects.filter(table_id=table_id)
    rows = cuts if before is None else cuts.filter(number__lt=before)
    page = list(rows.order_by("-number").prefetch_related("decks")[: most + 1])
    ended = cuts.exclude(ended_ms=None).values_list("status", "reason").annotate(Count("id"))
    return {
        "cuts": [{**cut_facts(cut), "hand": cut.hand_id} for cut in page[:most]],
        "ends": {reason or status: count for status, reason, count in ended.order_by()},
        "next": page[most - 1].number if len(page) > most else None,
    }
