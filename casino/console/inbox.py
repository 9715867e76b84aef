"""What waits for a second person, told in words, and carried out once he has agreed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import BigIntegerField, Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _

from casino.console.floors import pits_of, tables_of
from casino.core import approvals
from casino.core.approvals import APPROVERS, may_approve
from casino.core.models import Approval, Role, User
from casino.core.money import units
from tables.models import Hand, JackpotHit, Paytable, Table
from tables.services import jackpots, paytables, voiding
from wallets.controlling import DEEDS as WALLET_DEEDS
from wallets.models import Account, PlayerLimits, Purpose
from wallets.selectors import ReversalLine, exponents, limits_of, reversal_preview
from wallets.tips import pools

Status = Approval.Status
OPEN = (Status.ASKED, Status.APPROVED)
OF_A_PIT = ("hand.void", "hand.secret_view", "jackpot.award", "paytable.activation")

TITLES = {
    "wallet.adjustment": _("Correct a balance"),
    "wallet.bonus": _("Give a bonus"),
    "wallet.unblock": _("Open a blocked account again"),
    "limit.override": _("Let a looser limit count at once"),
    "hand.void": _("Undo a settled hand"),
    "hand.secret_view": _("See the hidden cards of a hand"),
    "paytable.activation": _("Put a paytable in force"),
    "jackpot.award": _("Pay a jackpot that was hit"),
    "jackpot.change": _("Change a jackpot"),
    "tips.payout": _("Pay tips out"),
    "exchange.rate": _("Put an exchange rate in force"),
    "user.role": _("Change somebody’s role"),
}


def _paytable_approved(approval_id: int, by: User | None) -> object:
    assert by is not None
    paytable = Paytable.objects.get(approval_id=approval_id)
    return paytables.paytable_put_in_force(paytable_id=paytable.pk, by=by)


# What is done as soon as the second person agrees; a kind that is not here is only agreed to.
DEEDS: dict[str, Callable[[int, User | None], object]] = {
    **WALLET_DEEDS,
    "hand.void": lambda approval_id, by: voiding.hand_reverse(approval_id=approval_id, by=by),
    "paytable.activation": _paytable_approved,
    "jackpot.award": lambda approval_id, by: jackpots.hit_agreed(approval_id=approval_id, by=by),
}

# What is locked before the request itself: whoever else locks these, then changes the request.
HELD_FIRST: dict[str, Callable[[Approval], object]] = {
    "paytable.activation": lambda approval: paytables.asked_held(approval.pk),
    "jackpot.award": lambda approval: jackpots.hit_held(approval.payload["hit"]),
}


@dataclass(frozen=True)
class Move:
    """What an account would gain or lose."""

    purpose: str
    whose: str
    minor: int
    currency: str


@dataclass
class Preview:
    """What the request would do if it were done now. facts: words beside words."""

    facts: list[tuple[str, str]] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    link: str = ""
    link_words: str = ""


def title_of(approval: Approval) -> str:
    return str(TITLES.get(approval.kind, approval.kind))


def in_pits(user: object) -> QuerySet[Approval]:
    """Requests that a person may see: what is about a hand, a hit or tables of other pits is not
    there for who works in some pits alone. What is about people or money belongs to no pit."""
    approvals = Approval.objects.all()
    if not pits_of(user):
        return approvals
    own = tables_of(user)
    hands = Hand.objects.filter(pk=OuterRef("about_hand"), table__in=own)
    hits = JackpotHit.objects.filter(pk=OuterRef("about_hit"), hand__table__in=own)
    at_tables = Q(payload__tables=[])
    for table in own.values_list("pk", flat=True):
        at_tables |= Q(payload__tables__contains=table)
    return approvals.alias(
        about_hand=Cast(KT("payload__hand"), BigIntegerField()),
        about_hit=Cast(KT("payload__hit"), BigIntegerField()),
    ).filter(
        ~Q(kind__in=OF_A_PIT)
        | Q(Exists(hands), kind__in=("hand.void", "hand.secret_view"))
        | Q(Exists(hits), kind="jackpot.award")
        | Q(at_tables, kind="paytable.activation")
    )


def waiting(user: User) -> QuerySet[Approval]:
    """What this person may agree to now; never what he asked for himself."""
    kinds = [kind for kind, roles in APPROVERS.items() if Role(user.role) in roles]
    return (
        in_pits(user)
        .filter(status=Status.ASKED, kind__in=kinds, expires_at__gt=timezone.now())
        .exclude(asked_by=user)
        .select_related("asked_by")
        .order_by("expires_at")
    )


def waiting_for(user: User) -> int:
    return waiting(user).count()


def open_requests(user: object = None) -> QuerySet[Approval]:
    return (
        in_pits(user)
        .filter(status__in=OPEN, expires_at__gt=timezone.now())
        .select_related("asked_by", "approved_by")
        .order_by("expires_at")
    )


def asked_by(user: User) -> QuerySet[Approval]:
    return (
        Approval.objects.filter(asked_by=user)
        .select_related("asked_by", "approved_by", "rejected_by")
        .order_by("-id")
    )


def decided(user: object = None) -> QuerySet[Approval]:
    return (
        in_pits(user)
        .filter(~Q(status__in=OPEN) | Q(expires_at__lte=timezone.now()))
        .select_related("asked_by", "approved_by", "rejected_by")
        .order_by("-id")
    )


def decide(*, approval_id: int, agrees: bool, by: User, note: str) -> Approval:
    """Agree and have it done, in one transaction, or refuse.

    What the deed refuses leaves the request open, as it was. Raises as approving and the deed do.
    """
    with transaction.atomic():
        approval = approvals.approval_get(approval_id)
        if not agrees:
            return _refuse(approval, by, note)
        if (hold := HELD_FIRST.get(approval.kind)) is not None:
            hold(approval)
        approvals.approval_approve(approval_id=approval_id, by=by, note=note)
        deed = DEEDS.get(approval.kind)
        if deed is not None:
            deed(approval_id, by)
    return approvals.approval_get(approval_id)


def _refuse(approval: Approval, by: User, note: str) -> Approval:
    asked = Paytable.objects.filter(approval_id=approval.pk).first()
    if approval.kind == "paytable.activation" and asked is not None:
        paytables.paytable_refuse(paytable_id=asked.pk, by=by, note=note)
        return approvals.approval_get(approval.pk)
    return approvals.approval_reject(approval_id=approval.pk, by=by, note=note)


def may_decide(user: User, approval: Approval) -> bool:
    is_open = approval.status == Status.ASKED and approval.expires_at > timezone.now()
    return is_open and may_approve(user, approval) and may_see(user, approval)


def may_see(user: User, approval: Approval) -> bool:
    """His own, and what is about his pits or about none."""
    return approval.asked_by_id == user.pk or in_pits(user).filter(pk=approval.pk).exists()


def may_take_back(user: User, approval: Approval) -> bool:
    return approval.status == Status.ASKED and approval.asked_by_id == user.pk


def preview(approval: Approval) -> Preview:
    """Told from what was asked and from how the books stand now."""
    tell = PREVIEWS.get(approval.kind)
    asked: dict[str, Any] = approval.payload
    return tell(asked) if tell else Preview([(say("About"), approval.subject.replace(":", " "))])


def _adjustment(asked: dict[str, Any]) -> Preview:
    account = Account.objects.select_related("player").get(pk=asked["account"])
    currency, places = account.currency_id, exponents()[account.currency_id]
    after = account.balance_minor + asked["amount_minor"]
    return Preview(
        facts=[
            (say("Account"), f"{say(str(account.get_purpose_display()))} {account.pk}"),
            (say("Whose"), _whose(account)),
            (say("Balance now"), f"{units(account.balance_minor, places)} {currency}"),
            (say("Change"), f"{units(asked['amount_minor'], places)} {currency}"),
            (say("Balance then"), f"{units(after, places)} {currency}"),
        ],
        link=f"/admin/players/{account.player_id}/" if account.player_id else "",
        link_words=say("The player"),
    )


def _bonus(asked: dict[str, Any]) -> Preview:
    player, currency, terms = (
        User.objects.get(pk=asked["player"]),
        asked["currency"],
        asked["terms"],
    )
    places = exponents()[currency]
    return Preview(
        [
            (say("Player"), str(player)),
            (say("Amount"), f"{units(terms['amount'], places)} {currency}"),
            (say("To be staked before it is his"), f"{units(terms['wager'], places)} {currency}"),
            (say("Expires"), str(terms["expires_at"])),
        ],
        link=f"/admin/players/{player.pk}/",
        link_words=say("The player"),
    )


def _reversal(asked: dict[str, Any]) -> Preview:
    hand = Hand.objects.select_related("table").filter(pk=asked["hand"]).first()
    lines = reversal_preview(asked["hand"])
    facts = (
        []
        if hand is None
        else [
            (say("Hand"), say("{0:,} at {1}").format(hand.number, hand.table)),
            (say("State"), say(str(hand.get_status_display()))),
        ]
    )
    moves = moves_of(lines)
    return Preview(facts, moves, f"/admin/hands/{asked['hand']}/", say("The hand, step by step"))


def moves_of(lines: Iterable[ReversalLine]) -> list[Move]:
    told = list(lines)
    people = User.objects.in_bulk({line.player_id for line in told if line.player_id})
    tables = Table.objects.in_bulk({line.table_id for line in told if line.table_id})
    return [
        Move(
            say(str(Purpose(line.purpose).label)),
            str(
                people.get(line.player_id or 0)
                or tables.get(line.table_id or 0)
                or say("the house")
            ),
            line.amount_minor,
            line.currency,
        )
        for line in told
    ]


def _override(asked: dict[str, Any]) -> Preview:
    player = User.objects.get(pk=asked["player"])
    line = next(
        (
            line
            for line in limits_of(player.pk)
            if (line.kind, line.window_days) == (asked["kind"], asked["window_days"])
            and line.currency in (None, asked.get("currency"))
        ),
        None,
    )
    facts = [
        (say("Player"), str(player)),
        (say("Limit"), say("{0} in {1} days").format(say(asked["kind"]), asked["window_days"])),
    ]
    if line is not None:
        facts += [
            (say("Counts now"), _limit_words(line.most, line.currency)),
            (say("Would count"), _limit_words(line.next, line.currency)),
            (say("Used of it"), _limit_words(line.used, line.currency)),
        ]
    return Preview(facts, link=f"/admin/players/{player.pk}/", link_words=say("The player"))


def _limit_words(figure: int | None, currency: str | None) -> str:
    if figure is None:
        return say("no limit")
    if currency is None:
        return f"{figure // 3600} h {figure % 3600 // 60} min"
    return f"{units(figure, exponents()[currency])} {currency}"


def _unblock(asked: dict[str, Any]) -> Preview:
    player = User.objects.get(pk=asked["player"])
    limits = PlayerLimits.objects.filter(player=player).first()
    now = limits.get_state_display() if limits else PlayerLimits.State.NEW.label
    return Preview(
        [
            (say("Player"), str(player)),
            (say("Account now"), say(str(now))),
            (say("Account then"), say(str(PlayerLimits.State(asked["state"]).label))),
        ],
        link=f"/admin/players/{player.pk}/",
        link_words=say("The player"),
    )


def _activation(asked: dict[str, Any]) -> Preview:
    paytable = Paytable.objects.get(pk=asked["paytable"])
    tables = Table.objects.filter(pk__in=asked["tables"]).order_by("name")
    return Preview(
        [
            (say("Version"), str(paytable)),
            (say("In force at"), ", ".join(table.name for table in tables) or say("no table yet")),
            (say("From"), say("the next round of each table")),
        ],
        link=f"/admin/paytables/{paytable.pk}/",
        link_words=say("Its pays, figures and what changes"),
    )


def _secret(asked: dict[str, Any]) -> Preview:
    hand = Hand.objects.select_related("table").get(pk=asked["hand"])
    return Preview(
        [(say("Hand"), say("{0:,} at {1}").format(hand.number, hand.table))],
        link=f"/admin/hands/{hand.pk}/",
        link_words=say("The hand"),
    )


def _award(asked: dict[str, Any]) -> Preview:
    hit = JackpotHit.objects.select_related("jackpot", "hand__table").get(pk=asked["hit"])
    currency = hit.jackpot.currency
    people = User.objects.in_bulk([int(player) for player in hit.shares])
    return Preview(
        [
            (say("Jackpot"), hit.jackpot.name),
            (say("Hit"), f"{say(str(hit.get_kind_display()))}: {hit.words}"),
            (say("Hand"), say("{0:,} at {1}").format(hit.hand.number, hit.hand.table)),
        ],
        [
            Move(
                say(str(Purpose.CASH.label)), str(people.get(int(player), player)), minor, currency
            )
            for player, minor in hit.shares.items()
        ],
        f"/admin/hands/{hit.hand_id}/",
        say("The hand, step by step"),
    )


def _rate(asked: dict[str, Any]) -> Preview:
    places = exponents()
    gives, gets = asked["gives"], asked["gets"]
    return Preview(
        [
            (say("The player gives"), f"{units(asked['gives_minor'], places[gives])} {gives}"),
            (say("He gets"), f"{units(asked['gets_minor'], places[gets])} {gets}"),
            (say("Worth at the market"), f"{units(asked['middle_minor'], places[gets])} {gets}"),
            (say("Source"), asked["source"]),
        ]
    )


def _tips(asked: dict[str, Any]) -> Preview:
    currency = asked["currency"]
    held = f"{units(pools().get(currency, 0), exponents()[currency])} {currency}"
    dealers = User.objects.in_bulk([int(dealer) for dealer in asked["shares"]])
    return Preview(
        [(say("In the pool"), held)],
        [
            Move(say(str(Purpose.TIPS.label)), str(dealers[int(dealer)]), minor, currency)
            for dealer, minor in asked["shares"].items()
        ],
        "/admin/tips/",
        say("The pool"),
    )


PREVIEWS: dict[str, Callable[[dict[str, Any]], Preview]] = {
    "wallet.adjustment": _adjustment,
    "wallet.bonus": _bonus,
    "hand.void": _reversal,
    "limit.override": _override,
    "wallet.unblock": _unblock,
    "paytable.activation": _activation,
    "hand.secret_view": _secret,
    "jackpot.award": _award,
    "exchange.rate": _rate,
    "tips.payout": _tips,
}


def _whose(account: Account) -> str:
    if account.player is not None:
        return str(account.player)
    if account.table_id is not None:
        table = Table.objects.filter(pk=account.table_id).first()
        return say("table {0}").format(table or account.table_id)
    return say("the house")
