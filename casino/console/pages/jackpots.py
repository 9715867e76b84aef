"""Jackpots: what is in them, the terms they are won by, and hits that wait for a person."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods

from casino.console import confirming, floors
from casino.console.access import page, require, shown
from casino.core import approvals
from casino.core.models import User
from casino.core.money import minor_of, units
from tables import costs
from tables.engine.errors import BadOptions
from tables.engine.poker.jackpots import GAMES
from tables.engine.rankings.high import CLASSES
from tables.engine.reasons import Reason
from tables.models import Jackpot, JackpotHit, Table
from tables.services import jackpots
from wallets.selectors import exponents

HANDS = [(name, _(name.replace("_", " "))) for name in CLASSES[3:9]]
DECIDED = 20


@page("jackpots")
@require_GET
def pools(request: HttpRequest) -> HttpResponse:
    hits = JackpotHit.objects.select_related("jackpot", "hand__table", "decided_by")
    waiting = hits.filter(status=JackpotHit.Status.LOCKED).order_by("pk")
    done = hits.filter(status__in=(JackpotHit.Status.PAID, JackpotHit.Status.REFUSED))[:DECIDED]
    return shown(
        request,
        "jackpots.html",
        {
            "title": say("Jackpots"),
            "pools": [_pool(jackpot) for jackpot in Jackpot.objects.prefetch_related("tables")],
            "waiting": [_told(hit) for hit in waiting],
            "done": [_told(hit) for hit in done],
        },
    )


def _pool(jackpot: Jackpot) -> dict[str, Any]:
    version = jackpot.terms.order_by("-version").first()
    return {
        "jackpot": jackpot,
        "meter_minor": costs.meter_minor(jackpot),
        "version": None if version is None else version.version,
        "terms": {} if version is None else version.content,
        "tables": ", ".join(table.name for table in jackpot.tables.all()),
    }


def _told(hit: JackpotHit) -> dict[str, Any]:
    people = User.objects.in_bulk([int(player) for player in hit.shares])
    shares = [(people.get(int(player)), minor) for player, minor in hit.shares.items()]
    return {
        "asked": approvals.is_open(hit.approval_id),
        "hit": hit,
        "shares": sorted(shares, key=lambda share: -share[1]),
    }


class ConfirmForm(forms.Form):
    reason = forms.CharField(max_length=200, label=_("What was looked at"))


class RefuseForm(forms.Form):
    reason = forms.CharField(max_length=200, label=_("Why it does not stand"))


def _hit(hit_id: int) -> JackpotHit:
    hit = JackpotHit.objects.select_related("jackpot", "hand__table").filter(pk=hit_id).first()
    if hit is None:
        raise Http404
    return hit


def _about(hit: JackpotHit, title: str) -> dict[str, Any]:
    currency = hit.jackpot.currency
    amount = f"{units(hit.amount_minor, exponents()[currency])} {currency}"
    return {
        "title": title,
        "button": title,
        "says": f"{hit}, {hit.hand.number:,} at {hit.hand.table}: {amount}",
    }


@page("jackpots")
@require_http_methods(["GET", "POST"])
def confirm(request: HttpRequest, hit_id: int) -> HttpResponse:
    user, hit = require(request, "jackpots.judge"), _hit(hit_id)

    def work(form: forms.Form) -> str:
        done = jackpots.hit_confirm(hit_id=hit_id, by=user, reason=form.cleaned_data["reason"])
        if done.status == JackpotHit.Status.PAID:
            return say("The jackpot is paid.")
        return say("A second person is asked to agree.")

    return confirming.confirm(
        request, form_class=ConfirmForm, work=work, back="console:jackpots", dangerous=True,
        context=_about(hit, say("Verify a hit")),
    )  # fmt: skip


@page("jackpots")
@require_http_methods(["GET", "POST"])
def refuse(request: HttpRequest, hit_id: int) -> HttpResponse:
    user, hit = require(request, "jackpots.judge"), _hit(hit_id)

    def work(form: forms.Form) -> str:
        jackpots.hit_refuse(hit_id=hit_id, by=user, reason=form.cleaned_data["reason"])
        return say("The hit is refused; its amount is in the meter again.")

    return confirming.confirm(
        request, form_class=RefuseForm, work=work, back="console:jackpots", dangerous=True,
        context=_about(hit, say("Refuse a hit")),
    )  # fmt: skip


class TermsForm(forms.Form):
    """Amounts in units of the currency, parts in percent."""

    seed = forms.CharField(max_length=20, initial="0", label=_("The house puts it back to"))
    two_persons_over = forms.CharField(
        max_length=20, initial="1000", label=_("Two persons agree to more than")
    )
    beat = forms.BooleanField(required=False, initial=True, label=_("Bad beat"))
    beat_least = forms.ChoiceField(
        choices=HANDS, initial="four_of_a_kind", label=_("Beaten hand, at least")
    )
    beat_ranks = forms.CharField(
        max_length=5, required=False, label=_("Its ranks, if they count: AT")
    )
    beat_players = forms.IntegerField(min_value=3, max_value=10, initial=4, label=_("Dealt in"))
    beat_pays = forms.IntegerField(
        min_value=1, max_value=100, initial=80, label=_("Pays % of the meter")
    )
    beat_loser = forms.IntegerField(min_value=0, max_value=100, initial=50, label=_("Loser %"))
    beat_winner = forms.IntegerField(min_value=0, max_value=100, initial=25, label=_("Winner %"))
    high = forms.BooleanField(required=False, label=_("High hand"))
    high_least = forms.ChoiceField(
        choices=HANDS, initial="full_house", label=_("High hand, at least")
    )
    high_every = forms.IntegerField(
        min_value=1, max_value=1440, initial=60, label=_("Of each so many minutes")
    )
    high_pays = forms.CharField(max_length=20, initial="100", label=_("High hand pays"))
    games = forms.MultipleChoiceField(
        choices=[(game, game.replace("_", " ")) for game in GAMES],
        initial=["holdem"],
        label=_("Games"),
    )

    def terms(self, places: int) -> dict[str, Any]:
        """What the service takes. Raises BadOptions for an amount that is none."""
        said = self.cleaned_data
        found: dict[str, Any] = {
            "seed_minor": _minor(said["seed"], places),
            "two_persons_over_minor": _minor(said["two_persons_over"], places),
        }
        if said["beat"]:
            found["bad_beat"] = {
                "least": {"class": said["beat_least"], "ranks": said["beat_ranks"].upper()},
                "games": said["games"],
                "min_players": said["beat_players"],
                "pays_bp": 100 * said["beat_pays"],
                "loser_bp": 100 * said["beat_loser"],
                "winner_bp": 100 * said["beat_winner"],
                "table_bp": 10_000 - 100 * (said["beat_loser"] + said["beat_winner"]),
            }
        if said["high"]:
            found["high_hand"] = {
                "least": {"class": said["high_least"]},
                "games": said["games"],
                "every_min": said["high_every"],
                "pays_minor": _minor(said["high_pays"], places),
            }
        return found


def _minor(typed: str, places: int) -> int:
    """Raises BadOptions for what is no amount."""
    try:
        return minor_of(typed, places)
    except ValueError as error:
        raise BadOptions("terms", Reason("no_amount", places=places)) from error


class OpenForm(TermsForm):
    name = forms.CharField(max_length=60, label=_("Name"))
    tables = forms.MultipleChoiceField(label=_("Tables"))
    field_order = ("name", "tables")


@page("jackpots")
@require_http_methods(["GET", "POST"])
def opened(request: HttpRequest) -> HttpResponse:
    user = require(request, "jackpots.keep")
    free = floors.tables_of(user).filter(jackpot=None).order_by("name")
    choices = [(table.pk, f"{table.name} ({table.currency})") for table in free]
    choose = forms.MultipleChoiceField(choices=choices, label=_("Tables"))
    form_class = type("OpenHere", (OpenForm,), {"tables": choose})

    def work(form: forms.Form) -> str:
        assert isinstance(form, OpenForm)
        said = form.cleaned_data
        chosen = [int(table) for table in said["tables"]]
        currency = Table.objects.values_list("currency", flat=True).get(pk=chosen[0])
        jackpot = jackpots.jackpot_open(
            name=said["name"], tables=chosen, terms=form.terms(exponents()[currency]), by=user
        )
        return say("{0} is open.").format(jackpot)

    return confirming.confirm(
        request, form_class=form_class, work=work, back="console:jackpots", dangerous=True,
        context={"title": say("Open a jackpot"), "button": say("Open it")},
    )  # fmt: skip


@page("jackpots")
@require_http_methods(["GET", "POST"])
def terms(request: HttpRequest, jackpot_id: int) -> HttpResponse:
    user = require(request, "jackpots.keep")
    jackpot = Jackpot.objects.filter(pk=jackpot_id).first()
    if jackpot is None:
        raise Http404

    def work(form: forms.Form) -> str:
        assert isinstance(form, TermsForm)
        content = form.terms(exponents()[jackpot.currency])
        version = jackpots.terms_change(jackpot_id=jackpot_id, terms=content, by=user)
        return say("Version {0} counts for hands from now on.").format(version.version)

    return confirming.confirm(
        request, form_class=TermsForm, work=work, back="console:jackpots", dangerous=True,
        context={"title": say("New terms of {0}").format(jackpot), "button": say("Put in force")},
    )  # fmt: skip
