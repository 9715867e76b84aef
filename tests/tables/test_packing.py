"""Packed hands read as before, to the byte; nothing goes that is not in the archive."""

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.utils import IntegrityError, ProgrammingError
from django.utils import timezone

from casino.console import hands as console
from casino.console import pictures
from casino.core.log import log
from casino.core.models import LogEntry
from casino.core.retiring import told_when_it_fails
from casino.core.seal import seal_new
from casino.house import doctor
from tables import events, histories, lobby, proofs, replaying, selectors
from tables.models import Dealt, Event, Hand, HandArchive, Origin, Table
from tables.services import packing, watching
from tests.tables.cut_cast import Giver, dealt_with_seeds, went_on
from tests.tables.dealing_cast import dealt, played_out, player, seated, table
from tests.tables.test_replaying import by_chance

pytestmark = pytest.mark.django_db


def packed(*, days_ago: int = 40) -> int:
    """Pack what may be packed, as if every hand had ended so long ago."""
    ago = timezone.now() - timedelta(days=days_ago)
    Hand.objects.exclude(settled_at=None).update(started_at=ago, settled_at=ago)
    log("test.passed", "house:1", None)
    seal_new()
    return packing.hands_pack()


def known(hand: Hand) -> list[Any]:
    """All that can be asked about a hand, of everybody who may."""
    viewers = [None, *{facts["player"] for facts in hand.seats.values()}]
    sheet = console.sheet_of(hand, with_cards=True)
    return [
        [
            (row.pk, row.table_id, row.seq, row.hand_id, row.action_id, row.events, row.turn,
             row.private and bytes(row.private), row.private_seats, row.at)
            for row in events.of_hand(hand.pk)
        ],
        [histories.history(hand.pk, who) for who in viewers],
        [histories.export(who, "native") for who in viewers if who is not None],
        [proofs.bundle(hand.pk, who) for who in viewers],
        selectors.hidden_parts(hand.pk),
        sheet.steps, sheet.seats,
        pictures.stacks(hand, 2),
        watching.hand_case(hand),
        replaying.replay(hand).result,
    ]  # fmt: skip


def holdem_cut_by_players() -> Table:
    at = table(reveal_ms=30_000)
    givers = [Giver(player(name)) for name in ("ann", "bob", "cyd")]
    seated(at, *(giver.user for giver in givers))
    dealt(at)
    played_out(at)
    dealt_with_seeds(at, givers)
    assert went_on(at)
    played_out(at)
    dealt(at)
    played_out(at)
    return at


def by_chance_at(at: Table) -> Table:
    seated(at, *(player(name) for name in ("ann", "bob", "cyd")), chips_minor=20_000)
    for _ in range(2):
        dealt(at)
        by_chance(at, Random(at.game))
    return at


TABLES = {
    "players cut": holdem_cut_by_players,
    "discards": lambda: by_chance_at(table("triple_draw_27", {"big_blind_minor": 100})),
    "dice": lambda: by_chance_at(table("bluff_common", {"ante_minor": 200})),
}


@pytest.mark.parametrize("kind", TABLES)
def test_a_packed_hand_answers_every_question_as_before(kind: str) -> None:
    at = TABLES[kind]()
    ago = timezone.now() - timedelta(days=40)
    Hand.objects.update(started_at=ago, settled_at=ago)
    *old, newest = at.hands.order_by("number")
    before, count = [known(hand) for hand in old], Event.objects.exclude(hand_id=None).count()
    log("test.passed", "house:1", None)
    seal_new()
    assert packing.hands_pack() == len(old)
    left = Event.objects.exclude(hand_id=None)
    assert set(left.values_list("hand_id", flat=True)) == {newest.pk}, "the newest hand stays"
    assert sum(HandArchive.objects.values_list("rows", flat=True)) == count - left.count() > 5
    assert [known(hand) for hand in old] == before
    assert packing.hands_pack() == 0


def ring(hands: int = 2) -> Table:
    at = table()
    seated(at, player("ann"), player("bob"))
    for _ in range(hands):
        dealt(at)
        played_out(at)
    return at


