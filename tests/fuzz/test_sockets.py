"""Whatever is said at a table's socket, it is answered, or the socket closed with its own code."""

from __future__ import annotations

import pytest

from tables import jobs
from tables.consumers import TableConsumer
from tables.threads import in_thread
from tests.cast import deal, holdem_table, person
from tests.fuzz.sockets import Talking, drawn

SHORT = 150


@pytest.fixture
def talking(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Talking:
    """Ann at her table, in a hand; how fast she may speak is tried elsewhere."""
    monkeypatch.setattr(TableConsumer, "take_token", lambda self: True)
    monkeypatch.setattr(jobs, "send", lambda *task: True)
    table, ann, bob = holdem_table(), person("Ann"), person("Bob")
    for one in (ann, bob):
        one.sits(table)
    deal(table)
    return Talking(table.pk, ann.user.pk)


async def spoken(talking: Talking, messages: list[str]) -> None:
    for text in messages:
        await talking.say(text)
    if talking.socket is not None:
        await talking.socket.leave()


async def test_a_socket_answers_whatever_is_said_to_it(talking: Talking) -> None:
    messages = await in_thread(drawn, SHORT)
    await spoken(talking, messages)
    assert talking.heard["refused"] > SHORT / 5
    assert talking.heard["pong"] >= len(messages) - sum(talking.closed.values())
