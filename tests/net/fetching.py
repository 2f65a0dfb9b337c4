"""Fetchers for tests: one address of loopback counts as public, everything else is guarded as ever."""

from __future__ import annotations

from typing import Any

import pytest

from core.net.http.fetch import Fetched, Fetcher, FetchError, FetchKind
from tests.net.hostile import PUBLIC, HostileServer, Names
from tests.patience import PATIENCE

HURRIED = 0.6
"""Seconds that a fetcher has where a server keeps it waiting: so few that a test may wait for their end."""

MAX_BODY = 100_000


def fetcher_for(*servers: HostileServer, **options: Any) -> Fetcher:
    """Return a fetcher that may ask the ports of the servers at PUBLIC."""
    defaults: dict[str, Any] = {
        "ipfs_gateways": [],
        "arweave_gateways": [],
        "timeout": PATIENCE,
        "max_body": MAX_BODY,
        "resolve": Names(),
        "is_allowed": lambda address: address == PUBLIC,
        "ports": frozenset({80, 443, *(server.port for server in servers)}),
    }
    return Fetcher(**{**defaults, **options})


def fault(fetcher: Fetcher, uri: str) -> FetchError:
    """Return the failure to fetch a URI."""
    with pytest.raises(FetchError) as caught:
        fetcher.fetch(uri)
    return caught.value


def outcome(fetcher: Fetcher, uri: str) -> Fetched | FetchKind:
    """Return what a URI gives, or of which kind its failure is."""
    try:
        return fetcher.fetch(uri)
    except FetchError as error:
        return error.kind
