"""The inbox of approvals: what is asked and why, what it would do; nobody decides his own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods

from casino.console import confirming, inbox
from casino.console.access import page, require, shown
from casino.console.paging import paged
from casino.core.approvals import may_approve
from casino.core.models import Approval, User

TABS = {
    "waiting": _("Waiting for me"),
    "open": _("All open"),
    "mine": _("Asked by me"),
    "decided": _("Decided"),
}


LISTS: dict[str, Callable[[User], QuerySet[Approval]]] = {
    "waiting": inbox.waiting,
    "open": inbox.open_requests,
    "mine": inbox.asked_by,
    "decided": inbox.decided,
}


@page("approvals")
@require_GET
def requests(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    tab = request.GET.get("tab", "waiting")
    listed = LISTS.get(tab)
    if listed is None:
        raise Http404
    rows, pages = paged(request, listed(request.user))
    return shown(
        request,
        "approvals.html",
        {
            "title": say("Approvals"),
            "tabs": TABS.items(),
            "tab": tab,
            "pages": pages,
            "rows": [
                {"approval": approval, "title": inbox.title_of(approval)} for approval in rows
            ],
        },
    )


class DecisionForm(forms.Form):
    note = forms.CharField(
        required=False, max_length=500, widget=forms.Textarea(attrs={"rows": 2}),
        label=_("Note"), help_text=_("Kept with the request."),
    )  # fmt: skip


@page("approvals")
@require_GET
def detail(request: HttpRequest, approval_id: int) -> HttpResponse:
    assert isinstance(request.user, User)
    approval = _asked(request.user, approval_id)
    return shown(
        request,
        "approval.html",
        {
            "title": inbox.title_of(approval),
            "approval": approval,
            "preview": inbox.preview(approval) if approval.status in inbox.OPEN else None,
            "may_decide": inbox.may_decide(request.user, approval),
            "may_take_back": inbox.may_take_back(request.user, approval),
            "is_own": approval.asked_by_id == request.user.pk,
        },
    )


@page("approvals")
@require_http_methods(["GET", "POST"])
def decide(request: HttpRequest, approval_id: int, word: str) -> HttpResponse:
    """word: "agree" or "refuse"."""
    if word not in ("agree", "refuse"):
        raise Http404
    user, agrees = require(request, "approvals"), word == "agree"
    approval = _asked(user, approval_id)
    is_own = approval.asked_by_id == user.pk
    if not (may_approve(user, approval) or (is_own and not agrees)):
        raise PermissionDenied

    def work(form: forms.Form) -> str:
        inbox.decide(
            approval_id=approval_id, agrees=agrees, by=user, note=form.cleaned_data["note"]
        )
        return say("Agreed to, and done.") if agrees else say("Refused.")

    is_open = inbox.may_decide(user, approval) or inbox.may_take_back(user, approval)
    told = inbox.preview(approval) if is_open else inbox.Preview()
    context: dict[str, Any] = {
        "title": f"{say('Agree') if agrees else say('Refuse')}: {inbox.title_of(approval)}",
        "says": say("Asked by {0}: {1}").format(approval.asked_by, approval.reason),
        "button": say("Agree, and do it") if agrees else say("Refuse it"),
        "lines": told.facts,
        "moves": told.moves if agrees else [],
    }
    return confirming.confirm(
        request, form_class=DecisionForm, work=work, back="console:approvals",
        dangerous=agrees, context=context,
    )  # fmt: skip


def _asked(user: User, approval_id: int) -> Approval:
    """A request about other pits is not there for him."""
    found = (
        Approval.objects.select_related("asked_by", "approved_by", "rejected_by")
        .filter(pk=approval_id)
        .first()
    )
    if found is None or not inbox.may_see(user, found):
        raise Http404
    return found
