"""The people of the console's tests, each signed in as his role."""

import secrets

from django.core import signing
from django.test import Client
from django.utils import timezone

from casino.console.access import STEP_UP_AT, STEP_UP_KEY
from casino.console.sessions import COOKIE, SALT
from casino.core.models import Role, User

PASSWORD = "a long one 123"


def staff(role: Role, name: str = "") -> User:
    name = name or f"The {role.value}"[:24]
    return User.objects.create_user(
        username=name.lower().replace(" ", ""), password=None, display_name=name, role=role,
        is_staff=True,
    )  # fmt: skip


def console(role: Role, name: str = "", *, stepped_up: bool = True) -> Client:
    """A browser in which somebody of that role is signed in, his password just typed."""
    return console_of(staff(role, name), stepped_up=stepped_up)


def console_of(user: User, *, stepped_up: bool = True) -> Client:
    client = Client()
    client.force_login(user)
    return once_more(client) if stepped_up else client


def once_more(client: Client) -> Client:
    """As if its person had just typed his password again, at this browser."""
    mark = secrets.token_hex(16)
    client.cookies[COOKIE] = signing.dumps(mark, salt=SALT)
    session = client.session
    session[STEP_UP_KEY] = timezone.now().isoformat()
    session[STEP_UP_AT] = mark
    session.save()
    return client
