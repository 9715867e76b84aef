"""A ring hand in words, from its events alone: one line an event, as a player would tell it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tables.engine.poker.hand import PokerHand
from tables.engine.protocol import Action, Event, Json

Names = Mapping[int, str]


def replayed(hand: PokerHand, log: Iterable[tuple[int, Action]]) -> list[Event]:
    """Do a log of actions again on a hand just started. Raises what the engine refuses.

    A log's entry for a reshuffle is (0, {"order": [...]}): what the run-time gave, not a seat.
    """
    events: list[Event] = []
    for seat, action in log:
        events += hand.reshuffle(action["order"]) if "order" in action else hand.act(seat, action)
    return events


def told(
    events: Iterable[Event], names: Names | None = None, *, to: int | None = None
) -> list[str]:
    """The hand in lines of text; names: by seat. to: the seat whose own cards are told too."""
    who = names or {}
    lines = []
    for event in events:
        teller = TELLERS.get(event.type)
        line = teller(event.public, who) if teller else ""
        if line:
            lines.append(line)
        own = (event.private or {}).get(to) if to is not None else None
        if own and "cards" in own:
            lines.append(f"  {_name(to, who)}: {' '.join(own['cards'])}")
    return lines


def _name(seat: Any, names: Names) -> str:
    return names.get(int(seat), f"Seat {seat}")


def _all_in(public: Json) -> str:
    return " and is all-in" if public.get("all_in") else ""


def _timed_out(public: Json) -> str:
    return " (time was up)" if public.get("default") else ""


def _paid(verb: str) -> Callable[[Json, Names], str]:
    def tell(public: Json, names: Names) -> str:
        amount = public["amount_minor"]
        return f"{_name(public['seat'], names)} {verb} {amount}{_all_in(public)}"

    return tell


def _raised(verb: str) -> Callable[[Json, Names], str]:
    def tell(public: Json, names: Names) -> str:
        to = public["to_minor"]
        return f"{_name(public['seat'], names)} {verb} {to}{_all_in(public)}"

    return tell


def _did(verb: str) -> Callable[[Json, Names], str]:
    def tell(public: Json, names: Names) -> str:
        return f"{_name(public['seat'], names)} {verb}{_timed_out(public)}"

    return tell


def _counted(verb: str) -> Callable[[Json, Names], str]:
    def tell(public: Json, names: Names) -> str:
        count = public["count"]
        if verb == "draws" and not count:
            return f"{_name(public['seat'], names)} stands pat{_timed_out(public)}"
        return f"{_name(public['seat'], names)} {verb} {count}{_timed_out(public)}"

    return tell


def _dealt(public: Json, names: Names) -> str:
    shown = [f"{_name(seat, names)} {' '.join(cards)}" for seat, cards in public["up"].items()]
    street = public["street"].capitalize()
    return f"{street}: {', '.join(shown)}" if shown else f"{street}: cards are dealt"


def _rolled(public: Json, names: Names) -> str:
    shown = [f"{_name(seat, names)} {' '.join(cards)}" for seat, cards in public["up"].items()]
    return f"{public['street'].capitalize()}: {', '.join(shown)}"


def _board(public: Json, names: Names) -> str:
    which = f", board {public['board_no']}" if "board_no" in public else ""
    return f"{public['street'].capitalize()}{which}: {' '.join(public['board'])}"


def _shown(public: Json, names: Names) -> str:
    hands = [public[side]["words"] for side in ("high", "low", "hand") if side in public]
    worth = f": {'; '.join(hands)}" if hands else ""
    return f"{_name(public['seat'], names)} shows {' '.join(public['cards'])}{worth}"


def _awarded(public: Json, names: Names) -> str:
    share = f", {public['share']}" if public["share"] else ""
    if "board_no" in public:
        share = f", board {public['board_no']}{share}"
    rake = f" (rake {public['rake_minor']})" if public["rake_minor"] else ""
    won = ", ".join(f"{_name(seat, names)} {amount}" for seat, amount in public["winners"].items())
    return f"{public['name'].capitalize()} pot{share}: {won}{rake}. {public['words']}"


def _declared(public: Json, names: Names) -> str:
    sides = public["declarations"].items()
    return ", ".join(f"{_name(seat, names)} declares {side}" for seat, side in sides)


TELLERS: dict[str, Callable[[Json, Names], str]] = {
    "die_rolled": lambda public, names: f"The die shows {public['die']}: {public['plays']}",
    "ante_posted": _paid("antes"),
    "blind_posted": lambda public, names: _paid(f"posts {public['kind']}")(public, names),
    "brought_in": _paid("brings in for"),
    "cards_dealt": _dealt,
    "board_dealt": _board,
    "cards_rolled": _rolled,
    "folded": _did("folds"),
    "checked": _did("checks"),
    "called": _paid("calls"),
    "bet": _raised("bets"),
    "raised": _raised("raises to"),
    "completed": _raised("completes to"),
    "protected": _did("cannot be heard and is all-in for what is in"),
    "uncalled_returned": _paid("takes back"),
    "draw_announced": _counted("draws"),
    "discarded": _counted("discards"),
    "pass_chosen": _counted("chooses to pass"),
    "declarations_shown": _declared,
    "hand_shown": _shown,
    "hand_mucked": _did("mucks"),
    "cards_shown": lambda public, names: (
        f"{_name(public['seat'], names)} shows {' '.join(public['cards'])} of his cards"
    ),
    "run_answered": lambda public, names: (
        f"{_name(public['seat'], names)} would run it {public['choice']} times{_timed_out(public)}"
    ),
    "runs_agreed": lambda public, names: f"It is run {public['runs']} times",
    "rabbit_shown": lambda public, names: f"Would have come: {' '.join(public['cards'])}",
    "openers_shown": lambda public, names: (
        f"{_name(public['seat'], names)} opened with {' '.join(public['cards'])}"
    ),
    "passed_out": lambda public, names: f"Nobody opens: {public['carry_minor']} stays in the pot",
    "deal_killed": lambda public, names: (
        f"{public['card']} kills the deal: {public['carry_minor']} stays in the pot"
    ),
    "pot_carried": lambda public, names: (
        f"{public['name'].capitalize()} pot: nobody wins {public['amount_minor']}"
    ),
    "pot_awarded": _awarded,
}
"""How each kind of event is told; the others are not."""
