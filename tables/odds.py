"""What a game against the house pays and how likely each line is, from the version in force."""

from fractions import Fraction
from typing import Any

from tables.engine.banked.options import RULES, read_rules
from tables.engine.banked.sheet import sheet
from tables.engine.banked.vocabulary import BankedGame
from tables.engine.games import GAMES
from tables.errors import NoOdds, TableNotFound
from tables.models import Paytable, Table
from wallets import selectors as wallet_selectors
from wallets import services as wallets


def table_odds(table_id: int) -> dict[str, Any]:
    """The odds of a table from the next round on, which are those of the round in play too unless
    `changes` says otherwise. Raises TableNotFound, NoOdds.
    """
    table = Table.objects.select_related("paytable").filter(pk=table_id).first()
    if table is None:
        raise TableNotFound(table_id)
    game = GAMES.get(table.game)
    if not isinstance(game, BankedGame):
        raise NoOdds(table_id)
    rules = {name: table.options[name] for name in RULES if name in table.options}
    prices = table.paytable.prices if table.paytable is not None else None
    figures = prices or sheet(game, rules)
    limits = table.options["limits"]
    on_fold = read_rules(game, rules).policy.on_fold
    offered = [w.id for w in game.placed if w.id in figures and w.id in limits]
    progressive = rules.get("progressive")
    return {
        "table": table.pk,
        "name": table.name,
        "game": {"id": game.id, "name": game.name},
        "paytable": _version(table.paytable),
        "in_play": _in_play(table),
        "currency": table.currency,
        "exponent": wallet_selectors.exponents()[table.currency],
        "spots_per_player": table.options.get("spots_per_player", 1),
        "qualifier": rules.get("qualifier", game.qualifiers[0]),
        "policy": rules.get("policy", {}),
        "most_spot_minor": rules.get("most_spot_minor"),
        "most_round_minor": rules.get("most_round_minor"),
        "meter_minor": None if progressive is None else _meter_minor(table, progressive),
        "wagers": [
            {
                "id": wager,
                "name": game.wager[wager].name,
                "limits": limits[wager],
                "on_fold": on_fold.get(wager),
                **figures[wager],
                "percent": percents(figures[wager]),
            }
            for wager in offered
        ],
    }


PERCENTS = ("return", "house_edge", "element_of_risk", "hit_frequency", "played")


def percents(figures: dict[str, Any]) -> dict[str, str]:
    """The fractions as people read them, in percent with three decimals."""
    return {name: percent(figures[name]) for name in PERCENTS}


def percent(part: list[int]) -> str:
    thousandths = round(Fraction(*part) * 100_000)
    sign = "-" if thousandths < 0 else ""
    return f"{sign}{abs(thousandths) // 1000}.{abs(thousandths) % 1000:03}"


def _version(paytable: Paytable | None) -> dict[str, Any] | None:
    if paytable is None:
        return None
    return {"id": paytable.pk, "name": paytable.name, "version": paytable.version}


def _in_play(table: Table) -> dict[str, Any] | None:
    """The version of the round in play, which may be the one before."""
    if table.hand_id is None:
        return None
    hand = table.hands.select_related("paytable").get(pk=table.hand_id)
    return _version(hand.paytable)


def _meter_minor(table: Table, progressive: dict[str, Any]) -> int:
    account = table.accounts["jackpot"]
    seed_minor: int = progressive["seed_minor"]
    return max(wallets.balances_of(account_ids=[account])[account], seed_minor)
