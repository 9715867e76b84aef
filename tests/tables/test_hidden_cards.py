"""Whatever a viewer receives holds no card that he was not dealt or shown."""

import re

import orjson
import pytest
from django.db import connection
from django.test import Client

from casino.core.models import Role
from tables import beliefs, proofs, selectors
from tables.engine.cards import CARD_TEXT
from tables.models import Deck, Event, Hand, HandSecret
from tables.services import displays
from tests.cast import person
from tests.tables.cut_cast import Giver, waiting, went_on
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
    at = table(positions={"button": 1})  # no card is drawn for it
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


def test_a_deal_is_one_frame_for_all_who_may_not_see_and_of_one_size_for_all_who_hold(
    three_at_holdem,
):
    """Neither who looks nor what was dealt can be told from the length of a frame."""
    at, players = three_at_holdem
    viewers = [None, player("dave").pk, *(who.pk for who in players)]
    told = {viewer: selectors.frames_since(at.pk, 0, viewer) for viewer in viewers}
    deal = next(nth for nth, text in enumerate(told[None]) if '"cards_dealt"' in text)
    assert told[viewers[1]] == told[None]
    assert len({len(told[who.pk][deal]) for who in players}) == 1
    for who in players:
        others = [nth for nth, text in enumerate(told[who.pk]) if text != told[None][nth]]
        assert others == [deal]


def test_a_displays_page_holds_no_card_before_the_board_and_none_in_its_source(three_at_holdem):
    at, _ = three_at_holdem
    manager = person("Paula", Role.PIT_MANAGER).user
    for profile in ("display", "console"):
        _, code = displays.enrol(name=profile, profile=profile, table_id=at.pk, by=manager)
        screen = Client()
        page = screen.post("/display/", {"code": code}, follow=True).content.decode()
        assert f'"id": {at.pk}' in page
        assert cards_in(page.replace("&quot;", '"')) == set()
        assert cards_in(screen.get(f"/display/{at.pk}/figures").content.decode()) == set()
    played_out(at)
    shown = cards_in(*selectors.frames_since(at.pk, 0, None))
    assert len(shown) > 5
    assert cards_in(screen.get("/display/").content.decode()) <= shown


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
    at = three_card_table(reveal_ms=30_000)
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


class Watch:
    """Everything that leaves the house or is kept in the clear, looked through for secrets."""

    def __init__(self, at, givers, monkeypatch, caplog) -> None:
        self.at, self.givers, self.caplog = at, givers, caplog
        self.tasks: list[str] = []
        monkeypatch.setattr(
            "tables.jobs.send", lambda name, *args, queue="": self.tasks.append(f"{name}{args}")
        )

    def everything(self) -> str:
        viewers = [None, *(who.user.pk for who in self.givers)]
        told = [text for who in viewers for text in selectors.frames_since(self.at.pk, 0, who)]
        told += [
            orjson.dumps(selectors.table_snapshot(self.at.pk, who), default=str).decode()
            for who in viewers
        ]
        for hand in Hand.objects.filter(table=self.at):
            told += [orjson.dumps(proofs.bundle(hand.pk, who)).decode() for who in viewers]
        told.append(orjson.dumps(proofs.cuts_of(self.at.pk, before=None, most=50)).decode())
        return " ".join([*told, *self.tasks, self.caplog.text, database_text()])

    def finds(self, *secrets: bytes) -> list[str]:
        text = self.everything()
        return [secret.hex() for secret in secrets if secret.hex() in text]


