"""NFT Trader: two parties swap NFTs, tokens and ether by an intent that one makes and the other closes.

``swapEvent(address indexed creator, uint256 indexed time, uint8 indexed status, uint256 swapId, address
swapCounterPart)``, and later with ``address referral`` behind. Status 0: an intent is made, 1: closed, 2: cancelled.
When it is closed, ``creator`` is who closes it. The first contract holds the maker's part since the intent was made,
the second one moves everything when it is closed; both before the event, and neither says what. NFTs both ways are a
swap with all legs that logs show; one way they are a sale for what went the other way. Ether shows nowhere: it is in
no leg, and NFTs for ether are sold for nobody knows what (the transaction also brings a fee). Specified by
``BatchSwap.sol`` of the verified sources.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from indexing.decode.words import UndecodableError, address, expect_topics, topic_address, topic_number
from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Payment, Side
from indexing.node.logs import RawLog

SWAP = "0x20c004714deaf94f3e80538ac812eb372a6d40711070cd585f447f9ef76d525d"
SWAP_REFERRED = "0x8873f53f40d4865bac9c1e8998aef3351bb1ef3db1a6923ab09621cf1a6659a9"

_CLOSED = 1
_STATUSES = range(3)


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read the swaps that were closed."""
    after = -1
    for one in each(logs, {SWAP: _closer, SWAP_REFERRED: _closer}, deployment):
        if isinstance(one, Fault):
            yield one
            after = one.log_index
            continue
        log, closer = one
        if closer is not None:
            yield _fill(log, closer, after, deployment, around)
        after = log.log_index


def _closer(log: RawLog) -> str | None:
    """Return who closed a swap; ``None`` where it was made or cancelled."""
    expect_topics(log, 4, "An event of a swap")
    status = topic_number(log.topics, 3)
    if status not in _STATUSES:
        raise UndecodableError(f"A status {status}, which NFT Trader does not have.")
    address(log.data, 32)
    return topic_address(log.topics, 1) if status == _CLOSED else None


def _fill(log: RawLog, closer: str, after: int, deployment: Deployment, around: Around) -> Fill:
    """Return what the logs since the last event of the market say of a swap."""
    moves = [move for move in around.moves if after < move.log_index < log.log_index]
    got = [move for move in moves if move.receiver == closer and move.sender != closer]
    gave = [move for move in moves if move.sender == closer and move.receiver != closer]
    payments = [
        (one.sender == closer, Payment(one.currency, one.amount, one.receiver))
        for one in around.money
        if after < one.log_index < log.log_index and closer in (one.sender, one.receiver)
    ]
    items = tuple(Item(move.contract, move.token_id, move.amount) for move in got or gave)
    parties = (None, closer) if got else (closer, None)
    fill = Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=log.log_index,
        side=Side.ASK if got else Side.BID,
        seller=parties[0],
        buyer=parties[1],
        items=items,
        currency=NATIVE,
        price=0,
    )
    if got and gave:
        back = tuple(Item(move.contract, move.token_id, move.amount) for move in gave)
        return fill._replace(returned=back, payments=tuple(one for _, one in payments))
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
