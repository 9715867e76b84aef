from django.apps import AppConfig


class WalletsConfig(AppConfig):
    name = "wallets"
    label = "wallets"
    verbose_name = "Wallets"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from casino.core.seal import stream_add  # once apps are loaded
        from wallets.sealing import TRANSFERS

        stream_add(TRANSFERS)
