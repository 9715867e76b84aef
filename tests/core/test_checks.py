import pytest
from pytest_django import Settings

from casino.core.checks import keys_are_usable


def found() -> list[str | None]:
    return [message.id for message in keys_are_usable(None)]


def test_a_house_refuses_a_key_that_is_no_key(settings: Settings) -> None:
    settings.LOG_SIGNING_KEY = "short"
    assert found() == ["core.E001"]


@pytest.mark.parametrize("production", [True, False])
def test_a_production_house_refuses_the_demo_keys(settings: Settings, production: bool) -> None:
    settings.PRODUCTION = production
    settings.LOG_SIGNING_KEY = "B" * 43 + "="
    settings.CARD_KEYS = ["demo:" + "A" * 43 + "="]
    assert found() == (["core.E002"] * 2 if production else [])
