"""Closing the list of seeds, waiting for their openings, and cutting the decks by them.

The table's row is held by every caller; a cut's own row is locked besides, because seeds come in
without the table's. docs/fairness.md 1 and 5 say what happens when.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from casino.core.seal import micros, signing_key
from casino.core.statements import Call
from tables import beliefs, cuts, vault
from tables.cuts import Committed, Given, Running
from tables.engine import fairness
from tables.engine.protocol import Event
from tables.models import Cut, SeedCommitment, Table
from tables.services import decks, rotating
from tables.services.decks import Ended

logger = logging.getLogger(__name__)

FRESH_MOST = 2
"""How often a hand gets a fresh cut because somebody withheld his seed."""

HOUSE_LATE = timedelta(milliseconds=500)
"""A house that is well comes to the end of a window within 0.3 seconds. One that takes longer was
held up at its end, and may have held up who was opening his seed: that is no withholding of his."""

WITHHELD = "withheld"
PLAYERS, HOUSE, CERTIFIED, SCRIPTED = "players", "house", "certified", "scripted"
LIST = (
    "tables_cut_list(%s::bigint, %s::bigint, %s::bigint, %s::jsonb, %s::text,"
    " %s::timestamptz, %s::jsonb)"
)


class Step(NamedTuple):
    """What became of a cut.

    deck: the one to deal, None while seeds are awaited. dealing: how it is cut, as its row will
    have it. roots: what was published of the deal after it on the way, None if that was not looked
    at. unwritten: a list's or cut's end, written in the statement that tells of it.
    """

    deck: Committed | None
    events: list[Event]
    roots: list[Event] | None = None
    dealing: Sequence[int] | None = None
    unwritten: Call | None = None

    def now(self) -> "Step":
        """Written at once, for who reads it before anything is told."""
        if self.unwritten is not None:
            self.unwritten.done()
        return self._replace(unwritten=None)


def seed_label(cut_id: int, player_id: int) -> str:
    return f"seed:{cut_id}:{player_id}"


def list_closed(table: Table, cut: Running, hand_id: int) -> Step:
    """Nothing can be changed any more before the deal: close the list of commitments.

    cut: its row locked, or just published. Without a commitment the decks are cut at once, by the
    house alone.
    """
    cut.hand_id = hand_id
    if not cut.given:
        return _made(table, cut)
    cut.status = Cut.Status.LISTED
    cut.listed_ms = micros(cut.at) // 1000
    cut.commitments = [one.commitment for one in cut.given]
    cut.due = cut.at + timedelta(milliseconds=window_ms(table, cut))
    message = fairness.list_message(table.pk, cut.number, hand_id, cut.listed_ms, cut.commitments)
    cut.list_signature = signing_key().sign(message).hex()
    facts = {"cut": cut.number, "commitments": cut.commitments, "signature": cut.list_signature}
    values = [
        cut.id,
        hand_id,
        cut.listed_ms,
        decks.text(cut.commitments),
        cut.list_signature,
        cut.due,
        decks.text(facts),
    ]
    told = Event("seeds_listed", cuts.listed(cut), None)
    return Step(None, [told], unwritten=Call(LIST, values))


def window_ms(table: Table, cut: Running) -> int:
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
    cut = decks.cut_publish(
        table,
        purpose,
        cards,
        dice,
        hand_id=hand_id,
        expected=players,
        attempt=attempt,
        window_ms=table.reveal_ms // 2 if players else None,
    )
    events = [decks.published(cut)]
    if players:
        return Step(None, events)
    step = list_closed(table, cut, hand_id)
    return step._replace(events=events + step.events)


def fresh_so_far(hand_id: int) -> int:
    """How many cuts of a hand were void because somebody withheld his seed."""
    return Cut.objects.filter(hand_id=hand_id, reason=WITHHELD).count()


def givers(hand_id: int) -> list[int]:
    """The players who opened a seed for the hand's last cut: whom a further one asks."""
    last = Cut.objects.filter(hand_id=hand_id, status=Cut.Status.DEALT).order_by("-number")[:1]
    given = SeedCommitment.objects.filter(cut__in=last, opened_ms__isnull=False).order_by("pk")
    return list(given.values_list("player_id", flat=True))


