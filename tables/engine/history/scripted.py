"""Decks and dice that bring what a script asks for, of every family.

A hand is put together from what makes its class, the rest of the deck is filled from a shuffle, and
the whole deal is judged by the game's own rankings; where chance spoils it, it is shuffled anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from tables.engine import fairness
from tables.engine.banked.rounds import places as banked_places
from tables.engine.banked.vocabulary import BankedGame
from tables.engine.bluff.hand import BluffHand
from tables.engine.cards import CARD_TEXT, FIRST_JOKER, RANK_TEXT
from tables.engine.errors import ScriptNotPossible
from tables.engine.history.scripts import Script, Wish
from tables.engine.poker.hand import PokerHand
from tables.engine.poker.scoring import hole_cards, playing, ranking_of, scores
from tables.engine.poker.vocabulary import CallSpit, Deal, Draw, PokerGame
from tables.engine.rankings import three_card
from tables.engine.rankings.names import GROUPS, named
from tables.engine.rankings.tables import category_of, ranks_of

Judge = Callable[[Sequence[int]], bool]

TRIES = 2_000
DEALER = 0
"""Stands among the seats, which count from 1, for the dealer's hand."""
SAME_SUIT = ("flush", "straight_flush")
RUNS = ("straight", "straight_flush")


@dataclass(slots=True)
class Places:
    """Positions of the deck by seat and of the board, if nobody folds or draws.

    after: the first position behind them, or the first that a draw receives.
    """

    hands: dict[int, list[int]]
    board: list[int]
    after: int


def ring_deck(trial: PokerHand, script: Script, seed: bytes) -> list[int]:
    """The deck, in dealing order, that brings what is asked for.

    trial: the hand as it has just been dealt from any deck; it is of no use afterwards.
    Raises ScriptNotPossible.
    """
    places = ring_places(trial.game, trial.numbers, len(trial.deck))
    _only_dealt_in(script, trial.numbers)
    if script.dealer is not None:
        raise ScriptNotPossible("this game has no dealer's hand")
    fixed = _fixed(script, places)
    share_of = {seat: _share(trial, wish) for seat, wish in script.seats.items() if wish.hand}

    def is_held(seat: int, wish: Wish) -> bool:
        place, nth = trial.numbers.index(seat), share_of[seat]
        share = trial.game.shares[nth]
        worth = scores(trial, [place])[nth][place]
        if not worth:
            return False
        ranking = ranking_of(trial, share)
        hole, board = hole_cards(trial, place), trial.cards(trial.board)
        cards = playing(ranking, share, hole, board, worth)
        told = named(ranking, worth, len(cards))
        return told.hand == wish.hand and told.ranks.startswith(wish.ranks)

    def judge(deck: Sequence[int]) -> bool:
        trial.deck = deck
        trial.board = places.board
        for place, number in enumerate(trial.numbers):
            trial.down[place], trial.up[place] = places.hands[number], []
        return all(is_held(seat, script.seats[seat]) for seat in share_of)

    most_own = {
        seat: max(trial.game.shares[nth].hole, default=len(places.hands[seat]))
        for seat, nth in share_of.items()
    }
    orders = _orders(script, places, most_own)
    return _arranged(sorted(trial.deck), fixed, orders, judge, seed)


def banked_deck(
    game: BankedGame, packets: bool, spots: Sequence[int], script: Script, seed: bytes
) -> list[int]:
    """The same for a round against the house, dealt to these spots. Raises ScriptNotPossible."""
    *hands, dealer = banked_places(game.deal, len(spots), packets)
    places = Places({spot: list(hand) for spot, hand in zip(spots, hands, strict=True)}, [], 0)
    places.after = sum(map(len, hands)) + len(dealer)
    _only_dealt_in(script, spots)
    wishes = {seat: _three_card(wish) for seat, wish in script.seats.items()}
    if script.dealer is not None:
        places.hands[DEALER] = list(dealer)
        wishes[DEALER] = _three_card(script.dealer)
    asked = Script(wishes, script.board, script.next)

    def judge(deck: Sequence[int]) -> bool:
        for seat, wish in wishes.items():
            worth = three_card.three_card([deck[at] for at in places.hands[seat]])
            if wish.hand and three_card.CLASSES[category_of(worth)] != wish.hand:
                return False
            if wish.ranks and ranks_of(worth)[0] != RANK_TEXT.index(wish.ranks[0]):
                return False
        return True

    most_own = {seat: len(places.hands[seat]) for seat, wish in wishes.items() if wish.hand}
    fixed = _fixed(asked, places)
    return _arranged(sorted(game.deck), fixed, _orders(asked, places, most_own), judge, seed)


