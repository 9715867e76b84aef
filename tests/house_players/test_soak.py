"""What the audit after a soak finds, asked of hands whose story is known."""

from datetime import timedelta

import pytest

from casino.house import auditing, soak
from casino.house.accounting import rows, scalar
from casino.house.soak import AuditedSoak, Outage
from tables.models import Hand, Table
from tests.tables.dealing_cast import dealt, played_out, player, run_out, seated, table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def at() -> Table:
    made = table()
    seated(made, player("ann"), player("bob"))
    return made


def test_a_settled_hand_has_its_end_and_one_that_lost_it_is_found(at: Table) -> None:
    dealt(at)
    hand = played_out(at)
    assert scalar(soak.UNENDED) == 0
    Hand.objects.filter(pk=hand.pk).update(last_seq=hand.first_seq)
    assert scalar(soak.UNENDED) == 1


def test_a_default_is_found_with_the_deadline_that_had_passed_for_it(at: Table) -> None:
    dealt(at)
    deadline = Table.objects.get(pk=at.pk).deadline
    assert deadline is not None
    run_out(at)
    ((stood, table_id, _),) = rows(soak.DEFAULTS)
    assert table_id == at.pk
    assert abs(stood - deadline) < timedelta(seconds=1)


def test_only_a_silence_of_web_or_clock_takes_a_decision_from_anybody(at: Table) -> None:
    now = Table.objects.get(pk=at.pk).next_deal_at
    assert now is not None
    outages = [Outage(part, now, now + timedelta(seconds=4)) for part in soak.PARTS]
    audit = AuditedSoak.__new__(AuditedSoak)
    audit.outages = outages
    assert [outage.part for outage in audit.silences()] == ["web", "clock"]
    assert outages[0].as_json()["down_s"] == 4.0


def test_the_commands_words_are_those_it_is_run_anew_with() -> None:
    said = {"seconds": 5.0, "seed": 3, "between": 12.0, "tables": 4, "players": 9, "report": None}
    words = soak.as_words(said)
    assert words[:6] == ["--seconds", "5.0", "--seed", "3", "--between", "12.0"]
    assert words[6:] == ["--tables", "4", "--players", "9"]


def test_a_players_money_is_what_he_brought_and_what_his_hands_say(at: Table) -> None:
    dealt(at)
    hand = played_out(at)
    assert auditing.unaccounted() == []
    assert auditing.not_replayed() == (1, [])
    assert hand.result is not None
    hand.result["nets_minor"]["1"] += 5
    hand.save(update_fields=["result"])
    (wrong,) = auditing.unaccounted()
    assert wrong["told_minor"] - wrong["held_minor"] == 5
    count, (why,) = auditing.not_replayed()
    assert count == 1
    assert why.startswith("holdem")
