"""Players' money in an operator's wallet: it is here only while it is at a table.

A debit is asked for before a buy-in, a credit gives back what is cash again. The amount waits in a
pending transfer until the operator has answered, so it can be neither played with nor lost. A debit
whose answer does not come is rolled back, under the same id, until the operator says so; a credit
is asked again until he has taken it. No call is sent inside a database transaction: what was asked
is written down before, so a process that dies in between leaves a row that another one finds.
Source: docs/operator_wallet.md.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic
from uuid import UUID, uuid4

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models.functions import Now
from django.utils import timezone

from casino.core.log import log
from casino.core.models import User
from wallets import errors, ledger
from wallets.ledger import Leg
from wallets.models import (
    MOST_MINOR,
    PLAY_MONEY,
    Account,
    OperatorCall,
    OperatorPlayer,
    Purpose,
    Transfer,
)
from wallets.operators import OK, REFUSED, TIMEOUT_S, UNSURE, Answer, Asked, Port, configured

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=20)
"""Longer than a call may take: until then nobody else sends it."""
SETTLED_IN = timedelta(seconds=30)
"""So long after a debit cash is left alone: its buy-in is under way."""
AFTER_REFUSAL = timedelta(hours=1)
"""A credit that was refused is not offered again sooner; the money is the player's cash here."""
WAIT_FIRST_S, WAIT_MOST_S = 5, 600
AT_ONCE = 50
PROBLEM_MOST = 200

STATUS, WAY = OperatorCall.Status, OperatorCall.Way
OPEN = (STATUS.ASKED, STATUS.UNDOING)


def player_link(*, player: User, reference: str, by: User | None = None) -> OperatorPlayer:
    """Say that a player's money stands in the operator's wallet, and what he is called there."""
    with transaction.atomic():
        made = OperatorPlayer.objects.create(player=player, reference=reference)
        log("operator.player", f"user:{player.pk}", by, {})
    return made


@contextmanager
def brought(*, player_id: int, currency: str, amount_minor: int, key: str) -> Iterator[None]:
    """The body buys in with money that is fetched from the operator's wallet first.

    Nothing is fetched for a player whose money is here, and no play money: that is of this house
    alone. If the body is refused the money goes back.
    Raises OperatorRefused, OperatorUnsure, and as `fetch`.
    """
    port = configured()
    held = None if port is None else OperatorPlayer.objects.filter(player_id=player_id).first()
    if port is None or held is None or currency == PLAY_MONEY or amount_minor < 1:
        yield
        return
    fetch(port=port, held=held, currency=currency, amount_minor=amount_minor, key=key)
    try:
        yield
    except Exception:
        give_back(held=held, currency=currency)
        raise


def fetch(
    *, port: Port, held: OperatorPlayer, currency: str, amount_minor: int, key: str
) -> OperatorCall:
    """Debit the operator's wallet; the money is the player's cash here afterwards.

    key: once per key; a repeat after a success fetches nothing, unless what was bought with it was
    refused and the money has gone back since. Raises OperatorRefused, OperatorUnsure (rolled back,
    or another call of this key is under way), PlayerExcluded, AccountNotActive, InvalidAmount.
    """
    if not 1 <= amount_minor <= MOST_MINOR:
        raise errors.InvalidAmount(repr(amount_minor))
    known = _known(key)
    while known is not None:
        if known.status != STATUS.DONE:
            raise errors.OperatorUnsure
        if not _has_gone_back(known):
            return known
        key = f"{key.partition('#')[0]}#{known.pk}"
        known = _known(key)
    try:
        call = _set_aside(held, currency, WAY.IN, amount_minor, key)
    except IntegrityError as error:  # the same request a moment ago
        raise errors.OperatorUnsure from error
    answer = port.debit(asked_of(call, held))
    ended(call.pk, answer)
    if answer.status == REFUSED:
        raise errors.OperatorRefused(answer.reason, answer.balance_minor)
    if answer.status != OK:
        call_sent(call.pk, port)
        raise errors.OperatorUnsure
    call.refresh_from_db()
    if call.status != STATUS.DONE:  # it took longer than anybody waits, and is being rolled back
        raise errors.OperatorUnsure
    return call


