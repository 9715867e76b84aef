from django.urls import path

from wallets.api import views

urlpatterns = [
    path("wallet", views.WalletApi.as_view(), name="wallet"),
    path("wallet/statement", views.StatementApi.as_view(), name="wallet-statement"),
]
