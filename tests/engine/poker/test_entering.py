"""Waiting, posting and missing blinds, against a reference that walks the table seat by seat."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from hypothesis.strategies import booleans, integers, sampled_from

from tables.engine.cards import parse_card
from tables.engine.poker.button import Positions
from tables.engine.poker.entering import (
    Entrant,
    Last,
    Lineup,
    first_lineup,
    highest_card,
    next_lineup,
)

RUNNING = Last(Positions(1, 2, 3), before=2)


def paid(*seats: int) -> list[Entrant]:
    return [Entrant(seat) for seat in seats]


def lined_up(entrants: list[Entrant], last: Last = RUNNING, least: int = 2) -> Lineup:
    lineup = next_lineup(last, entrants, least)
    assert lineup is not None
    return lineup


def of(lineup: Lineup, seat: int) -> Entrant:
    return next(entrant for entrant in lineup.entrants if entrant.seat == seat)


def test_the_highest_card_takes_the_first_button_and_suits_decide_between_equals() -> None:
    cards = {1: "Kd", 2: "Ah", 5: "As", 9: "Ac"}
    assert highest_card({seat: parse_card(card) for seat, card in cards.items()}) == 5


def test_in_a_games_first_hand_nobody_owes_anything() -> None:
    lineup = first_lineup([Entrant(2, owes_big=True), *paid(5, 8)], button_seat=2)
    assert lineup.dealt == (2, 5, 8)
    assert lineup.last == Last(Positions(2, 5, 8), before=5)
    assert not any(entrant.owes for entrant in lineup.entrants)


def test_a_newcomer_in_mid_orbit_is_not_dealt_in_before_the_big_blind_reaches_him() -> None:
    newcomer = Entrant(6, owes_big=True)
    lineup = lined_up([*paid(1, 2, 3, 4), newcomer])
    assert lineup.dealt == (1, 2, 3, 4)
    assert of(lineup, 6) == newcomer
    lineup = lined_up(list(lineup.entrants), lineup.last)
    assert lineup.last.positions.big == 6
    assert lineup.dealt == (1, 2, 3, 4, 6)
    assert not of(lineup, 6).owes


def test_a_newcomer_who_posts_puts_in_a_live_big_blind_and_owes_nothing_more() -> None:
    lineup = lined_up([*paid(1, 2, 3, 4), Entrant(6, owes_big=True, posts=True)])
    assert lineup.posts == (
        {"seat": 3, "kind": "small"}, {"seat": 4, "kind": "big"}, {"seat": 6, "kind": "live"},
    )  # fmt: skip
    assert not of(lineup, 6).owes


def test_nobody_posts_from_the_button_to_the_big_blind() -> None:
    for seat, last in ((2, Last(Positions(1, 2, 3), 2)), (3, Last(Positions(1, 2, 4), 2))):
        newcomer = Entrant(seat, owes_big=True, posts=True)
        others = [one for one in (1, 2, 4, 6, 8) if one != seat]
        lineup = lined_up([*paid(*others), newcomer], last)
        assert seat not in lineup.dealt
        assert of(lineup, seat) == newcomer


def test_who_misses_both_blinds_owes_the_big_one_live_and_the_small_one_dead() -> None:
    lineup = lined_up([*paid(1, 2, 3, 5), Entrant(4, plays=False)])
    assert (of(lineup, 4).owes_big, of(lineup, 4).owes_small) == (True, False)
    lineup = lined_up(list(lineup.entrants), lineup.last)
    assert (of(lineup, 4).owes_big, of(lineup, 4).owes_small) == (True, True)
    back = Entrant(4, owes_big=True, owes_small=True, posts=True)
    others = [entrant for entrant in lineup.entrants if entrant.seat != 4]
    while (lineup := lined_up([*others, back], lineup.last)) and 4 not in lineup.dealt:
        assert of(lineup, 4) == back
    assert lineup.posts[-2:] == ({"seat": 4, "kind": "dead"}, {"seat": 4, "kind": "live"})


def test_who_sits_out_right_after_his_big_blind_owes_the_small_one_alone() -> None:
    lineup = lined_up([*paid(1, 2, 4), Entrant(3, plays=False)])
    assert (of(lineup, 3).owes_big, of(lineup, 3).owes_small) == (False, True)
    assert not lineup.last.positions.small_posts


def test_waiting_for_the_big_blind_settles_whatever_was_missed() -> None:
    lineup = lined_up([*paid(1, 2, 3), Entrant(5, owes_big=True, owes_small=True)])
    assert lineup.posts == ({"seat": 3, "kind": "small"}, {"seat": 5, "kind": "big"})
    assert not of(lineup, 5).owes


def test_who_declines_the_big_blind_sits_out_and_it_moves_on() -> None:
    lineup = lined_up([*paid(1, 2, 3, 6), Entrant(4, declines_big=True)])
    assert lineup.declined == (4,)
    assert lineup.last.positions.big == 6
    assert of(lineup, 4) == Entrant(4, plays=False, owes_big=True, declines_big=True)


def test_who_declines_the_small_blind_is_not_dealt_in_and_it_is_dead() -> None:
    lineup = lined_up([*paid(1, 2, 4), Entrant(3, declines_small=True)])
    assert lineup.declined == (3,)
    assert lineup.posts == ({"seat": 4, "kind": "big"},)
    assert of(lineup, 3).owes_small


def test_a_third_who_would_be_the_button_of_two_waits_until_it_has_passed() -> None:
    two = Last(Positions(2, 2, 5), before=2)
    newcomer = Entrant(8, owes_big=True, posts=True)
    lineup = lined_up([*paid(2, 5), newcomer], two)
    assert lineup.last.positions.big == 8  # the big blind reaches him first
    lineup = lined_up([*paid(2, 5), Entrant(3, owes_big=True, posts=True)], two)
    assert lineup.dealt == (2, 5)
    assert lined_up(list(lineup.entrants), lineup.last).last.positions.big == 3


def test_a_game_with_too_few_who_have_paid_begins_anew_and_nothing_is_owed() -> None:
    lineup = lined_up([*paid(4), Entrant(1, owes_big=True, owes_small=True)])
    assert lineup.dealt == (1, 4)
    assert len(lineup.posts) == 2
    assert not any(entrant.owes for entrant in lineup.entrants)


def test_with_fewer_who_want_to_play_than_the_least_no_hand_is_lined_up() -> None:
    assert next_lineup(RUNNING, [*paid(1), Entrant(2, plays=False)], 2) is None
    assert next_lineup(RUNNING, paid(1, 2), 3) is None


def test_a_player_who_posts_may_make_three_of_two_who_were_left_of_more() -> None:
    lineup = lined_up([*paid(3, 4), Entrant(6, owes_big=True, posts=True)])
    assert lineup.last.positions == Positions(2, 3, 4)  # the button is dead
    assert lineup.dealt == (3, 4, 6)


# The reference: tokens that are carried round the table, one chair at a time.


@dataclass
class Chair:
    """plays, posts, declines: the player's wishes. owed: names of blinds."""

    plays: bool = True
    posts: bool = False
    declines: bool = False
    owed: set[str] = field(default_factory=set)


