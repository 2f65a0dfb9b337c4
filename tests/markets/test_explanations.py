"""Why a transfer is what it is, in words: the event, what was held against the transaction, and what came out."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from indexing.judge.classify import classify
from indexing.judge.explanation import Explanation, explain
from indexing.judge.markets.registry import registry
from indexing.judge.trace import UNDELIVERED
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import (
    ETHER,
    ONE_ETHER,
    POOL_ETHER,
    PRICELESS,
    WETH,
    erc20,
    erc721,
    moves_of,
    of_transaction,
)
from tests.markets.punk_events import PUNKS, accept_bid
from tests.markets.seaport_events import SEAPORT_15, Item, erc20_item, nft_item, order_fulfilled, paid

FROGS = "0x" + "f0" * 20
TOKENS = {ETHER: "wei", WETH: "of wrapped wei"}


def explained(
    logs: Sequence[RawLog], place: int = 0, *, target: str | None = SEAPORT_15, value: int = 0
) -> Explanation:
    """The explanation of one of a transaction's transfers; BOB sent it."""
    transaction = of_transaction(logs, sender=BOB, target=target, value=value)
    moves = moves_of(transaction)
    found = classify(transaction, moves, registry(1))
    return explain(found, place, written)


def written(currency: str, amount: int) -> str:
    return f"{amount} {TOKENS.get(currency, currency)}"


def checks(found: Explanation, event: int = 0) -> list[tuple[str, bool | None]]:
    return [(one.text(written), one.holds) for one in found.events[event].checks]


def fault_of(found: Explanation) -> str:
    """Why the first event is not believed."""
    fault = found.events[0].fault
    assert fault is not None
    return fault.text(written)


def ask(price: int, *items: int, fee: int = 0, index: int = 2) -> RawLog:
    """ALICE's ask for apes, filled by BOB in ether."""
    return order_fulfilled(
        offerer=ALICE,
        recipient=BOB,
        offer=[nft_item(APES, one) for one in items],
        consideration=[paid(price - fee, ALICE), *([paid(fee, CAROL)] if fee else [])],
        index=index,
    )


def token_ask(price: int) -> RawLog:
    """The same in wrapped ether."""
    return order_fulfilled(
        offerer=ALICE,
        recipient=BOB,
        offer=[nft_item(APES, 1)],
        consideration=[erc20_item(WETH, price, ALICE)],
        index=2,
    )


def test_a_sale_in_ether_names_its_event_its_transfer_and_the_bound() -> None:
    found = explained([erc721(APES, 1, ALICE, BOB, index=3), ask(100, 1, fee=5)], value=100)
    assert found.judgement == found.verdict.judgements[0]
    assert found.why_type == "The event in log 2 sold it, and this is the transfer that delivers it."
    assert found.why_price == "100 wei: all that the buyer's side paid, as the event tells, fees included."
    (event,) = found.events
    assert (event.fill.protocol, found.delivered(event), event.fault) == ("seaport-1.5", (3,), None)
    assert checks(found)[:2] == [
        ("1 of 1 items are delivered.", True),
        ("The market was called with 100 wei; its events tell 100 wei together.", True),
    ]
    assert (f"{CAROL} was to get 5 wei, which leaves no log.", None) in checks(found)


def test_a_price_that_goes_back_to_the_buyer_is_said_not_to_hold_behind_another_contract_either() -> None:
    event = order_fulfilled(
        offerer=ALICE,
        recipient=BOB,
        offer=[nft_item(APES, 1)],
        consideration=[paid(1, ALICE), paid(99, BOB)],
        index=2,
    )
    found = explained([erc721(APES, 1, ALICE, BOB, index=3), event], target=CAROL, value=5)
    told = (
        "Another contract was called with 5 wei; events by which the buyer gets back more than half of it tell "
        "100 wei together."
    )
    assert (told, False) in checks(found)
    assert found.why_price == f"None. {fault_of(found)}"


def test_a_price_above_what_the_transaction_brought_is_said_not_to_hold() -> None:
    found = explained([erc721(APES, 1, ALICE, BOB, index=3), ask(100, 1)], value=99)
    assert ("The market was called with 99 wei; its events tell 100 wei together.", False) in checks(found)
    assert found.why_price == f"None. {fault_of(found)}"


def test_behind_a_router_nothing_bounds_a_price_in_ether() -> None:
    found = explained([erc721(APES, 1, ALICE, BOB, index=3), ask(100, 1)], target=CAROL)
    assert [holds for text, holds in checks(found) if text.startswith("Native money leaves no log")] == [None]


