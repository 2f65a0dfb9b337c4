"""One line of the interchange format: JSON text in, typed and validated facts out.

Tables (:mod:`interchange.fields`) say which keys there are and how each is read. What is derived (counts, cache
URLs, order books) may stand in a line and means nothing; of all other keys it is told that they are not taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from core import values
from core.chains import EVM, MINT, ChainKind
from interchange import fields
from interchange.jsontext import BadLineError, read_object
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
from interchange.nft_lines import read_document, read_nft, read_transfer
from interchange.unknown import unknown_keys
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
    facts = list(reader(line, text, chains))
    fault = read_document(facts, line, text, chains) if record == "nft" and "document" in line else ""
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


_READERS: Mapping[str, Callable[[Line, str, Kinds], Sequence[Facts]]] = {
    "chain": _read_chain,
    "currency": _read_currency,
    "currencyToken": _read_currency_token,
    "market": _read_market,
    "marketContract": _read_market_contract,
    "contract": _read_contract,
    "nft": read_nft,
    "transfer": read_transfer,
    "ask": _read_ask,
    "takedown": _read_takedown,
    "rate": _read_rate,
    "ens": _read_ens,
}
