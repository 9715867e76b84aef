"""Players, tables and moves for tests of the run-time."""

from typing import Any
from uuid import uuid4

from django.db import connection

from casino.core.models import User
from tables import beliefs
from tables.models import Hand, Table
from tables.services import acting, dealing, expiring, seating, settling
from wallets import services as wallets

CURRENCY = "EUR"
HOLDEM = {"limit": "no_limit", "big_blind_minor": 100}
LIMITS = {"least_minor": 100, "most_minor": 10_000, "step_minor": 100}
THREE_CARD = {
    "limits": {"ante": LIMITS, "pair_plus": LIMITS, "six_card": LIMITS},
    "paytables": {
        "ante_bonus": {"straight_flush": 5, "three_of_a_kind": 4, "straight": 1},
        "pair_plus": {
            "straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": 4, "pair": 1,
        },
        "six_card": {
            "royal_flush": 1000, "straight_flush": 200, "four_of_a_kind": 50, "full_house": 25,
            "flush": 15, "straight": 10, "three_of_a_kind": 5,
        },
    },
}  # fmt: skip


def player(name: str, cash_minor: int = 100_000) -> User:
    user = User.objects.create_user(username=name, password=None, display_name=name)
    wallets.deposit(
        player_id=user.pk,
        amount_minor=cash_minor,
        currency=CURRENCY,
        key=f"deposit:{name}",
        actor_id=None,
    )
    return user


def table(game: str = "holdem", options: dict[str, Any] | None = None, **facts: Any) -> Table:
    made = Table.objects.create(
        name=facts.pop("name", game),
        game=game,
        options=HOLDEM if options is None else options,
        currency=CURRENCY,
        buy_in_least_minor=100,
        buy_in_most_minor=100_000,
        **facts,
    )
    made.accounts = wallets.table_accounts_open(table_id=made.pk, currency=CURRENCY)
    made.save(update_fields=["accounts"])
    return made


def three_card_table(float_minor: int = 100_000_000, **facts: Any) -> Table:
    """float_minor: what the bank holds for the worst of its rounds."""
    made = table("three_card_poker", THREE_CARD, min_players=1, max_seats=7, **facts)
    wallets.table_float(
        bank_account_id=made.accounts["bank"],
        amount_minor=float_minor,
        key=f"float:{made.pk}",
        actor_id=None,
    )
    return made


def seated(at: Table, *players: User, chips_minor: int = 10_000) -> None:
    for who in players:
        seating.seat_take(
            table_id=at.pk, player=who, seat=None, buy_in_minor=chips_minor, key=f"sit:{who.pk}"
        )


def dealt(at: Table) -> Hand:
    hand = dealing.hand_open(table_id=at.pk, number=beliefs.read(at.pk).hand_number + 1)
    assert hand is not None
    return hand


def move(at: Table, who: User | None = None, **action: Any) -> acting.Acted:
    """An action of the awaited player, or of `who`, meant for the window that is open now."""
    belief = beliefs.read(at.pk)
    if who is None:
        assert belief.seats is not None
        seat = belief.hand().waiting[0]
        player_id = belief.seats[str(seat)]["player"]
    else:
        player_id = who.pk
    return acting.act(
        table_id=at.pk,
        player_id=player_id,
        action_id=uuid4(),
        turn_id=belief.turn_id,
        action=action,
    )


def played_out(at: Table) -> Hand:
    """Call and check the hand down, then settle it."""
    hand_id = None
    while not (belief := beliefs.read(at.pk)).finished:
        hand = belief.hand()
        names = {choice["name"] for choice in hand.legal(hand.waiting[0])}
        move(at, name="check" if "check" in names else "call")
        hand_id = belief.hand_id
    assert belief.hand_id == hand_id
    assert hand_id is not None
    settling.hand_settle(table_id=at.pk, hand_id=hand_id)
    return Hand.objects.get(pk=hand_id)


def clock_to(at: Table, ms_before_now: int, *, claimed: bool = True) -> None:
    """Put the deadline of the window in play that far into the past (negative: the future).

    claimed: as if the clock had found it due already.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tables_table SET deadline = clock_timestamp() - %s * interval '1 ms',"
            " claimed = CASE WHEN %s THEN 'expire:' || turn_id ELSE '' END WHERE id = %s",
            [ms_before_now, claimed, at.pk],
        )


def pulses_at(ms_before_now: int, *kinds: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tables_pulse SET at = clock_timestamp() - %s * interval '1 ms'"
            " WHERE kind = ANY(%s)",
            [ms_before_now, list(kinds or ("web", "clock"))],
        )


def run_out(at: Table) -> Hand:
    """Let the time of every window pass until the hand in play is over, not settled yet."""
    while not (belief := beliefs.read(at.pk)).finished:
        clock_to(at, 5_000)
        assert expiring.turn_expire(table_id=at.pk, turn_id=belief.turn_id)
    return Hand.objects.get(pk=belief.hand_id)
