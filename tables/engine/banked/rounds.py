"""A round of a game against the house: betting, the deal, one decision, settling.

The deck is first read when the cards are dealt. A round whose deck is not known when the betting
closes (an empty list) stands "closed", takes nothing more, and deals at the next `expire()` after
it was loaded with its deck.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from tables.engine.banked.errors import (
    BetsClosed,
    NothingStaked,
    PayoutTooLarge,
    StackTooShort,
    UnknownWager,
    WagerNeedsAnother,
    WagerOffStep,
    WagerTooLarge,
    WagerTooSmall,
)
from tables.engine.banked.exposure import Exposure, exposure_of
from tables.engine.banked.hands import RANKINGS
from tables.engine.banked.options import RULES, BankedOptions, read_options
from tables.engine.banked.progressives import Meter, meter_paid, progressive_of, result_of
from tables.engine.banked.settling import Settlement, live_sides, looks_at_dealer, settle
from tables.engine.banked.vocabulary import BankedGame, Choice, Deal, Side
from tables.engine.cards import CARD_TEXT, card_texts
from tables.engine.errors import (
    BadSeats,
    BadState,
    CardNotInDeck,
    HandIsOver,
    MalformedAction,
    NoSuchAction,
    NotInHand,
    NotYourTurn,
)
from tables.engine.protocol import Event, SeatIn
from tables.engine.reasons import Reason

FORMAT = 1
BETTING, CLOSED, DECISION, SETTLED = "betting", "closed", "decision", "settled"
PHASES = (BETTING, CLOSED, DECISION, SETTLED)
BET, CLEAR = "bet", "clear"


def places(deal: Deal, spots: int, packets: bool) -> list[tuple[int, ...]]:
    """Which places of the deck each spot gets, from the dealer's left; the dealer's last.

    packets: each gets its cards at once; otherwise card by card. Source: docs/rules/banked.md 1.8.
    """
    sizes = [deal.player] * spots + [deal.dealer]
    if packets:
        ends = list(accumulate(sizes))
        return [tuple(range(end - size, end)) for size, end in zip(sizes, ends, strict=True)]
    found: list[list[int]] = [[] for _ in sizes]
    at = 0
    for turn in range(max(sizes)):
        for hand, size in zip(found, sizes, strict=True):
            if turn < size:
                hand.append(at)
                at += 1
    return [tuple(hand) for hand in found]


class BankedRound:
    """A round in play. Seats are table seat numbers; the lowest sits at the dealer's left.

    A seat is a spot. A player may have several beside each other: they play with the chips of his
    own seat, the first of them, and he sees the cards of all.
    """

    __slots__ = (
        "bets", "choices", "dealer", "dealt", "deck", "game", "meter", "options", "phase",
        "player_seats", "rules", "seats", "settlements", "stacks", "turn",
    )  # fmt: skip

    def __init__(
        self,
        game: BankedGame,
        options: Mapping[str, Any],
        seats: Sequence[int],
        stacks: Sequence[int],
        player_seats: Sequence[int],
        deck: Sequence[int],
    ) -> None:
        self.game = game
        self.options = options
        self.rules: BankedOptions = read_options(game, options)
        self.deck = deck
        self.seats = tuple(seats)
        self.stacks = dict(zip(seats, stacks, strict=True))
        self.player_seats = dict(zip(seats, player_seats, strict=True))
        self.bets: dict[int, dict[str, int]] = {seat: {} for seat in seats}
        self.choices: dict[int, str | None] = dict.fromkeys(seats)
        self.dealt: dict[int, tuple[int, ...]] = {}
        self.dealer: tuple[int, ...] = ()
        self.phase = BETTING
        self.turn = 1
        self.settlements: dict[int, Settlement] = {}
        self.meter: Meter | None = None

    # What the round waits for

    @property
    def over(self) -> bool:
        return self.phase == SETTLED

    @property
    def window(self) -> str:
        return "" if self.over else self.phase

    @property
    def waiting(self) -> tuple[int, ...]:
        if self.phase != DECISION:
            return ()
        return tuple(s for s in self.seats if self._must_decide(s) and self.choices[s] is None)

    def legal(self, seat: int) -> list[dict[str, Any]]:
        """What the seat may do now, with exact ranges; [] when nothing is asked of it."""
        if seat not in self.stacks:
            return []
        if self.phase == BETTING:
            return self._legal_bets(seat)
        if seat in self.waiting:
            return [self._legal_choice(seat, choice) for choice in self.game.decision.choices]
        return []

    def default_action(self, seat: int) -> dict[str, Any]:
        """What silence means for a seat whose decision is awaited: the fold."""
        if seat not in self.waiting:
            raise NotYourTurn(seat, self.waiting)
        return {"name": self.game.fold.name}

    def committed(self, seat: int) -> int:
        """Minor units the seat has staked and reserved; after the round, what it has staked.

        A wager that may be raised reserves its dearest raise until the decision is made.
        """
        return self._staked(seat) + self._reserved(seat)

    # What happens

    def act(self, seat: int, action: Mapping[str, Any]) -> list[Event]:
        """Bet, clear or decide. Raises a RuleViolation, and then nothing has changed."""
        if self.over:
            raise HandIsOver
        if seat not in self.stacks:
            raise NotInHand(seat)
        name = action.get("name")
        if not isinstance(name, str):
            raise MalformedAction("an action has a name")
        if name == BET and self.phase == BETTING:
            return self._bet(seat, action)
        if name == CLEAR and self.phase == BETTING:
            return self._clear(seat, action)
        if name in (BET, CLEAR) or self.phase == CLOSED:
            raise BetsClosed
        if seat not in self.waiting:
            raise self._not_possible(seat, name)
        choice = self.game.choices.get(name)
        if choice is None:
            raise NoSuchAction(name, tuple(self.game.choices))
        _only_fields(action, "name")
        return self._decide(seat, choice)

    def expire(self) -> list[Event]:
        """The window's time is up: no more bets, or every silent spot folds."""
        if self.over:
            raise HandIsOver
        if self.phase == BETTING:
            return self._close()
        if self.phase == CLOSED:
            return self._deal()
        events: list[Event] = []
        for seat in self.waiting:
            events += self._decide(seat, self.game.fold, default=True)
        return events

    def _bet(self, seat: int, action: Mapping[str, Any]) -> list[Event]:
        _only_fields(action, "name", "wagers")
        wagers = self._checked_wagers(action.get("wagers"))
        reserve = self._dearest_raise(wagers)
        needed = sum(wagers.values()) + reserve
        if needed > (stack := self._stack_for(seat)):
            raise StackTooShort(needed, stack)
        self._check_payouts(seat, wagers)
        self.bets[seat] = wagers
        public = {
            "seat": seat,
            "wagers": self._all_wagers(seat),
            "reserved_minor": reserve,
            "stack_minor": self._stack(seat),
        }
        return [Event("bet_placed", public, None)]

    def _checked_wagers(self, wagers: object) -> dict[str, int]:
        """The positive stakes of a bet, each within its limits and beside what it needs."""
        offered = tuple(w.id for w in self.game.placed if w.id in self.rules.limits)
        if not isinstance(wagers, Mapping):
            raise MalformedAction("a bet names its wagers")
        staked: dict[str, int] = {}
        for wager, amount in wagers.items():
            if wager not in offered:
                raise UnknownWager(str(wager), offered)
            if type(amount) is not int or amount < 0:
                raise MalformedAction(f"{wager}: a whole amount in minor units")
            if amount:
                self._check_limits(wager, amount)
                staked[wager] = amount
        if not staked:
            raise NothingStaked
        for wager in staked:
            needs = self._needs(wager)
            if needs and not any(other in staked for other in needs):
                raise WagerNeedsAnother(wager, needs)
        return staked

    def _check_limits(self, wager: str, amount: int) -> None:
        limits = self.rules.limits[wager]
        if amount < limits.least_minor:
            raise WagerTooSmall(wager, amount, limits.least_minor)
        if amount > limits.most_minor:
            raise WagerTooLarge(wager, amount, limits.most_minor)
        if amount % limits.step_minor:
            raise WagerOffStep(wager, amount, limits.step_minor)

    def exposure_minor(self) -> int:
        """The most that this round can cost the house as the bets stand; never below the truth."""
        return self._bound().worst_case(self.bets.values())

    def possible(self, seat: int, wagers: Mapping[str, int], most_minor: int) -> dict[str, int]:
        """By wager of a bet, the most of it with which the round costs no more than this.

        The bet's other wagers stay; amounts are multiples of the wager's step, 0 for none at all.
        """
        return self._most_of(wagers, most_minor, self._others(seat))

    def _check_payouts(self, seat: int, wagers: Mapping[str, int]) -> None:
        """The announced maxima are kept when the bet is placed: a prize once won is never cut."""
        others = self._others(seat)
        maxima: tuple[tuple[str, int | None, list[Mapping[str, int]]], ...] = (
            ("spot", self.rules.most_spot_minor, []),
            ("round", self.rules.most_round_minor, others),
        )
        for scope, most, beside in maxima:
            if most is None:
                continue
            payout = self._bound().worst_case([*beside, wagers])
            if payout > most and payout > self._bound().worst_case([*beside, self.bets[seat]]):
                raise PayoutTooLarge(scope, payout, most, self._most_of(wagers, most, beside))

    def _bound(self) -> Exposure:
        rules = {name: self.options[name] for name in RULES if name in self.options}
        return exposure_of(self.game, rules)

    def _others(self, seat: int) -> list[Mapping[str, int]]:
        return [bets for other, bets in self.bets.items() if other != seat]

    def _most_of(
        self, wagers: Mapping[str, int], most_minor: int, beside: Sequence[Mapping[str, int]]
    ) -> dict[str, int]:
        bound = self._bound()
        found = {}
        for wager, asked in wagers.items():
            step = self.rules.limits[wager].step_minor
            low, high = 0, asked // step
            while low < high:
                half = (low + high + 1) // 2
                bet = {**wagers, wager: half * step}
                if bound.worst_case([*beside, bet]) <= most_minor:
                    low = half
                else:
                    high = half - 1
            found[wager] = low * step if low * step >= self.rules.limits[wager].least_minor else 0
        return found

    def _needs(self, wager_id: str) -> tuple[str, ...]:
        """Wagers of which one must be placed too; () for one that may stand alone."""
        wager = self.game.wager[wager_id]
        if not isinstance(wager, Side):
            return ()
        if wager.needs:
            return wager.needs
        return () if wager_id in self.rules.policy.alone else (self.game.decision.of,)

    def _clear(self, seat: int, action: Mapping[str, Any]) -> list[Event]:
        _only_fields(action, "name")
        if not self.bets[seat]:
            raise NoSuchAction(CLEAR, (BET,))
        self.bets[seat] = {}
        return [Event("bet_cleared", {"seat": seat, "stack_minor": self._stack(seat)}, None)]

    def _close(self) -> list[Event]:
        events = [Event("no_more_bets", {}, None)]
        self.phase = CLOSED
        if not any(self.bets.values()):
            self.phase = SETTLED
            return [*events, self._hand_over()]
        return events + self._deal() if self.deck else events

    def _deal(self) -> list[Event]:
        step, deck = self.game.deal, self.deck
        playing = [seat for seat in self.seats if self.bets[seat]]
        count = step.player * len(playing) + step.dealer
        served = deck[:count]
        if len(served) < count:
            raise BadState(f"the deal needs {count} cards and the deck has {len(served)}")
        for card in served:
            if card not in self.game.deck or served.count(card) > 1:
                raise CardNotInDeck(CARD_TEXT[card], self.game.id)
        *packets, self.dealer = places(step, len(playing), self.rules.packets)
        self.dealt = dict(zip(playing, packets, strict=True))
        public = {
            "street": "deal",
            "down": {str(seat): step.player for seat in playing},
            "dealer": step.dealer,
        }
        private = {seat: {"cards": card_texts(self._cards(seat))} for seat in playing}
        events = [Event("cards_dealt", public, private)]
        self.phase = DECISION
        if self.waiting:
            self.turn += 1
            return events
        return events + self._settle()

    def _decide(self, seat: int, choice: Choice, *, default: bool = False) -> list[Event]:
        self.choices[seat] = choice.name
        public: dict[str, Any] = {
            "seat": seat,
            "name": choice.name,
            "play_minor": choice.times * self.bets[seat][self.game.decision.of],
            "stack_minor": self._stack(seat),
        }
        if default:
            public["default"] = True
        event = Event("decided", public, None)
        return [event] if self.waiting else [event, *self._settle()]

    # The end

    def _settle(self) -> list[Event]:
        self.phase = SETTLED
        self.settlements = self._settled()
        events = [self._dealer_event()]
        for seat in self.settlements:
            if self._shown(seat):
                events.append(Event("hand_shown", {"seat": seat, **self._hand(seat)}, None))
            events.append(Event("spot_settled", self._spot_settled(seat), None))
        return [*events, self._hand_over()]

    def _settled(self) -> dict[int, Settlement]:
        """Every spot with a bet, in the order in which the dealer settles them."""
        rules = self.rules
        dealer = [self.deck[place] for place in self.dealer]
        settled = {
            seat: settle(
                self.game,
                self.bets[seat],
                self._cards(seat),
                dealer,
                self.choices[seat],
                paytables=rules.paytables,
                policy=rules.policy,
                qualifier=rules.qualifier,
                order=rules.settle_wagers,
                jackpot=rules.jackpot,
            )
            for seat in sorted(self.dealt, reverse=rules.last_seat_first)
        }
        if rules.jackpot is None or not settled or not self._has_progressive():
            return settled
        cards = {seat: self._cards(seat) for seat in self.dealt}
        settled, self.meter = meter_paid(self.game, rules.jackpot, settled, cards)
        return settled

    def _has_progressive(self) -> bool:
        wager = progressive_of(self.game)
        return wager is not None and wager.id in self.rules.limits

    def _dealer_event(self) -> Event:
        if not self._dealer_needed():
            return Event("dealer_not_needed", {}, None)
        return Event("dealer_revealed", self._dealer_hand(), None)

    def _dealer_needed(self) -> bool:
        policy = self.rules.policy
        return any(
            looks_at_dealer(self.game, self.bets[seat], self.choices[seat], policy)
            for seat in self.dealt
        )

    def _dealer_hand(self) -> dict[str, Any]:
        cards = tuple(self.deck[place] for place in self.dealer)
        order = RANKINGS[self.game.ranking]
        value = order.ranking.value(cards)
        cls, words = order.ranking.words(value)
        return {
            "cards": card_texts(cards),
            "qualifies": value >= order.qualifiers[self.rules.qualifier],
            "class": cls,
            "words": words,
        }

    def _shown(self, seat: int) -> bool:
        """Whether the end shows the seat's cards: when a wager of it was decided by them."""
        choice = self._choice(seat)
        if choice is not None and not choice.folds:
            return True
        return bool(live_sides(self.game, self.bets[seat], self.choices[seat], self.rules.policy))

    def _spot_settled(self, seat: int) -> dict[str, Any]:
        settlement = self.settlements[seat]
        return {
            "seat": seat,
            "wagers": {name: result.public() for name, result in settlement.wagers.items()},
            "staked_minor": settlement.staked_minor,
            "returned_minor": settlement.returned_minor,
            "net_minor": settlement.net_minor,
            "stack_minor": self._stack(seat),
            "words": settlement.words,
        }

    def _hand_over(self) -> Event:
        nets = {str(seat): self._net(seat) for seat in self.seats}
        public = {
            "nets_minor": nets,
            "stacks_minor": {
                str(seat): self._stack(seat)
                for seat in self.seats
                if self.player_seats[seat] == seat
            },
            "bank_minor": -sum(nets.values()),
            **result_of(self.meter),
        }
        return Event("hand_over", public, None)

    @property
    def result(self) -> dict[str, Any] | None:
        """Nets, stakes and returns by seat, the house's own net, and every spot; None till then."""
        if not self.over:
            return None
        settled = self.settlements
        nets = {str(seat): self._net(seat) for seat in self.seats}
        return {
            "nets_minor": nets,
            "staked_minor": {str(seat): self._staked(seat) for seat in self.seats},
            "returned_minor": {
                str(seat): settled[seat].returned_minor if seat in settled else 0
                for seat in self.seats
            },
            "bank_minor": -sum(nets.values()),
            "spots": {str(seat): self._spot_settled(seat) for seat in settled},
            **result_of(self.meter),
        }

    # What may be seen

    def view(self, viewer: int | None) -> dict[str, Any]:
        """The round as a seat's player sees it, or the public for None."""
        revealed = self.over and bool(self.dealt) and self._dealer_needed()
        dealer: dict[str, Any] = {"down": len(self.dealer), "cards": None}
        if revealed:
            dealer = {"down": 0, **self._dealer_hand()}
        return {
            "family": self.game.family,
            "game": self.game.id,
            "phase": self.phase,
            "spots": [self._spot_view(seat, viewer) for seat in self.seats],
            "dealer": dealer,
            "waiting": list(self.waiting),
            "window": self.window,
            "over": self.over,
        }

    def views(self, viewers: Iterable[int | None]) -> dict[int | None, dict[str, Any]]:
        return {viewer: self.view(viewer) for viewer in viewers}

    def _spot_view(self, seat: int, viewer: int | None) -> dict[str, Any]:
        shown = self.over and seat in self.settlements and self._shown(seat)
        spot: dict[str, Any] = {
            "seat": seat,
            "stack_minor": self._stack(seat),
            "wagers": self._all_wagers(seat),
            "reserved_minor": self._reserved(seat),
            "decision": self.choices[seat],
            "down": 0 if shown else len(self.dealt.get(seat, ())),
            "settled": self._spot_settled(seat) if seat in self.settlements else None,
        }
        player_seat = self.player_seats[seat]
        if player_seat != seat:
            spot["player_seat"] = player_seat
        is_own = viewer is not None and self.player_seats.get(viewer) == player_seat
        if seat in self.dealt and (shown or is_own):
            spot |= self._hand(seat)
        return spot

    def _hand(self, seat: int) -> dict[str, Any]:
        ranking = RANKINGS[self.game.ranking].ranking
        cards = self._cards(seat)
        cls, words = ranking.words(ranking.value(cards))
        return {"cards": card_texts(cards), "class": cls, "words": words}

    # Facts about a seat

    def cards_of(self, seat: int) -> tuple[int, ...]:
        """A dealt spot's cards, shown or not: for the house's own books alone."""
        return self._cards(seat)

    def dealer_cards(self) -> tuple[int, ...]:
        return tuple(self.deck[place] for place in self.dealer)

    def _cards(self, seat: int) -> tuple[int, ...]:
        return tuple(self.deck[place] for place in self.dealt[seat])

    def _must_decide(self, seat: int) -> bool:
        return self.game.decision.of in self.bets[seat]

    def _choice(self, seat: int) -> Choice | None:
        name = self.choices[seat]
        return None if name is None else self.game.choices[name]

    def _staked(self, seat: int) -> int:
        bets = self.bets[seat]
        choice = self._choice(seat)
        raised = choice.times * bets[self.game.decision.of] if choice is not None else 0
        return sum(bets.values()) + raised

    def _reserved(self, seat: int) -> int:
        if self.over or self.choices[seat] is not None:
            return 0
        return self._dearest_raise(self.bets[seat])

    def _dearest_raise(self, wagers: Mapping[str, int]) -> int:
        return self.game.dearest_raise * wagers.get(self.game.decision.of, 0)

    def _stack(self, seat: int) -> int:
        """The chips left in front of the spot's player; all his spots play with them."""
        player_seat = self.player_seats[seat]
        spots = [spot for spot in self.seats if self.player_seats[spot] == player_seat]
        moved = sum(
            self.settlements[spot].net_minor if spot in self.settlements else -self.committed(spot)
            for spot in spots
        )
        return self.stacks[player_seat] + moved

    def _stack_for(self, seat: int) -> int:
        """The chips that a new bet of the spot may use: its former one comes back."""
        return self._stack(seat) + self.committed(seat)

    def _net(self, seat: int) -> int:
        return self.settlements[seat].net_minor if seat in self.settlements else 0

    def _all_wagers(self, seat: int) -> dict[str, int]:
        bets = self.bets[seat]
        return {w.id: bets.get(w.id, 0) for w in self.game.placed if w.id in self.rules.limits}

    def _legal_bets(self, seat: int) -> list[dict[str, Any]]:
        stack = self._stack_for(seat)
        wagers: dict[str, dict[str, int]] = {}
        for wager in self.game.placed:
            if (limits := self.rules.limits.get(wager.id)) is None:
                continue
            needs_per_unit = 1 + self._dearest_raise({wager.id: 1})
            most = min(limits.most_minor, stack // needs_per_unit)
            most -= most % limits.step_minor
            if most >= limits.least_minor:
                wagers[wager.id] = {
                    "least_minor": limits.least_minor,
                    "most_minor": most,
                    "step_minor": limits.step_minor,
                }
        legal: list[dict[str, Any]] = []
        if wagers:
            legal.append({"name": BET, "wagers": wagers})
        if self.bets[seat]:
            legal.append({"name": CLEAR})
        return legal

    def _legal_choice(self, seat: int, choice: Choice) -> dict[str, Any]:
        if choice.folds:
            return {"name": choice.name}
        amount = choice.times * self.bets[seat][self.game.decision.of]
        return {"name": choice.name, "amount_minor": amount}

    def _not_possible(self, seat: int, name: str) -> NoSuchAction | NotYourTurn:
        if self.phase == BETTING:
            return NoSuchAction(name, tuple(legal["name"] for legal in self.legal(seat)))
        return NotYourTurn(seat, self.waiting)

    # Storage

    def dump(self) -> list[Any]:
        """The round as a compact list, its format first; cards only as positions in the deck."""
        placed = [wager.id for wager in self.game.placed]
        names = list(self.game.choices)
        has_further = any(seat != of for seat, of in self.player_seats.items())
        return [
            FORMAT,
            PHASES.index(self.phase),
            self.turn,
            list(self.seats),
            [self.stacks[seat] for seat in self.seats],
            [[self.bets[seat].get(wager, 0) for wager in placed] for seat in self.seats],
            [
                -1 if (name := self.choices[seat]) is None else names.index(name)
                for seat in self.seats
            ],
            [list(self.dealt.get(seat, ())) for seat in self.seats],
            list(self.dealer),
            *([[self.player_seats[seat] for seat in self.seats]] if has_further else []),
        ]


def start(
    game: BankedGame,
    seats: Sequence[SeatIn],
    options: Mapping[str, Any],
    deck: Sequence[int],
) -> tuple[BankedRound, list[Event]]:
    """Open a betting window for these seats.

    deck: the cards in the order in which they are dealt; may be empty until the betting is closed.
    Raises BadSeats, BadOptions.
    """
    ordered = sorted(seats, key=lambda seat: seat.seat)
    numbers = [seat.seat for seat in ordered]
    if not numbers or len(set(numbers)) != len(numbers):
        raise BadSeats(Reason("round_seats"))
    if any(number not in game.seats for number in numbers):
        raise BadSeats(
            Reason("seats_of_game", game=game.name, least=game.seats[0], most=game.seats[-1])
        )
    if any(seat.stack_minor < 0 for seat in ordered):
        raise BadSeats(Reason("stack_negative"))
    stacks = [seat.stack_minor for seat in ordered]
    of = [seat.seat if seat.player_seat is None else seat.player_seat for seat in ordered]
    play = BankedRound(game, options, numbers, stacks, of, deck)
    _check_spots(play)
    return play, []


def _check_spots(play: BankedRound) -> None:
    """Each player's spots lie beside each other, his own seat first, no more than he may have."""
    for player_seat in set(play.player_seats.values()):
        spots = [seat for seat in play.seats if play.player_seats[seat] == player_seat]
        if spots != list(range(player_seat, player_seat + len(spots))):
            raise BadSeats(Reason("spots_apart"))
        if len(spots) > play.rules.spots_per_player:
            raise BadSeats(Reason("spots_at_most", most=play.rules.spots_per_player))


def load(
    game: BankedGame, options: Mapping[str, Any], state: Sequence[Any], deck: Sequence[int]
) -> BankedRound:
    """The round that was dumped, over its deck. Raises BadState."""
    if not state or state[0] != FORMAT:
        raise BadState(f"a banked round of format {FORMAT} was expected")
    _, phase, turn, seats, stacks, bets, choices, dealt, dealer, *further = state
    placed = [wager.id for wager in game.placed]
    names = list(game.choices)
    loaded = BankedRound(game, options, seats, stacks, further[0] if further else seats, deck)
    for seat, stakes, choice, places in zip(seats, bets, choices, dealt, strict=True):
        loaded.bets[seat] = {
            wager: stake for wager, stake in zip(placed, stakes, strict=True) if stake
        }
        loaded.choices[seat] = None if choice < 0 else names[choice]
        if places:
            loaded.dealt[seat] = tuple(places)
    loaded.phase = PHASES[phase]
    loaded.turn = turn
    loaded.dealer = tuple(dealer)
    if loaded.over:
        loaded.settlements = loaded._settled()
    return loaded


def _only_fields(action: Mapping[str, Any], *fields: str) -> None:
    for field in action:
        if field not in fields:
            raise MalformedAction(f"unknown field {field!r}")
