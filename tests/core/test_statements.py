"""One statement and its row: as Django's cursor, whatever stands in the way of the short one."""

import time

import pytest
from django.db import DatabaseError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from casino.core.statements import one_row, quiet_for_long

pytestmark = pytest.mark.django_db


def test_it_answers_with_the_first_row_or_none() -> None:
    assert one_row("SELECT * FROM generate_series(%s::integer, 9)", [7]) == (7,)
    assert one_row("SELECT 1 WHERE %s::integer > 1", [0]) is None


def test_who_watches_statements_sees_it() -> None:
    with CaptureQueriesContext(connection) as seen:
        one_row("SELECT %s::integer", [5])
    assert len(seen) == 1


def test_an_error_is_of_django_s_own_class() -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        one_row("SELECT 1 / %s::integer", [0])


def test_after_an_error_nothing_goes_past_the_rollback() -> None:
    with transaction.atomic():
        transaction.set_rollback(True)
        with pytest.raises(transaction.TransactionManagementError):
            one_row("SELECT %s::integer", [1])


def in_thought(*, is_long: bool) -> None:
    with transaction.atomic():
        if is_long:
            quiet_for_long()
        one_row("SELECT %s::integer", [1])
        time.sleep(0.3)
        one_row("SELECT %s::integer", [1])


@pytest.mark.django_db(transaction=True)
def test_a_transaction_in_which_something_long_is_worked_out_is_not_cut_off_as_others_are() -> None:
    one_row("SELECT set_config('idle_in_transaction_session_timeout', %s, false)", ["200ms"])
    try:
        in_thought(is_long=True)
        with pytest.raises(DatabaseError):
            in_thought(is_long=False)
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_was_closed_is_opened_anew_and_a_dead_one_is_told() -> None:
    connection.close()
    assert one_row("SELECT %s::integer", [1]) == (1,)
    connection.connection.close()
    with pytest.raises(OperationalError):
        one_row("SELECT %s::integer", [1])
    connection.close()
