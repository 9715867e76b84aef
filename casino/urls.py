"""Where everything is."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView

from casino import errors
from casino.console.measures import metrics
from casino.console.pages import refusals


class FaviconView(RedirectView):
    def get_redirect_url(self, *args: object, **kwargs: object) -> str:
        return static("tables/icon.svg")


urlpatterns = [
    path("admin/language/", include("django.conf.urls.i18n")),
    path("admin/", include("casino.console.urls")),
    path("admin/", admin.site.urls),
    path("api/v1/", include("casino.core.api.urls")),
    path("api/v1/", include("wallets.api.urls")),
    path("api/v1/", include("tables.api.urls")),
    path("api/openapi.json", SpectacularJSONAPIView.as_view(), name="openapi"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="openapi"), name="api-docs"),
    path("metrics", metrics, name="metrics"),
    path("favicon.ico", FaviconView.as_view(), name="favicon"),
    path("", include("tables.urls")),
]


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Programs get a problem, people at the console a page that leads them back."""
    if refusals.is_of_console(request):
        return refusals.forbidden(request)
    return errors.forbidden(request, exception)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if refusals.is_of_console(request):
        return refusals.not_found(request)
    return errors.not_found(request, exception)


handler400 = errors.bad_request
handler403 = forbidden
handler404 = not_found
handler500 = errors.server_error
