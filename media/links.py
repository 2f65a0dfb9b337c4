"""Absolute URLs of cached images. Pure text: no disk, bucket or database is touched while a request is answered."""

from __future__ import annotations

from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest
from django.urls import get_script_prefix


def file_url(path: str) -> str:
    """Return the URL of a stored file as this service's pages link to it: absolute only where files lie elsewhere."""
    return (settings.MEDIA_PUBLIC_URL or get_script_prefix().rstrip("/") + settings.MEDIA_URL) + quote(path)


class Links:
    """Builds the URLs under which clients reach cached images.

    ``base`` is scheme and host (and prefix) without a trailing slash; files that are served elsewhere
    (``MEDIA_PUBLIC_URL``: a bucket's or a CDN's address) need none.
    """

    def __init__(self, base: str) -> None:
        self.base = base.rstrip("/")

    @classmethod
    def of_request(cls, request: HttpRequest) -> Links:
        """Return the links for a request: under ``PUBLIC_BASE_URL``, else under the host that was asked."""
        return cls(settings.PUBLIC_BASE_URL or request.build_absolute_uri(get_script_prefix()))

    def rendition(self, path: str | None) -> str | None:
        """Return the URL of one rendition; ``None`` where there is none.

        A path is set only once its file is complete, and cleared before the file goes.
        """
        if not path:
            return None
        return (settings.MEDIA_PUBLIC_URL or self.base + settings.MEDIA_URL) + quote(path)
