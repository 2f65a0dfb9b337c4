"""Element: its four events with fees, and those of its first version, as they are published."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Payment, Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, log, words
from tests.markets.building import ETHEREUM, PRICELESS, Case, ape, erc1155, judged, sold, weth
from tests.markets.currencies import WETH
from tests.markets.zeroex_events import ELEMENT, ORDER, element, element_first

FEES = "0x" + "fe" * 20
CREATOR = "0x" + "c4" * 20
OTHERS = [
    (56, "0xb3e3dfcb2d9f3dde16d78b9e6eb3538eb32b5ae1"),
    (137, "0xeaf5453b329eb38be159a872a6ce91c9a8fb0260"),
    (42161, "0x18cd9270dbdca86d470cfb3be1b156241fffa9de"),
    (8453, "0xa39a5f160a1952ddf38781bd76e402b0006912a9"),
]
_sent = partial(Case, to=ELEMENT)
CASES = {
    "a sell order tells all that the buyer pays whatever the transaction brings": Case(
        ape(BOB, ALICE),
        element("Sell", BOB, ALICE, 1000, fees=[(FEES, 25), (CREATOR, 0)]),
        to=CAROL,
        value=5000,
    ).was(
        sold(1000),
        at="element",
        deal=(Side.ASK, BOB, ALICE),
        order_hashes=(ORDER,),
        also=lambda found: [one.receiver for one in found.fills[0].payments] == [FEES],
    ),
    "a buy order is paid by its maker fees included": _sent(
        erc1155(APES, 7, 3, ALICE, BOB),
        weth(950, BOB, ALICE),
        weth(50, BOB, FEES),
        element("Buy", BOB, ALICE, 1000, fees=[(FEES, 50)], currency=WETH, units=3),
    ).was(sold(1000, WETH), deal=(Side.BID, ALICE, BOB), payments=(Payment(WETH, 50, FEES),)),
    "a fee in a token that was not paid is a fault": _sent(
        ape(ALICE, BOB),
        weth(1000, BOB, ALICE),
        element("Buy", BOB, ALICE, 1000, fees=[(FEES, 50)], currency=WETH),
    ).was("sale", faults=1),
    "two orders of the first version that were matched are one sale": _sent(
        ape(BOB, ALICE),
        weth(100, ALICE, BOB),
        weth(20, ALICE, CAROL),
        element_first("Sell", BOB, ALICE, 100, currency=WETH),
        element_first("Buy", ALICE, BOB, 120, currency=WETH),
        sender=CAROL,
    ).was(sold(120, WETH), also=lambda found: len(found.fills) == 1),
    **{
        f"an order filled for nothing is no sale: {label}": _sent(
            ape(BOB, ALICE), order("Sell", BOB, ALICE, 0)
        ).was("transfer")
        for label, order in enumerate([element, element_first], 1)
    },
    "a price above what the exchange was sent is a fault": _sent(
        ape(BOB, ALICE), element("Sell", BOB, ALICE, 1000), value=999
    ).was("sale", faults=1),
    "each order of a batch has a price of its own": _sent(
        [
            log
            for number in range(3)
            for log in (ape(BOB, ALICE, number), element("Sell", BOB, ALICE, 10 + number, token_id=number))
        ],
        value=33,
    ).was(sold(10), sold(11), sold(12)),
    "a bid of the first version has its fees on top": _sent(
        ape(ALICE, BOB),
        weth(1000, BOB, ALICE),
        weth(25, BOB, FEES),
        element_first("Buy", BOB, ALICE, 1000, currency=WETH),
    ).was(sold(1025, WETH), order_hashes=(ORDER,)),
    "an ask of the first version may have fees on top that nothing tells": _sent(
        erc1155(APES, 7, 2, BOB, ALICE), element_first("Sell", BOB, ALICE, 1000, units=2), value=1000
    )
    .was(sold(1000))
    .but(value=1025)
    .was("sale", faults=[PRICELESS]),
    **{
        f"it is known on another chain by another address: {chain}": Case(
            ape(BOB, ALICE),
            element("Sell", BOB, ALICE, 10, contract=address),
            to=address,
            value=10,
            chain=chain,
        )
        .was(sold(10))
        .but(chain=ETHEREUM)
        .was("transfer", fills=0)
        for chain, address in OTHERS
    },
    "a cancelled order says nothing": _sent(
        ape(BOB, ALICE), log("ERC721OrderCancelled(address,uint256)", data=words(BOB, 9), contract=ELEMENT)
    ).was("transfer", commercial=False, fills=0),
}

test_element = judged(CASES)

MALFORMED = {
    "fees above the price": element("Sell", BOB, ALICE, 100, fees=[(FEES, 60), (FEES, 60)]),
    "of no units": element("Sell", BOB, ALICE, 100, units=0),
}


@UNHURRIED
@given(
    price=st.integers(1, 2**255),
    parts=st.lists(st.integers(0, 100), max_size=6),
    units=st.one_of(st.none(), st.integers(1, 2**128 - 1)),
)
def test_whatever_its_fees_the_price_is_the_whole_amount(
    price: int, parts: list[int], units: int | None
) -> None:
    fees = [(FEES, price * part // 1000) for part in parts]
    move = ape(BOB, ALICE) if units is None else erc1155(APES, 7, units, BOB, ALICE)
    Case(move, element("Sell", BOB, ALICE, price, fees=fees, units=units), to=CAROL).was(sold(price)).holds()
