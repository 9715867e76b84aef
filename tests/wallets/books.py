"""The public verbs but those of bonus money, against a model short enough to be believed.

Each rule says beforehand what the model expects: the balances that follow, or the one error. The
model knows nothing of legs, keys or locks.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.wallets.conftest import Seated, agreed, balance, new_table, seated, staff
from wallets import controlling, errors, ledger, services
from wallets.errors import WalletError
from wallets.proving import ledger_check
from wallets.selectors import wallet

PLAYERS = 3
CASH, CHIPS = 300, 200
keys = count(1)
hands = count(10_000)
players = st.integers(0, PLAYERS - 1)
amounts = st.one_of(st.integers(0, 10), st.integers(11, 400))


class Books(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.table = new_table()
        self.people: list[Seated] = [
            seated(self.table, cash=CASH, chips=CHIPS) for _ in range(PLAYERS)
        ]
        self.cash = [CASH] * PLAYERS
        self.chips = [CHIPS] * PLAYERS
        self.owed = [0] * PLAYERS
        self.waiting: dict[int, tuple[int, int]] = {}
        self.staked = [0] * PLAYERS
        self.rake = self.bank = 0
        self.hand: int | None = None
        self.round = next(hands)
        self.paid: tuple[int, list[int], int] | None = None
        self.last: tuple[Callable[[], Any], Any] | None = None
        self.officers = staff(), staff()

    def ask(self, call: Callable[[], Any], refusal: type[WalletError] | None) -> Any:
        """Make the call; it must end as the model says."""
        if refusal is not None:
            with pytest.raises(refusal):
                call()
            return None
        answer = call()
        self.last = call, answer
        return answer

    def purse(self, who: int, amount: int, key: str) -> dict[str, Any]:
        return {
            "player_id": self.people[who].player,
            "amount_minor": amount,
            "currency": "EUR",
            "key": key,
            "actor_id": None,
        }

    # The cage.

    @rule(who=players, amount=amounts)
    def deposit(self, who: int, amount: int) -> None:
        facts = self.purse(who, amount, f"m{next(keys)}")
        refusal = None if amount else errors.InvalidAmount
        self.ask(lambda: services.deposit(**facts), refusal)
        self.cash[who] += amount

    def out(self, who: int, amount: int) -> type[WalletError] | None:
        if not amount:
            return errors.InvalidAmount
        return errors.InsufficientFunds if amount > self.cash[who] else None

    @rule(who=players, amount=amounts)
    def withdraw(self, who: int, amount: int) -> None:
        facts = self.purse(who, amount, f"m{next(keys)}")
        refusal = self.out(who, amount)
        self.ask(lambda: services.withdraw(**facts), refusal)
        self.cash[who] -= 0 if refusal else amount

    @rule(who=players, amount=amounts)
    def request(self, who: int, amount: int) -> None:
        facts = self.purse(who, amount, f"m{next(keys)}")
        refusal = self.out(who, amount)
        posted = self.ask(lambda: services.withdrawal_request(**facts), refusal)
        if refusal is None:
            self.cash[who] -= amount
            self.waiting[posted.transfer_id] = who, amount

    @precondition(lambda self: self.waiting)
    @rule(outcome=st.sampled_from(["post", "void", "part"]), part=amounts)
    def resolve(self, outcome: Any, part: int) -> None:
        transfer, (who, amount) = next(iter(self.waiting.items()))
        key, taken = f"m{next(keys)}", {"post": amount, "void": 0, "part": part}[outcome]
        refusal = None
        if outcome == "part" and not 0 < part < amount:
            refusal = errors.MalformedTransfer
        self.ask(
            lambda: services.pending_resolve(
                transfer_id=transfer,
                outcome="post" if outcome == "part" else outcome,
                key=key,
                actor_id=None,
                amount_minor=part if outcome == "part" else None,
            ),
            refusal,
        )
        if refusal is None:
            del self.waiting[transfer]
            self.cash[who] += amount - taken

    @rule(who=players, amount=amounts)
    def repay(self, who: int, amount: int) -> None:
        facts = self.purse(who, amount, f"m{next(keys)}")
        refusal: type[WalletError] | tuple[type[WalletError], ...] | None = self.out(who, amount)
        if amount > self.owed[who]:
            # Both rules may be broken; which is found first depends on the accounts' order.
            refusal = (errors.OwesLess, errors.InsufficientFunds, errors.InvalidAmount)
        self.ask(lambda: services.receivable_repay(**facts), refusal)  # type: ignore[arg-type]
        if refusal is None:
            self.cash[who] -= amount
            self.owed[who] -= amount

    # To the table and back.

    @rule(who=players, amount=amounts)
    def buy_in(self, who: int, amount: int) -> None:
        key, person, refusal = f"m{next(keys)}", self.people[who], self.out(who, amount)
        self.ask(
            lambda: services.buy_in(
                player_id=person.player, seat_account_id=person.seat, amount_minor=amount, key=key
            ),
            refusal,
        )
        if refusal is None:
            self.cash[who] -= amount
            self.chips[who] += amount

    @rule(who=players)
    def cash_out(self, who: int) -> None:
        key, person = f"m{next(keys)}", self.people[who]
        refusal = errors.AccountHeld if self.hand and self.chips[who] else None
        paid = self.ask(
            lambda: services.cash_out(
                player_id=person.player, seat_account_id=person.seat, key=key
            ),
            refusal,
        )
        if refusal is None:
            assert paid == self.chips[who]
            self.cash[who] += self.chips[who]
            self.chips[who] = 0

    @precondition(lambda self: not self.hand)
    @rule(who=players)
    def go_home(self, who: int) -> None:
        """With all the money, so that a later reversal finds none."""
        self.cash_out(who)
        if self.cash[who]:
            self.withdraw(who, self.cash[who])

    # Hands among players.

    @rule()
    def hold(self) -> None:
        number = self.hand or next(hands)
        seats = [person.seat for person in self.people]
        self.ask(lambda: services.stakes_hold(hand_id=number, seat_account_ids=seats), None)
        self.hand, self.last = number, None

    @precondition(lambda self: self.hand)
    @rule(loser=players, winner=players, lost=amounts, rake=st.integers(0, 5))
    def pay(self, loser: int, winner: int, lost: int, rake: int) -> None:
        assert self.hand is not None
        if loser == winner:
            return
        number, nets = self.hand, [0] * PLAYERS
        nets[loser], nets[winner] = -lost, lost - min(rake, lost)
        taken = min(rake, lost)
        legs = {person.seat: net for person, net in zip(self.people, nets, strict=True)}
        legs[self.table.rake] = taken
        refusal = errors.InsufficientFunds if lost > self.chips[loser] else None
        self.ask(
            lambda: services.hand_pay(hand_id=number, legs_by_account=legs, currency="EUR"),
            refusal,
        )
        if refusal is None:
            self.chips = [had + net for had, net in zip(self.chips, nets, strict=True)]
            self.rake += taken
            self.hand = None
            self.paid = (number, nets, taken) if lost else self.paid

    @precondition(lambda self: self.hand)
    @rule()
    def void_hand(self) -> None:
        assert self.hand is not None
        number = self.hand
        assert self.ask(lambda: services.hand_void(hand_id=number), None) == PLAYERS
        with pytest.raises(WalletError):
            services.hand_pay(
                hand_id=number,
                legs_by_account={self.people[0].seat: 1, self.people[1].seat: -1},
                currency="EUR",
            )
        self.hand, self.last = None, None

    @precondition(lambda self: self.paid)
    @rule()
    def reverse(self) -> None:
        """Winnings come from the seat, then from cash, the rest is owed; losses go to cash."""
        assert self.paid is not None
        number, nets, taken = self.paid
        asker, agreer = self.officers
        approval = agreed(
            controlling.reversal_ask(hand_id=number, reason="model", by=asker), agreer
        )
        self.ask(lambda: controlling.hand_reverse(approval_id=approval, by=None), None)
        self.last = None
        for who, net in enumerate(nets):
            if net < 0:
                self.cash[who] -= net
            here = 0 if self.hand else min(max(net, 0), self.chips[who])
            cash = min(max(net, 0) - here, self.cash[who])
            self.chips[who] -= here
            self.cash[who] -= cash
            self.owed[who] += max(net, 0) - here - cash
        self.rake -= taken
        self.paid = None

    # Rounds against the house.

    @rule(who=players, amount=amounts)
    def stake(self, who: int, amount: int) -> None:
        refusal = None
        if amount and self.hand:
            refusal = errors.AccountHeld
        elif amount > self.chips[who]:
            refusal = errors.InsufficientFunds
        self.bet(who, amount, refusal)

    @rule(who=players, amount=amounts)
    def unstake(self, who: int, amount: int) -> None:
        self.bet(who, -min(amount, self.staked[who]), None)

    def bet(self, who: int, amount: int, refusal: type[WalletError] | None) -> None:
        packed = services.stake_packed(
            hand_id=self.round,
            key=f"m{next(keys)}",
            seat_account_id=self.people[who].seat,
            in_play_account_id=self.table.in_play,
            player_id=self.people[who].player,
            amount_minor=amount,
        )
        self.ask(lambda: ledger.stake(packed), refusal)
        if refusal is None:
            self.chips[who] -= amount
            self.staked[who] += amount

    @rule(who=players, returned=amounts, lie=st.integers(0, 1))
    def round_pay(self, who: int, returned: int, lie: int) -> None:
        number, total = self.round, sum(self.staked)
        seat = self.people[who].seat
        self.ask(
            lambda: services.round_pay(
                hand_id=number,
                in_play_account_id=self.table.in_play,
                returned={seat: returned},
                bank_account_id=self.table.bank,
                staked_total=total + lie,
            ),
            errors.StakesDiffer if lie else None,
        )
        if not lie:
            self.chips[who] += returned
            self.bank += total - returned
            self.staked = [0] * PLAYERS
            self.round = next(hands)

    @rule()
    def round_void(self) -> None:
        number = self.round
        self.ask(lambda: services.round_void(hand_id=number), None)
        self.chips = [had + back for had, back in zip(self.chips, self.staked, strict=True)]
        self.staked = [0] * PLAYERS
        self.round = next(hands)

    @precondition(lambda self: self.last)
    @rule()
    def again(self) -> None:
        """The same call once more, by a client that lost the answer: the same, and no money."""
        assert self.last is not None
        call, answer = self.last
        repeated = call()
        if isinstance(answer, ledger.Posted):
            assert repeated.transfer_id == answer.transfer_id
        else:
            assert repeated == answer

    @invariant()
    def the_books_are_as_the_model_says(self) -> None:
        for who, person in enumerate(self.people):
            (purse,) = wallet(person.player)
            kept = sum(amount for player, amount in self.waiting.values() if player == who)
            assert (purse.cash_minor, purse.pending_minor, purse.owed_minor) == (
                self.cash[who],
                kept,
                self.owed[who],
            )
            assert purse.bonus_minor == self.bonus_held(who)
            assert purse.tables_minor.get(self.table.id, 0) == self.chips[who]
        assert balance(self.table.in_play) == self.in_play()
        assert balance(self.table.rake) == self.rake
        assert balance(self.table.bank) == self.bank

    def in_play(self) -> int:
        return sum(self.staked)

    def bonus_held(self, who: int) -> int:
        return 0

    def teardown(self) -> None:
        check = ledger_check()
        assert check.ok, check.as_json()
