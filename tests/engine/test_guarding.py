"""The watch over long simulations sees what it is there for, whichever action it follows."""

from random import Random
from typing import Any

import pytest

from tables.engine.bluff.hand import BluffHand
from tables.engine.games import GAMES
from tables.engine.history.laws import LawBroken
from tables.engine.history.simulation import USUAL, any_setup, play
from tables.engine.history.stakes import default_options
from tables.engine.poker.hand import PokerHand

HANDS = 60
GAMES_WITH_SECRETS = ("holdem", "stud", "triple_draw_27", "anaconda")


def plays(game_id: str) -> None:
    game = GAMES[game_id]
    for hand in range(HANDS):
        random = Random(f"{game_id}/{hand}")
        play(any_setup(game, default_options(game), random, None), random, USUAL)


@pytest.mark.parametrize("game_id", GAMES_WITH_SECRETS)
def test_a_view_that_shows_a_hidden_card_after_one_action_is_found(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The leak stands in the view of one seat, after the fourth action, and nowhere else."""
    honest = PokerHand.views

    def leaking(hand: PokerHand, viewers: Any) -> dict[int | None, Any]:
        looks = honest(hand, viewers)
        viewer, other = hand.numbers[0], hand.numbers[-1]
        held = [card for card in hand.down[-1] if not hand.shown[-1]]
        if hand.turn == 4 and viewer in looks and held:
            players = [
                {**entry, "cards": hand.texts(held)} if entry["seat"] == other else entry
                for entry in looks[viewer]["players"]
            ]
            looks[viewer] = {**looks[viewer], "players": players}
        return looks

    monkeypatch.setattr(PokerHand, "views", leaking)
    with pytest.raises(LawBroken, match="a view shows what its viewer has been told"):
        plays(game_id)


def test_a_view_that_shows_everybody_a_hidden_card_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    honest = PokerHand.views

    def leaking(hand: PokerHand, viewers: Any) -> dict[int | None, Any]:
        looks = honest(hand, viewers)
        if hand.turn == 3 and not hand.over:
            hidden = hand.texts([card for down in hand.down for card in down])
            looks = {viewer: {**look, "note": hidden[-1:]} for viewer, look in looks.items()}
        return looks

    monkeypatch.setattr(PokerHand, "views", leaking)
    with pytest.raises(LawBroken, match="a view shows what its viewer has been told"):
        plays("omaha")


def test_a_view_of_another_seats_dice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = BluffHand.views

    def leaking(hand: BluffHand, viewers: Any) -> dict[int | None, Any]:
        looks = honest(hand, viewers)
        held = [place for place, dice in enumerate(hand.places) if dice]
        if hand.turn == 3 and None in looks and held:
            players = [dict(entry) for entry in looks[None]["players"]]
            players[held[0]]["dice"] = [hand.deck[die] for die in hand.places[held[0]]]
            looks[None] = {**looks[None], "players": players}
        return looks

    monkeypatch.setattr(BluffHand, "views", leaking)
    with pytest.raises(LawBroken, match="a view keeps the others' dice"):
        plays("bluff_common")


@pytest.mark.parametrize("game_id", GAMES_WITH_SECRETS)
def test_an_event_that_tells_a_hidden_card_is_found(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = PokerHand.act

    def telling(hand: PokerHand, seat: int, action: Any, **how: Any) -> list[Any]:
        events = honest(hand, seat, action, **how)
        down = hand.down[-1]
        if hand.turn == 3 and events and down and not hand.over:
            public = {**events[0].public, "note": hand.texts(down[:1])}
            events[0] = events[0]._replace(public=public)
        return events

    monkeypatch.setattr(PokerHand, "act", telling)
    with pytest.raises(LawBroken, match="events keep down cards"):
        plays(game_id)


def test_the_views_of_all_are_the_view_of_each() -> None:
    for game_id in (*GAMES_WITH_SECRETS, "bluff_common", "bluff_hand", "three_card_poker"):
        game = GAMES[game_id]
        random = Random(game_id)
        setup = any_setup(game, default_options(game), random, None)
        hand, _ = setup.start()
        viewers = (None, *(seat.seat for seat in setup.seats))
        while not hand.over:
            looks = hand.views(viewers)
            assert looks == {viewer: hand.view(viewer) for viewer in viewers}
            if hand.window == "dice":
                setup.deck.extend([1, 2, 3, 4, 5, 6] * 9)
            hand.expire()
