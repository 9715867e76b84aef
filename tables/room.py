"""Whether there is room for another hand where the house keeps its data."""

import os
from pathlib import Path

from django.conf import settings

ENOUGH_AGAIN = 1.25


def is_short(times: float = 1) -> bool:
    """Whether less than DISK_LEAST_MB is left; False for parts that keep no data on this machine.

    A hand that is not begun loses nobody anything; one that runs may still need what is left.
    times: with ENOUGH_AGAIN, whether it is still short for who has once said that it was.
    """
    return any(is_short_at(folder, times) for folder in folders())


def is_short_at(folder: Path, times: float = 1) -> bool:
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize < times * (settings.DISK_LEAST_MB << 20)


def folders() -> list[Path]:
    """Where this machine keeps data of the house: the servers' may lie on another disk."""
    there = (settings.DATA_DIR, settings.SERVERS_DIR)
    return [folder for folder in dict.fromkeys(there) if folder.exists()]
