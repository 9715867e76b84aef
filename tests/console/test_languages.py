"""English and Polish: every word of the console's pages in both, the catalogue whole."""

import gettext
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib import admin
from django.test import Client
from django.utils import translation

from casino.console import records, refused
from casino.core.models import Role
from tables.engine.errors import BadDefinition, BadOptions, BetTooSmall, NotYourTurn
from tables.engine.reasons import Reason
from tables.errors import BankTooShort, SeatTaken, StatusNotPossible
from tables.models import Table
from tests.cast import deal, holdem_table, person, settle, three_card_table
from tests.console.cast import console
from tests.tables.dealing_cast import run_out

CONSOLE = Path(__file__).parents[2] / "casino" / "console"
CATALOGUE = CONSOLE / "locale" / "pl" / "LC_MESSAGES"
ENTRY = re.compile(
    r'^msgid "(?P<id>.*)"\n(?:msgid_plural "(?P<plural>.*)"\n)?(?P<said>(?:msgstr.*\n?)+)', re.M
)
HOLE = re.compile(r"%\(\w+\)s|\{\w[^}]*\}")
NOT_WORDS = {"CSV", "XLSX", "SHA-256", "PIN"}


def entries() -> Iterator[tuple[str, str, list[str]]]:
    for found in ENTRY.finditer((CATALOGUE / "django.po").read_text()):
        if found["id"]:
            said = re.findall(r'^msgstr(?:\[\d\])? "(.*)"$', found["said"], re.M)
            yield found["id"], found["plural"] or "", said


def test_every_word_has_a_translation_with_the_same_holes() -> None:
    seen = list(entries())
    assert len(seen) > 1_000
    for english, plural, said in seen:
        assert all(said), english
        for one in said:
            wanted = sorted(HOLE.findall(english))
            assert sorted(HOLE.findall(one)) in (wanted, sorted(HOLE.findall(plural))), english


def test_the_readable_catalogue_is_made_from_the_written_one() -> None:
    with (CATALOGUE / "django.mo").open("rb") as file:
        made = gettext.GNUTranslations(file)
    for english, plural, said in entries():
        plain = english.replace('\\"', '"')
        if plural:
            assert made.ngettext(plain, plural, 1) == said[0]
            assert made.ngettext(plain, plural, 3) == said[1]
            assert made.ngettext(plain, plural, 5) == said[2]
        else:
            assert made.gettext(plain) == said[0].replace('\\"', '"'), english


def test_every_sentence_with_which_a_rule_refuses_is_in_the_catalogue() -> None:
    known = {english.replace('\\"', '"') for english, _, _ in entries()}
    assert len(refused.patterns()) > 150
    assert [each for each in refused.patterns() if each not in known] == []


def test_every_name_of_a_record_is_in_the_catalogue() -> None:
    known = {english.replace('\\"', '"') for english, _, _ in entries()}
    admin.autodiscover()
    with translation.override("en"):
        names = records.names()
    assert len(names) > 300
    assert [name for name in names if name not in known] == []


class Unwritten(Exception):
    pass


