"""Serve the sample with its pictures, and have Lighthouse judge a page of thirty of them: 95 points or more in each.

    make drill NAME=lighthouse

It needs Chromium, node, and npm's registry once (the packages stay under var/). All of it talks to 127.0.0.1 alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from tests.chromium import CHROMIUM, MISSING
from tests.lighthouse.packages import lighthouse
from tests.strangers.setups import free_port

ROOT = Path(__file__).resolve().parents[2]
CATEGORIES = ("performance", "accessibility", "best-practices")
LEAST = 0.95
PAGES = {
    "a collection with 30 pictures": "/api/v1/nfts/by-token?contractAddress=tide-circles.nft-sample.eth",
    "its transfers": "/api/v1/transfers/by-token?contractAddress=tide-circles.nft-sample.eth",
    "the start page": "/",
    "a collection's page": "/collections/ethereum/0xc152d3bbadb04d3dd610e839af11d215801e0ab0",
    "an NFT's page": "/nfts/ethereum/0xc152d3bbadb04d3dd610e839af11d215801e0ab0/5",
}
FLAGS = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage"


@contextmanager
def service(folder: str) -> Iterator[str]:
    """The sample, served as `make run` serves it; yields where."""
    port = free_port()
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DATABASE_URL", "TEST_DATABASE_URL", "DJANGO_SETTINGS_MODULE")
    }
    env = kept | {"ENV_FILE": "/dev/null", "VAR_DIR": folder, "PORT": str(port), "LOG_LEVEL": "ERROR"}
    for arguments in (("--migrate", "--if-empty"), ("--images",)):
        subprocess.run(
            [sys.executable, "manage.py", "load_sample", *arguments], check=True, cwd=ROOT, env=env
        )
    server = subprocess.Popen([sys.executable, "-m", "gunicorn"], cwd=ROOT, env=env)
    try:
        for _ in range(100):
            try:
                urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5).close()
                break
            except OSError:
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def scores(command: list[str], url: str) -> tuple[dict[str, float], float]:
    """What Lighthouse gives a page, between 0 and 1; and how fast it found this machine to be.

    It thinks the page four times slower than it was: below an index of about 1,000 the machine is what it judges.
    """
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        asked = [url, "--quiet", "--output=json", f"--output-path={file.name}", f"--chrome-flags={FLAGS}"]
        only = f"--only-categories={','.join(CATEGORIES)}"
        env = os.environ | {"CHROME_PATH": CHROMIUM or ""}
        subprocess.run([*command, *asked, only], check=True, env=env, timeout=300)
        found = json.loads(Path(file.name).read_text())
    points = {name: found["categories"][name]["score"] for name in CATEGORIES}
    return points, found["environment"]["benchmarkIndex"]


def main() -> int:
    """Judge each page, and tell; 1 where one has too few points."""
    if CHROMIUM is None:
        print(MISSING)
        return 2
    command, failed = lighthouse(), False
    with tempfile.TemporaryDirectory() as folder, service(folder) as base:
        for name, path in PAGES.items():
            found, speed = scores(command, base + path)
            failed |= min(found.values()) < LEAST
            told = ", ".join(f"{category} {100 * score:.0f}" for category, score in found.items())
            print(f"{name}: {told} (speed of this machine: {speed:,.0f})")
    return int(failed)
