"""Lists by pages below an id, and below a time and an id."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.http import QueryDict
from django.test import RequestFactory

from casino.console.paging import before, keyset, number_typed, paged
from casino.core.models import User

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def pages_of(*by: str) -> list[list[str]]:
    """The names on each page of two, as long as there is a next one."""
    pages: list[list[str]] = []
    asked: dict[str, Any] = {}
    while True:
        request = RequestFactory().get("/", asked)
        rows, pages_around = keyset(request, User.objects.filter(username__in="abcde"), 2, by)
        pages.append([row.username for row in rows])
        if not pages_around.next:
            return pages
        asked = QueryDict(pages_around.next.removeprefix("?")).dict()


@pytest.mark.django_db
def test_each_row_stands_on_one_page_by_id_or_by_a_time_that_several_share() -> None:
    for name, minutes in (("a", 3), ("b", 1), ("c", 2), ("d", 2), ("e", 2)):
        User.objects.create(
            username=name, display_name=name, date_joined=NOON + timedelta(minutes=minutes)
        )
    assert pages_of() == [["e", "d"], ["c", "b"], ["a"]]
    assert pages_of("date_joined") == [["a", "e"], ["d", "c"], ["b"]]


@pytest.mark.django_db
@pytest.mark.parametrize("asked", ["²", "-1", "1.5", "9" * 5000, ""])
def test_what_is_no_number_asks_for_the_first_page(asked: str) -> None:
    request = RequestFactory().get("/", {"from": asked, "before": asked})
    assert before(request) is None
    assert paged(request, User.objects.order_by("pk"))[1].first == ""
    assert number_typed(asked) is None
