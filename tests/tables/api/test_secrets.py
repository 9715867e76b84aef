"""Nobody is told another seat's cards, whichever endpoint is asked and whenever."""

import re
from itertools import count
from typing import Any

import pytest

from tables import beliefs
from tables.models import Hand, Table
from tests.cast import Person, deal, holdem_table, settle


def look(player: Person, table: Table, hand: Hand) -> None:
    """Everything there is to read; the client keeps the answers."""
    player.client.read("tables")
    player.client.read(f"tables/{table.pk}")
    player.client.read(f"tables/{table.pk}/events")
    player.client.read(f"hands/{hand.pk}")
    player.client.read("hands")
    player.client.act(table, 1, {"name": "fold"})  # refused: its problem is read as well


def hole_cards(table: Table) -> dict[int, set[str]]:
    hand = beliefs.read(table.pk).hand()
    dealt: dict[int, set[str]] = {}
    for seat in (1, 2, 3):
        view = hand.view(seat)
        rows = view.get("players") or view["spots"]
        dealt[seat] = set(next(row for row in rows if row["seat"] == seat)["cards"])
    return dealt


# The draw for the first button lies face up and is of no hand's deck.
DRAWN = re.compile(r'"button_drawn".*?"button"')


def seen(player: Person, cards: set[str]) -> set[str]:
    texts = [DRAWN.sub("", text) for text in player.client.answers]
    return {card for card in cards for text in texts if f'"{card}"' in text}


@pytest.fixture
def trio(ann: Person, bob: Person, cleo: Person) -> dict[int, Person]:
    return {1: ann, 2: bob, 3: cleo}


def play(table: Table, people: dict[int, Person], choose: Any, watchers: list[Person]) -> Hand:
    """One hand by REST alone, everybody looking at everything after each action."""
    hand = table.hands.latest("pk")
    for moves in count():
        assert moves < 60
        table.refresh_from_db()
        if table.finished:
            break
        belief = beliefs.read(table.pk)
        seat = belief.hand().waiting[0]
        actor = people[seat]
        legal = actor.sees(table)["you"]["legal_actions"]
        response = actor.client.act(table, table.turn_id, choose(seat, legal))
        assert response.status_code == 200, response.content
        for player in watchers:
            look(player, table, hand)
    return hand


def test_a_hand_played_to_the_showdown_shows_only_what_was_tabled(
    trio: dict[int, Person], fred: Person
) -> None:
    table = holdem_table()
    for seat, player in trio.items():
        player.sits(table, seat=seat)
    deal(table)
    dealt = hole_cards(table)
    everybody = [*trio.values(), fred]

    def passive(seat: int, legal: list[dict[str, Any]]) -> dict[str, Any]:
        names = {choice["name"] for choice in legal}
        if seat == 3 and "call" in names:
            return {"name": "fold"}
        return {"name": "check" if "check" in names else "call"}

    hand = play(table, trio, passive, everybody)
    settle(table, hand)
    for player in everybody:
        look(player, table, hand)
    view = fred.client.read(f"tables/{table.pk}").json()["last_hand"]["view"]
    tabled = {int(seat) for seat in view["shown"]}
    board = set(view["board"])
    assert tabled
    assert len(board) == 5
    for seat, player in trio.items():
        assert seen(player, dealt[seat]) == dealt[seat]
        for other, cards in dealt.items():
            if other not in tabled and other != seat:
                assert not seen(player, cards)
    for seat, cards in dealt.items():
        assert seen(fred, cards) == (cards if seat in tabled else set())


def test_before_the_showdown_nobody_sees_the_cards_of_others(
    trio: dict[int, Person], fred: Person
) -> None:
    table = holdem_table()
    for seat, player in trio.items():
        player.sits(table, seat=seat)
    deal(table)
    dealt = hole_cards(table)
    everybody = [*trio.values(), fred]

    def fold(seat: int, legal: list[dict[str, Any]]) -> dict[str, Any]:
        return {"name": "fold"}

    hand = play(table, trio, fold, everybody)
    settle(table, hand)
    for player in everybody:
        look(player, table, hand)
    for seat, player in trio.items():
        assert seen(player, dealt[seat]) == dealt[seat]
        assert not seen(player, set().union(*(dealt[other] for other in dealt if other != seat)))
    assert not seen(fred, set().union(*dealt.values()))


def test_a_round_against_the_house_hides_hands_until_it_is_settled(
    three_card: Table, trio: dict[int, Person], fred: Person
) -> None:
    for seat, player in trio.items():
        player.sits(three_card, seat=seat)
    hand = deal(three_card)
    for player in trio.values():
        three_card.refresh_from_db()
        bet = {"name": "bet", "wagers": {"ante": 500}}
        assert player.client.act(three_card, three_card.turn_id, bet).status_code == 200
    close_betting(three_card)
    dealt = hole_cards(three_card)
    for player in (*trio.values(), fred):
        look(player, three_card, hand)
    for seat, player in trio.items():
        assert seen(player, dealt[seat]) == dealt[seat]
        assert not seen(player, set().union(*(dealt[other] for other in dealt if other != seat)))
    assert not seen(fred, set().union(*dealt.values()))
    for player in trio.values():
        three_card.refresh_from_db()
        action = {"name": "play"}
        assert player.client.act(three_card, three_card.turn_id, action).status_code == 200
    settle(three_card, hand)
    look(fred, three_card, hand)
    assert seen(fred, set().union(*dealt.values())) == set().union(*dealt.values())


def close_betting(table: Table) -> None:
    from django.db import connection

    from tables.services.expiring import turn_expire

    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tables_table SET deadline = clock_timestamp() - interval '1 s',"
            " claimed = 'expire:' || turn_id WHERE id = %s",
            [table.pk],
        )
    table.refresh_from_db()
    assert turn_expire(table_id=table.pk, turn_id=table.turn_id)
