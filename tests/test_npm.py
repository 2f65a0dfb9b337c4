"""What tests need of npm's world must be there in CI, and is excused on a person's machine."""

import sys
from pathlib import Path

import pytest

from tests import npm
from tests.npm import Node


@pytest.fixture
def pinned(tmp_path: Path) -> Path:
    """A folder that pins packages."""
    folder = tmp_path / "pinned"
    folder.mkdir()
    for name in ("package.json", "package-lock.json"):
        (folder / name).write_text("{}")
    return folder


def saying(text: str, code: int) -> Node:
    """An npm that says something on standard error and ends with an exit code."""
    return Node(
        "node", (sys.executable, "-c", f"import sys; print({text!r}, file=sys.stderr); sys.exit({code})")
    )


@pytest.mark.parametrize("error", npm.UNREACHABLE)
def test_without_a_registry_a_person_has_the_tests_skipped_and_ci_has_them_fail(
    pinned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: str
) -> None:
    node = saying(f"npm error code {error}", 1)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=f"registry is not reachable.*\n.*{error}"):
        npm.installed(node, pinned, tmp_path / "kept")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match=f"registry is not reachable.*\n.*{error}"):
        npm.installed(node, pinned, tmp_path / "kept")


def test_without_node_a_person_has_the_tests_skipped_and_ci_has_them_fail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="node or npm is missing"):
        npm.find_node()
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="node or npm is missing"):
        npm.find_node()


def test_a_registry_that_gives_something_else_is_a_failure_everywhere(
    pinned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.fail.Exception, match="npm ci failed:\nnpm error code EINTEGRITY"):
        npm.installed(saying("npm error code EINTEGRITY", 1), pinned, tmp_path / "kept")


def test_packages_are_installed_once_for_each_state_of_the_lock_file(pinned: Path, tmp_path: Path) -> None:
    """What failed is tried again by whoever asks next."""
    with pytest.raises(pytest.fail.Exception):
        npm.installed(saying("no", 1), pinned, tmp_path / "kept")
    assert npm.installed(saying("yes", 0), pinned, tmp_path / "kept") == tmp_path / "kept"
    npm.installed(saying("never asked", 1), pinned, tmp_path / "kept")
    (pinned / "package-lock.json").write_text('{"other": 1}')
    with pytest.raises(pytest.fail.Exception):
        npm.installed(saying("asked again", 1), pinned, tmp_path / "kept")
