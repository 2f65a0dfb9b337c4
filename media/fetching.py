"""The guarded fetch of images, as the settings have it."""

from __future__ import annotations

from django.conf import settings

from media.renditions import MAX_BYTES
from nftsite.net.fetch import Fetcher

FETCH_SECONDS = 60.0
"""Seconds within which an image must have come, redirects and all."""


def image_fetcher() -> Fetcher:
    """Return a fetcher for images of up to 50 MiB; may be used from several threads."""
    return Fetcher(
        ipfs_gateways=settings.IPFS_GATEWAYS,
        arweave_gateways=settings.ARWEAVE_GATEWAYS,
        max_body=MAX_BYTES,
        timeout=FETCH_SECONDS,
    )
