"""Whatever is asked of the ledger, in whatever order: no minor unit appears or is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.wallets.conftest import Seated, Table, balance, new_table, numbers, seated
from wallets import ledger, services
from wallets.errors import WalletError
from wallets.models import Account
from wallets.proving import ledger_check

SEATS = 3
VERBS = (
    "deposit", "withdraw", "request", "post", "void", "buy_in", "cash_out", "hold", "pay",
    "void_hand", "stake", "unstake", "round_pay", "round_void", "again",
)  # fmt: skip

steps = st.lists(
    st.tuples(st.sampled_from(VERBS), st.integers(0, SEATS - 1), st.integers(0, 400)),
    max_size=40,
)


class Floor:
    """A table with three seats, and one method per thing that can be asked."""

    def __init__(self) -> None:
        self.table: Table = new_table()
        self.seats: list[Seated] = [seated(self.table, cash=300, chips=200) for _ in range(SEATS)]
        self.hand = next(numbers)
        self.round = next(numbers)
        self.staked = {seat.seat: 0 for seat in self.seats}
        self.requested: list[int] = []
        self.last: Callable[[], Any] = lambda: None

    def do(self, verb: str, who: int, amount: int) -> None:
        """A refusal is an answer like any other; what it must not do is move money."""
        call = getattr(self, verb)(self.seats[who], amount)
        before = self.total()
        try:
            call()
        except WalletError:
            assert self.total() == before
        else:
            self.last = call

    def total(self) -> list[tuple[int, int]]:
        moved = Account.objects.exclude(balance_minor=0)
        return sorted(moved.values_list("pk", "balance_minor"))

    def deposit(self, seat: Seated, amount: int) -> Callable[[], Any]:
        return self.cashier(services.deposit, seat, amount)

    def withdraw(self, seat: Seated, amount: int) -> Callable[[], Any]:
        return self.cashier(services.withdraw, seat, amount)

    def cashier(self, verb: Callable[..., Any], seat: Seated, amount: int) -> Callable[[], Any]:
        key = f"x{next(numbers)}"
        return lambda: verb(
            player_id=seat.player, amount_minor=amount, currency="EUR", key=key, actor_id=None
        )

    def request(self, seat: Seated, amount: int) -> Callable[[], Any]:
        ask = self.cashier(services.withdrawal_request, seat, amount)
        return lambda: self.requested.append(ask().transfer_id)

    def post(self, seat: Seated, amount: int) -> Callable[[], Any]:
        return self.resolve("post")

    def void(self, seat: Seated, amount: int) -> Callable[[], Any]:
        return self.resolve("void")

    def resolve(self, outcome: Any) -> Callable[[], Any]:
        key, pending = f"x{next(numbers)}", self.requested[-1] if self.requested else 0
        return lambda: services.withdrawal_resolve(
            transfer_id=pending, outcome=outcome, key=key, actor_id=None
        )

    def buy_in(self, seat: Seated, amount: int) -> Callable[[], Any]:
        key = f"x{next(numbers)}"
        return lambda: services.buy_in(
            player_id=seat.player, seat_account_id=seat.seat, amount_minor=amount, key=key
        )

    def cash_out(self, seat: Seated, amount: int) -> Callable[[], Any]:
        key = f"x{next(numbers)}"
        return lambda: services.cash_out(player_id=seat.player, seat_account_id=seat.seat, key=key)

    def hold(self, seat: Seated, amount: int) -> Callable[[], Any]:
        accounts = [seat.seat for seat in self.seats]
        return lambda: services.stakes_hold(hand_id=self.hand, seat_account_ids=accounts)

    def pay(self, seat: Seated, amount: int) -> Callable[[], Any]:
        one, two, three = (seat.seat for seat in self.seats)
        nets = {one: -amount, two: amount // 2, three: 0}
        nets[self.table.rake] = -sum(nets.values())
        hand, self.hand = self.hand, next(numbers)
        return lambda: services.hand_pay(hand_id=hand, legs_by_account=nets, currency="EUR")

    def void_hand(self, seat: Seated, amount: int) -> Callable[[], Any]:
        hand = self.hand
        return lambda: services.hand_void(hand_id=hand)

    def stake(self, seat: Seated, amount: int) -> Callable[[], Any]:
        packed = services.stake_packed(
            hand_id=self.round,
            key=f"x{next(numbers)}",
            seat_account_id=seat.seat,
            in_play_account_id=self.table.in_play,
            player_id=seat.player,
            amount_minor=amount,
        )

        def call() -> None:
            ledger.stake(packed)
            self.staked[seat.seat] += amount

        return call

    def unstake(self, seat: Seated, amount: int) -> Callable[[], Any]:
        return self.stake(seat, -min(amount, self.staked[seat.seat]))

    def round_pay(self, seat: Seated, amount: int) -> Callable[[], Any]:
        staked, number = sum(self.staked.values()), self.round
        self.round, self.staked = next(numbers), {seat.seat: 0 for seat in self.seats}
        return lambda: services.round_pay(
            hand_id=number,
            in_play_account_id=self.table.in_play,
            returned={seat.seat: amount},
            bank_account_id=self.table.bank,
            staked_total=staked,
        )

    def round_void(self, seat: Seated, amount: int) -> Callable[[], Any]:
        number = self.round
        self.round, self.staked = next(numbers), {seat.seat: 0 for seat in self.seats}
        return lambda: services.round_void(hand_id=number)

    def again(self, seat: Seated, amount: int) -> Callable[[], Any]:
        """The same call once more, as a client does that lost the answer."""
        before, last = self.total(), self.last

        def call() -> None:
            last()
            assert self.total() == before

        return call if last.__name__ == "<lambda>" else lambda: None


@pytest.mark.django_db(transaction=True)
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=steps)
def test_money_is_conserved(steps: list[tuple[str, int, int]]) -> None:
    floor = Floor()
    for step in steps:
        floor.do(*step)
    assert balance(floor.table.in_play) == sum(floor.staked.values())
    check = ledger_check()
    assert check.ok, check.as_json()


@pytest.mark.django_db(transaction=True)
@settings(max_examples=25, deadline=None)
@given(amounts=st.lists(st.integers(-300, 300), min_size=2, max_size=5))
def test_what_does_not_sum_to_zero_is_not_posted(amounts: list[int]) -> None:
    table = new_table()
    accounts = (
        table.bank, *(new_table().bank for _ in range(4))
    )  # fmt: skip
    legs = [ledger.Leg(a, amount) for a, amount in zip(accounts, amounts, strict=False)]
    good = sum(amounts) == 0 and 0 not in amounts
    try:
        ledger.post(key=f"x{next(numbers)}", kind="test", legs=legs)
    except WalletError:
        assert not good
    else:
        assert good
