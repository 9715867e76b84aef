"""What protects a player at the tables, through his own door: requirement by requirement."""

import random
from typing import Any

import pytest

from tables import beliefs, jobs
from tables.models import Hand, Seat, Table
from tables.services import dealing, expiring, settling
from tests import cast
from tests.cast import Person
from tests.tables.dealing_cast import clock_to
from wallets import limits
from wallets import services as wallets
from wallets.models import Transfer
from wallets.selectors import wallet

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "send", lambda *task: True)


@pytest.fixture
def three_card() -> Table:
    return cast.three_card_table()


@pytest.fixture
def ann() -> Person:
    return cast.person("Ann")


def bet(who: Person, at: Table, ante: int = 500) -> Any:
    turn = beliefs.read(at.pk).turn_id
    return who.client.act(at, turn, {"name": "bet", "wagers": {"ante": ante}})


def played(at: Table) -> Hand:
    """Let the round that runs come to its end, and settle it."""
    hand = Hand.objects.get(pk=beliefs.read(at.pk).hand_id)
    while not beliefs.read(at.pk).finished:
        clock_to(at, 1_000)
        expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    return hand


def next_deal(at: Table) -> Hand | None:
    return dealing.hand_open(table_id=at.pk, number=beliefs.read(at.pk).hand_number + 1)


def code_of(response: Any) -> tuple[int, str]:
    return response.status_code, response.json().get("code", "")


def test_plp_01_every_table_and_cashier_answer_carries_the_balance_of_the_ledger(
    three_card: Table, ann: Person
) -> None:
    ann.sits(three_card, 10_000)
    assert next_deal(three_card)
    for _ in range(2):
        seen = ann.sees(three_card)
        (purse,) = wallet(ann.user.pk)
        assert (seen["table"]["currency"], seen["table"]["exponent"]) == ("EUR", 2)
        assert seen["you"]["money"] == {
            "cash_minor": purse.cash_minor, "bonus_minor": purse.bonus_minor,
        }  # fmt: skip
        assert seen["hand"]["view"]["spots"][0]["stack_minor"] == purse.tables_minor[three_card.pk]
        shown = ann.client.read("wallet").json()["purses"][0]
        assert shown["cash"]["amount_minor"] == purse.cash_minor
        assert bet(ann, three_card).status_code == 200


@pytest.mark.parametrize("kind", ["loss", "stake"])
def test_plp_05_a_limit_is_kept_at_every_bet(three_card: Table, ann: Person, kind: str) -> None:
    ann.sits(three_card, 10_000)
    body = {"kind": kind, "currency": "EUR", "window_days": 1, "most_minor": 2_000}
    assert ann.client.put("/api/v1/wallet/limits", body, format="json").status_code == 200
    assert next_deal(three_card)
    assert bet(ann, three_card, 1_000).status_code == 200  # and as much in reserve
    assert code_of(bet(ann, three_card, 1_100)) == (409, f"{kind}_limit_reached")
    played(three_card)
    answer = ann.client.send(f"tables/{three_card.pk}/top-ups", {"amount_minor": 2_000})
    refused = {"loss": (409, "loss_limit_reached"), "stake": (200, "")}
    assert code_of(answer) == refused[kind]  # chips brought may be lost; staked they are not yet


def test_plp_05_bringing_chips_is_held_against_the_loss_limit(
    three_card: Table, ann: Person
) -> None:
    body = {"kind": "loss", "currency": "EUR", "window_days": 7, "most_minor": 3_000}
    assert ann.client.put("/api/v1/wallet/limits", body, format="json").status_code == 200
    sits = {"buy_in_minor": 3_100}
    answer = ann.client.send(f"tables/{three_card.pk}/seats", sits)
    assert code_of(answer) == (409, "loss_limit_reached")
    ann.sits(three_card, 3_000)
    answer = ann.client.send(f"tables/{three_card.pk}/top-ups", {"amount_minor": 100})
    assert code_of(answer) == (409, "loss_limit_reached")


def test_plp_06_an_excluded_player_neither_sits_bets_nor_is_dealt_in_and_cashes_out(
    three_card: Table, ann: Person
) -> None:
    other = cast.three_card_table(name="another")
    bob = cast.person("Bob")
    for who in (ann, bob):
        who.sits(three_card)
    assert next_deal(three_card)
    assert bet(ann, three_card).status_code == 200
    answer = ann.client.send("wallet/exclusion", {"months": None}, key=None)
    assert answer.status_code == 200, answer.content
    assert code_of(bet(ann, three_card, 600)) == (403, "player_excluded")
    answer = ann.client.send(f"tables/{other.pk}/seats", {"buy_in_minor": 1_000})
    assert code_of(answer) == (403, "player_excluded")
    answer = ann.client.send(f"tables/{three_card.pk}/top-ups", {"amount_minor": 100})
    assert code_of(answer) == (403, "player_excluded")
    played(three_card)  # the round he was in is finished by the rules
    following = next_deal(three_card)
    assert following is not None
    assert [seat["name"] for seat in following.seats.values()] == ["Bob"]
    assert ann.client.send(f"tables/{three_card.pk}/leave").json()["left"] is True
    answer = ann.client.send(
        "wallet/withdrawals", {"amount_minor": ann.cash_minor(), "currency": "EUR"}
    )
    assert answer.status_code == 201, answer.content


