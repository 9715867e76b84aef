from django.apps import AppConfig


class WalletsConfig(AppConfig):
    name = "wallets"
    label = "wallets"
    verbose_name = "Wallets"
    default_auto_field = "django.db.models.BigAutoField"
