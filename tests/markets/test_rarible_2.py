"""Rarible 2 while it emitted a `Transfer` for everything it moved: both layouts of `Match` of that time."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, ZERO
from tests.markets.building import (
    ONE_ETHER,
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
)
from tests.markets.rarible_events import (
    LEFT,
    RARIBLE_2,
    RIGHT,
    erc20_kind,
    kind,
    lazy,
    match,
    match_first,
    moved,
    nft,
)

FEES = "0x1cf0df2a5a20cd61d68d4489eebbf85b8d39e18a"
ETHER = kind("ETH")


def ask_in_ether(*, index: int = 1, last: RawLog | None = None) -> list[RawLog]:
    """Alice buys Bob's ape for one ether, with 2.5 % on top and 2.5 % off."""
    fee = ONE_ETHER // 40
    return [
        moved(ETHER, fee, ALICE, FEES, index=index, why="ORIGIN"),
        moved(ETHER, fee, ALICE, FEES, index=index + 1, why="ORIGIN"),
        moved(ETHER, ONE_ETHER - fee, ALICE, BOB, index=index + 2),
        erc721(APES, 7, BOB, ALICE, index=index + 3),
        moved(nft(7), 1, BOB, ALICE, index=index + 4),
        last or match((BOB, ALICE), (ONE_ETHER, 1), (nft(7), ETHER), index=index + 5),
    ]


def test_a_bid_in_a_token_costs_the_bidder_the_fee_on_top_too() -> None:
    weth = erc20_kind(WETH)
    logs = [
        erc20(WETH, 225, BOB, CAROL),
        moved(weth, 225, BOB, CAROL, why="ROYALTY"),
        erc20(WETH, 150, BOB, FEES),
        moved(weth, 150, BOB, FEES, why="ORIGIN"),
        erc20(WETH, 2700, BOB, ALICE),
        moved(weth, 2700, BOB, ALICE),
        erc721(APES, 7, ALICE, BOB),
        moved(nft(7), 1, ALICE, BOB),
        match((BOB, ALICE), (1, 3000), (weth, nft(7))),
    ]
    found = verdict(of_transaction(logs, target=RARIBLE_2))
    assert (found.judgements, found.faults) == ((sold(3075, WETH),), ())
    assert (found.fills[0].side, found.fills[0].seller, found.fills[0].buyer) == (Side.BID, ALICE, BOB)
    unpaid = [*logs[:4], *logs[5:]]
    assert len(verdict(of_transaction(unpaid, target=RARIBLE_2)).faults) == 1


def test_a_lazy_nft_is_minted_to_its_creator_and_sold_by_them() -> None:
    logs = [
        moved(ETHER, 100, ALICE, BOB),
        erc721(APES, 7, ZERO, BOB),
        erc721(APES, 7, BOB, ALICE),
        moved(lazy(7), 1, BOB, ALICE),
        match((BOB, ALICE), (100, 1), (lazy(7), ETHER)),
    ]
    found = verdict(of_transaction(logs, target=RARIBLE_2, value=100))
    assert [one.transfer_type for one in found.judgements] == ["mint", "sale"]
    assert found.judgements[1].price == 100


_sent = partial(Case, to=RARIBLE_2)
CASES = {
    "all ether that the exchange moves for a match is its price even through a router": Case(
        ask_in_ether(), to=CAROL, value=9 * ONE_ETHER
    ).was(
        sold(ONE_ETHER * 1025 // 1000), at="rarible", deal=(Side.ASK, BOB, ALICE), order_hashes=(LEFT, RIGHT)
    ),
    "the first layout of a match is read by the transfers alone": _sent(
        ask_in_ether(last=match_first((BOB, ALICE), (ONE_ETHER, 1), index=6)), value=2 * ONE_ETHER
    ).was(sold(ONE_ETHER * 1025 // 1000)),
    "an ether price above what the exchange was sent is a fault": _sent(ask_in_ether(), value=ONE_ETHER).was(
        "sale", faults=1
    ),
    "ether that an order on chain had locked need not come with the transaction": _sent(
        moved(ETHER, 100, RARIBLE_2, ALICE),
        ape(ALICE, BOB),
        moved(nft(7), 1, ALICE, BOB),
        match((BOB, ALICE), (1, 100), (ETHER, nft(7))),
        sender=ALICE,
    ).was(sold(100), side=Side.BID),
    **{
        f"ether that is locked or unlocked is no part of a price: {why}": Case(
            moved(ETHER, 55, ALICE, RARIBLE_2, index=1, why=why), ask_in_ether(index=2), to=CAROL
        ).was(sold(ONE_ETHER * 1025 // 1000))
        for why in ["LOCK", "UNLOCK"]
    },
    "each match of a sweep has the transfers before it": _sent(
        ask_in_ether(),
        moved(ETHER, 30, ALICE, CAROL, index=11),
        erc1155(APES, 8, 5, CAROL, ALICE, index=12),
        moved(nft(8, name="ERC1155"), 5, CAROL, ALICE, index=13),
        match((CAROL, ALICE), (30, 5), (nft(8, name="ERC1155"), ETHER), index=14),
        value=3 * ONE_ETHER,
    ).was(sold(ONE_ETHER * 1025 // 1000), sold(30)),
    "an NFT for an NFT is a swap with both legs": _sent(
        ape(BOB, ALICE),
        moved(nft(7), 1, BOB, ALICE),
        ape(ALICE, BOB, 8),
        moved(nft(8), 1, ALICE, BOB),
        match((BOB, ALICE), (1, 1), (nft(7), nft(8))),
    ).was("swap", "swap", also=lambda found: [leg.token_id for leg in found.judgements[0].swaps] == [7, 8]),
    "money for money sells no NFT that moves beside it": _sent(
        ape(BOB, ALICE),
        moved(ETHER, 100, ALICE, BOB),
        match((BOB, ALICE), (100, 100), (erc20_kind(WETH), ETHER)),
        value=100,
    ).was("transfer", faults=[3]),
    "a transfer that cannot be read is a fault and the match goes by its assets": _sent(
        moved(kind("NFT_BUNDLE"), 1, BOB, ALICE),
        ape(BOB, ALICE),
        match((BOB, ALICE), (100, 1), (nft(7), ETHER)),
        value=100,
    ).was(sold(100), faults=[1]),
}


test_rarible_2 = judged(CASES)


def test_a_malformed_match_is_a_fault_and_the_next_is_read() -> None:
    bad = match((BOB, ALICE), (1, 1), (kind("COUPON"), ETHER), index=1)
    cut = match((BOB, ALICE), (1, 1), (nft(7), ETHER), index=2)
    named = match((BOB, ALICE), (1, 1), (nft(7), ETHER), index=3)
    some = [bad, cut._replace(data=cut.data[:100]), named._replace(topics=named.topics * 2)]
    logs = [
        *some,
        erc721(APES, 7, BOB, ALICE, index=4),
        match((BOB, ALICE), (100, 1), (nft(7), ETHER), index=5),
    ]
    found = verdict(of_transaction(logs, target=RARIBLE_2, value=100))
    assert [fault.log_index for fault in found.faults] == [1, 2, 3]
    assert found.judgements == (sold(100),)


@UNHURRIED
@given(data=st.binary(max_size=700), which=st.sampled_from([0, 4, 5]))
def test_whatever_its_events_hold_it_never_raises(data: bytes, which: int) -> None:
    logs = ask_in_ether()
    logs[which] = logs[which]._replace(data=data)
    verdict(of_transaction(logs, target=RARIBLE_2, value=ONE_ETHER))
