"""The real data that lies beside the project, which some tests read; a part of pytest that says where it is missing.

A test that reads it is marked ``shared``. Without the folder it is skipped, and one line at the end counts all of
these; with it no such test may be skipped: what is missing from the folder fails the test that wants it.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"
DATA = SHARED / "data"
REAL = DATA / "real.jsonl.gz"
"""All CryptoPunks and Loot bags with thousands of transfers, in the interchange format."""
DOCUMENTS = DATA / "metadata_documents.jsonl.gz"
TRANSACTIONS = DATA / "transactions.jsonl.gz"
WHY = "they read ../shared/data, which is not there"
UNREAD = "without ../shared/data"
"""What the tests that are skipped for it are counted under."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what reads the data where there is none."""
    if not DATA.is_dir():
        for item in items:
            if reads_it(item):
                item.add_marker(pytest.mark.skipif(True, reason=WHY), append=False)  # before any other reason


def reads_it(item: pytest.Item) -> bool:
    """Tell whether a test is marked as reading the data."""
    return item.get_closest_marker("shared") is not None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that reads the data, has it, and is skipped for another reason than its engine."""
    report = yield
    engines = [
        mark for mark in item.iter_markers("skip") if mark.kwargs.get("reason", "").startswith("needs ")
    ]
    if report.skipped and reads_it(item) and DATA.is_dir() and not engines:
        report.outcome = "failed"
        report.longrepr = f"reads ../shared/data, which is there, and was skipped: {_reason(report)}"
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: Any) -> tuple[str, str, str] | None:
    """Count what is skipped for want of the data apart from what is skipped for other reasons."""
    return (UNREAD, "s", "SKIPPED") if report.skipped and _reason(report) == WHY else None


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say in one line how many tests were skipped for want of the data."""
    number = len(terminalreporter.stats.get(UNREAD, ()))
    if number:
        terminalreporter.write_line(f"{number} tests were skipped: {WHY}", yellow=True)


def _reason(report: Any) -> str:
    """Return why a test was skipped; empty where it failed as expected."""
    return str(report.longrepr[2]).removeprefix("Skipped: ") if isinstance(report.longrepr, tuple) else ""
