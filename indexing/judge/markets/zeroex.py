"""0x 4: orders for NFTs, of the exchange proxy on many chains.

``ERC721OrderFilled(uint8 direction, address maker, address taker, uint256 nonce, address erc20Token, uint256
erc20TokenAmount, address erc721Token, uint256 erc721TokenId, address matcher)`` and ``ERC1155OrderFilled``, with
``erc20FillAmount`` in the place of the amount and ``uint128 erc1155FillAmount`` behind the token id; nothing is
indexed. Direction 0: the maker sells, 1: the maker buys. 0xeeee… is the native currency. The amount is what the seller
gets; the buyer pays the order's fees on top, which no event tells (see :mod:`indexing.judge.markets.gross`).
``matcher`` is not zero where two orders were matched: then the seller's event comes first, the buyer's right behind
it, and what the buyer offered is paid whole. Specified by ``IERC721OrdersFeature.sol``, ``IERC1155OrdersFeature.sol``
and ``NFTOrders.sol`` of the published zero-ex contracts. The proxy's other events are about tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from indexing.decode.words import UndecodableError, address, expect_topics, number
from indexing.judge.markets.gross import on_top
from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Side
from indexing.node.logs import RawLog

ERC721_ORDER_FILLED = "0x50273fa02273cceea9cf085b42de5c8af60624140168bd71357db833535877af"
ERC1155_ORDER_FILLED = "0x20cca81b0e269b265b3229d6b537da91ef475ca0ef55caed7dd30731700ba98d"

_ETHER = "0x" + "ee" * 20
_SELLS, _BUYS = 0, 1


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read the orders for NFTs that the proxy filled; two that were matched are one fill."""
    readers = {
        ERC721_ORDER_FILLED: lambda log: _fill(log, deployment, has_units=False),
        ERC1155_ORDER_FILLED: lambda log: _fill(log, deployment, has_units=True),
    }
    found = []
    for one in each(logs, readers, deployment):
        if isinstance(one, Fault):
            yield one
        else:
            found.append(one[1])
    yield from on_top(matched(found), around)


def matched(found: Sequence[Fill]) -> list[Fill]:
    """Return fills without the sellers' sides of orders that were matched: the buyer's side tells what was paid."""
    kept: list[Fill] = []
    for fill in found:
        before = kept[-1] if kept else None
        if (
            before is not None
            and (before.side, fill.side) == (Side.ASK, Side.BID)
            and (before.seller, before.buyer, before.items) == (fill.seller, fill.buyer, fill.items)
        ):
            kept[-1] = fill._replace(order_hashes=(*before.order_hashes, *fill.order_hashes))
        else:
            kept.append(fill)
    return kept


def currency(data: bytes, offset: int) -> str:
    """Read the contract of a currency, which is 0xeeee… for the native one."""
    found = address(data, offset)
    return NATIVE if found == _ETHER else found


def _fill(log: RawLog, deployment: Deployment, *, has_units: bool) -> Fill:
    expect_topics(log, 1, "An order for NFTs that was filled")
    data = log.data
    direction = number(data, 0)
    if direction not in (_SELLS, _BUYS):
        raise UndecodableError(f"A direction {direction}, which 0x does not have.")
    maker, taker = address(data, 32), address(data, 64)
    units = number(data, 256) if has_units else 1
    address(data, 288 if has_units else 256)  # the matcher: the data is whole
    if not units:
        raise UndecodableError("An order of no units.")
    return Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=log.log_index,
        side=Side.ASK if direction == _SELLS else Side.BID,
        seller=maker if direction == _SELLS else taker,
        buyer=taker if direction == _SELLS else maker,
        items=(Item(address(data, 192), number(data, 224), units),),
        currency=currency(data, 128),
        price=number(data, 160),
        surcharges=(0,),
    )
