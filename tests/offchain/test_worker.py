"""What a worker makes of the NFTs that are due: each state with its retry, and nothing that was there is lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from nftsite.db.keys import uint_key
from nftsite.db.writing import writing
from nftsite.net.fetch import Fetched, FetchError, FetchKind
from nftsite.net.jsonrpc import Node
from tests.builders import ALICE, APES, Line, contract, load_lines, nft, transfer
from tests.conftest import Api
from tests.ingestion.encoding import word
from tests.net.played import Answer
from tests.offchain.played_contracts import (
    OWNER_OF,
    REVERTED,
    TOKEN_URI,
    PlayedContracts,
    played_contracts,
    text,
)
from tokens.metadata import reading
from tokens.metadata.hosts import FAILURES
from tokens.metadata.outcomes import State
from tokens.metadata.worker import Scope, Worker
from tokens.models import ContractRarity, MetadataDocument, MetadataFetch, Nft
from tokens.store import fetches, nfts

pytestmark = pytest.mark.django_db

BASE = "https://meta.example/"
JSON = "application/json"
GOLD = {"name": "Ape", "attributes": [{"trait_type": "Fur", "value": "Gold"}], "image": "ipfs://bad"}


class Pages:
    """Documents by URI; a `FetchError` is raised, anything else but bytes is JSON. `asked` are the URIs seen."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {}
        self.asked: list[str] = []
        self.before: Callable[[str], object] = lambda uri: None

    def fetch(self, uri: str) -> Fetched:
        self.asked.append(uri)
        self.before(uri)
        document = self.found.get(uri, FetchError("HTTP 404", FetchKind.MISSING))
        if isinstance(document, Exception):
            raise document
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        return Fetched(uri, body, JSON)


class World:
    """Apes 1, 2, … that were minted and have no metadata yet, their contract, the documents, and a worker."""

    def __init__(self, contracts: PlayedContracts) -> None:
        self.contracts, self.pages = contracts, Pages()
        self.nodes: dict[str, Node] = {"ethereum": contracts.reader()}
        contracts.give(APES, TOKEN_URI, lambda token_id, gas: text(f"{BASE}{token_id}"))

    def mint(self, count: int = 1, *more: Line) -> None:
        load_lines([contract(), *(transfer(str(one), log=one) for one in range(1, count + 1)), *more])

    def step(self, scope: Scope | None = None, **options: Any) -> bool:
        with Worker(self.nodes, self.pages, scope, **options) as worker:  # type: ignore[arg-type]
            return worker.step()

    def run(self) -> None:
        while self.step():
            pass


@pytest.fixture
def world(settings: Any) -> Iterator[World]:
    settings.METADATA_MAX_AGE_DAYS = 30
    with played_contracts() as contracts:
        yield World(contracts)


def row(token: int = 1) -> MetadataFetch:
    return MetadataFetch.objects.get(nft__token_key=uint_key(token))


def ape(token: int = 1) -> Nft:
    return Nft.objects.get(token_key=uint_key(token))


def again(token: int = 1) -> None:
    with writing():
        fetches.request([ape(token).pk], timezone.now())


def wait(token: int = 1) -> timedelta:
    """How long after the attempt the next one is due."""
    found = row(token)
    assert found.next_attempt_at is not None
    assert found.tried_at is not None
    return found.next_attempt_at - found.tried_at


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
        (FetchError("Refused.", FetchKind.REFUSED), State.GONE, "Refused.", None, None),
        (b"<!doctype html><html></html>", State.GONE, "It is an HTML page, not metadata.", None, None),
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
    world.pages.found[f"{BASE}{1:064x}"] = GOLD
    world.mint(2, nft("1", uri=BASE + "{id}"))
    world.run()
    assert [row(1).state, row(2).state] == [State.READY, State.GONE]
    assert row(2).fault == "The contract has no tokenURI."


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


class Interrupted(Worker):
    """A worker during whose fetches something else happens."""

    meanwhile: Callable[[], object]

    def _results(self, *args: Any) -> Any:
        found = super()._results(*args)
        self.meanwhile()
        return found


