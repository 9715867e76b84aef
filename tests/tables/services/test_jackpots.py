"""Jackpots: which hands hit, how hits are locked, verified, paid; where every unit stands."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from casino.console import inbox
from casino.core.approvals import OPEN_FOR
from casino.core.errors import ApprovalNotOpen, ApprovalSamePerson, PitNotYours, RoleMissing
from casino.core.models import Role, User
from tables import costs, positions, selectors
from tables.engine.cards import FULL_DECK, parse_cards
from tables.engine.errors import BadOptions
from tables.engine.poker.jackpots import Beat, bad_beat, high_hand, read_terms, shares
from tables.errors import HitNotOpen, JackpotNotPossible
from tables.models import Event, Hand, Jackpot, JackpotHit, Table, TableHour
from tables.selectors import database_now
from tables.services import floor, high_hands, jackpots, opening
from tests.core.cast import person
from tests.tables.dealing_cast import CURRENCY, dealt, move, played_out, player, seated, table
from wallets import controlling, limits
from wallets import services as wallets
from wallets.models import Account, Transfer
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db
STAKES = {
    "limit": "no_limit", "big_blind_minor": 100, "auto_muck": False,
    "drop": {"amount_minor": 50, "from_minor": 400},
}  # fmt: skip
BAD_BEAT = {"least": {"class": "four_of_a_kind"}, "min_players": 4, "pays_bp": 8_000}
HIGH = {"least": {"class": "full_house"}, "min_players": 3, "every_min": 60, "pays_minor": 5_000}
SEED = 100_000
# From the button's left: aces, kings, and two that have nothing; four aces beat four kings.
BEATEN = "Ah Kh 2c 3c Ad Kd 7d 8s 9c As Ac Ks 9d Kc 9h 5d"


@pytest.fixture
def at() -> Table:
    made = table(options=STAKES)
    seated(made, *(player(name) for name in ("ann", "bob", "cyd", "dan")))
    return made


def opened(*tables: Table, **terms: Any) -> Jackpot:
    content = {"bad_beat": BAD_BEAT, "seed_minor": SEED, "two_persons_over_minor": 10**6, **terms}
    return jackpots.jackpot_open(
        name=f"Pool {tables[0].pk}", tables=[one.pk for one in tables], terms=content
    )


def stacked(monkeypatch: pytest.MonkeyPatch, cards: str = BEATEN) -> None:
    wanted = list(parse_cards(cards.split()))
    deck = wanted + [card for card in FULL_DECK if card not in wanted]
    monkeypatch.setattr("tables.engine.fairness.shuffle", lambda cards, seed: list(deck))


def beaten(at: Table) -> Hand:
    """A hand in which four aces beat four kings, with a pot of 1,200 and a drop of 50."""
    dealt(at)
    move(at, name="raise", to_minor=300)
    return played_out(at)


def cash(who: str) -> int:
    seat = Table.objects.get(seats__player__username=who).seats.get(player__username=who)
    account = wallets.player_account(player_id=seat.player_id, currency=CURRENCY)
    return wallets.balances_of(account_ids=[account])[account]


def by_place(hand: Hand) -> list[str]:
    """Names from the button's left."""
    assert hand.button is not None
    seats = sorted(map(int, hand.seats), key=lambda seat: (seat - hand.button - 1) % 10)  # type: ignore[operator]
    return [hand.seats[str(seat)]["name"] for seat in seats]


def by_the_hour(at: Table) -> tuple[int, int]:
    """What reports say that a table gave to jackpots, and what these paid for it."""
    rows = TableHour.objects.filter(table=at)
    return sum(row.jackpot_in_minor for row in rows), sum(row.jackpot_out_minor for row in rows)


def books_agree(jackpot: Jackpot) -> None:
    held = wallets.balances_of(account_ids=[jackpot.account_id])[jackpot.account_id]
    assert positions.meters()[jackpot.account_id] == held
    assert ledger_check().ok