def test_a_price_in_a_token_names_who_sent_it_and_in_which_log() -> None:
    money = erc20(WETH, ONE_ETHER, BOB, ALICE, index=4)
    found = explained([erc721(APES, 1, ALICE, BOB, index=3), token_ask(ONE_ETHER), money])
    price = f"{ONE_ETHER} of wrapped wei"
    assert (f"{price} was drawn from what {BOB} sent in log 4.", True) in checks(found)
    assert (f"{ALICE} was to get {price}, and got {price} in all.", True) in checks(found)


def test_a_price_in_a_token_that_nobody_sent_is_said_not_to_hold() -> None:
    money = erc20(WETH, 7, BOB, ALICE, index=4)
    found = explained([erc721(APES, 1, ALICE, BOB, index=3), token_ask(9), money])
    assert ("Nobody sent 9 of wrapped wei.", False) in checks(found)
    assert (f"{ALICE} was to get 9 of wrapped wei, and got 7 of wrapped wei in all.", False) in checks(found)
    assert found.judgement.currency is None


def test_of_two_sales_for_one_payment_only_one_is_said_to_be_paid() -> None:
    """ALICE sold two apes to BOB for 9 each, who sent 9: whose price was drawn first has it."""
    events = [
        order_fulfilled(
            offerer=ALICE,
            recipient=BOB,
            offer=[nft_item(APES, ape)],
            consideration=[erc20_item(WETH, 9, ALICE)],
            index=index,
            order="0x" + f"{ape:064x}",
        )
        for ape, index in ((1, 2), (2, 4))
    ]
    moved = [erc721(APES, 1, ALICE, BOB, index=3), erc721(APES, 2, ALICE, BOB, index=5)]
    logs = [*events, *moved, erc20(WETH, 9, BOB, ALICE, index=6)]
    first, second = explained(logs), explained(logs, 1)
    assert (f"9 of wrapped wei was drawn from what {BOB} sent in log 6.", True) in checks(first)
    assert ("Nobody sent 9 of wrapped wei besides what other prices took.", False) in checks(second)
    short = f"{ALICE} was to get 9 of wrapped wei of 18 of wrapped wei by all events, and got 9 of wrapped wei in all."
    assert (short, False) in checks(first)
    assert first.events[0].fault is not None


def two_asks(*, delivered: tuple[int, ...]) -> list[RawLog]:
    """ALICE's asks for apes 1 and 2 at 5 each, of which some are delivered; BOB sent 5, once."""
    asks = [
        order_fulfilled(
            offerer=ALICE,
            recipient=BOB,
            offer=[nft_item(APES, ape)],
            consideration=[erc20_item(WETH, 5, ALICE)],
            index=ape,
            order="0x" + f"{ape:064x}",
        )
        for ape in (1, 2)
    ]
    moved = [erc721(APES, ape, ALICE, BOB, index=10 + ape) for ape in delivered]
    return [*asks, *moved, erc20(WETH, 5, BOB, ALICE, index=20)]


@pytest.mark.parametrize("sold", [1, 2])
def test_of_two_asks_of_one_price_the_delivered_one_has_the_payment(sold: int) -> None:
    """No money is looked for where nothing is delivered, so that it cannot have taken another one's."""
    found = explained(two_asks(delivered=(sold,)))
    assert found.why_price.startswith("5 of wrapped wei: ")
    assert checks(found) == [
        ("1 of 1 items are delivered.", True),
        (f"5 of wrapped wei was drawn from what {BOB} sent in log 20.", True),
        (f"{ALICE} was to get 5 of wrapped wei, and got 5 of wrapped wei in all.", True),
    ]
    assert [fault.reason for fault in found.verdict.faults] == [
        "No NFT log delivers 1 of the 1 items that the event names."
    ]
    (undelivered,) = (one for one in found.verdict.trace.matches if one.checks[0].holds is False)
    assert undelivered.checks[1:] == [UNDELIVERED]


def test_what_one_price_took_is_not_said_to_have_been_sent_by_nobody() -> None:
    found = explained(two_asks(delivered=(1, 2)), 1)
    assert ("Nobody sent 5 of wrapped wei besides what other prices took.", False) in checks(found)


def test_what_only_the_seller_sent_is_said_not_to_count() -> None:
    logs = [erc721(APES, 1, ALICE, BOB, index=3), token_ask(9), erc20(WETH, 9, ALICE, CAROL, index=4)]
    assert ("Nobody sent 9 of wrapped wei, its seller apart.", False) in checks(explained(logs))


