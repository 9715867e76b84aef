"""Hands are found by anything; all cards are for the few, after a reason, when the hand is over."""

from datetime import UTC, datetime
from html import unescape
from itertools import product

import pytest
from django.db import connection, transaction
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

from casino.console.hands import Query, hands_like, order_of
from casino.console.paging import keyset
from casino.core.models import LogEntry, Role
from tables import beliefs, vault
from tables.models import Cut, Hand, HandSecret, Table
from tables.services import settling
from tests.cast import Person, deal, holdem_table, person, settle
from tests.console.cast import console
from tests.tables import dealing_cast
from tests.tables.cut_cast import all_drawn
from tests.tables.dealing_cast import run_out
from wallets.gaming_day import day_begins, gaming_day

pytestmark = pytest.mark.django_db(transaction=True)


def played(name: str = "Amber") -> tuple[Table, Hand, list[Person]]:
    table = holdem_table(name)
    players = [person(f"{each} {name}") for each in ("Ann", "Bob")]
    for each in players:
        each.sits(table)
    deal(table)
    hand = run_out(table)
    settle(table, hand)
    return table, Hand.objects.get(pk=hand.pk), players


def test_hands_are_found_by_number_player_table_time_and_size() -> None:
    table, hand, (ann, _) = played()
    other, others, _ = played("Birch")
    today = day_begins(gaming_day(hand.started_at))
    for query, found in (
        (Query(number=1), {hand, others}),
        (Query(number=hand.pk + 10**6), set()),
        (Query(player="Ann Amber"), {hand}),
        (Query(player=str(ann.user.pk)), {hand}),
        (Query(player="Nobody"), set()),
        (Query(player="Birch"), {others}),
        (Query(player="Ann"), {hand, others}),
        (Query(player="Ann", before=others.pk), {hand}),
        (Query(player="Ann", table_id=other.pk, size_minor=50), {others}),
        (Query(player="Ann Amber", begins=today), {hand}),
        (Query(player="Ann", begins=today), {hand, others}),
        (Query(player="Ann", ends=today), set()),
        (Query(table_id=other.pk), {others}),
        (Query(status="voided"), set()),
        (Query(begins=today), {hand, others}),
        (Query(ends=today), set()),
        (Query(size_minor=50), {hand, others}),
        (Query(size_minor=51), set()),
    ):
        assert set(hands_like(query)) == found, query
    client = console(Role.SURVEILLANCE)
    answer = client.get("/admin/hands/", {"player": "Ann", "table": table.pk, "size": "0.50"})
    assert f"/admin/hands/{hand.pk}/" in answer.content.decode()


DAY = {"begins": datetime(2026, 1, 1, tzinfo=UTC), "ends": datetime(2026, 1, 2, tzinfo=UTC)}


WALKED = (
    (Query(), "tables_hand_pkey"),
    (Query(table_id=7), "hand_of_table"),
    (Query(**DAY), "hand_begun"),
    (Query(table_id=7, **DAY), "hand_of_table"),
    (Query(size_minor=500), "hand_by_size"),
    (Query(size_minor=500, table_id=7), "hand_by_size"),
    (Query(size_minor=500, **DAY), "hand_by_size"),
    (Query(size_minor=500, table_id=7, **DAY), "hand_by_size"),
)


def test_a_page_of_hands_is_read_off_the_end_of_an_index() -> None:
    _, hand, _ = played()
    with transaction.atomic(), connection.cursor() as cursor:
        for way in ("seqscan", "bitmapscan", "sort", "incremental_sort"):  # of few rows
            cursor.execute(f"SET LOCAL enable_{way} = off")
        for (query, index), asked in product(WALKED, ({}, {"before": hand.pk})):
            with CaptureQueriesContext(connection) as told:
                keyset(RequestFactory().get("/", asked), hands_like(query), by=order_of(query))
            cursor.execute("EXPLAIN " + told[-1]["sql"])
            plan = "\n".join(line for (line,) in cursor.fetchall())
            assert f"Index Scan Backward using {index} on tables_hand" in plan, plan
            assert "Sort" not in plan, plan


def test_hands_of_a_size_come_the_largest_first_and_each_once() -> None:
    _, hand, _ = played()
    wanted = [(hand.pk + nth, size) for nth, size in enumerate((70, 90, 70, 80, 70), 1)]
    for pk, size in wanted:
        Hand.objects.bulk_create([_like(hand, pk, size)])
    query, asked, found = Query(size_minor=60), "?", []
    while asked:
        request = RequestFactory().get("/" + asked)
        rows, pages = keyset(request, hands_like(query), 2, by=order_of(query))
        found += [row.pk - hand.pk for row in rows]
        asked = pages.next
    assert found == [2, 4, 5, 3, 1]


