"""W-05: bonus money is staked, won, lost and given back in parts that are on record."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.utils import timezone

from casino.core.errors import RoleMissing
from casino.core.models import LogEntry, Role
from tests.wallets.conftest import (
    Seated,
    Table,
    agreed,
    balance,
    numbers,
    seated,
    staff,
)
from tests.wallets.test_api import client, eur
from wallets import bonuses, controlling, errors, ledger, limits, services
from wallets.ledger import Leg
from wallets.models import BonusGrant
from wallets.proving import ledger_check

Raw = psycopg.Connection[Any]


@pytest.fixture
def anna(table: Table) -> Seated:
    return seated(table, cash=100, chips=300)


def give(anna: Seated, amount: int = 200, **terms: Any) -> BonusGrant:
    said = {
        "player_id": anna.player,
        "currency": "EUR",
        "amount_minor": amount,
        "wager_minor": 1_000,
        "funds": "cash_first",
        "expires_at": timezone.now() + timedelta(days=7),
        "by": staff(Role.FINANCE),
        **terms,
    }
    if said["wager_minor"] >= amount:
        return bonuses.bonus_grant(**{"key": f"g{next(numbers)}", **said})
    asked = bonuses.bonus_ask(**{"reason": "a gift", **said})
    return controlling.bonus_agreed(approval_id=agreed(asked), by=None)


def fund(anna: Seated) -> int:
    found = bonuses.fund_of(player_id=anna.player, currency="EUR")
    assert found is not None
    return found.account_id


def stake(anna: Seated, table: Table, amount: int, hand: int = 1, key: str = "") -> int | None:
    return ledger.stake(
        services.stake_packed(
            hand_id=hand,
            key=key or f"s{next(numbers)}",
            seat_account_id=anna.seat,
            in_play_account_id=table.in_play,
            player_id=anna.player,
            amount_minor=amount,
            bonus_account_id=fund(anna),
        )
    )


def pay(anna: Seated, table: Table, staked: int, back: int, hand: int = 1, **more: Any) -> None:
    services.round_pay(
        hand_id=hand,
        in_play_account_id=table.in_play,
        returned={anna.seat: back},
        bank_account_id=table.bank,
        staked_total=staked,
        **more,
    )


def parts(anna: Seated) -> tuple[int, int]:
    return balance(anna.seat), balance(fund(anna))


def test_w_05_own_money_is_staked_first_and_winnings_come_back_in_the_same_split(
    table: Table, anna: Seated
) -> None:
    give(anna)
    stake(anna, table, 400)
    assert parts(anna) == (0, 100)
    pay(anna, table, 400, 801)
    assert parts(anna) == (601, 300)  # 3 : 1, the odd unit his own
    assert ledger_check().ok


def test_bonus_money_is_staked_first_when_the_grant_says_so(table: Table, anna: Seated) -> None:
    give(anna, funds="bonus_first")
    stake(anna, table, 250)
    assert parts(anna) == (250, 0)
    pay(anna, table, 250, 0)
    assert parts(anna) == (250, 0)


def test_w_05_a_void_restores_each_part(table: Table, anna: Seated) -> None:
    grant = give(anna)
    stake(anna, table, 400)
    services.round_void(hand_id=1)
    assert parts(anna) == (300, 200)
    assert bonuses.wagered(grant) == 0


def test_a_bet_taken_back_returns_what_was_used_last(table: Table, anna: Seated) -> None:
    give(anna)
    stake(anna, table, 400)
    stake(anna, table, -150)
    assert parts(anna) == (50, 200)
    stake(anna, table, -250)
    assert (parts(anna), balance(table.in_play)) == ((300, 200), 0)


def test_a_repeated_bet_is_the_same_bet_though_the_money_has_moved(
    table: Table, anna: Seated
) -> None:
    give(anna)
    first = stake(anna, table, 400, key="k")
    assert stake(anna, table, 400, key="k") == first
    assert parts(anna) == (0, 100)
    with pytest.raises(errors.KeyReused):
        stake(anna, table, 50, key="k")


def test_more_than_both_is_refused(table: Table, anna: Seated) -> None:
    give(anna)
    with pytest.raises(errors.InsufficientFunds):
        stake(anna, table, 501)
    stake(anna, table, 500)


def test_the_most_bet_counts_when_bonus_money_plays(table: Table, anna: Seated) -> None:
    give(anna, most_bet_minor=320)
    stake(anna, table, 300)
    stake(anna, table, 20)
    with pytest.raises(errors.BonusBetTooLarge) as caught:
        stake(anna, table, 1)
    assert (caught.value.asked_minor, caught.value.most_minor) == (321, 320)
    assert parts(anna) == (0, 180)


def test_the_most_bet_counts_for_own_money_in_a_round_in_which_bonus_money_plays(
    table: Table, anna: Seated
) -> None:
    give(anna, 50, funds="bonus_first", most_bet_minor=60)
    stake(anna, table, 50)
    with pytest.raises(errors.BonusBetTooLarge) as caught:
        stake(anna, table, 250)  # all of it his own
    assert (caught.value.asked_minor, caught.value.most_minor) == (300, 60)
    stake(anna, table, 10)
    assert (parts(anna), balance(table.in_play)) == ((290, 0), 60)
    stake(anna, table, 250, hand=2)  # no bonus money plays there
    stake(anna, table, -60)
    with pytest.raises(errors.BonusBetTooLarge):
        stake(anna, table, 61)
    assert ledger_check().ok


def test_w_05_settled_rounds_count_by_their_weight_and_a_reversal_counts_back(
    table: Table, anna: Seated
) -> None:
    grant = give(anna)
    stake(anna, table, 100)
    pay(anna, table, 100, 100)
    stake(anna, table, 100, hand=2)
    pay(anna, table, 100, 0, hand=2, weight_bp=2_500)
    assert bonuses.wagered(grant) == 125
    asked = controlling.reversal_ask(hand_id=1, reason="misdeal", by=staff())
    controlling.hand_reverse(approval_id=agreed(asked), by=None)
    assert bonuses.wagered(grant) == 25


def test_a_reversed_stake_of_bonus_money_is_bonus_money_again(table: Table, anna: Seated) -> None:
    give(anna, funds="bonus_first")
    stake(anna, table, 200)
    pay(anna, table, 200, 0)
    asked = controlling.reversal_ask(hand_id=1, reason="misdeal", by=staff())
    controlling.hand_reverse(approval_id=agreed(asked), by=None)
    assert (parts(anna), balance(anna.cash)) == ((300, 200), 100)


def test_a_wagered_bonus_becomes_the_players_own(table: Table, anna: Seated) -> None:
    grant = give(anna, wager_minor=300)
    stake(anna, table, 299)
    pay(anna, table, 299, 299)
    assert bonuses.bonuses_due() == 0
    stake(anna, table, 1, hand=2)
    pay(anna, table, 1, 2, hand=2)
    assert bonuses.bonuses_due() == 1
    assert bonuses.bonuses_due() == 0
    grant.refresh_from_db()
    assert (grant.status, balance(anna.cash)) == ("won", 300)
    assert bonuses.fund_of(player_id=anna.player, currency="EUR") is None


def test_a_bonus_that_is_won_is_the_players_though_he_gives_it_up(
    table: Table, anna: Seated
) -> None:
    grant = give(anna, wager_minor=300)
    stake(anna, table, 300)
    pay(anna, table, 300, 300)
    assert bonuses.bonus_forfeit(player_id=anna.player, grant_id=grant.pk).status == "won"
    assert balance(anna.cash) == 300
    with pytest.raises(errors.BonusEnded):
        bonuses.bonus_forfeit(player_id=anna.player, grant_id=grant.pk)


def test_an_expired_bonus_goes_back_and_so_does_what_returns_later(
    table: Table, anna: Seated, superuser: Raw
) -> None:
    grant = give(anna, funds="bonus_first")
    account = fund(anna)
    stake(anna, table, 150)
    superuser.execute("UPDATE wallets_bonusgrant SET expires_at = now() - interval '1 s'")
    assert bonuses.fund_of(player_id=anna.player, currency="EUR") is None
    assert bonuses.bonuses_due() == 1
    grant.refresh_from_db()
    assert (grant.status, balance(account)) == ("expired", 0)
    pay(anna, table, 150, 300)
    assert (balance(account), balance(anna.seat)) == (0, 300)
    adjustments = ledger.account_open(purpose="adjustments", currency="EUR")
    assert balance(adjustments) == 150  # what the bonus won is the house's as well
    assert ledger_check().ok


def test_a_bonus_is_not_won_by_play_after_its_time(
    table: Table, anna: Seated, superuser: Raw
) -> None:
    grant, account = give(anna, wager_minor=300), fund(anna)
    stake(anna, table, 299)
    pay(anna, table, 299, 299)
    stake(anna, table, 1, hand=2)
    superuser.execute("UPDATE wallets_bonusgrant SET expires_at = now() - interval '1 s'")
    pay(anna, table, 1, 2, hand=2)
    assert bonuses.bonuses_due() == 1
    grant.refresh_from_db()
    assert (grant.status, balance(account), balance(anna.cash)) == ("expired", 0, 100)
    assert ledger_check().ok


def test_a_bonus_is_given_up_once_and_only_by_its_owner(table: Table, anna: Seated) -> None:
    grant = give(anna)
    with pytest.raises(errors.BonusEnded):
        bonuses.bonus_forfeit(player_id=seated(table).player, grant_id=grant.pk)
    assert bonuses.bonus_forfeit(player_id=anna.player, grant_id=grant.pk).status == "forfeited"
    with pytest.raises(errors.BonusEnded):
        bonuses.bonus_forfeit(player_id=anna.player, grant_id=grant.pk)


def test_a_bonus_is_given_once_per_key_and_one_at_a_time(anna: Seated) -> None:
    by, until = staff(Role.FINANCE), timezone.now() + timedelta(days=1)
    first = give(anna, key="welcome", by=by, expires_at=until)
    assert give(anna, key="welcome", by=by, expires_at=until).pk == first.pk
    with pytest.raises(errors.BonusActive):
        give(anna)
    with pytest.raises(RoleMissing):
        give(anna, by=staff(Role.DEALER))
    with pytest.raises(errors.InvalidAmount):
        give(anna, 0)


def test_plp_06_nobody_who_is_kept_from_play_is_given_a_bonus(anna: Seated) -> None:
    terms = {"key": "g", "by": staff(Role.FINANCE),
        "expires_at": timezone.now() + timedelta(days=7)}  # fmt: skip
    first = give(anna, **terms)
    limits.cool_off(player_id=anna.player, until=timezone.now() + timedelta(days=2))
    assert give(anna, **terms).pk == first.pk  # asked for again, not given again
    bonuses.bonus_forfeit(player_id=anna.player, grant_id=first.pk)
    for wager_minor in (1_000, 0):  # by one person, by two
        with pytest.raises(errors.PlayerExcluded) as caught:
            give(anna, wager_minor=wager_minor)
        assert caught.value.until is not None
    limits.exclude_self(player_id=anna.player, until=None)
    with pytest.raises(errors.PlayerExcluded) as caught:
        give(anna)
    assert caught.value.until is None
    assert BonusGrant.objects.count() == 1
    assert ledger_check().ok


def test_a_key_gives_one_bonus_with_one_entry_in_the_log_and_the_terms_it_was_asked_with(
    anna: Seated,
) -> None:
    terms = {"key": "g", "by": staff(Role.FINANCE), "most_bet_minor": 60,
        "expires_at": timezone.now() + timedelta(days=7)}  # fmt: skip
    first = give(anna, **terms)
    assert give(anna, **terms).pk == first.pk
    assert LogEntry.objects.filter(kind="bonus.granted").count() == 1
    later = timezone.now() + timedelta(days=8)
    for field, other in (
        ("wager_minor", 1_001), ("most_bet_minor", None), ("funds", "bonus_first"),
        ("expires_at", later),
    ):  # fmt: skip
        with pytest.raises(errors.KeyReused) as caught:
            give(anna, **{**terms, field: other})
        assert caught.value.field == field


@pytest.mark.parametrize("outcome", ["given", "given up", "won"])
def test_a_bonus_begins_and_ends_with_its_entry_in_the_log_or_not_at_all(
    anna: Seated, monkeypatch: pytest.MonkeyPatch, outcome: str
) -> None:
    grant = None
    if outcome != "given":
        grant = give(anna, wager_minor=0 if outcome == "won" else 1_000)

    def deed() -> None:
        if grant is None:
            give(anna)
        elif outcome == "won":
            bonuses.bonuses_due()
        else:
            bonuses.bonus_forfeit(player_id=anna.player, grant_id=grant.pk)

    class Killed(Exception):
        pass

    def dies(*entry: Any) -> None:
        raise Killed

    monkeypatch.setattr(bonuses, "log", dies)
    with pytest.raises(Killed):
        deed()
    found = bonuses.fund_of(player_id=anna.player, currency="EUR")
    assert (found and found.balance_minor) == (None if grant is None else 200)
    assert balance(anna.cash) == 100


@pytest.mark.parametrize("target", ["cash", "seat"])
def test_bonus_money_plays_only_against_the_house(anna: Seated, target: str) -> None:
    give(anna)
    for kind in ("buy_in", "withdrawal", "test"):
        with pytest.raises((errors.BonusNotForThat, errors.KindNotForThat)):
            ledger.post(
                key=f"x{next(numbers)}",
                kind=kind,
                legs=[Leg(fund(anna), -50), Leg(getattr(anna, target), 50)],
            )


def test_the_terms_of_a_bonus_stay(anna: Seated, owner: Raw) -> None:
    give(anna)
    for change in ("wager_minor = 0", "amount_minor = 9", "status = 'active'"):
        with pytest.raises(psycopg.Error) as caught:
            owner.execute(f"UPDATE wallets_bonusgrant SET {change}")
        assert caught.value.sqlstate == "LG034"
    with pytest.raises(psycopg.Error):
        owner.execute("DELETE FROM wallets_bonusgrant")


def test_a_player_sees_his_bonus_and_may_give_it_up(table: Table, anna: Seated) -> None:
    grant = give(anna)
    stake(anna, table, 100)
    pay(anna, table, 100, 0)
    door = client(anna.player)
    (seen,) = door.get("/api/v1/wallet/bonuses").json()["bonuses"]
    assert (seen["given"], seen["wagered"], seen["status"]) == (eur(200), eur(100), "active")
    path = f"/api/v1/wallet/bonuses/{grant.pk}/forfeit"
    assert (
        client(seated(table).player).post(path, headers={"Idempotency-Key": "a"}).status_code == 409
    )
    for _ in range(2):
        given_up = door.post(path, headers={"Idempotency-Key": "k"})
        assert (given_up.status_code, given_up.json()["status"]) == (200, "forfeited")
