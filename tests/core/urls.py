"""The core's own addresses, and a view that spends money to try idempotency on."""

from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularJSONAPIView

from tests.core.test_idempotency import SpendApi

urlpatterns = [
    path("admin/language/", include("django.conf.urls.i18n")),
    path("admin/", include("casino.console.urls")),
    path("admin/", admin.site.urls),
    path("api/v1/", include("casino.core.api.urls")),
    path("api/v1/spend", SpendApi.as_view()),
    path("api/openapi.json", SpectacularJSONAPIView.as_view()),
]
