"""Seaport: what is no sale, what is not published as a price, and on which market an order was made."""

from __future__ import annotations

from functools import partial

from indexing.judge.classify import classify
from indexing.judge.markets.reading import Deployment
from indexing.judge.markets.registry import registry
from indexing.judge.verdicts import Judgement
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, log
from tests.markets.building import Case, ape, erc721, judged, moves_of, of_transaction, sold, weth
from tests.markets.currencies import WETH
from tests.markets.seaport_events import (
    ANOTHER,
    MIRROR,
    OPENSEA_FEES,
    ORDER,
    SEAPORT_15,
    Item,
    erc20_item,
    matched,
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


MAGIC_EDEN, ENS_VISION = (
    "0x6fa303e72bed54f515a513496f922bc331e2f27e",
    "0xa7673ab3b0949a0efcd818c86c71fff7cd645ac7",
)
BLUR_ZONE = "0x0000000000d80cfcb8dfcd8b2c4fd9c813482938"
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
        _ask([erc20_item(WETH, 100, BOB)]), ape(BOB, ALICE), weth(90, ALICE, BOB), weth(10, ALICE, CAROL)
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
    # OpenSea is where nothing else tells, and wins where it is paid beside another.
    **{
        f"an order was made on the market that it pays a fee to: {label}, {market}": _sent(
            order_fulfilled(consideration=[paid(100, BOB), *(paid(1, one) for one in receivers)], zone=zone),
            ape(BOB, ALICE),
            value=100 + len(receivers),
        ).was(sold(100 + len(receivers)), markets=(market,), price=100 + len(receivers))
        for label, (receivers, zone, market) in enumerate(
            [
                ([], ZERO, "opensea"),
                ([CAROL], ZERO, "opensea"),
                ([MAGIC_EDEN], ZERO, "magiceden"),
                ([ENS_VISION, CAROL], ZERO, "ens-vision"),
                ([MAGIC_EDEN, OPENSEA_FEES], ZERO, "opensea"),
                ([], BLUR_ZONE, "blur"),
                ([OPENSEA_FEES], BLUR_ZONE, "opensea"),
            ],
            1,
        )
    },
    "a mirror was made where the order was that it fills": _sent(
        matched(
            (BOB, [nft_item(APES, 7)], [paid(100, BOB), paid(2, MAGIC_EDEN)]),
            (ALICE, [paid(102)], [nft_item(APES, 7, ALICE)]),
        ),
        ape(BOB, ALICE),
        value=102,
    ).was(sold(102), markets=("magiceden",)),
}

test_seaport_trust = judged(CASES)

MALFORMED = {"a list beyond the end": _with(2, 2**255), "an item of no type": _with(5, 6)}


def test_an_operator_adds_receivers_of_fees() -> None:
    logs = [order_fulfilled(consideration=[paid(100, BOB), paid(2, CAROL)]), ape(BOB, ALICE)]
    transaction = of_transaction(logs, value=102)
    added = registry(1, [Deployment(CAROL, "", "carols")])
    assert classify(transaction, moves_of(transaction), added).markets == ("carols",)
