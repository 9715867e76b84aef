from django.apps import AppConfig


class CoreConfig(AppConfig):
    name = "casino.core"
    label = "core"
    verbose_name = "House"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from casino.core import checks  # noqa: F401 - registers itself, once apps are loaded
