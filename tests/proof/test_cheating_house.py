"""A house that cheats is found out by anybody who checks, at the rate the page promises."""

from __future__ import annotations

from math import sqrt

import pytest

from tests.proof.cheats import CHEATS, Cheat
from tests.proof.house import House, Json
from tests.proof.verifier import verifier


def found(bundles: list[Json]) -> list[tuple[str, str]]:
    reports = [verifier.verify(bundle) for bundle in bundles]
    if len(bundles) > 1:
        reports.append(verifier.verify_together(bundles))
    return [(step, code) for report in reports for step, code, _ in report.problems]


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.__name__)
def test_every_way_to_cheat_is_flagged(cheat: Cheat) -> None:
    assert CHEATS[cheat] in found(cheat(House()))


# A lie about one thing, which leaves everything else as it has to be.
ALONE = {
    "swapped_card", "card_of_another_slot", "another_deck", "duplicate_card_shown",
    "receipt_missing_from_the_list", "edited_seed_and_commitment", "void_round_without_its_deck",
    "reused_salt", "void_without_a_cause", "dealt_at_once_without_a_seed", "gap_in_roots",
    "list_closed_after_openings", "roots_chosen_by_seeds", "cut_of_two_hands",
    "redraw_for_a_shill_in_a_draw", "two_burnt", "board_turned_up_later", "own_card_without_proof",
    "board_passed_over_to",
    "redrawn_after_an_outage", "mucked_deck_opened", "repeated_after_a_reshuffle", "loaded_die",
}  # fmt: skip


@pytest.mark.parametrize(
    "cheat", [one for one in CHEATS if one.__name__ in ALONE], ids=lambda cheat: cheat.__name__
)
def test_what_is_flagged_is_the_cheat_and_nothing_else(cheat: Cheat) -> None:
    flagged = {code for _, code in found(cheat(House()))}
    assert flagged <= {CHEATS[cheat][1], "slot_twice", "card_twice"}


@pytest.mark.parametrize("decks", [2, 4, 8])
def test_a_bad_deck_is_caught_as_often_as_the_page_promises(decks: int) -> None:
    """One bad deck among K, in the place that the house likes best, is dealt once in K times."""
    house = House(decks)
    hands, caught = 400, 0
    for _ in range(hands):
        secrets = house.decks(decks)
        bad = secrets[house.random.randrange(decks)]
        bad.order[7] = bad.order[8]
        cut = house.cut(secrets, clients=2)
        report = verifier.Report()
        verifier.check_decks({"table": 7, "family": "poker", "status": "settled"}, cut, report)
        codes = [code for _, code, _ in report.problems]
        assert codes in ([], ["deck_not_complete"])
        caught += bool(codes)
    share = (decks - 1) / decks
    band = 4 * sqrt(hands * share * (1 - share))
    assert abs(caught - hands * share) < band


def test_a_house_with_bad_decks_alone_is_caught_by_every_hand() -> None:
    house = House()
    for _ in range(20):
        secrets = house.decks(4)
        for secret in secrets:
            secret.order[7] = secret.order[8]
        report = verifier.Report()
        facts = {"table": 7, "family": "poker", "status": "settled"}
        verifier.check_decks(facts, house.cut(secrets), report)
        assert len(report.problems) == 3
