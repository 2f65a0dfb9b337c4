"""The well-known chains, and which rules a chain's identifiers follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.addresses import SYSTEM_PROGRAM, ZERO_ADDRESS

ChainKind = Literal["evm", "mint"]
EVM: ChainKind = "evm"
MINT: ChainKind = "mint"


@dataclass(frozen=True, slots=True)
class ChainInfo:
    """A chain: its identifier in queries and records, its kind, EIP-155 id (EVM only) and native currency's symbol."""

    slug: str
    kind: ChainKind
    chain_id: int | None
    native_currency: str


WELL_KNOWN: tuple[ChainInfo, ...] = (
    ChainInfo("ethereum", EVM, 1, "ETH"),
    ChainInfo("optimism", EVM, 10, "ETH"),
    ChainInfo("bsc", EVM, 56, "BNB"),
    ChainInfo("gnosis", EVM, 100, "XDAI"),
    ChainInfo("polygon", EVM, 137, "POL"),
    ChainInfo("zksync", EVM, 324, "ETH"),
    ChainInfo("ronin", EVM, 2020, "RON"),
    ChainInfo("abstract", EVM, 2741, "ETH"),
    ChainInfo("base", EVM, 8453, "ETH"),
    ChainInfo("apechain", EVM, 33139, "APE"),
    ChainInfo("arbitrum", EVM, 42161, "ETH"),
    ChainInfo("avalanche", EVM, 43114, "AVAX"),
    ChainInfo("linea", EVM, 59144, "ETH"),
    ChainInfo("blast", EVM, 81457, "ETH"),
    ChainInfo("zora", EVM, 7777777, "ETH"),
    ChainInfo("sepolia", EVM, 11155111, "ETH"),
    ChainInfo("solana", MINT, None, "SOL"),
)


def node_setting(slug: str) -> str:
    """Return the name of the setting that has the nodes of a chain."""
    return f"RPC_URLS_{slug.upper().replace('-', '_')}"


def nobody(kind: ChainKind) -> str:
    """Return the address that stands for "nobody, or not known" in the required field ``owner``."""
    return ZERO_ADDRESS if kind == EVM else SYSTEM_PROGRAM


EXPLORERS_OF_CHAINS = {
    "ethereum": "https://etherscan.io",
    "optimism": "https://optimistic.etherscan.io",
    "bsc": "https://bscscan.com",
    "gnosis": "https://gnosisscan.io",
    "polygon": "https://polygonscan.com",
    "base": "https://basescan.org",
    "arbitrum": "https://arbiscan.io",
    "avalanche": "https://snowscan.xyz",
    "linea": "https://lineascan.build",
    "blast": "https://blastscan.io",
    "zora": "https://explorer.zora.energy",
    "sepolia": "https://sepolia.etherscan.io",
    "solana": "https://explorer.solana.com",
}
"""By slug: explorers that a service links to unless it is told of others."""
