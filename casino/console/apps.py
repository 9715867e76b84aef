from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    name = "casino.console"
    label = "console"

    def ready(self) -> None:
        from casino.console import faults

        faults.listen()