def test_plp_07_a_reality_check_stops_the_next_round_and_never_a_hand_in_play(
    three_card: Table, ann: Person
) -> None:
    ann.sits(three_card)
    limits.reality_check_set(player_id=ann.user.pk, every_s=60)
    assert next_deal(three_card)
    assert bet(ann, three_card).status_code == 200
    row = ann.user.limits  # type: ignore[attr-defined]
    row.reality_from = row.reality_from.replace(year=2020)
    row.save()
    clock_to(three_card, 1_000)
    expiring.turn_expire(table_id=three_card.pk, turn_id=beliefs.read(three_card.pk).turn_id)
    turn = beliefs.read(three_card.pk).turn_id
    assert ann.client.act(three_card, turn, {"name": "play"}).status_code == 200
    hand = Hand.objects.get(pk=beliefs.read(three_card.pk).hand_id)
    settling.hand_settle(table_id=three_card.pk, hand_id=hand.pk)
    assert next_deal(three_card) is None
    assert ann.client.read("wallet/session").json()["barred"] == "reality_check_due"
    answer = ann.client.send("wallet/reality-check/acknowledge", {}, key=None)
    assert answer.status_code == 200, answer.content
    assert next_deal(three_card) is not None


def test_plp_08_chips_are_bought_only_when_the_player_says_so(
    three_card: Table, ann: Person
) -> None:
    ann.sits(three_card, 1_000)
    assert next_deal(three_card)
    assert bet(ann, three_card, 500).status_code == 200
    played(three_card)
    bought = list(Transfer.objects.filter(kind="buy_in").values_list("key", flat=True))
    while next_deal(three_card) is not None:
        turn = bet(ann, three_card, 500)
        played(three_card)
        if turn.status_code != 200:
            break
    assert list(Transfer.objects.filter(kind="buy_in").values_list("key", flat=True)) == bought
    assert "top_up" not in {field.name for field in Seat._meta.get_fields()}


def test_w_01_every_task_delivered_three_times_and_out_of_order_pays_once(
    three_card: Table, ann: Person
) -> None:
    bob = cast.person("Bob")
    for who in (ann, bob):
        who.sits(three_card)
    dice = random.Random(5)
    for number in range(1, 6):
        assert dealing.hand_open(table_id=three_card.pk, number=number)
        for who in (ann, bob):
            assert bet(who, three_card).status_code == 200
        hand = Hand.objects.get(table=three_card, number=number)
        turns = []
        while not beliefs.read(three_card.pk).finished:
            clock_to(three_card, 1_000)
            turns.append(beliefs.read(three_card.pk).turn_id)
            tasks: list[tuple[Any, dict[str, int]]] = [
                (expiring.turn_expire, {"table_id": three_card.pk, "turn_id": turn})
                for turn in turns
            ] * 3
            tasks += [
                (settling.hand_settle, {"table_id": three_card.pk, "hand_id": hand.pk}),
                (dealing.hand_open, {"table_id": three_card.pk, "number": number}),
            ] * 3
            dice.shuffle(tasks)
            for task, facts in tasks:
                task(**facts)
            if Hand.objects.get(pk=hand.pk).status == Hand.Status.SETTLED:
                break
        for _ in range(3):
            settling.hand_settle(table_id=three_card.pk, hand_id=hand.pk)
        assert Transfer.objects.filter(hand_id=hand.pk, kind="settle").count() == 1
        assert Transfer.objects.filter(hand_id=hand.pk, kind="stake").count() == 2
    in_play = three_card.accounts["in_play"]
    assert wallets.balances_of(account_ids=[in_play])[in_play] == 0


def test_w_02_every_chip_at_a_table_is_a_ledger_balance_and_their_sum_stands_still(
    three_card: Table, ann: Person
) -> None:
    def on_the_table() -> int:
        accounts = list(three_card.accounts.values())
        accounts += three_card.seats.values_list("account_id", flat=True)
        return sum(wallets.balances_of(account_ids=accounts).values())

    ann.sits(three_card)
    stood = on_the_table()
    assert next_deal(three_card)
    for ante in (500, 900, 700):
        assert bet(ann, three_card, ante).status_code == 200
        assert on_the_table() == stood
    played(three_card)
    assert on_the_table() == stood
    left = ann.client.send(f"tables/{three_card.pk}/leave").json()
    assert on_the_table() == stood - left["paid_out_minor"]
