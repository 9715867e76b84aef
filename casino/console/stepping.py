"""The password once more before a record is changed by its own form.

The console's own pages ask where a deed is dangerous; a form of the records' library may change
any right or bound of the house, so all of them ask. What was typed comes back with the question.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as say

from casino.console.access import is_stepped_up, shown, step_up
from casino.console.refused import sentence
from casino.core import second_factor
from casino.core.errors import FactorRefused, FactorStands, LockedOut, SignInRefused
from casino.core.models import User

RECORDS = ("auth_", "core_", "tables_", "wallets_")
PASSWORD, CODE = "step_up_password", "step_up_code"
# Protecting somebody must not wait.
NEVER_ASKED = frozenset({"exclude_player", "mark_suspended"})


class AgainForm(forms.Form):
    def __init__(self, data: Any, *, has_factor: bool) -> None:
        super().__init__(data)
        self.fields[PASSWORD] = forms.CharField(
            widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
            label=say("Your password, once more"),
        )
        if has_factor:
            self.fields[CODE] = forms.CharField(
                max_length=20, label=say("Code of your second factor"),
                widget=forms.TextInput(attrs={"autocomplete": "one-time-code"}),
            )  # fmt: skip


def is_change(request: HttpRequest) -> bool:
    """Whether a member of the staff sends a record's form, or an action on records."""
    user, place = request.user, request.resolver_match
    return (
        request.method == "POST"
        and place is not None
        and place.namespace == "admin"
        and (place.url_name or "").startswith(RECORDS)
        and isinstance(user, User)
        and user.is_active
        and user.is_staff
        and request.POST.get("action") not in NEVER_ASKED
    )


def asked_again(request: HttpRequest) -> HttpResponse | None:
    """The question, or None when it need not be asked or was answered with the form."""
    if is_stepped_up(request):
        return None
    assert isinstance(request.user, User)
    is_answered = PASSWORD in request.POST
    if not is_answered and _holds_secrets(request.POST):
        # A password to be kept is not written into a page.
        query = urlencode({"next": request.get_full_path()})
        return redirect(f"{reverse('console:step-up')}?{query}")
    form = AgainForm(
        request.POST if is_answered else None, has_factor=second_factor.is_on(request.user)
    )
    if is_answered and form.is_valid():
        said = form.cleaned_data
        try:
            step_up(request, said[PASSWORD], said.get(CODE, ""))
        except SignInRefused:
            form.add_error(PASSWORD, say("That is not your password."))
        except LockedOut as error:
            form.add_error(PASSWORD, sentence(error))
        except (FactorRefused, FactorStands) as error:
            form.add_error(CODE, sentence(error))
        else:
            return None
    return shown(request, "step_up.html", {
        "title": say("Your password first"), "form": form, "button": say("Go on"),
        "says": say("What you are about to do changes a record of the house."),
        "typed": list(_typed(request.POST)), "back_url": request.get_full_path(),
    }, status=422 if form.errors else 200)  # fmt: skip


def _holds_secrets(posted: QueryDict) -> bool:
    return any("password" in name for name in posted if name != "usable_password")


def _typed(posted: QueryDict) -> Any:
    for name, values in posted.lists():
        if name not in (PASSWORD, CODE, "csrfmiddlewaretoken"):
            yield from ((name, value) for value in values)
