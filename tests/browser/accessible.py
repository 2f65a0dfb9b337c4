"""axe-core in the browser tests: what of a page keeps people out who see little, or use no mouse."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from django.conf import settings
from playwright.sync_api import Browser, Page

from tests.npm import find_node, installed
from tests.patience import PATIENCE

PACKAGES = Path(__file__).parent / "npm"


def axe() -> str:
    """The script, of the pinned package, installed under var/ once."""
    folder = installed(find_node(), PACKAGES, Path(settings.BASE_DIR) / "var" / "axe")
    return (folder / "node_modules/axe-core/axe.min.js").read_text()


def violations(page: Page, script: str) -> list[str]:
    """What axe finds wrong with a page, all of it unfolded: rule and element."""
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    page.evaluate(script)
    found = page.evaluate("axe.run(document)")["violations"]
    return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]


def violations_of(
    chromium: Browser,
    base: str,
    paths: Sequence[str],
    made: Mapping[str, str] | None = None,
    enter: Callable[[Page], None] | None = None,
) -> dict[str, list[str]]:
    """What is wrong with pages, on a phone in the dark and on a wide screen by day.

    ``made`` are pages that no request gets, by the paths under which the browser is to find them.
    """
    script, found = axe(), dict[str, list[str]]()
    schemes: dict[int, Literal["dark", "light"]] = {390: "dark", 1280: "light"}
    for width, scheme in schemes.items():
        # The policy forbids the page what axe does in it: that is the test's doing, not the page's.
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True
        )
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        if enter is not None:
            enter(page)
        for path, html in (made or {}).items():
            page.route(
                base + path, lambda route, _, html=html: route.fulfill(body=html, content_type="text/html")
            )
        for path in (*paths, *(made or {})):
            page.goto(base + path, wait_until="networkidle")
            if page.locator("#swagger-ui").count():
                page.locator("#swagger-ui").scroll_into_view_if_needed()
                page.locator(".opblock").first.wait_for()
            found[f"{path} at {width} pixels, {scheme}"] = violations(page, script)
        context.close()
    return {where: faults for where, faults in found.items() if faults}
