"""Has Chromium and the service draw the SVGs of folders, and says which of them differ: `make drill NAME=drawings`.

Without arguments it takes those of librsvg's tests, W3C's among them, where Debian's `librsvg2-tests` has put them.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from django.conf import settings
from playwright.sync_api import sync_playwright

PUBLIC = Path("/usr/libexec/installed-tests/RSVG/fixtures")


def main(folders: list[str]) -> int:
    """Print a line for each document that does not agree, and the counts; return 1 if one differs."""
    settings.configure()
    from tests.browser.judging import Judge, judging_browser

    roots = [Path(folder) for folder in folders] or [PUBLIC]
    files = sorted(file for root in roots for file in root.rglob("*.svg") if "-ref" not in file.stem)
    if not files:
        print(f"No SVG is in {', '.join(map(str, roots))}. On Debian: apt-get install librsvg2-tests")
        return 2
    counts = Counter[str]()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = judging_browser(playwright.chromium, Path(folder))
        judge = Judge(browser)
        for file in files:
            found = judge.judge(file.read_bytes())
            counts[found.kind] += 1
            if found.kind != "agree":
                print(f"{found.kind}: {file.name}: {found.told}", flush=True)
        browser.close()
    print(dict(counts))
    return int(counts["differ"] > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
