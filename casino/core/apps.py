from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CoreConfig(AppConfig):
    name = "casino.core"
    label = "core"
    verbose_name = "House"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from casino.core import checks, sandboxes  # noqa: F401 - checks register themselves

        post_migrate.connect(sandboxes.opened, sender=self)
