import asyncio
from socket import (
    IPPROTO_TCP,
    SO_KEEPALIVE,
    SOL_SOCKET,
    TCP_KEEPCNT,
    TCP_KEEPIDLE,
    TCP_KEEPINTVL,
    TCP_USER_TIMEOUT,
)
from uuid import uuid4

import orjson
import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError

from casino.core.devices import device_enrol, device_revoke
from casino.core.models import Role, User
from casino.core.services import token_issue, token_revoke
from casino.core.tickets import ticket_issue
from tables import beliefs, consumers, selectors
from tables.hub import QUEUE_SIZE, hub, lines_kept
from tables.threads import in_thread
from tests.cast import person
from tests.tables.api.test_documents import validator
from tests.tables.dealing_cast import dealt, move, played_out, player, seated, table
from tests.tables.sockets import Socket

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def rooms():
    """The hub of a web process, in this test's loop."""
    hub.start(rows=lambda table_id, seq: in_thread(selectors.pushes_since, table_id, seq))
    yield hub
    await hub.stop()


@pytest.fixture
def in_play():
    at = table()
    players = [player("alice"), player("bob")]
    seated(at, *players)
    dealt(at)
    return at, players


def awaited(at, players):
    """Whose turn it is, and which turn."""
    belief = beliefs.read(at.pk)
    waiting = belief.hand().waiting
    return next(p for p in players if belief.seat_of(p.pk) in waiting), belief.turn_id


def socket(at, ticket: str, **headers: str) -> Socket:
    return Socket(f"/ws/v1/tables/{at.pk}?ticket={ticket}", headers)


async def opened(at, who=None) -> Socket:
    facts = {"role": "player", "user_id": who.pk} if who else {"role": "display", "device_id": 1}
    ticket = await in_thread(ticket_issue, table_id=at.pk, **facts)
    sock = socket(at, ticket)
    assert await sock.connect()
    return sock


async def heard(sock, kind: str) -> dict:
    """The next message of a type; heartbeats and others in between are passed over."""
    for _ in range(50):
        message = orjson.loads((await sock.hear())["text"])
        if message["type"] == kind:
            return message
    raise AssertionError(f"no {kind}")


async def closed_with(sock) -> int:
    while True:
        message = await sock.hear()
        if message["type"] == "websocket.close":
            return message["code"]


async def say(sock, **message) -> None:
    await sock.say(orjson.dumps(message).decode())


async def test_a_ticket_opens_one_socket_once(in_play, rooms):
    at, players = in_play
    ticket = await in_thread(ticket_issue, table_id=at.pk, role="player", user_id=players[0].pk)
    first = socket(at, ticket)
    await first.connect()
    hello = await heard(first, "hello")
    assert hello["you"] == {"seat": 1, "role": "player"}
    second = socket(at, ticket)
    await second.connect()
    assert await closed_with(second) == 4401
    await first.leave()


async def test_a_ticket_opens_only_its_own_table(in_play, rooms):
    at, players = in_play
    ticket = await in_thread(ticket_issue, table_id=at.pk + 1, role="player", user_id=players[0].pk)
    sock = socket(at, ticket)
    await sock.connect()
    assert await closed_with(sock) == 4403


async def test_a_page_of_another_origin_is_refused_before_it_joins(in_play, rooms):
    at, players = in_play
    ticket = await in_thread(ticket_issue, table_id=at.pk, role="player", user_id=players[0].pk)
    foreign = socket(at, ticket, origin="https://evil.example")
    assert not await foreign.connect()
    own = socket(at, ticket, origin="http://localhost:8000", host="localhost:8000")
    assert await own.connect()
    await own.leave()


