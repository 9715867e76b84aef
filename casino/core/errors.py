"""What the core refuses, one class per rule; how each is answered is not decided here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar


class CoreError(Exception):
    """A rule about people, devices, approvals or the log was broken."""

    code: ClassVar[str] = "core_error"


@dataclass(eq=False)
class SignInRefused(CoreError):
    """Says nothing about which half was wrong."""

    code: ClassVar[str] = "sign_in_refused"

    def __str__(self) -> str:
        return "the user name and password do not match an active account"


@dataclass(eq=False)
class LockedOut(CoreError):
    code: ClassVar[str] = "locked_out"
    retry_after_s: int

    def __str__(self) -> str:
        return f"too many failed attempts; try again in {self.retry_after_s} s"


@dataclass(eq=False)
class FactorRefused(CoreError):
    """A wrong code, too old, or taken before."""

    code: ClassVar[str] = "factor_refused"

    def __str__(self) -> str:
        return "that code is not valid now"


@dataclass(eq=False)
class FactorNeeded(CoreError):
    """The password was right; the account asks for a code too."""

    code: ClassVar[str] = "factor_needed"

    def __str__(self) -> str:
        return "this account asks for a code of its second factor too"


@dataclass(eq=False)
class PasswordWrong(CoreError):
    code: ClassVar[str] = "password_wrong"

    def __str__(self) -> str:
        return "that is not this account's password"


@dataclass(eq=False)
class FactorMissing(CoreError):
    code: ClassVar[str] = "factor_missing"

    def __str__(self) -> str:
        return "this account has no second factor"


@dataclass(eq=False)
class FactorStands(CoreError):
    code: ClassVar[str] = "factor_stands"

    def __str__(self) -> str:
        return "this account has a second factor already"


@dataclass(eq=False)
class TokenInvalid(CoreError):
    code: ClassVar[str] = "token_invalid"

    def __str__(self) -> str:
        return "the token is unknown, revoked or expired"


@dataclass(eq=False)
class TokenMissing(CoreError):
    code: ClassVar[str] = "token_missing"
    token_id: int

    def __str__(self) -> str:
        return f"you have no token {self.token_id}"


@dataclass(eq=False)
class ScopeUnknown(CoreError):
    code: ClassVar[str] = "scope_unknown"
    scope: str

    def __str__(self) -> str:
        return f"there is no scope {self.scope!r}"


@dataclass(eq=False)
class ScopeMissing(CoreError):
    code: ClassVar[str] = "scope_missing"
    scope: str

    def __str__(self) -> str:
        return f"this token may not be used for {self.scope!r}"


@dataclass(eq=False)
class RegistrationClosed(CoreError):
    code: ClassVar[str] = "registration_closed"

    def __str__(self) -> str:
        return "this house takes no registrations"


@dataclass(eq=False)
class NameTaken(CoreError):
    code: ClassVar[str] = "name_taken"
    field: str

    def __str__(self) -> str:
        return f"that {self.field.replace('_', ' ')} is taken"


@dataclass(eq=False)
class NameRefused(CoreError):
    code: ClassVar[str] = "name_refused"
    field: str
    why: str

    def __str__(self) -> str:
        return f"that {self.field.replace('_', ' ')} cannot be used: {self.why}"


@dataclass(eq=False)
class PasswordTooWeak(CoreError):
    code: ClassVar[str] = "password_too_weak"
    problems: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.problems)


@dataclass(eq=False)
class RoleMissing(CoreError):
    code: ClassVar[str] = "role_missing"
    roles: tuple[str, ...]

    def __str__(self) -> str:
        return f"only {', '.join(self.roles)} may do this"


@dataclass(eq=False)
class PitNotYours(CoreError):
    code: ClassVar[str] = "pit_not_yours"
    pit: str

    def __str__(self) -> str:
        return f"you do not work in pit {self.pit}" if self.pit else "you work in other pits only"


@dataclass(eq=False)
class DeviceInvalid(CoreError):
    code: ClassVar[str] = "device_invalid"

    def __str__(self) -> str:
        return "the device is not enrolled, or no longer"


@dataclass(eq=False)
class CodeRefused(CoreError):
    code: ClassVar[str] = "code_refused"

    def __str__(self) -> str:
        return "no screen can be let in with this code: it is wrong, used or too old"


@dataclass(eq=False)
class PinRefused(CoreError):
    code: ClassVar[str] = "pin_refused"

    def __str__(self) -> str:
        return "that is not the dealer's PIN"


@dataclass(eq=False)
class SettingRefused(CoreError):
    code: ClassVar[str] = "setting_refused"
    name: str
    possible: str

    def __str__(self) -> str:
        return f"{self.name}: {self.possible}"


@dataclass(eq=False)
class ApprovalKindUnknown(CoreError):
    code: ClassVar[str] = "approval_kind_unknown"
    kind: str

    def __str__(self) -> str:
        return f"nothing of the kind {self.kind!r} is approved here"


@dataclass(eq=False)
class ApprovalReasonMissing(CoreError):
    code: ClassVar[str] = "approval_reason_missing"

    def __str__(self) -> str:
        return "say why it is asked for"


@dataclass(eq=False)
class ApprovalMissing(CoreError):
    code: ClassVar[str] = "approval_missing"
    approval_id: int

    def __str__(self) -> str:
        return f"there is no approval {self.approval_id} of that kind"


@dataclass(eq=False)
class ApprovalSamePerson(CoreError):
    code: ClassVar[str] = "approval_same_person"
    approval_id: int

    def __str__(self) -> str:
        return f"approval {self.approval_id} must be given by another person than asked for it"


@dataclass(eq=False)
class ApprovalSameBrowser(CoreError):
    code: ClassVar[str] = "approval_same_browser"
    approval_id: int

    def __str__(self) -> str:
        return f"approval {self.approval_id} must be given at another browser than asked for it"


@dataclass(eq=False)
class ApprovalNotOpen(CoreError):
    code: ClassVar[str] = "approval_not_open"
    approval_id: int
    status: str

    def __str__(self) -> str:
        return f"approval {self.approval_id} is {self.status}"


@dataclass(eq=False)
class ApprovalExpired(CoreError):
    code: ClassVar[str] = "approval_expired"
    approval_id: int
    expired_at: datetime

    def __str__(self) -> str:
        return f"approval {self.approval_id} expired at {self.expired_at.isoformat()}"


@dataclass(eq=False)
class IdempotencyKeyRequired(CoreError):
    code: ClassVar[str] = "idempotency_key_required"

    def __str__(self) -> str:
        return "send an Idempotency-Key header, so that a repeat is not done twice"


@dataclass(eq=False)
class IdempotencyKeyMalformed(CoreError):
    code: ClassVar[str] = "idempotency_key_malformed"
    longest: int

    def __str__(self) -> str:
        return f"an Idempotency-Key is 1 to {self.longest} visible ASCII characters"


@dataclass(eq=False)
class IdempotencyKeyReused(CoreError):
    code: ClassVar[str] = "idempotency_key_reused"

    def __str__(self) -> str:
        return "this Idempotency-Key was used with another body"


@dataclass(eq=False)
class IdempotencyStillRunning(CoreError):
    code: ClassVar[str] = "idempotency_still_running"

    def __str__(self) -> str:
        return "the first request under this Idempotency-Key is still running"


@dataclass(eq=False)
class LogBusy(CoreError):
    """A transaction that wrote to the log stayed open longer than the sealer will wait."""

    code: ClassVar[str] = "log_busy"

    def __str__(self) -> str:
        return "the log is being written to; seal it a little later"


@dataclass(eq=False)
class LogAltered(CoreError):
    code: ClassVar[str] = "log_altered"
    entry_id: int

    def __str__(self) -> str:
        return f"entry {self.entry_id} of the log is not what was written"


@dataclass(eq=False)
class SigningKeyUnusable(CoreError):
    code: ClassVar[str] = "signing_key_unusable"

    def __str__(self) -> str:
        return "LOG_SIGNING_KEY is not the base64 of 32 bytes"


@dataclass(eq=False)
class AddressRefused(CoreError):
    code: ClassVar[str] = "address_refused"
    why: str

    def __str__(self) -> str:
        return f"no message is sent there: {self.why}"


@dataclass(eq=False)
class WebhookMissing(CoreError):
    code: ClassVar[str] = "webhook_missing"
    webhook_id: int

    def __str__(self) -> str:
        return f"you have no webhook {self.webhook_id}"


@dataclass(eq=False)
class WebhookMessageMissing(CoreError):
    code: ClassVar[str] = "webhook_message_missing"
    message_id: int

    def __str__(self) -> str:
        return f"this webhook has no message {self.message_id}"


@dataclass(eq=False)
class TooManyWebhooks(CoreError):
    code: ClassVar[str] = "too_many_webhooks"
    most: int

    def __str__(self) -> str:
        return f"an account has at most {self.most} webhooks"


@dataclass(eq=False)
class NoSandbox(CoreError):
    code: ClassVar[str] = "no_sandbox"

    def __str__(self) -> str:
        return "this house has no sandbox"
