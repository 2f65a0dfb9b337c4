"""The metadata of a document that a source states with its NFT, read as the body of a fetched one is."""

from __future__ import annotations

from contextlib import suppress

from core.chains import EVM, ChainKind
from core.db.keys import token_id_from_key
from core.net.http import uris
from tokens.metadata.documents import metadata_of
from tokens.metadata.judging import UnusableDocumentError
from tokens.metadata.nft_facts import fill
from tokens.store.facts import NftFacts


def fill_from_document(facts: NftFacts, kind: ChainKind, text: str) -> None:
    """Set what follows from an NFT's document, ``text`` being its JSON; ``kind``: that of the NFT's chain.

    Raises :class:`UnusableDocumentError` for what is no metadata, and sets nothing then. The token id is put for each
    ``{id}`` (EIP-1155); ``as_written`` keeps what holds where the contract is of ERC-721.
    """
    body = text.encode()
    token_id = int(token_id_from_key(facts.token_key)) if kind == EVM else None
    fill(facts, metadata_of(body, "application/json", "", token_id=token_id))
    if token_id is not None and uris.token_id_places(text):
        with suppress(UnusableDocumentError):
            facts.as_written = metadata_of(body, "application/json", "")