@dataclass
class Walker:
    """What a floor manager would do with the buttons in his hand."""

    size: int
    chairs: dict[int, Chair] = field(default_factory=dict)
    big: int | None = None
    big_before: int = 0
    small: int = 0
    button: int = 0

    def steps(self, start: int) -> list[int]:
        """The chairs clockwise after start, start itself last."""
        return [(start + step - 1) % self.size + 1 for step in range(1, self.size + 1)]

    def willing(self) -> list[int]:
        return [n for n in range(1, self.size + 1) if n in self.chairs and self.chairs[n].plays]

    def between(self, start: int, seat: int, end: int) -> bool:
        """Whether walking on from start one comes to seat no later than to end."""
        walk = [start, *self.steps(start)]
        return walk.index(seat) <= walk.index(end)

    def deal(self) -> tuple[list[int], list[tuple[int, str]]] | None:
        if len(self.willing()) < 2:
            return None
        assert self.big is not None
        for seat in self.steps(self.big):  # carry the big blind to the next who takes it
            chair = self.chairs.get(seat)
            if chair is None or not chair.plays:
                continue
            if not chair.declines:
                break
            chair.plays = False
        if len(self.willing()) < 2:
            return None
        new_big, old_big = seat, self.big
        for walked in self.steps(old_big):
            if walked == new_big:
                break
            if walked in self.chairs and not self.chairs[walked].plays:
                self.chairs[walked].owed.add("big")
        for walked in self.steps(self.big_before):
            if self.big_before == old_big:
                break
            if walked in self.chairs and not self.chairs[walked].plays:
                self.chairs[walked].owed.add("small")
            if walked == old_big:
                break
        inside = [n for n in self.willing() if n == new_big or not self.chairs[n].owed]
        if len(inside) < 2:
            for chair in self.chairs.values():
                chair.owed.clear()
            inside = self.willing()
        three = self.three_handed(inside, old_big, new_big)
        entering = [
            n
            for n in self.willing()
            if n not in inside
            and self.chairs[n].posts
            and three is not None
            and not self.between(three, n, new_big)
        ]
        posts: list[tuple[int, str]] = []
        if len(inside) + len(entering) == 2:
            self.button = self.small = next(n for n in inside if n != new_big)
            posts.append((self.small, "small"))
        else:
            assert three is not None
            self.button, self.small = three, old_big
            if old_big in inside:
                posts.append((old_big, "small"))
        posts.append((new_big, "big"))
        for n in entering:
            owed = self.chairs[n].owed
            posts += [(n, kind) for kind in ("dead", "live") if WORDS[kind] in owed]
        dealt = sorted([*inside, *entering])
        for n in dealt:
            self.chairs[n].owed.clear()
        self.big_before, self.big = old_big, new_big
        return dealt, posts

    def three_handed(self, inside: list[int], small: int, big: int) -> int | None:
        """Where the button is if three or more play; None when no chair is left for it."""
        if self.small not in (small, big):
            return self.small
        back = [n for n in reversed(self.steps(small)) if n in inside and n not in (small, big)]
        return back[0] if back else None


