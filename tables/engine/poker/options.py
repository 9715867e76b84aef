"""What a table sets for its game: the limit, forced bets, chips and rake, in minor units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import orjson

from tables.engine.cards import CARD_OF
from tables.engine.errors import BadOptions
from tables.engine.poker.reading import amount as _amount
from tables.engine.poker.reading import checked as _checked
from tables.engine.poker.reading import flag as _flag
from tables.engine.poker.reading import one_of as _one_of
from tables.engine.poker.special_options import BombPot, Kill, bomb_pot_of, kill_of, straddle_of
from tables.engine.poker.vocabulary import (
    ANTES,
    BLINDS_FROM_BUTTON,
    BLINDS_OR_ANTES,
    BRING_IN,
    SPREAD,
    PokerGame,
)
from tables.engine.reasons import Reason

POSITION, SUIT = "position", "suit"
"""What decides between equals: who sits nearest clockwise from the button, or a card's suit."""


@dataclass(frozen=True, slots=True)
class Rake:
    """A part of every pot, at most a cap by the number of players dealt in.

    caps_minor: (players from, cap), ascending; () takes no cap.
    """

    basis_points: int
    caps_minor: tuple[tuple[int, int], ...] = ()
    no_flop_no_drop: bool = True

    def cap_minor(self, players: int) -> int | None:
        """The cap of the largest number of players named that is not above `players`."""
        cap = self.caps_minor[0][1] if self.caps_minor else None
        for least, amount in self.caps_minor:
            if players >= least:
                cap = amount
        return cap


