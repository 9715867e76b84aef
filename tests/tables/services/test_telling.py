"""What programs outside are told of a visit to a table: chips, hands, and a limit that is met."""

import json
from typing import Any

import pytest

from casino.core.boxes import lock
from casino.core.models import User, Webhook, WebhookMessage
from tables import beliefs
from tables.services import seating, settling
from tests.tables.dealing_cast import dealt, move, player, seated, table
from wallets import services as wallets
from wallets.errors import LossLimitReached

pytestmark = pytest.mark.django_db


def told(owner: User) -> list[dict[str, Any]]:
    rows = WebhookMessage.objects.filter(webhook__owner=owner).order_by("pk")
    return [json.loads(row.body) for row in rows]


def listens(owner: User) -> None:
    Webhook.objects.create(
        owner=owner, url="https://example.org/", kinds=Webhook.Kind.values,
        secret=lock(b"whsec_AAAA", "webhook"),
    )  # fmt: skip


def test_a_visit_is_told_as_it_happens() -> None:
    ann, bob = player("Ann"), player("Bob")
    listens(ann)
    holdem = table()
    seated(holdem, ann, bob, chips_minor=5_000)
    hand = dealt(holdem)
    move(holdem, name="fold")
    assert beliefs.read(holdem.pk).finished
    settling.hand_settle(table_id=holdem.pk, hand_id=hand.pk)
    settling.hand_settle(table_id=holdem.pk, hand_id=hand.pk)
    seating.seat_leave(table_id=holdem.pk, player=ann)
    messages = told(ann)
    assert [each["type"] for each in messages] == [
        "chips.bought", "hand.settled", "chips.cashed_out",
    ]  # fmt: skip
    bought, settled, left = (each["data"] for each in messages)
    assert (bought["amount_minor"], bought["table"]) == (5_000, holdem.pk)
    assert settled["hand"] == hand.pk
    assert sum(settled["nets_minor"].values()) == 0
    assert left["amount_minor"] == 5_000 + settled["nets_minor"]["1"]


def test_a_limit_that_is_met_is_told_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = player("Ann")
    listens(ann)

    @wallets.tells_limits
    def refused() -> None:
        raise LossLimitReached(ann.pk, 500, 9_800, 10_000, 1)

    for _ in range(3):
        with pytest.raises(LossLimitReached):
            refused()
    assert [each["type"] for each in told(ann)] == ["limit.reached"]
    assert told(ann)[0]["data"] == {"player": ann.pk, "code": "loss_limit_reached"}
