"""Stored URIs as answers and the admin show them: at the public gateways of the settings."""

from __future__ import annotations

from django.conf import settings

from core.net.http.uris import public_url


def shown_uri(uri: str) -> str:
    """Return where a browser finds what a stored URI names; the URI itself where it says so, or no gateway is set."""
    return public_url(uri, settings.IPFS_PUBLIC_GATEWAY, settings.ARWEAVE_PUBLIC_GATEWAY)
