"""English and Polish: every word of the console's pages in both, the catalogue whole."""

import gettext
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.utils import quote
from django.test import Client
from django.utils import timezone, translation

from casino.console import records, refused
from casino.core.models import Role
from casino.core.seal import seal_new
from tables.engine.errors import BadDefinition, BadOptions, BetTooSmall, NotYourTurn
from tables.engine.games import GAMES
from tables.engine.reasons import Reason
from tables.errors import BankTooShort, SeatTaken, StatusNotPossible
from tables.models import Table
from tests.console.cast import console
from tests.console.test_access import READ, address, house  # noqa: F401 - the fixture
from tests.console.test_gallery import pages
from wallets.gaming_day import gaming_day
from wallets.reconciling import reconcile

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


AGREES = re.compile(r"\{(?:count|seats|left|held)\} (?!się )[^\W\d_]{3,}")


def test_a_number_stands_beside_no_polish_noun_that_it_would_have_to_agree_with() -> None:
    numbered = [said for english, plural, said in entries() if "{count}" in english and not plural]
    assert len(numbered) > 3
    assert [one for _, plural, said in entries() if not plural
            for one in said if AGREES.search(one)] == []  # fmt: skip


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


def test_a_table_that_is_open_is_not_told_as_a_button_that_opens_it() -> None:
    with translation.override("pl"):
        assert [str(Table(status=each).get_status_display()) for each in ("open", "closed")] == [
            "Otwarty", "Zamknięty",
        ]  # fmt: skip
        assert translation.gettext("Open") == "Otwórz"
    with translation.override("en"):
        assert str(Table(status="open").get_status_display()) == "Open"


SAID = re.compile(
    r"\{% blocktranslate.*?\{% endblocktranslate %\}|\{%.*?%\}|\{\{.*?\}\}|<kbd>.*?</kbd>|<[^>]*>",
    re.S,
)


@pytest.mark.parametrize("template", sorted((CONSOLE / "templates").rglob("*.html")), ids=str)
def test_no_word_of_a_page_is_left_out_of_the_catalogue(template: Path) -> None:
    rest = SAID.sub(" ", template.read_text())
    words = set(re.findall(r"[A-Za-z][A-Za-z-]+\d*", re.sub(r"&\w+;", " ", rest)))
    assert words <= NOT_WORDS | {"UTC", "ms", "cm", "min"}


class Words(HTMLParser):
    """What a page says: its texts and what its attributes tell, as whole pieces."""

    UNSEEN = frozenset(("script", "style", "template", "code", "svg"))
    TELLING = frozenset(("aria-label", "title", "placeholder", "alt", "data-confirm"))

    def __init__(self, page: str) -> None:
        super().__init__()
        self.said: set[str] = set()
        self.within: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.UNSEEN or (tag == "span" and "material-symbols" in str(dict(attrs))):
            self.within.append(tag)
        self.said |= {" ".join(value.split()) for name, value in attrs
                      if value and name in self.TELLING}  # fmt: skip

    def handle_endtag(self, tag: str) -> None:
        if self.within and self.within[-1] == tag:
            self.within.pop()

    def handle_data(self, data: str) -> None:
        if not self.within:
            self.said.add(" ".join(data.split()))


WORD = re.compile(r"[^\W\d_]{3,}")
# What is spelled alike in both languages.
SAME = frozenset((
    "Administrator", "Ante", "Bad beat", "Bank", "Bonus", "Croupier", "CSV", "Ctrl", "Ctrl + K",
    "Drop", "English", "English + polski", "Hold %", "Jackpot", "Limit", "Must-move", "PIN",
    "Polski", "Rake", "Token", "Transfer", "UTC", "XLSX", "ante", "badugi", "bank", "bomb pot",
    "bonus", "drop", "esc", "flop", "jackpot", "limit", "pit", "polski", "rake", "river", "test",
))  # fmt: skip
# Names of people, tables, games, wagers and currencies, codes, addresses, digests, and what
# somebody typed.
NAMES = re.compile("|".join((
    *(re.escape(name) for name in sorted((g.name for g in GAMES.values()), key=len, reverse=True)),
    "8-Game|HORSE|Dealer's Choice|6-Card Bonus",
    "(?i:holdem|omaha|(crazy )?pineapple|three[ _]card[ _]poker|ante bonus)",
    "(?i:pair[ _]plus|six[ _]card)",
    "(?i:house|with a kill card|four before|(nine|seven) or better|ante)",
    "(?i:ann|bob|ada|adela|sonia|dora|fay|fiona|clara|mat|amber|three card|desk|own|usual)",
    r"Euro|US dollar|Japanese yen|Polish złoty|Play chips|[A-Z]{3}|misdeal|box|asked|\| Croupier",
    r"(?i:https?)://\S+", r"(?i:[a-z_]+(?:[.:][\w:]+)+)", "[0-9a-f]{12,}", r"(?i:ck_)\w+", "v1",
    r"pairs|^\d+ webhook$",
)))  # fmt: skip


def same_in_both(english: str, polish: str) -> list[str]:
    both = Words(english).said & Words(polish).said
    return sorted(each for each in both if WORD.search(NAMES.sub("", each)) and each not in SAME)


def records_of(client: Client) -> Iterator[str]:
    """Every record's list and form, and a row of those that have one."""
    for model, of in admin.site._registry.items():
        base = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        if client.get(base).status_code != 200:
            continue
        yield base
        if client.get(f"{base}add/").status_code == 200:
            yield f"{base}add/"
        row = of.model._default_manager.order_by("pk").first()
        if row is not None:
            yield f"{base}{quote(row.pk)}/change/"


@pytest.mark.django_db(transaction=True)
def test_no_page_says_the_same_in_english_and_in_polish(
    house: dict[str, Any],  # noqa: F811
) -> None:
    reconcile(day=gaming_day(timezone.now()))
    seal_new()
    client, watcher = console(Role.ADMIN, "Adela"), console(Role.SURVEILLANCE, "Sonia")
    where = dict.fromkeys((*pages(house).values(), *records_of(client)), client)
    where |= {address(name, args, house): watcher
              for name, (args, roles) in READ.items() if Role.ADMIN not in roles}  # fmt: skip
    left = {}
    for page, reader in where.items():
        told = []
        for language in ("en", "pl"):
            reader.cookies[settings.LANGUAGE_COOKIE_NAME] = language
            told.append(reader.get(page).content.decode())
        if found := same_in_both(*told):
            left[page] = found
    assert left == {}


@pytest.mark.django_db(transaction=True)
def test_the_door_speaks_polish_too() -> None:
    page = Client().get("/admin/login/", headers={"Accept-Language": "pl"}).content.decode()
    assert "Zaloguj" in page
