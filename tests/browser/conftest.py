"""A real browser against a live server: Chromium from this machine, driven by playwright."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    Response,
    ViewportSize,
    sync_playwright,
)
from pytest_django.live_server_helper import LiveServer
from pytest_django.plugin import DjangoDbBlocker

from tests.chromium import CHROMIUM, MISSING
from tests.patience import PATIENCE
from tokens.models import Chain, Currency, CurrencyToken, Market
from tokens.models.well_known import write_known

Window = Callable[..., Page]
WIDE: ViewportSize = {"width": 1280, "height": 900}
_NAMELESS = re.compile(
    r"- (?:textbox|combobox|searchbox|checkbox|button|link|img|spinbutton)(?: \[|:|$)", re.M
)


@pytest.hookimpl(tryfirst=True)  # xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip where there is no browser, unless CI says that there must be one; one process, since a browser is large."""
    for item in items:
        if "tests/browser/" not in str(item.path):
            continue
        item.add_marker(pytest.mark.xdist_group("browser"))
        if CHROMIUM is None and not os.environ.get("CI"):
            item.add_marker(pytest.mark.skip(reason=MISSING))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser, started once."""
    assert CHROMIUM is not None, MISSING
    # Playwright runs an event loop in this thread, in which Django would refuse the tests' own queries.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
            timeout=PATIENCE * 1000,
        )
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


def forget(page: Page, base: str) -> None:
    """Have a page's context know nothing of a site, and show nothing of it."""
    page.goto("about:blank")
    page.set_viewport_size(WIDE)
    session = page.context.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", {"origin": base, "storageTypes": "all"})
    session.send("Network.clearBrowserCache")
    session.detach()
    page.context.clear_cookies()


class Visit:
    """A person at the browser: a page, and everything that went wrong in it."""

    def __init__(self, page: Page, base: str) -> None:
        self.page = page
        self.base = base
        self.faults: list[str] = []
        self.expected: set[int] = set()
        self._heard: list[tuple[Any, Callable[[Any], None]]] = []
        self.hear("console", self._console)
        self.hear("pageerror", lambda error: self.faults.append(f"script error: {error}"))
        self.hear("request", self._request)
        self.hear("response", self._response)

    def hear(self, event: Any, handler: Callable[[Any], None]) -> None:
        """Have a handler told of the page's events until the visit ends."""
        self.page.on(event, handler)
        self._heard.append((event, handler))

    def leave(self) -> None:
        """End the visit: whoever comes next finds the page as new, without cookies and without a cache."""
        for event, handler in self._heard:
            self.page.remove_listener(event, handler)
        forget(self.page, self.base)

    def open(self, path: str) -> None:
        """Go to an address of the service."""
        self.page.goto(self.base + path)

    def follow(self, control: Locator) -> None:
        """Click what leads to another page, and wait until that page is read to its end.

        A click alone returns while the next page is still arriving, and what is then counted is half a page.
        """
        with self.page.expect_navigation(wait_until="load"):
            control.click()

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements that a selector finds."""
        return self.page.locator(selector).all_inner_texts()

    def assert_labelled(self) -> None:
        """Every control, link and picture has a name in the accessibility tree."""
        tree = self.page.locator("body").aria_snapshot()
        assert not _NAMELESS.findall(tree), tree

    def _console(self, message: ConsoleMessage) -> None:
        # That a page which a test expects to be refused was refused is no error of the page.
        if message.type == "error" and not any(str(status) in message.text for status in self.expected):
            self.faults.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob") and f"{address.scheme}://{address.netloc}" != self.base:
            self.faults.append(f"request to another host: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self.expected:
            self.faults.append(f"{response.status} for {response.url}")


@pytest.fixture(scope="session")
def site(chromium: Browser, django_db_setup: None) -> Iterator[str]:
    """The address of a server for all tests; unlike ``live_server`` it has no test empty the tables."""
    server = LiveServer("localhost")
    yield server.url
    server.stop()


@pytest.fixture(scope="module")
def committed(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A database that the tests of a module read and none writes to: what is written before stays until the last."""
    with django_db_blocker.unblock():
        yield
        call_command("flush", interactive=False, verbosity=0)
        write_known(Chain, Currency, CurrencyToken, Market)


@pytest.fixture(scope="session")
def window(chromium: Browser) -> Iterator[Window]:
    """Pages by the options of their contexts, each made once: a new one is a new process, and a second of its time."""
    made: dict[str, Page] = {}

    def page(**options: Any) -> Page:
        key = repr(sorted(options.items()))
        if key not in made:
            context = chromium.new_context(viewport=WIDE, **options)
            context.set_default_timeout(PATIENCE * 1000)
            made[key] = context.new_page()
        return made[key]

    yield page
    for one in made.values():
        one.context.close()


def _visit(window: Window, site: str, **options: Any) -> Iterator[Visit]:
    visit = Visit(window(**options), site)
    yield visit
    visit.leave()
    assert visit.faults == []


@pytest.fixture(params=[True, False], ids=["scripts on", "scripts off"])
def visit(request: pytest.FixtureRequest, window: Window, site: str) -> Iterator[Visit]:
    """A visit with scripts and one without; a fault of any page fails the test."""
    yield from _visit(window, site, java_script_enabled=request.param)


@pytest.fixture
def scripted(window: Window, site: str) -> Iterator[Visit]:
    """A visit to a page that is made of scripts."""
    yield from _visit(window, site, java_script_enabled=True)


@pytest.fixture
def phone(window: Window, site: str) -> Iterator[Visit]:
    """A visit on a small screen."""
    yield from _visit(window, site, device_scale_factor=2, is_mobile=True, has_touch=True)
