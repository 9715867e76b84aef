"""Bearer tokens: secret at rest, cheap to ask about, gone within seconds of being revoked."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from casino.core import bearers
from casino.core.errors import ScopeUnknown, TokenInvalid, TokenMissing
from casino.core.models import Scope, Token, User
from casino.core.services import (
    token_issue,
    token_revoke,
    token_revoke_own,
    token_user,
    user_password_set,
)

pytestmark = pytest.mark.django_db


def age(seconds: float) -> None:
    """Let what is remembered grow old."""
    for key, (fresh_until, facts) in list(bearers._remembered.items()):
        bearers._remembered[key] = (fresh_until - seconds, facts)


def test_a_token_speaks_for_its_user_within_its_scopes(ann: User) -> None:
    _, raw = token_issue(user=ann, scopes=["read", "play"])
    user_id, scopes = token_user(raw)
    assert (user_id, scopes) == (ann.pk, frozenset({"read", "play"}))


def test_the_secret_is_not_stored(ann: User) -> None:
    token, raw = token_issue(user=ann)
    row = Token.objects.values().get(pk=token.pk)
    assert raw.startswith("ck_")
    assert raw not in str(row)
    assert raw.startswith(row["hint"])


def test_a_remembered_token_costs_no_query(
    ann: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    _, raw = token_issue(user=ann)
    token_user(raw)
    with django_assert_num_queries(0):
        for _ in range(5):
            token_user(raw)


def test_a_revoked_token_ends_here_at_once(ann: User) -> None:
    token, raw = token_issue(user=ann)
    token_user(raw)
    token_revoke(token=token, by=ann)
    with pytest.raises(TokenInvalid):
        token_user(raw)


def test_a_token_revoked_elsewhere_ends_within_five_seconds(ann: User) -> None:
    token, raw = token_issue(user=ann)
    token_user(raw)
    Token.objects.filter(pk=token.pk).update(revoked_at=timezone.now())
    assert bearers.FRESH_S < 5
    age(bearers.FRESH_S)
    with pytest.raises(TokenInvalid):
        token_user(raw)


def test_a_closed_account_has_no_tokens(ann: User) -> None:
    _, raw = token_issue(user=ann)
    token_user(raw)
    User.objects.update(is_active=False)
    age(bearers.FRESH_S)
    with pytest.raises(TokenInvalid):
        token_user(raw)


def test_an_expired_token_ends_on_time_though_remembered(
    ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, raw = token_issue(user=ann, days=1)
    token_user(raw)
    later = timezone.now() + timedelta(days=1, seconds=1)
    monkeypatch.setattr("casino.core.bearers.timezone.now", lambda: later)
    with pytest.raises(TokenInvalid):
        token_user(raw)


def test_last_use_is_noted_to_the_hour(ann: User) -> None:
    token, raw = token_issue(user=ann)
    token_user(raw)
    token.refresh_from_db()
    assert token.last_used_at is not None
    assert (token.last_used_at.minute, token.last_used_at.second) == (0, 0)


@pytest.mark.parametrize("raw", ["", "ck_", "ck_guess", "pk_other", "ck_\x00", "ck_\udcff"])
def test_nonsense_is_refused(db: None, raw: str) -> None:
    with pytest.raises(TokenInvalid):
        token_user(raw)


def test_memory_is_bounded(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bearers, "REMEMBERED_MAX", 2)
    for raw in [token_issue(user=ann)[1] for _ in range(4)]:
        token_user(raw)
    assert len(bearers._remembered) == 2


def test_unknown_scopes_are_refused(ann: User) -> None:
    with pytest.raises(ScopeUnknown):
        token_issue(user=ann, scopes=[Scope.READ, "everything"])


def test_one_cannot_revoke_anothers_token(ann: User, bob: User) -> None:
    token, raw = token_issue(user=ann)
    with pytest.raises(TokenMissing):
        token_revoke_own(user=bob, token_id=token.pk)
    assert token_user(raw).user_id == ann.pk


def test_a_new_password_ends_every_token(ann: User) -> None:
    raws = [token_issue(user=ann)[1] for _ in range(2)]
    user_password_set(user=ann, password="another long one 77", by=ann)
    for raw in raws:
        with pytest.raises(TokenInvalid):
            token_user(raw)
