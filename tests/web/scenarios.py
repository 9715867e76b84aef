"""Hands and moments that come seldom and fill a screen most: for pictures, and to see what fits."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tables.engine.cards import CARD_TEXT
from tables.engine.games.three_card_poker import STANDARD_PAYTABLES
from tables.engine.poker.bombs import as_bomb_pot, bomb_options
from tables.engine.poker.options import options_of
from tests.web.record import NAMES, Recorder

Record = dict[str, Any]
STEPS_MOST = 80
BLINDS = {"limit": "no_limit", "small_blind_minor": 500, "big_blind_minor": 1000, "chip_minor": 100}
OPTIONS = {
    **BLINDS,
    "straddle": "either",
    "runs": 3,
    "rabbit": True,
    "show_window": True,
    "bomb_pot": {"ante_minor": 3000, "boards": 2, "every_hands": 10},
    "rake": {"basis_points": 500, "caps_minor": {"2": 1000}, "no_flop_no_drop": True},
}


def shuffled(seed: int) -> str:
    return " ".join(Random(seed).sample(CARD_TEXT[:52], 52))


def all_in(table: Recorder) -> None:
    """Whoever can raises all he has, the others call; the board is dealt as often as may be."""
    for _ in range(STEPS_MOST):
        hand = table.hand
        if hand.over:
            break
        if not hand.waiting:
            table.expire(1)
            continue
        seat = hand.waiting[0]
        known = {one["name"]: one for one in hand.legal(seat)}
        if "run_it" in known:
            table.act(1, seat, "run_it", choice=table.options["runs"])
        elif "raise" in known or "bet" in known:
            name = "raise" if "raise" in known else "bet"
            table.act(2, seat, name, to_minor=known[name]["most_to_minor"])
        else:
            table.act(2, seat, "call" if "call" in known else "check")
    table.tell(0.05, ("hand_settled", {"hand_id": 9100}))


def nine_pots_three_runs() -> Record:
    stacks = {seat: 2000 + 3150 * seat for seat in range(1, 10)}
    table = Recorder("holdem", {**BLINDS, "runs": 3}, stacks, id=12, name="12", max_seats=9)
    table.deal(shuffled(3), number=9100, button=1)
    all_in(table)
    return table.recording("Nine seats all-in with nine stacks, the board dealt three times.")


def nine_pots_high_and_low() -> Record:
    """Nine stacks all-in; the largest three tie for both halves, with odd chips and rake."""
    stacks = {seat: 12_000 + 31_700 * seat for seat in range(1, 10)}
    options = {**BLINDS, "limit": "pot", "rake": OPTIONS["rake"]}
    table = Recorder("omaha8", options, stacks, id=12, name="12", max_seats=9)
    dealt = (
        "7h 7d 7c 9s 9h As Ah Ad 7s "
        "9c 5s 5h 5d 5c 2s 2h 2d 9d "
        "6h 6d 6c 2c Tc Qs Qh Qd 6s "
        "Th Td Jc Qc Ac Js Jh Jd Ts "
    )  # a round each
    table.deal(f"{dealt} 8c 3s 4h 8d 8s Ks 8h Kh", number=9100, button=1)
    all_in(table)
    return table.recording("Nine pots, each for a high and a low hand.")


def pots_on_two_boards() -> Record:
    stacks = {seat: 5000 + 4050 * seat for seat in range(1, 7)}
    options = {**OPTIONS, "limit": "pot"}
    table = Recorder("omaha8", options, stacks, id=12, name="12")
    read = options_of(table.game, options)
    assert read.bomb_pot is not None
    table.game = as_bomb_pot(table.game, read.bomb_pot, len(stacks))  # type: ignore[arg-type]
    table.options = bomb_options(read)
    table.deal(shuffled(4), number=9100, button=1)
    all_in(table)
    return table.recording("A bomb pot of six on two boards, high and low, with side pots.")


def every_spot(times: int = 1) -> Record:
    """Seven spots with every wager there is, and a progressive. times: how much dearer."""
    side = {"least_minor": 500, "most_minor": 50_000, "step_minor": 500}
    wagers = ("ante_bonus", "pair_plus", "six_card", "prime")
    options = {
        "limits": {
            "ante": {**side, "most_minor": 500_000 * times},
            "pair_plus": side,
            "six_card": side,
            "prime": side,
            "progressive": {"least_minor": 100, "most_minor": 100, "step_minor": 100},
        },
        "paytables": {wager: next(iter(STANDARD_PAYTABLES[wager].values())) for wager in wagers},
        "progressive": {
            "stake_minor": 100,
            "contribution_basis_points": 7000,
            "seed_minor": 500_000,
            "meter_minor": 1_234_550,
            "meter_basis_points": {"mini_royal_spades": 10_000},
            "pays": {"straight_flush": 300, "three_of_a_kind": 60, "straight": 6},
            "envy": {"mini_royal_spades": 25},
        },
    }
    stacks = dict.fromkeys(range(1, 8), 2_000_000 * times)
    table = Recorder("three_card_poker", options, stacks, max_seats=7)
    table.deal(shuffled(5), number=148_213)
    for seat in stacks:
        ante = (125_500 + 1000 * seat) * times
        more = {"pair_plus": 12_500, "six_card": 10_000, "prime": 5000, "progressive": 100}
        table.act(1, seat, "bet", wagers={"ante": ante, **more})
    table.expire(9)
    for seat in stacks:
        table.act(1, seat, "fold" if seat == 3 else "play")
    table.tell(0.06, ("hand_settled", {"hand_id": 148_213}))
    return table.recording("Seven spots with every wager.")


def split_by_all() -> Record:
    """Every board plays for everybody: nobody's cards count, the pot is shared by all."""
    table = Recorder(
        "holdem", {**BLINDS, "runs": 2}, dict.fromkeys(range(1, 11), 43_300), max_seats=10
    )
    table.deal("", number=9100, button=1)
    all_in(table)
    return table.recording("Ten seats tied.")


