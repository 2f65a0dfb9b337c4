"""Documents that a DAS server has read, and those that are to be fetched."""

from __future__ import annotations

import pytest

from tests.builders import load_lines, nft
from tests.conftest import Api
from tests.das.indexing import index, members
from tests.das.played_das import PlayedDas
from tests.das.shapes import (
    CID,
    LADS,
    account,
    asset,
    unread,
)
from tokens.models import ContractRarity, MetadataFetch

pytestmark = pytest.mark.django_db


def test_a_document_that_the_server_has_not_read_is_to_be_fetched(das: PlayedDas, api: Api) -> None:
    das.assets = [asset("two"), asset("one", content=unread("one")["content"])]
    das.assets[1]["content"]["json_uri"] = f"https://a.gateway/ipfs/{CID}/one.json"
    assert "documents of 1 are to be fetched" in index(das, "--collection", LADS)
    assert members(api)[account("one")]["metadata"]["name"] == "Lad #one"
    fetch = MetadataFetch.objects.get()
    assert (fetch.nft.token_id, fetch.state) == (account("one"), "pending")
    assert fetch.nft.uri == f"ipfs://{CID}/one.json"
    assert fetch.next_attempt_at is not None


def test_what_was_fetched_is_not_replaced_by_less(das: PlayedDas, api: Api) -> None:
    das.assets = [unread("one")]
    index(das, "--collection", LADS)
    load_lines([nft(account("one"), LADS, "solana", traits=[("Hat", "Crown")], metadata={"name": "Fetched"})])
    MetadataFetch.objects.update(state="ready", next_attempt_at=None)
    index(das, "--collection", LADS)
    assert members(api)[account("one")]["metadata"]["name"] == "Fetched"
    assert MetadataFetch.objects.filter(state="ready").count() == 1


def test_a_document_that_has_moved_is_fetched_again(das: PlayedDas) -> None:
    das.assets = [unread("one")]
    index(das, "--collection", LADS)
    MetadataFetch.objects.update(state="ready", next_attempt_at=None)
    das.assets = [asset("one", content=unread("two")["content"])]
    assert "documents of 1 are to be fetched" in index(das, "--collection", LADS)
    assert MetadataFetch.objects.get().state == "pending"


def test_rarity_is_due_once_documents_were_read_and_not_by_reading_them_again(das: PlayedDas) -> None:
    das.assets = [unread("one"), asset("two", grouping=[])]
    das.others.append(das.assets[1])
    index(das, "--collection", LADS, "--asset", account("two"))
    assert not ContractRarity.objects.exists()  # a name is no trait; NFTs of no collection are no population
    das.assets[0] = asset("one")
    index(das, "--collection", LADS)
    assert ContractRarity.objects.get().contract.address == LADS
    ContractRarity.objects.update(changed_at=None, due_at=None)
    index(das, "--collection", LADS)
    assert ContractRarity.objects.filter(changed_at=None).exists()
    das.assets[0]["content"]["metadata"]["attributes"] = [{"trait_type": "Gender", "value": "Female"}]
    index(das, "--collection", LADS)
    assert ContractRarity.objects.filter(due_at__isnull=False).exists()
