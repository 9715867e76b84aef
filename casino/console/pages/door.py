"""The second factor at the console: shown at the door, set up, given up; passwords once more."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods

from casino.console import confirming
from casino.console.access import page, require, shown, step_up
from casino.console.door import SHOWN, STATE, is_shown
from casino.console.refused import sentence
from casino.core import second_factor
from casino.core.addresses import address_of
from casino.core.errors import FactorMissing, FactorRefused, FactorStands, LockedOut, SignInRefused
from casino.core.models import User

CODE = {"inputmode": "numeric", "autocomplete": "one-time-code", "autofocus": True}


class CodeForm(forms.Form):
    code = forms.CharField(
        max_length=20, label=_("Code"), widget=forms.TextInput(attrs=CODE),
        help_text=_("Six digits from your app, or one of your recovery codes."),
    )  # fmt: skip


def _next(request: HttpRequest) -> str:
    """Where he wanted to go, if that is a page of this house."""
    asked = request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(asked, {request.get_host()}, request.is_secure())
    return asked if is_ours and asked.startswith("/admin/") else "/admin/"


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


@page("first")
@require_http_methods(["GET", "POST"])
def code(request: HttpRequest) -> HttpResponse:
    """The code, after the password."""
    user = _user(request)
    if is_shown(request.session) or not second_factor.is_on(user):
        return redirect(_next(request))
    form = CodeForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            second_factor.factor_check(
                user=user, code=form.cleaned_data["code"], address=address_of(request)
            )
        except (FactorRefused, FactorMissing, LockedOut) as error:
            form.add_error("code", sentence(error))
        else:
            request.session.cycle_key()
            request.session[STATE] = SHOWN
            return redirect(_next(request))
    return _door(request, "second_factor.html", {"form": form, "title": say("Your code")})


@page("first")
@require_http_methods(["GET", "POST"])
def begin(request: HttpRequest) -> HttpResponse:
    """Set a second factor up: a picture for the app, then a first code of it."""
    user = _user(request)
    if second_factor.is_on(user):
        return redirect("console:account")
    secret = second_factor.secret_pending(user) or second_factor.factor_begin(user=user)
    form = CodeForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            codes = second_factor.factor_confirm(
                user=user, code=form.cleaned_data["code"], address=address_of(request)
            )
        except (FactorRefused, FactorMissing, LockedOut) as error:
            form.add_error("code", sentence(error))
        else:
            request.session.cycle_key()
            request.session[STATE] = SHOWN
            return _codes(request, codes)
    address = second_factor.address_of_secret(user, secret)
    picture = second_factor.picture_of(address)
    spaced = " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))
    return _door(request, "second_factor_begin.html", {
        "form": form, "title": say("Set up a second factor"), "picture": picture, "secret": spaced,
    })  # fmt: skip


def _codes(request: HttpRequest, codes: list[str]) -> HttpResponse:
    return _door(request, "recovery_codes.html",
                 {"codes": codes, "title": say("Recovery codes")})  # fmt: skip


def _door(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    form = context.get("form")
    status = 422 if form is not None and form.errors else 200
    return shown(request, template, {**context, "next": _next(request)}, status=status)


@page("first")
@require_GET
def account(request: HttpRequest) -> HttpResponse:
    """One's own account: the last sign-ins and the second factor."""
    user = _user(request)
    return shown(request, "account.html", {
        "title": say("Your account"), "has_factor": second_factor.is_on(user),
        "left": second_factor.recovery_codes_left(user),
    })  # fmt: skip


@page("first")
@require_http_methods(["GET", "POST"])
def codes_anew(request: HttpRequest) -> HttpResponse:
    user, made = _user(request), []

    def work(form: forms.Form) -> str:
        made.extend(second_factor.recovery_codes_anew(user=user))
        return say("The codes from before no longer count.")

    answer = confirming.confirm(
        request, form_class=confirming.Confirm, work=work, back="console:account", dangerous=True,
        context={"title": say("New recovery codes"), "button": say("Make them"),
                 "says": say("Ten new ones in place of all that are left.")},
    )  # fmt: skip
    return _codes(request, made) if made else answer


@page("first")
@require_http_methods(["GET", "POST"])
def give_up(request: HttpRequest, user_id: int) -> HttpResponse:
    """Turn a second factor off: one's own, or as administrator somebody else's who has lost it."""
    user = _user(request)
    whose = User.objects.filter(pk=user_id).first()
    if whose is None:
        raise Http404
    if whose != user:
        require(request, "people.factor")

    def work(form: forms.Form) -> str:
        second_factor.factor_drop(user=whose, by=user)
        return say("The second factor of {0} is off.").format(whose)

    if whose == user and not second_factor.is_on(user):
        raise PermissionDenied
    return confirming.confirm(
        request, form_class=confirming.Confirm, work=work, back="console:account", dangerous=True,
        context={"title": say("Turn the second factor of {0} off").format(whose),
                 "button": say("Turn it off"),
                 "says": say("From then on the password alone opens the account, until a new one is"
                             " set up.")},
    )  # fmt: skip


class PasswordForm(forms.Form):
    password = forms.CharField(
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password", "autofocus": True}),
        label=_("Your password, once more"),
    )  # fmt: skip


@page("first")
@require_http_methods(["GET", "POST"])
def once_more(request: HttpRequest) -> HttpResponse:
    """The password, and the code where there is one, before something dangerous."""
    form = PasswordForm(request.POST if request.method == "POST" else None)
    if second_factor.is_on(_user(request)):
        form.fields["code"] = CodeForm.base_fields["code"]
    if request.method == "POST" and form.is_valid():
        try:
            step_up(request, form.cleaned_data["password"], form.cleaned_data.get("code", ""))
        except SignInRefused:
            form.add_error("password", say("That is not your password."))
        except (FactorRefused, LockedOut, FactorStands) as error:
            form.add_error(None, sentence(error))
        else:
            messages.success(request, say("For the next minutes you may go on."))
            return redirect(_next(request))
    return shown(request, "confirm.html", {
        "title": say("Your password first"), "form": form, "button": say("Go on"),
        "back_url": _next(request), "says": say("What you are about to do moves money or rights."),
    }, status=422 if form.errors else 200)  # fmt: skip
