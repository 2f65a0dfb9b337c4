"""axe-core in the browser tests: what of a page keeps people out who see little, or use no mouse."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from django.conf import settings
from playwright.sync_api import Page

from tests.browser.conftest import Visit, Window, forget
from tests.npm import find_node, installed

SCHEMES: dict[int, Literal["dark", "light"]] = {390: "dark", 1280: "light"}
PACKAGES = Path(__file__).parent / "npm"


def axe() -> str:
    """The script, of the pinned package, installed under var/ once."""
    folder = installed(find_node(), PACKAGES, Path(settings.BASE_DIR) / "var" / "axe")
    return (folder / "node_modules/axe-core/axe.min.js").read_text()


def violations(page: Page) -> list[str]:
    """What axe, which the page has, finds wrong with it: rule and element.

    It describes each element of the rules that are kept, too, where it is not told that only violations are asked for.
    """
    page.evaluate(
        "document.getAnimations().forEach(one => one.finish())"
    )  # colours that change by the scheme
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(found => found.violations)")
    return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]


def violations_of(
    window: Window,
    base: str,
    paths: Sequence[str],
    made: Mapping[str, str] | None = None,
    enter: Callable[[Visit], None] | None = None,
) -> dict[str, list[str]]:
    """What is wrong with pages, all of them unfolded, on a phone in the dark and on a wide screen by day.

    ``made`` are pages that no request gets, by the paths under which the browser is to find them.
    """
    script, found = axe(), dict[str, list[str]]()
    # The policy forbids the page what axe does in it: that is the test's doing, not the page's.
    page = window(bypass_csp=True)
    if enter is not None:
        enter(Visit(page, base))
    for path, html in (made or {}).items():
        page.route(
            base + path, lambda route, _, html=html: route.fulfill(body=html, content_type="text/html")
        )
    for path in (*paths, *(made or {})):
        page.goto(base + path)
        if page.locator("#swagger-ui").count():
            page.locator("#swagger-ui").scroll_into_view_if_needed()
            page.locator(".opblock").first.wait_for()
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
        page.evaluate(script)
        for width, scheme in SCHEMES.items():
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            found[f"{path} at {width} pixels, {scheme}"] = violations(page)
    page.unroute_all()
    forget(page, base)
    return {where: faults for where, faults in found.items() if faults}