async def test_an_action_is_acknowledged_to_its_player_and_told_to_all(in_play, rooms):
    at, players = in_play
    first, turn_id = await in_thread(awaited, at, players)
    mine, screen = await opened(at, first), await opened(at)
    for sock in (mine, screen):
        await say(sock, type="subscribe")
        await heard(sock, "snapshot")
    action_id = str(uuid4())
    act = {"type": "act", "action_id": action_id, "turn_id": turn_id}
    await say(mine, **act, action={"name": "call"})
    ack = await heard(mine, "ack")
    assert (ack["action_id"], ack["replayed"]) == (action_id, False)
    told = await heard(screen, "events")
    assert told["seq"] == ack["seq"] == told["prev"] + 1
    assert told["events"][0]["type"] == "called"
    await say(mine, **act, action={"name": "call"})
    again = await heard(mine, "ack")
    assert (again["seq"], again["replayed"]) == (ack["seq"], True)
    await mine.leave()
    await screen.leave()


async def test_a_refused_action_says_why_and_what_is_legal(in_play, rooms):
    at, players = in_play
    first, turn_id = await in_thread(awaited, at, players)
    sock = await opened(at, first)
    await say(
        sock, type="act", action_id=str(uuid4()), turn_id=turn_id,
        action={"name": "raise", "to_minor": 101},
    )  # fmt: skip
    problem = (await heard(sock, "refused"))["problem"]
    assert problem["code"] == "bet_too_small"
    assert problem["status"] == 409
    assert {choice["name"] for choice in problem["legal_actions"]} == {"fold", "call", "raise"}
    await sock.leave()


async def test_a_deal_reaches_each_player_with_his_own_cards_alone(rooms):
    def sit():
        at = table()
        players = [player("alice"), player("bob")]
        seated(at, *players)
        return at, players

    at, players = await in_thread(sit)
    sockets = [await opened(at, who) for who in players] + [await opened(at)]
    for sock in sockets:
        await say(sock, type="subscribe")
        await heard(sock, "snapshot")
    await in_thread(dealt, at)
    parts = []
    for sock in sockets:
        frame = await heard(sock, "events")
        deal = next(event for event in frame["events"] if event["type"] == "cards_dealt")
        parts.append(deal.get("private", {}).get("cards", []))
        await sock.leave()
    assert [len(cards) for cards in parts] == [2, 2, 0]
    assert not set(parts[0]) & set(parts[1])


async def test_the_newest_connection_of_a_player_plays_the_seat(in_play, rooms):
    at, players = in_play
    older = await opened(at, players[0])
    await heard(older, "hello")
    newer = await opened(at, players[0])
    assert await closed_with(older) == 4409
    await newer.leave()


async def test_what_a_socket_missed_is_replayed_in_order(in_play, rooms):
    at, _ = in_play
    sock = await opened(at)
    await say(sock, type="subscribe", from_seq=1)
    seqs = [(await heard(sock, "events"))["seq"] for _ in range(2)]
    assert seqs == [2, 3]
    await say(sock, type="subscribe", from_seq=10_000)
    assert (await heard(sock, "resync_required"))["expected"] == 10_001
    await heard(sock, "snapshot")
    await sock.leave()


async def test_a_lost_push_is_made_up_for_by_the_next_heartbeat(in_play, rooms, monkeypatch):
    at, _ = in_play
    sock = await opened(at)
    await say(sock, type="subscribe")
    await heard(sock, "snapshot")
    monkeypatch.setattr("tables.screens.publish", lambda row: None)
    await in_thread(move, at, name="call")
    server_time, seqs = await in_thread(selectors.seqs_of, [at.pk])
    await rooms.heads(seqs, server_time)
    assert (await heard(sock, "events"))["events"][0]["type"] == "called"
    await sock.leave()


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "[]", '{"type":"dance"}', '{"type":"act"}',
     '{"type":"act","action_id":"x","turn_id":1,"action":{}}',
     '{"type":"subscribe","from_seq":"1"}', '{"type":"subscribe","from_seq":true}',
     '{"type":"subscribe","from_seq":-1}', '{"type":"subscribe","from_seq":1.0}',
     '{"type":"subscribe","from_seq":18446744073709551615}', '{"type":"ping","lag_ms":-1}',
     '{"type":"ping","lag_ms":1.5}', '{"type":"ping","lag_ms":86400001}'],
)  # fmt: skip
async def test_a_malformed_message_is_refused_and_the_socket_stays(in_play, rooms, text):
    at, players = in_play
    sock = await opened(at, players[0])
    await sock.say(text)
    assert (await heard(sock, "refused"))["problem"]["code"] == "malformed_message"
    await say(sock, type="ping")
    await heard(sock, "pong")
    await sock.leave()


