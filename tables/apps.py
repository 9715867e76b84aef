from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"
    verbose_name = "Tables"

    def ready(self) -> None:
        from tables.positions import positions  # once apps are loaded
        from wallets.reconciling import provider_add

        provider_add("tables", positions)