def _three_card(wish: Wish) -> Wish:
    return replace(wish, hand="straight_flush", ranks="A") if wish.hand == "mini_royal" else wish


def dice_rolled(trial: BluffHand, dice: Sequence[int], script: Script) -> list[int]:
    """The faces, 1 to 6 in the order in which they are rolled, with those asked for first.

    trial: the hand as these dice have just opened it. Raises ScriptNotPossible.
    """
    faces = list(dice)
    for seat, wish in script.seats.items():
        if seat not in trial.seats:
            raise ScriptNotPossible(f"seat {seat} is not dealt in")
        rolled = trial.places[trial.seats.index(seat)]
        if len(wish.dice) > len(rolled) or wish.cards or wish.hand:
            raise ScriptNotPossible(f"seat {seat} rolls {len(rolled)} dice, and no cards")
        for at, face in zip(rolled, wish.dice, strict=False):
            faces[at] = face
    return faces


def ring_places(game: PokerGame, numbers: Sequence[int], size: int) -> Places:
    """Where each seat's cards and the board's will lie, as `poker.dealing` deals them.

    numbers: table seats from the button's left.
    """
    count, at, after = len(numbers), 0, None
    found = Places({number: [] for number in numbers}, [], 0)
    for nth, step in enumerate(game.steps):
        if isinstance(step, (Draw, CallSpit)) and after is None:
            after = at
        if not isinstance(step, Deal):
            continue
        needed = count * (step.down + step.up) + step.board * game.boards
        common = step.common_if_short and needed > size - at
        spare = size - at - (1 if common else needed)
        if game.burns and at and spare > 0 and spare > _to_come(game, nth, count):
            at += 1
        if not common:
            for part in (step.down, step.up):
                for place, number in enumerate(numbers):
                    found.hands[number] += range(at + place, at + count * part, count)
                at += count * part
        if step.board or common:
            found.board += range(at, at + (step.board or 1))
            at += step.board * game.boards or 1
    found.after = at if after is None else after
    return found


def _to_come(game: PokerGame, nth: int, count: int) -> int:
    found, common = 0, 0
    for step in game.steps[nth + 1 :]:
        if isinstance(step, Deal):
            found += step.board * game.boards
            found += 1 if step.common_if_short else count * (step.down + step.up)
        elif isinstance(step, CallSpit):
            common = 1
    return found + common


def _only_dealt_in(script: Script, numbers: Sequence[int]) -> None:
    for seat, wish in script.seats.items():
        if seat not in numbers:
            raise ScriptNotPossible(f"seat {seat} is not dealt in")
        if wish.dice:
            raise ScriptNotPossible("this game is dealt cards, not dice")


def _share(trial: PokerHand, wish: Wish) -> int:
    sides = [share.side for share in trial.game.shares]
    if wish.side and wish.side not in sides:
        raise ScriptNotPossible(f"the sides of this game are {', '.join(sides)}")
    return sides.index(wish.side) if wish.side else 0


def _fixed(script: Script, places: Places) -> dict[int, int]:
    """Card by position, where the script names cards."""
    fixed: dict[int, int] = {}
    lists = [
        (places.hands[seat], wish.cards, f"seat {seat}") for seat, wish in script.seats.items()
    ]
    lists.append((places.board, script.board, "the board"))
    for where, cards, name in lists:
        if len(cards) > len(where):
            raise ScriptNotPossible(f"{name} gets {len(where)} cards, {len(cards)} are named")
        fixed |= zip(where, cards, strict=False)
    for nth, card in enumerate(script.next):
        if places.after + nth in fixed:
            raise ScriptNotPossible("`next` would come where other cards are named")
        fixed[places.after + nth] = card
    return fixed


