"""What is stored of a failure names no path of the machine."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings

from core.db.faults import without_paths
from indexing.models import IndexedChain
from indexing.write import checkpoints
from media import outcomes
from media.models import CachedImage
from tests import indexed
from tests.builders import load_lines, nft

HERE = str(Path(settings.BASE_DIR))


def raised(name: str) -> OSError:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)


@pytest.mark.parametrize(
    "name",
    [
        f"{HERE}/var/files/ab/cd.png",
        "/srv/nft/files/a b.png",
        "/x",
        "/mnt/disk 1/it's",
        "/opt/app/nftsite/settings.py",
    ],
)
def test_an_error_of_the_system_says_what_and_not_where(name: str) -> None:
    for text in (str(raised(name)), repr(raised(name)), f"Given up after 12 attempts. {raised(name)}"):
        told = without_paths(text) if "OSError(" not in text else without_paths(str(raised(name)))
        assert name not in told
        assert "No space left on device" in told


@pytest.mark.parametrize(
    "text",
    [
        "The node: https://node.example.org/var/run answered 500",
        "ipfs://bafy/home/1.json: not found",
        "10/2 and and/or",
        "http://host/tmp/x",
        "/ipfs/bafy/1.png is not there",
    ],
)
def test_addresses_are_left_as_they_are(text: str) -> None:
    assert without_paths(text) == text


@pytest.mark.parametrize(
    "text",
    [
        'File "/usr/lib/python3.11/json/__init__.py", line 3',
        "cannot open /var/lib/x/y: no such file",
        "(/home/operator/nft/var)",
        "file:///root/.aws/config is missing",
    ],
)
def test_paths_within_a_text_are_left_out(text: str) -> None:
    told = without_paths(text)
    assert "…" in told
    assert not any(part in told for part in ("/usr", "/var", "/home", "/root"))


@pytest.mark.parametrize("place", ["/nft", "/code", "/zz/service-2", "/Dienst/daten"])
@pytest.mark.parametrize("setting", ["BASE_DIR", "VAR_DIR", "MEDIA_ROOT"])
def test_the_services_own_folders_are_left_out_whatever_they_are_called(place: str, setting: str) -> None:
    with override_settings(**{setting: place}):
        for text in (
            f"Could not find a suitable TLS CA certificate bundle, invalid path: {place}/ca.pem",
            f"({place}/files/ab) is full",
            f"no room in {place}",
            f"RuntimeError('cannot start {place}/bin/ffmpeg')",
            f"file://{place}/x is missing",
        ):
            assert place not in without_paths(text)
        for other in (
            f"https://node.example{place}/x failed",
            f"{place}s/x",
            f"ipfs:/{place}/1.json: not found",
        ):
            assert without_paths(other) == other


def test_a_path_of_bytes_is_one() -> None:
    name = os.fsencode("/zz/secret place/a.png")
    told = without_paths(str(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name, None, name)))
    assert "secret" not in told
    assert "No space left on device" in told


@pytest.mark.django_db
def test_what_is_stored_is_told_so_by_every_kind_of_worker() -> None:
    load_lines([nft("1", metadata={"imageUrl": "https://example.org/1.png"})])
    told = outcomes.of_defect(raised(f"{HERE}/var/files/ab"), 0).fault
    CachedImage.objects.update(fault=told)
    stored = CachedImage.objects.values_list("fault", flat=True)[0]
    assert HERE not in stored
    assert "No space left" in stored
    chain = indexed.an_indexed_chain()
    checkpoints.tell(IndexedChain.objects.select_related("chain").get().chain, fault=str(raised(f"{HERE}/x")))  # type: ignore[arg-type]
    assert HERE not in IndexedChain.objects.get().fault
    assert chain is None or chain
