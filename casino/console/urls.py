"""The console's own pages; unfold's records and forms stand below the same address."""

from django.urls import path

from casino.console.pages import approvals, pit

app_name = "console"

urlpatterns = [
    path("approvals/", approvals.requests, name="approvals"),
    path("approvals/<int:approval_id>/", approvals.detail, name="approval"),
    path("approvals/<int:approval_id>/<slug:word>/", approvals.decide, name="approval-decide"),
    path("pit/", pit.floor_view, name="pit"),
    path("pit/tiles/", pit.tiles, name="pit-tiles"),
    path("pit/acknowledge/", pit.acknowledge, name="acknowledge"),
    path("pit/<int:table_id>/void/", pit.void, name="pit-void"),
    path("pit/<int:table_id>/<slug:name>/", pit.deed, name="pit-deed"),
]
