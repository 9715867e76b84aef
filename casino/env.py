"""Typed readers of the environment. A value that cannot be read stops the start with one line."""

import os
from collections.abc import Mapping
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

TRUE, FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off", ""}


def read_file(path: Path) -> dict[str, str]:
    """KEY=VALUE lines of the file a running house keeps beside its data; {} when there is none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except PermissionError as error:
        raise ImproperlyConfigured(f"{path} cannot be read by this user") from error
    pairs = (line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    return {key.strip(): value.strip() for key, value in pairs}


class Environment:
    """The process's environment in front of a file of defaults."""

    def __init__(self, defaults: Mapping[str, str]) -> None:
        self.defaults = defaults

    def text(self, name: str, default: str | None = None) -> str:
        value = os.environ.get(name) or self.defaults.get(name) or default
        if value is None:
            raise ImproperlyConfigured(f"{name} is not set")
        return value

    def flag(self, name: str, default: bool) -> bool:
        value = self.text(name, str(default)).lower()
        if value not in TRUE | FALSE:
            raise ImproperlyConfigured(f"{name} must be on or off, not {value!r}")
        return value in TRUE

    def integer(self, name: str, default: int) -> int:
        value = self.text(name, str(default))
        try:
            return int(value)
        except ValueError as error:
            raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}") from error

    def count(self, name: str, usual: int, default: str = "on") -> int:
        """How many: a whole number, `off` for none, or `on` for as many as usual."""
        value = self.text(name, default).lower()
        if value in TRUE - {"1"}:
            return usual
        return 0 if value in FALSE else self.integer(name, usual)

    def names(self, name: str, default: str = "") -> list[str]:
        return [part.strip() for part in self.text(name, default).split(",") if part.strip()]

    def figures(self, name: str) -> dict[str, int]:
        """`one=1,other=2` as whole numbers by name; {} when it is not set."""
        try:
            pairs = [part.split("=", 1) for part in self.names(name)]
            return {key.strip(): int(value) for key, value in pairs}
        except ValueError as error:
            raise ImproperlyConfigured(f"{name} must be name=number, ...: {error}") from error

    def choice(self, name: str, choices: tuple[str, ...], default: str) -> str:
        value = self.text(name, default)
        if value not in choices:
            raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}")
        return value
