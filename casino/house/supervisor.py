"""One house under one supervisor: servers, web, workers, clock and players.

A thread of its own, the keeper, starts, watches and ends every child; the kernel ends a child
when the thread that started it ends, so no other thread may start one. It needs no Django.
"""

import fcntl
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from prometheus_client.multiprocess import mark_process_dead

from casino.house.errors import (
    AddressRefused,
    AlreadyOpen,
    FolderUnusable,
    HoldIgnored,
    NotOpen,
    NotReady,
    PortInUse,
    ProductionRefused,
    StartCancelled,
    StepFailed,
    StepTooSlow,
    UnknownPart,
)
from casino.house.housefile import refuse_begun, write_house_file
from casino.house.parts import PARTS, STOP_ORDER, Part
from casino.house.places import ROOT, Place, counts_folder, place_for, prepare_house
from casino.house.servers import Postgres, Server, Valkey, last_line

TICK_S = 0.1
STEADY_S = 30.0  # a child that has run this long has recovered
FIRST_WAIT_S, LONGEST_WAIT_S, LONGEST_SERVER_WAIT_S = 0.5, 10.0, 1.0
# A large house's migration may take its time: to kill it would be to begin it anew at each start.
STEP_S, MIGRATION_S = 120.0, 24 * 3600.0
# The whole house stops within five seconds: STOP_S, and what the last of it takes to be gone.
# SERVERS_STOP_S of it is kept for the servers, however slow the others were.
STOP_S, SERVERS_STOP_S = 4.3, 1.0
SERVER_STOP_S = {"valkey": 0.4, "postgres": 1.5}
LOG_BYTES = 10_000_000
LOG_CHECK_TICKS = 50
SERVER_ERROR = 500
STATUS = "status.json"
STEPS = "steps"
HOLD_SLACK_S = 0.001


@dataclass
class Child:
    """A process the house keeps running. Times are of the monotonic clock."""

    name: str
    label: str
    log: Path
    stop_s: float
    launch: Callable[[], subprocess.Popen[bytes]]
    server: Server | None = None
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    due_at: float = 0.0
    failures: int = 0

    @property
    def stop_signal(self) -> int:
        return self.server.stop_signal if self.server else signal.SIGTERM

    def begin(self) -> None:
        self.process = self.launch()
        self.started_at = time.monotonic()

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def send(self, number: int) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)

    def kill(self) -> None:
        """End it and, unless it is a server, all it has forked (it leads its own session)."""
        if self.process is None:
            return
        self.send(self.server.kill_signal if self.server else signal.SIGKILL)
        self.bury()

    def bury(self) -> None:
        if self.process is None:
            return
        if self.server is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process = None

    def wait_s(self) -> float:
        """How long to wait after this death: not at all, then longer each time."""
        if time.monotonic() - self.started_at > STEADY_S:
            self.failures = 0
        self.failures += 1
        if self.failures == 1:
            return 0.0
        most = LONGEST_SERVER_WAIT_S if self.server else LONGEST_WAIT_S
        return min(most, FIRST_WAIT_S * 2.0 ** min(self.failures - 2, 10))


