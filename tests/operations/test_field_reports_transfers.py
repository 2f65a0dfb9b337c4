"""Field reports F61 to F68: sales and mints that were shown wrongly, told apart too little, or counted twice.

How a transaction is read is the business of whoever decodes chains; here is what a loaded transfer comes out as.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import ALICE, APES, BOB, CAROL, START, ZERO, rate, transaction_hash, transfer
from tests.conftest import Api
from tests.operations.promises import USDC, WETH, given, only

pytestmark = pytest.mark.django_db

ETHER = 10**18


def test_a_paid_mint_is_a_mint_with_its_value(api: Api) -> None:
    """F61: it was shown as a plain transfer."""
    given(
        rate("ETH", "2000", START),
        transfer(
            "1",
            value=str(8 * ETHER // 100),
            transferType="mint",
            nftValue={"tokenAddress": ZERO, "tokenName": "Ether", "amount": str(8 * ETHER // 100)},
        ),
    )
    record = only(api.transfers(contractAddress=APES))
    assert (record["transferType"], record["value"]) == ("mint", "80000000000000000")
    assert (record["ethValue"], record["usdValue"]) == (0.08, 160)


def test_transfers_of_one_transaction_share_its_value_and_have_prices_of_their_own(api: Api) -> None:
    """F62: 1.4925 and 0.75 ETH in one sweep were logged as 3 and 3."""
    sweep = transaction_hash("sweep")
    given(
        *(
            transfer(
                token_id,
                log=log,
                transactionHash=sweep,
                value="3000000000000000000",
                sender=ALICE,
                receiver=BOB,
                transferType="sale",
                nftValue={"tokenAddress": ZERO, "amount": amount},
            )
            for log, (token_id, amount) in enumerate(
                [("1", "1492500000000000000"), ("2", "750000000000000000")]
            )
        )
    )
    found = {record["tokenId"]: record for record in api.transfers(contractAddress=APES)["data"]}
    assert {record["value"] for record in found.values()} == {"3000000000000000000"}
    assert [found[token]["nftValue"]["amount"] for token in ("1", "2")] == [
        "1492500000000000000",
        "750000000000000000",
    ]
    assert [found[token]["ethValue"] for token in ("1", "2")] == [1.4925, 0.75]


def test_a_price_that_cannot_be_told_is_left_out_and_the_legs_are_listed(api: Api) -> None:
    """F62: one price for several NFTs is not split."""
    legs = [
        {"contractAddress": APES, "tokenId": "1", "fromAddress": ALICE, "toAddress": BOB, "amount": "1"},
        {"contractAddress": APES, "tokenId": "2", "fromAddress": ALICE, "toAddress": BOB, "amount": "1"},
        {
            "contractAddress": WETH,
            "fromAddress": BOB,
            "toAddress": ALICE,
            "amount": "3000000000000000000",
            "market": "opensea",
        },
    ]
    given(rate("ETH", "2000"), transfer("1", sender=ALICE, receiver=BOB, transferType="sale", swaps=legs))
    record = only(api.transfers(contractAddress=APES))
    assert record["swaps"] == legs
    assert not {"nftValue", "ethValue", "usdValue"} & set(record)


def test_a_sale_in_wrapped_ether_has_a_value_of_zero_and_a_price(api: Api) -> None:
    """F63: native value 0 was taken for a price of nothing."""
    given(
        rate("ETH", "2500", START),
        transfer(
            "1",
            value="0",
            sender=ALICE,
            receiver=BOB,
            transferType="sale",
            nftValue={"tokenAddress": WETH, "tokenName": "WETH", "amount": "1200000000000000000"},
        ),
    )
    record = only(api.transfers(contractAddress=APES))
    assert record["value"] == "0"
    assert record["nftValue"] == {"tokenAddress": WETH, "tokenName": "WETH", "amount": "1200000000000000000"}
    assert (record["ethValue"], record["usdValue"]) == (1.2, 3000)


def test_a_price_keeps_its_currency(api: Api) -> None:
    """F64: a sale for USDC showed a number of the native currency."""
    given(
        rate("ETH", "2000", START),
        rate("USDC", "1", START),
        transfer(
            "1",
            value="0",
            sender=ALICE,
            receiver=BOB,
            nftValue={"tokenAddress": USDC, "tokenName": "USDC", "amount": "500250000"},
        ),
    )
    record = only(api.transfers(contractAddress=APES))
    assert record["nftValue"] == {"tokenAddress": USDC, "tokenName": "USDC", "amount": "500250000"}
    assert (record["usdValue"], record["ethValue"]) == (500.25, 0.250125)


def test_a_phishing_sale_is_listed_and_is_not_commercial(api: Api) -> None:
    """F65: "sales" of 10 wei polluted the history; hiding them would falsify it."""
    given(
        transfer("1", block=1),
        transfer(
            "1",
            block=2,
            sender=ALICE,
            receiver=BOB,
            transferType="sale",
            isCommercial=False,
            nftValue={"tokenAddress": ZERO, "amount": "10"},
        ),
    )
    newest, oldest = api.transfers(contractAddress=APES)["data"]
    assert (newest["transferType"], newest["isCommercial"], newest["nftValue"]["amount"]) == (
        "sale",
        False,
        "10",
    )
    assert newest["ethValue"] == 1e-17
    assert "isCommercial" not in oldest


def test_rows_that_look_alike_are_both_shown(api: Api) -> None:
    """F67: rows of one batch were lost because their ids collided."""
    alike: dict[str, Any] = {
        "address": APES,
        "sender": ALICE,
        "receiver": BOB,
        "transactionHash": transaction_hash("batch"),
    }
    given(
        transfer("1", log=4, batch=0, **alike),
        transfer("1", log=4, batch=1, **alike),
        transfer("1", log=5, **alike),
    )
    found = api.transfers(contractAddress=APES)["data"]
    assert len(found) == 3
    assert found[0] == found[1] == found[2]


def test_a_row_that_comes_again_is_still_one(api: Api) -> None:
    """F67: and what is the same by chain, transaction, log and batch index is one row."""
    given(transfer("1", log=4), transfer("1", log=4))
    given(transfer("1", log=4))
    assert len(api.transfers(contractAddress=APES)["data"]) == 1


def test_the_same_log_of_two_chains_is_two_transfers(api: Api) -> None:
    """F67: a transaction hash belongs to its chain."""
    same = transaction_hash("replayed")
    given(transfer("1", transactionHash=same), transfer("1", on="polygon", transactionHash=same))
    assert {record["chain"] for record in api.transfers(contractAddress=APES)["data"]} == {
        "ethereum",
        "polygon",
    }


def test_a_corrected_row_replaces_what_it_corrects(api: Api) -> None:
    """F68: what an orphaned block said stayed; a row of the same identity takes its place, the owner follows."""
    given(transfer("1", block=1), transfer("1", block=2, sender=ALICE, receiver=BOB))
    before = api.get(f"{api.base}/nfts/by-token")
    given(transfer("1", block=2, sender=ALICE, receiver=CAROL))
    after = api.get(f"{api.base}/nfts/by-token")
    assert after.json()["data"][0]["owner"] == CAROL
    assert before["ETag"] != after["ETag"]
    assert len(api.transfers(contractAddress=APES)["data"]) == 2
