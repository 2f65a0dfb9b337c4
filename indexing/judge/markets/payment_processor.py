"""Limit Break's Payment Processor, versions 1 and 2, on several chains: the exchange under Magic Eden on EVM chains.

Version 1: ``BuySingleListing(address indexed marketplace, address indexed tokenAddress, address indexed paymentCoin,
address buyer, address seller, uint256 tokenId, uint256 amount, uint256 salePrice)`` for a listing or an offer,
``BuyBundledListingERC721(…same three indexed, address buyer, address seller, bool[] unsuccessfulFills, uint256[]
tokenIds, uint256[] salePrices)`` for a bundle whose items have a price each, and ``SweepCollectionERC721(…, address
buyer, bool[] unsuccessfulFills, address[] sellers, uint256[] tokenIds, uint256[] salePrices)``; ``…ERC1155`` with
``uint256[] amounts`` before the prices. What could not be delivered is marked and not paid. Nothing comes on top.

Version 2: ``BuyListingERC721(address indexed buyer, address indexed seller, address indexed tokenAddress, address
beneficiary, address paymentCoin, uint256 tokenId, uint256 salePrice)`` and ``AcceptOfferERC721`` with the two parties
the other way round; ``…ERC1155`` with ``uint256 amount`` before the price. The NFT goes to the beneficiary. Offers for
a token, a collection or a set of tokens, bulk orders and sweeps emit these, one an item. A buyer may pay a fee on top
of the price, once a sweep, which no event tells: see :func:`_on_top`.

Coin 0 is native money; prices are for all units, other fees and royalties included. Specified by
``IPaymentProcessor.sol`` of the published versions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from indexing.decode.words import UndecodableError, address, expect_topics, number, numbers, topic_address
from indexing.judge.markets.gross import sent, sent_behind, unpriced
from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Side
from indexing.node.logs import RawLog

BUY_SINGLE = "0x7ed668b30822ae5c7db7b4a32f84e6645250bb6db0d1fc73eeb484c5b34b1d1b"
BUNDLE_ERC721 = "0xf5960c81abf2cbc811a3b86b2b2c0338bfd5c47ad8815c941f9d59665a8d458b"
BUNDLE_ERC1155 = "0x4b761d38cae19a364a5d44d2c4a5cdd41113f9e4d64ae2e21b766d072705b931"
SWEEP_ERC721 = "0x8435e05433e0d3a3fe612b10c36f6623deec79239f76721a154687fef0ca46a1"
SWEEP_ERC1155 = "0x35cd37c73a78d0322074e1324a7d5d4cf5c7ff21f3265d03f4d085c532c6f019"

BUY_ERC721 = "0xffb29e9cf48456d56b6d414855b66a7ec060ce2054dcb124a1876310e1b7355c"
BUY_ERC1155 = "0x1217006325a98bdcc6afc9c44965bb66ac7460a44dc57c2ac47622561d25c45a"
ACCEPT_ERC721 = "0x8b87c0b049fe52718fe6ff466b514c5a93c405fb0de8fbd761a23483f9f9e198"
ACCEPT_ERC1155 = "0x6f4c56c4b9a9d2479f963d802b19d17b02293ce1225461ac0cb846c482ee3c3e"

_ADDRESS_BITS = 160


def fills_1(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read what version 1 sold, one fill an item."""
    readers = {
        BUY_SINGLE: lambda log: [_single(log, deployment, around)],
        BUNDLE_ERC721: lambda log: _several(log, deployment, has_units=False, is_sweep=False),
        BUNDLE_ERC1155: lambda log: _several(log, deployment, has_units=True, is_sweep=False),
        SWEEP_ERC721: lambda log: _several(log, deployment, has_units=False, is_sweep=True),
        SWEEP_ERC1155: lambda log: _several(log, deployment, has_units=True, is_sweep=True),
    }
    for one in each(logs, readers, deployment):
        if isinstance(one, Fault):
            yield one
        else:
            yield from one[1]


