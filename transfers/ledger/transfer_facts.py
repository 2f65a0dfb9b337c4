"""Facts about transfers as a source states them, before they meet the database; see ``tokens.store.facts``."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from tokens.store.facts import UNSET, Identity, Unset


@dataclass(slots=True)
class NftValueFacts:
    """The price of the NFT: base units of a currency, by the currency's contract (the zero address is native)."""

    token_address: str
    amount: int
    token_name: str | None = None


@dataclass(slots=True)
class JudgedFacts:
    """What the rules make of a transfer by the evidence; it gives way to what another source states of it."""

    transfer_type: str
    nft_value: NftValueFacts | None
    is_commercial: bool
    markets: list[str]  # slugs, lower case
    swaps: str  # JSON list of swap entries


@dataclass(slots=True)
class MarketContractFacts:
    """A market's contract that was added to the built-in ones; identity (chain, address). No market: it is none."""

    chain: str
    address: str
    market: str | None  # slug, lower case
    protocol: str | None | Unset = UNSET


@dataclass(frozen=True, slots=True)
class FillFacts:
    """An order that a market event filled, by so many units of the NFT; identity all but the units."""

    chain: str
    order_hash: str
    transaction_hash: str
    log_index: int
    units: int


@dataclass(frozen=True, slots=True)
class PaidTokenFacts:
    """A token that something was paid in, as its contract describes itself; ``None``: it does not say."""

    address: str
    name: str | None
    symbol: str | None
    decimals: int | None


@dataclass(slots=True)
class TransferFacts:
    """A transfer; identity (chain, transaction hash, log index, batch index).

    ``log_index`` is ``None`` for an NFT's stated ``lastTransfer`` without one: it joins the transfer of the same
    transaction and NFT, else its log index is 0.
    """

    chain: str
    transaction_hash: str
    log_index: int | None
    batch_index: int = 0
    address: str | None | Unset = UNSET
    token_key: str | Unset = UNSET
    identity: Identity | None = None  # of the NFT, set whenever the token key is
    block_number: int | Unset = UNSET
    timestamp: int | Unset = UNSET
    from_address: str | None | Unset = UNSET
    to_address: str | None | Unset = UNSET
    transaction_from: str | None | Unset = UNSET
    amount: int | Unset = UNSET
    value: int | None | Unset = UNSET
    nft_value: NftValueFacts | None | Unset = UNSET
    usd_value: Decimal | None | Unset = UNSET
    eth_value: Decimal | None | Unset = UNSET
    is_commercial: bool | None | Unset = UNSET
    transfer_type: str | None | Unset = UNSET
    judged: JudgedFacts | None = None
    markets: list[str] | None | Unset = UNSET  # slugs, lower case
    swaps: str | None | Unset = UNSET  # JSON list of validated swap entries
    native: str | None | Unset = UNSET  # JSON, byte for byte
    prepared: object = None  # see transfers.ledger.transfers.prepare
