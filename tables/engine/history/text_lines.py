"""How each kind of event is written in a text history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from tables.engine.history.record import Record, Told
from tables.engine.poker.vocabulary import BLINDS, PokerGame

Writer: TypeAlias = Callable[[Record, Told], Iterator[str]]

BLIND_WORDS = {
    "small": "small blind", "big": "big blind", "dead": "dead small blind",
    "live": "missed big blind", "straddle": "straddle", "kill": "kill",
}  # fmt: skip


def _who(record: Record, event: Told) -> str:
    return record.name_of[event.public["seat"]]


def _end(event: Told) -> str:
    all_in = " and is all-in" if event.public.get("all_in") else ""
    return all_in + (" (time was up)" if event.public.get("default") else "")


def _cards(cards: Sequence[str]) -> str:
    return f"[{' '.join(cards)}]"


def _did(words: str) -> Writer:
    def write(record: Record, event: Told) -> Iterator[str]:
        yield f"{_who(record, event)}: {words}{_end(event)}"

    return write


def _paid(words: str) -> Writer:
    def write(record: Record, event: Told) -> Iterator[str]:
        amount = record.money(event.public["amount_minor"])
        yield f"{_who(record, event)}: {words} {amount}{_end(event)}"

    return write


def _line(write: Callable[[Record, Told], str]) -> Writer:
    def write_one(record: Record, event: Told) -> Iterator[str]:
        yield write(record, event)

    return write_one


def _posted(record: Record, event: Told) -> Iterator[str]:
    yield from _paid(f"posts {BLIND_WORDS[event.public['kind']]}")(record, event)


def _raised(record: Record, event: Told) -> Iterator[str]:
    """By how much it goes above the price before, and to what."""
    to_minor = event.public["to_minor"]
    by = record.money(to_minor - _price_before(record, event))
    yield f"{_who(record, event)}: raises {by} to {record.money(to_minor)}{_end(event)}"


def _price_before(record: Record, event: Told) -> int:
    """What the round cost before this raise: blinds, the bring-in and bets since it began."""
    price = 0
    for other in record.events:
        if other is event:
            break
        if other.type in ("board_dealt", "street_opened", "cards_drawn"):
            price = 0
        price = max(price, other.public.get("to_minor", 0), _bet_of(other))
    return price


def _bet_of(event: Told) -> int:
    posted = event.type in ("blind_posted", "brought_in")
    return int(event.public.get("bet_minor", 0)) if posted else 0


def _bet(record: Record, event: Told) -> Iterator[str]:
    yield f"{_who(record, event)}: bets {record.money(event.public['to_minor'])}{_end(event)}"


def _completed(record: Record, event: Told) -> Iterator[str]:
    to = record.money(event.public["to_minor"])
    yield f"{_who(record, event)}: completes to {to}{_end(event)}"


def _dealt(record: Record, event: Told) -> Iterator[str]:
    street, up = event.public["street"], event.public.get("up", {})
    yield f"*** {_street(record, street)} ***"
    for seat, name in record.name_of.items():
        shown = up.get(str(seat), ())
        own = record.own(event, seat)
        if own or shown:
            yield f"Dealt to {name} {' '.join(_cards(part) for part in (own, shown) if part)}"


def _street(record: Record, street: str) -> str:
    game = record.game
    if street == "preflop" or (isinstance(game, PokerGame) and game.forced == BLINDS
                               and street == "predraw"):  # fmt: skip
        return "HOLE CARDS"
    return street.upper() + (" STREET" if street in STUD_STREETS else "")


STUD_STREETS = ("third", "fourth", "fifth", "sixth", "seventh")


def _board(record: Record, event: Told) -> Iterator[str]:
    new, whole = event.public["cards"], event.public["board"]
    number = event.public.get("board_no", 1)
    name = event.public["street"].upper() + (f" OF BOARD {number}" if number > 1 else "")
    before = whole[: len(whole) - len(new)]
    yield f"*** {name} *** {' '.join(_cards(part) for part in (before, new) if part)}"


def _announced(record: Record, event: Told) -> Iterator[str]:
    count = event.public["count"]
    if not count:
        yield f"{_who(record, event)}: stands pat{_end(event)}"
        return
    own = record.own(event, event.public["seat"])
    cards = f" {_cards(own)}" if own else ""
    plural = "" if count == 1 else "s"
    yield f"{_who(record, event)}: discards {count} card{plural}{cards}{_end(event)}"


def _drawn(record: Record, event: Told) -> Iterator[str]:
    if own := record.own(event, event.public["seat"]):
        yield f"Dealt to {_who(record, event)} {_cards(own)}"


def _returned(record: Record, event: Told) -> Iterator[str]:
    amount = record.money(event.public["amount_minor"])
    yield f"Uncalled bet ({amount}) returned to {_who(record, event)}"


def _shown(record: Record, event: Told) -> Iterator[str]:
    public = event.public
    sides = [public[side]["words"] for side in ("high", "low") if side in public]
    if not sides and "words" in public:
        sides = [public["words"]]
    worth = f" ({'; '.join(sides)})" if sides else ""
    yield f"{_who(record, event)}: shows {_cards(public['cards'])}{worth}"


def _openers(record: Record, event: Told) -> Iterator[str]:
    yield f"{_who(record, event)}: shows openers {_cards(event.public['cards'])}"


def _awarded(record: Record, event: Told) -> Iterator[str]:
    public = event.public
    share = f", {public['share']}" if public["share"] else ""
    board = f", board {public['board_no']}" if "board_no" in public else ""
    pot = public["name"] if public["name"] != "main" or _several(record) else ""
    where = f"{pot} pot".strip() + share + board
    for seat, amount in public["winners"].items():
        yield f"{record.name_of[int(seat)]} collected {record.money(amount)} from {where}"


def _several(record: Record) -> bool:
    return any(event.public["pot"] for event in record.of("pot_awarded"))


def _declared(record: Record, event: Told) -> Iterator[str]:
    for seat, side in event.public["declarations"].items():
        yield f"{record.name_of[int(seat)]}: declares {side}"


def _bets_placed(record: Record, event: Told) -> Iterator[str]:
    wagers = [
        f"{name.replace('_', ' ')} {record.money(amount)}"
        for name, amount in event.public["wagers"].items()
        if amount
    ]
    yield f"{_who(record, event)}: bets {', '.join(wagers)}"


def _decided(record: Record, event: Told) -> Iterator[str]:
    public = event.public
    amount = f" {record.money(public['play_minor'])}" if public["play_minor"] else ""
    yield f"{_who(record, event)}: {public['name']}s{amount}{_end(event)}"


def _settled(record: Record, event: Told) -> Iterator[str]:
    public = event.public
    back = record.money(public["returned_minor"])
    yield f"{_who(record, event)} staked {record.money(public['staked_minor'])}, got back {back}"


def _dice(dice: Sequence[int]) -> str:
    return f"[{' '.join(map(str, dice))}]"


def _rolled(record: Record, event: Told) -> Iterator[str]:
    own = (event.private or {}).get("dice")
    for seat in record.viewer:
        if own is not None and event.public.get("seat", seat) == seat:
            yield f"{record.name_of[seat]} holds {_dice(own)}"


def _dice_shown(record: Record, event: Told) -> Iterator[str]:
    for seat, dice in event.public["dice"].items():
        yield f"{record.name_of[int(seat)]}: shows {_dice(dice)}"


LINES: Mapping[str, Writer] = {
    "die_rolled": _line(lambda record, event: f"The die shows {event.public['die']}: "
                                              f"{event.public['plays']}"),
    "ante_posted": _paid("posts the ante"),
    "blind_posted": _posted,
    "brought_in": _paid("brings in for"),
    "cards_dealt": _dealt,
    "board_dealt": _board,
    "cards_rolled": _dealt,
    "folded": _did("folds"),
    "checked": _did("checks"),
    "called": _paid("calls"),
    "bet": _bet,
    "raised": _raised,
    "completed": _completed,
    "protected": _did("cannot be heard and is all-in for what is in"),
    "uncalled_returned": _returned,
    "runs_agreed": _line(lambda record, event: f"The board is dealt {event.public['runs']} times"),
    "draw_announced": _announced,
    "cards_drawn": _drawn,
    "discarded": _announced,
    "muck_reshuffled": _line(lambda record, event: "The mucked cards are shuffled again"),
    "declarations_shown": _declared,
    "spit_called": _did("calls spit"),
    "hand_shown": _shown,
    "hand_mucked": _did("mucks hand"),
    "openers_shown": _openers,
    "passed_out": _line(
        lambda record, event: f"Nobody opens: {record.money(event.public['carry_minor'])} stays"
    ),
    "deal_killed": _line(lambda record, event: f"{event.public['card']} kills the deal"),
    "pot_awarded": _awarded,
    "pot_carried": _line(
        lambda record, event: f"Nobody wins {record.money(event.public['amount_minor'])} of the "
                              f"{event.public['name']} pot"
    ),
    "bet_placed": _bets_placed,
    "bet_cleared": _did("takes the bet back"),
    "no_more_bets": _line(lambda record, event: "No more bets"),
    "decided": _decided,
    "dealer_revealed": _line(
        lambda record, event: f"Dealer shows {_cards(event.public['cards'])} "
                              f"({event.public['words']})"
    ),
    "dealer_not_needed": _line(lambda record, event: "Every hand was folded"),
    "spot_settled": _settled,
    "lot_drawn": _line(
        lambda record, event: f"{record.name_of[event.public['first']]} begins by lot"
    ),
    "dice_rolled": _rolled,
    "bid_made": _line(
        lambda record, event: f"{_who(record, event)}: bids {event.public['quantity']} x "
                              f"{event.public['face']}{_end(event)}"
    ),
    "hand_called": _line(
        lambda record, event: f"{_who(record, event)}: calls {event.public['words']}{_end(event)}"
    ),
    "dice_passed": _did("accepts the dice"),
    "challenged": _did("challenges"),
    "dice_shown": _dice_shown,
    "challenge_settled": _line(lambda record, event: f"{event.public['words']}"),
    "ante_paid": _line(
        lambda record, event: f"{_who(record, event)} pays "
                              f"{record.money(event.public['amount_minor'])} to "
                              f"{record.name_of[event.public['to']]}"
    ),
    "die_lost": _did("loses a die"),
    "life_lost": _did("loses a life"),
    "seat_out": _did("is out"),
}  # fmt: skip
"""What is not here tells nothing that a reader of the text misses."""
