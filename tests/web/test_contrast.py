"""The colours of the screens, by WCAG 2's contrast, computed from the tokens themselves."""

import re

import pytest

from tests.web.stage import WEB

TOKENS = (WEB / "static" / "tables" / "tokens.css").read_text()
FELT = TOKENS[: TOKENS.index(".console {")]
COLOURS = dict(re.findall(r"--([a-z0-9-]+):\s*(#[0-9a-f]{6});", FELT))
GROUNDS = ("well", "felt", "raised")
MONEY, TEXT, LARGE_OR_SIGN = 7.0, 4.5, 3.0


def luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return sum(weight * one for weight, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(ink: str, ground: str) -> float:
    lighter, darker = sorted((luminance(ink), luminance(ground)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_the_measure_itself_knows_black_on_white_and_grey() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("ink", ["ink", "ink-2", "pay", "take", "push", "lag"])
def test_money_and_words_are_read_on_every_ground(ink: str, ground: str) -> None:
    assert contrast(COLOURS[ink], COLOURS[ground]) >= MONEY


@pytest.mark.parametrize(
    ("ink", "ground", "least"),
    [
        ("ink-on", "ink", MONEY),
        ("ink-stale", "stale", MONEY),
        ("stale", "raised", TEXT),
        ("edge", "raised", LARGE_OR_SIGN),
        ("edge", "felt", LARGE_OR_SIGN),
        *((suit, "card", TEXT) for suit in ("spade", "heart", "diamond", "club")),
    ],
)
def test_signs_suits_and_warnings_stand_out(ink: str, ground: str, least: float) -> None:
    assert contrast(COLOURS[ink], COLOURS[ground]) >= least


def test_a_call_of_the_floor_is_read_on_its_own_ground() -> None:
    styles = (WEB / "static" / "tables" / "dealer.css").read_text()
    ink = re.search(r"\.head \.called b \{ color: (#[0-9a-f]{6})", styles)
    assert ink is not None
    assert contrast(ink[1], COLOURS["lag"]) >= MONEY


def test_pay_and_take_are_neither_red_nor_green() -> None:
    """Blue against amber: the one has more blue than red, the other more red than blue."""
    pay, take = (COLOURS[name] for name in ("pay", "take"))
    assert int(pay[5:], 16) > int(pay[1:3], 16) + 60
    assert int(take[1:3], 16) > int(take[5:], 16) + 60
    assert all(int(colour[3:5], 16) > 0x80 for colour in (pay, take))