def test_a_price_names_the_logs_that_it_was_drawn_from_and_no_others() -> None:
    money = [erc20(WETH, 9, BOB, ALICE, index=4), erc20(WETH, 9, BOB, CAROL, index=5)]
    found = explained([erc721(APES, 1, ALICE, BOB, index=3), token_ask(9), *money])
    assert (f"9 of wrapped wei was drawn from what {BOB} sent in log 4.", True) in checks(found)


def test_what_the_buyer_owes_to_themselves_is_told_beside_what_was_drawn() -> None:
    event = order_fulfilled(
        offerer=ALICE,
        recipient=BOB,
        offer=[nft_item(APES, 1)],
        consideration=[erc20_item(WETH, 9, ALICE), erc20_item(WETH, 1, BOB)],
        index=2,
    )
    found = explained([erc721(APES, 1, ALICE, BOB, index=3), event, erc20(WETH, 9, BOB, ALICE, index=4)])
    told = (
        f"9 of wrapped wei was drawn from what {BOB} sent in log 4. "
        "The buyer owed the other 1 of wrapped wei of the price to themselves."
    )
    assert (told, True) in checks(found)
    assert found.why_price.startswith("10 of wrapped wei: ")


def test_ether_that_was_unwrapped_on_the_way_is_not_said_to_be_what_the_market_was_called_with() -> None:
    money = erc20(POOL_ETHER, 60, BOB, ZERO, index=4)
    found = explained([erc721(APES, 1, ALICE, BOB, index=3), ask(100, 1), money], value=40)
    told = "The market was called with 40 wei, and 60 wei was unwrapped; its events tell 100 wei together."
    assert (told, True) in checks(found)


def test_an_order_of_which_only_a_part_is_delivered_is_said_not_to_be_borne_out() -> None:
    found = explained([erc721(APES, 1, ALICE, BOB, index=3), ask(100, 1, 2)], value=100)
    missing = "No NFT log delivers 1 of the 2 items that the event names."
    assert fault_of(found) == missing
    assert found.why_price == f"None. {missing}"
    assert [fault.reason for fault in found.verdict.faults] == [missing]


def test_a_sale_whose_price_nothing_tells_is_said_not_to_be_borne_out() -> None:
    """A punk's accepted bid, of whose entering nothing is known."""
    found = explained(accept_bid(7, ALICE, BOB, index=1), target=PUNKS)
    assert fault_of(found) == PRICELESS
    assert found.why_price == f"None. {PRICELESS}"


def test_an_exchange_of_which_one_side_is_missing_is_not_said_to_be_a_gift() -> None:
    event = order_fulfilled(
        offerer=ALICE,
        recipient=BOB,
        offer=[nft_item(APES, 1)],
        consideration=[nft_item(FROGS, 2, ALICE)],
        index=2,
    )
    found = explained([erc721(FROGS, 2, BOB, ALICE, index=3), event])
    assert found.judgement.transfer_type == "transfer"
    assert found.why_type == "The event in log 2 exchanged it for what no transfer delivers."


def test_what_is_minted_for_an_exchange_is_not_said_to_be_a_gift() -> None:
    event = order_fulfilled(
        offerer=ALICE,
        recipient=BOB,
        offer=[nft_item(APES, 1)],
        consideration=[nft_item(FROGS, 2, ALICE)],
        index=2,
    )
    logs = [erc721(APES, 1, ALICE, BOB, index=3), erc721(FROGS, 2, ZERO, ALICE, index=4), event]
    found = explained(logs, 1)
    assert found.judgement.transfer_type == "mint"
    assert "for nothing" not in found.why_type


def test_beside_a_markets_event_no_payment_is_said_to_be_missing() -> None:
    """CAROL paid BOB for ape 2 while ALICE sold ape 1: where there are events, payments by themselves are no price."""
    logs = [
        erc721(APES, 1, ALICE, BOB, index=3),
        ask(100, 1),
        erc721(APES, 2, BOB, CAROL, index=4),
        erc20(WETH, 9, CAROL, BOB, index=5),
    ]
    found = explained(logs, 1, value=100)
    assert found.why_type == (
        "No market event of the transaction sold it; where there are any, payments beside them are no price."
    )


def test_what_a_router_passes_on_for_money_is_not_said_to_have_been_paid_by_nobody() -> None:
    logs = [
        erc20(WETH, 9, BOB, CAROL, index=1),
        erc20(WETH, 9, CAROL, ALICE, index=2),
        erc721(APES, 1, ALICE, CAROL, index=3),
        erc721(APES, 1, CAROL, BOB, index=4),
    ]
    kinds = [explained(logs, place, target=CAROL) for place in (0, 1)]
    assert [one.judgement.transfer_type for one in kinds] == ["sale", "transfer"]
    assert kinds[1].why_type == "What was paid for this NFT is told of another transfer of it."


