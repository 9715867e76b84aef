"""What a table's screens show between hands: its last results, and figures of its recent play.

All of it is public: the results and last views of settled hands, as everybody saw them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tables.errors import TableNotFound
from tables.frames import instant
from tables.models import Hand, Table
from tables.selectors import database_now, one_moment

COUNTED_MOST = 60
"""Hands that the figures are of: the last of the hour."""
LISTED = 8
HOUR_S = 3600


@one_moment()
def figures(table_id: int) -> dict[str, Any]:
    """The last results of a table, newest first, and figures of its hands of the last hour.

    Amounts are minor units of the table's currency. Raises TableNotFound.
    """
    if not Table.objects.filter(pk=table_id).exists():
        raise TableNotFound(table_id)
    now = database_now()
    settled = Hand.objects.filter(table_id=table_id, status=Hand.Status.SETTLED)
    hands = list(
        settled.order_by("-number").values("pk", "number", "settled_at", "result")[:COUNTED_MOST]
    )
    views = dict(
        settled.filter(pk__in=[hand["pk"] for hand in hands[:LISTED]]).values_list(
            "pk", "final_view"
        )
    )
    recent = [
        hand
        for hand in hands
        if hand["settled_at"] is not None and (now - hand["settled_at"]).total_seconds() < HOUR_S
    ]
    return {
        "table": table_id,
        "at": instant(now),
        "last": [_line(hand, views[hand["pk"]] or {}) for hand in hands[:LISTED]],
        "recent": _recent(recent, now),
    }


def put_in_minor(result: Mapping[str, Any]) -> int:
    """What was played for: all pots of a hand, or all wagers of a round against the house."""
    if "staked_minor" in result:
        return sum(result["staked_minor"].values())
    return sum(pot["amount_minor"] for pot in result["pots"])


def won_minor(result: Mapping[str, Any]) -> dict[str, int]:
    """By seat, what it was given: of the pots, or by the house with its own stake back."""
    if "returned_minor" in result:
        return {seat: minor for seat, minor in result["returned_minor"].items() if minor}
    won: dict[str, int] = {}
    for pot in result["pots"]:
        for seat, minor in pot["awards"].items():
            won[seat] = won.get(seat, 0) + minor
    return won


def _line(hand: Mapping[str, Any], view: Mapping[str, Any]) -> dict[str, Any]:
    result = hand["result"]
    line = {
        "hand_id": hand["pk"],
        "number": hand["number"],
        "at": None if hand["settled_at"] is None else instant(hand["settled_at"]),
        "amount_minor": put_in_minor(result),
        "won_minor": won_minor(result),
        "hand": None,
    }
    dealer = view.get("dealer")
    if dealer is not None:
        line["dealer"] = {
            name: dealer.get(name) for name in ("cards", "qualifies", "class", "words")
        }
    elif result.get("showdown") and line["won_minor"]:
        best = max(line["won_minor"], key=lambda seat: line["won_minor"][seat])
        line["hand"] = _shown(view.get("shown", {}).get(best))
    return line


def _shown(shown: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """What the hand that won most is called, by its class and the ranks that name it."""
    if not shown:
        return None
    boards = shown.get("boards") or [shown]
    side = boards[0].get("high") or boards[0].get("low")
    if side is None:
        return None
    return {name: side[name] for name in ("class", "ranks", "words") if name in side}


def _recent(hands: Sequence[Mapping[str, Any]], now: Any) -> dict[str, Any] | None:
    """None where nothing was settled in the last hour."""
    if not hands:
        return None
    results = [hand["result"] for hand in hands]
    amounts = [put_in_minor(result) for result in results]
    span_s = max(60.0, (now - hands[-1]["settled_at"]).total_seconds())
    most = max(range(len(hands)), key=lambda place: amounts[place])
    return {
        "hands": len(hands),
        "span_s": round(span_s),
        "average_minor": sum(amounts) // len(amounts),
        "most_minor": amounts[most],
        "most_number": hands[most]["number"],
        "shown": sum(bool(result.get("showdown", True)) for result in results),
    }
