"""All CryptoPunks, all Loot bags and thousands of real transfers over HTTP, with the answers known to be right.

The data lies outside of the project; where it is not at hand, these tests are skipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from interchange.load import load_files
from tests.builders import settle
from tests.conftest import Api
from tests.operations.promises import ids, only, pages, walked
from tests.shared import REAL

PUNKS = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"
LOOT = "0xff9c1b15b16263c61d017ee9f65c50e4ae0113d7"
BUSY = "0x80b71d526bd9201078433bb3baf84feb6eba38da"
"""A contract with 438 transfers."""

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.xdist_group("real data"),  # one worker loads it
    pytest.mark.shared,
    pytest.mark.usefixtures("real_data"),
]


@pytest.fixture(scope="module")
def real_data(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Load the file once for all tests of this module, which only read; all is rolled back at the end."""
    with django_db_blocker.unblock(), transaction.atomic():
        report = load_files([str(REAL)])
        assert report.fault_count == 0
        settle()
        yield
        transaction.set_rollback(True)


@pytest.mark.parametrize(
    ("contract", "traits", "count"),
    [
        (PUNKS, "Type-Alien", 9),
        (PUNKS, "Type-Ape", 24),
        (PUNKS, "Accessory-Mohawk", 441),
        (PUNKS, "Accessory-Mohawk,Accessory-Beanie", 485),
        (PUNKS, "Gender-Female,Accessory-Mohawk", 153),
        (PUNKS, "Type-Alien,Type-Nope", 9),
        (PUNKS, "Type-Alien,Hat-Nope", 0),
        (LOOT, "head-Divine Hood", 392),
    ],
)
def test_a_trait_pages_exactly_those_that_have_it(api: Api, contract: str, traits: str, count: int) -> None:
    found = pages(api, contractAddress=contract, traits=traits)
    assert [len(page) for page in found[:-1]] == [30] * (len(found) - 1)
    assert len({record["tokenId"] for page in found for record in page}) == count
    assert sum(map(len, found)) == count


def test_the_nine_aliens_are_the_nine_aliens(api: Api) -> None:
    aliens = ["635", "2890", "3100", "3443", "5822", "5905", "6089", "7523", "7804"]
    found = api.nfts(contractAddress=PUNKS, traits="Type-Alien", sortBy="tokenId")
    assert ids(found) == aliens
    kinds = [record["metadata"]["traits"][0] for record in found["data"]]
    assert all(kind["traitFrequency"] == 9 and kind["traitPercentFrequency"] == 0.09 for kind in kinds)
    assert ids(api.nfts(contractAddress=PUNKS, tokenId="635,636,637", excludedTraits="Type-Human")) == ["635"]


def test_a_trait_filter_and_its_opposite_make_the_whole(api: Api) -> None:
    others = walked(api, contractAddress=PUNKS, traits="Gender-Female", excludedTraits="Accessory-Mohawk")
    women = walked(api, contractAddress=PUNKS, traits="Gender-Female")
    assert len(women) - len(others) == 153


@pytest.mark.parametrize(
    "entry", ['weapon-"Grim Shout" Grave Wand of Skill +1', '"weapon-""Grim Shout"" Grave Wand of Skill +1"']
)
def test_a_weapon_with_quotes_and_a_plus_in_its_name_is_found_by_its_own_text(api: Api, entry: str) -> None:
    """A quoted list entry doubles the quotes within; one that does not begin with a quote stands as it is."""
    found = api.nfts(contractAddress=LOOT, traits=entry, sortBy="tokenId")
    assert ids(found) == ["1", "5740"]
    for record in found["data"]:
        shown = {trait["traitType"]: trait["traitValue"] for trait in record["metadata"]["traits"]}
        assert shown["weapon"] == '"Grim Shout" Grave Wand of Skill +1'


def test_the_rarest_bags_come_first_by_score_which_is_not_their_rank(api: Api) -> None:
    found = api.nfts(contractAddress=LOOT, sortBy="rarity")["data"]
    assert ids(found[:4]) == ["1949", "2797", "2478", "3905"]
    assert [record["rank"] for record in found[:4]] == [1, 3, 4, 2]
    scores = [record["rarity"] for record in found]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(("contract", "total"), [(PUNKS, 10_000), (LOOT, 8_000)])
def test_all_pages_together_show_each_nft_exactly_once(api: Api, contract: str, total: int) -> None:
    """10,000 punks are 333 full pages and one of 10."""
    found = pages(api, contractAddress=contract)
    assert len(found) == -(-total // 30)
    assert [len(page) for page in found[:-1]] == [30] * (len(found) - 1)
    shown = [int(record["tokenId"]) for page in found for record in page]
    first = 0 if contract == PUNKS else 1
    assert sorted(shown) == list(range(first, first + total))


def test_token_ids_run_from_the_first_to_the_last_and_back(api: Api) -> None:
    expected = [str(number) for number in range(10_000)]
    assert ids(walked(api, contractAddress=PUNKS, sortBy="tokenId")) == expected
    assert ids(api.nfts(contractAddress=PUNKS, sortBy="tokenId-desc")) == expected[:-31:-1]


def test_an_order_by_asks_ends_at_the_10000th_item_and_says_so(api: Api) -> None:
    """None of these has a live ask, so that they come in the default order; there are more than 20,000."""
    address, query = f"{api.base}/nfts/by-token", {"sortBy": "lowestAsk"}
    count = 0
    while True:
        response = api.get(address, query)
        page = response.json()
        count += len(page["data"])
        if "nextCursor" not in page:
            break
        assert "X-Result-Limit" not in response
        query = {"sortBy": "lowestAsk", "cursor": page["nextCursor"]}
    assert (count, len(page["data"])) == (10_000, 10)
    assert response["X-Result-Limit"] == "10000"


def test_the_transfers_of_a_busy_contract_come_newest_first_and_once(api: Api) -> None:
    found = walked(api, "transfers", contractAddress=BUSY)
    assert len(found) == 438
    times = [(record["timestamp"], record["blockNumber"]) for record in found]
    assert times == sorted(times, reverse=True)
    by_token = walked(api, "transfers", contractAddress=BUSY, sortBy="tokenId")
    assert Counter(map(repr, by_token)) == Counter(map(repr, found))
    numbers = [int(record["tokenId"]) for record in by_token]
    assert numbers == sorted(numbers)


def test_a_real_sale_has_its_price_and_its_worth_on_its_day(api: Api) -> None:
    """Paid in ether: 1.3 ETH on 1 February 2021, at that day's rate."""
    record = only(api.transfers(contractAddress="0xc2c747e0f7004f9e8817db2ca4997657a7746928", tokenId="1127"))
    assert (record["transferType"], record["markets"], record["isCommercial"]) == ("sale", ["opensea"], True)
    assert record["nftValue"]["amount"] == "1300000000000000000"
    assert record["ethValue"] == 1.3
    assert 1.3 * 1200 < record["usdValue"] < 1.3 * 1500
    nft = only(
        api.nfts(contractAddress=record["contractAddress"], tokenId="1127", includeLastTransfer="true")
    )
    assert nft["owner"] == record["toAddress"]
    assert nft["markets"] == ["opensea"]
    assert nft["lastTransfer"] == record


def test_marketplaces_keep_what_was_sold_there(api: Api) -> None:
    for market in ("looksrare", "X2Y2"):
        found = walked(api, marketplaces=market)
        assert found
        assert all(market.lower() in record["markets"] for record in found)
    assert "orderbook" not in {name for record in found for name in record}, (
        "all asks of this data are filled"
    )