async def test_nothing_is_done_or_said_after_a_close(in_play, rooms):
    at, players = in_play
    first, turn_id = await in_thread(awaited, at, players)
    replaced = await opened(at, first)
    await heard(replaced, "hello")
    newer = await opened(at, first)
    assert await closed_with(replaced) == 4409
    newest = await opened(at, first)
    assert await closed_with(newer) == 4409
    act = {"type": "act", "action_id": str(uuid4()), "turn_id": turn_id}
    await say(replaced, **act, action={"name": "call"})
    await say(replaced, type="ping")
    assert await replaced.receive_nothing(0.3)
    assert (await in_thread(beliefs.read, at.pk)).turn_id == turn_id
    for sock in (replaced, newer, newest):
        await sock.leave()


@pytest.mark.parametrize(
    "path",
    ["/ws", "/ws/v1/tables/abc", "/ws/v1/tables/1/", "/ws/v1/tables/1\0", "/ws/v1/tables/\u0661",
     "/ws/v1/tables/99999999999999999999"],
)  # fmt: skip
async def test_a_path_that_is_no_table_is_closed_as_such(path):
    sock = Socket(path)
    assert await sock.connect()
    assert await closed_with(sock) == 4404


@pytest.mark.parametrize("origin", ["http://[::1", "http://localhost]", "null", "", "\xff"])
async def test_an_origin_that_is_no_address_is_refused(in_play, rooms, origin):
    at, players = in_play
    ticket = await in_thread(ticket_issue, table_id=at.pk, role="player", user_id=players[0].pk)
    assert not await socket(at, ticket, origin=origin).connect()


async def test_a_program_that_floods_is_closed(in_play, rooms):
    at, _ = in_play
    sock = await opened(at)
    for _ in range(60):
        await say(sock, type="ping")
    assert await closed_with(sock) == 4429


async def test_a_reader_that_does_not_keep_up_is_closed_and_the_others_are_not(in_play, rooms):
    at, _ = in_play
    slow = asyncio.Queue(QUEUE_SIZE)
    await rooms.join(at.pk, "slow", slow)
    room = rooms.rooms[at.pk]
    for _ in range(QUEUE_SIZE + 1):
        rooms.broadcast(room, {"type": "table.heartbeat"})
    assert slow.get_nowait() == {"type": "too.slow"}
    assert slow.empty()
    await rooms.leave(at.pk, "slow")
    assert at.pk not in rooms.rooms


async def test_rooms_and_queues_are_gone_when_the_sockets_are(in_play, rooms):
    from channels.layers import get_channel_layer

    at, players = in_play
    before = len(get_channel_layer().queues)
    sockets = [await opened(at, who) for who in players] + [await opened(at) for _ in range(5)]
    for sock in sockets:
        await heard(sock, "hello")
    assert len(rooms.rooms[at.pk].queues) == 7
    for sock in sockets:
        await sock.leave()
    assert at.pk not in rooms.rooms
    assert len(get_channel_layer().queues) == before


async def served(at, who, send):
    """A consumer whose server sends as given; its task, and what it hears of its client."""
    ticket = await in_thread(ticket_issue, table_id=at.pk, role="player", user_id=who.pk)
    scope = {
        "type": "websocket", "url_route": {"kwargs": {"table_id": str(at.pk)}}, "headers": [],
        "query_string": f"ticket={ticket}".encode(), "subprotocols": [],
    }  # fmt: skip
    said, greeted = asyncio.Queue(), asyncio.Event()
    said.put_nowait({"type": "websocket.connect"})

    async def sent(message):
        await send(message)
        if '"hello"' in message.get("text", ""):
            greeted.set()

    runs = asyncio.create_task(consumers.TableConsumer.as_asgi()(scope, said.get, sent))
    await asyncio.wait_for(greeted.wait(), 5)
    return runs, said


