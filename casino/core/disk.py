"""What must be on the disk before anybody relies on it."""

import os
from pathlib import Path


def sync(path: Path) -> None:
    """Wait until a file's content, or a folder's names, would outlive a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
