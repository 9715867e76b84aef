"""Draw poker and lowball: five cards (badugi: four) in the hand, changed once or more.

Source: docs/rules/draw.md 1 and 2.
"""

from __future__ import annotations

from dataclasses import replace

from tables.engine.poker.vocabulary import (
    AFTER_BLINDS,
    ANTES,
    BIG,
    BLINDS,
    BLINDS_FROM_BUTTON,
    BLINDS_OR_ANTES,
    CARRY,
    FIXED,
    HALF_POT,
    NO_LIMIT,
    OTHER_GAME,
    POT,
    SMALL,
    SPREAD,
    TWICE_BIG,
    Bet,
    Deal,
    Declare,
    Draw,
    PokerGame,
    Share,
    Step,
)

PAGE = "docs/rules/draw.md"
FIXED_FIRST = (FIXED, POT, NO_LIMIT, HALF_POT, SPREAD)
NO_LIMIT_FIRST = (NO_LIMIT, FIXED, POT, HALF_POT, SPREAD)

FIRST_BET = Bet(SMALL, AFTER_BLINDS)
ONE_DRAW = (Draw("postdraw"), Bet(BIG))
TRIPS_TO_WIN = (Share("bug_high", at_least="three_of_a_kind"),)


def several_draws(draws: int, most: int = 5) -> tuple[Step, ...]:
    """Two or three draws: small bets after the first, big ones after the others."""
    found: list[Step] = []
    for nth in range(1, draws + 1):
        found += [Draw(f"draw{nth}", most), Bet(SMALL if nth == 1 else BIG)]
    return tuple(found)


def _draw(
    id: str,
    name: str,
    shares: tuple[Share, ...],
    *,
    section: int,
    first: Bet = FIRST_BET,
    rest: tuple[Step, ...] = ONE_DRAW,
    forced: str = BLINDS_OR_ANTES,
    deck: str = "52",
    cards: int = 5,
    seats: int = 8,
    limits: tuple[str, ...] = FIXED_FIRST,
) -> PokerGame:
    return PokerGame(
        id=id,
        name=name,
        steps=(Deal("predraw", down=cards), first, *rest),
        shares=shares,
        most_seats=seats,
        deck=deck,
        forced=forced,
        limits=limits,
        burns=False,
        source=f"{PAGE} {section}",
    )


def low(ranking: str) -> tuple[Share, ...]:
    return (Share(ranking, "low"),)


FIVE_CARD_DRAW = _draw("five_card_draw", "Five-card Draw", (Share("high"),), section=3)

OPENED_WITH_JACKS = Bet(SMALL, openers=True, passed_out=CARRY)
GARDENA_JACKPOTS = _draw(
    "gardena_jackpots", "Gardena Jackpots", TRIPS_TO_WIN,
    section=4, first=OPENED_WITH_JACKS, forced=ANTES, deck="53",
)  # fmt: skip
PROGRESSIVE_JACKPOTS = replace(
    GARDENA_JACKPOTS,
    id="progressive_jackpots",
    name="Progressive Jackpots",
    rising_openers=True,
    source=f"{PAGE} 5",
)

CALIFORNIA_LOWBALL = replace(
    _draw(
        "california_lowball", "California Lowball", low("a5"), section=6, forced=BLINDS, deck="53"
    ),
    checked_seven=True,
)
KANSAS_CITY_LOWBALL = _draw(
    "kansas_city_lowball", "Kansas City Lowball", low("27"), section=7, limits=NO_LIMIT_FIRST
)
ACE_TO_SIX_LOWBALL = _draw(
    "ace_to_six_lowball", "Ace-to-six Lowball", low("a6"), section=8, limits=NO_LIMIT_FIRST
)

SINGLE_DRAWS = (
    FIVE_CARD_DRAW,
    GARDENA_JACKPOTS,
    PROGRESSIVE_JACKPOTS,
    CALIFORNIA_LOWBALL,
    KANSAS_CITY_LOWBALL,
    ACE_TO_SIX_LOWBALL,
)


def with_draws(game: PokerGame, draws: int) -> PokerGame:
    """A single-draw game with two or three draws, for six players at most."""
    prefix, word = {2: ("double", "Double-draw"), 3: ("triple", "Triple-draw")}[draws]
    return replace(
        game,
        id=f"{prefix}_{game.id}",
        name=f"{word} {game.name}",
        steps=(*game.steps[:2], *several_draws(draws)),
        most_seats=min(6, game.most_seats),
        source=f"{PAGE} 9",
    )


