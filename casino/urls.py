"""Where everything is."""

from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from casino import errors

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/v1/", include("casino.core.api.urls")),
    path("api/v1/", include("wallets.api.urls")),
    path("api/v1/", include("tables.api.urls")),
    path("api/openapi.json", SpectacularAPIView.as_view(), name="openapi"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="openapi"), name="api-docs"),
    path("", include("tables.urls")),
]

handler400 = errors.bad_request
handler403 = errors.forbidden
handler404 = errors.not_found
handler500 = errors.server_error
