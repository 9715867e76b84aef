"""Dealer's choice: the button names the game, the others agree or sit the hand out."""

from typing import Any
from uuid import uuid4

import orjson
import pytest

from casino.core.models import User
from tables import beliefs, selectors
from tables.engine.errors import (
    BadDefinition,
    BadOptions,
    MalformedAction,
    NoSuchAction,
    NotYourTurn,
    RuleViolation,
)
from tables.errors import NoHandInPlay, NotDealtIn, TooLate, TurnPassed
from tables.models import Deck, Event, Hand, Table
from tables.services import acting, dealing, expiring, floor, opening, seating, settling
from tests.tables.dealing_cast import clock_to, move, player, seated

pytestmark = pytest.mark.django_db(transaction=True)

GAMES = [
    {"game": "holdem", "limit": "no_limit"},
    {"game": "stud"},
    {"game": "five_card_draw"},
    {"game": "gardena_jackpots"},
    {"game": "q_ball"},
    {
        "game": "custom",
        "custom": {"name": "Deuces", "base": "five_card_draw", "changes": {"wild": "2"}},
    },
]
HOLDEM, STUD, DRAW, JACKPOTS, Q_BALL, DEUCES = range(6)


def choice_table(people: int = 3, **options: Any) -> tuple[Table, list[User]]:
    at = floor.table_open(
        name="choice", game="dealers_choice", currency="EUR",
        options={"small_bet_minor": 100, "games": GAMES, **options},
        buy_in_least_minor=1_000, buy_in_most_minor=50_000, max_seats=6,
    )  # fmt: skip
    players = [player(f"p{n}") for n in range(people)]
    seated(at, *players, chips_minor=20_000)
    return at, players


def due(at: Table) -> Hand | None:
    return dealing.hand_open(table_id=at.pk, number=beliefs.read(at.pk).hand_number + 1)


def choice(at: Table) -> dict[str, Any]:
    found: dict[str, Any] = selectors.table_snapshot(at.pk)["choice"]
    return found


def at_seat(players: list[User], seat: int) -> User:
    return players[seat - 1]


def named(at: Table, players: list[User], nth: int, **more: Any) -> int:
    """Let the button name a game; its seat."""
    assert due(at) is None
    seat: int = choice(at)["seat"]
    move(at, at_seat(players, seat), name="name_game", nth=nth, **more)
    return seat


def agreed(at: Table, players: list[User], *decliners: int) -> Hand | None:
    for seat in list(choice(at)["waiting"]):
        answer = "decline_game" if seat in decliners else "accept_game"
        move(at, at_seat(players, seat), name=answer)
    return due(at)


def ended(at: Table) -> Hand:
    while not beliefs.read(at.pk).finished:
        hand = beliefs.read(at.pk).hand()
        names = [one["name"] for one in hand.legal(hand.waiting[0])]
        move(at, name=next(n for n in ("fold", "bring_in", "check", "draw") if n in names))
    hand_id = beliefs.read(at.pk).hand_id
    assert hand_id is not None
    settling.hand_settle(table_id=at.pk, hand_id=hand_id)
    return Hand.objects.get(pk=hand_id)


def told(at: Table) -> list[dict[str, Any]]:
    """Public events of the newest row."""
    row = Event.objects.filter(table_id=at.pk).latest("seq")
    found: list[dict[str, Any]] = orjson.loads(row.events)
    return found


def test_the_button_names_the_game_and_the_table_deals_it():
    at, players = choice_table()
    seat = named(at, players, STUD)
    hand = agreed(at, players)
    assert (hand.game, hand.options["limit"], hand.button) == ("stud", "fixed", seat)
    assert choice(at) is None


def test_only_the_button_may_name_the_game():
    at, players = choice_table()
    assert due(at) is None
    seat = choice(at)["seat"]
    other = at_seat(players, seat % 3 + 1)
    with pytest.raises(NotYourTurn):
        move(at, other, name="name_game", nth=0)
    with pytest.raises(NoSuchAction):
        move(at, at_seat(players, seat), name="accept_game")
    with pytest.raises(NotDealtIn):
        move(at, player("stranger"), name="name_game", nth=0)


