"""An operator's wallet in place of ours: asked, answered, taken back; never twice, never lost."""

from __future__ import annotations

import base64
from collections.abc import Iterator
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
from wallets import errors, ledger, operators, seamless, selectors
from wallets.models import Account, OperatorCall, OperatorPlayer
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
    client = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(502, text="?")))
    port = HttpPort("https://wallet.example", SECRET, client)
    assert port.debit(Asked(uuid4(), "A-1", "EUR", 5)).status == UNSURE


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
