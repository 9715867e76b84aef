"""The end of a hand: who shows, what each pot pays and why, and the hand's result.

Source: docs/rules/poker.md 7, 8, 9 and 10.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from tables.engine.cards import card_texts
from tables.engine.poker.claims import Claim, Values, claims, contested_pots
from tables.engine.poker.openers import next_needed, show_openers
from tables.engine.poker.options import SUIT
from tables.engine.poker.pots import Pot, drops, portions, rakes, split
from tables.engine.poker.rabbit import show_rabbit
from tables.engine.poker.scoring import hole_cards, playing, ranking_of, scores, top_card
from tables.engine.poker.state import State
from tables.engine.poker.windows import SHOWING, open_window
from tables.engine.protocol import Json
from tables.engine.rankings.names import named

ByBoard: TypeAlias = list[list[list[int]]]
"""What hands are worth, by board, share of the pot and place."""

POT_NAMES = ("main", *(f"side {nth}" for nth in range(1, 12)))


def finish_uncontested(state: State) -> None:
    """All others have folded: the last one takes what is there, unseen."""
    unseen = state.living() if state.options.show_window else []
    _end(state, contested_pots(state, []), [[]], unseen, showdown=False)


def showdown(state: State) -> None:
    """Show hands in turn and pay every pot to the best of those who can win it."""
    living = state.living()
    values = state.worth = [scores(state, living) for _ in each_board(state)]
    pots = contested_pots(state, values[0])
    beaten = _show(state, pots, values)
    _end(state, pots, values, beaten, showdown=True)


def each_board(state: State) -> Iterator[int]:
    """Count the boards, from 0; each in turn lies as `board` while it is looked at."""
    yield 0
    rare, first = state.rare, state.board
    boards = [] if rare is None else rare.boards
    try:
        for nth, board in enumerate(boards, 1):
            state.board = board
            yield nth
    finally:
        state.board = first


def table_hands(state: State) -> None:
    """Turn all live hands up: betting is over, somebody is all-in, the board is still to come."""
    for place in _showing_order(state):
        if not state.shown[place]:
            state.shown[place] = 1
            state.tell("hand_shown", shown_hand(state, place, []))


def _showing_order(state: State) -> list[int]:
    """Last aggressor of the last round in which anybody could act; none: who was to act first."""
    return state.from_place(state.aggressor if state.aggressor >= 0 else state.first)


def _show(state: State, pots: list[Pot], values: ByBoard) -> list[int]:
    """The first in order shows; then who holds the best hand so far of any pot or share.

    Returns the beaten who are still to be asked whether they show.
    """
    order = _showing_order(state)
    open_all = not state.options.auto_muck or any(state.declared) or len(state.able()) < len(order)
    contests = [(pot.places, by) for pot in pots for board in values for by in board]
    best = [0] * len(contests)
    beaten = []
    for place in order:
        wins = open_all or place == order[0]
        for nth, (places, by_place) in enumerate(contests):
            value = by_place[place]
            if value and value >= best[nth] and place in places:
                best[nth] = value
                wins = True
        if wins:
            state.shown[place] = 1
            state.tell("hand_shown", shown_hand(state, place, values))
        elif state.options.show_window:
            beaten.append(place)
        else:
            state.tell("hand_mucked", {"seat": state.numbers[place]})
    return beaten


def shown_hand(state: State, place: int, values: ByBoard) -> Json:
    """What a shown hand tells: its cards, and per side its class, ranks, words, cards that play.

    values: by board, share of the pot and place; [] before the board is complete. With several
    boards "boards" has the sides of each, in order.
    """
    hole = hole_cards(state, place)
    public: Json = {"seat": state.numbers[place], "cards": card_texts(hole)}
    if len(values) == 1:
        public |= _sides(state, hole, place, values[0])
    elif values:
        sides = [_sides(state, hole, place, values[nth]) for nth in each_board(state)]
        public |= sides[0]
        public["boards"] = sides
    return public


def _sides(state: State, hole: tuple[int, ...], place: int, values: Values) -> Json:
    board = state.cards(state.board)
    public: Json = {}
    for share, by_place in zip(state.game.shares, values, strict=True):
        if value := by_place[place]:
            ranking = ranking_of(state, share)
            cards = playing(ranking, share, hole, board, value)
            name = named(ranking, value, len(cards))
            public[share.side] = {
                "class": name.hand,
                "ranks": name.ranks,
                "words": name.words,
                "cards": card_texts(cards),
            }
    return public


def finish_passed_out(state: State) -> None:
    """Nobody has opened: all chips stay for the next deal."""
    state.tell("passed_out", {"carry_minor": state.pot()})
    _close(state, passed_out=True)


def finish_killed(state: State) -> None:
    """The kill card is up: the deal is dead, its pots wait for those still in and a new deal."""
    state.serving, state.offered = [], -1
    numbers = state.numbers
    pots = [
        [pot.amount_minor, sorted(numbers[place] for place in pot.places)]
        for pot in contested_pots(state, [])
    ]
    state.tell("deal_killed", {"card": state.game.kill, "carry_minor": state.pot()})
    _close(state)
    assert state.ending is not None
    seats = sorted(numbers[place] for place in state.living())
    state.ending["carry"] |= {"pots": pots, "seats": seats, "button": state.button}


def hand_values(state: State, places: list[int]) -> ByBoard:
    """What hands are worth once all is paid; [] when nothing was shown down."""
    if state.ending is None or not state.ending["showdown"]:
        return []
    if state.worth:
        return state.worth
    return [scores(state, places) for _ in each_board(state)]


def _end(
    state: State, pots: list[Pot], values: ByBoard, unseen: list[int], *, showdown: bool
) -> None:
    """Pay the pots and end the hand. unseen: who is asked first whether he shows his cards."""
    won = [_won(state, pot, values) for pot in pots]
    taken = _taken(state, pots, won)
    results = []
    carry_minor = 0
    for nth, pot in enumerate(pots):
        results.append(_award(state, nth, pot, taken[nth], won[nth], values))
        if not won[nth][0]:
            carry_minor += pot.amount_minor
    show_openers(state)
    if state.options.rabbit and not showdown:
        show_rabbit(state)
    _settle(state, results, showdown=showdown, carry_minor=carry_minor)
    if unseen:
        open_window(state, SHOWING, unseen)
    else:
        end_hand(state)


def _won(state: State, pot: Pot, values: ByBoard) -> list[list[Claim]]:
    """By board, who wins each share of a pot; a pot with one claimant is his without a board."""
    if len(pot.places) == 1 or len(values) == 1:
        return [claims(state, pot, values[0])]
    return [claims(state, pot, values[nth]) for nth in each_board(state)]


def _close(state: State, *, passed_out: bool = False) -> None:
    """End a hand that nobody wins: all chips stay for the next deal."""
    carry_minor = state.pot()
    _settle(state, [], showdown=False, carry_minor=carry_minor, passed_out=passed_out)
    end_hand(state)


def _settle(
    state: State,
    pots: list[Json],
    *,
    showdown: bool,
    carry_minor: int,
    passed_out: bool = False,
) -> None:
    """Write the result down."""
    for place, kept in enumerate(state.aside):
        state.stacks[place] += kept
    state.aside = []
    stacks, nets = {}, {}
    for number, before, stack in zip(state.numbers, state.opening, state.stacks, strict=True):
        seat = str(number)
        stacks[seat] = stack
        nets[seat] = stack - before
    rake_minor = sum([pot["rake_minor"] for pot in pots])
    state.ending = {
        "nets_minor": nets,
        "stacks_minor": stacks,
        "rake_minor": rake_minor,
        "pots": pots,
        "carry_minor": carry_minor,
        "showdown": showdown,
        "street": state.street,
    }
    if carry_minor:
        needed = next_needed(state, passed_out=passed_out)
        state.ending["carry"] = {"carry_minor": carry_minor, "openers": needed}
    if state.options.drop:
        state.ending["drop_minor"] = sum([pot["drop_minor"] for pot in pots])


def end_hand(state: State) -> None:
    """Say that the hand is over; its result is written down."""
    assert state.ending is not None
    state.over = True
    state.pending = []
    ending = state.ending
    told: Json = {
        "nets_minor": ending["nets_minor"],
        "stacks_minor": ending["stacks_minor"],
        "rake_minor": ending["rake_minor"],
    }
    if ending["carry_minor"]:
        told["carry_minor"] = ending["carry_minor"]
    if state.options.drop:
        told["drop_minor"] = ending["drop_minor"]
    state.tell("hand_over", told)


def _taken(state: State, pots: list[Pot], won: list[list[list[Claim]]]) -> list[tuple[int, int]]:
    """Rake of each pot, and its drop for the jackpots: none of a pot that nobody wins.

    No drop before a flop, a fourth street or a draw; no rake either where no flop is no drop.
    """
    options = state.options
    seen = state.streets > 1
    rake = options.rake if seen or not (options.rake and options.rake.no_flop_no_drop) else None
    drop = options.drop if seen else None
    if rake is None and drop is None:
        return [(0, 0)] * len(pots)
    amounts = [pot.amount_minor if by[0] else 0 for pot, by in zip(pots, won, strict=True)]
    nothing = [0] * len(pots)
    players, chip = len(state.numbers), options.chip_minor
    raked = nothing if rake is None else rakes(amounts, rake, players, chip)
    dropped = nothing if drop is None else drops(amounts, raked, drop, chip)
    return list(zip(raked, dropped, strict=True))


def _award(
    state: State,
    nth: int,
    pot: Pot,
    taken: tuple[int, int],
    won: list[list[Claim]],
    values: ByBoard,
) -> Json:
    """Pay one pot, board by board and share by share, and tell each payment.

    taken: rake and drop of it, taken before. Each board has an equal part, odd chips from the
    first on. Returns the pot's line of the result.
    """
    rake_minor, drop_minor = taken
    seats = sorted([state.numbers[place] for place in pot.places])
    awards: dict[str, int] = {}
    result: Json = {
        "amount_minor": pot.amount_minor,
        "rake_minor": rake_minor,
        "eligible": seats,
        "awards": awards,
    }
    if state.options.drop:
        result["drop_minor"] = drop_minor
    if not won[0]:
        state.tell("pot_carried", {"pot": nth, "name": POT_NAMES[nth], **_carried(pot, seats)})
        return result
    if len(won) == 1:
        _pay_board(state, nth, pot, result, taken, won[0], values[0])
        return result
    net_minor = pot.amount_minor - rake_minor - drop_minor
    parts = split(net_minor, len(won), state.options.chip_minor)
    result["boards"] = []
    for board in each_board(state):
        of_it = (0, 0) if board else taken
        line: Json = {"amount_minor": parts[board] + sum(of_it), "awards": {}}
        _pay_board(state, nth, pot, line, of_it, won[board], values[board], board + 1)
        result["boards"].append(line)
        for seat, amount in line["awards"].items():
            awards[seat] = awards.get(seat, 0) + amount
    return result


def _pay_board(
    state: State,
    nth: int,
    pot: Pot,
    line: Json,
    taken: tuple[int, int],
    won: list[Claim],
    values: Values,
    board_no: int = 0,
) -> None:
    """Pay what one board decides of a pot into its line: "awards", and each side of several.

    line: with its "amount_minor", taken: rake and drop included in it. board_no: 0 where one board
    decides it all.
    """
    rake_minor, drop_minor = taken
    shares, chip = state.game.shares, state.options.chip_minor
    seats = line.get("eligible") or sorted([state.numbers[place] for place in pot.places])
    awards = line["awards"]
    amount_minor = line["amount_minor"] - rake_minor - drop_minor
    parts = [amount_minor]
    if len(won) > 1:
        parts = portions(amount_minor, [shares[claim.share].part for claim in won], chip)
    for claim, part in zip(won, parts, strict=True):
        paid: dict[str, int] = {}
        winners = claim.winners
        if len(winners) > 1:
            winners = _for_odd_chips(state, claim, values)
        for place, amount in zip(winners, split(part, len(winners), chip), strict=True):
            seat = str(state.numbers[place])
            state.stacks[place] += amount
            paid[seat] = amount
            awards[seat] = awards.get(seat, 0) + amount
        side = shares[claim.share].side if values and len(shares) > 1 else ""
        if len(won) > 1:
            line[side] = paid
        award: Json = {
            "pot": nth,
            "name": POT_NAMES[nth],
            "share": side,
            "amount_minor": part,
            "rake_minor": rake_minor if claim is won[0] else 0,
            "eligible": seats,
            "winners": paid,
            "words": _reason(state, pot, claim, values),
        }
        if state.options.drop:
            award["drop_minor"] = drop_minor if claim is won[0] else 0
        if board_no:
            award["board_no"] = board_no
        state.awards.append(award)
        state.tell("pot_awarded", award)


def _for_odd_chips(state: State, claim: Claim, values: Values) -> list[int]:
    """The winners of a share in the order in which odd chips go to them."""
    winners = claim.winners
    if state.options.odd_chips != SUIT:
        return winners
    share, by_place = state.game.shares[claim.share], values[claim.share]
    if len({by_place[place] for place in winners}) > 1:
        return winners  # all have failed, and share without a hand to compare
    return sorted(
        winners, key=lambda place: top_card(state, share, place, by_place[place]), reverse=True
    )


def _carried(pot: Pot, seats: list[int]) -> Json:
    return {"amount_minor": pot.amount_minor, "eligible": seats}


def _reason(state: State, pot: Pot, claim: Claim, values: Values) -> str:
    if not values:
        return "Everybody else has folded"
    if len(pot.places) == 1:
        return "Nobody else has a claim to this pot"
    share = state.game.shares[claim.share]
    value = values[claim.share][claim.winners[0]]
    ranking, place = ranking_of(state, share), claim.winners[0]
    count = len(state.down[place]) + len(state.up[place]) + len(state.board)
    if share.hole:
        hole, board = hole_cards(state, place), state.cards(state.board)
        count = len(playing(ranking, share, hole, board, value))
    words = named(ranking, value, min(count, 5)).words
    if len(claim.winners) == 1:
        return words
    seats = ", ".join(str(state.numbers[place]) for place in claim.winners)
    return f"Split between seats {seats}: {words}"
