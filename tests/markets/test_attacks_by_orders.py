"""Orders filled in odd ways: for nothing, with oneself, of nothing, of what goes back or on at once."""

from __future__ import annotations

from functools import partial

from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, batch_data, log
from tests.markets.building import Case, ape, erc1155, judged, sold, weth
from tests.markets.currencies import ETHER, WETH
from tests.markets.seaport_events import SEAPORT_15, Item, erc20_item, nft_item, order_fulfilled, paid

COINS = "0x" + "c0" * 20
ROUTER = "0x" + "40" * 20
DEAD = "0x" + "0" * 36 + "dead"


def ask(
    price: int, *, seller: str = BOB, buyer: str = ALICE, item: Item | None = None, currency: str = ETHER
) -> RawLog:
    """An ask for ape 7, or another item, that a buyer filled."""
    money = [paid(price, seller) if currency == ETHER else erc20_item(currency, price, seller)]
    offer, asked = [item or nft_item(APES, 7)], money if price else []
    return order_fulfilled(offerer=seller, recipient=buyer, offer=offer, consideration=asked)


def coins(amount: int) -> Item:
    """Units of the one coin."""
    return nft_item(COINS, 1, amount=amount, kind=3)


_sent = partial(Case, to=SEAPORT_15)
CASES = {
    # Both name the same seller and buyer, and there is one transfer: it is what was paid for.
    "an order filled for nothing takes no sale from one that was paid": _sent(
        ask(0), ape(BOB, ALICE), ask(5), value=5
    ).was(sold(5)),
    "a wash trade is two sales each at its own price": Case(
        ask(5),
        ape(BOB, ALICE),
        ask(8, seller=ALICE, buyer=BOB),
        ape(ALICE, BOB),
        ask(6),
        ape(BOB, ALICE),
        to=ROUTER,
    ).was(sold(5), sold(8), sold(6)),
    "the router that sells what it just bought has bought and sold": Case(
        ask(5, buyer=ROUTER), ape(BOB, ROUTER), ask(6, seller=ROUTER), ape(ROUTER, ALICE), to=ROUTER
    ).was(sold(5), sold(6)),
    "what is minted by the sale is sold and what is burned after it is burned": _sent(
        ask(5), ape(ZERO, ALICE), ape(ALICE, DEAD), value=5
    ).was(sold(5), "burn"),
    # Carol paid for hers; that a stranger pays for Alice's does not take Carol's money for it.
    "a buyers money pays the buyers own order before any other": _sent(
        ask(100, currency=WETH),
        ape(BOB, ALICE),
        weth(100, CAROL, BOB),
        ask(100, buyer=CAROL, item=nft_item(APES, 8), currency=WETH),
        ape(BOB, CAROL, 8),
        weth(100, ROUTER, BOB),
    ).was(sold(100, WETH), sold(100, WETH)),
    # A market need not move what the buyer owes to the buyer, so that it costs nothing to name any amount.
    "nobody is shown to have paid millions by owing them to themselves": _sent(
        order_fulfilled(consideration=[erc20_item(WETH, 10**24, ALICE), erc20_item(WETH, 5, BOB)]),
        ape(BOB, ALICE),
        weth(5, ALICE, BOB),
    ).was("sale", faults=[(1, 10**24 + 5)]),
    "a royalty that the buyer owes to themselves is part of a price in ether": Case(
        order_fulfilled(consideration=[paid(95, BOB), paid(5, ALICE)]), ape(BOB, ALICE), to=ROUTER
    ).was(sold(100)),
    "an NFT that is sold, given away for nothing and sold again is two sales": Case(
        ask(5),
        ape(BOB, ALICE),
        ask(0, seller=ALICE, buyer=CAROL),
        ape(ALICE, CAROL),
        ask(9, seller=CAROL, buyer=BOB),
        ape(CAROL, BOB),
        to=ROUTER,
    ).was(sold(5), "transfer", sold(9)),
    "who fills their own order and pays only themselves has sold nothing": _sent(
        ask(100, seller=ALICE, currency=WETH), ape(ALICE, ALICE), weth(100, ALICE, ALICE)
    ).was("transfer"),
    "no units are no sale whatever was paid": _sent(
        ask(5, item=coins(0)), erc1155(COINS, 1, 0, BOB, ALICE), value=5
    ).was("transfer"),
    "a batch that repeats an id sells each entry by its own order": _sent(
        ask(30, item=coins(3)),
        ask(20, item=coins(2)),
        log(
            "TransferBatch(address,address,address,uint256[],uint256[])",
            [ALICE, BOB, ALICE],
            batch_data([1, 1, 1], [2, 3, 4]),
            contract=COINS,
        ),
        value=50,
    ).was(sold(20), sold(30), "transfer"),
    "another may pay the price of what a seller sells": Case(
        ask(100, currency=WETH), ape(BOB, ALICE), weth(100, CAROL, BOB), weth(100, BOB, CAROL), sender=BOB
    ).was(sold(100, WETH)),
    "a seller cannot pay the price of what it sells": Case(
        ask(100, currency=WETH), ape(BOB, ALICE), weth(100, BOB, BOB), sender=BOB
    ).was("sale", faults=1),
    "an order for an NFT that never came is no swap": _sent(
        order_fulfilled(consideration=[nft_item(COINS, 3, BOB)]), ape(BOB, ALICE)
    ).was("transfer", faults=[1]),
    # One wei to the seller, the rest to the buyer, who has it back at once: only what was brought is believed.
    "nobody is shown to have paid millions of ether to themselves behind a contract of their own": Case(
        order_fulfilled(consideration=[paid(1, BOB), paid(10**22, ALICE)]), ape(BOB, ALICE), to=ROUTER
    )
    .was("sale", faults=[(1, 10**22 + 1)])
    .but(value=10**22 + 1)
    .was(sold(10**22 + 1)),
}

test_attacks_by_orders = judged(CASES)
