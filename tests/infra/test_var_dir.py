"""Whatever commands write lies under VAR_DIR: the code may lie in a folder that cannot be written to."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from nftsite.checks import CODE_FOLDERS
from tests import machine
from tests.forking import Forks

ROOT = Path(settings.BASE_DIR)
LINE = {
    "record": "contract",
    "chain": "ethereum",
    "contractAddress": "0x" + "1a" * 20,
    "contractStandard": "ERC721",
}


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A copy of the code that nobody may write to; root may all the same, so what is written is looked at as well."""
    folder = tmp_path / "code"
    folder.mkdir()
    for name in sorted({*CODE_FOLDERS} - {"tests"}):
        shutil.copytree(ROOT / name, folder / name)  # with what is compiled of it
    for name in ["manage.py", "gunicorn.conf.py"]:
        shutil.copy(ROOT / name, folder / name)
    (folder / "tests").mkdir()
    shutil.copy(ROOT / "tests" / "forking.py", folder / "tests")  # alone, so that no code but this is at work
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    return folder


def tree(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_commands_write_nothing_beside_the_code(code: Path, tmp_path: Path) -> None:
    """The first of them and the server begin as processes of their own, the others as forks of one that has begun."""
    var, before = tmp_path / "var", tree(code)
    lines = tmp_path / "lines.jsonl"
    lines.write_text(json.dumps(LINE))
    variables = machine.bare(VAR_DIR=str(var), PYTHONDONTWRITEBYTECODE="1")
    for words in (["manage.py", "migrate", "-v0"], ["-m", "gunicorn", "--check-config"]):
        done = subprocess.run(
            [sys.executable, *words], cwd=code, env=variables, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (words, done.stderr[-2000:])
    forks = Forks({**variables, "DJANGO_SETTINGS_MODULE": "nftsite.settings"}, code)
    for words in (
        ["load", str(lines)],
        ["dump"],
        ["load_sample", "--if-empty"],
        ["check"],
        ["compute_rarity", "--due"],
        ["cache_images", "--prune"],
    ):
        done = forks.run(f"sqlite:///{var}/db.sqlite3", ["manage.py", *words])
        assert done.returncode == 0, (words, done.stderr[-2000:])
        if words == ["dump"]:
            assert all(json.loads(line)["record"] for line in done.stdout.splitlines()), (
                "its output is data alone"
            )
    forks.close()
    assert tree(code) == before
    assert {"db.sqlite3", "secret_key"} <= tree(var)
