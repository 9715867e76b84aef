"""Games of the house's own: composed in a form, warned about, tried, and only then opened."""

from typing import Any

import pytest
from django.test import Client

from casino.console import composing, working
from casino.console.kinds import definitions
from casino.console.models import Composition, Job
from casino.console.tasks import console_job
from casino.core.models import Role, User
from tables.engine.errors import BadDefinition
from tables.engine.games import GAMES
from tables.engine.poker.vocabulary import PokerGame
from tables.models import Table
from tests.console.cast import console_of, staff
from tests.console.test_kinds import filled

pytestmark = pytest.mark.django_db(transaction=True)
# Three-card triple-draw California lowball with kings wild, docs/rules/home.md 8.1.
STEPS = [
    {"step": "deal", "street": "deal", "down": "3"}, {"step": "bet", "first": "blinds"},
    *({"step": word, **more} for nth in ("first", "second", "third") for word, more in (
        ("draw", {"street": nth, "most": "3"}), ("bet", {"tier": "1"}))),
]  # fmt: skip
GAME = {
    "name": "Kings low", "least_seats": "2", "most_seats": "6", "deck": "52", "forced": "blinds",
    "limits": ["fixed"], "burns": "on", "wild": ["K"],
    "share.0.ranking": "a5", "share.0.side": "low", "share.0.part": "1",
    **{f"step.{nth}.{name}": told for nth, step in enumerate(STEPS) for name, told in step.items()},
}  # fmt: skip


@pytest.fixture
def maths() -> User:
    return staff(Role.GAME_MATHS, "Mat")


@pytest.fixture
def client(maths: User) -> Client:
    return console_of(maths)


def as_filled(game: PokerGame) -> tuple[dict[str, Any], Any]:
    """What a browser sends of the form that shows a game."""
    sent: dict[str, Any] = {}
    shown = definitions.shown(game.to_json())
    for kind in ("steps", "shares"):
        for line in shown[kind]:
            if kind == "steps":
                sent[f"step.{line.nth}.step"] = line.word
            for cell in line.cells:
                if cell.words and line.word not in cell.words.split():
                    continue
                if cell.kind == "bool":
                    sent |= {cell.name: "on"} if cell.value else {}
                else:
                    sent[cell.name] = str(cell.value)
    data = shown["data"]
    for name in ("least_seats", "most_seats", "deck", "forced", "kill"):
        sent[name] = str(data[name])
    for name in ("burns", "low_boards", "checked_seven", "rising_openers"):
        sent |= {name: "on"} if data[name] else {}
    lists = {"limits": list(data["limits"]), "wild": list(data["wild"])}
    return sent, lambda name: lists[name]


def test_every_game_of_the_catalogue_goes_through_the_form_unchanged() -> None:
    for game in GAMES.values():
        if not isinstance(game, PokerGame):
            continue
        read = definitions.read(*as_filled(game))
        assert definitions.changes_of(read, game) == {}, game.id
        kept = {name: game.to_json()[name] for name in ("other", "die") if getattr(game, name)}
        changes = definitions.changes_of(read, None)
        named = {"id": game.id, "name": game.name, "source": game.source}
        assert PokerGame.from_json({**changes, **kept, **named}) == game


def test_the_example_of_the_rules_is_composed_told_and_kept(client: Client) -> None:
    told = client.post("/admin/games/preview/", GAME).json()["told"]
    assert "3 cards down to each player" in told
    assert "ace-to-five low" in told
    answer = client.post("/admin/games/new/", GAME)
    assert answer.status_code == 302, answer.context["problem"]
    made = Composition.objects.get()
    assert composing.game_of(made.option).wild == "K"
    assert client.get(answer.url).status_code == 200


def test_warnings_and_faults_are_told_before_anything_is_kept(client: Client) -> None:
    warned = client.post("/admin/games/preview/", {**GAME, "wild": ["A", "K"]}).json()["told"]
    assert "A is already good here" in warned
    for fault, words in (
        ({"step.0.down": "12"}, "more cards than the deck"),
        ({"step.0.down": "x"}, "a whole number"),
        ({"share.0.hole": "two"}, "numbers of cards"),
        ({"step.0.step": "dance"}, "choose what it is"),
        ({"limits": []}, "limits must be among"),
        ({"name": ""}, "a game has a name"),
    ):
        assert words in client.post("/admin/games/preview/", GAME | fault).json()["told"] or (
            fault == {"name": ""}
        )
        answer = client.post("/admin/games/new/", GAME | fault)
        assert answer.status_code == 422, fault
        assert words in answer.content.decode()
    assert not Composition.objects.exists()


def test_a_table_is_opened_for_it_only_once_it_was_simulated(client: Client, maths: User) -> None:
    made = composing.composition_save(
        name="Three low", base="california_lowball", changes={"wild": "K"}, by=maths
    )
    manager = console_of(staff(Role.PIT_MANAGER, "Petra"))
    where = f"/admin/tables/new/?game=composed:{made.pk}&currency=EUR"
    data = filled("california_lowball", max_seats="4", then="open")
    refused = manager.post(where, data)
    assert refused.status_code == 422
    assert "must be simulated" in refused.content.decode()
    assert client.post(f"/admin/games/{made.pk}/trial/").status_code == 302
    job = Job.objects.get()
    Job.objects.update(asked={**job.asked, "hands": 60})
    console_job(job.pk)
    job.refresh_from_db()
    assert (job.status, job.done, job.result["hands"]) == ("done", 60, 60)
    assert client.get(f"/admin/jobs/{job.pk}/").json()["percent"] == 100
    opened = manager.post(where, data)
    assert opened.status_code == 302, opened.context["form"].errors
    table = Table.objects.get()
    assert table.options["custom"]["changes"] == {"wild": "K"}
    assert manager.get(opened.url).status_code == 200
    composing.composition_save(
        name="Three low", base="california_lowball", changes={"wild": "Q"}, by=maths, pk=made.pk
    )
    made.refresh_from_db()
    assert (made.version, made.is_tried) == (2, False)


def test_a_simulation_that_finds_a_fault_opens_nothing(
    maths: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = composing.composition_save(name="Odd", base="holdem", changes={}, by=maths)
    row = {"hands": 3, "showdown_share": 0.5, "classes": {}, "actions": 9, "seed": "s",
           "violation": {"hand": 3, "law": "chips are kept", "facts": "1 missing"}}  # fmt: skip
    monkeypatch.setattr(composing, "played", lambda task: row)
    console_job(composing.trial_ask(composition=made, by=maths, hands=500).pk)
    made.refresh_from_db()
    assert made.trial is not None
    assert (made.trial.status, made.is_tried) == ("done", False)
    page = console_of(maths).get("/admin/games/").content.decode()
    assert "failed: chips are kept" in page


def test_work_that_breaks_is_told_and_a_second_delivery_does_nothing(maths: User) -> None:
    job = working.job_ask(kind="composition.trial", asked={"option": {}, "hands": 1}, by=maths)
    Job.objects.filter(pk=job.pk).update(asked={"option": {"base": "x"}, "hands": 1})
    console_job(job.pk)
    console_job(job.pk)
    job.refresh_from_db()
    assert job.status == "failed"
    assert job.result == {"refused": {"en": "There is no game x.", "pl": "Nie ma gry x."}}


def test_a_definition_that_cannot_be_dealt_is_refused_by_the_service(maths: User) -> None:
    with pytest.raises(BadDefinition):
        composing.composition_save(name="X", base="holdem", changes={"steps": []}, by=maths)
