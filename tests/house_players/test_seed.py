"""Furnishing a demo house."""

from collections import Counter

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from pytest_django import Settings

from casino.core.devices import device_check
from casino.core.models import Device, Role, User
from casino.house import seed
from casino.house.players import CURRENCY
from casino.house.seed import DEMO_PASSWORD, FURNITURE, HOUSE_PLAYERS, PERSON, QUICK, STAFF
from tables.engine.games import named
from tables.models import Table
from wallets import services as wallets
from wallets.models import Account, Purpose, Transfer
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    cache.clear()


def counts() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (User, Table, Device, Account, Transfer))


def test_it_furnishes_a_house_whose_books_are_right() -> None:
    seed.seed(timing=QUICK, is_open=False)
    assert Table.objects.filter(is_house=True).count() == len(FURNITURE)
    assert User.objects.filter(is_house=True).count() == len(HOUSE_PLAYERS)
    roles = set(User.objects.exclude(role=Role.PLAYER).values_list("role", flat=True))
    assert {Role.ADMIN, Role.FLOOR, Role.CAGE, Role.DEALER} <= roles
    cash = Account.objects.filter(purpose=Purpose.CASH)
    assert cash.count() == len(HOUSE_PLAYERS) + 1
    assert all(account.balance_minor > 0 for account in cash)
    assert ledger_check().ok


def test_a_mix_has_as_many_tables_of_each_family() -> None:
    drawn = [seed.furniture(24, mix) for mix in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    for tables in drawn:
        assert len({one.name for one in tables}) == 24
        families = Counter(named(one.game, one.stakes).family for one in tables)
        assert families == dict.fromkeys(("banked", "poker", "mixed", "bluff"), 6)
    ring = {one.game for one in FURNITURE if named(one.game, one.stakes).family == "poker"}
    assert ring <= {one.game for one in drawn[0]}
    assert seed.furniture(len(FURNITURE)) == list(FURNITURE)


def test_furnishing_twice_adds_nothing() -> None:
    first = seed.seed(timing=QUICK, is_open=False)
    before = counts()
    again = seed.seed(timing=QUICK, is_open=False)
    assert counts() == before
    assert again.passwords == first.passwords


def test_each_table_has_a_display_that_is_let_in() -> None:
    seeded = seed.seed(timing=QUICK, is_open=False)
    for _, table_id, key in seeded.displays:
        assert device_check(key).table_id == table_id


def test_an_empty_purse_is_filled_again() -> None:
    seed.seed(timing=QUICK, is_open=False)
    cage = User.objects.get(role=Role.CAGE)
    person = User.objects.named(PERSON.username).get()
    account = wallets.player_account(player_id=person.pk, currency=CURRENCY)
    wallets.withdraw(
        player_id=person.pk,
        amount_minor=seed.PERSON_PURSE_MINOR,
        currency=CURRENCY,
        key="spent",
        actor_id=cage.pk,
    )
    seed.seed(timing=QUICK, is_open=False)
    assert Account.objects.get(pk=account).balance_minor == seed.PERSON_PURSE_MINOR


def test_a_house_that_others_can_reach_keeps_no_known_password() -> None:
    local = seed.seed(timing=QUICK, is_open=False)
    assert set(local.passwords.values()) == {DEMO_PASSWORD}
    opened = seed.seed(timing=QUICK, is_open=True)
    told = list(opened.passwords.values())
    assert len(set(told)) == len(STAFF) + 1
    for name, password in opened.passwords.items():
        user = User.objects.named(name).get()
        assert password is not None
        assert user.check_password(password)
        assert not user.check_password(DEMO_PASSWORD)
    assert set(seed.seed(timing=QUICK, is_open=True).passwords.values()) == {None}


def test_a_password_that_its_owner_has_changed_is_left_alone() -> None:
    seed.seed(timing=QUICK, is_open=False)
    admin = User.objects.named("admin").get()
    admin.set_password("my own words")
    admin.save()
    assert seed.seed(timing=QUICK, is_open=False).passwords["admin"] is None
    admin.refresh_from_db()
    assert admin.check_password("my own words")


def test_house_players_follow_the_key_of_the_house(settings: Settings) -> None:
    seed.seed(timing=QUICK, is_open=False)
    settings.SECRET_KEY = "another key of this house"
    seed.seed(timing=QUICK, is_open=False)
    for user in User.objects.filter(is_house=True)[:2]:
        assert user.check_password(seed.house_password())


@pytest.mark.parametrize("command", ["seed_demo", "house_players"])
def test_a_production_house_refuses(settings: Settings, command: str) -> None:
    settings.PRODUCTION = True
    with pytest.raises(CommandError, match="production"):
        call_command(command)
    assert not User.objects.exists()


def test_it_prints_sign_ins_and_displays(
    settings: Settings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_URL", "http://house.test:8000")
    call_command("seed_demo")
    printed = capsys.readouterr().out
    names = "admin, floor, pit, cage, finance, compliance, maths, surveillance, dealer"
    assert f"{names} / {DEMO_PASSWORD}" in printed
    assert f"player / {DEMO_PASSWORD}" in printed
    table = Table.objects.get(name="Amber")
    assert f"http://house.test:8000/display/{table.pk}?key=" in printed
