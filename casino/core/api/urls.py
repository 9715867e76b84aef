from django.urls import path

from casino.core.api import schema, views  # noqa: F401 - the schema extension registers itself

urlpatterns = [
    path("sign-in", views.SignInApi.as_view(), name="sign-in"),
    path("sign-out", views.SignOutApi.as_view(), name="sign-out"),
    path("me", views.MeApi.as_view(), name="me"),
    path("registrations", views.RegistrationsApi.as_view(), name="registrations"),
    path("tokens", views.TokensApi.as_view(), name="tokens"),
    path("tokens/<row:token_id>", views.TokenApi.as_view(), name="token"),
]
