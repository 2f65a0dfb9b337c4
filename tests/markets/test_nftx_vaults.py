"""NFTX's vaults: NFTs in and out for vault tokens are transfers, for other NFTs exchanges; no price comes of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from indexing.judge.verdicts import Leg
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, log, word, words
from tests.markets.building import WETH, erc20, erc721, erc1155, of_transaction, sold, verdict
from tests.markets.nftx_events import (
    NFTX_1,
    VAULT,
    WHOLE,
    deposited_1,
    minted,
    redeemed_1,
    redeemed_2,
    redeemed_3,
    swapped_2,
    swapped_3,
)
from tests.markets.recorded import vectors, verdicts
from tests.markets.seaport_events import nft_item, order_fulfilled, paid

WORLD = "0x" + "51" * 20


def _made(*, index: int) -> RawLog:
    """The vault's token for one NFT, for Alice."""
    return erc20(VAULT, WHOLE, ZERO, ALICE, index=index)


IN_AND_OUT = {
    "in": [
        erc721(APES, 7, ALICE, VAULT, index=1),
        _made(index=2),
        minted([7], ALICE, index=3),
    ],
    "out of version 2": [
        erc20(VAULT, WHOLE, ALICE, ZERO, index=1),
        erc721(APES, 7, VAULT, ALICE, index=2),
        redeemed_2([7], ALICE, index=3),
    ],
    "out of version 3": [
        erc20(VAULT, WHOLE, ALICE, ZERO, index=1),
        erc721(APES, 7, VAULT, ALICE, index=2),
        redeemed_3([7], ALICE, index=3),
    ],
    "into version 1": [erc721(APES, 7, ALICE, NFTX_1, index=1), deposited_1([7], ALICE, index=2)],
    "out of version 1": [erc721(APES, 7, NFTX_1, ALICE, index=1), redeemed_1([7], ALICE, index=2)],
}


@pytest.mark.parametrize("logs", IN_AND_OUT.values(), ids=IN_AND_OUT.keys())
def test_nfts_in_and_out_of_a_vault_are_transfers_of_this_market(logs: list[RawLog]) -> None:
    found = verdict(of_transaction(logs, value=5))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert (found.markets, found.is_commercial, found.faults) == (("nftx",), True, ())


def test_vault_tokens_that_pass_between_those_who_move_the_nft_are_no_price() -> None:
    logs = [erc20(VAULT, WHOLE, VAULT, ALICE, index=4), *IN_AND_OUT["in"]]
    found = verdict(of_transaction(logs))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]


@pytest.mark.parametrize("swapped", [swapped_2, swapped_3])
def test_an_nft_that_a_vault_gives_for_another_is_exchanged_with_all_legs(
    swapped: Callable[..., RawLog],
) -> None:
    logs = [
        erc721(APES, 7, ALICE, VAULT, index=1),
        erc721(APES, 8, VAULT, ALICE, index=2),
        swapped([7], [8], ALICE, index=3),
    ]
    found = verdict(of_transaction(logs))
    assert [one.transfer_type for one in found.judgements] == ["swap", "swap"]
    assert set(found.judgements[0].swaps) == {
        Leg(APES, 7, ALICE, VAULT, 1, "nftx"),
        Leg(APES, 8, VAULT, ALICE, 1, "nftx"),
    }
    assert (found.markets, found.is_commercial, found.faults) == (("nftx",), True, ())


def test_an_exchange_holds_when_one_gives_and_another_gets() -> None:
    # Bob gives for Alice: seen between two parties alone, nothing went both ways.
    logs = [
        erc721(APES, 7, BOB, VAULT, index=1),
        erc721(APES, 8, VAULT, ALICE, index=2),
        swapped_2([7], [8], ALICE, index=3),
    ]
    found = verdict(of_transaction(logs))
    assert [one.transfer_type for one in found.judgements] == ["swap", "swap"]


def test_units_of_an_erc_1155_token_are_exchanged_for_as_many() -> None:
    logs = [
        erc1155(WORLD, 1, 2, ALICE, VAULT, index=1),
        erc1155(WORLD, 5, 1, VAULT, ALICE, index=2),
        erc1155(WORLD, 6, 1, VAULT, ALICE, index=3),
        swapped_3([1], [5, 6], ALICE, index=4),
    ]
    found = verdict(of_transaction(logs))
    assert [one.transfer_type for one in found.judgements] == ["swap"] * 3


