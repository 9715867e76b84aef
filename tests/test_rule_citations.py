"""The code cites the rules of the house by page and section; each citation must lead somewhere."""

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

from tables.engine.banked import options as banked
from tables.engine.bluff import vocabulary as bluff
from tables.engine.games import CUSTOM, WITH_KILL_CARD
from tables.engine.games import GAMES as SINGLE_GAMES
from tables.engine.games.mixed import MIXES
from tables.engine.poker import options as poker

ROOT = Path(__file__).parent.parent
RULES = ROOT / "docs" / "rules"
CODE = ("casino", "tables", "wallets", "tests", "bench")

NOT_DEALT = "(not dealt yet)"
SECTION = re.compile(r"^## (\d+)\. (.+)$", re.MULTILINE)
CLAUSE = re.compile(r"^\*\*(\d+\.\d+)\*\* ", re.MULTILINE)
NUMBER = r"\d+(?:\.\d+)?"
CITATION = re.compile(
    rf"docs/rules/(\w+\.md)(?:`?\s+(?P<list>{NUMBER}(?:(?:, | and | to ){NUMBER})*))?"
)
# A page that a module of games completes with the section of each game.
PAGE = re.compile(r'(^PAGE = |f)"docs/rules/\w+\.md( \{section\})?"', re.MULTILINE)


@cache
def numbers_of(page: str) -> frozenset[str]:
    """Sections and clauses of a page."""
    text = (RULES / page).read_text()
    return frozenset(number for number, _ in SECTION.findall(text)) | set(CLAUSE.findall(text))


@cache
def headings() -> tuple[tuple[str, str, str], ...]:
    """(page, section, heading) of all pages."""
    return tuple(
        (page.name, number, title)
        for page in sorted(RULES.glob("*.md"))
        for number, title in SECTION.findall(page.read_text())
    )


GAMES = {**SINGLE_GAMES, **MIXES}
NAMED = (*GAMES, *WITH_KILL_CARD, CUSTOM)


def ids_in(heading: str) -> list[str]:
    """Ids a heading names, `<game>` standing for any other game."""
    return [re.sub(r"<\w+>", "*", named) for named in re.findall(r"`([^`]+)`", heading)]


def section_of(game_id: str) -> tuple[str, str, str] | None:
    """The section that describes a game; one that names it outright goes before a pattern."""
    for matches in (str.__eq__, fnmatchcase):
        for found in headings():
            if any(matches(game_id, named) for named in ids_in(found[2])):
                return found
    return None


def citations(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(page, numbers) of every citation; no numbers where a page alone is named."""
    joined = re.sub(r"\s*\n[ \t#>]*", " ", PAGE.sub("", text))
    for found in CITATION.finditer(joined):
        yield found[1], tuple(re.findall(NUMBER, found["list"] or ""))


def sources() -> list[Path]:
    mine = Path(__file__)
    return [p for top in CODE for p in sorted((ROOT / top).rglob("*.py")) if p != mine]


def test_every_citation_names_an_existing_section() -> None:
    pages = sorted(RULES.glob("*.md"))
    for path in (*sources(), *pages):
        for page, numbers in citations(path.read_text()):
            cited = f"{path.relative_to(ROOT)} cites {page} {', '.join(numbers)}"
            assert (RULES / page).exists(), cited
            assert numbers or path in pages, f"{cited}: which section?"
            assert not set(numbers) - numbers_of(page), cited


def test_a_citation_that_leads_nowhere_is_found() -> None:
    text = "Source: docs/rules/stud.md 1.3,\n    1.99 and 4; docs/rules/poker.md, splitting."
    assert list(citations(text)) == [("stud.md", ("1.3", "1.99", "4")), ("poker.md", ())]
    assert "1.99" not in numbers_of("stud.md")


@pytest.mark.parametrize("game_id", GAMES)
def test_every_game_is_described_where_it_says_so(game_id: str) -> None:
    found = section_of(game_id)
    assert found is not None, f"no section of docs/rules names `{game_id}`"
    page, section, heading = found
    assert NOT_DEALT not in heading, f"{page} {section} says that {game_id} is not dealt yet"
    assert GAMES[game_id].source == f"docs/rules/{page} {section}"


def test_no_game_is_described_as_dealt_that_is_not() -> None:
    for page, section, heading in headings():
        if NOT_DEALT not in heading:
            for named in ids_in(heading):
                assert any(fnmatchcase(game, named) for game in NAMED), f"{page} {section}"


def test_sections_and_clauses_are_numbered_without_gaps() -> None:
    for page in sorted(RULES.glob("*.md")):
        parts = re.split(r"^## ", page.read_text(), flags=re.MULTILINE)[1:]
        for nth, part in enumerate(parts, 1):
            if page.name != "README.md":
                assert part.startswith(f"{nth}. "), f"{page.name}: section {nth}"
                clauses = CLAUSE.findall(part)
                assert clauses == [f"{nth}.{k + 1}" for k in range(len(clauses))], page.name


@pytest.mark.parametrize(
    ("page", "options"),
    [("poker.md", poker.KNOWN), ("bluff.md", bluff.KNOWN), ("banked.md", banked.KNOWN)],
    ids=("poker", "bluff", "banked"),
)
def test_every_option_of_a_table_is_described(page: str, options: Iterable[str]) -> None:
    text = (RULES / page).read_text()
    described = {
        name
        for row in re.findall(r"^\| (`.+?`) \|", text, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    }
    assert not set(options) - described
