"""SuperRare: the market within its first NFT contract, the two markets and the auction house after it, and the Bazaar.

- The first contract (``SupeRare``), where all fees are a part of the amount: ``Sold(address indexed _buyer,
  address indexed _seller, uint256 _amount, uint256 indexed _tokenId)`` and, of the same layout, ``AcceptBid``
  with ``_bidder``. The NFT is the emitter's own.
- The markets (``SuperRareMarketAuction``, ``SuperRareMarketAuctionV2``): ``Sold(address indexed
  _originContract, address indexed _buyer, address indexed _seller, uint256 _amount, uint256 _tokenId)`` and
  ``AcceptBid``, likewise.
- The auction house (``SuperRareAuctionHouse``): ``AuctionSettled(address indexed _contractAddress, address
  indexed _bidder, address _seller, uint256 indexed _tokenId, uint256 _amount)``. Without a bid the bidder is
  the zero address and the NFT goes back: no sale.
- The Bazaar (``SuperRareBazaarStorage``), with the currency, 0 being native: ``Sold(address indexed
  _originContract, address indexed _buyer, address indexed _seller, address _currencyAddress, uint256 _amount,
  uint256 _tokenId)``, ``AcceptOffer`` that begins so too (``_bidder`` for the buyer; the splits of the
  proceeds follow), and ``AuctionSettled(address indexed _contractAddress, address indexed _bidder, address
  _seller, uint256 indexed _tokenId, address _currencyAddress, uint256 _amount)``.

But for the first contract the buyer pays the marketplace's fee on top of the amount, which no event tells: 3
percent, as ``MarketplaceSettings`` is made with, rounded down. A buyer sends exactly amount and fee, so that
the value of a call to the market, or the token's logs, tell better where only one thing is bought. Bids were
paid in when they were made. Specified by the sources published in pixura-contracts and core. Versions of the
Bazaar that name an app in their events, and take no fee on top, are not known to be deployed and not read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from core.addresses import ZERO_ADDRESS
from indexing.decode.words import address, expect_topics, number, topic_address, topic_number
from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Side
from indexing.node.logs import RawLog

OLD_SOLD = "0x16dd16959a056953a63cf14bf427881e762e54f03d86b864efea8238dd3b822f"
OLD_ACCEPT_BID = "0xd6deddb2e105b46d4644d24aac8c58493a0f107e7973b2fe8d8fa7931a2912be"
SOLD = "0x5764dbcef91eb6f946584f4ea671217c686fa7e858ce4f9f42d08422b86556a9"
ACCEPT_BID = "0x2a9d06eec42acd217a17785dbec90b8b4f01a93ecd8c127edd36bfccf239f8b6"
AUCTION_SETTLED = "0xea6d16c6bfcad11577aef5cc6728231c9f069ac78393828f8ca96847405902a9"
BAZAAR_SOLD = "0x6f9e7bc841408072f4a49e469f90e1a634b85251803662bc8e5c220b28782472"
BAZAAR_ACCEPT_OFFER = "0x97c3d2068ce177bc33d84acecc45eededcf298c4a9d4340ae03d4afbb3993f7b"
BAZAAR_AUCTION_SETTLED = "0xef4e2262a841641690bb931801dc0d1923e6b417cd217f91f8049d8aa9f5f086"

_FEE_PERCENT = 3
_MOST_FEE_PERCENT = 10
"""What is further above the amount is not amount and fee: whoever sends it does not buy at this market alone."""


class _Sale(NamedTuple):
    side: Side
    seller: str
    buyer: str
    item: Item
    currency: str
    amount: int
    """Without the fee on top."""


_Layout = Callable[[RawLog], _Sale]


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read what one of the contracts sold, one fill an event; an auction that nobody bid in is none."""
    is_single = sum(log.topics[:1] in _BOUGHT for log in logs) == 1
    for one in each(logs, _LAYOUTS, deployment):
        if isinstance(one, Fault):
            yield one
            continue
        log, sale = one
        if sale.buyer == ZERO_ADDRESS:
            continue
        has_fee = log.topics[0] not in (OLD_SOLD, OLD_ACCEPT_BID)
        yield Fill(
            protocol=deployment.protocol,
            market=deployment.market,
            log_index=log.log_index,
            side=sale.side,
            seller=sale.seller,
            buyer=sale.buyer,
            items=(sale.item,),
            currency=sale.currency,
            price=_with_fee(log, sale, around, is_single=is_single) if has_fee else sale.amount,
            escrowed=sale.side is not Side.ASK,
        )


def _with_fee(log: RawLog, sale: _Sale, around: Around, *, is_single: bool) -> int:
    """Return amount and fee: as the buyer sent them, where that can be told apart, else by the usual fee."""
    if is_single and log.topics[:1] in _BOUGHT:
        sent = _sent(log, sale, around)
        if sale.amount <= sent <= sale.amount + sale.amount * _MOST_FEE_PERCENT // 100:
            return sent
    return sale.amount + sale.amount * _FEE_PERCENT // 100


def _sent(log: RawLog, sale: _Sale, around: Around) -> int:
    """Return what the buyer sent to the market; 0 where a router paid native money in the buyer's place."""
    if sale.currency == NATIVE:
        return around.transaction.value if around.transaction.target == log.address else 0
    return sum(
        one.amount
        for one in around.money
        if (one.currency, one.sender, one.receiver) == (sale.currency, sale.buyer, log.address)
    )


def _old(side: Side) -> _Layout:
    def layout(log: RawLog) -> _Sale:
        expect_topics(log, 4, "A sale of SuperRare")
        item = Item(log.address, topic_number(log.topics, 3))
        buyer, seller = topic_address(log.topics, 1), topic_address(log.topics, 2)
        return _Sale(side, seller, buyer, item, NATIVE, number(log.data, 0))

    return layout


def _market(side: Side, start: int) -> _Layout:
    """Amount and token stand from the byte ``start`` on; before it stands the currency, if any."""

    def layout(log: RawLog) -> _Sale:
        expect_topics(log, 4, "A sale of SuperRare")
        item = Item(topic_address(log.topics, 1), number(log.data, start + 32))
        buyer, seller = topic_address(log.topics, 2), topic_address(log.topics, 3)
        currency = address(log.data, 0) if start else NATIVE
        return _Sale(side, seller, buyer, item, currency, number(log.data, start))

    return layout


def _settled(start: int) -> _Layout:
    """The amount stands at the byte ``start``; between the seller and it stands the currency, if any."""

    def layout(log: RawLog) -> _Sale:
        expect_topics(log, 4, "A sale of SuperRare")
        item = Item(topic_address(log.topics, 1), topic_number(log.topics, 3))
        currency = address(log.data, 32) if start > 32 else NATIVE
        bidder, seller = topic_address(log.topics, 2), address(log.data, 0)
        return _Sale(Side.AUCTION, seller, bidder, item, currency, number(log.data, start))

    return layout


_LAYOUTS: dict[str, _Layout] = {
    OLD_SOLD: _old(Side.ASK),
    OLD_ACCEPT_BID: _old(Side.BID),
    SOLD: _market(Side.ASK, 0),
    ACCEPT_BID: _market(Side.BID, 0),
    AUCTION_SETTLED: _settled(32),
    BAZAAR_SOLD: _market(Side.ASK, 32),
    BAZAAR_ACCEPT_OFFER: _market(Side.BID, 32),
    BAZAAR_AUCTION_SETTLED: _settled(64),
}
_BOUGHT = ((SOLD,), (BAZAAR_SOLD,))
"""First topics of the events that a buyer's own call brings about."""
