"""Signing in and out and one's tokens, as a client sees them."""

import pytest
from drf_spectacular.validation import validate_schema
from pytest_django import DjangoAssertNumQueries, Settings
from rest_framework.test import APIClient

from casino.core.models import Scope, User
from casino.core.services import token_issue
from casino.core.signing_in import FAILURES_MAX
from casino.core.throttling import RegistrationThrottle, SignInThrottle
from tests.core.cast import PASSWORD, person

pytestmark = pytest.mark.django_db


def sign_in(api: APIClient, password: str = PASSWORD) -> dict[str, object]:
    answer = api.post("/api/v1/sign-in", {"username": "ann", "password": password}, format="json")
    return {"status": answer.status_code, **answer.json()}


def signed_in(api: APIClient) -> APIClient:
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {sign_in(api)['token']}")
    return api


def test_signing_in_gives_a_token_and_the_last_time(api: APIClient, ann: User) -> None:
    first, second = sign_in(api), sign_in(api)
    assert first["player"] == {"id": ann.pk, "name": "Ann"}
    assert str(first["token"]).startswith("ck_")
    assert first["last_sign_in"] is None
    assert second["last_sign_in"] is not None


def test_a_wrong_password_and_a_lock_are_problems(api: APIClient, ann: User) -> None:
    for _ in range(FAILURES_MAX):
        refused = sign_in(api, "wrong")
        assert (refused["status"], refused["code"]) == (401, "sign_in_refused")
    locked = sign_in(api)
    assert (locked["status"], locked["code"]) == (429, "locked_out")
    assert locked["retry_after_s"] in range(890, 901)


def test_sign_ins_from_one_address_are_limited(
    api: APIClient, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SignInThrottle, "rate", "2/min")
    statuses = [sign_in(api)["status"] for _ in range(3)]
    assert statuses == [200, 200, 429]


def test_registrations_from_one_address_are_limited(
    api: APIClient, db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REGISTRATION_OPEN = True
    monkeypatch.setattr(RegistrationThrottle, "rate", "2/hour")
    statuses = [
        api.post(
            "/api/v1/registrations",
            {"username": name, "display_name": name, "password": "a long one 123"},
            format="json",
        ).status_code
        for name in ("dora", "emil", "flora")
    ]
    assert statuses == [201, 201, 429]


def test_a_claimed_forwarding_does_not_escape_the_limit(
    api: APIClient, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SignInThrottle, "rate", "1/min")
    sign_in(api)
    api.credentials(HTTP_X_FORWARDED_FOR="198.51.100.7")
    assert sign_in(api)["status"] == 429


def test_a_house_without_its_cache_still_lets_people_in(
    api: APIClient, ann: User, settings: Settings
) -> None:
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": "unix:///nowhere/redis.sock",
        }
    }
    assert sign_in(api)["status"] == 200


def test_signing_out_ends_the_token(api: APIClient, ann: User) -> None:
    signed_in(api)
    assert api.post("/api/v1/sign-out").status_code == 204
    refused = api.get("/api/v1/me")
    assert (refused.status_code, refused.json()["code"]) == (401, "token_invalid")
    assert refused.headers["WWW-Authenticate"].startswith("Bearer")


