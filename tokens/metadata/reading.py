"""Reads one document and what it says; nothing that an author wrote comes out as anything but a result."""

from __future__ import annotations

import logging
import threading
from contextlib import nullcontext

from nftsite.chains import EVM
from nftsite.db.keys import token_id_from_key
from nftsite.db.texts import storable
from nftsite.net.fetch import Fetched, Fetcher, FetchError, FetchKind
from nftsite.net.uris import BadUriError, canonical, with_token_id
from tokens.facts import NftFacts
from tokens.limits import kept_uri
from tokens.metadata.documents import metadata_of
from tokens.metadata.facts import fill, name_in
from tokens.metadata.hosts import Silences, place_of
from tokens.metadata.items import Document, Item, Result
from tokens.metadata.judging import UnusableDocumentError
from tokens.metadata.outcomes import READ, broken, no_metadata, of_error, passed_over, unusable

MAX_URL = 2_000
"""Characters kept of where a document was found."""

MAX_MEDIA_TYPE = 200

LARGE = 256 << 10
"""Bytes above which a document counts as a large one: what it is parsed to takes many times as much memory."""

LARGE_AT_ONCE = 2
"""Large documents parsed at a time, by all threads of a process together."""

_large = threading.BoundedSemaphore(LARGE_AT_ONCE)

logger = logging.getLogger(__name__)


def locate(item: Item, uri: str) -> str | Result:
    """Return the canonical form of where an NFT's document is, or what is wrong with it. Raises nothing."""
    try:
        token_id = _id_to_fill_in(item)
        return canonical(uri if token_id is None else with_token_id(uri, token_id))
    except BadUriError as fault:
        return Result(item, unusable(f"The URI is of no use: {fault}"))
    except Exception as fault:
        return _broken(item, fault)


def _id_to_fill_in(item: Item) -> int | None:
    """Return what stands for ``{id}``: one URI, and one document, may be for all tokens (EIP-1155; not ERC-721)."""
    is_shared = item.kind == EVM and item.standard != "ERC721"
    return int(token_id_from_key(item.token_key)) if is_shared else None


class Reader:
    """Fetches documents. May be used from several threads. ``silences``: places that do not answer are passed over."""

    def __init__(self, fetcher: Fetcher, silences: Silences) -> None:
        self._fetcher = fetcher
        self._silences = silences

    def read(self, item: Item, uri: str, block: int | None) -> Result:
        """Return what the document at a canonical URI, which the contract named at a block, says. Raises nothing."""
        facts = item.facts()
        facts.uri = kept_uri(uri)
        place = place_of(uri)
        silence = self._silences.left(place) if place else 0.0
        if silence:
            return Result(item, passed_over(place, silence), facts)
        try:
            return self._understood(item, facts, self._fetch(uri, place), uri, block)
        except FetchError as fault:
            return Result(item, of_error(fault), facts)
        except Exception as fault:
            return _broken(item, fault)

    def _understood(
        self, item: Item, facts: NftFacts, fetched: Fetched, uri: str, block: int | None
    ) -> Result:
        try:
            token_id = _id_to_fill_in(item)
            with _large if len(fetched.body) > LARGE else nullcontext():
                metadata = metadata_of(fetched.body, fetched.media_type, uri, canonical, token_id)
        except UnusableDocumentError as fault:
            return Result(item, no_metadata(fault), facts)
        name = name_in(item.chain_told)
        if name and "name" not in metadata:
            metadata = {"name": name, **metadata}
        fill(facts, metadata)
        url, media_type = storable(fetched.url[:MAX_URL]), storable(fetched.media_type[:MAX_MEDIA_TYPE])
        return Result(item, READ, facts, Document(url, fetched.body, media_type, block))

    def _fetch(self, uri: str, place: str) -> Fetched:
        try:
            fetched = self._fetcher.fetch(uri)
        except FetchError as fault:
            if fault.kind is FetchKind.UNREACHABLE:
                self._silences.failed(place, fault.retry_after)
            else:
                self._silences.answered(place)
            raise
        self._silences.answered(place)
        return fetched


def _broken(item: Item, fault: Exception) -> Result:
    """Whatever a document does to us: it must not stop the others."""
    logger.error("The metadata of NFT %d cannot be read", item.nft_id, exc_info=fault)
    return Result(item, broken("It cannot be read", fault))
