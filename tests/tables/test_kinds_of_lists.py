"""What a waiting list is for: the same deal at the same stakes."""

import pytest

from tables.engine.games import GAMES
from tables.engine.history.stakes import default_options
from tables.lobby import kind_of
from tables.models import Table


@pytest.mark.parametrize("game", GAMES)
def test_every_game_at_complete_options_has_a_list_of_its_own_kind(game: str) -> None:
    table = Table(game=game, options=default_options(GAMES[game]), currency="EUR")
    assert kind_of(table).startswith(f"{game}|")
