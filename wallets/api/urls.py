from django.urls import path

from wallets.api import exchange, protection, statements, views

urlpatterns = [
    path("wallet", views.WalletApi.as_view(), name="wallet"),
    path("wallet/statement", views.StatementApi.as_view(), name="wallet-statement"),
    path("wallet/statement/period", statements.PeriodApi.as_view(), name="wallet-period"),
    path("wallet/withdrawals", views.WithdrawalsApi.as_view(), name="wallet-withdrawals"),
    path("wallet/exchange", exchange.ExchangeApi.as_view(), name="wallet-exchange"),
    path("wallet/bonuses", views.BonusesApi.as_view(), name="wallet-bonuses"),
    path(
        "wallet/bonuses/<row:grant_id>/forfeit",
        views.BonusForfeitApi.as_view(),
        name="wallet-bonus-forfeit",
    ),
    path("wallet/session", protection.SessionApi.as_view(), name="wallet-session"),
    path("wallet/limits", protection.LimitsApi.as_view(), name="wallet-limits"),
    path("wallet/cool-off", protection.CoolOffApi.as_view(), name="wallet-cool-off"),
    path("wallet/exclusion", protection.ExclusionApi.as_view(), name="wallet-exclusion"),
    path("wallet/close", protection.CloseApi.as_view(), name="wallet-close"),
    path("wallet/reality-check", protection.RealityCheckApi.as_view(), name="reality-check"),
    path(
        "wallet/reality-check/acknowledge",
        protection.RealityCheckAcknowledgeApi.as_view(),
        name="reality-check-acknowledge",
    ),
]
