import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from casino.house.places import far_folder


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that the servers' account can reach, unlike pytest's own; nothing of it stays."""
    made = Path(tempfile.mkdtemp(prefix="croupier-test-"))
    made.chmod(0o711)
    try:
        yield made
    finally:
        shutil.rmtree(made)
        shutil.rmtree(far_folder(made), ignore_errors=True)
        shutil.rmtree(far_folder(made / "var"), ignore_errors=True)


@pytest.fixture
def folder() -> Iterator[Path]:
    with open_folder() as made:
        yield made
