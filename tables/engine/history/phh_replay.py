"""A foreign hand played again on this engine, and what came out otherwise than it was told.

The deck is stacked so that every card comes where the document deals it; the actions are then
given to the engine in their order. Cards that are not told are any that nobody has; those of who
mucks at a showdown are such as win him nothing, as he has shown by mucking.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tables.engine import fairness
from tables.engine.cards import CARD_TEXT, parse_card
from tables.engine.errors import BadHistory, RuleViolation
from tables.engine.games import GAMES
from tables.engine.history import phh_reading as reading
from tables.engine.history.phh import UNKNOWN
from tables.engine.history.phh_reading import Done, PhhHand
from tables.engine.history.stacking import received, stacked_deck, street_names
from tables.engine.poker.actions import BET, COMPLETE, DOUBLE_BET, RAISE
from tables.engine.poker.hand import start
from tables.engine.poker.vocabulary import BRING_IN, DECKS, FIXED, Draw, PokerGame
from tables.engine.protocol import Json, SeatIn

SAME, SAME_BUT_RAKE, PLAYED, DIFFERS, NOT_PLAYED = (
    "same", "same_but_rake", "played", "differs", "not_played",
)  # fmt: skip
FILLS = 60
RAISES = (BET, RAISE, COMPLETE, DOUBLE_BET)


@dataclass(slots=True)
class Report:
    """status: SAME ... NOT_PLAYED. differences: each a code with its facts. Amounts are minor."""

    name: str
    status: str
    variant: str = ""
    game: str = ""
    players: int = 0
    exponent: int = 0
    theirs_minor: Sequence[int] | None = None
    ours_minor: Sequence[int] | None = None
    differences: list[Json] = field(default_factory=list)
    filled: int = 0

    def to_json(self) -> Json:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def replayed(name: str, told: PhhHand | BadHistory) -> Report:
    """Play a hand that was read and compare how it ends. Never raises for what a hand says."""
    if isinstance(told, BadHistory):
        return _not_played(Report(name, NOT_PLAYED), told)
    report = Report(
        name, NOT_PLAYED, told.variant, told.game_id, len(told.stacks_minor), told.exponent,
        told.ends_minor,
    )  # fmt: skip
    best: _Play | None = None
    try:
        for nth in range(FILLS):
            play = _Play(told, nth)
            play.run()
            best = play if best is None or nth == 0 or play.agrees() else best
            if play.agrees() or not play.is_guessed:
                break
    except RuleViolation as error:
        return _not_played(report, error)
    assert best is not None
    report.filled = best.filled
    report.differences = best.differences
    report.ours_minor = best.stacks()
    report.status = _status(told, best)
    return report


def _not_played(report: Report, error: RuleViolation) -> Report:
    report.differences.append({"code": error.code, "detail": str(error)})
    return report


def _status(told: PhhHand, play: _Play) -> str:
    ours, theirs = play.stacks(), told.ends_minor
    if ours is None or play.differences:
        return DIFFERS
    if theirs is None:
        return PLAYED
    if tuple(ours) == theirs:
        return SAME
    kept = told.rake_minor + told.taken_minor
    less = [mine - other for mine, other in zip(ours, theirs, strict=True)]
    if kept and sum(less) == kept and min(less) >= 0:
        return SAME_BUT_RAKE
    play.differences.append(
        {"code": "stacks_differ", "ours_minor": list(ours), "theirs_minor": list(theirs)}
    )
    return DIFFERS


class _Play:
    """One way to play a document; nth: how unknown cards are chosen."""

    def __init__(self, told: PhhHand, nth: int) -> None:
        self.told = told
        game = GAMES[told.game_id]
        assert isinstance(game, PokerGame)
        self.game = game
        self.differences: list[Json] = []
        self.actions, self.filled, self.is_guessed = filled(told, game, nth)
        self.script = _script(told, game, self.actions)
        self.hand, _ = start(
            game,
            [SeatIn(seat, stack) for seat, stack in enumerate(told.stacks_minor)],
            _options(told, game),
            stacked_deck(game, self.script),
            button=len(told.stacks_minor) - 1,
            posts=_posts(told, game),
        )

    def stacks(self) -> list[int] | None:
        if self.hand.result is None:
            return None
        ended = self.hand.result["stacks_minor"]
        return [ended[str(seat)] for seat in range(len(self.told.stacks_minor))]

    def agrees(self) -> bool:
        ours, theirs = self.stacks(), self.told.ends_minor
        return ours is not None and (theirs is None or tuple(ours) == theirs)

    def run(self) -> None:
        """Give the engine every action; the first that does not fit ends it."""
        dealt = [card for done in self.actions if done.verb == reading.DEAL_BOARD
                 for card in done.cards]  # fmt: skip
        for nth, done in enumerate(self.actions):
            self._house()
            if done.verb in (reading.DEAL_BOARD, reading.DEAL_HOLE, reading.SHOW):
                continue
            if difference := self._act(done):
                self.differences.append({"action": nth + 1, **difference})
                return
        self._house()
        if not self.hand.over:
            waits = [seat + 1 for seat in self.hand.waiting]
            self.differences.append({"code": "not_over", "waits_for": waits})
        elif dealt != (board := self.hand.texts(self.hand.board)):
            self.differences.append({"code": "board_differs", "ours": board, "theirs": dealt})

    def _act(self, done: Done) -> Json | None:
        hand, said = self.hand, {"player": done.player + 1, "verb": done.verb}
        if hand.over:
            return {"code": "over_already", **said}
        if done.player not in hand.waiting:
            return {"code": "other_turn", **said, "waits_for": [s + 1 for s in hand.waiting]}
        try:
            hand.act(done.player, self._action(done))
        except RuleViolation as error:
            return {"code": "refused", **said, "rule": error.code, "detail": str(error)}
        return None

    def _action(self, done: Done) -> Json:
        offered = {choice["name"]: choice for choice in self.hand.legal(done.player)}
        if done.verb == reading.BRING_IN:
            return {"name": "bring_in"}
        if done.verb == reading.FOLD:
            return {"name": "fold"}
        if done.verb == reading.CHECK_CALL:
            return {"name": "check" if "check" in offered else "call"}
        if done.verb == reading.DISCARD:
            return self._draw(done)
        names = [name for name in RAISES if name in offered]
        for name in names:
            if offered[name]["least_to_minor"] <= done.to_minor <= offered[name]["most_to_minor"]:
                return {"name": name, "to_minor": done.to_minor}
        return {"name": names[0] if names else RAISE, "to_minor": done.to_minor}

    def _draw(self, done: Done) -> Json:
        if not done.cards:
            return {"name": "stand_pat"}
        place = self.hand.numbers.index(done.player)
        held = self.hand.texts(self.hand.down[place] + self.hand.up[place])
        strange = [card for card in done.cards if card not in held]
        if strange:
            raise BadHistory("actions", f"{', '.join(strange)} is thrown by who has not got it")
        return {"name": "draw", "cards": [held.index(card) for card in done.cards]}

    def _house(self) -> None:
        """What the house does by itself: a muck that is shuffled again."""
        while self.hand.window == "reshuffle":
            self.hand.reshuffle(self._muck())

    def _muck(self) -> list[int]:
        """The mucked cards, first those that the document deals from now on."""
        wanted: list[int] = []
        for place in self.hand.serving:
            cards = received(self.script, self.hand.street, self.hand.numbers[place])
            wanted += cards[len(self.hand.drawn) :] if place == self.hand.serving[0] else cards
        mucked = self.hand.mucked
        first = [at for card in wanted for at in mucked if self.hand.deck[at] == card]
        return first + [at for at in mucked if at not in first]


def filled(told: PhhHand, game: PokerGame, nth: int) -> tuple[list[Done], int, bool]:
    """The actions with a card for every unknown one, how many, and whether more than one will do.

    What a showdown shows of a hand is what it was dealt.
    """
    actions = _shown_first(told.actions)
    known = {parse_card(card) for card in reading.named_cards(actions)}
    seed = nth.to_bytes(32, "big")
    spare = [card for card in fairness.shuffle(DECKS[game.deck], seed) if card not in known]
    unknown = 0
    given: list[Done] = []
    held: list[list[str]] = [[] for _ in told.stacks_minor]
    for done in actions:
        cards = []
        for card in done.cards:
            if card != UNKNOWN:
                cards.append(card)
            elif done.verb == reading.DISCARD:
                mine = [one for one in held[done.player] if one not in (*done.cards, *cards)]
                if not mine:
                    raise BadHistory("actions", "more cards are thrown than there are")
                cards.append(mine[-1])
            elif done.verb == reading.SHOW:
                continue
            else:
                unknown += 1
                if not spare:
                    raise BadHistory("actions", "more cards are dealt than there are")
                cards.append(CARD_TEXT[spare.pop()])
        if done.verb == reading.DEAL_HOLE:
            held[done.player] += cards
        elif done.verb == reading.DISCARD:
            held[done.player] = [card for card in held[done.player] if card not in cards]
        given.append(Done(done.verb, done.player, tuple(cards), done.to_minor))
    return given, unknown, unknown > 0


def _shown_first(actions: Sequence[Done]) -> list[Done]:
    """Unknown cards of a hand become those that it shows at the end, as far as that is told."""
    given = list(actions)
    for shown in actions:
        if shown.verb != reading.SHOW or UNKNOWN in shown.cards:
            continue
        told = {card for done in given if done.player == shown.player
                and done.verb == reading.DEAL_HOLE for card in done.cards}  # fmt: skip
        open_cards = [card for card in shown.cards if card not in told]
        for at in range(len(given) - 1, -1, -1):
            done = given[at]
            if done.verb == reading.DEAL_HOLE and done.player == shown.player and open_cards:
                cards = tuple(
                    open_cards.pop() if card == UNKNOWN and open_cards else card
                    for card in done.cards
                )
                given[at] = Done(done.verb, done.player, cards)
    return given


def _script(told: PhhHand, game: PokerGame, actions: Sequence[Done]) -> dict[str, Any]:
    """What `stacked_deck` needs to know: who gets which cards, and who is out or draws when."""
    count = len(told.stacks_minor)
    hole: list[list[str]] = [[] for _ in range(count)]
    board: list[str] = []
    done_at: list[dict[str, Any]] = []
    draws = {step.street for step in game.steps if isinstance(step, Draw)}
    drawing: dict[int, dict[str, Any]] = {}
    for street, done in _on_streets(game, actions):
        if done.verb == reading.DEAL_BOARD:
            board += done.cards
        elif done.verb == reading.DEAL_HOLE and done.player in drawing and street in draws:
            drawing[done.player].setdefault("receive", []).extend(done.cards)
        elif done.verb == reading.DEAL_HOLE:
            hole[done.player] += done.cards
        elif done.verb == reading.DISCARD:
            drawing[done.player] = {
                "street": street, "seat": done.player, "discard": list(done.cards),
            }  # fmt: skip
            done_at.append(drawing[done.player])
        elif done.verb == reading.FOLD:
            done_at.append({"street": street, "seat": done.player, "action": "fold"})
            drawing.pop(done.player, None)
    return {"hole": hole, "board": board, "actions": done_at, "button": count - 1}


def _on_streets(game: PokerGame, actions: Sequence[Done]) -> Iterator[tuple[str, Done]]:
    """Every action with the street it belongs to: dealing or drawing after a bet opens the next."""
    streets = street_names(game)
    has_draws = any(isinstance(step, Draw) for step in game.steps)
    opens = {reading.DISCARD} if has_draws else {reading.DEAL_BOARD, reading.DEAL_HOLE}
    at, was_bet = 0, False
    for done in actions:
        if done.verb in opens and was_bet:
            at, was_bet = min(at + 1, len(streets) - 1), False
        elif done.verb == reading.DEAL_BOARD and not has_draws:
            # Nobody could bet any more: each card of the board is a street of its own.
            at = min(at + 1, len(streets) - 1)
        elif done.verb not in (*opens, reading.DEAL_HOLE, reading.SHOW):
            was_bet = True
        yield streets[at], done


def _options(told: PhhHand, game: PokerGame) -> dict[str, Any]:
    options: dict[str, Any] = {"limit": told.limit, "no_double_bet": True}
    antes = set(told.antes_minor)
    options["ante_minor"] = antes.pop() if len(antes) == 1 else 0
    if told.limit == FIXED:
        options |= {"small_bet_minor": told.bets_minor[0], "big_bet_minor": told.bets_minor[1]}
    else:
        options["min_bet_minor"] = told.least_bet_minor
    if game.forced == BRING_IN:
        options["bring_in_minor"] = told.bring_in_minor
        return options
    blinds = [blind for blind in told.blinds_minor if blind > 0]
    if not blinds:
        raise BadHistory("blinds_or_straddles", "this engine deals the game with blinds")
    options["blinds_minor"] = [blinds[0], blinds[1]] if len(blinds) > 1 else [0, blinds[0]]
    return options


def _by_player(told: PhhHand) -> tuple[int, ...]:
    """Blinds by player; heads-up they are listed the other way round."""
    return told.blinds_minor[::-1] if len(told.blinds_minor) == 2 else told.blinds_minor


def _posts(told: PhhHand, game: PokerGame) -> list[dict[str, Any]] | None:
    """Blinds, straddles and antes that not all pay, by seat."""
    if game.forced == BRING_IN:
        if len(set(told.antes_minor)) > 1:
            raise BadHistory("antes", "not all pay the same, which this game does not know")
        return None
    by_player = _by_player(told)
    order = (1, 0) if len(by_player) == 2 else tuple(range(len(by_player)))
    posts: list[dict[str, Any]] = []
    lead = [seat for seat in order if by_player[seat] > 0]
    if len(lead) > 3:
        raise BadHistory("blinds_or_straddles", "more than one straddle")
    kinds = ("small", "big", "straddle") if len(lead) > 1 else ("big",)
    for seat, kind in zip(lead, kinds, strict=False):
        posts.append({"seat": seat, "kind": kind, "amount_minor": by_player[seat]})
    for seat, amount in enumerate(by_player):
        if amount < 0:
            posts.append({"seat": seat, "kind": "live", "amount_minor": -amount})
    if len(set(told.antes_minor)) > 1:
        posts += [
            {"seat": seat, "kind": "dead", "amount_minor": ante}
            for seat, ante in enumerate(told.antes_minor)
            if ante > 0
        ]
    return posts


def summed(reports: Sequence[Report]) -> Mapping[str, int]:
    """How many hands came out how."""
    statuses = [report.status for report in reports]
    return {status: statuses.count(status) for status in dict.fromkeys(statuses)}
