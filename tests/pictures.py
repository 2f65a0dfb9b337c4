"""`make pictures`: the pictures of pages in README and docs, made anew from the bundled sample.

A service of its own is started in a folder of its own, over the embedded database, and looked at in Chromium. Names and
pictures are made up, so that they are ours to show.
"""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.chromium import CHROMIUM, MISSING

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
TIDES = "ethereum/0xc152d3bbadb04d3dd610e839af11d215801e0ab0"
PASSWORD = "only for pictures"
PAGES = {
    "start": ("/", 1280, 900),
    "collection": (f"/collections/{TIDES}", 1280, 1100),
    "history": (f"/nfts/{TIDES}/5", 1280, 1100),
    "phone": (f"/nfts/{TIDES}/5", 390, 844),
    "admin": ("/admin/", 1280, 900),
}
"""Name, address, and size in pixels of each."""


def main() -> None:
    """Make them all, and say how large they are."""
    if CHROMIUM is None:
        sys.exit(MISSING)
    PICTURES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        service(Path(folder)) as base,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(color_scheme="light")
        log_in(page, base)
        for name, (address, width, height) in PAGES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.goto(base + address, wait_until="networkidle")
            taken = Image.open(io.BytesIO(page.screenshot()))
            path = PICTURES / f"{name}.webp"
            taken.convert("RGB").save(path, quality=80, method=6)
            print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")
        browser.close()


def log_in(page: Page, base: str) -> None:
    """Come in as the operator."""
    page.goto(f"{base}/admin/")
    page.get_by_label("Username").fill("operator")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_load_state("networkidle")


@contextmanager
def service(folder: Path) -> Iterator[str]:
    """A service with the sample and an operator; yields its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {"VAR_DIR": str(folder), "ENV_FILE": "/dev/null", "PORT": str(port), "LOG_LEVEL": "ERROR"}
    own |= {"DJANGO_SUPERUSER_PASSWORD": PASSWORD, "DATABASE_URL": ""}
    env = {**os.environ, **own}
    env.pop("DJANGO_SETTINGS_MODULE", None)
    account = ["createsuperuser", "--noinput", "--username", "operator", "--email", "operator@example.org"]
    for command in (["load_sample", "--migrate"], ["load_sample", "--images"], account):
        subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=env, check=True)
    server = subprocess.Popen([str(Path(sys.executable).with_name("gunicorn"))], cwd=ROOT, env=env)
    try:
        base = f"http://127.0.0.1:{port}"
        wait_for(f"{base}/readyz")
        yield base
    finally:
        server.terminate()
        server.wait()


def wait_for(address: str, seconds: float = 60) -> None:
    """Wait until an address is answered."""
    end = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except (urllib.error.URLError, OSError):
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
        else:
            return


if __name__ == "__main__":
    main()
