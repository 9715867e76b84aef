"""What must hold in every hand of every game, watched through the one protocol.

A `Witness` follows a hand from its first event to its result and raises `LawBroken` at the first
thing that may not be. It knows of cards only what events and views have told, seat by seat.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import orjson

from tables.engine.banked.rounds import BankedRound
from tables.engine.bluff.hand import BluffHand
from tables.engine.cards import CARD_TEXT
from tables.engine.errors import NeedsOpeners, RuleViolation
from tables.engine.games import game_from_json
from tables.engine.history.choices import edges
from tables.engine.history.stakes import Chance, Setup
from tables.engine.poker.hand import PokerHand
from tables.engine.protocol import Action, Event, Hand, Json

BETTING = "betting"
NOBODY_ASKED = (BETTING, "closed", "reshuffle", "dice")
"""Windows in which no seat is awaited: the run-time goes on, or bets may come from anybody."""

CARD = re.compile(rb'"((?:[2-9TJQKA][cdhs])|Jk|X1|X2)"')
NONSENSE: tuple[Any, ...] = ({}, {"name": "dance"}, {"name": None}, {"name": ["fold"]})
NO_SEAT = 99


@dataclass(eq=False)
class LawBroken(Exception):
    """law: what does not hold; facts: where it shows."""

    law: str
    facts: str

    def __str__(self) -> str:
        return f"{self.law}: {self.facts}"


class Step(Protocol):
    """Something done to a hand, that can be done again to another."""

    def __call__(self, hand: Hand) -> list[Event]: ...


def require(holds: bool, law: str, *facts: Any) -> None:
    if not holds:
        raise LawBroken(law, " ".join(map(str, facts)))


def as_bytes(event: Event) -> bytes:
    return orjson.dumps(tuple(event), option=orjson.OPT_NON_STR_KEYS)


def cards_in(value: Any) -> set[str]:
    """The cards that are named anywhere in JSON data."""
    data = value if isinstance(value, bytes) else orjson.dumps(value)
    return {found.decode() for found in CARD.findall(data)}


def seats_of(view: Json) -> list[Json]:
    """A view's entry of each seat: `players` of ring games, `spots` of games against the house."""
    return list(view["spots"] if view["family"] == "banked" else view["players"])


def chips_are_conserved(brought: int, hand: Hand, look: Json) -> None:
    """Stacks, pot and what the house keeps are what was brought. look: any view of the hand."""
    law = "chips are conserved"
    each = [entry["stack_minor"] for entry in seats_of(look)]
    require(min(each) >= 0, "no stack is below 0", each)
    stacks = sum(each)
    if look["family"] == "banked":
        if not hand.over:
            assert isinstance(hand, BankedRound)
            committed = sum(map(hand.committed, hand.seats))
            require(stacks + committed == brought, law, stacks, committed, brought)
        return
    kept = 0
    ended = hand.ending if isinstance(hand, PokerHand) else hand.result
    if ended is not None:
        kept = kept_minor(ended)
    require(stacks + look["pot_minor"] + kept == brought, law, stacks, look["pot_minor"], kept)
    if "pots" in look:
        pots = sum([pot["amount_minor"] for pot in look["pots"]])
        require(pots == look["pot_minor"], "the pots make up the pot", look["pots"])


def order_goes_round(before: Json, after: Json, actor: int) -> None:
    """Within a betting round the turn goes to the next seat that can still bet."""
    if after["family"] != "poker" or after["street"] != before["street"]:
        return
    if not before["window"] == after["window"] == "turn":
        return
    able = [p["seat"] for p in after["players"] if p["status"] == "live"]
    following = min([seat for seat in able if seat > actor] or able)
    require(after["waiting"] == [following], "turns go clockwise", actor, after["waiting"])


