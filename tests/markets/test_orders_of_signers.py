"""Orders that their makers sign, of which the chain only says that they end; approvals; and whose logs count."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from eth_abi.abi import encode

from indexing.judge.markets.reading import Deployment
from indexing.judge.markets.registry import BOOK_TOPICS, POOLS, registry
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, log
from tests.markets import order_logs as logs
from tests.markets.building import ETHEREUM, judged, of_transaction
from tests.markets.emitting import Emitted
from tests.markets.looksrare_events import LOOKSRARE_2, some_of_2, taker_ask_1, taker_bid_1, trade_2
from tests.markets.ordering import Book, Orders, read_orders
from tests.markets.seaport_events import ORDER, SEAPORT_15, SEAPORT_16
from tests.markets.zeroex_events import SELL
from tests.markets.zeroex_events import element as sold_at_element
from tests.markets.zeroex_events import filled as sold_at_zeroex
from transfers.ledger.order_facts import NonceRule, OrderEvent, OrderKind

LOOKSRARE_1 = "0x59728544b08ab483533076417fbbb2fd0b17ce3a"
X2Y2 = "0x74312363e45dcaba76c59ec49a7aa8a65a67eed3"
BLUR_1 = "0x000000000000ad05ccc4f10045630fb830b95127"
BLUR_2 = "0xb2ecfe4e4d61f8790bbb9de2d1259b9e2410cea5"
ZEROEX = "0xdef1c0ded9bec7f1a1670819833240f027b25eff"
ELEMENT = "0x20f780a973856b93f63670377900c1d2a50a77c4"
RARIBLE = "0x9757f2d2b135150bbeb65308d4a91804107cd8d6"
PROCESSOR_1 = "0x009a1dc629242961c9e4f089b437afd394474cc0"
PROCESSOR_2 = "0x9a1d00bed7cd04bcda516d721a596eb22aac6834"
WYVERN_1 = "0x7be8076f4ea4a4ad08075c2508e481d6c946d12b"
WYVERN_2 = "0x7f268357a8c2552623316e2562d90e642bb538e5"
JOEPEGS = "0xae079eda901f7727d0715aff8f82ba8295719977"
CONDUIT = "0x1e0049783f008a0085193e00003d00cd54003c71"
all_below = Emitted("CancelAllOrders(address indexed user, uint256 nonce)", LOOKSRARE_1, user=BOB)
some_of_1 = Emitted("CancelMultipleOrders(address indexed user, uint256[] nonces)", LOOKSRARE_1, user=BOB)
nonces_of_2 = Emitted("NewBidAskNonces(address user, uint256 bid, uint256 ask)", LOOKSRARE_2, user=BOB)
subsets = Emitted("SubsetNoncesCancelled(address user, uint256[] nonces)", LOOKSRARE_2, user=BOB)
x2y2 = Emitted("EvCancel(bytes32 indexed order)", X2Y2, order=ORDER)
blur = Emitted("OrderCancelled(bytes32 order)", BLUR_1, order=ORDER)
nonce = Emitted("NonceIncremented(address indexed trader, uint256 nonce)", BLUR_1, trader=BOB)
trade = Emitted(
    "CancelTrade(address indexed user, bytes32 order, uint256 place, uint256 amount)",
    BLUR_2,
    user=BOB,
    order=ORDER,
)
single = Emitted("ERC721OrderCancelled(address maker, uint256 nonce)", ZEROEX, maker=BOB)
several = Emitted("ERC1155OrderCancelled(address maker, uint256 nonce)", ELEMENT, maker=BOB)
hash_nonce = Emitted("HashNonceIncremented(address maker, uint256 nonce)", ELEMENT, maker=BOB)
rarible = Emitted("Cancel(bytes32 order)", RARIBLE, order=ORDER)
_ASSETS = "(bytes32,address,(bytes4,bytes),(bytes4,bytes))"
master_1 = Emitted(
    "MasterNonceInvalidated(uint256 indexed nonce, address indexed account)", PROCESSOR_1, account=BOB
)
nonce_1 = Emitted(
    "NonceInvalidated(uint256 indexed nonce, address indexed account, address indexed market, bool cancelled)",
    PROCESSOR_1,
    account=BOB,
)
master_2 = Emitted("MasterNonceInvalidated(address indexed account, uint256 nonce)", PROCESSOR_2, account=BOB)
nonce_2 = Emitted(
    "NonceInvalidated(uint256 indexed nonce, address indexed account, bool cancelled)",
    PROCESSOR_2,
    account=BOB,
)
digest = Emitted(
    "OrderDigestInvalidated(bytes32 indexed order, address indexed account, bool cancelled)",
    PROCESSOR_2,
    order=ORDER,
    account=BOB,
)
wyvern = Emitted("OrderCancelled(bytes32 indexed order)", WYVERN_1, order=ORDER)
approval = Emitted(
    "ApprovalForAll(address indexed owner, address indexed operator, bool approved)",
    APES,
    owner=BOB,
    operator=CONDUIT,
)


def _rarible_first() -> RawLog:
    asset = bytes.fromhex("73ad2146"), encode(["address", "uint256"], [APES, 7])
    values = bytes.fromhex(ORDER[2:]), BOB, asset, (bytes.fromhex("aaaebeba"), b"")
    data = encode(["bytes32", "address", "(bytes4,bytes)", "(bytes4,bytes)"], values)
    return log(f"Cancel{_ASSETS}", [], data.hex(), contract=RARIBLE, index=1)


_LISTED, _OTHER, _BELOW, _ALL = NonceRule.LISTED, NonceRule.OTHER, NonceRule.BELOW, NonceRule.ALL
looksrare_1 = Book("looksrare", LOOKSRARE_1)
looksrare_2 = Book("looksrare", LOOKSRARE_2)
joepegs = Book("joepegs", JOEPEGS)
at_x2y2 = Book("x2y2", X2Y2, {"order_hash": ORDER})
blur_1 = Book("blur", BLUR_1, {"order_hash": ORDER})
blur_2 = Book("blur", BLUR_2)
zeroex = Book("zeroex", ZEROEX)
element = Book("element", ELEMENT)
at_rarible = Book("rarible", RARIBLE, {"order_hash": ORDER})
processor_1 = Book("magiceden", PROCESSOR_1)
processor_2 = Book("magiceden", PROCESSOR_2, {"order_hash": ORDER, "maker": BOB})
wyvern_1 = Book("opensea", WYVERN_1, {"order_hash": ORDER})
wyvern_2 = Book("opensea", WYVERN_2)
ORDERS = {
    # Ends by nonces and hashes.
    "LooksRare 1, all below a nonce": Orders(all_below(nonce=9)).say(looksrare_1.ended(_BELOW, 9)),
    "LooksRare 1, listed nonces": Orders(some_of_1(nonces=[3, 1])).say(looksrare_1.ended(_LISTED, 3, 1)),
    "Joepegs is read like LooksRare 1": Orders(all_below(nonce=9, contract=JOEPEGS), chain=43114).say(
        joepegs.ended(_BELOW, 9)
    ),
    "LooksRare 1, a filled ask uses up its nonce": Orders(taker_bid_1(nonce=6, price=1)).say(
        looksrare_1.ended(_LISTED, 6, outcome="filled")
    ),
    "LooksRare 1, a filled bid uses up the bidder's nonce": Orders(taker_ask_1(nonce=6, price=1)).say(
        looksrare_1.ended(_LISTED, 6, maker=ALICE, outcome="filled")
    ),
    "LooksRare 2, a filled ask uses up its nonce": Orders(
        trade_2("TakerBid", ALICE, ALICE, proceeds=(BOB, 1), nonce=6, is_valid=1)
    ).say(looksrare_2.ended(_LISTED, 6, outcome="filled")),
    "LooksRare 2, a filled bid uses up the bidder's nonce": Orders(
        trade_2("TakerAsk", BOB, ALICE, proceeds=(BOB, 1), nonce=6, is_valid=1)
    ).say(looksrare_2.ended(_LISTED, 6, maker=ALICE, outcome="filled")),
    "LooksRare 2, a nonce that stays good": Orders(
        trade_2("TakerBid", ALICE, ALICE, proceeds=(BOB, 1), nonce=6)
    ).say(),
    "LooksRare 2, the nonce of asks": Orders(nonces_of_2(bid=4, ask=2**120)).say(
        looksrare_2.ended(_ALL, 2**120)
    ),
    "LooksRare 2, listed nonces": Orders(some_of_2(nonces=[1, 2])).say(looksrare_2.ended(_LISTED, 1, 2)),
    "LooksRare 2, subsets": Orders(subsets(nonces=[7])).say(looksrare_2.ended(NonceRule.SUBSET, 7)),
    "X2Y2": Orders(x2y2()).say(at_x2y2.cancelled()),
    "Blur 1": Orders(blur()).say(blur_1.cancelled()),
    "Blur 1, all": Orders(nonce(nonce=2)).say(blur_1.ended(_OTHER, 2)),
    "Blur 2, one listing of an order of many": Orders(trade(place=3, amount=1)).say(
        blur_2.cancelled(order_hash=f"{ORDER}:3", maker=BOB, units=1)
    ),
    "Blur 2, all": Orders(nonce(nonce=2, contract=BLUR_2)).say(blur_2.ended(_OTHER, 2)),
    "0x": Orders(single(nonce=2**200)).say(zeroex.ended(_LISTED, 2**200)),
    "0x, a filled order for an ERC-721 token": Orders(sold_at_zeroex(SELL, BOB, ALICE, 1, nonce=8)).say(
        zeroex.ended(_LISTED, 8, outcome="filled")
    ),
    "0x, units may be filled again": Orders(sold_at_zeroex(SELL, BOB, ALICE, 1, nonce=8, units=2)).say(),
    "Element, a filled order": Orders(sold_at_element("Sell", BOB, ALICE, 1, nonce=8)).say(
        element.ended(_LISTED, 8, outcome="filled")
    ),
    "Element, a filled bid": Orders(sold_at_element("Buy", ALICE, BOB, 1, nonce=8)).say(
        element.ended(_LISTED, 8, maker=ALICE, outcome="filled")
    ),
    "Element": Orders(several(nonce=5)).say(element.ended(_LISTED, 5)),
    "Element, all": Orders(hash_nonce(nonce=1)).say(element.ended(_ALL, 1)),
    "Rarible": Orders(rarible()).say(at_rarible.cancelled()),
    "Rarible, with the assets": Orders(_rarible_first()).say(at_rarible.cancelled(maker=BOB)),
    "Payment Processor 1, all: the nonce that was good until then": Orders(master_1(nonce=0)).say(
        processor_1.ended(_ALL, 1)
    ),
    "Payment Processor 1": Orders(nonce_1(nonce=5, cancelled=1)).say(processor_1.ended(_LISTED, 5)),
    "Payment Processor 2, all": Orders(master_2(nonce=6)).say(processor_2.ended(_ALL, 7)),
    "Payment Processor 2, a nonce that was used": Orders(nonce_2(nonce=5)).say(
        processor_2.ended(_LISTED, 5, outcome="filled")
    ),
    "Payment Processor 2, an order by its hash": Orders(digest(cancelled=1)).say(processor_2.cancelled()),
    "Payment Processor 2, an order that was filled": Orders(digest()).say(processor_2.filled()),
    "Wyvern indexes the hash that Blur does not": Orders(wyvern()).say(wyvern_1.cancelled()),
    "Wyvern's second exchange, all": Orders(nonce(nonce=9, contract=WYVERN_2)).say(wyvern_2.ended(_OTHER, 9)),
    "Blur's event at Wyvern's exchange is none": Orders(blur(contract=WYVERN_1)).say(1),
    # Approvals, by whatever contract of NFTs.
    "a conduit is approved, and no longer": Orders(approval(approved=1), approval(approved=0)).say(
        *(
            OrderEvent(
                *(OrderKind.APPROVED, "", "", index),
                contract=APES,
                maker=BOB,
                operator=CONDUIT,
                is_approved=is_approved,
            )
            for index, is_approved in ((1, True), (2, False))
        )
    ),
    "somebody is approved who is no market's": Orders(approval(approved=1, operator=CAROL)).say(),
    "an approval that is neither": Orders(approval(approved=2)).say(1),
    "an old contract's approval, which names no operator in its topics": Orders(
        log("ApprovalForAll(address,address,bool)", [BOB], "", index=1)
    ).say(),
}

test_what_a_log_says_of_orders = judged(ORDERS)


@pytest.mark.parametrize(
    ("make", "added", "exchange"),
    [
        (lambda where: nonce(nonce=2, contract=where), "blur-1", CAROL),
        (lambda where: logs.price_set(price=1, contract=where), "foundation", CAROL),
        (lambda where: logs.order_created(price=1, contract=where), "decentraland", CAROL),
    ],
)
def test_contracts_that_an_operator_added_count(
    make: Callable[[str], object], added: str, exchange: str
) -> None:
    log = of_transaction([make(exchange)]).logs  # type: ignore[list-item]
    assert read_orders(log) == []
    (found,) = read_orders(log, added=[Deployment(exchange, added, "own")])
    assert isinstance(found, OrderEvent)
    assert (found.market, found.exchange) == ("own", exchange)


def test_an_operator_may_take_a_contracts_orders_away_by_another_protocol() -> None:
    added = [Deployment(SEAPORT_15, "archipelago", "own")]
    assert read_orders(of_transaction([logs.cancelled_at_seaport()]).logs, added=added) == []


def test_what_only_opens_orders_sells_nothing_and_is_no_target_of_sales() -> None:
    found = registry(ETHEREUM)
    only_orders = {
        logs.DECENTRALAND,
        logs.KNOWN_ORIGIN,
        logs.PUNKS_MARKET,
        logs.MODULE_MANAGER,
        logs.FACTORY_2,
    }
    assert only_orders <= found.books.keys()
    assert not only_orders & found.markets.keys()


def test_who_moves_nfts_for_markets_is_known_by_address() -> None:
    found = registry(ETHEREUM, [Deployment(CAROL, "element", "own")]).operators
    assert {
        CONDUIT,
        SEAPORT_16,
        ZEROEX,
        PROCESSOR_2,
        CAROL,
        "0x909e9efe4d87d1a6018c2065ae642b6d0447bc91",
    } <= found
    assert LOOKSRARE_1 not in found  # its managers are
    assert "0x17d8a54d35842133b123a6e6fc57d51338a4aee5" in registry(81457).operators


def test_a_node_is_asked_for_the_events_of_books_and_of_pools_apart() -> None:
    assert not set(BOOK_TOPICS) & POOLS.keys()
    assert {logs.price_set().topics[0], logs.counter().topics[0], logs.pair_made_1().topics[0]} <= set(
        BOOK_TOPICS
    )
    assert {make().topics[0] for make in logs.of_pools.values()} == POOLS.keys()
