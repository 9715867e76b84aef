from django.urls import re_path

from tables.consumers import TableConsumer

websocket_urlpatterns = [
    re_path(r"^ws/v1/tables/(?P<table_id>[0-9]{1,18})$", TableConsumer.as_asgi()),
]
