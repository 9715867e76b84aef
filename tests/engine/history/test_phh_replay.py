"""Foreign hands played again: the public hands of a championship, our own, and nonsense."""

from __future__ import annotations

import tomllib
import warnings
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import HandHistory
from pokerkit.tests.test_wsop import test_2023_43_5, test_2023_54_4

from tables.engine.errors import BadHistory
from tables.engine.history.phh import VARIANTS, phh
from tables.engine.history.phh_reading import TEXT_MOST, PhhHand, read_phh
from tables.engine.history.phh_replay import Report, replayed, summed
from tables.engine.poker.vocabulary import FIXED
from tests.engine.history.records import record_of, whole_hands
from tests.engine.history.test_phh import stakes

GAMES = sorted(VARIANTS)


class Told(Exception):
    """A hand has been written down: what its own test does afterwards is not our matter."""


def public_hands(module: Any) -> Iterator[tuple[str, str]]:
    """Hands of the World Series of Poker 2023 as PHH documents with the stacks at their end.

    They come with PokerKit (MIT licence), whose tests play them card by card from the broadcast.
    """
    written: list[str] = []

    def keep(cls: Any, game: Any, state: Any, **facts: Any) -> None:
        history = whole(game, state, **facts)
        history.finishing_stacks = list(state.stacks)
        written.append(history.dumps())
        raise Told

    whole = HandHistory.from_game_state
    names = [name for name in vars(module.StateTestCase) if name.startswith("test_")]
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patch.setattr(HandHistory, "from_game_state", classmethod(keep))
        for name in names:
            with pytest.raises(Told):
                getattr(module.StateTestCase(name), name)()
            yield name, written[-1]


def replay(text: str) -> Report:
    ((name, told),) = read_phh(text)
    return replayed(name, told)


@pytest.mark.parametrize(
    ("module", "count", "variants"),
    [
        (test_2023_43_5, 83, {"NT", "F7S", "FO/8", "FR", "PO", "FT", "N2L1D", "F7S/8", "F2L3D"}),
        (test_2023_54_4, 14, {"FT", "F7S/8"}),
    ],
)
def test_the_public_hands_of_the_2023_series_end_with_equal_stacks(module, count, variants):
    reports = {name: replay(text) for name, text in public_hands(module)}
    assert {name: r.differences for name, r in reports.items() if r.status != "same"} == {}
    assert len(reports) == count
    assert {report.variant for report in reports.values()} == variants


@pytest.mark.parametrize(("game_id", "limit"), GAMES)
@pytest.mark.parametrize("viewer", [None, 1])
def test_our_own_hands_are_read_again_and_come_out_the_same(game_id, limit, viewer):
    options = stakes(game_id, limit)
    depth = (400, 400) if limit == FIXED else (30, 90)
    seats = (2, 4) if game_id in ("triple_draw_27", "badugi") else (2, 6)
    reports = []
    for hand, events in whole_hands(game_id, options, 12, stacks=depth, seats=seats):
        text = phh(record_of(hand, events, options, viewer=viewer))
        reports.append(replay(text))
        assert reports[-1].status == "same", (reports[-1], text)
    assert summed(reports) == {"same": 12}


def test_rake_is_the_only_difference_where_a_hand_says_so():
    options = stakes("holdem", "no_limit", rake={"basis_points": 500})
    hands = whole_hands("holdem", options, 10, stacks=(60, 90))
    texts = [phh(record_of(hand, events, options, viewer=1, exponent=2)) for hand, events in hands]
    found = summed([replay(text) for text in texts])
    assert found == {"same_but_rake": 10}


HAND = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ["d dh p1 AsAh", "d dh p2 KsKh", "p2 cbr 6", "p1 f"]
finishing_stacks = [98, 102]
"""


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("[98, 102]", "[97, 103]", "stacks_differ"),
        ('"p1 f"', '"p2 f"', "other_turn"),
        ("cbr 6", "cbr 3", "refused"),
        (', "p1 f"', "", "not_over"),
        ('"p1 f"', '"p1 f", "p2 cc"', "over_already"),
        ("KsKh", "KsAs", "card_not_in_deck"),
        ("starting_stacks = [100", "starting_stacks = [0", "bad_history"),
        ('"p1 f"', '"p1 sits down"', "bad_history"),
        ("[1, 2]", "[1, 2, 4]", "bad_history"),
        ("min_bet = 2", "min_bet = 1e999999999", None),
        ("NT", "XY", "bad_history"),
    ],
)
def test_what_does_not_fit_is_named(old, new, code):
    assert replay(HAND).status == "same"
    text = HAND.replace(old, new)
    if code is None:
        with pytest.raises(BadHistory):
            read_phh(text)
        return
    assert [one["code"] for one in replay(text).differences] == [code]


def test_amounts_with_places_are_read_exactly_and_many_hands_are_one_document():
    text = HAND.replace("min_bet = 2", "min_bet = 2.00").replace("cbr 6", "cbr 6.25")
    ((_, told),) = read_phh(text)
    assert isinstance(told, PhhHand)
    assert (told.exponent, told.stacks_minor, told.least_bet_minor) == (2, (10_000, 10_000), 200)
    many = "\n".join(f"[{nth}]\n{HAND}" for nth in (1, 2, 3))
    assert summed([replayed(*one) for one in read_phh(many)]) == {"same": 3}


@pytest.mark.parametrize("text", ["x" * (TEXT_MOST + 1), "a = " + "[" * 5_000, "", "a = 1", "a = "])
def test_a_document_without_bounds_or_sense_is_refused(text):
    with pytest.raises(BadHistory):
        read_phh(text)


SAMPLES = [
    phh(record_of(hand, events, stakes(game_id, limit)))
    for game_id, limit in GAMES
    for hand, events in whole_hands(game_id, stakes(game_id, limit), 1, stacks=(300, 300))
]
PIECES = st.one_of(
    st.text(max_size=6),
    st.sampled_from(['"', "[", "]", "\n", "p1 f", "d db 2c", "sd ??", "cbr 1e9", "-1", "0", "{}"]),
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    nth=st.integers(0, len(SAMPLES) - 1),
    cuts=st.lists(st.tuples(st.integers(0), PIECES), min_size=1, max_size=4),
)
def test_a_spoilt_document_is_refused_or_told_and_never_worse(nth, cuts):
    text = SAMPLES[nth]
    for at, piece in cuts:
        place = at % (len(text) + 1)
        text = text[:place] + piece + text[place + Random(at).randrange(4) :]
    try:
        hands = read_phh(text)
    except BadHistory:
        return
    for name, told in hands:
        assert replayed(name, told).status in {
            "same", "same_but_rake", "played", "differs", "not_played",
        }  # fmt: skip


def test_our_documents_are_toml():
    assert all(tomllib.loads(sample)["variant"] for sample in SAMPLES)
