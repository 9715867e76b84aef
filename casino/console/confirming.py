"""One way to ask before something is done: what it is, a reason, and the password if it hurts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as say

from casino.console.access import is_stepped_up, shown, step_up
from casino.console.refused import REFUSALS, sentence
from casino.core import second_factor
from casino.core.errors import FactorRefused, LockedOut, SignInRefused
from casino.core.idempotency import OnceField, deed_kept, deed_once
from casino.core.models import User


def key_of(request: HttpRequest, prefix: str) -> str:
    """What the ledger knows the deed of a form by, for ever."""
    return f"{prefix}:{request.POST.get('once') or uuid4()}"


def taken(
    request: HttpRequest, work: Callable[[], str], leads_to: Callable[[], str]
) -> HttpResponse:
    """Do at once what a button asks for, and lead on; sent twice it is done once.

    What the house refuses is raised.
    """
    said = deed_once(request, request.POST.get("once", ""), work, leads_to=leads_to)
    kept = deed_kept(request)
    messages.success(request, said)
    return redirect(leads_to() if kept is None else kept.leads_to)


class Confirm(forms.Form):
    """Nothing but the button, and the password where it is asked for."""


def confirm(
    request: HttpRequest,
    *,
    form_class: type[forms.Form],
    work: Callable[[forms.Form], str],
    back: str,
    context: dict[str, Any],
    dangerous: bool = False,
    tells_secret: bool = False,
    back_args: tuple[Any, ...] = (),
    back_query: str = "",
    initial: dict[str, Any] | None = None,
) -> HttpResponse:
    """Show the form; when it comes back in order, do the work and tell what was done.

    A form that is sent twice is done once, and the second time told the same.
    work: does it and returns the sentence that says so; what the house refuses stays on the form.
    tells_secret: what is told is shown this once and kept nowhere.
    dangerous: the password is asked for, unless it was within the last minutes.
    """
    back_url = reverse(back, args=back_args) + (f"?{back_query}" if back_query else "")
    asks = dangerous and not is_stepped_up(request)
    form = form_class(request.POST if request.method == "POST" else None, initial=initial)
    form.fields["once"] = OnceField()
    if asks:
        form.fields["password"] = forms.CharField(
            widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
            label=say("Your password, once more"),
        )
        if isinstance(request.user, User) and second_factor.is_on(request.user):
            form.fields["code"] = forms.CharField(
                max_length=20,
                label=say("Code of your second factor"),
                widget=forms.TextInput(attrs={"autocomplete": "one-time-code"}),
            )
    if request.method == "POST" and form.is_valid():
        try:
            if asks:
                step_up(request, form.cleaned_data["password"], form.cleaned_data.get("code", ""))
            once = form.cleaned_data.pop("once")
            said = deed_once(
                request, once, lambda: work(form), keeps=not tells_secret,
                leads_to=lambda: back_url,
            )  # fmt: skip
        except FactorRefused as error:
            form.add_error("code", sentence(error))
        except (SignInRefused, LockedOut) as error:
            is_wrong = isinstance(error, SignInRefused)
            words = say("That is not your password.") if is_wrong else sentence(error)
            form.add_error("password", words)
        except REFUSALS as error:
            form.add_error(None, sentence(error, context.get("currency", "")))
        else:
            messages.success(request, said or say("That was done before."))
            return redirect(back_url)
    return shown(
        request,
        "confirm.html",
        {"form": form, "back_url": back_url, **context},
        status=422 if form.errors else 200,
    )
