"""Players' protection: writing the limits. The ledger's SQL checks them, in the money's own
transaction; a stricter limit counts at once, a looser one a day later, and every change stays
on record."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db import connection, transaction
from django.utils import timezone

from casino.core.approvals import approval_execute
from casino.core.log import log
from casino.core.models import LogEntry, Role, User
from casino.core.services import role_require
from wallets import errors
from wallets.errors import InvalidAmount, LimitStillBinding
from wallets.gaming_day import policy
from wallets.models import (
    MOST_MINOR,
    Currency,
    DepositLimit,
    LimitChange,
    PlayerLimits,
    SpendLimit,
    TimeLimit,
    Window,
)

WindowLimit = TypeVar("WindowLimit", DepositLimit, SpendLimit)

LOOSER_AFTER = timedelta(hours=24)
COOL_OFF = (timedelta(hours=24), timedelta(days=42))
EXCLUSION_LEAST = timedelta(days=182)
REALITY_CHECK_LEAST_S = 60
MOST_S = 2**31 - 1

State = PlayerLimits.State
# Who may take an account from one state to another. Out of a house's own block, and back from
# a closed account, only by an approval.
PROTECTORS = (Role.COMPLIANCE, Role.ADMIN)
STEPS: Mapping[str, frozenset[str]] = {
    State.NEW: frozenset({State.VERIFIED, State.SUSPENDED, State.DORMANT, State.CLOSED}),
    State.VERIFIED: frozenset({State.NEW, State.SUSPENDED, State.DORMANT, State.CLOSED}),
    State.DORMANT: frozenset({State.NEW, State.VERIFIED, State.SUSPENDED, State.CLOSED}),
    State.SUSPENDED: frozenset({State.CLOSED}),
    State.CLOSED: frozenset(),
}
UNBLOCK, REACHED = "wallet.unblock", "limits.reached"


@transaction.atomic
def exclude(
    *, player_id: int, until: datetime | None, by_id: int | None = None, reason: str = ""
) -> PlayerLimits:
    """Exclude a player from play now; `until` None: until the house lifts it.

    He keeps his money and can cash out. An exclusion that runs is only ever extended.
    """
    limits = _limits_lock(player_id)
    before = _exclusion(limits)
    if until is None:
        limits.self_excluded = True
    elif limits.excluded_until is None or until > limits.excluded_until:
        limits.excluded_until = until
    limits.save()
    _record(player_id, "exclusion", before, _exclusion(limits), by_id=by_id, reason=reason)
    return limits


def exclude_self(*, player_id: int, until: datetime | None) -> PlayerLimits:
    """A player's own exclusion, half a year or more. Raises TermTooShort."""
    if until is not None and until < timezone.now() + EXCLUSION_LEAST:
        raise errors.TermTooShort(f"{EXCLUSION_LEAST.days} days")
    return exclude(player_id=player_id, until=until, by_id=player_id)


@transaction.atomic
def exclusion_lift(*, player_id: int, by_id: int | None = None, reason: str = "") -> PlayerLimits:
    """End an exclusion without a date. Raises LimitStillBinding while one with a date runs."""
    limits = _limits_lock(player_id)
    if limits.excluded_until is not None and limits.excluded_until > timezone.now():
        raise LimitStillBinding(player_id, limits.excluded_until)
    before = _exclusion(limits)
    limits.self_excluded = False
    limits.save()
    _record(player_id, "exclusion", before, _exclusion(limits), by_id=by_id, reason=reason)
    return limits


@transaction.atomic
def cool_off(*, player_id: int, until: datetime) -> PlayerLimits:
    """A player's pause of a day to six weeks; it is never shortened. Raises TermTooShort."""
    least, most = COOL_OFF
    now = timezone.now()
    if until < now + least - timedelta(minutes=1):
        raise errors.TermTooShort("24 hours")
    limits = _limits_lock(player_id)
    before = limits.cool_off_until
    limits.cool_off_until = max(min(until, now + most), before or now)
    limits.save()
    _record(player_id, "cool_off", before, limits.cool_off_until, by_id=player_id)
    return limits


