"""Keeps vetted images: files under the names of their content, and the row that says they are ready."""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from media.models import CachedImage
from media.renditions import File, Renditions


def store(renditions: Renditions) -> None:
    """Write the files of an image. Safe to repeat, and to kill at any moment: no name ever has half of its content."""
    for file in renditions.files:
        _store(file)


def is_stored(image: CachedImage) -> bool:
    """Tell whether the files that a row names are all there."""
    names = (image.original_path, image.preview_path, image.thumbnail_path)
    return all(name and default_storage.exists(name) for name in names)


def make_ready(image: CachedImage, renditions: Renditions) -> None:
    """Fill an image's row with what is stored of it; saving it is the caller's.

    Call it after :func:`store`: a path that is set can be served.
    """
    image.state = CachedImage.State.READY
    image.fault = image.lease = ""
    image.attempts = 0
    image.next_attempt_at = None
    image.media_type = renditions.media_type
    image.content_hash = renditions.content_hash
    image.byte_size = len(renditions.original.data)
    image.disk_size = sum(len(file.data) for file in renditions.files)
    image.width, image.height = renditions.width, renditions.height
    image.original_path = renditions.original.name
    image.preview_path = renditions.preview.name
    image.thumbnail_path = renditions.thumbnail.name


def clear(image: CachedImage) -> None:
    """Have an image's row name no file any more; saving it, and deleting the files, is the caller's."""
    image.content_hash = image.original_path = image.preview_path = image.thumbnail_path = ""
    image.byte_size = image.width = image.height = None
    image.disk_size = 0


READY_FIELDS = (
    *("state", "fault", "lease", "attempts", "next_attempt_at", "media_type", "content_hash", "byte_size"),
    *("disk_size", "width", "height", "original_path", "preview_path", "thumbnail_path"),
)
"""The fields that :func:`make_ready` sets."""


def _store(file: File) -> None:
    if default_storage.exists(file.name):
        return  # the name is the content's hash, and names appear whole
    try:
        path = Path(default_storage.path(file.name))
    except NotImplementedError:  # no folder but a bucket, in which objects appear whole
        default_storage.save(file.name, ContentFile(file.data))
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    # FileSystemStorage.save writes to the final name, where a kill would leave half a file.
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        draft.write_bytes(file.data)
        draft.replace(path)
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()
