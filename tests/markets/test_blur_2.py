"""Blur's second exchange: all four forms of its event, as they are published, and what its packed words hold."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.classify import classify
from indexing.judge.markets.blur_2 import POOLS
from indexing.judge.markets.reading import Deployment
from indexing.judge.markets.registry import registry
from indexing.judge.verdicts import Judgement, Payment, Side, Verdict
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, LATER, UNHURRIED, ZERO, log, word
from tests.markets import blur_events as blur
from tests.markets.building import Case, ape, erc20, erc721, erc1155, judged, moves_of, of_transaction, sold
from tests.markets.currencies import ETHER, ONE_ETHER, POOL_ETHER

DAN = "0x" + "da" * 20
FEES = "0x" + "0f" * 20
TWENTIETH = (500, FEES)
PART = ONE_ETHER // 20
PASSED_ON = Judgement("transfer")
BLAST, POLYGON = 81457, 137


def _pool(amount: int, sender: str, receiver: str, *, index: int = LATER) -> RawLog:
    return erc20(POOL_ETHER, amount, sender, receiver, index=index)


def test_a_bid_on_a_chain_whose_pool_is_not_known_is_a_fault() -> None:
    transaction = of_transaction(
        [erc721(APES, 7, BOB, ALICE, index=3), blur.packed(trader=ALICE, side=blur.BID, index=5)],
        target=blur.BLUR_2,
    )
    added = registry(POLYGON, [Deployment(blur.BLUR_2, "blur-2", "blur")])
    found = classify(transaction, moves_of(transaction, POLYGON), added)
    assert (found.judgements, [one.log_index for one in found.faults]) == ((PASSED_ON,), [5])


def _pays_all_three(found: Verdict) -> bool:
    return {one.receiver for one in found.fills[0].payments} == {CAROL, FEES, DAN}


BIDS = [(ALICE, 7, 30), (CAROL, 8, 20), (CAROL, 9, 10), (DAN, 10, 30)]
_sent = partial(Case, to=blur.BLUR_2)
CASES = {
    # several asks may share the hash that the event names
    "an ask without fees is sold for its price to whom the NFT went": _sent(
        ape(BOB, ALICE), blur.packed(), value=ONE_ETHER
    ).was(sold(ONE_ETHER, ETHER), at="blur", deal=(Side.ASK, BOB, ALICE), protocol="blur-2", order_hashes=()),
    "a bid without fees is sold for its price by whom the NFT came from": _sent(
        ape(BOB, ALICE), _pool(ONE_ETHER, ALICE, BOB), blur.packed(trader=ALICE, side=blur.BID), sender=BOB
    ).was(sold(ONE_ETHER, POOL_ETHER), deal=(Side.BID, BOB, ALICE)),
    **{
        f"the fee of a taken ask comes on top of the price: {label}": _sent(
            ape(BOB, ALICE), blur.packed(**dict[str, Any](fees)), value=gross
        ).was(sold(gross), payments=(Payment(ETHER, PART, FEES),))
        for label, (fees, gross) in enumerate(
            [({"taker_fee": TWENTIETH}, ONE_ETHER + PART), ({"maker_fee": TWENTIETH}, ONE_ETHER)], 1
        )
    },
    **{
        f"the fee of a taken bid is the sellers and its makers comes on top: {label}": _sent(
            ape(BOB, ALICE),
            _pool(PART, ALICE, FEES),
            _pool(to_seller, ALICE, BOB),
            blur.packed(trader=ALICE, side=blur.BID, **dict[str, Any](fees)),
            sender=BOB,
        ).was(sold(to_seller + PART, POOL_ETHER))
        for label, (fees, to_seller) in enumerate(
            [({"taker_fee": TWENTIETH}, ONE_ETHER - PART), ({"maker_fee": TWENTIETH}, ONE_ETHER)], 1
        )
    },
    "units of an ERC-1155 are one item at the price of all": _sent(
        erc1155(APES, 7, 3, BOB, ALICE), blur.execution(kind=1, amount=3, price=30), value=30
    ).was(sold(30), also=lambda found: found.fills[0].items[0].amount == 3),
    "an ask may be paid with ether that is taken out of the pool first": _sent(
        _pool(ONE_ETHER, ALICE, ZERO), ape(BOB, ALICE), blur.packed(), value=0
    ).was(sold(ONE_ETHER, ETHER)),
    "an ask that nobody brought the ether for is a fault": _sent(ape(BOB, ALICE), blur.packed(), value=1).was(
        "sale", faults=["was called with 1 wei"]
    ),
    "an NFT bought and sold into a bid in one transaction is sold twice": Case(
        ape(BOB, DAN),
        blur.packed(price=90),
        ape(DAN, CAROL),
        _pool(100, CAROL, DAN),
        blur.packed(trader=CAROL, side=blur.BID, price=100),
        to=DAN,
        value=90,
    ).was(sold(90), sold(100, POOL_ETHER)),
    "what the aggregator buys goes to the buyer at once": Case(
        ape(BOB, ALICE), blur.packed(), to=blur.AGGREGATOR, value=2 * ONE_ETHER
    ).was(sold(ONE_ETHER), markets=("blur",)),
    "bids on blast are paid in the pool of that chain": Case(
        ape(BOB, ALICE),
        erc20(blur.POOL_ON_BLAST, ONE_ETHER, ALICE, BOB),
        blur.packed(trader=ALICE, side=blur.BID, contract=blur.BLUR_2_ON_BLAST),
        to=blur.BLUR_2_ON_BLAST,
        sender=BOB,
        chain=BLAST,
    ).was(sold(ONE_ETHER, blur.POOL_ON_BLAST)),
    **{
        f"an order filled for nothing is no sale: {label}": _sent(
            ape(BOB, ALICE),
            blur.packed(trader=BOB if side == blur.ASK else ALICE, side=side, price=0, taker_fee=TWENTIETH),
        ).was(PASSED_ON)
        for label, side in enumerate([blur.ASK, blur.BID], 1)
    },
    "cancelled listings and orders are no sale": _sent(
        ape(BOB, ALICE),
        log(
            "CancelTrade(address,bytes32,uint256,uint256)",
            [BOB],
            "5e" * 32 + word(0) + word(1),
            contract=blur.BLUR_2,
        ),
        log("NonceIncremented(address,uint256)", [BOB], word(1), contract=blur.BLUR_2),
    ).was(PASSED_ON, fills=0),
    "an ask with all three fees has the one on top that its taker pays": _sent(
        ape(BOB, ALICE),
        blur.execution(maker_fee=(100, CAROL), taker_fee=TWENTIETH, protocol_fee=(250, DAN)),
        value=ONE_ETHER + PART,
    ).was(sold(ONE_ETHER + PART), also=_pays_all_three),
    "a bid with all three fees has the one on top that its maker pays": _sent(
        ape(BOB, ALICE),
        _pool(ONE_ETHER // 100, ALICE, CAROL),
        _pool(PART, ALICE, FEES),
        _pool(ONE_ETHER // 40, ALICE, DAN),
        _pool(ONE_ETHER - PART - ONE_ETHER // 40, ALICE, BOB),
        blur.execution(
            trader=ALICE, side=blur.BID, maker_fee=(100, CAROL), taker_fee=TWENTIETH, protocol_fee=(250, DAN)
        ),
    ).was(sold(ONE_ETHER + ONE_ETHER // 100, POOL_ETHER), also=_pays_all_three),
    "units of one id taken in one call each get the price of their own listing": _sent(
        [erc1155(APES, 7, 1, BOB, ALICE)] * 3,
        [blur.execution(kind=1, amount=1, price=price) for price in (10, 20, 30)],
        value=60,
    ).was(sold(10), sold(20), sold(30)),
    # Each bidder pays the exchange once, which pays the seller and the fees of all.
    "bids of several bidders taken in one call each have their own price": _sent(
        [ape(BOB, bidder, token_id) for bidder, token_id, _ in BIDS],
        [
            blur.packed(trader=bidder, side=blur.BID, token_id=token_id, price=price, taker_fee=(1000, FEES))
            for bidder, token_id, price in BIDS
        ],
        [_pool(30, bidder, blur.BLUR_2) for bidder in (ALICE, CAROL, DAN)],
        _pool(81, blur.BLUR_2, BOB),
        _pool(9, blur.BLUR_2, FEES),
        sender=BOB,
    ).was(
        *(sold(price, POOL_ETHER) for _, _, price in BIDS),
        also=lambda found: {fill.seller for fill in found.fills} == {BOB},
    ),
    "a bid that was not paid is not paid by what others paid through the exchange": _sent(
        ape(BOB, ALICE),
        ape(BOB, CAROL, 8),
        blur.packed(trader=ALICE, side=blur.BID, token_id=7, price=30),
        blur.packed(trader=CAROL, side=blur.BID, token_id=8, price=30),
        _pool(30, ALICE, blur.BLUR_2),
        _pool(30, blur.BLUR_2, BOB),
        sender=BOB,
    ).was(sold(30, POOL_ETHER), "sale", faults=[4]),
    "a sale of what no log moved is a fault": _sent(blur.packed(), value=ONE_ETHER).was(
        faults=["No NFT log delivers 1"]
    ),
}

test_blur_2 = judged(CASES)

_PACKED, _WITH_FEE, _EXECUTION = blur.packed(), blur.packed(taker_fee=TWENTIETH), blur.execution()
MALFORMED = {
    "packed, cut off": blur.cut(_PACKED, 1),
    "packed, of no type": blur.packed(side=2),
    "with a fee, cut off": blur.cut(_WITH_FEE, 1),
    "with a fee beyond 16 bits": blur.packed(maker_fee=(70_000, FEES)),
    "execution, cut off": blur.cut(_EXECUTION, 1),
    "execution, of no type": blur.execution(side=2),
    "execution, of no kind of asset": blur.execution(kind=2),
    "execution, with a fee beyond 16 bits": blur.execution(protocol_fee=(2**16, FEES)),
}


@UNHURRIED
@given(st.integers(0, 2**88 - 1), st.integers(1, 2**88 - 1), st.integers(0, 255), st.integers(0, 10_000))
def test_packed_numbers_come_out_whole(token_id: int, price: int, listing: int, rate: int) -> None:
    event = blur.packed(token_id=token_id, price=price, listing=listing, taker_fee=(rate, FEES))
    gross = price + price * rate // 10_000
    _sent(ape(BOB, ALICE, token_id), event, value=gross).was(sold(gross)).holds()


@pytest.mark.parametrize("chain_id", POOLS)
def test_the_ether_of_a_pool_is_ether_of_its_chain(chain_id: int) -> None:
    assert POOLS[chain_id] in registry(chain_id).wrapped_native
