"""Committing decks: shuffled in secret, their roots published and signed before any seed is taken.

The orders and salts stand in encrypted rows; what is published is their Merkle roots, numbered
without gaps per table. The decks of one deal are one cut; docs/fairness.md 1 and 3. A step is read
in one statement and written in another, and the next deal's decks with the end of the last one:
`migrations/0018_cuts_in_few_steps.sql`.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NamedTuple

import orjson
from django.db.models.functions import Now

from casino.core.log import log
from casino.core.models import LogEntry
from casino.core.seal import EPOCH, micros, signing_key
from casino.core.statements import Call, all_rows, one_row
from tables import beliefs, cuts, entropy, rules, vault
from tables.cuts import Ahead, Committed, Running
from tables.engine import fairness
from tables.engine.games import Game
from tables.engine.protocol import Event
from tables.errors import EntropyFailed
from tables.models import Cut, Table

logger = logging.getLogger(__name__)

SALT_BYTES = 16
ALARM, ALARM_AGAIN = "entropy.failed", timedelta(minutes=10)

WAITING = (
    "SELECT kind, contents FROM tables_cut"
    " WHERE table_id = %s AND hand_id IS NULL AND status = 'open'"
)
AHEAD = "SELECT tables_cuts_ahead(%s::bigint, %s::integer, %s::boolean, NULL)"
PUBLISH = (
    "SELECT * FROM tables_cut_publish(%s::bigint, %s::bigint, %s::bigint, %s::text, %s::text,"
    " %s::jsonb, %s::boolean, %s::jsonb, %s::integer, %s::integer, %s::jsonb, %s::jsonb)"
)
END = (
    "tables_cut_end(%s::bigint, %s::bigint, %s::text, %s::text, %s::jsonb,"
    " %s::jsonb, %s::bigint, %s::text, %s::bigint, %s::text, %s::bigint, %s::jsonb, %s::bigint[],"
    " %s::jsonb, %s::jsonb)"
)


def deck_commit(table: Table, game: Game) -> Event:
    """Publish the decks of the table's next deal, unless such are waiting already.

    table: its row locked by the caller. Waiting decks of another kind of game are void. Returns
    the event that publishes the roots, for those who have not heard it. Raises EntropyFailed.
    """
    waiting = cuts.locked(table.pk, None)
    if waiting is not None:
        if is_of(game, waiting.kind, waiting.contents):
            return published(waiting)
        cut_void(waiting, "game_changed")
    cards, dice = rules.deck_of(game)
    return published(cut_publish(table, Cut.Purpose.DEAL, cards, dice))


def roots_for(table: Table, game: Game | None) -> list[Event]:
    """Publish what the next deal still lacks: [] if its decks wait, or its game is not known.

    Without randomness nothing is published: the hand that is being closed ends, the next one is
    refused.
    """
    if game is None:
        return []
    cards, dice = rules.deck_of(game)
    coming = ahead(table, Cut.Purpose.DEAL, cards)
    try:
        if coming.waiting_kind is None:
            return [published(cut_publish(table, Cut.Purpose.DEAL, cards, dice, coming=coming))]
        if is_of(game, coming.waiting_kind, coming.waiting_contents):
            return []
        entropy.seed()  # nothing is taken away that cannot be replaced
        return [deck_commit(table, game)]
    except EntropyFailed as error:
        alarm(table.pk, error)
        return []


def alarm(table_id: int, error: EntropyFailed) -> None:
    """Tell the sealed log and the operators that nothing can be dealt; not every few seconds."""
    logger.error("table %s is not dealt: %s", table_id, error)
    subject = f"table:{table_id}"
    told = LogEntry.objects.filter(kind=ALARM, subject=subject, at__gt=Now() - ALARM_AGAIN)
    if not told.exists():
        log(ALARM, subject, None, {"reason": error.reason})


def waiting_void(table: Table, reason: str) -> list[Event]:
    """End the cut that waits for a deal which will not come; [] if none waits."""
    waiting = cuts.locked(table.pk, None)
    return [] if waiting is None else [cut_void(waiting, reason)]


def is_ready(table: Table, game: Game) -> bool:
    """Whether decks of the game's kind are committed already."""
    waiting = all_rows(WAITING, [table.pk])
    return any(
        contents is not None and is_of(game, known, orjson.loads(contents))
        for known, contents in waiting
    )


def is_of(game: Game, known: str, contents: Sequence[int] | None) -> bool:
    """Whether a cut's decks are such as the game is dealt from."""
    cards, dice = rules.deck_of(game)
    return known == kind(cards, dice) and contents == cards