@transaction.atomic
def reality_check_set(*, player_id: int, every_s: int | None) -> PlayerLimits:
    """How often play pauses until the player has seen time and result; None: never."""
    if every_s is not None and every_s < REALITY_CHECK_LEAST_S:
        raise errors.TermTooShort(f"{REALITY_CHECK_LEAST_S} s")
    limits = _limits_lock(player_id)
    before = limits.reality_check_s
    limits.reality_check_s = every_s
    limits.reality_from = limits.reality_from or timezone.now()
    limits.save()
    _record(player_id, "reality_check", before, every_s, by_id=player_id)
    return limits


@transaction.atomic
def reality_check_acknowledge(*, player_id: int) -> PlayerLimits:
    """The player has seen how long he played and what it cost: play goes on."""
    limits = _limits_lock(player_id)
    limits.reality_from = timezone.now()
    limits.save()
    return limits


@transaction.atomic
def deposit_limit_set(
    *,
    player_id: int,
    currency: str,
    window_days: int,
    most_minor: int | None,
    by_id: int | None = None,
) -> DepositLimit:
    """Set the most a player may pay in within 1, 7 or 30 days; None: no limit any more.

    A first or lower limit counts at once. A higher one, or none, counts after 24 hours; the
    answer's `next_from` says when. Raises InvalidAmount, LimitUnknown, UnknownCurrency.
    """
    return _window_limit_set(
        DepositLimit, "deposit", player_id, currency, window_days, most_minor, by_id
    )


@transaction.atomic
def spend_limit_set(
    *,
    player_id: int,
    kind: str,
    currency: str,
    window_days: int,
    most_minor: int | None,
    by_id: int | None = None,
) -> SpendLimit:
    """Set the most a player may lose or stake; as deposit_limit_set()."""
    if kind not in SpendLimit.Kind.values:
        raise errors.LimitUnknown("kind", str(kind))
    return _window_limit_set(
        SpendLimit, kind, player_id, currency, window_days, most_minor, by_id, kind=kind
    )


def _window_limit_set(
    of: type[WindowLimit],
    subject: str,
    player_id: int,
    currency: str,
    window_days: int,
    most_minor: int | None,
    by_id: int | None,
    **which: str,
) -> WindowLimit:
    """Set one limit of a window, and put it on record as `subject`."""
    _window(window_days)
    _whole(most_minor)
    _currency(currency)
    _limits_lock(player_id)
    now = timezone.now()
    limit, _ = of.objects.get_or_create(
        player_id=player_id,
        currency_id=currency,
        window_days=window_days,
        **which,
        defaults={"most_minor": MOST_MINOR, "next_from": now},
    )
    before = limit_in_force(limit, now)
    limit.most_minor, limit.next_minor, limit.next_from = _set(
        limit.most_minor, before, most_minor, now
    )
    limit.save()
    _record(
        player_id, subject, before, most_minor, currency=currency, window_days=window_days,
        effective_at=limit.next_from, by_id=by_id or player_id,
    )  # fmt: skip
    return limit


@transaction.atomic
def time_limit_set(
    *, player_id: int, window_days: int, most_s: int | None, by_id: int | None = None
) -> TimeLimit:
    """Set the longest a player may play; as deposit_limit_set(), in seconds."""
    _window(window_days)
    _whole(most_s, MOST_S)
    _limits_lock(player_id)
    now = timezone.now()
    limit, _ = TimeLimit.objects.get_or_create(
        player_id=player_id,
        window_days=window_days,
        defaults={"most_s": MOST_S, "next_from": now},
    )
    before = time_in_force(limit, now)
    limit.most_s, limit.next_s, limit.next_from = _set(limit.most_s, before, most_s, now)
    limit.save()
    _record(
        player_id, "time", before, most_s, window_days=window_days,
        effective_at=limit.next_from, by_id=by_id or player_id,
    )  # fmt: skip
    return limit


