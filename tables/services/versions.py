"""What versions of the paytables must hold, and which one a table is opened with."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.conf import settings
from django.db.models import Max
from django.db.models.functions import Now

from casino.core.log import log
from casino.core.models import User
from tables.engine.banked.options import RULES, read_rules
from tables.engine.banked.sheet import priced, rules_hash, sheet
from tables.engine.banked.vocabulary import BankedGame
from tables.engine.errors import UnknownGame
from tables.engine.games import GAMES
from tables.errors import PaytableNotApproved, ReturnOutOfBounds
from tables.models import Paytable, Table

HOUSE_NAME = "house"
Status = Paytable.Status


def adopted(table: Table, *, by: User | None = None) -> Paytable:
    """The approved version whose rules the table's options hold, for a table that names none.

    by: a person needs an approved one; the house itself (None) ships what it opens tables with.
    Raises PaytableNotApproved, ReturnOutOfBounds, BadOptions.
    """
    content = {name: table.options[name] for name in RULES if name in table.options}
    wanted = rules_hash(content)
    known = Paytable.objects.filter(
        game=table.game, content_hash=wanted, status=Status.APPROVED
    ).order_by("pk")
    if (found := known.first()) is not None:
        return found
    if by is not None:
        raise PaytableNotApproved(wanted)
    game = banked_game(table.game)
    returns_check(game, content)
    shipped = Paytable.objects.create(
        game=table.game,
        name=HOUSE_NAME,
        version=next_version(table.game, HOUSE_NAME),
        content=content,
        content_hash=wanted,
        prices=sheet(game, content),
        status=Status.APPROVED,
        priced_at=Now(),
        approved_at=Now(),
    )
    log("paytable.shipped", f"paytable:{shipped.pk}", None, version_facts(shipped))
    return shipped


def returns_check(game: BankedGame, content: Mapping[str, Any]) -> None:
    """Hold every wager's return against the floor and ceiling. Raises ReturnOutOfBounds."""
    bounds: Mapping[str, Sequence[int]] = settings.PAYTABLE_RETURN_BP
    for each in priced(game, read_rules(game, content)):
        least, most = bounds.get(each.wager, bounds["default"])
        for price in (each.price, each.never_folded):
            back = 1 - price.house_edge
            if not Fraction(least, 10_000) <= back <= Fraction(most, 10_000):
                raise ReturnOutOfBounds(each.wager, percent(back), _bp(least), _bp(most))


def percent(figure: Fraction, places: int = 4) -> str:
    """A fraction in percent, rounded half to even at so many decimals."""
    scaled = round(figure * 100 * 10**places)
    return str(Decimal(scaled).scaleb(-places))


def _bp(basis_points: int) -> str:
    return str(Decimal(basis_points).scaleb(-2))


def banked_game(game_id: str) -> BankedGame:
    """Raises UnknownGame."""
    game = GAMES.get(game_id)
    if not isinstance(game, BankedGame):
        raise UnknownGame(game_id)
    return game


def paytable_facts(paytable: Paytable) -> dict[str, Any]:
    return {"id": paytable.pk, "name": paytable.name, "version": paytable.version}


def next_version(game: str, name: str) -> int:
    last = Paytable.objects.filter(game=game, name=name).aggregate(last=Max("version"))["last"]
    return (last or 0) + 1


def version_facts(paytable: Paytable) -> dict[str, Any]:
    return {"version": paytable.version, "content_sha256": paytable.content_hash}
