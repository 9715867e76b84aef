"""Gather the console's words into its catalogues; `msgfmt` makes them readable by machines."""

from pathlib import Path
from typing import Any, ClassVar

from django.core.management.commands import makemessages

from casino.console.records import names
from casino.console.refused import patterns
from casino.core import admin as core_admin
from casino.core import models as core_models
from casino.core import readable
from tables import admin as tables_admin
from tables import models as tables_models
from wallets import admin as wallets_admin
from wallets import models as wallets_models

# Stands in the console's folder while words are gathered: what rules and records say has its
# words elsewhere.
SAID_ELSEWHERE = Path("words_of_refusals.py")
RECORDS = (
    core_admin, core_models, readable, tables_admin, tables_models, wallets_admin, wallets_models,
)  # fmt: skip


class Command(makemessages.Command):
    help = "As makemessages, run in casino/console; this house calls gettext `say`."
    xgettext_options: ClassVar[list[str]] = [  # type: ignore[misc] # the stubs take it for an instance's
        *makemessages.Command.xgettext_options,
        "--keyword=say",
    ]

    def handle(self, *args: Any, **options: Any) -> None:
        listed = "".join(f"say({each!r})\n" for each in (*patterns(), *names()))
        records = (Path(str(each.__file__)).read_text() for each in RECORDS)
        SAID_ELSEWHERE.write_text("\n".join((*records, listed)))
        try:
            super().handle(*args, **options)
        finally:
            SAID_ELSEWHERE.unlink()
