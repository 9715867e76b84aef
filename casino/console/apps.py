from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    name = "casino.console"
    label = "console"

    def ready(self) -> None:
        # The door hears of every sign-in, in whichever process.
        from casino.console import door, faults, records  # noqa: F401

        faults.listen()
        records.translated()
