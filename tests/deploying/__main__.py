"""Runs the drill from the command line: `python -m tests.deploying --help`."""

import os

import django

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    from tests.deploying.drill import main

    main()
