"""The parts of a house besides its two servers, as data: another part is one more line."""

from dataclasses import dataclass

# How leash.py runs it: a Python module, or a file of the project.
MODULE, FILE = "module", "path"


@dataclass(frozen=True)
class Part:
    """One child process.

    name: what operators and `hold` call it; several children may share one.
    label: its own name, in the log's file name and in messages.
    command: MODULE or FILE, then what to run; `{fd}` stands for the listening socket.
    stop_s: how long it has after SIGTERM before it is killed.
    demo_only: refused in a production house.
    """

    name: str
    label: str
    command: tuple[str, ...]
    stop_s: float
    demo_only: bool = False


UVICORN = (
    *(MODULE, "uvicorn", "casino.asgi:application", "--fd", "{fd}"),
    *("--loop", "uvloop", "--lifespan", "on", "--no-access-log", "--no-server-header"),
    # Its notices of opened sockets would write their tickets into the log.
    *("--log-level", "warning"),
    # Compression costs a fifth of the throughput, and frames are small.
    *("--ws", "websockets-sansio", "--ws-per-message-deflate", "false"),
    *("--timeout-graceful-shutdown", "1"),
)
# Gossip, mingle and heartbeat let workers know of each other, which ours need not; mingling
# alone delays each start by a second.
CELERY = (
    *(MODULE, "celery", "-A", "casino.celery", "worker", "--loglevel", "INFO"),
    *("--without-gossip", "--without-mingle", "--without-heartbeat"),
)

WEB_PROCESSES = 2


def web(processes: int = WEB_PROCESSES) -> tuple[Part, ...]:
    """So many web processes that take turns at one listening socket."""
    return tuple(
        Part("web", f"web-{number}", UVICORN, stop_s=1.0) for number in range(1, processes + 1)
    )


WORKERS = (
    Part(
        "worker",
        "worker-tables",
        (*CELERY, "-Q", "tables", "-c", "2", "--prefetch-multiplier", "1", "-n", "tables@%h"),
        stop_s=2.0,
    ),
    Part("worker", "worker-long", (*CELERY, "-Q", "long", "-c", "1", "-n", "long@%h"), stop_s=2.0),
)
CLOCK = Part("clock", "clock", (FILE, "manage.py", "clock"), stop_s=0.4)
PLAYERS = Part("players", "players", (FILE, "manage.py", "house_players"), 0.4, demo_only=True)

BEHIND = (*WORKERS, CLOCK, PLAYERS)
PARTS = (*web(), *BEHIND)
SERVERS = ("postgres", "valkey")
# Who stops together, in order: nobody is left working for one that has gone.
STOP_ORDER = (("web",), ("clock", "players"), ("worker",), ("valkey",), ("postgres",))
