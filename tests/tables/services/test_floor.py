from typing import Any

import orjson
import pytest

from casino.core.errors import NameTaken, RoleMissing
from casino.core.models import LogEntry, Role
from tables import jobs
from tables.engine.errors import BadOptions, UnknownGame
from tables.errors import HandInPlay, OptionsFixed, StatusNotPossible
from tables.models import Deck, Event, Seat, Table
from tables.services import dealing, floor
from tables.services.seating import seat_take
from tests.cast import (
    HOLDEM,
    PURSE_MINOR,
    THREE_CARD,
    WAGER,
    Person,
    deal,
    holdem_table,
    person,
    settle,
    three_card_table,
)
from wallets import services as wallets
from wallets.errors import UnknownCurrency

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "send", lambda *task: True)


@pytest.fixture
def ann() -> Person:
    return person("Ann")


@pytest.fixture
def bob() -> Person:
    return person("Bob")


def sit(table: Table, *players: Person) -> None:
    for player in players:
        seat_take(
            table_id=table.pk, player=player.user, seat=None, buy_in_minor=5_000,
            key=f"sit:{table.pk}:{player.user.pk}",
        )  # fmt: skip


def status_of(table: Table) -> str:
    return Table.objects.get(pk=table.pk).status


def last_events(table: Table) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = orjson.loads(
        Event.objects.filter(table=table).latest("seq").events
    )
    return events


def test_an_opened_table_has_its_accounts_and_a_committed_deck() -> None:
    table = holdem_table()
    assert set(table.accounts) == {"bank", "rake", "drop", "in_play", "jackpot"}
    committed = table.decks.order_by("number")
    assert [deck.status for deck in committed] == [Deck.Status.COMMITTED] * 4
    assert table.seq == 1
    opened, root = last_events(table)
    assert opened == {"type": "table_changed", "public": {"status": "open"}}
    roots = [one["root"] for one in root["public"]["roots"]]
    assert roots == [deck.root for deck in committed]
    assert LogEntry.objects.filter(kind="table.opened", subject=f"table:{table.pk}").exists()


def test_a_bank_is_given_its_float_from_the_cage() -> None:
    table = three_card_table(float_minor=700_000)
    bank, cage = table.accounts["bank"], wallets.cage_account(currency="EUR")
    balances = wallets.balances_of(account_ids=[bank, cage])
    assert (balances[bank], balances[cage]) == (700_000, -700_000)


def test_what_a_ring_game_leaves_open_is_said_on_its_placard() -> None:
    table = holdem_table(options={"big_blind_minor": 100})
    assert table.options == {"big_blind_minor": 100, "chip_minor": 50, "limit": "no_limit"}


@pytest.mark.parametrize(
    ("facts", "option"),
    [
        ({"options": {"limit": "no_limit"}}, "big_blind_minor"),
        ({"options": {**HOLDEM, "jokers": 2}}, "jokers"),
        ({"options": {**HOLDEM, "chip_minor": 25}}, "chip_minor"),
        ({"options": {**HOLDEM, "big_blind_minor": 130}}, "blinds_minor"),
        ({"chip_minor": 0}, "chip_minor"),
        ({"max_seats": 11}, "max_seats"),
        ({"min_players": 1}, "min_players"),
        ({"min_players": 7}, "min_players"),
        ({"buy_in_least_minor": 0}, "buy_in_least_minor"),
        ({"buy_in_least_minor": 30_000}, "buy_in_least_minor"),
        ({"buy_in_most_minor": 20_001}, "buy_in_most_minor"),
        ({"float_minor": 100}, "float_minor"),
        ({"name": " "}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"timing": {"lunch_s": 60}}, "timing.lunch_s"),
        ({"timing": {"action_s": "20"}}, "timing.action_s"),
        ({"timing": {"action_s": True}}, "timing.action_s"),
        ({"timing": {"action_s": 0}}, "timing.action_s"),
        ({"timing": {"pause_s": -1}}, "timing.pause_s"),
    ],
)
def test_a_table_that_could_not_be_dealt_is_not_opened(facts: dict[str, Any], option: str) -> None:
    with pytest.raises(BadOptions) as refused:
        holdem_table(**facts)
    assert refused.value.option == option
    assert not Table.objects.exists()


def test_limits_of_a_bank_are_whole_chips() -> None:
    options = {**THREE_CARD, "limits": {"ante": {**WAGER, "step_minor": 50}}}
    with pytest.raises(BadOptions, match=r"limits\.ante"):
        three_card_table(options=options)


def test_unknown_games_currencies_and_taken_names_are_refused() -> None:
    holdem_table()
    with pytest.raises(UnknownGame):
        holdem_table("Birch", game="snap")
    with pytest.raises(UnknownCurrency):
        holdem_table("Birch", currency="XXX")
    with pytest.raises(NameTaken):
        holdem_table("Amber")
    assert Table.objects.count() == 1


