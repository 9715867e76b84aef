"""What holds for every page: its content policy, and addresses that can be asked about."""

import time
from collections.abc import Callable
from urllib.parse import unquote

from django.http import HttpRequest, HttpResponse

from casino import errors
from casino.core import logs
from casino.core.meters import REQUESTS

PAGES = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
# The console's library evaluates strings and sets inline styles; inline scripts it does not need.
CONSOLE = PAGES.replace("script-src 'self'", "script-src 'self' 'unsafe-eval'").replace(
    "style-src 'self'", "style-src 'self' 'unsafe-inline'"
)


class MeterMiddleware:
    """Times every answer, and gives it the id its lines in the log have."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        asked = logs.request_id(request.headers.get("X-Request-ID", ""))
        told = logs.belongs.set({"request": asked})
        try:
            response = self.get_response(request)
        finally:
            logs.belongs.reset(told)
        match = request.resolver_match
        route = match.route if match is not None else "none"
        REQUESTS.labels(route, request.method or "", str(response.status_code)).observe(
            time.perf_counter() - began
        )
        response.headers["X-Request-ID"] = asked
        return response


class ContentPolicyMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.path.startswith("/admin/"):
            policy = CONSOLE
        else:
            policy = PAGES
        response.headers.setdefault("Content-Security-Policy", policy)
        return response


class PlainAddressMiddleware:
    """PostgreSQL keeps no NUL and fails when it is asked for one, as the console's lists would.

    The API's own fields refuse it by name.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asked = request.path + unquote(request.META.get("QUERY_STRING", ""))
        if "\0" in asked and asked.startswith("/admin/"):
            return errors.bad_request(request)
        return self.get_response(request)
