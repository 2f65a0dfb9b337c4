"""The sale auctions of CryptoKitties (``SaleClockAuction``, Ethereum).

``AuctionSuccessful(uint256 tokenId, uint256 totalPrice, address winner)``, nothing indexed: somebody bought a
kitty at the price that the clock had come to, in wei; the cut of the auction house is a part of it, what was
sent above it goes back. The auction house holds the kitty from ``AuctionCreated(uint256 tokenId, uint256
startingPrice, uint256 endingPrice, uint256 duration)`` on, which names no seller either; it moves it to the
winner just behind the event. Who sold it, only the move into custody told, in an earlier transaction.
``AuctionCancelled`` gives it back: no sale. Specified by ``ClockAuctionBase`` and ``SaleClockAuction`` of the
verified source. ``SiringClockAuction`` emits the same event when a sire is rented, which goes back to its
owner: that contract is no deployment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from indexing.decode.words import address, expect_topics, number
from indexing.judge.markets.deliveries import nearest
from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Side
from indexing.node.logs import RawLog

AUCTION_SUCCESSFUL = "0x4fcc30d90a842164dd58501ab874a101a3749c3d4747139cefe7c876f4ccebd2"


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read the kitties that the auction house sold, one fill an event."""
    taken: set[int] = set()
    for one in each(logs, {AUCTION_SUCCESSFUL: _successful}, deployment):
        if isinstance(one, Fault):
            yield one
            continue
        log, (token_id, price, winner) = one
        place = nearest(
            around.moves,
            log.log_index,
            taken,
            sender=log.address,
            receiver=winner,
            token_id=token_id,
            is_before=False,
        )
        if place is None:
            reason = "The kitty does not leave the auction house for the winner."
            yield Fault(deployment.protocol, log.log_index, reason, NATIVE, price)
            continue
        taken.add(place)
        yield Fill(
            protocol=deployment.protocol,
            market=deployment.market,
            log_index=log.log_index,
            side=Side.AUCTION,
            seller=None,
            buyer=winner,
            items=(Item(around.moves[place].contract, token_id),),
            currency=NATIVE,
            price=price,
            moves=(place,),
        )


def _successful(log: RawLog) -> tuple[int, int, str]:
    expect_topics(log, 1, "AuctionSuccessful")
    return number(log.data, 0), number(log.data, 32), address(log.data, 64)
