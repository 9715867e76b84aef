"""The search for hidden cards finds each kind of thing it looks for where it may not be."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from casino.house import searching
from casino.house.searching import Listener, Moment

SALT, SEED = bytes(range(40, 72)), bytes(range(80, 112))
ORDER = bytes([51, 3, 17, 40, 8, 29, 12, 33, 1])
FRAME = b'"PUBLISH" "t" "{\\"table\\":7,\\"seq\\":3,\\"cards\\":[\\"As\\"]}"'
TASK = b'"LPUSH" "tables" "%s"'


def moment(*, dump: bytes = b"", rows: bytes = b"", hidden: str = "As") -> Moment:
    cards = {hidden.encode()}
    return Moment(
        dump=dump, oldest=1, orders=[ORDER], salts=[SALT], seeds=[SEED], waiting=[SEED],
        hands={(7, 3): cards}, rows={1: (cards, rows)},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("told", "named"),
    [
        (FRAME, "frame: (7, 3, {b'As'})"),
        (TASK % b'[["Kd"]]', "task: a card"),
        (SALT.hex().encode(), "valkey: a salt"),
        (json.dumps(list(ORDER[:8])).encode(), "valkey: an order"),
        (b"seed_opened " + SEED.hex().encode(), "valkey: a seed"),
    ],
)
def test_what_valkey_may_not_hear_is_named(told: bytes, named: str) -> None:
    assert searching.in_valkey([told], [], moment()) == [named]


def test_what_is_shown_to_all_may_be_heard() -> None:
    told = [FRAME, b"decks_cut " + SEED.hex().encode()]
    assert searching.in_valkey(told, [], moment(hidden="Kd")) == []


def test_a_dump_and_the_rows_of_a_hand_are_searched() -> None:
    assert searching.in_dump(moment()) == []
    assert searching.in_dump(moment(dump=SALT.hex().encode())) == ["dump: a secret"]
    assert searching.in_dump(moment(dump=ORDER.hex().encode())) == ["dump: an order"]
    assert searching.in_dump(moment(rows=b'{"board": ["As"]}')) == ["rows: hand 1"]


@pytest.mark.parametrize("line", [b"dealt ['9c']", SEED.hex().encode(), SALT])
def test_a_log_that_names_a_card_or_a_secret_is_named(line: bytes) -> None:
    logs = {"web-1": b"started\n" + line, "clock": b"started\n"}
    assert searching.in_logs(logs, moment()) == ["log: web-1"]


def test_what_a_process_counts_is_searched_beside_the_logs(tmp_path: Path) -> None:
    for folder, name, text in [
        ("log", "clock.log", b"started\n"),
        ("counts", "counter_7.db", b'["dealt_total", "dealt_total", {"card": "9c"}]'),
        ("counts", "counter_8.db", b'["dealt_total", "dealt_total", {"table": "9"}]'),
    ]:
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_bytes(text)
    assert searching.in_logs(searching.logs_of(tmp_path), moment()) == ["log: counter_7"]


def test_a_server_that_comes_back_is_heard_again(tmp_path: Path) -> None:
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(tmp_path / "vk.sock"))
    server.listen()
    listener = Listener(f"unix://{tmp_path}/vk.sock")
    for line in (b"before", b"after"):
        taken, _ = server.accept()
        assert taken.recv(20) == b"MONITOR\r\n"
        taken.sendall(line + b"\n")
        taken.close()
    server.accept()  # both lines were heard to their ends before this
    listener.close()
    server.close()
    assert listener.taken() == [b"before\n", b"after\n"]