def kind(cards: Sequence[int], dice: int) -> str:
    return f"{len(cards)}+{dice}"


def ahead(
    table: Table, purpose: Cut.Purpose, cards: Sequence[int], count: int | None = None
) -> Ahead:
    """What is needed to commit decks for a purpose; the table's row is locked by the caller.

    count: how many decks, None for the table's own number.
    """
    count = count_of(table, purpose, cards) if count is None else count
    (told,) = one_row(AHEAD, [table.pk, count, purpose == Cut.Purpose.DEAL])
    return cuts.ahead_of(told)


def count_of(table: Table, purpose: Cut.Purpose, cards: Sequence[int]) -> int:
    """How many decks are committed at once, for the seeds to choose from.

    A muck is never opened in full, and dice need no second deck: every face is equally likely.
    """
    is_alone = purpose == Cut.Purpose.RESHUFFLE or not cards or table.certified
    return 1 if is_alone else table.decks_per_hand


def cut_publish(
    table: Table,
    purpose: Cut.Purpose,
    cards: Sequence[int],
    dice: int,
    *,
    hand_id: int | None = None,
    expected: Sequence[int] | None = None,
    attempt: int = 0,
    window_ms: int | None = None,
    coming: Ahead | None = None,
    scripted: Sequence[int] | None = None,
) -> Running:
    """Shuffle and commit the decks of one cut; the table's row is locked by the caller.

    expected: the players asked for seeds while a hand runs, None where anybody seated may give
    one. window_ms: how long they are asked. scripted: the order of the one deck of a sandbox's
    scripted hand, which no seed may cut. Raises EntropyFailed, and then nothing is written.
    """
    made = shuffled(
        table,
        purpose,
        cards,
        dice,
        coming or ahead(table, purpose, cards, None if scripted is None else 1),
        hand_id=hand_id,
        expected=expected,
        attempt=attempt,
        scripted=scripted,
    )
    cut = made.cut
    cut.id, cut.due, cut.at = one_row(
        PUBLISH,
        [
            table.pk,
            cut.number,
            hand_id,
            purpose,
            cut.kind,
            text(cut.contents),
            cut.takes_seeds,
            text(cut.expected),
            attempt,
            window_ms,
            text(made.rows),
            text(made.facts),
        ],
    )
    return cut


class Shuffled(NamedTuple):
    """A cut that is not written yet. rows: its decks as the database takes them, orders sealed."""

    cut: Running
    rows: list[list[Any]]
    facts: dict[str, Any]


def following(table: Table, game: Game | None, coming: Ahead | None) -> Shuffled | None:
    """The cut of the next deal, to be published as the one before ends.

    None where that is to be looked at apart: its game is not known, its decks wait already, it
    takes more of them than were counted, or randomness fails.
    """
    if game is None or coming is None or coming.deck_ids is None:
        return None
    cards, dice = rules.deck_of(game)
    count = count_of(table, Cut.Purpose.DEAL, cards)
    if count > len(coming.deck_ids):
        return None
    coming = coming._replace(deck_ids=coming.deck_ids[:count])
    try:
        return shuffled(table, Cut.Purpose.DEAL, cards, dice, coming)
    except EntropyFailed:
        return None


def shuffled(
    table: Table,
    purpose: Cut.Purpose,
    cards: Sequence[int],
    dice: int,
    coming: Ahead,
    *,
    hand_id: int | None = None,
    expected: Sequence[int] | None = None,
    attempt: int = 0,
    scripted: Sequence[int] | None = None,
) -> Shuffled:
    """Decks in a fresh secret order, their roots signed together. Raises EntropyFailed."""
    number, what = coming.last_cut + 1, kind(cards, dice)
    before, first = coming.last_root or fairness.NO_ROOT, coming.last_deck + 1
    made: list[tuple[int, int, str, str]] = []
    assert coming.deck_ids, "decks wait for the next deal already"
    for last, deck_id in enumerate(coming.deck_ids, first):
        order = secret_order(cards, dice) if scripted is None else list(scripted)
        salts = entropy.salts(len(order), SALT_BYTES)
        root = fairness.commitment(hand_label(table.pk, last), order, salts).hex()
        plain = bytes([len(order), *order]) + b"".join(salts)
        sealed = vault.seal(plain, beliefs.deck_label(deck_id))
        made.append((deck_id, last, root, sealed.hex()))
    roots = [root for _, _, root, _ in made]
    message = fairness.roots_message(table.pk, number, first, what, before, roots)
    signature = signing_key().sign(message).hex()
    decks = [Committed(deck_id, last, root, signature) for deck_id, last, root, _ in made]
    rows = [
        [deck_id, last, root, previous, signature, sealed]
        for (deck_id, last, root, sealed), previous in zip(made, [before, *roots], strict=False)
    ]
    cut = Running(
        id=0,
        table_id=table.pk,
        number=number,
        hand_id=hand_id,
        purpose=purpose,
        kind=what,
        contents=None if purpose == Cut.Purpose.RESHUFFLE else list(cards),
        takes_seeds=not table.certified and scripted is None,
        attempt=attempt,
        expected=None if expected is None else list(expected),
        status=Cut.Status.OPEN,
        due=None,
        is_over=False,
        listed_ms=None,
        commitments=None,
        list_signature="",
        decks=decks,
        given=[],
        at=EPOCH,
        is_scripted=scripted is not None,
    )
    return Shuffled(cut, rows, {"cut": number, "roots": [deck.root for deck in decks]})


