"""Decentraland's market on Ethereum and Polygon (``Marketplace``): orders in MANA, one for each NFT.

A new order takes the place of the one before without a word. Nothing is held: who made the order must own the NFT, and
have approved the market, when it is taken. ``expiresAt`` is in seconds for the contract, but the site wrote
milliseconds for years: such orders do not expire, and the moment is handed on as it stands in the log.

Since 2024 makers sign their orders instead (``DecentralandMarketplace…``), which only ends on the chain: by its
signature, or all of a maker's by the next index. The market's own next index (``ContractSignatureIndexIncreased``) is
of no maker, and not read. Specified by the published marketplace-contracts and offchain-marketplace-contract, the
addresses by decentraland-transactions. Sales are not read here.
"""

from __future__ import annotations

from collections.abc import Iterator

from indexing.decode.signatures import Event
from indexing.decode.words import UndecodableError
from indexing.judge.markets.declaring import ETHEREUM, POLYGON, Market, Protocol
from indexing.judge.markets.order_reading import CANCELLED, FILLED, OrderReader, Said
from transfers.ledger.order_facts import NonceRule, OrderEvent

_ORDER = "bytes32 id, uint256 indexed assetId, address indexed seller, address nftAddress"
ORDER_CREATED = Event(f"OrderCreated({_ORDER}, uint256 priceInWei, uint256 expiresAt)")
ORDER_SUCCESSFUL = Event(f"OrderSuccessful({_ORDER}, uint256 totalPrice, address indexed buyer)")
ORDER_CANCELLED = Event(f"OrderCancelled({_ORDER})")
SIGNATURE_CANCELLED = Event("SignatureCancelled(address indexed caller, bytes32 indexed signature)")
SIGNER_SIGNATURE_INDEX_INCREASED = Event(
    "SignerSignatureIndexIncreased(address indexed caller, uint256 indexed newValue)"
)

_MANA = {
    ETHEREUM: "0x0f5d2fb29fb7d3cfee444a200298f468908cc942",
    POLYGON: "0xa1c57f48f0deb89f569dfbe6e2b7f46d33606fd4",
}


def _created(said: Said) -> Iterator[OrderEvent]:
    chain_id = said.registry.chain_id
    if chain_id not in _MANA:
        raise UndecodableError("Where MANA is on this chain is not known.")
    yield said.opened(
        said["nftAddress"],
        said["assetId"],
        said["priceInWei"],
        _MANA[chain_id],
        order_hash=said["id"],
        maker=said["seller"],
        operator=said.log.address,
        valid_until=said["expiresAt"],
    )


def _ended(said: Said, outcome: str) -> Iterator[OrderEvent]:
    yield said.ended(
        outcome,
        order_hash=said["id"],
        contract=said["nftAddress"],
        token_id=said["assetId"],
        maker=said["seller"],
    )


def _signature_cancelled(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(CANCELLED, order_hash=said["signature"], maker=said["caller"])


def _index_increased(said: Said) -> Iterator[OrderEvent]:
    yield said.bulk_ended(said["caller"], NonceRule.OTHER, said["newValue"])


_ORDERS = OrderReader(
    {
        ORDER_CREATED: _created,
        ORDER_SUCCESSFUL: lambda said: _ended(said, FILLED),
        ORDER_CANCELLED: lambda said: _ended(said, CANCELLED),
    }
)
_SIGNED = OrderReader(
    {SIGNATURE_CANCELLED: _signature_cancelled, SIGNER_SIGNATURE_INDEX_INCREASED: _index_increased}
)
_ADDRESSES = {
    ETHEREUM: ("0x8e5660b4ab70168b5a6feea0e0315cb49c8cd539",),
    POLYGON: ("0x480a0f4e360e8964e68858dd231c2922f1df45ef",),
}
_OF_SIGNED = {
    ETHEREUM: ("0xb115402a3ad566363ec0ae690dd7fe0f5b96988f",),
    POLYGON: ("0xedc74948a2fdcdaaa0c44853d2dcaf586f3f87c4",),
}

MARKET = Market(
    "decentraland",
    "Decentraland",
    (
        Protocol("decentraland", None, _ADDRESSES, orders=_ORDERS, is_operator=True),
        Protocol("decentraland-signed", None, _OF_SIGNED, orders=_SIGNED, is_operator=True),
    ),
)
