"""A hand in the Open Hand History format (OHH), the JSON that hand trackers read.

The format names board games of two streets alone: its streets are Preflop to River, and it has no
words for a bring-in or a discard. A raise's amount is what the player adds by it; chips that nobody
called are in no pot, and whoever put them in still has them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tables.engine.games import GAMES
from tables.engine.history.record import Amount, Record, Told
from tables.engine.poker.options import Options, options_of
from tables.engine.poker.vocabulary import FIXED, NO_LIMIT, POT, PokerGame
from tables.engine.protocol import Json

SPEC_VERSION = "1.4.7"
SITE = "Croupier"
GAME_TYPES: Mapping[str, str] = {
    "holdem": "Holdem",
    "omaha": "Omaha",
    "omaha5": "Omaha",
    "omaha6": "Omaha",
    "omaha8": "OmahaHiLo",
    "omaha5_8": "OmahaHiLo",
    "omaha6_8": "OmahaHiLo",
}
LIMITS: Mapping[str, str] = {NO_LIMIT: "NL", POT: "PL", FIXED: "FL"}
STREETS: Mapping[str, str] = {
    "preflop": "Preflop", "flop": "Flop", "turn": "Turn", "river": "River",
}  # fmt: skip
POSTS: Mapping[str, str] = {
    "small": "Post SB", "big": "Post BB", "dead": "Post Dead", "straddle": "Straddle",
}  # fmt: skip


def why_no_ohh(record: Record) -> str:
    """Why the hand cannot be written in this format; "" if it can."""
    game = record.game
    if not isinstance(game, PokerGame):
        return "the format knows ring games of poker alone"
    if record.result is None:
        return "the hand was voided: the format has no word for it"
    if game != GAMES.get(game.id) or game.id not in GAME_TYPES:
        return f"the format has no words for {game.name}: it names hold'em and Omaha streets alone"
    options = options_of(game, record.options)
    if options.limit not in LIMITS:
        return "the format knows no limit, pot limit and fixed limit alone"
    if options.low_top not in (None, 8):
        return "the low qualifies otherwise than the format's"
    if record.carry_minor:
        return "the pot held chips of an earlier hand"
    return ""


def ohh(record: Record) -> str:
    """The document. Only for a hand of which `why_no_ohh` says nothing."""
    game = record.game
    assert isinstance(game, PokerGame)
    options = options_of(game, record.options)
    blinds = options.blinds_minor
    cap = (options.cap_big_blinds or 0) * blinds[-1]
    header = {
        "spec_version": SPEC_VERSION,
        "site_name": SITE,
        "network_name": SITE,
        "internal_version": "1.0.0",
        "game_number": str(record.hand_id),
        "start_date_utc": record.started_at[:19] + "Z",
        "table_name": record.table,
        "game_type": GAME_TYPES[game.id],
        "bet_limit": {
            "bet_type": LIMITS[options.limit],
            "bet_cap": record.money(cap),
        },
        "table_size": record.max_seats,
        "currency": record.currency,
        "dealer_seat": record.button,
        "small_blind_amount": record.money(blinds[0] if len(blinds) > 1 else 0),
        "big_blind_amount": record.money(blinds[-1]),
        "ante_amount": record.money(options.ante_minor),
    }
    if record.viewer:
        header["hero_player_id"] = record.place_of[record.viewer[0]]
    header["flags"] = _flags(record, options)
    header["players"] = [
        {
            "id": place,
            "seat": seat.seat,
            "name": seat.name,
            "starting_stack": record.money(seat.stack_minor),
        }
        for place, seat in enumerate(record.seats)
    ]
    return json_text({"ohh": {**header, "rounds": _Rounds(record).told(), "pots": _pots(record)}})


def _flags(record: Record, options: Options) -> list[str]:
    flags = []
    if any(event.public.get("board_no", 1) > 1 for event in record.of("board_dealt")):
        flags.append("Run_It_Twice")
    if options.cap_big_blinds:
        flags.append("Cap")
    if not record.viewer:
        flags.append("Observed")
    return flags


def _pots(record: Record) -> list[Json]:
    assert record.result is not None
    money = record.money
    return [
        {
            "number": number,
            "amount": money(pot["amount_minor"]),
            "rake": money(pot["rake_minor"]),
            "jackpot": money(pot.get("drop_minor", 0)),
            "player_wins": [
                {"player_id": record.place_of[int(seat)], "win_amount": money(won)}
                for seat, won in pot["awards"].items()
            ],
        }
        for number, pot in enumerate(record.result["pots"])
    ]


@dataclass
class _Rounds:
    """Rounds of a hand, built event by event."""

    record: Record
    rounds: list[Json] = field(default_factory=list)
    number: int = 0

    def told(self) -> list[Json]:
        self.open("Preflop")
        for event in self.record.told_once:
            if event.type in ("hand_shown", "hand_mucked"):
                self.showdown(event)
            elif event.type == "board_dealt":
                self.open(STREETS[event.public["street"]], event.public["cards"])
            elif event.type == "cards_dealt":
                self.dealt(event)
            elif event.type in ACTIONS:
                self.act(event, ACTIONS[event.type](event))
        return self.rounds

    def open(self, street: str, cards: list[str] | None = None) -> None:
        found: Json = {"id": len(self.rounds), "street": street, "actions": []}
        if cards:
            found["cards"] = cards
        self.rounds.append(found)

    def dealt(self, event: Told) -> None:
        for seat in self.record.viewer:
            if cards := self.record.own(event, seat):
                self.add({"player_id": self.record.place_of[seat], "action": "Dealt Cards"},
                         cards=list(cards))  # fmt: skip

    def showdown(self, event: Told) -> None:
        seat = event.public["seat"]
        known = event.public.get("cards") or self.held(seat)
        if not known:
            return  # a hand thrown unseen needs no round
        if self.rounds[-1]["street"] != "Showdown":
            self.open("Showdown")
        word = "Shows Cards" if event.type == "hand_shown" else "Mucks Cards"
        self.add({"player_id": self.record.place_of[seat], "action": word}, cards=list(known))

    def held(self, seat: int) -> list[str]:
        """The viewer's own cards, if the seat is his."""
        dealt = self.record.of("cards_dealt")
        return [card for event in dealt for card in self.record.own(event, seat)]

    def act(self, event: Told, word: str) -> None:
        public = event.public
        action: Json = {"player_id": self.record.place_of[public["seat"]], "action": word}
        if "amount_minor" in public:
            action["amount"] = self.record.money(public["amount_minor"])
            action["is_allin"] = bool(public.get("all_in"))
        self.add(action)

    def add(self, action: Json, **more: Any) -> None:
        self.rounds[-1]["actions"].append({"action_number": self.number, **action, **more})
        self.number += 1


ACTIONS: Mapping[str, Callable[[Told], str]] = {
    "ante_posted": lambda event: "Post Ante",
    "blind_posted": lambda event: POSTS.get(event.public["kind"], "Post Extra Blind"),
    "folded": lambda event: "Fold",
    "checked": lambda event: "Check",
    "called": lambda event: "Call",
    "bet": lambda event: "Bet",
    "raised": lambda event: "Raise",
}


def json_text(value: Any) -> str:
    """JSON of objects, lists, text, whole numbers, truths and amounts."""
    if isinstance(value, dict):
        inner = ", ".join(f"{json_text(name)}: {json_text(held)}" for name, held in value.items())
        return "{" + inner + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(json_text, value))}]"
    if isinstance(value, Amount):
        return str(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    return '"' + "".join(_escaped(char) for char in value) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    return f"\\u{ord(char):04x}" if ord(char) < 32 else char
