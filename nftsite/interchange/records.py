"""One line of the interchange format: JSON text in, typed and validated facts out.

A table a record kind says which keys there are, where each goes and how its value is read. Keys that no table has are
ignored: what is derived (counts, cache URLs, order books) may stand in a line and means nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from nftsite.chains import EVM, MINT, ChainKind
from nftsite.interchange import values
from nftsite.interchange.jsontext import BadLineError, members, read_object
from nftsite.interchange.nested import nft_value, owner_list, owner_of, swap_list, trait_list, url_of_image
from nftsite.interchange.values import Reader, WrongValueError
from tokens import ens
from tokens.facts import (
    UNSET,
    AskFacts,
    ChainFacts,
    ContractFacts,
    EnsFacts,
    NftFacts,
    OwnerFacts,
    RateFacts,
)
from transfers.facts import TransferFacts

Facts = ChainFacts | ContractFacts | NftFacts | TransferFacts | AskFacts | RateFacts | EnsFacts
Line = dict[str, Any]
Kinds = Mapping[str, tuple[str, ChainKind]]
"""Slug and kind of each known chain, by every name it has in lower case."""


class Field(NamedTuple):
    """Where a key's value goes; ``clears``: whether ``null`` is taken, and clears it."""

    name: str
    read: Reader
    clears: bool = True


def ens_name(value: Any) -> str | None:
    """An ENS name in its normal form."""
    if not values.string(value):
        return None
    try:
        return ens.normalised(value)
    except ValueError as error:
        raise WrongValueError(f"is not a valid ENS name: {error}.") from None


# What depends on the kind of chain: readers of (contract, token id, account, transaction).
_CONTRACT: dict[ChainKind, Reader] = {EVM: values.evm_address, MINT: values.collection}
_TOKEN: dict[ChainKind, Reader] = {EVM: values.evm_token, MINT: values.mint_token}
_ACCOUNT: dict[ChainKind, Reader] = {EVM: values.evm_address, MINT: values.mint_account}
_TRANSACTION: dict[ChainKind, Reader] = {EVM: values.evm_hash, MINT: values.mint_signature}

_MARKED = {
    "marked": Field("marked", values.flag),
    "markedReason": Field("marked_reason", values.text(10_000)),
}
_CONTRACT_FIELDS = _MARKED | {
    "contractStandard": Field("standard", values.text(40)),
    "name": Field("name", values.text(10_000)),
    "symbol": Field("symbol", values.text(10_000)),
    "ensName": Field("ens_name", ens_name),
}
_CHAIN_FIELDS = {
    "kind": Field("kind", values.one_of(EVM, MINT), clears=False),
    "chainId": Field("chain_id", values.whole(2**63 - 1)),
    "nativeCurrency": Field("native_currency", values.symbol, clears=False),
}


def _nft_fields(kind: ChainKind) -> dict[str, Field]:
    return _MARKED | {
        "uri": Field("uri", values.text(10_000_000)),
        "rarity": Field("rarity", values.number),
        "rank": Field("rank", values.number),
        "minter": Field("minter", owner_of(_ACCOUNT[kind])),
        "markets": Field("markets", values.slugs),
        "asOfBlock": Field("as_of_block", values.block),
        "asOf": Field("as_of", values.seconds),
    }


def _transfer_fields(kind: ChainKind) -> dict[str, Field]:
    account = _ACCOUNT[kind]
    return {
        "blockNumber": Field("block_number", values.block, clears=False),
        "timestamp": Field("timestamp", values.seconds, clears=False),
        "fromAddress": Field("from_address", account),
        "toAddress": Field("to_address", account),
        "transactionFrom": Field("transaction_from", account),
        "amount": Field("amount", values.uint256, clears=False),
        "value": Field("value", values.uint256),
        "nftValue": Field("nft_value", nft_value(account)),
        "usdValue": Field("usd_value", values.amount_of_money),
        "ethValue": Field("eth_value", values.amount_of_money),
        "isCommercial": Field("is_commercial", values.flag),
        "transferType": Field("transfer_type", values.one_of("mint", "transfer", "sale", "swap", "burn")),
        "markets": Field("markets", values.slugs),
        "swaps": Field("swaps", swap_list(account, _TOKEN[kind])),
    }


