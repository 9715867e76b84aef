"""What must hold after every step of the simulation, read past the processes that it watches."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import orjson
import psycopg

from casino.core.rows import rows_where
from casino.house import accounting, auditing
from tables import beliefs, proofs, replaying, rules
from tables.models import Hand
from tests.proof.verifier import verifier
from tests.simulation.moments import Moments
from tests.simulation.stage import Stage
from wallets.proving import ledger_check

PATIENCE_MS = 30_000
"""How long, by simulated time, what is due may stay undone in a house that is alive."""
PROVED_EVERY = 32
"""Of so many hands of a table the proof of one is checked: the signatures take a while."""

NEWS = """
    SELECT e.table_id, e.seq, e.action_id, e.events, e.turn,
            NULL::bigint, NULL::bigint, NULL::bigint, NULL, NULL::bool
        FROM unnest(%s::bigint[], %s::bigint[]) AS known (table_id, seq)
        JOIN tables_event e ON e.table_id = known.table_id AND e.seq > known.seq
    UNION ALL
    SELECT NULL, l.id, NULL, NULL, NULL, l.account_id, l.amount_minor, a.balance_minor,
            a.currency_id, a.may_go_negative
        FROM wallets_leg l JOIN wallets_account a ON a.id = l.account_id WHERE l.id > %s
    ORDER BY 1, 2
"""
"""One snapshot: the events and the legs that are new, with the balance of each leg's account."""
BALANCES = "SELECT id, balance_minor, may_go_negative FROM wallets_account"
ALL_BALANCES_EVERY = 50  # looks at legs; between them only those that legs went to
PAID = """
    SELECT h.id, h.status,
        (SELECT count(*) FROM wallets_transfer t WHERE t.hand_id = h.id AND t.kind = 'settle'),
        (SELECT count(*) FROM tables_cut c
            WHERE c.hand_id = h.id AND c.status IN ('open', 'listed')),
        EXISTS (SELECT FROM wallets_account a WHERE a.held_by = h.id),
        h.status = 'voided' AND EXISTS (
            SELECT FROM wallets_transfer t JOIN wallets_leg l ON l.transfer_id = t.id
                WHERE t.hand_id = h.id GROUP BY l.account_id HAVING sum(l.amount_minor) <> 0)
    FROM tables_hand h WHERE h.id = ANY (%s)
"""
OVERDUE = """
    SELECT id, CASE WHEN finished THEN 'a finished hand is not settled'
            WHEN hand_id IS NOT NULL AND turn IS NOT NULL THEN 'a deadline is lost'
            ELSE 'no hand is dealt' END, jsonb_build_object('hand', hand_id, 'number', hand_number,
            'due', next_deal_at, 'claimed', claimed, 'claimed_at', claimed_at, 'carry', carry,
            'specials', specials, 'game', game)
    FROM tables_table t WHERE status = 'open' AND simulated.clock_timestamp()
        - %s * interval '1 ms' > CASE WHEN finished THEN claimed_at - interval '2 s'
            WHEN turn IS NOT NULL THEN deadline ELSE next_deal_at END
    UNION ALL
    SELECT table_id, 'a window for seeds is lost', to_jsonb(due)
        FROM tables_cut c JOIN tables_table t ON t.id = c.table_id
        WHERE c.status IN ('open', 'listed') AND t.status <> 'stopped'
            AND due < simulated.clock_timestamp() - %s * interval '1 ms'
"""
SETTLED = "id = ANY (%s::bigint[]) AND status = 'settled' ORDER BY id"
JUDGED = """
    SELECT hand_id, code FROM tables_interruption
        WHERE code IN ('cannot_go_on', 'unreadable', 'unpaid')
"""


@dataclass(eq=False)
class Broken(Exception):
    """law: what does not hold; facts: where it shows."""

    law: str
    facts: str

    def __str__(self) -> str:
        return f"{self.law}: {self.facts}"


def require(holds: bool, law: str, *facts: Any) -> None:
    if not holds:
        raise Broken(law, " ".join(map(str, facts)))


@dataclass
class Seen:
    """A table as its events told it so far. changed_ms: when its status last changed."""

    seq: int
    turn: dict[str, Any] | None = None
    deadline_ms: int | None = None
    hand: int | None = None
    status: str = "open"
    changed_ms: int = 0


