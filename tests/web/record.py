"""Records the hands of `fixtures/` by playing them on the engine: `python -m tests.web.record`.

A recording holds the table's snapshot before the hand, the frames a display is sent, and after
each frame the public view the engine itself gives: what the page's reducer must arrive at.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tables.engine.bluff.play import start as dice_start
from tables.engine.bluff.vocabulary import BluffGame
from tables.engine.cards import CARD_TEXT
from tables.engine.games import GAMES, bluff, start_hand
from tables.engine.games.three_card_poker import STANDARD_PAYTABLES
from tables.engine.poker.bombs import as_bomb_pot, bomb_options
from tables.engine.poker.options import options_of
from tables.engine.protocol import Event, Hand, SeatIn

FIXTURES = Path(__file__).parent / "fixtures"
BEGIN = datetime(2026, 1, 15, 20, tzinfo=UTC)
ROOT = "9f3c2b7de18a4460a1c5f0926d3b8e7741aa90c4d5e6f7081923344556677ae1"
BUY_IN = {"least_minor": 20_000, "most_minor": 200_000}
DICE_GAMES = {game.id: game for game in bluff.GAMES}
NAMES = ("Ana", "Bruno", "Celina", "Dawid", "Edyta", "Filip", "Grzegorz", "Helena", "Irena", "Jan")


def deck_of(cards: str) -> list[int]:
    """The named cards first, the rest of the 52 after them."""
    named = [CARD_TEXT.index(card) for card in cards.split()]
    return named + [card for card in range(52) if card not in named]


class Recorder:
    """A table that deals one hand and writes down what its displays are sent."""

    def __init__(
        self,
        game: str,
        options: Mapping[str, Any],
        stacks: Mapping[int, int],
        *,
        viewer: int | None = None,
        further: Mapping[int, int] | None = None,
        **facts: Any,
    ) -> None:
        """further: whose seat plays each further spot."""
        self.viewer = viewer
        self.further = dict(further or {})
        self.game = GAMES.get(game) or DICE_GAMES[game]
        self.options = dict(options)
        self.stacks = dict(stacks)
        self.seq = 410
        self.now = BEGIN
        self.turn_id = 0
        self.before: int | None = None
        self.frames: list[dict[str, Any]] = []
        self.views: list[dict[str, Any] | None] = []
        self.seats = [
            {"seat": seat, "player": NAMES[seat - 1], "stack_minor": stack, "status": "playing"}
            for seat, stack in sorted(stacks.items())
        ]
        self.table: dict[str, Any] = {
            "id": 7,
            "name": "7",
            "family": self.game.family,
            "game": self.game_facts(),
            "currency": "EUR",
            "exponent": 2,
            "chip_minor": 100,
            "max_seats": 6,
            "status": "open",
            "stakes": self.options,
            "buy_in": BUY_IN,
            "timing": {"action_s": 20, "betting_s": 20, "decision_s": 15},
            **facts,
        }
        if "paytables" in self.options:
            self.table["paytables"] = self.options["paytables"]
        self.snapshot = {
            "table": self.table,
            "seq": self.seq,
            "server_time": self.stamp(),
            "seats": json.loads(json.dumps(self.seats)),
            "hand": None,
            "last_hand": None,
            "you": None if viewer is None else {"seat": viewer, "legal_actions": []},
        }

    def game_facts(self) -> dict[str, Any]:
        limit = self.options.get("limit", "")
        return {"id": self.game.id, "name": self.game.name, "limit": limit}

    def stamp(self, after_s: float = 0) -> str:
        time = self.now + timedelta(seconds=after_s)
        return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def deal(
        self,
        cards: str,
        *,
        number: int,
        button: int | None = None,
        posts: Sequence[Mapping[str, Any]] | None = None,
    ) -> None:
        seats = [SeatIn(seat, stack) for seat, stack in sorted(self.stacks.items())]
        seats += [SeatIn(spot, self.stacks[seat], seat) for spot, seat in self.further.items()]
        game, deck = self.game, deck_of(cards)
        assert not isinstance(game, BluffGame)
        started = start_hand(game, seats, self.options, deck, button=button, posts=posts)
        self.open(*started, number, button)

    def roll(self, faces: str, *, number: int, first: int) -> None:
        seats = [SeatIn(seat, stack) for seat, stack in sorted(self.stacks.items())]
        dice = [int(face) for face in faces if face != " "]
        assert isinstance(self.game, BluffGame)
        self.open(*dice_start(self.game, seats, self.options, dice, first=first), number, None)

    def open(self, hand: Hand, events: Sequence[Event], number: int, button: int | None) -> None:
        self.hand = hand
        opened = {
            "hand_id": number,
            "number": number,
            "family": self.game.family,
            "game": self.game_facts(),
            "button": button,
            "stakes": self.options,
            "seats": [
                {"seat": spot, "player": NAMES[seat - 1], "stack_minor": self.stacks[seat]}
                | ({} if spot == seat else {"player_seat": seat})
                for spot, seat in sorted({**{n: n for n in self.stacks}, **self.further}.items())
            ],
            "root": ROOT,
        }
        if getattr(self.game, "special", ""):
            opened["special"] = self.game.special
        self.write([Event("hand_opened", opened, None), *events])

    def act(self, after_s: float, seat: int, name: str, **more: Any) -> None:
        self.now += timedelta(seconds=after_s)
        self.write(self.hand.act(seat, {"name": name, **more}))

    def expire(self, after_s: float) -> None:
        self.now += timedelta(seconds=after_s)
        self.write(self.hand.expire())

    def tell(self, after_s: float, *events: tuple[str, dict[str, Any]]) -> None:
        """What the table says without the engine."""
        self.now += timedelta(seconds=after_s)
        self.put([{"type": kind, "public": public} for kind, public in events])

    def write(self, events: Iterable[Event]) -> None:
        told = [self.as_told(event) for event in events]
        if not self.hand.over and self.hand.turn != self.before:
            told.append({"type": "turn_opened", "public": self.turn()})
        self.before = self.hand.turn
        self.put(told)

    def as_told(self, event: Event) -> dict[str, Any]:
        told: dict[str, Any] = {"type": event.type, "public": event.public}
        private = event.private or {}
        own = [seat for seat in private if self.further.get(seat, seat) == self.viewer]
        if len(own) > 1:
            told["private"] = {"seats": {str(seat): private[seat] for seat in own}}
        elif own:
            told["private"] = private[own[0]]
        return told

    def put(self, told: Sequence[dict[str, Any]]) -> None:
        frame = {
            "type": "events",
            "table": self.table["id"],
            "seq": self.seq + 1,
            "prev": self.seq,
            "at": self.stamp(),
            "events": list(told),
        }
        self.seq += 1
        self.frames.append(json.loads(json.dumps(frame)))
        self.views.append(json.loads(json.dumps(self.hand.view(self.viewer))))

    def turn(self) -> dict[str, Any]:
        self.turn_id += 1
        window = self.hand.window
        seconds = self.table["timing"].get(f"{window}_s", self.table["timing"]["action_s"])
        public = {
            "turn_id": self.turn_id,
            "window": window,
            "seats": list(self.hand.waiting),
            "deadline": self.stamp(seconds),
        }
        view = self.hand.view(None)
        for name in ("call_minor", "least_to_minor", "most_to_minor"):
            if len(self.hand.waiting) == 1 and view.get(name) is not None:
                public[name] = view[name]
        for seat in self.hand.waiting[:1]:
            for choice in self.hand.legal(seat):
                if choice["name"] == "bring_in":
                    public["bring_in_minor"] = choice["amount_minor"]
        return public

    def recording(self, about: str) -> dict[str, Any]:
        return {
            "about": about,
            "snapshot": self.snapshot,
            "frames": self.frames,
            "views": self.views,
        }


def side_pots() -> dict[str, Any]:
    stacks = {1: 124_000, 2: 44_500, 3: 210_000, 4: 88_000, 5: 28_000}
    options = {
        "limit": "no_limit",
        "small_blind_minor": 500,
        "big_blind_minor": 1000,
        "chip_minor": 100,
        "rake": {"basis_points": 500, "caps_minor": {"2": 1000}, "no_flop_no_drop": True},
    }
    table = Recorder("holdem", options, stacks, id=12, name="12")
    # Cards go round from the button's left: seats 2, 3, 4, 5, 1; then burn, flop and so on.
    cards = "Ad Ac Kd 2h 9c Jd Qs Qd 2s 8c 3d As 7d 2c 3h 7c 4h Kh"
    table.deal(cards, number=9071, button=1)
    table.act(3, 4, "raise", to_minor=3000)
    table.act(2, 5, "call")
    table.act(4, 1, "fold")
    table.act(3, 2, "call")
    table.act(2, 3, "call")
    table.act(3, 2, "check")
    table.act(3, 3, "bet", to_minor=6000)
    table.act(3, 4, "call")
    table.act(4, 5, "raise", to_minor=25_000)
    table.act(6, 2, "raise", to_minor=41_500)
    table.act(5, 3, "call")
    table.act(4, 4, "call")
    table.act(3, 3, "bet", to_minor=20_000)
    table.act(5, 4, "call")
    table.act(3, 3, "check")
    table.act(2, 4, "check")
    table.tell(0.05, ("hand_settled", {"hand_id": 9071}))
    return table.recording(
        "No-limit hold'em: two all-ins, two side pots, a tie in the first one, rake, showdown."
    )


def run_twice(viewer: int | None = None) -> dict[str, Any]:
    stacks = {1: 40_000, 2: 40_000, 3: 15_000, 4: 60_000, 6: 52_500}
    options = {
        "limit": "no_limit",
        "small_blind_minor": 500,
        "big_blind_minor": 1000,
        "chip_minor": 100,
        "runs": 3,
        "straddle": "left",
        "rake": {"basis_points": 500, "caps_minor": {"2": 1000}, "no_flop_no_drop": True},
    }
    table = Recorder("holdem", options, stacks, viewer=viewer, id=12, name="12")
    # Seats 2, 3, 4, 6, 1; burn and flop, turn, river; then turn and river of the second run.
    cards = "Qs Ah Kd 7c Js Qd Ac Kc 2d Jd 3d 2c 7d 9h 3h Jh 3c 4c 4h Kh 4d 5s"
    posts = [{"seat": 2, "kind": "small"}, {"seat": 3, "kind": "big"}]
    table.deal(cards, number=9072, button=1, posts=[*posts, {"seat": 4, "kind": "straddle"}])
    table.act(3, 6, "fold")
    table.act(2, 1, "call")
    table.act(3, 2, "call")
    table.act(2, 3, "call")
    table.act(2, 4, "check")
    table.act(3, 2, "bet", to_minor=4000)
    table.act(2, 3, "raise", to_minor=13_000)
    table.act(4, 4, "raise", to_minor=58_000)
    table.act(3, 1, "fold")
    table.act(5, 2, "call")
    table.act(3, 4, "run_it", choice=3)
    table.act(1, 2, "run_it", choice=2)
    table.act(2, 3, "run_it", choice=3)
    table.tell(0.05, ("hand_settled", {"hand_id": 9072}))
    return table.recording("No-limit hold'em with a straddle: all-in on the flop, run twice.")


def bomb_pot(viewer: int | None = None) -> dict[str, Any]:
    stacks = {1: 40_000, 2: 40_000, 3: 15_000, 4: 60_000, 6: 52_500}
    options = {
        "limit": "pot",
        "small_blind_minor": 500,
        "big_blind_minor": 1000,
        "chip_minor": 100,
        "bomb_pot": {"ante_minor": 3000, "boards": 2, "every_hands": 10},
    }
    table = Recorder("omaha8", options, stacks, viewer=viewer, id=12, name="12")
    read = options_of(table.game, options)
    table.game = as_bomb_pot(table.game, read.bomb_pot, len(stacks))
    table.options = bomb_options(read)
    # Seats 2, 3, 4, 6, 1, four cards each; a burn, then the flop of both boards, and so on.
    cards = (
        "As Kh Qs 9c 7h 2s Kc Qh 9d 7s Jd Th Jc 8c 5d Ts 4d 3s 8h 5c 6c "
        "3d 4c 8d Kd Qd 2h 6d Ks Qc 6h 9h 5h"
    )
    table.deal(cards, number=9074, button=1)
    table.act(3, 2, "check")
    table.act(2, 3, "bet", to_minor=12_000)
    table.act(3, 4, "call")
    table.act(2, 6, "call")
    table.act(2, 1, "fold")
    table.act(4, 2, "call")
    table.act(3, 2, "check")
    table.act(2, 4, "bet", to_minor=20_000)
    table.act(2, 6, "fold")
    table.act(4, 2, "call")
    table.act(3, 2, "check")
    table.act(2, 4, "check")
    table.tell(0.05, ("hand_settled", {"hand_id": 9074}))
    return table.recording("Pot-limit Omaha hi-lo: a bomb pot on two boards, a side pot.")


def shown_one() -> dict[str, Any]:
    stacks = {1: 40_000, 2: 40_000, 3: 15_000}
    options = {
        "limit": "no_limit",
        "small_blind_minor": 500,
        "big_blind_minor": 1000,
        "chip_minor": 100,
        "show_window": True,
        "rabbit": True,
    }
    table = Recorder("holdem", options, stacks, id=12, name="12")
    table.deal("Qs Ah Kd Qd Ac Kc 2d 2c 7d 9h 3h Jh 3c 4c", number=9073, button=1)
    table.act(2, 1, "call")
    table.act(2, 2, "call")
    table.act(2, 3, "check")
    table.act(3, 2, "check")
    table.act(3, 3, "bet", to_minor=3000)
    table.act(3, 1, "fold")
    table.act(3, 2, "fold")
    table.act(2, 3, "show", cards=[1])
    table.tell(0.05, ("hand_settled", {"hand_id": 9073}))
    return table.recording("No-limit hold'em: nobody calls, the winner shows one of his cards.")


def folded_out() -> dict[str, Any]:
    stacks = {1: 50_000, 2: 61_000, 3: 48_500, 7: 73_250, 9: 105_000}
    options = {
        "limit": "no_limit",
        "small_blind_minor": 500,
        "big_blind_minor": 1000,
        "chip_minor": 50,
    }
    table = Recorder("holdem", options, stacks, id=4, name="4", max_seats=9, chip_minor=50)
    resting = {"seat": 5, "player": "Edyta", "stack_minor": 20_000, "status": "sitting_out"}
    table.snapshot["seats"].insert(3, resting)
    table.deal("Ah", number=12, button=7)
    table.act(3, 2, "fold")
    table.act(2, 3, "raise", to_minor=3000)
    table.expire(20)
    table.act(2, 9, "raise", to_minor=9000)
    table.act(3, 1, "fold")
    table.act(4, 3, "fold")
    table.tell(0.05, ("hand_settled", {"hand_id": 12}))
    taken = {"seat": 4, "player": "Dawid", "stack_minor": 50_000, "status": "playing"}
    table.tell(2, ("seat_taken", taken))
    table.tell(1, ("seat_changed", {"seat": 5, "status": "playing", "stack_minor": 20_000}))
    return table.recording(
        "No-limit hold'em, nine seats: a re-raise takes it before the flop; a time-out; "
        "the uncalled part goes back."
    )


def three_card_poker() -> dict[str, Any]:
    stacks = {2: 50_000, 4: 120_000, 5: 30_000, 6: 80_000}
    options = {
        "limits": {
            "ante": {"least_minor": 2500, "most_minor": 100_000, "step_minor": 500},
            "pair_plus": {"least_minor": 500, "most_minor": 20_000, "step_minor": 500},
            "six_card": {"least_minor": 500, "most_minor": 10_000, "step_minor": 500},
        },
        "paytables": {
            wager: next(iter(STANDARD_PAYTABLES[wager].values()))
            for wager in ("ante_bonus", "pair_plus", "six_card")
        },
    }
    table = Recorder("three_card_poker", options, stacks, max_seats=7)
    table.deal("Jh 6h 2h 9d 8c 7s Ac Td 4d Qs 8h 4c", number=48_213)
    table.act(3, 2, "bet", wagers={"ante": 2500, "pair_plus": 1000})
    table.act(2, 4, "bet", wagers={"ante": 2500})
    table.act(3, 6, "bet", wagers={"ante": 10_000})
    table.act(2, 4, "bet", wagers={"ante": 5000, "pair_plus": 2000, "six_card": 1000})
    table.act(0.5, 5, "bet", wagers={"ante": 2500})
    table.act(0.5, 5, "clear")
    table.expire(9)
    table.act(3, 4, "play")
    table.act(4, 2, "play")
    table.expire(8)
    table.tell(0.06, ("hand_settled", {"hand_id": 48_213}))
    return table.recording(
        "Three Card Poker: three spots, a bet replaced, a bet taken back, a fold by time-out."
    )


def own_spots() -> dict[str, Any]:
    side = {"least_minor": 500, "most_minor": 20_000, "step_minor": 500}
    options = {
        "limits": {"ante": {**side, "most_minor": 100_000}, "pair_plus": side},
        "paytables": {
            wager: next(iter(STANDARD_PAYTABLES[wager].values()))
            for wager in ("ante_bonus", "pair_plus")
        },
        "spots_per_player": 3,
    }
    stacks = {2: 50_000, 5: 30_000}
    table = Recorder(
        "three_card_poker", options, stacks, viewer=2, further={3: 2}, id=8, name="8", max_seats=7
    )
    for place in (table.snapshot, table):
        seats = place["seats"] if isinstance(place, dict) else place.seats
        seats[0]["spots"], seats[1]["spots"] = 2, 1
    table.deal("Jh 6h 2h 9d 8c 7s Ac Td 4d Qs 8h 4c", number=48_300)
    table.act(3, 2, "bet", wagers={"ante": 2500, "pair_plus": 1000})
    table.act(2, 3, "bet", wagers={"ante": 5000})
    table.act(3, 5, "bet", wagers={"pair_plus": 1000})
    table.expire(9)
    table.act(3, 3, "play")
    table.act(4, 2, "fold")
    table.tell(0.06, ("hand_settled", {"hand_id": 48_300}))
    return table.recording(
        "Three Card Poker as the player of spots 2 and 3 sees it: one stack, two decisions."
    )


def liars_dice() -> dict[str, Any]:
    stacks = {1: 50_000, 2: 40_000, 3: 90_000}
    options = {"ante_minor": 1000, "loss": "out"}
    table = Recorder("bluff_common", options, stacks, id=9, name="9", max_seats=4)
    table.roll("43166 22514 63345  25136 44162", number=31, first=2)
    table.act(3, 2, "bid", quantity=3, face=4)
    table.act(4, 3, "bid", quantity=4, face=6)
    table.act(3, 1, "challenge")
    table.act(3, 2, "bid", quantity=3, face=2)
    table.act(4, 3, "challenge")
    table.tell(0.05, ("hand_settled", {"hand_id": 31}))
    return table.recording(
        "Liar's dice, three seats: two challenges, ones are wild, the last one wins."
    )


def own_draw() -> dict[str, Any]:
    stacks = {1: 50_000, 3: 50_000, 4: 50_000}
    options = {"limit": "fixed", "small_blind_minor": 100, "big_blind_minor": 200}
    table = Recorder("badugi", options, stacks, viewer=3, id=21, name="21")
    table.deal("2c 3d 4h 5s 6c 7d 8h 9s Tc Jd Qh Ks Ac 2d 3h 4s 5c 6d", number=5, button=1)
    for name in ("call", "call", "check"):
        table.act(2, table.hand.waiting[0], name)
    table.act(2, table.hand.waiting[0], "draw", cards=[0, 2])
    table.act(2, table.hand.waiting[0], "stand_pat")
    table.act(2, table.hand.waiting[0], "draw", cards=[3])
    table.act(2, table.hand.waiting[0], "check")
    table.act(2, table.hand.waiting[0], "bet")
    table.act(2, table.hand.waiting[0], "fold")
    table.act(2, table.hand.waiting[0], "fold")
    return table.recording("Badugi as seat 3 sees it: own cards, and what is thrown and drawn.")


def own_stud() -> dict[str, Any]:
    stacks = {1: 50_000, 2: 50_000, 5: 50_000}
    options = {"limit": "fixed", "ante_minor": 50, "bring_in_minor": 100, "small_bet_minor": 200,
               "big_bet_minor": 400}  # fmt: skip
    table = Recorder("stud", options, stacks, viewer=2, id=22, name="22")
    table.deal("2c 3d 4h 5s 6c 7d 8h 9s Tc Jd Qh Ks Ac 2d 3h 4s 5c 6d", number=6, button=1)
    table.act(2, table.hand.waiting[0], "bring_in")
    while not table.hand.over:
        seat = table.hand.waiting[0]
        names = [choice["name"] for choice in table.hand.legal(seat)]
        table.act(2, seat, next(name for name in ("check", "call") if name in names))
    return table.recording("Seven-card stud as seat 2 sees it: down-cards first, then up-cards.")


def own_dice() -> dict[str, Any]:
    stacks = {1: 50_000, 2: 40_000}
    options = {"ante_minor": 1000, "loss": "out"}
    table = Recorder("bluff_common", options, stacks, viewer=1, id=9, name="9", max_seats=4)
    table.roll("43166 22514", number=32, first=2)
    table.act(3, 2, "bid", quantity=3, face=4)
    table.act(3, 1, "challenge")
    return table.recording("Liar's dice as seat 1 sees it: its own dice under the cup.")


RECORDINGS = {
    "own_draw.json": own_draw,
    "own_stud.json": own_stud,
    "own_dice.json": own_dice,
    "liars_dice.json": liars_dice,
    "holdem_side_pots.json": side_pots,
    "holdem_folded_out.json": folded_out,
    "holdem_run_twice.json": run_twice,
    "holdem_shown_one.json": shown_one,
    "omaha8_bomb_pot.json": bomb_pot,
    "own_bomb_pot.json": lambda: bomb_pot(viewer=2),
    "own_run_twice.json": lambda: run_twice(viewer=2),
    "three_card_poker.json": three_card_poker,
    "own_spots.json": own_spots,
}

if __name__ == "__main__":
    for file, record in RECORDINGS.items():
        text = json.dumps(record(), indent=1, ensure_ascii=False)
        (FIXTURES / file).write_text(text + "\n")