def test_me_is_who_the_token_speaks_for(
    api: APIClient, ann: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    signed_in(api).get("/api/v1/me")
    with django_assert_num_queries(0):
        me = api.get("/api/v1/me").json()
    assert (me["id"], me["name"], me["role"]) == (ann.pk, "Ann", "player")
    assert me["scopes"] == ["account", "money", "play", "read"]


def test_a_browser_session_needs_the_csrf_token(api: APIClient, ann: User) -> None:
    assert api.login(username="ann", password=PASSWORD)
    assert api.get("/api/v1/me").status_code == 200
    assert api.post("/api/v1/tokens", {}, format="json").status_code == 403


def test_registering_and_signing_in(api: APIClient, settings: Settings) -> None:
    form = {"username": "ann", "password": PASSWORD, "display_name": "Ann"}
    made = api.post("/api/v1/registrations", form, format="json")
    assert (made.status_code, made.json()["name"]) == (201, "Ann")
    taken = api.post("/api/v1/registrations", form, format="json")
    assert (taken.status_code, taken.json()["code"]) == (409, "name_taken")
    settings.REGISTRATION_OPEN = False
    closed = api.post("/api/v1/registrations", form, format="json")
    assert (closed.status_code, closed.json()["code"]) == (403, "registration_closed")
    assert sign_in(api)["status"] == 200


def test_tokens_are_issued_listed_and_revoked(api: APIClient, ann: User) -> None:
    signed_in(api)
    made = api.post("/api/v1/tokens", {"name": "bot", "scopes": ["read"]}, format="json")
    assert made.status_code == 201
    listed = api.get("/api/v1/tokens").json()["tokens"]
    assert [token["name"] for token in listed] == ["bot", "sign-in"]
    assert "token" not in listed[0]
    bot = APIClient()
    bot.credentials(HTTP_AUTHORIZATION=f"Bearer {made.json()['token']}")
    assert bot.get("/api/v1/me").status_code == 200
    assert api.delete(f"/api/v1/tokens/{made.json()['id']}").status_code == 204
    assert bot.get("/api/v1/me").status_code == 401


def test_anothers_token_is_not_there(api: APIClient, ann: User) -> None:
    other = APIClient()
    person("Eve")
    raw = other.post(
        "/api/v1/sign-in", {"username": "eve", "password": PASSWORD}, format="json"
    ).json()["token"]
    signed_in(api)
    other.credentials(HTTP_AUTHORIZATION=f"Bearer {raw}")
    mine = api.get("/api/v1/tokens").json()["tokens"][0]["id"]
    assert other.delete(f"/api/v1/tokens/{mine}").status_code == 404
    assert api.get("/api/v1/me").status_code == 200


@pytest.mark.parametrize("header", ["Bearer", "Bearer ck_x y", "Bearer ck_x", "bearer \udcff"])
def test_a_malformed_header_is_refused(api: APIClient, db: None, header: str) -> None:
    api.credentials(HTTP_AUTHORIZATION=header.encode("utf-8", "replace").decode("latin-1"))
    assert api.get("/api/v1/me").status_code == 401


def test_the_schema_is_valid_and_complete(api: APIClient) -> None:
    schema = api.get("/api/openapi.json", {"format": "json"}).json()
    validate_schema(schema)  # type: ignore[no-untyped-call]
    assert schema["paths"]["/api/v1/me"]["get"]["security"] == [{"bearer": []}, {"cookieAuth": []}]
    parameters = schema["paths"]["/api/v1/spend"]["post"]["parameters"]
    assert [one["name"] for one in parameters] == ["Idempotency-Key"]


@pytest.mark.parametrize("body", [{"days": "1"}, {"days": 1.0}, {"days": True}, {"day": 1}])
def test_numbers_are_numbers_and_no_field_is_passed_over(
    api: APIClient, ann: User, body: dict[str, object]
) -> None:
    wanted = {"name": "bot", "scopes": ["read"], **body}
    refused = signed_in(api).post("/api/v1/tokens", wanted, format="json")
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_request")


def test_a_token_makes_none_that_may_do_more_than_itself(api: APIClient, ann: User) -> None:
    _, raw = token_issue(user=ann, scopes=[Scope.ACCOUNT, Scope.READ])
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {raw}")
    more = {"name": "bot", "scopes": [Scope.PLAY, Scope.READ]}
    refused = api.post("/api/v1/tokens", more, format="json")
    assert (refused.status_code, refused.json()["code"]) == (403, "scope_missing")
    less = api.post("/api/v1/tokens", {"name": "bot", "scopes": [Scope.READ]}, format="json")
    assert less.status_code == 201