@transaction.atomic
def limit_override(*, approval_id: int, by: User | None) -> None:
    """Let a looser limit count at once, as an approval of kind `limit.override` says.

    Its payload: {player, kind: deposit|loss|stake|time, currency, window_days}. What had been
    asked for and was waiting is what begins to count. Raises as approval_execute(), LimitUnknown.
    """
    approval = approval_execute(approval_id=approval_id, kind="limit.override", by=by)
    asked: dict[str, Any] = approval.payload
    now = timezone.now()
    _limits_lock(asked["player"])
    where: dict[str, Any] = {"player_id": asked["player"], "window_days": asked["window_days"]}
    kind = asked["kind"]
    model: type[DepositLimit] | type[SpendLimit] | type[TimeLimit] = TimeLimit
    if kind != "time":
        where["currency_id"] = asked["currency"]
        model = DepositLimit if kind == "deposit" else SpendLimit
    if model is SpendLimit:
        where["kind"] = kind
    waiting = model.objects.filter(**where, next_from__gt=now)
    limit = waiting.first()
    if limit is None:
        raise errors.LimitUnknown("kind", kind)
    waiting.update(next_from=now)
    before = limit.most_s if isinstance(limit, TimeLimit) else limit.most_minor
    after = limit.next_s if isinstance(limit, TimeLimit) else limit.next_minor
    _record(
        asked["player"], kind, before, after, currency=asked.get("currency") or "",
        window_days=asked["window_days"], by_id=None if by is None else by.pk,
        reason=approval.reason, approval_id=approval_id,
    )  # fmt: skip


@transaction.atomic
def state_set(*, player_id: int, state: str, by: User, reason: str) -> PlayerLimits:
    """Take a player's account to another state. Raises RoleMissing, StateStepRefused."""
    role_require(by, PROTECTORS)
    return _state_step(player_id, state, by_id=by.pk, reason=reason, allowed=STEPS)


def account_close(*, player_id: int) -> PlayerLimits:
    """A player closes his account: no deposit, no bet; what he has stays his to take out."""
    own = {state: steps & {State.CLOSED} for state, steps in STEPS.items()}
    return _state_step(player_id, State.CLOSED, by_id=player_id, reason="", allowed=own)


@transaction.atomic
def account_unblock(*, approval_id: int, by: User | None) -> PlayerLimits:
    """Open a suspended or closed account again, as an approval of kind `wallet.unblock` says.

    Its payload: {player, state}. Raises as approval_execute(), StateStepRefused.
    """
    approval = approval_execute(approval_id=approval_id, kind=UNBLOCK, by=by)
    opened = frozenset({State.NEW, State.VERIFIED})
    return _state_step(
        approval.payload["player"],
        approval.payload["state"],
        by_id=None if by is None else by.pk,
        reason=approval.reason,
        allowed={State.SUSPENDED: opened, State.CLOSED: opened},
        approval_id=approval_id,
    )