def _ask_fields(kind: ChainKind) -> dict[str, Field]:
    return {
        "currency": Field("currency", values.symbol, clears=False),
        "price": Field("price", values.decimal(60), clears=False),
        "amount": Field("amount", values.uint256),
        "maker": Field("maker", _ACCOUNT[kind]),
        "validFrom": Field("valid_from", values.seconds),
        "validUntil": Field("valid_until", values.seconds),
        "status": Field("status", values.one_of("open", "filled", "cancelled")),
    }


_KINDS: tuple[ChainKind, ...] = (EVM, MINT)
_NFT_FIELDS = {kind: _nft_fields(kind) for kind in _KINDS}
_TRANSFER_FIELDS = {kind: _transfer_fields(kind) for kind in _KINDS}
_ASK_FIELDS = {kind: _ask_fields(kind) for kind in _KINDS}
_OWNERS = {kind: owner_list(_ACCOUNT[kind]) for kind in _KINDS}
_OWNER = {kind: owner_of(_ACCOUNT[kind]) for kind in _KINDS}


def read_line(text: str, chains: Kinds) -> list[Facts]:
    """Return what a line states, in order. Raises :class:`BadLineError` with the reason when it cannot be taken."""
    line = read_object(text)
    record = line.get("record")
    reader = _READERS.get(record) if isinstance(record, str) else None
    if reader is None:
        known = ", ".join(_READERS)
        raise BadLineError(f"`record` is missing or unknown: it must be one of {known}.")
    return reader(line, text, chains)


def _read_chain(line: Line, text: str, chains: Kinds) -> list[Facts]:
    facts = ChainFacts(_required(line, "chain", values.chain_slug))
    _fill(facts, line, _CHAIN_FIELDS)
    return [facts]


def _read_contract(line: Line, text: str, chains: Kinds) -> list[Facts]:
    slug, kind = _chain(line, chains)
    facts = ContractFacts(slug, _required(line, "contractAddress", _CONTRACT[kind]))
    _fill(facts, line, _CONTRACT_FIELDS)
    return [facts]


def _read_nft(line: Line, text: str, chains: Kinds) -> list[Facts]:
    slug, kind = _chain(line, chains)
    facts = NftFacts(slug, _required(line, "tokenId", _TOKEN[kind]))
    facts.address = _contract_of(line, kind)
    _fill(facts, line, _NFT_FIELDS[kind])
    if "owners" in line and line["owners"] is not None:
        facts.owners = _read("owners", line["owners"], _OWNERS[kind])
    elif "owner" in line and line["owner"] is not None:
        holder = _read("owner", line["owner"], _OWNER[kind])
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
        facts.metadata, facts.traits, facts.image_url = None, [], None
    elif metadata is not UNSET:
        if not isinstance(metadata, dict):
            raise BadLineError("`metadata` must be an object.")
        facts.metadata = texts["metadata"]
        facts.traits = trait_list(metadata.get("traits"))
        facts.image_url = url_of_image(metadata)
    if "native" in line:
        facts.native = None if line["native"] is None else texts["native"]
    read = _with_standard(facts, line)
    if line.get("lastTransfer") is not None:
        read.append(_last_transfer(facts, line["lastTransfer"], texts["lastTransfer"], kind))
    return read


def _with_standard(facts: NftFacts, line: Line) -> list[Facts]:
    """Add what an NFT's line says of its contract."""
    if line.get("contractStandard") is None:
        return [facts]
    standard = _read("contractStandard", line["contractStandard"], _CONTRACT_FIELDS["contractStandard"].read)
    if not isinstance(facts.address, str):  # a mint: the contract is whichever it belongs to
        facts.standard = standard
        return [facts]
    return [ContractFacts(facts.chain, facts.address, standard=standard), facts]


def _last_transfer(nft: NftFacts, line: Any, text: str, kind: ChainKind) -> TransferFacts:
    if not isinstance(line, dict):
        raise BadLineError("`lastTransfer` must be an object.")
    try:
        log_index = (
            None if line.get("logIndex") is None else _read("logIndex", line["logIndex"], values.log_index)
        )
        facts = _transfer(line, text, nft.chain, kind, log_index)
        if facts.token_key not in (UNSET, nft.token_key) or (
            kind == EVM and facts.address not in (UNSET, nft.address)
        ):
            raise BadLineError("It is a transfer of another NFT.")
    except BadLineError as fault:
        raise BadLineError(f"`lastTransfer`: {fault}") from None
    facts.token_key, facts.address = (
        nft.token_key,
        facts.address if facts.address is not UNSET else nft.address,
    )
    return facts


