"""Settings are read as they are written, or the start is stopped."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from casino.env import Environment


@pytest.mark.parametrize(
    ("written", "wanted"), [("off", 0), ("0", 0), ("on", 24), ("1", 1), ("200", 200), (None, 24)]
)
def test_how_many_is_a_number_or_off_or_on(
    written: str | None, wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOUSE_PLAYERS", raising=False)
    if written is not None:
        monkeypatch.setenv("HOUSE_PLAYERS", written)
    assert Environment({}).count("HOUSE_PLAYERS", 24) == wanted


def test_how_many_is_refused_when_it_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSE_PLAYERS", "many")
    with pytest.raises(ImproperlyConfigured, match="HOUSE_PLAYERS"):
        Environment({}).count("HOUSE_PLAYERS", 24)