def test_tables_are_opened_and_steered_by_those_who_may() -> None:
    dealer, floor_man = person("Dora", Role.DEALER).user, person("Fred", Role.FLOOR).user
    with pytest.raises(RoleMissing):
        holdem_table(by=floor_man)
    table = holdem_table(by=person("Piet", Role.PIT_MANAGER).user)
    with pytest.raises(RoleMissing):
        floor.table_pause(table_id=table.pk, by=dealer)
    floor.table_pause(table_id=table.pk, by=floor_man)
    assert status_of(table) == "paused"
    assert LogEntry.objects.filter(kind="table.paused", actor_id=floor_man.pk).exists()


def test_a_paused_table_deals_again_when_it_is_resumed(ann: Person, bob: Person) -> None:
    table = holdem_table()
    sit(table, ann, bob)
    floor.table_pause(table_id=table.pk)
    assert last_events(table) == [{"type": "table_changed", "public": {"status": "paused"}}]
    assert dealing.hand_open(table_id=table.pk, number=1) is None
    Table.objects.filter(pk=table.pk).update(next_deal_at=None)
    floor.table_resume(table_id=table.pk)
    assert Table.objects.get(pk=table.pk).next_deal_at is not None
    assert dealing.hand_open(table_id=table.pk, number=1) is not None


def test_the_status_it_has_already_writes_nothing() -> None:
    table = holdem_table()
    floor.table_resume(table_id=table.pk)
    assert Table.objects.get(pk=table.pk).seq == 1


def test_a_closing_table_pays_its_seats_out(ann: Person, bob: Person) -> None:
    table = holdem_table()
    sit(table, ann, bob)
    floor.table_close(table_id=table.pk)
    assert status_of(table) == "closed"
    assert not Seat.objects.exists()
    assert ann.cash_minor() == bob.cash_minor() == PURSE_MINOR
    assert [event["type"] for event in last_events(table)] == [
        "seat_left", "seat_left", "cut_void", "table_changed",
    ]  # fmt: skip
    with pytest.raises(StatusNotPossible):
        floor.table_pause(table_id=table.pk)
    floor.table_resume(table_id=table.pk)
    assert table.decks.filter(status=Deck.Status.COMMITTED).count() == 4


def test_a_table_does_not_close_under_a_hand_but_drains(ann: Person, bob: Person) -> None:
    table = holdem_table()
    sit(table, ann, bob)
    hand = deal(table)
    with pytest.raises(HandInPlay):
        floor.table_close(table_id=table.pk)
    floor.table_drain(table_id=table.pk)
    assert status_of(table) == "draining"
    turn = ann.sees(table)["hand"]["turn"]
    actor = {1: ann, 2: bob}[turn["seats"][0]]
    assert actor.client.act(table, turn["turn_id"], {"name": "fold"}).status_code == 200
    settle(table, hand)
    assert status_of(table) == "closed"
    assert not Seat.objects.exists()
    assert ann.cash_minor() + bob.cash_minor() == 2 * PURSE_MINOR


def test_draining_a_table_without_a_hand_closes_it() -> None:
    table = holdem_table()
    floor.table_drain(table_id=table.pk)
    assert status_of(table) == "closed"


def test_a_name_may_change_at_any_time_and_timing_between_hands(ann: Person, bob: Person) -> None:
    table = holdem_table()
    sit(table, ann, bob)
    deal(table)
    floor.table_change(table_id=table.pk, name="Opal")
    assert last_events(table) == [
        {"type": "table_changed", "public": {"status": "open", "name": "Opal"}}
    ]
    with pytest.raises(HandInPlay):
        floor.table_change(table_id=table.pk, timing={"action_s": 30})
    assert Table.objects.get(pk=table.pk).timing == {}


def test_options_stand_once_a_hand_was_dealt(ann: Person, bob: Person) -> None:
    table = holdem_table()
    options = {**HOLDEM, "big_blind_minor": 200, "small_blind_minor": 100}
    floor.table_change(table_id=table.pk, options=options)
    assert Table.objects.get(pk=table.pk).options["big_blind_minor"] == 200
    with pytest.raises(BadOptions):
        floor.table_change(table_id=table.pk, options={"limit": "no_limit"})
    sit(table, ann, bob)
    hand = deal(table)
    turn = ann.sees(table)["hand"]["turn"]
    actor = {1: ann, 2: bob}[turn["seats"][0]]
    actor.client.act(table, turn["turn_id"], {"name": "fold"})
    settle(table, hand)
    with pytest.raises(OptionsFixed):
        floor.table_change(table_id=table.pk, options=HOLDEM)
    floor.table_change(table_id=table.pk, timing={"action_s": 30, "pause_s": 0.5})
    assert Table.objects.get(pk=table.pk).timing == {"action_s": 30, "pause_s": 0.5}