def _known(key: str) -> OperatorCall | None:
    return OperatorCall.objects.filter(key=key, status__in=(*OPEN, STATUS.DONE)).first()


def _has_gone_back(call: OperatorCall) -> bool:
    """Whether a debit's money is at no table and has been set aside for the operator again."""
    if Transfer.objects.filter(key=call.key.partition("#")[0], kind="buy_in").exists():
        return False
    later = OperatorCall.objects.filter(
        player_id=call.player_id, currency_id=call.currency_id, way=WAY.OUT,
        made_at__gt=call.made_at,
    )  # fmt: skip
    return later.exclude(status=STATUS.REFUSED).exists()


def give_back(*, held: OperatorPlayer, currency: str) -> OperatorCall | None:
    """Set all of a player's cash aside for the operator's wallet; None if there is none."""
    cash = Account.objects.filter(
        purpose=Purpose.CASH, currency_id=currency, player_id=held.player_id
    ).first()
    if cash is None or cash.balance_minor <= 0:
        return None
    try:
        key = f"home:{cash.pk}:{cash.last_leg_id}"
        return _set_aside(held, currency, WAY.OUT, cash.balance_minor, key)
    except (IntegrityError, errors.InsufficientFunds):  # somebody else was quicker
        return None


def _set_aside(
    held: OperatorPlayer, currency: str, way: OperatorCall.Way, amount_minor: int, key: str
) -> OperatorCall:
    """Write down what is to be asked, with its money in a pending transfer. Nobody else sends it
    before its lease is over."""
    player = held.player_id
    with transaction.atomic():
        operator = ledger.account_open(purpose=Purpose.OPERATOR, currency=currency)
        pending = ledger.account_open(purpose=Purpose.PENDING, currency=currency, player_id=player)
        cash = ledger.account_open(purpose=Purpose.CASH, currency=currency, player_id=player)
        source, target = (operator, cash) if way == WAY.IN else (cash, operator)
        call_id = uuid4()
        posted = ledger.pend(
            key=f"operator:{call_id}",
            kind=f"operator_{way.value}",
            legs=[Leg(source, -amount_minor), Leg(pending, amount_minor)],
            intent=[Leg(pending, -amount_minor), Leg(target, amount_minor)],
            actor=player,
        )
        assert posted.transfer_id is not None
        transfer = Transfer.objects.get(pk=posted.transfer_id)
        return OperatorCall.objects.create(
            id=call_id,
            player_id=player,
            currency_id=currency,
            way=way,
            amount_minor=amount_minor,
            key=key,
            transfer=transfer,
            next_at=Now() + (LEASE if way == WAY.IN else timedelta()),
        )


def asked_of(call: OperatorCall, held: OperatorPlayer) -> Asked:
    return Asked(call.pk, held.reference, call.currency_id, call.amount_minor)


