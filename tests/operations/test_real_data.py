"""All CryptoPunks, all Loot bags and thousands of real transfers over HTTP, with the answers known to be right.

The data lies outside of the project; where it is not at hand, these tests are skipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction

from core.rest.cursors import decode, encode
from interchange.load import load_files
from tests.builders import settle, write_lines
from tests.conftest import Api
from tests.files.lines import dumped
from tests.operations.promises import ids, only, pages, walked
from tests.shared import REAL
from tokens.models import (
    Chain,
    Currency,
    CurrencyToken,
    Market,
    Nft,
    NftMarket,
    NftTrait,
    Owner,
    TraitValue,
)
from tokens.models.trait import label_key
from tokens.models.well_known import write_known
from transfers.models import Transfer

PUNKS = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"
LOOT = "0xff9c1b15b16263c61d017ee9f65c50e4ae0113d7"
COUNTS = {"Type-Alien": 9, "Type-Ape": 24, "Accessory-Mohawk": 441, "head-Divine Hood": 392}
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
    """Of the 441 with a Mohawk 153 are women."""
    others = walked(api, contractAddress=PUNKS, traits="Accessory-Mohawk", excludedTraits="Gender-Female")
    women = walked(api, contractAddress=PUNKS, traits="Accessory-Mohawk,Gender-Female")
    all_of_them = walked(api, contractAddress=PUNKS, traits="Accessory-Mohawk")
    assert (len(women), len(others)) == (153, 441 - 153)
    assert sorted(ids([*women, *others])) == sorted(ids(all_of_them))


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


def test_all_pages_together_show_each_nft_exactly_once(api: Api) -> None:
    """10,000 punks are 333 full pages and one of 10."""
    found = pages(api, contractAddress=PUNKS)
    assert [len(page) for page in found] == [30] * 333 + [10]
    assert sorted(int(record["tokenId"]) for page in found for record in page) == list(range(10_000))


def test_token_ids_run_from_the_first_to_the_last_and_back(api: Api) -> None:
    expected = [str(number) for number in range(1, 8_001)]
    assert ids(walked(api, contractAddress=LOOT, sortBy="tokenId")) == expected
    assert ids(api.nfts(contractAddress=LOOT, sortBy="tokenId-desc")) == expected[:-31:-1]


def test_an_order_by_asks_ends_at_the_10000th_item_and_says_so(api: Api) -> None:
    """None of these has a live ask, so that they come in the default order; there are more than 20,000.

    Nine pages stand for those before the last ones: a cursor says how many NFTs have been served.
    """
    address, query = f"{api.base}/nfts/by-token", {"sortBy": "lowestAsk"}
    found, default = [], api.nfts()
    for number in range(1, 13):
        response = api.get(address, query)
        page = response.json()
        found.append([record["tokenId"] for record in page["data"]])
        if "nextCursor" not in page:
            break
        assert "X-Result-Limit" not in response
        place = decode(page["nextCursor"])
        assert place.served == 30 * number + (9_930 - 270 if number > 9 else 0)
        cursor = encode(replace(place, served=9_930)) if number == 9 else page["nextCursor"]
        query = {"sortBy": "lowestAsk", "cursor": cursor}
    assert [len(page) for page in found] == [30] * 11 + [10]
    assert found[0] == ids(default)
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


def test_real_data_twice_and_its_dump_into_an_empty_database_give_one_dump(tmp_path: Path) -> None:
    for label, count in COUNTS.items():
        assert list(
            TraitValue.objects.filter(label_key=label_key(label)).values_list("count", flat=True)
        ) == [count]
        assert NftTrait.objects.filter(trait__label_key=label_key(label)).count() == count
    assert (Transfer.objects.count(), Nft.objects.count()) == (4183, 21549)
    holders, postings = Owner.objects.count(), NftMarket.objects.count()
    first = dumped()
    assert load_files([str(REAL)], batch_lines=3000).fault_count == 0
    assert dumped() == first
    assert (Owner.objects.count(), NftMarket.objects.count()) == (holders, postings)

    settle()
    call_command("flush", interactive=False, verbosity=0, inhibit_post_migrate=True)
    write_known(Chain, Currency, CurrencyToken, Market)
    lines = first.rstrip("\n").split("\n")
    assert load_files([str(write_lines(tmp_path / "dump.jsonl", lines))]).fault_count == 0
    assert dumped() == first
    assert (Owner.objects.count(), NftMarket.objects.count()) == (holders, postings)
    settle()
