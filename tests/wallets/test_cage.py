import pytest
from django.core.management import CommandError, call_command

from casino.core.models import LogEntry, Role
from tests.core.cast import person
from wallets import services

pytestmark = pytest.mark.django_db(transaction=True)


def cash(player) -> int:
    account = services.player_account(player_id=player.pk, currency="EUR")
    return services.balances_of(account_ids=[account])[account]


@pytest.fixture
def people():
    return person("Cleo", Role.CAGE), person("Ann")


def test_the_cage_records_deposits_and_withdrawals(people):
    _, ann = people
    call_command("cage", "deposit", "ann", "2500", "eur", "--by", "cleo")
    call_command("cage", "withdraw", "ann", "1000", "EUR", "--by", "cleo")
    assert cash(ann) == 1500
    assert LogEntry.objects.filter(kind__startswith="cage.").count() == 2


def test_one_key_is_carried_out_once(people):
    _, ann = people
    for _ in range(2):
        call_command("cage", "deposit", "ann", "2500", "EUR", "--by", "cleo", "--key", "slip-7")
    assert cash(ann) == 2500


@pytest.mark.parametrize(
    "arguments",
    [
        ("deposit", "ann", "100", "EUR", "--by", "ann"),
        ("deposit", "ann", "-100", "EUR", "--by", "cleo"),
        ("withdraw", "ann", "100", "EUR", "--by", "cleo"),
        ("deposit", "nobody", "100", "EUR", "--by", "cleo"),
        ("deposit", "ann", "100", "QQQ", "--by", "cleo"),
    ],
)
def test_what_the_cage_may_not_do_is_said_in_one_line(people, arguments):
    with pytest.raises(CommandError):
        call_command("cage", *arguments)
