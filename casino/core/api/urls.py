from django.urls import path

from casino.core.api import identity, schema, views, webhooks  # noqa: F401 - the schema extension registers itself

urlpatterns = [
    path("sign-in", views.SignInApi.as_view(), name="sign-in"),
    path("sign-out", views.SignOutApi.as_view(), name="sign-out"),
    path("me", views.MeApi.as_view(), name="me"),
    path("me/password", identity.PasswordApi.as_view(), name="me-password"),
    path("me/second-factor", identity.SecondFactorApi.as_view(), name="me-second-factor"),
    path("me/data", identity.DataApi.as_view(), name="me-data"),
    path("registrations", views.RegistrationsApi.as_view(), name="registrations"),
    path("tokens", views.TokensApi.as_view(), name="tokens"),
    path("tokens/<row:token_id>", views.TokenApi.as_view(), name="token"),
    path("webhooks", webhooks.WebhooksApi.as_view(), name="webhooks"),
    path("webhooks/<row:webhook_id>", webhooks.WebhookApi.as_view(), name="webhook"),
    path("webhooks/<row:webhook_id>/secret", webhooks.SecretApi.as_view(), name="webhook-secret"),
    path(
        "webhooks/<row:webhook_id>/messages",
        webhooks.MessagesApi.as_view(),
        name="webhook-messages",
    ),
    path(
        "webhooks/<row:webhook_id>/messages/<row:message_id>/replay",
        webhooks.ReplayApi.as_view(),
        name="webhook-replay",
    ),
]
