from django.conf import settings
from django.urls import path

from tables.api import actions, cuts, hands, odds, paytables, places, sandbox, seats, voids, waiting

TABLE = "tables/<row:table_id>"
PAYTABLE = "paytables/<row:paytable_id>"

urlpatterns = [
    path("games", places.GamesApi.as_view(), name="games"),
    path("tables", places.TablesApi.as_view(), name="tables"),
    path(TABLE, places.TableApi.as_view(), name="table"),
    path(f"{TABLE}/events", places.EventsApi.as_view(), name="table-events"),
    path(f"{TABLE}/tickets", places.TicketsApi.as_view(), name="table-tickets"),
    path(f"{TABLE}/seats", seats.SeatsApi.as_view(), name="table-seats"),
    path("seats/random", waiting.RandomSeatApi.as_view(), name="seats-random"),
    path("waiting", waiting.ListsApi.as_view(), name="waiting"),
    path(f"{TABLE}/reservations", waiting.ReservationsApi.as_view(), name="table-reservations"),
    path(f"{TABLE}/waiting", waiting.WaitingApi.as_view(), name="table-waiting"),
    path(f"{TABLE}/seat-change", waiting.SeatChangeApi.as_view(), name="table-seat-change"),
    path(f"{TABLE}/transfer", waiting.TransferApi.as_view(), name="table-transfer"),
    path(f"{TABLE}/seat", seats.ChoicesApi.as_view(), name="table-seat"),
    path(f"{TABLE}/spots", seats.SpotsApi.as_view(), name="table-spots"),
    path(f"{TABLE}/tips", seats.TipsApi.as_view(), name="table-tips"),
    path(f"{TABLE}/top-ups", seats.TopUpsApi.as_view(), name="table-top-ups"),
    path(f"{TABLE}/leave", seats.LeaveApi.as_view(), name="table-leave"),
    path(f"{TABLE}/sit-out", seats.SitOutApi.as_view(), name="table-sit-out"),
    path(f"{TABLE}/return", seats.ReturnApi.as_view(), name="table-return"),
    path(f"{TABLE}/actions", actions.ActionsApi.as_view(), name="table-actions"),
    path(f"{TABLE}/seeds", cuts.SeedsApi.as_view(), name="table-seeds"),
    path(f"{TABLE}/seeds/opened", cuts.OpenedSeedsApi.as_view(), name="table-seeds-opened"),
    path(f"{TABLE}/cuts", cuts.CutsApi.as_view(), name="table-cuts"),
    path(f"{TABLE}/odds", odds.OddsApi.as_view(), name="table-odds"),
    path("paytables", paytables.PaytablesApi.as_view(), name="paytables"),
    path(PAYTABLE, paytables.PaytableApi.as_view(), name="paytable"),
    path(f"{PAYTABLE}/returns", paytables.ReturnsApi.as_view(), name="paytable-returns"),
    path(f"{PAYTABLE}/price", paytables.PriceApi.as_view(), name="paytable-price"),
    path(f"{PAYTABLE}/ask", paytables.AskApi.as_view(), name="paytable-ask"),
    path(f"{PAYTABLE}/approve", paytables.ApproveApi.as_view(), name="paytable-approve"),
    path(f"{PAYTABLE}/refuse", paytables.RefuseApi.as_view(), name="paytable-refuse"),
    path("voids", voids.VoidsApi.as_view(), name="voids"),
    path("hands", hands.HandsApi.as_view(), name="hands"),
    path("hands/export", hands.ExportApi.as_view(), name="hands-export"),
    path("hands/<row:hand_id>", hands.HandApi.as_view(), name="hand"),
    path("hands/<row:hand_id>/report", hands.HandReportApi.as_view(), name="hand-report"),
    path("hands/<row:hand_id>/flag", hands.HandFlagApi.as_view(), name="hand-flag"),
    path("hands/<row:hand_id>/proof", cuts.ProofApi.as_view(), name="hand-proof"),
]

if settings.SANDBOX:
    urlpatterns += [
        path("sandbox/deposits", sandbox.DepositsApi.as_view(), name="sandbox-deposits"),
        path("sandbox/tables", sandbox.SandboxTablesApi.as_view(), name="sandbox-tables"),
        path(f"sandbox/{TABLE}", sandbox.SandboxTableApi.as_view(), name="sandbox-table"),
        path(f"sandbox/{TABLE}/script", sandbox.ScriptsApi.as_view(), name="sandbox-script"),
        path(f"sandbox/{TABLE}/clock", sandbox.ClockApi.as_view(), name="sandbox-clock"),
    ]
