"""A hand played again from what is stored of it: every event must come out as it was told.

The engine is pure, so a hand's row, its decks and its event log are all it takes. Decisions are
read from the events themselves; what nobody decided (time-outs, reshuffles) is done again too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, cast

import orjson

from tables import beliefs, rules
from tables import events as rows_of
from tables.deals import Seen
from tables.engine.poker.button import seat_after
from tables.engine.poker.forced import BIG_BLIND, SMALL_BLIND
from tables.engine.poker.hand import PokerHand
from tables.engine.protocol import Event, Hand, SeatIn
from tables.errors import ReplayDiffers
from tables.models import Cut, Deck
from tables.models import Hand as HandRow
from tables.proofs import seen_of

# What the house says between the engine's events.
OF_THE_HOUSE = frozenset((
    "hand_opened", "hand_settled", "button_drawn", "seat_taken", "seat_changed", "seat_left",
    "seat_moved", "seat_reserved", "seat_called", "clock_started", "clocks_held", "clock_set",
    "table_changed",
    "top_up_refused", "game_changed", "carried_pot_shared", "roots_published", "seeds_listed",
    "decks_cut", "cut_void", "dealer_on", "dealer_off", "dealer_break", "dealer_back",
    "floor_called", "floor_answered", "payouts_confirmed", "misdeal_ruled", "hand_reversed",
    "specials_changed", "time_collected", "must_move", "jackpot_hit", "jackpot_moved",
    "jackpot_paid", "jackpot_refused", "high_hand_led",
))  # fmt: skip


def replay(row: HandRow) -> Hand:
    """Play a settled hand again; the hand as it ended. Raises ReplayDiffers."""
    return _Replay(row).played()


class _Replay:
    def __init__(self, row: HandRow) -> None:
        self.row = row
        seen = seen_of(row.pk)
        self.log: list[Seen] = [one for one in seen if one.type not in OF_THE_HOUSE]
        self.at = 0
        self.deck = [
            card
            for deck_id in (row.deck_id, *row.more_decks)
            if deck_id is not None
            for card in beliefs.deck_open(deck_id)
        ]

    def played(self) -> Hand:
        hand, events = rules.start(
            self.row.definition,
            [
                SeatIn(int(seat), facts["stack_minor"], facts.get("player_seat"))
                for seat, facts in self.row.seats.items()
            ],
            self.row.options,
            self.deck,
            button=self.row.button,
            posts=self.posts() or None,
            carry=self.row.carry,
            first=self.first(),
        )
        self.compare(events)
        while not hand.over:
            self.compare(self.next_step(hand))
        if self.at < len(self.log):
            self.differs(None)
        if _plain(hand.result) != self.row.result:
            raise ReplayDiffers(self.row.pk, self.row.last_seq or 0, "result")
        if _plain(hand.view(None)) != self.row.final_view:
            raise ReplayDiffers(self.row.pk, self.row.last_seq or 0, "final view")
        return hand

    # What the run-time gave it

    def posts(self) -> list[dict[str, Any]]:
        """Blinds as they were put in; who could not pay his in full is all-in for it again.

        More than two go by position. The big one is told of nobody whose last chips were his ante:
        it is still his, the next seat's after the small one.
        """
        posts = []
        for one in self.log:
            if one.type == "blind_posted":
                post = {"seat": one.public["seat"], "kind": one.public["kind"]}
                if "to_minor" in one.public:
                    post["amount_minor"] = one.public["to_minor"]
                elif not one.public.get("all_in"):
                    post["amount_minor"] = one.public["amount_minor"]
                posts.append(post)
        kinds = [post["kind"] for post in posts]
        if kinds.count(SMALL_BLIND) > 1:
            return []
        if SMALL_BLIND in kinds and BIG_BLIND not in kinds:
            small = posts[kinds.index(SMALL_BLIND)]["seat"]
            big = seat_after(sorted(int(number) for number in self.row.seats), small)
            posts.append({"seat": big, "kind": BIG_BLIND})
        return posts

    def first(self) -> int | None:
        """Who begins at liar's dice, unless lots are drawn for it."""
        if self.row.definition["family"] != "bluff" or self.ahead("lot_drawn") is not None:
            return None
        turns = (row.turn for row in rows_of.of_hand(self.row.pk) if row.turn is not None)
        turn = next(turns, None)
        return None if turn is None else int(orjson.loads(turn)["seats"][0])

    def order(self, hand: PokerHand) -> list[int]:
        """The mucked cards in the order that the cut of their reshuffle gave them."""
        done = sum(one.type == "muck_reshuffled" for one in self.log[: self.at])
        cuts = Cut.objects.filter(
            hand_id=self.row.pk, purpose=Cut.Purpose.RESHUFFLE, status=Cut.Status.DEALT
        ).order_by("number")
        numbers = cuts.values_list("root_number", flat=True)
        (number,) = islice(numbers, done, done + 1)
        assert number is not None
        deck = Deck.objects.get(table_id=self.row.table_id, number=number)
        return [self.deck.index(card) for card in beliefs.deck_open(deck.pk)]

    # The log

    def ahead(self, type_: str) -> Seen | None:
        return next((one for one in self.log[self.at :] if one.type == type_), None)

    def compare(self, events: Sequence[Event]) -> None:
        for event in events:
            if self.at == len(self.log):
                self.differs(event)
            told = self.log[self.at]
            if (told.type, told.public) != (event.type, _plain(event.public)) or (
                told.private != (_plain(event.private) or {})
            ):
                self.differs(event)
            self.at += 1

    def differs(self, event: Event | None) -> None:
        told = self.log[self.at] if self.at < len(self.log) else None
        seq = told.seq if told is not None else self.row.last_seq or 0
        what = "nothing" if told is None else told.type
        raise ReplayDiffers(self.row.pk, seq, f"{what}, not {event.type if event else 'nothing'}")

    def next_step(self, hand: Hand) -> list[Event]:
        if hand.window == rules.RESHUFFLE:
            ring = cast(PokerHand, hand)
            return ring.reshuffle(self.order(ring))
        if self.at == len(self.log):
            self.differs(None)
        told = self.log[self.at]
        if told.public.get("default") or told.type == "no_more_bets":
            return hand.expire()
        if told.type == "protected":
            return cast(PokerHand, hand).protect(told.public["seat"])
        if hand.window == "spit":
            return self.spit(hand, told)
        read = DECISIONS.get(told.type)
        if read is None:
            self.differs(None)
            return []
        return self.acted(hand, told, read(told))

    def acted(self, hand: Hand, told: Seen, action: dict[str, Any]) -> list[Event]:
        seat = int(told.public["seat"])
        names = [choice["name"] for choice in hand.legal(seat)]
        if action["name"] == "draw" and not action["cards"] and "stand_pat" in names:
            action = {"name": "stand_pat"}
        elif action["name"] == "raise" and "double_bet" in names:
            (small,) = (c for c in hand.legal(seat) if c["name"] in ("bet", "raise"))
            if action["to_minor"] > small["most_to_minor"]:
                action = {**action, "name": "double_bet"}
        if told.type == "pass_chosen":
            action["cards"] = self.passed(hand, seat)
        elif "cards" in action:
            action["cards"] = _places(hand, seat, action["cards"])
        return hand.act(seat, action)

    def spit(self, hand: Hand, told: Seen) -> list[Event]:
        """Nothing is told of who passes: all before the one who calls, or all."""
        seat = hand.waiting[0]
        calls = told.type == "spit_called" and told.public["seat"] == seat
        return hand.act(seat, {"name": "spit" if calls else "pass"})

    def passed(self, hand: Hand, seat: int) -> list[int]:
        """What a seat passed on is told when all have chosen, to those who got it."""
        changed = self.ahead("cards_passed")
        held = _cards(hand, seat)
        for part in changed.private.values() if changed is not None else ():
            if set(part["cards"]) <= set(held):
                return [held.index(card) for card in part["cards"]]
        self.differs(None)
        return []


