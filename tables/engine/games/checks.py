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


def faults(game: PokerGame) -> Iterator[str]:
    """Everything that is wrong with a game, in words."""
    if not 1 <= len(game.name.strip()) <= MOST_NAME:
        yield f"a game has a name of 1 to {MOST_NAME} characters"
    if game.most_seats > MOST_SEATS:
        yield f"a table has at most {MOST_SEATS} seats"
    yield from _of_steps(game)
    yield from _of_forced_bets(game)
    yield from _of_shares(game)
    yield from _of_wild_cards(game)
    yield from _of_special_rules(game)


def _of_steps(game: PokerGame) -> Iterator[str]:
    steps = game.steps
    if not steps or not isinstance(steps[0], Deal):
        yield "a hand begins with a deal"
    if not any(isinstance(step, Bet) for step in steps):
        yield "there is no betting round"
    if len(steps) > MOST_STEPS:
        yield f"a hand has at most {MOST_STEPS} steps"
    for nth, step in enumerate(steps, start=1):
        for fault in _of_step(step):
            yield f"step {nth}, {step.word}: {fault}"
    yield from _of_rounds(game)
    yield from _of_cards(game)
    yield from _of_draws(game)


def _of_rounds(game: PokerGame) -> Iterator[str]:
    """A betting round has a street of its own."""
    street = bet_on = ""
    for nth, step in enumerate(game.steps, start=1):
        if isinstance(step, (Deal, Draw, Discard, Pass, Roll)):
            street = step.street
        elif isinstance(step, Bet):
            if street == bet_on:
                yield f"step {nth}, bet: there was a round on {street!r} already"
            bet_on = street


def _of_draws(game: PokerGame) -> Iterator[str]:
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
                yield f"step {nth}, draw: {game.most_seats} seats leave {left} cards to draw"
            free -= step.more * game.most_seats


def _of_step(step: Step) -> Iterator[str]:
    if isinstance(step, Deal):
        counts = (step.down, step.up, step.board)
        if min(counts) < 0 or not sum(counts):
            yield "deals no cards"
    elif isinstance(step, Bet):
        if not 0 <= step.tier <= TWICE_BIG:
            yield "the tier is 0 (small bet), 1 (big bet) or 2 (twice the big bet)"
        if step.first not in (FROM_LEFT, AFTER_BLINDS, BY_BRING_IN, BY_BOARD):
            yield f"nobody acts first {step.first!r}: left, blinds, bring_in or board"
        if step.passed_out not in ("", CARRY, OTHER_GAME):
            yield f"nothing is called {step.passed_out!r}: carry or other_game"
    elif isinstance(step, Draw):
        if step.most < 0 or step.more < 0:
            yield "cards drawn are 0 or more"
        if step.more and step.refusable:
            yield "who draws more cards than he throws away is offered none to refuse"
    elif isinstance(step, (Discard, Pass, Arrange)) and step.count < 1:
        yield "at least one card is named"
    if isinstance(step, Pass) and step.direction not in ("left", "right"):
        yield f"cards are passed left or right, not {step.direction!r}"
    if isinstance(step, (Deal, Draw, Discard, Pass, Roll)) and not 1 <= len(step.street) <= 20:
        yield "a street has a name of 1 to 20 characters"


def _of_cards(game: PokerGame) -> Iterator[str]:
    """Every step must find the cards it asks for, and the deck serve every player."""
    held = up = board = most = 0
    for nth, step in enumerate(game.steps, start=1):
        where = f"step {nth}, {step.word}:"
        if isinstance(step, Deal):
            held += step.down + step.up
            up += step.up
            board += step.board
        elif isinstance(step, (Discard, Pass)) and step.count >= held:
            yield f"{where} {step.count} of {held} cards cannot be given up"
        elif isinstance(step, Arrange) and step.count > held:
            yield f"{where} {step.count} of {held} cards cannot be arranged"
        elif isinstance(step, Roll) and up >= held:
            yield f"{where} no card is left to be turned up"
        elif isinstance(step, CallSpit):
            board = max(board, 1)
        if isinstance(step, (Pass, Arrange)) and up:
            yield f"{where} cards that lie face up cannot be passed or arranged"
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
        yield f"{most + board} cards to make a hand of: {CARDS_RANKED} at most"
    if most * game.most_seats + board > len(DECKS[game.deck]) and not _is_spared(game):
        yield f"{game.most_seats} seats need more cards than the deck has"


def _is_spared(game: PokerGame) -> bool:
    """Whether the last card is one for all where the deck cannot serve everybody (stud)."""
    return any(isinstance(step, Deal) and step.common_if_short for step in game.steps)


def _of_forced_bets(game: PokerGame) -> Iterator[str]:
    if game.forced not in FORCED:
        yield f"nothing is forced by {game.forced!r}: {', '.join(FORCED)}"
    if game.forced == BLINDS_FROM_BUTTON and game.least_seats < THREE:
        yield "three blinds from the button need three seats"
    brought_in = [
        step for step in game.steps if isinstance(step, Bet) and step.first == BY_BRING_IN
    ]
    if game.forced == BRING_IN and len(brought_in) != 1:
        yield "with a bring-in one round, and only one, is opened by it"
    if game.forced != BRING_IN and brought_in:
        yield "a round is opened by the bring-in only where one is forced"
    up = 0
    for nth, step in enumerate(game.steps, start=1):
        up += step.up if isinstance(step, Deal) else isinstance(step, Roll)
        if isinstance(step, (Discard, Draw)):  # open cards may be thrown away
            up = max(0, up - (step.count if isinstance(step, Discard) else step.most))
        if isinstance(step, Bet) and step.first in BY_CARDS and not up:
            yield f"step {nth}, bet: nobody has a card face up to act first by"


