"""A sandbox deals what it is asked for, for play money alone, and says so."""

from __future__ import annotations

import json

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from casino.core.errors import NoSandbox
from tables import beliefs, proofs
from tables.engine.errors import BadScript
from tables.engine.history.scripts import read_script
from tables.errors import NotPlayMoney, NotSeated, NoTurnToTime, SandboxFull
from tables.models import Cut, Event, Hand, Table
from tables.services import expiring, sandbox, scripting
from tests.conftest import superuser
from tests.proof.verifier import verifier
from tests.tables import dealing_cast as cast
from tests.tables.cut_cast import Giver, first_roots
from wallets import errors, ledger
from wallets import services as wallets
from wallets.models import PLAY_MONEY

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def seated_at(monkeypatch):
    """A function of game, options and players: they sit there with play money, seats 1 up."""
    monkeypatch.setattr(cast, "CURRENCY", PLAY_MONEY)

    def seat(game="holdem", options=None, names=("ann", "ben"), **facts):
        at = cast.table(game, options, **facts)
        if game == "three_card_poker":
            wallets.table_float(
                bank_account_id=at.accounts["bank"], amount_minor=10**8, key="f", actor_id=None
            )
        people = [cast.player(name) for name in names]
        cast.seated(at, *people)
        first_roots(at)
        return at, people

    return seat


def cards_of(hand: Hand, seat: int) -> list[str]:
    return [
        card
        for seen in proofs.seen_of(hand.pk)
        for card in seen.private.get(str(seat), {}).get("cards", ())
    ]


def test_the_next_hand_brings_the_hand_that_was_asked_for_in_words(seated_at):
    at, (ann, _) = seated_at()
    # Ben's make no better one of any board, or ann need not show hers.
    seats = {"1": {"hand": "a straight flush"}, "2": {"cards": "2c 7d"}}
    asked = sandbox.script_ask(table_id=at.pk, player=ann, script={"seats": seats})
    cast.dealt(at)
    hand = cast.played_out(at)
    shown = [e for e in proofs.seen_of(hand.pk) if e.type == "hand_shown"]
    asked.refresh_from_db()
    assert (asked.status, asked.hand_id) == ("dealt", hand.pk)
    assert {e.public["seat"]: e.public["high"]["class"] for e in shown}[1] == "straight_flush"


def test_one_script_is_one_hand_and_the_next_is_dealt_by_chance(seated_at):
    at, (ann, _) = seated_at()
    sandbox.script_ask(table_id=at.pk, player=ann, script={"seats": {"1": {"cards": "As Ah"}}})
    first = cast.dealt(at)
    assert cards_of(first, 1) == ["As", "Ah"]
    cast.played_out(at)
    second = cast.dealt(at)
    modes = Cut.objects.filter(hand_id__in=(first.pk, second.pk)).order_by("number")
    assert [cut.mode for cut in modes] == ["scripted", "house"]


def test_a_scripted_hand_is_marked_and_its_proof_proves_no_chance(seated_at):
    at, (ann, ben) = seated_at()
    Giver(ben).commits(at)
    sandbox.script_ask(table_id=at.pk, player=ann, script={"board": ["2c", "3c", "4c"]})
    cast.dealt(at)
    hand = cast.played_out(at)
    bundle = json.loads(json.dumps(proofs.bundle(hand.pk, ann.pk)))
    (cut,) = bundle["cuts"]
    assert (cut["mode"], cut["end"]["reason"], cut["list"]) == ("scripted", "scripted", None)
    report = verifier.verify(bundle)
    assert {code for _, code, _ in report.problems} == {"scripted"}
    assert proofs.cuts_of(at.pk, before=None, most=9)["ends"] == {"scripted": 1, "replaced": 1}


