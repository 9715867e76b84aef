"""The console's records: each role sees its own, the log and approvals are only looked at."""

import pytest
from django.test import Client
from django.urls import reverse

from casino.core.approvals import approval_ask
from casino.core.log import log
from casino.core.models import LogEntry, Role, Token, User
from casino.core.seal import seal_new
from casino.core.services import token_issue, token_user
from tests.console.cast import once_more
from tests.core.cast import person

pytestmark = pytest.mark.django_db

MODELS = ["user", "token", "device", "approval", "logentry", "logseal"]
AUDITORS = {Role.SURVEILLANCE, Role.COMPLIANCE, Role.ADMIN}
LOOKING = {
    "user": AUDITORS | {Role.CAGE, Role.FINANCE},
    "token": AUDITORS,
    "device": AUDITORS | {Role.FLOOR, Role.PIT_MANAGER},
    "approval": set(Role) - {Role.PLAYER, Role.DEALER},
    "logentry": AUDITORS,
    "logseal": AUDITORS,
}


def console_of(role: Role, name: str = "Staff") -> Client:
    client = Client()
    client.force_login(person(name, role, is_staff=role != Role.PLAYER))
    return once_more(client)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("role", list(Role))
def test_lists_open_to_their_roles_alone(role: Role, model: str) -> None:
    answer = console_of(role).get(reverse(f"admin:core_{model}_changelist"))
    if role == Role.PLAYER:
        assert answer.status_code == 302
    else:
        assert answer.status_code == (200 if role in LOOKING[model] else 403)


def test_an_administrator_cannot_touch_the_log() -> None:
    entry_id = log("test.done", "thing:1", None)
    seal = seal_new()[-1]
    client = console_of(Role.ADMIN)
    for model, key in (("logentry", entry_id), ("logseal", seal.pk)):
        url = reverse(f"admin:core_{model}_change", args=[key])
        assert client.get(url).status_code == 200
        assert client.post(url, {}).status_code == 403
        assert client.post(reverse(f"admin:core_{model}_delete", args=[key])).status_code == 403
        assert client.get(reverse(f"admin:core_{model}_add")).status_code == 403


def test_nobody_decides_an_approval_by_editing_its_row(fiona: User) -> None:
    approval = approval_ask(
        kind="hand.void", subject="hand:1", payload={}, reason="misdeal", by=fiona
    )
    url = reverse("admin:core_approval_change", args=[approval.pk])
    assert console_of(Role.ADMIN).post(url, {"status": "approved"}).status_code == 403


def test_an_administrator_adds_and_changes_people_and_the_log_says_so() -> None:
    client = console_of(Role.ADMIN)
    form = {
        "username": "dora",
        "display_name": "Dora",
        "role": "dealer",
        "is_staff": "on",
        "usable_password": "true",
        "password1": "a long one 123",
        "password2": "a long one 123",
    }
    assert client.post(reverse("admin:core_user_add"), form).status_code == 302
    dora = User.objects.get(username="dora")
    assert dora.check_password("a long one 123")
    url = reverse("admin:core_user_change", args=[dora.pk])
    assert client.get(url).status_code == 200
    changed = {"username": "dora", "display_name": "Dora K", "role": "floor", "is_active": "on"}
    assert client.post(url, changed).status_code == 302
    entries = LogEntry.objects.filter(subject=f"user:{dora.pk}").order_by("id")
    assert [entry.kind for entry in entries] == ["user.added", "user.viewed", "user.changed"]
    assert entries[2].facts["fields"] == ["display_name", "is_staff", "role"]
    assert "Dora" not in str([entry.facts for entry in entries])


def test_changing_a_role_ends_the_tokens_of_the_old_one(ann: User) -> None:
    _, raw = token_issue(user=ann)
    token_user(raw)
    form = {"username": "ann", "display_name": "Ann", "role": "dealer", "is_active": "on"}
    url = reverse("admin:core_user_change", args=[ann.pk])
    assert console_of(Role.ADMIN).post(url, form).status_code == 302
    assert Token.objects.get().revoked_at is not None


def test_a_password_set_in_the_console_ends_the_tokens(ann: User) -> None:
    token_issue(user=ann)
    url = reverse("admin:auth_user_password_change", args=[ann.pk])
    form = {"password1": "a long one 123", "password2": "a long one 123"}
    assert console_of(Role.ADMIN).post(url, form).status_code == 302
    assert Token.objects.get().revoked_at is not None
    assert LogEntry.objects.filter(kind="user.password_set").count() == 1


def test_a_superuser_has_the_role_that_opens_the_console() -> None:
    root = User.objects.create_superuser("root", password="x", display_name="Root")
    assert root.role == Role.ADMIN
