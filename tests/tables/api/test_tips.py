"""A player tips the dealers from the chips before him, between hands."""

from uuid import uuid4

from django.utils import timezone

from casino.core.models import IdempotencyKey, Role
from tables.models import Seat, Shift, Table, TableHour
from tests.cast import Person, deal
from tests.console.cast import staff
from wallets import tips
from wallets.models import Transfer


def tip(who: Person, at: Table, minor: int, key: str = "") -> tuple[int, dict[str, object]]:
    answer = who.client.send(
        f"tables/{at.pk}/tips", {"amount_minor": minor}, key=key or str(uuid4())
    )
    return answer.status_code, answer.json()


def test_a_tip_comes_from_the_stack_and_is_counted_for_the_table_and_its_dealer(
    holdem: Table, ann: Person
) -> None:
    dora = staff(Role.DEALER, "Dora")
    Shift.objects.create(table=holdem, dealer=dora, device_id=1, began_at=timezone.now())
    ann.sits(holdem, 5_000)
    key = str(uuid4())
    for _ in range(2):
        assert tip(ann, holdem, 200, key) == (200, {"stack_minor": 4_800})
    seen = next(seat for seat in ann.sees(holdem)["seats"] if seat["player"] == "Ann")
    assert seen["stack_minor"] == 4_800
    assert tips.pools() == {"EUR": 200}
    hour = TableHour.objects.get(table=holdem, dealer=dora)
    assert (hour.tips_minor, hour.won_minor) == (200, 0)
    assert Transfer.objects.get(kind="tip").table_id == holdem.pk


def test_a_tip_is_told_again_though_a_hand_was_dealt_since(
    holdem: Table, ann: Person, bob: Person
) -> None:
    for who in (ann, bob):
        who.sits(holdem, 5_000)
    key = str(uuid4())
    assert tip(ann, holdem, 200, key)[0] == 200
    deal(holdem)
    IdempotencyKey.objects.all().delete()  # its answer was lost, or is kept no more
    assert tip(ann, holdem, 200, key)[0] == 200
    assert tips.pools() == {"EUR": 200}


def test_in_a_hand_nothing_is_tipped(heads_up: Table, ann: Person) -> None:
    status, told = tip(ann, heads_up, 100)
    assert (status, told["code"]) == (409, "hand_in_play")
    assert tips.pools() == {}


def test_a_tip_is_of_whole_chips_that_lie_there(holdem: Table, ann: Person, bob: Person) -> None:
    ann.sits(holdem, 5_000)
    Table.objects.filter(pk=holdem.pk).update(chip_minor=100)
    assert tip(ann, holdem, 150)[1]["code"] == "not_whole_chips"
    assert tip(ann, holdem, 5_100)[1]["code"] == "insufficient_funds"
    assert tip(ann, holdem, 0)[0] == 400
    assert tip(bob, holdem, 100)[1]["code"] == "not_seated"
    assert tips.pools() == {}


def test_who_gives_his_last_chips_sits_out(holdem: Table, ann: Person) -> None:
    ann.sits(holdem, 5_000)
    assert tip(ann, holdem, 5_000) == (200, {"stack_minor": 0})
    assert Seat.objects.get(table=holdem).status == Seat.Status.SITTING_OUT
    answer = ann.client.send(f"tables/{holdem.pk}/top-ups", {"amount_minor": 1_000})
    assert answer.json() == {"stack_minor": 1_000}
    assert Seat.objects.get(table=holdem).status == Seat.Status.PLAYING
