from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    name = "casino.console"
    label = "console"