def _read_transfer(line: Line, text: str, chains: Kinds) -> list[Facts]:
    slug, kind = _chain(line, chains)
    return [_transfer(line, text, slug, kind, _required(line, "logIndex", values.log_index))]


def _transfer(line: Line, text: str, slug: str, kind: ChainKind, log_index: int | None) -> TransferFacts:
    facts = TransferFacts(slug, _required(line, "transactionHash", _TRANSACTION[kind]), log_index)
    if line.get("batchIndex") is not None:
        facts.batch_index = _read("batchIndex", line["batchIndex"], values.batch_index)
    _name_nft(facts, line, kind)
    _fill(facts, line, _TRANSFER_FIELDS[kind])
    if "native" in line:
        facts.native = None if line["native"] is None else members(text)["native"]
    return facts


def _read_ask(line: Line, text: str, chains: Kinds) -> list[Facts]:
    slug, kind = _chain(line, chains)
    marketplace = _required(line, "marketplace", values.slug)
    facts = AskFacts(slug, marketplace, _required(line, "orderHash", values.order_hash))
    _name_nft(facts, line, kind)
    _fill(facts, line, _ASK_FIELDS[kind])
    return [facts]


def _read_rate(line: Line, text: str, chains: Kinds) -> list[Facts]:
    if "usd" not in line:
        raise BadLineError("`usd` is missing.")
    usd = None if line["usd"] is None else _read("usd", line["usd"], values.decimal(30))
    currency = _required(line, "currency", values.symbol)
    return [RateFacts(currency, _required(line, "timestamp", values.seconds), usd)]


def _read_ens(line: Line, text: str, chains: Kinds) -> list[Facts]:
    if "address" not in line:
        raise BadLineError("`address` is missing.")
    name = _required(line, "name", ens_name)
    address = None if line["address"] is None else _read("address", line["address"], values.evm_address)
    return [EnsFacts(name, address)]


def _chain(line: Line, chains: Kinds) -> tuple[str, ChainKind]:
    named = line.get("chain")
    if named is None:
        raise BadLineError("`chain` is missing.")
    found = chains.get(str(named).lower()) if isinstance(named, str | int) else None
    if found is None:
        raise BadLineError("`chain` is not a known chain: a line of record `chain` must come before its use.")
    return found


def _contract_of(line: Line, kind: ChainKind) -> Any:
    """Return the contract that an NFT's line names: required on an EVM chain, an attribute elsewhere."""
    if kind == EVM:
        return _required(line, "contractAddress", values.evm_address)
    if "contractAddress" not in line:
        return UNSET
    stated = line["contractAddress"]
    return None if stated in (None, "") else _read("contractAddress", stated, values.collection)


def _name_nft(facts: TransferFacts | AskFacts, line: Line, kind: ChainKind) -> None:
    """Set the NFT that a transfer or an ask is of; a line for one that is known may leave it out."""
    if "tokenId" in line or (kind == EVM and "contractAddress" in line):
        facts.token_key = _required(line, "tokenId", _TOKEN[kind])
        if kind == EVM or line.get("contractAddress") not in (None, ""):
            facts.address = _required(line, "contractAddress", _CONTRACT[kind])


def _required(line: Line, name: str, read: Reader) -> Any:
    value = line.get(name)
    if value is None or value == "":
        raise BadLineError(f"`{name}` is missing.")
    try:
        return read(value)
    except WrongValueError as fault:
        raise BadLineError(f"`{name}` {fault}") from None


def _read(name: str, value: Any, read: Reader) -> Any:
    try:
        return read(value)
    except WrongValueError as fault:
        raise BadLineError(f"`{name}` {fault}") from None


def _fill(facts: Facts, line: Line, fields: Mapping[str, Field]) -> None:
    """Set what the line holds; an empty string counts as null."""
    for name, value in line.items():
        field = fields.get(name)
        if field is None:
            continue
        attribute, read, clears = field
        if value is None or value == "":
            if not clears:
                raise BadLineError(f"`{name}` cannot be cleared.")
            setattr(facts, attribute, None)
            continue
        try:
            setattr(facts, attribute, read(value))
        except WrongValueError as fault:
            raise BadLineError(f"`{name}` {fault}") from None


_READERS = {
    "chain": _read_chain,
    "contract": _read_contract,
    "nft": _read_nft,
    "transfer": _read_transfer,
    "ask": _read_ask,
    "rate": _read_rate,
    "ens": _read_ens,
}
