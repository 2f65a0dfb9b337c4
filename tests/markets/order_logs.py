"""Events that open and end orders, as the markets' published sources declare them."""

from __future__ import annotations

from collections.abc import Sequence

from eth_abi.abi import encode

from indexing.node.logs import RawLog
from tests.ingestion.encoding import BOB, ZERO, log
from tests.markets.emitting import Emitted
from tests.markets.foundation_events import FOUNDATION
from tests.markets.manifold_events import LISTING, MANIFOLD
from tests.markets.punk_events import PUNKS
from tests.markets.seaport_events import ORDER, SEAPORT_15, SEAPORT_16
from tests.markets.superrare_events import BAZAAR, FIRST, MARKET_2
from tests.markets.zora_events import ASKS, ASKS_IN_ETHER, MARKET, PRIVATE_ASKS

KITTIES = "0x06012c8cf97bead5deae237070f9587f8e7a266d"
KITTY_SALES = "0xb1690c08e213a35ed9bab7b318de14420fb57d8c"
DECENTRALAND = "0x8e5660b4ab70168b5a6feea0e0315cb49c8cd539"
DECENTRALAND_SIGNED = "0xb115402a3ad566363ec0ae690dd7fe0f5b96988f"
KNOWN_ORIGIN = "0x0eb65b4c3d3de340e1b15384f8f211784247a37a"
PUNKS_MARKET = "0x759c6c1923910930c18ef490b3c3dbeff24003ce"
MODULE_MANAGER = "0x850a7c6fe2cf48eea1393554c8a3ba23f20cc401"
FACTORY_1 = "0xb16c1342e617a5b6e4b631eb114483fdb289c0a4"
FACTORY_2 = "0xa020d57ab0448ef74115c112d18a9c231cc86000"
POOL = "0x" + "90" * 20

punk_offered = Emitted(
    "PunkOffered(uint256 indexed punk, uint256 price, address indexed taker)", PUNKS, "punk price taker"
)
punk_no_longer = Emitted("PunkNoLongerForSale(uint256 indexed punk)", PUNKS, "punk")

_NFT = "address indexed nft, uint256 indexed token_id"
price_set = Emitted(f"BuyPriceSet({_NFT}, address indexed seller, uint256 price)", FOUNDATION)
price_canceled = Emitted(f"BuyPriceCanceled({_NFT})", FOUNDATION)
price_invalidated = Emitted(f"BuyPriceInvalidated({_NFT})", FOUNDATION)

_ASK = "(address seller, address recipient, address currency, uint16 finders, uint256 price)"
ask_created = Emitted(f"AskCreated({_NFT}, {_ASK})", ASKS)
ask_updated = Emitted(f"AskPriceUpdated({_NFT}, {_ASK})", ASKS)
ask_canceled = Emitted(f"AskCanceled({_NFT}, {_ASK})", ASKS)
_IN_ETHER = "address seller, uint256 price"
ether_ask_created = Emitted(f"AskCreated({_NFT}, {_IN_ETHER})", ASKS_IN_ETHER)
ether_ask_updated = Emitted(f"AskPriceUpdated({_NFT}, {_IN_ETHER})", ASKS_IN_ETHER)
ether_ask_canceled = Emitted(f"AskCanceled({_NFT}, {_IN_ETHER})", ASKS_IN_ETHER)
_PRIVATE = "(address seller, uint96 price, address buyer)"
private_ask_created = Emitted(f"AskCreated({_NFT}, {_PRIVATE})", PRIVATE_ASKS)
private_ask_updated = Emitted(f"AskPriceUpdated({_NFT}, {_PRIVATE})", PRIVATE_ASKS)
private_ask_canceled = Emitted(f"AskCanceled({_NFT}, {_PRIVATE})", PRIVATE_ASKS)
module_approved = Emitted(
    "ModuleApprovalSet(address indexed user, address indexed module, bool approved)",
    MODULE_MANAGER,
    user=BOB,
    module=ASKS,
)
own_ask_created = Emitted("AskCreated(uint256 indexed token_id, (uint256 amount, address currency))", MARKET)
own_ask_removed = Emitted("AskRemoved(uint256 indexed token_id, (uint256 amount, address currency))", MARKET)

first_price_set = Emitted(
    "SalePriceSet(uint256 indexed token_id, uint256 indexed amount)", FIRST, "token_id amount"
)
market_price_set = Emitted(
    "SetSalePrice(address indexed nft, uint256 amount, uint256 token_id)", MARKET_2, "amount"
)
bazaar_price_set = Emitted(
    "SetSalePrice(address indexed nft, address indexed currency, address target, uint256 amount, "
    "uint256 token_id, address[] split, uint8[] shares)",
    BAZAAR,
    "amount",
    split=[BOB],
    shares=[100],
)

listed = Emitted(
    "ListedForBuyNow(uint256 indexed token_id, uint256 price, address seller, uint256 start)", KNOWN_ORIGIN
)
relisted = Emitted("BuyNowPriceChanged(uint256 indexed token_id, uint256 price)", KNOWN_ORIGIN)
delisted = Emitted("TokenDeListed(uint256 indexed token_id)", KNOWN_ORIGIN)
bought_now = Emitted(
    "BuyNowPurchased(uint256 indexed token_id, address buyer, address seller, uint256 price)", KNOWN_ORIGIN
)
converted = Emitted("ConvertFromBuyNowToOffers(uint256 indexed token_id, uint128 start)", KNOWN_ORIGIN)

