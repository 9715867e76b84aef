"""The books' page: what players own is held against what came in, all of it sums to zero."""

import pytest

from casino.console import books
from casino.core.models import Role
from casino.core.seal import seal_new
from tests.cast import CURRENCY, deal, holdem_table, person, settle
from tests.console.cast import console, staff
from tests.tables.dealing_cast import run_out
from wallets import cage

pytestmark = pytest.mark.django_db(transaction=True)


def test_what_players_own_stands_against_what_came_in() -> None:
    table = holdem_table()
    players = [person(name, cash_minor=100_000) for name in ("Ann", "Bob")]
    for player in players:
        player.sits(table)
    (before,) = books.standings()
    deal(table)
    (playing,) = books.standings()
    assert (playing.owned_minor, playing.held_minor) == (before.owned_minor, before.held_minor)
    assert playing.held_minor == 200_000
    settle(table, run_out(table))
    cage.cash_recorded(
        verb="withdraw", player_id=players[0].user.pk, amount_minor=10_000, currency=CURRENCY,
        key="out", by=staff(Role.CAGE),
    )  # fmt: skip
    (after,) = books.standings()
    rake = sum(line.minor for line in after.lines if line.words == "Rake")
    assert after.held_minor == 190_000
    assert after.house_minor == rake
    assert after.owned_minor == 190_000 - rake
    assert after.differs_minor == 0


def test_the_page_tells_seals_and_what_nobody_has_sealed() -> None:
    person("Ann")
    seal_new()
    person("Bob")
    log, transfers = books.sealed()
    assert 0 < transfers.upto < transfers.last
    assert 0 < log.upto <= log.last
    page = console(Role.FINANCE).get("/admin/books/").content.decode()
    for words in ("2,000.00", "Cash", "Left for the house", f"{transfers.upto:,}"):
        assert words in page
