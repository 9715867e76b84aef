"""Jackpots of ring games: terms by version, hits locked with the hand, verified, then paid.

A hit is found and its amount set aside in the transaction that settles its hand, so hits come in
the order of settlement, at whatever tables. Source: docs/rules/jackpots.md 4.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import Max, Q
from django.db.models.functions import Now

from casino.core import approvals
from casino.core.errors import NameTaken
from casino.core.log import log
from casino.core.models import Role, User
from casino.core.services import pit_require, role_require
from tables import costs
from tables.engine.poker.jackpots import (
    WHOLE,
    Beat,
    Terms,
    bad_beat,
    read_terms,
    shares,
)
from tables.engine.protocol import Event
from tables.errors import HitNotOpen, JackpotNotPossible, ReasonMissing
from tables.models import Hand, Jackpot, JackpotHit, JackpotTerms, Table
from tables.services import counting, high_hands, rotating, telling
from tables.services.seating import table_locked
from tables.services.writing import event
from wallets import services as wallets

KEEPERS = (Role.FINANCE, Role.ADMIN)
JUDGES = (Role.PIT_MANAGER, Role.FINANCE, Role.ADMIN)
AWARD = "jackpot.award"
UNDONE = "the hand was undone"
WENT_BACK = "the hand was undone, what was paid went back with it"
Kind, Status = JackpotHit.Kind, JackpotHit.Status


# Terms and tables


@transaction.atomic
def jackpot_open(
    *, name: str, tables: Sequence[int], terms: Mapping[str, Any], by: User | None = None
) -> Jackpot:
    """Open a jackpot for tables of one currency, seeded as its terms say.

    From then on the drop of these tables goes to it. Raises RoleMissing, NameTaken, BadOptions,
    JackpotNotPossible.
    """
    if by is not None:
        role_require(by, KEEPERS)
    read = read_terms(terms)
    chosen = list(Table.objects.filter(pk__in=tables).order_by("pk"))
    if not chosen or len({table.currency for table in chosen}) != 1:
        raise JackpotNotPossible("a jackpot is of one table or more, all of one currency")
    if taken := [table.name for table in chosen if table.jackpot_id is not None]:
        raise JackpotNotPossible(f"{', '.join(taken)}: has a jackpot already")
    home = chosen[0]
    try:
        with transaction.atomic():
            jackpot = Jackpot.objects.create(
                name=name.strip(), currency=home.currency, account_id=home.accounts["jackpot"]
            )
    except IntegrityError as error:
        raise NameTaken("name") from error
    for table in chosen:
        _attach(jackpot, table.pk)
    version = _terms_add(jackpot, terms, by)
    _seeded(jackpot, read.seed_minor, f"jackpot:{jackpot.pk}:seed:{version.pk}", by)
    log("jackpot.opened", f"jackpot:{jackpot.pk}", by, {"tables": [t.pk for t in chosen]})
    return jackpot


@transaction.atomic
def terms_change(*, jackpot_id: int, terms: Mapping[str, Any], by: User) -> JackpotTerms:
    """New terms, for hands that begin from now on. Raises RoleMissing, BadOptions."""
    role_require(by, KEEPERS)
    read_terms(terms)
    jackpot = Jackpot.objects.select_for_update().get(pk=jackpot_id)
    return _terms_add(jackpot, terms, by)


def _terms_add(jackpot: Jackpot, terms: Mapping[str, Any], by: User | None) -> JackpotTerms:
    last = jackpot.terms.aggregate(last=Max("version"))["last"] or 0
    version = jackpot.terms.create(version=last + 1, content=dict(terms), by=by)
    log("jackpot.terms", f"jackpot:{jackpot.pk}", by, {"version": version.version})
    return version


def _attach(jackpot: Jackpot, table_id: int) -> None:
    """Lead a table's drop to the jackpot; what was dropped there before comes along."""
    with table_locked(table_id) as locked:
        table = locked.table
        if table.hand_id is not None or table.jackpot_id is not None:
            raise JackpotNotPossible(f"{table} is in a hand, or has a jackpot already")
        check_shows(table)
        own, account = table.accounts["jackpot"], jackpot.account_id
        if own != account and wallets.balances_of(account_ids=[own])[own]:
            raise JackpotNotPossible(f"{table} has a jackpot account of its own with money in it")
        table.jackpot, table.accounts = jackpot, {**table.accounts, "jackpot": account}
        table.save(update_fields=["jackpot", "accounts"])
        locked.events.append(event("jackpot_moved", **facts(table)))


