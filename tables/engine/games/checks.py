"""What a composed game must be to be dealt: one error, in the words of the rules, for each fault.

Source: docs/rules/home.md 8.2 and 8.4.
"""

from __future__ import annotations

from collections.abc import Iterator

from tables.engine.cards import CARD_OF, RANK_TEXT
from tables.engine.errors import BadDefinition
from tables.engine.poker.claims import NO_PAIR
from tables.engine.poker.variants import by_die
from tables.engine.poker.vocabulary import (
    AFTER_BLINDS,
    BLINDS_FROM_BUTTON,
    BRING_IN,
    BY_BOARD,
    BY_BRING_IN,
    CARRY,
    DECKS,
    FORCED,
    FROM_LEFT,
    OTHER_GAME,
    TWICE_BIG,
    Arrange,
    Bet,
    CallSpit,
    Deal,
    Declare,
    Discard,
    Draw,
    Pass,
    PokerGame,
    Roll,
    Share,
    Step,
)
from tables.engine.rankings import RANKINGS
from tables.engine.rankings.high import CLASSES
from tables.engine.reasons import Reason

SPIT = "spit_high"
HIGHS = ("high", "bug_high", "wild_high", "short_high", SPIT)
LOWS = ("a5", "27", "a6", "7ob", "8ob", "9ob", "badugi", "badugi_ace_high")
QUALIFIED = ("7ob", "8ob", "9ob")
WITHOUT_WILD = ("short_high", SPIT)
MOST_SEATS, MOST_STEPS, MOST_NAME = 10, 40, 60
CARDS_RANKED, OMAHA_BOARD = 12, 5
"""Of how many cards rankings find the best hand, and on how large a board two and three of them."""
THREE, SIX = 3, 6
BY_CARDS = (BY_BRING_IN, BY_BOARD)


def check(game: PokerGame) -> None:
    """Raises BadDefinition with the first fault of a game that nobody could deal or win."""
    for fault in faults(game):
        raise BadDefinition(game.id, fault)
    if game.other is not None:
        check(game.other)


def faults(game: PokerGame) -> Iterator[Reason]:
    """Everything that is wrong with a game, in words."""
    if not 1 <= len(game.name.strip()) <= MOST_NAME:
        yield Reason("name", most=MOST_NAME)
    if game.most_seats > MOST_SEATS:
        yield Reason("most_seats", most=MOST_SEATS)
    yield from _of_steps(game)
    yield from _of_forced_bets(game)
    yield from _of_shares(game)
    yield from _of_wild_cards(game)
    yield from _of_special_rules(game)


def _of_steps(game: PokerGame) -> Iterator[Reason]:
    steps = game.steps
    if not steps or not isinstance(steps[0], Deal):
        yield Reason("begins_with_deal")
    if not any(isinstance(step, Bet) for step in steps):
        yield Reason("no_round")
    if len(steps) > MOST_STEPS:
        yield Reason("most_steps", most=MOST_STEPS)
    for nth, step in enumerate(steps, start=1):
        for fault in _of_step(step):
            yield _in_step(nth, step.word, fault)
    yield from _of_rounds(game)
    yield from _of_cards(game)
    yield from _of_draws(game)


def _in_step(nth: int, word: str, fault: Reason) -> Reason:
    return Reason("in_step", nth=nth, step=word, fault=fault)


def _of_rounds(game: PokerGame) -> Iterator[Reason]:
    """A betting round has a street of its own."""
    street = bet_on = ""
    for nth, step in enumerate(game.steps, start=1):
        if isinstance(step, (Deal, Draw, Discard, Pass, Roll)):
            street = step.street
        elif isinstance(step, Bet):
            if street == bet_on:
                yield _in_step(nth, Bet.word, Reason("round_twice", street=street))
            bet_on = street


def _of_draws(game: PokerGame) -> Iterator[Reason]:
    """The first to draw finds his cards in the stub: nothing has been mucked yet.

    What is dealt later is kept back for it.
    """
    deals = [step for step in game.steps if isinstance(step, Deal)]
    in_all = sum(step.board + game.most_seats * (step.down + step.up) for step in deals)
    in_all += any(isinstance(step, CallSpit) for step in game.steps)
    in_all += len(deals) - 1 if game.burns else 0
    free = len(DECKS[game.deck]) - in_all
    for nth, step in enumerate(game.steps, start=1):
        if isinstance(step, Draw):
            if free < step.most + step.more * game.most_seats + step.refusable:
                left = max(0, free)
                yield _in_step(
                    nth, Draw.word, Reason("too_few_to_draw", seats=game.most_seats, left=left)
                )
            free -= step.more * game.most_seats


