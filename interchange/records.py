"""One line of the interchange format: JSON text in, typed and validated facts out.

Tables (:mod:`interchange.fields`) say which keys there are and how each is read. What is derived (counts, cache
URLs, order books) may stand in a line and means nothing; of all other keys it is told that they are not taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from core import values
from core.chains import EVM, MINT, ChainKind
from interchange import fields
from interchange.jsontext import BadLineError, members, read_object
from interchange.members import (
    Kinds,
    Line,
    chain_of,
    contract_of,
    fill_fields,
    name_nft,
    read_value,
    required,
    required_or_null,
)
from interchange.unknown import unknown_keys
from tokens.metadata.judging import UnusableDocumentError
from tokens.metadata.nft_facts import fill
from tokens.metadata.stated import fill_from_document
from tokens.store import currencies
from tokens.store.facts import (
    UNSET,
    AskFacts,
    ChainFacts,
    ContractFacts,
    CurrencyFacts,
    CurrencyTokenFacts,
    EnsFacts,
    MarketFacts,
    NftFacts,
    OwnerFacts,
    RateFacts,
    TakedownFacts,
    identity,
)
from transfers.ledger.transfer_facts import MarketContractFacts, TransferFacts

Facts = (
    ChainFacts
    | CurrencyFacts
    | CurrencyTokenFacts
    | MarketFacts
    | MarketContractFacts
    | ContractFacts
    | NftFacts
    | TransferFacts
    | AskFacts
    | TakedownFacts
    | RateFacts
    | EnsFacts
)


@dataclass(slots=True)
class NotTaken:
    """What of a line is not taken though the line stands: keys that are not known; why its document is of no use."""

    keys: Sequence[str] = ()
    document: str = ""


def read_line(text: str, chains: Kinds, left: NotTaken | None = None) -> list[Facts]:
    """Return what a line states, in order. Raises :class:`BadLineError` with the reason when it cannot be taken.

    ``left`` gets what of the line is not taken.
    """
    line = read_object(text)
    record = line.get("record")
    reader = _READERS.get(record) if isinstance(record, str) else None
    if reader is None:
        known = ", ".join(_READERS)
        raise BadLineError(f"`record` is missing or unknown: it must be one of {known}.")
    facts = reader(line, text, chains)
    fault = _read_document(facts, line, text, chains) if record == "nft" and "document" in line else ""
    if left is not None:
        left.keys, left.document = unknown_keys(line), fault
    return facts


def _read_chain(line: Line, text: str, chains: Kinds) -> list[Facts]:
    facts = ChainFacts(required(line, "chain", values.chain_slug))
    fill_fields(facts, line, fields.CHAIN_FIELDS)
    return [facts]


def _read_currency(line: Line, text: str, chains: Kinds) -> list[Facts]:
    facts = CurrencyFacts(required(line, "currency", values.symbol))
    fill_fields(facts, line, fields.CURRENCY_FIELDS)
    relations = (None if one is UNSET else one for one in (facts.alias_of, facts.wraps))
    fault = currencies.fault(facts.symbol, *relations)
    if fault:
        raise BadLineError(fault)
    return [facts]


def _read_currency_token(line: Line, text: str, chains: Kinds) -> list[Facts]:
    slug, kind = chain_of(line, chains)
    address = required(line, "contractAddress", fields.ACCOUNT[kind])
    facts = CurrencyTokenFacts(slug, address, required_or_null(line, "currency", values.symbol))
    fill_fields(facts, line, fields.CURRENCY_TOKEN_FIELDS)
    return [facts]


def _read_market(line: Line, text: str, chains: Kinds) -> list[Facts]:
    facts = MarketFacts(required(line, "marketplace", values.slug))
    fill_fields(facts, line, fields.MARKET_FIELDS)
    return [facts]


def _read_market_contract(line: Line, text: str, chains: Kinds) -> list[Facts]:
    slug, kind = chain_of(line, chains)
    if kind != EVM:
        raise BadLineError("`chain` is not an EVM chain: its transfers come with their markets.")
    address = required(line, "contractAddress", values.evm_address)
    facts = MarketContractFacts(slug, address, required_or_null(line, "marketplace", values.slug))
    fill_fields(facts, line, fields.MARKET_CONTRACT_FIELDS)
    # Only such a line needs it: what loads all others stays free of the indexer.
    from indexing.judge.markets.registry import PROTOCOLS

    if facts.protocol not in (UNSET, None) and facts.protocol not in PROTOCOLS:
        raise BadLineError(f"`protocol` must be one of {', '.join(sorted(PROTOCOLS))}.")
    return [facts]


def _read_takedown(line: Line, text: str, chains: Kinds) -> list[Facts]:
    """Read a takedown; a reason that is an empty text is one all the same: nobody said why."""
    if "reason" not in line:
        raise BadLineError("`reason` is missing: `null` lifts a takedown.")
    stated = line["reason"]
    facts = TakedownFacts(None if stated is None else read_value("reason", stated, values.text(10_000)) or "")
    named = [one for one in ("chain", "contentHash", "url") if line.get(one) not in (None, "")]
    if len(named) != 1:
        raise BadLineError(
            "One of `contentHash`, `url` or `chain` with a contract or NFT is needed, and one alone."
        )
    if named == ["contentHash"]:
        facts.content_hash = read_value("contentHash", line["contentHash"], values.content_hash)
    elif named == ["url"]:
        facts.url = read_value("url", line["url"], values.stored_url)
    else:
        facts.chain, kind = chain_of(line, chains)
        if line.get("tokenId") in (None, ""):
            facts.address = _contract_or_none(line, kind)
        else:
            facts.token_key = required(line, "tokenId", fields.TOKEN[kind])
            address = contract_of(line, kind)
            facts.identity = identity(kind, facts.chain, address, facts.token_key)
    return [facts]


def _contract_or_none(line: Line, kind: ChainKind) -> str:
    """Return the contract that a line is about; an empty text stands for a chain's mints of no collection."""
    if kind == MINT and line.get("contractAddress") == "":
        return ""
    address: str = required(line, "contractAddress", fields.CONTRACT[kind])
    return address


