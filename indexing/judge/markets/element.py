"""Element, on many chains: an exchange that grew out of 0x 4's orders for NFTs.

``ERC721SellOrderFilled`` and ``ERC721BuyOrderFilled``, both ``(bytes32 orderHash, address maker, address taker,
uint256 nonce, address erc20Token, uint256 erc20TokenAmount, Fee[] fees, address erc721Token, uint256 erc721TokenId)``,
and ``ERC1155…`` with ``uint128 erc1155FillAmount`` behind; ``Fee`` is ``(address recipient, uint256 amount)`` and
nothing is indexed. The maker of a sell order sells, that of a buy order buys. The amount is all that the buyer pays,
fees included. 0xeeee… is the native currency. Basic orders and batches emit the same events.

Its first version (2022) emitted ``(address maker, address taker, address erc20Token, uint256 erc20TokenAmount, address
erc721Token, uint256 erc721TokenId, bytes32 orderHash)``, ``ERC1155…`` with ``uint128 erc1155FillAmount`` before the
hash, with the amount that the seller gets: fees come on top and are in no event, as at 0x.

Specified by ``IERC721OrdersEvent.sol``, ``IERC1155OrdersEvent.sol``, ``ERC721OrdersFeature.sol`` and
``BatchListingOrdersFeature.sol`` of the published element contracts, and the verified source of the first version.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from indexing.decode.words import UndecodableError, address, expect_topics, number, structs
from indexing.judge.markets.gross import on_top
from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.markets.zeroex import currency, matched
from indexing.judge.sales import Fault, Fill, Item, Payment, Side
from indexing.node.logs import RawLog

ERC721_SELL = "0x9c248aa1a265aa616f707b979d57f4529bb63a4fc34dc7fc61fdddc18410f74e"
ERC721_BUY = "0xd90a5c60975c6ff8eafcf02088e7b50ae5d9e156a79206ba553df1c4fb4594c2"
ERC1155_SELL = "0xfcde121a3f6a9b14a3ce266d61fc00940de86c4d8c1d733fe62d503ae5d99ff9"
ERC1155_BUY = "0x105616901449a64554ca9246a5bbcaca973b40b3c0055e5070c6fa191618d9f3"

ERC721_SELL_FIRST = "0x8a0f8e04e7a35efabdc150b7d106308198a4f965a5d11badf768c5b8b273ac94"
ERC721_BUY_FIRST = "0xa24193d56ccdf64ce1df60c80ca683da965a1da3363efa67c14abf62b2d7d493"
ERC1155_SELL_FIRST = "0x3ae452568bed7ccafe4345f10048675bae78660c7ea37eb5112b572648d4f116"
ERC1155_BUY_FIRST = "0x020486beb4ea38db8dc504078b03c4f758de372097584b434a8b8f53583eecac"

_FEE_WORDS = 2


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read the orders that the exchange filled."""
    readers = {
        ERC721_SELL: lambda log: _fill(log, Side.ASK, deployment, has_units=False),
        ERC721_BUY: lambda log: _fill(log, Side.BID, deployment, has_units=False),
        ERC1155_SELL: lambda log: _fill(log, Side.ASK, deployment, has_units=True),
        ERC1155_BUY: lambda log: _fill(log, Side.BID, deployment, has_units=True),
    }
    for one in each(logs, readers, deployment):
        yield one if isinstance(one, Fault) else one[1]
    yield from _of_first_version(logs, deployment, around)


def _of_first_version(
    logs: Sequence[RawLog], deployment: Deployment, around: Around
) -> Iterator[Fill | Fault]:
    readers = {
        ERC721_SELL_FIRST: lambda log: _first(log, Side.ASK, deployment, has_units=False),
        ERC721_BUY_FIRST: lambda log: _first(log, Side.BID, deployment, has_units=False),
        ERC1155_SELL_FIRST: lambda log: _first(log, Side.ASK, deployment, has_units=True),
        ERC1155_BUY_FIRST: lambda log: _first(log, Side.BID, deployment, has_units=True),
    }
    found = []
    for one in each(logs, readers, deployment):
        if isinstance(one, Fault):
            yield one
        else:
            found.append(one[1])
    yield from on_top(matched(found), around)


def _fill(log: RawLog, side: Side, deployment: Deployment, *, has_units: bool) -> Fill:
    expect_topics(log, 1, "An order that Element filled")
    data, paid_in = log.data, currency(log.data, 128)
    start, count = structs(data, 192, _FEE_WORDS)
    fees = [
        Payment(paid_in, number(data, at + 32), address(data, at))
        for at in range(start, start + 64 * count, 64)
    ]
    price = number(data, 160)
    if sum(fee.amount for fee in fees) > price:
        raise UndecodableError("The fees are more than the price that includes them.")
    fill = _between(address(data, 32), address(data, 64), log, side, deployment)
    return fill._replace(
        items=(_item(data, 224, 288 if has_units else None),),
        currency=paid_in,
        price=price,
        payments=tuple(fee for fee in fees if fee.amount),
        order_hashes=("0x" + data[:32].hex(),),
    )


def _first(log: RawLog, side: Side, deployment: Deployment, *, has_units: bool) -> Fill:
    expect_topics(log, 1, "An order that Element filled")
    data = log.data
    order_hash = number(data, 224 if has_units else 192)
    fill = _between(address(data, 0), address(data, 32), log, side, deployment)
    return fill._replace(
        items=(_item(data, 128, 192 if has_units else None),),
        currency=currency(data, 64),
        price=number(data, 96),
        order_hashes=(f"0x{order_hash:064x}",),
        surcharges=(0,),
    )


def _between(maker: str, taker: str, log: RawLog, side: Side, deployment: Deployment) -> Fill:
    """Return a fill of nothing yet, with its parties."""
    return Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=log.log_index,
        side=side,
        seller=maker if side is Side.ASK else taker,
        buyer=taker if side is Side.ASK else maker,
        items=(),
        currency="",
        price=0,
    )


def _item(data: bytes, token: int, units: int | None) -> Item:
    """Read the NFT; ``units`` is where its units stand, if it has any."""
    item = Item(address(data, token), number(data, token + 32), 1 if units is None else number(data, units))
    if not item.amount:
        raise UndecodableError("An order of no units.")
    return item
