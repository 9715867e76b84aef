"""What keeps a house from opening. Each error is one line for the person who started it."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar


class HouseError(Exception):
    """Base of everything that stops a house with one clear line."""

    code: ClassVar[str] = "house_error"


@dataclass(eq=False)
class AlreadyOpen(HouseError):
    code: ClassVar[str] = "already_open"
    data: Path
    pid: str

    def __str__(self) -> str:
        return (
            f"a house is already open on {self.data} (process {self.pid});"
            " stop it, or give this one a data folder of its own in CROUPIER_DATA"
        )


@dataclass(eq=False)
class NotOpen(HouseError):
    code: ClassVar[str] = "not_open"
    data: Path

    def __str__(self) -> str:
        return f"no house is open on {self.data}; start one with `make run`"


@dataclass(eq=False)
class UnknownPart(HouseError):
    code: ClassVar[str] = "unknown_part"
    part: str
    parts: tuple[str, ...]

    def __str__(self) -> str:
        return f"this house has no part {self.part}; it has {', '.join(self.parts)}"


@dataclass(eq=False)
class PortInUse(HouseError):
    code: ClassVar[str] = "port_in_use"
    host: str
    port: int

    def __str__(self) -> str:
        return f"port {self.port} on {self.host} is in use; choose another with PORT=8001 make run"


@dataclass(eq=False)
class AddressRefused(HouseError):
    code: ClassVar[str] = "address_refused"
    host: str
    port: int
    reason: str

    def __str__(self) -> str:
        return f"cannot listen on {self.host} port {self.port}: {self.reason}"


@dataclass(eq=False)
class DiskFull(HouseError):
    code: ClassVar[str] = "disk_full"
    folder: Path
    free_mb: int
    least_mb: int

    def __str__(self) -> str:
        return (
            f"the disk of {self.folder} is full:"
            f" {self.free_mb} MB free, a house needs {self.least_mb} MB"
        )


@dataclass(eq=False)
class FolderUnusable(HouseError):
    code: ClassVar[str] = "folder_unusable"
    folder: Path
    reason: str

    def __str__(self) -> str:
        return f"the folder {self.folder} cannot be used: {self.reason}"


@dataclass(eq=False)
class ServerMissing(HouseError):
    code: ClassVar[str] = "server_missing"
    package: str

    def __str__(self) -> str:
        return f"the package {self.package} brings no server here; run `make setup`"


@dataclass(eq=False)
class ServerFailed(HouseError):
    code: ClassVar[str] = "server_failed"
    server: str
    reason: str
    log: Path

    def __str__(self) -> str:
        return f"{self.server} did not start: {self.reason} (more in {self.log})"


@dataclass(eq=False)
class StepFailed(HouseError):
    code: ClassVar[str] = "step_failed"
    step: str
    reason: str
    log: Path

    def __str__(self) -> str:
        return f"manage.py {self.step} failed: {self.reason} (more in {self.log})"


@dataclass(eq=False)
class NotReady(HouseError):
    code: ClassVar[str] = "not_ready"
    missing: str
    within_s: float

    def __str__(self) -> str:
        return f"the house is not ready after {self.within_s:.0f} s: {self.missing}"


@dataclass(eq=False)
class StepTooSlow(HouseError):
    code: ClassVar[str] = "step_too_slow"
    step: str
    within_s: float

    def __str__(self) -> str:
        return f"manage.py {self.step} was not done after {self.within_s:.0f} s"


@dataclass(eq=False)
class StartCancelled(HouseError):
    code: ClassVar[str] = "start_cancelled"

    def __str__(self) -> str:
        return "stopped before it was open"


@dataclass(eq=False)
class ProductionRefused(HouseError):
    code: ClassVar[str] = "production_refused"
    parts: str

    def __str__(self) -> str:
        return f"a production house does not run {self.parts}"


@dataclass(eq=False)
class HoldIgnored(HouseError):
    code: ClassVar[str] = "hold_ignored"
    part: str

    def __str__(self) -> str:
        return f"the house has not taken {self.part} down"


@dataclass(eq=False)
class UserMissing(HouseError):
    code: ClassVar[str] = "user_missing"
    user: str

    def __str__(self) -> str:
        return f"{self.user} has no entry in /etc/passwd, which PostgreSQL needs to know it by"


@dataclass(eq=False)
class BackupRefused(HouseError):
    code: ClassVar[str] = "backup_refused"
    folder: Path
    reason: str

    def __str__(self) -> str:
        return f"no backup was written to {self.folder}: {self.reason}"


@dataclass(eq=False)
class RestoreRefused(HouseError):
    code: ClassVar[str] = "restore_refused"
    reason: str

    def __str__(self) -> str:
        return f"nothing was restored: {self.reason}"


@dataclass(eq=False)
class ArchiveRefused(HouseError):
    code: ClassVar[str] = "archive_refused"
    folder: Path
    reason: str

    def __str__(self) -> str:
        return f"archive {self.folder}: {self.reason}"
