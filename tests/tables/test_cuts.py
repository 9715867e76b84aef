"""Roots, seeds, lists and openings of real hands, judged by the stand-alone verifier."""

from datetime import timedelta

import orjson
import pytest
from django.db import connection
from django.db.models import F
from django.utils import timezone

from casino.core.models import LogEntry
from tables import beliefs, clock, selectors, vault
from tables.errors import (
    CommitmentTaken,
    CutNotFound,
    NotSeated,
    SeedBarred,
    SeedCommitted,
    SeedNotListed,
    SeedsClosed,
    SeedsNotTaken,
)
from tables.models import ClocksHeld, Cut, Deck, Hand, SeedCommitment, Table
from tables.services import dealing, decks, expiring, floor, seating, settling, voiding
from tests.tables.cut_cast import (
    Giver,
    all_drawn,
    bundle,
    first_roots,
    listed,
    problems,
    waiting,
    went_on,
    window_over,
)
from tests.tables.dealing_cast import (
    clock_to,
    dealt,
    move,
    played_out,
    player,
    pulses_at,
    seated,
    table,
    three_card_table,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def holdem() -> tuple[Table, list[Giver]]:
    at = table(reveal_ms=30_000)
    players = [player(name) for name in ("alice", "bob", "carol")]
    seated(at, *players)
    first_roots(at)
    return at, [Giver(who) for who in players]


def given_and_dealt(at: Table, givers: list[Giver]) -> Hand:
    for who in givers:
        who.commits(at)
    hand = dealt(at)
    for who in givers:
        who.opens(at)
    assert went_on(at)
    return Hand.objects.get(pk=hand.pk)


def proofs_hold(hand: Hand, givers: list[Giver]) -> None:
    assert problems(bundle(hand.pk)) == []
    for who in givers:
        assert problems(bundle(hand.pk, who.user)) == []


def cut_once_more(at: Table, givers: list[Giver]) -> None:
    """A cut within the hand, for a reshuffle or more dice, with everybody's seeds."""
    for who in givers:
        who.commits(at)
    assert went_on(at)
    for who in givers:
        who.opens(at)
    assert went_on(at)


def test_a_hand_is_cut_by_the_seeds_its_players_gave(holdem) -> None:
    at, givers = holdem
    hand = given_and_dealt(at, givers)
    assert beliefs.read(at.pk).state is not None
    cut = Cut.objects.get(hand_id=hand.pk)
    assert (cut.mode, cut.status) == ("players", "dealt")
    assert cut.seeds == [who.seed(cut.number).hex() for who in givers]
    proofs_hold(hand, givers)  # while it runs
    hand = played_out(at)
    proofs_hold(hand, givers)
    public = bundle(hand.pk)
    assert len(public["cuts"][0]["full"]) == 3
    assert {one["to"] for one in public["openings"]} == {"all"}
    assert len(bundle(hand.pk, givers[0].user)["receipts"]) == 1


def test_a_proof_opens_what_its_viewer_saw_and_nothing_else(holdem) -> None:
    at, givers = holdem
    hand = given_and_dealt(at, givers)
    assert bundle(hand.pk)["openings"] == []
    for who in givers:
        mine = bundle(hand.pk, who.user)["openings"]
        assert [one["to"] for one in mine] == ["you", "you"]
    move(at, name="fold")
    folded = {giver.user.pk for giver in givers} - {
        facts["player"] for seat, facts in hand.seats.items()
        if int(seat) in beliefs.read(at.pk).hand().waiting
    }  # fmt: skip
    assert folded
    hand = played_out(at)
    shown = list(bundle(hand.pk)["openings"])
    seen = {one["card"] for one in shown}
    board, hands = hand.final_view["board"], hand.final_view["shown"]
    assert len(seen) == len(shown) == len(board) + 2 * len(hands)


def test_without_seeds_the_house_deals_alone_and_at_once_and_says_so(holdem) -> None:
    at, _ = holdem
    hand = dealt(at)
    assert beliefs.read(at.pk).state is not None
    cut = Cut.objects.get(hand_id=hand.pk)
    assert (cut.mode, cut.commitments, cut.joined) == ("house", None, "")
    assert selectors.table_snapshot(at.pk)["hand"]["cut"]["mode"] == "house"
    proofs_hold(played_out(at), [])


def test_a_silent_client_is_left_out_after_its_window(holdem) -> None:
    """It committed, so it withholds: fresh roots for all, twice, and then without it."""
    at, givers = holdem
    silent, *others = givers
    for who in givers:
        who.commits(at)
    hand = dealt(at)
    for who in others:
        who.opens(at)
    assert not went_on(at)  # its time is not over
    assert window_over(at)
    first = at.cuts.get(number=1)
    assert (first.status, first.reason) == ("void", "withheld")
    with pytest.raises(SeedsNotTaken):
        silent.commits(at)
    for who in others:
        who.commits(at)
    assert went_on(at)  # all who are asked have committed: the list is closed before its time
    for who in others:
        who.opens(at)
    assert went_on(at)
    assert beliefs.read(at.pk).state is not None
    proofs_hold(Hand.objects.get(pk=hand.pk), givers)


@pytest.mark.parametrize("kind", ["web", "clock"])
@pytest.mark.parametrize("when", ["while it lasts", "right after it"])
def test_who_comes_back_from_the_houses_silence_has_withheld_nothing(holdem, kind, when) -> None:
    """Five seconds at least, and no more for two kinds of process that were silent together."""
    at, givers = holdem
    Table.objects.update(reveal_ms=1_000)
    for who in givers:
        who.commits(at)
    if when == "while it lasts":
        dealt(at)
        Cut.objects.filter(status="listed").update(due=F("due") - timedelta(seconds=59.5))
    pulses_at(60_000)
    clock.pulse(kind)
    if when == "right after it":
        dealt(at)
    clock.pulse("web")
    clock.pulse("clock")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT extract(epoch FROM due - clock_timestamp())::float FROM tables_cut"
            " WHERE status = 'listed'"
        )
        (left_s,) = cursor.fetchone()
    assert 4 < left_s < 5.1
    assert not went_on(at)
    for who in givers:
        who.opens(at)
    assert went_on(at)
    assert Cut.objects.get(status="dealt").seeds == [who.seed(1).hex() for who in givers]


