"""Forms of records and actions on them ask for the password once more, with what was typed."""

from typing import Any

import pytest
from django.test import Client

from casino.core.models import LogEntry, Role, User
from tests.cast import holdem_table, person
from tests.console.cast import console, console_of, staff
from wallets.models import BonusWeight, PlayerLimits

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "a long one 123"
HALF = {"game": "holdem", "weight_bp": 5_000}
ADD = "/admin/wallets/bonusweight/add/"


@pytest.fixture
def ada() -> User:
    user = staff(Role.ADMIN, "Ada")
    user.set_password(PASSWORD)
    user.save()
    return user


def hidden_of(page: Any) -> dict[str, str]:
    return dict(page.context["typed"])


def test_a_records_form_is_kept_once_the_password_came_with_it(ada: User) -> None:
    client = console_of(ada, stepped_up=False)
    asked = client.post(ADD, HALF)
    assert asked.status_code == 200
    assert "Your password first" in asked.content.decode()
    assert not BonusWeight.objects.exists()
    typed = hidden_of(asked)
    assert typed == {name: str(value) for name, value in HALF.items()}
    wrong = client.post(ADD, typed | {"step_up_password": "nonsense"})
    assert (wrong.status_code, hidden_of(wrong)) == (422, typed)
    assert client.post(ADD, typed | {"step_up_password": PASSWORD}).status_code == 302
    assert BonusWeight.objects.get().weight_bp == 5_000
    assert LogEntry.objects.filter(kind="sign_in.stepped_up", actor_id=ada.pk).count() == 1
    again = client.post(ADD, {"game": "omaha", "weight_bp": 1})
    assert again.status_code == 302  # for some minutes nothing is asked


def test_an_action_on_records_asks_and_does_it_with_every_row_that_was_ticked(ada: User) -> None:
    tables = [holdem_table("Amber"), holdem_table("Birch")]
    client = console_of(ada, stepped_up=False)
    form = {"action": "pause", "_selected_action": [table.pk for table in tables]}
    asked = client.post("/admin/tables/table/", form)
    ticked = [value for name, value in asked.context["typed"] if name == "_selected_action"]
    assert ticked == [str(table.pk) for table in tables]
    client.post("/admin/tables/table/", form | {"step_up_password": PASSWORD})
    for table in tables:
        table.refresh_from_db()
        assert table.status == "paused"


def test_a_new_password_is_never_written_into_the_question(ada: User) -> None:
    client = console_of(ada, stepped_up=False)
    form = {"username": "eve", "display_name": "Eve", "role": "dealer",
            "password1": "a secret word 9", "password2": "a secret word 9"}  # fmt: skip
    led = client.post("/admin/core/user/add/", form)
    assert (led.status_code, led.url) == (
        302,
        "/admin/step-up/?next=%2Fadmin%2Fcore%2Fuser%2Fadd%2F",
    )
    assert not User.objects.filter(username="eve").exists()


def test_protecting_a_player_is_never_kept_waiting() -> None:
    ann = person("Ann")
    client = console(Role.COMPLIANCE, stepped_up=False)
    row = PlayerLimits.objects.get(player=ann.user)
    form = {"action": "exclude_player", "_selected_action": [row.pk], "reason": "asked for it"}
    client.post("/admin/wallets/playerlimits/", form)
    row.refresh_from_db()
    assert row.self_excluded


def test_strangers_meet_the_door_and_no_question() -> None:
    assert Client().post(ADD, HALF).url.startswith("/admin/login/")
    player = Client()
    player.force_login(person("Bob").user)
    assert player.post(ADD, HALF).status_code in (302, 403)
    assert not BonusWeight.objects.exists()
