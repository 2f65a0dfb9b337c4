"""Rarible 2 without transfers of its own: `Match` with assets, and the bare one that names nothing but amounts."""

from __future__ import annotations

from functools import partial

import pytest

from indexing.judge.verdicts import NATIVE, Leg, Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import (
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
from tests.markets.looksrare_events import taker_bid_1
from tests.markets.rarible_events import RARIBLE_2, erc20_kind, kind, match, match_bare, nft

WRAPPER = "0x7f19564c35c681099c0c857a7141836cf7edaa53"
FEES = "0x1cf0df2a5a20cd61d68d4489eebbf85b8d39e18a"
POLYGON, RARIBLE_ON_POLYGON = 137, "0x12b3897a36fdb436dde2788c06eff0ffd997066e"
WPOL = "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270"


@pytest.mark.parametrize("fee", [50, 100, 250, 500, 750])
def test_a_published_fee_on_top_is_believed_where_the_exchange_or_its_wrapper_is_called(fee: int) -> None:
    logs = [match_bare(10_000, 1), erc721(APES, 7, BOB, ALICE)]
    direct = verdict(of_transaction(logs, target=RARIBLE_2, value=10_000 + fee))
    assert direct.judgements == (sold(10_000 + fee),)
    wrapped = verdict(of_transaction(logs, target=WRAPPER, value=10_000 + fee))
    assert wrapped.judgements == (sold(10_000 + fee),)
    routed = verdict(of_transaction(logs, target=CAROL, value=10_000 + fee))
    assert routed.judgements[0].currency is None


def test_a_match_with_assets_but_no_transfers_follows_the_same_rule() -> None:
    logs = [erc721(APES, 7, BOB, ALICE), match((BOB, ALICE), (10_000, 1), (nft(7), kind("ETH")))]
    assert verdict(of_transaction(logs, target=RARIBLE_2, value=10_250)).judgements == (sold(10_250),)
    assert verdict(of_transaction(logs, target=RARIBLE_2, value=10_251)).judgements[0].currency is None


def test_a_bid_costs_what_the_bidder_sends_before_the_nft_comes() -> None:
    paid = [
        erc20(WETH, 75, BOB, FEES, index=2),
        erc20(WETH, 2925, BOB, ALICE, index=3),
        erc721(APES, 7, ALICE, BOB, index=4),
        erc20(WETH, 9, BOB, CAROL, index=5),
    ]
    bare = verdict(of_transaction([match_bare(1, 2925, index=1), *paid], target=RARIBLE_2))
    assert (bare.judgements, bare.faults, bare.fills[0].side) == ((sold(3000, WETH),), (), Side.BID)
    named = match((BOB, ALICE), (1, 2925), (erc20_kind(WETH), nft(7)), index=5)
    assert verdict(of_transaction([*paid[:3], named], target=RARIBLE_2)).judgements == (sold(3000, WETH),)


def test_a_router_that_pays_in_a_token_is_believed_for_the_price_and_published_fees_only() -> None:
    match_, nft_ = match_bare(10_000, 1, index=1), erc721(APES, 7, BOB, ALICE, index=3)
    known = [match_, erc20(WETH, 10_250, CAROL, BOB, index=2), nft_]
    assert verdict(of_transaction(known, target=CAROL)).judgements == (sold(10_250, WETH),)
    other = [match_, erc20(WETH, 10_251, CAROL, BOB, index=2), nft_]
    assert verdict(of_transaction(other, target=CAROL)).judgements[0].currency is None


def test_units_of_an_erc1155_are_told_from_the_price_by_what_moved() -> None:
    logs = [match_bare(4, 300), erc1155(APES, 7, 4, BOB, ALICE)]
    assert verdict(of_transaction(logs, target=RARIBLE_2, value=300)).judgements == (sold(300),)
    logs = [match_bare(300, 5), erc1155(APES, 7, 4, BOB, ALICE)]
    assert verdict(of_transaction(logs, target=RARIBLE_2, value=300)).judgements[0].currency is None


def test_a_lazy_nft_is_sold_by_who_it_was_minted_to() -> None:
    logs = [match_bare(100, 1), erc721(APES, 7, ZERO, BOB), erc721(APES, 7, BOB, ALICE)]
    found = verdict(of_transaction(logs, target=RARIBLE_2, value=100))
    assert [(one.transfer_type, one.price) for one in found.judgements] == [("mint", 0), ("sale", 100)]


_sent = partial(Case, to=RARIBLE_2)
CASES = {
    "ether that is brought to the wei is the price": _sent(
        match_bare(10000, 1), ape(BOB, ALICE), value=10000
    ).was(sold(10000), deal=(Side.ASK, BOB, ALICE), markets=("rarible",)),
    **{
        f"any other sum may have been handed back so that no price is told: {value}": _sent(
            match_bare(10000, 1), ape(BOB, ALICE), value=value
        ).was(
            "sale",
            swaps=(Leg(APES, 7, BOB, ALICE, 1, "rarible"), Leg(NATIVE, None, ALICE, BOB, 10000, "rarible")),
            faults=(1,),
        )
        for value in [10123, 20000, 9999, 0]
    },
    "several matches share what the transaction brings": Case(
        match_bare(100, 1), ape(BOB, ALICE), match_bare(200, 1), ape(CAROL, ALICE, 8), to=CAROL, value=300
    ).was(sold(100), sold(200)),
    "an NFT for an NFT is a swap": _sent(match_bare(1, 1), ape(BOB, ALICE), ape(ALICE, BOB, 8)).was(
        "swap", "swap", also=lambda found: found.judgements[0].swaps[0].market == "rarible"
    ),
    "several NFTs of one match are a bundle without a price of their own": _sent(
        match_bare(100, 2), ape(BOB, ALICE), ape(BOB, ALICE, 8), value=100
    ).was(
        *["sale"] * 2,
        also=lambda found: found.judgements[0].swaps[-1] == Leg(NATIVE, None, ALICE, BOB, 100, "rarible"),
    ),
    "what another market sold is not sold again": Case(
        match_bare(100, 1),
        ape(BOB, ALICE),
        weth(55, ALICE, CAROL),
        ape(CAROL, ALICE, 8),
        taker_bid_1(seller=CAROL, token_id=8, price=55),
        to=ALICE,
        value=100,
    ).was(sold(100), sold(55, WETH)),
    "a match without an NFT next to it is a fault": _sent(ape(BOB, ALICE), match_bare(100, 1), value=100).was(
        "transfer", faults=[2]
    ),
}


test_rarible_2_bare = judged(CASES)


def test_the_exchange_of_another_chain_is_known_there_alone() -> None:
    logs = [
        match_bare(1, 500, contract=RARIBLE_ON_POLYGON),
        erc20(WPOL, 500, BOB, ALICE),
        erc721(APES, 7, ALICE, BOB),
    ]
    found = verdict(of_transaction(logs, target=RARIBLE_ON_POLYGON), POLYGON)
    assert (found.judgements, found.markets) == ((sold(500, WPOL),), ("rarible",))
    assert verdict(of_transaction(logs, target=RARIBLE_ON_POLYGON)).fills == ()
