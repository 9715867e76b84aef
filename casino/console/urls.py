"""The console's own pages; unfold's records and forms stand below the same address."""

from django.urls import path

from casino.console.pages import approvals, cage, front, hands, paytables, pit, players, reports

app_name = "console"

urlpatterns = [
    path("", front.first, name="first"),
    path("records/", front.records, name="records"),
    path("approvals/", approvals.requests, name="approvals"),
    path("approvals/<int:approval_id>/", approvals.detail, name="approval"),
    path("approvals/<int:approval_id>/<slug:word>/", approvals.decide, name="approval-decide"),
    path("cage/", cage.counter, name="cage"),
    path("cage/<int:player_id>/<str:currency>/<slug:way>/", cage.cash, name="cash"),
    path("players/", players.search, name="players"),
    path("players/<int:player_id>/", players.player, name="player"),
    path("players/<int:player_id>/exclude/", players.exclude, name="player-exclude"),
    path("players/<int:player_id>/lift/", players.lift, name="player-lift"),
    path("players/<int:player_id>/note/", players.note, name="player-note"),
    path("hands/", hands.search, name="hands"),
    path("hands/<int:hand_id>/", hands.hand, name="hand"),
    path("hands/<int:hand_id>/cards/", hands.cards, name="hand-cards"),
    path("hands/<int:hand_id>/undo/", hands.undo, name="hand-undo"),
    path("paytables/", paytables.versions, name="paytables"),
    path("paytables/<int:paytable_id>/", paytables.paytable, name="paytable"),
    path("paytables/<int:paytable_id>/figures/", paytables.figures, name="paytable-figures"),
    path("paytables/<int:paytable_id>/draft/", paytables.draft, name="paytable-draft"),
    path("reports/", reports.report, name="reports"),
    path("close/", reports.close, name="close"),
    path("close/count/", reports.count, name="close-count"),
    path("close/<str:day>/", reports.seal, name="close-seal"),
    path("pit/", pit.floor_view, name="pit"),
    path("pit/tiles/", pit.tiles, name="pit-tiles"),
    path("pit/acknowledge/", pit.acknowledge, name="acknowledge"),
    path("pit/<int:table_id>/void/", pit.void, name="pit-void"),
    path("pit/<int:table_id>/<slug:name>/", pit.deed, name="pit-deed"),
]
