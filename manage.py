#!/usr/bin/env python
"""Django's command line, on the house's settings."""

import os
import sys

# Commands that change or compare the schema run as the role that owns it; all others as `app`.
AS_OWNER = {"migrate", "makemigrations", "sqlmigrate", "showmigrations"}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    if len(sys.argv) > 1 and sys.argv[1] in AS_OWNER:
        os.environ["CROUPIER_ROLE"] = "owner"
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:  # its words are for whoever set the environment
        sys.exit(str(error))


if __name__ == "__main__":
    main()
