"""The browser of this machine."""

import shutil

_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is Chromium without a window: the same pages in a third of the time."""
CHROMIUM = next(filter(None, map(shutil.which, _BROWSERS)), None)
MISSING = "no Chromium on this machine; on Debian: apt-get install chromium-headless-shell"
