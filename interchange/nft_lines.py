"""Lines of NFTs and of transfers, which an NFT's line may hold one of: its last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from core import values
from core.chains import EVM, ChainKind
from interchange import fields
from interchange.jsontext import BadLineError, members
from interchange.members import (
    Kinds,
    Line,
    chain_of,
    contract_of,
    fill_fields,
    name_nft,
    read_value,
    required,
)
from tokens.metadata.judging import UnusableDocumentError
from tokens.metadata.nft_facts import fill
from tokens.metadata.stated import fill_from_document
from tokens.store.facts import UNSET, ContractFacts, NftFacts, OwnerFacts, identity
from transfers.ledger.transfer_facts import TransferFacts

OfNft = ContractFacts | NftFacts | TransferFacts
"""What an NFT's line states."""


def read_nft(line: Line, text: str, chains: Kinds) -> list[OfNft]:
    """Read an NFT, with what its line says of its contract and of its last transfer."""
    slug, kind = chain_of(line, chains)
    token_key = required(line, "tokenId", fields.TOKEN[kind])
    address = contract_of(line, kind)
    facts = NftFacts(slug, token_key, identity(kind, slug, address, token_key), address)
    fill_fields(facts, line, fields.NFT_FIELDS[kind])
    if "owners" in line and line["owners"] is not None:
        facts.owners = read_value("owners", line["owners"], fields.OWNERS[kind])
    elif "owner" in line and line["owner"] is not None:
        holder = read_value("owner", line["owner"], fields.OWNER[kind])
        facts.owners = [] if holder is None else [OwnerFacts(holder, 1)]
    elif "owners" in line or "owner" in line:
        facts.owners = None
    if "metadata" in line or line.get("native") is not None or line.get("lastTransfer") is not None:
        return _read_documents(facts, line, members(text), kind)
    if "native" in line:
        facts.native = None
    return _with_standard(facts, line)


def _read_documents(facts: NftFacts, line: Line, texts: Mapping[str, str], kind: ChainKind) -> list[OfNft]:
    """Read what is kept byte for byte, and the last transfer."""
    metadata = line.get("metadata", UNSET)
    if metadata is None:
        facts.metadata, facts.traits, facts.image_url, facts.media_url = None, [], None, None
    elif metadata is not UNSET:
        if not isinstance(metadata, dict):
            raise BadLineError("`metadata` must be an object.")
        fill(facts, metadata, texts["metadata"])
    if "native" in line:
        facts.native = None if line["native"] is None else texts["native"]
    read = _with_standard(facts, line)
    if line.get("lastTransfer") is not None:
        read.append(_last_transfer(facts, line["lastTransfer"], texts["lastTransfer"], kind))
    return read


def read_document(read: Iterable[object], line: Line, text: str, chains: Kinds) -> str:
    """Take the metadata of an NFT from its document unless the line states it; return why there is none in it."""
    if line.get("metadata") is not None:
        return ""
    facts = next(one for one in read if isinstance(one, NftFacts))
    try:
        fill_from_document(facts, chain_of(line, chains)[1], members(text)["document"])
    except UnusableDocumentError as fault:
        return f"`document`: {fault}"
    return ""


def _with_standard(facts: NftFacts, line: Line) -> list[OfNft]:
    """Add what an NFT's line says of its contract."""
    if line.get("contractStandard") is None:
        return [facts]
    standard = read_value(
        "contractStandard", line["contractStandard"], fields.CONTRACT_FIELDS["contractStandard"].read
    )
    if not isinstance(facts.address, str):  # a mint: the contract is whichever it belongs to
        facts.standard = standard
        return [facts]
    return [ContractFacts(facts.chain, facts.address, standard=standard), facts]


def _last_transfer(nft: NftFacts, line: Any, text: str, kind: ChainKind) -> TransferFacts:
    if not isinstance(line, dict):
        raise BadLineError("`lastTransfer` must be an object.")
    if kind == EVM and "tokenId" in line and line.get("contractAddress") in (None, ""):
        line = line | {"contractAddress": nft.address}  # optional in a transfer record, and known here
    try:
        log_index = (
            None
            if line.get("logIndex") is None
            else read_value("logIndex", line["logIndex"], values.log_index)
        )
        facts = _transfer(line, text, nft.chain, kind, log_index)
        if facts.token_key not in (UNSET, nft.token_key) or (
            kind == EVM and facts.address not in (UNSET, nft.address)
        ):
            raise BadLineError("It is a transfer of another NFT.")
    except BadLineError as fault:
        raise BadLineError(f"`lastTransfer`: {fault}") from None
    facts.token_key, facts.identity = nft.token_key, nft.identity
    if facts.address is UNSET:
        facts.address = nft.address
    return facts


def read_transfer(line: Line, text: str, chains: Kinds) -> list[TransferFacts]:
    """Read a transfer."""
    slug, kind = chain_of(line, chains)
    return [_transfer(line, text, slug, kind, required(line, "logIndex", values.log_index))]


def _transfer(line: Line, text: str, slug: str, kind: ChainKind, log_index: int | None) -> TransferFacts:
    facts = TransferFacts(slug, required(line, "transactionHash", fields.TRANSACTION[kind]), log_index)
    if line.get("batchIndex") is not None:
        facts.batch_index = read_value("batchIndex", line["batchIndex"], values.batch_index)
    name_nft(facts, line, kind)
    fill_fields(facts, line, fields.TRANSFER_FIELDS[kind])
    if "native" in line:
        facts.native = None if line["native"] is None else members(text)["native"]
    return facts