def test_a_silence_that_a_wrong_clock_judged_holds_no_later_list(holdem) -> None:
    at, givers = holdem
    Table.objects.update(reveal_ms=1_000)
    now = timezone.now()
    ClocksHeld.objects.create(kind="web", began=now, ended=now + timedelta(hours=1), tables=0)
    for who in givers:
        who.commits(at)
    dealt(at)
    assert Cut.objects.get(status="listed").due < now + timedelta(seconds=30)


def test_who_withholds_gives_no_seed_for_a_while(holdem) -> None:
    at, givers = holdem
    for who in givers:
        who.commits(at)
    dealt(at)
    for who in givers[1:]:
        who.opens(at)
    assert window_over(at)
    assert window_over(at)  # nobody commits to the fresh one either: the house alone
    with pytest.raises(SeedBarred) as error:
        givers[0].commits(at)
    assert error.value.until.endswith("Z")
    givers[1].commits(at)
    # He is told before he tries, and nobody else is.
    assert barred(at, givers[0]) == [error.value.until] * 2
    assert barred(at, givers[1]) == [None] * 2
    for viewer in (None, givers[1].user.pk):
        assert (
            error.value.until not in orjson.dumps(selectors.table_snapshot(at.pk, viewer)).decode()
        )
    SeedCommitment.objects.update(withheld_at=F("withheld_at") - timedelta(minutes=10))
    assert barred(at, givers[0]) == [None] * 2
    givers[0].commits(at)


def test_who_was_held_up_by_the_house_is_not_barred(holdem) -> None:
    at, givers = holdem
    for who in givers:
        who.commits(at)
    dealt(at)
    for who in givers[1:]:
        who.opens(at)
    void = listed(at)
    assert window_over(at, late_ms=1_500)  # too short a time to be judged a silence
    assert at.cuts.get(pk=void.pk).reason == "withheld"
    assert window_over(at)
    assert barred(at, givers[0]) == [None] * 2
    givers[0].commits(at)


def barred(at: Table, who: Giver) -> list[str | None]:
    """Until when no seed of his is taken, as a snapshot and what follows every hand tell him."""
    you = selectors.table_snapshot(at.pk, who.user.pk)["you"]
    told = selectors.standing(at.pk, who.user.pk)
    return [you["seeds_barred_until"], told["seeds_barred_until"]]


