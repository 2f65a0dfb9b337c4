"""Where files lie and who sends them: this process, the proxy in front, a bucket."""

from __future__ import annotations

import os
import re
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import default_storage, storages
from django.core.management import call_command
from django.utils import timezone
from moto import mock_aws

from core.environment import Environment
from media import cache, serving
from media.links import Links
from media.management.commands import cache_images
from media.models import CachedImage, DoomedFile, WithheldContent, url_key
from media.pruning import prune
from media.renditions import render
from media.usage import usage
from media.withholding import doom, put_back
from nftsite import checks
from tests.builders import load_lines, nft
from tests.conftest import Api
from tests.images.one_colour import encoded
from tests.images.working import Clock, Web, due_at, worker
from tokens.models import Nft

pytestmark = [pytest.mark.usefixtures("own_files"), pytest.mark.sqlite]  # files lie in no database

URL = "https://images.example/1.png"
BUCKET: dict[str, Any] = {
    "BACKEND": "media.bucket.Bucket",
    "OPTIONS": {
        "bucket_name": "pictures",
        "location": "nft",
        "querystring_auth": False,
        "region_name": "us-east-1",
    },
}


@pytest.fixture
def bucket(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Files in an S3 bucket, made up in this process."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    with mock_aws():
        settings.STORAGES = {**settings.STORAGES, "default": BUCKET}
        storage: Any = storages["default"]
        client = storage.connection.meta.client
        client.create_bucket(Bucket="pictures")
        yield client


def cached() -> CachedImage:
    """An NFT's image, cached."""
    load_lines([nft("1", metadata={"imageUrl": URL})])
    clock = Clock()
    due_at(clock)
    worker(Web({URL: encoded((300, 300), fill=(1, 2, 3))}), clock).work()
    return CachedImage.objects.get()


@pytest.mark.django_db
def test_a_bucket_keeps_the_files_and_this_service_sends_them(api: Api, bucket: Any) -> None:
    image = cached()
    assert image.state == "ready", image.fault
    keys = {one["Key"] for one in bucket.list_objects_v2(Bucket="pictures")["Contents"]}
    assert f"nft/{image.original_path}" in keys
    assert len(keys) == 3
    url = api.nfts()["data"][0]["metadata"]["imageCacheUrl"]
    response = api.get(url.removeprefix("http://testserver"))
    assert b"".join(response.streaming_content) == encoded((300, 300), fill=(1, 2, 3))
    assert api.get(f"/files/00/{'0' * 62}.png").status_code == 404


@pytest.fixture
def asked(bucket: Any) -> list[str]:
    """What is asked of the bucket for objects, by the Range of each request."""
    ranges: list[str] = []
    client = storages["default"].connection.meta.client  # type: ignore[attr-defined]
    client.meta.events.register(
        "before-send.s3.GetObject", lambda request, **_: ranges.append(request.headers["Range"].decode())
    )
    return ranges


BIG = f"ab/{'0' * 62}.png"


def test_a_file_of_a_bucket_is_sent_while_it_is_read(api: Api, bucket: Any, asked: list[str]) -> None:
    """50 MiB were in a web process's memory before the first byte was sent, for a range of ten bytes too."""
    content = bytes(range(256)) * 4096
    bucket.put_object(Bucket="pictures", Key=f"nft/{BIG}", Body=content)
    chunks = list(api.get(f"/files/{BIG}").streaming_content)
    assert b"".join(chunks) == content
    assert max(map(len, chunks)) <= 64 * 1024
    part = api.get(f"/files/{BIG}", range="bytes=1000-1009")
    assert (part.status_code, part["Content-Range"]) == (206, f"bytes 1000-1009/{len(content)}")
    assert b"".join(part.streaming_content) == content[1000:1010]
    assert api.client.head(f"/files/{BIG}")["Content-Length"] == str(len(content))
    assert asked == ["bytes=0-", "bytes=1000-"]  # and HEAD asks for nothing


def test_a_bucket_that_does_not_answer_is_a_503(api: Api, bucket: Any, settings: Any) -> None:
    with socket.socket() as taken:  # nobody listens
        taken.bind(("127.0.0.1", 0))
        options = {**BUCKET["OPTIONS"], "endpoint_url": f"http://127.0.0.1:{taken.getsockname()[1]}"}
        settings.STORAGES = {**settings.STORAGES, "default": {**BUCKET, "OPTIONS": options}}
        response = api.get(f"/files/{BIG}")
    assert (response.status_code, response.json()["errors"][0]["code"]) == (503, "service_unavailable")
    assert int(response["Retry-After"]) > 0
    assert response["Cache-Control"] == "no-store"


def test_an_object_that_cannot_be_read_is_a_503_before_anything_is_sent(
    api: Api, bucket: Any, asked: list[str]
) -> None:
    bucket.put_object(Bucket="pictures", Key=f"nft/{BIG}", Body=b"content")
    client = storages["default"].connection.meta.client  # type: ignore[attr-defined]

    def fail(**_: Any) -> None:
        raise EndpointConnectionError(endpoint_url="https://s3.example")

    client.meta.events.register("before-send.s3.GetObject", fail)
    assert api.get(f"/files/{BIG}").status_code == 503


@pytest.mark.django_db
def test_a_page_asks_no_bucket_and_links_to_where_files_are_public(
    api: Api, bucket: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = cached()
    settings.MEDIA_PUBLIC_URL = "https://cdn.example/pictures/"
    storage = storages["default"]
    for name in ("exists", "open", "url", "size"):
        monkeypatch.setattr(storage, name, lambda *_: pytest.fail("a page looked into the bucket"))
    assert (
        api.nfts()["data"][0]["metadata"]["imageCacheUrl"]
        == f"https://cdn.example/pictures/{image.original_path}"
    )


@pytest.mark.django_db
def test_files_of_a_bucket_are_pruned_too(bucket: Any) -> None:
    cached()
    Nft.objects.update(image=None)
    assert prune() == (1, 0)  # answers that link to its files are still out
    DoomedFile.objects.update(due_at=timezone.now())
    assert prune() == (0, 3)
    assert "Contents" not in bucket.list_objects_v2(Bucket="pictures")


def test_the_proxy_in_front_sends_the_file(api: Api, settings: Any) -> None:
    image = render(encoded((30, 30)))
    settings.MEDIA_ACCEL_PREFIX = "/protected/"
    response = api.get(f"/files/{image.original.name}")
    assert (response.status_code, response.content) == (200, b"")
    assert response["X-Accel-Redirect"] == f"/protected/{image.original.name}"
    assert (response["Content-Type"], response["X-Content-Type-Options"]) == ("image/png", "nosniff")
    assert "Cache-Control" not in response  # nginx would send it with its 404 for a file that is gone, too


LOCATION = re.compile(r"location /protected-files/ \{(.*?)\n  +\}", re.DOTALL)


def test_the_documented_location_of_the_proxy_sends_what_this_service_does(api: Api, settings: Any) -> None:
    """nginx drops all of our headers but the type and a few more."""
    image = render(encoded((30, 30)))
    cache.store(image)
    found = LOCATION.search((Path(settings.BASE_DIR) / "docs" / "images.md").read_text())
    assert found is not None
    documented = dict(re.findall(r'add_header ([\w-]+) "([^"]*)";', found[1]))
    response = api.get(f"/files/{image.original.name}")
    assert response.getvalue() == image.original.data
    assert documented == {name: response[name] for name in documented}
    assert documented.keys() == {"Cache-Control", "Access-Control-Allow-Origin", *serving.HEADERS}
    assert "always" not in found[1]  # or a file that is gone would be gone for a year


def test_links_follow_the_base_or_lead_elsewhere(settings: Any) -> None:
    assert Links("https://nft.example/").rendition("ab/c.png") == "https://nft.example/files/ab/c.png"
    settings.MEDIA_PUBLIC_URL = "https://cdn.example/"
    assert Links("https://nft.example").rendition("ab/c.png") == "https://cdn.example/ab/c.png"


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ("https://bucket/", "must be s3:// and the name of a bucket"),
        ("s3://", "must be s3:// and the name of a bucket"),
        ("s3://b_/", "must be s3:// and the name of a bucket"),
        ("s3://bucket?secret_key=x", "takes addressing_style, endpoint_url, region_name"),
    ],
)
def test_a_wrong_bucket_stops_the_start(monkeypatch: pytest.MonkeyPatch, value: str, wrong: str) -> None:
    monkeypatch.setenv("MEDIA_STORAGE", value)
    with pytest.raises(ImproperlyConfigured, match=f"MEDIA_STORAGE {wrong}"):
        Environment().bucket("MEDIA_STORAGE")


