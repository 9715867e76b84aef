"""What a table may set: limits, paytables, policy, the dealer's qualifier, the settling order.

A round keeps the options it began with, so a changed paytable never touches a running round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from tables.engine.banked.hands import HANDS
from tables.engine.banked.vocabulary import (
    FORFEIT,
    LIVE,
    PUSH,
    WIN,
    BankedGame,
    Bonus,
    Progressive,
    Side,
)
from tables.engine.errors import BadOptions
from tables.engine.reasons import Reason

Paytable = Mapping[str, int]
"""Odds to 1 by class of hand."""

ON_FOLD_WORDS = {"forfeit": FORFEIT, "keep": LIVE, "settle": LIVE}
TIE_WORDS = (PUSH, WIN)
SEAT_ORDERS = ("last_first", "first_first")
DEALS = ("packets", "singly")
RULES = (
    "paytables", "policy", "qualifier", "deal", "settle_wagers", "settle_seats", "progressive",
    "most_spot_minor", "most_round_minor",
)  # fmt: skip
"""What a version of the paytables fixes; the rest is a table's own."""
KNOWN = (*RULES, "limits", "spots_per_player", "version")
WHOLE = 10_000
"""Basis points."""
MOST_ODDS = 1_000_000
MOST_STAKE_MINOR = 10**12
"""Together they keep what a round of seven spots can win within the books' whole numbers."""


@dataclass(frozen=True, slots=True)
class Limits:
    least_minor: int
    most_minor: int
    step_minor: int


@dataclass(frozen=True, slots=True)
class Policy:
    """Where houses differ.

    on_fold: FORFEIT or LIVE for each side wager.
    alone: side wagers that may stand without any other wager.
    tie: what ante and raise do against an equal hand, PUSH or WIN.
    """

    on_fold: Mapping[str, str]
    alone: frozenset[str]
    tie: str = PUSH


@dataclass(frozen=True, slots=True)
class Jackpot:
    """What a progressive wager wins by class of hand, in units of its stake and "for one".

    meter: share of the meter in basis points. pays: units from the house. envy: units to each
    other spot with the wager. contribution: of each stake to the meter, in basis points.
    stake_minor: the one stake that is taken. seed_minor: the meter never starts a round below it.
    meter_minor: where this round starts.
    """

    stake_minor: int

    meter: Mapping[str, int]
    pays: Mapping[str, int]
    envy: Mapping[str, int]
    contribution: int
    seed_minor: int
    meter_minor: int

    @property
    def lines(self) -> frozenset[str]:
        return frozenset(self.meter) | frozenset(self.pays)


@dataclass(frozen=True, slots=True)
class Rules:
    """What a version of the paytables fixes, checked.

    settle_wagers: order of the wagers within a spot.
    last_seat_first: spots are settled from the dealer's right to his left.
    packets: each spot gets its cards at once; otherwise card by card around the table.
    most_spot_minor, most_round_minor: the most that a spot, or all spots together, may win.
    """

    paytables: Mapping[str, Paytable]
    policy: Policy
    qualifier: str
    settle_wagers: tuple[str, ...]
    last_seat_first: bool = True
    packets: bool = True
    jackpot: Jackpot | None = None
    most_spot_minor: int | None = None
    most_round_minor: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BankedOptions(Rules):
    """Checked options of a table: its rules and what is its own.

    limits: of each wager on offer; a wager without limits is not offered.
    spots_per_player: how many adjacent spots one player may have.
    version: the paytables' version, kept for the record.
    """

    limits: Mapping[str, Limits]
    spots_per_player: int = 1
    version: int | str | None = None


