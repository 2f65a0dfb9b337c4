"""Keeps vetted images: files under the names of their content, and the row that says they are ready."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from media.files import File, Renditions
from media.models import CachedImage


def store(renditions: Renditions) -> None:
    """Write the files of an image. Safe to repeat, and to kill at any moment: no name ever has half of its content.

    When it returns they survive a power cut too.
    """
    folders = {folder for file in renditions.files for folder in _store(file)}
    for folder in folders:
        _sync(folder)


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


def _store(file: File) -> list[Path]:
    """Write a file, and return the folders in which its name is not yet safe from a power cut."""
    try:
        path = Path(default_storage.path(file.name))
    except NotImplementedError:  # no folder but a bucket, in which objects appear whole
        if not default_storage.exists(file.name):
            default_storage.save(file.name, ContentFile(file.data))
        return []
    folders = [path.parent]
    if path.exists():
        return folders  # names appear whole, with the content they are the hash of; maybe just now
    if not path.parent.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        folders.append(path.parent.parent)
    # FileSystemStorage.save writes to the final name, where a kill would leave half a file.
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with draft.open("wb") as written:
            written.write(file.data)
            written.flush()
            # Before it has its name: or a power cut could leave that with nothing in it.
            os.fsync(written.fileno())
        draft.replace(path)
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()
    return folders


def _sync(folder: Path) -> None:
    """Have the names in a folder survive a power cut."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
