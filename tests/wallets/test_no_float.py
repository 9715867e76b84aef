"""Money is whole minor units: no binary fraction anywhere near it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import wallets

SOURCES = sorted(Path(wallets.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_w_03_no_float_in_wallets(source: Path) -> None:
    for node in ast.walk(ast.parse(source.read_text())):
        line = getattr(node, "lineno", 0)
        assert not isinstance(getattr(node, "value", None), (float, complex)), line
        assert not (isinstance(node, ast.Name) and node.id in {"float", "round"}), line
        assert not (isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Div))
        assert not (isinstance(node, ast.Attribute) and node.attr in {"FloatField", "fsum"}), line


def test_w_03_no_binary_fraction_in_the_ledgers_sql() -> None:
    """A table's float of chips, in quotes, is not one."""
    for script in Path(wallets.__file__).parent.rglob("*.sql"):
        words = script.read_text().lower()
        for word in (r"(?<!')float", r"double precision", r"\breal\b", r"\bround\("):
            assert re.search(word, words) is None, (script.name, word)
