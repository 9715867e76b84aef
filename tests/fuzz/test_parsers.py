"""Every parser takes what it knows and refuses the rest in its own words, and soon."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz.parsers import PARSERS, Parser

SHORT = 150
MOST_S = 2.0


def tried(parser: Parser, inputs: int, derandomize: bool = True) -> tuple[int, int, float]:
    """How many were given and how many refused, and the longest answer in seconds."""
    count = refused = 0
    longest = 0.0

    @settings(max_examples=inputs, deadline=None, database=None, derandomize=derandomize,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(parser.given)
    def one(value: object) -> None:
        nonlocal count, refused, longest
        count += 1
        began = time.thread_time()
        try:
            parser.read(value)
        except parser.raises:
            refused += 1
        took = time.thread_time() - began
        longest = max(longest, took)
        assert took < MOST_S, f"{took:.1f} s for {str(value)[:200]}"

    one()
    return count, refused, longest


@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_refuses_in_its_own_words_what_it_does_not_know(name: str) -> None:
    count, refused, _ = tried(PARSERS[name], SHORT)
    assert count >= 20
    assert refused or not PARSERS[name].raises
