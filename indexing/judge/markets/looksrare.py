"""LooksRare, versions 1 and 2, and what others made of its version 1 (Joepegs on Avalanche).

Version 1: ``TakerBid`` (somebody buys what an ask offers) and ``TakerAsk`` (somebody sells to a bid, for one NFT or any
of a collection), both ``(bytes32 orderHash, uint256 orderNonce, address indexed taker, address indexed maker, address
indexed strategy, address currency, address collection, uint256 tokenId, uint256 amount, uint256 price)``. The price is
for all units, fees and royalties included. Native money never shows: an ask that is paid in ether is in WETH, which the
exchange wraps for the buyer and pays out itself. Specified by ``LooksRareExchange.sol`` of the published
contracts-exchange-v1.

Version 2: ``TakerBid(NonceInvalidationParameters, address bidUser, address bidRecipient, uint256 strategyId, address
currency, address collection, uint256[] itemIds, uint256[] amounts, address[2] feeRecipients, uint256[3] feeAmounts)``;
``TakerAsk`` has ``askUser, bidUser`` in the place of the two users. ``NonceInvalidationParameters`` is ``(bytes32
orderHash, uint256 orderNonce, bool isNonceInvalidated)``; nothing is indexed. The fee recipients are who gets the
proceeds (of a ``TakerBid`` the seller, who is not named otherwise) and the creator; the amounts are theirs and the
protocol's fee, and their sum is the price. Currency 0 is native. Several item ids are a bundle. Specified by
``ILooksRareProtocol.sol`` and ``ExecutionManager.sol`` of the published contracts-exchange-v2.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterator, Sequence

from indexing.decode.moves import ERC1155
from indexing.decode.words import UndecodableError, address, expect_topics, number, numbers, topic_address
from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Payment, Side
from indexing.node.logs import RawLog

TAKER_BID_1 = "0x95fb6205e23ff6bda16a2d1dba56b9ad7c783f67c96fa149785052f47696f2be"
TAKER_ASK_1 = "0x68cd251d4d267c6e2034ff0088b990352b97b2002c0476587d0c4da889c11330"
TAKER_BID_2 = "0x3ee3de4684413690dee6fff1a0a4f92916a1b97d1c5a83cdf24671844306b2e3"
TAKER_ASK_2 = "0x9aaa45d6db2ef74ead0751ea9113263d1dec1b50cea05f0ca2002cb8063564a4"


def fills_1(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read the orders that an exchange of version 1 filled, one fill an event."""
    single = {(move.contract, move.token_id) for move in around.moves if move.standard != ERC1155}
    readers = {
        TAKER_BID_1: lambda log: _fill_1(log, Side.ASK, deployment, single),
        TAKER_ASK_1: lambda log: _fill_1(log, Side.BID, deployment, single),
    }
    for one in each(logs, readers, deployment):
        yield one if isinstance(one, Fault) else one[1]


def fills_2(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read the orders that an exchange of version 2 filled, one fill an event."""
    readers = {
        TAKER_BID_2: lambda log: _fill_2(log, Side.ASK, deployment, around),
        TAKER_ASK_2: lambda log: _fill_2(log, Side.BID, deployment, around),
    }
    for one in each(logs, readers, deployment):
        yield one if isinstance(one, Fault) else one[1]


def _fill_1(log: RawLog, side: Side, deployment: Deployment, single: Container[tuple[str, int]]) -> Fill:
    expect_topics(log, 4, "A LooksRare 1 trade")
    taker, maker = topic_address(log.topics, 1), topic_address(log.topics, 2)
    item = _item(address(log.data, 96), number(log.data, 128), number(log.data, 160))
    return Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=log.log_index,
        side=side,
        seller=maker if side is Side.ASK else taker,
        buyer=taker if side is Side.ASK else maker,
        items=(_single(item, single),),
        currency=address(log.data, 64),
        price=number(log.data, 192),
        order_hashes=("0x" + log.data[:32].hex(),),
    )


def _single(item: Item, single: Container[tuple[str, int]]) -> Item:
    """Return an item as one unit where it is no ERC-1155: version 1 takes any amount for it, and moves the one."""
    is_single = item.amount > 1 and (item.contract, item.token_id) in single
    return item._replace(amount=1) if is_single else item


def _fill_2(log: RawLog, side: Side, deployment: Deployment, around: Around) -> Fill:
    expect_topics(log, 1, "A LooksRare 2 trade")
    data = log.data
    first, second = address(data, 96), address(data, 128)
    currency, collection = address(data, 192), address(data, 224)
    token_ids, amounts = numbers(data, 256), numbers(data, 288)
    if not token_ids or len(token_ids) != len(amounts):
        raise UndecodableError(f"A trade of {len(token_ids)} item ids with {len(amounts)} amounts.")
    proceeds, creator = address(data, 320), address(data, 352)
    paid = [Payment(currency, number(data, 384), proceeds), Payment(currency, number(data, 416), creator)]
    fee = number(data, 448)
    buyer = first if side is Side.ASK else second
    return Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=log.log_index,
        side=side,
        seller=proceeds if side is Side.ASK else first,
        buyer=buyer,
        items=tuple(map(_item, [collection] * len(token_ids), token_ids, amounts)),
        currency=currency,
        price=sum(one.amount for one in paid) + fee,
        payments=tuple(one for one in (*paid, *_fee(currency, fee, buyer, log, around)) if one.amount),
        order_hashes=("0x" + data[:32].hex(),),
    )


def _item(collection: str, token_id: int, amount: int) -> Item:
    if not amount:
        raise UndecodableError("A trade of no units, which LooksRare refuses.")
    return Item(collection, token_id, amount)


def _fee(currency: str, fee: int, buyer: str, log: RawLog, around: Around) -> list[Payment]:
    """Say who the protocol's fee went to, which the event does not: native money, to the exchange for all one can see.

    A fee in a token is the next payment behind the event. It is left out where it is not paid so: a batch pays the
    fees of all its trades at once, and an affiliate gets a part.
    """
    if currency == NATIVE:
        return [Payment(currency, fee, log.address)]
    at = bisect_right(around.money, log.log_index, key=lambda one: one.log_index)
    after = around.money[at] if at < len(around.money) else None
    if after is None or (after.currency, after.sender, after.amount) != (currency, buyer, fee):
        return []
    return [Payment(currency, fee, after.receiver)]