def test_a_request_during_a_fetch_is_not_lost(world: World) -> None:
    """What is read then may be of before the change: it does not count, and the NFT is read once more."""
    world.pages.found[f"{BASE}1"] = GOLD
    world.mint()
    with Interrupted(world.nodes, world.pages) as worker:  # type: ignore[arg-type]
        worker.meanwhile = again
        assert worker.step()
    assert (row().state, ape().metadata) == (State.PENDING, None)
    world.run()
    assert row().state == State.READY


def test_an_overtaken_lease_changes_nothing(world: World) -> None:
    world.pages.found[f"{BASE}1"] = GOLD
    world.mint()

    def overtake() -> None:
        MetadataFetch.objects.update(next_attempt_at=timezone.now())
        world.pages.found[f"{BASE}1"] = {"name": "Newer"}
        world.run()

    with Interrupted(world.nodes, world.pages) as slow:  # type: ignore[arg-type]
        slow.meanwhile = overtake
        assert slow.step()
        assert slow.tally.states == {}
    assert json.loads(ape().metadata or "") == {"name": "Newer"}


def test_one_document_that_breaks_the_reader_costs_its_nft_alone(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fragile(body: bytes, *rest: Any) -> Any:
        if b"poison" in body:
            raise RecursionError
        return json.loads(body)

    monkeypatch.setattr(reading, "metadata_of", fragile)
    world.pages.found |= {f"{BASE}1": b"poison", f"{BASE}2": {"name": "Ape"}}
    world.mint(2)
    world.run()
    assert [row(1).state, row(2).state] == [State.GONE, State.READY]
    assert row(1).fault == "It cannot be read (RecursionError); the log says more."
    assert "RecursionError" in caplog.text


def test_one_document_that_the_database_refuses_costs_its_nft_alone(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = nfts.write

    def fragile(facts: Any, *rest: Any) -> Any:
        facts = list(facts)
        if any(one.metadata and "poison" in one.metadata for one in facts):
            raise ValueError("A string literal cannot contain NUL (0x00) characters.")
        return write(facts, *rest)

    monkeypatch.setattr(nfts, "write", fragile)
    world.pages.found |= {f"{BASE}{one}": {"name": "poison" if one == 2 else "Ape"} for one in (1, 2, 3)}
    world.mint(3)
    world.run()
    assert [row(one).state for one in (1, 2, 3)] == [State.READY, State.GONE, State.READY]
    assert row(2).fault == "It cannot be written (ValueError); the log says more."


def test_a_host_that_does_not_answer_is_asked_no_more_for_a_while(world: World) -> None:
    dead = FetchError("No answer in time.", FetchKind.UNREACHABLE)
    world.pages.found |= {f"{BASE}{one}": dead for one in range(1, 61)}
    world.mint(60)
    with Worker(world.nodes, world.pages) as worker:  # type: ignore[arg-type]
        while worker.step():
            pass
    assert MetadataFetch.objects.filter(state=State.UNREACHABLE).count() == 60
    assert len(world.pages.asked) < 20
    passed_over = MetadataFetch.objects.filter(fault="meta.example did not answer a moment ago.")
    assert passed_over.count() == 60 - len(world.pages.asked)


def test_what_was_not_begun_when_time_is_up_is_given_back(world: World) -> None:
    now = 0.0

    def pass_time(uri: str) -> None:
        nonlocal now
        now += 1_000

    world.pages.before = pass_time
    world.mint(40)
    world.step(clock=lambda: now)
    left = MetadataFetch.objects.filter(lease="", state=State.PENDING, attempts=0)
    assert 0 < left.filter(next_attempt_at__lte=timezone.now()).count() == 40 - len(world.pages.asked)


def test_a_scope_leaves_the_others_alone(world: World) -> None:
    world.mint(2)
    assert world.step(Scope(nft_ids=[ape(2).pk]))
    assert [row(1).state, row(2).state] == [State.PENDING, State.UNREVEALED]
    assert not world.step(Scope(contract_ids=[0]))
    assert world.step(Scope(chain_id=ape(1).chain_id))
    assert row(1).state == State.UNREVEALED


def test_a_long_data_uri_is_kept_as_a_document_only(world: World) -> None:
    long = "data:application/json," + json.dumps({"name": "x" * 10_000})
    world.contracts.give(APES, TOKEN_URI, text(long))
    world.pages.found[long] = {"name": "Drawn"}
    world.mint()
    world.run()
    assert (row().state, ape().uri) == (State.READY, None)
    assert len(MetadataDocument.objects.get().url) <= 2_000
