"""Play watched: origins as hashes, the report of a night, a hand's case, players' complaints."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone

from casino.core.models import LogEntry, Role
from casino.env import Environment
from tables import tasks
from tables.engine.history.pairs import Thresholds
from tables.errors import HandNotFound, ReasonMissing
from tables.models import Hand, HandReport, Origin, PairReport, Table
from tables.services import watching
from tests.cast import person
from tests.console.cast import console
from tests.tables.dealing_cast import dealt, move, played_out, player, seated, table
from wallets.gaming_day import gaming_day

pytestmark = pytest.mark.django_db


@pytest.fixture
def at() -> Table:
    made = table()
    seated(made, player("ann"), player("bob"), player("cyd"))
    return made


def lost(at: Table) -> Hand:
    dealt(at)
    move(at, name="raise", to_minor=600)
    return played_out(at)


def test_an_address_is_kept_as_a_hash_once_a_day(at: Table) -> None:
    ann = at.seats.get(player__username="ann").player
    for _ in range(2):
        watching.origin_noted(at.pk, ann.pk, "192.0.2.7", "phone/1")
    origin = Origin.objects.get()
    assert "192" not in origin.address
    assert origin.address == watching.hashed("192.0.2.7")
    watching.origin_noted(at.pk, ann.pk, "192.0.2.8", "phone/1")
    assert Origin.objects.count() == 2


def test_the_house_sets_its_own_thresholds_and_wrong_ones_stop_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WATCH_LIMITS", "hands_least=50, one_way_percent=70")
    own = watching.limits_of(Environment({}).figures("WATCH_LIMITS"))
    assert own == Thresholds(hands_least=50, one_way_percent=70)
    for wrong in (
        "hands=5",
        "hands_least=0",
        "one_way_percent=101",
        "hands_least",
        "alone_least=x",
    ):
        monkeypatch.setenv("WATCH_LIMITS", wrong)
        with pytest.raises(ImproperlyConfigured, match="WATCH_LIMITS"):
            watching.limits_of(Environment({}).figures("WATCH_LIMITS"))


def test_days_that_nobody_looked_at_are_made_up_for(at: Table) -> None:
    today = gaming_day(timezone.now())
    watching.report_make(today - timedelta(days=4))
    watching.report_daily()
    days = PairReport.objects.order_by("gaming_day").values_list("gaming_day", flat=True)
    assert [(today - day).days for day in days] == [4, 3, 2, 1]
    assert watching.report_daily() is None


def test_the_nights_report_names_pairs_and_stands(at: Table) -> None:
    for name in ("ann", "bob"):
        who = at.seats.get(player__username=name).player
        watching.origin_noted(at.pk, who.pk, "192.0.2.7", "phone/1")
    for _ in range(2):
        lost(at)
    day = gaming_day(timezone.now())
    limits = Thresholds(hands_least=1, big_blinds_least=1, one_way_percent=50)
    report = watching.report_make(day, limits)
    assert report.hands == 2
    assert report.thresholds["one_way_percent"] == 50
    kinds = set(report.findings.values_list("kind", flat=True))
    assert {"dumping", "one_place"} <= kinds
    tasks.report_pairs()  # of the day that has ended, once
    tasks.report_pairs()
    assert PairReport.objects.count() == 2


def test_a_hands_case_has_think_times_and_chips_from_whom_to_whom(at: Table) -> None:
    hand = lost(at)
    case = watching.hand_case(hand)
    assert [one["did"] for one in case["decisions"]][:2] == ["raised", "called"]
    assert all(one["think_ms"] >= 0 for one in case["decisions"])
    assert hand.result is not None
    lost_minor = -sum(net for net in hand.result["nets_minor"].values() if net < 0)
    assert sum(case["flows_minor"].values()) in (lost_minor, lost_minor - 1)


def test_a_player_reports_a_hand_he_was_in_once(at: Table) -> None:
    hand = lost(at)
    ann = at.seats.get(player__username="ann").player
    first = watching.hand_report(hand_id=hand.pk, player=ann, reason="they check it down")
    assert watching.hand_report(hand_id=hand.pk, player=ann, reason="again").pk == first.pk
    with pytest.raises(ReasonMissing):
        watching.hand_report(hand_id=hand.pk, player=ann, reason=" ")
    with pytest.raises(HandNotFound):
        watching.hand_report(hand_id=hand.pk, player=player("eve"), reason="I looked on")


def test_the_api_takes_the_report_and_surveillance_reads_it_on_record(at: Table) -> None:
    hand = lost(at)
    ann = person("Ida")
    seat: dict[str, Any] = {**hand.seats["1"], "player": ann.user.pk}
    Hand.objects.filter(pk=hand.pk).update(seats={**hand.seats, "1": seat})
    where = f"/api/v1/hands/{hand.pk}/report"
    answer = ann.client.post(where, {"reason": "they talk"}, format="json")
    assert answer.status_code == 201
    assert answer.json()["hand"] == hand.pk
    assert HandReport.objects.get().reason == "they talk"
    report = watching.report_make(gaming_day(timezone.now()))
    eye = console(Role.SURVEILLANCE)
    assert "they talk" in eye.get("/admin/watching/").content.decode()
    assert eye.get(f"/admin/watching/{report.gaming_day}/").status_code == 200
    assert "raised" in eye.get(f"/admin/watching/hands/{hand.pk}/").content.decode()
    assert LogEntry.objects.filter(kind="watching.read").count() == 3
    assert console(Role.FLOOR).get("/admin/watching/").status_code == 403
