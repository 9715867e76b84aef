"""What meets at one moment between hands: deeds that are asked for twice, or against each other."""

from collections.abc import Callable
from threading import Event
from time import sleep
from typing import Any

import pytest
from django.db.models.functions import Now

from casino.console import inbox
from casino.core.approvals import approval_approve
from casino.core.errors import ApprovalNotOpen
from casino.core.models import Role
from tables import jobs
from tables.errors import HitNotOpen, NotSeated, TableError
from tables.models import Hand, JackpotHit, Seat, Table
from tables.services import (
    dealing,
    feeding,
    flagging,
    floor,
    jackpots,
    moving,
    seating,
    settling,
    voiding,
)
from tests.core.cast import person
from tests.tables.dealing_cast import CURRENCY, dealt, move, player, run_out, seated, table
from tests.tables.services.test_jackpots import STAKES, beaten, opened, stacked
from tests.wallets.conftest import agreeing_waits, at_once
from wallets import controlling
from wallets import services as wallets
from wallets.models import Transfer
from wallets.proving import ledger_check
from wallets.reconciling import reconcile

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "send", lambda *task, **more: True)


def together(*deeds: Callable[[], Any]) -> list[Any]:
    return at_once(deeds, threads=len(deeds))


def books_agree() -> None:
    assert ledger_check().ok
    kept = reconcile()
    assert kept.ok, {name: found for name, found in kept.checks.items() if found}


def a_hit(monkeypatch: pytest.MonkeyPatch, **terms: Any) -> tuple[Hand, JackpotHit]:
    at = table(options=STAKES)
    seated(at, *(player(name) for name in ("ann", "bob", "cyd", "dan")))
    opened(at, **terms)
    stacked(monkeypatch)
    return beaten(at), JackpotHit.objects.get()


def undoing(hand: Hand) -> int:
    """An approval that two persons have given, not carried out yet."""
    by, other = person("asks", Role.FINANCE), person("agrees", Role.ADMIN)
    asked = controlling.reversal_ask(hand_id=hand.pk, reason="a card was marked", by=by)
    return approval_approve(approval_id=asked.pk, by=other).pk


def test_a_hit_is_paid_once_however_many_verify_it(monkeypatch: pytest.MonkeyPatch) -> None:
    _, hit = a_hit(monkeypatch)
    pit = person("pit", Role.PIT_MANAGER)
    answers = together(*[lambda: jackpots.hit_confirm(hit_id=hit.pk, by=pit)] * 4)
    assert sum(isinstance(answer, HitNotOpen) for answer in answers) == 3
    assert Transfer.objects.filter(kind="jackpot_award").count() == 1
    books_agree()


def test_a_hit_that_is_verified_while_its_hand_is_undone_pays_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hand, hit = a_hit(monkeypatch)
    approval, pit = undoing(hand), person("pit", Role.PIT_MANAGER)
    answers = together(
        lambda: jackpots.hit_confirm(hit_id=hit.pk, by=pit),
        lambda: voiding.hand_reverse(approval_id=approval, by=pit),
        lambda: voiding.hand_reverse(approval_id=approval, by=pit),
    )
    refused = [one for one in answers if isinstance(one, Exception)]
    assert all(isinstance(one, (HitNotOpen, ApprovalNotOpen)) for one in refused), refused
    hit.refresh_from_db()
    assert hit.status == "refused"
    moved = Transfer.objects.filter(hand_id=hand.pk, legs__account__purpose="cash")
    by_kind = dict.fromkeys(("jackpot_award", "reversal"), 0)
    for kind, minor in moved.values_list("kind", "legs__amount_minor"):
        by_kind[kind] += minor
    shares = sum(hit.shares.values())
    assert by_kind["jackpot_award"] in (0, shares)
    assert by_kind["reversal"] <= 1_150 - by_kind["jackpot_award"]
    books_agree()


