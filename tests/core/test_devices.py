from datetime import timedelta

import pytest
from django.core import signing
from django.utils import timezone

from casino.core import devices
from casino.core.devices import (
    DEVICE_SALT,
    DeviceFacts,
    dealers_of,
    device_check,
    device_claim,
    device_code,
    device_enrol,
    device_move,
    device_revoke,
    device_set,
    pin_check,
    pin_give,
)
from casino.core.errors import (
    CodeRefused,
    DeviceInvalid,
    LockedOut,
    PinRefused,
    PitNotYours,
    RoleMissing,
    SettingRefused,
)
from casino.core.models import DealerPin, Device, LogEntry, Role, User
from tests.core.cast import person

pytestmark = pytest.mark.django_db

HERE, ELSEWHERE = "10.0.0.7", "10.0.0.8"


@pytest.fixture
def screen(piet: User) -> Device:
    return device_enrol(name="T7", table_id=7, by=piet)[0]


@pytest.fixture
def dora(db: None) -> User:
    return person("Dora", Role.DEALER)


def wrong(code: str) -> str:
    return f"{(int(code) + 1) % 10 ** len(code):0{len(code)}d}"


def test_an_enrolled_device_is_known_by_its_token(piet: User) -> None:
    device, token = device_enrol(name="T7", table_id=7, by=piet)
    assert device_check(token) == DeviceFacts(device.pk, 7, "display")
    device.refresh_from_db()
    assert device.last_seen_at is not None


def test_a_code_lets_one_screen_in_once(screen: Device, piet: User) -> None:
    code = device_code(device=screen, by=piet)
    device, token = device_claim(code=f"{code[:4]} {code[4:]}", address=HERE)
    assert device_check(token).device_id == device.pk == screen.pk
    with pytest.raises(CodeRefused):
        device_claim(code=code, address=ELSEWHERE)


def test_a_code_expires(screen: Device, piet: User) -> None:
    code = device_code(device=screen, by=piet)
    Device.objects.update(code_expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(CodeRefused):
        device_claim(code=code, address=HERE)


def test_a_new_code_ends_the_one_before_it(screen: Device, piet: User) -> None:
    former = device_code(device=screen, by=piet)
    assert device_code(device=screen, by=piet) != former
    with pytest.raises(CodeRefused):
        device_claim(code=former, address=HERE)


def test_a_second_screen_with_a_new_code_ends_the_first(screen: Device, piet: User) -> None:
    first = device_claim(code=device_code(device=screen, by=piet), address=HERE)[1]
    second = device_claim(code=device_code(device=screen, by=piet), address=HERE)[1]
    assert device_check(second).device_id == screen.pk
    with pytest.raises(DeviceInvalid):
        device_check(first)


def test_after_three_wrong_codes_an_address_is_locked_out_and_no_other(
    screen: Device, piet: User
) -> None:
    code = device_code(device=screen, by=piet)
    for _ in range(3):
        with pytest.raises(CodeRefused):
            device_claim(code=wrong(code), address=HERE)
    with pytest.raises(LockedOut):
        device_claim(code=code, address=HERE)
    assert device_claim(code=code, address=ELSEWHERE)[0] == screen


def test_the_code_itself_is_stored_nowhere(screen: Device, piet: User) -> None:
    code = device_code(device=screen, by=piet)
    screen.refresh_from_db()
    assert screen.code_hash is not None
    assert code.encode() not in bytes(screen.code_hash)
    assert code not in str(list(LogEntry.objects.values()))


def test_a_revoked_device_is_refused_and_gets_no_code(piet: User) -> None:
    device, token = device_enrol(name="T7", table_id=7, by=piet)
    code = device_code(device=device, by=piet)
    device_revoke(device=device, by=piet)
    with pytest.raises(DeviceInvalid):
        device_check(token)
    with pytest.raises(CodeRefused):
        device_claim(code=code, address=HERE)
    with pytest.raises(DeviceInvalid):
        device_code(device=device, by=piet)


def test_a_moved_device_keeps_its_token(piet: User) -> None:
    device, token = device_enrol(name="T7", table_id=7, by=piet)
    device_move(device=device, table_id=8, by=piet)
    assert device_check(token).table_id == 8


def test_a_forged_token_is_refused(piet: User) -> None:
    device, token = device_enrol(name="T7", table_id=7, by=piet)
    other_salt = signing.dumps({"d": device.pk, "v": 1}, salt="another")
    other_version = signing.dumps({"d": device.pk, "v": 2}, salt=DEVICE_SALT)
    no_version = signing.dumps({"d": device.pk}, salt=DEVICE_SALT)
    for forged in ("", token[:-1], other_salt, other_version, no_version):
        with pytest.raises(DeviceInvalid):
            device_check(forged)


@pytest.mark.parametrize("role", ["player", "dealer", "cage", "surveillance", "game_maths"])
def test_only_the_floor_enrols_devices(role: str) -> None:
    with pytest.raises(RoleMissing):
        device_enrol(name="T7", table_id=7, by=person("Someone", role))


@pytest.mark.parametrize(
    "change", [{"distance_cm": 20}, {"density_percent": 500}, {"language": "de"}]
)
def test_a_setting_no_screen_can_have_is_refused(
    screen: Device, piet: User, change: dict[str, object]
) -> None:
    with pytest.raises(SettingRefused):
        device_set(device=screen, by=piet, **change)
    device_set(device=screen, by=piet, distance_cm=300, language="both")
    assert (screen.distance_cm, screen.language) == (300, "both")


def test_a_dealer_is_known_by_his_pin(dora: User, piet: User) -> None:
    pin = pin_give(dealer=dora, by=piet)
    assert pin_check(dealer_id=dora.pk, pin=pin, pit="") == dora
    assert pin not in DealerPin.objects.get().pin_hash
    assert dealers_of("") == [dora]


def test_after_three_wrong_pins_a_dealer_is_locked_out_until_he_gets_a_new_one(
    dora: User, piet: User
) -> None:
    pin = pin_give(dealer=dora, by=piet)
    for _ in range(3):
        with pytest.raises(PinRefused):
            pin_check(dealer_id=dora.pk, pin=wrong(pin), pit="")
    with pytest.raises(LockedOut):
        pin_check(dealer_id=dora.pk, pin=pin, pit="")
    assert LogEntry.objects.filter(kind="dealer.pin_refused").count() == 3
    assert pin_check(dealer_id=dora.pk, pin=pin_give(dealer=dora, by=piet), pit="") == dora


def test_a_pin_is_no_good_in_another_pit_or_for_somebody_who_has_left(
    dora: User, piet: User
) -> None:
    pin = pin_give(dealer=dora, by=piet)
    User.objects.filter(pk=dora.pk).update(pits=["Main"])
    with pytest.raises(PitNotYours):
        pin_check(dealer_id=dora.pk, pin=pin, pit="Salon")
    assert (dealers_of("Salon"), dealers_of("Main")) == ([], [dora])
    User.objects.filter(pk=dora.pk).update(is_active=False)
    with pytest.raises(RoleMissing):
        pin_check(dealer_id=dora.pk, pin=pin, pit="Main")


def test_only_a_pit_manager_gives_pins_and_only_to_dealers(dora: User, piet: User) -> None:
    with pytest.raises(RoleMissing):
        pin_give(dealer=dora, by=person("Flo", Role.FLOOR))
    with pytest.raises(RoleMissing):
        pin_give(dealer=person("Ann"), by=piet)
    with pytest.raises(PinRefused):
        pin_check(dealer_id=dora.pk, pin="0" * devices.PIN_DIGITS, pit="")
