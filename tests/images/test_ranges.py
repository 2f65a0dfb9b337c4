"""Ranges of bytes, which players ask for, as RFC 9110 has them."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from media import cache
from media.files import Renditions
from media.ranges import Part, UnsatisfiableError, part_of
from media.renditions import render
from tests.conftest import Api
from tests.images.one_colour import encoded


@pytest.mark.parametrize(
    ("header", "part"),
    [
        ("bytes=0-0", Part(0, 0)),
        ("bytes=2-5", Part(2, 5)),
        ("bytes=7-", Part(7, 9)),
        ("bytes=7-99", Part(7, 9)),
        ("bytes=-3", Part(7, 9)),
        ("bytes=-30", Part(0, 9)),
        ("Bytes = 1 - 2", Part(1, 2)),
        # What cannot be read, and several ranges, are answered with the whole.
        ("", None),
        ("bytes=", None),
        ("bytes=-", None),
        ("bytes=5-2", None),
        ("bytes=0-1,3-4", None),
        ("lines=0-1", None),
        ("bytes=a-b", None),
        ("bytes=\u0661-\u0662", None),
        (f"bytes=0-{'9' * 5_000}", None),
    ],
)
def test_a_range_of_ten_bytes(header: str, part: Part | None) -> None:
    assert part_of(header, 10) == part


@pytest.mark.parametrize("header", ["bytes=10-", "bytes=10-12", "bytes=-0"])
def test_a_range_behind_the_end_cannot_be_had(header: str) -> None:
    with pytest.raises(UnsatisfiableError):
        part_of(header, 10)


@given(st.integers(0, 30), st.one_of(st.none(), st.integers(0, 40)), st.integers(1, 30))
def test_a_range_is_what_a_slice_is(first: int, last: int | None, size: int) -> None:
    data = bytes(range(size))
    try:
        part = part_of(f"bytes={first}-{'' if last is None else last}", size)
    except UnsatisfiableError:
        assert data[first:] == b""
    else:
        if part is None:
            assert last is not None
            assert last < first
        else:
            assert data[part.first : part.last + 1] == data[first : None if last is None else last + 1]


@pytest.fixture
def image() -> Renditions:
    """A stored image."""
    image = render(encoded((400, 300), "JPEG", fill=(200, 30, 30)))
    cache.store(image)
    return image


def answer(api: Api, image: Renditions, **headers: str) -> tuple[Any, bytes]:
    """The response to a request for the original, and its body."""
    response = api.get(f"/files/{image.original.name}", **headers)
    return response, b"".join(response.streaming_content) if response.streaming else response.content


def test_a_long_header_of_spaces_is_looked_at_once() -> None:
    """Spaces on both sides of digits that are not there: tried in every split, these took minutes."""
    began = time.process_time()
    assert part_of(f"bytes={' ' * 2**16}x", 10) is None
    assert time.process_time() - began < 1


def test_a_part_of_a_file_is_sent(api: Api, image: Renditions) -> None:
    response, body = answer(api, image, range="bytes=10-19")
    assert (response.status_code, body) == (206, image.original.data[10:20])
    assert response["Content-Range"] == f"bytes 10-19/{len(image.original.data)}"
    assert (response["Content-Length"], response["Content-Type"]) == ("10", "image/jpeg")
    assert response["X-Content-Type-Options"] == "nosniff"
    whole, body = answer(api, image)
    assert (whole.status_code, whole["Accept-Ranges"], body) == (200, "bytes", image.original.data)


def test_a_part_behind_the_end_is_a_416(api: Api, image: Renditions) -> None:
    response, _ = answer(api, image, range="bytes=1000000-")
    assert (response.status_code, response["Content-Range"]) == (416, f"bytes */{len(image.original.data)}")
    assert response["Cache-Control"] == "no-store"


def test_head_knows_no_ranges(api: Api, image: Renditions) -> None:
    """RFC 9110, section 14.2: a Range is for GET alone; HEAD tells of the whole."""
    path = f"/files/{image.original.name}"
    for asked in ("bytes=10-19", "bytes=1000000-"):
        response: Any = api.client.head(path, headers={"Range": asked})
        assert (response.status_code, response["Content-Length"]) == (200, str(len(image.original.data)))
        assert "Content-Range" not in response


def test_a_part_of_other_content_is_not_mixed_with_this(api: Api, image: Renditions) -> None:
    response, body = answer(api, image, range="bytes=10-19", if_range='"another"')
    assert (response.status_code, body) == (200, image.original.data)
    etag = response["ETag"]
    assert answer(api, image, range="bytes=10-19", if_range=etag)[0].status_code == 206
