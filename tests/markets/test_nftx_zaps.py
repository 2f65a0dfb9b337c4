"""What NFTX's zaps buy from vaults and sell to them for ether: the only NFTX sales with a price."""

from __future__ import annotations

import pytest

from indexing.judge.verdicts import Leg, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, ZERO, log, word, words
from tests.markets.building import ETHER, WETH, erc20, erc721, of_transaction, sold, verdict
from tests.markets.nftx_events import (
    VAULT,
    WHOLE,
    ZAP_2,
    ZAP_3,
    minted,
    redeemed_2,
    redeemed_3,
    swapped_2,
    zapped,
)

PAIR, FEES, OTHER_VAULT = "0x" + "5a" * 20, "0x" + "fe" * 20, "0x" + "7b" * 20


def _wrap(amount: int, zap: str = ZAP_2, *, index: int) -> RawLog:
    return log("Deposit(address,uint256)", [zap], word(amount), contract=WETH, index=index)


def _unwrap(amount: int, by: str, *, index: int) -> RawLog:
    return log("Withdrawal(address,uint256)", [by], word(amount), contract=WETH, index=index)


def _bought(*ids: int, price: int = 90) -> list[RawLog]:
    """Alice's ether is wrapped, paid for vault tokens, and these are redeemed for apes."""
    return [
        _wrap(price + 10, index=1),
        erc20(WETH, price, ZAP_2, PAIR, index=2),
        erc20(VAULT, WHOLE * len(ids), PAIR, ZAP_2, index=3),
        erc20(VAULT, WHOLE * len(ids), ZAP_2, ZERO, index=4),
        *(erc721(APES, one, VAULT, ALICE, index=10 + one) for one in ids),
        redeemed_2(ids, ALICE, index=30),
        zapped("Buy", len(ids), price, ALICE, index=31),
        _unwrap(10, ZAP_2, index=32),
    ]


def test_an_nft_bought_for_ether_is_sold_by_the_vault_for_what_was_spent() -> None:
    found = verdict(of_transaction(_bought(7), target=ZAP_2, value=100))
    assert (found.judgements, found.faults) == ((sold(90),), ())
    sale = next(one for one in found.fills if one.price)
    assert (sale.seller, sale.buyer, sale.side) == (VAULT, ALICE, Side.ASK)
    assert (found.markets, found.is_commercial) == (("nftx",), True)


def test_several_nfts_bought_at_once_have_no_price_of_their_own() -> None:
    found = verdict(of_transaction(_bought(7, 8), target=ZAP_2, value=100))
    assert [(one.transfer_type, one.currency) for one in found.judgements] == [("sale", None)] * 2
    assert Leg(ETHER, None, ALICE, VAULT, 90, "nftx") in found.judgements[0].swaps


def test_an_nft_bought_for_wrapped_ether_has_a_price_in_it() -> None:
    logs = [
        erc20(WETH, 100, ALICE, ZAP_2, index=1),
        *_bought(7)[1:-1],
        erc20(WETH, 10, ZAP_2, ALICE, index=40),
    ]
    found = verdict(of_transaction(logs, target=ZAP_2))
    assert (found.judgements, found.faults) == ((sold(90, WETH),), ())


def test_the_redemption_of_version_3_is_as_good() -> None:
    logs = [
        _wrap(100, ZAP_3, index=1),
        erc20(WETH, 80, ZAP_3, PAIR, index=2),
        erc721(APES, 7, VAULT, ALICE, index=3),
        redeemed_3([7], ALICE, index=4),
        erc20(WETH, 10, ZAP_3, FEES, index=5),
        zapped("Buy", 1, 90, ALICE, index=6, zap=ZAP_3),
    ]
    found = verdict(of_transaction(logs, target=ZAP_3, value=100))
    assert (found.judgements, found.faults) == ((sold(90),), ())


def test_an_nft_sold_for_ether_is_bought_by_the_vault() -> None:
    logs = [
        erc721(APES, 7, ALICE, VAULT, index=1),
        erc20(VAULT, WHOLE, ZERO, ZAP_2, index=2),
        minted([7], ZAP_2, index=3),
        erc20(VAULT, WHOLE, ZAP_2, PAIR, index=4),
        erc20(WETH, 90, PAIR, BOB, index=5),
        _unwrap(90, BOB, index=6),
        zapped("Sell", 1, 90, ALICE, index=7),
    ]
    found = verdict(of_transaction(logs, target=ZAP_2))
    assert (found.judgements, found.faults) == ((sold(90),), ())
    sale = next(one for one in found.fills if one.price)
    assert (sale.seller, sale.buyer, sale.side) == (ALICE, VAULT, Side.BID)


