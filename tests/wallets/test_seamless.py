"""An operator's wallet in place of ours: asked, answered, taken back; never twice, never lost."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from random import Random
from threading import Thread
from uuid import uuid4

import httpx
import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from casino.core.models import User
from wallets import errors, ledger, operators, seamless, selectors, services
from wallets.models import MOST_MINOR, Account, OperatorCall, OperatorPlayer
from wallets.operator_contract import Contract
from wallets.operator_reference import Wallet, server
from wallets.operators import OK, REFUSED, UNSURE, Answer, Asked, HttpPort, answer_of

SECRET, OTHER = ("whsec_" + base64.b64encode(bytes([fill]) * 32).decode() for fill in (7, 8))
HELD_MINOR = 100_000
OPEN = seamless.OPEN
OUT = OperatorCall.Way.OUT


class Books:
    """The reference wallet without its server. lost: what becomes of each request, in order.

    "before": it never arrives; "after": it is carried out and its answer is lost.
    """

    def __init__(self, wallet: Wallet, lost: Iterator[str] | None = None) -> None:
        self.wallet = wallet
        self.lost = lost or iter(())

    def ask(self, verb: str, facts: dict[str, object]) -> Answer:
        assert not connection.in_atomic_block, "no call is sent inside a transaction"
        fate = next(self.lost, "")
        if fate == "before":
            return Answer(UNSURE, "timeout")
        told = self.wallet.ask(verb, facts)
        if fate == "after":
            return Answer(UNSURE, "timeout")
        return Answer(told["status"], told.get("reason", ""), told.get("balance_minor"))

    def debit(self, asked: Asked) -> Answer:
        return self.ask("debit", asked.to_json())

    def credit(self, asked: Asked) -> Answer:
        return self.ask("credit", asked.to_json())

    def rollback(self, asked: Asked) -> Answer:
        return self.ask("rollback", asked.to_json())

    def balance(self, player: str, currency: str) -> Answer:
        return self.ask("balance", {"player": player, "currency": currency})


@pytest.fixture
def wallet() -> Wallet:
    made = Wallet()
    made.open_player("A-1", "EUR", HELD_MINOR)
    return made


@pytest.fixture
def ann(transactional_db: None) -> OperatorPlayer:
    user = User.objects.create_user(username="ann", password=None, display_name="Ann")
    return seamless.player_link(player=user, reference="A-1")


def here(held: OperatorPlayer) -> dict[str, int]:
    """What the books here say of the player and of the operator."""
    found = Account.objects.filter(currency="EUR").exclude(balance_minor=0)
    return {account.purpose: account.balance_minor for account in found}


def there(wallet: Wallet) -> int:
    return int(wallet.ask("balance", {"player": "A-1", "currency": "EUR"})["balance_minor"])


def fetched(port: Books, held: OperatorPlayer, minor: int = 5_000, key: str = "k") -> OperatorCall:
    return seamless.fetch(port=port, held=held, currency="EUR", amount_minor=minor, key=key)


def due_now() -> None:
    OperatorCall.objects.filter(status__in=OPEN).update(
        next_at=timezone.now() - timedelta(seconds=1)
    )


@contextmanager
def served(wallet: Wallet) -> Iterator[str]:
    serving = server(wallet, SECRET)
    thread = Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{serving.server_address[1]}"
    finally:
        serving.shutdown()
        serving.server_close()
        thread.join()


def test_the_reference_wallet_keeps_the_contract_over_http(wallet):
    with served(wallet) as url:
        contract = Contract(HttpPort(url, SECRET), HttpPort(url, OTHER), "A-1", "EUR")
        found = {one.rule: one.fault for one in contract.checked()}
    assert len(found) == 9
    assert {rule: fault for rule, fault in found.items() if fault} == {}
    assert there(wallet) == HELD_MINOR


def test_a_credit_that_the_reference_wallet_has_refused_never_counts(wallet):
    asked = Asked(uuid4(), "B-1", "EUR", 500)
    port = Books(wallet)
    assert port.credit(asked).status == REFUSED
    wallet.open_player("B-1", "EUR", 0)
    assert port.credit(asked).status == REFUSED
    assert port.credit(Asked(uuid4(), "B-1", "EUR", 500)).status == OK
    assert port.balance("B-1", "EUR").balance_minor == 500


class TakesTwice(Books):
    """A wallet that forgets ids."""

    def debit(self, asked: Asked) -> Answer:
        return super().debit(Asked(uuid4(), asked.player, asked.currency, asked.amount_minor))


def test_the_contract_finds_a_wallet_that_takes_twice(wallet):
    contract = Contract(TakesTwice(wallet), Books(wallet), "A-1", "EUR")
    found = {one.rule: one.fault for one in contract.checked()}
    assert found["a debit takes once however often it is asked"]
    assert found["a rollback comes before its debit"]
    assert found["a stranger moves nothing"]


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b'{"status": "ok", "balance_minor": 5}', OK),
        (b'{"status": "refused", "reason": "no"}', REFUSED),
        (b"", UNSURE), (b"<html>502</html>", UNSURE), (b'"ok"', UNSURE), (b"[" * 9_000, UNSURE),
        (b'{"status": "fine"}', UNSURE), (b'{"status": "ok"}' + b" " * 10_001, UNSURE),
    ],
)  # fmt: skip
def test_only_what_says_so_itself_is_an_answer(content, status):
    assert answer_of(content).status == status


def test_a_redirect_or_an_error_page_leaves_open_what_has_happened():
    broken = httpx.MockTransport(lambda _: httpx.Response(502, stream=httpx.ByteStream(b"?")))
    port = HttpPort("https://wallet.example", SECRET, broken)
    assert port.debit(Asked(uuid4(), "A-1", "EUR", 5)).status == UNSURE


class Drips(httpx.AsyncByteStream):
    """An answer that never ends: as fast as it is read, or a byte at a time. read: how many parts
    of it were."""

    def __init__(self, part: bytes, wait_s: float) -> None:
        self.part, self.wait_s, self.read = part, wait_s, 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            await asyncio.sleep(self.wait_s)
            self.read += 1
            yield self.part


@pytest.mark.parametrize("drips", [Drips(b" " * 1_000, 0), Drips(b" ", 0.005)])
def test_an_answer_without_end_is_neither_kept_nor_waited_for(drips, monkeypatch):
    monkeypatch.setattr(operators, "TIMEOUT_S", 0.05)
    endless = httpx.MockTransport(lambda _: httpx.Response(200, stream=drips))
    port = HttpPort("https://wallet.example", SECRET, endless)
    assert port.debit(Asked(uuid4(), "A-1", "EUR", 5)).status == UNSURE
    assert drips.read <= 11


def test_what_a_wallet_says_can_be_written_down_whatever_it_is():
    told = {"status": "refused", "reason": "a\x00b\ud800", "balance_minor": 10**400}
    answer = answer_of(json.dumps(told).encode())
    assert (answer.reason, answer.balance_minor) == ("a?b?", None)


def test_a_wallet_that_hangs_keeps_nobody_longer_than_the_lease_of_its_calls(
    ann, wallet, monkeypatch
):
    for nth in range(3):
        with pytest.raises(errors.OperatorUnsure):
            fetched(Books(wallet, iter(["before", "before"])), ann, key=f"k{nth}")
    due_now()
    clock = iter([0.0, 1.0, 99.0])
    monkeypatch.setattr(seamless, "monotonic", lambda: next(clock))
    assert seamless.calls_due(Books(wallet)) == 1


def test_cash_that_cannot_go_home_keeps_nobody_elses_here(ann, wallet, monkeypatch):
    bob = User.objects.create_user(username="bob", password=None, display_name="Bob")
    other = seamless.player_link(player=bob, reference="B-1")
    wallet.open_player("B-1", "EUR", HELD_MINOR)
    for nth, held in enumerate((ann, other)):
        fetched(Books(wallet), held, key=f"k{nth}")
    monkeypatch.setattr(seamless, "SETTLED_IN", timedelta())
    give_back = seamless.give_back

    def fails_once(*, held: OperatorPlayer, currency: str) -> OperatorCall | None:
        if held.pk == ann.pk:
            raise errors.AccountHeld(1, 1)
        return give_back(held=held, currency=currency)

    monkeypatch.setattr(seamless, "give_back", fails_once)
    assert seamless.homeward() == 1
    assert OperatorCall.objects.get(way=OUT).player_id == bob.pk


def test_play_money_neither_comes_from_an_operator_nor_goes_to_one(ann, wallet, monkeypatch):
    monkeypatch.setattr(seamless, "configured", lambda: Books(wallet))
    services.play_money(player_id=ann.player_id, amount_minor=700, key="p")
    with seamless.brought(player_id=ann.player_id, currency="XTS", amount_minor=50, key="a"):
        pass
    assert seamless.homeward() == 0
    assert not OperatorCall.objects.exists()
    seamless.give_back(held=ann, currency="XTS")
    assert not OperatorCall.objects.exists()


@pytest.mark.parametrize("minor", [0, -5, MOST_MINOR + 1, 2**63 - 1])
def test_an_amount_that_is_none_is_not_asked_for(ann, wallet, minor):
    with pytest.raises(errors.InvalidAmount):
        fetched(Books(wallet), ann, minor)
    assert not OperatorCall.objects.exists()


def test_a_request_that_was_refused_is_sent_again_under_its_key(ann, wallet, monkeypatch):
    monkeypatch.setattr(seamless, "configured", lambda: Books(wallet))
    asked = {"player_id": ann.player_id, "currency": "EUR", "amount_minor": 50, "key": "b"}
    for _ in range(3):  # the first debit, and every further one of the same key
        with suppress(ValueError), seamless.brought(**asked):
            assert here(ann)["cash"] == 50
            raise ValueError("the seat is taken")
        seamless.kept()
    assert OperatorCall.objects.filter(way=OUT, status="done").count() == 3
    assert (here(ann), there(wallet)) == ({}, HELD_MINOR)


def test_a_repeat_of_a_buy_in_that_went_well_fetches_nothing_even_after_the_player_left(
    ann, wallet
):
    fetched(Books(wallet), ann)
    who = ann.player_id
    seat = services.seat_account_open(player_id=who, table_id=1, currency="EUR")
    services.buy_in(player_id=who, seat_account_id=seat, amount_minor=5_000, key="k")
    services.cash_out(player_id=who, seat_account_id=seat, key="l")
    seamless.give_back(held=ann, currency="EUR")
    seamless.calls_due(Books(wallet))
    assert fetched(Books(wallet), ann).key == "k"
    assert there(wallet) == HELD_MINOR


def test_money_that_is_fetched_is_cash_here_and_owed_to_the_operator(ann, wallet):
    call = fetched(Books(wallet), ann)
    assert (call.status, there(wallet)) == ("done", HELD_MINOR - 5_000)
    assert here(ann) == {"cash": 5_000, "operator": -5_000}
    assert fetched(Books(wallet), ann).pk == call.pk  # a repeat of the request
    assert there(wallet) == HELD_MINOR - 5_000


def test_a_refusal_moves_nothing_and_says_what_there_is(ann, wallet):
    with pytest.raises(errors.OperatorRefused) as refused:
        fetched(Books(wallet), ann, HELD_MINOR + 1)
    told = refused.value
    assert (told.reason, told.balance_minor) == ("insufficient_funds", HELD_MINOR)
    assert here(ann) == {}
    assert fetched(Books(wallet), ann).status == "done"  # the key is free again


@pytest.mark.parametrize("fate", ["before", "after"])
def test_a_debit_without_an_answer_is_rolled_back_at_once(ann, wallet, fate):
    with pytest.raises(errors.OperatorUnsure):
        fetched(Books(wallet, iter([fate])), ann)
    assert OperatorCall.objects.get().status == "undone"
    assert (here(ann), there(wallet)) == ({}, HELD_MINOR)
    late = OperatorCall.objects.get()
    told = Books(wallet).debit(seamless.asked_of(late, ann))
    assert (told.status, told.reason) == (REFUSED, "rolled_back")


def test_a_rollback_is_sent_until_it_is_answered_and_holds_the_money_till_then(ann, wallet):
    port = Books(wallet, iter(["after", "before", "after", "before"]))
    with pytest.raises(errors.OperatorUnsure):
        fetched(port, ann)
    assert here(ann) == {"pending": 5_000, "operator": -5_000}
    with pytest.raises(errors.OperatorUnsure):  # the same request again does not ask twice
        fetched(Books(wallet), ann)
    seamless.calls_due(port)
    assert OperatorCall.objects.get().attempts == 2  # not due yet
    for _ in range(3):
        due_now()
        seamless.calls_due(port)
    assert OperatorCall.objects.get().status == "undone"
    assert (here(ann), there(wallet)) == ({}, HELD_MINOR)


def test_an_answer_that_comes_after_the_rollback_changes_nothing(ann, wallet):
    class Slow(Books):
        def debit(self, asked: Asked) -> Answer:
            answer = super().debit(asked)
            due_now()  # its lease is over: another process takes it for dead
            seamless.calls_due(Books(wallet))
            return answer

    with pytest.raises(errors.OperatorUnsure):
        fetched(Slow(wallet), ann)
    assert OperatorCall.objects.get().status == "undone"
    assert (here(ann), there(wallet)) == ({}, HELD_MINOR)


def test_a_debit_whose_answer_is_written_down_at_the_last_moment_is_not_rolled_back(
    ann, wallet, monkeypatch
):
    class Slow(Books):
        def debit(self, asked: Asked) -> Answer:
            answer = super().debit(asked)
            due_now()  # its lease is over, and another process has read that it is only asked
            seamless.calls_due(Books(wallet))
            return answer

    ended = seamless.ended

    def answered_first(call_id, answer, **more):
        if answer.status == UNSURE:
            ended(call_id, Answer(OK))
        return ended(call_id, answer, **more)

    monkeypatch.setattr(seamless, "ended", answered_first)
    fetched(Slow(wallet), ann)
    assert OperatorCall.objects.get().status == "done"
    assert (here(ann), there(wallet)) == (
        {"cash": 5_000, "operator": -5_000}, HELD_MINOR - 5_000,
    )  # fmt: skip


def test_a_process_that_died_before_the_answer_leaves_a_call_that_is_rolled_back(ann, wallet):
    class Killed(Exception):
        pass

    class Dies(Books):
        def debit(self, asked: Asked) -> Answer:
            super().debit(asked)
            raise Killed

    with pytest.raises(Killed):
        fetched(Dies(wallet), ann)
    assert (here(ann)["pending"], there(wallet)) == (5_000, HELD_MINOR - 5_000)
    due_now()
    assert seamless.calls_due(Books(wallet)) == 1
    assert (here(ann), there(wallet)) == ({}, HELD_MINOR)


def test_cash_goes_home_and_is_offered_until_it_is_taken(ann, wallet):
    fetched(Books(wallet), ann)
    assert seamless.homeward() == 0  # its buy-in is under way
    assert seamless.give_back(held=ann, currency="EUR") is not None
    assert seamless.give_back(held=ann, currency="EUR") is None
    assert here(ann) == {"pending": 5_000, "operator": -5_000}
    port = Books(wallet, iter(["before", "after", "before"]))
    for _ in range(4):
        due_now()
        seamless.calls_due(port)
    assert OperatorCall.objects.get(way=OUT).status == "done"
    assert (here(ann), there(wallet)) == ({}, HELD_MINOR)


def test_a_credit_that_is_refused_is_his_cash_here_again(ann, wallet):
    fetched(Books(wallet), ann)
    wallet.books.execute("DELETE FROM balance")
    seamless.give_back(held=ann, currency="EUR")
    seamless.calls_due(Books(wallet))
    assert OperatorCall.objects.get(way=OUT).status == "refused"
    assert here(ann) == {"cash": 5_000, "operator": -5_000}
    assert seamless.homeward() == 0


def test_nobody_who_is_excluded_fetches_money(ann, wallet):
    ledger.account_open(purpose="cash", currency="EUR", player_id=ann.player_id)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE wallets_playerlimits SET self_excluded = true")
    with pytest.raises(errors.PlayerExcluded):
        fetched(Books(wallet), ann)
    assert there(wallet) == HELD_MINOR


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_lost_on_the_way_both_books_agree_in_the_end(ann, wallet, seed):
    random = Random(seed)
    fates = iter(lambda: random.choice(["", "before", "after"]), None)
    port = Books(wallet, fates)
    for nth in range(8):
        with suppress(errors.OperatorUnsure, errors.OperatorRefused):
            fetched(port, ann, random.randint(1, 30_000), f"k{random.randint(0, 3)}-{nth // 2}")
        if random.random() < 0.5:
            seamless.give_back(held=ann, currency="EUR")
        due_now()
        seamless.calls_due(port)
        sums = Account.objects.filter(currency="EUR").values_list("balance_minor", flat=True)
        assert sum(sums) == 0
    seamless.give_back(held=ann, currency="EUR")
    port.lost = iter(())
    while OperatorCall.objects.filter(status__in=OPEN).exists():
        due_now()
        seamless.calls_due(port)
    assert (here(ann), there(wallet)) == ({}, HELD_MINOR)


def test_the_database_keeps_a_call_and_its_transfer_in_step(ann, wallet):
    with pytest.raises(errors.OperatorUnsure):
        fetched(Books(wallet, iter(["after", "before"])), ann)
    call = OperatorCall.objects.get()
    with pytest.raises(errors.CallOutOfStep), transaction.atomic(), ledger.ledger_errors():
        OperatorCall.objects.filter(pk=call.pk).update(status="undone")
    with pytest.raises(errors.CallOutOfStep), ledger.ledger_errors(), transaction.atomic():
        ledger.resolve(key="x", transfer_id=call.transfer_id, outcome="post")
    cash = ledger.account_open(purpose="cash", currency="EUR", player_id=ann.player_id)
    operator = ledger.account_open(purpose="operator", currency="EUR")
    at_once = [ledger.Leg(operator, -5), ledger.Leg(cash, 5)]
    with pytest.raises(errors.KindNotForThat):
        ledger.post(key="y", kind="operator_in", legs=at_once)
    with pytest.raises(IntegrityError), transaction.atomic():
        OperatorPlayer.objects.create(player=User.objects.create(username="b"), reference="A-1")


def test_only_players_of_the_operator_are_asked_for_money(ann, wallet, settings, monkeypatch):
    monkeypatch.setattr(seamless, "configured", lambda: Books(wallet))
    other = User.objects.create_user(username="bob", password=None, display_name="Bob")
    with seamless.brought(player_id=other.pk, currency="EUR", amount_minor=50, key="a"):
        assert here(ann) == {}
    with (
        pytest.raises(ValueError, match="taken"),
        seamless.brought(player_id=ann.player_id, currency="EUR", amount_minor=5_000, key="b"),
    ):
        raise ValueError("the seat is taken")
    assert here(ann)["pending"] == 5_000
    seamless.kept()
    assert (here(ann), there(wallet)) == ({}, HELD_MINOR)


def test_what_the_books_hold_is_still_proven(ann, wallet):
    fetched(Books(wallet), ann)
    assert selectors.wallet(player_id=ann.player_id)[0].cash_minor == 5_000
    assert operators.configured() is None
