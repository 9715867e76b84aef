"""Players' protection holds inside the money's own transaction; cashing out stays open."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.wallets.conftest import Seated, Table, at_once, balance, day_has_come, new_table, seated
from wallets import errors, ledger, limits, services
from wallets.ledger import Posted
from wallets.models import DepositLimit
from wallets.selectors import excluded_of


@pytest.fixture
def anna(table: Table) -> Seated:
    return seated(table, cash=1_000, chips=500)


def deposit(anna: Seated, amount: int, key: str, currency: str = "EUR") -> Posted:
    return services.deposit(
        player_id=anna.player, amount_minor=amount, currency=currency, key=key, actor_id=None
    )


def stake(anna: Seated, table: Table, amount: int, key: str) -> int | None:
    return ledger.stake(
        services.stake_packed(
            hand_id=1,
            key=key,
            seat_account_id=anna.seat,
            in_play_account_id=table.in_play,
            player_id=anna.player,
            amount_minor=amount,
        )
    )


@pytest.mark.parametrize("dated", [True, False])
def test_plp_06_an_excluded_player_can_only_take_his_money_home(
    table: Table, anna: Seated, dated: bool
) -> None:
    stake(anna, table, 100, "before")
    until = timezone.now() + timedelta(days=180) if dated else None
    limits.exclude(player_id=anna.player, until=until)
    assert excluded_of([anna.player, 0]) == {anna.player}
    for attempt in (
        partial(deposit, anna, 10, "d"),
        partial(
            services.buy_in,
            player_id=anna.player,
            seat_account_id=anna.seat,
            amount_minor=10,
            key="b",
        ),
        partial(stake, anna, table, 10, "s"),
    ):
        with pytest.raises(errors.PlayerExcluded) as caught:
            attempt()
        assert caught.value.until == until
    stake(anna, table, -100, "back")
    assert services.cash_out(player_id=anna.player, seat_account_id=anna.seat, key="leave") == 500
    services.withdraw(
        player_id=anna.player, amount_minor=1_500, currency="EUR", key="home", actor_id=None
    )
    assert balance(anna.cash) == 0


def test_an_exclusion_ends_by_its_date_and_not_before(anna: Seated) -> None:
    until = timezone.now() + timedelta(hours=1)
    limits.exclude(player_id=anna.player, until=until)
    limits.exclude(player_id=anna.player, until=timezone.now() + timedelta(minutes=1))
    with pytest.raises(errors.LimitStillBinding) as caught:
        limits.exclusion_lift(player_id=anna.player)
    assert caught.value.until == until


def test_an_exclusion_without_a_date_is_lifted_by_the_house(anna: Seated) -> None:
    limits.exclude(player_id=anna.player, until=None)
    limits.exclusion_lift(player_id=anna.player)
    assert not excluded_of([anna.player])
    deposit(anna, 10, "d")


def test_an_answer_already_given_is_repeated_to_an_excluded_player(anna: Seated) -> None:
    first = deposit(anna, 10, "d")
    limits.exclude(player_id=anna.player, until=None)
    assert deposit(anna, 10, "d") == (first.transfer_id, True)


def limit(anna: Seated, most: int | None, days: int = 1) -> DepositLimit:
    return limits.deposit_limit_set(
        player_id=anna.player, currency="EUR", window_days=days, most_minor=most
    )


def test_plp_04_deposits_stay_within_the_limit_and_withdrawals_do_not_reopen_it(
    anna: Seated,
) -> None:
    limit(anna, 2_000)  # 1,500 are paid in already
    deposit(anna, 500, "full")
    services.withdraw(
        player_id=anna.player, amount_minor=500, currency="EUR", key="out", actor_id=None
    )
    with pytest.raises(errors.DepositLimitReached) as caught:
        deposit(anna, 1, "over")
    assert (caught.value.used_minor, caught.value.most_minor) == (2_000, 2_000)
    assert caught.value.window_days == 1
    deposit(anna, 1, "another currency", "PLN")


@pytest.mark.django_db(transaction=True)
@settings(max_examples=15, deadline=None)
@given(
    most=st.integers(0, 900),
    steps=st.lists(
        st.tuples(st.sampled_from(["in", "out", "tighter", "looser"]), st.integers(1, 400)),
        max_size=12,
    ),
)
def test_plp_04_no_sequence_of_deposits_passes_a_limit_that_counts(
    most: int, steps: list[tuple[str, int]]
) -> None:
    anna = seated(new_table())
    limit(anna, most)
    paid_in = has = 0
    for step, amount in steps:
        if step == "in":
            fits = paid_in + amount <= most
            with nullcontext() if fits else pytest.raises(errors.DepositLimitReached):
                deposit(anna, amount, f"{anna.player}:{paid_in}:{has}:{amount}")
            paid_in, has = (paid_in + amount, has + amount) if fits else (paid_in, has)
        elif step == "out" and has:
            services.withdraw(
                player_id=anna.player, amount_minor=has, currency="EUR",
                key=f"out:{anna.player}:{paid_in}:{amount}", actor_id=None,
            )  # fmt: skip
            has = 0
        elif step == "tighter":
            most = max(most - amount, 0)
            limit(anna, most)
        elif step == "looser":
            limit(anna, most + amount)  # counts tomorrow
        assert balance(anna.cash) == has


def test_plp_04_the_lowest_limit_applies(anna: Seated) -> None:
    limit(anna, 5_000, days=1)
    limit(anna, 1_600, days=30)
    with pytest.raises(errors.DepositLimitReached) as caught:
        deposit(anna, 101, "over")
    assert caught.value.window_days == 30


def test_w_06_two_deposits_at_once_do_not_share_the_room_for_one(anna: Seated) -> None:
    limit(anna, 1_600)
    answers = at_once([partial(deposit, anna, 100, f"d{n}") for n in range(8)], threads=8)
    assert sum(isinstance(answer, Posted) for answer in answers) == 1
    assert sum(isinstance(answer, errors.DepositLimitReached) for answer in answers) == 7


def test_plp_05_a_tighter_limit_counts_at_once_a_looser_one_a_day_later(anna: Seated) -> None:
    limit(anna, 2_000)
    assert limit(anna, 1_600).most_minor == 1_600
    for looser in (3_000, None):
        waiting = limit(anna, looser)
        assert waiting.most_minor == 1_600
        assert waiting.next_from is not None
        assert waiting.next_from > timezone.now() + timedelta(hours=23)
        with pytest.raises(errors.DepositLimitReached):
            deposit(anna, 101, "over")


def test_a_looser_limit_counts_when_its_day_has_come(anna: Seated) -> None:
    limit(anna, 1_600)
    limit(anna, 1_700)
    day_has_come("wallets_depositlimit")
    deposit(anna, 200, "now")
    with pytest.raises(errors.DepositLimitReached):
        deposit(anna, 1, "over")
    assert limit(anna, 1_650).most_minor == 1_650


def test_a_limit_that_ended_can_be_set_anew(anna: Seated) -> None:
    limit(anna, 1_600)
    limit(anna, None)
    day_has_come("wallets_depositlimit")
    deposit(anna, 5_000, "free")
    assert limit(anna, 9_000).most_minor == 9_000
    with pytest.raises(errors.DepositLimitReached):
        deposit(anna, 5_000, "over")


def test_a_voided_deposit_gives_its_room_back(anna: Seated) -> None:
    limit(anna, 1_600)
    pending = ledger.account_open(purpose="pending", currency="EUR", player_id=anna.player)
    cage = services.cage_account(currency="EUR")
    asked = ledger.pend(
        key="card",
        kind="deposit",
        legs=[ledger.Leg(cage, -100), ledger.Leg(pending, 100)],
        intent=[ledger.Leg(pending, -100), ledger.Leg(anna.cash, 100)],
    )
    assert asked.transfer_id is not None
    with pytest.raises(errors.DepositLimitReached):
        deposit(anna, 1, "d")
    ledger.resolve(key="void", transfer_id=asked.transfer_id, outcome="void")
    deposit(anna, 100, "d")


@pytest.mark.parametrize("most", [-1, 1.5, "100", True])
def test_a_limit_is_a_whole_number(anna: Seated, most: int) -> None:
    with pytest.raises(errors.InvalidAmount):
        limit(anna, most)