async def test_who_does_not_read_holds_up_nobody_as_he_is_closed(in_play, rooms, monkeypatch):
    monkeypatch.setattr(consumers, "CLOSE_S", 0.05)
    at, (gone, goes_too) = in_play

    async def stuck(message):
        if message["type"] == "websocket.close":
            await asyncio.Event().wait()

    runs, said = await served(at, gone, stuck)
    other = await opened(at, goes_too)
    await heard(other, "hello")
    await in_thread(User.objects.filter(pk__in=[gone.pk, goes_too.pk]).update, is_active=False)
    await asyncio.wait_for(consumers.close_fallen(), 2)
    assert await closed_with(other) == 4401
    assert not consumers.sockets
    said.put_nowait({"type": "websocket.disconnect", "code": 1006})
    await asyncio.wait_for(runs, 5)
    await other.leave()


class Gone(OSError):
    """As a server's send raises it once its client has gone."""


async def test_a_client_that_goes_while_it_is_told_something_leaves_nothing_behind(in_play, rooms):
    from channels.layers import get_channel_layer

    at, players = in_play
    before = len(get_channel_layer().queues)

    async def send(message):
        if message.get("text") == "late":
            raise Gone

    runs, _ = await served(at, players[0], send)
    assert len(consumers.sockets) == 1
    late = {"type": "table.heartbeat", "seq": 0, "text": "late"}
    rooms.broadcast(rooms.rooms[at.pk], late)
    with pytest.raises(Gone):
        await asyncio.wait_for(runs, 5)
    assert not consumers.sockets
    assert at.pk not in rooms.rooms
    assert len(get_channel_layer().queues) == before


async def test_frames_out_of_order_are_handed_on_in_order(in_play, rooms):
    from tables.hub import Push

    at, _ = in_play
    queue = asyncio.Queue()
    await rooms.join(at.pk, "one", queue)
    for seq in (5, 8, 7, 6, 6, 9):
        rooms.deliver(at.pk, Push(seq, str(seq), ()))
    assert [queue.get_nowait()["seq"] for _ in range(queue.qsize())] == [5, 6, 7, 8, 9]
    await rooms.leave(at.pk, "one")


async def letter_of_another_process(at, body: bytes) -> None:
    import redis
    from django.conf import settings

    publish = sync_to_async(redis.Redis.from_url(settings.REDIS_URL).publish)
    await publish(f"croupier:table:{at.pk}", b"elsewhere\n" + body)


async def pushed_by_another_process(at, seq: int) -> None:
    text = orjson.dumps({"type": "events", "seq": seq}).decode()
    body = {"seq": seq, "text": text, "private_seats": []}
    await letter_of_another_process(at, orjson.dumps(body))


async def listening(at):
    """A socket that follows a table, its process too, and up to where."""
    sock = await opened(at)
    await say(sock, type="subscribe")
    seq = (await heard(sock, "snapshot"))["seq"]
    await asyncio.sleep(0.2)
    return sock, seq


async def test_pushes_of_another_process_arrive(in_play, rooms):
    at, _ = in_play
    sock, seq = await listening(at)
    await pushed_by_another_process(at, seq + 1)
    assert (await heard(sock, "events"))["seq"] == seq + 1
    await sock.leave()


async def test_a_letter_that_cannot_be_read_makes_no_process_deaf(in_play, rooms):
    at, _ = in_play
    sock, seq = await listening(at)
    await letter_of_another_process(at, b'{"of": "a newer version"}')
    await asyncio.sleep(0.5)
    await pushed_by_another_process(at, seq + 1)
    assert (await heard(sock, "events"))["seq"] == seq + 1
    await sock.leave()


async def test_a_line_over_the_network_learns_that_its_other_end_is_gone(settings):
    from redis.asyncio import Connection

    async def silent(reader, writer):
        writer.close()

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
        line = Connection(host="127.0.0.1", port=port, socket_timeout=None, **lines_kept())
        await line._connect()
        sock = line._writer.get_extra_info("socket")
        assert sock.getsockopt(SOL_SOCKET, SO_KEEPALIVE) == 1
        waits_s = sock.getsockopt(IPPROTO_TCP, TCP_KEEPIDLE) + sock.getsockopt(
            IPPROTO_TCP, TCP_KEEPINTVL
        ) * sock.getsockopt(IPPROTO_TCP, TCP_KEEPCNT)
        assert waits_s < 15
        assert 0 < sock.getsockopt(IPPROTO_TCP, TCP_USER_TIMEOUT) < 15_000
        await line.disconnect(nowait=True)