def check_shows(table: Table) -> None:
    """Whether every hand of a showdown is shown, whatever is dealt. Raises JackpotNotPossible."""
    for dealt in rotating.every_game(table):
        if dealt.game.family != "poker" or dealt.options.get("auto_muck", True):
            raise JackpotNotPossible(
                f"{table} must show every hand of a showdown: set auto_muck to false"
            )


def facts(table: Table) -> dict[str, Any]:
    return {"jackpot": costs.jackpot(table)}


# Drops and hits


def dropped(table: Table, drop_minor: int) -> None:
    """Count what a settled hand has given."""
    _counted(table.accounts["jackpot"], dropped=drop_minor)


def _counted(account_id: int, **minor: int) -> None:
    moved = {"dropped": 0, "seeded": 0, "paid": 0, **minor}
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO tables_jackpotmeter AS m
                (account_id, dropped_minor, seeded_minor, paid_minor)
                VALUES (%(account)s, %(dropped)s, %(seeded)s, %(paid)s)
                ON CONFLICT (account_id) DO UPDATE SET
                    dropped_minor = m.dropped_minor + EXCLUDED.dropped_minor,
                    seeded_minor = m.seeded_minor + EXCLUDED.seeded_minor,
                    paid_minor = m.paid_minor + EXCLUDED.paid_minor
            """,
            {**moved, "account": account_id},
        )


def locked(table: Table) -> Jackpot | None:
    """The table's jackpot, locked before any money moves, so that hits come one after another."""
    if table.jackpot_id is None:
        return None
    return Jackpot.objects.select_for_update().get(pk=table.jackpot_id)


def hand_judged(table: Table, hand: Hand) -> list[Event]:
    """Look whether a hand that is just paid hits the table's jackpot; what to tell.

    Rows of table and jackpot are locked.
    """
    if table.jackpot is None or hand.result is None or hand.final_view is None:
        return []
    jackpot = table.jackpot
    version = high_hands.terms_of(jackpot, hand)
    told: list[Event] = []
    if version is not None:
        terms = read_terms(version.content)
        told += _beat_looked_for(jackpot, version, terms, hand)
        told += high_hands.looked_for(jackpot, version, terms, hand)
    if told or hand.result.get("drop_minor"):
        told.append(event("jackpot_moved", **facts(table)))
    return told


def _beat_looked_for(
    jackpot: Jackpot, version: JackpotTerms, terms: Terms, hand: Hand
) -> list[Event]:
    if terms.bad_beat is None:
        return []
    beat = bad_beat(terms.bad_beat, hand.game, hand.final_view or {}, hand.result or {})
    if beat is None:
        return []
    # The high hand of a time that is over was hit before this one, though no clock has said so yet.
    high_hands.over_locked(jackpot)
    amount = costs.meter_minor(jackpot) * terms.bad_beat.pays_bp // WHOLE
    if amount <= 0:
        return []
    by_seat = shares(terms.bad_beat, beat, amount)
    hit = JackpotHit.objects.create(
        jackpot=jackpot, terms=version, kind=Kind.BAD_BEAT, hand=hand, status=Status.LOCKED,
        words=beat.words[:120], amount_minor=amount, shares=_by_player(hand, by_seat),
    )  # fmt: skip
    log("jackpot.locked", f"hit:{hit.pk}", None, {"kind": hit.kind, "minor": amount})
    return [_hit_told(hit, beat, by_seat)]


def _by_player(hand: Hand, by_seat: Mapping[int, int]) -> dict[str, int]:
    return {str(hand.seats[str(seat)]["player"]): minor for seat, minor in by_seat.items()}


def _hit_told(hit: JackpotHit, beat: Beat, by_seat: Mapping[int, int]) -> Event:
    return event(
        "jackpot_hit",
        hit=hit.pk,
        kind=hit.kind,
        amount_minor=hit.amount_minor,
        words=hit.words,
        losers=list(beat.losers),
        winners=list(beat.winners),
        shares_minor={str(seat): minor for seat, minor in by_seat.items()},
    )


