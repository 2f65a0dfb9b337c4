"""Runs a day of trouble from the command line: `python -m tests.trouble --help`."""

import os

import django

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    from tests.trouble.day import main

    main()
