"""What programs outside are told of hands and jackpots."""

from collections.abc import Sequence

from casino.core import webhooks
from casino.core.models import Webhook
from tables.engine.protocol import Event
from tables.models import Hand, JackpotHit


def hand_told(hand: Hand, events: Sequence[Event]) -> None:
    """A hand is paid, and perhaps hits a jackpot; inside the settlement's transaction."""
    seats = hand.seats.items()
    nets = (hand.result or {}).get("nets_minor", {})
    players = [facts["player"] for _, facts in seats]
    facts = {
        "hand": hand.pk,
        "number": hand.number,
        "table": hand.table_id,
        "game": hand.game,
        "nets_minor": {seat: nets.get(seat, 0) for seat, _ in seats},
    }
    webhooks.tell(Webhook.Kind.HAND_SETTLED, str(hand.pk), players, facts)
    for told in events:
        if told.type == "jackpot_hit":
            hit = told.public
            more = {"hit": hit["hit"], "hand": hand.pk, "table": hand.table_id,
                    "kind": hit["kind"], "amount_minor": hit["amount_minor"]}  # fmt: skip
            webhooks.tell(Webhook.Kind.JACKPOT_HIT, str(hit["hit"]), players, more)


def jackpot_told(hit: JackpotHit) -> None:
    """A jackpot is paid."""
    players = [int(player) for player, minor in hit.shares.items() if minor]
    facts = {"hit": hit.pk, "hand": hit.hand_id, "kind": hit.kind,
             "amount_minor": hit.amount_minor}  # fmt: skip
    webhooks.tell(Webhook.Kind.JACKPOT_PAID, str(hit.pk), players, facts)
