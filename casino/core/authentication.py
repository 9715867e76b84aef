"""Bearer tokens for DRF; browsers use DRF's own session authentication with its CSRF check."""

from __future__ import annotations

from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from casino.core.bearers import TokenFacts, token_facts
from casino.core.errors import TokenInvalid
from casino.core.models import User

SCHEME = b"bearer"


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer ck_...`; `request.auth` is then the token's TokenFacts."""

    def authenticate(self, request: Request) -> tuple[User, TokenFacts] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != SCHEME:
            return None
        try:
            if len(words) != 2:
                raise TokenInvalid
            facts = token_facts(words[1].decode("ascii", errors="replace"))
        except TokenInvalid as error:
            raise AuthenticationFailed(str(error), code=error.code) from error
        return facts.user, facts

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="croupier"'
