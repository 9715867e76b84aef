"""Gather the console's words into its catalogues; `msgfmt` makes them readable by machines."""

from typing import ClassVar

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    help = "As makemessages, run in casino/console; this house calls gettext `say`."
    xgettext_options: ClassVar[list[str]] = [  # type: ignore[misc] # the stubs take it for an instance's
        *makemessages.Command.xgettext_options,
        "--keyword=say",
    ]
