"""The recorded sales of Ethereum, indexed from a node and read through both operations."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command

from indexing.models import MarketFault
from tests.conftest import Api
from tests.ingestion.recorded import recorded_node
from tests.markets.test_recorded_sales import certain
from transfers.models import Transfer

pytestmark = [
    pytest.mark.shared,
    pytest.mark.django_db,
    pytest.mark.xdist_group("recorded node"),
]

DELIVERED_NOTHING = "0x4c7a664791b6e4878092a94ce4e88869c29002e00b3c29307cf49c22efc8f9a2"
"""An order for a token whose contract mints others to strangers instead."""
UNKNOWN_HOUSE = "0xc35c52f73c9a2eed45e8529f20bbd77877a1602b8a486216671c58a53ede01ac"
"""An auction of a Nouns Builder house that nothing lists: sold, at a price that no log bears out."""


def test_every_recorded_sale_is_answered_with_its_leg_its_price_and_its_market(api: Api) -> None:
    with recorded_node() as url:
        call_command("index", "--chain", "ethereum", "--rpc-url", url, "-v0")
    for sale in certain():
        for contract, token_id, _ in sale["items"]:
            check(sale, api.transfers(contractAddress=contract, tokenId=token_id, chain="ethereum")["data"])
    faults = set(MarketFault.objects.values_list("transaction_hash", flat=True))
    assert faults == {DELIVERED_NOTHING, UNKNOWN_HOUSE}
    before = answers()
    call_command("classify", "-v0")
    assert answers() == before


def check(sale: dict[str, Any], shown: list[dict[str, Any]]) -> None:
    """Find the seller's leg of a sale among an NFT's transfers, and hold it to what was recorded."""
    legs = [
        one for one in shown if one["transactionHash"] == sale["tx"] and one["fromAddress"] == sale["seller"]
    ]
    assert legs, sale["tx"]
    paid = sale["price"] != "0"  # an order that was filled for nothing is no sale
    assert {one["transferType"] for one in legs} == {"sale" if paid else "transfer"}, sale["tx"]
    for one in legs:
        assert one["isCommercial"], sale["tx"]
        assert sale["market"] in one["markets"], sale["tx"]
        if paid and len(sale["items"]) == 1:
            value = one["nftValue"]
            assert (value["amount"], value["tokenAddress"]) == (sale["price"], sale["currency"]), sale["tx"]
        else:
            assert "nftValue" not in one, sale["tx"]
            assert bool(one["swaps"]) == paid, sale["tx"]


def answers() -> list[Any]:
    """What the rules made of every transfer."""
    columns = ("transaction_hash", "log_index", "batch_index", "transfer_type", "nft_value_amount", "swaps")
    return list(Transfer.objects.order_by(*columns[:3]).values_list(*columns, "markets", "is_commercial"))
