#!/usr/bin/env python
"""Django's command line: `python manage.py load FILE…`, `dump`, `migrate` and the rest."""

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    """Run one management command with the project's settings, unless DJANGO_SETTINGS_MODULE names others."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nftsite.settings")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
