"""The public figures of voids: what is counted, and that a house or a player who gains is seen."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from pytest_django import Settings

from casino.core.models import User
from tables import beliefs, voids
from tables.engine.banked.rounds import BankedRound
from tables.engine.cards import card_texts
from tables.models import Cut, Hand, SeedCommitment, Table
from tables.services import voiding
from tests.cast import client_of
from tests.tables.dealing_cast import (
    dealt,
    move,
    played_out,
    player,
    run_out,
    seated,
    table,
    three_card_table,
)

pytestmark = pytest.mark.django_db(transaction=True)
numbers = count(1)


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    for cache in (caches["default"], caches["process"]):
        cache.delete(voids.KEY)


def hand(at: Table, family: str, result: dict[str, Any], seats: dict[str, Any]) -> Hand:
    number = next(numbers)
    return Hand.objects.create(
        table=at, number=number, game="any", definition={"family": family}, options={},
        engine_version="1", seats=seats, deck_id=10_000 + number, status=Hand.Status.SETTLED,
        result=result,
    )  # fmt: skip


def cut(at: Table, of: Hand, reason: str = "", by: User | None = None) -> None:
    number = next(numbers)
    made = Cut.objects.create(
        table=at, number=1_000 + number, hand_id=of.pk, purpose="deal", kind="52+0",
        status=Cut.Status.VOID if reason else Cut.Status.DEALT, reason=reason,
    )  # fmt: skip
    if by is not None:
        SeedCommitment.objects.create(
            cut=made, player=by, commitment=f"{number:064x}", at_ms=1, signature="",
            withheld_at=of.started_at,
        )  # fmt: skip


def question(name: str) -> dict[str, Any]:
    return next(one for one in voids.worked_out()["questions"] if one["name"] == name)


@pytest.mark.parametrize(("won_of_withheld", "is_odd"), [(15, False), (29, True)])
def test_a_bank_that_wins_what_was_dealt_anew_is_seen(won_of_withheld: int, is_odd: bool) -> None:
    at = table()
    for nth in range(60):
        hand(at, "banked", {"bank_minor": (nth % 2 or -1) * 100}, {})
    for nth in range(30):
        redealt = hand(at, "banked", {"bank_minor": 100 if nth < won_of_withheld else -100}, {})
        cut(at, redealt, "withheld")
        cut(at, redealt)
    hand(at, "banked", {"bank_minor": 0}, {})
    found = question("redealt_rounds")
    assert (found["won"], found["lost"]) == (won_of_withheld, 30 - won_of_withheld)
    assert (found["others_won"], found["others_lost"]) == (30, 30)
    assert (found["p"] < 0.001) == is_odd


def test_a_player_who_withholds_and_wins_is_seen() -> None:
    at = table()
    shill, other = player("shill"), player("other")
    seats = {"1": {"player": shill.pk}, "2": {"player": other.pk}}
    source = Random(4)
    for _ in range(30):
        fair = 100 if source.random() < 0.5 else -100
        hand(at, "poker", {"nets_minor": {"1": fair, "2": -fair}}, seats)
    for _ in range(25):
        bought = hand(at, "poker", {"nets_minor": {"1": 100, "2": -100}}, seats)
        cut(at, bought, "withheld", shill)
    found = question("withholders")
    assert (found["won"], found["lost"]) == (25, 0)
    assert found["p"] < 1e-4


def test_few_events_prove_nothing() -> None:
    at = table()
    cut(at, hand(at, "banked", {"bank_minor": 100}, {}), "withheld")
    assert [one["p"] for one in voids.worked_out()["questions"]] == [None, None, None]


def test_rounds_voided_when_the_dealer_was_behind_are_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    better, worse = (0, 5, 10), (0, 5, 7)
    deals = [voids.Deal(spot=better, dealer=worse)] * 40
    monkeypatch.setattr(voids, "_voided_deals", lambda: iter(deals))
    found = question("voided_rounds")
    assert (found["won"], found["lost"], found["others_won"]) == (0, 40, 20)
    assert found["p"] < 1e-9


def test_a_voided_round_is_judged_by_the_cards_that_were_dealt() -> None:
    at = three_card_table()
    alice, bob = player("alice"), player("bob")
    seated(at, alice, bob)
    round_ = dealt(at)
    for who in (alice, bob):
        move(at, who, name="bet", wagers={"ante": 1_000})
    run_out(at)
    running = beliefs.read(at.pk).hand()
    assert isinstance(running, BankedRound)
    first = min(running.dealt)
    spot = running.view(first)["spots"][0]["cards"]
    voiding.hand_void(table_id=at.pk, hand_id=round_.pk, reason="a card was seen")
    (deal,) = voids._voided_deals()
    assert card_texts(deal.spot) == spot
    assert sorted(deal.dealer) == sorted(running.deck[at] for at in running.dealer)


def test_the_page_and_the_api_say_the_same_to_everybody() -> None:
    at = table()
    alice = player("alice")
    seated(at, alice, player("bob"))
    dealt(at)
    played_out(at)
    dealt(at)
    voiding.hand_void(
        table_id=at.pk, hand_id=Hand.objects.latest("pk").pk, reason="a card was seen"
    )
    told = client_of(alice).get("/api/v1/voids").json()
    assert told == voids.figures()
    assert told["hands"]["voided"] == 1
    for language, words in (("en", "Hands voided"), ("pl", "Rozdania unieważnione")):
        page = Client().get(f"/voids/?lang={language}").content.decode()
        assert f'<th scope="row">{words}</th><td>1</td>' in page


def test_without_its_cache_the_house_counts_and_keeps_what_it_has_counted(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = {**settings.CACHES["default"], "LOCATION": "unix:///nowhere/redis.sock"}
    settings.CACHES = {**settings.CACHES, "default": away}
    counted = Client().get("/voids/")
    monkeypatch.setattr(voids, "worked_out", lambda: pytest.fail("counted again"))
    assert counted.status_code == Client().get("/voids/").status_code == 200