def database_text() -> str:
    """Every row of every table as text, binary columns in hexadecimal."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = [row[0] for row in cursor.fetchall()]
        texts = []
        for name in tables:
            cursor.execute("SELECT has_table_privilege(%s, 'SELECT')", [name])
            if cursor.fetchone()[0]:
                cursor.execute(f"SELECT string_agg(t::text, ' ') FROM \"{name}\" t")
                texts.append(cursor.fetchone()[0] or "")
    return " ".join(texts)


def salts_of(decks) -> list[bytes]:
    return [salt for deck in decks for salt in beliefs.secret_of(deck.pk).salts]


def test_no_salt_or_seed_leaves_before_its_time(monkeypatch, caplog) -> None:
    """Step by step from the roots to the end of a hand, in everything told, kept or logged."""
    at = table(reveal_ms=30_000)
    givers = [Giver(player(name)) for name in ("alice", "bob", "carol")]
    seated(at, *(who.user for who in givers))
    watch = Watch(at, givers, monkeypatch, caplog)
    caplog.set_level("DEBUG")
    dealt(at)
    played_out(at)
    cut = waiting(at)
    seeds = [who.seed(cut.number) for who in givers]
    salts = salts_of(cut.decks.all())
    assert watch.finds(*salts, *seeds) == []  # published
    for who in givers:
        who.commits(at)
    assert watch.finds(*salts, *seeds) == []  # committed
    hand = dealt(at)
    assert watch.finds(*salts, *seeds) == []  # listed
    for who in givers:
        who.opens(at)
    assert watch.finds(*salts, *seeds) == []  # opened, but not all made of it yet
    assert went_on(at)
    assert watch.finds(*seeds) == [seed.hex() for seed in seeds]  # now everybody may know them
    chosen = Deck.objects.get(pk=Hand.objects.get(pk=hand.pk).deck_id)
    own_slots = {
        one["slot"] for who in givers for one in proofs.bundle(hand.pk, who.user.pk)["openings"]
    }
    closed = [
        salt for slot, salt in enumerate(beliefs.secret_of(chosen.pk).salts)
        if slot not in own_slots
    ]  # fmt: skip
    assert len(closed) == 52 - 6
    assert watch.finds(*closed, *salts_of(waiting(at).decks.all())) == []
    assert len(watch.tasks) > 0


def test_stub_and_mucked_cards_stay_closed_for_ever(monkeypatch, caplog) -> None:
    at = table(reveal_ms=30_000)
    givers = [Giver(player(name)) for name in ("alice", "bob", "carol")]
    seated(at, *(who.user for who in givers))
    watch = Watch(at, givers, monkeypatch, caplog)
    dealt(at)
    move(at, name="fold")
    hand = played_out(at)
    secret = beliefs.secret_of(hand.deck_id)
    shown = {one["slot"] for one in proofs.bundle(hand.pk, None)["openings"]}
    own = {one["slot"] for who in givers for one in proofs.bundle(hand.pk, who.user.pk)["openings"]}
    assert len(shown) < len(own) < 52
    closed = [salt for slot, salt in enumerate(secret.salts) if slot not in own]
    assert watch.finds(*closed) == []
    folded = [secret.salts[slot] for slot in own - shown]
    public = orjson.dumps(proofs.bundle(hand.pk, None)).decode()
    assert not any(salt.hex() in public for salt in folded)


def test_a_reshuffled_muck_is_never_opened_but_card_by_card(monkeypatch, caplog) -> None:
    at = table(
        "triple_draw_27", {"limit": "fixed", "big_blind_minor": 100}, max_seats=6, reveal_ms=30_000
    )
    givers = [Giver(player(f"p{n}")) for n in range(6)]
    seated(at, *(who.user for who in givers), chips_minor=20_000)
    watch = Watch(at, givers, monkeypatch, caplog)
    hand = dealt(at)
    while not beliefs.read(at.pk).finished:
        play = beliefs.read(at.pk).hand()
        names = [choice["name"] for choice in play.legal(play.waiting[0])]
        if "draw" in names:
            move(at, name="draw", cards=[0, 1, 2, 3, 4])
        else:
            move(at, name="check" if "check" in names else "call")
    mucks = Deck.objects.filter(cut__purpose="reshuffle", cut__hand_id=hand.pk)
    assert mucks.exists()
    seen = {
        (one["root"], one["slot"])
        for who in givers for one in proofs.bundle(hand.pk, who.user.pk)["openings"]
    }  # fmt: skip
    closed = [
        salt for deck in mucks for slot, salt in enumerate(beliefs.secret_of(deck.pk).salts)
        if (deck.number, slot) not in seen
    ]  # fmt: skip
    assert closed
    assert watch.finds(*closed) == []