def test_a_round_against_the_house_follows_its_script(seated_at):
    at, (ann,) = seated_at("three_card_poker", cast.THREE_CARD, ("ann",), min_players=1)
    script = {"seats": {"1": {"hand": "straight flush"}}, "dealer": {"cards": "2c 3d 5h"}}
    sandbox.script_ask(table_id=at.pk, player=ann, script=script)
    hand = cast.dealt(at)
    cast.move(at, ann, name="bet", wagers={"ante": 500, "pair_plus": 500})
    expiring.betting_close(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    cast.move(at, ann, name="play")
    shown = {seen.type: seen.public for seen in proofs.seen_of(hand.pk)}
    assert shown["hand_shown"]["class"] in ("straight_flush", "mini_royal")
    assert shown["dealer_revealed"]["cards"] == ["2c", "3d", "5h"]


def test_dice_follow_their_script(seated_at):
    at, (ann, _) = seated_at("bluff_common", {"ante_minor": 100})
    sandbox.script_ask(
        table_id=at.pk, player=ann, script={"seats": {"2": {"dice": [6, 6, 6, 6, 1]}}}
    )
    hand = cast.dealt(at)
    rolled = [seen for seen in proofs.seen_of(hand.pk) if seen.type == "dice_rolled"]
    assert rolled[0].private["2"]["dice"] == [6, 6, 6, 6, 1]


def test_what_cannot_be_dealt_is_dealt_by_chance_and_the_script_says_why(seated_at):
    at, (ann, _) = seated_at()
    asked = sandbox.script_ask(table_id=at.pk, player=ann, script={"seats": {"7": {}}})
    hand = cast.dealt(at)
    asked.refresh_from_db()
    assert (asked.status, asked.fault) == ("failed", "seat 7 is not dealt in")
    assert Cut.objects.get(hand_id=hand.pk).mode == "house"


def test_a_script_that_brings_the_house_to_a_fault_stops_no_table(seated_at, monkeypatch):
    at, (ann, _) = seated_at()
    asked = sandbox.script_ask(table_id=at.pk, player=ann, script={"board": ["2c"]})
    monkeypatch.setattr(scripting, "ring_deck", lambda *args: [][0])
    hand = cast.dealt(at)
    asked.refresh_from_db()
    assert (asked.status, asked.fault) == ("failed", "it cannot be dealt")
    assert Cut.objects.get(hand_id=hand.pk).mode == "house"


def opened_by(player, name):
    return sandbox.table_open(
        player=player, name=name, game="holdem", max_seats=2, timing={},
        options={"small_blind_minor": 50, "big_blind_minor": 100},
        buy_in_least_minor=100, buy_in_most_minor=10_000,
    )  # fmt: skip


def test_nobody_takes_up_the_sandbox_alone_and_a_closed_table_makes_room(monkeypatch):
    monkeypatch.setattr(sandbox, "TABLES_EACH", 1)
    ann, ben = cast.player("ann"), cast.player("ben")
    mine = opened_by(ann, "first")
    with pytest.raises(SandboxFull):
        opened_by(ann, "second")
    opened_by(ben, "his")
    sandbox.table_close(table_id=mine.pk, player=ann)
    opened_by(ann, "second")


def test_a_table_of_others_is_closed_only_when_nobody_has_come_for_long():
    ann, eve = cast.player("ann"), cast.player("eve")
    at = opened_by(ann, "hers")
    with pytest.raises(NotSeated):
        sandbox.table_close(table_id=at.pk, player=eve)
    Table.objects.filter(pk=at.pk).update(opened_at=timezone.now() - sandbox.LEFT_FOR)
    sandbox.table_close(table_id=at.pk, player=eve)
    at.refresh_from_db()
    assert at.status == Table.Status.CLOSED


def test_an_empty_table_of_real_money_is_not_closed_from_the_sandbox():
    real = cast.table(name="real")
    Table.objects.filter(pk=real.pk).update(opened_at=timezone.now() - 2 * sandbox.LEFT_FOR)
    with pytest.raises(NotPlayMoney):
        sandbox.table_close(table_id=real.pk, player=cast.player("eve"))


def test_a_clock_ends_now_freezes_and_goes_on(seated_at):
    at, (ann, _) = seated_at(timing={"action_s": 20})
    with pytest.raises(NoTurnToTime):
        sandbox.clock_set(table_id=at.pk, player=ann, left_ms=0)
    cast.dealt(at)
    turn = beliefs.read(at.pk).turn_id

    def deadline():
        at.refresh_from_db()
        return at.deadline

    was = deadline()
    assert sandbox.clock_set(table_id=at.pk, player=ann, left_ms=None, by_ms=5_000) < 15_001
    assert 4 < (was - deadline()).total_seconds() < 6
    sandbox.clock_set(table_id=at.pk, player=ann, left_ms=None)
    assert deadline() is None
    assert json.loads(at.turn)["deadline"] is None
    sandbox.clock_set(table_id=at.pk, player=ann, left_ms=0)
    assert not beliefs.read(at.pk).finished
    assert (beliefs.read(at.pk).turn_id, beliefs.read(at.pk).is_past) == (turn, True)
    told = [json.loads(row.events)[0]["type"] for row in Event.objects.filter(table=at)]
    assert told.count("clock_set") == 3


def test_only_who_sits_there_scripts_a_hand_and_only_for_play_money(seated_at, monkeypatch):
    at, _ = seated_at()
    with pytest.raises(NotSeated):
        sandbox.script_ask(table_id=at.pk, player=cast.player("eve"), script={})
    monkeypatch.setattr(cast, "CURRENCY", "EUR")
    real = cast.table(name="real")
    fay = cast.player("fay")
    cast.seated(real, fay)
    with pytest.raises(NotPlayMoney):
        sandbox.script_ask(table_id=real.pk, player=fay, script={})
    with pytest.raises(NotPlayMoney):
        sandbox.clock_set(table_id=real.pk, player=fay, left_ms=0)


def refused(statement: str, *values: object) -> bool:
    """Whether the database itself refuses a statement of the application."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, values)
    except IntegrityError:
        return True
    return False


INSERT = "INSERT INTO tables_deckscript (table_id, by_id, script, status, fault)"
SCRIPTED = "UPDATE tables_cut SET mode = 'scripted' WHERE table_id = %s"
CLOCK = "SELECT * FROM tables_clock_set(%s, 0, '[]', 0)"


def test_the_database_scripts_no_hand_and_sets_no_clock_of_real_money():
    real = cast.table(name="real")
    first_roots(real)
    eve = cast.player("eve")
    values = f"VALUES ({real.pk}, {eve.pk}, '{{}}', 'waiting', '')"
    assert refused(f"{INSERT} {values}")
    assert refused(SCRIPTED, real.pk)
    assert refused(CLOCK, real.pk)


def test_without_its_mark_the_database_refuses_play_money_and_scripts_too(seated_at):
    at, (ann, _) = seated_at()
    with superuser() as admin:
        admin.execute("DELETE FROM core_sandbox")
        try:
            with pytest.raises(NoSandbox):
                sandbox.script_ask(table_id=at.pk, player=ann, script={})
            values = f"VALUES ({at.pk}, {ann.pk}, '{{}}', 'waiting', '')"
            assert refused(f"{INSERT} {values}")
            assert refused(SCRIPTED, at.pk)
            with pytest.raises(errors.PlayMoneyApart):
                wallets.play_money(player_id=ann.pk, amount_minor=5, key="k")
        finally:
            admin.execute("INSERT INTO core_sandbox (id) VALUES (1)")


def test_a_scripted_cut_stays_scripted(seated_at):
    at, (ann, _) = seated_at()
    sandbox.script_ask(table_id=at.pk, player=ann, script={})
    cast.dealt(at)
    assert refused("UPDATE tables_cut SET mode = 'house' WHERE mode = 'scripted'")


def test_play_money_is_nothing_but_play_money():
    eve = cast.player("eve", 1_000)
    wallets.play_money(player_id=eve.pk, amount_minor=500, key="mine")
    account = wallets.player_account(player_id=eve.pk, currency=PLAY_MONEY)
    assert wallets.balances_of(account_ids=[account]) == {account: 500}
    euro = wallets.player_account(player_id=eve.pk, currency="EUR")
    cage = wallets.cage_account(currency="EUR")
    with pytest.raises(errors.PlayMoneyApart):
        ledger.post(
            key="k", kind="play_money", legs=[ledger.Leg(cage, -5), ledger.Leg(euro, 5)], actor=None
        )


@pytest.mark.parametrize(
    "script",
    [
        [], {"seat": {}}, {"seats": {"x": {}}}, {"seats": {"1": {"cards": "As As"}}},
        {"board": ["Zz"]}, {"die": 7}, {"seats": {"1": {"hand": 5}}}, {"next": "Kh" * 99},
        {"seats": {"1": {"cards": "As", "hand": "pair"}}}, {"seats": {"1": {"dice": [True]}}},
        {"seats": {"1": {"hand": "pair\x00"}}}, {"seats": {"1": {"side": "\ud800"}}},
    ],
)  # fmt: skip
def test_a_script_that_says_nothing_is_refused_at_once(script):
    with pytest.raises(BadScript):
        read_script(script)
