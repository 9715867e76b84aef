"""A player's action, handled where it arrives."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from casino.core.logs import belong
from casino.core.meters import timed_action
from casino.core.statements import one_row
from tables import beliefs, jobs, rules
from tables.beliefs import Belief
from tables.engine.banked.rounds import BETTING, BankedRound
from tables.engine.errors import RuleViolation
from tables.engine.protocol import Hand
from tables.errors import (
    BankTooShort,
    NoHandInPlay,
    NotDealtIn,
    NotYourSpot,
    TableStopped,
    TooLate,
    TurnPassed,
)
from tables.models import Table
from tables.services import naming
from tables.services.playing import NeedsLock, played_on
from tables.services.writing import LATE, REPLAY, STALE, WRITTEN, Written, write
from wallets import services as wallets
from wallets.errors import BankCannotCover
from wallets.services import tells_limits

KNOWN = "SELECT seq, at FROM tables_event WHERE table_id = %s AND action_id = %s"


@dataclass(frozen=True, slots=True)
class Acted:
    """Where the action stands in the table's sequence; replayed: it stood there already."""

    seq: int
    replayed: bool


@tells_limits
def act(
    *,
    table_id: int,
    player_id: int,
    action_id: UUID,
    turn_id: int,
    action: Mapping[str, Any],
) -> Acted:
    """Play one action of a player, once per action_id.

    turn_id: the decision window the action is meant for.
    Raises NoHandInPlay, NotDealtIn, NotYourSpot, TurnPassed, TooLate, a RuleViolation of the engine
    or an error of the wallets; then nothing has changed.
    """
    belong(table=table_id, turn=turn_id)
    with timed_action():
        return _acted(Attempt(table_id, player_id, action_id, turn_id, action))


def _acted(attempt: "Attempt") -> Acted:
    table_id = attempt.table_id
    belief = beliefs.believed(table_id) or beliefs.read(table_id)
    try:
        written = attempt.on(belief)
    except (RuleViolation, NoHandInPlay, NotDealtIn, NotYourSpot, TurnPassed, NeedsLock):
        written = None  # a guess refuses nobody
    if written is None or written.code in (STALE, LATE):
        written = attempt.under_lock()
    return Acted(written.seq, written.code == REPLAY)


