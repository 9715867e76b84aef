"""No page of the house shows its staff a hidden card, a deck or a salt of a hand in play."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.contrib import admin
from django.urls import reverse

from casino.console import urls
from casino.core.models import Role
from tables import beliefs, rules
from tables.engine.cards import CARD_TEXT
from tables.models import Cut, Deck, Hand, Table
from tests.console.cast import console
from tests.tables.cut_cast import Giver, dealt_with_seeds, first_roots, went_on
from tests.tables.dealing_cast import player, seated, table

pytestmark = pytest.mark.django_db(transaction=True)

# A card as any page writes it: as data, or with its suit drawn. No card is open before the flop.
CARD = re.compile(r"""["'][2-9TJQKA][cdhs]["']|\b(?:10|[2-9TJQKA])[♠♥♦♣]""")
OPENED = ("/", "/play/", "/verify/", "/voids/", "/api/v1/tables")


@pytest.fixture
def at() -> Table:
    """A hand before the flop, cut by its players; the next deal's roots are out too."""
    at = table(reveal_ms=30_000, positions={"button": 1})
    givers = [Giver(player(name)) for name in ("alice", "bob", "carol")]
    seated(at, *(giver.user for giver in givers))
    first_roots(at)
    dealt_with_seeds(at, givers)
    assert went_on(at)
    return at


def secrets() -> list[str]:
    """Every fourth salt in hexadecimal, and the order, of every deck that lies closed."""
    found = []
    for deck in Deck.objects.exclude(status=Deck.Status.OPENED):
        secret = beliefs.secret_of(deck.pk)
        texts = [CARD_TEXT[card] for card in secret.order[:8]]
        found += [salt.hex() for salt in secret.salts[::4]]
        for order in (secret.order[:8], texts):
            found += [json.dumps(order)[1:-1], ",".join(map(str, order)), " ".join(map(str, order))]
    return found


def pages(at: Table) -> Iterator[str]:
    """Every page of the console, every list of the admin and every record that it can open."""
    hand = Hand.objects.get()
    for one in urls.urlpatterns:
        if not one.pattern.converters:
            yield reverse(f"console:{one.name}")
    yield reverse("console:hand", args=[hand.pk])
    yield reverse("console:table", args=[at.pk])
    yield reverse("console:player", args=[at.seats.get(number=1).player_id])
    for model in apps.get_models():
        if not admin.site.is_registered(model):
            continue
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{name}_changelist")
        for row in model._default_manager.order_by("-pk")[:2]:
            yield reverse(f"{name}_change", args=[row.pk])
            yield reverse(f"{name}_history", args=[row.pk])
    yield from OPENED
    yield from (f"/api/v1/tables/{at.pk}{tail}" for tail in ("", "/cuts"))
    yield from (f"/api/v1/hands/{hand.pk}{tail}" for tail in ("", "/proof", "/events"))


def test_no_page_shows_a_card_of_a_hand_in_play(at: Table) -> None:
    client, hidden, answered = console(Role.ADMIN), secrets(), 0
    for address in pages(at):
        answer = client.get(address)
        assert answer.status_code in (200, 302, 401, 403, 404, 405), address
        text = b"".join(answer) if answer.streaming else answer.content
        shown = text.decode()
        answered += answer.status_code == 200
        assert [secret for secret in hidden if secret in shown] == [], address
        assert CARD.findall(shown) == [], address
    assert answered > 40


def test_the_same_search_finds_what_is_open(at: Table) -> None:
    cut = Cut.objects.get(hand_id=Hand.objects.get().pk)
    opened = beliefs.secret_of(cut.decks.filter(status=Deck.Status.OPENED)[0].pk)
    proof = console(Role.ADMIN).get(f"/api/v1/hands/{cut.hand_id}/proof").content.decode()
    assert opened.salts[0].hex() in proof
    assert CARD.search('{"cards":["As"]}')
    assert CARD.search("<b>10♥</b>")


def test_a_fault_of_the_house_shows_nothing_of_the_hand_it_was_reading(
    at: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The deck stands in the variables of the frames that failed."""

    def fails(data: object, options: object, state: str, deck: list[int]) -> None:
        raise RuntimeError("the hand cannot be read")

    monkeypatch.setattr(rules, "load", fails)
    client = console(Role.ADMIN)
    client.raise_request_exception = False
    failed, hand = 0, reverse("console:hand", args=[Hand.objects.get().pk])
    for address in (f"/api/v1/tables/{at.pk}", hand, reverse("console:pit")):
        answer = client.get(address)
        failed += answer.status_code == 500
        told = (b"".join(answer) if answer.streaming else answer.content).decode()
        assert [secret for secret in secrets()[:40] if secret in told] == [], address
        assert CARD.findall(told) == [], address
    assert failed > 0
    assert "the hand cannot be read" in caplog.text
    assert [secret for secret in secrets() if secret in caplog.text] == []
    assert CARD.findall(caplog.text) == []
