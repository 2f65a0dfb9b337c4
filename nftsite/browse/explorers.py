"""Explorers of chains, where others say what there is: addresses of their pages (setting ``EXPLORERS``)."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from django.conf import settings

from core.rest.states import Link


def of_address(chain: str, address: str) -> Link | None:
    """Return the link to an account, a contract or a mint; ``None`` where no explorer of the chain is named."""
    return _link(chain, "address", address)


def of_transaction(chain: str, transaction: str) -> Link | None:
    """Return the link to a transaction."""
    return _link(chain, "tx", transaction)


def _link(chain: str, kind: str, name: str) -> Link | None:
    base = settings.EXPLORERS.get(chain)
    if not base:
        return None
    host = urlsplit(base).hostname or base
    return Link(host.removeprefix("www."), f"{base}/{kind}/{quote(name, safe='')}")
