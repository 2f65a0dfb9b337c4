"""Cached images reach clients under /files/, with the links of the records, and nothing else does."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage

from media import cache
from media.files import Renditions
from media.models import CachedImage
from media.renditions import render
from tests.builders import load_lines, nft
from tests.conftest import Api
from tests.images.one_colour import encoded, opened

URL = "https://images.example/7.png"


@pytest.fixture
def image() -> Renditions:
    """A stored image."""
    image = render(encoded((400, 300), "JPEG", fill=(200, 30, 30)))
    cache.store(image)
    return image


def body_of(api: Api, path: str) -> bytes:
    """What GET answers at a path, which must be 200."""
    response = api.get(path)
    assert response.status_code == 200
    return b"".join(response.streaming_content)


@pytest.mark.django_db
def test_the_links_of_a_record_lead_to_the_image_in_its_three_sizes(api: Api, image: Renditions) -> None:
    load_lines([nft("7", metadata={"name": "Seven", "imageUrl": URL})])
    assert "imageCacheUrl" not in api.nfts()["data"][0]["metadata"]
    row = CachedImage.objects.get(url=URL)
    cache.make_ready(row, image)
    row.save()
    metadata = api.nfts()["data"][0]["metadata"]
    sizes = {}
    for name in ("imageCacheUrl", "imageCachePreviewUrl", "imageCacheThumbnailUrl"):
        address = metadata[name]
        assert address.startswith("http://testserver/files/")
        sizes[name] = opened(body_of(api, address.removeprefix("http://testserver"))).size
    assert list(sizes.values()) == [(400, 300), (250, 250), (128, 128)]
    row.refresh_from_db()
    assert (row.media_type, row.width, row.height) == ("image/jpeg", 400, 300)
    assert (row.content_hash, row.byte_size) == (image.content_hash, len(image.original.data))


def test_a_file_is_immutable_and_can_do_nothing(api: Api, image: Renditions) -> None:
    response = api.get(f"/files/{image.original.name}", origin="https://app.example")
    assert response["Content-Type"] == "image/jpeg"
    assert response["Cache-Control"] == "public, max-age=31536000, immutable"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert response["Access-Control-Allow-Origin"] == "*"
    assert response["Content-Length"] == str(len(image.original.data))
    assert b"".join(response.streaming_content) == image.original.data


def test_head_answers_as_get_without_a_body(api: Api, image: Renditions) -> None:
    path = f"/files/{image.preview.name}"
    got: Any = api.get(path)
    head: Any = api.client.head(path)
    assert b"".join(head.streaming_content) == b""
    described = ("Content-Type", "Content-Length", "Cache-Control", "ETag", "Content-Security-Policy")
    assert [head[name] for name in described] == [got[name] for name in described]
    assert b"".join(got.streaming_content) == image.preview.data


def test_who_holds_a_file_gets_a_304(api: Api, image: Renditions) -> None:
    path = f"/files/{image.thumbnail.name}"
    first = api.get(path)
    assert b"".join(first.streaming_content) == image.thumbnail.data
    again = api.get(path, if_none_match=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    assert again["Cache-Control"] == first["Cache-Control"]


def test_a_preflight_is_answered(api: Api) -> None:
    headers = {"Origin": "https://app.example", "Access-Control-Request-Method": "GET"}
    response = api.client.options("/files/aa/b.png", headers=headers)
    assert (response.status_code, response["Access-Control-Allow-Origin"]) == (204, "*")


def test_nothing_is_written_over_http(api: Api, image: Renditions) -> None:
    response = api.client.post(f"/files/{image.original.name}")
    assert (response.status_code, response.json()["errors"][0]["code"]) == (405, "method_not_allowed")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "ab",
        "ab/",
        f"ab/{'0' * 62}.png",
        f"AB/{'0' * 62}.png",
        f"ab/{'0' * 62}.svg",
        "../db.sqlite3",
        "%2e%2e/db.sqlite3",
        "..%2f..%2fsecret_key",
        "ab/../../secret_key",
        "/etc/passwd",
        "note.txt",
        f"ab/{'0' * 62}.png%00",
        f"ab/{'0' * 62}.png%0a",
    ],
)
def test_everything_else_is_a_404_of_the_usual_body(api: Api, image: Renditions, name: str) -> None:
    Path(default_storage.path("note.txt")).write_text("not an image")
    response = api.get(f"/files/{name}")
    assert response.status_code == 404
    assert response.json()["errors"][0]["code"] == "not_found"
    assert response["Cache-Control"] == "no-store"


def test_storing_again_changes_nothing(image: Renditions) -> None:
    path = Path(default_storage.path(image.original.name))
    before = path.stat().st_mtime_ns
    cache.store(image)
    assert path.stat().st_mtime_ns == before


def test_a_write_that_fails_leaves_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    image = render(encoded((31, 37), fill=(1, 2, 3)))
    monkeypatch.setattr(Path, "replace", lambda self, target: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        cache.store(image)
    path = Path(default_storage.path(image.original.name))
    assert not path.exists()
    assert [entry.name for entry in path.parent.iterdir() if path.stem in entry.name] == []


def test_a_file_has_its_name_once_it_is_on_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A power cut after the row is committed must not leave the name with nothing in it, or no name."""
    done: list[str] = []
    sync, replace = os.fsync, Path.replace

    def noted_sync(handle: int) -> None:
        path = Path(f"/proc/self/fd/{handle}").resolve()
        done.append("folder" if path.is_dir() else f"content {path.stat().st_size}")
        sync(handle)

    def noted_replace(path: Path, target: Path) -> Path:
        done.append("name")
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", noted_sync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    image = render(encoded((37, 31), fill=(3, 2, 1)))
    cache.store(image)
    written = [entry for entry in done if entry != "folder"]
    assert written == [entry for file in image.files for entry in (f"content {len(file.data)}", "name")]
    assert done[len(written) :] == ["folder"] * (len(done) - len(written))
    assert len(done) > len(written)
