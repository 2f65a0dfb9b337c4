"""Writes assets into the same tables as everything else, with all that follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db import DataError, IntegrityError
from django.utils import timezone

from core.db import bulk
from core.db.keys import mint_key
from core.db.texts import storable
from core.db.writing import writing
from core.net.http.uris import BadUriError, canonical
from indexing.das.assets import STANDARD, Asset, nft_facts
from tokens.metadata.nft_facts import fill, name_in
from tokens.metadata.normalise import normalise
from tokens.models import MetadataFetch, Nft, StatedOwnership
from tokens.rarity import computing as rarity
from tokens.store import fetches
from tokens.store.chains import ChainRow
from tokens.store.facts import UNSET, ContractFacts, NftFacts, Unset
from transfers.ledger import factset
from transfers.ledger.factset import FactSet


class Found(NamedTuple):
    """An asset, and where it belongs: a collection, none (``None``), or not said."""

    asset: Asset
    home: str | None | Unset


class Names(NamedTuple):
    """What a collection is called on its chain, as far as it says."""

    name: str | None = None
    symbol: str | None = None


@dataclass(frozen=True, slots=True)
class _Stored:
    """What of a stored NFT decides on what is written of it."""

    id: int
    uri: str | None
    metadata: str | None
    as_of_block: int | None
    is_queued: bool


@dataclass(frozen=True, slots=True)
class Written:
    """``unread``: how many NFTs' documents are to be fetched; ``refused``: what the database cannot hold, and why."""

    unread: int
    refused: Sequence[tuple[Asset, str]] = ()


def write(chain: ChainRow, found: Sequence[Found], names: Mapping[str, Names], asked_at: datetime) -> Written:
    """Write assets of a chain in one transaction; ``asked_at`` is when the node was asked for them.

    Owners are as of the slot that the node had read, else as of ``asked_at``: transfers after that apply on top,
    whenever they are loaded. An answer of before what is stored takes no owner back. Safe to repeat. When the database
    refuses an asset, the others are written without it.
    """
    if not found:
        return Written(0)
    stated = [_facts(chain, asset, home) for asset, home in found]  # not while others wait for the lock
    try:
        with writing():
            return Written(_write(chain, found, stated, names, asked_at))
    except (DataError, IntegrityError) as error:
        if len(found) == 1:
            reason = str(error).partition("\n")[0]
            return Written(0, [(found[0].asset, f"The database refuses it: {reason}.")])
    half = len(found) // 2
    parts = [write(chain, part, names, asked_at) for part in (found[:half], found[half:])]
    return Written(sum(part.unread for part in parts), [one for part in parts for one in part.refused])


def known(chain: ChainRow, mints: Sequence[str]) -> set[str]:
    """Return those of the mints that are stored."""
    keys = [(chain.id, mint_key(mint)) for mint in mints]
    return {row[0][1:] for row in bulk.rows_by(Nft, ("chain_id", "token_key"), keys, ("token_key",))}


def _facts(chain: ChainRow, asset: Asset, home: str | None | Unset) -> tuple[NftFacts, dict[str, Any]]:
    """Return what an asset states of its NFT, and the metadata that its node has read of the author's document."""
    facts = nft_facts(chain.slug, asset, home)
    if isinstance(facts.uri, str):
        facts.uri = _stored_uri(facts.uri)
    metadata = normalise(asset.content.document)
    if metadata:
        fill(facts, metadata)
    return facts, metadata


def _write(
    chain: ChainRow,
    found: Sequence[Found],
    stated: Sequence[tuple[NftFacts, dict[str, Any]]],
    names: Mapping[str, Names],
    asked_at: datetime,
) -> int:
    stored = _stored(chain, [one.asset for one in found])
    facts = FactSet()
    for address in dict.fromkeys(one.home for one in found if isinstance(one.home, str)):
        facts.take(_contract(chain, address, names.get(address, Names())))
    unread, read = [], []
    for (one, metadata), (asset, _) in zip(stated, found, strict=True):
        before = stored.get(asset.mint)
        _date(one, asset, before, asked_at)
        if metadata.keys() - {"name"}:
            name = None if before is None else name_in(before.metadata)
            if name and "name" not in metadata:
                fill(one, {"name": name, **metadata})
            if before is None or before.metadata != one.metadata:
                read.append(one.identity)
        else:
            # A name replaces nothing that was read before.
            if before is not None and before.metadata is not None:
                one.metadata = one.traits = one.image_url = UNSET
            if _is_to_fetch(one, before):
                unread.append(one.identity)
        facts.take(one)
    rows = factset.write(facts).rows
    rarity.changed({rows[identity].contract_id for identity in read}, timezone.now())
    return fetches.request([rows[identity].id for identity in unread], timezone.now())


def _stored_uri(uri: str) -> str:
    """Return the form in which URIs are kept; one that leads nowhere stays as it is written."""
    with suppress(BadUriError):
        uri = canonical(uri)
    return storable(uri)


def _contract(chain: ChainRow, address: str, names: Names) -> ContractFacts:
    """A name that the node does not tell leaves the stored one alone."""
    return ContractFacts(
        chain.slug,
        address,
        standard=STANDARD,
        name=UNSET if names.name is None else storable(names.name),
        symbol=UNSET if names.symbol is None else storable(names.symbol),
    )


def _date(facts: NftFacts, asset: Asset, before: _Stored | None, asked_at: datetime) -> None:
    """Set the moment that the stated owners are as of."""
    if facts.owners is UNSET:
        return
    if asset.slot is None:
        facts.as_of = int(asked_at.timestamp())
    elif before is not None and before.as_of_block is not None and asset.slot < before.as_of_block:
        facts.owners = UNSET
    else:
        facts.as_of_block = asset.slot


def _is_to_fetch(facts: NftFacts, before: _Stored | None) -> bool:
    """Tell whether a document that the node has not read is to be fetched: once, and again when it has moved."""
    if not isinstance(facts.uri, str):
        return False
    return before is None or before.uri != facts.uri or (before.metadata is None and not before.is_queued)


def _stored(chain: ChainRow, assets: Sequence[Asset]) -> dict[str, _Stored]:
    keys = [(chain.id, mint_key(asset.mint)) for asset in assets]
    nfts = bulk.rows_by(Nft, ("chain_id", "token_key"), keys, ("token_key", "id", "uri", "metadata"))
    ids = [(row[1],) for row in nfts]
    blocks: dict[int, int | None] = dict(
        bulk.rows_by(StatedOwnership, ("nft_id",), ids, ("nft_id", "as_of_block"))
    )
    queued = {row[0] for row in bulk.rows_by(MetadataFetch, ("nft_id",), ids, ("nft_id",))}
    return {
        key[1:]: _Stored(nft_id, uri, text, blocks.get(nft_id), nft_id in queued)
        for key, nft_id, uri, text in nfts
    }