@dataclass(frozen=True, slots=True)
class Drop:
    """What a hand gives to the table's jackpots, after the rake: a sum, or a part of its pots.

    most_minor: the most that a part may be; None takes no cap. from_minor: the pots, rake
    included, from which on it is taken.
    """

    amount_minor: int = 0
    basis_points: int = 0
    most_minor: int | None = None
    from_minor: int = 0


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one table, complete and checked.

    blinds_minor: from the button's left (heads-up: the big blind is the left one).
    least_bet_minor: the least bet in all limits but fixed. spread_minor: (least, most).
    """

    limit: str
    blinds_minor: tuple[int, ...]
    ante_minor: int
    bring_in_minor: int
    bets_minor: tuple[int, int, int]
    least_bet_minor: int
    spread_minor: tuple[int, int]
    chip_minor: int
    rake: Rake | None
    max_raises: int
    uncapped_heads_up: bool
    auto_muck: bool
    no_double_bet: bool = False
    low_top: int | None = None
    openers: str = "J"
    winner_min: bool = True
    no_check_raise: bool = False
    low: str | None = None
    no_joker: bool = False
    badugi_ace_high: bool = False
    declare: bool = False
    rollout: bool = False
    bet_before_pass: bool = False
    spit_called: bool = False
    only_spit_wild: bool = False
    kill_card: str = "Kh"
    naturals_win: bool = False
    odd_chips: str = POSITION
    bring_in_tie: str = SUIT
    die_map: tuple[str, ...] = ()
    cap_big_blinds: int | None = None
    drop: Drop | None = None
    straddle: str | None = None
    runs: int = 1
    show_window: bool = False
    rabbit: bool = False
    bomb_pot: BombPot | None = None
    kill: Kill | None = None
    changes_game: bool = False
    """Whether any of these has the game dealt otherwise than its definition says."""

    def to_json(self) -> dict[str, Any]:
        """The options in the form `read_options` takes, nothing left to a default."""
        rake = self.rake
        return {
            "limit": self.limit,
            "blinds_minor": list(self.blinds_minor),
            "ante_minor": self.ante_minor,
            "bring_in_minor": self.bring_in_minor,
            "small_bet_minor": self.bets_minor[0],
            "big_bet_minor": self.bets_minor[1],
            "min_bet_minor": self.least_bet_minor,
            "spread_minor": list(self.spread_minor) if self.limit == SPREAD else None,
            "chip_minor": self.chip_minor,
            "rake": None
            if rake is None
            else {
                "basis_points": rake.basis_points,
                "caps_minor": {str(least): cap for least, cap in rake.caps_minor},
                "no_flop_no_drop": rake.no_flop_no_drop,
            },
            "max_raises": self.max_raises,
            "uncapped_heads_up": self.uncapped_heads_up,
            "auto_muck": self.auto_muck,
            "no_double_bet": self.no_double_bet,
            "low_top": self.low_top,
            "openers": self.openers,
            "winner_min": "trips" if self.winner_min else None,
            "no_check_raise": self.no_check_raise,
            "low": self.low,
            "no_joker": self.no_joker,
            "badugi_ace_high": self.badugi_ace_high,
            **{name: getattr(self, name) for name in SHAPES},
            "kill_card": self.kill_card,
            "naturals_win": self.naturals_win,
            "odd_chips": self.odd_chips,
            "bring_in_tie": self.bring_in_tie,
            "die_map": list(self.die_map) or None,
            "cap_big_blinds": self.cap_big_blinds,
            "drop": None if self.drop is None else asdict(self.drop),
            "straddle": self.straddle,
            "runs": self.runs,
            "show_window": self.show_window,
            "rabbit": self.rabbit,
            "bomb_pot": None if self.bomb_pot is None else asdict(self.bomb_pot),
            "kill": None if self.kill is None else asdict(self.kill),
        }


SHAPES = ("declare", "rollout", "bet_before_pass", "spit_called", "only_spit_wild")
"""Options that are simply on or off and off by default, of home games."""

DROP = ("amount_minor", "basis_points", "most_minor", "from_minor")
LEAST_CAP = 5
"""In big blinds: room for the forced bets and a raise of them."""

CHANGING = ("no_joker", "declare", "low", "rollout", "bet_before_pass", "spit_called")

DIE_FACES, DIE_CARDS = 6, range(2, 7)
DIE_HANDS = ("high", "7ob", "8ob", "9ob")
"""What a table may say of each face of a die that is rolled before the deal."""

MOST_READ = 4096
_READ: dict[tuple[str, str, tuple[str, ...], bytes], Options] = {}

KNOWN = frozenset((
    "limit", "small_blind_minor", "big_blind_minor", "blinds_minor", "ante_minor",
    "bring_in_minor", "small_bet_minor", "big_bet_minor", "min_bet_minor", "spread_minor",
    "chip_minor", "rake", "max_raises", "uncapped_heads_up", "auto_muck",
    "no_double_bet", "low_top", "openers", "winner_min", "no_check_raise", "low", "no_joker",
    "badugi_ace_high", *SHAPES, "kill_card", "naturals_win", "odd_chips", "bring_in_tie",
    "die_map", "cap_big_blinds", "drop", "straddle", "runs", "show_window", "rabbit",
    "bomb_pot", "kill",
))  # fmt: skip


def read_options(game: PokerGame, data: Mapping[str, Any]) -> Options:
    """Check a table's options and fill in what they leave open. Raises BadOptions.

    By default the small blind is half the big one, the small bet the big blind, the big bet twice
    the small one; in ante games the ante is a fifth and the bring-in half of the small bet.
    """
    for name in data:
        if name not in KNOWN:
            raise BadOptions(str(name), Reason("not_an_option"))
    chip = _amount(data, "chip_minor", 1, least=1)
    limit = data.get("limit") or game.default_limit
    if limit not in game.limits:
        raise BadOptions("limit", Reason("limit_not_played", limit=limit, known=game.limits))
    blinds = _blinds(game, data, chip)
    spread = _spread(data) if limit == SPREAD else (0, 0)
    unit = max(blinds, default=0) or spread[0]
    least_bet = _amount(data, "min_bet_minor", unit)
    small_bet = _amount(data, "small_bet_minor", unit or least_bet)
    least_bet = least_bet or small_bet
    if not small_bet or not least_bet:
        raise BadOptions("small_bet_minor", Reason("bet_not_positive"))
    big_bet = _amount(data, "big_bet_minor", 2 * small_bet, least=small_bet)
    fifth = 0 if blinds else max(chip, _whole(small_bet // 5, chip))
    ante = _amount(data, "ante_minor", fifth)
    bring_in = 0
    if game.forced == BRING_IN:
        bring_in = _amount(data, "bring_in_minor", max(chip, _whole(small_bet // 2, chip)))
        if not 0 < bring_in <= small_bet:
            raise BadOptions("bring_in_minor", Reason("bring_in_of_bet"))
    options = Options(
        limit=limit,
        blinds_minor=blinds,
        ante_minor=ante,
        bring_in_minor=bring_in,
        bets_minor=(small_bet, big_bet, 2 * big_bet),
        least_bet_minor=spread[0] if limit == SPREAD else least_bet,
        spread_minor=spread,
        chip_minor=chip,
        rake=_rake(data.get("rake")),
        max_raises=_amount(data, "max_raises", 3, least=1),
        uncapped_heads_up=_flag(data, "uncapped_heads_up", False),
        auto_muck=_flag(data, "auto_muck", True),
        no_double_bet=_flag(data, "no_double_bet", False),
        low_top=_one_of(data, "low_top", (None, 7, 8, 9)),
        openers=_one_of(data, "openers", ("J", "Q", "K", "A")),
        winner_min=_one_of(data, "winner_min", ("trips", None)) is not None,
        no_check_raise=_flag(data, "no_check_raise", False),
        low=_one_of(data, "low", (None, "a5", "a6", "27")),
        no_joker=_flag(data, "no_joker", False),
        badugi_ace_high=_flag(data, "badugi_ace_high", False),
        **{name: _flag(data, name, False) for name in SHAPES},
        kill_card=_kill_card(data.get("kill_card", "Kh")),
        naturals_win=_flag(data, "naturals_win", False),
        odd_chips=_one_of(data, "odd_chips", (POSITION, SUIT)),
        bring_in_tie=_one_of(data, "bring_in_tie", (SUIT, POSITION)),
        die_map=_die_map(game, data.get("die_map")),
        cap_big_blinds=_amount(data, "cap_big_blinds", 0, least=LEAST_CAP) or None,
        drop=_drop(data.get("drop"), chip),
        straddle=straddle_of(blinds, data),
        runs=_one_of(data, "runs", (1, 2, 3)),
        show_window=_flag(data, "show_window", False),
        rabbit=_flag(data, "rabbit", False),
        bomb_pot=bomb_pot_of(game, data.get("bomb_pot"), chip),
        kill=kill_of(limit, blinds, (small_bet, big_bet), data.get("kill"), chip),
        changes_game=any(data.get(name) for name in CHANGING),
    )
    _whole_chips(options)
    return options


def options_of(game: PokerGame, data: Mapping[str, Any]) -> Options:
    """`read_options`, remembered: a table's options come with every action of its hands."""
    try:
        text = orjson.dumps(data)  # the quickest way to tell one table's options from another's
    except TypeError:
        return read_options(game, data)
    key = (game.id, game.forced, game.limits, text)
    options = _READ.get(key)
    if options is None:
        if len(_READ) >= MOST_READ:
            _READ.clear()
        options = _READ[key] = read_options(game, data)
    return options


