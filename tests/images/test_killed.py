"""The whole worker at every made input, to its end and killed at random moments: nothing is ever half there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.builders import contract, nft, write_lines
from tests.forking import Forks
from tests.images.vetted import MEMORY, REFUSED, TAKEN
from tests.offchain.gateway import ROOT as CID
from tests.offchain.gateway import LocalGateway
from tests.processes import ROOT, databases, environment, run

INPUTS = {name: (make, "") for name, (make, _) in TAKEN.items()} | {
    name: (make, reason) for name, (make, _, reason) in REFUSED.items()
}
PLACES = {name: f"ipfs://{CID}/{number}" for number, name in enumerate(INPUTS)}
SMALL = [
    *(
        "jpeg",
        "turned jpeg",
        "png",
        "interlaced png",
        "animated png",
        "webp",
        "lossless webp",
        "avif",
        "bmp",
        "svg",
    ),
    *("gif", "animated gif", "svgz", "svg with a script", "png of 16 bits"),
    *("progressive jpeg", "cmyk jpeg", "png with a palette", "turned png", "animated webp", "animated avif"),
    *("nothing", "half a jpeg", "html named .png", "svg with a file"),
]
"""What is tried with kills, each of which has all that is not yet done begun anew: the first ten become pictures."""
TWIN = f"ipfs://{CID}/twin"
"""The bytes of one of the others at an address of their own."""
TOO_LONG = "more than 50 MiB"
STEPS = 150
"""Fewer than it takes to cache all of them: three files each, written and renamed."""
KILLS, PRUNING_KILLS = 5, 2


@dataclass(frozen=True, slots=True)
class Place:
    """A database with a folder of files, and what forks processes that work on both."""

    url: str
    files: Path
    environment: dict[str, str]
    forks: Forks

    def act(self, moments: Sequence[int], *action: str) -> list[dict[str, Any]]:
        """Do it, killed at each of these moments, and then to the end; how images and files stand behind each."""
        found: list[dict[str, Any]] = self._said(
            "-m", "tests.images.killed", ",".join(map(str, moments)), *action
        )
        return found

    def standing(self) -> dict[str, Any]:
        """How its images and files stand."""
        found: dict[str, Any] = self._said("-m", "tests.images.standing")
        return found

    def _said(self, *words: str) -> Any:
        done = self.forks.run(self.url, words)
        assert done.returncode == 0, done.stderr[-2000:]
        return json.loads(done.stdout)


@contextmanager
def showing(names: Collection[str], folder: Path) -> Iterator[Place]:
    """A database in which an NFT shows each of these inputs, and one the same as another; none of them fetched."""
    documents = {PLACES[name].rpartition("/")[2]: INPUTS[name][0]() for name in names}
    documents["twin"] = documents[PLACES["gif"].rpartition("/")[2]]
    urls = [*(PLACES[name] for name in names), TWIN]
    lines = [contract(), *(nft(str(token), metadata={"imageUrl": url}) for token, url in enumerate(urls))]
    path = str(write_lines(folder / "nfts.jsonl", lines))
    with databases(folder, ["images"]) as (url,), LocalGateway(documents) as gateway:
        loaded = run(url, "manage.py", "load", path)
        assert loaded.returncode == 0, loaded.stderr[-2000:]
        files = folder / "files"
        variables = environment(url, MEDIA_ROOT=str(files), IPFS_GATEWAYS=gateway.url, LOG_LEVEL="ERROR")
        forks = Forks(variables, ROOT)
        yield Place(url, files, variables, forks)
        forks.close()


def assert_expected(names: Collection[str], standing: dict[str, Any]) -> None:
    """Each of these inputs came to its state, for its reason, and all that is ready is shown."""
    for name in names:
        _, reason = INPUTS[name]
        found = standing["images"][PLACES[name]]
        assert found["state"] == ("failed" if reason else "ready"), (name, found)
        if reason and name != TOO_LONG:  # of which nothing is kept to be vetted
            assert re.search(reason, found["fault"]), (name, found)
    assert standing["broken"] == []
    assert standing["shown"] == len(standing["named"])


def assert_whole(standing: dict[str, Any]) -> None:
    """Whatever is shown is there, to its last byte."""
    assert standing["broken"] == []
    assert set(standing["named"]) <= set(standing["files"])


@pytest.mark.sqlite  # no database has a part in it: one run is enough
def test_every_input_comes_to_its_state_within_512_mib_and_stops_no_other(tmp_path: Path) -> None:
    command = [sys.executable, "manage.py", "cache_images", "--processes", "2"]
    words = [sys.executable, "-m", "nftsite.bench.measured", *command]
    with showing(INPUTS, tmp_path) as place:
        done = subprocess.run(
            words, cwd=ROOT, env=place.environment, capture_output=True, text=True, check=True
        )
        assert f"{len(REFUSED)} failed, {len(TAKEN) + 1} ready" in done.stderr
        # Of the worker, and of whatever it waited for: the processes that vet, and their forks.
        assert json.loads(done.stdout)["peak_bytes"] < MEMORY
        assert_expected(INPUTS, place.standing())


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A database in which NFTs show what is small."""
    with showing(SMALL, tmp_path) as made:
        yield made


def test_kills_at_random_moments_leave_nothing_broken_and_nothing_undone(place: Place) -> None:
    random = Random(9)

    def acted(moments: Sequence[int], *action: str) -> dict[str, Any]:
        *killed, done = place.act(moments, *action)
        for standing in killed:
            assert_whole(standing)
        return done

    done = acted(random.sample(range(1, STEPS), KILLS), "cache_images")
    assert_expected(SMALL, done)

    # Ten NFTs show nothing any more, and one the same bytes as before from another address.
    lines = [nft(str(token), metadata={"name": "bare"}) for token in range(10)]
    changed = write_lines(place.files.parent / "changed.jsonl", lines)
    assert run(place.url, "manage.py", "load", str(changed)).returncode == 0
    pruned = acted(random.sample(range(5, 60), PRUNING_KILLS), "cache_images", "--prune")
    assert len(pruned["images"]) == len(done["images"]) - 10
    assert_only_what_is_named(pruned)

    left = acted(random.sample(range(3, 14), PRUNING_KILLS), "takedown", TWIN)
    assert {left["images"][url]["state"] for url in (TWIN, PLACES["gif"])} == {"withheld"}
    assert len(pruned["named"]) - len(left["named"]) == 3
    assert_only_what_is_named(left)


def assert_only_what_is_named(standing: dict[str, Any]) -> None:
    """There is nothing but the files that rows name, and those that were named within the week.

    And drafts: what a kill left of a file being written goes after an hour.
    """
    files = {name for name in standing["files"] if "/." not in name}
    assert files == {*standing["named"], *standing["waiting"]}
    assert len(standing["waiting"]) <= 3 * 10
