import pytest

from tables.engine.games import GAMES
from tables.engine.games.mixed import MIXES
from tables.models import Table
from tables.services import floor
from tests.cast import HOLDEM, Person, holdem_table, person, three_card_table


def names(player: Person, **query: object) -> list[str]:
    response = player.client.read("tables", **query)
    assert response.status_code == 200, response.content
    return [table["name"] for table in response.json()["tables"]]


def test_every_game_of_the_catalogue_is_listed_with_what_a_table_may_be(ann: Person) -> None:
    listed = {game["id"]: game for game in ann.client.read("games").json()["games"]}
    assert set(listed) == {*GAMES, *MIXES}
    assert listed["holdem"]["family"] == "poker"
    assert listed["holdem"]["limits"][0] == "no_limit"
    assert listed["three_card_poker"] == {
        "id": "three_card_poker",
        "name": "Three Card Poker",
        "family": "banked",
        "seats": {"least": 1, "most": 7},
        "limits": [],
    }


def test_the_lobby_counts_the_seats_that_are_taken(holdem: Table, ann: Person) -> None:
    ann.sits(holdem)
    (table,) = ann.client.read("tables").json()["tables"]
    assert table == {
        "id": holdem.pk,
        "name": "Amber",
        "family": "poker",
        "game": {"id": "holdem", "name": "Hold'em", "limit": "no_limit"},
        "currency": "EUR",
        "exponent": 2,
        "chip_minor": 50,
        "stakes": {
            "limit": "no_limit",
            "small_blind_minor": 50,
            "big_blind_minor": 100,
            "chip_minor": 50,
        },
        "buy_in": {
            "least_minor": 1_000,
            "most_minor": 20_000,
            "least_big_blinds": 10,
            "most_big_blinds": 200,
        },
        "status": "open",
        "time_collection": None,
        "jackpot": None,
        "max_seats": 6,
        "min_players": 2,
        "seats_taken": 1,
        "waiting": 0,
    }


def test_tables_are_found_by_family_game_currency_and_status(ann: Person) -> None:
    holdem_table()
    holdem_table("Birch", currency="PLN")
    three_card_table()
    paused = holdem_table("Cedar")
    floor.table_pause(table_id=paused.pk)
    closed = holdem_table("Duel")
    floor.table_close(table_id=closed.pk)
    assert names(ann) == ["Amber", "Birch", "Three Card", "Cedar"]
    assert names(ann, family="banked") == ["Three Card"]
    assert names(ann, game="holdem", currency="EUR") == ["Amber", "Cedar"]
    assert names(ann, status="paused") == ["Cedar"]
    assert names(ann, status="closed") == ["Duel"]
    assert names(ann, game="nothing") == []


def test_tables_are_found_by_limit_name_and_what_one_may_bring(ann: Person) -> None:
    holdem_table()
    holdem_table("Birch", options={**HOLDEM, "limit": "pot"})
    three_card_table()
    assert names(ann, betting="pot") == ["Birch"]
    assert names(ann, name="irc") == ["Birch"]
    assert names(ann, name="%") == []
    least = ann.client.read("tables").json()["tables"][0]["buy_in"]["least_minor"]
    assert "Amber" in names(ann, buy_in_minor=least)
    assert "Amber" not in names(ann, buy_in_minor=least - 1)


def test_the_lobby_counts_who_waits_for_each_kind_of_table(ann: Person, bob: Person) -> None:
    duel = holdem_table("Duel", max_seats=2)
    holdem_table("Pot", max_seats=2, options={**HOLDEM, "limit": "pot"})
    for who in (ann, bob):
        who.sits(duel)
    assert person("Cid").client.send(f"tables/{duel.pk}/waiting", {}, key=None).status_code == 200
    listed = ann.client.read("tables").json()["tables"]
    assert {table["name"]: table["waiting"] for table in listed} == {"Duel": 1, "Pot": 0}


def test_tables_without_a_free_seat_can_be_left_out(ann: Person, bob: Person) -> None:
    full = holdem_table("Duel", max_seats=2)
    holdem_table("Amber")
    ann.sits(full)
    assert names(ann, free_seat="true") == ["Duel", "Amber"]
    bob.sits(full)
    assert names(ann, free_seat="true") == ["Amber"]


def test_pages_follow_each_other_without_gap_or_repeat(ann: Person) -> None:
    for number in range(5):
        holdem_table(f"Table {number}")
    found, cursor = [], None
    for _ in range(3):
        query = {"limit": 2} if cursor is None else {"limit": 2, "cursor": cursor}
        page = ann.client.read("tables", **query).json()
        found += [table["name"] for table in page["tables"]]
        cursor = page["next"]
    assert found == [f"Table {number}" for number in range(5)]
    assert cursor is None


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ({"family": "chess"}, "/family"),
        ({"status": "lost"}, "/status"),
        ({"cursor": "x"}, "/cursor"),
        ({"cursor": str(2**63)}, "/cursor"),
        ({"limit": "201"}, "/limit"),
        ({"limit": "0"}, "/limit"),
        ({"free_seat": "perhaps"}, "/free_seat"),
        ({"currency": "EURO"}, "/currency"),
        ({"game": "a\0b"}, "/game"),
        ({"familiy": "poker"}, "/familiy"),
    ],
)
def test_a_filter_that_cannot_be_used_is_refused(
    ann: Person, query: dict[str, str], pointer: str
) -> None:
    response = ann.client.read("tables", **query)
    assert response.status_code == 400
    assert [error["pointer"] for error in response.json()["errors"]] == [pointer]