def _of_step(step: Step) -> Iterator[Reason]:
    if isinstance(step, Deal):
        counts = (step.down, step.up, step.board)
        if min(counts) < 0 or not sum(counts):
            yield Reason("deals_nothing")
    elif isinstance(step, Bet):
        if not 0 <= step.tier <= TWICE_BIG:
            yield Reason("tier")
        if step.first not in (FROM_LEFT, AFTER_BLINDS, BY_BRING_IN, BY_BOARD):
            yield Reason("first", first=step.first)
        if step.passed_out not in ("", CARRY, OTHER_GAME):
            yield Reason("passed_out", word=step.passed_out)
    elif isinstance(step, Draw):
        if step.most < 0 or step.more < 0:
            yield Reason("draw_negative")
        if step.more and step.refusable:
            yield Reason("draw_refusable")
    elif isinstance(step, (Discard, Pass, Arrange)) and step.count < 1:
        yield Reason("one_named")
    if isinstance(step, Pass) and step.direction not in ("left", "right"):
        yield Reason("direction", direction=step.direction)
    if isinstance(step, (Deal, Draw, Discard, Pass, Roll)) and not 1 <= len(step.street) <= 20:
        yield Reason("street_name")


def _of_cards(game: PokerGame) -> Iterator[Reason]:
    """Every step must find the cards it asks for, and the deck serve every player."""
    held = up = board = most = 0
    for nth, step in enumerate(game.steps, start=1):
        if isinstance(step, Deal):
            held += step.down + step.up
            up += step.up
            board += step.board
        elif isinstance(step, (Discard, Pass)) and step.count >= held:
            yield _in_step(nth, step.word, Reason("not_given_up", count=step.count, held=held))
        elif isinstance(step, Arrange) and step.count > held:
            yield _in_step(nth, step.word, Reason("not_arranged", count=step.count, held=held))
        elif isinstance(step, Roll) and up >= held:
            yield _in_step(nth, step.word, Reason("all_turned_up"))
        elif isinstance(step, CallSpit):
            board = max(board, 1)
        if isinstance(step, (Pass, Arrange)) and up:
            yield _in_step(nth, step.word, Reason("face_up_kept"))
        if isinstance(step, Draw):
            held += step.more
            up += step.refusable  # the one card that is offered stays open if it is taken
        if isinstance(step, Discard):
            held -= step.count
        if isinstance(step, Arrange):
            held = step.count
        if isinstance(step, Roll):
            up += 1
        most = max(most, held)
    if most + board > CARDS_RANKED:
        yield Reason("too_many_cards", count=most + board, most=CARDS_RANKED)
    if most * game.most_seats + board > len(DECKS[game.deck]) and not _is_spared(game):
        yield Reason("deck_too_short", seats=game.most_seats)


def _is_spared(game: PokerGame) -> bool:
    """Whether the last card is one for all where the deck cannot serve everybody (stud)."""
    return any(isinstance(step, Deal) and step.common_if_short for step in game.steps)


def _of_forced_bets(game: PokerGame) -> Iterator[Reason]:
    if game.forced not in FORCED:
        yield Reason("not_forced", forced=game.forced, known=FORCED)
    if game.forced == BLINDS_FROM_BUTTON and game.least_seats < THREE:
        yield Reason("three_blinds")
    brought_in = [
        step for step in game.steps if isinstance(step, Bet) and step.first == BY_BRING_IN
    ]
    if game.forced == BRING_IN and len(brought_in) != 1:
        yield Reason("one_brought_in")
    if game.forced != BRING_IN and brought_in:
        yield Reason("not_brought_in")
    up = 0
    for nth, step in enumerate(game.steps, start=1):
        up += step.up if isinstance(step, Deal) else isinstance(step, Roll)
        if isinstance(step, (Discard, Draw)):  # open cards may be thrown away
            up = max(0, up - (step.count if isinstance(step, Discard) else step.most))
        if isinstance(step, Bet) and step.first in BY_CARDS and not up:
            yield _in_step(nth, Bet.word, Reason("none_face_up"))


def _of_shares(game: PokerGame) -> Iterator[Reason]:
    board = board_at_the_end(game)
    held = cards_at_the_end(game)
    for share in game.shares:
        for fault in _of_share(share, held, board):
            yield Reason("in_share", side=share.side, fault=fault)
    declares = any(isinstance(step, Declare) for step in game.steps)
    if declares and [share.side for share in game.shares] != ["high", "low"]:
        yield Reason("declaration_sides")
    if declares and any(is_qualified(share) for share in game.shares):
        yield Reason("declared_qualifier")