def secret_order(cards: Sequence[int], dice: int) -> list[int]:
    """Cards in a secret order, and so many committed dice behind them. Raises EntropyFailed."""
    order = fairness.shuffle(cards, entropy.seed())
    return order + fairness.house_dice(entropy.seed(), dice) if dice else order


def fresh_order(cards: Sequence[int]) -> list[int]:
    """Cards in a fresh order that nobody was committed to, as those drawn for the button."""
    return fairness.shuffle(cards, entropy.seed())


class Ended(NamedTuple):
    """How a cut ends: what was opened of its seeds, and which deck is dealt, None of a void one.

    mode: who has cut a dealt one. dealing: where its cards come from. withheld: commitments that
    were not opened, whose players are barred for a while.
    """

    seeds: list[str | None]
    opened_ms: list[int | None]
    mode: str = ""
    reason: str = ""
    dealt: Committed | None = None
    dealing: list[int] | None = None
    joined: str | None = None
    withheld: Sequence[int] = ()


def cut_void(cut: Running, reason: str, ended: Ended | None = None) -> Event:
    """End a cut whose decks are dealt to nobody; they are opened in full by their proofs."""
    ended = (ended or Ended([], []))._replace(reason=reason)
    signature, end = cut_ended(cut, ended)
    end.done()
    public = {
        "cut": cut.number,
        "reason": reason,
        "withheld": ended.seeds.count(None),
        "signature": signature,
    }
    return Event("cut_void", public, None)


def cut_ended(cut: Running, ended: Ended, following: Shuffled | None = None) -> tuple[str, Call]:
    """Sign how a cut ended; the signature, and what stores and logs it with its decks.

    following: the cut of the next deal, published in the same statement.
    """
    end = Cut.Status.VOID if ended.dealt is None else Cut.Status.DEALT
    root = None if ended.dealt is None else ended.dealt.number
    ended_ms = micros(cut.at) // 1000
    message = fairness.end_message(
        cut.table_id,
        cut.number,
        end,
        ended.reason or fairness.NOTHING,
        root,
        ended.joined,
        ended_ms,
    )
    signature = signing_key().sign(message).hex()
    facts = {
        "cut": cut.number,
        "end": end,
        "reason": ended.reason,
        "seeds": ended.seeds,
        "root": root,
        "joined": ended.joined,
        "signature": signature,
    }
    values = [
        cut.id,
        cut.hand_id,
        ended.mode,
        ended.reason,
        text(ended.seeds),
        text(ended.opened_ms),
        root,
        ended.joined or "",
        ended_ms,
        signature,
        None if ended.dealt is None else ended.dealt.id,
        text(ended.dealing),
        list(ended.withheld),
        text(facts),
        None if following is None else text(_written(following)),
    ]
    cut.status = end
    return signature, Call(END, values)


def _written(made: Shuffled) -> dict[str, Any]:
    cut = made.cut
    return {
        "number": cut.number,
        "kind": cut.kind,
        "contents": cut.contents,
        "takes_seeds": cut.takes_seeds,
        "decks": made.rows,
        "facts": made.facts,
    }


def hand_label(table_id: int, number: int) -> str:
    return f"{table_id}/{number}"


def published(cut: Running) -> Event:
    return Event("roots_published", cuts.published(cut, cut.decks), None)


def text(value: Any) -> str | None:
    """A value as the database takes it; None stays none."""
    return None if value is None else orjson.dumps(value).decode()