def test_what_an_nfts_own_contract_calls_money_is_not_said_to_have_been_paid() -> None:
    """ERC-404 tells of its NFTs once more as of money: no rule counts that as a payment, so that no page does."""
    logs = [erc721(APES, 1, ALICE, BOB, index=3), erc20(APES, 9, BOB, ALICE, index=4)]
    assert explained(logs, target=CAROL).why_type == (
        "Nothing was given for it that the logs tell: no market event sold it, and no token was paid for it."
    )


def test_a_bundle_says_that_one_price_is_not_split() -> None:
    logs = [erc721(APES, 1, ALICE, BOB, index=3), erc721(APES, 2, ALICE, BOB, index=4), ask(100, 1, 2)]
    assert explained(logs, value=100).why_price == "None. One price for 2 transfers is not split."


def test_what_a_relay_passes_on_names_the_event_that_sold_it_before() -> None:
    logs = [erc721(APES, 1, ALICE, BOB, index=3), erc721(APES, 1, BOB, CAROL, index=4), ask(100, 1)]
    found = explained(logs, 1, value=100)
    assert found.events == ()
    assert found.why_type == "What the event in log 2 sold is delivered by another transfer of this NFT."


@pytest.mark.parametrize(
    ("log", "value", "kind", "why_type", "why_price"),
    [
        (
            erc721(APES, 1, ZERO, BOB, index=3),
            5,
            "mint",
            "It comes from the zero address.",
            "5 wei: the value of the transaction, in which nothing else was bought.",
        ),
        (
            erc721(APES, 1, BOB, ZERO, index=3),
            0,
            "burn",
            "It goes to the zero address or to 0x…dEaD.",
            "None: only sales and paid mints have one.",
        ),
        (
            erc721(APES, 1, BOB, ALICE, index=3),
            5,
            "transfer",
            "Nothing was given for it that the logs tell: no market event sold it, and no token was paid for it.",
            "None: only sales and paid mints have one.",
        ),
    ],
)
def test_a_transfer_without_a_market_says_which_rule_it_falls_under(
    log: RawLog, value: int, kind: str, why_type: str, why_price: str
) -> None:
    found = explained([log], target=APES, value=value)
    assert (found.judgement.transfer_type, found.why_type, found.why_price) == (kind, why_type, why_price)


def test_a_payment_without_a_market_is_said_to_be_one() -> None:
    logs = [erc721(APES, 1, ALICE, BOB, index=3), erc20(WETH, 9, BOB, ALICE, index=4)]
    found = explained(logs, target=CAROL)
    assert (
        found.why_type
        == "No market event sold anything in the transaction, but its receiver's side paid its sender in a token."
    )
    assert found.why_price == "9 of wrapped wei: what its receiver's side paid for it."


def test_an_event_that_could_not_be_read_is_not_said_to_be_missing() -> None:
    cut = ask(100, 1)._replace(data=ask(100, 1).data[:64])
    found = explained([cut, erc721(APES, 1, ALICE, BOB, index=3), erc20(WETH, 9, BOB, ALICE, index=4)])
    assert found.verdict.faults
    assert found.why_type == (
        "No market event of the transaction could be read, but its receiver's side paid its sender in a token."
    )


@pytest.mark.parametrize(
    ("offered", "asked", "money"),
    [
        ([], [erc20_item(WETH, 9, ALICE)], erc20(WETH, 9, BOB, ALICE, index=4)),
        ([erc20_item(WETH, 9)], [], erc20(WETH, 9, ALICE, BOB, index=4)),
    ],
    ids=["two currencies", "the seller gives money along"],
)
def test_a_sale_whose_event_tells_no_one_sum_for_the_nft_says_so(
    offered: list[Item], asked: list[Item], money: RawLog
) -> None:
    event = order_fulfilled(
        offerer=ALICE,
        recipient=BOB,
        offer=[nft_item(APES, 1), *offered],
        consideration=[paid(100, ALICE), *asked],
        index=2,
    )
    found = explained([erc721(APES, 1, ALICE, BOB, index=3), event, money], value=100)
    assert found.why_price == "None. The event tells no one sum that was paid for it alone."


def test_an_order_that_was_filled_for_nothing_is_said_to_be_no_sale() -> None:
    event = order_fulfilled(
        offerer=ALICE, recipient=BOB, offer=[nft_item(APES, 1)], consideration=[], index=2
    )
    found = explained([erc721(APES, 1, ALICE, BOB, index=3), event])
    assert found.judgement.transfer_type == "transfer"
    assert found.why_type == "The event in log 2 gave it for nothing, which is no sale."