class Witness:
    """Follows one hand. told: card texts everybody knows; known: those of each seat besides."""

    def __init__(self, setup: Setup, random: Chance) -> None:
        self.setup = setup
        self.random = random
        self.numbers = [seat.seat for seat in setup.seats]
        self.told: set[str] = set()
        self.known: dict[int, set[str]] = {seat: set() for seat in self.numbers}
        self.showing: set[int] = set()
        self.turn = 0
        self.looks: dict[int | None, Json] = {}
        self.log: list[bytes] = []
        self.waited: tuple[int, ...] = ()
        self.window = ""

    def definition_is_plain_json(self) -> None:
        game = self.setup.game
        again = game_from_json(orjson.loads(orjson.dumps(game.to_json())))
        require(again == game, "a definition comes back from JSON as it was", game.id)

    def saw(self, hand: Hand, events: list[Event], actor: int | None = None) -> bytes:
        """Look at a hand after something has happened to it. Returns its stored state."""
        before = self.looks.get(None)
        self.looks = {viewer: hand.view(viewer) for viewer in (None, *self.numbers)}
        state = orjson.dumps(hand.dump())
        self.log += map(as_bytes, events)
        self._secrets_are_kept(events)
        if hand.window == "reshuffle":  # some of a draw is served already, and told with the rest
            for seat in self.numbers:
                self.known[seat] |= set(self._own(seat)["cards"])
        self._views_show_what_is_known()
        self._cards_are_single()
        chips_are_conserved(self.setup.brought_minor, hand, self.looks[None])
        self._turns_are_sane(hand)
        if actor is not None and before is not None:
            order_goes_round(before, self.looks[None], actor)
        self._state_is_whole(hand, state)
        self.turn, self.waited, self.window = hand.turn, hand.waiting, hand.window
        return state

    # Cards

    def _cards_are_single(self) -> None:
        """Everything in hands and on the table, as each seat sees its own."""
        seen = list(self.looks[None].get("board", ()))
        for board in self.looks[None].get("boards", ())[1:]:  # a later run keeps what lay there
            kept = next((n for n, card in enumerate(board) if card != seen[n]), len(board))
            seen += board[kept:]
        for seat in self.numbers:
            seen += self._own(seat).get("cards") or ()
        seen += (self.looks[None].get("dealer") or {}).get("cards") or ()
        require(len(set(seen)) == len(seen), "no card is in two places", seen)

    def _own(self, seat: int) -> Json:
        """The seat's entry of its own view."""
        return next(entry for entry in seats_of(self.looks[seat]) if entry["seat"] == seat)

    # Secrets

    def _down_cards(self, seat: int) -> set[str]:
        own = self._own(seat)
        return set(own.get("cards") or ()) - set(own.get("up") or ()) - self.told

    def _secrets_are_kept(self, events: list[Event]) -> None:
        for event in events:
            if event.type in ("hand_shown", "openers_shown", "cards_shown"):
                self._shows_its_own(event)
            if self.setup.game.family == "bluff" and event.type != "dice_shown":
                require("dice" not in event.public, "events keep dice", event)
        hidden = {s: self._down_cards(s) for s in self.numbers if s not in self.showing}
        for event in events:
            told = cards_in(event.public)
            for seat, cards in hidden.items():
                require(not told & cards, "events keep down cards", event, seat)
            self.told |= told
            self._private_is_own(event, hidden)

    def _shows_its_own(self, event: Event) -> None:
        """Showing gives the seat's own cards away, and no others."""
        seat = event.public["seat"]
        self.told |= self.known[seat] & cards_in(event.public)
        if event.type == "hand_shown":
            self.showing.add(seat)

    def _private_is_own(self, event: Event, hidden: dict[int, set[str]]) -> None:
        for viewer, part in (event.private or {}).items():
            require(viewer in self.known, "private parts are for seats of the hand", event)
            told = cards_in(part)
            for seat, cards in hidden.items():
                leaked = told & cards - self.known[viewer] if seat != viewer else set()
                require(not leaked, "private parts are their owner's", event, seat)
            self.known[viewer] |= told

    def _views_show_what_is_known(self) -> None:
        for viewer, look in self.looks.items():
            allowed = self.told | self.known[viewer] if viewer is not None else self.told
            strange = cards_in(look) - allowed
            require(not strange, "a view shows what its viewer has been told", viewer, strange)
            if self.setup.game.family == "bluff":
                shown = [entry["seat"] for entry in seats_of(look) if "dice" in entry]
                require(set(shown) <= {viewer}, "a view keeps the others' dice", viewer, shown)

    def _other_cards_change_nothing(self, hand: Hand, state: bytes) -> None:
        """What a viewer cannot know could be any other cards: his view and choices stay."""
        viewer = self.random.choice([None, *self.numbers])
        other = self.setup.load(state, self._veiled(hand, viewer))
        same = other.view(viewer) == self.looks[viewer]
        if viewer is not None:
            same = same and other.legal(viewer) == hand.legal(viewer)
        require(same, "hidden cards show nowhere in a view", viewer)

    def _veiled(self, hand: Hand, viewer: int | None) -> list[int]:
        deck = list(self.setup.deck)
        if isinstance(hand, BluffHand):
            own = hand.places[hand.seats.index(viewer)] if viewer is not None else []
            return [
                face if place in own else self.random.randint(1, 6)
                for place, face in enumerate(deck)
            ]
        known = self.told | self.known[viewer] if viewer is not None else self.told
        free = [place for place, card in enumerate(deck) if CARD_TEXT[card] not in known]
        cards = [deck[place] for place in free]
        self.random.shuffle(cards)
        for place, card in zip(free, cards, strict=True):
            deck[place] = card
        return deck

    # Turns

    def _turns_are_sane(self, hand: Hand) -> None:
        waiting, window = hand.waiting, hand.window
        require(
            hand.over == (window == "") == (hand.result is not None), "only the end ends", window
        )
        asked = not hand.over and window not in NOBODY_ASKED
        require(bool(waiting) == asked, "somebody is awaited until the end", window, waiting)
        require(set(waiting) <= set(self.numbers), "awaited seats are dealt in", waiting)
        require(hand.turn >= self.turn, "turns are counted upwards", self.turn, hand.turn)
        same = set(waiting) <= set(self.waited) and window == self.window
        require(
            same or not waiting or hand.turn > self.turn, "a new decision is a new turn", waiting
        )
        out = [
            e["seat"] for e in seats_of(self.looks[None]) if e.get("status") in ("folded", "out")
        ]
        require(not set(out) & set(waiting), "nobody out of the hand is awaited", waiting)
        for seat in self.numbers:
            legal = hand.legal(seat)
            expected = seat in waiting
            require(bool(legal) == expected or window == BETTING, "choices go with turns", seat)
            if expected:
                names = [choice["name"] for choice in legal]
                default = hand.default_action(seat)["name"]
                require(default in names, "the default is legal", default, names)

    # Storage and refusals

    def _state_is_whole(self, hand: Hand, state: bytes) -> None:
        require(not cards_in(state), "a state names positions, not cards", state.decode())
        copy = self.setup.load(state)
        require(orjson.dumps(copy.dump()) == state, "a state comes back as it was", state.decode())
        for viewer in (None, self.random.choice(self.numbers)):
            look = copy.view(viewer)
            require(look == self.looks[viewer], "a loaded hand looks as it did", look)
        if not (hand.over and self.setup.game.family == "banked"):  # its end is settled anew
            self._other_cards_change_nothing(hand, state)

    def try_edges(self, hand: Hand, state: bytes) -> None:
        """Both ends of every range are accepted, on a copy; what lies outside changes nothing."""
        chip = self.setup.options.get("chip_minor", 1)
        for seat in self.numbers:
            for choice in hand.legal(seat):
                found = edges(choice, chip)
                for action in found.within:
                    self._accepted(state, seat, action, choice)
                for action in found.perhaps:
                    self._either(state, seat, action)
                for action in found.beyond:
                    self._refused(hand, seat, action)
        self._refused(hand, self.random.choice(self.numbers), self.random.choice(NONSENSE))
        self._refused(hand, NO_SEAT, {"name": "fold"})
        others = [seat for seat in self.numbers if seat not in hand.waiting]
        if hand.waiting and others:
            out_of_turn = hand.default_action(hand.waiting[0])
            self._refused(hand, self.random.choice(others), out_of_turn)
        require(orjson.dumps(hand.dump()) == state, "a refused action changes nothing", state)

    def _accepted(self, state: bytes, seat: int, action: Action, choice: Json) -> None:
        try:
            self.setup.load(state).act(seat, action)
        except NeedsOpeners:
            require("openers" in choice, "both ends of a range are accepted", seat, action)
        except RuleViolation as refusal:
            raise LawBroken(
                "both ends of a range are accepted", f"{seat} {action}: {refusal!r}"
            ) from refusal

    def _either(self, state: bytes, seat: int, action: Action) -> None:
        copy = self.setup.load(state)
        try:
            copy.act(seat, action)
        except RuleViolation:
            same = orjson.dumps(copy.dump()) == state
            require(same, "a refused action changes nothing", seat, action)

    def _refused(self, hand: Hand, seat: int, action: Action) -> None:
        try:
            hand.act(seat, action)
        except RuleViolation as refusal:
            require(bool(refusal.code and str(refusal)), "a refusal says why", type(refusal))
        else:
            raise LawBroken("what is not legal is refused", f"{seat} {action}")

    # The end

    def ended(self, hand: Hand, steps: Sequence[Step]) -> None:
        """Look at the result, and play the whole hand again."""
        assert hand.result is not None
        result_adds_up(self.setup, hand.result)
        again, events = self.setup.start()
        for step in steps:
            events = events + step(again)
        log = list(map(as_bytes, events))
        require(
            log == self.log, "the same actions give the same events", _difference(log, self.log)
        )


