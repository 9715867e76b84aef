"""A floor of every family, its players, and what the processes of the house do for them.

The seed chooses what is done next and by whom; the services that do it are the house's own.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from random import Random
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Count

from casino.core.errors import CoreError
from casino.core.models import Role, User
from casino.core.rows import row_of, rows_where
from casino.house import seed, strategy
from tables import beliefs, choosing, clock
from tables.engine.bluff.vocabulary import BluffGame
from tables.engine.errors import RuleViolation
from tables.engine.games import GAMES
from tables.engine.history.choices import any_action
from tables.errors import TableError
from tables.models import Cut, Hand, Seat, Table
from tables.services import acting, floor, seating, seeds, voiding
from tests.simulation.laws import PATIENCE_MS, Laws, Seen
from tests.simulation.moments import Moments
from tests.simulation.stage import Job, Stage
from wallets import services as wallets
from wallets.errors import WalletError

REFUSED = (TableError, WalletError, CoreError, RuleViolation)
PURSE_MINOR = 2_000_000
AT_A_TABLE = 3
DEMO = {one.name: one for one in seed.FURNITURE}
FLOOR = ("Amber", "Three Card 1", "Fern", "Hazel", "Elm", "Choice", "Gorse", "Birch")
EVERY_RING_GAME = "Gorse"
BLUFFS = [name for name, game in GAMES.items() if isinstance(game, BluffGame)]
TIMING = {
    "action_s": 2, "betting_s": 1, "decision_s": 1, "name_game_s": 1, "agree_s": 1, "pause_s": 0,
    "time_bank_s": 2, "time_bank_step_s": 1, "time_outs": 3,
}  # fmt: skip
HIS_SEAT = "table_id = %s AND player_id = %s"
CUTS_GOING_ON = "table_id = %s AND status IN ('open', 'listed') ORDER BY number"
TASKS = dict(clock.WORK.values())
TASK_TRIES = 5
GIVERS = 0.4  # how many of the players give seeds
BROADCAST_LOST = 0.1
FATES = {"sent": 0.9, "lost": 0.03, "twice": 0.05, "refused": 0.02}
SILENT = 0.04
ERRAND, ERRAND_MEANWHILE = 0.01, 0.15  # while others are at work, and when nobody is
FLOOR_WORKS = 0.01  # whenever somebody is idle
PULSE_MS = 700  # less often than a house does, and often enough that it is not silent
PAID_BESIDE = 0.6
FALLS_SILENT = 0.03  # a kind of process, at each pulse


@dataclass
class Sent:
    """A decision on its way: sent again under its id until somebody answers."""

    table: Table
    player: int
    turn_id: int
    action: dict[str, Any]
    action_id: UUID


def varied(table: seed.Furniture, random: Random) -> seed.Furniture:
    """A table of the demo floor as one seed has it: over many seeds every game is dealt."""
    if table.game in BLUFFS:
        return replace(table, game=random.choice(BLUFFS))
    if table.name == EVERY_RING_GAME:
        games = seed.every_ring_game(AT_A_TABLE)
        random.shuffle(games)
        return replace(table, max_seats=AT_A_TABLE, stakes={**table.stakes, "games": games})
    return table


@dataclass
class House:
    random: Random
    stage: Stage
    moments: Moments
    laws: Laws
    tables: list[Table] = field(default_factory=list)
    players: dict[int, list[User]] = field(default_factory=dict)
    givers: set[int] = field(default_factory=set)
    tasks: deque[tuple[str, tuple[int, ...], int]] = field(default_factory=deque)
    again: deque[Job] = field(default_factory=deque)
    chores: deque[Job] = field(default_factory=deque)
    seeds: dict[tuple[int, int], bytes] = field(default_factory=dict)
    asked: dict[tuple[int, int], int] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    fates: Counter[str] = field(default_factory=Counter)
    trace: Any = field(default_factory=sha256)
    keys: int = 0
    ticked_ms: int = -1
    alive_ms: int = 0
    silent: dict[str, int] = field(default_factory=dict)
    pulsed_ms: dict[str, int] = field(default_factory=lambda: {"web": 0, "clock": 0})
    is_open: bool = False
    is_resting: bool = False

    # Furnishing, before anything goes wrong

    def furnished(self, names: Sequence[str]) -> None:
        cage = seed.account_make(seed.Account("cage", "Cage", Role.CAGE), "")
        for name in names:
            one = varied(DEMO[name], self.random)
            table = seed.table_of(one, TIMING, by=None, cage=cage)  # type: ignore[arg-type]
            self.tables.append(table)
            self.laws.tables[table.pk] = Seen(table.seq)
            people = [self.person(name, nth) for nth in range(min(AT_A_TABLE, table.max_seats))]
            self.players[table.pk] = people
            for who in people:
                self.deposit(who, PURSE_MINOR, self.key())
                seating.seat_take(
                    table_id=table.pk, player=who, seat=None,
                    buy_in_minor=self.buy_in_minor(table), key=self.key(), posts=True,
                )  # fmt: skip
                if self.random.random() < GIVERS:
                    self.givers.add(who.pk)

    @staticmethod
    def person(table: str, nth: int) -> User:
        username = f"{table}{nth}".replace(" ", "").lower()
        return seed.account_make(seed.Account(username, f"{table} {nth}", Role.PLAYER), "")

    def key(self) -> str:
        self.keys += 1
        return f"simulated:{self.keys}"

    def buy_in_minor(self, table: Table) -> int:
        least, most = table.buy_in_least_minor, table.buy_in_most_minor
        wanted = self.random.choice([least, 2 * least, most])
        return min(most, max(least, wanted - wanted % table.chip_minor))

    @staticmethod
    @transaction.atomic  # as the API does it, with the answer that a repeat gets
    def deposit(who: User, amount_minor: int, key: str) -> None:
        wallets.deposit(
            player_id=who.pk, amount_minor=amount_minor, currency=seed.CURRENCY, key=key,
            actor_id=None,
        )  # fmt: skip

    # The broker and the pushes, as the seed wants them

    def send(self, name: str, *args: int, queue: str = "tables") -> bool:
        if queue != "tables":
            return True
        fate = self.random.choices(list(FATES), list(FATES.values()))[0]
        self.fates[fate] += 1
        self.note("sent", name, fate)
        for _ in range({"sent": 1, "twice": 2}.get(fate, 0)):
            self.tasks.append((name, args, 1))
        return fate != "refused"

    def publish(self, table_id: int, seq: int, text: str, private_seats: Sequence[int]) -> None:
        if not self.is_open:
            return
        self.laws.pushing(table_id, seq)
        for process in self.stage.processes:
            if self.random.random() >= BROADCAST_LOST:
                known = process.beliefs.get(table_id)
                if known is not None and known.seq < seq:
                    del process.beliefs[table_id]

    # What is done next

    def step(self) -> None:
        """One turn of one process; before it, perhaps, somebody who is idle begins something."""
        if self.random.random() < 0.3 or not self.stage.of("ready"):
            self.begin_something()
        if not self.stage.of("ready"):
            if self.stage.of("blocked"):
                self.stage.until_somebody_can()
            else:
                self.time_passes()
            return
        process = self.stage.turn()
        if process.state == "idle":
            self.laws.step(is_quiet=not self.stage.of("ready", "blocked"))

    def begin_something(self) -> None:
        ways: list[Callable[[], bool]] = [
            self.begin_chore, self.begin_task, self.begin_again, self.begin_decision,
            self.begin_decision, self.begin_errand, self.begin_floor,
        ]  # fmt: skip
        self.random.shuffle(ways)
        for way in ways:
            if way():
                return

    def begin(self, kind: str, job: Job) -> bool:
        idle = self.stage.idle(kind)
        if not idle or (kind == "web" and kind in self.silent):
            return False
        process = self.random.choice(idle)
        self.note(process.name, job.label)
        self.stage.begin(process, job)
        return True

    def note(self, *words: str) -> None:
        self.trace.update("/".join(words).encode() + b"\n")

    def begin_chore(self) -> bool:
        if not self.chores or not self.stage.idle("clock"):
            return False
        return self.begin("clock", self.chores.popleft())

    def begin_task(self) -> bool:
        if not self.tasks or not self.stage.idle("worker"):
            return False
        at = 0 if self.random.random() < 0.7 else self.random.randrange(len(self.tasks))
        self.tasks.rotate(-at)
        name, args, tries = self.tasks.popleft()
        self.tasks.rotate(at)

        def failed(why: str) -> None:
            """A task that failed is tried again; one whose worker died is delivered again."""
            if tries < TASK_TRIES:
                self.tasks.append((name, args, tries + 1))

        return self.begin("worker", Job(name, partial(TASKS[name], *args), failed))

    def begin_again(self) -> bool:
        if not self.again or "web" in self.silent or not self.stage.idle("web"):
            return False
        return self.begin("web", self.again.popleft())

    def begin_decision(self) -> bool:
        if self.is_resting or not self.stage.idle("web"):
            return False
        table = self.random.choice(self.tables)
        turn = self.laws.tables[table.pk].turn
        if turn is None:
            return self.random.random() < 0.1 and self.begin_seed(table)
        mark = table.pk, turn["turn_id"]
        if mark not in self.asked:
            seats = len(turn.get("seats") or self.players[table.pk])
            self.asked[mark] = 0 if self.random.random() < SILENT else seats
        if not self.asked[mark]:
            return False
        self.asked[mark] -= 1
        return self.begin("web", Job("decide", lambda: self.decide(table)))

    def decide(self, table: Table) -> None:
        belief = beliefs.believed(table.pk)
        if belief is None or belief.seq != self.laws.tables[table.pk].seq:
            belief = beliefs.read(table.pk)
            beliefs.believe(belief)
        chosen = self.chosen(table, belief)
        if chosen is not None:
            player, action = chosen
            action_id = UUID(int=self.random.getrandbits(128))
            sent = Sent(table, player, belief.turn_id, action, action_id)
            if self.random.random() < 0.05:
                self.again.append(self.sending(sent))
            try:
                self.act(sent)
            except BaseException:
                self.again.append(self.sending(sent))  # no answer came
                raise

    def chosen(self, table: Table, belief: beliefs.Belief) -> tuple[int, dict[str, Any]] | None:
        """Who decides what, of those who may; None when nobody may any more."""
        if belief.hand_id is None:
            row = row_of(Table, table.pk)
            choice = choosing.choice_of(row)
            if choice is None or not choice.waiting:
                return None
            player = int(choice.players[str(self.random.choice(list(choice.waiting)))])
            legal = choosing.legal(row, player)
            return (player, strategy.answer(legal, self.random)) if legal else None
        if belief.finished or belief.state is None:
            return None
        hand, seats = belief.hand(), belief.seats or {}
        able = [seat for seat in sorted(map(int, seats)) if hand.legal(seat)]
        if not able:
            return None
        seat = self.random.choice(able)
        action = dict(any_action(hand.legal(seat), self.random, table.chip_minor))
        return int(seats[str(seat)]["player"]), {**action, "seat": seat}

    def sending(self, sent: Sent) -> Job:
        return Job(
            "send again", lambda: self.act(sent), lambda why: self.again.append(self.sending(sent))
        )

    def act(self, sent: Sent) -> None:
        acted = self.did(
            acting.act, table_id=sent.table.pk, player_id=sent.player, action_id=sent.action_id,
            turn_id=sent.turn_id, action=sent.action,
        )  # fmt: skip
        if acted is not None:
            self.laws.acknowledged(sent.table.pk, sent.action_id, acted.seq)

    def did(self, deed: Callable[..., Any], **facts: Any) -> Any:
        """None for what the rules refuse."""
        try:
            return deed(**facts)
        except REFUSED as error:
            self.refused[error.code] += 1
            self.note("refused", error.code)
            return None

    # Seeds, seats and money

    def begin_seed(self, table: Table) -> bool:
        who = self.random.choice(self.players[table.pk])
        return who.pk in self.givers and self.begin(
            "web", Job("seed", lambda: self.give_seed(table, who))
        )

    def give_seed(self, table: Table, who: User) -> None:
        for cut in rows_where(Cut, CUTS_GOING_ON, [table.pk]):
            key = who.pk, cut.number
            if cut.status == "open" and key not in self.seeds:
                self.seeds[key] = self.random.randbytes(32)
                hashed = sha256(b"croupier/seed/1\0" + self.seeds[key]).hexdigest()
                self.did(
                    seeds.seed_commit, table_id=table.pk, player_id=who.pk, cut=cut.number,
                    commitment=hashed,
                )  # fmt: skip
            elif cut.status == "listed" and key in self.seeds:
                self.did(
                    seeds.seed_open, table_id=table.pk, player_id=who.pk, cut=cut.number,
                    seed=self.seeds[key],
                )  # fmt: skip

    def begin_errand(self, chance: float = ERRAND) -> bool:
        if self.is_resting or self.random.random() > chance or not self.stage.idle("web"):
            return False
        # Where no hand is played somebody may have to buy chips first.
        waiting = [table for table in self.tables if self.laws.tables[table.pk].hand is None]
        table = self.random.choice(waiting or self.tables)
        who = self.random.choice(self.players[table.pk])
        if self.random.random() < PAID_BESIDE:
            # Beside it his own money and another's are moved: balances that are theirs in turn.
            for paid in (who, self.random.choice(self.players[table.pk])):
                deed = partial(self.deposit, paid, self.random.randint(1, 500), self.key())
                self.again.append(self.errand("deposit", deed))
        work = partial(self.seat_errand, table, who, self.random.random(), self.key())
        return self.begin("web", self.errand("seat", work))

    def errand(self, label: str, work: Callable[[], object]) -> Job:
        job = Job(label, lambda: self.did(work))
        job.failed = lambda why: self.again.append(job)
        return job

    def begin_floor(self) -> bool:
        """The floor opens a table that stands, voids a hand, or lets a table stand."""
        if self.is_resting or self.random.random() > FLOOR_WORKS or not self.stage.idle("web"):
            return False
        standing = [table for table in self.tables if self.laws.tables[table.pk].status != "open"]
        table = self.random.choice(standing or self.tables)
        work = partial(self.floor_errand, table, self.random.random())
        return self.begin("web", self.errand("floor", work))

    def floor_errand(self, table: Table, drawn: float) -> None:
        if self.is_resting:
            return
        seen = self.laws.tables[table.pk]
        if seen.status != "open" and drawn < 0.8:
            floor.table_resume(table_id=table.pk)
        elif drawn < 0.6 and seen.hand is not None:
            voiding.hand_void(table_id=table.pk, hand_id=seen.hand, reason="a card was seen")
        elif drawn < 0.75:
            floor.table_pause(table_id=table.pk)
        else:
            floor.table_stop(table_id=table.pk)

    def seat_errand(self, table: Table, who: User, drawn: float, key: str) -> None:
        seat = next(iter(rows_where(Seat, HIS_SEAT, [table.pk, who.pk])), None)
        at = {"table_id": table.pk, "player": who}
        if seat is None:
            seating.seat_take(
                **at, seat=None, buy_in_minor=self.buy_in_minor(table), key=key, posts=True
            )
        elif seat.status == Seat.Status.SITTING_OUT:
            chips = wallets.balances_of(account_ids=[seat.account_id])[seat.account_id]
            if chips < table.buy_in_least_minor // 2:
                seating.seat_top_up(**at, amount_minor=table.buy_in_least_minor, key=key)
            seating.seat_return(**at)
        elif drawn < 0.5:
            seating.seat_top_up(**at, amount_minor=table.chip_minor, key=key)
        elif drawn < 0.6:
            seating.seat_sit_out(**at)
        elif drawn < 0.65:
            seating.seat_leave(**at)

    # Time

    def time_passes(self) -> None:
        """Nobody has anything to do: on to the next moment at which somebody may."""
        if not self.is_resting and (self.begin_errand(ERRAND_MEANWHILE) or self.begin_floor()):
            return
        if self.ticked_ms < self.moments.now_ms and "clock" not in self.silent:
            self.ticked_ms = self.moments.now_ms
            self.chores.append(Job("tick", clock.tick))
            return
        due = self.moments.next_ms()
        self.moments.advance(min(2_000, 300 + (2_000 if due is None else due)))
        self.pulses()
        if self.silent:
            self.alive_ms = self.moments.now_ms
        elif self.moments.now_ms - self.alive_ms > PATIENCE_MS:
            self.laws.nothing_overdue()

    def pulses(self) -> None:
        now = self.moments.now_ms
        for kind in ("web", "clock"):
            since_ms = now - self.pulsed_ms[kind]
            if self.silent.get(kind, now) > now or since_ms < PULSE_MS:
                continue
            self.silent.pop(kind, None)
            self.chores.append(Job("pulse", partial(self.pulse, kind, self.pulsed_ms[kind])))
            if not self.is_resting and self.random.random() < FALLS_SILENT:
                self.silent[kind] = now + self.random.randint(1_000, 20_000)

    def pulse(self, kind: str, last_ms: int) -> None:
        now = self.moments.now_ms
        clock.pulse(kind)
        self.pulsed_ms[kind] = now
        if now - last_ms > 3_000:
            self.laws.silences.append((last_ms, now))

    # The end

    @staticmethod
    def settled_by(what: str) -> dict[str, int]:
        """How many hands were settled of each game, or of each family."""
        settled = Hand.objects.filter(status=Hand.Status.SETTLED).values_list(what)
        return dict(settled.annotate(count=Count("pk")).order_by(what))

    def rest(self) -> None:
        """No further hand; those in play end by time alone."""
        self.is_resting = True
        self.silent.clear()
        while self.stage.of("ready", "blocked"):
            self.step()
        for table in self.tables:
            # A hand that stands still goes on to its end.
            for deed in (floor.table_resume, floor.table_pause):
                self.stage.commits += 1
                self.did(deed, table_id=table.pk)
        end = self.moments.now_ms + 600_000
        while any(seen.hand is not None for seen in self.laws.tables.values()) or self.again:
            self.step()
            if self.moments.now_ms > end:
                raise AssertionError("hands do not end")
        while self.stage.of("ready", "blocked"):
            self.step()