def _blinds(game: PokerGame, data: Mapping[str, Any], chip: int) -> tuple[int, ...]:
    listed = data.get("blinds_minor")
    if listed is not None:
        if not isinstance(listed, (list, tuple)):
            raise BadOptions("blinds_minor", Reason("no_amounts"))
        blinds = tuple(_checked("blinds_minor", blind) for blind in listed)
    else:
        big = _amount(data, "big_blind_minor", 0)
        default = max(chip, _whole(big // 2, chip)) if big else 0
        small = _amount(data, "small_blind_minor", default)
        blinds = (small, big) if big else ()
        if game.forced == BLINDS_FROM_BUTTON and big:
            blinds = (small, small, big)
    if game.forced in (ANTES, BRING_IN):
        if any(blinds):
            raise BadOptions("blinds_minor", Reason("no_blinds"))
        return ()
    if game.forced == BLINDS_OR_ANTES and not any(blinds):
        return ()
    if not blinds or max(blinds) != blinds[-1] or not blinds[-1]:
        raise BadOptions("big_blind_minor", Reason("last_blind"))
    return blinds


def _spread(data: Mapping[str, Any]) -> tuple[int, int]:
    given = data.get("spread_minor")
    if not isinstance(given, (list, tuple)) or len(given) != 2:
        raise BadOptions("spread_minor", Reason("spread_needs"))
    least, most = (_checked("spread_minor", amount) for amount in given)
    if not 0 < least <= most:
        raise BadOptions("spread_minor", Reason("spread_order"))
    return least, most


def _kill_card(given: Any) -> str:
    if not isinstance(given, str) or given not in CARD_OF:
        raise BadOptions("kill_card", Reason("no_card", card=given))
    return str(given)


def _die_map(game: PokerGame, given: Any) -> tuple[str, ...]:
    """By face: how many hole cards are dealt, and for what, as "5 8ob"."""
    if given is None:
        return ()
    if not game.die:
        raise BadOptions("die_map", Reason("no_die"))
    if not isinstance(given, (list, tuple)) or len(given) != DIE_FACES:
        raise BadOptions("die_map", Reason("die_faces", faces=DIE_FACES))
    for face in given:
        cards, _, hand = str(face).partition(" ")
        if cards not in map(str, DIE_CARDS) or hand not in DIE_HANDS:
            raise BadOptions(
                "die_map",
                Reason(
                    "die_face",
                    face=face,
                    least=DIE_CARDS[0],
                    most=DIE_CARDS[-1],
                    known=tuple(DIE_HANDS),
                ),
            )
    return tuple(given)


def _rake(data: Any) -> Rake | None:
    if data is None:
        return None
    if not isinstance(data, Mapping):
        raise BadOptions("rake", Reason("no_object_or_null"))
    for name in data:
        if name not in ("basis_points", "caps_minor", "no_flop_no_drop"):
            raise BadOptions("rake", Reason("not_part", part=name))
    points = _amount(data, "basis_points", 0)
    if points > 10_000:
        raise BadOptions("rake", Reason("over_the_pot"))
    caps = data.get("caps_minor") or {}
    if not isinstance(caps, Mapping):
        raise BadOptions("rake", Reason("caps"))
    try:
        pairs = sorted((int(least), _checked("caps_minor", cap)) for least, cap in caps.items())
    except ValueError:
        raise BadOptions("rake", Reason("caps")) from None
    return Rake(points, tuple(pairs), _flag(data, "no_flop_no_drop", True))


def _drop(data: Any, chip: int) -> Drop | None:
    if data is None:
        return None
    if not isinstance(data, Mapping):
        raise BadOptions("drop", Reason("no_object_or_null"))
    for name in data:
        if name not in DROP:
            raise BadOptions("drop", Reason("not_part", part=name))
    sum_minor, points = _amount(data, "amount_minor", 0), _amount(data, "basis_points", 0)
    if bool(sum_minor) == bool(points) or points > 10_000:
        raise BadOptions("drop", Reason("drop_of"))
    if sum_minor % chip:
        raise BadOptions("drop", Reason("not_whole", amount_minor=sum_minor, chip_minor=chip))
    most = data.get("most_minor")
    if most is not None and (sum_minor or _checked("drop", most) < chip):
        raise BadOptions("drop", Reason("drop_most"))
    return Drop(sum_minor, points, most, _amount(data, "from_minor", 0))


def _whole_chips(options: Options) -> None:
    """Every bet of the table must be a whole number of chips."""
    chip = options.chip_minor
    if chip == 1:
        return
    for field in fields(options):
        if field.name.endswith("_minor"):
            held = getattr(options, field.name)
            for amount in held if isinstance(held, tuple) else (held,):
                if amount % chip:
                    raise BadOptions(
                        field.name, Reason("not_whole", amount_minor=amount, chip_minor=chip)
                    )


def _whole(amount: int, chip: int) -> int:
    return amount - amount % chip