def test_a_hand_is_dealt_after_the_second_withholding_with_those_who_opened(holdem) -> None:
    at, givers = holdem
    hand = None
    for who in givers:
        who.commits(at)
    hand = dealt(at)
    for silent in (0, 1):
        for who in givers[silent + 1 :]:
            who.opens(at)
        assert window_over(at)
        for who in givers[silent + 1 :]:
            who.commits(at)
        assert went_on(at)
    givers[2].opens(at)
    went_on(at)
    cuts = at.cuts.filter(hand_id=hand.pk).order_by("number")
    assert [cut.status for cut in cuts] == ["void", "void", "dealt"]
    proofs_hold(Hand.objects.get(pk=hand.pk), givers)


def test_the_third_cut_is_dealt_though_a_seed_is_missing(holdem) -> None:
    at, givers = holdem
    for who in givers:
        who.commits(at)
    hand = dealt(at)
    for step in range(3):
        rest = givers[step:]
        if step:
            for who in rest:
                who.commits(at)
            assert went_on(at)
        for who in rest[1:]:
            who.opens(at)
        assert window_over(at)
    assert beliefs.read(at.pk).state is not None
    last = at.cuts.filter(hand_id=hand.pk).latest("number")
    assert (last.status, last.seeds) == ("dealt", [None])
    assert last.mode == "house"
    proofs_hold(Hand.objects.get(pk=hand.pk), givers)


def test_an_opening_after_the_deal_is_refused(holdem) -> None:
    at, givers = holdem
    givers[0].commits(at)
    dealt(at)
    cut = listed(at).number
    assert window_over(at)
    with pytest.raises(SeedsClosed):
        givers[0].opens(at, cut)


def test_an_opening_that_is_not_in_the_list_is_refused(holdem) -> None:
    at, givers = holdem
    givers[0].commits(at)
    dealt(at)
    with pytest.raises(SeedNotListed):
        givers[1].opens(at)
    givers[0].given[listed(at).number] = bytes(32)
    with pytest.raises(SeedNotListed):
        givers[0].opens(at)


def test_no_seed_is_opened_before_the_list_is_closed(holdem) -> None:
    at, givers = holdem
    givers[0].commits(at)
    with pytest.raises(SeedsClosed):
        givers[0].opens(at, waiting(at).number)


def test_a_commitment_after_the_list_is_for_the_next_hand_alone(holdem) -> None:
    at, givers = holdem
    givers[0].commits(at)
    dealt(at)
    with pytest.raises(SeedsClosed):
        givers[1].commits(at, listed(at).number)
    with pytest.raises(CutNotFound):
        givers[1].commits(at, 99)


def test_two_players_do_not_commit_to_the_same(holdem) -> None:
    at, givers = holdem
    first = givers[0].commits(at)
    assert givers[0].commits(at) == first  # a repeat gets its receipt again
    cut = waiting(at).number
    givers[1].given[cut] = givers[0].seed(cut)
    with pytest.raises(CommitmentTaken):
        givers[1].commits(at)
    givers[0].given[cut] = bytes(32)
    with pytest.raises(SeedCommitted):
        givers[0].commits(at)
    with pytest.raises(NotSeated):
        Giver(player("dave")).commits(at)


def test_a_certified_table_takes_no_seed_and_commits_to_one_deck(holdem) -> None:
    at, givers = holdem
    dealt(at)
    played_out(at)
    Table.objects.filter(pk=at.pk).update(certified=True)
    dealt(at)
    hand = played_out(at)
    cut = waiting(at)
    assert (cut.takes_seeds, cut.decks.count()) == (False, 1)
    with pytest.raises(SeedsNotTaken):
        givers[0].commits(at)
    dealt(at)
    assert at.cuts.get(pk=cut.pk).mode == "certified"
    proofs_hold(hand, [])


@pytest.mark.parametrize("forbids", [True, False])
def test_a_market_that_forbids_seeds_opens_its_tables_certified(db, settings, forbids) -> None:
    settings.CERTIFIED_CARDS = forbids
    at = floor.table_open(
        name="here", game="holdem", options={"limit": "no_limit", "big_blind_minor": 100},
        currency="EUR", buy_in_least_minor=100, buy_in_most_minor=10_000, max_seats=6,
    )  # fmt: skip
    assert at.certified is forbids
    assert waiting(at).takes_seeds is not forbids
    assert waiting(at).decks.count() == (1 if forbids else at.decks_per_hand)


def test_the_next_hands_roots_are_out_while_this_one_runs(holdem) -> None:
    at, givers = holdem
    given_and_dealt(at, givers)
    assert waiting(at).hand_id is None
    assert givers[0].commits(at).cut == 2


