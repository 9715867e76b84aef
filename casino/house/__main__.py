"""`python -m casino.house`: open the house and keep it until Ctrl-C or SIGTERM."""

import argparse
import os
import signal
import socket
import sys
import threading
from types import FrameType

from django.core.exceptions import ImproperlyConfigured

from casino.env import Environment
from casino.house.errors import HouseError
from casino.house.parts import BEHIND, WEB_PROCESSES, web
from casino.house.places import data_folder
from casino.house.supervisor import House


def house_from_environment() -> House:
    env = Environment({})
    environment = env.choice("CROUPIER_ENV", ("demo", "production", "test"), "demo")
    web_processes = env.integer("WEB_PROCESSES", WEB_PROCESSES)
    if web_processes < 1:
        raise ImproperlyConfigured("WEB_PROCESSES is at least 1: without any nobody is answered")
    players = env.count("HOUSE_PLAYERS", 1, "off" if environment == "production" else "on")
    return House(
        data_folder(),
        env.integer("PORT", 8000),
        env.text("HOST", "127.0.0.1"),
        parts=[
            *web(web_processes),
            *(part for part in BEHIND if players or not part.demo_only),
        ],
        environment=environment,
        say=lambda line: print(line, flush=True),
    )


def run(house: House) -> None:
    """Raises HouseError unless the house was asked to stop."""
    asked = threading.Event()

    def close(number: int, frame: FrameType | None) -> None:
        if asked.is_set():
            house.hurry.set()  # asked twice: do not wait for anybody
        else:
            house.say(f"closing, as {signal.Signals(number).name} asks")
        asked.set()
        house.closing.set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, close)
    try:
        house.start()
        house.wait_ready()
        house.tell(greeting(house))  # not into the log: it may hold passwords
        house.closed.wait()
    except HouseError:
        if not asked.is_set():
            raise
    finally:
        house.stop()
    if house.failure is not None and not asked.is_set():
        raise house.failure


def greeting(house: House) -> str:
    everywhere = house.host in {"0.0.0.0", "::"}  # noqa: S104 - the opener's own choice
    also = f", and as {socket.gethostname()} on every address of this machine" * everywhere
    lines = [
        f"Croupier is open on {house.url}{also}",
        f"  Console   {house.url}/admin/",
        f"  API docs  {house.url}/api/docs/",
        *house.welcome.splitlines(),
        f"Ctrl-C closes the house; its data stays in {house.data}",
    ]
    return "\n".join(lines)


def main() -> int:
    argparse.ArgumentParser(
        prog="casino.house",
        description=__doc__,
        epilog="What it is told stands in the environment: PORT, HOST, CROUPIER_DATA and the others"
        " of docs/operations.md.",
    ).parse_args()
    # Files of the house are for its own user, whatever the shell's umask lets through.
    os.umask(0o077)
    try:
        run(house_from_environment())
    except (HouseError, ImproperlyConfigured) as error:
        print(f"croupier: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
