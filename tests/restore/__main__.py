"""Runs the drill from the command line: `python -m tests.restore --help`."""

import os
import signal
import sys

import django

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    from tests.restore.drill import main

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what was started is ended, too
    main()