def _difference(ours: list[bytes], theirs: list[bytes]) -> str:
    pairs = zip(ours, theirs, strict=False)
    return next((f"{a!r} is not {b!r}" for a, b in pairs if a != b), "not as many")


def result_adds_up(setup: Setup, result: Json) -> None:
    """Nobody's gain comes from nowhere: by seat, by pot, and with the house."""
    nets = result["nets_minor"]
    require(set(nets) == {str(seat.seat) for seat in setup.seats}, "every seat has a net", nets)
    if setup.game.family == "banked":
        for seat, net in nets.items():
            parts = result["returned_minor"][seat] - result["staked_minor"][seat]
            require(parts == net, "a net is what is returned less what is staked", seat)
        require(
            result["bank_minor"] == -sum(nets.values()), "the bank takes the other side", result
        )
        return
    stacks = {str(seat.seat): seat.stack_minor for seat in setup.seats}
    for seat, net in nets.items():
        ends = result["stacks_minor"][seat]
        require(stacks[seat] + net == ends, "a stack is what it was and its net", seat, ends)
    kept = kept_minor(result)
    brought = setup.brought_minor - sum(stacks.values())
    require(
        sum(nets.values()) + kept == brought, "nets, rake, drop and carry sum to nothing", result
    )
    require(
        result["rake_minor"] == sum(pot["rake_minor"] for pot in result["pots"]),
        "the rake is that of the pots",
        result,
    )
    require(
        result.get("drop_minor", 0) == sum(pot.get("drop_minor", 0) for pot in result["pots"]),
        "the drop is that of the pots",
        result,
    )
    for pot in result["pots"]:
        _pot_adds_up(pot)


def kept_minor(result: Json) -> int:
    """What a ring hand leaves with nobody at the table: rake, drop, a pot that is carried."""
    kept: int = result["rake_minor"] + result.get("drop_minor", 0) + result["carry_minor"]
    return kept


def _pot_adds_up(pot: Json) -> None:
    awards = pot["awards"]
    require(set(awards) <= set(map(str, pot["eligible"])), "winners are eligible", pot)
    paid = sum(awards.values()) + pot["rake_minor"] + pot.get("drop_minor", 0)
    require(paid == (pot["amount_minor"] if awards else 0), "a pot is paid whole", pot)
    sides = [part for name, part in pot.items() if isinstance(part, dict) and name != "awards"]
    boards = pot.get("boards", ())
    if boards:
        whole = sum(board["amount_minor"] for board in boards)
        require(whole == pot["amount_minor"], "the boards make up the pot", pot)
    if sides:
        halves = sum(sum(side.values()) for side in sides)
        require(halves == sum(awards.values()), "the shares make up the pot", pot)