def four_before(game: PokerGame) -> PokerGame:
    """Four cards, then one card more than is thrown away at the first draw: nobody is pat."""
    steps = list(game.steps)
    deal = steps[0]
    first = next(nth for nth, step in enumerate(steps) if isinstance(step, Draw))
    draw = steps[first]
    assert isinstance(deal, Deal)
    assert isinstance(draw, Draw)
    steps[0] = replace(deal, down=deal.down - 1)
    steps[first] = replace(draw, most=4, more=1)
    other = game.other
    if other is not None:
        place = next(nth for nth, step in enumerate(other.steps) if isinstance(step, Draw))
        changed = list(other.steps)
        changed[place] = Draw("postdraw", most=4, more=1)
        other = replace(other, steps=tuple(changed))
    return replace(
        game,
        id=f"four_before_{game.id}",
        name=f"{game.name}, four before",
        steps=tuple(steps),
        other=other,
        source=f"{PAGE} 15",
    )


def _lowball_draw(id: str, name: str, ranking: str, draws: int) -> PokerGame:
    return _draw(
        id, name, low(ranking), section=10, rest=several_draws(draws), forced=BLINDS, seats=6
    )


DOUBLE_DRAW_A5 = _lowball_draw("double_draw_a5", "Ace-to-five Double Draw", "a5", 2)
DOUBLE_DRAW_27 = _lowball_draw("double_draw_27", "Deuce-to-seven Double Draw", "27", 2)
TRIPLE_DRAW_A5 = _lowball_draw("triple_draw_a5", "Ace-to-five Triple Draw", "a5", 3)
TRIPLE_DRAW_27 = _lowball_draw("triple_draw_27", "Deuce-to-seven Triple Draw", "27", 3)

BADUGI = _draw(
    "badugi", "Badugi", low("badugi"),
    section=11, cards=4, rest=several_draws(3, 4), limits=(FIXED, POT, HALF_POT),
)  # fmt: skip
BADUCI = _draw(
    "baduci", "Baduci", (Share("badugi", "high"), Share("27", "low")),
    section=12, rest=several_draws(3), seats=6,
)  # fmt: skip

CALIFORNIA_HILO = _draw(
    "california_hilo",
    "California Hi-Lo",
    (Share("bug_high"), Share("8ob", "low")),
    section=13,
    deck="53",
)
HILO_DECLARE = _draw(
    "hilo_declare", "Hi-Lo Declare", (Share("bug_high"), Share("a5", "low")),
    section=14, rest=(*ONE_DRAW, Declare()), deck="53",
)  # fmt: skip

SAME_CARDS_FOR_LOW = replace(
    CALIFORNIA_LOWBALL,
    steps=(Bet(SMALL, passed_out=CARRY), *ONE_DRAW),
    forced=ANTES,
)
JOHNSON = replace(
    _draw(
        "johnson", "Johnson", (Share("bug_high"),),
        section=16, first=Bet(SMALL, passed_out=OTHER_GAME), forced=ANTES, deck="53",
    ),
    other=replace(SAME_CARDS_FOR_LOW, id="johnson", name="Johnson"),
)  # fmt: skip
JACKS_BACK = replace(
    _draw(
        "jacks_back", "Jacks Back", (Share("bug_high"),),
        section=16, first=Bet(SMALL, openers=True, passed_out=OTHER_GAME), forced=ANTES, deck="53",
    ),
    other=replace(SAME_CARDS_FOR_LOW, id="jacks_back", name="Jacks Back"),
)  # fmt: skip

Q_BALL = PokerGame(
    id="q_ball",
    name="Q-Ball",
    steps=(
        Deal("three", down=3), Bet(SMALL, AFTER_BLINDS),
        Deal("four", down=1), Bet(BIG, must_open=True),
        Deal("five", down=1), Bet(BIG),
        Draw("postdraw"), Bet(TWICE_BIG),
    ),
    shares=low("a5"),
    least_seats=3,
    most_seats=8,
    deck="53",
    forced=BLINDS_FROM_BUTTON,
    limits=(FIXED,),
    burns=False,
    source=f"{PAGE} 17",
)  # fmt: skip

SEVERAL_DRAWS = tuple(with_draws(game, draws) for draws in (2, 3) for game in SINGLE_DRAWS)
FIVE_CARD_GAMES = (
    *SINGLE_DRAWS,
    *SEVERAL_DRAWS,
    DOUBLE_DRAW_A5,
    DOUBLE_DRAW_27,
    TRIPLE_DRAW_A5,
    TRIPLE_DRAW_27,
    BADUCI,
    CALIFORNIA_HILO,
    HILO_DECLARE,
    JOHNSON,
    JACKS_BACK,
)
FOUR_BEFORE = tuple(four_before(game) for game in FIVE_CARD_GAMES)

GAMES = (*FIVE_CARD_GAMES, BADUGI, Q_BALL, *FOUR_BEFORE)