async def test_valkey_back_before_postgresql_makes_no_process_deaf(in_play, rooms, monkeypatch):
    import redis
    from django.conf import settings

    async def away(table_id, seq):
        raise OperationalError("the database is not back yet")

    at, _ = in_play
    sock = await opened(at)
    await say(sock, type="subscribe")
    seq = (await heard(sock, "snapshot"))["seq"]
    rooms.rooms[at.pk].last = seq
    await asyncio.sleep(0.2)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(rooms, "rows", away)
        killed = sync_to_async(redis.Redis.from_url(settings.REDIS_URL).client_kill_filter)
        assert await killed(_type="pubsub") >= 1
        await asyncio.sleep(0.5)
    await asyncio.sleep(0.5)
    await pushed_by_another_process(at, seq + 1)
    assert (await heard(sock, "events"))["seq"] == seq + 1
    await sock.leave()


async def test_an_ended_token_takes_its_own_socket_with_it_and_no_other(in_play, rooms):
    at, (ann, _) = in_play
    socks, tokens = [], []
    for name in ("phone", "desk"):
        token, _ = await in_thread(token_issue, user=ann, name=name)
        facts = {"role": "watcher", "user_id": ann.pk, "token_id": token.pk}
        socks.append(socket(at, await in_thread(ticket_issue, table_id=at.pk, **facts)))
        tokens.append(token)
        assert await socks[-1].connect()
        await heard(socks[-1], "hello")
    await in_thread(token_revoke, token=tokens[0], by=ann)
    await consumers.close_fallen()
    assert await closed_with(socks[0]) == 4401
    assert await socks[1].receive_nothing(0.05)
    for sock in socks:
        await sock.leave()


async def test_a_closed_account_and_a_revoked_display_lose_their_sockets(in_play, rooms):
    at, players = in_play
    floor = await in_thread(person, "Fred", Role.FLOOR)
    device, _ = await in_thread(device_enrol, name="Screen", table_id=at.pk, by=floor.user)
    ticket = await in_thread(ticket_issue, table_id=at.pk, role="display", device_id=device.pk)
    screen = socket(at, ticket)
    await screen.connect()
    closed, stays = [await opened(at, who) for who in players]
    for sock in (screen, closed, stays):
        await heard(sock, "hello")
    await consumers.close_fallen()
    for sock in (screen, closed, stays):
        assert await sock.receive_nothing(0.05)
    await in_thread(User.objects.filter(pk=players[0].pk).update, is_active=False)
    await in_thread(device_revoke, device=device, by=floor.user)
    await consumers.close_fallen()
    assert [await closed_with(sock) for sock in (closed, screen)] == [4401, 4401]
    assert await stays.receive_nothing(0.05)
    for sock in (screen, closed, stays):
        await sock.leave()


async def test_plp_03_after_every_hand_a_player_is_told_his_money_time_and_net(in_play, rooms):
    at, players = in_play
    alice = await opened(at, players[0])
    display = await opened(at)
    for sock in (alice, display):
        await say(sock, type="subscribe")
        await heard(sock, "snapshot")
    await in_thread(played_out, at)
    told = await heard(alice, "standing")
    ledger = await in_thread(selectors.standing, at.pk, players[0].pk)
    assert {**ledger, "type": "standing", "elapsed_s": told["elapsed_s"]} == told
    assert told["net_minor"] == told["chips_minor"] - 10_000
    assert told["cash_minor"] == 90_000
    assert told["since"] is not None
    validator("standing").validate(told)
    while (message := orjson.loads((await display.hear())["text"]))["type"] != "heartbeat":
        assert message["type"] != "standing"
        if '"hand_settled"' in orjson.dumps(message).decode():
            break
    for sock in (alice, display):
        await sock.leave()
