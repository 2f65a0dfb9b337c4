"""What is skipped for want of the data beside the project is told in a line; what is skipped beside the data fails."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.processes import ROOT

TESTS = """
import pytest
from pathlib import Path

@pytest.mark.shared
@pytest.mark.parametrize("number", {numbers})
def test_that_reads(number): pass

@pytest.mark.shared
@pytest.mark.skipif({absent}, reason="a file is missing")
def test_that_does_not_read(): pass

@pytest.mark.shared
@pytest.mark.skip(reason="needs postgresql")
def test_of_the_other_engine(): pass

@pytest.mark.skip(reason="no browser")
def test_of_something_else(): pass
"""
PLUGIN = """
from pathlib import Path
from tests import shared
shared.DATA = Path(__file__).with_name("data")
"""
TOLD = "they read ../shared/data, which is not there"


def told(folder: Path, *, absent: bool, numbers: str = "range(3)") -> tuple[int, str]:
    """The exit code of a run of tests beside a folder, and what it says."""
    (folder / "conftest.py").write_text(PLUGIN)
    (folder / "test_readers.py").write_text(TESTS.format(absent=absent, numbers=numbers))
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = shared: reads data\n")
    plugins = [word for name in ("tests.shared", "no:cacheprovider") for word in ("-p", name)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, "-c", str(folder / "pytest.ini"), "-ra", str(folder)],
        cwd=ROOT,
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("numbers", ["range(3)", "[]"])
def test_without_the_data_what_reads_it_is_skipped_and_counted_in_one_line(
    tmp_path: Path, numbers: str
) -> None:
    code, said = told(tmp_path, absent=True, numbers=numbers)
    count = 5 if numbers == "range(3)" else 3  # a test without parameters is one that is skipped
    assert code == 0
    assert [line for line in said.splitlines() if TOLD in line] == [f"{count} tests were skipped: {TOLD}"]
    assert f"1 skipped, {count} without ../shared/data" in said


def test_beside_the_data_a_run_fails_that_skips_what_reads_it(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    code, said = told(tmp_path, absent=True)
    assert code == 1
    assert "3 passed, 2 skipped, 1 error" in said
    assert "reads ../shared/data, which is there, and was skipped: a file is missing" in said
    assert told(tmp_path, absent=False)[0] == 0


def test_where_the_data_lies_is_known_to_one_module() -> None:
    """So nothing reads it without being told to be skipped, or fail, as the others are."""
    knowing = [
        path.name
        for path in (ROOT / "tests").rglob("*.py")
        if "shared" in (text := path.read_text())
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and node.value == "shared"
    ]
    assert set(knowing) == {"shared.py", "test_shared.py"}