def test_a_round_is_cut_after_no_more_bets() -> None:
    at = three_card_table(reveal_ms=30_000)
    alice, bob = Giver(player("alice")), Giver(player("bob"))
    seated(at, alice.user, bob.user)
    hand = dealt(at)
    for who in (alice, bob):
        move(at, who.user, name="bet", wagers={"ante": 500})
        who.commits(at)
    clock_to(at, 400)
    assert expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    belief = beliefs.read(at.pk)
    assert belief.hand().window == "closed"
    assert belief.decks == []
    for who in (alice, bob):
        who.opens(at)
    assert went_on(at)
    assert beliefs.read(at.pk).hand().window == "decision"
    proofs_hold(Hand.objects.get(pk=hand.pk), [alice, bob])
    for who in (alice, bob):
        move(at, who.user, name="play")
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    proofs_hold(Hand.objects.get(pk=hand.pk), [alice, bob])


def test_a_void_round_opens_its_whole_deck() -> None:
    at = three_card_table(reveal_ms=30_000)
    alice = Giver(player("alice"))
    seated(at, alice.user)
    hand = dealt(at)
    move(at, alice.user, name="bet", wagers={"ante": 500})
    alice.commits(at)
    clock_to(at, 400)
    expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    alice.opens(at)
    assert went_on(at)
    assert len(bundle(hand.pk)["cuts"][0]["full"]) == 3
    voiding.hand_void(table_id=at.pk, hand_id=hand.pk, reason="a card was seen")
    told = bundle(hand.pk)
    assert len(told["cuts"][0]["full"]) == 4
    proofs_hold(Hand.objects.get(pk=hand.pk), [alice])


def test_a_round_that_is_void_before_its_cut_opens_its_decks_too() -> None:
    at = three_card_table(reveal_ms=30_000)
    alice = Giver(player("alice"))
    seated(at, alice.user)
    hand = dealt(at)
    move(at, alice.user, name="bet", wagers={"ante": 500})
    alice.commits(at)
    clock_to(at, 400)
    expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    voiding.hand_void(table_id=at.pk, hand_id=hand.pk, reason="fire")
    cut = Cut.objects.get(hand_id=hand.pk)
    assert (cut.status, cut.reason) == ("void", "hand_voided")
    assert len(bundle(hand.pk)["cuts"][0]["full"]) == 4
    proofs_hold(Hand.objects.get(pk=hand.pk), [alice])


def test_a_void_ring_hand_opens_nothing_more(holdem) -> None:
    at, givers = holdem
    hand = given_and_dealt(at, givers)
    voiding.hand_void(table_id=at.pk, hand_id=hand.pk, reason="fire")
    assert len(bundle(hand.pk)["cuts"][0]["full"]) == 3
    assert bundle(hand.pk)["openings"] == []


def test_a_hand_whose_seeds_no_key_opens_any_more_can_be_voided(holdem, settings) -> None:
    at, givers = holdem
    for who in givers:
        who.commits(at)
    hand = dealt(at)
    givers[0].opens(at)
    settings.CARD_KEYS = ["later:" + "C" * 43 + "="]
    vault.keys.cache_clear()
    try:
        voiding.hand_void(table_id=at.pk, hand_id=hand.pk, reason="the keys are lost")
    finally:
        vault.keys.cache_clear()
    cut = Cut.objects.get(hand_id=hand.pk)
    assert (cut.status, cut.seeds) == ("void", [None] * 3)
    assert beliefs.read(at.pk).hand_id is None


def test_a_worker_killed_between_list_and_deal_changes_nothing(holdem, monkeypatch) -> None:
    at, givers = holdem
    for who in givers:
        who.commits(at)
    hand = dealt(at)
    for who in givers:
        who.opens(at)

    def killed(*args, **more):
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr(dealing.rules, "start", killed)
        with pytest.raises(KeyboardInterrupt):
            went_on(at)
    cut = listed(at)
    assert cut.seeds == []
    assert window_over(at)  # nobody enqueues it again: the clock finds it
    assert not went_on_again(at)
    after = Cut.objects.get(pk=cut.pk)
    assert after.commitments == cut.commitments
    assert after.seeds == [who.seed(cut.number).hex() for who in givers]
    proofs_hold(Hand.objects.get(pk=hand.pk), givers)


