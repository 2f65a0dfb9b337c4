"""Asks of Zora's version 3 (asks 1.1, in ether, and private ones) and of the market of version 1.

Version 3 holds nothing: an ask that its maker no longer owns the NFT of sells again when it comes back. The maker must
have approved a helper to move the NFT, and the module itself at the module manager, which says so by
``ModuleApprovalSet``: an approval whose exchange and operator are the module, and whose contract is the manager.
Whoever makes an ask has approved both. ``AskPriceUpdated`` may change the currency too, ``AskCreated`` takes the place
of an ask that was canceled just before.

In version 1 a token has one ask, which goes when the token moves; ``AskRemoved`` is also emitted where none stood. It
comes just before the ``BidFinalized`` of the bid that met the ask. Nobody needs to be approved.

Specified by ``AsksV1_1.sol``, ``AsksCoreEth.sol``, ``AsksPrivateEth.sol`` and ``ZoraModuleManager.sol`` of ourzora/v3,
with its table of addresses, and by ``Market.sol`` and ``Media.sol`` of ourzora/core.
"""

from __future__ import annotations

from collections.abc import Iterator

from indexing.decode.signatures import Event
from indexing.decode.words import UndecodableError
from indexing.judge.markets.declaring import ETHEREUM, POLYGON
from indexing.judge.markets.order_reading import CANCELLED, FILLED, OrderReader, Said
from indexing.judge.verdicts import NATIVE
from transfers.ledger.order_facts import OrderEvent, OrderKind

_NFT = "address indexed tokenContract, uint256 indexed tokenId"
_ASK = "(address seller, address sellerFundsRecipient, address askCurrency, uint16 findersFeeBps, uint256 askPrice) ask"
_IN_ETHER = "address seller, uint256 price"
_PRIVATE = "(address seller, uint96 price, address buyer) ask"

ASK_FILLED = Event(f"AskFilled({_NFT}, address indexed buyer, address finder, {_ASK})")
ASK_IN_ETHER_FILLED = Event(f"AskFilled({_NFT}, address buyer, {_IN_ETHER})")
PRIVATE_ASK_FILLED = Event(f"AskFilled({_NFT}, {_PRIVATE})")
ASK_CREATED, ASK_IN_ETHER_CREATED, PRIVATE_ASK_CREATED = (
    Event(f"AskCreated({_NFT}, {ask})") for ask in (_ASK, _IN_ETHER, _PRIVATE)
)
ASK_PRICE_UPDATED, ASK_IN_ETHER_PRICE_UPDATED, PRIVATE_ASK_PRICE_UPDATED = (
    Event(f"AskPriceUpdated({_NFT}, {ask})") for ask in (_ASK, _IN_ETHER, _PRIVATE)
)
ASK_CANCELED, ASK_IN_ETHER_CANCELED, PRIVATE_ASK_CANCELED = (
    Event(f"AskCanceled({_NFT}, {ask})") for ask in (_ASK, _IN_ETHER, _PRIVATE)
)
MODULE_APPROVAL_SET = Event("ModuleApprovalSet(address indexed user, address indexed module, bool approved)")

BID_FINALIZED = Event(
    "BidFinalized(uint256 indexed tokenId, (uint256 amount, address currency, address bidder, "
    "address recipient, (uint256 value) sellOnShare) bid)"
)
OWN_ASK_CREATED = Event("AskCreated(uint256 indexed tokenId, (uint256 amount, address currency) ask)")
OWN_ASK_REMOVED = Event("AskRemoved(uint256 indexed tokenId, (uint256 amount, address currency) ask)")

HELPERS = {
    ETHEREUM: ("0x909e9efe4d87d1a6018c2065ae642b6d0447bc91",),
    POLYGON: ("0xce6cef2a9028e1c3b21647ae3b4251038109f42a",),
}
"""``ERC721TransferHelper``, by EIP-155 chain id."""
MANAGERS = {
    ETHEREUM: ("0x850a7c6fe2cf48eea1393554c8a3ba23f20cc401",),
    POLYGON: ("0xcca379fdf4beda63c4bb0e2a3179ae62c8716794",),
}
"""``ZoraModuleManager``, by EIP-155 chain id."""
OWN_MARKETS = {
    ETHEREUM: ("0xe5bfab544eca83849c53464f85b7164375bdaac1",),
    POLYGON: ("0xe20bd7dc76e09aebc2a9a732ab6aee616c5a17eb",),
}
"""The markets of version 1, by EIP-155 chain id."""
_OWN_NFTS = {
    ETHEREUM: "0xabefbc9fd2f806065b4f3c237d4b59d9a97bcac7",
    POLYGON: "0x6953190aafd8f8995e8f47e8f014d0db83e92300",
}


