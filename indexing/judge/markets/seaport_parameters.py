"""A Seaport order as its maker signed or validated it: its hash, who must be approved, and what it sells for how much.

Its hash is EIP-712's of the struct ``OrderComponents``, the same on every chain and in every version. Types of items:
0 native, 1 ERC-20, 2 ERC-721, 3 ERC-1155, 4 and 5 the same with criteria. Amounts go in a line from start to end, what
is asked being rounded up. Specified by ``ConsiderationStructs``, ``AmountDeriver`` and ``ConduitController`` of
Seaport's published source.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from math import gcd
from typing import NamedTuple

from Crypto.Hash import keccak

from indexing.judge.verdicts import NATIVE

_ITEM = "uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount"
_OFFER_ITEM = f"OfferItem({_ITEM})"
_CONSIDERATION_ITEM = f"ConsiderationItem({_ITEM},address recipient)"
_COMPONENTS = (
    "OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,"
    "uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,"
    f"uint256 counter){_CONSIDERATION_ITEM}{_OFFER_ITEM}"
)
_CONDUIT_CONTROLLER = "0x00000000f9490004c11cef243f5400493c00ad63"
_CONDUIT_CODE_HASH = "023d904f2503c37127200ca07b976c3a53cc562623f67023115bf311f5805059"

_NATIVE, _ERC20, _ERC721, _ERC1155 = range(4)
_OPEN, _RESTRICTED = (0, 1), (2, 3)
_WHOLE = (0, 2)


class NoAskError(Exception):
    """Why an order does not sell units of one NFT for one currency: the rest of a sentence after "It"."""


class SeaportItem(NamedTuple):
    """What an order offers, or asks for."""

    kind: int
    token: str
    identifier: int
    start: int
    end: int
    recipient: str = ""
    """Of what is asked for."""


class Parameters(NamedTuple):
    """An order, but for its maker's counter. Addresses and hashes in lower case."""

    offerer: str
    zone: str
    offer: tuple[SeaportItem, ...]
    consideration: tuple[SeaportItem, ...]
    order_type: int
    start_time: int
    end_time: int
    zone_hash: str
    salt: int
    conduit_key: str

    @property
    def is_whole(self) -> bool:
        """Whether it is filled at once or not at all, and never in part."""
        return self.order_type in _WHOLE

    @property
    def is_restricted(self) -> bool:
        """Whether the zone must agree to each purchase."""
        return self.order_type in _RESTRICTED


class SeaportAsk(NamedTuple):
    """What an order sells that offers units of one NFT for one currency. The prices are for one unit."""

    contract: str
    token_id: int
    units: int | None
    """``None`` for an ERC-721 token."""
    lot: int
    """Units that are only sold together: all of them, or as many as leave no remainder of any payment."""
    currency: str
    price: int
    end_price: int | None
    """Where the price goes to until the order ends; ``None`` where it stays."""
    taker: str | None


def order_hash(parameters: Parameters, counter: int) -> str:
    """Return the hash of an order under its maker's counter."""
    one = parameters
    return (
        "0x"
        + _keccak(
            _hash_of(_COMPONENTS),
            _word(one.offerer),
            _word(one.zone),
            _hash_of_all(_OFFER_ITEM, one.offer),
            _hash_of_all(_CONSIDERATION_ITEM, one.consideration),
            _word(one.order_type),
            _word(one.start_time),
            _word(one.end_time),
            _word(one.zone_hash),
            _word(one.salt),
            _word(one.conduit_key),
            _word(counter),
        ).hex()
    )


@lru_cache(1_000)
def operator(conduit_key: str, exchange: str) -> str:
    """Return who moves what is sold: the conduit of a key (by CREATE2), or the exchange itself without one."""
    if not int(conduit_key, 16):
        return exchange
    made = b"\xff" + bytes.fromhex(_CONDUIT_CONTROLLER[2:])
    return "0x" + _keccak(made, _word(conduit_key), bytes.fromhex(_CONDUIT_CODE_HASH))[12:].hex()


def ask(parameters: Parameters) -> SeaportAsk:
    """Return what an order sells that offers units of one NFT for one currency.

    One that asks for what it offers is for whoever is to get that. Raises :class:`NoAskError` for a bid, a bundle, an
    exchange, a gift, an order by criteria or that a contract makes up as it is filled (type 4), one whose number of
    units changes, and one whose price does not divide by them.
    """
    if parameters.order_type not in (*_OPEN, *_RESTRICTED):
        raise NoAskError(f"is of type {parameters.order_type}: a contract makes it up as it is filled")
    offer = _offered(parameters.offer)
    nfts = [one for one in parameters.consideration if one.kind > _ERC20]
    money = [one for one in parameters.consideration if one.kind <= _ERC20]
    takers = {one.recipient for one in nfts}
    currencies = {one.token if one.kind == _ERC20 else NATIVE for one in money}
    units, start, end = offer.start, sum(one.start for one in money), sum(one.end for one in money)
    if len(takers) > 1 or any((one.token, one.identifier) != (offer.token, offer.identifier) for one in nfts):
        raise NoAskError("asks for other NFTs")
    if len(currencies) > 1:
        raise NoAskError("asks for several currencies")
    if not start:
        raise NoAskError("asks for no money")
    if start % units or end % units:
        raise NoAskError(f"has a price that does not divide by its {units:,} units")
    return SeaportAsk(
        offer.token,
        offer.identifier,
        units if offer.kind == _ERC1155 else None,
        units
        if parameters.is_whole
        else units // gcd(units, *(amount for one in money for amount in (one.start, one.end))),
        currencies.pop(),
        start // units,
        end // units if end != start else None,
        takers.pop() if takers else None,
    )


def _offered(items: Sequence[SeaportItem]) -> SeaportItem:
    if len(items) != 1:
        raise NoAskError(f"is a bundle of {len(items)} items" if items else "offers nothing")
    (offer,) = items
    if offer.kind <= _ERC20:
        raise NoAskError("offers money: it is a bid")
    if offer.kind > _ERC1155:
        raise NoAskError("offers an NFT by criteria")
    if not 0 < offer.start == offer.end or (offer.kind == _ERC721 and offer.start > 1):
        raise NoAskError("offers units that nobody can tell, or more than one of what there is once")
    return offer


def _hash_of_all(type_of_item: str, items: Sequence[SeaportItem]) -> bytes:
    return _keccak(*(_hash_of_item(type_of_item, one) for one in items))


def _hash_of_item(type_of_item: str, item: SeaportItem) -> bytes:
    words = [_word(one) for one in (item.kind, item.token, item.identifier, item.start, item.end)]
    if type_of_item == _CONSIDERATION_ITEM:
        words.append(_word(item.recipient))
    return _keccak(_hash_of(type_of_item), *words)


@cache
def _hash_of(text: str) -> bytes:
    return _keccak(text.encode())


def _word(value: int | str) -> bytes:
    """Return 32 bytes of a number, an address or a hash."""
    return (int(value, 16) if isinstance(value, str) else value).to_bytes(32, "big")


def _keccak(*parts: bytes) -> bytes:
    return keccak.new(digest_bits=256, data=b"".join(parts)).digest()
