"""The documents a client author reads are what the house does."""

import json
import re
from collections.abc import AsyncIterator, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import orjson
import pytest
import yaml
from django.core.management import call_command
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from casino.core.tickets import ticket_issue
from tables import beliefs, selectors
from tables.engine.fairness import seed_commitment
from tables.hub import Hub, hub
from tables.models import Table
from tables.threads import in_thread
from tests.cast import Person, deal, settle
from tests.tables.api.contract import DOCUMENT, document
from tests.tables.sockets import Socket

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"


@cache
def socket_document() -> dict[str, Any]:
    facts: dict[str, Any] = yaml.safe_load((DOCS / "asyncapi.yaml").read_text())
    return facts


def validator(message: str) -> Draft202012Validator:
    registry: Registry[Any] = Registry().with_resources(
        (uri, Resource.from_contents(contents, DRAFT202012))
        for uri, contents in (
            ("https://house.test/asyncapi.yaml", socket_document()),
            ("https://house.test/openapi.json", document()),
        )
    )
    pointer = f"https://house.test/asyncapi.yaml#/components/messages/{message}/payload"
    return Draft202012Validator({"$ref": pointer}, registry=registry)


def examples() -> Iterator[Any]:
    for name, message in socket_document()["components"]["messages"].items():
        for example in message["examples"]:
            yield pytest.param(name, example["payload"], id=example.get("name", name))


def test_the_openapi_document_is_current_and_complete(tmp_path: Path) -> None:
    """Renew it with: manage.py spectacular --format openapi-json --file docs/openapi.json"""
    made = tmp_path / "openapi.json"
    call_command(
        "spectacular", "--validate", "--fail-on-warn",
        "--format", "openapi-json", "--file", str(made),
    )  # fmt: skip
    assert json.loads(made.read_text()) == json.loads(DOCUMENT.read_text())
    assert document()["openapi"].startswith("3.1")


@pytest.mark.parametrize(("name", "payload"), list(examples()))
def test_every_example_of_the_socket_is_of_its_schema(name: str, payload: Any) -> None:
    validator(name).validate(payload)


def test_every_message_of_the_socket_is_in_the_channel_and_in_an_operation() -> None:
    facts = socket_document()
    messages = set(facts["components"]["messages"])
    assert set(facts["channels"]["table"]["messages"]) == messages
    told = {
        message["$ref"].rpartition("/")[2]
        for operation in facts["operations"].values()
        for message in operation["messages"]
    }
    assert told == messages


def test_every_event_a_hand_can_cause_is_explained() -> None:
    """Types are written as literals where events are made; each has its row in the protocol."""
    made = re.compile(r'(?:\btell|\bEvent|\bevent)\(\s*"([a-z_]+)"')
    types = {
        found
        for path in (ROOT / "tables").rglob("*.py")
        for found in made.findall(path.read_text())
    }
    rows = re.findall(r"^\|((?: `[a-z_]+`,?)+) \|", (DOCS / "protocol.md").read_text(), re.M)
    explained = {name for row in rows for name in re.findall(r"[a-z_]+", row)}
    assert {"hand_opened", "cards_dealt", "bet_placed"} <= types
    assert types - explained == set()


@pytest.fixture
async def rooms() -> AsyncIterator[Hub]:
    hub.start(rows=lambda table_id, seq: in_thread(selectors.pushes_since, table_id, seq))
    yield hub
    await hub.stop()


async def test_a_socket_says_what_its_document_promises(
    heads_up: Table, ann: Person, bob: Person, rooms: Hub
) -> None:
    actors = {1: ann, 2: bob}
    turn = (await in_thread(ann.sees, heads_up))["hand"]["turn"]
    actor = actors[turn["seats"][0]]
    issued = await in_thread(actor.client.send, f"tables/{heads_up.pk}/tickets", key=None)
    socket = Socket(f"{issued.json()['socket_path']}?ticket={issued.json()['ticket']}")
    assert await socket.connect()
    heard: list[str] = []

    async def hear(kind: str) -> None:
        while kind not in heard:
            message = orjson.loads((await socket.hear())["text"])
            validator(message["type"]).validate(message)
            heard.append(message["type"])

    async def say(**message: Any) -> None:
        await socket.say(orjson.dumps(message).decode())

    async def act(**action: Any) -> None:
        turn_id = (await in_thread(beliefs.read, heads_up.pk)).turn_id
        await say(type="act", action_id=str(uuid4()), turn_id=turn_id, action=action)

    await hear("hello")
    await say(type="subscribe", from_seq=999)
    await hear("resync_required")
    await hear("snapshot")
    await say(type="ping")
    await hear("pong")
    await say(type="subscribe", openings=True)
    await hear("openings")
    await act(name="raise", to_minor=150)
    await hear("refused")
    await act(name="call")
    await hear("ack")
    await hear("events")
    server_time, seqs = await in_thread(selectors.seqs_of, [heads_up.pk])
    await hub.heads(seqs, server_time)
    await hear("heartbeat")
    await in_thread(Table.objects.filter(pk=heads_up.pk).update, reveal_ms=60_000)
    seed = bytes(32)
    await say(type="commit_seed", cut=2, commitment=seed_commitment(seed).hex())
    await hear("seed_committed")
    await say(type="open_seed", cut=2, seed=seed.hex())
    await hear("seed_refused")
    other = next(person for person in actors.values() if person is not actor)
    belief = await in_thread(beliefs.read, heads_up.pk)
    await in_thread(other.client.act, heads_up, belief.turn_id, {"name": "fold"})
    await in_thread(settle, heads_up, await in_thread(heads_up.hands.get))
    await hear("standing")
    await in_thread(deal, heads_up)
    await say(type="open_seed", cut=2, seed=seed.hex())
    await hear("seed_opened")
    await socket.leave()
    facts = {"table_id": heads_up.pk, "role": "display", "device_id": 1}
    socket = Socket(f"/ws/v1/tables/{heads_up.pk}?ticket={await in_thread(ticket_issue, **facts)}")
    assert await socket.connect()
    heard.remove("hello")
    await hear("hello")
    hub.tell(heads_up.pk, {"type": "table.device", "device": 1, "why": "moved"})
    await hear("reload")
    await socket.leave()
    promised = socket_document()["operations"]["tell"]["messages"]
    assert set(heard) == {message["$ref"].rpartition("/")[2] for message in promised}
