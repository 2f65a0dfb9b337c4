"""The market within CryptoPunks and within its first contract, V1 (Ethereum; ``deployments.MARKETS``).

``PunkBought(uint256 indexed punkIndex, uint256 value, address indexed fromAddress, address indexed toAddress)`` when an
offer is taken (``buyPunk``), all of whose value is the seller's; and when a bid is accepted (``acceptBidForPunk``,
not in V1), but then ``value`` and ``toAddress`` are zero, since the bid was cleared just before. An accepted bid was
entered earlier (``PunkBidEntered(uint256 indexed punkIndex, uint256 value, address indexed fromAddress)``, taken back
by ``PunkBidWithdrawn`` of the same layout), as a rule in another transaction: no log of this one holds the price, but
the bids that were seen before do.
Who sold and who bought is what the punk's move says (:mod:`indexing.decode.punks`). V1's ``value`` is what was paid,
though that contract credited it to the buyer. ``transferPunk`` sells nothing.
Specified by the published sources, ``CryptoPunksMarket`` and ``CryptoPunks``.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from core.addresses import ZERO_ADDRESS
from indexing.decode.moves import Move
from indexing.decode.words import expect_topics, number, topic_address, topic_number
from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Side
from indexing.node.events import PUNK_BID_ENTERED, PUNK_BOUGHT
from indexing.node.logs import RawLog

# event PunkBidWithdrawn(uint256 indexed punkIndex, uint256 value, address indexed fromAddress)
PUNK_BID_WITHDRAWN = "0x6f30e1ee4d81dcc7a8a478577f65d2ed2edb120565960ac45fe7c50551c87932"


class _Bid(NamedTuple):
    """A bid that was entered, or taken back: then its value is 0, since it no longer stands."""

    punk: int
    bidder: str
    value: int


class _Bought(NamedTuple):
    punk: int
    value: int
    receiver: str


_Event = _Bid | _Bought


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read what was bought from one contract of punks.

    An accepted bid whose entering was not seen is sold at a price that is not known. What was bought for nothing is a
    fill of price 0. A contract that buys a punk and mints an NFT of its own for it wraps it:
    that is no fill, whatever was sent along.
    """
    moved = {move.log_index: place for place, move in enumerate(around.moves)}
    minted = {
        (move.contract, move.token_id, move.receiver) for move in around.moves if move.sender == ZERO_ADDRESS
    }
    bids: dict[int, _Bid] = {}
    readers = {PUNK_BOUGHT: _bought, PUNK_BID_ENTERED: _entered, PUNK_BID_WITHDRAWN: _withdrawn}
    for one in each(logs, readers, deployment):
        if isinstance(one, Fault):
            yield one
            continue
        log, value = one
        if isinstance(value, _Bid):
            bids[value.punk] = value
            continue
        place = moved.get(log.log_index)
        if place is None:
            yield Fault(deployment.protocol, log.log_index, "No one can tell who sold the punk to whom.")
        elif not _is_wrapping(around.moves[place], minted):
            yield _fill(value, log, place, bids.get(value.punk), deployment, around)


def _fill(
    bought: _Bought, log: RawLog, place: int, bid: _Bid | None, deployment: Deployment, around: Around
) -> Fill:
    move = around.moves[place]
    accepted = bought.receiver == ZERO_ADDRESS
    price = bought.value
    if accepted:
        price = _accepted(bid, move, around)
    return Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=log.log_index,
        side=Side.BID if accepted else Side.ASK,
        seller=move.sender,
        buyer=move.receiver,
        items=(Item(move.contract, move.token_id),),
        currency=NATIVE,
        price=price,
        unpriced=accepted and not price,
        moves=(place,),
        escrowed=accepted,
    )


def _accepted(bid: _Bid | None, move: Move, around: Around) -> int:
    """Return what the buyer had bid, by this transaction's event or an earlier one; 0 where neither was seen."""
    if bid is not None:
        return bid.value if bid.bidder == move.receiver else 0
    place = (move.block_number, move.log_index)
    return around.bids.accepted(move.contract, move.token_id, move.receiver, *place) or 0


def _is_wrapping(bought: Move, minted: Container[tuple[str, int, str]]) -> bool:
    return (bought.receiver, bought.token_id, bought.sender) in minted


def _bought(log: RawLog) -> _Event:
    expect_topics(log, 4)
    return _Bought(topic_number(log.topics, 1), number(log.data, 0), topic_address(log.topics, 3))


def _entered(log: RawLog) -> _Event:
    expect_topics(log, 3)
    return _Bid(topic_number(log.topics, 1), topic_address(log.topics, 2), number(log.data, 0))


def _withdrawn(log: RawLog) -> _Event:
    return _entered(log)._replace(value=0)
