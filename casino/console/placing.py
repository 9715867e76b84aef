"""What the pages about tables show and do: a form for what is asked, the services behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as say

from casino.console import composing, floors
from casino.console.kinds import telling
from casino.console.kinds.forms import KindForm, game_choices
from casino.console.models import Composition
from casino.console.pit import limits_words
from casino.console.refused import sentence
from casino.core.models import LogEntry, User
from tables.engine.errors import RuleViolation
from tables.engine.games import CUSTOM, Game, named
from tables.engine.games.mixed import MixedGame
from tables.models import Table, Template
from tables.services import floor, opening
from wallets.selectors import exponents

COMPOSED = "composed:"
USUAL_GAME, USUAL_CURRENCY = "holdem", "EUR"


@dataclass(frozen=True)
class Asked:
    """The kind of table a form is for. chosen: the value of the select."""

    chosen: str
    game_id: str
    game: Game | MixedGame
    currency: str
    composition: Composition | None = None
    custom: Mapping[str, Any] | None = None
    stands: Mapping[str, Any] | None = None


def asked(said: Mapping[str, Any]) -> Asked:
    """From an address: a game and a currency, perhaps a table to begin from. Raises Http404."""
    places = exponents()
    currency = str(said.get("currency", USUAL_CURRENCY))
    if currency not in places:
        currency = next(iter(sorted(places)))
    chosen = str(said.get("game", USUAL_GAME))
    if chosen.startswith(COMPOSED):
        number = chosen.removeprefix(COMPOSED)
        made = Composition.objects.filter(pk=number).select_related("trial").first() if (
            number.isdecimal() and len(number) < 19
        ) else None  # fmt: skip
        if made is None:
            raise Http404
        option = made.option
        return Asked(chosen, CUSTOM, named(CUSTOM, {CUSTOM: option}), currency, made, option)
    try:
        return Asked(chosen, chosen, named(chosen, {}), currency)
    except RuleViolation as error:
        raise Http404 from error


def asked_of(table: Table) -> Asked:
    stands = {**opening.facts_of(table), "pit": table.pit}
    return Asked(
        table.game, table.game, named(table.game, table.options), table.currency,
        custom=table.options.get(CUSTOM), stands=stands,
    )  # fmt: skip


def form_of(asked: Asked, data: Mapping[str, Any] | None, *, opening: bool = True) -> KindForm:
    return KindForm(
        data, game_id=asked.game_id, game=asked.game, currency=asked.currency,
        stands=asked.stands, composed=asked.custom, opening=opening,
        composition=asked.composition,
    )  # fmt: skip


def told(form: KindForm, facts: Mapping[str, Any] | None) -> tuple[telling.Told | None, str]:
    """The preview of a form in order; else of the game alone, with what is missing."""
    exponent = exponents()[form.currency]
    try:
        if facts is not None:
            return telling.told(Table(**{**facts, "name": "–"}), exponent), ""
        if form.stands:
            return telling.told(Table(**{**form.stands, "name": "–"}), exponent), ""
    except RuleViolation as error:
        return None, sentence(error)
    return telling.game_alone(form.game), ""


def opened(form: KindForm, *, is_draft: bool, by: User) -> Table:
    """Raises CompositionUntried and what `floor.table_open` does."""
    if form.composition is not None and not is_draft:
        composing.require_tried(form.composition)
    said = form.cleaned_data
    return floor.table_open(
        **form.facts, name=said["name"], pit=said["pit"], is_private=said["is_private"],
        float_minor=said.get("float_minor") or 0, is_draft=is_draft, by=by,
    )  # fmt: skip


def obstacle(table: Table) -> str:
    """Why a table's kind cannot change now; empty where it can."""
    if table.status == Table.Status.DRAFT:
        return ""
    if table.status != Table.Status.PAUSED or table.hand_id is not None:
        return say("Pause the table first: its kind changes between hands, where nobody sits.")
    if table.seats.exists() or table.carry is not None:
        return say("Somebody sits here: name, pit and clock can change, the game and stakes not.")
    return ""


def revised(table: Table, form: KindForm, name: str, *, by: User) -> str:
    """Raises as `opening.table_revise` and `floor.table_change` do."""
    facts = {k: v for k, v in form.facts.items() if k not in ("currency", "chip_minor", "game")}
    said = []
    changes = {
        field: value for field, value in facts.items() if value != getattr(table, field, None)
    }
    timing = changes.pop("timing", None)
    pit = form.cleaned_data["pit"]
    if changes:
        table = opening.table_revise(table_id=table.pk, changes=changes, by=by)
        said.append(say("Version {0} counts from the next hand.").format(table.version))
    if timing is not None or (name and name != table.name) or pit != table.pit:
        floor.table_change(table_id=table.pk, name=name or None, timing=timing, pit=pit, by=by)
        said.append(say("Name, pit and clock are kept."))
    return " ".join(said) or say("Nothing was changed.")


def rows(user: object) -> list[dict[str, Any]]:
    places = exponents()
    found = []
    for table in floors.tables_of(user).select_related("schedule").prefetch_related("seats"):
        game = named(table.game, table.options)
        found.append(
            {
                "table": table,
                "game": game.name,
                "stakes": limits_words(game.family, table.options, places[table.currency]),
                "taken": sum(seat.spots for seat in table.seats.all()),
                "schedule": getattr(table, "schedule", None),
            }
        )
    return found


def templates() -> list[dict[str, Any]]:
    places = exponents()
    return [
        {
            "template": template,
            "game": named(template.facts["game"], template.facts["options"]).name,
            "stakes": limits_words(
                named(template.facts["game"], template.facts["options"]).family,
                template.facts["options"], places[template.facts["currency"]],
            ),
            "currency": template.facts["currency"],
        }
        for template in Template.objects.all()
    ]  # fmt: skip


def choices() -> list[tuple[str, list[tuple[str, str]]]]:
    own = [
        (
            f"{COMPOSED}{made.pk}",
            made.name if made.is_tried else say("{0} (not tried)").format(made),
        )
        for made in Composition.objects.select_related("trial")
    ]
    return game_choices() + ([(say("The house’s own"), own)] if own else [])


def currencies() -> list[str]:
    return sorted(exponents())


def actors(table: Table) -> dict[int, str]:
    ids = LogEntry.objects.filter(subject=f"table:{table.pk}").values("actor_id")
    return dict(User.objects.filter(pk__in=ids).values_list("pk", "display_name"))