def test_the_deck_is_committed_when_the_game_is_known_and_before_the_others_are_asked():
    at, players = choice_table()
    assert not Deck.objects.exists()
    assert due(at) is None
    assert not Deck.objects.exists()
    named(at, players, JACKPOTS)
    assert [one["type"] for one in told(at)] == ["game_named", "roots_published"]
    committed = list(Deck.objects.all())
    assert {deck.kind for deck in committed} == {"53+0"}
    assert agreed(at, players).deck_id in {deck.pk for deck in committed}


def test_who_declines_sits_the_hand_out_and_owes_nothing():
    at, players = choice_table()
    seat = named(at, players, HOLDEM)
    out = seat % 3 + 1  # the small blind, had he agreed
    hand = agreed(at, players, out)
    assert sorted(map(int, hand.seats)) == sorted({1, 2, 3} - {out})
    ended(at)
    stacks = {one["seat"]: one["stack_minor"] for one in selectors.table_snapshot(at.pk)["seats"]}
    assert stacks[out] == 20_000
    following = named(at, players, HOLDEM)
    assert following == out
    assert set(agreed(at, players).seats) == {"1", "2", "3"}


def test_who_says_nothing_in_time_names_the_game_before():
    at, players = choice_table()
    named(at, players, STUD)
    agreed(at, players)
    ended(at)
    assert due(at) is None
    clock_to(at, 5_000)
    assert expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    assert choice(at)["game"]["id"] == "stud"
    assert told(at)[0]["public"]["default"] is True


def test_the_first_button_that_says_nothing_names_the_first_game_of_the_list():
    at, _ = choice_table()
    assert due(at) is None
    clock_to(at, 5_000)
    assert expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    assert choice(at)["game"]["id"] == "holdem"


def test_who_does_not_answer_in_time_is_dealt_in():
    at, players = choice_table()
    seat = named(at, players, DRAW)
    move(at, at_seat(players, seat % 3 + 1), name="decline_game")
    clock_to(at, 5_000)
    assert expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    assert len(due(at).seats) == 2


def test_a_game_too_few_agree_to_is_not_dealt_and_the_next_button_names_one():
    at, players = choice_table()
    seat = named(at, players, DRAW)
    others = choice(at)["waiting"]
    move(at, at_seat(players, others[0]), name="decline_game")
    move(at, at_seat(players, others[1]), name="decline_game")
    assert [one["type"] for one in told(at)] == ["game_declined", "game_dropped"]
    assert due(at) is None
    assert choice(at)["seat"] == seat % 3 + 1


def test_a_game_for_three_is_dropped_as_soon_as_one_of_three_declines():
    at, players = choice_table()
    named(at, players, Q_BALL)
    move(at, at_seat(players, choice(at)["waiting"][0]), name="decline_game")
    assert told(at)[-1]["type"] == "game_dropped"


def test_a_game_for_three_cannot_be_named_between_two():
    at, players = choice_table(2)
    with pytest.raises(RuleViolation):
        named(at, players, Q_BALL)
    assert choice(at)["window"] == "name_game"


def test_the_button_moves_after_every_hand_stud_too_so_that_everybody_names_a_game():
    at, players = choice_table()
    buttons = []
    for _ in range(4):
        buttons.append(named(at, players, STUD))
        agreed(at, players)
        ended(at)
    assert buttons == [(buttons[0] - 1 + nth) % 3 + 1 for nth in range(4)]


def test_a_table_may_list_games_it_has_composed():
    at, players = choice_table()
    named(at, players, DEUCES)
    hand = agreed(at, players)
    assert (hand.definition["name"], hand.definition["wild"]) == ("Deuces", "2")


def test_the_button_may_name_a_game_with_changes_and_all_see_them_before_they_agree():
    at, players = choice_table()
    named(at, players, DRAW, changes={"name": "Wild draw", "wild": "K2", "deck": "53"})
    public = told(at)[0]["public"]
    assert public["game"] == {"id": "custom", "name": "Wild draw", "limit": "fixed"}
    assert public["definition"]["wild"] == "K2"
    assert any("wild cards" in words for words in public["warnings"])
    hand = agreed(at, players)
    assert (hand.definition["deck"], hand.definition["wild"]) == ("53", "K2")