WORDS = {"dead": "small", "live": "big"}


class LifeAtTheTable(RuleBasedStateMachine):
    """Players sit, leave, sit out, come back, post or wait; both lines-up must agree each hand."""

    @initialize(size=integers(2, 10), button=integers(1, 10))
    def open(self, size: int, button: int) -> None:
        self.walker = Walker(size)
        self.button = min(button, size)
        self.last: Last | None = None
        self.entrants: dict[int, Entrant] = {}
        self.bigs: list[int] = []
        for seat in (1, size):
            self.sit_at(seat, posts=False)

    def sit_at(self, seat: int, *, posts: bool) -> None:
        owes = self.last is not None
        self.entrants[seat] = Entrant(seat, owes_big=owes, posts=posts)
        self.walker.chairs[seat] = Chair(posts=posts, owed={"big"} if owes else set())

    @rule(seat=integers(1, 10), posts=booleans())
    def sit_or_leave(self, seat: int, posts: bool) -> None:
        if seat in self.entrants:
            del self.entrants[seat], self.walker.chairs[seat]
        elif seat <= self.walker.size:
            self.sit_at(seat, posts=posts)

    @rule(
        seat=integers(1, 10),
        plays=booleans(),
        posts=booleans(),
        declines=sampled_from([False] * 4 + [True]),
    )
    def change_mind(self, seat: int, plays: bool, posts: bool, declines: bool) -> None:
        if seat in self.entrants:
            now = self.entrants[seat]
            self.entrants[seat] = Entrant(
                seat, plays, now.owes_big, now.owes_small, posts, declines_big=declines
            )
            chair = self.walker.chairs[seat]
            chair.plays, chair.posts, chair.declines = plays, posts, declines

    @precondition(lambda self: sum(e.plays for e in self.entrants.values()) >= 2)
    @rule(hands=integers(1, 4))
    def deal(self, hands: int) -> None:
        for _ in range(hands):
            if self.last is None:
                self.deal_first()
            elif not self.deal_next():
                return

    def deal_first(self) -> None:
        playing = [e.seat for e in self.entrants.values() if e.plays]
        self.button = min(playing, key=lambda seat: (seat - self.button) % 11)
        lineup = first_lineup(self.entrants.values(), self.button)
        at = lineup.last.positions
        walker = self.walker
        walker.button, walker.small, walker.big = at.button, at.small, at.big
        walker.big_before = at.small
        self.take(lineup)

    def deal_next(self) -> bool:
        assert self.last is not None
        had_owed = {seat for seat, entrant in self.entrants.items() if entrant.owes}
        lineup = next_lineup(self.last, self.entrants.values(), 2)
        walked = self.walker.deal()
        if lineup is None or walked is None:
            assert lineup is None
            assert walked is None
            for seat, chair in self.walker.chairs.items():  # nobody was asked for anything
                chair.plays = self.entrants[seat].plays
            return False
        dealt, posts = walked
        assert list(lineup.dealt) == dealt
        assert [(post["seat"], post["kind"]) for post in lineup.posts] == posts
        at = lineup.last.positions
        assert (at.button, at.small, at.big) == (
            self.walker.button, self.walker.small, self.walker.big,
        )  # fmt: skip
        paying = {post["seat"] for post in lineup.posts}
        begun_anew = (
            not any(seat not in had_owed for seat in dealt if seat != at.big)
            or not had_owed & set(dealt) <= paying
        )
        if begun_anew:
            assert not any(entrant.owes for entrant in lineup.entrants if entrant.plays)
        assert at.big != self.last.positions.big
        self.take(lineup)
        return True

    def take(self, lineup: Lineup) -> None:
        self.last = lineup.last
        self.entrants = {entrant.seat: entrant for entrant in lineup.entrants}

    @invariant()
    def both_say_the_same_of_everybodys_debts(self) -> None:
        for seat, entrant in getattr(self, "entrants", {}).items():
            owed = {"big"} if entrant.owes_big else set()
            owed |= {"small"} if entrant.owes_small else set()
            assert owed == self.walker.chairs[seat].owed
            assert entrant.plays == self.walker.chairs[seat].plays