Order = tuple[Wish, list[int], list[int], int]
"""A hand to be put together: the wish, its own positions, the board's, how many own ones play."""

FIVE = 5


def _orders(script: Script, places: Places, most_own: dict[int, int]) -> list[Order]:
    return [
        (script.seats[seat], places.hands[seat], places.board, own)
        for seat, own in most_own.items()
    ]


def _arranged(
    cards: Sequence[int],
    fixed: dict[int, int],
    orders: Sequence[Order],
    judge: Judge,
    seed: bytes,
) -> list[int]:
    for at, card in fixed.items():
        if card not in cards:
            raise ScriptNotPossible(f"{CARD_TEXT[card]} is not in the deck of this game")
        if at >= len(cards):
            raise ScriptNotPossible("the script goes on behind the deck's last card")
    for nth in range(TRIES):
        pool = fairness.shuffle(cards, sha256(seed + nth.to_bytes(2, "big")).digest())
        placed = dict(fixed)
        if not all(_put(order, placed, pool) for order in orders):
            continue
        taken = set(placed.values())
        rest = iter([card for card in pool if card not in taken])
        deck = [placed[at] if at in placed else next(rest) for at in range(len(cards))]
        if judge(deck):
            return deck
    raise ScriptNotPossible("no deal was found that is what the script asks for")


def _put(order: Order, placed: dict[int, int], pool: Sequence[int]) -> bool:
    """Place what makes a wished hand among the cards that are there; False if that cannot be."""
    wish, own, board, most_own = order
    seen = [placed[at] for at in (*own, *board) if at in placed]
    taken = set(placed.values()) - set(seen)
    size = min(FIVE, len(own) + len(board))
    makers = _makers(wish, [*seen, *(card for card in pool if card not in taken)], size)
    if makers is None:
        return False
    missing = [card for card in makers if card not in seen]
    free = [at for at in own if at not in placed]
    mine = sum(placed.get(at) in makers for at in own)
    free = free[: max(0, most_own - mine)] + [at for at in board if at not in placed]
    if len(missing) > len(free):
        return False
    placed |= zip(free, missing, strict=False)
    return True


def _makers(wish: Wish, pool: Sequence[int], size: int) -> list[int] | None:
    """Cards that make a class, as far as they do: [] where any cards may, None where none can."""
    naturals = [card for card in pool if card < FIRST_JOKER]
    if not naturals:
        return None
    ranks = [RANK_TEXT.index(rank) for rank in wish.ranks]
    counts = GROUPS.get(wish.hand)
    if counts is None:
        return _of_ranks(naturals, ((rank, 1) for rank in ranks))
    if wish.hand in SAME_SUIT:
        suit = naturals[0] & 3
        naturals = [card for card in naturals if card & 3 == suit]
    if wish.hand in RUNS:
        top = ranks[0] if ranks else naturals[0] >> 2
        return _of_ranks(naturals, ((rank % 13, 1) for rank in range(top - size + 1, top + 1)))
    if wish.hand in ("flush", "high_card"):
        chosen = _of_ranks(naturals, ((rank, 1) for rank in ranks))
        if chosen is None or wish.hand == "high_card":
            return chosen
        return (chosen + [card for card in naturals if card not in chosen])[:size]
    free = [rank for rank in dict.fromkeys(card >> 2 for card in naturals) if rank not in ranks]
    ranks = (ranks + free)[: len(counts)]
    grouped = [(rank, count) for rank, count in zip(ranks, counts, strict=False) if count > 1]
    if wish.ranks:
        grouped = list(zip(ranks[: len(wish.ranks)], counts, strict=False))
    if wish.hand == "five_of_a_kind":
        jokers = [card for card in pool if card >= FIRST_JOKER]
        four = _of_ranks(naturals, [(ranks[0], 4)])
        return None if four is None else four + jokers[:1]
    return _of_ranks(naturals, grouped)


def _of_ranks(pool: Sequence[int], wanted: Iterable[tuple[int, int]]) -> list[int] | None:
    """So many cards of each rank, the first of the pool; None where it has not as many."""
    chosen: list[int] = []
    for rank, count in wanted:
        held = [card for card in pool if card >> 2 == rank][:count]
        if len(held) < count:
            return None
        chosen += held
    return chosen
