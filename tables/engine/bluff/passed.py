"""Five dice passed on under a cup, with a call that may be a lie.

The mover rolls in secret and calls a hand. The next seat challenges the call, or accepts it: he
takes the dice, rolls any of them again, or none, and must call higher. A challenge shows the dice:
if the hand held is at least the hand called, the challenger loses a life, else the caller.
Source: docs/rules/bluff.md 3.
"""

from __future__ import annotations

from typing import Any

from tables.engine.bluff.calls import call_json, higher_calls, read_call
from tables.engine.bluff.errors import CallTooLow
from tables.engine.bluff.hand import BluffHand, only_fields
from tables.engine.errors import BadCardChoice, MalformedAction
from tables.engine.protocol import Action, Event, Json
from tables.engine.rankings.dice import dice_hand, dice_words

CALL, CHALLENGE, ACCEPT, ROLL = "call", "challenge", "accept", "roll"
CALLING, ANSWERING, ROLLING = "call", "answer", "roll"


class PassedHand(BluffHand):
    """standing: the call to beat, None before the first. again: which dice the next roll rolls."""

    __slots__ = ("again", "caller", "standing")

    again: list[int]
    caller: int
    standing: int | None

    @property
    def allowance(self) -> int:
        return self.rules.lives

    def _needed(self) -> int:
        return len(self.again)

    def _clear(self) -> None:
        self.standing = None
        self.caller = -1
        self.again = list(range(self.game.dice))
        self.places = [[] for _ in self.seats]

    def _rolled(self) -> list[Event]:
        held = self.places[self.mover] or [-1] * self.game.dice
        for which, place in zip(self.again, self._take(len(self.again)), strict=True):
            held[which] = place
        self.places[self.mover] = held
        public = {"seat": self.seats[self.mover], "count": len(self.again)}
        self._open(CALLING)
        private = self._private()
        private[self.seats[self.mover]]["rolled"] = list(self.again)
        return [Event("dice_rolled", public, private)]

    def _private(self) -> dict[int, Json]:
        return {self.seats[self.mover]: {"dice": self._faces(self.mover)}}

    def _choices(self) -> list[Json]:
        if self.window == ROLLING:
            return [{"name": ROLL, "least": 0, "most": self.game.dice}]
        if self.window == CALLING:
            calls = [call_json(call) for call in higher_calls(self.standing)]
            return [{"name": CALL, "calls": calls}]
        accept = [{"name": ACCEPT}] if higher_calls(self.standing) else []
        return [*accept, {"name": CHALLENGE}]

    def _names(self) -> tuple[str, ...]:
        if self.window == CALLING:  # without telling all the calls there are
            return (CALL,)
        return super()._names()

    def _default(self) -> Json:
        if self.window == ROLLING:
            return {"name": ROLL, "dice": []}
        if self.window == CALLING:
            lowest = call_json(higher_calls(self.standing)[0])
            return {"name": CALL, "class": lowest["class"], "faces": lowest["faces"]}
        return {"name": CHALLENGE}

    def _do(self, name: str, action: Action, *, default: bool) -> list[Event]:
        if name == CALL:
            return self._call(action, default=default)
        if name == ROLL:
            return self._roll_again(action, default=default)
        only_fields(action, "name")
        return self._accept() if name == ACCEPT else self._challenge(default=default)

    def _call(self, action: Action, *, default: bool) -> list[Event]:
        only_fields(action, "name", "class", "faces")
        call = read_call(action)
        if self.standing is not None and call <= self.standing:
            raise CallTooLow(dice_words(call)[1], dice_words(self.standing)[1])
        self.standing, self.caller = call, self.mover
        public = {"seat": self.seats[self.mover], **call_json(call)}
        self.mover = self._after(self.mover)
        self._open(ANSWERING)
        return [Event("hand_called", {**public, "default": True} if default else public)]

    def _accept(self) -> list[Event]:
        self.places[self.mover] = self.places[self.caller]
        self.places[self.caller] = []
        self._open(ROLLING)
        public = {"seat": self.seats[self.mover], "caller": self.seats[self.caller]}
        return [Event("dice_passed", public, self._private())]

    def _roll_again(self, action: Action, *, default: bool) -> list[Event]:
        only_fields(action, "name", "dice")
        chosen = action.get("dice")
        if not isinstance(chosen, list | tuple) or any(type(die) is not int for die in chosen):
            raise MalformedAction("a roll names the dice to roll again, or none")
        if len(set(chosen)) != len(chosen) or not set(chosen) <= set(range(self.game.dice)):
            raise BadCardChoice(f"dice are numbered 0 to {self.game.dice - 1}, each once")
        self.again = sorted(chosen)
        if self._short():
            self.window = "dice"
            return []
        events = self._rolled()
        if default:
            events[0].public["default"] = True
        return events

    def _challenge(self, *, default: bool) -> list[Event]:
        assert self.standing is not None
        challenger, caller = self.mover, self.caller
        faces = self._faces(caller)
        value = dice_hand(faces)
        truth = value >= self.standing
        challenged: Json = {"seat": self.seats[challenger], "caller": self.seats[caller]}
        if default:
            challenged["default"] = True
        held, called = dice_words(value), call_json(self.standing)
        events = [
            Event("challenged", challenged),
            Event(
                "dice_shown",
                {
                    "dice": {str(self.seats[caller]): faces},
                    "class": held[0],
                    "words": held[1],
                    "called": called,
                },
            ),
        ]
        winner, loser = (caller, challenger) if truth else (challenger, caller)
        outcome = "the call was true" if truth else "the call was a bluff"
        words = f"{called['words']} called, {held[1].lower()} held: {outcome}"
        return events + self._settle_challenge(winner, loser, words, truth)

    def _lose(self, loser: int) -> list[Event]:
        self.left[loser] -= 1
        seat, left = self.seats[loser], self.left[loser]
        lost = Event("life_lost", {"seat": seat, "left": left})
        return [lost] if left else [lost, self._seat_out(loser, "lives")]

    def _extra(self) -> list[Any]:
        return [-1 if self.standing is None else self.standing, self.caller, self.again.copy()]

    def _restore(self, extra: list[Any]) -> None:
        standing, self.caller, again = extra
        self.standing = None if standing < 0 else standing
        self.again = list(again)

    def _own_view(self) -> Json:
        call = None if self.standing is None else call_json(self.standing)
        caller = None if self.caller < 0 else self.seats[self.caller]
        return {"call": call, "caller": caller, "holder": self._holder()}

    def _holder(self) -> int | None:
        return next((self.seats[p] for p, held in enumerate(self.places) if held), None)
