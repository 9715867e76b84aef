"""Versions of the paytables: how one comes into force, and what nobody can do to it then."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.db import DatabaseError, connection

from casino.console import inbox
from casino.core import approvals
from casino.core.errors import ApprovalExpired, ApprovalNotOpen, ApprovalSamePerson, RoleMissing
from casino.core.models import Role, User
from casino.core.statements import one_row
from tables import beliefs, jobs
from tables.engine.errors import BadOptions
from tables.engine.games.three_card_poker import STANDARD_PAYTABLES
from tables.errors import (
    PaytableNotApproved,
    PaytableNotPossible,
    ReturnOutOfBounds,
    WrongGame,
)
from tables.models import Event, Hand, Paytable, Table
from tables.services import floor, paytables
from tests.cast import THREE_CARD, deal, holdem_table, person, settle, three_card_table
from tests.conftest import superuser
from tests.tables.dealing_cast import run_out
from tests.wallets.conftest import agreeing_waits, at_once

pytestmark = pytest.mark.django_db(transaction=True)

GAME = "three_card_poker"
CONTENT = {
    "paytables": {
        **THREE_CARD["paytables"], "pair_plus": STANDARD_PAYTABLES["pair_plus"]["1-3-6-30-40"],
    }
}  # fmt: skip


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "send", lambda *task: True)


@pytest.fixture
def maths() -> User:
    return person("Maths", Role.GAME_MATHS).user


@pytest.fixture
def second() -> User:
    return person("Second", Role.GAME_MATHS).user


def draft(by: User, content: Mapping[str, Any] = CONTENT, name: str = "lean") -> Paytable:
    return paytables.paytable_draft(game=GAME, name=name, content=content, by=by)


def asked(by: User, *tables: Table, content: Mapping[str, Any] = CONTENT) -> Paytable:
    made = draft(by, content)
    paytables.paytable_price(paytable_id=made.pk, by=by)
    found, _ = paytables.paytable_ask(
        paytable_id=made.pk, tables=[table.pk for table in tables], reason="thinner", by=by
    )
    return found


def test_who_agrees_in_the_inbox_and_who_refuses_the_version_wait_for_each_other(
    maths: User, second: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = asked(maths, three_card_table())
    assert version.approval_id is not None
    (has_agreed, has_version), reject = agreeing_waits(monkeypatch), approvals.approval_reject

    def rejected(**facts: Any) -> Any:
        has_version.set()
        return reject(**facts)

    def refuse() -> None:
        assert has_agreed.wait(30)
        paytables.paytable_refuse(paytable_id=version.pk, by=second)

    monkeypatch.setattr(approvals, "approval_reject", rejected)
    approval_id = version.approval_id
    agreed, refused = at_once(
        [lambda: inbox.decide(approval_id=approval_id, agrees=True, by=second, note=""), refuse],
        threads=2,
    )
    assert not isinstance(agreed, Exception), agreed
    assert isinstance(refused, ApprovalNotOpen), refused
    version.refresh_from_db()
    assert version.status == "approved"


def test_from_a_draft_to_the_next_round(maths: User, second: User) -> None:
    table = three_card_table()
    house = table.paytable
    assert house is not None
    assert (house.name, house.status) == ("house", "approved")
    version = asked(maths, table)
    table.refresh_from_db()
    assert (version.status, table.paytable) == ("asked", house)
    approved = paytables.paytable_approve(paytable_id=version.pk, by=second)
    table.refresh_from_db()
    assert (approved.status, approved.approved_by) == ("approved", second)
    assert table.paytable == version
    assert table.options["paytables"] == CONTENT["paytables"]
    assert table.options["limits"] == THREE_CARD["limits"]
    assert table.options["version"] == version.pk


def test_prices_are_exact_and_stored(maths: User) -> None:
    made = draft(maths)
    assert made.prices is None
    priced = paytables.paytable_price(paytable_id=made.pk, by=maths)
    assert priced.prices is not None
    assert priced.prices["ante"]["house_edge"] == [686_689, 20_358_520]
    assert priced.prices["ante"]["strategy"]["threshold"] == "Q-6-4"
    assert priced.prices["pair_plus"]["return"] == [5_123, 5_525]
    assert priced.prices["pair_plus"]["standard_deviation"].startswith("2.849")
    assert priced.prices["six_card"]["worst_case_units"] == 1_000


def test_pricing_may_take_longer_than_a_transaction_that_serves_players(
    maths: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = []

    def slow(*rules: Any) -> dict[str, Any]:
        most.extend(one_row("SHOW idle_in_transaction_session_timeout", []))
        return {}

    monkeypatch.setattr(paytables, "sheet", slow)
    paytables.paytable_price(paytable_id=draft(maths).pk, by=maths)
    assert most == ["10min"]


DEAR = {"straight_flush": 41, "three_of_a_kind": 35, "straight": 7, "flush": 4, "pair": 1}
MEAN = {"straight_flush": 40, "three_of_a_kind": 30, "straight": 1, "pair": 1}


@pytest.mark.parametrize(
    ("change", "wager", "percent"),
    [
        ({"pair_plus": DEAR}, "pair_plus", "102"),
        ({"pair_plus": MEAN}, "pair_plus", "5"),
        ({"six_card": {"royal_flush": 20}}, "six_card", "0.0"),
    ],
)
def test_a_return_outside_floor_and_ceiling_is_refused_with_the_figure(
    maths: User, change: dict[str, dict[str, int]], wager: str, percent: str
) -> None:
    made = draft(maths, {"paytables": {**CONTENT["paytables"], **change}})
    with pytest.raises(ReturnOutOfBounds) as refused:
        paytables.paytable_price(paytable_id=made.pk, by=maths)
    assert refused.value.wager == wager
    assert refused.value.return_percent.startswith(percent)
    made.refresh_from_db()
    assert (made.status, made.prices) == ("draft", None)


def test_a_qualifier_that_favours_the_player_is_refused(maths: User) -> None:
    made = draft(maths, {**CONTENT, "qualifier": "jack"})
    with pytest.raises(ReturnOutOfBounds, match=r"103\.33"):
        paytables.paytable_price(paytable_id=made.pk, by=maths)


def test_nobody_approves_alone(maths: User, second: User) -> None:
    version = asked(maths, three_card_table())
    with pytest.raises(ApprovalSamePerson):
        paytables.paytable_approve(paytable_id=version.pk, by=maths)
    floor_manager = person("Fred", Role.PIT_MANAGER).user
    with pytest.raises(RoleMissing):
        paytables.paytable_approve(paytable_id=version.pk, by=floor_manager)
    version.refresh_from_db()
    assert version.status == "asked"


def test_what_was_asked_for_is_frozen(maths: User) -> None:
    version = asked(maths)
    with pytest.raises(PaytableNotPossible):
        paytables.paytable_change(paytable_id=version.pk, content=CONTENT, by=maths)
    for column, value in (("content", "{}"), ("prices", "{}"), ("name", "x"), ("version", 9)):
        with pytest.raises(DatabaseError, match="does not change"), connection.cursor() as cursor:
            cursor.execute(
                f"UPDATE tables_paytable SET {column} = %s WHERE id = %s", [value, version.pk]
            )
    with pytest.raises(DatabaseError), connection.cursor() as cursor:
        cursor.execute("DELETE FROM tables_paytable WHERE id = %s", [version.pk])


def test_no_table_and_no_round_takes_a_version_that_is_not_approved(maths: User) -> None:
    table = three_card_table()
    made = draft(maths)
    with pytest.raises(DatabaseError, match="not approved"):
        Table.objects.filter(pk=table.pk).update(paytable=made)
    with pytest.raises(DatabaseError, match="begins as a draft"):
        Paytable.objects.create(
            game=GAME, name="x", version=1, content={}, content_hash="0", status="approved",
            author=maths, approved_at="2026-01-01T00:00Z",
        )  # fmt: skip


def test_a_round_keeps_its_version_and_the_next_has_the_new_one(maths: User, second: User) -> None:
    table = three_card_table(float_minor=10_000_000)
    ann = person("Ann")
    ann.sits(table, 10_000)
    first = deal(table)
    bet = {"name": "bet", "wagers": {"ante": 500, "pair_plus": 500}}
    assert ann.client.act(table, beliefs.read(table.pk).turn_id, bet).status_code == 200
    version = asked(maths, table)
    paytables.paytable_approve(paytable_id=version.pk, by=second)
    told = Event.objects.filter(table=table, events__contains="from_hand").get()
    assert '"from_hand":2' in told.events.replace(" ", "")
    again = {"name": "bet", "wagers": {"ante": 1_000, "pair_plus": 500}}
    assert ann.client.act(table, beliefs.read(table.pk).turn_id, again).status_code == 200
    settle(table, run_out(table))
    old = Hand.objects.get(pk=first.pk)
    assert old.paytable_id != version.pk
    assert old.options["paytables"] == THREE_CARD["paytables"]
    fresh = deal(table)
    assert fresh.paytable_id == version.pk
    assert fresh.options["paytables"] == CONTENT["paytables"]
    with pytest.raises(DatabaseError, match="rules it began with"):
        Hand.objects.filter(pk=first.pk).update(options=fresh.options)
    with pytest.raises(DatabaseError, match="rules it began with"):
        Hand.objects.filter(pk=first.pk).update(paytable=version)


def test_a_priced_version_that_is_changed_is_a_draft_again(maths: User) -> None:
    made = draft(maths)
    paytables.paytable_price(paytable_id=made.pk, by=maths)
    changed = paytables.paytable_change(
        paytable_id=made.pk, content={**CONTENT, "settle_seats": "first_first"}, by=maths
    )
    assert (changed.status, changed.prices) == ("draft", None)
    with pytest.raises(PaytableNotPossible):
        paytables.paytable_ask(paytable_id=made.pk, tables=[], reason="x", by=maths)


def test_who_drafted_a_version_does_not_agree_to_it_whoever_asked(
    maths: User, second: User
) -> None:
    version = draft(maths)
    paytables.paytable_price(paytable_id=version.pk, by=maths)
    paytables.paytable_ask(paytable_id=version.pk, tables=[], reason="thinner", by=second)
    with pytest.raises(ApprovalSamePerson):
        paytables.paytable_approve(paytable_id=version.pk, by=maths)
    assert Paytable.objects.get(pk=version.pk).status == "asked"


def test_a_refused_version_is_closed(maths: User, second: User) -> None:
    version = asked(maths)
    assert paytables.paytable_refuse(paytable_id=version.pk, by=second).status == "refused"
    with pytest.raises(PaytableNotPossible):
        paytables.paytable_approve(paytable_id=version.pk, by=second)


def test_an_approval_that_ran_out_is_asked_for_again(maths: User, second: User) -> None:
    version = asked(maths)
    with pytest.raises(PaytableNotPossible):
        paytables.paytable_ask(paytable_id=version.pk, tables=[], reason="x", by=maths)
    with superuser() as admin:
        admin.execute("SET session_replication_role = replica")
        admin.execute(
            "UPDATE core_approval SET expires_at = now() WHERE id = %s", [version.approval_id]
        )
    with pytest.raises(ApprovalExpired):
        paytables.paytable_approve(paytable_id=version.pk, by=second)
    paytables.paytable_ask(paytable_id=version.pk, tables=[], reason="again", by=maths)
    assert paytables.paytable_approve(paytable_id=version.pk, by=second).status == "approved"


def test_an_approved_version_comes_to_further_tables_by_a_new_approval(
    maths: User, second: User
) -> None:
    version = asked(maths)
    paytables.paytable_approve(paytable_id=version.pk, by=second)
    table = three_card_table()
    paytables.paytable_ask(paytable_id=version.pk, tables=[table.pk], reason="here", by=second)
    paytables.paytable_approve(paytable_id=version.pk, by=maths)
    table.refresh_from_db()
    assert table.paytable == version


def test_rules_that_do_not_fit_are_refused(maths: User, second: User) -> None:
    with pytest.raises(BadOptions):
        draft(maths, {"limits": THREE_CARD["limits"]})
    with pytest.raises(BadOptions):
        draft(maths, {"qualifier": "seven"})
    made = draft(maths)
    paytables.paytable_price(paytable_id=made.pk, by=maths)
    with pytest.raises(WrongGame):
        paytables.paytable_ask(
            paytable_id=made.pk, tables=[holdem_table().pk], reason="x", by=maths
        )
    narrow = {"paytables": {"ante_bonus": CONTENT["paytables"]["ante_bonus"]}}
    version = asked(maths, three_card_table(), content=narrow)
    with pytest.raises(BadOptions):
        paytables.paytable_approve(paytable_id=version.pk, by=second)
    version.refresh_from_db()
    assert version.status == "asked"


def test_a_person_opens_tables_by_approved_rules_alone(maths: User, second: User) -> None:
    pit = person("Pit", Role.PIT_MANAGER).user
    options = {**THREE_CARD, **CONTENT}
    with pytest.raises(PaytableNotApproved):
        three_card_table(options=options, by=pit)
    version = asked(maths)
    paytables.paytable_approve(paytable_id=version.pk, by=second)
    assert three_card_table(options=options, by=pit).paytable == version


def test_drafting_is_for_those_who_answer_for_the_games() -> None:
    with pytest.raises(RoleMissing):
        draft(person("Fred", Role.FLOOR).user)


def test_options_changed_before_the_first_round_are_held_to_the_same_rule() -> None:
    pit = person("Pit", Role.PIT_MANAGER).user
    table = three_card_table()
    with pytest.raises(PaytableNotApproved):
        floor.table_change(table_id=table.pk, options={**THREE_CARD, **CONTENT}, by=pit)


def test_what_a_fold_takes_counts_and_so_does_who_has_nothing_to_fold(maths: User) -> None:
    usual = {**CONTENT["paytables"], "prime": STANDARD_PAYTABLES["prime"]["3-4"]}
    forfeit = {"paytables": usual, "policy": {"prime_on_fold": "forfeit"}}
    made = draft(maths, forfeit)
    with pytest.raises(ReturnOutOfBounds, match="prime") as refused:
        paytables.paytable_price(paytable_id=made.pk, by=maths)
    assert refused.value.return_percent == "69.6897"
    # Within bounds beside an Ante, but beside Pair Plus alone it favours the player.
    kind = {**CONTENT["paytables"], "prime": {"six_one_colour": 6, "three_one_colour": 4}}
    made = draft(maths, {**forfeit, "paytables": kind})
    with pytest.raises(ReturnOutOfBounds, match="prime") as refused:
        paytables.paytable_price(paytable_id=made.pk, by=maths)
    assert float(refused.value.return_percent) > 100
