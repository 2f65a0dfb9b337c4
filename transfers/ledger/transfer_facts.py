"""Facts about transfers as a source states them, before they meet the database; see ``tokens.store.facts``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from tokens.store.facts import UNSET, Identity, Unset


@dataclass(slots=True)
class NftValueFacts:
    """The price of the NFT: base units of a currency, by the currency's contract (the zero address is native)."""

    token_address: str
    amount: int
    token_name: str | None = None


class VerdictColumns(NamedTuple):
    """The columns that say what a transfer was, as the database holds them.

    Those that the rules make of the evidence give way to what another source states of it.
    """

    nft_value_token: str | None
    nft_value_name: str | None
    nft_value_amount: str | None
    is_commercial: bool | None
    transfer_type: str | None
    markets: str
    swaps: str
    shares: str | None = None
    """How the price was split, as far as the evidence tells; nothing else does."""


def slugs_text(slugs: Sequence[str]) -> str:
    """Return slugs of markets as their column has them: a JSON list."""
    return json.dumps(slugs, separators=(",", ":")) if slugs else "[]"


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
    judged: VerdictColumns | None = None
    markets: list[str] | None | Unset = UNSET  # slugs, lower case
    swaps: str | None | Unset = UNSET  # JSON list of validated swap entries
    native: str | None | Unset = UNSET  # JSON, byte for byte
    prepared: object = None  # see transfers.ledger.transfers.prepare
