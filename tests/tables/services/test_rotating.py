from datetime import timedelta

import pytest
from django.utils import timezone

from tables import beliefs, selectors
from tables.engine.errors import BadOptions
from tables.models import Event, Hand, Seat, Table
from tables.services import dealing, floor, settling
from tests.tables.dealing_cast import dealt, move, player, seated

pytestmark = pytest.mark.django_db(transaction=True)


def mixed(game: str, **options) -> Table:
    at = floor.table_open(
        name=game, game=game, options={"small_bet_minor": 100, **options}, currency="EUR",
        buy_in_least_minor=1_000, buy_in_most_minor=50_000, max_seats=6,
    )  # fmt: skip
    seated(at, *(player(f"p{n}") for n in range(3)), chips_minor=20_000)
    return at


def hand_folded_out(at: Table) -> Hand:
    hand = dealt(at)
    while not beliefs.read(at.pk).finished:
        names = [
            choice["name"]
            for choice in beliefs.read(at.pk).hand().legal(beliefs.read(at.pk).hand().waiting[0])
        ]
        move(at, name=next(n for n in ("fold", "bring_in", "check", "draw") if n in names))
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    at.refresh_from_db()
    return Hand.objects.get(pk=hand.pk)


def test_horse_deals_its_five_games_in_order_and_begins_again():
    at = mixed("horse", change={"every": "hands", "count": 1})
    games = [hand_folded_out(at).game for _ in range(6)]
    assert games == ["holdem", "omaha8", "razz", "stud", "stud8", "holdem"]


def test_the_button_stands_still_while_stud_is_dealt():
    at = mixed("horse", change={"every": "hands", "count": 1})
    buttons = [hand_folded_out(at).button for _ in range(6)]
    assert len(set(buttons[1:5])) == 1
    assert buttons[0] != buttons[1] != buttons[5]


def test_the_next_game_is_announced_and_its_deck_committed_before_it_is_dealt():
    at = mixed("eight_game", change={"every": "hands", "count": 1})
    hand_folded_out(at)
    last = Event.objects.latest("seq").events
    assert '"game_changed","public":{"game":{"id":"holdem"' in last
    assert last.index("game_changed") < last.index("roots_published")


def test_an_orbit_lasts_as_many_hands_as_there_are_seats():
    at = mixed("horse", change={"every": "orbits", "count": 1})
    games = [hand_folded_out(at).game for _ in range(4)]
    assert games == ["holdem"] * 3 + ["omaha8"]


def test_by_the_clock_the_game_changes_between_hands_when_its_minutes_are_over():
    at = mixed("horse")
    assert [hand_folded_out(at).game for _ in range(2)] == ["holdem"] * 2
    since = (timezone.now() - timedelta(minutes=21)).isoformat()
    Table.objects.update(mix={**at.mix, "since": since})
    assert [hand_folded_out(at).game for _ in range(2)] == ["holdem", "omaha8"]


def test_each_level_of_the_clock_has_bets_of_its_own_for_every_game():
    levels = [{"small_bet_minor": 100}, {"small_bet_minor": 200}]
    at = mixed("horse", levels=levels, change={"every": "hands", "count": 3}, level_minutes=15)
    first = hand_folded_out(at)
    since = (timezone.now() - timedelta(minutes=16)).isoformat()
    Table.objects.update(mix={**at.mix, "level_since": since})
    second, third = hand_folded_out(at), hand_folded_out(at)
    assert [hand.options["big_blind_minor"] for hand in (first, second, third)] == [100, 100, 200]
    since = (timezone.now() - timedelta(minutes=16)).isoformat()
    at.refresh_from_db()
    Table.objects.update(mix={**at.mix, "level_since": since})
    assert [hand_folded_out(at).options["big_blind_minor"] for _ in range(2)] == [200, 200]


def test_the_clock_s_next_level_changes_game_and_bets_together_between_hands():
    levels = [{"small_bet_minor": 100}, {"small_bet_minor": 300, "big_blind_minor": 200}]
    at = mixed("eight_game", levels=levels, games=[{"game": "stud"}, {"game": "holdem"}])
    assert hand_folded_out(at).game == "stud"
    since = (timezone.now() - timedelta(minutes=21)).isoformat()
    Table.objects.update(mix={**at.mix, "since": since, "level_since": since})
    assert hand_folded_out(at).options["small_bet_minor"] == 100
    changed = Event.objects.latest("seq").events
    assert '"game_changed","public":{"game":{"id":"holdem"' in changed
    assert hand_folded_out(at).options["big_blind_minor"] == 300


def test_eight_game_ends_in_no_limit_and_pot_limit():
    at = mixed("eight_game", big_blind_minor=50, change={"every": "hands", "count": 1})
    hands = [hand_folded_out(at) for _ in range(8)]
    assert [(hand.game, hand.options["limit"]) for hand in hands[-2:]] == [
        ("holdem", "no_limit"),
        ("omaha", "pot"),
    ]
    assert hands[-1].options["big_blind_minor"] == 50


def test_a_game_that_needs_more_players_than_are_here_waits_for_them():
    at = mixed("horse", games=[{"game": "q_ball"}, {"game": "holdem"}])
    at.seats.filter(number=3).update(status=Seat.Status.SITTING_OUT)
    assert dealing.hand_open(table_id=at.pk, number=1) is None
    at.seats.update(status=Seat.Status.PLAYING)
    assert dealt(at).game == "q_ball"


def test_the_placard_names_the_mix():
    at = mixed("horse")
    facts = selectors.table_snapshot(at.pk)["table"]
    assert (facts["game"]["id"], facts["family"]) == ("horse", "mixed")


@pytest.mark.parametrize(
    "options",
    [
        {"small_bet_minor": 0},
        {"change": {"every": "moon"}},
        {"change": {"every": "hands", "count": 0}},
        {"games": []},
        {"wild": 1},
        {"limit": "spread"},
    ],
)
def test_a_mix_that_cannot_be_dealt_is_refused(options):
    with pytest.raises(BadOptions):
        mixed("horse", **options)
