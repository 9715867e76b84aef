"""The cage: what players bring and take over the counter, in the currency's own units."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods

from casino.console import confirming, people
from casino.console.access import page, require, shown
from casino.console.forms import AmountField
from casino.core.models import User
from casino.core.money import units
from tables.models import Table
from wallets import cage
from wallets.gaming_day import gaming_day
from wallets.models import Account, Leg, Purpose
from wallets.reporting import CashTotal, cash_totals
from wallets.selectors import AskedFor, exponents, wallet, withdrawal_asked, withdrawals_asked

LAST = 25
WAYS = {"deposit": _("Pay in"), "withdraw": _("Pay out")}
ANSWERS = {"pay": _("Pay out"), "return": _("Give back")}


@page("cage")
@require_GET
def counter(request: HttpRequest) -> HttpResponse:
    typed = request.GET.get("q", "")[:80].replace("\x00", "")
    found = list(people.players_like(typed, request.user)[:20])
    day = gaming_day(timezone.now())
    return shown(
        request,
        "cage.html",
        {
            "title": say("Cage"),
            "typed": typed,
            "found": _purses(found),
            "currencies": _currencies(),
            "day": day,
            "totals": _totals(cash_totals(day)),
            "last": _last(),
            "asked": _asked(request.user),
        },
    )


def _purses(players: list[User]) -> list[tuple[User, list[Account]]]:
    """Each player with his cash accounts, in two reads however many were found."""
    held = Account.objects.filter(player__in=players, purpose=Purpose.CASH).order_by("currency_id")
    accounts = list(held)
    return [
        (player, [account for account in accounts if account.player_id == player.pk])
        for player in players
    ]


def _currencies() -> list[str]:
    """What somebody without a wallet may pay in: the currencies played in here, or all."""
    played = Table.objects.order_by("currency").values_list("currency", flat=True).distinct()
    return list(played) or sorted(exponents())


def _totals(rows: list[CashTotal]) -> list[tuple[str, dict[str, int]]]:
    """What came in and went out today, by currency."""
    totals: dict[str, dict[str, int]] = {}
    for row in rows:
        ways = totals.setdefault(row.currency, {"in": 0, "out": 0})
        ways[row.way] += row.total_minor
    return sorted(totals.items())


def _last() -> list[dict[str, Any]]:
    """The cage's last movements, from its own accounts' legs."""
    counters = Account.objects.filter(purpose=Purpose.CAGE)
    legs = list(
        Leg.objects.filter(account__in=counters).select_related("transfer").order_by("-id")[:LAST]
    )
    others = Leg.objects.filter(
        transfer__in=[leg.transfer_id for leg in legs], account__player__isnull=False
    ).select_related("account__player")
    players = {leg.transfer_id: leg.account.player for leg in others}
    names = people.names_of({leg.transfer.actor_id for leg in legs})
    return [
        {
            "at": leg.transfer.created_at,
            "kind": leg.transfer.kind,
            "player": players.get(leg.transfer_id),
            "minor": -leg.amount_minor,
            "currency": leg.currency,
            "by": names.get(leg.transfer.actor_id or 0, say("the house")),
            "reason": leg.transfer.reason,
        }
        for leg in legs
    ]


def _asked(user: object) -> list[tuple[AskedFor, User]]:
    """Withdrawals that wait for an answer, of the players he may see."""
    rows = withdrawals_asked()
    players = people.players_of(user).in_bulk([row.player_id for row in rows])
    return [(row, players[row.player_id]) for row in rows if row.player_id in players]


class CashForm(forms.Form):
    """An amount in one currency."""

    reason = forms.CharField(max_length=200, required=False, label=_("Reference or reason"))


@page("cage")
@require_http_methods(["GET", "POST"])
def cash(request: HttpRequest, player_id: int, currency: str, way: str) -> HttpResponse:
    user, player = require(request, "cage"), people.player_of(player_id, request.user)
    places = exponents()
    if player is None or way not in WAYS or currency not in places:
        raise Http404
    purse = next((each for each in wallet(player_id) if each.currency == currency), None)
    held_minor = purse.cash_minor if purse else 0
    amount = AmountField(currency=currency)
    form_class = type("AmountForm", (CashForm,), {"amount": amount, "field_order": ["amount"]})

    def work(form: forms.Form) -> str:
        said = form.cleaned_data
        posted = cage.cash_recorded(
            verb=way, player_id=player_id, amount_minor=said["amount"], currency=currency,
            key=confirming.key_of(request, "cage"), by=user, reason=said["reason"],
        )  # fmt: skip
        text = f"{units(said['amount'], places[currency])} {currency}"
        return f"{WAYS[way]}, {player}: {text}. Transfer {posted.transfer_id}."

    return confirming.confirm(
        request,
        form_class=form_class,
        work=work,
        back="console:cage",
        dangerous=way == "withdraw",
        context={
            "title": f"{WAYS[way]}: {player}",
            "button": WAYS[way],
            "lines": [
                (say("Player"), say("{0}, no. {1}").format(player, player.pk)),
                (say("In his wallet now"), f"{units(held_minor, places[currency])} {currency}"),
            ],
        },
    )


@page("cage")
@require_http_methods(["GET", "POST"])
def answer(request: HttpRequest, transfer_id: int, way: str) -> HttpResponse:
    """Pay a withdrawal that a player asked for out, or give him its money back."""
    user = require(request, "cage")
    asked = withdrawal_asked(transfer_id)  # answered by now it may be, by himself or a colleague
    player = None if asked is None else people.player_of(asked.player_id, user)
    if asked is None or player is None or way not in ANSWERS:
        raise Http404
    text = f"{units(asked.amount_minor, exponents()[asked.currency])} {asked.currency}"

    def work(form: forms.Form) -> str:
        key = confirming.key_of(request, "cage")
        cage.withdrawal_decided(transfer_id=transfer_id, is_paid=way == "pay", key=key, by=user)
        return f"{ANSWERS[way]}, {player}: {text}."

    return confirming.confirm(
        request,
        form_class=confirming.Confirm,
        work=work,
        back="console:cage",
        dangerous=way == "pay",
        context={
            "title": f"{ANSWERS[way]}: {player}",
            "button": ANSWERS[way],
            "lines": [
                (say("Player"), say("{0}, no. {1}").format(player, player.pk)),
                (say("Asked for"), text),
            ],
        },
    )
