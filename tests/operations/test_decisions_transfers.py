"""What a transfer's record shows: values at the rates of its time, sides, markets and legs as stated."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import ALICE, APES, BOB, START, ZERO, nft, rate, transaction_hash, transfer
from tests.conftest import Api
from tests.operations.promises import USDC, WETH, Record, given, ids, only

pytestmark = pytest.mark.django_db

HOUR = 3600
AT = START + 1_000_000
POOL_ETHER = "0x0000000000a39bb272e79075ade125fd351887ac"


def sale(amount: int, currency: str = ZERO, token_id: str = "1", **fields: Any) -> Record:
    """A transfer line with a price in base units, at the moment AT."""
    return transfer(
        token_id,
        sender=ALICE,
        receiver=BOB,
        timestamp=AT,
        nftValue={"tokenAddress": currency, "amount": str(amount)},
        **fields,
    )


def test_a_transfer_of_which_everything_is_known(api: Api) -> None:
    given(
        rate("ETH", "2000.5", AT - HOUR),
        transfer(
            "7",
            block=5,
            sender=ALICE,
            receiver=BOB,
            timestamp=AT,
            value="1500000000000000000",
            nftValue={"tokenAddress": ZERO, "tokenName": "Ether", "amount": "1500000000000000000"},
            isCommercial=True,
            markets=["opensea", "Gem"],
            transferType="sale",
            native={"gas_used": 5},
        ),
    )
    assert only(api.transfers(contractAddress=APES)) == {
        "contractAddress": APES,
        "tokenId": "7",
        "chain": "ethereum",
        "blockNumber": 5,
        "transactionHash": transaction_hash("ethereum", 5, 0),
        "fromAddress": ALICE,
        "toAddress": BOB,
        "value": "1500000000000000000",
        "nftValue": {"tokenAddress": ZERO, "tokenName": "Ether", "amount": "1500000000000000000"},
        "swaps": [],
        "usdValue": 3000.75,
        "ethValue": 1.5,
        "isCommercial": True,
        "amount": "1",
        "timestamp": AT,
        "markets": ["opensea", "gem"],
        "native": {"gas_used": 5},
        "transferType": "sale",
    }


def test_lists_are_always_there_and_the_unknown_is_left_out(api: Api) -> None:
    given(transfer("7", sender=None, receiver=None))
    assert only(api.transfers(contractAddress=APES)) == {
        "contractAddress": APES,
        "tokenId": "7",
        "chain": "ethereum",
        "blockNumber": 1,
        "transactionHash": transaction_hash("ethereum", 1, 0),
        "swaps": [],
        "amount": "1",
        "timestamp": START + 12,
        "markets": [],
    }


@pytest.mark.parametrize(
    ("age", "known"), [(0, True), (48 * HOUR, True), (48 * HOUR + 1, False), (-1, False)]
)
def test_a_rate_serves_transfers_of_the_48_hours_after_it(api: Api, age: int, known: bool) -> None:
    given(rate("ETH", "2000", AT - age), sale(10**18))
    record = only(api.transfers(contractAddress=APES))
    assert record["ethValue"] == 1, "ether needs no rate to be ether"
    assert record.get("usdValue") == (2000 if known else None)


def test_the_newest_rate_at_or_before_the_transfer_counts(api: Api) -> None:
    given(
        rate("ETH", "1", AT - 9),
        rate("ETH", "3", AT),
        rate("ETH", "2", AT - 1),
        rate("ETH", "4", AT + 1),
        sale(10**18),
    )
    assert only(api.transfers(contractAddress=APES))["usdValue"] == 3


def test_a_rate_that_arrives_later_fills_the_values_in(api: Api) -> None:
    given(sale(2_500_000, USDC))
    assert not {"usdValue", "ethValue"} & set(only(api.transfers(contractAddress=APES)))
    given(rate("USDC", "1", AT - HOUR))
    assert only(api.transfers(contractAddress=APES))["usdValue"] == 2.5
    given(rate("ETH", "2000", AT - HOUR))
    record = only(api.transfers(contractAddress=APES))
    assert (record["usdValue"], record["ethValue"]) == (2.5, 0.00125)
    shown = only(api.nfts(includeLastTransfer="true"))["lastTransfer"]
    assert shown == record


@pytest.mark.parametrize("currency", [ZERO, WETH, POOL_ETHER])
def test_wrapped_and_pool_ether_count_at_par(api: Api, currency: str) -> None:
    given(rate("ETH", "2000", AT), rate("WETH", "3", AT), sale(70000000000000001, currency))
    record = only(api.transfers(contractAddress=APES))
    assert (record["ethValue"], record["usdValue"]) == (0.070000000000000001, 140)


def test_values_are_computed_in_decimals_and_rounded_half_to_even(api: Api) -> None:
    """0.0000005 USD is 0 and 0.0000015 USD is 0.000002, at six places."""
    given(rate("USDC", "0.5", AT), sale(1, USDC, "1"), sale(3, USDC, "2", log=1), sale(5, USDC, "3", log=2))
    found = {record["tokenId"]: record["usdValue"] for record in api.transfers(contractAddress=APES)["data"]}
    assert found == {"1": 0, "2": 0.000002, "3": 0.000002}


def test_a_price_in_an_unknown_token_has_no_value(api: Api) -> None:
    given(rate("ETH", "2000", AT), sale(5, "0x" + "9" * 40))
    record = only(api.transfers(contractAddress=APES))
    assert record["nftValue"] == {"tokenAddress": "0x" + "9" * 40, "amount": "5"}
    assert not {"usdValue", "ethValue"} & set(record)


def test_the_legs_of_an_exchange_are_listed_and_every_transfer_has_the_list(api: Api) -> None:
    legs = [
        {"contractAddress": APES, "tokenId": "1", "fromAddress": ALICE, "toAddress": BOB, "amount": "1"},
        {
            "contractAddress": APES,
            "tokenId": str(2**256 - 1),
            "fromAddress": BOB,
            "toAddress": ALICE,
            "amount": "1",
            "market": "nftx",
        },
    ]
    given(
        transfer("1", sender=ALICE, receiver=BOB, transferType="swap", swaps=legs),
        transfer("2", log=1, sender=ALICE, receiver=BOB),
    )
    found = {record["tokenId"]: record for record in api.transfers(contractAddress=APES)["data"]}
    assert found["1"]["swaps"] == legs
    assert found["2"]["swaps"] == []


@pytest.mark.parametrize("kind", ["mint", "transfer", "sale", "swap", "burn"])
def test_the_type_of_a_transfer_is_shown_as_classified(api: Api, kind: str) -> None:
    given(transfer("1", transferType=kind))
    assert only(api.transfers(contractAddress=APES))["transferType"] == kind


def test_repeated_ids_of_one_batch_are_transfers_of_their_own(api: Api) -> None:
    given(*(transfer("5", log=2, batch=batch, amount=str(batch + 1)) for batch in range(3)))
    found = api.transfers(contractAddress=APES)["data"]
    assert [record["amount"] for record in found] == ["3", "2", "1"]


def test_the_markets_of_a_transaction_make_those_of_the_nft(api: Api) -> None:
    given(transfer("1", markets=["opensea", "gem"]), nft("2"))
    assert ids(api.nfts(marketplaces="gem")) == ["1"]
    assert sorted(only(api.nfts(tokenId="1"))["markets"]) == ["gem", "opensea"]
