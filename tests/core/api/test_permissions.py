"""ACC-01: every endpoint of the core for every kind of caller; what is not named is refused."""

import pytest
from django.urls import get_resolver
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.test import APIClient, APIRequestFactory
from rest_framework.views import APIView

from casino.core.api import urls
from casino.core.bearers import TokenFacts
from casino.core.models import Role, Scope, User
from casino.core.permissions import Denied, IsPlayer, IsSignedIn, IsStaffRole
from casino.core.services import token_issue
from tests.core.cast import person

pytestmark = pytest.mark.django_db

# method, path, scope; every role may do these for itself once signed in.
OWN = [
    ("POST", "sign-out", Scope.READ),
    ("GET", "me", Scope.READ),
    ("GET", "tokens", Scope.READ),
    ("POST", "tokens", Scope.ACCOUNT),
    ("DELETE", "tokens/999999", Scope.ACCOUNT),
]
# The matrix of all addresses has them.
TOLD = ("webhooks", "me/")
OPEN = [("POST", "sign-in"), ("POST", "registrations")]
PASSED = {200, 201, 204, 400, 404}


def status(client: APIClient, method: str, path: str) -> int:
    return int(client.generic(method, f"/api/v1/{path}").status_code)


def with_token(user: User, *scopes: str) -> APIClient:
    client = APIClient()
    _, raw = token_issue(user=user, scopes=scopes)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {raw}")
    return client


def test_the_matrix_names_every_endpoint() -> None:
    named = {path.replace("999999", "<row:token_id>") for _, path, *_ in [*OWN, *OPEN]}
    known = {str(pattern.pattern) for pattern in urls.urlpatterns}
    assert named == {path for path in known if not path.startswith(TOLD)}
    assert get_resolver("tests.core.urls").resolve("/api/v1/me").url_name == "me"


@pytest.mark.parametrize(("method", "path", "scope"), OWN)
@pytest.mark.parametrize("role", list(Role))
def test_every_role_may_see_to_its_own_account(
    role: Role, method: str, path: str, scope: str
) -> None:
    assert status(with_token(person("Someone", role), scope), method, path) in PASSED


@pytest.mark.parametrize(("method", "path", "scope"), OWN)
def test_nobody_unknown_may(method: str, path: str, scope: str) -> None:
    assert status(APIClient(), method, path) == 401


@pytest.mark.parametrize(("method", "path", "scope"), OWN)
def test_a_token_without_the_scope_may_not(ann: User, method: str, path: str, scope: str) -> None:
    others = [other for other in Scope.values if other != scope]
    assert status(with_token(ann, *others), method, path) == 403


@pytest.mark.parametrize(("method", "path"), OPEN)
def test_the_way_in_is_open(method: str, path: str) -> None:
    assert status(APIClient(), method, path) == 400


def allowed(permission: type[BasePermission], user: User, scopes: set[str] | None = None) -> bool:
    request = Request(APIRequestFactory().post("/"))
    request.user = user
    request.auth = None if scopes is None else TokenFacts(1, user, frozenset(scopes), None)
    return bool(permission().has_permission(request, APIView()))


@pytest.mark.parametrize("role", list(Role))
def test_each_permission_admits_its_roles_alone(role: Role) -> None:
    user = person("Someone", role)
    assert allowed(IsPlayer, user) is (role == Role.PLAYER)
    assert allowed(IsStaffRole(), user) is (role != Role.PLAYER)
    assert allowed(IsStaffRole("floor", "admin"), user) is (role in {"floor", "admin"})
    assert allowed(IsSignedIn, user)
    assert not allowed(Denied, user)


def test_acting_needs_the_scope_to_play(ann: User) -> None:
    assert allowed(IsPlayer, ann, {"play"})
    assert not allowed(IsPlayer, ann, {"read", "money", "account"})


def test_a_closed_account_may_nothing(db: None) -> None:
    assert not allowed(IsPlayer, person("Gone", is_active=False))
