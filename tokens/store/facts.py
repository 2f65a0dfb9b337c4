"""Facts about chains, contracts, NFTs, asks, rates and names as a source states them, before they meet the database.

A field that the source did not mention is ``UNSET`` and leaves what is stored alone; ``None`` clears it.
All values are validated and normalised: addresses in lower case on EVM chains, token ids as keys, texts that a
database can hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from enum import Enum
from typing import Any, Final, Protocol, TypeVar

from core.chains import MINT, ChainKind


class Unset(Enum):
    """The type of ``UNSET``: not mentioned."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET

Identity = tuple[str, ...]
"""What identifies an NFT: (slug, address, token key) on an EVM chain, (slug, token key) on a mint-identified one."""


def identity(kind: ChainKind, chain: str, address: str | None | Unset, token_key: str) -> Identity:
    """Return what identifies an NFT on a chain of this kind."""
    if kind == MINT:
        return chain, token_key
    assert isinstance(address, str)
    return chain, address, token_key


@dataclass(slots=True)
class ChainFacts:
    """A chain that is not built in."""

    slug: str
    kind: str | Unset = UNSET
    chain_id: int | None | Unset = UNSET
    native_currency: str | Unset = UNSET


@dataclass(slots=True)
class ContractFacts:
    """A contract; identity (chain, address)."""

    chain: str
    address: str
    standard: str | None | Unset = UNSET
    name: str | None | Unset = UNSET
    symbol: str | None | Unset = UNSET
    ens_name: str | None | Unset = UNSET
    marked: bool | None | Unset = UNSET
    marked_reason: str | None | Unset = UNSET


@dataclass(slots=True)
class OwnerFacts:
    """One entry of a stated ``owners`` list; blocks, and Unix seconds."""

    address: str
    amount: int
    entered_at_block: int | None = None
    entered_at: int | None = None
    updated_at_block: int | None = None
    updated_at: int | None = None


@dataclass(slots=True)
class TraitFacts:
    """One trait entry: the texts that queries compare (see ``tokens.metadata.trait_texts``)."""

    type: str
    value: str


@dataclass(slots=True)
class NftFacts:
    """An NFT."""

    chain: str
    token_key: str
    identity: Identity
    address: str | None | Unset = UNSET
    standard: str | None | Unset = UNSET
    uri: str | None | Unset = UNSET
    metadata: str | None | Unset = UNSET  # JSON object, byte for byte
    traits: list[TraitFacts] | Unset = UNSET  # set whenever metadata is; at most 500, in order
    image_url: str | None | Unset = UNSET  # set whenever metadata is
    media_url: str | None | Unset = UNSET  # set whenever metadata is: of an animation whose type is not known
    as_written: Mapping[str, Any] | Unset = UNSET  # metadata without the token id in it, where ERC-721 tells
    native: str | None | Unset = UNSET  # JSON, byte for byte
    rarity: float | None | Unset = UNSET
    rank: float | None | Unset = UNSET
    minter: str | None | Unset = UNSET
    markets: list[str] | None | Unset = UNSET
    owners: list[OwnerFacts] | None | Unset = (
        UNSET  # from `owners`, else from `owner`; the nobody address gives []
    )
    as_of_block: int | None | Unset = UNSET
    as_of: int | None | Unset = UNSET  # Unix seconds
    marked: bool | None | Unset = UNSET
    marked_reason: str | None | Unset = UNSET


@dataclass(slots=True)
class AskFacts:
    """An ask; identity (chain, marketplace, order hash)."""

    chain: str
    marketplace: str
    order_hash: str
    address: str | None | Unset = UNSET
    token_key: str | Unset = UNSET
    identity: Identity | None = None  # of the NFT, set whenever the token key is
    currency: str | Unset = UNSET  # symbol, upper case
    price: Decimal | Unset = UNSET  # whole units, at most 18 places
    amount: int | None | Unset = UNSET
    maker: str | None | Unset = UNSET
    valid_from: int | None | Unset = UNSET
    valid_until: int | None | Unset = UNSET
    status: str | None | Unset = UNSET
    taker: str | None | Unset = UNSET
    holder: str | None | Unset = UNSET
    operator: str | None | Unset = UNSET
    approved: bool | None | Unset = UNSET  # the operator
    exchange: str | None | Unset = UNSET
    nonce: int | None | Unset = UNSET
    wakes: bool | None | Unset = UNSET
    end_price: Decimal | None | Unset = UNSET  # whole units; the price goes there in a line
    price_from: int | None | Unset = UNSET  # Unix seconds, as the next one
    price_until: int | None | Unset = UNSET
    source: str | None | Unset = UNSET
    seen_at: int | None | Unset = UNSET  # Unix seconds, as the next one
    gone_at: int | None | Unset = UNSET
    opened: tuple[int, int] | Unset = UNSET  # block and index of the log that opened it
    offered: int | None | Unset = UNSET  # units that the order sells in all
    lot: int | None | Unset = UNSET  # units that are only sold together


@dataclass(slots=True)
class RateFacts:
    """A rate; identity (currency, timestamp)."""

    currency: str  # symbol, upper case
    timestamp: int
    usd: Decimal | None


@dataclass(slots=True)
class CurrencyFacts:
    """A currency; identity is the symbol, in upper case, as those of the currencies that it names are."""

    symbol: str
    alias_of: str | None | Unset = UNSET
    wraps: str | None | Unset = UNSET


@dataclass(slots=True)
class CurrencyTokenFacts:
    """A currency's contract on a chain; identity (chain, address). No currency: the contract is none's."""

    chain: str
    address: str
    currency: str | None  # symbol, upper case
    decimals: int | Unset = UNSET


@dataclass(slots=True)
class MarketFacts:
    """A marketplace; identity is the slug, in lower case."""

    slug: str
    name: str | None | Unset = UNSET


@dataclass(slots=True)
class TakedownFacts:
    """What is kept from being served: a contract's or an NFT's media, bytes by their SHA-256, or what is at a URL.

    Identity: the NFT's, else (chain, address), ``content_hash`` or ``url``. No ``reason``: the takedown is lifted.
    """

    reason: str | None
    chain: str = ""
    address: str | Unset = UNSET  # of the contract, where it is the whole of it
    token_key: str = ""
    identity: Identity | None = None  # of the NFT
    content_hash: str = ""
    url: str = ""


@dataclass(slots=True)
class EnsFacts:
    """An ENS name in normal form; identity is the name. No address: it resolves to nothing."""

    name: str
    address: str | None


T = TypeVar("T", bound=Any)


class Refuse(Protocol):
    """Called for facts that cannot be written, with the reason.

    ``waits``: they lack what a new row needs, which facts of the same identity may still bring.
    """

    def __call__(self, one: Any, reason: str, *, waits: bool = False) -> None:
        """Take note of them."""


def united(parts: Sequence[T]) -> T:
    """Return facts of one identity as one: the later ones win for what they hold, as they do for a stored row."""
    found = parts[0]
    for part in parts[1:]:
        values = {one.name: getattr(part, one.name) for one in fields(part)}
        told = {name: value for name, value in values.items() if value is not UNSET}
        if values["identity"] is None:
            del told["identity"]
        if told.get("status", UNSET) in (None, "open") and found.status in ("filled", "cancelled"):
            del told["status"]  # it is not reopened
        found = replace(found, **told)
    return found
