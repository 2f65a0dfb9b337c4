"""Runs the drill from the command line: `python -m tests.lighthouse`."""

import os
import sys

import django

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    from tests.lighthouse.drill import main

    sys.exit(main())
