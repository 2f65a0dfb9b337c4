"""What a worker makes of the NFTs that are due: each state with its retry, and nothing that was there is lost."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.net.http.fetch import FetchError, FetchKind
from tests.builders import ALICE, APES, contract, load_lines, nft, transfer
from tests.conftest import Api
from tests.ingestion.encoding import word
from tests.net.played import Answer
from tests.offchain.apes import BASE, GOLD, JSON, World, again, ape, row, wait
from tests.offchain.played_contracts import OWNER_OF, REVERTED, TOKEN_URI
from tokens.metadata.hosts import FAILURES
from tokens.metadata.outcomes import LAST_ATTEMPT, State
from tokens.metadata.token_uris import GAS
from tokens.models import ContractRarity, MetadataDocument, MetadataFetch

pytestmark = pytest.mark.django_db

DAY = 86_400


def test_a_minted_nft_gets_its_metadata_and_keeps_the_document_as_it_came(world: World, api: Api) -> None:
    body = b'{"name": "Ape", "attributes": [{"trait_type": "Level", "value": 5.0}], "unknown": 1}'
    world.pages.found[f"{BASE}1"] = body
    world.mint()
    world.run()
    (record,) = api.nfts(contractAddress=APES)["data"]
    assert record["metadata"]["name"] == "Ape"
    assert record["metadata"]["traits"][0]["traitValue"] == 5.0
    assert record["uri"] == f"{BASE}1"
    document = MetadataDocument.objects.get()
    assert (document.url, bytes(document.body), document.media_type) == (f"{BASE}1", body, JSON)
    assert document.block_number == 0xFFFF
    found = row()
    assert (found.state, found.attempts, found.lease, found.fault) == (State.READY, 0, "", "")
    assert timedelta(days=27) <= wait() <= timedelta(days=33)


def test_a_worker_ends_when_nothing_is_due(world: World) -> None:
    assert not world.step()
    world.mint()
    assert world.step()
    assert not world.step()


@pytest.mark.parametrize(
    ("document", "state", "fault", "shortest", "longest"),
    [
        (FetchError("No answer in time.", FetchKind.UNREACHABLE), State.UNREACHABLE, "No answer in time.", 45, 75),
        (FetchError("HTTP 429", FetchKind.UNREACHABLE, 7_200.0), State.UNREACHABLE, "HTTP 429", 7_200, 7_200),
        (FetchError("HTTP 404", FetchKind.MISSING), State.UNREVEALED, "HTTP 404", 450, 750),
        (FetchError("HTTP 410", FetchKind.GONE), State.GONE, "HTTP 410", None, None),
        (FetchError("Refused.", FetchKind.REFUSED), State.UNUSABLE, "Refused.", 45, 75),
        (b"<!doctype html><html></html>", State.UNUSABLE, "It is an HTML page, not metadata.", 45, 75),
    ],
)  # fmt: skip
def test_each_failure_has_its_state_its_reason_and_its_time(
    world: World, document: Any, state: State, fault: str, shortest: int | None, longest: int | None
) -> None:
    world.pages.found[f"{BASE}1"] = document
    world.mint()
    world.run()
    found = row()
    assert (found.state, found.fault, found.attempts) == (state, fault, 1)
    if shortest is None or longest is None:
        assert found.next_attempt_at is None
    else:
        assert timedelta(seconds=shortest) <= wait() <= timedelta(seconds=longest)
    assert ape().uri == f"{BASE}1"
    assert ape().metadata is None


def test_a_token_that_does_not_exist_is_asked_for_nowhere(world: World) -> None:
    world.contracts.give(APES, TOKEN_URI, REVERTED)
    world.contracts.give(APES, OWNER_OF, REVERTED)
    world.mint()
    world.run()
    assert (row().state, row().next_attempt_at, world.pages.asked) == (State.ABSENT, None, [])


def test_a_chain_without_a_node_is_read_by_the_stored_uri_and_else_says_what_to_configure(
    world: World,
) -> None:
    world.nodes = {}
    world.pages.found[f"{BASE}stored"] = GOLD
    world.mint(2, nft("1", uri=f"{BASE}stored"))
    world.run()
    assert [row(1).state, row(2).state] == [State.READY, State.UNREACHABLE]
    assert row(2).fault == (
        "No node of ethereum can be asked for its URI: set RPC_URLS_ETHEREUM, or give --rpc-url."
    )


def test_a_contract_without_the_function_is_read_by_a_uri_known_from_elsewhere(world: World) -> None:
    world.contracts.give(APES, TOKEN_URI, REVERTED)
    world.contracts.give(APES, OWNER_OF, "0x" + word(ALICE))
    world.pages.found[f"{BASE}stored"] = GOLD
    world.mint(2, nft("1", uri=f"{BASE}stored"))
    world.run()
    assert [row(1).state, row(2).state] == [State.READY, State.GONE]
    assert row(2).fault == "The contract has no tokenURI."


@pytest.mark.parametrize(
    ("standard", "digits"), [("ERC1155", f"{1:064x}"), ("ERC1155Supply", f"{1:064x}"), ("ERC721", "%7Bid%7D")]
)
def test_one_uri_and_one_document_are_for_all_tokens_but_those_of_erc721(
    world: World, standard: str, digits: str
) -> None:
    """EIP-1155, Metadata: "the string value of {id} will be replaced", in the URI and in any string of the document."""
    body = b'{"name": "Ape", "image": "https://img.example/{id}.png", "attributes": {"Token": "#{id}", "{id}": 1}}'
    world.nodes = {}
    world.pages.found[f"{BASE}{digits}"] = body
    world.mint(1, contract(standard=standard), nft("1", uri=BASE + "{id}"))
    world.run()
    found = json.loads(ape().metadata or "")
    assert found["imageUrl"] == f"https://img.example/{digits}.png"
    shown = "{id}" if standard == "ERC721" else digits
    assert [trait["traitValue"] for trait in found["traits"]] == [f"#{shown}", 1]
    assert found["traits"][1]["traitType"] == "{id}", "a name is no value"
    assert bytes(MetadataDocument.objects.get().body) == body


def test_a_node_behind_the_last_transfer_is_not_believed(world: World) -> None:
    """Of what was minted since it knows nothing: it would all be absent."""
    world.contracts.give(APES, TOKEN_URI, REVERTED)
    world.mint()
    load_lines([transfer("1", block=0x10000)])
    world.run()
    assert row().state == State.UNREACHABLE
    assert row().fault == "The node: it is at block 65535, and the last transfer was in block 65536."


def test_a_node_that_is_down_is_asked_a_few_times_and_holds_up_no_other_chain(world: World) -> None:
    down = Answer(b"", status=502)
    world.contracts.node.script.extend([down] * 1_000)
    world.pages.found[f"{BASE}stored"] = GOLD
    world.mint(99, transfer("1", on="polygon", block=2), nft("1", on="polygon", uri=f"{BASE}stored"))
    world.step()
    assert len(world.contracts.node.seen) == FAILURES * 2  # attempts
    ours = MetadataFetch.objects.filter(state=State.UNREACHABLE)
    assert ours.count() == 99
    assert ours.filter(fault="the node of ethereum did not answer a moment ago.").count() == 39
    assert MetadataFetch.objects.get(state=State.READY).chain.slug == "polygon"


def test_a_contract_that_the_node_takes_too_long_over_is_left_alone_and_no_other(world: World) -> None:
    """Three parts of twenty are tried, the rest is put off; what comes after them is read as ever."""
    slow = "0x" + "5a" * 20
    world.contracts.slow.add((slow, GAS))
    world.pages.found |= {f"{BASE}{number}": GOLD for number in (1, 2)}
    world.mint(2, contract(slow), *(transfer(str(one), slow, log=one) for one in range(1_000, 1_090)))
    world.step()
    assert [row(1).state, row(2).state] == [State.READY, State.READY]
    lost = MetadataFetch.objects.filter(contract__address=slow, state=State.UNREACHABLE)
    assert lost.count() == 90
    put_off = lost.filter(fault=f"contract {slow} at the node of ethereum did not answer a moment ago.")
    assert 30 <= put_off.count() <= 32


def test_metadata_that_was_good_outlives_a_failure(world: World) -> None:
    world.pages.found[f"{BASE}1"] = GOLD
    world.mint()
    world.run()
    before = ape().metadata
    world.pages.found[f"{BASE}1"] = FetchError("HTTP 410", FetchKind.GONE)
    again()
    world.run()
    assert (row().state, row().fault) == (State.GONE, "HTTP 410")
    assert ape().metadata == before
    assert json.loads(bytes(MetadataDocument.objects.get().body)) == GOLD


@pytest.mark.parametrize(
    ("before", "state"), [(State.UNREVEALED, State.UNREACHABLE), (State.UNREACHABLE, State.GONE)]
)
def test_a_server_that_fails_once_is_not_given_up_on_for_having_said_404_for_weeks(
    world: World, before: State, state: State
) -> None:
    world.pages.found[f"{BASE}1"] = FetchError("No answer in time.", FetchKind.UNREACHABLE)
    world.mint()
    MetadataFetch.objects.update(state=before, attempts=LAST_ATTEMPT - 1)
    world.run()
    assert row().state == state


def test_a_document_that_says_the_same_writes_no_nft_and_no_rarity(world: World) -> None:
    world.pages.found[f"{BASE}1"] = GOLD
    world.mint()
    world.run()
    ContractRarity.objects.all().delete()
    again()
    with CaptureQueriesContext(connection) as queries:
        world.run()
    written = [one["sql"] for one in queries if not one["sql"].startswith("SELECT")]
    assert [sql for sql in written if "tokens_nft" in sql and "UPDATE" in sql] == []
    assert not ContractRarity.objects.exists()
    assert row().state == State.READY


def test_a_changed_document_changes_traits_and_makes_the_rarity_due(world: World, api: Api) -> None:
    world.pages.found[f"{BASE}1"] = GOLD
    world.mint()
    world.run()
    ContractRarity.objects.all().delete()
    world.pages.found[f"{BASE}1"] = {"name": "Ape", "traits": {"Fur": "Brown"}}
    again()
    world.run()
    assert [one["tokenId"] for one in api.nfts(contractAddress=APES, traits="Fur-Brown")["data"]] == ["1"]
    assert api.nfts(contractAddress=APES, traits="Fur-Gold")["data"] == []
    assert ContractRarity.objects.get().due_at is not None