def _cards(hand: Hand, seat: int) -> list[str]:
    players = hand.view(seat)["players"]
    return next(list(one["cards"]) for one in players if one["seat"] == seat)


def _places(hand: Hand, seat: int, cards: Sequence[str]) -> list[int]:
    held = _cards(hand, seat)
    return [held.index(card) for card in cards]


def _own(told: Seen) -> Mapping[str, Any]:
    """What the seat that acted was told alone."""
    part: Mapping[str, Any] = told.private.get(str(told.public["seat"]), {})
    return part


def _named(name: str, *fields: str) -> Callable[[Seen], dict[str, Any]]:
    return lambda told: {"name": name, **{field: told.public[field] for field in fields}}


def _with_cards(name: str) -> Callable[[Seen], dict[str, Any]]:
    return lambda told: {"name": name, "cards": list(_own(told)["cards"])}


DECISIONS: Mapping[str, Callable[[Seen], dict[str, Any]]] = {
    "folded": _named("fold"),
    "checked": _named("check"),
    "called": _named("call"),
    "bet": _named("bet", "to_minor"),
    "raised": _named("raise", "to_minor"),
    "completed": _named("complete", "to_minor"),
    "brought_in": _named("bring_in"),
    "draw_announced": _with_cards("draw"),
    "discarded": _with_cards("discard"),
    "arranged": _with_cards("arrange"),
    "pass_chosen": _named("pass_cards"),
    "declared": lambda told: {"name": "declare", "choice": _own(told)["choice"]},
    "offer_answered": lambda told: {"name": "take" if told.public["taken"] else "refuse"},
    "run_answered": lambda told: {"name": "run_it", "choice": told.public["choice"]},
    "hand_shown": lambda told: {"name": "show", "cards": list(told.public["cards"])},
    "cards_shown": lambda told: {"name": "show", "cards": list(told.public["cards"])},
    "hand_mucked": _named("muck"),
    "bet_placed": lambda told: {
        "name": "bet",
        "wagers": {name: minor for name, minor in told.public["wagers"].items() if minor},
    },
    "bet_cleared": _named("clear"),
    "decided": lambda told: {"name": told.public["name"]},
    "bid_made": _named("bid", "quantity", "face"),
    "challenged": _named("challenge"),
    "hand_called": _named("call", "class", "faces"),
    "dice_passed": _named("accept"),
    "dice_rolled": lambda told: {"name": "roll", "dice": list(_own(told)["rolled"])},
    "seat_out": _named("forfeit"),
}
"""Which decision an event tells of."""


def _plain(value: Any) -> Any:
    """As it comes back from where it is stored."""
    return orjson.loads(orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS))
