"""A request of each operation as somebody decent sends it, to the rows that are there now.

What schemathesis draws from a schema alone is seldom taken by a house; half of the requests are
these, some of them with one field of what it drew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.utils import timezone

from tables.engine.games.three_card_poker import STANDARD_PAYTABLES
from tests.cast import CURRENCY, THREE_CARD
from tests.fuzz.door import BUY_IN_MINOR, Player, decision

PAYTABLES = {"paytables": THREE_CARD["paytables"]}
# The id of no row.
NO_ROW = 987_654_321
NEXT_PASSWORD = "eleven herons over Hel"


@dataclass(frozen=True)
class At:
    """who: the player who asks. table_id: the table that the path names, 0 for none."""

    who: Player
    table_id: int = 0

    def amount_minor(self, most: int = 2_000) -> int:
        return self.who.house.chance.randint(1, most)

    def one_of(self, *values: Any) -> Any:
        return self.who.house.chance.choice(values)


Body = dict[str, Any]


def action(at: At) -> Body:
    wanted = decision(at.table_id, at.who.user.pk, at.who.house.chance)
    turn_id, taken = wanted or (1, {"name": "fold"})
    return {"action_id": str(uuid4()), "turn_id": turn_id, "action": dict(taken)}


def commitment(at: At) -> Body:
    cut = at.who.cut(at.table_id, "open")
    return {"cut": cut, "commitment": at.who.giver.commitment(cut)}


def opening(at: At) -> Body:
    cut = at.who.cut(at.table_id, "listed")
    return {"cut": cut, "seed": at.who.giver.seed(cut).hex()}


def registration(at: At) -> Body:
    name = f"guest.{uuid4().hex[:12]}"
    return {"username": name, "password": NEXT_PASSWORD, "display_name": name}


def limit(at: At) -> Body:
    """Wide enough for him to play on."""
    kind = at.one_of("deposit", "loss", "stake", "time")
    body = {"kind": kind, "window_days": at.one_of(1, 7, 30)}
    if kind == "time":
        return {**body, "most_s": 86_000}
    return {**body, "currency": CURRENCY, "most_minor": 10_000_000}


def play_table(at: At) -> Body:
    game = at.one_of("holdem", "three_card_poker", "stud8", "triple_draw_27", "bluff_common")
    options = {"holdem": {"limit": "no_limit", "small_blind_minor": 50, "big_blind_minor": 100}}
    return {"name": f"table {uuid4().hex[:12]}", "game": game, "options": options.get(game, {})}


def period(at: At) -> Body:
    begins = timezone.now() - timedelta(days=at.one_of(1, 7, 31))
    return {
        "currency": at.who.currency(), "begins": begins.isoformat(),
        "ends": timezone.now().isoformat(), "form": at.one_of("json", "csv", "html", "pdf"),
    }  # fmt: skip


BODIES: dict[str, Callable[[At], Body]] = {
    "cool_off": lambda at: {"hours": 24},
    "exchange_do": lambda at: {"rate": at.who.house.rate.pk, "given_minor": at.amount_minor()},
    "hand_report": lambda at: {"reason": "the board was read wrongly"},
    "limit_set": limit,
    "list_join": lambda at: {},
    "password_set": lambda at: {
        "current": at.who.password, "new": at.one_of(NEXT_PASSWORD, f"new {uuid4()}"),
    },
    "paytable_approve": lambda at: {"note": "seen"},
    "paytable_ask": lambda at: {"tables": [at.who.house.banked.pk], "reason": "a thinner one"},
    "paytable_change": lambda at: {"content": PAYTABLES},
    "paytable_draft": lambda at: {
        "game": "three_card_poker", "name": at.one_of("lean", "fat"),
        "content": {"paytables": {
            wager: at.one_of(*STANDARD_PAYTABLES[wager].values()) for wager in STANDARD_PAYTABLES
            if wager in THREE_CARD["paytables"]
        }},
    },
    "paytable_refuse": lambda at: {"note": "too fat"},
    "reality_check_set": lambda at: {"every_s": at.one_of(None, 3_600)},
    "register": registration,
    "sandbox_clock": lambda at: at.one_of({"left_ms": 500}, {"left_ms": 2_000}, {"advance_ms": 9}),
    "sandbox_deposit": lambda at: {"amount_minor": at.amount_minor()},
    "sandbox_script": lambda at: {
        "script": at.one_of({}, {"dealer": {"cards": ["Qs", "6h", "4c"]}}, {"seats": {"1": {
            "cards": ["Ah", "Ad", "2c"]}}}),
    },
    "sandbox_table_open": play_table,
    "seat_at_random": lambda at: {
        "game": "holdem", "currency": CURRENCY, "buy_in_minor": BUY_IN_MINOR,
    },
    "seat_change": lambda at: {"seat": at.who.free_seat(at.table_id)},
    "seat_choose": lambda at: at.one_of(
        {"auto_post": True}, {"posts": True}, {"straddles": False}, {"tops_up_to_minor": 9_000},
        {"wants_bomb_pot": True, "agrees_to_blind": True},
    ),
    "seat_reserve": lambda at: {"seat": at.who.free_seat(at.table_id)},
    "seat_sit_out": lambda at: at.one_of({}, {"at": "hand"}, {"at": "big_blind"}),
    "seat_spots": lambda at: {"spots": at.one_of(1, 2)},
    "seat_take": lambda at: {"buy_in_minor": BUY_IN_MINOR},
    "seat_top_up": lambda at: {"amount_minor": 100 * at.amount_minor(20)},
    "seat_transfer": lambda at: {"to_table": at.who.house.quiet.pk},
    "second_factor_begin": lambda at: {"password": at.who.password},
    "second_factor_confirm": lambda at: {"code": at.who.code()},
    "seed_commit": commitment,
    "seed_open": opening,
    "self_exclusion": lambda at: {"months": at.one_of(6, None)},
    "sign_in": lambda at: {
        "username": at.who.username, "password": at.who.password, "code": at.who.code(),
    },
    "table_act": action,
    "table_tickets": lambda at: {"role": at.one_of("player", "watcher")},
    "tokens_issue": lambda at: {"name": "a bot", "scopes": ["read", "play"], "days": 3},
    "webhooks_add": lambda at: {"url": "https://example.org/hook", "kinds": ["hand.settled"]},
    "withdrawal_request": lambda at: {"amount_minor": at.amount_minor(), "currency": CURRENCY},
}  # fmt: skip

QUERIES: dict[str, Callable[[At], Body]] = {
    "exchange_quote": lambda at: {
        "gives": CURRENCY, "gets": "PLN", "given_minor": at.amount_minor(),
    },
    "second_factor_drop": lambda at: {"code": at.who.code()},
    "wallet_statement_period": period,
}  # fmt: skip
