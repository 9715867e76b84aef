"""The audit of a house at rest: it counts what was played, and finds what is wrong."""

from pathlib import Path

import pytest

from casino.core.models import User
from casino.house import accounting
from casino.house.errors import FolderUnusable
from casino.house.trial import kept_folder
from tables import beliefs
from tables.models import Hand, Table
from tables.services import expiring, settling
from tests.conftest import superuser
from tests.tables.dealing_cast import (
    clock_to,
    dealt,
    move,
    played_out,
    player,
    seated,
    table,
    three_card_table,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people() -> list[User]:
    return [player(name) for name in ("Ann", "Bob", "Cid")]


@pytest.fixture
def holdem(people: list[User]) -> Table:
    at = table()
    seated(at, *people)
    return at


def tamper(statement: str) -> None:
    """What no part of the house can do: write past the triggers."""
    with superuser() as admin:
        admin.execute("SET session_replication_role = replica")
        admin.execute(statement)


def found() -> list[str]:
    return accounting.faults(accounting.figures())


def test_a_hand_that_was_shown_down_is_counted_and_nothing_is_wrong(holdem: Table) -> None:
    dealt(holdem)
    played_out(holdem)
    report = accounting.figures()
    assert report["hands"] == {"holdem no_limit": 1}
    assert (report["hands_settled"], report["showdowns"], report["side_pots"]) == (1, 1, 0)
    assert report["actions"] == 12
    assert report["timeouts"] == 0
    assert accounting.faults(report) == []


def test_a_house_in_which_nothing_was_shown_down_has_not_been_tried(holdem: Table) -> None:
    assert found() == ["showdowns"]


def test_side_pots_are_counted(people: list[User]) -> None:
    at = table()
    for who, chips in zip(people, (1_000, 3_000, 5_000), strict=True):
        seated(at, who, chips_minor=chips)
    dealt(at)
    belief = beliefs.read(at.pk)
    most = belief.hand().legal(belief.hand().waiting[0])[-1]["most_to_minor"]
    move(at, name="raise", to_minor=most)
    while not (belief := beliefs.read(at.pk)).finished:
        names = {choice["name"]: choice for choice in belief.hand().legal(belief.hand().waiting[0])}
        if "raise" in names:
            move(at, name="raise", to_minor=names["raise"]["most_to_minor"])
        else:
            move(at, name="call")
    assert belief.hand_id is not None
    settling.hand_settle(table_id=at.pk, hand_id=belief.hand_id)
    assert accounting.figures()["side_pots"] == 1


def test_a_decision_that_the_clock_made_is_counted(holdem: Table) -> None:
    dealt(holdem)
    clock_to(holdem, 1_000)
    assert expiring.turn_expire(table_id=holdem.pk, turn_id=beliefs.read(holdem.pk).turn_id)
    assert accounting.figures()["timeouts"] == 1


def test_banked_rounds_are_held_to_what_came_back(people: list[User]) -> None:
    at = three_card_table()
    seated(at, *people)
    hand = dealt(at)
    for who in people:
        move(at, who, name="bet", wagers={"ante": 100})
    clock_to(at, 1_000)
    assert expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    for who in people:
        move(at, who, name="play")
    assert settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    assert found() == ["showdowns"]  # which only ring games have
    assert accounting.figures()["hands"] == {"three_card_poker": 1}


def test_a_hand_in_play_is_not_at_rest(holdem: Table) -> None:
    dealt(holdem)
    assert {"open_hands", "seats_held"} <= set(found())


def test_a_hand_paid_otherwise_than_it_ended_is_found(holdem: Table) -> None:
    hand = dealt(holdem)
    played_out(holdem)
    assert found() == []
    seat = next(iter(hand.seats))
    tamper(
        "UPDATE tables_hand SET result = jsonb_set(result, '{nets_minor," + seat + "}', '7')"
        f" WHERE id = {hand.pk}"
    )
    assert found() == ["settled_otherwise"]


def test_a_hand_paid_twice_is_found(holdem: Table) -> None:
    hand = dealt(holdem)
    played_out(holdem)
    tamper(
        "INSERT INTO wallets_transfer (key, kind, phase, hand_id, leg_count, content_hash, xact_id,"
        " reason) SELECT key || ':again', kind, phase, hand_id, leg_count, content_hash, xact_id,"
        f" reason FROM wallets_transfer WHERE hand_id = {hand.pk} AND kind = 'settle'"
    )
    assert {"settled_twice", "ledger"} <= set(found())


def test_a_lost_event_is_found(holdem: Table) -> None:
    dealt(holdem)
    played_out(holdem)
    tamper(f"DELETE FROM tables_event WHERE table_id = {holdem.pk} AND seq = 3")
    assert found() == ["events_dense"]


def test_chips_from_nowhere_are_found(holdem: Table) -> None:
    hand = dealt(holdem)
    played_out(holdem)
    account = next(iter(Hand.objects.get(pk=hand.pk).seats.values()))["account"]
    tamper(f"UPDATE wallets_leg SET amount_minor = amount_minor + 5 WHERE account_id = {account}")
    assert {"chips_conserved", "ledger"} <= set(found())


def test_a_trial_counts_from_an_empty_folder_only(tmp_path: Path) -> None:
    assert kept_folder(tmp_path / "new") == tmp_path / "new"
    assert kept_folder(tmp_path) == tmp_path
    tmp_path.joinpath("house.env").write_text("")
    with pytest.raises(FolderUnusable, match="not empty"):
        kept_folder(tmp_path)
