from django.apps import AppConfig


class HouseConfig(AppConfig):
    name = "casino.house"
    label = "house"

    def ready(self) -> None:
        from casino.house import checks  # noqa: F401 - registers itself
