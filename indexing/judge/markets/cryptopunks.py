"""The market within CryptoPunks and within its first contract, V1 (Ethereum).

``PunkBought`` when an offer is taken (``buyPunk``), all of whose value is the seller's; and when a bid is accepted
(``acceptBidForPunk``, not in V1), but then ``value`` and ``toAddress`` are zero, since the bid was cleared just before.
An accepted bid was entered earlier (``PunkBidEntered``, taken back by ``PunkBidWithdrawn``), as a rule in another
transaction: no log of this one holds the price, but the bids that were seen before do.
Who sold and who bought is what the punk's move says (:mod:`indexing.decode.punks`). V1's ``value`` is what was paid,
though that contract credited it to the buyer. ``transferPunk`` sells nothing.
Specified by the published sources, ``CryptoPunksMarket`` and ``CryptoPunks``.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from core.addresses import ZERO_ADDRESS
from indexing.decode.moves import Move
from indexing.decode.signatures import Event
from indexing.judge.markets.declaring import ETHEREUM, Market, Protocol
from indexing.judge.markets.punk_orders import ORDERS, PUNK_BOUGHT, PUNKS_MARKET, V1, V1_SLUG, WRAPPED_ORDERS
from indexing.judge.markets.reading import Around, Told, holding, together
from indexing.judge.verdicts import Fault, Fill, Item, Role, Side

PUNK_BID_ENTERED = Event(
    "PunkBidEntered(uint256 indexed punkIndex, uint256 value, address indexed fromAddress)"
)
PUNK_BID_WITHDRAWN = Event(
    "PunkBidWithdrawn(uint256 indexed punkIndex, uint256 value, address indexed fromAddress)"
)


Bid = tuple[str, int]
"""Bidder and value; one that was taken back no longer stands, and has a value of 0."""


def fills(found: list[tuple[Told, None]], around: Around) -> Iterator[Fill | Fault]:
    """Read what was bought from one contract of punks.

    An accepted bid whose entering was not seen is sold at a price that is not known. What was bought for nothing is a
    fill of price 0. A contract that buys a punk and mints an NFT of its own for it wraps it:
    that is no fill, whatever was sent along.
    """
    moved = {move.log_index: place for place, move in enumerate(around.moves)}
    minted = {
        (move.contract, move.token_id, move.receiver) for move in around.moves if move.sender == ZERO_ADDRESS
    }
    bids: dict[int, Bid] = {}
    for told, _ in found:
        punk = told["punkIndex"]
        if told.event is PUNK_BID_ENTERED:
            bids[punk] = told["fromAddress"], told["value"]
        elif told.event is PUNK_BID_WITHDRAWN:
            bids[punk] = told["fromAddress"], 0
        elif (place := moved.get(told.log.log_index)) is None:
            yield told.fault("No one can tell who sold the punk to whom.")
        elif not _is_wrapping(around.moves[place], minted):
            yield _fill(told, place, bids.get(punk))


def _fill(told: Told, place: int, bid: Bid | None) -> Fill:
    move = told.around.moves[place]
    accepted = told["toAddress"] == ZERO_ADDRESS
    price = _accepted(bid, move, told.around) if accepted else told["value"]
    return told.fill(Side.BID if accepted else Side.ASK)._replace(
        rest=Role.SELLER,  # the contract takes no fee
        seller=move.sender,
        buyer=move.receiver,
        items=(Item(move.contract, move.token_id),),
        price=price,
        unpriced=accepted and not price,
        moves=(place,),
        escrowed=accepted,
    )


def _accepted(bid: Bid | None, move: Move, around: Around) -> int:
    """Return what the buyer had bid, by this transaction's event or an earlier one; 0 where neither was seen."""
    if bid is not None:
        bidder, value = bid
        return value if bidder == move.receiver else 0
    place = (move.block_number, move.log_index)
    return around.bids.accepted(move.contract, move.token_id, move.receiver, *place) or 0


def _is_wrapping(bought: Move, minted: Container[tuple[str, int, str]]) -> bool:
    return (bought.receiver, bought.token_id, bought.sender) in minted


_HANDLERS = {
    PUNK_BOUGHT: holding("punkIndex", "value", "toAddress"),
    PUNK_BID_ENTERED: holding("punkIndex", "value", "fromAddress"),
    PUNK_BID_WITHDRAWN: holding("punkIndex", "value", "fromAddress"),
}
_READ = together(_HANDLERS, fills)
_ADDRESSES = ("0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb", V1)

MARKETS = (
    Market(
        "cryptopunks", "CryptoPunks", (Protocol("cryptopunks", _READ, {ETHEREUM: _ADDRESSES}, orders=ORDERS),)
    ),
    Market(
        V1_SLUG,
        "CryptoPunks V1",
        (
            Protocol(
                "punks-market", None, {ETHEREUM: (PUNKS_MARKET,)}, orders=WRAPPED_ORDERS, is_operator=True
            ),
        ),
    ),
)
