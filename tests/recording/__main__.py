"""Keeps the answers of one code and holds another's to them: `python -m tests.recording --help`."""

import os

import django

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    from tests.recording.drill import main

    main()
