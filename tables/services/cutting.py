"""Closing the list of seeds, waiting for their openings, and cutting the decks by them.

The table's row is held by every caller; a cut's own row is locked besides, because seeds come in
without the table's. docs/fairness.md 1 and 5 say what happens when.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from django.db.models import Case, JSONField, Q, Value, When

from casino.core.log import log
from casino.core.seal import micros, signing_key
from tables import beliefs, cuts, vault
from tables.engine import fairness
from tables.engine.protocol import Event
from tables.models import Cut, Deck, SeedCommitment, Table
from tables.selectors import database_now
from tables.services import decks

FRESH_MOST = 2
"""How often a deal gets a fresh cut because somebody withheld his seed."""

WITHHELD = "withheld"
PLAYERS, HOUSE, CERTIFIED = "players", "house", "certified"


class Step(NamedTuple):
    """What became of a cut. deck: the one to deal, None while seeds are awaited."""

    deck: Deck | None
    events: list[Event]


def seed_label(cut_id: int, player_id: int) -> str:
    return f"seed:{cut_id}:{player_id}"


def list_closed(table: Table, cut: Cut, hand_id: int) -> Step:
    """Nothing can be changed any more before the deal: close the list of commitments.

    Without one the decks are cut at once, by the house alone.
    """
    cut = Cut.objects.select_for_update().get(pk=cut.pk)
    cut.hand_id = hand_id
    given = given_to(cut)
    if not given:
        return _made(cut, [])
    now = database_now()
    cut.status = Cut.Status.LISTED
    cut.listed_ms = micros(now) // 1000
    cut.commitments = [one.commitment for one in given]
    cut.due = now + timedelta(milliseconds=window_ms(table, cut))
    message = fairness.list_message(table.pk, cut.number, hand_id, cut.listed_ms, cut.commitments)
    cut.list_signature = signing_key().sign(message).hex()
    cut.save()
    facts = {"cut": cut.number, "commitments": cut.commitments, "signature": cut.list_signature}
    log("cut.listed", f"table:{table.pk}", None, facts)
    return Step(None, [Event("seeds_listed", cuts.listed(cut), None)])


def window_ms(table: Table, cut: Cut) -> int:
    """How long a window of this cut stays open: a fresh cut shares its time with its openings."""
    return table.reveal_ms if cut.expected is None else table.reveal_ms // 2


def asked(
    table: Table,
    purpose: Cut.Purpose,
    cards: Sequence[int],
    dice: int,
    *,
    hand_id: int,
    players: Sequence[int],
    attempt: int = 0,
) -> Step:
    """Commit decks in a running hand and ask these players for seeds; nobody: cut at once."""
    due = database_now() + timedelta(milliseconds=table.reveal_ms // 2) if players else None
    cut = decks.cut_publish(
        table,
        purpose,
        cards,
        dice,
        hand_id=hand_id,
        expected=players,
        attempt=attempt,
        due=due,
    )
    events = [decks.published(cut)]
    if players:
        return Step(None, events)
    step = list_closed(table, cut, hand_id)
    return Step(step.deck, events + step.events)


def givers(hand_id: int) -> list[int]:
    """The players who opened a seed for the hand's last cut: whom a further one asks."""
    last = Cut.objects.filter(hand_id=hand_id, status=Cut.Status.DEALT).order_by("-number").first()
    if last is None:
        return []
    given = last.commitments_given.filter(opened_ms__isnull=False).order_by("pk")
    return list(given.values_list("player_id", flat=True))


def go_on(table: Table, cut: Cut, *, is_over: bool) -> Step | None:
    """The next step of a cut whose window is over or has nobody left to wait for.

    cut: its row locked. is_over: the running window's time is up. None: there is nothing to do.
    """
    given = given_to(cut)
    assert cut.hand_id is not None
    if cut.status == Cut.Status.OPEN:
        missing = set(cut.expected or ()) - {one.player_id for one in given}
        return list_closed(table, cut, cut.hand_id) if is_over or not missing else None
    unopened = [one for one in given if one.opened_ms is None]
    if unopened and not is_over:
        return None
    if unopened and cut.attempt < FRESH_MOST:
        return _fresh(table, cut, given)
    _bar(unopened)
    return _made(cut, given)