def test_changes_that_cannot_be_dealt_are_refused_and_the_button_may_try_again():
    at, players = choice_table()
    with pytest.raises(BadDefinition):
        named(at, players, DRAW, changes={"steps": []})
    with pytest.raises(MalformedAction):
        move(at, at_seat(players, choice(at)["seat"]), name="name_game", nth=len(GAMES))
    move(at, at_seat(players, choice(at)["seat"]), name="name_game", nth=DRAW)
    assert agreed(at, players).game == "five_card_draw"


def test_a_table_may_take_no_changes():
    at, players = choice_table(variants=False)
    with pytest.raises(MalformedAction):
        named(at, players, DRAW, changes={"wild": "2"})


def test_a_carried_pot_is_played_for_in_its_own_game_without_a_new_choice():
    at, players = choice_table()
    named(at, players, JACKPOTS)
    agreed(at, players)
    while not beliefs.read(at.pk).finished:
        move(at, name="check")
    hand_id = beliefs.read(at.pk).hand_id
    settling.hand_settle(table_id=at.pk, hand_id=hand_id)
    hand = due(at)
    assert (hand.game, hand.carry["carry_minor"]) == ("gardena_jackpots", 60)


def test_an_answer_counts_once_whatever_becomes_of_the_reply():
    at, players = choice_table()
    assert due(at) is None
    who = at_seat(players, choice(at)["seat"])
    said = {
        "table_id": at.pk, "player_id": who.pk, "action_id": uuid4(),
        "turn_id": beliefs.read(at.pk).turn_id, "action": {"name": "name_game", "nth": STUD},
    }  # fmt: skip
    first, again = acting.act(**said), acting.act(**said)
    assert (again.seq, again.replayed) == (first.seq, True)
    with pytest.raises(TurnPassed):
        acting.act(**{**said, "action_id": uuid4()})


def test_an_answer_after_the_time_is_refused():
    at, players = choice_table()
    assert due(at) is None
    clock_to(at, 5_000, claimed=False)
    with pytest.raises(TooLate):
        move(at, at_seat(players, choice(at)["seat"]), name="name_game", nth=STUD)


def test_an_answer_after_the_time_drops_no_game_and_publishes_no_deck():
    at, players = choice_table()
    assert due(at) is None
    decks = Deck.objects.count()
    clock_to(at, 5_000, claimed=False)
    with pytest.raises(TooLate):
        move(at, at_seat(players, choice(at)["seat"]), name="name_game", nth=Q_BALL)
    assert Deck.objects.count() == decks
    clock_to(at, -5_000, claimed=False)
    move(at, at_seat(players, choice(at)["seat"]), name="name_game", nth=Q_BALL)
    before = choice(at)
    clock_to(at, 5_000, claimed=False)
    with pytest.raises(TooLate):
        move(at, at_seat(players, before["waiting"][0]), name="decline_game")
    assert choice(at) == before
    clock_to(at, 5_000)
    assert expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    assert due(at) is not None  # who was silent is dealt in


def test_a_choice_goes_on_from_the_database_after_a_restart():
    at, players = choice_table()
    named(at, players, STUD)
    beliefs.forget(at.pk)
    assert due(at) is None  # the deal comes due again: nobody is asked twice
    assert (choice(at)["window"], choice(at)["game"]["id"]) == ("agree", "stud")
    assert agreed(at, players).game == "stud"
    assert Hand.objects.count() == 1


def test_the_agreed_game_is_dealt_once_however_often_the_task_comes():
    at, players = choice_table()
    named(at, players, STUD)
    hand = agreed(at, players)
    assert dealing.hand_open(table_id=at.pk, number=hand.number) == hand


def test_who_sits_down_while_a_game_is_chosen_waits_for_the_next_one():
    at, players = choice_table()
    named(at, players, STUD)
    late = player("late")
    seated(at, late)
    assert selectors.legal_actions(at.pk, late.pk)["legal_actions"] == []
    assert len(agreed(at, players).seats) == 3


