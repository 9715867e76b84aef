"""A hand of a ring game, from the forced bets to the last pot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tables.engine.cards import parse_card
from tables.engine.errors import (
    BadSeats,
    BadState,
    CardNotInDeck,
    HandIsOver,
    MalformedAction,
    NoSuchAction,
    NothingToCall,
    NotInHand,
    NotYourTurn,
)
from tables.engine.poker import actions, betting, views
from tables.engine.poker.actions import BETTING
from tables.engine.poker.asking import answer, ask_runs, default_asked, legal_asked
from tables.engine.poker.choosing import (
    AT_ONCE,
    default_choice,
    do_choice,
    legal_choice,
    needs_shuffle,
    open_choice,
    reshuffle,
    roll,
    shuffled_again,
)
from tables.engine.poker.dealing import deal, deal_further_runs, is_face_up
from tables.engine.poker.forced import post_forced
from tables.engine.poker.options import SUIT, Options, options_of
from tables.engine.poker.rare import Asked
from tables.engine.poker.showdown import (
    end_hand,
    finish_killed,
    finish_passed_out,
    finish_uncontested,
    showdown,
    table_hands,
)
from tables.engine.poker.state import State
from tables.engine.poker.variants import dealt_as
from tables.engine.poker.vocabulary import (
    AFTER_BLINDS,
    BY_BRING_IN,
    CARRY,
    DECK_SETS,
    DECKS,
    FROM_LEFT,
    Bet,
    Deal,
    PokerGame,
    Roll,
)
from tables.engine.poker.windows import WINDOWS
from tables.engine.protocol import Action, Event, Json, Seats
from tables.engine.rankings.exposed import (
    highest_brings_in,
    lowest_brings_in,
    showing_high,
    showing_low,
)
from tables.engine.reasons import Reason


class PokerHand(State):
    """A hand in play. See `tables.engine.protocol.Hand`."""

    __slots__ = ()

    @property
    def window(self) -> str:
        """ "turn" for bets, else the word of the step; "reshuffle" waits for the run-time alone."""
        if self.pending:
            if self.offered >= 0:
                return "offer"
            return "turn" if type(self.now) is Bet else self.now.word
        return "reshuffle" if needs_shuffle(self) else ""

    @property
    def waiting(self) -> tuple[int, ...]:
        pending = self.pending
        if not pending:
            return ()
        kind = type(self.now)
        if kind is not Bet and kind in AT_ONCE:
            return tuple([self.numbers[place] for place in pending])
        return (self.numbers[pending[0]],)

    @property
    def mucked(self) -> list[int]:
        """In the window "reshuffle": positions that need a fresh order, see `reshuffle`."""
        return shuffled_again(self)

    @property
    def result(self) -> Json | None:
        return self.ending if self.over else None

    def legal(self, seat: int) -> list[Json]:
        pending = self.pending
        if pending and self.numbers[pending[0]] == seat:
            place = pending[0]
        else:
            place = self._place(seat)
            if place not in pending or type(self.now) not in AT_ONCE:
                return []
        if type(self.now) is Bet:
            return actions.legal_bets(self, place)
        if type(self.now) is Asked:
            return legal_asked(self, place)
        return legal_choice(self, place)

    def act(self, seat: int, action: Action, *, default: bool = False) -> list[Event]:
        """See the protocol; default: the seat has not chosen, its time was up."""
        pending = self.pending
        if pending and self.numbers[pending[0]] == seat:
            place = pending[0]
        else:
            place = self._turn(seat)
        if type(action) is not dict and not isinstance(action, Mapping):
            raise MalformedAction("an action is an object with a name")
        if type(self.now) is Bet:
            name = action.get("name")
            do = BETTING.get(name) if type(name) is str else None
            if do is None:
                raise NoSuchAction(str(name), actions.names(self, place))
            do(self, place, action, default)
            if self.pending:
                self.turn += 1
                events = self.events
                self.events = []
                return events
        elif type(self.now) is Asked:
            answer(self, place, action, default)
        else:
            do_choice(self, place, action, default)
            _end_if_killed(self)
        if self.over:
            return self._told()
        if self.pending:
            self.turn += type(self.now) not in AT_ONCE
        elif not self.serving:
            _advance(self)
        return self._told()

    def default_action(self, seat: int) -> Json:
        place = self._turn(seat)
        if type(self.now) is Asked:
            return default_asked(self)
        if type(self.now) is not Bet:
            return default_choice(self, place)
        if self.completing and not self.price:
            return {"name": "bring_in" if place == self.first else "fold"}
        if betting.owed(self, place) or actions.must_open(self):
            return {"name": "fold"}
        return {"name": "check"}

    def expire(self) -> list[Event]:
        if not self.pending:
            raise HandIsOver
        events: list[Event] = []
        turn = self.turn
        for seat in self.waiting:
            if self.over or self.turn != turn:
                break  # what he was asked has been settled by the others
            events += self.act(seat, self.default_action(seat), default=True)
        return events

    def reshuffle(self, order: Sequence[int]) -> list[Event]:
        """Go on with a draw from the mucked cards; order: `mucked` in a fresh, secret order."""
        reshuffle(self, order)
        if not _end_if_killed(self) and not needs_shuffle(self):
            _advance(self)
        return self._told()

    def protect(self, seat: int) -> list[Event]:
        """Instead of folding who cannot be heard: all-in for what is in. Raises NothingToCall."""
        place = self._turn(seat)
        if type(self.now) is not Bet or not betting.owed(self, place):
            raise NothingToCall
        kept_out = self.stacks[place]
        betting.set_aside(self, place)
        self.last[place] = "protected"
        self.tell("protected", {"seat": seat, "set_aside_minor": kept_out})
        if self.pending:
            self.turn += 1
        else:
            _advance(self)
        return self._told()

    def view(self, viewer: int | None) -> Json:
        return self.views((viewer,))[viewer]

    def views(self, viewers: Iterable[int | None]) -> dict[int | None, Json]:
        public = views.public_view(self)
        public["waiting"] = list(self.waiting)
        public["window"] = self.window
        return views.views_of(self, public, viewers)

    def _told(self) -> list[Event]:
        events = self.events
        self.events = []
        return events

    def _place(self, seat: int) -> int:
        try:
            return self.numbers.index(seat)
        except ValueError:
            raise NotInHand(seat) from None

    def _turn(self, seat: int) -> int:
        """The place of a seat whose turn it is."""
        if not self.pending:
            raise HandIsOver
        place = self.pending[0]
        if self.numbers[place] != seat:
            place = self._place(seat)
            if place not in self.pending or type(self.now) not in AT_ONCE:
                raise NotYourTurn(seat, self.waiting)
        return place


def start(
    game: PokerGame,
    seats: Seats,
    options: Mapping[str, Any] | Options,
    deck: Sequence[int],
    *,
    button: int,
    posts: Sequence[Mapping[str, Any]] | None = None,
    carry: Mapping[str, Any] | None = None,
    die: int = 0,
) -> tuple[PokerHand, list[Event]]:
    """Deal a hand.

    seats: those dealt in, clockwise, each with chips. deck: the cards in the order in which they
    are dealt. button: a table seat number; nobody need sit there (dead button). posts: see
    `forced.post_forced`. carry: the "carry" of the result before, chips that nobody has won.
    die: what was rolled, in games that roll one before the deal.
    Raises BadSeats, BadOptions, CardNotInDeck.
    """
    options = options if isinstance(options, Options) else options_of(game, options)
    named, game = game, dealt_as(game, options, die)
    _check_deck(game, deck)
    numbers, stacks = _from_button(game, seats, button, carry.get("seats") if carry else None)
    hand = PokerHand(game, options, numbers, stacks, button, deck)
    if options.cap_big_blinds is not None:
        betting.keep_out(hand, options.cap_big_blinds)
    if carry:
        _take_over(hand, carry)
    if named.die:
        hand.die = die
        hand.tell("die_rolled", {"die": die, "plays": named.die[die - 1]})
    post_forced(hand, posts)
    _advance(hand)
    return hand, hand._told()


def _take_over(hand: PokerHand, carry: Mapping[str, Any]) -> None:
    """Put the chips that nobody has won yet into the pot, for those who can claim them."""
    number = hand.numbers.index
    hand.claimed = [
        [amount, sorted(number(seat) for seat in seats)] for amount, seats in carry.get("pots", ())
    ]
    hand.carried = int(carry["carry_minor"]) - sum(amount for amount, _ in hand.claimed)
    hand.needed = str(carry.get("openers") or hand.needed)


def load(
    game: PokerGame,
    options: Mapping[str, Any] | Options,
    state: Sequence[Any],
    deck: Sequence[int],
) -> PokerHand:
    """The hand of a dumped state. Raises BadState."""
    hand: PokerHand = PokerHand.__new__(PokerHand)
    hand.options = options if isinstance(options, Options) else options_of(game, options)
    hand.deck = deck
    hand.events = []
    hand.restore(state)
    hand.game = game
    if game.die or game.kill or hand.options.changes_game:
        hand.game = dealt_as(game, hand.options, hand.die)
    if hand.branch:
        hand.game = hand.game.other or hand.game
    if not -1 <= hand.step < len(hand.game.steps):
        raise BadState(f"not a state of {game.id}")
    hand.now = hand.game.steps[hand.step]
    if hand.rare is not None and hand.rare.asking:
        hand.now = WINDOWS[hand.rare.asking]
    return hand


def _advance(hand: PokerHand) -> None:
    """Walk the steps until somebody has a decision or the hand is over."""
    if hand.ending is not None:
        end_hand(hand)
        return
    if hand.step >= 0 and isinstance(step := hand.now, Bet):
        _end_round(hand)
        if step.passed_out and _nobody_opened(hand):
            if step.passed_out == CARRY or hand.game.other is None:
                finish_passed_out(hand)
                return
            hand.game, hand.branch, hand.step = hand.game.other, True, -1
    steps = hand.game.steps
    while not hand.pending:
        if hand.live.count(True) == 1:
            finish_uncontested(hand)
            return
        hand.step += 1
        if hand.step == len(steps):
            hand.step -= 1
            deal_further_runs(hand)
            if not _end_if_killed(hand):
                showdown(hand)
            return
        step = hand.now = steps[hand.step]
        if isinstance(step, Bet):
            betting.open_round(hand, step, _order(hand, step))
            if not hand.pending:
                _end_round(hand)
        elif isinstance(step, Deal):
            deal(hand, step)
        elif isinstance(step, Roll):
            roll(hand, step)
        else:
            open_choice(hand, step)
        if _end_if_killed(hand):
            return


def _nobody_opened(hand: PokerHand) -> bool:
    """Whether a round that must be opened was passed by all who could."""
    return hand.asked and not hand.price and hand.live.count(True) > 1


def _end_if_killed(hand: PokerHand) -> bool:
    """End the deal if its kill card lies face up."""
    if not hand.game.kill or not is_face_up(hand, parse_card(hand.game.kill)):
        return False
    finish_killed(hand)
    return True


def _order(hand: PokerHand, step: Bet) -> list[int]:
    """Live places, the first to act first."""
    if step.first == AFTER_BLINDS and hand.options.blinds_minor:
        return hand.from_place((hand.last_blind + 1) % len(hand.numbers))
    if step.first in (FROM_LEFT, AFTER_BLINDS):
        return hand.living()
    living, low = hand.living(), hand.game.low_boards
    up = hand.up
    if step.first == BY_BRING_IN:
        brings_in = highest_brings_in if low else lowest_brings_in
        shown = {place: hand.deck[up[place][0]] for place in living}
        by_suit = hand.options.bring_in_tie == SUIT
        return hand.from_place(brings_in(shown, by_suit=by_suit))
    showing = showing_low if low else showing_high
    deck = hand.deck
    values = [showing([deck[card] for card in up[place]]) for place in living]
    return hand.from_place(living[values.index(max(values))])


def _end_round(hand: PokerHand) -> None:
    """Give back what was not called; if no bet can follow and only board cards, table the hands."""
    betting.close_round(hand)
    if hand.live.count(True) == 1 or hand.step + 1 == len(hand.game.steps):
        return
    if all(hand.stacks) or len(hand.able()) > 1:
        return
    rest = [step for step in hand.game.steps[hand.step + 1 :] if not isinstance(step, Bet)]
    if rest and all(isinstance(step, Deal) and not step.down and not step.up for step in rest):
        table_hands(hand)
        if hand.options.runs > 1:
            ask_runs(hand)


def _from_button(
    game: PokerGame, seats: Seats, button: int, claimants: Sequence[int] | None
) -> tuple[list[int], list[int]]:
    """Seat numbers and stacks in order from the button's left.

    claimants: who alone is dealt in again after a deal that died, even without chips.
    """
    least = 2 if claimants else game.least_seats
    if not least <= len(seats) <= game.most_seats:
        raise BadSeats(
            Reason("dealt_to", game=game.id, least=game.least_seats, most=game.most_seats)
        )
    ordered = sorted(seats)
    turned = [seat for seat in ordered if seat[0] > button]
    turned += ordered[: len(ordered) - len(turned)]
    numbers = [seat.seat for seat in turned]
    stacks = [seat.stack_minor for seat in turned]
    if len(set(numbers)) != len(numbers):
        raise BadSeats(Reason("dealt_twice"))
    if claimants:
        if sorted(numbers) != sorted(claimants):
            raise BadSeats(Reason("dealt_to_alone", seats=tuple(claimants)))
    elif min(stacks) <= 0:
        raise BadSeats(Reason("without_chips"))
    return numbers, stacks


def deck_of(game: PokerGame, options: Options) -> tuple[int, ...]:
    """The cards a table plays the game with."""
    return DECKS["52" if options.no_joker else game.deck]


def _check_deck(game: PokerGame, deck: Sequence[int]) -> None:
    if len(deck) != len(DECKS[game.deck]) or DECK_SETS[game.deck] != set(deck):
        raise CardNotInDeck("the deck", game.id)