@dataclass
class Laws:
    """watcher: reads what is committed, and holds nothing up. looked: how many commits there had
    been at the last look. whole: how many looks at the last one at all balances."""

    watcher: psycopg.Connection[Any]
    moments: Moments
    stage: Stage
    tables: dict[int, Seen] = field(default_factory=dict)
    looked: int = -1
    balances: dict[int, int] = field(default_factory=dict)
    legs: set[int] = field(default_factory=set)
    leg_low: int = 0
    actions: dict[UUID, tuple[int, int]] = field(default_factory=dict)
    ended: dict[int, str] = field(default_factory=dict)
    silences: list[tuple[int, int]] = field(default_factory=list)
    pushed: int = 0
    looks: int = 0
    whole: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    fresh: list[int] = field(default_factory=list)
    faults: list[Broken] = field(default_factory=list)

    # Whenever it happens

    def pushing(self, table_id: int, seq: int) -> None:
        """A frame leaves: what it tells must stand already."""
        self.pushed += 1
        try:
            self.look()
        except Broken as broken:
            self.faults.append(broken)
        if self.tables[table_id].seq < seq:
            self.faults.append(Broken("pushed before it was committed", f"{table_id}/{seq}"))

    def acknowledged(self, table_id: int, action_id: UUID, seq: int) -> None:
        """A player was told that his decision counts."""
        self.look()
        found = self.actions.get(action_id)
        require(found == (table_id, seq), "a decision that was taken is lost", table_id, seq, found)

    # After every step

    def step(self, *, is_quiet: bool) -> None:
        """Everything that was committed since the last step.

        is_quiet: no transaction is open, so no leg with a lower number can still appear.
        """
        if self.faults:
            raise self.faults[0]
        self.look()
        if is_quiet and self.legs:
            self.leg_low = max(self.legs)
            self.legs = {self.leg_low}
            if self.looks >= self.whole + ALL_BALANCES_EVERY:
                self.whole = self.looks
                self.balances_all()
        if self.fresh:
            ended, self.fresh = self.fresh, []
            self.hands(ended)

    def look(self) -> None:
        """What is committed and was not seen yet; nothing is, where no process has committed."""
        if self.looked == self.stage.commits:
            return
        self.looked = self.stage.commits
        self.looks += 1
        known = list(self.tables.items())
        ids = ",".join(str(table_id) for table_id, _ in known)
        seqs = ",".join(str(seen.seq) for _, seen in known)
        values = f"{{{ids}}}", f"{{{seqs}}}", self.leg_low
        rows = self.watcher.execute(NEWS, values, prepare=True).fetchall()
        self.money([row for row in rows if row[0] is None])
        for table_id, seq, action, events, turn, *_ in rows:
            if table_id is None:
                continue
            seen = self.tables[table_id]
            require(seq == seen.seq + 1, "events are dense", table_id, seen.seq, seq)
            seen.seq = seq
            if action is not None:
                require(action not in self.actions, "a decision counts once", table_id, seq)
                self.actions[action] = (table_id, seq)
            self.told(table_id, seen, action, orjson.loads(events))
            if turn is not None:
                seen.turn = orjson.loads(turn)
                until = seen.turn["deadline"]
                seen.deadline_ms = None if until is None else self.moments.parsed_ms(until)

    def told(self, table_id: int, seen: Seen, action: UUID | None, events: list[Any]) -> None:
        is_still = seen.status == "stopped"
        require(
            not is_still or action is None, "nobody acts at a stopped table", table_id, seen.seq
        )
        for one in events:
            kind, public = one["type"], one["public"]
            self.counts[kind] += 1
            if kind == "hand_opened":
                require(seen.hand is None, "one hand at a time", table_id, seen.hand)
                seen.hand = public["hand_id"]
            elif kind in ("hand_settled", "hand_voided"):
                number = public["hand_id"]
                require(number not in self.ended, "a hand ends once", number)
                self.ended[number] = kind
                seen.hand = None
                seen.turn = None
                self.fresh.append(number)
            elif kind == "table_changed":
                seen.status, seen.changed_ms = public["status"], self.moments.now_ms
            elif public.get("default") and action is None:
                self.timed_out(table_id, seen)

    def timed_out(self, table_id: int, seen: Seen) -> None:
        self.counts["time_outs"] += 1
        require(seen.status != "stopped", "nobody is timed out while it stands still", table_id)
        deadline = seen.deadline_ms
        if deadline is None:
            return
        require(deadline <= self.moments.now_ms, "nobody is timed out early", table_id, deadline)
        for began, ended in self.silences:
            is_within = began <= deadline < ended
            require(not is_within, "a decision lost to the house's silence", table_id, deadline)

    def money(self, legs: list[Any]) -> None:
        """Legs as NEWS tells them; none of a transaction whose other legs are not among them."""
        sums: Counter[str] = Counter()
        touched = {}
        for _, leg, _, _, _, account, amount, balance, currency, may_owe in legs:
            if leg not in self.legs:
                self.legs.add(leg)
                self.balances[account] = self.balances.get(account, 0) + amount
                sums[currency] += amount
            touched[account] = balance, may_owe
        for account, (balance, may_owe) in touched.items():
            self.balanced(account, balance, may_owe=may_owe)
        require(not any(sums.values()), "the ledger sums to zero", sums)

    def balances_all(self) -> None:
        for account, balance, may_owe in self.watcher.execute(BALANCES, prepare=True):
            self.balanced(account, balance, may_owe=may_owe)

    def balanced(self, account: int, balance: int, *, may_owe: bool) -> None:
        told = self.balances.get(account, 0)
        require(balance == told, "a balance is its legs", account, balance, told)
        require(balance >= 0 or may_owe, "nobody owes", account, balance)

    def hands(self, ended: list[int]) -> None:
        for hand, status, paid, cuts, is_held, is_left in self.watcher.execute(PAID, [ended]):
            told = self.ended[hand].removeprefix("hand_")
            require(status == told, "a hand's end is told as it is", hand, status, told)
            require(paid <= 1 and (status == "settled" or not paid), "paid once", hand, paid)
            require(not cuts, "every root ended", hand, cuts)
            require(not is_held, "chips are released", hand)
            require(not is_left, "what was put into a voided hand is back", hand)
        for hand in rows_where(Hand, SETTLED, [ended]):
            cards, _ = rules.deck_of(rules.definition(hand.definition))
            dealt = beliefs.deck_open(hand.deck_id)[: len(cards)] if hand.deck_id else []
            whole = not dealt or sorted(dealt) == sorted(cards)
            require(whole, "no card twice", hand.pk)
            try:
                replaying.replay(hand)
            except Exception as error:  # one that the engine refuses outright is as much a finding
                raise Broken("a hand can be played again", f"{hand.pk}: {error!r}") from error
            if hand.number % PROVED_EVERY == 0:
                self.proof(hand)

    def proof(self, hand: Hand) -> None:
        """As everybody sees it, and as one of those does who were dealt in."""
        players = sorted(facts["player"] for facts in hand.seats.values())
        for viewer in (None, players[hand.number // PROVED_EVERY % len(players)]):
            told = orjson.loads(orjson.dumps(proofs.bundle(hand.pk, viewer)))
            found = verifier.verify(told, proofs.public_key()).problems
            require(not found, "a proof holds", hand.pk, viewer, *found)
        self.counts["proofs"] += 1

    # When time has passed in a house that is alive

    def nothing_overdue(self) -> None:
        for table_id, what, facts in self.watcher.execute(OVERDUE, [PATIENCE_MS, PATIENCE_MS]):
            # What was due while a table stood is so since it goes on.
            if self.moments.now_ms - self.tables[table_id].changed_ms > PATIENCE_MS:
                raise Broken("what is due is done", f"table {table_id}: {what}: {facts}")
        for hand, code in self.watcher.execute(JUDGED):
            raise Broken("no fault makes a hand unplayable", f"hand {hand}: {code}")

    # At the end

    def at_rest(self) -> None:
        figures = accounting.figures()
        wrong = [fault for fault in accounting.faults(figures) if fault != "showdowns"]
        require(not wrong, "the house at rest", *wrong, figures)
        unaccounted = auditing.unaccounted()
        require(not unaccounted, "players have what they brought and won", *unaccounted)
        check = ledger_check()
        require(check.ok, "the books", *check.faults)