def test_only_old_sealed_ended_hands_are_packed(settings: Any) -> None:
    ring(3)
    assert packing.hands_pack(timedelta(0)) == 0, "an hour's seals are awaited"
    ago = timezone.now() - timedelta(days=40)
    Hand.objects.update(settled_at=ago, started_at=ago)
    assert packing.hands_pack() == 0, "nothing is sealed"
    assert packed(days_ago=20) == 0, "younger than thirty days"
    settings.HANDS_PACKED_AFTER_DAYS = 0
    assert packed() == 0, "never, where the house says so"
    settings.HANDS_PACKED_AFTER_DAYS = 10
    first = Hand.objects.order_by("pk")[0]
    Hand.objects.filter(pk=first.pk).update(status=Hand.Status.FINISHED)
    assert packed() == 1
    assert not HandArchive.objects.filter(pk=first.pk).exists()


def test_the_doctor_says_that_hands_wait_to_be_packed() -> None:
    ring()
    assert list(doctor._packing()) == []
    Hand.objects.update(settled_at=timezone.now() - timedelta(days=33))
    (found,) = doctor._packing()
    assert (found.grade, found.words.split()[0]) == (doctor.WARNING, "1")
    assert packed() == 1
    assert list(doctor._packing()) == []


def test_what_many_idle_tables_keep_holds_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "BATCH", 1)
    at = table()
    seated(at, player("ann"), player("bob"))
    dealt(at)
    kept = played_out(at)
    Table.objects.filter(pk=at.pk).update(hand_number=0)  # as if that hand were its newest
    other = table(name="other")
    seated(other, player("cyd"), player("dan"))
    for _ in range(2):
        dealt(other)
        played_out(other)
    assert packed() == 1
    assert Event.objects.filter(hand_id=kept.pk).exists()


def test_who_asks_for_frames_of_a_packed_hand_takes_a_snapshot() -> None:
    at = ring()
    assert selectors.frames_since(at.pk, 0, None)
    assert packed() == 1
    newest = at.hands.latest("number")
    assert selectors.frames_since(at.pk, 0, None) is None
    assert selectors.frames_since(at.pk, newest.first_seq, None)


def test_the_database_lets_no_event_go_that_is_not_in_the_archive() -> None:
    ring()
    with pytest.raises(ProgrammingError, match="denied"), transaction.atomic():
        Event.objects.all()._raw_delete("default")
    for statement in (
        "DELETE FROM tables_handarchive", "UPDATE tables_handarchive SET events = ''",
        "INSERT INTO tables_handarchive SELECT * FROM tables_handarchive",
    ):  # fmt: skip
        with pytest.raises((ProgrammingError, IntegrityError)), transaction.atomic():
            run(statement)
    assert packed() == 1
    with pytest.raises(IntegrityError, match="history"), transaction.atomic():
        run("UPDATE tables_handarchive SET private = private || NULL::bytea")


def run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_a_players_own_hands_are_found_by_a_row_each() -> None:
    at = ring(3)
    ann = at.seats.get(number=1).player
    assert Dealt.objects.filter(player=ann).count() == 3
    page = lobby.page_of_hands(ann.pk, most=2)
    assert [hand.number for hand in page.rows] == [3, 2]
    assert [hand.number for hand in lobby.page_of_hands(ann.pk, before=page.next).rows] == [1]
    query = console.Query(player=ann.display_name)
    assert [hand.number for hand in console.hands_like(query)] == [3, 2, 1]


def test_where_players_came_from_is_forgotten_in_time(settings: Any) -> None:
    at, ann = table(), player("ann")
    for days in (0, 400):
        Origin.objects.create(
            table=at, player=ann, address="a", device="d",
            day=(timezone.now() - timedelta(days=days)).date(),
        )  # fmt: skip
    assert watching.origins_forget() == 1
    assert Origin.objects.count() == 1


def test_a_job_that_fails_is_told_once_an_hour() -> None:
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), told_when_it_fails("hands"):
            raise ZeroDivisionError
    entry = LogEntry.objects.get(kind="retention.failed")
    assert (entry.subject, entry.facts) == ("retention:hands", {"error": "ZeroDivisionError"})
