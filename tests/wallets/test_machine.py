"""All public verbs in any order, bonus money among them, against a short model of the books."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.utils import timezone
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule, run_state_machine_as_test

from casino.core.models import Role
from tests.conftest import superuser
from tests.wallets.books import PLAYERS, Books, amounts, hands, keys, players
from tests.wallets.conftest import balance, staff
from wallets import bonuses, errors, ledger, services
from wallets.errors import WalletError
from wallets.models import BonusGrant

wholes = st.integers(0, 2_000)
FUNDS = [funds.value for funds in BonusGrant.Funds]


@dataclass
class Grant:
    """What a model needs to know of a bonus. at_stake: in the round that runs."""

    row: BonusGrant
    status: str = "active"
    is_over: bool = False
    counted: int = 0
    at_stake: int = 0


@dataclass
class Fund:
    """A player's bonus money and his grants, the newest last. since: bet under the last one."""

    held: int = 0
    since: int = 0
    grants: list[Grant] = field(default_factory=list)

    @property
    def active(self) -> Grant | None:
        return self.grants[-1] if self.grants and self.grants[-1].status == "active" else None

    @property
    def at_stake(self) -> int:
        return sum(grant.at_stake for grant in self.grants)


class BooksWithBonus(Books):
    def __init__(self) -> None:
        super().__init__()
        self.funds = [Fund() for _ in range(PLAYERS)]
        self.house = balance(self.adjustments())
        self.giver = staff(Role.FINANCE)
        self.raw: psycopg.Connection[Any] = superuser()
        self.raw.execute("SET session_replication_role = replica")

    # What becomes of a bonus.

    @rule(
        who=players, amount=amounts, wager=wholes, funds=st.sampled_from(FUNDS),
        most=st.sampled_from([None, 150, 500]),
    )  # fmt: skip
    def give(self, who: int, amount: int, wager: int, funds: str, most: int | None) -> None:
        fund, key = self.funds[who], f"m{next(keys)}"
        until = timezone.now() + timedelta(days=1)
        refusal: type[WalletError] | None = errors.BonusActive if fund.active else None
        row = self.ask(
            lambda: bonuses.bonus_grant(
                player_id=self.people[who].player, currency="EUR", amount_minor=amount,
                wager_minor=amount + wager, funds=funds, expires_at=until, key=key, by=self.giver,
                most_bet_minor=most,
            ),
            refusal if amount else errors.InvalidAmount,
        )  # fmt: skip
        if row is not None:
            fund.grants.append(Grant(row))
            fund.since = 0
            fund.held += amount
            self.house -= amount

    @precondition(lambda self: any(fund.grants for fund in self.funds))
    @rule(who=players)
    def give_up(self, who: int) -> None:
        fund = self.funds[who]
        if not fund.grants:
            return
        grant = fund.grants[-1]
        self.ask(
            lambda: bonuses.bonus_forfeit(player_id=self.people[who].player, grant_id=grant.row.pk),
            None if fund.active else errors.BonusEnded,
        )
        self.last = None
        if fund.active:
            self.end(who, "won" if grant.counted >= grant.row.wager_minor else "forfeited")

    @precondition(lambda self: any(fund.active for fund in self.funds))
    @rule(who=players)
    def time_passes(self, who: int) -> None:
        if grant := self.funds[who].active:
            self.raw.execute(
                "UPDATE wallets_bonusgrant SET expires_at = now() - interval '1 s' WHERE id = %s",
                [grant.row.pk],
            )
            grant.is_over = True

    @rule()
    def chores(self) -> None:
        due = {}
        for who, fund in enumerate(self.funds):
            if fund.active and fund.active.counted >= fund.active.row.wager_minor:
                due[who] = "won"
            elif fund.active and fund.active.is_over:
                due[who] = "expired"
        assert bonuses.bonuses_due() == len(due)
        for who, outcome in due.items():
            self.end(who, outcome)

    def end(self, who: int, outcome: str) -> None:
        fund = self.funds[who]
        grant, had = fund.active, fund.held
        assert grant is not None
        grant.status, fund.held = outcome, 0
        self.comes(who, grant, had)

    def comes(self, who: int, grant: Grant, amount: int) -> None:
        """To the player if he has won it, to the fund while it runs, else to the house."""
        if grant.status == "active":
            self.funds[who].held += amount
        elif grant.status == "won":
            self.cash[who] += amount
        else:
            self.house += amount

    # Rounds against the house.

    @rule(who=players, amount=amounts)
    def stake(self, who: int, amount: int) -> None:
        fund = self.funds[who]
        grant = fund.active if fund.active and not fund.active.is_over else None
        usable = fund.held if grant else 0
        part = min(max(amount - self.chips[who], 0), usable)
        if grant and grant.row.funds == "bonus_first":
            part = min(amount, usable)
        own = amount - part
        playing = [one for one in fund.grants if one.at_stake or (part and one is grant)]
        bounds = [one.row.most_bet_minor for one in playing if one.row.most_bet_minor is not None]
        refusal: type[WalletError] | None = None
        if any(self.staked[who] + fund.at_stake + amount > most for most in bounds):
            refusal = errors.BonusBetTooLarge
        elif own and self.hand:
            refusal = errors.AccountHeld
        elif own > self.chips[who]:
            refusal = errors.InsufficientFunds
        self.bet(who, amount, refusal)
        if refusal is not None:
            return
        self.chips[who] -= own
        self.staked[who] += own
        fund.held -= part
        fund.since += amount
        if grant:
            grant.at_stake += part

    @rule(who=players, amount=amounts)
    def unstake(self, who: int, amount: int) -> None:
        fund = self.funds[who]
        amount = min(amount, self.staked[who] + fund.at_stake)
        self.bet(who, -amount, None)
        newest = next((grant for grant in fund.grants[::-1] if grant.at_stake), None)
        of_bonus = min(amount, fund.at_stake)
        if newest and newest.row.funds == "bonus_first":
            of_bonus = max(amount - self.staked[who], 0)
        self.chips[who] += amount - of_bonus
        self.staked[who] -= amount - of_bonus
        fund.since -= amount
        for grant in fund.grants[::-1]:
            back = min(grant.at_stake, of_bonus)
            of_bonus -= back
            grant.at_stake -= back
            self.comes(who, grant, back)

    def bet(self, who: int, amount: int, refusal: type[WalletError] | None) -> None:
        person = self.people[who]
        account = None
        if self.funds[who].grants:
            account = ledger.account_open(purpose="bonus", currency="EUR", player_id=person.player)
        packed = services.stake_packed(
            hand_id=self.round, key=f"m{next(keys)}", seat_account_id=person.seat,
            in_play_account_id=self.table.in_play, player_id=person.player, amount_minor=amount,
            bonus_account_id=account,
        )  # fmt: skip
        self.ask(lambda: ledger.stake(packed), refusal)

    @rule(
        who=players, returned=amounts, lie=st.integers(0, 1), weight=st.sampled_from([10_000, 333])
    )
    def round_pay(self, who: int, returned: int, lie: int, weight: int) -> None:
        number, seat = self.round, self.people[who].seat
        total = self.in_play()
        self.ask(
            lambda: services.round_pay(
                hand_id=number, in_play_account_id=self.table.in_play, returned={seat: returned},
                bank_account_id=self.table.bank, staked_total=total + lie, weight_bp=weight,
            ),
            errors.StakesDiffer if lie else None,
        )  # fmt: skip
        if lie:
            return
        staked, own = self.staked[who] + self.funds[who].at_stake, returned
        for grant in self.funds[who].grants:
            if grant.at_stake:
                part = returned * grant.at_stake // staked
                self.comes(who, grant, part)
                own -= part
        self.chips[who] += own
        self.bank += total - returned
        for fund in self.funds:
            if fund.active and not fund.active.is_over and fund.since > 0:
                fund.active.counted += fund.since * weight // 10_000
        self.next_round()

    @rule()
    def round_void(self) -> None:
        number = self.round
        self.ask(lambda: services.round_void(hand_id=number), None)
        for who, fund in enumerate(self.funds):
            self.chips[who] += self.staked[who]
            for grant in fund.grants:
                self.comes(who, grant, grant.at_stake)
        self.next_round()

    def next_round(self) -> None:
        self.round, self.staked = next(hands), [0] * PLAYERS
        for fund in self.funds:
            fund.since = 0
            for grant in fund.grants:
                grant.at_stake = 0

    # What holds after every step.

    def adjustments(self) -> int:
        return ledger.account_open(purpose="adjustments", currency="EUR")

    def in_play(self) -> int:
        return sum(self.staked) + sum(fund.at_stake for fund in self.funds)

    @invariant()
    def bonus_money_is_as_the_model_says(self) -> None:
        for person, fund in zip(self.people, self.funds, strict=True):
            rows = bonuses.grants_of(player_id=person.player)[::-1]
            assert [row.status for row in rows] == [grant.status for grant in fund.grants]
            assert [bonuses.wagered(row) for row in rows] == [g.counted for g in fund.grants]
            open_to_play = bonuses.fund_of(player_id=person.player, currency="EUR")
            if fund.active and not fund.active.is_over:
                assert open_to_play is not None
                assert open_to_play.balance_minor == fund.held
            else:
                assert open_to_play is None
        assert balance(self.adjustments()) == self.house

    def bonus_held(self, who: int) -> int:
        return self.funds[who].held

    def teardown(self) -> None:
        self.raw.execute("UPDATE wallets_bonusgrant SET expires_at = now() - interval '1 s'")
        self.raw.close()
        bonuses.bonuses_due()  # the next books begin without any
        super().teardown()


@pytest.mark.django_db(transaction=True)
def test_the_verbs_do_what_a_short_model_says() -> None:
    run_state_machine_as_test(
        BooksWithBonus, settings=settings(max_examples=8, stateful_step_count=45, deadline=None)
    )
