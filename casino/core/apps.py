from django.apps import AppConfig


class CoreConfig(AppConfig):
    name = "casino.core"
    label = "core"
    verbose_name = "House"
    default_auto_field = "django.db.models.BigAutoField"
