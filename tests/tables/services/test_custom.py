import pytest

from tables import beliefs, selectors
from tables.engine.errors import BadDefinition, BadOptions, UnknownGame
from tables.models import Hand
from tables.services import floor, settling
from tests.tables.dealing_cast import dealt, move, player, seated
from wallets.proving import ledger_check

pytestmark = pytest.mark.django_db(transaction=True)

# Three-card triple-draw California lowball, kings wild.
KINGS_WILD = {
    "name": "Kings Low",
    "base": "triple_california_lowball",
    "changes": {"wild": ["K"]},
}


def opened(custom, **options):
    return floor.table_open(
        name="Own", game="custom", options={"big_blind_minor": 100, "custom": custom, **options},
        currency="EUR", buy_in_least_minor=1_000, buy_in_most_minor=50_000, max_seats=4,
    )  # fmt: skip


def test_a_composed_game_is_dealt_and_settled_like_any_other():
    at = opened(KINGS_WILD)
    seated(at, *(player(f"p{n}") for n in range(3)), chips_minor=10_000)
    hand = dealt(at)
    assert hand.definition["name"] == "Kings Low"
    while not beliefs.read(at.pk).finished:
        play = beliefs.read(at.pk).hand()
        names = [choice["name"] for choice in play.legal(play.waiting[0])]
        if "draw" in names:
            move(at, name="draw", cards=[])
        else:
            move(at, name="check" if "check" in names else "call")
    settling.hand_settle(table_id=at.pk, hand_id=hand.pk)
    assert Hand.objects.get().result["showdown"]
    assert ledger_check().ok
    facts = selectors.table_snapshot(at.pk)["table"]
    assert facts["game"]["name"] == "Kings Low"


@pytest.mark.parametrize(
    ("custom", "error"),
    [
        (None, BadOptions),
        ("lowball", BadOptions),
        ({"base": "moon"}, UnknownGame),
        ({"base": "three_card_poker"}, BadOptions),
        ({"changes": {"steps": []}}, BadDefinition),
        ({"base": "holdem", "changes": {"wild": ["Z"]}}, BadDefinition),
    ],
)
def test_a_composition_that_cannot_be_dealt_is_refused(custom, error):
    with pytest.raises(error):
        opened(custom)
