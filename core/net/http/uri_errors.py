"""Why a URI is not followed."""

from __future__ import annotations


class BadUriError(ValueError):
    """A text that names nothing which could be fetched, or in no way that could be made out. Says why."""


class RefusedUriError(BadUriError):
    """A URI that is well understood and not followed: of a scheme of no use here, or leaving what it names."""
