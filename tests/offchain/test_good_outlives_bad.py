"""What was good stays until something good replaces it, in what the API answers and in everybody's rarity."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.builders import APES
from tests.conftest import Api
from tests.offchain.apes import BASE, GOLD, World, again, ape, row, wait
from tokens.models import MetadataFetch
from tokens.rarity import computing as rarity

pytestmark = pytest.mark.django_db
State = MetadataFetch.State


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ({"error": "Rate limit exceeded"}, State.UNUSABLE),
        ({"title": "Too Many Requests", "status": 429}, State.UNUSABLE),
        ({"name": "", "image": None, "attributes": []}, State.UNUSABLE),
        ({}, State.UNUSABLE),
        ([], State.UNUSABLE),
        (None, State.UNUSABLE),
        (b"", State.UNUSABLE),
        (b"error code: 1015", State.UNUSABLE),
        (b"<html><body>Just a moment...</body></html>", State.UNUSABLE),
        (b'<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', State.UNUSABLE),
        ({"message": "not revealed"}, State.UNREVEALED),
        ({"status": "hidden", "detail": "Coming soon"}, State.UNREVEALED),
    ],
)
def test_a_failure_in_a_good_answer_destroys_nothing(
    world: World, api: Api, answer: Any, state: State
) -> None:
    world.pages.found |= {f"{BASE}{one}": {**GOLD, "name": f"Ape {one}"} for one in (1, 2)}
    world.mint(2)
    world.run()
    rarity.compute(ape().contract_id)
    before = api.nfts(contractAddress=APES)["data"]
    assert [one["metadata"]["name"] for one in before] == ["Ape 2", "Ape 1"]
    world.pages.found[f"{BASE}1"] = answer
    again()
    world.run()
    assert (row().state, row(2).state) == (state, State.READY)
    assert wait() <= timedelta(minutes=13), "soon"
    rarity.compute(ape().contract_id)
    assert api.nfts(contractAddress=APES)["data"] == before
    world.pages.found[f"{BASE}1"] = {"name": "Better"}
    MetadataFetch.objects.update(next_attempt_at=row().tried_at)
    world.run()
    assert (row().state, row().attempts) == (State.READY, 0)
    assert api.nfts(contractAddress=APES, tokenId="1")["data"][0]["metadata"] == {
        "name": "Better",
        "traits": [],
    }


def test_an_nft_without_metadata_weighs_in_nobody_s_rarity(world: World, api: Api) -> None:
    hats = {
        one: {"name": f"Ape {one}", "traits": {"Hat": hat}}
        for one, hat in enumerate(("Cap", "Cap", "Crown"), 1)
    }
    world.pages.found |= {f"{BASE}{one}": document for one, document in hats.items()}
    world.mint(3)
    world.run()
    rarity.compute(ape().contract_id)
    before = {one["tokenId"]: (one["rarity"], one["rank"]) for one in api.nfts(contractAddress=APES)["data"]}
    world.pages.found |= {
        f"{BASE}{one}": answer
        for one, answer in enumerate(({"error": "x"}, {"message": "not revealed"}, {}, []), 4)
    }
    world.mint(7)
    world.run()
    rarity.compute(ape().contract_id)
    after = {one["tokenId"]: one for one in api.nfts(contractAddress=APES)["data"]}
    assert {one: (after[one]["rarity"], after[one]["rank"]) for one in before} == before
    assert not any("rarity" in after[str(one)] or "metadata" in after[str(one)] for one in range(4, 8))


def test_an_object_that_was_stored_as_empty_is_no_metadata_for_rarity(world: World) -> None:
    world.pages.found |= {f"{BASE}{one}": GOLD for one in (1, 2)}
    world.mint(2)
    world.run()
    type(ape()).objects.filter(pk=ape(2).pk).update(metadata="{}")
    done = rarity.compute(ape().contract_id)
    assert done is not None
    assert (done.scored, done.known) == (1, 2)


def test_the_state_is_a_list_in_the_admin_with_the_reason(world: World, admin_client: Any) -> None:
    world.pages.found[f"{BASE}1"] = {"error": "Rate limit exceeded"}
    world.mint()
    world.run()
    page = admin_client.get("/admin/tokens/metadatafetch/?show=unusable").content.decode()
    assert "error&#x27;s message, not metadata" in page