@transaction.atomic
def ended(call_id: UUID, answer: Answer, *, to_rollback: bool = False) -> str:
    """Do what an answer says, once; what the call is then. to_rollback: what was answered.

    A debit nobody can be sure of is to be rolled back, and an OK that comes for it later changes
    that no more. A credit nobody can be sure of is asked again.
    """
    call = OperatorCall.objects.select_for_update().get(pk=call_id)
    if call.status not in OPEN or to_rollback != (call.status == STATUS.UNDOING):
        return str(call.status)
    if to_rollback:
        status = STATUS.UNDONE if answer.status == OK else STATUS.UNDOING
    elif answer.status == OK:
        status = STATUS.DONE
    elif answer.status == REFUSED:
        status = STATUS.REFUSED
    else:
        status = STATUS.UNDOING if call.way == WAY.IN else STATUS.ASKED
    if status in OPEN:
        wait_s = min(WAIT_MOST_S, WAIT_FIRST_S * 2 ** min(call.attempts, 10))
        call.problem = f"{answer.status}: {answer.reason}"[:PROBLEM_MOST]
        call.next_at = timezone.now() + timedelta(seconds=wait_s)
        call.attempts += 1
    else:
        ledger.resolve(
            key=f"operator:{call.pk}:{status}",
            transfer_id=call.transfer_id,
            outcome="post" if status == STATUS.DONE else "void",
        )
        call.problem = answer.reason[:PROBLEM_MOST]
        call.ended_at = timezone.now()
    call.status = status
    call.save(update_fields=["status", "attempts", "next_at", "problem", "ended_at"])
    return str(status)


def call_sent(call_id: UUID, port: Port) -> str:
    """Send what a call is waiting for: a rollback of a debit, a credit again; what it is then.

    A debit that was asked and not answered, by a process that has died, is rolled back.
    """
    call = OperatorCall.objects.select_related("player__operator").get(pk=call_id)
    asked = asked_of(call, call.player.operator)
    if call.status not in OPEN:
        return str(call.status)
    if call.way == WAY.OUT:
        return ended(call_id, port.credit(asked))
    if call.status == STATUS.ASKED:
        status = ended(call_id, Answer(UNSURE, "nobody waits for its answer any more"))
        if status != STATUS.UNDOING:  # its answer has been written down just now
            return status
    return ended(call_id, port.rollback(asked), to_rollback=True)


def calls_due(port: Port) -> int:
    """Send every call whose time has come, each under a lease; how many were sent.

    A wallet that hangs is waited for no longer than the lease holds: the rest comes back with it.
    """
    ends_at = monotonic() + LEASE.total_seconds() - 2 * TIMEOUT_S
    with transaction.atomic():
        due = list(
            OperatorCall.objects.select_for_update(skip_locked=True)
            .filter(status__in=OPEN, next_at__lte=Now())
            .order_by("next_at")[:AT_ONCE]
            .values_list("pk", flat=True)
        )
        OperatorCall.objects.filter(pk__in=due).update(next_at=Now() + LEASE)
    sent = 0
    for call_id in due:
        if monotonic() > ends_at:
            break
        sent += 1
        try:
            call_sent(call_id, port)
        except (errors.WalletError, DatabaseError):
            # One call that cannot be ended may not stop those behind it; its lease brings it back.
            logger.exception("call %s to the operator's wallet", call_id)
    return sent


def homeward() -> int:
    """Set aside for the operator's wallet what his players have as cash here; how many of them."""
    found = 0
    fresh = OperatorCall.objects.filter(made_at__gt=Now() - SETTLED_IN, way=WAY.IN)
    refused = OperatorCall.objects.filter(
        ended_at__gt=Now() - AFTER_REFUSAL, way=WAY.OUT, status=STATUS.REFUSED
    )
    cash = (
        Account.objects.filter(
            purpose=Purpose.CASH, balance_minor__gt=0, player__operator__isnull=False
        )
        .exclude(player_id__in=fresh.values("player_id"))
        .exclude(player_id__in=refused.values("player_id"))
        .exclude(currency_id=PLAY_MONEY)
    )
    for account in cash.select_related("player__operator")[:AT_ONCE]:
        assert account.player is not None
        try:
            call = give_back(held=account.player.operator, currency=account.currency_id)
        except (errors.WalletError, DatabaseError):  # nobody else's money waits for his
            logger.exception("cash of player %s for the operator's wallet", account.player_id)
            continue
        found += call is not None
    return found


def kept() -> None:
    """What runs every few seconds where an operator's wallet stands in for ours."""
    port = configured()
    if port is not None:
        homeward()
        calls_due(port)
