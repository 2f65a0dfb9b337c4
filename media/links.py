"""Absolute URLs of cached images. Pure text: no disk, bucket or database is touched while a request is answered."""

from __future__ import annotations

from django.conf import settings
from django.core.files.storage import default_storage
from django.http import HttpRequest

from media.models import CachedImage


class Links:
    """Builds the URLs under which clients reach cached images.

    ``base`` is scheme and host (and prefix) without a trailing slash; a storage that knows absolute URLs of its own, a
    bucket's, needs none.
    """

    def __init__(self, base: str) -> None:
        self.base = base.rstrip("/")

    @classmethod
    def of_request(cls, request: HttpRequest) -> Links:
        """Return the links for a request: under ``PUBLIC_BASE_URL``, else under the host that was asked."""
        return cls(settings.PUBLIC_BASE_URL or request.build_absolute_uri("/"))

    def rendition(self, state: str | None, path: str | None) -> str | None:
        """Return the URL of one rendition; ``None`` unless its image is ready and this rendition exists.

        Each rendition is optional by itself: a path is set only once its file is complete.
        """
        if state != CachedImage.State.READY or not path:
            return None
        url = default_storage.url(path)
        return self.base + url if url.startswith("/") else url