def test_an_nft_sold_for_wrapped_ether_has_a_price_in_it() -> None:
    logs = [
        erc721(APES, 7, ALICE, VAULT, index=1),
        minted([7], ZAP_2, index=3),
        erc20(WETH, 90, PAIR, ALICE, index=5),
        zapped("Sell", 1, 90, ALICE, index=7),
    ]
    found = verdict(of_transaction(logs, target=ZAP_2))
    assert (found.judgements, found.faults) == ((sold(90, WETH),), ())


def test_what_a_zap_takes_off_for_fees_and_royalties_is_a_part_of_the_price() -> None:
    logs = [
        erc721(APES, 7, ALICE, VAULT, index=1),
        minted([7], ZAP_3, index=2),
        erc20(WETH, 100, PAIR, ZAP_3, index=3),
        erc20(WETH, 10, ZAP_3, FEES, index=4),
        _unwrap(90, ZAP_3, index=5),
        zapped("Sell", 1, 90, ALICE, index=6, zap=ZAP_3),
    ]
    found = verdict(of_transaction(logs, target=ZAP_3))
    assert (found.judgements, found.faults) == ((sold(100, WETH),), ())


def test_the_fee_of_a_swap_is_no_price() -> None:
    logs = [
        erc721(APES, 7, ALICE, VAULT, index=1),
        erc721(APES, 8, VAULT, ALICE, index=2),
        swapped_2([7], [8], ALICE, index=3),
        zapped("Swap", 1, 90, ALICE, index=4),
    ]
    found = verdict(of_transaction(logs, target=ZAP_2, value=100))
    assert [one.transfer_type for one in found.judgements] == ["swap", "swap"]


def test_two_purchases_in_one_transaction_have_each_their_own_price() -> None:
    logs = [
        erc721(APES, 7, VAULT, ALICE, index=1),
        redeemed_2([7], ALICE, index=2),
        zapped("Buy", 1, 40, ALICE, index=3),
        erc721(APES, 8, VAULT, ALICE, index=4),
        redeemed_2([8], ALICE, index=5),
        zapped("Buy", 1, 50, ALICE, index=6),
    ]
    assert verdict(of_transaction(logs, value=90)).judgements == (sold(40), sold(50))


def test_a_purchase_that_more_than_one_vault_may_have_served_has_no_price() -> None:
    # The buyer's own contract is called while the zap works, and says what a vault says.
    fake = [
        erc721(APES, 9, OTHER_VAULT, ALICE, index=20),
        redeemed_2([9], ALICE, index=21, vault=OTHER_VAULT),
    ]
    found = verdict(of_transaction([*_bought(7), *fake], target=ZAP_2, value=100))
    assert {one.transfer_type for one in found.judgements} == {"transfer"}
    assert found.markets == ("nftx",)


def test_a_zap_that_says_what_it_was_not_given_is_told_and_gets_no_price() -> None:
    found = verdict(of_transaction(_bought(7), target=ZAP_2, value=50))
    assert (found.judgements[0].currency, len(found.faults)) == (None, 1)


def test_a_look_alike_zap_has_no_price_to_tell() -> None:
    logs = [
        erc721(APES, 7, VAULT, ALICE, index=1),
        redeemed_2([7], ALICE, index=2),
        zapped("Buy", 1, 10**24, ALICE, index=3, zap=BOB),
    ]
    (judged,) = verdict(of_transaction(logs, value=10**24)).judgements
    assert (judged.transfer_type, judged.currency) == ("transfer", None)


@pytest.mark.parametrize("data", [words(1, 90), words(1, 90, 2**200)], ids=["cut off", "no address"])
def test_a_malformed_event_of_a_zap_is_a_fault_and_the_rest_is_read(data: str) -> None:
    bad = log("Buy(uint256,uint256,address)", data=data, contract=ZAP_2, index=0)
    found = verdict(of_transaction([bad, *_bought(7)], target=ZAP_2, value=100))
    assert found.judgements == (sold(90),)
    assert [(one.protocol, one.log_index) for one in found.faults] == [("nftx-zap", 0)]