def seats_of(count: int) -> list[dict[str, Any]]:
    return [
        {"seat": n, "player": NAMES[n - 1], "stack_minor": 123_450 * n, "status": "playing"}
        for n in range(1, count + 1)
    ]


def figures(*, banked: bool = False) -> dict[str, Any]:
    shown = [
        {"class": "two_pair", "ranks": "AK9"}, None, {"class": "full_house", "ranks": "T4"},
        {"class": "flush", "ranks": "KQJ97"}, {"class": "straight_flush", "ranks": "9"},
    ]  # fmt: skip
    dealers = [("Qs 8h 4c", True), ("9s 8d 3c", False), ("Ah Ad 2c", True), ("Jh 6s 2d", False),
               ("Ts Td Th", True)]  # fmt: skip
    lines = []
    for place in range(5):
        line: dict[str, Any] = {
            "hand_id": 9100 - place,
            "number": 12_344 - place,
            "at": "2026-01-15T19:59:00.000Z",
            "amount_minor": 124_050 * (place + 1),
            "won_minor": {str(place + 1): 118_000}
            | ({str(n): 4000 for n in range(6, 11)} if place == 2 else {}),
            "hand": None if banked else shown[place],
        }
        if banked:
            cards, qualifies = dealers[place]
            line["dealer"] = {"cards": cards.split(), "qualifies": qualifies}
        lines.append(line)
    recent = {
        "hands": 38, "span_s": 3540, "average_minor": 84_250, "most_minor": 512_000,
        "most_number": 12_301, "shown": 17,
    }  # fmt: skip
    return {"table": 7, "at": "2026-01-15T20:00:00.000Z", "last": lines, "recent": recent}


def between_hands() -> Record:
    table = Recorder("holdem", OPTIONS, dict.fromkeys(range(1, 10), 50_000), max_seats=9)
    table.snapshot["seats"] = seats_of(8)
    return {"snapshot": table.snapshot, "frames": [], "figures": figures()}


def between_rounds() -> Record:
    record = every_spot()
    return {"snapshot": record["snapshot"], "frames": [], "figures": figures(banked=True)}


def mixed(*, between: bool) -> Record:
    """The next game of a mix is announced, while the last hand of the one before is still seen."""
    stacks = {1: 50_000, 2: 40_000, 3: 60_000, 5: 30_000}
    options = {"limit": "fixed", "small_blind_minor": 500, "big_blind_minor": 1000}
    table = Recorder("omaha8", options, stacks, max_seats=6)
    facts = table.snapshot["table"]
    razz = {"id": "razz", "name": "Razz", "limit": "fixed"}
    since = table.snapshot["server_time"]
    table.snapshot["dealer"] = {"name": "Katarzyna", "since": since}
    table.snapshot["floor_calls"] = [{"why": "dispute", "since": since}]
    facts |= {"family": "mixed", "game": {"id": "horse", "name": "HORSE", "limit": ""}}
    facts["next_game"] = razz if between else table.game_facts()
    if between:
        return {"snapshot": table.snapshot, "frames": [], "figures": figures()}
    table.deal("", number=9100, button=1)
    all_in(table)
    table.tell(0.05, ("game_changed", {"game": razz, "stakes": options}))
    return table.recording("The last hand of Omaha hi-lo in HORSE; razz comes next.")


SCENARIOS: dict[str, Callable[[], Record]] = {
    "nine_pots_three_runs": nine_pots_three_runs,
    "nine_pots_high_and_low": nine_pots_high_and_low,
    "pots_on_two_boards": pots_on_two_boards,
    "split_by_all": split_by_all,
    "every_spot": every_spot,
    "every_spot_for_five_figures": lambda: every_spot(10),
    "every_spot_for_six_figures": lambda: every_spot(100),
    "between_hands": between_hands,
    "between_rounds": between_rounds,
    "next_game": lambda: mixed(between=False),
    "next_game_idle": lambda: mixed(between=True),
}


def scenario(name: str) -> Record:
    return SCENARIOS[name]()
