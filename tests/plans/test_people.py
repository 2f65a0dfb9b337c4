"""On PostgreSQL, over a made-up world: pages for people read no table whole and sort no list."""

from __future__ import annotations

import time

import pytest
from django.test import Client

from nftsite.browse.places import collection_url, transfer_url
from tests.plans.explain import plan_of
from tests.plans.world import FACES
from tokens.records.cards import nft_url
from transfers.figures.counting import count
from transfers.models import Transfer

pytestmark = [
    pytest.mark.postgresql,
    pytest.mark.django_db,
    pytest.mark.xdist_group("plans"),  # one worker makes the world
    pytest.mark.usefixtures("world"),
]
PAGE = collection_url("ethereum", FACES)
PAGES = {
    "start": ("/", "contract_by_size"),
    "second": ("/?after=50000-2", "contract_by_size"),
    "collection": (PAGE, "transfer_contract_sales", "trait_value_frequent"),
    "sales": (f"{PAGE}/sales", "transfer_contract_sales"),
    "dear sales": (f"{PAGE}/sales?from=999999999", "transfer_contract_sales"),
    "marked": (f"{PAGE}/marked", "nft_contract_own_marked"),
    "NFT": (nft_url("ethereum", FACES, "7"), "transfer_nft_recent"),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_follows_indexes(name: str) -> None:
    address, *intended = PAGES[name]
    count(1, int(time.time()))
    client = Client(headers={"accept": "text/html"})
    answers = []
    plan = plan_of(lambda: answers.append(client.get(address)))
    assert answers[0].status_code == 200
    assert plan.faults(*intended) == []
    assert plan.rows_read < 25_000, plan.looks


def test_a_transfer_is_found_by_its_hash() -> None:
    row = Transfer.objects.select_related("chain").order_by("id")[5]
    place = row.chain.slug, row.transaction_hash, row.log_index, row.batch_index
    client = Client(headers={"accept": "text/html"})
    assert plan_of(lambda: client.get(transfer_url(*place))).faults("transfer_unique") == []
