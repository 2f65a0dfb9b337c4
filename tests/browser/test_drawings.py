"""What is kept of an SVG looks as the browser shows it, or nothing is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.drawings import documents
from tests.browser.judging import Judge, judging_browser


@pytest.fixture(scope="module")
def judge(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    """A browser that takes the service's fonts for those that are not here."""
    browser = judging_browser(chromium.browser_type, tmp_path_factory.mktemp("fonts"))
    yield Judge(browser)
    browser.close()


def test_two_hundred_documents_are_drawn_as_the_browser_draws_them_or_refused(judge: Judge) -> None:
    found = {name: judge.judge(document) for name, document in documents()}
    kinds = Counter(one.kind for one in found.values())
    assert {name: one.told for name, one in found.items() if one.kind not in ("agree", "refused")} == {}
    refused = {name.rpartition(" ")[0] for name, one in found.items() if one.kind == "refused"}
    assert refused <= {"html_with_text", "what_scripts_would_draw", "html_with_a_picture"}
    assert kinds["agree"] >= 185
    assert sum(kinds.values()) >= 200
