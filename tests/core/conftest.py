from collections.abc import Iterator

import pytest
from django.core.cache import cache
from pytest_django import Settings
from rest_framework.test import APIClient

from casino.core import bearers
from casino.core.models import Role, User
from tests.core.cast import person


@pytest.fixture(autouse=True)
def fresh(settings: Settings) -> Iterator[None]:
    """Nothing is remembered from the test before."""
    settings.ROOT_URLCONF = "tests.core.urls"
    settings.AUTHENTICATION_BACKENDS = ["casino.core.backends.GuardedBackend"]
    bearers.tokens_forget_all()
    cache.clear()
    yield
    bearers.tokens_forget_all()


@pytest.fixture
def api() -> APIClient:
    return APIClient(enforce_csrf_checks=True)


@pytest.fixture
def ann(db: None) -> User:
    return person("Ann")


@pytest.fixture
def bob(db: None) -> User:
    return person("Bob")


@pytest.fixture
def fiona(db: None) -> User:
    return person("Fiona", Role.FINANCE)


@pytest.fixture
def frank(db: None) -> User:
    return person("Frank", Role.FINANCE)


@pytest.fixture
def piet(db: None) -> User:
    return person("Piet", Role.PIT_MANAGER)
