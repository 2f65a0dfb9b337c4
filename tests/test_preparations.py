"""A preparation that fails is told once, by the test that needed it first."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE, comes
from tests.processes import ROOT

TESTS = """
import pytest

@pytest.fixture(scope="session")
def packages():
    {outcome}

@pytest.fixture(scope="session")
def node(packages):
    return packages

@pytest.mark.parametrize("number", range(3))
def test_with_a_node(node, number): pass

def test_with_packages(packages): pass

def test_without(): pass
"""


def told(folder: Path, outcome: str) -> str:
    """What a run of tests says of a preparation that comes to this."""
    file = folder / "test_needy.py"
    file.write_text(TESTS.format(outcome=outcome))
    plain = ["-p", "tests.preparations", "-p", "no:cacheprovider", "-c", "/dev/null", "-rsE"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *plain, str(file)],
        cwd=ROOT,
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    return done.stdout


@pytest.mark.parametrize("outcome", ["raise OSError('no room')", "pytest.fail('no room', pytrace=False)"])
def test_a_preparation_that_fails_fails_one_test_and_the_others_say_which(
    tmp_path: Path, outcome: str
) -> None:
    said = told(tmp_path, outcome)
    assert "1 passed, 3 skipped, 1 error" in said
    assert "no room" in said
    assert "packages failed: the first test that needs it tells why" in said


def test_one_that_is_excused_skips_all_for_its_own_reason(tmp_path: Path) -> None:
    said = told(tmp_path, "pytest.skip('no registry')")
    assert "1 passed, 4 skipped" in said
    assert "no registry" in said


def test_what_a_process_brings_is_waited_for_while_it_lives() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        looks = iter([False, False, True])
        assert comes(lambda: next(looks), process, every=0)
        assert next(looks, "all taken") == "all taken"
        assert process.stdin is not None
        process.stdin.close()
        assert not comes(lambda: False, process)
    assert comes(lambda: True, process), "looked at once more, though it has ended"
