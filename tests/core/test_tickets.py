import threading

import pytest
from django.db import IntegrityError, connection, transaction

from casino.core.models import Ticket
from casino.core.tickets import TICKET_S, TicketFacts, ticket_issue, ticket_redeem
from tests.conftest import superuser

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_ticket_tells_once_what_it_is_for() -> None:
    raw = ticket_issue(table_id=7, role="player", user_id=3)
    assert ticket_redeem(raw) == TicketFacts(3, None, 7, "player")
    assert ticket_redeem(raw) is None


def test_a_device_may_hold_a_ticket() -> None:
    raw = ticket_issue(table_id=7, role="display", device_id=2)
    assert ticket_redeem(raw) == TicketFacts(None, 2, 7, "display")


def test_of_ten_threads_one_gets_in() -> None:
    raw = ticket_issue(table_id=7, role="player", user_id=3)
    start = threading.Barrier(10)
    got: list[TicketFacts | None] = []

    def redeem() -> None:
        start.wait(10)
        got.append(ticket_redeem(raw))
        connection.close()

    threads = [threading.Thread(target=redeem) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(got) == 10
    assert [facts for facts in got if facts] == [TicketFacts(3, None, 7, "player")]


def test_a_ticket_is_good_for_half_a_minute() -> None:
    raw = ticket_issue(table_id=7, role="player", user_id=3)
    assert TICKET_S == 30
    with superuser() as admin:
        admin.execute("UPDATE core_ticket SET expires_at = expires_at - interval '31 s'")
    assert ticket_redeem(raw) is None


def test_the_secret_is_not_stored() -> None:
    raw = ticket_issue(table_id=7, role="player", user_id=3)
    assert raw.encode() not in bytes(Ticket.objects.get().secret_hash)


@pytest.mark.parametrize("raw", ["", "guess", "\x00", "\udcff"])
def test_nonsense_opens_nothing(raw: str) -> None:
    assert ticket_redeem(raw) is None


@pytest.mark.parametrize("holders", [{}, {"user_id": 1, "device_id": 2}])
def test_a_ticket_has_exactly_one_holder(holders: dict[str, int]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        ticket_issue(table_id=7, role="player", **holders)