def go_on(table: Table, cut: Running) -> Step | None:
    """The next step of a cut whose window is over or has nobody left to wait for.

    cut: its row locked. None: there is nothing to do.
    """
    assert cut.hand_id is not None
    if cut.status == Cut.Status.OPEN:
        missing = set(cut.expected or ()) - {one.player_id for one in cut.given}
        return list_closed(table, cut, cut.hand_id) if cut.is_over or not missing else None
    is_short = any(one.opened_ms is None for one in cut.given)
    if is_short and not cut.is_over:
        return None
    if is_short and cut.attempt < FRESH_MOST:
        return _fresh(table, cut)
    return _made(table, cut)


def _fresh(table: Table, cut: Running) -> Step:
    """Somebody withheld his seed: what was opened is of no use any more, all begin anew."""
    assert cut.hand_id is not None
    void = decks.cut_void(cut, WITHHELD, _opened(cut, seeds_of(cut)))
    cards = cut.contents
    if cards is None:
        cards = sorted(beliefs.secret_of(cut.decks[0].id).order)
    step = asked(
        table,
        Cut.Purpose(cut.purpose),
        cards,
        cut.dice,
        hand_id=cut.hand_id,
        players=[one.player_id for one in cut.given if one.opened_ms is not None],
        attempt=cut.attempt + 1,
    )
    return step._replace(events=[void, *step.events])


def _made(table: Table, cut: Running) -> Step:
    """Cut the decks: one is dealt, the others are opened in full."""
    given = seeds_of(cut)
    seeds = [seed for seed in given if seed is not None]
    roots = [bytes.fromhex(deck.root) for deck in cut.decks]
    dealt = cut.decks[fairness.chosen_deck(roots, seeds)]
    ended = _opened(cut, given)._replace(
        mode=_mode(cut, seeds),
        reason=SCRIPTED if cut.is_scripted else "",
        dealt=dealt,
        dealing=fairness.cut(roots, seeds, cut.cards) + fairness.dice_added(roots, seeds, cut.dice),
        joined=fairness.joined(roots, seeds).hex() if seeds else None,
    )
    following = decks.following(table, rotating.follows(table), cut.ahead) if cut.ahead else None
    signature, end = decks.cut_ended(cut, ended, following)
    public = {
        "cut": cut.number,
        "purpose": cut.purpose,
        "mode": ended.mode,
        "decks": len(cut.decks),
        "number": dealt.number,
        "root": dealt.root,
        "seeds": ended.seeds,
        "joined": ended.joined,
        "signature": signature,
    }
    published = None if following is None else [decks.published(following.cut)]
    told = Event("decks_cut", public, None)
    return Step(dealt, [told], published, ended.dealing, end)


def _mode(cut: Running, seeds: Sequence[bytes]) -> str:
    if cut.is_scripted:
        return SCRIPTED
    return PLAYERS if seeds else HOUSE if cut.takes_seeds else CERTIFIED


def voided_with(table_id: int, hand_id: int) -> list[Event]:
    """End what a hand that is being voided still waits for."""
    events = []
    running = Cut.objects.filter(hand_id=hand_id, status__in=cuts.RUNNING).order_by("pk")
    for cut_id in running.values_list("pk", flat=True):
        cut = cuts.locked(table_id, cut_id)
        if cut is not None:
            seeds = None if cut.commitments is None else [_readable(cut, one) for one in cut.given]
            shown = None if seeds is None else _opened(cut, seeds, bars=False)
            events.append(decks.cut_void(cut, "hand_voided", shown))
    return events


def seeds_of(cut: Running) -> list[bytes | None]:
    """The opened seeds in the order of the list, None for one that was not."""
    return [_seed(cut, one) for one in cut.given]


def _seed(cut: Running, one: Given) -> bytes | None:
    if one.opened_ms is None or one.sealed is None:
        return None
    return vault.unseal(bytes.fromhex(one.sealed), seed_label(cut.id, one.player_id))


def _readable(cut: Running, one: Given) -> bytes | None:
    """A seed, or none where its key is gone: what is dealt to nobody ends in any case."""
    try:
        return _seed(cut, one)
    except vault.SecretUnreadable as error:
        logger.warning("table %s: a void cut shows no seed: %s", cut.table_id, error)
        return None


def _opened(cut: Running, seeds: Sequence[bytes | None], *, bars: bool = True) -> Ended:
    """From here on everybody may know the seeds; who withheld his is barred, if it counts so."""
    bars = bars and not (cut.due is not None and cut.at - cut.due > HOUSE_LATE)
    withheld = [one.id for one in cut.given if one.opened_ms is None]
    return Ended(
        seeds=[None if seed is None else seed.hex() for seed in seeds],
        opened_ms=[one.opened_ms for one in cut.given],
        withheld=withheld if bars else (),
    )
