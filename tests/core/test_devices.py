import pytest
from django.core import signing

from casino.core.errors import DeviceInvalid, RoleMissing
from casino.core.models import User
from casino.core.services import (
    DEVICE_SALT,
    DeviceFacts,
    device_check,
    device_enrol,
    device_move,
    device_revoke,
)
from tests.core.cast import person

pytestmark = pytest.mark.django_db


def test_an_enrolled_display_is_known_by_its_token(piet: User) -> None:
    device, token = device_enrol(name="T7", table_id=7, by=piet)
    assert device_check(token) == DeviceFacts(device.pk, 7, "display")
    device.refresh_from_db()
    assert device.last_seen_at is not None


def test_a_revoked_display_is_refused(piet: User) -> None:
    device, token = device_enrol(name="T7", table_id=7, by=piet)
    device_revoke(device=device, by=piet)
    with pytest.raises(DeviceInvalid):
        device_check(token)


def test_a_moved_display_needs_its_new_token(piet: User) -> None:
    device, old = device_enrol(name="T7", table_id=7, by=piet)
    new = device_move(device=device, table_id=8, by=piet)
    assert device_check(new).table_id == 8
    with pytest.raises(DeviceInvalid):
        device_check(old)


def test_a_forged_token_is_refused(piet: User) -> None:
    device, token = device_enrol(name="T7", table_id=7, by=piet)
    other_salt = signing.dumps({"d": device.pk, "v": 1, "t": 7}, salt="another")
    other_table = signing.dumps({"d": device.pk, "v": 1, "t": 8}, salt=DEVICE_SALT)
    for forged in ("", token[:-1], other_salt, other_table):
        with pytest.raises(DeviceInvalid):
            device_check(forged)


@pytest.mark.parametrize("role", ["player", "dealer", "cage", "surveillance", "game_maths"])
def test_only_the_floor_enrols_displays(role: str) -> None:
    with pytest.raises(RoleMissing):
        device_enrol(name="T7", table_id=7, by=person("Someone", role))