def read_options(game: BankedGame, options: Mapping[str, Any]) -> BankedOptions:
    """Check a table's options (plain JSON) against its game. Raises BadOptions."""
    for key in options:
        if key not in KNOWN:
            raise BadOptions(str(key), Reason("not_an_option"))
    rules = read_rules(game, {key: options[key] for key in RULES if key in options})
    limits = {
        wager: _limits(game, wager, figures)
        for wager, figures in _mapping("limits", options.get("limits", {})).items()
    }
    if not limits:
        raise BadOptions("limits", Reason("no_wager"))
    for wager_id, each in limits.items():
        wager = game.wager[wager_id]
        if isinstance(wager, Progressive):
            if rules.jackpot is None:
                raise BadOptions(f"limits.{wager_id}", Reason("no_progressive"))
            stake = rules.jackpot.stake_minor
            if (each.least_minor, each.most_minor) != (stake, stake):
                raise BadOptions(f"limits.{wager_id}", Reason("stake_fixed", stake_minor=stake))
        elif isinstance(wager, Side) and wager_id not in rules.paytables:
            raise BadOptions(f"limits.{wager_id}", Reason("no_paytable"))
    fixed = {part.name: getattr(rules, part.name) for part in fields(rules)}
    return BankedOptions(
        **fixed,
        limits=limits,
        spots_per_player=_spots(game, options.get("spots_per_player", 1)),
        version=options.get("version"),
    )


def read_rules(game: BankedGame, rules: Mapping[str, Any]) -> Rules:
    """Check what a version of the paytables fixes (plain JSON). Raises BadOptions."""
    for key in rules:
        if key not in RULES:
            raise BadOptions(str(key), Reason("not_known", known=tuple(RULES)))
    return Rules(
        paytables=read_paytables(game, _mapping("paytables", rules.get("paytables", {}))),
        policy=read_policy(game, _mapping("policy", rules.get("policy", {}))),
        qualifier=_one_of("qualifier", rules.get("qualifier"), game.qualifiers),
        settle_wagers=_wager_order(game, rules.get("settle_wagers")),
        last_seat_first=_one_of("settle_seats", rules.get("settle_seats"), SEAT_ORDERS)
        == "last_first",
        packets=_one_of("deal", rules.get("deal"), DEALS) == "packets",
        jackpot=_jackpot(game, rules.get("progressive")),
        most_spot_minor=_most("most_spot_minor", rules.get("most_spot_minor")),
        most_round_minor=_most("most_round_minor", rules.get("most_round_minor")),
    )


def read_paytables(game: BankedGame, tables: Mapping[str, Any]) -> dict[str, Paytable]:
    """Check paytables by wager. Raises BadOptions."""
    paid = {
        wager.id: wager
        for wager in game.wagers
        if isinstance(wager, Bonus | Side) and not isinstance(wager, Progressive)
    }
    read: dict[str, Paytable] = {}
    for wager, table in tables.items():
        if wager not in paid:
            raise BadOptions(f"paytables.{wager}", Reason("not_paid_by_table"))
        where = f"paytables.{wager}"
        read[wager] = read_paytable(paid[wager].hand, _mapping(where, table), where)
    return read


def read_paytable(hand: str, table: Mapping[str, Any], where: str = "pays") -> dict[str, int]:
    """Check one paytable; its lines come back best hand first. Raises BadOptions."""
    classes = HANDS[hand].classes
    for line, odds in table.items():
        if line not in classes:
            raise BadOptions(f"{where}.{line}", Reason("known_lines", known=tuple(classes)))
        if type(odds) is not int or not 0 <= odds <= MOST_ODDS:
            raise BadOptions(f"{where}.{line}", Reason("odds", most=MOST_ODDS))
    return {line: table[line] for line in classes if line in table}


def read_policy(game: BankedGame, policy: Mapping[str, Any]) -> Policy:
    """Check a policy, the game's own customs filled in. Raises BadOptions."""
    rest = dict(policy)
    on_fold: dict[str, str] = {}
    alone: set[str] = set()
    for wager in game.wagers:
        if not isinstance(wager, Side):
            continue
        word = rest.pop(f"{wager.id}_on_fold", None)
        if word is not None and word not in ON_FOLD_WORDS:
            raise BadOptions(
                f"policy.{wager.id}_on_fold", Reason("not_one_of", known=tuple(ON_FOLD_WORDS))
            )
        on_fold[wager.id] = wager.on_fold if word is None else ON_FOLD_WORDS[word]
        if not wager.needs:
            allowed = rest.pop(f"{wager.id}_alone", True)
            if type(allowed) is not bool:
                raise BadOptions(f"policy.{wager.id}_alone", Reason("no_flag"))
            if allowed:
                alone.add(wager.id)
    tie = _one_of("policy.tie", rest.pop("tie", None), TIE_WORDS)
    if rest:
        raise BadOptions(f"policy.{next(iter(rest))}", Reason("is_no_part"))
    return Policy(on_fold, frozenset(alone), tie)


