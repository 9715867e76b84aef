"""The hiding game: what somebody at the table makes of everything he may ever see of a hand.

Hands are played in the engine on committed, cut decks, by players who decide without looking, so
that card removal alone says how often a guess at a hidden card is right. The adversary sits in one
of the seats. He has his own cards with their proofs, all that is told to all, every seed and root
and the deck that was opened in full; he is even told of which slot the hidden card is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

from tables.chance import chi_square_p
from tables.engine import fairness
from tables.engine.cards import CARD_OF
from tables.engine.games import GAMES, start_hand
from tables.engine.history.stakes import default_options
from tables.engine.poker import betting
from tables.engine.poker.hand import PokerHand
from tables.engine.protocol import Event, SeatIn

SEATS = tuple(SeatIn(number, 100_000) for number in range(1, 7))
ADVERSARY = 1
DECK = range(52)
FOLDS = 0.35
GAMES_PLAYED = ("holdem", "triple_draw_27")
LEAKS = ("same order", "same salt", "no shuffle")


@dataclass(slots=True)
class Public:
    """What the adversary has beside the cards that he saw."""

    label: str
    leaves: list[bytes]
    other: list[int]
    salts: list[bytes]  # of the deck that was opened in full
    own: list[tuple[int, int, bytes]] = field(default_factory=list)  # slot, card, salt


@dataclass(slots=True)
class Trial:
    kind: str
    card: int
    slot: int
    unseen: list[int]
    public: Public


def hand(game_id: str, random: Random, leak: str = "") -> Iterator[Trial]:
    """One hand on a deck of two that were committed, and the hidden cards to guess in it."""
    orders = [fairness.shuffle(DECK, random.randbytes(32)) for _ in range(2)]
    if leak == "same order":
        orders[1] = list(orders[0])
    if leak == "no shuffle":
        orders = [list(DECK)] * 2
    bytes_of_salts = random.randbytes(16 * 104)
    salts = [bytes_of_salts[16 * at : 16 * at + 16] for at in range(104)]
    if leak == "same salt":
        salts = salts[:1] * 104
    trees = [
        fairness.leaves_of(f"7/{number}", order, salts[52 * number : 52 * number + 52])
        for number, order in enumerate(orders)
    ]
    roots = [fairness.root_of(tree) for tree in trees]
    seeds = [random.randbytes(32)]
    chosen = fairness.chosen_deck(roots, seeds)
    cut = fairness.cut(roots, seeds, 52)
    other = 1 - chosen
    public = Public(
        f"7/{chosen}", trees[chosen], orders[other], salts[52 * other : 52 * other + 52]
    )
    own_salts = salts[52 * chosen : 52 * chosen + 52]
    deck = fairness.dealt_order(orders[chosen], cut)
    seen, hidden = _played(game_id, deck, random)
    slot_of = {card: slot for slot, card in enumerate(orders[chosen])}
    public.own = [(slot_of[card], card, own_salts[slot_of[card]]) for card in sorted(seen)]
    unseen = [card for card in DECK if card not in seen]
    for kind, position in hidden.items():
        if deck[position] not in seen:
            yield Trial(kind, deck[position], cut[position], unseen, public)


def _played(game_id: str, deck: list[int], random: Random) -> tuple[set[int], dict[str, int]]:
    """A hand to its end: the cards the adversary saw, and one hidden position of each kind."""
    game = GAMES[game_id]
    options = OPTIONS[game_id]
    play, events = start_hand(game, SEATS, options, deck, button=random.randint(1, 6))
    assert isinstance(play, PokerHand)
    seen: set[int] = set()
    hidden: dict[str, int] = {}
    _look(events, seen)
    while not play.over:
        if play.window == "reshuffle":
            drawer = play.serving[0]
            order = fairness.shuffle(play.mucked, random.randbytes(32))
            had = list(play.down[drawer])
            events = play.reshuffle(order)
            fresh = [one for one in play.down[drawer] if one in order and one not in had]
            if fresh and play.numbers[drawer] != ADVERSARY:
                hidden.setdefault("dealt from the reshuffled muck", fresh[0])
        else:
            events = _moved(play, random, hidden)
        _look(events, seen)
    return seen, hidden


def _moved(play: PokerHand, random: Random, hidden: dict[str, int]) -> list[Event]:
    seat = play.waiting[0]
    place = play.numbers.index(seat)
    if play.window == "draw":
        return _drawn(play, seat, place, random, hidden)
    if betting.owed(play, place) and random.random() < FOLDS:
        cards = list(play.down[place])
        events = play.act(seat, {"name": "fold"})
        if seat != ADVERSARY:
            hidden.setdefault("folded", random.choice(cards))
        return events
    name = "call" if betting.owed(play, place) else "check"
    return play.act(seat, {"name": name})


def _drawn(
    play: PokerHand, seat: int, place: int, random: Random, hidden: dict[str, int]
) -> list[Event]:
    """All announce before any is served: what was dealt is known once the last has announced."""
    wanted = random.sample(range(5), random.randint(1, 5))
    before = {at: list(play.down[at]) for at in range(len(SEATS))}
    thrown = [before[place][at] for at in wanted]
    stub = play.next_card
    events = play.act(seat, {"name": "draw", "cards": wanted})
    if seat != ADVERSARY:
        hidden.setdefault("discarded", random.choice(thrown))
    for at, number in enumerate(play.numbers):
        fresh = [one for one in play.down[at] if one not in before[at] and one >= stub]
        if fresh and number != ADVERSARY:
            hidden.setdefault("dealt to a discarder", fresh[0])
    return events


def _look(events: Sequence[Event], seen: set[int]) -> None:
    """Every card that is named in what the adversary is told."""
    for event in events:
        parts = [event.public]
        if event.private and ADVERSARY in event.private:
            parts.append(event.private[ADVERSARY])
        for told in parts:
            for value in told.values():
                _cards(value, seen)


def _cards(told: Any, seen: set[int]) -> None:
    kind = type(told)
    if kind is str:
        if told in CARD_OF:
            seen.add(CARD_OF[told])
    elif kind is dict or kind is list:
        for value in told.values() if kind is dict else told:
            _cards(value, seen)


# Ways to guess


def next_unseen(trial: Trial, wished: int) -> int:
    return next((card for card in trial.unseen if card >= wished), trial.unseen[0])


def as_in_the_other_deck(trial: Trial) -> int:
    return next_unseen(trial, trial.public.other[trial.slot])


def beside_the_nearest_slot(trial: Trial) -> int:
    nearest = min(trial.public.own, key=lambda one: abs(one[0] - trial.slot))
    return next_unseen(trial, (nearest[1] + trial.slot - nearest[0]) % 52)


def by_the_bytes_of_a_proof(trial: Trial) -> int:
    """As though the hash beside one's own first card said something about the others."""
    beside = trial.public.leaves[trial.public.own[0][0] ^ 1]
    return trial.unseen[int.from_bytes(beside, "big") % len(trial.unseen)]