def _of_share(share: Share, held: int, board: int) -> Iterator[Reason]:
    if share.ranking not in HIGHS + LOWS:
        known = tuple(ranking for ranking in RANKINGS if ranking in HIGHS + LOWS)
        yield Reason("no_ranking", ranking=share.ranking, known=(*known, SPIT))
        return
    if share.side == "low" and share.ranking in HIGHS:
        yield Reason("ranks_high", ranking=share.ranking)
    if share.part < 1:
        yield Reason("part")
    if bool(share.hole) != bool(share.board):
        yield Reason("hole_and_board")
    elif share.hole:
        if not all(0 <= count <= held for count in share.hole):
            yield Reason("hole_counts", held=held)
        if not all(0 <= count <= board for count in share.board):
            yield Reason("board_counts", board=board)
        if min(share.hole) + min(share.board) < 1:
            yield Reason("none_plays")
        if (share.hole, share.board) == ((2,), (3,)) and board > OMAHA_BOARD:
            yield Reason("three_of_board", board=board, most=OMAHA_BOARD)
    if share.ranking == SPIT and not board:
        yield Reason("spit_needs_board", ranking=SPIT)
    if share.at_least:
        yield from _of_least(share)


def _of_least(share: Share) -> Iterator[Reason]:
    if share.ranking in ("high", "bug_high", "wild_high"):
        if share.at_least not in CLASSES:
            yield Reason("at_least_class", known=tuple(CLASSES))
    elif share.ranking not in ("a5", "27", "a6") or share.at_least != NO_PAIR:
        yield Reason("at_least_low", known=NO_PAIR)


def board_at_the_end(game: PokerGame) -> int:
    """Cards that lie on the board at a showdown, at the least."""
    board = 0
    for step in game.steps:
        if isinstance(step, Deal):
            board += step.board
        elif isinstance(step, CallSpit) and step.last and not board:
            board = 1
    return board


def cards_at_the_end(game: PokerGame) -> int:
    """Cards of his own that every player holds at a showdown."""
    held = 0
    for step in game.steps:
        if isinstance(step, Deal):
            held += 0 if step.common_if_short else step.down + step.up
        elif isinstance(step, Draw):
            held += step.more
        elif isinstance(step, Discard):
            held -= step.count
        elif isinstance(step, Arrange):
            held = step.count
    return held


def is_qualified(share: Share) -> bool:
    return bool(share.at_least) or share.ranking in QUALIFIED


def _of_wild_cards(game: PokerGame) -> Iterator[Reason]:
    ranks = {card // 4 for card in DECKS[game.deck] if card < 52}
    if not set(game.wild) <= {RANK_TEXT[rank] for rank in ranks}:
        yield Reason("wild_among", known="".join(RANK_TEXT[rank] for rank in sorted(ranks)))
    if len(set(game.wild)) != len(game.wild):
        yield Reason("wild_twice")
    has_jokers = max(DECKS[game.deck]) >= 52
    if has_jokers and any(isinstance(s, Bet) and s.first in BY_CARDS for s in game.steps):
        yield Reason("joker_first")
    for share in game.shares:
        if (game.wild or has_jokers) and share.ranking in WITHOUT_WILD:
            yield Reason("no_wild", ranking=share.ranking)
        elif has_jokers and not game.wild and share.ranking == "high":
            yield Reason("joker_ranking")
        if share.ranking == "short_high" and game.deck != "36":
            yield Reason("short_high")


def _is_drawn_before_the_last_round(game: PokerGame) -> bool:
    rounds = [nth for nth, step in enumerate(game.steps) if isinstance(step, Bet)]
    return bool(rounds) and any(isinstance(step, Draw) for step in game.steps[: rounds[-1]])


def _of_special_rules(game: PokerGame) -> Iterator[Reason]:
    passed_out = {step.passed_out for step in game.steps if isinstance(step, Bet)}
    if OTHER_GAME in passed_out and game.other is None:
        yield Reason("no_other")
    if game.other is not None and game.other.other is not None:
        yield Reason("other_of_other")
    if game.checked_seven and game.shares[0].ranking != "a5":
        yield Reason("seven_of_a5")
    if game.checked_seven and not _is_drawn_before_the_last_round(game):
        yield Reason("seven_of_draw")
    if game.kill and game.kill not in CARD_OF:
        yield Reason("kill_card", card=game.kill)
    if not game.die:
        return
    yield from _of_die(game)


def _of_die(game: PokerGame) -> Iterator[Reason]:
    """Each face must make a game that can be dealt."""
    if len(game.die) != SIX:
        yield Reason("die_has", faces=SIX)
    for nth, face in enumerate(game.die, start=1):
        cards, _, ranking = face.partition(" ")
        if not cards.isdecimal() or int(cards) < 1 or ranking not in ("high", *LOWS):
            yield Reason("die_no_face", face=face)
        else:
            yield from (
                Reason("in_face", face=face, fault=fault) for fault in faults(by_die(game, nth))
            )
