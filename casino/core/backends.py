"""Lets Django's own login pages sign in by the same guarded check as the API."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from casino.core.addresses import UNKNOWN_ADDRESS, address_of
from casino.core.errors import LockedOut, SignInRefused
from casino.core.models import User
from casino.core.signing_in import sign_in


class GuardedBackend(ModelBackend):
    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **kwargs: Any,
    ) -> User | None:
        if username is None or password is None:
            return None
        address = address_of(request) if request is not None else UNKNOWN_ADDRESS
        try:
            return sign_in(username=username, password=password, address=address).user
        except SignInRefused:
            return None
        except LockedOut as error:
            raise PermissionDenied(str(error)) from error
