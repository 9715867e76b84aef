"""On a disk that is nearly full no hand is begun; one in play ends and is paid."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from casino.house import doctor
from tables import beliefs, room
from tables.models import Hand, Table
from tables.selectors import database_now
from tables.services import dealing
from tests.tables.dealing_cast import dealt, played_out, player, seated, table

pytestmark = pytest.mark.django_db(transaction=True)
MORE_THAN_THERE_IS = 10**9


def test_nothing_is_dealt_until_there_is_room_again(settings: Any) -> None:
    at = table()
    seated(at, player("ann"), player("bob"))
    dealt(at)
    room_mb = settings.DISK_LEAST_MB
    settings.DISK_LEAST_MB = MORE_THAN_THERE_IS
    assert played_out(at).status == Hand.Status.SETTLED
    number = beliefs.read(at.pk).hand_number + 1
    assert dealing.hand_open(table_id=at.pk, number=number) is None
    again = Table.objects.get(pk=at.pk).next_deal_at
    assert again is not None
    assert timedelta(seconds=5) < again - database_now() < timedelta(seconds=15)
    settings.DISK_LEAST_MB = room_mb
    assert dealing.hand_open(table_id=at.pk, number=number) is not None


def test_the_doctor_names_it_a_fault(settings: Any) -> None:
    settings.DISK_LEAST_MB = MORE_THAN_THERE_IS
    (found,) = doctor._disk()
    assert found.grade == doctor.FAULT


def test_a_part_without_data_of_its_own_is_not_asked(settings: Any, tmp_path: Path) -> None:
    settings.DISK_LEAST_MB = MORE_THAN_THERE_IS
    settings.DATA_DIR = settings.SERVERS_DIR = tmp_path / "nowhere"
    assert not room.is_short()
    assert not list(doctor._disk())


def test_the_disk_of_the_servers_counts_where_it_is_another(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR, settings.SERVERS_DIR = tmp_path, Path("/proc")  # which has no room at all
    settings.DISK_LEAST_MB = 1
    assert room.is_short()
    grades = {finding.words.rpartition(" ")[2]: finding.grade for finding in doctor._disk()}
    assert grades[str(Path("/proc"))] == doctor.FAULT
    assert grades[str(tmp_path)] != doctor.FAULT
