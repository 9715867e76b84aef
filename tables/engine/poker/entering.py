"""Who is dealt in to the next hand, and what he puts in for it: waiting, posting, missed blinds.

The big blind moves to the next seat whose player wants to play. Who owes nothing is dealt in; who
sits down, or comes back after missing blinds, is dealt in when the big blind reaches him, or posts
what he owes, and then not from the button to the big blind. Source: docs/rules/poker.md 1.2 to
1.6 and 1.8 to 1.12.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tables.engine.poker import button
from tables.engine.poker.button import Positions
from tables.engine.poker.forced import BIG_BLIND, DEAD, LIVE, SMALL_BLIND
from tables.engine.protocol import Json


@dataclass(frozen=True, slots=True)
class Entrant:
    """A taken seat before the deal.

    plays: he wants to be dealt in. posts: he pays what he owes rather than wait for the big blind.
    declines_big, declines_small: when that blind reaches him he sits out instead.
    """

    seat: int
    plays: bool = True
    owes_big: bool = False
    owes_small: bool = False
    posts: bool = False
    declines_big: bool = False
    declines_small: bool = False

    @property
    def owes(self) -> bool:
        return self.owes_big or self.owes_small


class Last(NamedTuple):
    """Where button and blinds stood in the last hand; `before`: the big blind of the hand before.

    A missed small blind is judged by the two big blinds: it follows where the big one was, also
    while two play and the button posts it.
    """

    positions: Positions
    before: int


class Lineup(NamedTuple):
    """dealt: seats in order. posts: as `start` takes them. entrants: every seat as it stands then.

    declined: seats that a blind reached and that sit out for it.
    """

    last: Last
    dealt: tuple[int, ...]
    posts: tuple[Json, ...]
    entrants: tuple[Entrant, ...]
    declined: tuple[int, ...]


def highest_card(cards: Mapping[int, int]) -> int:
    """The seat that draws the first button: the highest card, by suit where ranks are equal.

    cards: one card a seat. Spades over hearts over diamonds over clubs.
    """
    return max(cards, key=lambda seat: cards[seat])  # a card counts by rank, then by suit


def first_lineup(entrants: Iterable[Entrant], button_seat: int) -> Lineup:
    """The first hand of a game: all who want to play are dealt in and owe nothing.

    Raises BadSeats under two.
    """
    everyone = tuple(entrants)
    playing = [entrant.seat for entrant in everyone if entrant.plays]
    positions = button.first_positions(playing, button_seat)
    last = Last(positions, positions.small)
    return _lineup(last, playing, everyone, posters=())


def next_lineup(last: Last, entrants: Iterable[Entrant], least: int) -> Lineup | None:
    """Line up for a later hand; None when fewer than `least` want to play, or fewer than two.

    When too few of them have paid their way in, the game begins anew: all who want to play are
    dealt in and nothing is owed.
    """
    least = max(least, 2)
    everyone = {entrant.seat: entrant for entrant in entrants}
    declined: list[int] = []
    while True:
        playing = sorted(seat for seat, entrant in everyone.items() if entrant.plays)
        if len(playing) < least:
            return None
        big = button.seat_after(playing, last.positions.big)
        refusing = _refusing(everyone, big, last.positions.big)
        if refusing is None:
            break
        declined.append(refusing)
        everyone[refusing] = replace(everyone[refusing], plays=False)
    paid = [seat for seat in playing if seat == big or not everyone[seat].owes]
    positions, posters = _with_posters(last, everyone, paid, big)
    dealt = sorted([*paid, *posters])
    if len(dealt) < least:
        everyone = {seat: _clear(entrant) for seat, entrant in everyone.items()}
        dealt, posters = playing, ()
        positions = button.next_positions(last.positions, dealt)
        after = tuple(everyone.values())
    else:
        after = _with_missed(last, positions.big, everyone.values(), dealt)
    return _lineup(Last(positions, last.positions.big), dealt, after, posters, declined)


def _refusing(everyone: Mapping[int, Entrant], big: int, small: int) -> int | None:
    """The seat that does not put in the blind that has reached it."""
    if everyone[big].declines_big:
        return big
    entrant = everyone.get(small)
    if entrant is not None and entrant.plays and not entrant.owes and entrant.declines_small:
        return small
    return None


def _with_posters(
    last: Last, everyone: Mapping[int, Entrant], paid: Sequence[int], big: int
) -> tuple[Positions, tuple[int, ...]]:
    """The positions with all who post and may: nobody from the button to the big blind does."""
    willing = [
        seat
        for seat, entrant in everyone.items()
        if entrant.plays and entrant.posts and entrant.owes and seat != big
    ]
    if willing and len(paid) >= 2:
        small, at = last.positions.big, last.positions.small
        if at not in (small, big):
            posters = tuple(seat for seat in willing if not _from_to(at, seat, big))
            if posters:
                return Positions(at, small, big, small in paid), posters
        elif len(paid) > 2:
            positions = button.next_positions(last.positions, paid)
            posters = tuple(seat for seat in willing if not _from_to(positions.button, seat, big))
            return positions, posters
    if len(paid) < 2:
        return last.positions, ()
    return button.next_positions(last.positions, paid), ()


def _with_missed(
    last: Last, big: int, everyone: Iterable[Entrant], dealt: Sequence[int]
) -> tuple[Entrant, ...]:
    """What those who sit out owe by now: the blinds that have passed them, each once at most."""
    was = last.positions.big
    return tuple(
        entrant
        if entrant.plays or entrant.seat in dealt
        else replace(
            entrant,
            owes_big=entrant.owes_big or passed(was, entrant.seat, big),
            owes_small=entrant.owes_small or passed(last.before, entrant.seat, was, reached=True),
        )
        for entrant in everyone
    )


def _lineup(
    last: Last,
    dealt: Sequence[int],
    everyone: Sequence[Entrant],
    posters: Sequence[int],
    declined: Sequence[int] = (),
) -> Lineup:
    big = last.positions.big
    posts: list[Json] = []
    if last.positions.small_posts:
        posts.append({"seat": last.positions.small, "kind": SMALL_BLIND})
    posts.append({"seat": big, "kind": BIG_BLIND})
    for entrant in sorted(everyone, key=lambda entrant: entrant.seat):
        if entrant.seat in posters:
            # A dead blind first: who cannot pay both is all-in for the pot, not for his bet.
            if entrant.owes_small:
                posts.append({"seat": entrant.seat, "kind": DEAD})
            if entrant.owes_big:
                posts.append({"seat": entrant.seat, "kind": LIVE})
    after = tuple(_clear(entrant) if entrant.seat in dealt else entrant for entrant in everyone)
    return Lineup(last, tuple(sorted(dealt)), tuple(posts), after, tuple(declined))


def _clear(entrant: Entrant) -> Entrant:
    return replace(entrant, owes_big=False, owes_small=False)


def passed(start: int, seat: int, end: int, *, reached: bool = False) -> bool:
    """Whether something that moves clockwise from start to end passes a seat, or stops at it."""
    if start == end:
        return False
    if seat == end:
        return reached
    return seat != start and _from_to(start, seat, end)


def _from_to(start: int, seat: int, end: int) -> bool:
    """Whether a seat lies on the way clockwise from start to end, both included."""
    if start <= end:
        return start <= seat <= end
    return seat >= start or seat <= end
