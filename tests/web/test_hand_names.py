"""The screens know every class of hand the engine names, and name it in the engine's own words."""

import json
import re
import shutil
import subprocess
from itertools import combinations
from random import Random

import pytest

from tables.engine.rankings import RANKINGS, dice
from tables.engine.rankings.high import CLASSES
from tables.engine.rankings.names import named
from tables.engine.rankings.three_card import CLASSES as THREE_CARD_CLASSES
from tests.web.stage import ROOT

MODULE = ROOT / "tables/web/static/tables/hand_names.js"
NODE = shutil.which("node")
SMALL = ("low", "badugi", "three_card", "two_card", "one_card")


def entries(table: str) -> set[str]:
    """The classes a table of the module names."""
    text = MODULE.read_text()
    body = text[text.index(f"const {table} = {{") :]
    return set(re.findall(r"^ +(\w+): \(", body[: body.index("\n};")], re.MULTILINE))


@pytest.mark.parametrize("language", ["ENGLISH", "POLISH"])
def test_every_class_of_hand_has_its_words(language: str) -> None:
    assert {*CLASSES, *THREE_CARD_CLASSES, *SMALL} <= entries(language)


def test_every_class_of_poker_dice_has_its_words() -> None:
    text = MODULE.read_text()
    body = text[text.index("const DICE_HANDS") :]
    for language in ("en: {", "pl: {"):
        part = body[body.index(language) :]
        assert set(dice.CLASSES) <= set(
            re.findall(r"^ +(\w+): \(", part[: part.index("  },")], re.M)
        )


@pytest.mark.skipif(NODE is None, reason="no Node here: the browser runs the examples")
def test_english_made_from_codes_is_what_the_engine_says() -> None:
    random = Random("names")
    told = []
    for ranking in RANKINGS.values():
        if ranking.id == "three_card":
            continue
        deck = range(16, 52) if ranking.id == "short_high" else range(52)
        for size in (1, 2, 3, 4, 5, 5, 5, 7):
            for _ in range(12):
                hand = tuple(random.sample(deck, size))
                value = ranking.value(hand)
                if value:
                    name = named(ranking, value, len(ranking.playing(hand, value)))
                    told.append({"class": name.hand, "ranks": name.ranks, "words": name.words})
    for straight in combinations(range(0, 52, 4), 5):
        value = RANKINGS["high"].value(straight)
        name = named(RANKINGS["high"], value, 5)
        told.append({"class": name.hand, "ranks": name.ranks, "words": name.words})
    script = (
        f'import {{ handName }} from "{MODULE.as_uri()}";'
        'import { readFileSync } from "node:fs";'
        'const told = JSON.parse(readFileSync(0, "utf8"));'
        'const off = told.filter((one) => handName({ ...one, words: "?" }, { language: "en" })'
        " !== one.words);"
        "process.stdout.write(JSON.stringify(off));"
    )
    assert NODE
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", script],
        input=json.dumps(told), capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout) == []
    assert len(told) > 1_000
