"""Whatever a viewer receives holds no card that he was not dealt or shown."""

import re

import orjson
import pytest
from django.db import connection

from tables import beliefs, selectors
from tables.engine.cards import CARD_TEXT
from tables.models import Event, Hand, HandSecret
from tests.tables.dealing_cast import (
    dealt,
    move,
    played_out,
    player,
    seated,
    table,
    three_card_table,
)  # fmt: skip

pytestmark = pytest.mark.django_db(transaction=True)
CARD = re.compile(r'"([2-9TJQKA][cdhs])"')


def cards_in(*texts: str) -> set[str]:
    return set(CARD.findall(" ".join(texts)))


def own_cards(at, who) -> set[str]:
    frames = selectors.frames_since(at.pk, 0, who.pk)
    private = [
        event["private"]["cards"]
        for text in frames
        for event in orjson.loads(text)["events"]
        if "private" in event
    ]
    return {card for cards in private for card in cards}


def deck_texts() -> list[str]:
    deck = beliefs.deck_open(Hand.objects.latest("id").deck_id)
    return [CARD_TEXT[card] for card in deck]


@pytest.fixture
def three_at_holdem():
    at = table()
    players = [player(name) for name in ("alice", "bob", "carol")]
    seated(at, *players)
    dealt(at)
    return at, players


def test_everyone_gets_his_own_cards_and_nobody_elses(three_at_holdem):
    at, players = three_at_holdem
    hands = [own_cards(at, who) for who in players]
    assert [len(cards) for cards in hands] == [2, 2, 2]
    assert len(set.union(*hands)) == 6
    for who, mine in zip(players, hands, strict=True):
        seen = [*selectors.frames_since(at.pk, 0, who.pk)]
        seen.append(orjson.dumps(selectors.table_snapshot(at.pk, who.pk), default=str).decode())
        assert cards_in(*seen) == mine


def test_the_public_sees_no_card_before_the_board(three_at_holdem):
    at, _ = three_at_holdem
    public = [*selectors.frames_since(at.pk, 0, None)]
    public.append(orjson.dumps(selectors.table_snapshot(at.pk), default=str).decode())
    public.extend(push.text for push in selectors.pushes_since(at.pk, 0))
    assert cards_in(*public) == set()


def test_a_fold_shows_nothing_even_when_it_ends_the_hand(three_at_holdem):
    at, _ = three_at_holdem
    move(at, name="fold")
    move(at, name="fold")
    texts = selectors.frames_since(at.pk, 0, None)
    texts.append(orjson.dumps(Hand.objects.get().final_view).decode())
    assert cards_in(*texts) == set()


def test_a_showdown_shows_the_board_and_the_shown_hands_alone(three_at_holdem):
    at, _ = three_at_holdem
    move(at, name="fold")
    played_out(at)
    frames = [orjson.loads(text) for text in selectors.frames_since(at.pk, 0, None)]
    events = [event for frame in frames for event in frame["events"]]
    shown = {
        card for event in events if event["type"] in ("hand_shown", "board_dealt")
        for card in event["public"]["cards"]
    }  # fmt: skip
    assert cards_in(*map(str, selectors.frames_since(at.pk, 0, None))) == shown


def test_the_dealers_cards_are_hidden_until_he_reveals(transactional_db):
    at = three_card_table()
    alice, bob = player("alice"), player("bob")
    seated(at, alice, bob)
    dealt(at)
    for who in (alice, bob):
        move(at, who, name="bet", wagers={"ante": 500})
    from tables.services import expiring
    from tests.tables.dealing_cast import clock_to

    clock_to(at, 400)
    expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    mine = own_cards(at, alice)
    assert len(mine) == 3
    snapshot = orjson.dumps(selectors.table_snapshot(at.pk, alice.pk), default=str).decode()
    assert cards_in(snapshot, *selectors.frames_since(at.pk, 0, alice.pk)) == mine


def test_a_running_hand_stands_nowhere_in_the_database_as_cards(three_at_holdem):
    texts = deck_texts()
    order = ",".join(str(card) for card in beliefs.deck_open(Hand.objects.get().deck_id))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT string_agg(t::text, ' ') FROM tables_table t"
            " UNION ALL SELECT string_agg(h::text, ' ') FROM tables_hand h"
            " UNION ALL SELECT string_agg(e::text, ' ') FROM tables_event e"
            " UNION ALL SELECT string_agg(s::text, ' ') FROM tables_handsecret s"
            " UNION ALL SELECT string_agg(d::text, ' ') FROM tables_deck d"
        )
        rows = " ".join(row[0] or "" for row in cursor.fetchall())
    assert cards_in(rows) == set()
    assert order not in rows
    assert not any(f'"{text}"' in rows for text in texts)


def test_a_private_part_opens_only_in_its_own_row(three_at_holdem):
    from tables import vault

    row = Event.objects.filter(private__isnull=False).first()
    with pytest.raises(vault.SecretUnreadable):
        vault.unseal(row.private, f"event:{row.table_id}:{row.seq + 1}")


def test_a_decks_secret_opens_only_for_its_own_deck(three_at_holdem):
    from tables import vault

    sealed = HandSecret.objects.first()
    with pytest.raises(vault.SecretUnreadable):
        vault.unseal(sealed.sealed, beliefs.deck_label(sealed.pk + 1))
