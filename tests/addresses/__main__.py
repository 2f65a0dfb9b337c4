"""Tries very many addresses from the command line: `python -m tests.addresses --help`."""

import os

import django

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    from tests.addresses.drill import main

    main()
