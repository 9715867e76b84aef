"""The pit view, and what is done to a table from its tile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from casino.console import access, alerts, confirming, floors, pit
from casino.console.access import page, shown
from casino.console.kinds.fields import Words
from tables import beliefs
from tables.models import Hand, Table
from tables.services import floor, voiding


@page("pit")
@require_GET
def floor_view(request: HttpRequest) -> HttpResponse:
    return shown(
        request,
        "pit.html",
        {"title": say("Pit"), "pit": pit.pit(request.user), "server_now": timezone.now()},
    )


@page("pit")
@require_GET
def tiles(request: HttpRequest) -> HttpResponse:
    """What changes on the page, for its refresh."""
    context = {
        "pit": pit.pit(request.user),
        "server_now": timezone.now(),
        "may": access.may_all(request.user),
    }
    answer = render(request, "console/pit_live.html", context)
    answer.headers["X-Server-Now"] = timezone.now().isoformat()
    return answer


class AlertForm(forms.Form):
    key = forms.CharField(max_length=100, widget=forms.HiddenInput)


@page("pit")
@require_POST
def acknowledge(request: HttpRequest) -> HttpResponse:
    user = access.require(request, "alerts.acknowledge")
    form = AlertForm(request.POST)
    if form.is_valid():
        alerts.acknowledge(key=form.cleaned_data["key"], by=user)
        messages.success(request, say("Acknowledged: it stands under your name."))
    else:
        messages.error(request, say("There is no such alert."))
    return redirect("console:pit")


@dataclass(frozen=True)
class Deed:
    """What the floor does to a table. dangerous: the password is asked for again."""

    page: str
    title: Words
    says: Words
    button: Words
    work: Callable[..., None]
    dangerous: bool = False


DEEDS = {
    "open": Deed(
        "pit.run",
        _("Open {0}"),
        _("Hands are dealt again as soon as enough players sit there."),
        _("Open"),
        floor.table_resume,
    ),
    "pause": Deed(
        "pit.run",
        _("Pause {0}"),
        _(
            "The hand in play goes on; no further one is dealt until the table "
            "is opened again. Players keep their seats and chips."
        ),
        _("Pause"),
        floor.table_pause,
    ),
    "stop": Deed(
        "pit.run",
        _("Stop {0} now"),
        _(
            "The hand in play stands still with its clock: nobody may act until "
            "the table is opened again, and then everybody has the time he had."
        ),
        _("Stop now"),
        floor.table_stop,
    ),
    "drain": Deed(
        "pit.run",
        _("Drain {0}"),
        _(
            "Nobody new sits down. When the hand in play is settled the table "
            "closes and everybody is paid out."
        ),
        _("Drain"),
        floor.table_drain,
    ),
    "bomb": Deed(
        "pit.run",
        _("Bomb pot at {0}"),
        _("The next hand is a bomb pot: everybody who plays puts in its ante, nobody a blind."),
        _("Order the bomb pot"),
        floor.bomb_pot_order,
    ),
    "close": Deed(
        "pit.run",
        _("Close {0}"),
        _("Between hands only. Everybody who sits there leaves and has his chips in his wallet."),
        _("Close and pay out"),
        floor.table_close,
        dangerous=True,
    ),
}


@page("pit")
@require_http_methods(["GET", "POST"])
def deed(request: HttpRequest, table_id: int, name: str) -> HttpResponse:
    """Confirm, then do it."""
    found = DEEDS.get(name)
    if found is None:
        raise Http404
    table = floors.table_or_404(request.user, table_id)
    user = access.require(request, found.page)

    def work(form: forms.Form) -> str:
        found.work(table_id=table_id, by=user)
        table.refresh_from_db(fields=["status"])
        return f"{table}: {say(str(table.get_status_display())).lower()}"

    return confirming.confirm(
        request,
        form_class=confirming.Confirm,
        work=work,
        back="console:pit",
        dangerous=found.dangerous,
        context={
            "title": str(found.title).format(table),
            "says": found.says,
            "button": found.button,
            "lines": [
                (say("Seats taken"), table.seats.count()),
                (say("Now"), say(str(table.get_status_display()))),
            ],
        },
    )


class VoidForm(confirming.Confirm):
    reason = forms.ChoiceField(
        choices=[
            ("Misdeal", _("Misdeal")),
            ("Wrong number of cards", _("Wrong number of cards")),
            ("Exposed card", _("Exposed card")),
            ("Player's device failed", _("Player’s device failed")),
            ("House's fault", _("House’s fault")),
            ("Other, see the note", _("Other, see the note")),
        ],
        label=_("Reason"),
    )
    note = forms.CharField(max_length=300, required=False, label=_("Note"))


@page("pit")
@require_http_methods(["GET", "POST"])
def void(request: HttpRequest, table_id: int) -> HttpResponse:
    """Void the hand in play: who gets what back is shown first."""
    user = access.require(request, "pit.void")
    table = floors.table_or_404(request.user, table_id)
    hand = Hand.objects.filter(pk=table.hand_id).first() if table.hand_id else None
    if hand is None:
        messages.error(request, say("{0}: no hand is in play.").format(table))
        return redirect("console:pit")
    if request.POST.get("hand", str(hand.pk)) != str(hand.pk):
        messages.error(request, say("{0}: the hand you looked at is over.").format(table))
        return redirect("console:pit")

    def work(form: forms.Form) -> str:
        said = form.cleaned_data
        reason = ": ".join(part for part in (said["reason"], said["note"]) if part)
        voiding.hand_void(table_id=table_id, hand_id=hand.pk, reason=reason, by=user)
        return say("{0}: hand {1:,} is void, every stake went back.").format(table, hand.number)

    return confirming.confirm(
        request,
        form_class=VoidForm,
        work=work,
        back="console:pit",
        dangerous=True,
        context={
            "title": say("Void hand {0:,} at {1}").format(hand.number, table),
            "says": say(
                "Every chip of this hand goes back to where it came from. It stays "
                "in the record, struck out. A hand that is settled is undone from "
                "its own page, by two people."
            ),
            "button": say("Void the hand"),
            "hidden": {"hand": hand.pk},
            "returns": stakes_back(table, hand),
            "currency": table.currency,
        },
    )


def stakes_back(table: Table, hand: Hand) -> list[dict[str, Any]]:
    """What each seat gets back if the hand in play is voided now, in minor units."""
    belief = beliefs.read(table.pk)
    if belief.state is None or belief.hand_id != hand.pk:
        return []
    view = belief.hand().view(None)
    if view["family"] == "banked":
        put = {spot["seat"]: sum((spot.get("bets") or {}).values()) for spot in view["spots"]}
    else:
        put = {player["seat"]: player.get("paid_minor", 0) for player in view["players"]}
    return [
        {"seat": int(seat), "player": facts["name"], "minor": put.get(int(seat), 0)}
        for seat, facts in hand.seats.items()
    ]
