"""The source of randomness is watched: what fails is never used, and nothing new is dealt."""

import os

import pytest

from casino.core.models import LogEntry
from tables import entropy
from tables.errors import EntropyFailed
from tables.models import Hand, Table
from tables.services import dealing
from tests.tables.cut_cast import Giver, went_on
from tests.tables.dealing_cast import dealt, played_out, player, seated, table

FAILING = {
    "gone": lambda count: (_ for _ in ()).throw(OSError("no device")),
    "short": lambda count: os.urandom(count)[:-1],
    "stuck at a byte": lambda count: bytes(count),
    "repeating": lambda count: (b"0123456789abcdef" * (count // 16 + 1))[:count],
}


@pytest.mark.parametrize("fault", FAILING)
def test_a_source_that_fails_gives_nothing(fault: str, monkeypatch) -> None:
    monkeypatch.setattr(entropy, "_source", FAILING[fault])
    monkeypatch.setattr(entropy, "_last", FAILING["repeating"](64))
    with pytest.raises(EntropyFailed):
        entropy.draw(64)


def test_too_many_of_one_byte_are_noticed(monkeypatch) -> None:
    biased = bytearray(os.urandom(512).replace(b"\x07", b"\x08"))
    biased[0:460:23] = b"\x07" * 20
    monkeypatch.setattr(entropy, "_source", lambda count: bytes(biased[:count]))
    with pytest.raises(EntropyFailed, match="too often"):
        entropy.draw(512)


@pytest.mark.parametrize("at", [0, 17, 58])
def test_six_equal_bytes_in_a_row_are_noticed_and_five_are_not(at: int, monkeypatch) -> None:
    drawn = bytearray(range(64))
    for length in (5, 6):
        drawn[at : at + length] = b"\xc8" * length
        monkeypatch.setattr(entropy, "_source", lambda count, given=bytes(drawn): given)
        if length == 5:
            assert entropy.draw(64) == bytes(drawn)
        else:
            with pytest.raises(EntropyFailed, match="again and again"):
                entropy.draw(64)


def test_a_sound_source_is_not_stopped_by_mistake() -> None:
    drawn = {entropy.seed() for _ in range(2_000)}
    assert len(drawn) == 2_000
    assert len({*entropy.salts(1_000, 16)}) == 1_000
    for _ in range(200):
        entropy.draw(8_192)


def test_processes_that_fork_draw_apart() -> None:
    entropy.seed()
    ends = [os.pipe() for _ in range(4)]
    children = []
    for _, writer in ends:
        if (child := os.fork()) == 0:
            os.write(writer, entropy.seed())
            os._exit(0)
        children.append(child)
    drawn = [os.read(reader, 32) for reader, _ in ends]
    for child in children:
        assert os.waitpid(child, 0)[1] == 0
    assert len({*drawn, entropy.seed()}) == 5


@pytest.fixture
def heads_up(transactional_db) -> Table:
    at = table(reveal_ms=30_000)
    seated(at, player("alice"), player("bob"))
    return at


def test_without_randomness_no_hand_is_dealt_and_an_alarm_is_given(heads_up, monkeypatch) -> None:
    monkeypatch.setattr(entropy, "_source", FAILING["gone"])
    assert dealing.hand_open(table_id=heads_up.pk, number=1) is None
    assert dealing.hand_open(table_id=heads_up.pk, number=1) is None
    assert not Hand.objects.exists()
    heads_up.refresh_from_db()
    assert heads_up.next_deal_at is not None  # it is tried again
    assert LogEntry.objects.filter(kind="entropy.failed").count() == 1
    monkeypatch.undo()
    assert dealing.hand_open(table_id=heads_up.pk, number=1) is not None


def test_a_hand_that_runs_ends_by_its_rules_without_randomness(heads_up, monkeypatch) -> None:
    givers = [Giver(seat.player) for seat in heads_up.seats.all()]
    dealt(heads_up)
    played_out(heads_up)
    for who in givers:
        who.commits(heads_up)
    hand = dealt(heads_up)
    for who in givers:
        who.opens(heads_up)
    monkeypatch.setattr(entropy, "_source", FAILING["gone"])
    assert went_on(heads_up)  # its list was closed: it is dealt from what is committed
    played_out(heads_up)
    assert Hand.objects.get(pk=hand.pk).status == "settled"
    assert dealing.hand_open(table_id=heads_up.pk, number=3) is None
    assert LogEntry.objects.filter(kind="entropy.failed").exists()
