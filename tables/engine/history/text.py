"""A hand as English text in the manner of the histories that poker rooms hand out.

Amounts are of the currency's major unit; whose cards the viewer was not told do not stand in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tables.engine.history.record import Record
from tables.engine.history.text_lines import LINES
from tables.engine.poker.options import Options, options_of
from tables.engine.poker.vocabulary import BRING_IN, FIXED, HALF_POT, NO_LIMIT, POT, PokerGame

SITE = "Croupier"
LIMIT_WORDS = {
    NO_LIMIT: "No Limit", POT: "Pot Limit", HALF_POT: "Half-pot Limit", FIXED: "Limit",
}  # fmt: skip


def text(record: Record) -> str:
    """The whole history, with a last line break."""
    lines = [*_header(record), *_played(record), *_summary(record)]
    return "\n".join(lines) + "\n"


def _header(record: Record) -> Iterator[str]:
    game = record.game
    day, _, clock = record.started_at.partition("T")
    when = f"{day.replace('-', '/')} {clock[:8]} UTC"
    yield f"{SITE} Hand #{record.hand_id}: {game.name} {_stakes(record)} - {when}"
    button = f" Seat #{record.button} is the button" if record.button is not None else ""
    yield f"Table '{record.table}' {record.max_seats}-max{button}"
    for seat in sorted(record.seats, key=lambda seat: seat.seat):
        yield f"Seat {seat.seat}: {seat.name} ({record.money(seat.stack_minor)} in chips)"


def _stakes(record: Record) -> str:
    game = record.game
    if not isinstance(game, PokerGame):
        return f"({record.currency})"
    options = options_of(game, record.options)
    limit = LIMIT_WORDS.get(options.limit, "Spread Limit")
    return f"{limit} ({'/'.join(map(record.money, _prices(game, options)))} {record.currency})"


def _prices(game: PokerGame, options: Options) -> tuple[int, ...]:
    if options.limit == FIXED or game.forced == BRING_IN or not options.blinds_minor:
        return options.bets_minor[:2]
    return options.blinds_minor


def _played(record: Record) -> Iterator[str]:
    showdown = False
    for event in record.told_once:
        if event.type in ("hand_shown", "hand_mucked") and not showdown:
            showdown = True
            yield "*** SHOW DOWN ***"
        write = LINES.get(event.type)
        if write is not None:
            yield from write(record, event)


def _summary(record: Record) -> Iterator[str]:
    yield "*** SUMMARY ***"
    if record.result is None:
        yield "The hand was voided: every stake went back"
        return
    if isinstance(record.game, PokerGame):
        yield _total(record, record.result)
        yield from _boards(record)
    nets = record.result.get("nets_minor", {})
    for seat in sorted(record.seats, key=lambda seat: seat.seat):
        net = nets.get(str(seat.seat), 0)
        button = " (button)" if seat.seat == record.button else ""
        result = "broke even" if not net else f"{'won' if net > 0 else 'lost'} net "
        amount = record.money(abs(net)) if net else ""
        yield f"Seat {seat.seat}: {seat.name}{button} {result}{amount}"


def _total(record: Record, result: dict[str, Any]) -> str:
    total = sum(pot["amount_minor"] for pot in result["pots"]) or result.get("carry_minor", 0)
    line = f"Total pot {record.money(total)} | Rake {record.money(result['rake_minor'])}"
    if drop_minor := result.get("drop_minor"):
        line += f" | Jackpot drop {record.money(drop_minor)}"
    return line


def _boards(record: Record) -> Iterator[str]:
    last: dict[int, list[str]] = {}
    for event in record.of("board_dealt"):
        last[event.public.get("board_no", 1)] = event.public["board"]
    for number, cards in sorted(last.items()):
        name = "Board" if len(last) == 1 else f"Board {number}"
        yield f"{name} [{' '.join(cards)}]"