def _like(hand: Hand, pk: int, moved_minor: int) -> Hand:
    """The same hand once more, at which so much was won."""
    again = Hand.objects.get(pk=hand.pk)
    again.pk, again.number, again.deck_id = pk, pk, None
    again.result = {"nets_minor": {"1": moved_minor, "2": -moved_minor}}
    return again


def hole_cards(hand: Hand, players: list[Person]) -> set[str]:
    """What only their owners saw, told by each owner's own history."""
    seen: set[str] = set()
    for each in players:
        history = each.client.read(f"hands/{hand.pk}").json()
        for frame in history["frames"]:
            for event in frame["events"]:
                seen |= set(event.get("private", {}).get("cards", []))
    return seen


def test_the_list_of_hands_names_the_game_as_it_is_dealt() -> None:
    _, hand, _ = played()
    page = unescape(console(Role.SURVEILLANCE).get("/admin/hands/").content.decode())
    assert f"<td>{hand.definition['name']}</td>" in page


def test_all_cards_are_shown_after_a_reason_that_is_logged() -> None:
    _, hand, players = played()
    hidden = hole_cards(hand, players)
    assert len(hidden) == 4
    faces = {card[0].replace("T", "10") + {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}[card[1]]
             for card in hidden}  # fmt: skip
    client = console(Role.SURVEILLANCE)
    page = client.get(f"/admin/hands/{hand.pk}/").content.decode()
    assert not any(face in page for face in faces)
    where = f"/admin/hands/{hand.pk}/cards/"
    assert client.post(where, {"reason": " "}).status_code == 422
    assert not LogEntry.objects.filter(kind="hand.cards_seen").exists()
    page = client.post(where, {"reason": "complaint 7"}).content.decode()
    assert all(face in page for face in faces)
    assert LogEntry.objects.get(kind="hand.cards_seen").facts["reason"] == "complaint 7"


def test_who_sees_all_cards_is_told_that_a_reshuffle_held_just_what_was_mucked() -> None:
    """Nobody else may know what was mucked; another muck than that is told to him as well."""
    at = dealing_cast.table(
        "triple_draw_27", {"limit": "fixed", "big_blind_minor": 100}, max_seats=6
    )
    dealing_cast.seated(at, *(dealing_cast.player(f"p{n}") for n in range(6)), chips_minor=20_000)
    hand = dealing_cast.dealt(at)
    assert not all_drawn(at)  # without seeds the muck is shuffled at once
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    cut = Cut.objects.filter(hand_id=hand.pk, purpose="reshuffle").latest("number")
    where, client = f"/admin/hands/{hand.pk}/cards/", console(Role.SURVEILLANCE)
    same, other = "exactly those that had been mucked", "does not come out as it was told"
    page = client.post(where, {"reason": "complaint 8"}).content.decode()
    assert same in page
    assert other not in page
    assert same not in client.get(f"/admin/hands/{hand.pk}/").content.decode()
    (deck,) = cut.decks.all()
    order, salts = beliefs.secret_of(deck.pk)
    foreign = next(card for card in range(52) if card not in order)
    plain = bytes([len(order), foreign, *order[1:]]) + b"".join(salts)
    sealed = vault.seal(plain, beliefs.deck_label(deck.pk))
    HandSecret.objects.filter(pk=deck.pk).update(sealed=sealed)
    page = client.post(where, {"reason": "complaint 9"}).content.decode()
    assert other in page
    assert same not in page


def test_nobody_sees_the_cards_of_a_hand_in_play() -> None:
    table = holdem_table()
    for name in ("Ann", "Bob"):
        person(name).sits(table)
    hand = deal(table)
    client = console(Role.SURVEILLANCE)
    assert client.get(f"/admin/hands/{hand.pk}/").status_code == 200
    assert client.post(f"/admin/hands/{hand.pk}/cards/", {"reason": "x"}).status_code == 404
    assert not LogEntry.objects.filter(kind="hand.cards_seen").exists()


def test_the_replay_tells_who_did_what_in_units() -> None:
    _, hand, _ = played()
    page = console(Role.FLOOR).get(f"/admin/hands/{hand.pk}/").content.decode()
    for words in ("Ann Amber", "blind posted", "0.50", "Everybody else has folded", "Chips at a"):
        assert words in page
    assert "_minor" not in page