def test_a_hit_that_two_agree_to_and_the_undoing_of_its_hand_wait_for_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hand, hit = a_hit(monkeypatch, two_persons_over_minor=0)
    approval = undoing(hand)
    asked = jackpots.hit_confirm(hit_id=hit.pk, by=person("pit", Role.PIT_MANAGER)).approval_id
    assert asked is not None
    money = person("money", Role.FINANCE)
    (has_agreed, has_table), fall = agreeing_waits(monkeypatch), jackpots.hits_fall

    def falling(*facts: Any) -> Any:
        has_table.set()
        return fall(*facts)

    def undo() -> None:
        assert has_agreed.wait(30)
        voiding.hand_reverse(approval_id=approval, by=None)

    monkeypatch.setattr(jackpots, "hits_fall", falling)
    answers = together(
        lambda: inbox.decide(approval_id=asked, agrees=True, by=money, note="seen on tape"), undo
    )
    assert not [one for one in answers if isinstance(one, Exception)], answers
    hit.refresh_from_db()
    assert (hit.status, hit.note) == ("refused", jackpots.WENT_BACK)
    books_agree()


def test_a_winner_of_a_jackpot_who_pays_in_at_that_moment_has_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, hit = a_hit(monkeypatch)
    pit, winner = person("pit", Role.PIT_MANAGER), int(next(iter(hit.shares)))
    has_paid, pay = Event(), jackpots.wallets.jackpot_award

    def paid(**facts: Any) -> Any:
        found = pay(**facts)
        has_paid.set()
        sleep(0.5)  # until the other one stands at a lock of this one's
        return found

    def deposit() -> None:
        assert has_paid.wait(30)
        wallets.deposit(
            player_id=winner, amount_minor=700, currency=CURRENCY, key="more", actor_id=None
        )

    monkeypatch.setattr(jackpots.wallets, "jackpot_award", paid)
    answers = together(lambda: jackpots.hit_confirm(hit_id=hit.pk, by=pit), deposit)
    assert not [one for one in answers if isinstance(one, Exception)], answers
    books_agree()


def test_the_fee_for_the_time_is_taken_once_however_many_workers_deal() -> None:
    at = table(time_fee_minor=100)
    seated(at, *(player(name) for name in ("ann", "bob", "cyd")))
    Table.objects.update(time_fee_due=Now())
    answers = together(*[lambda: dealing.hand_open(table_id=at.pk, number=1)] * 3)
    assert len({hand.pk for hand in answers}) == 1
    assert Transfer.objects.filter(kind="time_collection").count() == 3
    books_agree()


def test_who_must_move_and_leaves_at_that_moment_is_in_one_place_with_his_chips() -> None:
    main, feeder = table(name="main"), table(name="feeder")
    people = [player(name) for name in ("ann", "bob", "cyd")]
    seated(feeder, *people)
    feeding.feeder_set(table_id=feeder.pk, main_id=main.pk)
    answers = together(
        feeding.must_moves_made,
        lambda: seating.seat_leave(table_id=feeder.pk, player=people[0]),
        feeding.must_moves_made,
        lambda: moving.seat_transfer(table_id=feeder.pk, player=people[1], to_table=main.pk),
    )
    refused = [one for one in answers if isinstance(one, Exception)]
    assert all(isinstance(one, TableError) for one in refused), refused
    assert Seat.objects.filter(player__in=people[1:]).count() == 2
    assert Seat.objects.filter(player=people[0]).count() <= 1
    if not any(isinstance(one, NotSeated) for one in refused):
        assert not Seat.objects.filter(player=people[0]).exists()
    books_agree()


def test_a_table_drained_while_its_hand_is_paid_or_voided_closes() -> None:
    for ends in ("paid", "voided"):
        at = table(name=ends)
        seated(at, *(player(f"{name} {ends}") for name in ("ann", "bob")))
        hand = dealt(at)
        if ends == "paid":
            hand = run_out(at)
        end = {
            "paid": lambda at=at, hand=hand: settling.hand_settle(table_id=at.pk, hand_id=hand.pk),
            "voided": lambda at=at, hand=hand: voiding.hand_void(
                table_id=at.pk, hand_id=hand.pk, reason="misdeal"
            ),
        }[ends]
        answers = together(lambda at=at: floor.table_drain(table_id=at.pk), end)
        assert not [one for one in answers if isinstance(one, Exception)], answers
        at.refresh_from_db()
        assert (at.status, at.seats.count()) == ("closed", 0)
    books_agree()


def test_a_hand_is_flagged_once_by_all_at_the_same_moment() -> None:
    at = table()
    people = [player(name) for name in ("ann", "bob", "cyd")]
    seated(at, *people)
    hand = dealt(at)
    move(at, name="call")
    flags = [lambda who=who: flagging.hand_flag(hand_id=hand.pk, player=who) for who in people]
    answers = together(*flags, *flags)
    assert len({call.pk for call in answers}) == 1
