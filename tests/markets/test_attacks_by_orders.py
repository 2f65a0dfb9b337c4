"""Orders filled in odd ways: for nothing, with oneself, of nothing, of what goes back or on at once."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import Verdict
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, LATER, ZERO, batch_data, log
from tests.markets.building import (
    ETHER,
    WETH,
    Case,
    ape,
    erc20,
    erc721,
    erc1155,
    judged,
    of_transaction,
    sold,
    verdict,
    weth,
)
from tests.markets.seaport_events import SEAPORT_15, Item, erc20_item, nft_item, order_fulfilled, paid

COINS = "0x" + "c0" * 20
ROUTER = "0x" + "40" * 20
DEAD = "0x" + "0" * 36 + "dead"


def _types(found: Verdict) -> list[str]:
    return [one.transfer_type for one in found.judgements]


def ask(
    price: int,
    *,
    index: int = LATER,
    seller: str = BOB,
    buyer: str = ALICE,
    item: Item | None = None,
    currency: str = ETHER,
) -> RawLog:
    """An ask for ape 7, or another item, that a buyer filled."""
    money = paid(price, seller) if currency == ETHER else erc20_item(currency, price, seller)
    return order_fulfilled(
        offerer=seller,
        recipient=buyer,
        offer=[item or nft_item(APES, 7)],
        consideration=[money] if price else [],
        index=index,
    )


def coins(amount: int) -> Item:
    """Units of the one coin."""
    return nft_item(COINS, 1, amount=amount, kind=3)


def test_an_nft_that_is_sold_given_away_for_nothing_and_sold_again_is_two_sales() -> None:
    logs = [
        ask(5),
        erc721(APES, 7, BOB, ALICE),
        ask(0, seller=ALICE, buyer=CAROL),
        erc721(APES, 7, ALICE, CAROL),
        ask(9, seller=CAROL, buyer=BOB),
        erc721(APES, 7, CAROL, BOB),
    ]
    found = verdict(of_transaction(logs, target=ROUTER))
    assert (found.judgements[0], found.judgements[2]) == (sold(5), sold(9))
    assert _types(found) == ["sale", "transfer", "sale"]


def test_who_fills_their_own_order_and_pays_only_themselves_has_sold_nothing() -> None:
    logs = [
        ask(100, seller=ALICE, currency=WETH),
        erc721(APES, 7, ALICE, ALICE),
        erc20(WETH, 100, ALICE, ALICE),
    ]
    assert _types(verdict(of_transaction(logs, target=SEAPORT_15))) == ["transfer"]


def test_no_units_are_no_sale_whatever_was_paid() -> None:
    logs = [ask(5, item=coins(0)), erc1155(COINS, 1, 0, BOB, ALICE)]
    assert _types(verdict(of_transaction(logs, target=SEAPORT_15, value=5))) == ["transfer"]


def test_a_batch_that_repeats_an_id_sells_each_entry_by_its_own_order() -> None:
    batch = log(
        "TransferBatch(address,address,address,uint256[],uint256[])",
        [ALICE, BOB, ALICE],
        batch_data([1, 1, 1], [2, 3, 4]),
        contract=COINS,
        index=9,
    )
    logs = [ask(30, index=1, item=coins(3)), ask(20, index=2, item=coins(2)), batch]
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=50))
    assert found.judgements[:2] == (sold(20), sold(30))
    assert _types(found) == ["sale", "sale", "transfer"]


def test_a_seller_cannot_pay_the_price_of_what_it_sells() -> None:
    logs = [
        ask(100, currency=WETH),
        erc721(APES, 7, BOB, ALICE),
        erc20(WETH, 100, CAROL, BOB),
        erc20(WETH, 100, BOB, CAROL),
    ]
    paid_by_carol = verdict(of_transaction(logs, sender=BOB))
    assert paid_by_carol.judgements == (sold(100, WETH),)
    only_bob = [*logs[:2], erc20(WETH, 100, BOB, BOB, index=3)]
    assert [one.currency for one in verdict(of_transaction(only_bob, sender=BOB)).judgements] == [None]


def test_an_order_for_an_nft_that_never_came_is_no_swap() -> None:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[nft_item(COINS, 3, BOB)],
        index=1,
    )
    found = verdict(of_transaction([event, erc721(APES, 7, BOB, ALICE, index=2)], target=SEAPORT_15))
    assert _types(found) == ["transfer"]
    assert [fault.log_index for fault in found.faults] == [1]


def test_nobody_is_shown_to_have_paid_millions_of_ether_to_themselves_behind_a_contract_of_their_own() -> (
    None
):
    """One wei to the seller, the rest to the buyer, who has it back at once: only what was brought is believed."""
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[paid(1, BOB), paid(10**22, ALICE)],
        index=1,
    )
    logs = [event, erc721(APES, 7, BOB, ALICE, index=2)]
    found = verdict(of_transaction(logs, target=ROUTER))
    assert [(one.transfer_type, one.currency) for one in found.judgements] == [("sale", None)]
    assert [fault.price for fault in found.faults] == [10**22 + 1]
    brought = verdict(of_transaction(logs, target=ROUTER, value=10**22 + 1))
    assert (brought.judgements, brought.faults) == ((sold(10**22 + 1),), ())


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
    ).was("sale", also=lambda found: [fault.price for fault in found.faults] == [10**24 + 5], faults=(1,)),
    "a royalty that the buyer owes to themselves is part of a price in ether": Case(
        order_fulfilled(consideration=[paid(95, BOB), paid(5, ALICE)]), ape(BOB, ALICE), to=ROUTER
    ).was(sold(100)),
}


test_attacks_by_orders = judged(CASES)