def test_a_bucket_is_named_by_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDIA_STORAGE", "s3://pictures/a/b?endpoint_url=https://minio.internal:9000")
    found = Environment().bucket("MEDIA_STORAGE")
    assert (found["bucket_name"], found["location"]) == ("pictures", "a/b")
    assert (found["endpoint_url"], found["querystring_auth"]) == ("https://minio.internal:9000", False)


@pytest.mark.parametrize(
    "value", ["files", "/files", "files/", "//", "/a b/", "/../", "/./", "/a/../b/", "/a/./"]
)
def test_a_wrong_internal_location_stops_the_start(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("MEDIA_ACCEL_PREFIX", value)
    with pytest.raises(ImproperlyConfigured, match="MEDIA_ACCEL_PREFIX"):
        Environment().path_prefix("MEDIA_ACCEL_PREFIX")


@pytest.mark.parametrize("value", ["/files/", "/a/.b/", "/a/..b/c.d/"])
def test_an_internal_location_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("MEDIA_ACCEL_PREFIX", value)
    assert Environment().path_prefix("MEDIA_ACCEL_PREFIX") == value


def test_a_bucket_without_what_reads_it_stops_the_start(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first image would fail, long after the start."""
    settings.MEDIA_BUCKET = {"bucket_name": "pictures"}
    assert checks.bucket_can_be_used(None) == []
    for missing in ("storages", "boto3"):
        with monkeypatch.context() as patched:
            patched.setitem(sys.modules, missing, None)
            (error,) = checks.bucket_can_be_used(None)
        assert error.id == "nftsite.E004"
        assert missing in error.msg
        assert "pip install -r requirements-s3.txt" in str(error.hint)


def test_the_proxy_in_front_has_no_files_of_a_bucket(settings: Any) -> None:
    settings.MEDIA_ACCEL_PREFIX = "/protected/"
    assert checks.one_place_for_files(None) == []
    settings.MEDIA_BUCKET = {"bucket_name": "pictures"}
    (error,) = checks.one_place_for_files(None)
    assert error.id == "nftsite.E005"
    assert "Unset MEDIA_ACCEL_PREFIX" in str(error.hint)


@pytest.mark.django_db
def test_pruning_takes_what_nothing_refers_to_and_nothing_else(settings: Any) -> None:
    kept = cached()
    lost = render(encoded((64, 64), fill=(7, 7, 7)))  # stored just before a kill
    cache.store(lost)
    draft = Path(settings.MEDIA_ROOT) / kept.original_path[:2] / f".{kept.original_path[3:]}.ab12"
    draft.write_bytes(b"half")
    other = Path(settings.MEDIA_ROOT) / "00" / "README"
    other.parent.mkdir(exist_ok=True)
    other.write_text("not ours")
    assert prune() == (0, len(set(lost.files)))
    assert cache.is_stored(kept)
    assert other.exists()
    assert draft.exists()  # young: somebody may be writing it
    os.utime(draft, (0, 0))
    prune()
    assert not draft.exists()


@pytest.mark.django_db
def test_what_is_known_of_an_animation_is_not_pruned() -> None:
    load_lines([nft("1", metadata={"mediaUrl": URL})])
    assert prune() == (0, 0)
    assert Nft.objects.get().media == CachedImage.objects.get()


@pytest.mark.django_db
def test_a_file_that_is_referred_to_again_is_not_deleted() -> None:
    image = cached()
    doom([image.original_path])
    assert prune() == (0, 0)
    assert default_storage.exists(image.original_path)


@pytest.mark.django_db
def test_the_same_bytes_count_once_against_the_limit(
    settings: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    image = cached()
    load_lines([nft("2", metadata={"imageUrl": URL + "?2"})])
    clock = Clock()
    due_at(clock)
    worker(Web({URL + "?2": encoded((300, 300), fill=(1, 2, 3))}), clock).work()
    assert (
        usage().used
        == image.disk_size
        == sum(
            default_storage.size(path)
            for path in (image.original_path, image.preview_path, image.thumbnail_path)
        )
    )
    settings.MEDIA_MAX_BYTES = 1
    assert usage().is_full
    load_lines([nft("3", metadata={"imageUrl": URL + "?3"})])
    monkeypatch.setattr(cache_images, "image_fetcher", lambda: Web({}))
    call_command("cache_images")
    told = capsys.readouterr()
    assert "The disk limit is reached" in told.err
    assert "none was due" in told.out
    assert CachedImage.objects.get(url=URL + "?3").state == "pending"


@pytest.mark.django_db
def test_what_was_cached_of_an_image_stays_withheld_though_its_bytes_as_fetched_are_not() -> None:
    """The same picture under another encoding: what is served of it is what was taken down."""
    fetched, cached = "a" * 64, "b" * 64
    WithheldContent.objects.create(hash=cached, reason="Court order 7")
    image = CachedImage.objects.create(
        key=url_key("https://x.example/1.png"),
        url="https://x.example/1.png",
        state=CachedImage.State.WITHHELD,
        next_attempt_at=None,
        source_hash=fetched,
        content_hash=cached,
    )
    assert put_back([image.pk]) == 0
    assert CachedImage.objects.get().state == CachedImage.State.WITHHELD
