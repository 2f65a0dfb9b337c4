"""How the sample is loaded: whole into an empty database, never into another, and completed after a kill."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from media.models import CachedImage
from nftsite.sample import loading
from tests import machine
from tests.builders import contract, load_lines
from tests.forking import Forks
from tests.patience import comes
from tests.processes import databases
from tests.sample.readme import QUERIES
from tokens.models import Contract, Nft


@pytest.mark.django_db
def test_a_database_with_data_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    load_lines([contract()])
    with pytest.raises(CommandError, match="holds data already") as refusal:
        call_command("load_sample")
    assert refusal.value.returncode == 1
    call_command("load_sample", "--if-empty")
    assert (Contract.objects.count(), Nft.objects.count(), CachedImage.objects.count()) == (1, 0, 0)
    assert capsys.readouterr().out == ""


@pytest.mark.django_db
def test_it_keeps_away_from_a_database_that_was_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "sqlite:///anything")
    call_command("load_sample", "--if-empty", "--if-default")
    assert not Contract.objects.exists()


@pytest.mark.django_db
def test_a_sample_that_is_faulty_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "faulty.jsonl"
    file.write_text(json.dumps(contract()) + "\n{}\n")
    monkeypatch.setattr(loading, "SAMPLE", file)
    with pytest.raises(RuntimeError, match="faulty"):
        loading.load_sample()
    assert not Contract.objects.exists()


def test_the_readme_shows_a_query_of_each_operation() -> None:
    assert [urlsplit(query).path for query in QUERIES] == [
        "/api/v1/nfts/by-token",
        "/api/v1/transfers/by-token",
    ]


@pytest.mark.sqlite
def test_a_kill_at_any_moment_is_made_good_by_the_next_run(tmp_path: Path) -> None:
    """Killed while it loads, the database is empty; killed while it caches, the next run does the rest."""
    with databases(tmp_path, ["db"]) as (url,):
        pass  # a file, which stays
    variables = machine.bare(DATABASE_URL=url, MEDIA_ROOT=f"{tmp_path}/files", SECRET_KEY="k" * 50)
    variables["DJANGO_SETTINGS_MODULE"] = "nftsite.settings"
    # The process that vets has the paths of its parent.
    variables["PYTHONPATH"] += os.pathsep + str(settings.BASE_DIR)
    forks = Forks(variables, Path(settings.BASE_DIR))

    def finished(*words: str) -> str:
        done = forks.run(url, words)
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout

    # The first is there from the first statement to the last, the second from the first image.
    for more, begun in ((), tmp_path / "db.sqlite3-wal"), (("--images",), tmp_path / "files"):
        with (tmp_path / "said").open("w") as said:
            process = forks.begin(url, ["manage.py", "load_sample", *more], said, said)
        assert comes(lambda begun=begun, process=process: begun.exists() or not process.lives(), every=0.02)  # type: ignore[misc]
        assert begun.exists(), (tmp_path / "said").read_text()
        process.kill()
        finished("manage.py", "load_sample", "--if-empty")
    # What is left of the work is looked at without doing it all.
    script = (
        "import django; django.setup(); from nftsite.sample.images import *; "
        "ready = images().filter(state='ready').count; n = ready(); stop = threading.Event(); "
        "stop.is_set = lambda: ready() > n; cache_images(stop); print(Nft.objects.count(), ready() > n)"
    )
    assert finished("-c", script) == "300 True\n"
    forks.close()


@pytest.mark.sqlite
def test_make_run_migrates_and_loads_in_one_go_and_a_second_time_does_nothing(tmp_path: Path) -> None:
    """By the very line of the Makefile."""
    makefile = (Path(settings.BASE_DIR) / "Makefile").read_text(encoding="utf-8")
    (words,) = re.findall(r"^\t@\$\(BIN\)/python manage\.py (load_sample .+)$", makefile, re.MULTILINE)
    told = [
        subprocess.run(
            [sys.executable, "manage.py", *words.split()],
            cwd=settings.BASE_DIR,
            env=machine.bare(VAR_DIR=str(tmp_path)),
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for _ in range(2)
    ]
    assert re.fullmatch(r"Sample loaded: 300 NFTs, 556 transfers \(.+ s\)\.\n", told[0])
    assert told[1] == ""
