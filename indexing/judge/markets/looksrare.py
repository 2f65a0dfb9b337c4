"""LooksRare, versions 1 and 2, and what others made of its version 1 (Joepegs on Avalanche).

Version 1: ``TakerBid`` (somebody buys what an ask offers) and ``TakerAsk`` (somebody sells to a bid, for one NFT or any
of a collection). The price is for all units, fees and royalties included. Native money never shows: an ask that is paid
in ether is in WETH, which the exchange wraps for the buyer and pays out itself. Specified by ``LooksRareExchange.sol``
of the published contracts-exchange-v1.

Version 2: the fee recipients are who gets the proceeds (of a ``TakerBid`` the seller, who is not named otherwise) and
the creator; the amounts are theirs and the protocol's fee, and their sum is the price. Currency 0 is native. Several
item ids are a bundle. Specified by ``ILooksRareProtocol.sol`` and ``ExecutionManager.sol`` of the published
contracts-exchange-v2.

Orders are signed. On the chain they end by their nonces: in version 1 those that are listed or below one; in version 2
those that are listed, those of listed subsets, and all that do not bear the maker's newest nonce for asks. A filled
order uses up its nonce for all orders that share it, unless version 2 says that it stays good.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterator

from indexing.decode.moves import ERC1155
from indexing.decode.signatures import Event
from indexing.decode.words import UndecodableError
from indexing.judge.markets.declaring import AVALANCHE, ETHEREUM, Market, Protocol
from indexing.judge.markets.order_reading import FILLED, OrderReader, Said
from indexing.judge.markets.reading import Around, Told, each_by_itself, together
from indexing.judge.verdicts import NATIVE, Fault, Fill, Item, Payment, Role, Side
from transfers.ledger.order_facts import NonceRule, OrderEvent

_TRADE_1 = (
    "bytes32 orderHash, uint256 orderNonce, address indexed taker, address indexed maker, "
    "address indexed strategy, address currency, address collection, uint256 tokenId, uint256 amount, "
    "uint256 price"
)
TAKER_BID_1 = Event(f"TakerBid({_TRADE_1})")
TAKER_ASK_1 = Event(f"TakerAsk({_TRADE_1})")
_NONCE = "(bytes32 orderHash, uint256 orderNonce, bool isNonceInvalidated) nonceInvalidationParameters"
_TRADE_2 = (
    "uint256 strategyId, address currency, address collection, uint256[] itemIds, uint256[] amounts, "
    "address[2] feeRecipients, uint256[3] feeAmounts"
)
TAKER_BID_2 = Event(f"TakerBid({_NONCE}, address bidUser, address bidRecipient, {_TRADE_2})")
TAKER_ASK_2 = Event(f"TakerAsk({_NONCE}, address askUser, address bidUser, {_TRADE_2})")
CANCEL_ALL_ORDERS = Event("CancelAllOrders(address indexed user, uint256 newMinNonce)")
CANCEL_MULTIPLE_ORDERS = Event("CancelMultipleOrders(address indexed user, uint256[] orderNonces)")
NEW_BID_ASK_NONCES = Event("NewBidAskNonces(address user, uint256 bidNonce, uint256 askNonce)")
ORDER_NONCES_CANCELLED = Event("OrderNoncesCancelled(address user, uint256[] orderNonces)")
SUBSET_NONCES_CANCELLED = Event("SubsetNoncesCancelled(address user, uint256[] subsetNonces)")


def fills_1(found: list[tuple[Told, Fill]], around: Around) -> Iterator[Fill | Fault]:
    """Read the orders that an exchange of version 1 filled, one fill an event."""
    single = {(move.contract, move.token_id) for move in around.moves if move.standard != ERC1155}
    for _, fill in found:
        yield fill._replace(items=tuple(_single(item, single) for item in fill.items))


def _fill_1(told: Told) -> Fill:
    side = Side.ASK if told.event is TAKER_BID_1 else Side.BID
    taker, maker = told["taker"], told["maker"]
    return told.fill(side)._replace(
        seller=maker if side is Side.ASK else taker,
        buyer=taker if side is Side.ASK else maker,
        items=(_item(told["collection"], told["tokenId"], told["amount"]),),
        currency=told["currency"],
        price=told["price"],
        order_hashes=(told["orderHash"],),
    )


def _single(item: Item, single: Container[tuple[str, int]]) -> Item:
    """Return an item as one unit where it is no ERC-1155: version 1 takes any amount for it, and moves the one."""
    is_single = item.amount > 1 and (item.contract, item.token_id) in single
    return item._replace(amount=1) if is_single else item


def _fill_2(told: Told) -> Fill:
    currency, collection = told["currency"], told["collection"]
    token_ids, amounts = told["itemIds"], told["amounts"]
    if not token_ids or len(token_ids) != len(amounts):
        raise UndecodableError(f"A trade of {len(token_ids)} item ids with {len(amounts)} amounts.")
    proceeds, creator = told["feeRecipients"]
    for_seller, for_creator, fee = told["feeAmounts"]
    paid = [Payment(currency, for_seller, proceeds), Payment(currency, for_creator, creator)]
    buyer = told["bidUser"]
    fees = _fee(currency, fee, buyer, told)
    is_ask = told.event is TAKER_BID_2
    return told.fill(Side.ASK if is_ask else Side.BID)._replace(
        seller=proceeds if is_ask else told["askUser"],
        buyer=buyer,
        items=tuple(map(_item, [collection] * len(token_ids), token_ids, amounts)),
        currency=currency,
        price=for_seller + for_creator + fee,
        payments=tuple(one for one in (*paid, *fees) if one.amount),
        roles=((creator, Role.ROYALTY), *((one.receiver, Role.PROTOCOL) for one in fees)),
        rest=Role.PROTOCOL,
        order_hashes=(told["nonceInvalidationParameters"]["orderHash"],),
    )


def _item(collection: str, token_id: int, amount: int) -> Item:
    if not amount:
        raise UndecodableError("A trade of no units, which LooksRare refuses.")
    return Item(collection, token_id, amount)


def _fee(currency: str, fee: int, buyer: str, told: Told) -> list[Payment]:
    """Say who the protocol's fee went to, which the event does not: native money, to the exchange for all one can see.

    A fee in a token is the next payment behind the event. It is left out where it is not paid so: a batch pays the
    fees of all its trades at once, and an affiliate gets a part.
    """
    if currency == NATIVE:
        return [Payment(currency, fee, told.log.address)]
    money = told.around.money
    at = bisect_right(money, told.log.log_index, key=lambda one: one.log_index)
    after = money[at] if at < len(money) else None
    if after is None or (after.currency, after.sender, after.amount) != (currency, buyer, fee):
        return []
    return [Payment(currency, fee, after.receiver)]


def _all_cancelled(said: Said) -> Iterator[OrderEvent]:
    yield said.bulk_ended(said["user"], NonceRule.BELOW, said["newMinNonce"])


def _some_cancelled(said: Said) -> Iterator[OrderEvent]:
    yield said.bulk_ended(said["user"], NonceRule.LISTED, *said["orderNonces"])


def _subsets_cancelled(said: Said) -> Iterator[OrderEvent]:
    yield said.bulk_ended(said["user"], NonceRule.SUBSET, *said["subsetNonces"])


def _new_nonces(said: Said) -> Iterator[OrderEvent]:
    yield said.bulk_ended(said["user"], NonceRule.ALL, said["askNonce"])


def _used_1(said: Said) -> Iterator[OrderEvent]:
    yield said.bulk_ended(said["maker"], NonceRule.LISTED, said["orderNonce"], outcome=FILLED)


def _used_2(said: Said) -> Iterator[OrderEvent]:
    nonce = said["nonceInvalidationParameters"]
    maker = said["feeRecipients"][0] if said.event is TAKER_BID_2 else said["bidUser"]
    if nonce["isNonceInvalidated"]:
        yield said.bulk_ended(maker, NonceRule.LISTED, nonce["orderNonce"], outcome=FILLED)


_ORDERS_1 = OrderReader(
    {
        CANCEL_ALL_ORDERS: _all_cancelled,
        CANCEL_MULTIPLE_ORDERS: _some_cancelled,
        **dict.fromkeys((TAKER_BID_1, TAKER_ASK_1), _used_1),
    }
)
_ORDERS_2 = OrderReader(
    {
        NEW_BID_ASK_NONCES: _new_nonces,
        ORDER_NONCES_CANCELLED: _some_cancelled,
        SUBSET_NONCES_CANCELLED: _subsets_cancelled,
        **dict.fromkeys((TAKER_BID_2, TAKER_ASK_2), _used_2),
    }
)
# ``TransferManagerERC721`` and ``TransferManagerERC1155``, as the published looksrare-sdk has them.
_MANAGERS_1 = {
    ETHEREUM: ("0xf42aa99f011a1fa7cda90e5e98b277e306bca83e", "0xfed24ec7e22f573c2e08aef55aa6797ca2b3a051")
}
# ``TransferManager``, as the published contracts-exchange-v2 deploys it.
_MANAGERS_2 = {ETHEREUM: ("0x000000000060c4ca14cfc4325359062ace33fe3d",)}
_AGGREGATORS = (
    "0x00000000005228b791a99a61f36a130d50600106",
    "0x0000000000a35231d7706bd1ee827d43245655ab",  # for payments in tokens
)
_1 = together({TAKER_BID_1: _fill_1, TAKER_ASK_1: _fill_1}, fills_1)
_2 = each_by_itself({TAKER_BID_2: _fill_2, TAKER_ASK_2: _fill_2})

MARKETS = (
    Market(
        "looksrare",
        "LooksRare",
        (
            Protocol(
                "looksrare-1",
                _1,
                {ETHEREUM: ("0x59728544b08ab483533076417fbbb2fd0b17ce3a",)},
                orders=_ORDERS_1,
                operators=_MANAGERS_1,
            ),
            Protocol(
                "looksrare-2",
                _2,
                {ETHEREUM: ("0x0000000000e655fae4d56241588680f86e3b2377",)},
                orders=_ORDERS_2,
                operators=_MANAGERS_2,
            ),
        ),
        targets={ETHEREUM: _AGGREGATORS},
        sources=("0x1838de7d4e4e42c8eb7b204a91e28e9fad14f536",),
    ),
    Market(
        "joepegs",
        "",
        (
            Protocol(
                "looksrare-1",
                _1,
                {AVALANCHE: ("0xae079eda901f7727d0715aff8f82ba8295719977",)},
                orders=_ORDERS_1,
            ),
        ),
    ),
)