# Verifying and paying


@transaction.atomic
def hit_confirm(*, hit_id: int, by: User, reason: str = "verified") -> JackpotHit:
    """A person of the house has verified a hit: it is paid, or a second one is asked: over a size,
    and of who has set the terms himself, always.

    Raises RoleMissing, PitNotYours, HitNotOpen.
    """
    role_require(by, JUDGES)
    hit = _open(hit_id)
    pit_require(by, hit.hand.table.pit)
    if approvals.is_open(hit.approval_id):
        raise HitNotOpen(hit_id, "a second person is asked already")
    is_large = hit.amount_minor > read_terms(hit.terms.content).two_persons_over_minor
    if is_large or hit.terms.by_id == by.pk:
        asked = approvals.approval_ask(
            kind=AWARD,
            subject=f"hit:{hit.pk}",
            payload={"hit": hit.pk, "hand": hit.hand_id, "amount_minor": hit.amount_minor},
            reason=reason,
            by=by,
        )
        hit.approval_id = asked.pk
        hit.save(update_fields=["approval_id"])
        return hit
    return _paid(hit, by)


@transaction.atomic
def hit_agreed(*, approval_id: int, by: User | None) -> JackpotHit:
    """The second person agrees: the hit is paid. Raises HitNotOpen, ApprovalNotOpen."""
    hit_held(approvals.approval_get(approval_id, kind=AWARD).payload["hit"])
    approval = approvals.approval_execute(approval_id=approval_id, kind=AWARD, by=by)
    return _paid(_open(approval.payload["hit"]), by)


@transaction.atomic
def hit_refuse(*, hit_id: int, by: User, reason: str) -> JackpotHit:
    """The hit does not stand; its amount is in the meter again.

    Of a high hand's time the next best hand takes its place. Raises RoleMissing, PitNotYours,
    HitNotOpen, ReasonMissing.
    """
    role_require(by, JUDGES)
    if not reason.strip():
        raise ReasonMissing
    hit = _open(hit_id)
    pit_require(by, hit.hand.table.pit)
    if approvals.is_open(hit.approval_id):
        approvals.approval_reject(approval_id=hit.approval_id, by=by, note=reason)
    _decided(hit, Status.REFUSED, by, reason.strip())
    log("jackpot.refused", f"hit:{hit.pk}", by, {"reason": reason.strip()})
    if hit.kind == Kind.HIGH_HAND:
        high_hands.led_again(hit)
    _tell(hit, event("jackpot_refused", hit=hit.pk, reason=reason.strip()))
    return hit


def hits_fall(hand: Hand, by: User | None) -> list[JackpotHit]:
    """A hand is undone: what it has hit falls, also what was paid. Returns the hits.

    The money of a paid hit goes back with the hand's own. The table's row is locked, no money of
    the hand has moved yet. Source: docs/rules/jackpots.md 4.4 and 4.5.
    """
    falling = JackpotHit.objects.filter(
        hand=hand, status__in=(Status.LEADING, Status.LOCKED, Status.PAID)
    )
    # Whoever decides a hit holds its jackpot: what he has done counts, and he sees what falls. The
    # table's own, to which the hand's drop went, is held before any money of it moves.
    concerned = Q(pk__in=falling.values("jackpot")) | Q(tables=hand.table_id)
    held = Jackpot.objects.filter(pk__in=Jackpot.objects.filter(concerned).values("pk"))
    list(held.order_by("pk").select_for_update())
    fallen = list(falling.select_related("jackpot", "terms").order_by("pk"))
    for hit in fallen:
        if approvals.is_open(hit.approval_id):
            approvals.approval_void(approval_id=hit.approval_id, by=by, note=UNDONE)
        was_paid = hit.status == Status.PAID
        _decided(hit, Status.REFUSED, by, WENT_BACK if was_paid else UNDONE)
        facts = {"reason": UNDONE, "minor": hit.amount_minor}
        log(f"jackpot.{'returned' if was_paid else 'refused'}", f"hit:{hit.pk}", by, facts)
    return fallen


