from django.apps import AppConfig


class HouseConfig(AppConfig):
    name = "casino.house"
    label = "house"
