"""Every game's options as fields: all of the vocabulary, errors beside them, told as dealt."""

from typing import Any

import pytest

from casino.console.kinds import fields, telling
from casino.console.kinds.forms import KindForm
from tables.engine.banked.vocabulary import Progressive
from tables.engine.games import GAMES, WITH_KILL_CARD, named
from tables.engine.games.mixed import MIXES, OF_EVERY_GAME, OF_THE_MIX
from tables.engine.poker.options import KNOWN
from tables.models import Paytable, Table
from tests.cast import three_card_table

pytestmark = pytest.mark.django_db(transaction=True)

BY_OTHER_FIELDS = {"chip_minor", "blinds_minor", "games", "levels"}


def heads(of: Any) -> set[str]:
    return {field.name.split(".")[0] for field in fields.fields_of(of)}


def test_every_option_of_the_vocabulary_has_a_field_in_some_game() -> None:
    every = set().union(*(heads(game) for game in (*GAMES.values(), *WITH_KILL_CARD.values())))
    assert set(KNOWN) - BY_OTHER_FIELDS <= every
    mixed = set().union(*(heads(mix) for mix in MIXES.values()))
    assert {*OF_EVERY_GAME, *OF_THE_MIX} - BY_OTHER_FIELDS <= mixed


END = {"least_minor": "5", "most_minor": "100", "step_minor": "1"}


def filled(game_id: str, **changed: str) -> dict[str, str]:
    """A form as somebody fills it in who leaves open what may be left open."""
    game = named(game_id, {})
    said = {
        "name": "Amber", "chip_minor": "0.50", "max_seats": str(game.seats[-1]),
        "min_players": str(max(2, game.seats[0])), "buy_in_least_minor": "50",
        "buy_in_most_minor": "200", "decks_per_hand": "4", "reveal_ms": "1000",
    }  # fmt: skip
    for field in fields.fields_of(game):
        name = f"o.{field.name}"
        if field.name in ("big_blind_minor", "small_bet_minor", "min_bet_minor"):
            said[name] = "2"
        elif field.name == "ante_minor" and game.family == "bluff":
            said[name] = "1"
        elif field.kind == fields.FLAG and field.initial:
            said[name] = "on"
        elif field.kind == fields.CHOICE:
            said[name] = str(field.initial or "")
        elif field.name.endswith(tuple(END)):
            said[name] = END[field.name.rpartition(".")[2]]
    return said | {name.replace("__", "."): value for name, value in changed.items()}


def form_of(game_id: str, data: dict[str, str]) -> KindForm:
    return KindForm(data, game_id=game_id, game=named(game_id, {}), currency="EUR")


# One game for each set of fields that a form can have.
FORMS = {
    tuple(field.name for field in fields.fields_of(game)): game.id
    for game in (*GAMES.values(), *MIXES.values(), *WITH_KILL_CARD.values())
}


@pytest.mark.parametrize("game_id", FORMS.values())
def test_a_table_is_opened_by_its_form_and_told_street_by_street(game_id: str) -> None:
    data = filled(game_id)
    if named(game_id, {}).family == "banked":
        table = three_card_table()
        data["paytable"] = str(table.paytable_id)
        data |= {name: "" for name in data if name.startswith("o.limits.prime")}
    form = form_of(game_id, data)
    assert form.is_valid(), (game_id, form.errors)
    told = telling.told(Table(**form.facts, name="T"), 2)
    assert told.stakes or told.parts, game_id
    if named(game_id, {}).family == "poker":
        assert any(street.cards for street in told.streets), game_id
        assert told.shares, game_id


def test_what_is_left_open_takes_the_rules_default_and_is_told() -> None:
    form = form_of("holdem", filled("holdem", o__limit="fixed"))
    assert form.is_valid()
    told = dict(telling.told(Table(**form.facts, name="T"), 2).stakes)
    assert told["Blinds"] == "1.00 / 2.00"
    assert told["Bets"] == "2.00 / 4.00"
    assert "min_bet_minor" not in form.facts["options"]  # of another limit


@pytest.mark.parametrize(
    ("game", "changed", "field"),
    [
        ("holdem", {"o__big_blind_minor": ""}, "o.big_blind_minor"),
        ("holdem", {"o__small_blind_minor": "0.75"}, "o.big_blind_minor"),
        ("holdem", {"max_seats": "11"}, "max_seats"),
        ("holdem", {"min_players": "9", "max_seats": "6"}, "min_players"),
        ("holdem", {"buy_in_least_minor": "300"}, "buy_in_least_minor"),
        ("holdem", {"o__limit": "spread"}, "o.spread_minor.0"),
        ("holdem", {"o__rake__basis_points": "101"}, "o.rake.basis_points"),
        ("stud", {"o__bring_in_minor": "3", "o__limit": "fixed"}, "o.bring_in_minor"),
        ("holdem", {"o__big_blind_minor": "x"}, "o.big_blind_minor"),
        ("horse", {"change__count": "0"}, None),
        ("three_card_poker", {"o__limits__ante__least_minor": "200"}, "o.limits.ante.least_minor"),
        ("holdem", {"timing__action_s": "0"}, "timing.action_s"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(
    game: str, changed: dict[str, str], field: str | None
) -> None:
    data = filled(game, **changed)
    if game == "three_card_poker":
        three_card_table()
        data["paytable"] = str(Paytable.objects.get().pk)
    form = form_of(game, data)
    if field is None:
        assert form.is_valid()
        return
    assert not form.is_valid()
    assert field in form.errors or field.replace("big", "small") in form.errors, form.errors


def test_an_amount_that_is_not_paid_in_chips_is_told_in_the_currency() -> None:
    form = form_of("holdem", filled("holdem", o__big_blind_minor="2.25", o__small_blind_minor="1"))
    assert not form.is_valid()
    assert "2.25 EUR cannot be paid in chips of 0.50 EUR" in str(form.errors)


def test_a_progressive_is_offered_at_the_stake_of_its_version() -> None:
    game = named("three_card_poker", {})
    assert [w.id for w in game.wagers if isinstance(w, Progressive)] == ["progressive"]  # type: ignore[union-attr]
    assert "limits.progressive.on" in {field.name for field in fields.fields_of(game)}
