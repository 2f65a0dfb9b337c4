"""The guarded fetch of images, as the settings have it."""

from __future__ import annotations

from django.conf import settings

from core.net.http.fetch import Fetcher
from media.files import MAX_BYTES

FETCH_SECONDS = 60.0
"""Seconds within which an image must have come, redirects and all."""


HEAD_BYTES = 64 * 1024
"""As much of an animation tells of what type it is."""


def image_fetcher() -> Fetcher:
    """Return a fetcher for images of up to 50 MiB; may be used from several threads."""
    return _fetcher(MAX_BYTES, is_cut=False)


def head_fetcher() -> Fetcher:
    """Return a fetcher for the first bytes of whatever it is."""
    return _fetcher(HEAD_BYTES, is_cut=True)


def _fetcher(max_body: int, is_cut: bool) -> Fetcher:
    return Fetcher(
        ipfs_gateways=settings.IPFS_GATEWAYS,
        arweave_gateways=settings.ARWEAVE_GATEWAYS,
        max_body=max_body,
        is_cut=is_cut,
        timeout=FETCH_SECONDS,
    )
