"""Snapshots, events, tickets and hands as one viewer gets them."""

import pytest

from casino.core.models import Scope, Token
from casino.core.tickets import TicketFacts, ticket_redeem
from tables.models import Hand, Table
from tables.selectors import REPLAY_MOST
from tables.services import seating
from tests.cast import Person, client_of, deal, settle


def folded(table: Table, ann: Person, bob: Person) -> Hand:
    hand = deal(table)
    turn = ann.sees(table)["hand"]["turn"]
    actor = {1: ann, 2: bob}[turn["seats"][0]]
    assert actor.client.act(table, turn["turn_id"], {"name": "fold"}).status_code == 200
    settle(table, hand)
    hand.refresh_from_db()
    return hand


@pytest.fixture
def seated(holdem: Table, ann: Person, bob: Person) -> Table:
    ann.sits(holdem)
    bob.sits(holdem)
    return holdem


def test_a_snapshot_and_the_frames_after_it_make_the_next_snapshot_s_seq(
    seated: Table, ann: Person, bob: Person
) -> None:
    before = ann.sees(seated)
    folded(seated, ann, bob)
    page = ann.client.read(f"tables/{seated.pk}/events", from_seq=before["seq"]).json()
    assert [frame["seq"] for frame in page["frames"]] == list(
        range(before["seq"] + 1, ann.sees(seated)["seq"] + 1)
    )
    assert all(frame["prev"] == frame["seq"] - 1 for frame in page["frames"])
    assert page["resync_required"] is False


def test_only_the_owner_gets_the_private_part(seated: Table, ann: Person, bob: Person) -> None:
    deal(seated)

    def private(player: Person) -> list[object]:
        frames = player.client.read(f"tables/{seated.pk}/events").json()["frames"]
        return [e["private"] for frame in frames for e in frame["events"] if "private" in e]

    mine, his = private(ann), private(bob)
    assert len(mine) == len(his) == 1
    assert mine != his


def test_nothing_new_is_an_empty_page(seated: Table, ann: Person) -> None:
    seq = ann.sees(seated)["seq"]
    page = ann.client.read(f"tables/{seated.pk}/events", from_seq=seq).json()
    assert page == {"seq": seq, "frames": [], "resync_required": False}


def test_too_far_behind_or_ahead_is_sent_to_the_snapshot(seated: Table, ann: Person) -> None:
    for _ in range(REPLAY_MOST // 2 + 1):
        seating.seat_sit_out(table_id=seated.pk, player=ann.user)
        seating.seat_return(table_id=seated.pk, player=ann.user)
    for from_seq in (0, 10**6):
        page = ann.client.read(f"tables/{seated.pk}/events", from_seq=from_seq).json()
        assert page == {"seq": from_seq, "frames": [], "resync_required": True}


@pytest.mark.parametrize("from_seq", ["-1", "x", str(2**63)])
def test_a_from_seq_that_is_no_number_is_refused(seated: Table, ann: Person, from_seq: str) -> None:
    response = ann.client.read(f"tables/{seated.pk}/events", from_seq=from_seq)
    assert (response.status_code, response.json()["code"]) == (400, "invalid_request")


def test_a_players_ticket_opens_his_own_socket_once(seated: Table, ann: Person) -> None:
    response = ann.client.send(f"tables/{seated.pk}/tickets", key=None)
    assert response.status_code == 201
    answer = response.json()
    assert answer["socket_path"] == f"/ws/v1/tables/{seated.pk}"
    assert (answer["role"], answer["expires_in_s"]) == ("player", 30)
    facts = ticket_redeem(answer["ticket"])
    token = Token.objects.get(user=ann.user)
    assert facts == TicketFacts(ann.user.pk, None, seated.pk, "player", token.pk)
    assert ticket_redeem(answer["ticket"]) is None


def test_who_works_here_or_asks_for_it_only_watches(
    seated: Table, ann: Person, fred: Person
) -> None:
    path = f"tables/{seated.pk}/tickets"
    assert fred.client.send(path, {"role": "player"}).json()["role"] == "watcher"
    assert ann.client.send(path, {"role": "watcher"}).json()["role"] == "watcher"
    assert ann.client.send(path, {"role": "display"}).status_code == 400


def test_a_reading_token_gets_a_watchers_ticket_only(seated: Table, ann: Person) -> None:
    client, path = client_of(ann.user, Scope.READ), f"tables/{seated.pk}/tickets"
    refused = client.send(path)
    assert (refused.status_code, refused.json()["code"]) == (403, "scope_missing")
    assert client.send(path, {"role": "watcher"}).status_code == 201


def test_a_player_finds_his_own_hands_newest_first(
    seated: Table, ann: Person, bob: Person, cleo: Person
) -> None:
    hands = [folded(seated, ann, bob) for _ in range(3)]
    deal(seated)  # in play: not listed
    page = ann.client.read("hands", limit=2).json()
    assert [hand["id"] for hand in page["hands"]] == [hands[2].pk, hands[1].pk]
    rest = ann.client.read("hands", limit=2, cursor=page["next"]).json()
    assert [hand["id"] for hand in rest["hands"]] == [hands[0].pk]
    assert rest["next"] is None
    assert cleo.client.read("hands").json() == {"hands": [], "next": None}
    mine, his = (player.client.read("hands").json()["hands"] for player in (ann, bob))
    assert [hand["net_minor"] for hand in mine] == [-hand["net_minor"] for hand in his]
    assert abs(mine[0]["net_minor"]) == 50
    assert (mine[0]["seat"], his[0]["seat"]) == (1, 2)


def test_a_hand_in_play_has_no_history_yet(heads_up: Table, ann: Person) -> None:
    hand = heads_up.hands.get()
    response = ann.client.read(f"hands/{hand.pk}")
    assert (response.status_code, response.json()["code"]) == (404, "hand_not_found")


def test_a_hand_that_is_over_is_told_frame_by_frame(
    seated: Table, ann: Person, bob: Person
) -> None:
    hand = folded(seated, ann, bob)
    told = ann.client.read(f"hands/{hand.pk}").json()
    types = [event["type"] for frame in told["frames"] for event in frame["events"]]
    assert types[:3] == ["button_drawn", "decks_cut", "hand_opened"]
    assert {"hand_opened", "cards_dealt", "folded", "hand_over", "hand_settled"} <= set(types)
    assert told["result"]["nets_minor"] == hand.result["nets_minor"]
    assert told["status"] == "settled"
