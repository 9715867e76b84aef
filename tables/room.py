"""Whether there is room for another hand where the house keeps its data."""

import os

from django.conf import settings


def is_short() -> bool:
    """Whether less than DISK_LEAST_MB is left; False for parts that keep no data on this machine.

    A hand that is not begun loses nobody anything; one that runs may still need what is left.
    """
    try:
        disk = os.statvfs(settings.DATA_DIR)
    except FileNotFoundError:
        return False
    return disk.f_bavail * disk.f_frsize < settings.DISK_LEAST_MB << 20