_LAND = "bytes32 id, uint256 indexed token_id, address indexed seller, address nft"
_USUAL = {"id": ORDER}
order_created = Emitted(f"OrderCreated({_LAND}, uint256 price, uint256 expires)", DECENTRALAND, **_USUAL)
order_successful = Emitted(
    f"OrderSuccessful({_LAND}, uint256 price, address indexed buyer)", DECENTRALAND, **_USUAL
)
order_cancelled = Emitted(f"OrderCancelled({_LAND})", DECENTRALAND, **_USUAL)
signature_cancelled = Emitted(
    "SignatureCancelled(address indexed caller, bytes32 indexed signature)", DECENTRALAND_SIGNED, caller=BOB
)
signer_index = Emitted(
    "SignerSignatureIndexIncreased(address indexed caller, uint256 indexed number)",
    DECENTRALAND_SIGNED,
    caller=BOB,
)

listing_created = Emitted(
    "CreateListing(uint40 indexed listing, uint16 fee, uint16 referrer, uint8 kind, uint24 available, "
    "uint24 per_sale, uint48 start, uint48 end, uint256 amount, uint16 extension, uint16 increment, "
    "address currency, address verifier)",
    MANIFOLD,
    listing=LISTING,
    kind=2,
    available=1,
    per_sale=1,
)
listing_details = Emitted(
    "CreateListingTokenDetails(uint40 indexed listing, uint256 token_id, address nft, uint8 spec, bool lazy)",
    MANIFOLD,
    listing=LISTING,
    spec=1,
)
listing_modified = Emitted(
    "ModifyListing(uint40 indexed listing, uint256 amount, uint48 start, uint48 end)",
    MANIFOLD,
    listing=LISTING,
)

auction_created = Emitted(
    "AuctionCreated(uint256 kitty, uint256 start, uint256 end, uint256 duration)", KITTY_SALES, kitty=7
)
auction_successful = Emitted(
    "AuctionSuccessful(uint256 kitty, uint256 price, address winner)", KITTY_SALES, kitty=7
)
auction_cancelled = Emitted("AuctionCancelled(uint256 kitty)", KITTY_SALES, kitty=7)

pair_made_1 = Emitted("NewPair(address pool)", FACTORY_1, pool=POOL)
pair_made_2 = Emitted("NewERC721Pair(address indexed pool, uint256[] ids)", FACTORY_2, pool=POOL, ids=[7, 8])
pair_of_units_made = Emitted("NewERC1155Pair(address indexed pool, uint256 balance)", FACTORY_2, pool=POOL)
deposited_1 = Emitted("NFTDeposit(address pool)", FACTORY_1, pool=POOL)
deposited_2 = Emitted("NFTDeposit(address indexed pool, uint256[] ids)", FACTORY_2, pool=POOL, ids=[9])
units_deposited = Emitted(
    "ERC1155Deposit(address indexed pool, uint256 indexed id, uint256 amount)", FACTORY_2, pool=POOL
)
of_pools = {
    text: Emitted(text, POOL)
    for text in (
        "SpotPriceUpdate(uint128 price)",
        "DeltaUpdate(uint128 delta)",
        "FeeUpdate(uint96 fee)",
        "SwapNFTInPair()",
        "SwapNFTOutPair()",
        "NFTWithdrawal()",
        "SwapNFTInPair(uint256 amount, uint256[] ids)",
        "SwapNFTOutPair(uint256 amount, uint256[] ids)",
        "SwapNFTInPair(uint256 amount, uint256 units)",
        "SwapNFTOutPair(uint256 amount, uint256 units)",
        "NFTWithdrawal(uint256[] ids)",
        "NFTWithdrawal(uint256 units)",
    )
}

cancelled_at_seaport = Emitted(
    "OrderCancelled(bytes32 order, address indexed offerer, address indexed zone)",
    SEAPORT_15,
    order=ORDER,
    offerer=BOB,
)
counter = Emitted("CounterIncremented(uint256 counter, address indexed offerer)", SEAPORT_16, offerer=BOB)

SeaportItem = tuple[int, str, int, int, int]
"""Type, contract, identifier, amounts at the start and the end."""
_VALIDATED = "OrderValidated(bytes32,{})".format(
    _STRUCT := "(address,address,(uint8,address,uint256,uint256,uint256)[],"
    "(uint8,address,uint256,uint256,uint256,address)[],uint8,uint256,uint256,bytes32,uint256,bytes32,uint256)"
)


def validated(
    offer: Sequence[SeaportItem],
    asked: Sequence[tuple[SeaportItem, str]],
    *,
    kind: int = 0,
    start: int = 1_700_000_000,
    end: int = 1_800_000_000,
    zone: str = ZERO,
    conduit_key: str = "0x" + "0" * 64,
    contract: str = SEAPORT_16,
) -> RawLog:
    """`OrderValidated` of Bob's order; of what is asked the receivers are given."""
    order = (
        *(BOB, zone, list(offer), [(*item, receiver) for item, receiver in asked], kind, start, end),
        *(bytes(32), 5, bytes.fromhex(conduit_key[2:]), len(asked)),
    )
    data = encode(["bytes32", _STRUCT], [bytes.fromhex(ORDER[2:]), order])
    return log(_VALIDATED, [], data.hex(), contract=contract, index=2**24 - 1)
