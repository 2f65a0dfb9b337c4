"""Rarible 2 (``ExchangeV2``), on many chains: one contract, upgraded since 2021, so that there are layouts by time.

Two orders are matched: a left and a right one, each giving what the other takes. ``Match`` told first the makers and
amounts, then the assets too (both after the transfers), and since 2022 only ``(leftHash, rightHash, newLeftFill,
newRightFill)``, now before the transfers. Until 2022 the exchange emitted a ``Transfer`` of its own for every asset
that it moved, money too: then all is known. Without them the NFT is among the moves next to the event, and what the
buyer paid is what it sent in a token; of ether it is only known what the order asks, and fees are on top. What is sent
too much is handed back. So the gross price is certain where the transaction brought what is asked, and believed where
it brought what is asked with one of Rarible's published fees on top. Specified by ``ExchangeV2Core.sol``,
``TransferExecutor.sol``, ``RaribleTransferManager.sol`` and ``LibAsset.sol`` of the published protocol-contracts; fees
by Rarible's help pages.

``Cancel`` ends an order by its key, which is a hash of who made it and of what, and does not hold the price.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.addresses import ZERO_ADDRESS
from indexing.decode.signatures import Event
from indexing.judge.markets.declaring import ARBITRUM, BASE, ETHEREUM, POLYGON, Market, Protocol
from indexing.judge.markets.gross import added, last_event
from indexing.judge.markets.order_reading import CANCELLED, OrderReader, Said
from indexing.judge.markets.rarible_events import (
    MATCH,
    MATCH_BARE,
    MATCH_FIRST,
    TRANSFER,
    Asset,
    Matched,
    Moved,
    matched,
    matched_barely,
    matched_by_makers,
    moved,
)
from indexing.judge.markets.reading import Around, Deployment, Told, each
from indexing.judge.verdicts import NATIVE, Fault, Fill, Payment, Side
from indexing.node.logs import RawLog
from transfers.ledger.order_facts import OrderEvent

CANCEL = Event("Cancel(bytes32 hash)")
CANCEL_FIRST = Event(
    "Cancel(bytes32 hash, address maker, (bytes4 assetClass, bytes data) makeAssetType, "
    "(bytes4 assetClass, bytes data) takeAssetType)"
)

_FEES = (0, 50, 100, 250, 500, 750)
"""What buyers paid on top over the years, in basis points; nothing for some."""


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read the orders that were matched: sales, and NFTs for NFTs."""
    told: list[Fill] = []
    pending: list[Moved] = []
    is_whole = True
    for one in each(logs, _HANDLERS, deployment, around):
        if isinstance(one, Fault):
            is_whole = False
            yield one
            continue
        event, value = one
        if isinstance(value, Moved):
            pending.append(value)
        elif value is not None:
            blank = event.fill()._replace(order_hashes=value.hashes)
            fill = _of_transfers(blank, pending, event.log, around) if pending and is_whole else None
            if fill is not None:
                yield fill
            elif value.assets is not None and value.makers is not None:
                told.append(_of_assets(blank, value, value.makers, value.assets, around))
            else:
                told.append(_of_moves(blank, value, around))
            pending, is_whole = [], True
    for fill in told:
        yield fill._replace(surcharges=_FEES) if fill.items else _nothing(fill)


def _of_transfers(fill: Fill, some: Sequence[Moved], log: RawLog, around: Around) -> Fill | None:
    """Return what the exchange's own transfers of a match say; ``None`` where they say of no NFT."""
    nfts = [one for one in some if one.asset.currency is None]
    money = [one for one in some if one.asset.currency is not None and one.amount]
    if not nfts:
        return None
    seller = nfts[0].sender
    there = [one for one in nfts if one.sender == seller]
    currencies = list(dict.fromkeys(one.asset.currency for one in money))
    currency = currencies[0] or NATIVE if currencies else NATIVE
    return fill._replace(
        side=_side(seller, around),
        seller=seller,
        buyer=nfts[0].receiver,
        items=tuple(one.asset.item(one.amount) for one in there),
        returned=tuple(one.asset.item(one.amount) for one in nfts if one.sender != seller),
        currency=currency,
        price=sum(one.amount for one in money if one.asset.currency == currency),
        payments=tuple(Payment(one.asset.currency or NATIVE, one.amount, one.receiver) for one in money),
        mixed=len(currencies) > 1,
        # An order that was put on chain had its ether locked before.
        escrowed=any(one.sender == log.address for one in money),
    )


def _of_assets(
    fill: Fill, one: Matched, makers: tuple[str, str], assets: tuple[Asset, Asset], around: Around
) -> Fill:
    """Return what the makers and assets of a match say, with the payments before it where they are in a token."""
    (gives, gets), (left, right) = assets, makers
    given, got = gives.item(one.right_got), gets.item(one.left_got)
    if gives.currency is None and gets.currency is None:
        return fill._replace(seller=left, buyer=right, items=(given,), returned=(got,))
    if gives.currency is not None and gets.currency is not None:
        return fill  # money for money
    if gives.currency is None:
        found = fill._replace(seller=left, buyer=right, items=(given,))
        currency, price = gets.currency or NATIVE, one.left_got
    else:
        found = fill._replace(seller=right, buyer=left, items=(got,))
        currency, price = gives.currency, one.right_got
    after = last_event(around, fill.log_index)
    found = found._replace(side=_side(found.seller, around), currency=currency, price=price)
    return _priced(found, around, after, fill.log_index)