def fills_2(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read what version 2 sold, one fill an item."""
    readers = {
        BUY_ERC721: lambda log: _item(log, Side.ASK, deployment, has_units=False),
        BUY_ERC1155: lambda log: _item(log, Side.ASK, deployment, has_units=True),
        ACCEPT_ERC721: lambda log: _item(log, Side.BID, deployment, has_units=False),
        ACCEPT_ERC1155: lambda log: _item(log, Side.BID, deployment, has_units=True),
    }
    told = []
    for one in each(logs, readers, deployment):
        if isinstance(one, Fault):
            yield one
        else:
            told.append(one[1])
    yield from _on_top(told, around)


def _on_top(told: Sequence[Fill], around: Around) -> list[Fill]:
    """Return fills with what their buyers paid in tokens, or without a price where it is not certain.

    The fee of a sweep is paid at its end, for all of it: it is not split. So prices are certain where the buyer sent
    each of them for its item and nothing behind, or no more than all of them in the whole transaction.
    """
    by_payer: dict[tuple[str | None, str], list[int]] = defaultdict(list)
    for place, one in enumerate(told):
        if one.price and one.currency != NATIVE:
            by_payer[one.buyer, one.currency].append(place)
    found = list(told)
    for (buyer, currency), places in by_payer.items():
        some = [told[place] for place in places]
        total = sum(one.amount for one in around.money if (one.sender, one.currency) == (buyer, currency))
        asked = sum(one.price for one in some)
        behind = sent_behind(some[-1], around)
        each_sent = [sent(one, around, before=one.log_index) for one in some]
        if total <= asked or (each_sent == [one.price for one in some] and not behind):
            continue  # nothing on top; what is missing is found out by who holds prices against the logs
        for place in places:
            is_told = len(places) == 1 and total == each_sent[0] + behind
            found[place] = told[place]._replace(price=total) if is_told else unpriced(told[place])
    return found


def _single(log: RawLog, deployment: Deployment, around: Around) -> Fill:
    coin, collection = _check_1(log)
    data = log.data
    buyer, seller = address(data, 0), address(data, 32)
    # The event is the same for both: an offer is accepted by the seller.
    side = Side.BID if around.transaction.sender == seller else Side.ASK
    item = _of_units(collection, number(data, 64), number(data, 96))
    return _fill(log, side, seller, buyer, item, coin, number(data, 128), deployment)


def _several(log: RawLog, deployment: Deployment, *, has_units: bool, is_sweep: bool) -> list[Fill]:
    """Read the items of a bundle or a sweep that were delivered."""
    coin, collection = _check_1(log)
    data = log.data
    heads = iter(range(0, 288, 32))
    buyer = address(data, next(heads))
    one_seller = None if is_sweep else address(data, next(heads))
    failed = numbers(data, next(heads))
    sellers = [_as_address(one) for one in numbers(data, next(heads))] if is_sweep else []
    token_ids = numbers(data, next(heads))
    units = numbers(data, next(heads)) if has_units else [1] * len(token_ids)
    prices = numbers(data, next(heads))
    if one_seller is not None:
        sellers = [one_seller] * len(token_ids)
    if len({len(failed), len(sellers), len(token_ids), len(units), len(prices)}) != 1:
        raise UndecodableError("The lists of a bundle or a sweep differ in length.")
    return [
        _fill(log, Side.ASK, seller, buyer, _of_units(collection, token_id, amount), coin, price, deployment)
        for has_failed, seller, token_id, amount, price in zip(
            failed, sellers, token_ids, units, prices, strict=True
        )
        if not has_failed
    ]


def _item(log: RawLog, side: Side, deployment: Deployment, *, has_units: bool) -> Fill:
    expect_topics(log, 4, "A sale of Payment Processor")
    data = log.data
    first, second = topic_address(log.topics, 1), topic_address(log.topics, 2)
    address(data, 0)
    units = number(data, 96) if has_units else 1
    seller, buyer = (second, first) if side is Side.ASK else (first, second)
    item = _of_units(topic_address(log.topics, 3), number(data, 64), units)
    price = number(data, 128 if has_units else 96)
    fill = _fill(log, side, seller, buyer, item, address(data, 32), price, deployment)
    return fill._replace(surcharges=(0,))


def _fill(
    log: RawLog,
    side: Side,
    seller: str,
    buyer: str,
    item: Item,
    coin: str,
    price: int,
    deployment: Deployment,
) -> Fill:
    return Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=log.log_index,
        side=side,
        seller=seller,
        buyer=buyer,
        items=(item,),
        currency=coin,
        price=price,
    )


def _of_units(collection: str, token_id: int, units: int) -> Item:
    if not units:
        raise UndecodableError("A sale of no units.")
    return Item(collection, token_id, units)


def _check_1(log: RawLog) -> tuple[str, str]:
    """Return coin and collection of an event of version 1."""
    expect_topics(log, 4, "A sale of Payment Processor")
    return topic_address(log.topics, 3), topic_address(log.topics, 2)


def _as_address(word: int) -> str:
    if word >> _ADDRESS_BITS:
        raise UndecodableError("A seller is no address: it is longer than 20 bytes.")
    return f"0x{word:040x}"
