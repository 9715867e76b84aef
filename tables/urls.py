from django.urls import path

from tables.web import views

urlpatterns = [
    path("display/<int:table_id>", views.display, name="display"),
    path("display/<int:table_id>/ticket", views.display_ticket, name="display-ticket"),
]