def _of_moves(fill: Fill, one: Matched, around: Around) -> Fill:
    """Return what the moves next to a match say that names no asset; nothing sold where there are none."""
    after, before = _window(fill.log_index, one, around)
    places = [
        place
        for place, move in enumerate(around.moves)
        if after < move.log_index < before and place not in around.taken and not _is_passed_on(place, around)
    ]
    if not places:
        return fill
    first = around.moves[places[0]]
    there = [at for at in places if _parties(at, around) == (first.sender, first.receiver)]
    back = [at for at in places if _parties(at, around) == (first.receiver, first.sender)]
    found = fill._replace(
        side=_side(first.sender, around),
        seller=first.sender,
        buyer=first.receiver,
        items=around.items(there),
        returned=around.items(back),
        moves=() if back else tuple(there),
    )
    if back:
        return found
    units = sum(around.moves[at].amount for at in there)
    prices = [
        price
        for price, amount in ((one.left_got, one.right_got), (one.right_got, one.left_got))
        if amount == units
    ]
    if not prices:
        return found._replace(unpriced=True)
    # The exchange moves the money first.
    return _priced(found._replace(price=prices[0]), around, after, first.log_index, is_named=False)


def _priced(fill: Fill, around: Around, after: int, before: int, *, is_named: bool = True) -> Fill:
    """Return a fill with what was paid for it in a token, if it was; ``is_named``: the event names the currency."""
    paid: dict[tuple[str, str], int] = {}
    for one in around.money:
        if after < one.log_index < before and (not is_named or one.currency == fill.currency):
            paid[one.sender, one.currency] = paid.get((one.sender, one.currency), 0) + one.amount
    for (sender, currency), amount in paid.items():
        if sender == fill.buyer and amount >= fill.price:
            return fill._replace(currency=currency, price=amount)
    believed = {added(fill.price, rate) for rate in _FEES}
    for (sender, currency), amount in paid.items():
        if sender != fill.seller and amount in believed:  # a router, or who pays for the buyer
            return fill._replace(currency=currency, price=amount)
    return fill


def _window(event: int, one: Matched, around: Around) -> tuple[int, int]:
    """Return the logs between which a match moved things: after it in the last layout, else before it."""
    if one.makers is not None:
        return last_event(around, event), event
    others = around.registry.markets
    following = (
        log.log_index
        for log in around.transaction.logs
        if log.log_index > event and log.address in others and log.topics and log.topics[0] != TRANSFER.topic
    )
    return event, next(following, around.transaction.logs[-1].log_index + 1)


def _is_passed_on(place: int, around: Around) -> bool:
    """Whether a move mints what the next move of the same token takes on to the buyer: a lazy mint."""
    move = around.moves[place]
    return move.sender == ZERO_ADDRESS and any(
        (later.contract, later.token_id, later.sender) == (move.contract, move.token_id, move.receiver)
        for later in around.moves[place + 1 : place + 3]
    )


def _side(seller: str | None, around: Around) -> Side:
    """Return whose order was there before: who sends the transaction is the one that takes it."""
    return Side.BID if around.transaction.sender == seller else Side.ASK


def _parties(place: int, around: Around) -> tuple[str, str]:
    return around.moves[place].sender, around.moves[place].receiver


def _nothing(fill: Fill) -> Fault:
    return Fault(fill.protocol, fill.log_index, "No NFT moves next to the match, which names none.")


_HANDLERS: dict[Event, Callable[[Told], Matched | Moved | None]] = {
    MATCH: matched,
    MATCH_FIRST: matched_by_makers,
    MATCH_BARE: matched_barely,
    TRANSFER: moved,
}


def _cancelled(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(CANCELLED, order_hash=said["hash"], maker=said.get("maker", None))


_ORDERS = OrderReader({CANCEL: _cancelled, CANCEL_FIRST: _cancelled})
# ``TransferProxy`` for NFTs, as the published protocol-contracts deploy it.
_PROXIES = {ETHEREUM: ("0x4fee7b061c97c9c496b01dbce9cdb10c02f0a0be",)}
_ADDRESSES = {
    ETHEREUM: ("0x9757f2d2b135150bbeb65308d4a91804107cd8d6",),
    POLYGON: ("0x12b3897a36fdb436dde2788c06eff0ffd997066e",),
    BASE: ("0x139608abee12ff39fedae39c493b571a25995e10",),
    ARBITRUM: ("0x07b637739cad9a5f0c487219b283a52717e69978",),
}
_WRAPPERS = ("0x2a7251d1e7d708c507b1b0d3ff328007beecce5d", "0x7f19564c35c681099c0c857a7141836cf7edaa53")

MARKET = Market(
    "rarible",
    "Rarible",
    (Protocol("rarible-2", fills, _ADDRESSES, is_nameless=True, orders=_ORDERS, operators=_PROXIES),),
    targets={ETHEREUM: _WRAPPERS},
)
