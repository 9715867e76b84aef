"""Whatever the amounts: what does not sum to zero is not posted."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.wallets.conftest import new_table, numbers
from wallets import ledger
from wallets.errors import WalletError


@pytest.mark.django_db(transaction=True)
@settings(max_examples=25, deadline=None)
@given(amounts=st.lists(st.integers(-300, 300), min_size=2, max_size=5))
def test_what_does_not_sum_to_zero_is_not_posted(amounts: list[int]) -> None:
    table = new_table()
    accounts = (
        table.bank, *(new_table().bank for _ in range(4))
    )  # fmt: skip
    legs = [ledger.Leg(a, amount) for a, amount in zip(accounts, amounts, strict=False)]
    good = sum(amounts) == 0 and 0 not in amounts
    try:
        ledger.post(key=f"x{next(numbers)}", kind="float", legs=legs)
    except WalletError:
        assert not good
    else:
        assert good