def went_on_again(at: Table) -> bool:
    from tables.services import continuing

    last = at.cuts.exclude(hand_id=None).latest("number")
    return continuing.cut_go_on(table_id=at.pk, cut_id=last.pk)


def test_an_outage_after_the_list_moves_its_window_and_keeps_its_roots(holdem) -> None:
    from django.db import connection

    at, givers = holdem
    givers[0].commits(at)
    dealt(at)
    before = listed(at)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tables_pulse SET at = clock_timestamp() - interval '60 seconds';"
            "UPDATE tables_cut SET due = clock_timestamp() - interval '55 seconds'"
            " WHERE due IS NOT NULL;"
            "SELECT tables_pulse('web', 3000, 5000), tables_pulse('clock', 3000, 5000)"
        )
    after = listed(at)
    assert after.commitments == before.commitments
    givers[0].opens(at)
    assert went_on(at)
    assert at.cuts.get(pk=before.pk).mode == "players"


def test_drawers_seeds_cut_the_reshuffled_muck() -> None:
    at = table(
        "triple_draw_27", {"limit": "fixed", "big_blind_minor": 100}, max_seats=6, reveal_ms=30_000
    )
    givers = [Giver(player(f"p{n}")) for n in range(6)]
    seated(at, *(who.user for who in givers), chips_minor=20_000)
    first_roots(at)
    hand = given_and_dealt(at, givers)
    shuffled = 0
    while all_drawn(at):
        shuffled += 1
        assert beliefs.read(at.pk).turn_id
        cut_once_more(at, givers)
    assert shuffled
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    cuts = Cut.objects.filter(hand_id=hand.pk, purpose="reshuffle")
    assert {cut.mode for cut in cuts} == {"players"}
    assert all(cut["full"] == [] for cut in bundle(hand.pk)["cuts"] if cut["contents"] is None)
    proofs_hold(Hand.objects.get(pk=hand.pk), givers)


@pytest.mark.parametrize("at_the_deal", [0, 1, 2])
def test_a_hand_has_two_fresh_cuts_at_most_its_reshuffles_included(at_the_deal: int) -> None:
    """Seeds are withheld at the deal, then at the reshuffle, each time by one client more."""
    at = table(
        "triple_draw_27", {"limit": "fixed", "big_blind_minor": 100}, max_seats=6, reveal_ms=30_000
    )
    givers = [Giver(player(f"p{n}")) for n in range(6)]
    seated(at, *(who.user for who in givers), chips_minor=20_000)
    first_roots(at)
    for who in givers:
        who.commits(at)
    hand = dealt(at)
    for _ in range(at_the_deal):
        givers = one_withholds(at, givers)
    for who in givers:
        who.opens(at)
    assert went_on(at)
    assert all_drawn(at)
    for who in givers:
        who.commits(at)
    assert went_on(at)
    for _ in range(2 - at_the_deal):
        givers = one_withholds(at, givers)
    for who in givers[1:]:
        who.opens(at)
    assert window_over(at)  # the third: the muck is dealt without the missing seed
    last = Cut.objects.filter(hand_id=hand.pk).latest("number")
    assert (last.purpose, last.status, last.seeds.count(None)) == ("reshuffle", "dealt", 1)
    while all_drawn(at):
        assert window_over(at)  # nobody commits any more: the house alone
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    assert Cut.objects.filter(hand_id=hand.pk, reason="withheld").count() == 2
    proofs_hold(Hand.objects.get(pk=hand.pk), givers)


def one_withholds(at: Table, givers: list[Giver]) -> list[Giver]:
    """The first client does not open its seed; the others begin anew, and are who is left."""
    for who in givers[1:]:
        who.opens(at)
    assert window_over(at)
    for who in givers[1:]:
        who.commits(at)
    assert went_on(at)
    return givers[1:]


