"""A hand in the Poker Hand History format (PHH): a TOML document of what was done.

Amounts are of the currency's major unit. Players are numbered in the order of the deal; heads-up
the blinds are listed small one first although the button, who posts it, is the second player. Cards
the viewer does not know are `??`. What the format has no field for stands behind an underscore.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tables.engine.games import GAMES
from tables.engine.history.record import Amount, Record, Told
from tables.engine.poker.options import SUIT, Options, options_of
from tables.engine.poker.special_options import LEFT
from tables.engine.poker.vocabulary import FIXED, NO_LIMIT, POT, PokerGame

UNKNOWN = "??"
VARIANTS: Mapping[tuple[str, str], str] = {
    ("holdem", FIXED): "FT",
    ("holdem", NO_LIMIT): "NT",
    ("short_deck", NO_LIMIT): "NS",
    ("omaha", POT): "PO",
    ("omaha8", FIXED): "FO/8",
    ("stud", FIXED): "F7S",
    ("stud8", FIXED): "F7S/8",
    ("razz", FIXED): "FR",
    ("kansas_city_lowball", NO_LIMIT): "N2L1D",
    ("triple_draw_27", FIXED): "F2L3D",
    ("badugi", FIXED): "FB",
}
"""The format's name of a game and its limit."""


def why_no_phh(record: Record) -> str:
    """Why the hand cannot be written in this format; "" if it can."""
    game = record.game
    if not isinstance(game, PokerGame):
        return "the format knows ring games of poker alone"
    if record.result is None:
        return "the hand was voided: the format has no word for it"
    options = options_of(game, record.options)
    if game != GAMES.get(game.id) or (game.id, options.limit) not in VARIANTS:
        return f"the format has no variant for {game.name} with this limit"
    return next((why for is_so, why in _obstacles(record, options) if is_so(record)), "")


def _obstacles(record: Record, options: Options) -> Iterator[tuple[Callable[[Record], bool], str]]:
    yield lambda told: told.carry_minor > 0, "the pot held chips of an earlier hand"
    yield lambda told: any(told.of("protected")), "a player was all-in for what was in"
    yield lambda told: any(told.of("runs_agreed")) and _runs(told) > 1, "the board was dealt twice"
    yield (
        lambda told: any(one.public["kind"] == "dead" for one in told.of("blind_posted")),
        "a dead blind was posted",
    )
    yield (
        lambda told: any(one.public["kind"] == "kill" for one in told.of("blind_posted")),
        "a kill was posted",
    )
    yield (
        lambda told: (
            options.straddle not in (None, LEFT)
            and any(one.public["kind"] == "straddle" for one in told.of("blind_posted"))
        ),
        "the straddle may come from the button",
    )
    yield lambda told: not _blinds_lead(told), "the small blind was dead"
    yield (
        lambda told: bool(options.bring_in_minor) and options.bring_in_tie != SUIT,
        "position decides who brings in",
    )
    yield (
        lambda told: options.low_top not in (None, 8),
        "the low qualifies otherwise than the format's",
    )


def _runs(record: Record) -> int:
    return max(int(event.public["runs"]) for event in record.of("runs_agreed"))


def _blinds_lead(record: Record) -> bool:
    """Whether small and big blind stand where the format has them, if there are blinds."""
    posted = {
        event.public["kind"]: record.place_of[event.public["seat"]]
        for event in record.of("blind_posted")
    }
    if "big" not in posted:
        return True
    usual = {"small": 1, "big": 0} if len(record.seats) == 2 else {"small": 0, "big": 1}
    return all(posted.get(kind) == place for kind, place in usual.items())


def phh(record: Record) -> str:
    """The document. Only for a hand of which `why_no_phh` says nothing."""
    game = record.game
    assert isinstance(game, PokerGame)
    assert record.result is not None
    options = options_of(game, record.options)
    money = record.money
    kept = _kept_out(record, options)
    stacks = record.result["stacks_minor"]
    fields: dict[str, Any] = {
        "variant": VARIANTS[game.id, options.limit],
        "antes": [money(options.ante_minor)] * len(record.seats),
    }
    if options.bring_in_minor:
        fields["bring_in"] = money(options.bring_in_minor)
    else:
        fields["blinds_or_straddles"] = [money(one) for one in _blinds(record, options)]
    if options.limit == FIXED:
        fields["small_bet"], fields["big_bet"] = (money(bet) for bet in options.bets_minor[:2])
    else:
        fields["min_bet"] = money(options.least_bet_minor)
    fields |= {
        "starting_stacks": [
            money(seat.stack_minor - kept[place]) for place, seat in enumerate(record.seats)
        ],
        "actions": list(_actions(record)),
        **_when(record.started_at),
        "hand": record.hand_id,
        "seats": [seat.seat for seat in record.seats],
        "seat_count": record.max_seats,
        "table": record.table,
        "players": [seat.name for seat in record.seats],
        "finishing_stacks": [
            money(stacks[str(seat.seat)] - kept[place]) for place, seat in enumerate(record.seats)
        ],
        "currency": record.currency,
        "_hand_number": record.number,
        "_rake": money(record.result["rake_minor"]),
    }
    if record.result.get("drop_minor"):
        fields["_jackpot_drop"] = money(record.result["drop_minor"])
    if any(kept):
        fields["_kept_out_of_the_hand"] = [money(one) for one in kept]
    return "".join(f"{name} = {toml(value)}\n" for name, value in fields.items())


