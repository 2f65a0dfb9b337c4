"""Prints how the images of a database and its files stand, as one JSON object: `python -m tests.images.standing`.

For a process of its own, since the tests' process has another database.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django

SIZES = ("imageCacheUrl", "imageCachePreviewUrl", "imageCacheThumbnailUrl")


def standing() -> dict[str, Any]:
    """The state of each image, the addresses that records show and which of them are broken, and all files."""
    from django.conf import settings

    from media.models import CachedImage, DoomedFile
    from media.withholding import PATHS

    shown = {url for metadata in records() for url in map(metadata.get, SIZES) if url}
    root = Path(settings.MEDIA_ROOT)
    return {
        "images": {
            image.url: {"state": image.state, "type": image.media_type, "fault": image.fault}
            for image in CachedImage.objects.all()
        },
        "shown": len(shown),
        "broken": sorted(url for url in shown if not is_whole(url)),
        "named": sorted({name for row in CachedImage.objects.values_list(*PATHS) for name in row if name}),
        "waiting": sorted(DoomedFile.objects.filter(deleted_at=None).values_list("name", flat=True)),
        "files": sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()),
    }


def records() -> Iterator[dict[str, Any]]:
    """The metadata of all records, page by page."""
    from django.test import Client

    path, cursor = "/api/v1/nfts/by-token?limit=30", ""
    while True:
        page = Client(headers={"host": "localhost"}).get(path + cursor).json()
        yield from (record["metadata"] for record in page["data"])
        if not page.get("nextCursor"):
            return
        cursor = f"&cursor={page['nextCursor']}"


def is_whole(url: str) -> bool:
    """Whether an address is answered with the bytes whose SHA-256 it names, and with their length."""
    from django.test import Client

    path = url.removeprefix("http://localhost")
    answer = Client(headers={"host": "localhost"}).get(path)
    if answer.status_code != 200:
        return False
    body = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    name = "".join(path.rpartition(".")[0].split("/")[-2:])
    return hashlib.sha256(body).hexdigest() == name and answer.headers["Content-Length"] == str(len(body))


if __name__ == "__main__":
    django.setup()
    json.dump(standing(), sys.stdout)
