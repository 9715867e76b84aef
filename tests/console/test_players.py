"""A player's page: found by anything, looked at under one's name, protected at once."""

import pytest

from casino.console.people import players_like
from casino.core.models import LogEntry, Role
from casino.core.services import token_issue
from tests.cast import deal, holdem_table, person
from tests.console.cast import console
from wallets.models import PlayerLimits
from wallets.selectors import barred_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_players_are_found_by_number_name_mail_and_token() -> None:
    ann = person("Ann Berg").user
    ann.email = "ann@example.org"
    ann.save()
    person("Bob")
    token, raw = token_issue(user=ann)
    for words in (str(ann.pk), f"#{ann.pk}", "berg", "ann berg", "ANN@example.org", token.hint):
        assert list(players_like(words)) == [ann], words
    assert not players_like("").exists()
    assert not players_like(raw[8:]).exists()


def test_looking_is_logged_under_ones_name() -> None:
    ann = person("Ann")
    client = console(Role.CAGE)
    page = client.get(f"/admin/players/{ann.user.pk}/").content.decode()
    assert "1,000.00" in page
    entry = LogEntry.objects.get(kind="user.viewed")
    assert (entry.subject, entry.facts) == (f"user:{ann.user.pk}", {"tab": "overview"})


def test_the_floor_sees_a_player_without_his_money() -> None:
    ann = person("Ann", cash_minor=77_777)
    client = console(Role.FLOOR)
    assert "777.77" not in client.get(f"/admin/players/{ann.user.pk}/").content.decode()
    assert client.get(f"/admin/players/{ann.user.pk}/?tab=statement").status_code == 403


@pytest.mark.parametrize("tab", ["overview", "statement", "hands", "devices", "log"])
def test_every_tab_says_amounts_in_units(tab: str) -> None:
    table = holdem_table()
    ann = person("Ann")
    ann.sits(table)
    token_issue(user=ann.user)
    client = console(Role.COMPLIANCE)
    answer = client.get(f"/admin/players/{ann.user.pk}/?tab={tab}")
    assert answer.status_code == 200
    if tab == "statement":
        assert "−100.00" in answer.content.decode()


def test_an_exclusion_counts_at_once_and_in_mid_hand() -> None:
    table = holdem_table()
    ann, bob = person("Ann"), person("Bob")
    ann.sits(table)
    bob.sits(table)
    deal(table)
    client = console(Role.FLOOR)
    where = f"/admin/players/{ann.user.pk}/exclude/"
    assert client.post(where, {"term": "", "reason": ""}).status_code == 422
    answer = client.post(where, {"term": "", "reason": "asked at the table"})
    assert answer.status_code == 302
    assert barred_of([ann.user.pk]) == {ann.user.pk: "player_excluded"}
    assert ann.sees(table)["you"]["dealt_as"] == 1  # the hand is played to its end
    page = client.get(f"/admin/players/{ann.user.pk}/").content.decode()
    assert "Excluded until lifted" in page
    assert "asked at the table" in page


def test_only_those_who_protect_lift_an_exclusion() -> None:
    ann = person("Ann")
    console(Role.FLOOR).post(f"/admin/players/{ann.user.pk}/exclude/", {"reason": "asked"})
    client = console(Role.COMPLIANCE)
    answer = client.post(f"/admin/players/{ann.user.pk}/lift/", {"reason": "half a year is over"})
    assert answer.status_code == 302
    assert not PlayerLimits.objects.get(player=ann.user).self_excluded


def test_a_note_stays_under_the_name_of_who_wrote_it() -> None:
    ann = person("Ann")
    client = console(Role.PIT_MANAGER, "Max")
    where = f"/admin/players/{ann.user.pk}/note/"
    assert client.post(where, {"text": "asks for <b>credit</b>"}).status_code == 302
    page = client.get(f"/admin/players/{ann.user.pk}/").content.decode()
    assert "asks for &lt;b&gt;credit&lt;/b&gt;" in page
    assert "Max" in page
    assert "credit" not in str(LogEntry.objects.filter(kind="player.noted").values())