def test_hundreds_of_random_nights_agree_with_the_reference() -> None:
    run_state_machine_as_test(
        LifeAtTheTable, settings=settings(max_examples=300, stateful_step_count=30, deadline=None)
    )


@pytest.mark.slow
def test_thousands_of_random_nights_agree_with_the_reference() -> None:
    run_state_machine_as_test(
        LifeAtTheTable, settings=settings(max_examples=5000, stateful_step_count=40, deadline=None)
    )


@given(
    size=integers(3, 10),
    seat=integers(1, 10),
    hands=integers(1, 30),
    posts=booleans(),
)
@pytest.mark.parametrize("leaves_before_big", [True, False])
def test_no_newcomer_plays_a_hand_that_he_has_not_paid_for(
    leaves_before_big: bool, size: int, seat: int, hands: int, posts: bool
) -> None:
    """Leaving and coming back never makes a hand free: each stay begins with a blind put in."""
    seat = min(seat, size)
    others = [one for one in range(1, size + 1) if one != seat]
    lineup = first_lineup(paid(*others), others[0])
    here: Entrant | None = None
    has_paid = False
    for _ in range(hands):
        if here is None:
            here, has_paid = Entrant(seat, owes_big=True, posts=posts), False
        room = [entrant for entrant in lineup.entrants if entrant.seat != seat]
        lineup = lined_up([*room, here], lineup.last)
        mine = {post["kind"] for post in lineup.posts if post["seat"] == seat}
        has_paid = has_paid or bool(mine & {"big", "live"})
        assert (seat in lineup.dealt) <= (has_paid or size == 3)
        here = of(lineup, seat)
        if leaves_before_big and seat in lineup.dealt and "live" in mine:
            here = None
