from django.urls import path
from django.views.generic import RedirectView

from tables.web import (
    board_views,
    device_views,
    odds_views,
    play_views,
    verify_views,
    views,
    void_views,
)

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="play"), name="door"),
    path("display/", device_views.screen, name="screen"),
    path("display/deeds", device_views.Deeds.as_view(), name="deeds"),
    path("display/floor", board_views.board, name="board"),
    path("display/floor/now", board_views.now, name="board-now"),
    path("display/<row:table_id>", views.display, name="display"),
    path("display/<row:table_id>/ticket", views.display_ticket, name="display-ticket"),
    path("display/<row:table_id>/figures", views.display_figures, name="display-figures"),
    path("odds/<row:table_id>", odds_views.table_odds, name="odds"),
    path("play/", play_views.play, name="play"),
    path("play/<row:table_id>", play_views.play, name="play-table"),
    path("play/register", play_views.play, name="play-register"),
    path("play/account", play_views.play, name="play-account"),
    path("play/limits", play_views.play, name="play-limits"),
    path("play/wallet", play_views.play, name="play-wallet"),
    path("play/hands", play_views.play, name="play-hands"),
    path("play/hands/<row:hand_id>", play_views.play, name="play-hand"),
    path("verify/", verify_views.verify, name="verify"),
    path("verify/verify_hand.py", verify_views.verifier, name="verify-python"),
    path("verify/fairness.md", verify_views.document, name="verify-document"),
    path("voids/", void_views.voids_page, name="voids-page"),
]
