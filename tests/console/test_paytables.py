"""The paytable editor: exact figures as one types, and two people before anything is in force."""

import pytest

from casino.core.models import Approval, LogEntry, Role, User
from tables.models import Paytable, Table
from tests.cast import THREE_CARD, three_card_table
from tests.console.cast import console_of, staff

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def maths() -> User:
    return staff(Role.GAME_MATHS, "Mat")


def draft_of(table: Table, by: User) -> Paytable:
    assert table.paytable is not None
    answer = console_of(by).post(f"/admin/paytables/{table.paytable.pk}/draft/")
    assert answer.status_code == 302
    return Paytable.objects.order_by("-pk").first()  # type: ignore[return-value]


def grid(**changed: str) -> dict[str, str]:
    """The form as it is filled in with the table's own pays, and what is changed in it."""
    pays = {
        f"pays.{wager}.{line}": str(odds)
        for wager, lines in THREE_CARD["paytables"].items()  # type: ignore[attr-defined]
        for line, odds in lines.items()
    }
    return pays | {name.replace("__", "."): value for name, value in changed.items()}


def test_the_exact_figures_follow_what_is_typed(maths: User) -> None:
    draft = draft_of(three_card_table(), maths)
    client = console_of(maths)
    answer = client.post(f"/admin/paytables/{draft.pk}/figures/", grid(pays__pair_plus__flush="3"))
    told = answer.json()["pair_plus"]
    # A flush at 3 instead of 4: 22,100 hands counted, docs/rules/banked.md 3.
    assert told["figures"]["return"] == "92.7240 %"
    assert told["figures"]["exactly"] == "402/5525"
    assert told["change"] == "−4.9593 points against live"
    assert told["lines"]["flush"] == {"back": "14.878", "delta": "−4.959", "changed": True}
    assert told["lines"]["pair"] == {"back": "16.941", "delta": "–", "changed": False}
    assert told["allowed"] is True
    assert Paytable.objects.get(pk=draft.pk).content == draft.content


def test_what_is_no_odds_is_told_and_a_return_out_of_bounds_marked(maths: User) -> None:
    draft = draft_of(three_card_table(), maths)
    client = console_of(maths)
    where = f"/admin/paytables/{draft.pk}/figures/"
    for typed in ("-1", "1.5", "x", "9999999"):
        answer = client.post(where, grid(pays__pair_plus__flush=typed))
        assert answer.status_code == 422
        assert "Pair Plus, flush" in answer.json()["problem"]
    told = client.post(where, grid(pays__pair_plus__pair="4")).json()["pair_plus"]
    assert told["allowed"] is False
    answer = client.post(
        f"/admin/paytables/{draft.pk}/",
        grid(pays__pair_plus__pair="4") | {"then": "ask", "reason": "New table"},
    )
    assert answer.status_code == 422
    assert not Approval.objects.exists()


def test_two_people_put_it_in_force_from_the_next_round(maths: User) -> None:
    table = three_card_table()
    draft = draft_of(table, maths)
    form = grid(pays__pair_plus__flush="3") | {
        "then": "ask", "reason": "Margin review", "note": "as upstairs", "tables": str(table.pk),
    }  # fmt: skip
    client = console_of(maths)
    assert client.post(f"/admin/paytables/{draft.pk}/", form).status_code == 302
    asked = Approval.objects.get()
    assert (asked.reason, asked.payload["tables"]) == ("Margin review: as upstairs", [table.pk])
    assert client.post(f"/admin/paytables/{draft.pk}/", form).status_code == 403
    assert client.post(f"/admin/approvals/{asked.pk}/agree/").status_code == 403
    second = console_of(staff(Role.ADMIN, "Ada"))
    preview = second.get(f"/admin/approvals/{asked.pk}/").content.decode()
    assert "Three Card" in preview
    assert second.post(f"/admin/approvals/{asked.pk}/agree/", {"note": ""}).status_code == 302
    table.refresh_from_db()
    assert table.paytable_id == draft.pk
    assert table.options["paytables"]["pair_plus"]["flush"] == 3
    page = client.get(f"/admin/paytables/{draft.pk}/").content.decode()
    for words in ("92.7240", "Ada", "paytable: approved"):
        assert words in page
    assert LogEntry.objects.filter(kind="paytable.in_force").count() == 1


def test_a_draft_is_kept_without_being_sent_on(maths: User) -> None:
    draft = draft_of(three_card_table(), maths)
    form = grid(pays__pair_plus__flush="3") | {"then": "keep"}
    assert console_of(maths).post(f"/admin/paytables/{draft.pk}/", form).status_code == 302
    kept = Paytable.objects.get(pk=draft.pk)
    assert (kept.status, kept.content["paytables"]["pair_plus"]["flush"]) == ("draft", 3)
    assert kept.content.keys() == draft.content.keys()  # what is usual is not said anew


def test_the_floor_looks_and_edits_nothing(maths: User) -> None:
    draft = draft_of(three_card_table(), maths)
    client = console_of(staff(Role.FLOOR))
    page = client.get(f"/admin/paytables/{draft.pk}/").content.decode()
    assert '<input name="pays.' not in page
    form = grid(pays__pair_plus__flush="3") | {"then": "keep"}
    assert client.post(f"/admin/paytables/{draft.pk}/", form).status_code == 403