def test_a_button_that_has_left_is_followed_by_the_game_before_at_the_next_seat():
    at, players = choice_table()
    assert due(at) is None
    seat = choice(at)["seat"]
    seating.seat_leave(table_id=at.pk, player=at_seat(players, seat))
    clock_to(at, 5_000)
    assert expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    for other in choice(at)["waiting"]:
        move(at, at_seat(players, other), name="accept_game")
    hand = due(at)
    assert hand.game == "holdem"
    assert hand.button == seat % 3 + 1


def test_a_choice_ends_with_the_players_for_it_and_begins_anew_with_the_next():
    at, players = choice_table(2)
    named(at, players, STUD)
    for who in players:
        seating.seat_leave(table_id=at.pk, player=who)
    clock_to(at, 5_000)
    assert expiring.turn_expire(table_id=at.pk, turn_id=beliefs.read(at.pk).turn_id)
    assert due(at) is None
    assert choice(at) is None
    with pytest.raises(NoHandInPlay):
        move(at, players[0], name="accept_game")
    seated(at, player("c"), player("d"))
    assert due(at) is None
    assert choice(at)["window"] == "name_game"


def test_the_chooser_sees_the_list_and_everybody_what_is_chosen():
    at, players = choice_table()
    assert due(at) is None
    seen = selectors.table_snapshot(at.pk, at_seat(players, choice(at)["seat"]).pk)
    offered = seen["you"]["legal_actions"][0]
    assert offered["name"] == "name_game"
    assert offered["games"][JACKPOTS] == {
        "nth": JACKPOTS, "id": "gardena_jackpots", "name": "Gardena Jackpots", "limit": "fixed",
    }  # fmt: skip
    assert seen["choice"]["turn"]["window"] == "name_game"
    assert seen["table"]["next_game"] is None


@pytest.mark.parametrize(
    "options",
    [
        {"change": {"every": "hands"}},
        {"games": [{"game": "three_card_poker"}]},
        {"games": [{"game": "binglao"}]},
        {"games": [{"game": "custom"}]},
        {"levels": [{"big_blind_minor": 100}]},
        {"level_minutes": 0},
    ],
)
def test_a_list_that_cannot_be_dealt_is_refused(options):
    with pytest.raises((BadOptions, BadDefinition)):
        choice_table(**options)


def test_a_table_that_closes_asks_nobody_any_more() -> None:
    at, players = choice_table()
    seat = named(at, players, STUD)
    assert choice(at)["waiting"]
    floor.table_close(table_id=at.pk)
    at.refresh_from_db()
    assert (at.turn, at.deadline, at.mix["choice"]) == (None, None, None)
    assert {"type": "game_dropped", "public": {"seat": seat}} in told(at)
    assert not at.cuts.filter(status="open").exists()
    assert at.seats.count() == 0


def test_nothing_is_chosen_at_a_table_that_is_stopped_and_its_button_is_asked_anew() -> None:
    at, players = choice_table()
    named(at, players, STUD)
    agreed(at, players)
    ended(at)
    assert due(at) is None
    seat = choice(at)["seat"]
    turn_id = beliefs.read(at.pk).turn_id
    floor.table_stop(table_id=at.pk)
    assert Table.objects.get(pk=at.pk).turn is None
    with pytest.raises(NoHandInPlay):
        move(at, at_seat(players, seat), name="name_game", nth=STUD)
    stands_at = beliefs.read(at.pk).seq
    clock_to(at, 5_000)
    expiring.turn_expire(table_id=at.pk, turn_id=turn_id)
    assert beliefs.read(at.pk).seq == stands_at
    floor.table_resume(table_id=at.pk)
    assert Table.objects.get(pk=at.pk).next_deal_at is not None
    assert named(at, players, STUD) == seat
    assert agreed(at, players) is not None


def test_a_table_that_is_made_another_asks_nobody_for_the_game_it_dealt() -> None:
    at, players = choice_table()
    assert due(at) is None
    floor.table_pause(table_id=at.pk)
    for who in players:
        seating.seat_leave(table_id=at.pk, player=who)
    changes = {"game": "holdem", "options": {"limit": "no_limit", "big_blind_minor": 100}}
    opening.table_revise(table_id=at.pk, changes=changes)
    assert Table.objects.get(pk=at.pk).turn is None
