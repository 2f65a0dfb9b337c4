"""X2Y2: asks, bids, bundles and sweeps, by `EvInventory` and `EvProfit` as they are published."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Leg, Payment, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, log
from tests.markets.building import (
    ETHER,
    WETH,
    Case,
    ape,
    erc721,
    erc1155,
    judged,
    of_transaction,
    sold,
    verdict,
    weth,
)
from tests.markets.x2y2_events import (
    BID_ACCEPTED,
    CANCELLED,
    ERC1155,
    FEES,
    ITEM,
    X2Y2,
    ev_inventory,
    ev_profit,
)

GEM = "0x83c8f28c26bf6aaca652df1dbbe0e1b56f8baba2"
FEE = [(5_000, FEES)]
"""Half a per cent, in millionths."""


def test_each_nft_of_a_sweep_through_an_aggregator_has_its_price_on_the_leg_that_leaves_its_seller() -> None:
    logs: list[RawLog] = []
    for token_id, seller, price in ((7, BOB, 1000), (8, BOB, 1100), (9, CAROL, 1200)):
        at, item = 10 * token_id, f"0x{token_id:064x}"
        logs += [
            erc721(APES, token_id, seller, GEM, index=at),
            ev_profit(seller=seller, amount=price, item_hash=item, index=at + 1),
            ev_inventory(
                maker=seller, taker=GEM, pairs=[(APES, token_id)], price=price, item_hash=item, index=at + 2
            ),
            erc721(APES, token_id, GEM, ALICE, index=at + 3),
        ]
    found = verdict(of_transaction(logs, target=GEM, value=4000))
    assert found.judgements[::2] == (sold(1000), sold(1100), sold(1200))
    assert {one.transfer_type for one in found.judgements[1::2]} == {"transfer"}
    assert found.markets == ("x2y2", "gem")


def _sale(index: int = 1, **of: object) -> RawLog:
    return ev_inventory(
        **{"maker": BOB, "taker": ALICE, "pairs": [(APES, 7)], "price": 1, "index": index, **of}  # type: ignore[arg-type]
    )


def _word(event: RawLog, place: int, value: int) -> RawLog:
    """The event with another word in its data."""
    at = 32 * place
    return event._replace(data=event.data[:at] + value.to_bytes(32, "big") + event.data[at + 32 :])


_sent = partial(Case, to=X2Y2)
CASES = {
    "an ask in ether is sold for what the buyer pays fees included": _sent(
        ape(BOB, ALICE), ev_profit(amount=995), ev_inventory(price=1000, fees=FEE), value=1000
    ).was(
        sold(1000),
        at="x2y2",
        deal=(Side.ASK, BOB, ALICE),
        order_hashes=(ITEM,),
        payments=(Payment(ETHER, 995, BOB), Payment(ETHER, 5, FEES)),
    ),
    "the price is that of the settlement not the least one of the order": _sent(
        ape(BOB, ALICE), ev_profit(amount=1200), ev_inventory(price=1200, least=1000), value=1200
    ).was(sold(1200)),
    "a bid that is accepted is sold by the taker for what the maker pays in WETH": _sent(
        weth(1000, BOB, X2Y2),
        ape(ALICE, BOB),
        weth(5, X2Y2, FEES),
        weth(995, X2Y2, ALICE),
        ev_profit(seller=ALICE, amount=995, currency=WETH),
        ev_inventory(price=1000, op=BID_ACCEPTED, fees=FEE, currency=WETH),
    ).was(sold(1000, WETH), deal=(Side.BID, ALICE, BOB)),
    "a collection bid names the token that was given in the data under its mask": _sent(
        weth(1000, BOB, X2Y2),
        ape(ALICE, BOB, 4321),
        weth(1000, X2Y2, ALICE),
        ev_inventory(
            pairs=[(APES, 4321)], price=1000, op=BID_ACCEPTED, currency=WETH, mask=bytes(96) + b"\xff" * 32
        ),
    ).was(sold(1000, WETH)),
    "units of an ERC-1155 are one item with the whole price": _sent(
        erc1155(APES, 7, 5, BOB, ALICE),
        ev_inventory(pairs=[(APES, 7, 5)], price=1000, delegate_type=ERC1155),
        value=1000,
    ).was(sold(1000)),
    "units that come in several moves are sold together, and none of them has the price of all": _sent(
        erc1155(APES, 7, 2, BOB, ALICE),
        erc1155(APES, 7, 3, BOB, ALICE),
        ev_inventory(pairs=[(APES, 7, 5)], price=1000, delegate_type=ERC1155),
        value=1000,
    ).was("sale", "sale"),
    "a bundle has no price for one NFT but every leg": _sent(
        ape(BOB, ALICE),
        erc721("0x" + "70" * 20, 8, BOB, ALICE),
        ev_inventory(pairs=[(APES, 7), ("0x" + "70" * 20, 8)], price=1000, fees=FEE),
        value=1000,
    ).was(
        "sale",
        "sale",
        swaps=(
            Leg(APES, 7, BOB, ALICE, 1, "x2y2"),
            Leg("0x" + "70" * 20, 8, BOB, ALICE, 1, "x2y2"),
            Leg(ETHER, None, ALICE, BOB, 995, "x2y2"),
            Leg(ETHER, None, ALICE, FEES, 5, "x2y2"),
        ),
    ),
    "ether that the exchange unwraps for the buyer counts as brought": _sent(
        weth(400, ALICE, X2Y2),
        log("Withdrawal(address,uint256)", [X2Y2], f"{400:064x}", contract=WETH),
        ape(BOB, ALICE),
        ev_inventory(price=1000),
        value=600,
    ).was(sold(1000)),
    "a cancelled order sells nothing even where its NFT moves": _sent(
        log("EvCancel(bytes32)", [int(ITEM, 16)], contract=X2Y2),
        ev_inventory(taker=BOB, price=1000, op=CANCELLED),
        ape(BOB, ALICE),
    ).was("transfer", commercial=False, fills=0),
    "an item that failed in a sweep is no sale": _sent(
        log("EvFailure(uint256,bytes)", data=f"{0:064x}{64:064x}{0:064x}", contract=X2Y2), value=1000
    ).was(markets=()),
    "an order filled for nothing is no sale": _sent(ape(BOB, ALICE), ev_inventory(price=0, fees=FEE)).was(
        "transfer"
    ),
    **{
        f"a malformed event is a fault and the others are still read: {label}": _sent(
            event, erc721(APES, 7, BOB, ALICE, index=2), _sale(3, price=1000), value=1000
        ).was(sold(1000), faults=[("x2y2", 1)])
        for label, event in zip(
            [
                "cut off",
                "empty",
                "a topic less",
                "the item beyond the end",
                "the detail beyond the end",
                "no address",
                "no op",
                "an op that does not exist",
                "a delegate that does not exist",
                "no item",
                "no units",
                "pairs where triples should be",
                "fees above the price",
                "a profit cut off",
                "a profit with a topic more",
            ],
            [
                _sale()._replace(data=_sale().data[:-32]),
                _sale()._replace(data=b""),
                _sale()._replace(topics=_sale().topics[:1]),
                _word(_sale(), 9, 2**255),
                _word(_sale(), 10, 2**255),
                _word(_sale(), 0, 2**255),
                _sale(op=0),
                _sale(op=8),
                _sale(delegate_type=3),
                _sale(pairs=[]),
                _sale(pairs=[(APES, 7, 0)], delegate_type=ERC1155),
                _sale(delegate_type=ERC1155),
                _sale(fees=[(600000, FEES), (600000, CAROL)]),
                ev_profit(seller=BOB, amount=1, index=1)._replace(data=bytes(96)),
                ev_profit(seller=BOB, amount=1, index=1)._replace(
                    topics=ev_profit(seller=BOB, amount=1, index=1).topics * 2
                ),
            ],
            strict=True,
        )
    },
}


test_x2y2 = judged(CASES)


@UNHURRIED
@given(
    st.lists(st.tuples(st.integers(0, 2**256 - 1), st.integers(1, 2**128)), min_size=1, max_size=5),
    st.integers(1, 2**128),
    st.lists(st.integers(0, 200_000), max_size=5),
)
def test_what_is_paid_adds_up_to_the_price_and_the_items_are_those_listed(
    items: list[tuple[int, int]], price: int, parts: list[int]
) -> None:
    event = ev_inventory(
        maker=BOB,
        taker=ALICE,
        pairs=[(APES, token_id, amount) for token_id, amount in items],
        price=price,
        delegate_type=ERC1155,
        fees=[(part, FEES) for part in parts],
        index=1,
    )
    fill = verdict(of_transaction([event])).fills[0]
    assert (fill.price, sum(one.amount for one in fill.payments)) == (price, price)
    assert [(item.token_id, item.amount) for item in fill.items] == items


@UNHURRIED
@given(st.binary(max_size=700))
def test_whatever_an_event_holds_nothing_is_raised(data: bytes) -> None:
    for whole in (data, _sale().data[:300] + data):
        found = verdict(of_transaction([_sale()._replace(data=whole)]))
        assert len(found.fills) <= 1
