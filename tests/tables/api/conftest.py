from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache

from casino.core import bearers
from casino.core.models import Role
from tables import jobs
from tables.models import Table
from tests.cast import Client, Person, deal, holdem_table, person, three_card_table
from tests.tables.api.contract import check


@pytest.fixture(autouse=True)
def fresh(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """Nothing remembered from the test before; tasks are kept here and carried out by nobody."""
    bearers.tokens_forget_all()
    cache.clear()
    tasks: list[object] = []
    monkeypatch.setattr(jobs, "send", lambda *task: tasks.append(task) or True)
    yield tasks
    bearers.tokens_forget_all()


@pytest.fixture(autouse=True)
def every_answer_is_as_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = Client.request

    def asked(client: Client, **request: Any) -> Any:
        response = ask(client, **request)
        check(
            request["REQUEST_METHOD"],
            request["PATH_INFO"],
            response.status_code,
            response.headers.get("Content-Type", "").partition(";")[0],
            response.content,
        )
        return response

    monkeypatch.setattr(Client, "request", asked)


@pytest.fixture
def ann() -> Person:
    return person("Ann")


@pytest.fixture
def bob() -> Person:
    return person("Bob")


@pytest.fixture
def cleo() -> Person:
    return person("Cleo")


@pytest.fixture
def fred() -> Person:
    return person("Fred", Role.FLOOR)


@pytest.fixture
def holdem() -> Table:
    return holdem_table()


@pytest.fixture
def three_card() -> Table:
    return three_card_table()


@pytest.fixture
def heads_up(holdem: Table, ann: Person, bob: Person) -> Table:
    """Ann and Bob at the hold'em table, a hand dealt."""
    ann.sits(holdem)
    bob.sits(holdem)
    deal(holdem)
    return holdem
