import json

import pytest

from tests.web.record import FIXTURES, RECORDINGS


@pytest.mark.parametrize("name", RECORDINGS)
def test_the_engine_still_deals_what_the_screens_are_tested_with(name: str) -> None:
    stored = json.loads((FIXTURES / name).read_text())
    dealt = json.loads(json.dumps(RECORDINGS[name]()))
    assert dealt == stored, "record anew: python -m tests.web.record"


def test_every_recording_is_made_by_the_engine() -> None:
    assert {path.name for path in FIXTURES.glob("*.json")} == set(RECORDINGS)
