"""Reads one document and what it says; nothing that an author wrote comes out as anything but a result."""

from __future__ import annotations

import logging
import threading
from contextlib import nullcontext
from dataclasses import replace

from core.chains import EVM
from core.db.keys import token_id_from_key
from core.db.texts import storable
from core.net.http.data_uris import is_data_uri
from core.net.http.fetch import Fetched, Fetcher, FetchError, FetchKind
from core.net.http.uris import BadUriError, canonical, with_token_id
from tokens.metadata.documents import file_of, metadata_of
from tokens.metadata.hosts import Silences, place_of
from tokens.metadata.inline import data_uri_of
from tokens.metadata.items import Document, Item, Result
from tokens.metadata.judging import UnusableDocumentError
from tokens.metadata.nft_facts import fill, name_in
from tokens.metadata.outcomes import READ, broken, no_metadata, of_error, passed_over, unusable
from tokens.metadata.relative import within
from tokens.metadata.shortening import kept_uri
from tokens.store.facts import NftFacts

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
    """Return the canonical form of where an NFT's document is, or what is wrong with it. Raises nothing.

    Of a document that stands there itself it is the ``data:`` URI.
    """
    try:
        written_out = data_uri_of(uri)
        if written_out is not None:
            return canonical(written_out)
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

    def read(self, item: Item, uri: str, block: int | None, file: Result | None = None) -> Result:
        """Return what the document at a canonical URI, which the contract named at a block, says. Raises nothing.

        ``file``: what came of the token's own URI, where that led to the work itself and this is the document beside.
        """
        facts = item.facts()
        facts.uri = kept_uri(uri) if file is None or file.facts is None else file.facts.uri
        place = place_of(uri)
        silence = self._silences.left(place) if place else 0.0
        if silence:
            return without_document(Result(item, passed_over(place, silence), facts), file)
        try:
            return self._understood(item, facts, self._fetch(uri, place), uri, block, file)
        except FetchError as fault:
            is_large = fault.kind is FetchKind.TOO_LARGE and file is None and not is_data_uri(uri)
            found = Result(item, of_error(fault), facts, file={"mediaUrl": uri} if is_large else None)
        except UnusableDocumentError as fault:
            found = Result(item, no_metadata(fault), facts)
        except Exception as fault:
            found = _broken(item, fault)
        return without_document(found, file)

    def _understood(
        self, item: Item, facts: NftFacts, fetched: Fetched, uri: str, block: int | None, file: Result | None
    ) -> Result:
        token_id = _id_to_fill_in(item)
        of_file = None if file is None else file.file
        with _large if len(fetched.body) > LARGE else nullcontext():
            found = file_of(fetched.body, fetched.media_type, uri, canonical) if of_file is None else None
            metadata = found or metadata_of(
                fetched.body, fetched.media_type, uri, within(fetched.url, canonical), token_id, of_file
            )
        name = name_in(item.chain_told)
        if name and "name" not in metadata:
            metadata = {"name": name, **metadata}
        fill(facts, metadata)
        url, media_type = storable(fetched.url[:MAX_URL]), storable(fetched.media_type[:MAX_MEDIA_TYPE])
        return Result(item, READ, facts, Document(url, fetched.body, media_type, block), found)

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


def without_document(found: Result, file: Result | None) -> Result:
    """Return what comes of a file beside which there is a document that cannot be read now.

    The file alone is told where nothing is known of the NFT yet, so that it takes no name away.
    """
    if file is None or file.facts is None or found.item.has_metadata or file.document is None:
        return found
    return replace(found, facts=file.facts, document=file.document)


def _broken(item: Item, fault: Exception) -> Result:
    """Whatever a document does to us: it must not stop the others."""
    logger.error("The metadata of NFT %d cannot be read", item.nft_id, exc_info=fault)
    return Result(item, broken("It cannot be read", fault))
