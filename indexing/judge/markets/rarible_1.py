"""Rarible 1: the exchange of 2020 to 2022 (two contracts), and the sale contracts before it.

The exchange: ``Buy(address indexed sellToken, uint256 indexed sellTokenId, uint256 sellValue, address owner, address
buyToken, uint256 buyTokenId, uint256 buyValue, address buyer, uint256 amount, uint256 salt)``. The owner's order sells
``sellValue`` of one asset for ``buyValue`` of the other; ``amount`` of the first went to ``buyer`` for its part of the
second. Assets are not told apart: token 0 is native money, which only can be paid; of two tokens, the NFT is the one
that moved. An order that sells money is a bid; then ``buyer`` is who gets the money. Specified by ``ExchangeV1.sol``
and ``ExchangeDomainV1.sol`` of the verified source.

The sale contracts, for ether alone: ``Buy(address indexed token, uint256 indexed tokenId, address seller, address
buyer, uint256 price, uint256 nonce)`` of an ERC-721, ``Buy(address indexed token, uint256 indexed tokenId, address
owner, uint256 price, address buyer, uint256 value)`` of ``value`` units of an ERC-1155 at ``price`` each. Specified by
``TokenSale.sol``, ``ERC721Sale.sol`` and ``ERC1155Sale.sol`` of the verified sources.

A fee that only the calldata tells is paid by the buyer on top. All of them insist on ether to the wei: a transaction
that calls one brings the gross price.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.addresses import ZERO_ADDRESS
from indexing.decode.words import (
    UndecodableError,
    address,
    expect_topics,
    number,
    topic_address,
    topic_number,
)
from indexing.judge.markets.gross import on_top
from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Side
from indexing.node.logs import RawLog

BUY = "0xdddcdb07e460849cf04a4445b7af9faf01b7f5c7ba75deaf969ac5ed830312c3"
BUY_ERC721 = "0x7a212d757c7290587e1c8f7100a01a3d09466d58945058b6f22a179013475a90"
BUY_ERC1155 = "0x710791c544fdcb0c8c5b17f5bfa5b6721dfff68224047778e2d64e426ded61c6"

_FEES = (0, 250)
"""What buyers paid on top, in basis points: nothing at first, then 2.5 %."""


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read what the exchange, or a sale contract, sold; one fill an event."""
    readers = {
        BUY: lambda log: _exchange(log, deployment, around),
        BUY_ERC721: lambda log: _sale(log, deployment, has_units=False),
        BUY_ERC1155: lambda log: _sale(log, deployment, has_units=True),
    }
    found = []
    for one in each(logs, readers, deployment):
        if isinstance(one, Fault):
            yield one
        else:
            found.append(one[1])
    for fill in on_top(found, around):
        yield _exact(fill, around) if len(found) == 1 else fill._replace(surcharges=_FEES)


def _exact(fill: Fill, around: Around) -> Fill:
    """Return the only fill with what the transaction brought for it, where that cannot be anything else."""
    transaction = around.transaction
    called = around.registry.markets.get(transaction.target or "")
    is_exact = called is not None and called.protocol == fill.protocol
    if is_exact and fill.currency == NATIVE and fill.price <= transaction.value <= 2 * fill.price:
        return fill._replace(price=transaction.value)
    return fill._replace(surcharges=_FEES)


def _exchange(log: RawLog, deployment: Deployment, around: Around) -> Fill:
    expect_topics(log, 3, "A Buy of Rarible")
    data = log.data
    sold, bought = topic_address(log.topics, 1), address(data, 64)
    sold_id, bought_id = topic_number(log.topics, 2), number(data, 96)
    whole, asked, amount = number(data, 0), number(data, 128), number(data, 192)
    owner, taker = address(data, 32), address(data, 160)
    number(data, 224)  # the salt: the data is whole
    if not whole or not amount:
        raise UndecodableError("An order of nothing, or nothing of it.")
    paid = asked * amount // whole
    moved = {(move.contract, move.token_id) for move in around.moves}
    fill = Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=log.log_index,
        side=Side.ASK,
        seller=owner,
        buyer=taker,
        items=(Item(sold, sold_id, amount),),
        currency=NATIVE if bought == ZERO_ADDRESS else bought,
        price=paid,
    )
    if bought == ZERO_ADDRESS or (bought, bought_id) not in moved:
        return fill
    if (sold, sold_id) in moved:  # an NFT for an NFT
        return fill._replace(currency=NATIVE, price=0, returned=(Item(bought, bought_id, paid),))
    return fill._replace(
        side=Side.BID,
        seller=taker,
        buyer=owner,
        items=(Item(bought, bought_id, paid),),
        currency=sold,
        price=amount,
    )


def _sale(log: RawLog, deployment: Deployment, *, has_units: bool) -> Fill:
    expect_topics(log, 3, "A Buy of Rarible")
    data = log.data
    units = number(data, 96) if has_units else 1
    if not units:
        raise UndecodableError("A sale of no units.")
    number(data, 96)  # the last word: the data is whole
    return Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=log.log_index,
        side=Side.ASK,
        seller=address(data, 0),
        buyer=address(data, 64 if has_units else 32),
        items=(Item(topic_address(log.topics, 1), topic_number(log.topics, 2), units),),
        currency=NATIVE,
        price=number(data, 32) * units if has_units else number(data, 64),
    )