def toml(value: Any) -> str:
    """One value: text, a whole number, an amount, a local time, or a list of them."""
    if isinstance(value, Amount):
        return str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, str):
        return f'"{"".join(_escaped(char) for char in value)}"'
    return str(value)


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    return f"\\u{ord(char):04x}" if ord(char) < 32 or ord(char) == 127 else char


def _when(started_at: str) -> dict[str, Any]:
    day, _, clock = started_at.partition("T")
    year, month, date = (int(part) for part in day.split("-"))
    return {
        "time": Amount(clock[:8]), "time_zone": "UTC", "day": date, "month": month, "year": year,
    }  # fmt: skip


def _kept_out(record: Record, options: Options) -> list[int]:
    """What a cap keeps out of the hand, by place. Source: docs/rules/poker.md 4.8."""
    if options.cap_big_blinds is None:
        return [0] * len(record.seats)
    unit = options.blinds_minor[-1] if options.blinds_minor else options.bets_minor[0]
    most = options.cap_big_blinds * unit
    return [max(0, seat.stack_minor - most) for seat in record.seats]


def _blinds(record: Record, options: Options) -> list[int]:
    """Full prices by place; below 0: a missed blind that is posted out of turn."""
    found = [0] * len(record.seats)
    blinds = options.blinds_minor
    full = {"small": blinds[0], "big": blinds[-1], "live": -blinds[-1], "straddle": 2 * blinds[-1]}
    for event in record.of("blind_posted"):
        found[record.place_of[event.public["seat"]]] = full[event.public["kind"]]
    return found[::-1] if len(found) == 2 else found


def _actions(record: Record) -> Iterator[str]:
    for event in record.told_once:
        write = WRITERS.get(event.type)
        if write is not None:
            yield from write(record, event)


def _player(record: Record, event: Told) -> str:
    return f"p{record.place_of[event.public['seat']] + 1}"


def _word(word: str) -> Callable[[Record, Told], Iterator[str]]:
    def write(record: Record, event: Told) -> Iterator[str]:
        yield f"{_player(record, event)} {word}"

    return write


def _raised(record: Record, event: Told) -> Iterator[str]:
    yield f"{_player(record, event)} cbr {record.money(event.public['to_minor'])}"


def _dealt(record: Record, event: Told) -> Iterator[str]:
    down, up = event.public["down"], event.public["up"]
    for seat in sorted({*map(int, down), *map(int, up)}, key=record.place_of.__getitem__):
        hidden = _known(record.own(event, seat), down.get(str(seat), 0))
        cards = "".join([*hidden, *up.get(str(seat), ())])
        yield f"d dh p{record.place_of[seat] + 1} {cards}"


def _known(cards: Sequence[str], count: int) -> Sequence[str]:
    return cards or [UNKNOWN] * count


def _board(record: Record, event: Told) -> Iterator[str]:
    yield f"d db {''.join(event.public['cards'])}"


def _thrown(record: Record, event: Told) -> Iterator[str]:
    cards = _known(record.own(event, event.public["seat"]), event.public["count"])
    yield f"{_player(record, event)} sd {''.join(cards)}".strip()


def _drawn(record: Record, event: Told) -> Iterator[str]:
    cards = _known(record.own(event, event.public["seat"]), event.public["count"])
    if cards:
        yield f"d dh {_player(record, event)} {''.join(cards)}"


def _shown(record: Record, event: Told) -> Iterator[str]:
    """The format knows no showing or mucking but at a showdown."""
    if record.result is not None and record.result["showdown"]:
        cards = "".join(event.public.get("cards", ()))
        yield f"{_player(record, event)} sm {cards}".strip()


WRITERS: Mapping[str, Callable[[Record, Told], Iterator[str]]] = {
    "cards_dealt": _dealt,
    "board_dealt": _board,
    "brought_in": _word("pb"),
    "folded": _word("f"),
    "checked": _word("cc"),
    "called": _word("cc"),
    "bet": _raised,
    "raised": _raised,
    "completed": _raised,
    "draw_announced": _thrown,
    "cards_drawn": _drawn,
    "hand_shown": _shown,
    "hand_mucked": _shown,
}
"""How each kind of event is written; the others follow from these."""