class House:
    """A house on the data folder `data`, answering HTTP on `host` and `port` (0: a free one).

    environment: demo (seeded, house players), production, or test (as demo, quick servers).
    settings: environment variables for the children, over this process's own; DATABASE_URL and
    REDIS_URL in it name real servers to use instead of the embedded ones.
    postgres: what the embedded database is started by, for trials that do things to it.
    code: for trials of two versions, the folder whose program a part runs by its label, or a step
    (STEPS) of preparing the database; this program's own where nothing is said.
    Use: start(), which returns when all children are started, or raises HouseError with nothing
    left behind; wait_ready(); stop(). One thread at a time.
    """

    def __init__(
        self,
        data: Path,
        port: int = 8000,
        host: str = "127.0.0.1",
        *,
        parts: Sequence[Part] = PARTS,
        environment: str = "demo",
        settings: Mapping[str, str] | None = None,
        durable: bool = True,
        say: Callable[[str], None] = print,
    ) -> None:
        self.data = data
        self.host, self.port = host, port
        self.parts = tuple(parts)
        self.environment = environment
        self.postgres: type[Postgres] = Postgres
        self.code: dict[str, Path] = {}
        self.settings = {**os.environ, **(settings or {})}
        self.durable = durable
        self.tell = say
        self.welcome = ""  # what seeding printed: addresses and sign-ins
        self.children: list[Child] = []
        self.held: dict[str, float] = {}  # part: until when, by the wall clock others wrote it in
        self.place: Place | None = None
        self.listener: socket.socket | None = None
        self.lock: TextIO | None = None
        self.failure: BaseException | None = None
        self.status_written = ""
        self.closing, self.hurry = threading.Event(), threading.Event()
        self.started, self.closed = threading.Event(), threading.Event()
        self.keeper = threading.Thread(target=self.keep, name="keeper", daemon=True)

    # For whoever owns the house.

    def start(self) -> None:
        self.keeper.start()
        self.started.wait()
        if self.failure is not None:
            self.keeper.join()
            raise self.failure

    def wait_ready(self, within_s: float = 120.0) -> None:
        """Return when the web answers and every child runs; raises NotReady."""
        end = time.monotonic() + within_s
        while missing := self.missing():
            if time.monotonic() > end or self.closing.is_set():
                raise NotReady(missing, within_s)
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop every part in order, within five seconds; the data stays for the next start."""
        self.closing.set()
        if self.keeper.ident is not None:
            self.keeper.join()

    def pids(self, part: str) -> list[int]:
        """The processes of a part that run now (a worker's pool not counted)."""
        children = [child for child in self.children if child.name == part]
        if not children:
            raise UnknownPart(part, self.part_names())
        processes = [child.process for child in children]
        return [process.pid for process in processes if process and process.poll() is None]

    def hold(self, part: str, seconds: float, how: str = "kill") -> None:
        """Take a part down and keep it down; returns when it is down."""
        ask_to_hold(self.data, part, seconds, how)

    @property
    def url(self) -> str:
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(self.host, self.host)  # noqa: S104
        return f"http://{host}:{self.port}"

    def part_names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(child.name for child in self.children))

    # The keeper: everything below runs in its thread.

    def keep(self) -> None:
        try:
            self.open()
            self.started.set()
            self.note(f"open on {self.url}")
            ticks = 0
            while not self.closing.wait(TICK_S):
                self.tick(ticks)
                ticks += 1
        except BaseException as error:
            self.failure = plain(error, self.data)
            if self.started.is_set():
                self.say(f"the supervisor stops: {self.failure}")
        finally:
            self.close()
            self.closed.set()
            self.started.set()

    def open(self) -> None:
        house = prepare_house(self.data)
        self.lock = lock_house(house)
        refuse_begun(house)
        self.refuse_demo_parts()
        self.listener = listen(self.host, self.port)
        self.port = self.listener.getsockname()[1]
        clear_holds(house)
        self.place = place_for(self.data)
        if self.place.note:
            self.say(self.place.note)
        for counts in counts_folder(self.place.house).glob("*.db"):
            counts.unlink()
        self.start_servers(self.place)
        addresses = {**self.servers_environment(), "HOST": self.host, "PORT": str(self.port)}
        addresses["CROUPIER_SERVERS"] = str(self.place.servers)
        write_house_file(self.place.house, self.environment, addresses)
        self.prepare_database()
        for part in self.parts:
            self.add(self.child_of(part, self.place))
        self.write_status()

    def refuse_demo_parts(self) -> None:
        demo = sorted({part.name for part in self.parts if part.demo_only})
        if demo and self.environment == "production":
            raise ProductionRefused(", ".join(demo))

    def start_servers(self, place: Place) -> None:
        wanted: list[Server] = []
        if not self.settings.get("DATABASE_URL"):
            wanted.append(self.postgres(place, durable=self.durable))
        if not self.settings.get("REDIS_URL"):
            wanted.append(Valkey(place, durable=self.durable))
        for server in wanted:
            child = Child(
                server.name,
                server.name,
                server.log,
                SERVER_STOP_S[server.name],
                server.launch,
                server,
            )
            self.children.append(child)
            try:
                server.start(self.closing.is_set)
            finally:
                child.process, child.started_at = server.process, time.monotonic()

    def servers_environment(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for child in self.children:
            if isinstance(child.server, Postgres):
                found["DATABASE_URL"] = child.server.url("app")
                found["DATABASE_OWNER_URL"] = child.server.url("owner")
            elif isinstance(child.server, Valkey):
                found["REDIS_URL"] = child.server.url()
        return found

    def prepare_database(self) -> None:
        """Bring the schema up to date and, but for production, furnish a demo house."""
        owner_url = self.settings.get("DATABASE_OWNER_URL")
        if self.settings.get("DATABASE_URL") and not owner_url:
            # Somebody else applies migrations to this server; we only make sure they have.
            self.step("migrate", "--check")
        else:
            self.step("migrate", "--no-input", owner=True)
        if self.environment == "production":
            self.step("check", "--database", "default")
        else:
            self.welcome = self.step("seed_demo")

    def step(self, command: str, *arguments: str, owner: bool = False) -> str:
        """Run a manage.py command to its end and return what it printed."""
        assert self.place is not None
        log = self.place.logs / f"{command}.log"
        with log.open("wb") as errors:
            process = subprocess.Popen(
                self.leashed(("path", "manage.py", command, *arguments)),
                cwd=self.code.get(STEPS, ROOT),
                env=self.child_environment("command", owner=owner),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
            output = self.output_of(command, process)
            if process.returncode != 0:  # else it stays unwritten: seeding prints passwords
                errors.write(output.encode())
        if process.returncode != 0:
            words = log.read_text(errors="replace")
            raise StepFailed(command, reason_in(words), log)
        return output

    def output_of(self, command: str, process: subprocess.Popen[bytes]) -> str:
        within_s = MIGRATION_S if command == "migrate" else STEP_S
        end = time.monotonic() + within_s
        while True:
            try:
                return process.communicate(timeout=TICK_S)[0].decode(errors="replace")
            except subprocess.TimeoutExpired:
                if self.closing.is_set() or time.monotonic() > end:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.communicate()
                    if self.closing.is_set():
                        raise StartCancelled from None
                    raise StepTooSlow(command, within_s) from None

    def add(self, child: Child) -> None:
        if self.closing.is_set():
            return
        self.children.append(child)
        child.begin()

    def child_of(self, part: Part, place: Place) -> Child:
        assert self.listener is not None
        descriptor = self.listener.fileno()
        command = tuple(word.replace("{fd}", str(descriptor)) for word in part.command)
        passed = (descriptor,) if command != part.command else ()
        log = place.logs / f"{part.label}.log"

        def launch() -> subprocess.Popen[bytes]:
            with log.open("ab") as output:
                return subprocess.Popen(
                    self.leashed(command),
                    cwd=self.code.get(part.label, ROOT),
                    env=self.child_environment(part.name),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    pass_fds=passed,
                    start_new_session=True,
                )

        return Child(part.name, part.label, log, part.stop_s, launch)

    def leashed(self, command: Iterable[str]) -> list[str]:
        how = [str(os.getpid()), str(int(signal.SIGKILL)), "-", "-"]
        return [sys.executable, "-m", "casino.house.leash", *how, *command]

    def child_environment(self, part: str, *, owner: bool = False) -> dict[str, str]:
        """What a child needs to know; only the step that migrates learns the owner's address."""
        environment = {**self.settings, **self.servers_environment()}
        if not owner:
            environment.pop("DATABASE_OWNER_URL", None)
        if self.place is not None:
            environment["PROMETHEUS_MULTIPROC_DIR"] = str(counts_folder(self.place.house))
        return environment | {
            "CROUPIER_DATA": str(self.data.absolute()),
            "CROUPIER_ENV": self.environment,
            "CROUPIER_PART": part,
            "CROUPIER_URL": self.url,
            "DJANGO_SETTINGS_MODULE": "casino.settings",
            "HOST": self.host,
            "PORT": str(self.port),
            "PYTHONUNBUFFERED": "1",
            "TZ": "UTC",
        }

    def tick(self, ticks: int) -> None:
        for child in self.children:
            if child.process is not None and child.process.poll() is not None:
                self.mourn(child)
        self.follow_holds()
        now = time.monotonic()
        for child in self.children:
            if child.process is None and child.name not in self.held and child.due_at <= now:
                self.begin_again(child)
        if ticks % LOG_CHECK_TICKS == 0:
            for child in self.children:
                rotate(child.log)
        self.write_status()

    def begin_again(self, child: Child) -> None:
        try:
            child.begin()
        except OSError as error:  # no space for its log, no more processes: try again later
            wait_s = child.wait_s()
            child.due_at = time.monotonic() + wait_s
            self.say(f"{child.label} cannot be started: {error}; tried again in {wait_s:g} s")

    def mourn(self, child: Child) -> None:
        """A child has died: say so once, with the reason, and when it is started again."""
        assert child.process is not None
        if self.place is not None:
            counts = str(counts_folder(self.place.house))
            mark_process_dead(child.process.pid, counts)  # type: ignore[no-untyped-call]
        code = child.process.returncode
        how = f"was ended by {signal_name(-code)}" if code < 0 else f"ended (exit {code})"
        reason = f": {child.server.last_words()}" if child.server and code > 0 else ""
        child.bury()
        wait_s = child.wait_s()
        child.due_at = time.monotonic() + wait_s
        when = f"in {wait_s:g} s" if wait_s else "at once"
        self.say(f"{child.label} {how}{reason}; started again {when} (log: {child.log})")

    def follow_holds(self) -> None:
        assert self.place is not None
        for order in sorted(self.place.house.joinpath("hold").glob("[a-z]*")):
            self.follow_hold(order, order.name)

    def follow_hold(self, order: Path, part: str) -> None:
        children = [child for child in self.children if child.name == part]
        try:
            text = order.read_text().split()
            until, how = float(text[0]), text[1]
        except (OSError, ValueError, IndexError):
            until, how = 0.0, ""
        if not children or until <= time.time():
            order.unlink(missing_ok=True)
            if self.held.pop(part, None) is not None:
                self.say(f"{part} is started again")
                for child in children:
                    child.due_at, child.failures = 0.0, 0
        elif self.held.get(part) != until:
            self.say(f"{part} is held down for {until - time.time():.0f} s")
            end(children, kill=how != "stop")
            self.held[part] = until

    def write_status(self) -> None:
        """Tell other processes (`hold`, trials) what runs; written when it changes."""
        assert self.place is not None
        parts: dict[str, list[int]] = {}
        for child in self.children:
            running = child.process is not None and child.process.poll() is None
            parts.setdefault(child.name, []).extend(
                [child.process.pid] if running and child.process else []
            )
        status = {
            "pid": os.getpid(),
            "url": self.url,
            "parts": parts,
            "held": self.held,
        }
        text = json.dumps(status)
        if text != self.status_written:
            with suppress(OSError):  # a full disk must not end the supervisor; tried again soon
                replace_text(self.place.house / STATUS, text + "\n")
                self.status_written = text

    def close(self) -> None:
        """Stop all there is, in order; whatever is slow is killed when its time is up."""
        finish = time.monotonic() + STOP_S
        for names in STOP_ORDER:
            children = [child for child in self.children if child.name in names]
            kept_s = 0.0 if children and children[0].server else SERVERS_STOP_S
            end(children, self.hurry.is_set, most_s=finish - time.monotonic() - kept_s)
        if self.listener is not None:
            self.listener.close()
        if self.place is not None:
            self.place.house.joinpath(STATUS).unlink(missing_ok=True)
        if self.lock is not None:
            self.lock.close()

    def missing(self) -> str:
        """What the house still lacks to be ready; empty when it is."""
        for child in self.children:
            if not child.is_running() and child.name not in self.held:
                return f"{child.label} does not run (log: {child.log})"
        if any(child.name == "web" for child in self.children) and not answers(
            self.port, self.host
        ):
            return f"the web does not answer on {self.url}"
        return ""

    def say(self, line: str) -> None:
        """On the console and in the house's own log; a closed console stops nothing."""
        with suppress(OSError, ValueError, RuntimeError):  # the last: a signal came in mid-print
            self.tell(line)
        self.note(line)

    def note(self, line: str) -> None:
        with suppress(OSError):
            log = self.data / "log" / "house.log"
            rotate(log)
            with log.open("a", encoding="utf-8") as file:
                file.write(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {line}\n")


def end(
    children: Sequence[Child],
    hurry: Callable[[], bool] = lambda: False,
    *,
    kill: bool = False,
    most_s: float = 60.0,
) -> None:
    """Ask children to stop, all at once, wait as long as each may take, then kill."""
    for child in children:
        if kill:
            child.send(signal.SIGKILL)
        else:
            child.send(child.stop_signal)
    begun = time.monotonic()
    for child in children:
        within_s = min(child.stop_s, most_s)
        while child.is_running() and time.monotonic() - begun < within_s and not hurry():
            time.sleep(0.01)
        child.kill()


def answers(port: int, host: str) -> bool:
    address = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104
    connection = http.client.HTTPConnection(address, port, timeout=2.0)
    try:
        connection.request("GET", "/ready", headers={"Host": "localhost"})
        return connection.getresponse().status < SERVER_ERROR
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def listen(host: str, port: int) -> socket.socket:
    """The listening socket, opened here so that a dead web process loses no one waiting."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        dual = host == "::" and socket.has_dualstack_ipv6()
        listener = socket.create_server(
            (host, port), family=family, backlog=2048, dualstack_ipv6=dual
        )
        # Connections inherit it. The web gets a descriptor, takes it for a local socket and leaves
        # the delay on: of two frames sent in one go the second then waits 40 ms for a receipt.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except OSError as error:
        if error.errno == 98:
            raise PortInUse(host, port) from error
        raise AddressRefused(host, port, (error.strerror or str(error)).lower()) from error
    except OverflowError as error:
        raise AddressRefused(host, port, "a port is a number up to 65535") from error


def lock_house(house: Path) -> TextIO:
    """The lock of the one supervisor; the kernel frees it however this process ends."""
    file = house.joinpath("supervisor.lock").open("a+", encoding="ascii")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        owner = file.read().strip()
        file.close()
        raise AlreadyOpen(house, owner) from None
    file.truncate(0)
    file.write(f"{os.getpid()}\n")
    file.flush()
    return file


def status_of(data: Path) -> dict[str, Any]:
    """What the house on this data folder says of itself; raises NotOpen when none runs."""
    try:
        status: dict[str, Any] = json.loads(data.joinpath(STATUS).read_text(encoding="utf-8"))
        os.kill(status["pid"], 0)
    except (FileNotFoundError, NotADirectoryError, ProcessLookupError, ValueError, KeyError):
        raise NotOpen(data) from None  # the last two: emptied by a power cut
    except PermissionError as error:
        raise FolderUnusable(data, "the house there belongs to another user") from error
    return status


def ask_to_hold(data: Path, part: str, seconds: float, how: str = "kill") -> None:
    """Ask the running house to keep a part down; returns when it is down.

    how: `kill` (SIGKILL, as a failure would) or `stop` (the part's own orderly stop).
    """
    parts = status_of(data)["parts"]
    if part not in parts:
        raise UnknownPart(part, tuple(parts))
    until = time.time() + seconds
    replace_text(data / "hold" / part, f"{until} {how}\n")
    while abs(status_of(data)["held"].get(part, 0.0) - until) > HOLD_SLACK_S:
        if time.time() > until:
            raise HoldIgnored(part)
        time.sleep(0.05)


def clear_holds(house: Path) -> None:
    for order in house.joinpath("hold").iterdir():
        order.unlink()


def replace_text(path: Path, text: str) -> None:
    aside = path.with_name(f".{path.name}.new")
    aside.write_text(text, encoding="utf-8")
    aside.replace(path)


def rotate(log: Path) -> None:
    """Keep one older log. The file is emptied in place, as children append to it.

    Where a full disk has no room for the older one, it is lost: the house goes on.
    """
    with suppress(OSError):
        if log.stat().st_size > LOG_BYTES:
            try:
                shutil.copyfile(log, log.with_suffix(".log.1"))
            finally:
                os.truncate(log, 0)


def reason_in(words: str) -> str:
    """The line of a failed command's output that says why: a check's, else an error's, else the
    last."""
    lines = words.splitlines()
    checks = [line for line in lines if re.search(r"\(\w+\.E\d+\)", line)]
    errors = [line for line in lines if re.match(r"[\w.]*(Error|Configured|Exception)\b", line)]
    return last_line("\n".join(checks or errors[-1:] or lines))


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def plain(error: BaseException, data: Path) -> BaseException:
    """An error of the operating system on the way up, as one line."""
    if isinstance(error, OSError):
        folder = Path(error.filename) if isinstance(error.filename, str) else data
        return FolderUnusable(folder, (error.strerror or str(error)).lower())
    return error
