"""Jackpots in the console: opened by a form, hits verified or refused by those who may."""

import pytest

from casino.core.models import Role
from tables.models import Jackpot, JackpotHit, Table
from tests.console.cast import console
from tests.tables.dealing_cast import player, seated, table
from tests.tables.services.test_jackpots import STAKES, beaten, stacked

pytestmark = pytest.mark.django_db
TERMS = {
    "seed": "1000", "two_persons_over": "100000", "beat": "on", "beat_least": "four_of_a_kind",
    "beat_players": "4", "beat_pays": "80", "beat_loser": "50", "beat_winner": "25",
    "high_least": "full_house", "high_every": "60", "high_pays": "100", "games": ["holdem"],
}  # fmt: skip


@pytest.fixture
def at() -> Table:
    made = table(options=STAKES)
    seated(made, *(player(name) for name in ("ann", "bob", "cyd", "dan")))
    return made


def test_it_is_opened_its_hit_shown_and_paid_by_those_who_may(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = console(Role.FINANCE)
    answer = keeper.post("/admin/jackpots/new/", {**TERMS, "name": "Main", "tables": [at.pk]})
    assert answer.status_code == 302
    assert Jackpot.objects.get().terms.get().content["seed_minor"] == 100_000
    stacked(monkeypatch)
    beaten(at)
    hit = JackpotHit.objects.get()
    page = keeper.get("/admin/jackpots/").content.decode()
    for words in ("Main", "Bad beat", "800.40 EUR", "ann", "Verify"):
        assert words in page
    where = f"/admin/jackpots/hits/{hit.pk}/confirm/"
    assert console(Role.FLOOR).get(where).status_code == 403
    judge = console(Role.PIT_MANAGER)
    assert judge.post(where, {"reason": "cards and stubs"}).status_code == 302
    hit.refresh_from_db()
    assert hit.status == "paid"
    assert judge.post(where, {"reason": "once more"}).status_code == 422


def test_a_hit_is_refused_with_a_reason_and_terms_get_another_version(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = console(Role.FINANCE)
    keeper.post("/admin/jackpots/new/", {**TERMS, "name": "Main", "tables": [at.pk]})
    stacked(monkeypatch)
    beaten(at)
    hit = JackpotHit.objects.get()
    where = f"/admin/jackpots/hits/{hit.pk}/refuse/"
    assert keeper.post(where, {"reason": ""}).status_code == 422
    assert keeper.post(where, {"reason": "hand spoken of"}).status_code == 302
    hit.refresh_from_db()
    assert (hit.status, hit.note) == ("refused", "hand spoken of")
    again = f"/admin/jackpots/{hit.jackpot_id}/terms/"
    assert keeper.post(again, {**TERMS, "beat_pays": "50"}).status_code == 302
    assert hit.jackpot.terms.count() == 2
    assert keeper.post(again, {**TERMS, "seed": "many"}).status_code == 422