def by_trying_the_salts(trial: Trial) -> int:
    """A proof of the slot beside names the hidden leaf: every card is tried with known salts.

    Those are the salt beside, that of the same slot of the other deck, and no salt at all.
    """
    public = trial.public
    for slot, _, salt in public.own:
        if slot == trial.slot ^ 1:
            wanted = public.leaves[trial.slot]
            name = b"\0croupier/leaf/1\0" + public.label.encode() + b"\0" + bytes([trial.slot])
            for known in (salt, public.salts[trial.slot], bytes(16)):
                for card in trial.unseen:
                    if sha256(name + bytes([card]) + known).digest() == wanted:
                        return card
    return trial.unseen[0]


GUESSES = (
    as_in_the_other_deck,
    beside_the_nearest_slot,
    by_the_bytes_of_a_proof,
    by_trying_the_salts,
)


@dataclass(slots=True)
class Score:
    """Right guesses beside those that card removal allows."""

    tried: int = 0
    right: int = 0
    expected: float = 0.0
    variance: float = 0.0

    def add(self, is_right: bool, among: int) -> None:
        chance = 1 / among
        self.tried += 1
        self.right += is_right
        self.expected += chance
        self.variance += chance * (1 - chance)

    def merge(self, other: Score) -> None:
        self.tried += other.tried
        self.right += other.right
        self.expected += other.expected
        self.variance += other.variance

    @property
    def p(self) -> float:
        return chi_square_p((self.right - self.expected) ** 2 / self.variance, 1)


class Game:
    """Many hands, every way to guess, and one that learns from the first half of the trials."""

    def __init__(self) -> None:
        self.hands = 0
        self.scores: dict[tuple[str, str], Score] = {}
        self.places: dict[tuple[str, int], Counter[int]] = {}
        self.known: Counter[tuple[str, int, int]] = Counter()

    def play(self, hands: int, random: Random, leak: str = "") -> Game:
        for number in range(hands):
            learning = number < hands // 2
            for trial in hand(GAMES_PLAYED[number % 2], random, leak):
                self._judge(trial, learning)
        self.hands += hands
        return self

    def _judge(self, trial: Trial, learning: bool) -> None:
        among = len(trial.unseen)
        for guess in GUESSES:
            self._score(trial.kind, guess.__name__).add(guess(trial) == trial.card, among)
        place = self.places.setdefault((trial.kind, among), Counter())
        place[trial.unseen.index(trial.card)] += 1
        if learning:
            self.known[trial.kind, trial.slot, trial.card] += 1
        else:
            learned = max(trial.unseen, key=lambda card: self.known[trial.kind, trial.slot, card])
            self._score(trial.kind, "by_what_stood_there_before").add(learned == trial.card, among)

    def _score(self, kind: str, guess: str) -> Score:
        return self.scores.setdefault((kind, guess), Score())

    def merge(self, other: Game) -> None:
        self.hands += other.hands
        for key, score in other.scores.items():
            self._score(*key).merge(score)
        for at, counts in other.places.items():
            self.places.setdefault(at, Counter()).update(counts)

    def chances(self) -> dict[tuple[str, str], float]:
        """By kind of card and way to guess: how likely chance alone is right that often or seldom.

        `place`: the hidden card's place among the unseen ones, against every place alike.
        """
        found = {key: score.p for key, score in self.scores.items()}
        for kind in {kind for kind, _ in self.places}:
            statistic, freedom = 0.0, 0
            for (named, among), counts in self.places.items():
                due = sum(counts.values()) / among
                if named == kind and due >= 5:
                    statistic += sum((counts[at] - due) ** 2 / due for at in range(among))
                    freedom += among - 1
            if freedom:
                found[kind, "place"] = chi_square_p(statistic, freedom)
        return found

    def report(self) -> str:
        lines = [f"{self.hands:,} hands"]
        for (kind, guess), p in sorted(self.chances().items()):
            score = self.scores.get((kind, guess))
            figures = (
                f"{score.right:,} right of {score.tried:,}, {score.expected:,.1f} expected, "
                if score
                else ""
            )
            lines.append(f"  {kind}, {guess.replace('_', ' ')}: {figures}p = {p:.4f}")
        return "\n".join(lines)


OPTIONS = {
    game_id: default_options(GAMES[game_id], None, auto_muck=False) for game_id in GAMES_PLAYED
}


def played(task: tuple[int, int]) -> Game:
    """A part of a long game, in a process of its own. task: hands, and the seed's number."""
    hands, seed = task
    return Game().play(hands, Random(f"hiding {seed}"))
