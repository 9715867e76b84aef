"""A player's own account by the API: password, second factor, sign-ins, and what is kept of him."""

from __future__ import annotations

import pyotp
import pytest
from rest_framework.test import APIClient

from casino.core import second_factor
from casino.core.errors import FactorRefused, LockedOut
from casino.core.models import User
from casino.core.services import token_issue
from tests.core.cast import person

pytestmark = pytest.mark.django_db
PASSWORD, OTHER = "correct horse staple", "another long password"


@pytest.fixture
def ann(db: None) -> User:
    user = person("Ann")
    user.set_password(PASSWORD)
    user.save()
    return user


@pytest.fixture
def api(ann: User) -> APIClient:
    client = APIClient()
    _, raw = token_issue(user=ann)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {raw}")
    return client


def signed_in(password: str = PASSWORD, **more: str) -> tuple[int, str]:
    body = {"username": "ann", "password": password, **more}
    answer = APIClient().post("/api/v1/sign-in", body, format="json")
    return answer.status_code, answer.json().get("code", "")


def turned_on(api: APIClient) -> tuple[pyotp.TOTP, list[str]]:
    begun = api.post("/api/v1/me/second-factor", {"password": PASSWORD}, format="json").json()
    totp = pyotp.TOTP(begun["secret"])
    assert begun["picture"].startswith("data:image/svg+xml")
    confirmed = api.put("/api/v1/me/second-factor", {"code": totp.now()}, format="json")
    assert confirmed.status_code == 200
    return totp, confirmed.json()["recovery_codes"]


def test_with_a_second_factor_a_password_alone_is_not_enough(ann: User, api: APIClient) -> None:
    assert signed_in() == (200, "")
    _, recovery = turned_on(api)
    before = User.objects.get(pk=ann.pk).last_login
    assert signed_in() == (401, "factor_needed")
    assert signed_in(code="000000")[0] in {401, 403}
    assert User.objects.get(pk=ann.pk).last_login == before
    assert signed_in(code=recovery[0]) == (200, "")
    assert signed_in(code=recovery[0]) == (403, "factor_refused")
    assert api.get("/api/v1/me/second-factor").json() == {"on": True, "recovery_codes_left": 9}


def test_codes_are_not_tried_out_from_many_addresses(ann: User, api: APIClient) -> None:
    totp, _ = turned_on(api)
    for nth in range(second_factor.FROM_ANYWHERE):
        with pytest.raises(FactorRefused):
            second_factor.factor_check(user=ann, code="no", address=f"192.0.2.{nth}")
    with pytest.raises(LockedOut):
        second_factor.factor_check(user=ann, code=totp.now(), address="198.51.100.1")


def test_nothing_of_the_account_changes_without_its_password(api: APIClient) -> None:
    wrong = api.post("/api/v1/me/second-factor", {"password": "guess"}, format="json")
    assert (wrong.status_code, wrong.json()["code"]) == (403, "password_wrong")
    body = {"current": "guess", "new": OTHER}
    for _ in range(2):
        assert api.put("/api/v1/me/password", body, format="json").status_code in {403, 429}
    locked = api.put("/api/v1/me/password", {**body, "current": PASSWORD}, format="json")
    assert (locked.status_code, locked.json()["code"]) == (429, "locked_out")
    assert int(locked["Retry-After"]) > 0


def test_a_second_factor_is_turned_off_by_a_code(api: APIClient) -> None:
    _, recovery = turned_on(api)
    assert api.delete("/api/v1/me/second-factor?code=000000").status_code == 403
    assert api.delete(f"/api/v1/me/second-factor?code={recovery[0]}").status_code == 204
    assert signed_in() == (200, "")


def test_a_new_password_ends_every_token(api: APIClient) -> None:
    weak = api.put("/api/v1/me/password", {"current": PASSWORD, "new": "1234"}, format="json")
    assert (weak.status_code, weak.json()["code"]) == (400, "password_too_weak")
    body = {"current": PASSWORD, "new": OTHER}
    assert api.put("/api/v1/me/password", body, format="json").status_code == 204
    assert api.get("/api/v1/me").status_code == 401
    assert signed_in(OTHER) == (200, "")


def test_all_other_sign_ins_are_ended_at_once(ann: User, api: APIClient) -> None:
    assert signed_in() == (200, "")
    assert len(api.get("/api/v1/tokens").json()["tokens"]) == 2
    assert api.delete("/api/v1/tokens").status_code == 204
    assert len(api.get("/api/v1/tokens").json()["tokens"]) == 1


def test_what_is_kept_is_told_to_its_owner_alone(ann: User, api: APIClient) -> None:
    signed_in()
    told = api.get("/api/v1/me/data").json()
    assert told["account"]["username"] == ann.username
    assert "sign_in.done" in {entry["kind"] for entry in told["log"]}
    assert "password" not in told["account"]
    assert all("secret" not in token for token in told["tokens"])
