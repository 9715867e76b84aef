import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand

from casino.core.garbage import seldom_sought
from tables import clock


class Command(BaseCommand):
    help = "Turn stored deadlines into work, until told to stop. Any number may run."

    def handle(self, *args: Any, **options: Any) -> None:
        stopped = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stopped.set())
        seldom_sought()
        clock.run(stopped.is_set)