@dataclass(frozen=True, slots=True)
class Attempt:
    table_id: int
    player_id: int
    action_id: UUID
    turn_id: int
    action: Mapping[str, Any]

    def on(self, belief: Belief, *, locked: bool = False) -> Written:
        """Decide on what is believed and let the database confirm it."""
        if belief.hand_id is None and locked:
            return self.between_hands(belief)
        if belief.state is None or belief.finished:
            raise NoHandInPlay(belief.seq)
        if belief.status == Table.Status.STOPPED:
            raise TableStopped
        seat, action = self.seat_and_action(belief)
        if belief.turn_id != self.turn_id:
            raise TurnPassed(self.turn_id, belief.turn_id, belief.seq)
        hand = belief.hand()
        before = hand.turn
        committed = committed_minor(hand, seat)
        events = hand.act(seat, action)
        hand, house = played_on(hand, belief, locked=locked)
        events += house
        amount_minor = committed_minor(hand, seat) - committed
        stake = self.stake(belief, hand, seat, amount_minor)
        state = rules.dump(hand)
        turn = rules.turn_after(hand, before=before, timing=belief.timing, away=belief.absent)
        with self.bank_told(belief, seat):
            written = write(
                table_id=self.table_id,
                base_seq=belief.seq,
                events=events,
                state=state,
                turn=turn,
                action_id=self.action_id,
                on_time=True,
                stakes=[] if stake is None else [stake],
                ending=rules.ending(hand),
            )
        if written.code == WRITTEN:
            after = replace(
                belief,
                seq=written.seq,
                state=state,
                turn_id=written.turn_id,
                finished=hand.over,
                is_past=False,
            )
            if not locked:
                transaction.on_commit(lambda: beliefs.believe(after), robust=True)
            if hand.over and belief.hand_id is not None:
                jobs.settle_hand(self.table_id, belief.hand_id)
        return written

    def between_hands(self, belief: Belief) -> Written:
        """An answer to the choice of the next game; there is nothing else to say then."""
        return naming.answer(
            belief,
            player_id=self.player_id,
            action_id=self.action_id,
            turn_id=self.turn_id,
            action=self.action,
        )

    def seat_and_action(self, belief: Belief) -> tuple[int, dict[str, Any]]:
        """Which of the player's seats acts: the one that the action names, else his own."""
        seats = belief.seats_of(self.player_id)
        if not seats:
            raise NotDealtIn(belief.seq)
        action = dict(self.action)
        seat = action.pop("seat", seats[0])
        if type(seat) is not int or seat not in seats:
            raise NotYourSpot(tuple(seats))
        return seat, action

    def stake(self, belief: Belief, hand: Hand, seat: int, amount_minor: int) -> str | None:
        """What a banked bet moves between the seat and the stakes in play; None for nothing.

        While bets are taken it also says what the bank must hold for all that are accepted.
        """
        if belief.in_play_account is None or belief.hand_id is None:
            return None
        exposure_minor = None
        if isinstance(hand, BankedRound) and hand.window == BETTING:
            exposure_minor = hand.exposure_minor()
        elif not amount_minor:
            return None
        assert belief.seats is not None
        facts = belief.seats[str(seat)]
        return wallets.stake_packed(
            hand_id=belief.hand_id,
            key=f"stake:{self.table_id}:{self.action_id}",
            seat_account_id=facts["account"],
            in_play_account_id=belief.in_play_account,
            player_id=self.player_id,
            amount_minor=amount_minor,
            exposure_minor=exposure_minor,
            bonus_account_id=facts.get("bonus"),
        )

    @contextmanager
    def bank_told(self, belief: Belief, seat: int) -> Iterator[None]:
        """Say what the bank would still cover of a bet that it cannot. Raises BankTooShort."""
        try:
            yield
        except BankCannotCover as error:
            before, wagers = belief.hand(), self.action.get("wagers")
            if not isinstance(before, BankedRound) or not isinstance(wagers, Mapping):
                raise
            wagers = {wager: amount for wager, amount in wagers.items() if amount}
            possible = before.possible(seat, wagers, error.balance_minor)
            raise BankTooShort(error.exposure_minor, error.balance_minor, possible) from error

    def under_lock(self) -> Written:
        """Decide again on what stands in the database; this verdict holds.

        A silence of the house is judged with no table locked: it locks every table in turn.
        """
        written = self._locked()
        if written.code == LATE and silence_judged():
            written = self._locked()
        if written.code == LATE:
            raise TooLate(self.turn_id, written.seq)
        return written

    def _locked(self) -> Written:
        with transaction.atomic():
            belief = beliefs.lock(self.table_id)
            known = one_row(KNOWN, [self.table_id, self.action_id])
            if known is not None:
                seq, at = known
                return Written(REPLAY, seq, None, belief.turn_id, at)
            written = self.on(belief, locked=True)
            if written.code != WRITTEN:
                # Decks that were published for it, a game that was dropped by it: it has not been.
                transaction.set_rollback(True)
            return written


def committed_minor(hand: Hand, seat: int) -> int:
    """What a seat of a banked round has staked and reserved; 0 in ring games."""
    committed = getattr(hand, "committed", None)
    return 0 if committed is None else committed(seat)


def silence_judged() -> bool:
    """Whether the house itself was silent: then deadlines have just been moved.

    One statement each, so that nobody holds the tables while he waits for another kind's pulse.
    """
    moved = 0
    with connection.cursor() as cursor:
        for kind in ("web", "clock"):
            cursor.execute(
                "SELECT tables_judge_silence(%s, %s, %s)",
                [kind, settings.SILENCE_MS, settings.HELD_EXTRA_MS],
            )
            moved += int(cursor.fetchone()[0])
    return bool(moved)