@pytest.mark.parametrize("game", ["bluff_common", "bluff_hand"])
def test_dice_are_added_to_by_the_players_and_opened_when_shown(game: str, monkeypatch) -> None:
    monkeypatch.setattr("tables.rules.DICE_AT_ONCE", 14)
    at = table(game, {"ante_minor": 100}, max_seats=2, reveal_ms=30_000)
    givers = [Giver(player(name)) for name in ("alice", "bob")]
    seated(at, *(who.user for who in givers))
    first_roots(at)
    hand = given_and_dealt(at, givers)
    for _ in range(60):
        if (belief := beliefs.read(at.pk)).finished:
            break
        play = belief.hand()
        if play.window == "dice":
            cut_once_more(at, givers)
            continue
        choices = {choice["name"]: choice for choice in play.legal(play.waiting[0])}
        if "challenge" in choices and ("accept" not in choices or belief.seq % 3 == 0):
            move(at, name="challenge")
        elif "accept" in choices:
            move(at, name="accept")
        elif "roll" in choices:
            move(at, name="roll", dice=[0, 2])
        elif "bid" in choices:
            least = choices["bid"]["least"]
            move(at, name="bid", quantity=least["quantity"], face=least["face"])
        else:
            lowest = choices["call"]["calls"][0]
            move(at, name="call", **{"class": lowest["class"], "faces": lowest["faces"]})
    assert Cut.objects.filter(hand_id=hand.pk, purpose="dice", mode="players").exists()
    told = bundle(hand.pk)
    assert any("face" in one for one in told["openings"])
    proofs_hold(Hand.objects.get(pk=hand.pk), givers)


def test_a_tables_roots_are_numbered_without_a_gap_and_all_end(holdem) -> None:
    at, givers = holdem
    hands = []
    for _ in range(3):
        for who in givers[:2]:
            who.commits(at)
        dealt(at)
        for who in givers[:2]:
            who.opens(at)
        assert went_on(at)
        hands.append(played_out(at).pk)
    assert problems(*(bundle(hand) for hand in hands)) == []
    numbers = list(
        Deck.objects.filter(table=at).order_by("number").values_list("number", flat=True)
    )
    assert numbers == list(range(1, len(numbers) + 1))
    assert set(at.cuts.exclude(hand_id=None).values_list("status", flat=True)) == {"dealt"}


def test_roots_lists_and_ends_stand_in_the_sealed_log(holdem) -> None:
    at, givers = holdem
    given_and_dealt(at, givers)
    kinds = LogEntry.objects.filter(subject=f"table:{at.pk}").order_by("id")
    told = [entry.kind for entry in kinds if entry.kind.startswith("cut.")]
    assert told == ["cut.published", "cut.listed", "cut.ended", "cut.published"]


def test_the_sealed_log_has_the_receipts_too(holdem) -> None:
    """What was promised to each client, in the order of the list."""
    at, givers = holdem
    cut = waiting(at)
    committed = [who.commits(at) for who in givers]
    dealt(at)
    opened = [who.opens(at) for who in givers]
    assert went_on(at)
    (listed_facts,) = (one.facts for one in LogEntry.objects.filter(kind="cut.listed"))
    (ended_facts,) = (one.facts for one in LogEntry.objects.filter(kind="cut.ended"))
    assert listed_facts["cut"] == ended_facts["cut"] == cut.number
    assert listed_facts["commitments"] == [one.commitment for one in committed]
    assert listed_facts["receipts"] == [[one.at_ms, one.signature] for one in committed]
    assert ended_facts["opened"] == [[one.at_ms, one.signature] for one in opened]


def test_a_cut_that_is_void_before_its_list_leaves_its_receipts_in_the_log(holdem) -> None:
    at, givers = holdem
    receipt = givers[0].commits(at)
    with seating.table_locked(at.pk) as locked:
        locked.events += decks.waiting_void(locked.table, "game_changed")
    (facts,) = (one.facts for one in LogEntry.objects.filter(kind="cut.ended"))
    assert facts["receipts"] == [[receipt.commitment, receipt.at_ms, receipt.signature]]


def test_a_proof_is_small(holdem) -> None:
    import orjson

    at, givers = holdem
    given_and_dealt(at, givers)
    hand = played_out(at)
    assert len(orjson.dumps(bundle(hand.pk, givers[0].user))) < 50_000


def test_a_stopped_table_is_not_dealt_to_until_it_goes_on(holdem) -> None:
    at, givers = holdem
    hand = given_and_listed(at, givers)
    floor.table_stop(table_id=at.pk)
    for who in givers:
        who.opens(at)
    assert not went_on(at)
    assert not window_over(at)
    assert Hand.objects.get(pk=hand.pk).deck_id is None
    floor.table_resume(table_id=at.pk)
    assert went_on(at)
    proofs_hold(Hand.objects.get(pk=hand.pk), givers)


def given_and_listed(at: Table, givers: list[Giver]) -> Hand:
    for who in givers:
        who.commits(at)
    return dealt(at)