@pytest.mark.parametrize(
    ("error", "english", "polish"),
    [
        (SeatTaken(3), "Seat 3 is taken.", "Miejsce 3 jest zajęte."),
        (
            NotYourTurn(2, ()),
            "It is not the turn of seat 2: the hand waits for nobody.",
            "To nie kolej miejsca 2: rozdanie na nikogo nie czeka.",
        ),
        (
            StatusNotPossible("closed", "paused"),
            "A table that is closed cannot become paused.",
            "Stół w stanie „zamknięty” nie może przejść w „wstrzymany”.",
        ),
        (
            BetTooSmall(500, 1_000),
            "5.00 EUR is below the least of 10.00 EUR.",
            "5.00 EUR to mniej niż najmniejsze 10.00 EUR.",
        ),
        (
            BankTooShort(5_000, 1_200, {"ante": 100}),
            "The round could cost 50.00 EUR and the bank holds 12.00 EUR; possible beside the rest"
            " of the bet: ante 1.00 EUR.",
            "Runda mogłaby kosztować 50.00 EUR, a bank ma 12.00 EUR; obok reszty zakładu możliwe:"
            " ante 1.00 EUR.",
        ),
        (
            BadOptions("rake", Reason("amount_too_small", least_minor=50)),
            "Option rake: must be at least 0.50 EUR.",
            "Opcja rake: musi wynosić co najmniej 0.50 EUR.",
        ),
        (
            BadDefinition(
                "custom",
                Reason("in_step", nth=2, step="bet", fault=Reason("round_twice", street="turn")),
            ),
            "Custom: step 2, bet: there was a round on 'turn' already.",
            "Custom: krok 2, stawia: na etapie „turn” była już runda.",
        ),
        (Unwritten("a fault"), "A fault.", "A fault."),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, Exception) else "",
)
@pytest.mark.django_db
def test_a_refusal_is_told_in_the_readers_language(
    error: Exception, english: str, polish: str
) -> None:
    for language, words in (("en", english), ("pl", polish)):
        with translation.override(language):
            assert refused.sentence(error, "EUR") == words


SAID = re.compile(
    r"\{% blocktranslate.*?\{% endblocktranslate %\}|\{%.*?%\}|\{\{.*?\}\}|<kbd>.*?</kbd>|<[^>]*>",
    re.S,
)


@pytest.mark.parametrize("template", sorted((CONSOLE / "templates").rglob("*.html")), ids=str)
def test_no_word_of_a_page_is_left_out_of_the_catalogue(template: Path) -> None:
    rest = SAID.sub(" ", template.read_text())
    words = set(re.findall(r"[A-Za-z][A-Za-z-]+\d*", re.sub(r"&\w+;", " ", rest)))
    assert words <= NOT_WORDS | {"UTC", "ms", "cm", "min"}


SHOWN = re.compile(r"<(script|style|template).*?</\1>|<[^>]*>", re.S)
PAGES = (
    "pit/", "tables/", "tables/new/?game=holdem", "tables/new/?game=horse",
    "tables/new/?game=three_card_poker", "games/", "games/new/?base=stud8", "approvals/", "cage/",
    "reports/", "close/", "players/", "alerts/", "pictures/?name=seats", "audit/", "files/",
    "jobs/", "account/", "hands/", "step-up/", "books/", "cage/?q=a", "players/?q=a", "devices/",
    "jackpots/new/", "close/", "webhooks/", "records/", "wallets/transfer/",
)  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_a_polish_reader_meets_no_english_sentence() -> None:
    table = holdem_table()
    for name in ("Ann", "Bob"):
        person(name).sits(table)
    hand = deal(table)
    settle(table, run_out(table))
    three_card_table()
    client = console(Role.ADMIN, "Ada")
    answer = client.post("/admin/language/setlang/", {"language": "pl", "next": "/admin/pit/"})
    assert answer.url == "/admin/pit/"
    own = (f"tables/{table.pk}/", f"hands/{hand.pk}/", f"hands/{hand.pk}/stacks/",
           f"pit/{table.pk}/pause/", f"tables/{table.pk}/schedule/")  # fmt: skip
    english = sorted(
        each for each, _, said in entries() if " " in each and len(each) > 8 and each not in said
        and not HOLE.search(each)
    )  # fmt: skip
    for page in (*PAGES, *own):
        text = client.get(f"/admin/{page}").content.decode()
        shown = " ".join(SHOWN.sub("\n", text).replace("&#x27;", "'").split("\n"))
        found = [each for each in english if each in shown]  # before each is made an expression
        left = [each for each in found if re.search(rf"(?<!\w){re.escape(each)}(?!\w)", shown)]
        assert left == [], page
        assert 'lang="pl"' in text
    assert Table.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_the_door_speaks_polish_too() -> None:
    page = Client().get("/admin/login/", headers={"Accept-Language": "pl"}).content.decode()
    assert "Zaloguj" in page
