import pytest
from django.db import IntegrityError, transaction
from pytest_django import Settings

from casino.core.errors import NameRefused, NameTaken, PasswordTooWeak, RegistrationClosed
from casino.core.models import LogEntry, User
from casino.core.services import user_register
from tests.core.cast import PASSWORD, person

pytestmark = pytest.mark.django_db


def register(username: str = "dana", display_name: str = "Dana", **more: str) -> User:
    return user_register(
        username=username, password=more.pop("password", PASSWORD), display_name=display_name
    )


def test_a_new_player_is_a_player_and_nothing_more() -> None:
    user = register()
    assert (user.role, user.is_staff, user.is_superuser) == ("player", False, False)
    assert user.check_password(PASSWORD)
    assert LogEntry.objects.get(kind="user.registered").subject == f"user:{user.pk}"


@pytest.mark.parametrize(
    ("username", "display_name", "field"),
    [("ANN", "Other", "username"), ("other", "aNN", "display_name")],
)
def test_names_are_taken_whatever_their_case(
    ann: User, username: str, display_name: str, field: str
) -> None:
    with pytest.raises(NameTaken) as taken:
        register(username, display_name)
    assert taken.value.field == field


def test_the_database_holds_display_names_apart(ann: User, bob: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=bob.pk).update(display_name="ANN")


@pytest.mark.parametrize("name", ["x", " ", "a" * 25, "An\u200bn", "A\u202ebc", "a\x00bc"])
def test_a_display_name_must_be_one_that_can_be_read(name: str) -> None:
    with pytest.raises(NameRefused):
        register(display_name=name)


def test_spaces_in_a_display_name_are_tidied() -> None:
    assert register(display_name="  Dana \t  K ").display_name == "Dana K"


@pytest.mark.parametrize("username", ["", "two words", "a\x00b", "x" * 151])
def test_a_user_name_has_its_form(username: str) -> None:
    with pytest.raises(NameRefused):
        register(username)


def test_a_weak_password_is_refused_with_the_reasons() -> None:
    with pytest.raises(PasswordTooWeak) as weak:
        register(password="12345")
    assert len(weak.value.problems) >= 2


def test_a_closed_house_registers_nobody_but_its_staff_may(settings: Settings) -> None:
    settings.REGISTRATION_OPEN = False
    with pytest.raises(RegistrationClosed):
        register()
    user_register(username="d", password=PASSWORD, display_name="Dana", by=person("Cage", "cage"))