def _fresh(table: Table, cut: Cut, given: Sequence[SeedCommitment]) -> Step:
    """Somebody withheld his seed: what was opened is of no use any more, all begin anew."""
    assert cut.hand_id is not None
    _bar([one for one in given if one.opened_ms is None])
    _publish(cut, given)
    void = decks.cut_void(cut, WITHHELD, decks.now_ms())
    cards, dice = cut.contents, int(cut.kind.partition("+")[2])
    if cards is None:
        cards = sorted(beliefs.secret_of(cut.decks.get().pk).order)
    step = asked(
        table,
        Cut.Purpose(cut.purpose),
        cards,
        dice,
        hand_id=cut.hand_id,
        players=[one.player_id for one in given if one.opened_ms is not None],
        attempt=cut.attempt + 1,
    )
    return Step(step.deck, [void, *step.events])


def _made(cut: Cut, given: Sequence[SeedCommitment]) -> Step:
    """Cut the decks: one is dealt, the others are opened in full."""
    seeds = [seed_of(one) for one in given if one.opened_ms is not None]
    _publish(cut, given)
    committed = list(cut.decks.order_by("number"))
    roots = [bytes.fromhex(deck.root) for deck in committed]
    cards, dice = (int(count) for count in cut.kind.split("+"))
    dealt = committed[fairness.chosen_deck(roots, seeds)]
    dealing = fairness.cut(roots, seeds, cards) + fairness.dice_added(roots, seeds, dice)
    is_dealt = Q(pk=dealt.pk)
    cut.decks.update(
        status=Case(
            When(is_dealt, then=Value(Deck.Status.DEALT)), default=Value(Deck.Status.OPENED)
        ),
        dealing=Case(When(is_dealt, then=Value(dealing, JSONField()))),
    )
    cut.status = Cut.Status.DEALT
    house = HOUSE if cut.takes_seeds else CERTIFIED
    cut.mode = PLAYERS if seeds else house
    joined = fairness.joined(roots, seeds).hex() if seeds else None
    decks.cut_ended(cut, dealt.number, joined, decks.now_ms())
    public = {
        "cut": cut.number,
        "purpose": cut.purpose,
        "mode": cut.mode,
        "decks": len(committed),
        "number": dealt.number,
        "root": dealt.root,
        "seeds": cut.seeds,
        "joined": joined,
        "signature": cut.end_signature,
    }
    return Step(dealt, [Event("decks_cut", public, None)])


def voided_with(hand_id: int) -> list[Event]:
    """End what a hand that is being voided still waits for."""
    events = []
    running = Cut.objects.filter(hand_id=hand_id, status__in=cuts.RUNNING)
    for cut in running.select_for_update():
        if cut.commitments is not None:
            _publish(cut, given_to(cut))
        events.append(decks.cut_void(cut, "hand_voided", decks.now_ms()))
    return events


def given_to(cut: Cut) -> list[SeedCommitment]:
    """The commitments in the order in which they came, which is that of the list."""
    return list(cut.commitments_given.order_by("pk"))


def seed_of(one: SeedCommitment) -> bytes:
    assert one.sealed is not None
    return vault.unseal(one.sealed, seed_label(one.cut_id, one.player_id))


def _publish(cut: Cut, given: Sequence[SeedCommitment]) -> None:
    """From here on everybody may know the seeds."""
    opened = [one.opened_ms is not None for one in given]
    cut.seeds = [
        seed_of(one).hex() if is_open else None for one, is_open in zip(given, opened, strict=True)
    ]
    cut.opened_ms = [one.opened_ms for one in given]


def _bar(withheld: Sequence[SeedCommitment]) -> None:
    if withheld:
        keys = [one.pk for one in withheld]
        SeedCommitment.objects.filter(pk__in=keys).update(withheld_at=database_now())
