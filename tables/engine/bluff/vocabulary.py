"""What a game of liar's dice is, and what a table may set for it.

Source: docs/rules/bluff.md 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tables.engine.errors import BadDefinition, BadOptions
from tables.engine.reasons import Reason

COMMON, PASSED = "common", "passed"
"""Everybody rolls and bids on all dice; or one set of dice goes round with a call."""

DIE, OUT, ANTE, LIFE = "die", "out", "ante", "life"
"""What the loser of a challenge loses: a die, the game, an ante to its winner, or a life."""


@dataclass(frozen=True, slots=True)
class BluffGame:
    """seats: how many may play; money_seats: how many for money. losses: the usual one first."""

    family: ClassVar[str] = "bluff"

    id: str
    name: str
    kind: str
    seats: range
    money_seats: range
    losses: tuple[str, ...]
    source: str
    dice: int = 5

    def to_json(self) -> dict[str, Any]:
        """The game as plain JSON; `from_json` reads it back."""
        return {
            "family": self.family,
            "id": self.id,
            "name": self.name,
            "kind": self.kind,
            "seats": [self.seats.start, self.seats.stop],
            "money_seats": [self.money_seats.start, self.money_seats.stop],
            "losses": list(self.losses),
            "source": self.source,
            "dice": self.dice,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> BluffGame:
        """The game that `to_json` wrote. Raises BadDefinition."""
        given = {name: value for name, value in stored.items() if name != "family"}
        try:
            given["seats"] = range(*given["seats"])
            given["money_seats"] = range(*given["money_seats"])
            given["losses"] = tuple(given["losses"])
            return cls(**given)
        except (KeyError, TypeError) as error:
            raise BadDefinition(
                str(stored.get("id", "")), Reason("unreadable", fault=str(error))
            ) from None


@dataclass(frozen=True, slots=True)
class BluffOptions:
    """Checked options of a table.

    lives: of each player where a challenge costs a life. The rake is taken from the pot, at most
    its cap by the number of players dealt in; () takes no cap.
    """

    ante_minor: int
    loss: str
    lives: int
    chip_minor: int
    rake_basis_points: int
    rake_caps_minor: tuple[tuple[int, int], ...]

    def rake_minor(self, pot_minor: int, players: int) -> int:
        due = pot_minor * self.rake_basis_points // 10_000
        caps = [cap for least, cap in self.rake_caps_minor if players >= least]
        if self.rake_caps_minor:
            due = min(due, caps[-1] if caps else self.rake_caps_minor[0][1])
        return due - due % self.chip_minor


KNOWN = ("ante_minor", "loss", "lives", "chip_minor", "rake")


def read_options(game: BluffGame, options: Mapping[str, Any]) -> BluffOptions:
    """Check a table's options (plain JSON) against its game. Raises BadOptions."""
    for key in options:
        if key not in KNOWN:
            raise BadOptions(str(key), Reason("not_an_option"))
    chip = _whole(options, "chip_minor", 1, least=1)
    ante = _whole(options, "ante_minor", None, least=chip)
    if ante % chip:
        raise BadOptions("ante_minor", Reason("whole_chips"))
    loss = options.get("loss", game.losses[0])
    if loss not in game.losses:
        raise BadOptions("loss", Reason("not_one_of", known=game.losses))
    rake = options.get("rake") or {}
    if not isinstance(rake, Mapping):
        raise BadOptions("rake", Reason("no_object_or_null"))
    basis_points = _whole(rake, "basis_points", 0, least=0)
    if basis_points > 10_000:
        raise BadOptions("basis_points", Reason("at_most", most=10_000))
    return BluffOptions(
        ante_minor=ante,
        loss=loss,
        lives=_whole(options, "lives", 3, least=1),
        chip_minor=chip,
        rake_basis_points=basis_points,
        rake_caps_minor=_caps(rake.get("caps_minor") or {}),
    )


def _caps(caps: Any) -> tuple[tuple[int, int], ...]:
    try:
        read = sorted((int(players), cap) for players, cap in caps.items())
    except (AttributeError, ValueError) as error:
        raise BadOptions("caps_minor", Reason("caps_by_players")) from error
    if any(type(cap) is not int or cap < 0 for _, cap in read):
        raise BadOptions("caps_minor", Reason("caps_whole"))
    return tuple(read)


def _whole(options: Mapping[str, Any], name: str, usual: int | None, *, least: int) -> int:
    value = options.get(name, usual)
    if type(value) is not int or value < least:
        raise BadOptions(name, Reason("whole_from", least=least))
    return value
