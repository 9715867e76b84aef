"""What people at the console see instead of a page that is not theirs, or not there."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as say

from casino.console.access import shown
from casino.core.models import User


def is_of_console(request: HttpRequest) -> bool:
    """Whether a member of the staff asked for one of the console's addresses."""
    user = getattr(request, "user", None)
    is_staff = isinstance(user, User) and user.is_active and user.is_staff
    return is_staff and request.path.startswith("/admin/")


def forbidden(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    says = say("Your role, {0}, does not open this page.").format(
        request.user.get_role_display().lower()
    )
    return shown(
        request, "refused.html", {"title": say("Not for this role"), "says": says}, status=403
    )


def not_found(request: HttpRequest) -> HttpResponse:
    context = {"title": say("Nothing here"), "says": say("There is no such page or record.")}
    return shown(request, "refused.html", context, status=404)
