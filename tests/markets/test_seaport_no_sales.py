"""Seaport: what must not be taken for a sale, and what must not be published as a price."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import Judgement
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, log
from tests.markets.building import WETH, Case, ape, erc721, judged, sold, weth
from tests.markets.seaport_events import (
    ANOTHER,
    MIRROR,
    ORDER,
    SEAPORT_15,
    Item,
    erc20_item,
    nft_item,
    order_fulfilled,
    orders_matched,
    paid,
)

FOREIGN, LOOK_ALIKE = "0x" + "f0" * 20, "0x" + "15" * 20


def _ask(consideration: list[Item]) -> RawLog:
    return order_fulfilled(consideration=consideration)


def _cut(event: RawLog) -> RawLog:
    return event._replace(data=event.data[:-32])


WHOLE = _ask([paid(100, BOB)])
CUT = _cut(WHOLE)


def _with(place: int, value: int) -> RawLog:
    """The event with another word."""
    at = 32 * place
    return WHOLE._replace(data=WHOLE.data[:at] + value.to_bytes(32, "big") + WHOLE.data[at + 32 :])


_sent = partial(Case, to=SEAPORT_15)
CASES = {
    "nothing for nothing is not sold in a match either": Case(
        _ask([]),
        order_fulfilled(offerer=ALICE, offer=[], consideration=[nft_item(APES, 7, ALICE)], order=MIRROR),
        orders_matched([ORDER, MIRROR]),
        ape(BOB, ALICE),
    ).was("transfer", commercial=True),
    "orders that are cancelled are not filled": _sent(
        log("OrderCancelled(bytes32,address,address)", [BOB, ZERO], ORDER[2:], contract=SEAPORT_15),
        log("CounterIncremented(uint256,address)", [BOB], f"{3:064x}", contract=SEAPORT_15),
        ape(BOB, ALICE),
    ).was("transfer", markets=(), commercial=False, fills=0),
    # A token that shows the buyer mints of somebody else's instead of what was sold.
    "an NFT that was never delivered is a fault and no sale": _sent(
        erc721(FOREIGN, 7, ZERO, CAROL), erc721(FOREIGN, 8, ZERO, CAROL), _ask([paid(100, BOB)]), value=100
    ).was(
        *["mint"] * 2,
        commercial=True,
        faults=["No NFT log delivers"],
        also=lambda found: found.faults[0].price == 100,
    ),
    # The seller was to get 100 and got 90: the sale is shown with its legs, its price is not.
    "a token that keeps a fee pays less than the event tells": _sent(
        _ask([erc20_item(WETH, 100, BOB)]),
        ape(BOB, ALICE),
        weth(90, ALICE, BOB),
        weth(10, ALICE, CAROL),
    ).was(
        "sale",
        faults=1,
        also=lambda found: (
            [(leg.contract, leg.sender, leg.receiver) for leg in found.judgements[0].swaps]
            == [(APES, BOB, ALICE), (WETH, ALICE, BOB)]
            and found.faults[0].reason == f"{BOB} was to get 100 of {WETH}, and got 90 of {WETH} in all."
        ),
    ),
    "ether that nobody brought is no price": _sent(_ask([paid(100, BOB)]), ape(BOB, ALICE), value=60).was(
        "sale", faults=1
    ),
    # Phishing: the victim signs an order that asks for nothing. A market's order was filled all the same.
    **{
        f"an NFT that goes for nothing is not sold: {label}": Case(_ask(asked), ape(BOB, ALICE)).was(
            Judgement("transfer"), at="opensea"
        )
        for label, asked in enumerate([[], [paid(0, BOB)], [erc20_item(WETH, 0, BOB)]], 1)
    },
    **{
        f"an NFT whose buyer pays only themselves is not sold: {label}": _sent(
            _ask([money]), ape(BOB, ALICE), value=100
        ).was(Judgement("transfer"), commercial=True)
        for label, money in enumerate([paid(100, ALICE), erc20_item(WETH, 100, ALICE)], 1)
    },
    "money for money is nothing of NFTs": Case(
        order_fulfilled(offer=[erc20_item(WETH, 5)], consideration=[paid(5, BOB)]), value=5
    ).was(fills=0),
    # What it says of is not sold.
    "the NFT of an order that cannot be read is not sold": _sent(
        CUT,
        ape(BOB, ALICE),
        order_fulfilled(
            offerer=CAROL, offer=[nft_item(APES, 8)], consideration=[paid(5, CAROL)], order=ANOTHER
        ),
        ape(CAROL, ALICE, 8),
        value=105,
    ).was("transfer", sold(5), faults=[1]),
    "a match that cannot be read leaves its orders as they are": Case(
        _ask([paid(100, BOB)]),
        order_fulfilled(
            offerer=ALICE, offer=[paid(100)], consideration=[nft_item(APES, 7, ALICE)], order=MIRROR
        ),
        _cut(orders_matched([ORDER, MIRROR])),
        ape(BOB, ALICE),
        to="0x" + "99" * 20,
        value=100,
    ).was(sold(100), faults=(3, 2)),
}


test_seaport_no_sales = judged(CASES)

MALFORMED = {
    "without its last word": CUT,
    "a list beyond the end": _with(2, 2**255),
    "an item of no type": _with(5, 6),
    "without a zone": WHOLE._replace(topics=WHOLE.topics[:2]),
}