def _read_contract(line: Line, text: str, chains: Kinds) -> list[Facts]:
    slug, kind = chain_of(line, chains)
    facts = ContractFacts(slug, _contract_or_none(line, kind))
    fill_fields(facts, line, fields.CONTRACT_FIELDS)
    return [facts]


def _read_nft(line: Line, text: str, chains: Kinds) -> list[Facts]:
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


def _read_documents(facts: NftFacts, line: Line, texts: Mapping[str, str], kind: ChainKind) -> list[Facts]:
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


def _read_document(read: list[Facts], line: Line, text: str, chains: Kinds) -> str:
    """Take the metadata of an NFT from its document unless the line states it; return why there is none in it."""
    if line.get("metadata") is not None:
        return ""
    facts = next(one for one in read if isinstance(one, NftFacts))
    try:
        fill_from_document(facts, chain_of(line, chains)[1], members(text)["document"])
    except UnusableDocumentError as fault:
        return f"`document`: {fault}"
    return ""


def _with_standard(facts: NftFacts, line: Line) -> list[Facts]:
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


def _read_transfer(line: Line, text: str, chains: Kinds) -> list[Facts]:
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


def _read_ask(line: Line, text: str, chains: Kinds) -> list[Facts]:
    slug, kind = chain_of(line, chains)
    marketplace = required(line, "marketplace", values.slug)
    facts = AskFacts(slug, marketplace, required(line, "orderHash", values.order_hash))
    name_nft(facts, line, kind)
    fill_fields(facts, line, fields.ASK_FIELDS[kind])
    if isinstance(facts.end_price, Decimal):
        since, until = facts.price_from, facts.price_until
        if not (isinstance(since, int) and isinstance(until, int) and since < until):
            raise BadLineError("`endPrice` needs a `priceFrom` and, after that, a `priceUntil`.")
    return [facts]


def _read_rate(line: Line, text: str, chains: Kinds) -> list[Facts]:
    usd = required_or_null(line, "usd", values.decimal(30))
    currency = required(line, "currency", values.symbol)
    return [RateFacts(currency, required(line, "timestamp", values.seconds), usd)]


def _read_ens(line: Line, text: str, chains: Kinds) -> list[Facts]:
    address = required_or_null(line, "address", values.evm_address)
    name = required(line, "name", fields.ens_name)
    return [EnsFacts(name, address)]


_READERS = {
    "chain": _read_chain,
    "currency": _read_currency,
    "currencyToken": _read_currency_token,
    "market": _read_market,
    "marketContract": _read_market_contract,
    "contract": _read_contract,
    "nft": _read_nft,
    "transfer": _read_transfer,
    "ask": _read_ask,
    "takedown": _read_takedown,
    "rate": _read_rate,
    "ens": _read_ens,
}