def test_random_nfts_that_come_back_for_a_deposit_are_an_exchange_in_version_1() -> None:
    logs = [
        erc721(APES, 7, ALICE, NFTX_1, index=1),
        deposited_1([7], ALICE, index=2),
        erc721(APES, 8, NFTX_1, ALICE, index=3),
        redeemed_1([8], ALICE, index=4),
    ]
    found = verdict(of_transaction(logs))
    assert [one.transfer_type for one in found.judgements] == ["swap", "swap"]


def test_what_a_market_sold_into_a_vault_stays_sold() -> None:
    sale = order_fulfilled(
        offerer=BOB, recipient=VAULT, offer=[nft_item(APES, 7)], consideration=[paid(5, BOB)], index=1
    )
    logs = [sale, erc721(APES, 7, BOB, VAULT, index=2), _made(index=3), minted([7], ALICE, index=4)]
    found = verdict(of_transaction(logs, value=5))
    assert (found.judgements, found.faults) == ((sold(5),), ())
    assert found.markets == ("opensea", "nftx")


@pytest.mark.parametrize(
    "event",
    [
        minted([7], ALICE, index=3),
        redeemed_2([7], ALICE, index=3),
        redeemed_3([7], ALICE, index=3),
        swapped_2([7], [8], ALICE, index=3),
        swapped_3([7], [8], ALICE, index=3),
    ],
)
def test_a_contract_that_neither_took_nor_gave_what_it_says_is_not_believed(event: RawLog) -> None:
    logs = [erc721(APES, 7, BOB, CAROL, index=1), erc20(WETH, 5, CAROL, BOB, index=2), event]
    found = verdict(of_transaction(logs))
    assert (found.judgements, found.markets, found.is_commercial) == ((sold(5, WETH),), (), False)


@pytest.mark.parametrize("event", [redeemed_3([7], ALICE, index=3), redeemed_2([7], ALICE, index=3)])
def test_a_contract_that_gives_nfts_without_burning_a_token_of_its_own_is_no_vault(event: RawLog) -> None:
    # As one that gives an NFT for a coupon does, and says so.
    found = verdict(of_transaction([erc721(APES, 7, VAULT, ALICE, index=2), event]))
    assert (found.markets, found.is_commercial) == ((), False)


def test_what_moves_after_a_vaults_event_is_not_meant_by_it() -> None:
    logs = [_made(index=1), minted([7], ALICE, index=2), erc721(APES, 7, ALICE, VAULT, index=3)]
    assert verdict(of_transaction(logs)).markets == ()


@pytest.mark.parametrize(
    "bad",
    [
        log("Minted(uint256[],uint256[],address)", data=words(96, 128), contract=VAULT, index=1),
        log("Redeemed(uint256[],address)", data=words(64, ALICE, 2**40), contract=VAULT, index=1),
        log("Minted(uint256[],uint256[],address)", [7], words(96, 128, ALICE), contract=VAULT, index=1),
        log("NFTsRedeemed(uint256,uint256[],address)", data=word(5), contract=NFTX_1, index=1),
    ],
    ids=["cut off", "a list without end", "topics", "version 1"],
)
def test_a_malformed_event_is_a_fault_and_the_rest_is_read(bad: RawLog) -> None:
    logs = [bad, erc721(APES, 7, ALICE, VAULT, index=4), _made(index=5), minted([7], ALICE, index=6)]
    found = verdict(of_transaction(logs))
    assert [one.log_index for one in found.faults] == [1]
    assert found.markets == ("nftx",)


@pytest.mark.shared
@pytest.mark.parametrize("vector_id", ["V110", "V112"])
def test_the_hand_checked_swap_and_deposit_are_what_they_are_said_to_be(vector_id: str) -> None:
    vector = vectors()[vector_id]
    moves, found = verdicts()[vector["tx"]]
    assert {one.transfer_type for one in found.judgements} == {vector["transferType"]}
    assert (list(found.markets), found.is_commercial) == (vector["markets"], vector["isCommercial"])
    assert len(moves) == vector["transferCount"]
