"""Documents that a DAS server has read, and those that are to be fetched."""

from __future__ import annotations

import pytest

from core.net.http.fetch import Fetched
from tests.builders import load_lines, nft
from tests.conftest import Api
from tests.das.indexing import index, members
from tests.das.played_das import PlayedDas
from tests.das.shapes import CID, LADS, account, asset, unread
from tokens.metadata.worker import Worker
from tokens.models import ContractRarity, MetadataFetch
from tokens.rarity import computing as rarity

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


PNG = b"\x89PNG\r\n\x1a\n" + bytes(30)


@pytest.mark.parametrize(
    ("body", "told", "state"),
    [
        (PNG, {"imageMediaType": "image/png"}, "ready"),
        (b'{"image": "https://x.example/1", "attributes": []}', {"imageUrl": "https://x.example/1"}, "ready"),
        (b'{"error": "Rate limit exceeded"}', {}, "unusable"),
        (b'{"message": "not revealed"}', {}, "unrevealed"),
        (b'{"name": "Read"}', {"name": "Read"}, "ready"),
    ],
)
def test_the_chain_s_name_stays_wherever_the_document_has_none(
    das: PlayedDas, api: Api, body: bytes, told: dict[str, str], state: str
) -> None:
    das.assets = [unread("one")]
    das.assets[0]["content"]["json_uri"] = f"ipfs://{CID}/1"
    index(das, "--collection", LADS)
    read_as(body)
    assert MetadataFetch.objects.get().state == state
    shown = members(api)[account("one")]["metadata"]
    assert {name: shown[name] for name in told} == told
    assert shown["name"] == told.get("name", "Lad #one")
    das.assets = [
        asset("one", content={"json_uri": f"ipfs://{CID}/1", "links": {"external_url": "https://x"}})
    ]
    index(das, "--collection", LADS)
    assert members(api)[account("one")]["metadata"] == shown, "what says less replaces nothing"
    das.assets = [asset("one", content={"links": {"image": "https://x.example/2"}})]
    index(das, "--collection", LADS)
    assert members(api)[account("one")]["metadata"]["name"] == shown["name"]
    assert members(api)[account("one")]["metadata"]["imageUrl"] == "https://x.example/2"


def test_a_name_on_the_chain_without_a_document_weighs_in_nobody_s_rarity(das: PlayedDas, api: Api) -> None:
    """Which traits it has is not known, which is not to have none."""
    das.assets = [asset("one"), asset("two"), unread("three")]
    das.assets[2]["content"]["json_uri"] = f"ipfs://{CID}/3"
    index(das, "--collection", LADS)
    (contract_id,) = set(MetadataFetch.objects.values_list("contract_id", flat=True))
    done = rarity.compute(contract_id)
    assert (done.scored, done.known) == (2, 3) if done else done
    assert "rarity" not in members(api)[account("three")]
    ContractRarity.objects.update(due_at=None)
    read_as(b'{"name": "Lad #three"}')
    assert ContractRarity.objects.get().due_at is not None, "it counts from now on, as one without traits"
    done = rarity.compute(contract_id)
    assert done is not None
    assert done.scored == 3


def read_as(body: bytes) -> None:
    """Have what is due read, all of it with this answer."""

    class Pages:
        def fetch(self, uri: str) -> Fetched:
            return Fetched(uri, body, "application/json")

    with Worker({}, Pages()) as worker:  # type: ignore[arg-type]
        while worker.step():
            pass
