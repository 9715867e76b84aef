"""Tables with options drawn at random, and people and floor who do what they like at them.

Whatever they do, every hand ends, is played again alike, its proof holds for everybody who was in
it, and the books agree with the tables.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.db.models.functions import Now

from casino.console import inbox
from casino.core.errors import CoreError
from casino.core.models import LogEntry, Role, User
from tables import beliefs, replaying
from tables.engine.errors import BadOptions, RuleViolation
from tables.engine.history.choices import any_action
from tables.errors import TableError
from tables.models import Hand, JackpotHit, Seat, Table
from tables.services import (
    acting,
    dealing,
    expiring,
    feeding,
    floor,
    high_hands,
    interrupting,
    jackpots,
    moving,
    seating,
    settling,
    voiding,
)
from tests.core.cast import person
from tests.tables.cut_cast import bundle, problems
from tests.tables.dealing_cast import clock_to, player
from wallets import controlling, limits
from wallets.errors import WalletError
from wallets.proving import ledger_check
from wallets.reconciling import reconcile

pytestmark = pytest.mark.django_db(transaction=True)
# More, and from another seed on: RANDOM_TABLES=20 RANDOM_STEPS=500 RANDOM_FROM=100.
SEEDS = range(int(os.environ.get("RANDOM_TABLES", "2")))
STEPS = int(os.environ.get("RANDOM_STEPS", "50"))
REFUSED = (TableError, WalletError, CoreError, RuleViolation, BadOptions)
BIG = 100
HIT = {"least": {"class": "pair"}, "beaten_by": {"class": "pair"}, "min_players": 3, "pays_bp": 900}
TERMS = {
    "bad_beat": {**HIT, "games": ["holdem", "omaha"]},
    "high_hand": {
        "least": {"class": "pair"}, "min_players": 2, "every_min": 1, "pays_minor": 777,
        "games": ["holdem", "omaha"],
    },
    "seed_minor": 5_000, "two_persons_over_minor": 300,
}  # fmt: skip


def options_of(random: Random) -> tuple[str, dict[str, Any]]:
    """A game, and options that fit it more often than not."""
    if random.random() < 0.3:
        rake, drop = {"basis_points": 500}, {"amount_minor": 20, "from_minor": 200}
        plain = {"limit": "fixed", "small_bet_minor": BIG, "auto_muck": False, "drop": drop}
        return random.choice(
            [
                ("gardena_jackpots", {**plain, "ante_minor": 20}),
                ("stud", {**plain, "rake": rake}),
                ("triple_draw_27", {**plain, "big_blind_minor": BIG}),
                ("horse", {"small_bet_minor": BIG, "change": {"every": "hands", "count": 2}}),
            ]
        )
    game = random.choice(["holdem", "holdem", "omaha", "omaha8", "holdem", "pineapple"])
    limit = random.choice(["no_limit", "pot_limit", "fixed"])
    maybe: Callable[..., Any] = lambda share, given: given if random.random() < share else None  # noqa: E731
    options: dict[str, Any] = {
        "limit": limit, "big_blind_minor": BIG,
        "straddle": maybe(0.6, random.choice(["left", "button", "either"])),
        "bomb_pot": maybe(
            0.5,
            {"ante_minor": random.choice([50, 200]), "boards": random.choice([1, 2]),
             "every_hands": random.choice([0, 2, 3])},
        ),
        "runs": random.choice([1, 2, 3]),
        "show_window": random.random() < 0.5, "rabbit": random.random() < 0.5,
        "auto_muck": random.random() < 0.3,
        "cap_big_blinds": random.choice([0, 0, 8]),
        "rake": maybe(0.5, {"basis_points": 500, "caps_minor": {"2": 70}}),
        "drop": maybe(0.6, random.choice([{"amount_minor": 30, "from_minor": 200},
                                          {"basis_points": 1_000, "most_minor": 90}])),
    }  # fmt: skip
    if limit == "fixed":
        options["kill"] = maybe(0.7, {"size": random.choice(["full", "half"]),
                                      "after": random.choice(["two_in_a_row", "scoop"]),
                                      "from_minor": 100})  # fmt: skip
    return game, {name: given for name, given in options.items() if given is not None}


@dataclass
class House:
    random: Random
    tables: list[Table] = field(default_factory=list)
    people: list[User] = field(default_factory=list)
    deeds: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    settled: set[int] = field(default_factory=set)
    keys: int = 0

    def opened(self) -> None:
        while len(self.tables) < 2:
            game, options = options_of(self.random)
            try:
                at = floor.table_open(
                    name=f"T{len(self.tables)}", game=game, options=options, currency="EUR",
                    buy_in_least_minor=500, buy_in_most_minor=20_000,
                    max_seats=self.random.choice([3, 5, 6]),
                    time_fee_minor=self.random.choice([0, 40]), time_fee_every_s=60,
                    timing={"pause_s": 0, "rathole_s": self.random.choice([0, 60])},
                )  # fmt: skip
            except REFUSED:
                continue
            self.tables.append(at)
        if self.random.random() < 0.6:  # two of a kind, the second one feeds the first
            one = self.tables[0]
            options = {k: v for k, v in one.options.items() if k != "chip_minor"}
            self.tables[1] = floor.table_open(
                name="feeder", game=one.game, options=options, currency="EUR",
                buy_in_least_minor=500, buy_in_most_minor=20_000, max_seats=5,
                time_fee_minor=one.time_fee_minor, time_fee_every_s=60,
            )  # fmt: skip
            feeding.feeder_set(table_id=self.tables[1].pk, main_id=one.pk)
        shows = [at.pk for at in self.tables if not at.options.get("auto_muck", True)]
        if shows:
            jackpots.jackpot_open(name="Pool", tables=shows, terms=TERMS)
        self.people = [player(f"p{nth}", 40_000) for nth in range(9)]
        for nth, who in enumerate(self.people):
            at = self.tables[nth % 2]
            if nth // 2 < at.max_seats:
                chips = self.random.choice([700, 3_000, 20_000])
                with suppress(TableError):
                    seating.seat_take(
                        table_id=at.pk, player=who, seat=None, buy_in_minor=chips, key=self.key()
                    )
        self.staff = person("pit", Role.PIT_MANAGER), person("boss", Role.ADMIN)

    def key(self) -> str:
        self.keys += 1
        return f"key:{self.keys}"

    def did(self, name: str) -> None:
        deed = getattr(self, f"_{name}")
        at = Table.objects.get(pk=self.random.choice(self.tables).pk)
        who = self.random.choice(self.people)
        try:
            deed(at, who)
        except REFUSED as error:
            self.refused[error.code] = self.refused.get(error.code, 0) + 1
        else:
            self.deeds[name] = self.deeds.get(name, 0) + 1

    # What players do

    def _sit(self, at: Table, who: User) -> None:
        chips = self.random.choice([500, 700, 3_000, 20_000])
        seating.seat_take(
            table_id=at.pk, player=who, seat=None, buy_in_minor=chips, key=self.key(),
            posts=self.random.random() < 0.5,
        )  # fmt: skip

    def _play(self, at: Table, who: User) -> None:
        """Deal, act a few times or settle, whatever is next at the table."""
        for _ in range(self.random.randint(1, 12)):
            belief = beliefs.read(at.pk)
            if belief.hand_id is None:
                self._deal(at, who)
                return
            if belief.finished:
                self._settle(at, who)
                return
            hand = belief.hand()
            seat = self.random.choice(hand.waiting)
            assert belief.seats is not None
            acting.act(
                table_id=at.pk, player_id=belief.seats[str(seat)]["player"], action_id=uuid4(),
                turn_id=belief.turn_id, action=any_action(hand.legal(seat), self.random),
            )  # fmt: skip

    def _expire(self, at: Table, who: User) -> None:
        belief = beliefs.read(at.pk)
        if belief.hand_id is not None and not belief.finished and belief.turn_id:
            clock_to(at, 5_000)
            expiring.turn_expire(table_id=at.pk, turn_id=belief.turn_id)

    def _leave(self, at: Table, who: User) -> None:
        seating.seat_leave(table_id=at.pk, player=who)

    def _sit_out(self, at: Table, who: User) -> None:
        when = self.random.choice(list(Seat.SitsOut.values))
        seating.seat_sit_out(table_id=at.pk, player=who, at=when)

    def _back(self, at: Table, who: User) -> None:
        seating.seat_return(table_id=at.pk, player=who)

    def _top_up(self, at: Table, who: User) -> None:
        seating.seat_top_up(
            table_id=at.pk, player=who, amount_minor=self.random.choice([1, 500, 19_999]),
            key=self.key(),
        )  # fmt: skip

    def _choose(self, at: Table, who: User) -> None:
        wish = self.random.choice(["straddles", "wants_bomb_pot", "auto_post"])
        seating.seat_choose(table_id=at.pk, player=who, **{wish: self.random.random() < 0.8})

    def _change(self, at: Table, who: User) -> None:
        moving.seat_change(table_id=at.pk, player=who, to=self.random.randint(1, at.max_seats))

    def _transfer(self, at: Table, who: User) -> None:
        to = self.random.choice(self.tables)
        if to.pk != at.pk:
            moving.seat_transfer(table_id=at.pk, player=who, to_table=to.pk)

    def _exclude(self, at: Table, who: User) -> None:
        if self.random.random() < 0.15:
            limits.exclude(player_id=who.pk, until=None)
        else:
            limits.exclusion_lift(player_id=who.pk)

    # What the house does

    def _deal(self, at: Table, who: User) -> None:
        number = beliefs.read(at.pk).hand_number + 1
        dealing.hand_open(table_id=at.pk, number=number)

    def _settle(self, at: Table, who: User) -> None:
        belief = beliefs.read(at.pk)
        if belief.finished and belief.hand_id is not None:
            assert settling.hand_settle(table_id=at.pk, hand_id=belief.hand_id)
            self.settled.add(belief.hand_id)

    def _feed(self, at: Table, who: User) -> None:
        feeding.must_moves_made()

    def _fee_due(self, at: Table, who: User) -> None:
        Table.objects.filter(pk=at.pk, time_fee_minor__gt=0, time_fee_due__isnull=False).update(
            time_fee_due=Now() - timedelta(seconds=1)
        )

    def _periods(self, at: Table, who: User) -> None:
        JackpotHit.objects.filter(status="leading").update(until=Now() - timedelta(seconds=1))
        high_hands.periods_closed()

    def _judge(self, at: Table, who: User) -> None:
        hit = JackpotHit.objects.filter(status="locked").first()
        if hit is None:
            return
        pit, boss = self.staff
        if self.random.random() < 0.3:
            jackpots.hit_refuse(hit_id=hit.pk, by=pit, reason="no")
            return
        asked = jackpots.hit_confirm(hit_id=hit.pk, by=pit).approval_id
        if asked is not None and self.random.random() < 0.7:
            inbox.decide(approval_id=asked, agrees=True, by=boss, note="")

    # What the floor does

    def _void(self, at: Table, who: User) -> None:
        if at.hand_id is not None:
            voiding.hand_void(table_id=at.pk, hand_id=at.hand_id, reason="random")

    def _undo(self, at: Table, who: User) -> None:
        done = Hand.objects.filter(table=at, status="settled").order_by("?").first()
        if done is None or self._is_undone(done):
            return
        pit, boss = self.staff
        asked = controlling.reversal_ask(hand_id=done.pk, reason="random", by=pit)
        inbox.decide(approval_id=asked.pk, agrees=True, by=boss, note="")

    @staticmethod
    def _is_undone(hand: Hand) -> bool:
        return LogEntry.objects.filter(kind="hand.reversed", subject=f"hand:{hand.pk}").exists()

    def _status(self, at: Table, who: User) -> None:
        change = self.random.choice(
            [floor.table_pause, floor.table_stop, floor.table_drain, floor.table_close]
        )
        change(table_id=at.pk)
        if self.random.random() < 0.5:
            floor.table_resume(table_id=at.pk)

    def _resume(self, at: Table, who: User) -> None:
        floor.table_resume(table_id=at.pk)

    def _bomb(self, at: Table, who: User) -> None:
        floor.bomb_pot_order(table_id=at.pk)

    def _misdeal(self, at: Table, who: User) -> None:
        if at.hand_id is not None:
            fault = self.random.choice(list(interrupting.misdeals.FAULTS))
            interrupting.misdeal_ruled(table_id=at.pk, hand_id=at.hand_id, fault=fault)

    def ended(self) -> None:
        """Every hand comes to its end, by time alone."""
        for at in self.tables:
            at.refresh_from_db()
            if at.status == Table.Status.STOPPED:
                floor.table_resume(table_id=at.pk)
            for _ in range(200):
                belief = beliefs.read(at.pk)
                if belief.hand_id is None or belief.finished:
                    break
                clock_to(at, 5_000)
                expiring.turn_expire(table_id=at.pk, turn_id=belief.turn_id)
            else:
                raise AssertionError(f"hand {belief.hand_id} does not end")
            self._settle(at, self.people[0])
            assert beliefs.read(at.pk).hand_id is None


WEIGHTS = {
    "play": 120, "sit": 8, "expire": 3, "leave": 1, "sit_out": 2, "back": 6, "top_up": 3,
    "choose": 6, "change": 2, "transfer": 1, "exclude": 1, "feed": 3, "fee_due": 3, "periods": 3,
    "judge": 4, "void": 1, "undo": 1, "status": 1, "resume": 4, "bomb": 1, "misdeal": 1,
}  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_is_done_every_hand_ends_is_played_again_and_the_books_agree(seed: int) -> None:
    first = int(os.environ.get("RANDOM_FROM", "0"))
    house = House(Random(f"tables/{first + seed}"))
    house.opened()
    names, weights = list(WEIGHTS), list(WEIGHTS.values())
    for _ in range(STEPS):
        house.did(house.random.choices(names, weights)[0])
    house.ended()
    for hand in Hand.objects.filter(pk__in=house.settled):
        replaying.replay(hand)
        players = {facts["player"] for facts in hand.seats.values()}
        for viewer in (None, *User.objects.filter(pk__in=players)):
            assert problems(bundle(hand.pk, viewer)) == []
    check = ledger_check()
    assert check.ok, check.faults
    kept = reconcile()
    assert kept.ok, {name: found for name, found in kept.checks.items() if found}
    if os.environ.get("RANDOM_TABLES"):
        print(seed, len(house.settled), house.deeds, house.refused)