def dormant_mark() -> int:
    """Mark accounts nobody has used for the policy's time; their money stays where it is.

    Used means signed in, played or moved money. Returns how many were marked.
    """
    since = timezone.now() - timedelta(days=policy().dormant_after_days)
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT l.player_id FROM wallets_playerlimits l JOIN core_user u ON u.id = l.player_id
                WHERE l.state IN ('new', 'verified') AND NOT u.is_house
                    AND greatest(u.last_login, u.date_joined, l.playing_last) < %(since)s
                    AND NOT EXISTS (
                        SELECT FROM wallets_account a
                            JOIN wallets_leg g ON g.id = a.last_leg_id
                            JOIN wallets_transfer t ON t.id = g.transfer_id
                            WHERE a.player_id = l.player_id AND t.created_at >= %(since)s
                    )
                ORDER BY l.player_id
            """,
            {"since": since},
        )
        idle = [player for (player,) in cursor.fetchall()]
    for player_id in idle:
        _state_step(player_id, State.DORMANT, by_id=None, reason="", allowed=STEPS)
    return len(idle)


def limit_in_force(limit: DepositLimit | SpendLimit, now: datetime) -> int | None:
    """The figure that counts at that time; None when the limit has ended."""
    if limit.next_from is not None and limit.next_from <= now:
        return limit.next_minor
    return limit.most_minor


def time_in_force(limit: TimeLimit, now: datetime) -> int | None:
    """As limit_in_force(), in seconds."""
    if limit.next_from is not None and limit.next_from <= now:
        return limit.next_s
    return limit.most_s


def _set(
    most: int, binding: int | None, asked: int | None, now: datetime
) -> tuple[int, int | None, datetime | None]:
    """What a limit holds when `asked` is set: the most, the next, and from when that counts."""
    if asked is not None and (binding is None or asked <= binding):
        return asked, None, None
    if binding is None:
        return most, None, now
    return binding, asked, now + LOOSER_AFTER


def _window(window_days: int) -> None:
    if window_days not in Window.values:
        raise errors.LimitUnknown("window_days", str(window_days))


def _currency(currency: str) -> None:
    if not Currency.objects.filter(pk=currency).exists():
        raise errors.UnknownCurrency(currency)


def _whole(most: object, top: int = MOST_MINOR) -> None:
    if most is not None and (type(most) is not int or not 0 <= most <= top):
        raise InvalidAmount(repr(most))


def _exclusion(limits: PlayerLimits) -> str:
    return "until lifted" if limits.self_excluded else _words(limits.excluded_until)


def _words(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    return "" if value is None else str(value)


@transaction.atomic
def _state_step(
    player_id: int,
    state: str,
    *,
    by_id: int | None,
    reason: str,
    allowed: Mapping[str, frozenset[str]],
    approval_id: int | None = None,
) -> PlayerLimits:
    limits = _limits_lock(player_id)
    before = limits.state
    if state == before:
        return limits
    if state not in allowed.get(before, frozenset()):
        raise errors.StateStepRefused(before, state)
    limits.state = State(state)
    limits.save()
    _record(player_id, "state", before, state, by_id=by_id, reason=reason, approval_id=approval_id)
    return limits


def _record(
    player_id: int,
    what: str,
    before: object,
    after: object,
    *,
    by_id: int | None,
    currency: str = "",
    window_days: int | None = None,
    effective_at: datetime | None = None,
    reason: str = "",
    approval_id: int | None = None,
) -> None:
    change = LimitChange.objects.create(
        player_id=player_id,
        what=what,
        currency=currency,
        window_days=window_days,
        before=_words(before),
        after=_words(after),
        effective_at=effective_at or timezone.now(),
        by_id=by_id,
        reason=reason,
        approval_id=approval_id,
    )
    facts = {
        "what": what, "before": change.before, "after": change.after, "currency": currency,
        "window_days": window_days, "approval": approval_id, "change": change.pk,
    }  # fmt: skip
    log("limits.changed", f"user:{player_id}", by_id, facts)


def _limits_lock(player_id: int) -> PlayerLimits:
    PlayerLimits.objects.get_or_create(player_id=player_id)
    return PlayerLimits.objects.select_for_update(no_key=True).get(player_id=player_id)


def reached_note(*, player_id: int, code: str) -> None:
    """Tell the log that a player was refused for a limit of his: of each limit once a day."""
    subject, since = f"user:{player_id}", timezone.now() - timedelta(days=1)
    told = LogEntry.objects.filter(subject=subject, kind=REACHED, at__gt=since, facts__code=code)
    if not told.exists():
        log(REACHED, subject, None, {"code": code})