def _created(said: Said) -> Iterator[OrderEvent]:
    helpers = HELPERS.get(said.registry.chain_id)
    seller, currency, price, buyer = _ask(said)
    yield said.opened(
        said["tokenContract"],
        said["tokenId"],
        price,
        currency,
        maker=seller,
        taker=buyer,
        operator=helpers[0] if helpers else None,
    )


def _updated(said: Said) -> Iterator[OrderEvent]:
    seller, currency, price, buyer = _ask(said)
    yield said.repriced(
        price,
        contract=said["tokenContract"],
        token_id=said["tokenId"],
        currency=currency,
        maker=seller,
        taker=buyer,
    )


def _ended(said: Said, outcome: str) -> Iterator[OrderEvent]:
    seller, *_ = _ask(said)
    yield said.ended(outcome, contract=said["tokenContract"], token_id=said["tokenId"], maker=seller)


def _ask(said: Said) -> tuple[str, str, int, str | None]:
    """Return seller, currency, price, and who alone may buy."""
    ask = said.get("ask", said.fields)
    private = said.event in _PRIVATE_EVENTS
    price: int = ask.get("askPrice", ask.get("price", 0))
    return ask["seller"], ask.get("askCurrency", NATIVE), price, ask["buyer"] if private else None


def _own_created(said: Said) -> Iterator[OrderEvent]:
    ask = said["ask"]
    yield said.opened(_own(said), said["tokenId"], ask["amount"], ask["currency"], wakes=False)


def _own_removed(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(CANCELLED, contract=_own(said), token_id=said["tokenId"])


def _own_sold(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(FILLED, contract=_own(said), token_id=said["tokenId"])


def _own(said: Said) -> str:
    """Return the NFT contract of the market of version 1. Raises ``UndecodableError``."""
    chain_id = said.registry.chain_id
    if chain_id not in _OWN_NFTS:
        raise UndecodableError("Which NFTs are sold here is not known on this chain.")
    return _OWN_NFTS[chain_id]


def _module_approved(said: Said) -> Iterator[OrderEvent]:
    flag = said["approved"]
    if flag not in (0, 1):
        raise UndecodableError(f"A flag is {flag}.")
    approval = said.says(
        OrderKind.APPROVED,
        contract=said.log.address,
        maker=said["user"],
        operator=said["module"],
        is_approved=bool(flag),
    )
    yield approval._replace(market="", exchange=said["module"])


_PRIVATE_EVENTS = (PRIVATE_ASK_CREATED, PRIVATE_ASK_PRICE_UPDATED, PRIVATE_ASK_CANCELED, PRIVATE_ASK_FILLED)
ORDERS_3 = OrderReader(
    {
        **dict.fromkeys((ASK_CREATED, ASK_IN_ETHER_CREATED, PRIVATE_ASK_CREATED), _created),
        **dict.fromkeys((ASK_PRICE_UPDATED, ASK_IN_ETHER_PRICE_UPDATED, PRIVATE_ASK_PRICE_UPDATED), _updated),
        **dict.fromkeys(
            (ASK_CANCELED, ASK_IN_ETHER_CANCELED, PRIVATE_ASK_CANCELED), lambda said: _ended(said, CANCELLED)
        ),
        **dict.fromkeys(
            (ASK_FILLED, ASK_IN_ETHER_FILLED, PRIVATE_ASK_FILLED), lambda said: _ended(said, FILLED)
        ),
    }
)
MODULES = OrderReader({MODULE_APPROVAL_SET: _module_approved})
ORDERS_1 = OrderReader(
    {OWN_ASK_CREATED: _own_created, OWN_ASK_REMOVED: _own_removed, BID_FINALIZED: _own_sold}
)
