"""Limit Break's Payment Processor, versions 1 and 2, on several chains: the exchange under Magic Eden on EVM chains.

Version 1: ``BuySingleListing`` for a listing or an offer, ``BuyBundledListing…`` for a bundle whose items have a price
each, and ``SweepCollection…``. What could not be delivered is marked and not paid. Nothing comes on top.

Version 2: ``BuyListing…`` and ``AcceptOffer…``, with the two parties the other way round. The NFT goes to the
beneficiary. Offers for a token, a collection or a set of tokens, bulk orders and sweeps emit these, one an item. A
buyer may pay a fee on top of the price, once a sweep, which no event tells: see :func:`_on_top`.

Coin 0 is native money; prices are for all units, other fees and royalties included. Specified by
``IPaymentProcessor.sol`` of the published versions.

Orders are signed. ``MasterNonceInvalidated`` names the master nonce that was the maker's until then, one less than the
only one that is good from now on. ``NonceInvalidated`` ends the order of a nonce, also because it was filled; that
version 1 counts the nonces of each marketplace apart is left out, since orders do not say where they were made.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from indexing.decode.signatures import Event
from indexing.decode.words import UndecodableError
from indexing.judge.markets.declaring import ETHEREUM, EVERYWHERE, POLYGON, Market, Protocol
from indexing.judge.markets.gross import sent, sent_behind, unpriced
from indexing.judge.markets.order_reading import CANCELLED, FILLED, OrderReader, Said
from indexing.judge.markets.reading import Around, Told, together
from indexing.judge.verdicts import NATIVE, Fault, Fill, Item, Side
from transfers.ledger.order_facts import NonceRule, OrderEvent

_INDEXED = "address indexed marketplace, address indexed tokenAddress, address indexed paymentCoin"
BUY_SINGLE = Event(
    f"BuySingleListing({_INDEXED}, address buyer, address seller, uint256 tokenId, uint256 amount, "
    "uint256 salePrice)"
)
_BUNDLE = f"{_INDEXED}, address buyer, address seller, bool[] unsuccessfulFills, uint256[] tokenIds"
BUNDLE_ERC721 = Event(f"BuyBundledListingERC721({_BUNDLE}, uint256[] salePrices)")
BUNDLE_ERC1155 = Event(f"BuyBundledListingERC1155({_BUNDLE}, uint256[] amounts, uint256[] salePrices)")
_SWEEP = f"{_INDEXED}, address buyer, bool[] unsuccessfulFills, address[] sellers, uint256[] tokenIds"
SWEEP_ERC721 = Event(f"SweepCollectionERC721({_SWEEP}, uint256[] salePrices)")
SWEEP_ERC1155 = Event(f"SweepCollectionERC1155({_SWEEP}, uint256[] amounts, uint256[] salePrices)")

_BUY = "address indexed buyer, address indexed seller, address indexed tokenAddress"
_ACCEPT = "address indexed seller, address indexed buyer, address indexed tokenAddress"
_ITEM = "address beneficiary, address paymentCoin, uint256 tokenId"
BUY_ERC721 = Event(f"BuyListingERC721({_BUY}, {_ITEM}, uint256 salePrice)")
BUY_ERC1155 = Event(f"BuyListingERC1155({_BUY}, {_ITEM}, uint256 amount, uint256 salePrice)")
ACCEPT_ERC721 = Event(f"AcceptOfferERC721({_ACCEPT}, {_ITEM}, uint256 salePrice)")
ACCEPT_ERC1155 = Event(f"AcceptOfferERC1155({_ACCEPT}, {_ITEM}, uint256 amount, uint256 salePrice)")

MASTER_NONCE_INVALIDATED_1 = Event("MasterNonceInvalidated(uint256 indexed nonce, address indexed account)")
NONCE_INVALIDATED_1 = Event(
    "NonceInvalidated(uint256 indexed nonce, address indexed account, address indexed marketplace, "
    "bool wasCancellation)"
)
MASTER_NONCE_INVALIDATED = Event("MasterNonceInvalidated(address indexed account, uint256 nonce)")
NONCE_INVALIDATED = Event(
    "NonceInvalidated(uint256 indexed nonce, address indexed account, bool wasCancellation)"
)
ORDER_DIGEST_INVALIDATED = Event(
    "OrderDigestInvalidated(bytes32 indexed orderDigest, address indexed account, bool wasCancellation)"
)


def fills_1(found: list[tuple[Told, list[Fill]]], around: Around) -> Iterator[Fill | Fault]:
    """Read what version 1 sold, one fill an item."""
    for _, several in found:
        yield from several


def fills_2(found: list[tuple[Told, Fill]], around: Around) -> Iterator[Fill | Fault]:
    """Read what version 2 sold, one fill an item."""
    yield from _on_top([fill for _, fill in found], around)


def _on_top(told: Sequence[Fill], around: Around) -> list[Fill]:
    """Return fills with what their buyers paid in tokens, or without a price where it is not certain.

    The fee of a sweep is paid at its end, for all of it: it is not split. So prices are certain where the buyer sent
    each of them for its item and nothing behind, or no more than all of them in the whole transaction.
    """
    by_payer: dict[tuple[str | None, str], list[int]] = defaultdict(list)
    for place, one in enumerate(told):
        if one.price and one.currency != NATIVE:
            by_payer[one.buyer, one.currency].append(place)
    found = list(told)
    for (buyer, currency), places in by_payer.items():
        some = [told[place] for place in places]
        total = sum(one.amount for one in around.money if (one.sender, one.currency) == (buyer, currency))
        asked = sum(one.price for one in some)
        behind = sent_behind(some[-1], around)
        each_sent = [sent(one, around, before=one.log_index) for one in some]
        if total <= asked or (each_sent == [one.price for one in some] and not behind):
            continue  # nothing on top; what is missing is found out by who holds prices against the logs
        for place in places:
            is_told = len(places) == 1 and total == each_sent[0] + behind
            found[place] = told[place]._replace(price=total) if is_told else unpriced(told[place])
    return found


def _single(told: Told) -> list[Fill]:
    # The event is the same for both: an offer is accepted by the seller.
    side = Side.BID if told.around.transaction.sender == told["seller"] else Side.ASK
    return [_fill(told, side, told["seller"], told["tokenId"], told["amount"], told["salePrice"])]


def _several(told: Told) -> list[Fill]:
    """Read the items of a bundle or a sweep that were delivered."""
    told.check("buyer", "tokenAddress", "paymentCoin")
    failed, token_ids, prices = told["unsuccessfulFills"], told["tokenIds"], told["salePrices"]
    is_sweep = told.event in (SWEEP_ERC721, SWEEP_ERC1155)
    sellers = told["sellers"] if is_sweep else [told["seller"]] * len(token_ids)
    units = told.get("amounts", [1] * len(token_ids))
    if len({len(failed), len(sellers), len(token_ids), len(units), len(prices)}) != 1:
        raise UndecodableError("The lists of a bundle or a sweep differ in length.")
    return [
        _fill(told, Side.ASK, *one)
        for has_failed, *one in zip(failed, sellers, token_ids, units, prices, strict=True)
        if not has_failed
    ]


def _item(told: Told) -> Fill:
    side = Side.ASK if told.event in (BUY_ERC721, BUY_ERC1155) else Side.BID
    told.check("beneficiary")
    units = told.get("amount", 1)
    fill = _fill(told, side, told["seller"], told["tokenId"], units, told["salePrice"])
    return fill._replace(surcharges=(0,))


def _fill(told: Told, side: Side, seller: str, token_id: int, units: int, price: int) -> Fill:
    if not units:
        raise UndecodableError("A sale of no units.")
    return told.fill(side)._replace(
        seller=seller,
        buyer=told["buyer"],
        items=(Item(told["tokenAddress"], token_id, units),),
        currency=told["paymentCoin"],
        price=price,
    )


def _master_nonce(said: Said) -> Iterator[OrderEvent]:
    yield said.bulk_ended(said["account"], NonceRule.ALL, said["nonce"] + 1)


def _nonce(said: Said) -> Iterator[OrderEvent]:
    yield said.bulk_ended(said["account"], NonceRule.LISTED, said["nonce"], outcome=_outcome(said))


def _digest(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(_outcome(said), order_hash=said["orderDigest"], maker=said["account"])


def _outcome(said: Said) -> str:
    return CANCELLED if said["wasCancellation"] else FILLED


_ORDERS_1 = OrderReader({MASTER_NONCE_INVALIDATED_1: _master_nonce, NONCE_INVALIDATED_1: _nonce})
_ORDERS_2 = OrderReader(
    {MASTER_NONCE_INVALIDATED: _master_nonce, NONCE_INVALIDATED: _nonce, ORDER_DIGEST_INVALIDATED: _digest}
)
_HANDLERS_1: dict[Event, Callable[[Told], list[Fill]]] = {
    BUY_SINGLE: _single,
    **dict.fromkeys((BUNDLE_ERC721, BUNDLE_ERC1155, SWEEP_ERC721, SWEEP_ERC1155), _several),
}
_HANDLERS_2 = dict.fromkeys((BUY_ERC721, BUY_ERC1155, ACCEPT_ERC721, ACCEPT_ERC1155), _item)
_ADDRESSES_1 = {
    ETHEREUM: ("0x009a1dc629242961c9e4f089b437afd394474cc0",),
    POLYGON: ("0x009a1daf6b5b8adc6b3db720c58d43caa2fdac56",),
}
_ADDRESSES_2 = (
    "0x9a1d00bed7cd04bcda516d721a596eb22aac6834",
    "0x9a1d001670c8b17f8b7900e8d7a41e785b3f0515",  # its second release
)

MARKET = Market(
    "magiceden",
    "Magic Eden",
    (
        Protocol(
            "payment-processor-1",
            together(_HANDLERS_1, fills_1),
            _ADDRESSES_1,
            orders=_ORDERS_1,
            is_operator=True,
        ),
        Protocol(
            "payment-processor-2",
            together(_HANDLERS_2, fills_2),
            {EVERYWHERE: _ADDRESSES_2},
            orders=_ORDERS_2,
            is_operator=True,
        ),
    ),
    sources=(
        "0x6fa303e72bed54f515a513496f922bc331e2f27e",
        "0xca9337244b5f04cb946391bc8b8a980e988f9a6a",  # the one before it
    ),
)
