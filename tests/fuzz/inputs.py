"""What nobody decent sends: text that turns around or hides, numbers without end, brackets in
brackets, and decent documents with one thing in them gone wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

TRICKS = (
    "\0", "\ud800", "\udfff", "\ufeff", "\u202eGnp.exe",
    "a\u200bb", "\u2066x\u2069", "İ", "ß", "ﬀ",
    "\u0301" * 40, "𝟙𝟚", "１２", "٣", "Ⅷ", "²", "🂡", "👩‍👩‍👧‍👦", "A\u030a",
    "\u00a0", "\u2028", "\x85", "\x1b[31m",
    "'; DROP TABLE wallets_leg; --", "<script>alert(1)</script>", "{{7*7}}", "%s%n", "${jndi:x}",
    "../../etc/passwd", "NaN", "Infinity", "1e999", "-0", "0x10", "1_000", "true",
    "null", "__class__",
    "constructor", "__proto__", "ACE", "Ah", "Jk", "X1", "10h", "aH", "Ah ", "\tAh",
)  # fmt: skip
NUMBERS = (
    0, -1, 1, 2**31 - 1, 2**31, 2**53, 2**63 - 1, 2**63, -(2**63) - 1, 10**40, -(10**40), 10**400,
    0.5, -0.0, 1e308, float("inf"), float("nan"), True, False,
)  # fmt: skip
TEXT = st.one_of(st.sampled_from(TRICKS), st.text(max_size=30), st.sampled_from(["x" * 5_000]))
SCALARS = st.one_of(st.none(), st.sampled_from(NUMBERS), st.integers(), st.floats(), TEXT)


def nested(levels: int) -> Any:
    made: Any = []
    for _ in range(levels):
        made = [made]
    return made


ANY = st.one_of(
    st.recursive(
        SCALARS,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
        max_leaves=8,
    ),
    st.sampled_from([nested(30), nested(400), {"a": {"b": {"c": [1] * 300}}}]),
)


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a document, by the keys that lead there."""
    yield at
    if isinstance(value, dict):
        inner: list[tuple[Any, Any]] = list(value.items())
    else:
        inner = list(enumerate(value)) if isinstance(value, list) else []
    for key, held in inner:
        yield from places(held, (*at, key))


def changed(value: Any, at: tuple[Any, ...], change: Callable[[Any, Any], None], whole: Any) -> Any:
    """A copy with one place changed; whole: what stands in for all of it."""
    if not at:
        return whole
    copy = deepcopy(value)
    holder = copy
    for key in at[:-1]:
        holder = holder[key]
    change(holder, at[-1])
    return copy


@st.composite
def spoilt(draw: st.DrawFn, documents: list[Any], most: int = 3) -> Any:
    """One of the documents, with up to `most` places replaced, taken away or named anew."""
    value = draw(st.sampled_from(documents))
    for _ in range(draw(st.integers(0, most))):
        at = draw(st.sampled_from(list(places(value))))
        kind = draw(st.sampled_from(("put", "put", "drop", "name")))
        given = draw(ANY)

        def put(holder: Any, key: Any, given: Any = given) -> None:
            holder[key] = given

        def drop(holder: Any, key: Any) -> None:
            del holder[key]

        def name(holder: Any, key: Any, given: Any = given) -> None:
            if isinstance(holder, dict):
                holder[str(given)[:80]] = holder.pop(key)
            else:
                holder.append(given)

        value = changed(value, at, {"put": put, "drop": drop, "name": name}[kind], given)
    return value
