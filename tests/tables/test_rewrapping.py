"""Card keys rotate: everything hidden is wrapped in the newest one, and still opens."""

import base64

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from tables import beliefs, selectors, vault
from tables.models import Event, HandArchive, HandSecret, SeedCommitment
from tests.tables.cut_cast import Giver, bundle, problems, went_on
from tests.tables.dealing_cast import dealt, played_out, player, seated, table
from tests.tables.test_packing import packed

pytestmark = pytest.mark.django_db(transaction=True)
OLD, NEW = (f"{name}:{base64.b64encode(bytes([n]) * 32).decode()}" for n, name in enumerate("ab"))


@pytest.fixture
def keys(settings):
    def use(*those: str) -> None:
        settings.CARD_KEYS = list(those)
        vault.keys.cache_clear()

    yield use
    vault.keys.cache_clear()


def ciphertexts() -> list[bytes]:
    rows = [
        *HandSecret.objects.values_list("sealed", flat=True),
        *SeedCommitment.objects.exclude(sealed=None).values_list("sealed", flat=True),
        *Event.objects.exclude(private=None).values_list("private", flat=True),
    ]
    return [bytes(row) for row in rows]


def test_secrets_of_an_old_key_open_under_the_new_one_alone(keys) -> None:
    keys(OLD)
    at = table(reveal_ms=30_000)
    givers = [Giver(player(name)) for name in ("alice", "bob")]
    seated(at, *(who.user for who in givers))
    dealt(at)
    first = played_out(at)
    for who in givers:
        who.commits(at)
    running = dealt(at)
    for who in givers:
        who.opens(at)
    before = ciphertexts()
    assert all(text.startswith(b"a\0") for text in before)
    keys(NEW, OLD)
    call_command("rewrap_secrets")
    call_command("rewrap_secrets")  # has nothing left to do
    keys(NEW)
    after = ciphertexts()
    assert len(after) == len(before)
    assert all(text.startswith(b"b\0") for text in after)
    assert went_on(at)  # with the seeds that were opened under the old key
    assert len(beliefs.read(at.pk).hand().deck) == 52
    for hand_id in (first.pk, running.pk):
        assert problems(bundle(hand_id, givers[0].user)) == []


def test_what_is_packed_is_wrapped_anew_too(keys) -> None:
    keys(OLD)
    at = table()
    seated(at, player("alice"), player("bob"))
    for _ in range(2):
        dealt(at)
        played_out(at)
    assert packed() == 1
    hand = HandArchive.objects.get().hand
    before = selectors.hidden_parts(hand.pk)
    assert before
    keys(NEW, OLD)
    call_command("rewrap_secrets")
    keys(NEW)
    assert selectors.hidden_parts(hand.pk) == before


def test_a_key_that_is_gone_too_early_is_named(keys) -> None:
    keys(OLD)
    at = table(reveal_ms=30_000)
    seated(at, player("alice"), player("bob"))
    dealt(at)
    keys(NEW)
    with pytest.raises(CommandError, match="deck:"):
        call_command("rewrap_secrets")


def test_history_takes_another_wrapping_and_nothing_else(keys) -> None:
    at = table(reveal_ms=30_000)
    seated(at, player("alice"), player("bob"))
    dealt(at)
    from django.db.utils import IntegrityError, ProgrammingError

    for change in ("private = NULL", "events = '[]'", "private = private, seq = seq + 100"):
        with pytest.raises((IntegrityError, ProgrammingError)), connection.cursor() as cursor:
            cursor.execute(f"UPDATE tables_event SET {change} WHERE private IS NOT NULL")
