"""Fields of the transfer record (specification, Transfer record)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.addresses import SYSTEM_PROGRAM
from core.db.keys import UINT256_MAX, token_key, uint_key
from tests.builders import ALICE, BOB, DEAD, ZERO
from tests.operations.rows import (
    BARE_TRANSFER,
    LINKS,
    decimal_key,
    make_contract,
    make_image,
    make_nft,
    make_transfer,
)
from transfers.records.transfer import transfer_record, transfer_records

WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"


def test_a_transfer_of_which_little_is_known_has_its_required_fields_and_no_other() -> None:
    assert transfer_record(BARE_TRANSFER, LINKS) == {
        "contractAddress": BARE_TRANSFER.contract_address,
        "tokenId": "7",
        "chain": "ethereum",
        "blockNumber": 12,
        "transactionHash": BARE_TRANSFER.transaction_hash,
        "swaps": [],
        "amount": "1",
        "timestamp": 1_600_000_000,
        "markets": [],
    }


def test_a_transfer_shows_all_that_is_known_of_it() -> None:
    leg = {"contractAddress": WETH, "fromAddress": BOB, "toAddress": ALICE, "amount": "5", "market": "blur"}
    row = BARE_TRANSFER._replace(
        from_address=ALICE,
        to_address=BOB,
        value=uint_key(10**18),
        nft_value_token=WETH,
        nft_value_name="WETH",
        nft_value_amount=uint_key(15 * 10**17),
        swaps=json.dumps([leg]),
        usd_value=decimal_key("2500.25"),
        eth_value=decimal_key("1.5"),
        is_commercial=True,
        amount=uint_key(3),
        markets='["opensea","blur"]',
        native='{"b":1,"a":[null,true]}',
        transfer_type="sale",
        image_path="images/ab.png",
    )
    record = transfer_record(row, LINKS)
    assert record["fromAddress"] == ALICE
    assert record["toAddress"] == BOB
    assert record["value"] == "1000000000000000000"
    assert record["nftValue"] == {"tokenAddress": WETH, "tokenName": "WETH", "amount": "1500000000000000000"}
    assert record["swaps"] == [leg]
    assert (record["usdValue"], record["ethValue"]) == (2500.25, 1.5)
    assert record["isCommercial"] is True
    assert record["amount"] == "3"
    assert record["markets"] == ["opensea", "blur"]
    assert list(record["native"].items()) == [("b", 1), ("a", [None, True])]
    assert record["transferType"] == "sale"
    assert record["imageCacheUrl"] == "https://nft.example/files/images/ab.png"


def test_quantities_of_256_bits_are_exact_decimal_strings() -> None:
    # Field reports F24, F26, F30.
    row = BARE_TRANSFER._replace(
        token_key=token_key(str(UINT256_MAX)),
        amount=uint_key(UINT256_MAX),
        value=uint_key(UINT256_MAX),
        nft_value_token=ZERO,
        nft_value_amount=uint_key(UINT256_MAX),
    )
    record = transfer_record(row, LINKS)
    largest = str(2**256 - 1)
    assert record["tokenId"] == record["amount"] == record["value"] == record["nftValue"]["amount"] == largest


def test_a_value_of_zero_is_known_and_shown() -> None:
    # Field report F63: a sale paid in WETH has the native value 0.
    record = transfer_record(BARE_TRANSFER._replace(value=uint_key(0), usd_value=decimal_key("0")), LINKS)
    assert record["value"] == "0"
    assert record["usdValue"] == 0


def test_a_stated_value_in_usd_or_eth_holds_and_a_derived_one_fills_in() -> None:
    row = BARE_TRANSFER._replace(
        stated_usd_value=decimal_key("10.5"), usd_value=decimal_key("11"), eth_value=decimal_key("0.07")
    )
    record = transfer_record(row, LINKS)
    assert (record["usdValue"], record["ethValue"]) == (10.5, 0.07)


def test_not_commercial_is_something_known() -> None:
    assert transfer_record(BARE_TRANSFER._replace(is_commercial=False), LINKS)["isCommercial"] is False


def test_an_empty_text_is_unknown_and_left_out() -> None:
    # Field report F52.
    row = BARE_TRANSFER._replace(
        contract_address="",
        from_address="",
        to_address="",
        nft_value_token=ZERO,
        nft_value_amount=uint_key(1),
        nft_value_name="",
    )
    record = transfer_record(row, LINKS)
    assert not {"contractAddress", "fromAddress", "toAddress"} & record.keys()
    assert record["nftValue"] == {"tokenAddress": ZERO, "amount": "1"}


def test_a_mint_is_its_own_token_id() -> None:
    mint = "So11111111111111111111111111111111111111112"
    assert transfer_record(BARE_TRANSFER._replace(token_key="~" + mint), LINKS)["tokenId"] == mint


@pytest.mark.parametrize("path", ["", None])
def test_an_image_that_is_not_stored_has_no_url(path: str | None) -> None:
    assert "imageCacheUrl" not in transfer_record(BARE_TRANSFER._replace(image_path=path), LINKS)


def test_an_image_that_an_operator_withholds_has_no_url() -> None:
    for name in ("media_withheld", "contract_media_withheld"):
        withheld: Any = {name: True}
        row = BARE_TRANSFER._replace(image_path="a.png", **withheld)
        assert "imageCacheUrl" not in transfer_record(row, LINKS)


@pytest.mark.parametrize("text", ["1e400", "NaN", "[" * 5000 + "]" * 5000, "9" * 5000, "nonsense", "null"])
def test_third_party_json_never_breaks_a_record(text: str) -> None:
    record = transfer_record(BARE_TRANSFER._replace(native=text), LINKS)
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    assert record.get("native") in (None, text)
    assert record.get("native", "") is not None


@pytest.mark.django_db
def test_records_come_in_the_order_asked_for_by_one_query(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    image = make_image(state="ready", original_path="o.png")
    nfts = [make_nft(make_contract(), "1", image=image), make_nft(make_contract(on="polygon"), "2")]
    first, second = (make_transfer(nft, block) for block, nft in enumerate(nfts, 1))
    with django_assert_num_queries(1):
        records = transfer_records([second.pk, first.pk, 10**9], links=LINKS)
    assert [(record["chain"], record["tokenId"]) for record in records] == [
        ("polygon", "2"),
        ("ethereum", "1"),
    ]
    assert [record.get("imageCacheUrl") for record in records] == [None, "https://nft.example/files/o.png"]


@pytest.mark.parametrize(
    ("sender", "receiver", "kind"),
    [
        (ZERO, ALICE, "mint"),
        (ALICE, ZERO, "burn"),
        (ALICE, DEAD, "burn"),
        (ZERO, ZERO, "mint"),
        (ZERO, DEAD, "mint"),
        (DEAD, ALICE, None),
        (ALICE, BOB, None),
        (None, ALICE, None),
        (ALICE, None, None),
        (ZERO, None, "mint"),
        (None, ZERO, "burn"),
        (SYSTEM_PROGRAM, ALICE, "mint"),
        (ALICE, SYSTEM_PROGRAM, "burn"),
    ],
)
def test_a_transfer_of_which_nobody_says_what_it_was_is_a_mint_or_a_burn_by_its_ends(
    sender: str | None, receiver: str | None, kind: str | None
) -> None:
    """Decisions, sections 6 and 10."""
    row = BARE_TRANSFER._replace(from_address=sender, to_address=receiver)
    assert transfer_record(row, LINKS).get("transferType") == kind
    assert transfer_record(row._replace(transfer_type="swap"), LINKS)["transferType"] == "swap"
