"""Separate buckets for doors that can be knocked at, and for reads. Never for an action at a
table: a refusal there could cost a player the hand."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from casino.core import broker
from casino.core.addresses import address_of
from casino.core.models import User

if TYPE_CHECKING:  # DRF may load this module while it loads its views
    from rest_framework.views import APIView

logger = logging.getLogger(__name__)


class HouseThrottle(SimpleRateThrottle):
    """A house whose cache is away goes on serving: the lock-out counts in the database."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        if broker.is_resting():
            return True
        try:
            with broker.asked():
                return bool(super().allow_request(request, view))
        except broker.AWAY as error:
            logger.warning("throttle %s is off, its cache is away: %s", self.scope, error)
            return True


class AddressThrottle(HouseThrottle):
    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        return self.cache_format % {"scope": self.scope, "ident": address_of(request)}


class SignInThrottle(AddressThrottle):
    scope = "sign_in"
    rate = "60/min"


class RegistrationThrottle(AddressThrottle):
    scope = "registration"
    rate = "20/hour"


class ReadThrottle(HouseThrottle):
    """By person where one is known, else by address."""

    scope = "read"
    rate = "1200/min"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        if request.method != "GET":
            return None
        known = isinstance(request.user, User)
        ident = f"user-{request.user.pk}" if known else address_of(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}


class ExportThrottle(ReadThrottle):
    """Pages of whole hands are dear: a bucket of their own."""

    scope = "export"
    rate = "60/min"
