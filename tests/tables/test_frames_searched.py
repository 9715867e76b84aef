"""No frame of any viewer names a card that is hidden from him, in hands of every game."""

import json
import os
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import orjson
import pytest

from tables import events, selectors
from tables.engine.bluff.vocabulary import BluffGame
from tables.engine.cards import card_texts
from tables.engine.games import GAMES, WITH_KILL_CARD
from tables.engine.history.laws import cards_in
from tables.engine.history.simulation import _anything, any_setup
from tables.engine.history.stakes import Setup, default_options
from tables.engine.poker.vocabulary import PokerGame
from tables.engine.protocol import Event
from tests.tables import frames_searched
from tests.tables.frames_searched import HiddenShown, Searched, run, searched

EVERY = [*GAMES, *WITH_KILL_CARD]
HANDS = 500


def test_no_frame_of_a_hand_of_any_game_names_a_hidden_card() -> None:
    found = [run(game, 1) for game in EVERY]
    assert all(one.frames > one.with_own_part for one in found)
    assert sum(one.with_own_part for one in found) > 10 * len(EVERY)


@pytest.mark.slow  # minutes
@pytest.mark.timeout(1500)
def test_no_frame_of_500_hands_of_every_game_names_a_hidden_card() -> None:
    began = time.monotonic()
    found: list[Searched] = [run(game, HANDS) for game in EVERY]
    report = {
        "hands": sum(one.hands for one in found),
        "frames": sum(one.frames for one in found),
        "with_own_part": sum(one.with_own_part for one in found),
        "hidden_cards_found": 0,  # the first one would have ended the run
        "seconds": round(time.monotonic() - began),
        "games": [one._asdict() for one in found],
    }
    if path := os.environ.get("FRAMES_REPORT"):
        Path(path).write_text(json.dumps(report, indent=1) + "\n")


def told_until_its_end(setup: Setup, seed: int) -> list[tuple[bytes, str, list[int]]]:
    """Row by row what all are told, and who is asked for what next; not the end of the hand."""
    random, rows = Random(seed), []
    hand, events = setup.start()
    while not hand.over:
        told = orjson.dumps([[one.type, one.public] for one in events])
        rows.append((told, hand.window, list(hand.waiting)))
        _, events = _anything(setup, hand, random)
    return rows


@pytest.mark.parametrize("seed", [1, 2])
def test_neither_what_all_are_told_nor_when_depends_on_cards_they_have_not_seen(seed: int) -> None:
    """Each card that the hand never showed in the place of another: the same frames, in bytes and
    in steps. Where one needs openers to bet, the rules themselves tell something of a hand."""
    hands = 0
    for name in EVERY:
        game, random = {**GAMES, **WITH_KILL_CARD}[name], Random(f"{name}/{seed}")
        if isinstance(game, BluffGame) or (
            isinstance(game, PokerGame)
            and any(getattr(step, "openers", False) for step in game.steps)
        ):
            continue
        setup = any_setup(game, default_options(game), random, None)
        rows = told_until_its_end(setup, seed)
        seen = set().union(*(cards_in(told) for told, _, _ in rows))
        places = [n for n, text in enumerate(card_texts(setup.deck)) if text not in seen]
        deck = list(setup.deck)
        for place, other in zip(places, random.sample(places, len(places)), strict=True):
            deck[place] = setup.deck[other]
        others = told_until_its_end(replace(setup, deck=deck), seed)
        for row, its_row in zip(rows, others, strict=False):  # one may end where the other goes on
            assert row == its_row, name
        hands += bool(rows)
    assert hands > 60


def everybody_gets_the_first_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        selectors, "_parts_of", lambda row, seats: whole_parts(row) if seats else None
    )


def whole_parts(row):
    return [part and next(iter(part.values())) for part in events.parts_of(row)]


def seats_are_mixed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = selectors._own_part

    def of_another(part, seats):
        others = [int(seat) for seat in part if int(seat) not in seats]
        return plain(part, others[:1])

    monkeypatch.setattr(selectors, "_own_part", of_another)


def rows_keep_all_in_the_open(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = frames_searched.row_sides

    def open_row(events, table_id, seq):
        shown = [
            Event(one.type, {**one.public, "all": one.private}, one.private) if one.private else one
            for one in events
        ]
        _, private, seats = plain(events, table_id, seq)
        text = json.dumps([{"type": one.type, "public": one.public} for one in shown])
        return text, private, seats

    monkeypatch.setattr(frames_searched, "row_sides", open_row)


def who_sees_nothing_gets_another_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = selectors.frame_for

    def padded(row, seats):
        text = plain(row, seats)
        is_for_others = seats and row.private and not set(seats) & set(row.private_seats)
        return text + " " if is_for_others else text

    monkeypatch.setattr(frames_searched, "frame_for", padded)


@pytest.mark.parametrize(
    "fault",
    [
        everybody_gets_the_first_part,
        seats_are_mixed_up,
        rows_keep_all_in_the_open,
        who_sees_nothing_gets_another_frame,
    ],
)
def test_a_frame_that_tells_too_much_is_found(fault, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random("leaks")
    game = GAMES["triple_draw_27"]
    setup = any_setup(game, default_options(game), random, 4)
    searched(setup, Random("a"))
    fault(monkeypatch)
    with pytest.raises(HiddenShown):
        searched(setup, Random("a"))
