"""How the books stand: what players own against what came in for it, and how far they are sealed.

Source: standards REP-04, LOG-01.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.translation import gettext as say

from casino.core.models import LogEntry, LogSeal
from casino.core.seal import STREAMS, stream_entries
from wallets.models import Purpose
from wallets.reconciling import trial_balance

OWNED = frozenset({Purpose.CASH, Purpose.PENDING, Purpose.SEAT, Purpose.IN_PLAY, Purpose.JACKPOT})
"""What is players': theirs, on its way to or from them, at a table, or to be won by them."""
DEALERS = frozenset({Purpose.TIPS})
"""What is the dealers': given to them, and not paid out yet."""
BROUGHT = frozenset({Purpose.CAGE, Purpose.OPERATOR})
"""Where money comes in: these accounts are below zero by as much as is here."""


WHOSE = {"owned": OWNED, "dealers": DEALERS, "brought": BROUGHT}


@dataclass(frozen=True)
class Line:
    """Accounts of a purpose, in minor units. whose: "owned", "dealers", "brought" or "house"."""

    words: str
    whose: str
    accounts: int
    minor: int


@dataclass
class Standing:
    """A currency's trial balance."""

    currency: str
    lines: list[Line] = field(default_factory=list)

    def _sum(self, whose: str) -> int:
        return sum(line.minor for line in self.lines if line.whose == whose)

    @property
    def owned_minor(self) -> int:
        return self._sum("owned")

    @property
    def held_minor(self) -> int:
        return -self._sum("brought")

    @property
    def house_minor(self) -> int:
        """What is left for the house; below zero it would have to bring money."""
        return self.held_minor - self.owned_minor - self._sum("dealers")

    @property
    def differs_minor(self) -> int:
        """A currency's accounts sum to zero."""
        return sum(line.minor for line in self.lines)


def standings() -> list[Standing]:
    """By currency; those in which nothing ever moved are left out."""
    found: dict[str, Standing] = {}
    for row in trial_balance():
        purpose = Purpose(row["purpose"])
        whose = next((name for name, some in WHOSE.items() if purpose in some), "house")
        line = Line(say(str(purpose.label)), whose, row["accounts"], row["minor"])
        found.setdefault(row["currency"], Standing(row["currency"])).lines.append(line)
    return [each for each in found.values() if any(line.minor for line in each.lines)]


@dataclass(frozen=True)
class Sealed:
    """What a seal or a stream's root covers. upto, last: the newest id that is, and that there is.

    at: of the newest seal; "" while there is none."""

    words: str
    upto: int
    last: int
    at: object = ""


def sealed() -> list[Sealed]:
    """The log itself, and each stream of rows whose roots stand in it."""
    seal = LogSeal.objects.order_by("-id").first()
    newest = LogEntry.objects.order_by("-id").values_list("id", flat=True).first() or 0
    upto, at = (seal.to_id, seal.sealed_at) if seal else (0, "")
    found = [Sealed(say("log"), upto, newest, at)]
    for name, stream in STREAMS.items():
        entry = stream_entries(name).order_by("-id").first()
        upto, at = (int(entry.facts["to"]), entry.at) if entry else (0, "")
        found.append(Sealed(say(name), upto, stream.last_id(), at))
    return found