def gone_back_minor(fallen: Sequence[JackpotHit]) -> int:
    """What was paid of hits that fell with their hand."""
    return sum(hit.amount_minor for hit in fallen if hit.note == WENT_BACK)


def made_whole(hand: Hand, by: User | None) -> None:
    """An undone hand's drop has gone back to its players: what other hits have locked is there
    still, for the house puts in what that lacks."""
    jackpot = Table.objects.select_related("jackpot").get(pk=hand.table_id).jackpot
    if jackpot is not None:
        _seeded(jackpot, -costs.meter_minor(jackpot), f"hand:{hand.pk}:undone:seed", by)


def after_fall(table: Table, hand: Hand, fallen: Sequence[JackpotHit]) -> list[Event]:
    """The money of an undone hand has gone back: who wins in its place; what to tell."""
    for hit in fallen:
        if hit.kind == Kind.HIGH_HAND:
            high_hands.led_again(hit)
    told = [event("jackpot_refused", hit=hit.pk, reason=UNDONE) for hit in fallen]
    has_moved = table.jackpot is not None and bool((hand.result or {}).get("drop_minor"))
    return [*told, event("jackpot_moved", **facts(table))] if told or has_moved else []


def hit_held(hit_id: int) -> JackpotHit:
    """A hit whose table and jackpot are locked in the order of a settlement.

    Before the request to pay it, if that is to change: who undoes the hand ends it under them.
    """
    hit = JackpotHit.objects.select_related("hand__table").get(pk=hit_id)
    Table.objects.select_for_update().get(pk=hit.hand.table_id)
    Jackpot.objects.select_for_update().get(pk=hit.jackpot_id)
    hit.refresh_from_db()
    return hit


def _open(hit_id: int) -> JackpotHit:
    """The hit that is to be decided, held."""
    hit = hit_held(hit_id)
    if hit.status != Status.LOCKED:
        raise HitNotOpen(hit_id, hit.status)
    return hit


def _paid(hit: JackpotHit, by: User | None) -> JackpotHit:
    jackpot, key = hit.jackpot, f"jackpot:hit:{hit.pk}"
    # The meter has the hit out of it already, so what it lacks is known before the hit is paid; and
    # the cage is locked before the winners' cash, as where one of them pays in at that moment.
    lacking = read_terms(hit.terms.content).seed_minor - costs.meter_minor(jackpot)
    _seeded(jackpot, lacking, f"{key}:seed", by)
    if hit.amount_minor:
        wallets.jackpot_award(
            jackpot_account_id=jackpot.account_id,
            awards={int(player): minor for player, minor in hit.shares.items() if minor},
            currency=jackpot.currency,
            hand_id=hit.hand_id,
            key=key,
            actor_id=None if by is None else by.pk,
        )
        _counted(jackpot.account_id, paid=hit.amount_minor)
        counting.jackpot_paid(hit.hand.table_id, hit.amount_minor, key)
    _decided(hit, Status.PAID, by, "")
    log("jackpot.paid", f"hit:{hit.pk}", by, {"minor": hit.amount_minor, "hand": hit.hand_id})
    telling.jackpot_told(hit)
    _tell(hit, event("jackpot_paid", hit=hit.pk, kind=hit.kind, amount_minor=hit.amount_minor))
    return hit


def _decided(hit: JackpotHit, status: str, by: User | None, note: str) -> None:
    JackpotHit.objects.filter(pk=hit.pk).update(
        status=status, decided_by=by, decided_at=Now(), note=note[:300]
    )
    hit.refresh_from_db()


def _seeded(jackpot: Jackpot, amount_minor: int, key: str, by: User | None) -> None:
    if amount_minor <= 0:
        return
    wallets.jackpot_seed(
        jackpot_account_id=jackpot.account_id,
        amount_minor=amount_minor,
        key=key,
        actor_id=None if by is None else by.pk,
    )
    _counted(jackpot.account_id, seeded=amount_minor)


def _tell(hit: JackpotHit, told: Event) -> None:
    with table_locked(hit.hand.table_id) as locked:
        locked.events += [told, event("jackpot_moved", **facts(locked.table))]
