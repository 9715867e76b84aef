"""What a display holds, over a line that loses and reorders, is what the house shows to all."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tables.engine.games import GAMES
from tests.web.gallery import played
from tests.web.stage import ROOT

NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="no Node here")
def test_a_hand_of_every_game_ends_on_the_screen_as_in_the_engine_whatever_the_line_does(
    tmp_path: Path,
) -> None:
    assert NODE
    hands = {game: played(game) for game in GAMES if game != "three_card_poker"}
    file = tmp_path / "hands.json"
    file.write_text(json.dumps(hands))
    done = subprocess.run(
        [NODE, "tests/web/modules/lossy.js", str(file)],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert found["wrong"] == []
    assert found["events"] > 2_000
    assert found["repaired"] > 100
