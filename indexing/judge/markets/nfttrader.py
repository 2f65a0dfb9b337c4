"""NFT Trader: two parties swap NFTs, tokens and ether by an intent that one makes and the other closes.

``swapEvent`` of status 0: an intent is made, 1: closed, 2: cancelled. When it is closed, ``creator`` is who closes it.
The first contract holds the maker's part since the intent was made, the second one moves everything when it is closed;
both before the event, and neither says what. NFTs both ways are a swap with all legs that logs show; one way they are a
sale for what went the other way. Ether shows nowhere: it is in no leg, and NFTs for ether are sold for nobody knows
what (the transaction also brings a fee). Specified by ``BatchSwap.sol`` of the verified sources.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from indexing.decode.signatures import Event
from indexing.decode.words import UndecodableError
from indexing.judge.markets.declaring import ETHEREUM, Market, Protocol
from indexing.judge.markets.reading import Around, Deployment, Told, each, items
from indexing.judge.verdicts import Fault, Fill, Payment, Side
from indexing.node.logs import RawLog

SWAP = Event(
    "swapEvent(address indexed creator, uint256 indexed time, uint8 indexed status, uint256 swapId, "
    "address swapCounterPart)"
)
SWAP_REFERRED = Event(
    "swapEvent(address indexed creator, uint256 indexed time, uint8 indexed status, uint256 swapId, "
    "address swapCounterPart, address referral)"
)

_CLOSED = 1
_STATUSES = range(3)


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read the swaps that were closed."""
    after = -1
    for one in each(logs, {SWAP: _closer, SWAP_REFERRED: _closer}, deployment, around):
        if isinstance(one, Fault):
            yield one
            after = one.log_index
            continue
        told, closer = one
        if closer is not None:
            yield _fill(told, closer, after)
        after = told.log.log_index


def _closer(told: Told) -> str | None:
    """Return who closed a swap; ``None`` where it was made or cancelled."""
    if told["status"] not in _STATUSES:
        raise UndecodableError(f"A status {told['status']}, which NFT Trader does not have.")
    told.check("swapCounterPart")
    return told["creator"] if told["status"] == _CLOSED else None


def _fill(told: Told, closer: str, after: int) -> Fill:
    """Return what the logs since the last event of the market say of a swap."""
    around, until = told.around, told.log.log_index
    moves = [move for move in around.moves if after < move.log_index < until]
    got = [move for move in moves if move.receiver == closer and move.sender != closer]
    gave = [move for move in moves if move.sender == closer and move.receiver != closer]
    payments = [
        (one.sender == closer, Payment(one.currency, one.amount, one.receiver))
        for one in around.money
        if after < one.log_index < until and closer in (one.sender, one.receiver)
    ]
    fill = told.fill(Side.ASK if got else Side.BID)._replace(
        seller=None if got else closer, buyer=closer if got else None, items=items(got or gave)
    )
    if got and gave:
        return fill._replace(returned=items(gave), payments=tuple(one for _, one in payments))
    return _sale(fill, [one for is_paid, one in payments if is_paid == bool(got)], around)


def _sale(fill: Fill, paid: Sequence[Payment], around: Around) -> Fill:
    """Return a fill of NFTs that went one way, with what was paid for them."""
    currencies = list(dict.fromkeys(one.currency for one in paid))
    if currencies:
        return fill._replace(
            currency=currencies[0],
            price=sum(one.amount for one in paid if one.currency == currencies[0]),
            payments=tuple(paid),
            mixed=len(currencies) > 1,
            escrowed=fill.buyer is None,  # the maker's part may have been held since before
        )
    return fill._replace(
        unpriced=bool(fill.items) and fill.buyer is not None and around.transaction.value > 0
    )


_ADDRESSES = ("0x13d8faf4a690f5ae52e2d2c52938d1167057b9af", "0xc310e760778ecbca4c65b6c559874757a4c4ece0")

MARKET = Market(
    "nfttrader",
    "NFT Trader",
    (Protocol("nfttrader", fills, {ETHEREUM: _ADDRESSES}),),
    sources=("0x83db44123e76503203fdf83d2be58be60c15b894",),
)