def test_a_bad_beat_is_locked_with_its_hand_verified_and_paid(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    jackpot = opened(at)
    stacked(monkeypatch)
    hand = beaten(at)
    hit = JackpotHit.objects.get()
    # 80 % of the seed and of this hand's own drop: half to the loser, a quarter to the winner.
    amount = (SEED + 50) * 8 // 10
    assert (hit.status, hit.amount_minor) == ("locked", amount)
    winner, loser, *others = by_place(hand)
    by_name = {hand.seats[n]["name"]: hand.seats[n]["player"] for n in hand.seats}
    paid = {name: hit.shares[str(who)] for name, who in by_name.items()}
    assert paid == {loser: amount - amount // 4 - 2 * (amount // 8), winner: amount // 4} | (
        dict.fromkeys(others, amount // 8)
    )
    assert costs.meter_minor(jackpot) == SEED + 50 - amount
    before = {name: cash(name) for name in by_name}
    pit = person("pit", Role.PIT_MANAGER)
    assert jackpots.hit_confirm(hit_id=hit.pk, by=pit).status == "paid"
    assert {name: cash(name) - before[name] for name in by_name} == paid
    assert Transfer.objects.get(kind="jackpot_award").hand_id == hand.pk
    assert costs.meter_minor(jackpot) == SEED  # the house has put the seed back
    assert by_the_hour(at) == (50, amount)
    with pytest.raises(HitNotOpen):
        jackpots.hit_confirm(hit_id=hit.pk, by=pit)
    books_agree(jackpot)


def test_over_a_size_two_persons_agree_in_the_approvals_inbox(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    jackpot = opened(at, two_persons_over_minor=1_000)
    stacked(monkeypatch)
    beaten(at)
    hit = JackpotHit.objects.get()
    pit, money = person("pit", Role.PIT_MANAGER), person("money", Role.FINANCE)
    with pytest.raises(RoleMissing):
        jackpots.hit_confirm(hit_id=hit.pk, by=person("floor", Role.FLOOR))
    asked = jackpots.hit_confirm(hit_id=hit.pk, by=pit)
    assert asked.approval_id is not None
    assert asked.status == "locked"
    inbox.decide(approval_id=asked.approval_id, agrees=True, by=money, note="seen on tape")
    hit.refresh_from_db()
    assert hit.status == "paid"
    books_agree(jackpot)


def test_who_has_set_the_terms_does_not_pay_by_them_alone(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    jackpot = opened(at)
    keeper = person("keeper", Role.FINANCE)
    terms = {"bad_beat": BAD_BEAT, "seed_minor": SEED, "two_persons_over_minor": 10**9}
    jackpots.terms_change(jackpot_id=jackpot.pk, terms=terms, by=keeper)
    stacked(monkeypatch)
    beaten(at)
    asked = jackpots.hit_confirm(hit_id=JackpotHit.objects.get().pk, by=keeper)
    assert (asked.status, asked.approval_id is None) == ("locked", False)
    assert asked.approval_id is not None
    with pytest.raises(ApprovalSamePerson):
        inbox.decide(approval_id=asked.approval_id, agrees=True, by=keeper, note="")
    books_agree(jackpot)


def test_a_table_has_one_jackpot_and_says_so(at: Table) -> None:
    opened(at)
    content = {"bad_beat": BAD_BEAT, "seed_minor": 0, "two_persons_over_minor": 0}
    with pytest.raises(JackpotNotPossible, match="already"):
        jackpots.jackpot_open(name="Another", tables=[at.pk], terms=content)


@pytest.mark.parametrize("end", ["refused", "expired"])
@pytest.mark.parametrize("then", ["confirm", "refuse"])
def test_a_hit_whose_second_person_did_not_agree_is_decided_anew(
    at: Table, monkeypatch: pytest.MonkeyPatch, end: str, then: str
) -> None:
    jackpot = opened(at, two_persons_over_minor=1_000)
    stacked(monkeypatch)
    beaten(at)
    pit, money = person("pit", Role.PIT_MANAGER), person("money", Role.FINANCE)
    hit = jackpots.hit_confirm(hit_id=JackpotHit.objects.get().pk, by=pit)
    first = hit.approval_id
    assert first is not None
    if end == "refused":
        inbox.decide(approval_id=first, agrees=False, by=money, note="not yet")
    else:
        tomorrow = timezone.now() + OPEN_FOR
        monkeypatch.setattr(timezone, "now", lambda: tomorrow)
    if then == "confirm":
        again = jackpots.hit_confirm(hit_id=hit.pk, by=pit).approval_id
        assert again not in (None, first)
        inbox.decide(approval_id=again, agrees=True, by=money, note="seen on tape")
    else:
        jackpots.hit_refuse(hit_id=hit.pk, by=money, reason="cards told")
    hit.refresh_from_db()
    assert hit.status == {"confirm": "paid", "refuse": "refused"}[then]
    books_agree(jackpot)


def test_a_refused_hit_leaves_its_amount_in_the_meter(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    jackpot = opened(at)
    stacked(monkeypatch)
    beaten(at)
    hit = JackpotHit.objects.get()
    jackpots.hit_refuse(hit_id=hit.pk, by=person("pit", Role.PIT_MANAGER), reason="cards told")
    assert costs.meter_minor(jackpot) == SEED + 50
    assert not Transfer.objects.filter(kind="jackpot_award").exists()


def test_hits_at_two_tables_take_their_parts_in_the_order_of_settlement(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = table(options=STAKES, name="other")
    seated(other, *(player(name) for name in ("eve", "fay", "gil", "hal")))
    jackpot = opened(at, other)
    stacked(monkeypatch)
    first, second = beaten(other), beaten(at)
    one, two = (JackpotHit.objects.get(hand=hand) for hand in (first, second))
    assert one.amount_minor == (SEED + 50) * 8 // 10
    assert two.amount_minor == (SEED + 100 - one.amount_minor) * 8 // 10
    pit = person("pit", Role.PIT_MANAGER)
    for hit in (two, one):  # verified in any order: each has its own money set aside
        jackpots.hit_confirm(hit_id=hit.pk, by=pit)
    books_agree(jackpot)


def undone(hand: Hand) -> None:
    """Two persons undo a settled hand."""
    by, other = person(f"void{hand.pk}", Role.FINANCE), person(f"agree{hand.pk}", Role.ADMIN)
    asked = controlling.reversal_ask(hand_id=hand.pk, reason="a card was marked", by=by)
    inbox.decide(approval_id=asked.pk, agrees=True, by=other, note="seen on tape")


def test_a_paid_jackpot_goes_back_with_its_hand_and_what_is_spent_is_owed(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    jackpot = opened(at)
    stacked(monkeypatch)
    hand = beaten(at)
    hit = JackpotHit.objects.get()
    jackpots.hit_confirm(hit_id=hit.pk, by=person("pit", Role.PIT_MANAGER))
    winner, loser, *_ = by_place(hand)
    who = User.objects.get(username=loser)
    rich, kept = cash(loser), 1_000
    wallets.withdraw(
        player_id=who.pk, amount_minor=rich - kept, currency=CURRENCY, key="spent", actor_id=None
    )
    before = cash(winner)
    undone(hand)
    hit.refresh_from_db()
    assert (hit.status, hit.note) == ("refused", jackpots.WENT_BACK)
    assert cash(winner) == before - hit.shares[str(User.objects.get(username=winner).pk)]
    owed = Account.objects.get(player=who, purpose="receivable")
    # What he lost in the hand comes back to his cash, and pays for a part of it.
    assert (cash(loser), owed.balance_minor) == (0, kept + 300 - hit.shares[str(who.pk)])
    # The amount is there again; the drop went back with the hand, the new seed stays.
    assert costs.meter_minor(jackpot) == SEED + hit.amount_minor - 50
    assert by_the_hour(at) == (0, 0)
    assert '"jackpot_refused"' in Event.objects.filter(table=at).latest("seq").events
    books_agree(jackpot)


def test_a_hit_is_paid_in_full_though_a_hand_that_gave_to_it_was_undone_before(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = table(options=STAKES, name="other")
    seated(other, *(player(name) for name in ("eve", "fay", "gil")))
    jackpot = opened(at, other, bad_beat={**BAD_BEAT, "pays_bp": 10_000}, seed_minor=0)
    stacked(monkeypatch)
    gave = beaten(other)  # too few are dealt in for a hit
    beaten(at)
    hit = JackpotHit.objects.get()
    assert hit.amount_minor == 100
    undone(gave)
    assert costs.meter_minor(jackpot) == 0  # the house has put in what went back
    told = Event.objects.filter(table=other).latest("seq").events
    assert '"jackpot_moved"' in told
    assert '"meter_minor":0' in told
    assert jackpots.hit_confirm(hit_id=hit.pk, by=person("pit", Role.PIT_MANAGER)).status == "paid"
    books_agree(jackpot)


def test_nobody_can_agree_to_a_hit_whose_hand_was_undone(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    jackpot = opened(at, two_persons_over_minor=1_000)
    stacked(monkeypatch)
    hand = beaten(at)
    asked = jackpots.hit_confirm(
        hit_id=JackpotHit.objects.get().pk, by=person("pit", Role.PIT_MANAGER)
    ).approval_id
    assert asked is not None
    undone(hand)
    with pytest.raises(ApprovalNotOpen):
        inbox.decide(approval_id=asked, agrees=True, by=person("m", Role.FINANCE), note="")
    hit = JackpotHit.objects.get()
    assert (hit.status, costs.meter_minor(jackpot)) == ("refused", SEED)
    books_agree(jackpot)


@pytest.mark.parametrize("is_over", [False, True])
@pytest.mark.parametrize("how", ["undone", "refused", "paid"])
def test_when_a_high_hand_falls_the_next_best_of_its_time_takes_its_place(
    at: Table, monkeypatch: pytest.MonkeyPatch, is_over: bool, how: str
) -> None:
    if how != "undone" and not is_over:
        return  # only what is locked is decided
    other = table(options=STAKES, name="other")
    seated(other, *(player(name) for name in ("eve", "fay", "gil", "hal")))
    jackpot = opened(at, other, bad_beat=None, high_hand=HIGH)
    stacked(monkeypatch)
    best = beaten(at)
    # Kings full, shown later at the other table, were never good enough to lead.
    stacked(monkeypatch, "Kh Qs 2c 3c Kd Qh 7d 8s 9c Ks Qc Qd 9d 4c 9h 5d")
    second = beaten(other)
    lead = JackpotHit.objects.get()
    if is_over:
        JackpotHit.objects.update(until=high_hands.period_end(database_now(), 60))
        monkeypatch.setattr(high_hands, "database_now", lambda: lead.until)
        with transaction.atomic():
            high_hands._closed(Jackpot.objects.select_for_update().get(), lead.until)
    pit = person("pit", Role.PIT_MANAGER)
    if how == "paid":
        jackpots.hit_confirm(hit_id=lead.pk, by=pit)
    if how == "refused":
        jackpots.hit_refuse(hit_id=lead.pk, by=pit, reason="cards told")
    else:
        undone(best)
    lead.refresh_from_db()
    assert lead.status == "refused"
    found = JackpotHit.objects.exclude(pk=lead.pk).get()
    assert found.hand == second
    assert (found.status, found.amount_minor) == (("locked", 5_000) if is_over else ("leading", 0))
    books_agree(jackpot)


def test_a_hit_is_judged_by_the_staff_of_its_tables_pit(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(at)
    stacked(monkeypatch)
    beaten(at)
    Table.objects.update(pit="north")
    south = person("south", Role.PIT_MANAGER)
    User.objects.filter(pk=south.pk).update(pits=["south"])
    hit = JackpotHit.objects.get()
    with pytest.raises(PitNotYours):
        jackpots.hit_confirm(hit_id=hit.pk, by=south)
    with pytest.raises(PitNotYours):
        jackpots.hit_refuse(hit_id=hit.pk, by=south, reason="no")


def test_a_jackpot_is_paid_to_who_may_not_play_any_more(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    jackpot = opened(at)
    stacked(monkeypatch)
    hand = beaten(at)
    winner, loser, *_ = by_place(hand)
    gone = [User.objects.get(username=name) for name in (winner, loser)]
    limits.exclude_self(player_id=gone[0].pk, until=None)
    limits.account_close(player_id=gone[1].pk)
    hit = JackpotHit.objects.get()
    jackpots.hit_confirm(hit_id=hit.pk, by=person("pit", Role.PIT_MANAGER))
    books_agree(jackpot)


def test_the_best_hand_of_the_hour_leads_is_locked_when_it_is_over_and_paid(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    jackpot = opened(at, bad_beat=None, high_hand=HIGH)
    stacked(monkeypatch)
    beaten(at)
    lead = JackpotHit.objects.get()
    words = "Four of a kind, aces, king kicker"
    assert (lead.kind, lead.status, lead.words) == ("high_hand", "leading", words)
    shown = selectors.table_snapshot(at.pk)["table"]["jackpot"]
    assert (shown["leads"]["class"], shown["leads"]["ranks"]) == ("four_of_a_kind", "AK")
    assert (shown["meter_minor"], shown["leads"]["words"]) == (SEED + 50, words)
    beaten(at)  # the same hand again is no better: who was first stays first
    assert JackpotHit.objects.count() == 1
    assert high_hands.periods_closed() == 0
    JackpotHit.objects.update(until=database_now() - timedelta(seconds=1))
    assert high_hands.periods_closed() == 1
    lead.refresh_from_db()
    assert (lead.status, lead.amount_minor) == ("locked", 5_000)
    jackpots.hit_confirm(hit_id=lead.pk, by=person("pit", Role.PIT_MANAGER))
    books_agree(jackpot)


def test_a_high_hand_whose_time_is_over_has_its_part_before_a_beat_that_comes_later(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = table(options=STAKES, name="other")
    seated(other, *(player(name) for name in ("eve", "fay", "gil", "hal")))
    jackpot = opened(at, other, bad_beat={**BAD_BEAT, "pays_bp": 10_000}, high_hand=HIGH)
    stacked(monkeypatch, "Kh Qs 2c 3c Kd Qh 7d 8s 9c Ks Qc Qd 9d 4c 9h 5d")
    beaten(at)  # kings full lead, of queens full: nobody is beaten badly
    JackpotHit.objects.update(until=database_now() - timedelta(seconds=1))
    stacked(monkeypatch)
    beaten(other)
    by_kind = dict(JackpotHit.objects.exclude(status="leading").values_list("kind", "amount_minor"))
    assert by_kind == {"high_hand": 5_000, "bad_beat": SEED + 100 - 5_000}
    pit = person("pit", Role.PIT_MANAGER)
    for hit in JackpotHit.objects.filter(status="locked"):
        jackpots.hit_confirm(hit_id=hit.pk, by=pit)
    books_agree(jackpot)


def test_terms_count_for_hands_that_begin_after_them(
    at: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    jackpot = opened(at)
    stacked(monkeypatch)
    dealt(at)
    kinder = {"bad_beat": {**BAD_BEAT, "pays_bp": 10_000}}
    jackpots.terms_change(jackpot_id=jackpot.pk, terms=kinder, by=person("m", Role.FINANCE))
    move(at, name="raise", to_minor=300)
    played_out(at)
    assert JackpotHit.objects.get().terms.version == 1


def test_a_table_with_a_jackpot_goes_on_showing_every_hand() -> None:
    at = table(options=STAKES)
    opened(at)
    floor.table_pause(table_id=at.pk)
    mucks = {"options": {**STAKES, "auto_muck": True}}
    with pytest.raises(JackpotNotPossible):
        floor.table_change(table_id=at.pk, **mucks)
    for change in (mucks, {"game": "stud", "options": {"limit": "fixed", "small_bet_minor": 100}}):
        with pytest.raises(JackpotNotPossible):
            opening.table_revise(table_id=at.pk, changes=change)
    opening.table_revise(table_id=at.pk, changes={"max_seats": 6})


def test_only_tables_that_show_every_hand_may_have_one() -> None:
    muck = table(options={**STAKES, "auto_muck": True})
    with pytest.raises(JackpotNotPossible):
        opened(muck)


@pytest.mark.parametrize(
    ("end", "every", "over"),
    [
        ("10:59", 60, "11:00"),
        ("11:00", 60, "12:00"),
        ("23:50", 25, "00:00"),
        ("23:50", 50, "00:00"),
        ("00:10", 20, "00:20"),
        ("00:10", 1_440, "00:00"),
    ],
)
def test_times_of_high_hands_are_whole_ones_from_midnight(end: str, every: int, over: str) -> None:
    at = datetime.strptime(f"2026-03-01 {end}", "%Y-%m-%d %H:%M").replace(tzinfo=UTC)
    found = high_hands.period_end(at, every)
    assert f"{found:%H:%M}" == over
    assert at < found <= at + timedelta(minutes=every)


class TestTerms:
    """docs/rules/jackpots.md 2 and 3, by views alone."""

    TERMS = read_terms({"bad_beat": BAD_BEAT, "high_hand": HIGH})

    def view(self, **changes: Any) -> dict[str, Any]:
        def shown(cards: str, hand: str, ranks: str, plays: str) -> dict[str, Any]:
            high = {"class": hand, "ranks": ranks, "words": hand, "cards": plays.split()}
            return {"cards": cards.split(), "high": high}

        return {
            "players": [{"seat": seat} for seat in (1, 2, 3, 4)],
            "awards": [{"pot": 0, "winners": {"1": 900}, "eligible": [1, 2]}],
            "shown": {
                "1": shown("Ah Ad", "four_of_a_kind", "AK", "Ah Ad As Ac Ks"),
                "2": shown("Kh Kd", "four_of_a_kind", "KA", "Kh Kd Ks Kc As"),
            },
        } | changes

    def beat(self, view: dict[str, Any], game: str = "holdem", pot: int = 900) -> Beat | None:
        assert self.TERMS.bad_beat is not None
        return bad_beat(self.TERMS.bad_beat, game, view, {"pots": [{"amount_minor": pot}]})

    def test_who_lost_won_and_sat_by(self) -> None:
        assert self.beat(self.view()) == Beat((2,), (1,), (3, 4), "four_of_a_kind")

    def test_other_games_few_players_several_boards_do_not_count(self) -> None:
        assert self.beat(self.view(), "stud") is None
        assert self.beat(self.view(players=[{"seat": seat} for seat in (1, 2, 3)])) is None
        awards = [{"pot": 0, "winners": {"1": 450}, "eligible": [1, 2], "board_no": 1}]
        assert self.beat(self.view(awards=awards)) is None

    @pytest.mark.parametrize("seat", ["1", "2"])
    def test_both_cards_of_both_must_play(self, seat: str) -> None:
        view = self.view()
        view["shown"][seat]["cards"][1] = "2d"
        assert self.beat(view) is None

    def test_a_hand_that_wins_a_share_or_is_not_in_the_main_pot_is_not_beaten(self) -> None:
        awards = [{"pot": 0, "winners": {"1": 450, "2": 450}, "eligible": [1, 2]}]
        assert self.beat(self.view(awards=awards)) is None
        awards = [{"pot": 0, "winners": {"1": 900}, "eligible": [1, 3]}]
        assert self.beat(self.view(awards=awards)) is None

    def test_ranks_of_the_least_hand_count(self) -> None:
        terms = read_terms(
            {"bad_beat": {**BAD_BEAT, "least": {"class": "full_house", "ranks": "AT"}}}
        )
        assert terms.bad_beat is not None
        for ranks, counts in (("AT", True), ("AJ", True), ("A9", False), ("KQ", False)):
            view = self.view()
            view["shown"]["2"]["high"] |= {"class": "full_house", "ranks": ranks}
            pots = {"pots": [{"amount_minor": 900}]}
            assert (bad_beat(terms.bad_beat, "holdem", view, pots) is not None) is counts

    def test_shares_sum_to_the_amount_and_nobody_at_the_table_is_no_part(self) -> None:
        assert self.TERMS.bad_beat is not None
        beat = Beat((2,), (1,), (3, 4), "")
        assert shares(self.TERMS.bad_beat, beat, 1_003) == {1: 250, 3: 125, 4: 125, 2: 503}
        alone = beat._replace(others=())
        assert shares(self.TERMS.bad_beat, alone, 1_003) == {1: 250, 2: 753}

    def test_the_highest_hand_shown_and_its_least(self) -> None:
        assert self.TERMS.high_hand is not None
        best = high_hand(self.TERMS.high_hand, "holdem", self.view())
        assert best is not None
        assert best.seat == 1
        view = self.view()
        for shown in view["shown"].values():
            shown["high"] |= {"class": "flush", "ranks": "AKQJ9"}
        assert high_hand(self.TERMS.high_hand, "holdem", view) is None

    @pytest.mark.parametrize(
        "terms",
        [
            {},
            {"bad_beat": {"least": {"class": "quads"}}},
            {"bad_beat": {**BAD_BEAT, "loser_bp": 9_000}},
            {"bad_beat": {**BAD_BEAT, "games": ["stud"]}},
            {"bad_beat": {**BAD_BEAT, "min_players": 2}},
            {"high_hand": {**HIGH, "every_min": 0}},
            {"high_hand": {**HIGH, "pays_minor": True}},
            {"high_hand": {**HIGH, "prize": 3}},
        ],
    )
    def test_terms_that_make_no_sense_are_refused(self, terms: Any) -> None:
        with pytest.raises(BadOptions):
            read_terms(terms)
