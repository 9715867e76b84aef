"""What was filled in, as the facts a table is opened with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from casino.console.kinds.fields import CAPS, CHOICE, FLAG, PERCENT, Field, nested
from tables.engine.banked.options import RULES
from tables.engine.games import CUSTOM
from tables.services import floor

if TYPE_CHECKING:
    from casino.console.kinds.forms import KindForm

NUMBERS = ("low_top", "runs", "bomb_pot.boards")  # chosen from a list, but whole numbers
PLAIN = (
    "chip_minor", "max_seats", "min_players", "buy_in_least_minor", "buy_in_most_minor",
    "decks_per_hand", "reveal_ms", "certified",
)  # fmt: skip


def facts_read(form: KindForm, cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """A table's columns; options hold only what was said, so that the rules fill in the rest."""
    facts = {name: cleaned[name] for name in PLAIN if name in cleaned}
    facts["game"], facts["currency"] = form.game_id, form.currency
    facts["timing"] = {
        name: _number(cleaned[f"timing.{name}"])
        for name in floor.TIMING
        if cleaned.get(f"timing.{name}") is not None
    }
    facts["options"] = options_read(form, cleaned)
    return facts


def options_read(form: KindForm, cleaned: Mapping[str, Any]) -> dict[str, Any]:
    limit = cleaned.get("o.limit")
    said = {
        field.name: _value(field, cleaned[f"o.{field.name}"])
        for field in form.options
        if not (field.limits and limit and limit not in field.limits)
    }
    options = nested({name: value for name, value in said.items() if value is not None})
    if form.composed is not None:
        options[CUSTOM] = dict(form.composed)
    if form.game.family == "banked":
        return _banked(form, cleaned, options)
    if form.game.family == "mixed":
        _mixed(cleaned, options)
    _lists(form, cleaned, options)
    _rake(options)
    _specials(options)
    known = {field.name.split(".")[0] for field in form.options}
    # What this form has no field for stays as it stands.
    kept = {
        name: value
        for name, value in form.stands.get("options", {}).items()
        if name not in known
        and name not in (CUSTOM, "chip_minor", "games", "levels", "blinds_minor")
    }
    return {**kept, **options}


def _value(field: Field, typed: Any) -> Any:
    """None for what was left open."""
    if field.kind == FLAG:
        if field.name == "winner_min":
            return "trips" if typed else None
        return None if bool(typed) == bool(field.initial) else bool(typed)
    if field.kind == PERCENT:
        return None if typed is None else int(typed * 100)
    if field.kind == CHOICE:
        if not typed or (typed == field.initial and field.name not in ("limit", "change.every")):
            return None
        return int(typed) if field.name in NUMBERS else typed
    return typed


def _lists(form: KindForm, cleaned: Mapping[str, Any], options: dict[str, Any]) -> None:
    """Amounts and faces that the rules take as a list."""
    spread = options.pop("spread_minor", None)
    if spread is not None:
        options["spread_minor"] = [spread.get("0"), spread.get("1")]
    if options.pop("die_map", None) is not None:
        die = form.game.die  # type: ignore[union-attr]
        options["die_map"] = [cleaned[f"o.die_map.{nth}"] or face for nth, face in enumerate(die)]


def _rake(options: dict[str, Any]) -> None:
    rake = options.get("rake")
    if rake is not None and not rake.get("basis_points"):
        del options["rake"]
    elif rake is not None and "caps_minor" in rake:
        caps = rake["caps_minor"]
        rake["caps_minor"] = {str(n): caps[str(n)] for n in CAPS if str(n) in caps}


def _specials(options: dict[str, Any]) -> None:
    """Bomb pots without an ante, kills without a size and drops of nothing are none."""
    for name, *needed in (
        ("bomb_pot", "ante_minor"), ("kill", "size"), ("drop", "amount_minor", "basis_points"),
    ):  # fmt: skip
        if name in options and not any(options[name].get(part) for part in needed):
            del options[name]


def _mixed(cleaned: Mapping[str, Any], options: dict[str, Any]) -> None:
    rows = _rows(cleaned, "games")
    games = [
        {"game": row["game"], "limit": row.get("limit") or "fixed"}
        for row in rows
        if row.get("game")
    ]
    if games:
        options["games"] = games
    levels = [row for row in _rows(cleaned, "levels") if row.get("small_bet_minor")]
    if levels:
        options["levels"] = levels


def _rows(cleaned: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
    found = nested(
        {
            name.removeprefix(f"{kind}."): value
            for name, value in cleaned.items()
            if name.startswith(f"{kind}.") and value not in (None, "")
        }
    )
    return [found[nth] for nth in sorted(found, key=int)]


def _banked(form: KindForm, cleaned: Mapping[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """The version's rules, and the table's own limits."""
    content = cleaned["paytable"].content
    limits: dict[str, Any] = {}
    for wager, figures in (options.get("limits") or {}).items():
        if figures.get("on"):
            stake = (content.get("progressive") or {}).get("stake_minor", 0)
            limits[wager] = dict.fromkeys(("least_minor", "most_minor", "step_minor"), stake)
        elif any(figures.values()):
            limits[wager] = {
                "least_minor": figures.get("least_minor") or 0,
                "most_minor": figures.get("most_minor") or 0,
                "step_minor": figures.get("step_minor") or cleaned["chip_minor"],
            }
    rules = {name: content[name] for name in RULES if name in content}
    return {**rules, "limits": limits, "spots_per_player": options.get("spots_per_player") or 1}


def _number(figure: Any) -> float | int:
    return int(figure) if figure == int(figure) else float(figure)
