"""Loss, stake and time limits, pauses and account states: checked where the money moves."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from casino.core.approvals import approval_approve
from casino.core.errors import ApprovalNotOpen, RoleMissing
from casino.core.models import LogEntry, Role, User
from tests.wallets.conftest import (
    Seated,
    Table,
    agreed,
    at_once,
    balance,
    day_has_come,
    numbers,
    seated,
    staff,
)
from wallets import controlling, errors, ledger, limits, services
from wallets.models import (
    HousePolicy,
    LimitChange,
    PlayerLimits,
    PlaySession,
    SpendLimit,
)
from wallets.selectors import barred_of, excluded_of, net_since

Raw = psycopg.Connection[Any]


@pytest.fixture
def anna(table: Table) -> Seated:
    return seated(table, cash=10_000, chips=5_000)


def stake(anna: Seated, table: Table, amount: int, *, hand: int = 1) -> int | None:
    return ledger.stake(
        services.stake_packed(
            hand_id=hand,
            key=f"s{next(numbers)}",
            seat_account_id=anna.seat,
            in_play_account_id=table.in_play,
            player_id=anna.player,
            amount_minor=amount,
        )
    )


def settle(anna: Seated, table: Table, staked: int, returned: int, *, hand: int = 1) -> None:
    services.round_pay(
        hand_id=hand,
        in_play_account_id=table.in_play,
        returned={anna.seat: returned},
        bank_account_id=table.bank,
        staked_total=staked,
    )


def spend_limit(anna: Seated, kind: str, most: int | None, days: int = 1) -> SpendLimit:
    return limits.spend_limit_set(
        player_id=anna.player, kind=kind, currency="EUR", window_days=days, most_minor=most
    )


def buy_in(anna: Seated, amount: int) -> None:
    services.buy_in(
        player_id=anna.player,
        seat_account_id=anna.seat,
        amount_minor=amount,
        key=f"b{next(numbers)}",
    )


def play_at(anna: Seated, **columns: Any) -> None:
    PlayerLimits.objects.filter(player_id=anna.player).update(**columns)


def test_plp_05_stakes_not_yet_settled_count_as_lost(table: Table, anna: Seated) -> None:
    spend_limit(anna, "loss", 1_000)
    stake(anna, table, 800)
    with pytest.raises(errors.LossLimitReached) as caught:
        stake(anna, table, 201)
    assert (caught.value.used_minor, caught.value.most_minor) == (800, 1_000)
    stake(anna, table, 200)


def test_what_comes_back_reopens_a_loss_limit_and_not_a_stake_limit(
    table: Table, anna: Seated
) -> None:
    spend_limit(anna, "loss", 1_000)
    spend_limit(anna, "stake", 1_500)
    stake(anna, table, 1_000)
    settle(anna, table, 1_000, 1_000)
    stake(anna, table, 500, hand=2)
    settle(anna, table, 500, 900, hand=2)
    with pytest.raises(errors.StakeLimitReached) as caught:
        stake(anna, table, 1, hand=3)
    assert (caught.value.used_minor, caught.value.most_minor) == (1_500, 1_500)


def test_a_bet_taken_back_and_a_void_round_cost_no_limit(table: Table, anna: Seated) -> None:
    spend_limit(anna, "stake", 1_000)
    stake(anna, table, 600)
    stake(anna, table, -600)
    stake(anna, table, 1_000)
    spend_limit(anna, "loss", 1_000)
    services.round_void(hand_id=1)
    assert ledger.call("ledger_spent", anna.player, "EUR", timezone.now() - timedelta(days=1)) == (
        0,
        1_000,
    )


def test_a_limit_in_one_currency_leaves_another_alone(table: Table, anna: Seated) -> None:
    limits.spend_limit_set(
        player_id=anna.player, kind="loss", currency="PLN", window_days=1, most_minor=0
    )
    stake(anna, table, 500)


def test_the_window_rolls(table: Table, anna: Seated, superuser: Raw) -> None:
    spend_limit(anna, "loss", 1_000, days=7)
    stake(anna, table, 1_000)
    settle(anna, table, 1_000, 0)
    with pytest.raises(errors.LossLimitReached):
        stake(anna, table, 1, hand=2)
    superuser.execute("UPDATE wallets_transfer SET created_at = created_at - interval '8 days'")
    stake(anna, table, 1_000, hand=2)


def test_w_06_two_stakes_at_once_do_not_share_the_room_for_one(table: Table, anna: Seated) -> None:
    spend_limit(anna, "loss", 100)
    answers = at_once([partial(stake, anna, table, 100) for _ in range(8)], threads=8)
    assert sum(isinstance(answer, int) for answer in answers) == 1
    assert sum(isinstance(answer, errors.LossLimitReached) for answer in answers) == 7


def test_chips_at_a_table_may_not_be_more_than_may_be_lost(table: Table, anna: Seated) -> None:
    """No call is ever refused, so what could be lost is bounded before the hand."""
    spend_limit(anna, "loss", 6_000)
    buy_in(anna, 1_000)
    with pytest.raises(errors.LossLimitReached):
        buy_in(anna, 1)
    services.cash_out(player_id=anna.player, seat_account_id=anna.seat, key="leave")
    buy_in(anna, 6_000)


def hand(winner: Seated, loser: Seated, table: Table, amount: int, number: int) -> None:
    services.stakes_hold(hand_id=number, seat_account_ids=[winner.seat, loser.seat])
    services.hand_pay(
        hand_id=number,
        legs_by_account={winner.seat: amount, loser.seat: -amount},
        currency="EUR",
        table_id=table.id,
    )


def test_a_hand_among_players_is_never_refused_and_the_next_one_not_dealt(
    table: Table, anna: Seated
) -> None:
    other = seated(table, chips=5_000)
    spend_limit(anna, "loss", 500)
    assert not excluded_of([anna.player, other.player])
    hand(other, anna, table, 700, 1)
    assert barred_of([anna.player, other.player]) == {anna.player: "limit_reached"}
    hand(anna, other, table, 700, 2)
    assert not barred_of([anna.player])


def test_a_reversal_takes_back_what_a_limit_counted(table: Table, anna: Seated) -> None:
    other = seated(table, chips=5_000)
    hand(other, anna, table, 700, 1)
    since = timezone.now() - timedelta(days=1)
    assert ledger.call("ledger_spent", anna.player, "EUR", since) == (700, 700)
    assert ledger.call("ledger_spent", other.player, "EUR", since) == (-700, 0)
    controlling.hand_reverse(
        approval_id=agreed(controlling.reversal_ask(hand_id=1, reason="misdeal", by=staff())),
        by=None,
    )
    assert ledger.call("ledger_spent", anna.player, "EUR", since)[0] == 0
    assert ledger.call("ledger_spent", other.player, "EUR", since)[0] == 0


def test_the_fee_for_time_is_lost_like_a_bet(table: Table, anna: Seated) -> None:
    spend_limit(anna, "loss", 10_000)
    before = balance(anna.seat)
    services.time_collect(
        table_id=table.id, seat_account_id=anna.seat, rake_account_id=table.rake,
        amount_minor=600, key="fee",
    )  # fmt: skip
    since = timezone.now() - timedelta(days=1)
    assert ledger.call("ledger_spent", anna.player, "EUR", since) == (600, 0)
    assert net_since(anna.player, since) == {"EUR": -600}
    with pytest.raises(errors.LossLimitReached):
        buy_in(anna, 10_000 - before + 1)


def test_a_jackpot_is_won_like_a_pot_and_taken_back_costs_no_limit(
    table: Table, anna: Seated
) -> None:
    other = seated(table, chips=5_000)
    hand(other, anna, table, 700, 1)
    pool = table.jackpot
    services.jackpot_seed(jackpot_account_id=pool, amount_minor=900, key="seed", actor_id=None)
    services.jackpot_award(
        jackpot_account_id=pool, awards={anna.player: 900}, currency="EUR", hand_id=1,
        key="award", actor_id=None,
    )  # fmt: skip
    since = timezone.now() - timedelta(days=1)
    assert ledger.call("ledger_spent", anna.player, "EUR", since) == (-200, 700)
    controlling.hand_reverse(
        approval_id=agreed(controlling.reversal_ask(hand_id=1, reason="misdeal", by=staff())),
        by=None,
    )
    assert ledger.call("ledger_spent", anna.player, "EUR", since)[0] == 0
    assert balance(pool) == 900


@pytest.mark.parametrize("kind", ["loss", "stake"])
def test_a_tighter_limit_counts_at_once_a_looser_one_a_day_later(
    table: Table, anna: Seated, kind: str
) -> None:
    spend_limit(anna, kind, 1_000)
    assert spend_limit(anna, kind, 400).most_minor == 400
    waiting = spend_limit(anna, kind, 2_000)
    assert (waiting.most_minor, waiting.next_minor) == (400, 2_000)
    assert waiting.next_from is not None
    assert waiting.next_from > timezone.now() + timedelta(hours=23)
    with pytest.raises((errors.LossLimitReached, errors.StakeLimitReached)):
        stake(anna, table, 401)
    day_has_come("wallets_spendlimit")
    stake(anna, table, 2_000)
    with pytest.raises((errors.LossLimitReached, errors.StakeLimitReached)):
        stake(anna, table, 1)


def test_an_ended_limit_is_none(table: Table, anna: Seated) -> None:
    spend_limit(anna, "loss", 0)
    spend_limit(anna, "loss", None)
    day_has_come("wallets_spendlimit")
    stake(anna, table, 5_000)


def test_play_time_is_counted_over_sessions(table: Table, anna: Seated) -> None:
    now = timezone.now()
    play_at(anna, playing_from=now - timedelta(hours=3), playing_last=now - timedelta(hours=2))
    stake(anna, table, 1)
    ended = PlaySession.objects.get(player_id=anna.player)
    assert ended.ended_at - ended.started_at == timedelta(hours=1)
    limits.time_limit_set(player_id=anna.player, window_days=1, most_s=5_400)
    stake(anna, table, 1)
    play_at(anna, playing_from=now - timedelta(minutes=31))
    with pytest.raises(errors.PlayTimeReached) as caught:
        stake(anna, table, 1)
    assert caught.value.most_s == 5_400
    assert 3_600 + 1_860 <= caught.value.used_s <= 3_600 + 1_900
    with pytest.raises(errors.PlayTimeReached):
        buy_in(anna, 1)
    assert barred_of([anna.player]) == {anna.player: "play_time_reached"}


def test_a_looser_time_limit_waits_too(table: Table, anna: Seated) -> None:
    limits.time_limit_set(player_id=anna.player, window_days=7, most_s=600)
    waiting = limits.time_limit_set(player_id=anna.player, window_days=7, most_s=None)
    assert (waiting.most_s, waiting.next_s) == (600, None)
    play_at(anna, playing_from=timezone.now() - timedelta(minutes=11))
    with pytest.raises(errors.PlayTimeReached):
        stake(anna, table, 1)
    day_has_come("wallets_timelimit")
    stake(anna, table, 1)


def test_a_ring_hand_is_play_too(table: Table, anna: Seated) -> None:
    PlayerLimits.objects.update(playing_last=None, playing_from=None)
    services.stakes_hold(hand_id=1, seat_account_ids=[anna.seat])
    assert PlayerLimits.objects.get(player_id=anna.player).playing_last is not None


def test_plp_07_a_reality_check_blocks_the_next_round_until_it_is_acknowledged(
    table: Table, anna: Seated
) -> None:
    limits.reality_check_set(player_id=anna.player, every_s=3_600)
    stake(anna, table, 100)
    play_at(anna, reality_from=timezone.now() - timedelta(hours=1))
    with pytest.raises(errors.RealityCheckDue):
        stake(anna, table, 1)
    assert barred_of([anna.player]) == {anna.player: "reality_check_due"}
    settle(anna, table, 100, 50)  # what runs is finished
    limits.reality_check_acknowledge(player_id=anna.player)
    stake(anna, table, 1, hand=2)


def test_a_cool_off_holds_for_its_time_and_is_never_shortened(table: Table, anna: Seated) -> None:
    week = timezone.now() + timedelta(days=7)
    with pytest.raises(errors.TermTooShort):
        limits.cool_off(player_id=anna.player, until=timezone.now() + timedelta(hours=23))
    limits.cool_off(player_id=anna.player, until=week)
    limits.cool_off(player_id=anna.player, until=timezone.now() + timedelta(hours=25))
    with pytest.raises(errors.PlayerExcluded) as caught:
        stake(anna, table, 1)
    assert caught.value.until == week
    assert services.cash_out(player_id=anna.player, seat_account_id=anna.seat, key="l") == 5_000
    limits.cool_off(player_id=anna.player, until=timezone.now() + timedelta(days=400))
    most = PlayerLimits.objects.get(player_id=anna.player).cool_off_until
    assert most is not None
    assert most < timezone.now() + timedelta(days=43)


def test_plp_06_self_exclusion_lasts_half_a_year_or_more(anna: Seated) -> None:
    with pytest.raises(errors.TermTooShort):
        limits.exclude_self(player_id=anna.player, until=timezone.now() + timedelta(days=90))
    limits.exclude_self(player_id=anna.player, until=timezone.now() + timedelta(days=183))
    assert barred_of([anna.player]) == {anna.player: "player_excluded"}


@pytest.mark.parametrize("state", ["suspended", "dormant", "closed"])
def test_an_account_that_is_not_active_only_pays_out(
    table: Table, anna: Seated, state: str
) -> None:
    limits.state_set(player_id=anna.player, state=state, by=staff(Role.COMPLIANCE), reason="x")
    for attempt in (
        partial(stake, anna, table, 1),
        partial(buy_in, anna, 1),
        partial(
            services.deposit,
            player_id=anna.player,
            amount_minor=1,
            currency="EUR",
            key="d",
            actor_id=None,
        ),
    ):
        with pytest.raises(errors.AccountNotActive) as caught:
            attempt()
        assert caught.value.state == state
    assert barred_of([anna.player]) == {anna.player: "account_not_active"}
    services.cash_out(player_id=anna.player, seat_account_id=anna.seat, key="leave")
    services.withdraw(
        player_id=anna.player, amount_minor=15_000, currency="EUR", key="w", actor_id=None
    )
    assert balance(anna.cash) == 0


def test_whether_unverified_players_play_is_the_houses_policy(table: Table, anna: Seated) -> None:
    stake(anna, table, 1)
    try:
        HousePolicy.objects.update(unverified_may_play=False)
        with pytest.raises(errors.AccountNotActive):
            stake(anna, table, 1)
        limits.state_set(
            player_id=anna.player, state="verified", by=staff(Role.ADMIN), reason="passport"
        )
        stake(anna, table, 1)
    finally:
        HousePolicy.objects.update(unverified_may_play=True)


def test_states_go_only_where_they_may_and_only_by_those_who_protect(anna: Seated) -> None:
    with pytest.raises(RoleMissing):
        limits.state_set(player_id=anna.player, state="suspended", by=staff(Role.DEALER), reason="")
    officer = staff(Role.COMPLIANCE)
    limits.state_set(player_id=anna.player, state="suspended", by=officer, reason="case 4")
    with pytest.raises(errors.StateStepRefused):
        limits.state_set(player_id=anna.player, state="verified", by=officer, reason="fine")
    with pytest.raises(errors.StateStepRefused):
        limits.state_set(player_id=anna.player, state="asleep", by=officer, reason="")


def test_out_of_a_block_it_takes_two(anna: Seated) -> None:
    officer, other = staff(Role.COMPLIANCE), staff(Role.ADMIN)
    limits.state_set(player_id=anna.player, state="suspended", by=officer, reason="case 4")
    asked = controlling.unblock_ask(
        player_id=anna.player, state="verified", reason="case closed", by=officer
    )
    with pytest.raises(ApprovalNotOpen):
        limits.account_unblock(approval_id=asked.pk, by=officer)
    approval_approve(approval_id=asked.pk, by=other)
    assert limits.account_unblock(approval_id=asked.pk, by=officer).state == "verified"
    with pytest.raises(ApprovalNotOpen):
        limits.account_unblock(approval_id=asked.pk, by=officer)


def test_a_player_may_close_his_account_and_not_open_it_again(anna: Seated) -> None:
    assert limits.account_close(player_id=anna.player).state == "closed"
    assert limits.account_close(player_id=anna.player).state == "closed"


def test_plp_11_an_idle_account_is_marked_dormant_and_keeps_its_money(
    table: Table, anna: Seated, superuser: Raw
) -> None:
    busy = seated(table, cash=1)
    assert limits.dormant_mark() == 0
    long_ago = timezone.now() - timedelta(days=366)
    User.objects.update(date_joined=long_ago)
    play_at(anna, playing_last=long_ago)
    assert limits.dormant_mark() == 0  # his money moved today
    superuser.execute(
        "UPDATE wallets_transfer t SET created_at = %s FROM wallets_leg l, wallets_account a"
        " WHERE l.transfer_id = t.id AND a.id = l.account_id AND a.player_id = %s",
        (long_ago, anna.player),
    )
    assert limits.dormant_mark() == 1
    assert PlayerLimits.objects.get(player_id=anna.player).state == "dormant"
    assert PlayerLimits.objects.get(player_id=busy.player).state == "new"
    assert balance(anna.cash) == 10_000


def test_a_limit_that_waits_is_let_in_by_two(table: Table, anna: Seated) -> None:
    officer, other = staff(Role.COMPLIANCE), staff(Role.COMPLIANCE)
    spend_limit(anna, "loss", 100)
    spend_limit(anna, "loss", 5_000)
    asked = controlling.limit_override_ask(
        player_id=anna.player,
        kind="loss",
        currency="EUR",
        window_days=1,
        reason="set by mistake",
        by=officer,
    )
    approval_approve(approval_id=asked.pk, by=other)
    limits.limit_override(approval_id=asked.pk, by=officer)
    stake(anna, table, 5_000)
    last = LimitChange.objects.filter(player_id=anna.player).latest("pk")
    assert (last.before, last.after, last.approval_id) == ("100", "5000", asked.pk)


def test_every_change_stays_on_record(anna: Seated, owner: Raw) -> None:
    spend_limit(anna, "loss", 1_000)
    spend_limit(anna, "loss", 2_000)
    limits.exclude(player_id=anna.player, until=None, by_id=None, reason="third party")
    kept = list(
        LimitChange.objects.filter(player_id=anna.player).values_list("what", "before", "after")
    )
    assert kept == [
        ("loss", "", "1000"),
        ("loss", "1000", "2000"),
        ("exclusion", "", "until lifted"),
    ]
    assert LogEntry.objects.filter(kind="limits.changed").count() == 3
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE wallets_limitchange SET after = ''")
    with pytest.raises(psycopg.Error) as caught:
        owner.execute("DELETE FROM wallets_limitchange")
    assert caught.value.sqlstate == "LG001"


def test_a_limit_needs_a_known_kind_and_window(anna: Seated) -> None:
    with pytest.raises(errors.LimitUnknown):
        spend_limit(anna, "fun", 1)
    with pytest.raises(errors.LimitUnknown):
        spend_limit(anna, "loss", 1, days=2)
    with pytest.raises(errors.InvalidAmount):
        spend_limit(anna, "loss", -1)


def test_a_limit_counts_however_it_was_written(table: Table, anna: Seated) -> None:
    SpendLimit.objects.create(
        player_id=anna.player, kind="loss", currency_id="EUR", window_days=1, most_minor=10
    )
    with pytest.raises(errors.LossLimitReached):
        stake(anna, table, 11)
