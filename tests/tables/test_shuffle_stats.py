"""The battery passes fair decks, and has the power to reject the well-known bad ones."""

from __future__ import annotations

import json
import os
from collections import Counter
from itertools import pairwise, permutations
from math import factorial
from pathlib import Path
from random import Random
from statistics import fmean
from xml.etree import ElementTree

import numpy as np
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tables.engine import fairness
from tables.management import shuffle_battery, shuffle_sources
from tables.management.shuffle_battery import Battery, failures, lag_moments

REJECTED = 1e-6
DECKS = 20_000
# How many decks it takes: a repetition among 2^32 beginnings is due after some 80,000.
ENOUGH = {"seed-of-32-bits": 250_000}


def judged(source: str, decks: int, seed: bytes = b"fixed") -> Battery:
    battery = Battery()
    battery.add(*shuffle_sources.arrays(*shuffle_sources.dealt(source, decks, seed)))
    return battery


@pytest.mark.parametrize("source", shuffle_sources.KNOWN_BAD)
def test_every_known_bad_shuffle_is_rejected(source: str) -> None:
    findings = judged(source, ENOUGH.get(source, DECKS)).findings()
    assert min(found.p for found in findings) < REJECTED


@pytest.mark.parametrize("source", shuffle_sources.SOURCES)
def test_decks_of_the_house_are_uniform_whoever_else_is_hostile(source: str) -> None:
    """Two runs in a row fail once in ten thousand times at most."""
    for _ in range(2):
        failed = failures(judged(source, shuffle_battery.DECKS_LEAST).findings())
        if not failed:
            return
    pytest.fail(f"{source}: {failed}")


def test_what_was_rejected_was_the_shuffle_and_not_the_battery() -> None:
    """The right shuffle from a good generator of many beginnings passes, with the same seed."""
    source = Random(7)
    decks = [bytes(fairness.shuffle(range(52), source.randbytes(32))) for _ in range(DECKS)]
    battery = Battery()
    hashes = b"".join(map(shuffle_sources.digest, decks))
    battery.add(*shuffle_sources.arrays(b"".join(decks), hashes))
    assert failures(battery.findings()) == []


def test_one_repeated_deck_is_enough() -> None:
    made = shuffle_sources.dealt("house", shuffle_battery.DECKS_LEAST, b"")
    battery = Battery()
    battery.add(*shuffle_sources.arrays(*made))
    battery.add(*shuffle_sources.arrays(made[0][-52:], made[1][-16:]))
    repeated = battery.findings()[-1]
    assert (repeated.name, repeated.statistic) == ("repeated decks", 1)
    assert repeated.p < REJECTED


def test_few_decks_are_not_judged() -> None:
    with pytest.raises(ValueError, match="14000"):
        judged("house", 100).findings()


def test_the_moments_of_neighbours_are_those_of_all_orders() -> None:
    sums = [
        sum((a - 2.5) * (b - 2.5) for a, b in pairwise(order)) for order in permutations(range(6))
    ]
    mean, variance = lag_moments(6)
    assert mean == pytest.approx(fmean(sums))
    assert variance == pytest.approx(fmean(one * one for one in sums) - fmean(sums) ** 2)


def test_the_shares_of_every_test_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sum(shuffle_battery.CLASS_SHARES) == pytest.approx(1)
    for shares in (
        shuffle_battery._colour_run_shares(),
        shuffle_battery._ascent_shares(),
        shuffle_battery._gap_shares(),
        shuffle_battery._coupon_shares(),
    ):
        assert sum(shares) == pytest.approx(1)
        assert min(shares) >= 0
    monkeypatch.setattr(shuffle_battery, "SIZE", 6)
    steps = Counter(sum(a < b for a, b in pairwise(order)) for order in permutations(range(6)))
    assert shuffle_battery._ascent_shares() == [steps[ups] / factorial(6) for ups in range(6)]


def test_three_cards_are_classed_as_they_settle() -> None:
    from itertools import combinations

    from tables.engine.banked.hands import three_card_class
    from tables.engine.rankings.three_card import three_card

    every = list(combinations(range(52), 3))
    classes = shuffle_battery._three_card_classes(np.array(every))
    for cards, number in zip(every, classes, strict=True):
        said = three_card_class(three_card(cards)).replace("_", " ")
        assert said in (shuffle_battery.CLASSES[number], "mini royal")


def test_the_command_tells_both_runs_and_ends_with_its_verdict(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command(
            "shuffle_stats", "--decks", "14000", "--source", "swap-any", "--json",
            "--picture", str(tmp_path / "picture.svg"),
        )  # fmt: skip
    row = json.loads(capsys.readouterr().out)
    assert ended.value.code == 1
    assert not row["passed"]
    assert [bool(run["failed"]) for run in row["runs"]] == [True, True]
    assert "card by place" in row["runs"][1]["failed"]
    drawn = ElementTree.parse(tmp_path / "picture.svg").getroot()
    assert len(drawn.findall("{http://www.w3.org/2000/svg}rect")) > 52 * 52


def test_raw_output_is_written_for_a_laboratory(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "raw"
    call_command("shuffle_stats", "--decks", "300", "--raw", str(file))
    written = file.read_bytes()
    assert len(written) == 300 * 64
    assert len({written[at : at + 64] for at in range(0, len(written), 64)}) == 300
    assert "300 streams" in capsys.readouterr().out


@pytest.mark.parametrize("wrong", [["--decks", "5"], ["--processes", "0"]])
def test_arguments_that_make_no_sense_are_refused(wrong: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("shuffle_stats", *wrong)


WORKERS, EACH = 8, 10_000


def test_eight_forked_workers_never_deal_the_same_deck(tmp_path: Path) -> None:
    """The parent has dealt before it forks, as a worker's has, and nothing of that comes again.

    Each deck's seed is drawn like the run-time's; orders and seeds are told apart by their hashes.
    """
    seen = shuffle_sources.dealt("house", 100, b"")[1]
    children = []
    for number in range(WORKERS):
        child = os.fork()
        if child == 0:
            try:
                (tmp_path / f"{number}.hashes").write_bytes(
                    shuffle_sources.dealt("house", EACH, b"")[1]
                )
            finally:
                os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * WORKERS
    hashes = seen + b"".join(file.read_bytes() for file in sorted(tmp_path.glob("*.hashes")))
    every = np.frombuffer(hashes, dtype=np.dtype("V16"))
    assert len(every) == WORKERS * EACH + 100
    assert len(np.unique(every)) == len(every)
