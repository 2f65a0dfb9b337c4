"""Rarible 1: the exchange of 2020 to 2022 (two contracts), and the sale contracts before it.

The exchange: the owner's order sells ``sellValue`` of one asset for ``buyValue`` of the other; ``amount`` of the first
went to ``buyer`` for its part of the second. Assets are not told apart: token 0 is native money, which only can be
paid; of two tokens, the NFT is the one that moved. An order that sells money is a bid; then ``buyer`` is who gets the
money. Specified by ``ExchangeV1.sol`` and ``ExchangeDomainV1.sol`` of the verified source.

The sale contracts, for ether alone: ``Buy`` of an ERC-721, and of ``value`` units of an ERC-1155 at ``price`` each.
Specified by ``TokenSale.sol``, ``ERC721Sale.sol`` and ``ERC1155Sale.sol`` of the verified sources.

A fee that only the calldata tells is paid by the buyer on top. All of them insist on ether to the wei: a transaction
that calls one brings the gross price.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.addresses import ZERO_ADDRESS
from indexing.decode.signatures import Event
from indexing.decode.words import UndecodableError
from indexing.judge.markets.declaring import ETHEREUM, Market, Protocol
from indexing.judge.markets.gross import on_top
from indexing.judge.markets.reading import Around, Told, together
from indexing.judge.verdicts import NATIVE, Fault, Fill, Item, Side

BUY = Event(
    "Buy(address indexed sellToken, uint256 indexed sellTokenId, uint256 sellValue, address owner, "
    "address buyToken, uint256 buyTokenId, uint256 buyValue, address buyer, uint256 amount, uint256 salt)"
)
_NFT = "address indexed token, uint256 indexed tokenId"
BUY_ERC721 = Event(f"Buy({_NFT}, address seller, address buyer, uint256 price, uint256 nonce)")
BUY_ERC1155 = Event(f"Buy({_NFT}, address seller, uint256 price, address buyer, uint256 value)")

_FEES = (0, 250)
"""What buyers paid on top, in basis points: nothing at first, then 2.5 %."""


def fills(found: list[tuple[Told, Fill]], around: Around) -> Iterator[Fill | Fault]:
    """Read what the exchange, or a sale contract, sold; one fill an event."""
    for fill in on_top([fill for _, fill in found], around):
        yield _exact(fill, around) if len(found) == 1 else fill._replace(surcharges=_FEES)


def _exact(fill: Fill, around: Around) -> Fill:
    """Return the only fill with what the transaction brought for it, where that cannot be anything else."""
    transaction = around.transaction
    called = around.registry.markets.get(transaction.target or "")
    is_exact = called is not None and called.protocol == fill.protocol
    if is_exact and fill.currency == NATIVE and fill.price <= transaction.value <= 2 * fill.price:
        return fill._replace(price=transaction.value)
    return fill._replace(surcharges=_FEES)


def _exchange(told: Told) -> Fill:
    sold, bought = told["sellToken"], told["buyToken"]
    whole, amount = told["sellValue"], told["amount"]
    if not whole or not amount:
        raise UndecodableError("An order of nothing, or nothing of it.")
    given = Item(sold, told["sellTokenId"], amount)
    got = Item(bought, told["buyTokenId"], told["buyValue"] * amount // whole)
    moved = {(move.contract, move.token_id) for move in told.around.moves}
    fill = told.fill()._replace(
        seller=told["owner"],
        buyer=told["buyer"],
        items=(given,),
        currency=NATIVE if bought == ZERO_ADDRESS else bought,
        price=got.amount,
    )
    if bought == ZERO_ADDRESS or got[:2] not in moved:
        return fill
    if given[:2] in moved:  # an NFT for an NFT
        return fill._replace(currency=NATIVE, price=0, returned=(got,))
    return fill._replace(
        side=Side.BID, seller=fill.buyer, buyer=fill.seller, items=(got,), currency=sold, price=amount
    )


def _sale(told: Told) -> Fill:
    units = told.get("value", 1)
    if not units:
        raise UndecodableError("A sale of no units.")
    return told.fill()._replace(
        seller=told["seller"],
        buyer=told["buyer"],
        items=(Item(told["token"], told["tokenId"], units),),
        price=told["price"] * units,
    )


_READ = together({BUY: _exchange, BUY_ERC721: _sale, BUY_ERC1155: _sale}, fills)
_ADDRESSES = (
    "0xcd4ec7b66fbc029c116ba9ffb3e59351c20b5b06",
    "0x09eab21c40743b2364b94345419138ef80f39e30",  # the exchange after it
    "0xf2ee97405593bc7b6275682b0331169a48fedec7",  # TokenSale
    "0x131aebbfe55bca0c9eaad4ea24d386c5c082dd58",  # ERC721Sale
    "0x8c530a698b6e83d562db09079bc458d4dad4e6c5",  # ERC1155Sale
    "0x93f2a75d771628856f37f256da95e99ea28aafbe",  # the second ERC1155Sale
)

MARKET = Market("rarible", "Rarible", (Protocol("rarible-1", _READ, {ETHEREUM: _ADDRESSES}),))
