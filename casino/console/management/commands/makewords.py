"""Gather the console's words into its catalogues; `msgfmt` makes them readable by machines."""

from pathlib import Path
from typing import Any, ClassVar

from django.core.management.commands import makemessages

from casino.console.records import names
from casino.console.refused import patterns

# Stands in the console's folder while words are gathered: what rules and records say has its
# words elsewhere.
SAID_ELSEWHERE = Path("words_of_refusals.py")


class Command(makemessages.Command):
    help = "As makemessages, run in casino/console; this house calls gettext `say`."
    xgettext_options: ClassVar[list[str]] = [  # type: ignore[misc] # the stubs take it for an instance's
        *makemessages.Command.xgettext_options,
        "--keyword=say",
    ]

    def handle(self, *args: Any, **options: Any) -> None:
        SAID_ELSEWHERE.write_text("".join(f"say({each!r})\n" for each in (*patterns(), *names())))
        try:
            super().handle(*args, **options)
        finally:
            SAID_ELSEWHERE.unlink()