def _of_shares(game: PokerGame) -> Iterator[str]:
    board = board_at_the_end(game)
    held = cards_at_the_end(game)
    for share in game.shares:
        for fault in _of_share(share, held, board):
            yield f"share for {share.side}: {fault}"
    declares = any(isinstance(step, Declare) for step in game.steps)
    if declares and [share.side for share in game.shares] != ["high", "low"]:
        yield "a declaration needs a share for high and a share for low, in that order"
    if declares and any(is_qualified(share) for share in game.shares):
        yield "a qualifier and a declaration do not go together"


def _of_share(share: Share, held: int, board: int) -> Iterator[str]:
    if share.ranking not in HIGHS + LOWS:
        known = ", ".join(ranking for ranking in RANKINGS if ranking in HIGHS + LOWS)
        yield f"no ranking {share.ranking!r}; {known}, {SPIT}"
        return
    if share.side == "low" and share.ranking in HIGHS:
        yield f"{share.ranking} ranks high hands"
    if share.part < 1:
        yield "its part of the pot is at least 1"
    if bool(share.hole) != bool(share.board):
        yield "hole and board say together how many cards of each play"
    elif share.hole:
        if not all(0 <= count <= held for count in share.hole):
            yield f"hole counts are 0 to {held}, the cards held at the showdown"
        if not all(0 <= count <= board for count in share.board):
            yield f"board counts are 0 to {board}, the cards on the board"
        if min(share.hole) + min(share.board) < 1:
            yield "no card need play"
        if (share.hole, share.board) == ((2,), (3,)) and board > OMAHA_BOARD:
            yield f"three of {board} common cards play: of {OMAHA_BOARD} at most"
    if share.ranking == SPIT and not board:
        yield f"{SPIT} needs a common card"
    if share.at_least:
        yield from _of_least(share)


def _of_least(share: Share) -> Iterator[str]:
    if share.ranking in ("high", "bug_high", "wild_high"):
        if share.at_least not in CLASSES:
            yield f"at_least is a class of hands: {', '.join(CLASSES)}"
    elif share.ranking not in ("a5", "27", "a6") or share.at_least != NO_PAIR:
        yield f"at_least is a class for a high hand, {NO_PAIR} for a low of a5, a6 or 27"


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


def _of_wild_cards(game: PokerGame) -> Iterator[str]:
    ranks = {card // 4 for card in DECKS[game.deck] if card < 52}
    if not set(game.wild) <= {RANK_TEXT[rank] for rank in ranks}:
        yield f"wild ranks are among {''.join(RANK_TEXT[rank] for rank in sorted(ranks))}"
    if len(set(game.wild)) != len(game.wild):
        yield "a wild rank is named twice"
    has_jokers = max(DECKS[game.deck]) >= 52
    if has_jokers and any(isinstance(s, Bet) and s.first in BY_CARDS for s in game.steps):
        yield "a joker face up has no rank to act first by"
    for share in game.shares:
        if (game.wild or has_jokers) and share.ranking in WITHOUT_WILD:
            yield f"{share.ranking} knows no other wild cards and no jokers"
        elif has_jokers and not game.wild and share.ranking == "high":
            yield "with a joker a high share is ranked by bug_high or wild_high"
        if share.ranking == "short_high" and game.deck != "36":
            yield "short_high is for the deck of 36"


def _is_drawn_before_the_last_round(game: PokerGame) -> bool:
    rounds = [nth for nth, step in enumerate(game.steps) if isinstance(step, Bet)]
    return bool(rounds) and any(isinstance(step, Draw) for step in game.steps[: rounds[-1]])


def _of_special_rules(game: PokerGame) -> Iterator[str]:
    passed_out = {step.passed_out for step in game.steps if isinstance(step, Bet)}
    if OTHER_GAME in passed_out and game.other is None:
        yield "a round passed out goes on as another game, and there is none"
    if game.other is not None and game.other.other is not None:
        yield "the other game has no other game in its turn"
    if game.checked_seven and game.shares[0].ranking != "a5":
        yield "checked_seven is for a low of a5"
    if game.checked_seven and not _is_drawn_before_the_last_round(game):
        yield "checked_seven is for a game with a draw before its last betting round"
    if game.kill and game.kill not in CARD_OF:
        yield f"{game.kill!r} is not a card that could kill a deal"
    if not game.die:
        return
    yield from _of_die(game)


def _of_die(game: PokerGame) -> Iterator[str]:
    """Each face must make a game that can be dealt."""
    if len(game.die) != SIX:
        yield f"a die has {SIX} faces"
    for nth, face in enumerate(game.die, start=1):
        cards, _, ranking = face.partition(" ")
        if not cards.isdecimal() or int(cards) < 1 or ranking not in ("high", *LOWS):
            yield f"{face!r} is no face of a die: cards, a blank, high or the ranking of a low"
        else:
            yield from (f"with {face!r} {fault}" for fault in faults(by_die(game, nth)))
