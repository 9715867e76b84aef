"""Which places of a deck went to whom, one after the other, in the words of docs/fairness.md 8.

They follow from the rules and from what everybody was told, so naming them shows no card: whoever
checks a proof sees that the cards came in their order and none was passed over. A muck that was
shuffled again is left out: there a drawer's own discards are passed over, and where they lie is
nobody else's to know.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from tables.engine.cards import parse_card

UP, DOWN = "up", "down"
Facts = Mapping[str, Any]


class Seen(NamedTuple):
    """An event of a hand as far as proofs care: its row, its public part and all private ones."""

    seq: int
    type: str
    public: Facts
    private: Mapping[str, Facts]


class Deck(Protocol):
    """A dealt deck, by the number of its cut. slot_of, position_of: of a card, and of its slot."""

    @property
    def number(self) -> int: ...
    @property
    def is_reshuffle(self) -> bool: ...
    @property
    def cards(self) -> int: ...
    @property
    def order(self) -> Sequence[int]: ...
    @property
    def slot_of(self) -> Mapping[int, int]: ...
    @property
    def position_of(self) -> Mapping[int, int]: ...


class Place(NamedTuple):
    """A place of a deck, and the seat that got it; None for the board or the dealer."""

    deck: Deck
    position: int
    seat: int | None


class Deals:
    """What has been dealt of each deck, as far as the events have come."""

    def __init__(self, decks: Mapping[int, Deck]) -> None:
        self.decks = decks  # by the number of their cut
        self.dealt: list[Deck] = []
        self.known: set[tuple[int, int]] = set()
        self.rolled = 0
        self.found: list[dict[str, Any]] = []

    def follow(self, seen: Seen) -> None:
        """Take in what one event deals."""
        if seen.type == "decks_cut":
            self.dealt.append(self.decks[seen.public["cut"]])
        elif seen.type in DEALING:
            for places, how in DEALING[seen.type](self, seen):
                self.tell(seen.seq, places, how)

    def tell(self, seq: int, places: Iterable[Place], how: str) -> None:
        """Note what is dealt for the first time, each unbroken run of places by itself."""
        fresh = sorted(
            (
                place
                for place in places
                if not place.deck.is_reshuffle
                and (place.deck.number, place.position) not in self.known
            ),
            key=lambda place: (place.deck.number, place.position),
        )
        end: tuple[int, int] | None = None
        for deck, position, seat in fresh:
            if (deck.number, position) != end:
                run: list[int | None] = []
                told = {"seq": seq, "cut": deck.number, "first": position, "to": run, "how": how}
                self.found.append(told)
            run.append(seat)
            self.known.add((deck.number, position))
            end = deck.number, position + 1

    def place(self, text: str, seat: int | None) -> Place:
        """A card comes of the newest deck that holds it."""
        card = parse_card(text)
        deck = next(deck for deck in reversed(self.dealt) if card in deck.slot_of)
        return Place(deck, deck.position_of[deck.slot_of[card]], seat)

    # What each event deals: the places, and whether everybody sees them

    def cards_dealt(self, seen: Seen) -> Iterator[tuple[list[Place], str]]:
        down = [
            self.place(card, int(seat))
            for seat in seen.public["down"]
            for card in seen.private[seat]["cards"]
        ]
        if "dealer" in seen.public:
            down += self.dealers(down, seen.public["dealer"])
        yield down, DOWN
        shown = seen.public.get("up", {}).items()
        yield [self.place(card, int(seat)) for seat, cards in shown for card in cards], UP

    def dealers(self, spots: Sequence[Place], count: int) -> list[Place]:
        """The dealer's cards lie among and behind those of the spots."""
        deck, taken = spots[0].deck, {place.position for place in spots}
        first = min(taken)
        rest = [at for at in range(first, first + len(spots) + count) if at not in taken]
        return [Place(deck, at, None) for at in rest]

    def to_all(self, seen: Seen) -> Iterator[tuple[list[Place], str]]:
        yield [self.place(card, None) for card in seen.public["cards"]], UP

    def card_offered(self, seen: Seen) -> Iterator[tuple[list[Place], str]]:
        yield [self.place(seen.public["card"], seen.public["seat"])], UP

    def cards_drawn(self, seen: Seen) -> Iterator[tuple[list[Place], str]]:
        seat = seen.public["seat"]
        yield [self.place(card, seat) for card in seen.private[str(seat)]["cards"]], DOWN

    # Dice stand behind the cards of their deck and come one after the other

    def die_rolled(self, seen: Seen) -> Iterator[tuple[list[Place], str]]:
        deck = self.dealt[0]
        yield [Place(deck, deck.cards, None)], UP

    def dice(self, count: int, seat: int | None) -> list[Place]:
        found = []
        for at in range(self.rolled, self.rolled + count):
            for deck in self.dealt:
                if at < len(deck.order):
                    found.append(Place(deck, at, seat))
                    break
                at -= len(deck.order)
        self.rolled += count
        return found

    def lot_drawn(self, seen: Seen) -> Iterator[tuple[list[Place], str]]:
        yield [one for roll in seen.public["rolls"] for one in self.dice(len(roll), None)], UP

    def dice_rolled(self, seen: Seen) -> Iterator[tuple[list[Place], str]]:
        public = seen.public
        rolls = public.get("counts") or {str(public["seat"]): public["count"]}
        places = [one for seat, count in rolls.items() for one in self.dice(count, int(seat))]
        yield places, DOWN


DEALING: dict[str, Callable[[Deals, Seen], Iterator[tuple[list[Place], str]]]] = {
    "cards_dealt": Deals.cards_dealt,
    "board_dealt": Deals.to_all,
    "rabbit_shown": Deals.to_all,
    "card_offered": Deals.card_offered,
    "cards_drawn": Deals.cards_drawn,
    "die_rolled": Deals.die_rolled,
    "lot_drawn": Deals.lot_drawn,
    "dice_rolled": Deals.dice_rolled,
}