def _jackpot(game: BankedGame, terms: Any) -> Jackpot | None:
    if terms is None:
        return None
    wager = next((w for w in game.wagers if isinstance(w, Progressive)), None)
    if wager is None:
        raise BadOptions("progressive", Reason("no_progressive_wager", game=game.name))
    terms = dict(_mapping("progressive", terms))
    meter, pays, envy = (
        _mapping(f"progressive.{name}", terms.pop(name, {}))
        for name in ("meter_basis_points", "pays", "envy")
    )
    stake = _figure("stake_minor", terms, MOST_STAKE_MINOR)
    contribution = _figure("contribution_basis_points", terms, WHOLE)
    seed = _figure("seed_minor", terms)
    at = _figure("meter_minor", terms) if "meter_minor" in terms else seed
    if terms:
        raise BadOptions(f"progressive.{next(iter(terms))}", Reason("is_no_part"))
    if not stake:
        raise BadOptions("progressive.stake_minor", Reason("not_positive"))
    jackpot = Jackpot(
        stake_minor=stake,
        meter=read_paytable(wager.hand, meter, "progressive.meter_basis_points"),
        pays=read_paytable(wager.hand, pays, "progressive.pays"),
        envy=read_paytable(wager.hand, envy, "progressive.envy"),
        contribution=contribution,
        seed_minor=seed,
        meter_minor=max(at, seed),
    )
    if not jackpot.meter or max(jackpot.meter.values()) > WHOLE:
        raise BadOptions("progressive.meter_basis_points", Reason("meter_unwon"))
    if set(meter) & set(pays):
        raise BadOptions("progressive.pays", Reason("units_or_meter"))
    return jackpot


def _figure(name: str, terms: dict[str, Any], most: int = 2**53) -> int:
    value = terms.pop(name, None)
    if type(value) is not int or not 0 <= value <= most:
        raise BadOptions(f"progressive.{name}", Reason("whole_between", least=0, most=most))
    return value


def _most(where: str, value: Any) -> int | None:
    if value is not None and (type(value) is not int or value <= 0):
        raise BadOptions(where, Reason("above_or_left_out"))
    return value


def _spots(game: BankedGame, value: Any) -> int:
    most = len(game.seats)
    if type(value) is not int or not 1 <= value <= most:
        raise BadOptions("spots_per_player", Reason("whole_between", least=1, most=most))
    return value


def _limits(game: BankedGame, wager: str, figures: Any) -> Limits:
    where = f"limits.{wager}"
    if wager not in {placed.id for placed in game.placed}:
        raise BadOptions(where, Reason("not_before_deal"))
    figures = _mapping(where, figures)
    if set(figures) != {"least_minor", "most_minor", "step_minor"}:
        raise BadOptions(where, Reason("limits_of"))
    limits = Limits(**figures)
    least, most, step = limits.least_minor, limits.most_minor, limits.step_minor
    if any(type(figure) is not int for figure in (least, most, step)):
        raise BadOptions(where, Reason("whole_minor"))
    if not 0 < step <= least <= most <= MOST_STAKE_MINOR or least % step or most % step:
        raise BadOptions(
            where,
            Reason("limits_order", most_minor=MOST_STAKE_MINOR),
        )
    return limits


def _wager_order(game: BankedGame, order: Any) -> tuple[str, ...]:
    """The table's order, the game's own for what it does not name."""
    usual = game.settling.order
    if order is None:
        return usual
    if not isinstance(order, list | tuple) or len(set(map(str, order))) != len(order):
        raise BadOptions("settle_wagers", Reason("wagers_once"))
    if not set(order) <= set(usual):
        raise BadOptions("settle_wagers", Reason("known_wagers", known=tuple(usual)))
    return (*order, *(wager for wager in usual if wager not in order))


def _mapping(where: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadOptions(where, Reason("no_object"))
    return value


def _one_of(where: str, value: Any, words: tuple[str, ...]) -> str:
    if value is None:
        return words[0]
    if value not in words:
        raise BadOptions(where, Reason("not_one_of", known=words))
    return str(value)
