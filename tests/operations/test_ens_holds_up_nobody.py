"""While a name is looked up at a node that does not answer, all else is served, and no snapshot is open."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection, connections

from tests.builders import ALICE, APES, ens, load_lines, nft
from tests.conftest import Api
from tests.operations.names import Oracle
from tests.operations.promises import given, ids
from tests.patience import PATIENCE
from tokens.ens import node as ens_node
from tokens.ens.names import EnsAnswer
from tokens.ens.node import LookUps

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def node(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Oracle]:
    node = Oracle()
    settings.RPC_URLS = {"ethereum": ["http://127.0.0.1:1"]}
    look_ups = LookUps(node, patience=PATIENCE)
    monkeypatch.setattr(ens_node, "of_node", lambda urls, registry: look_ups)
    yield node
    node.may_answer.set()


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool


def page(name: str) -> Any:
    """The answer to a query by name, by a thread with a connection of its own."""
    try:
        return Api().get("/api/v1/nfts/by-token", {"contractAddress": name})
    finally:
        connections.close_all()


def test_all_else_is_served_while_every_look_up_is_under_way(
    api: Api, node: Oracle, pool: ThreadPoolExecutor
) -> None:
    given(nft("1"), ens("known.eth", APES))
    waiting: list[Future[Any]] = [pool.submit(page, f"{number}.eth") for number in range(ens_node.AT_ONCE)]
    for _ in waiting:
        node.begun.acquire()
    assert ids(api.nfts(contractAddress=APES)) == ["1"]
    assert ids(api.nfts(contractAddress="known.eth")) == ["1"]
    for name in ("0.eth", "another.eth"):
        refused = page(name)
        assert (refused.status_code, refused["Retry-After"]) == (503, "1")
        assert refused.json()["errors"][0]["code"] == "ens_unavailable"
    assert not any(one.done() for one in waiting)
    node.may_answer.set()
    assert [ids(one.result(PATIENCE).json()) for one in waiting] == [["1"]] * ens_node.AT_ONCE
    assert node.asked == [f"{number}.eth" for number in range(ens_node.AT_ONCE)]


def test_no_more_than_a_quarter_of_the_usual_threads_can_wait() -> None:
    assert ens_node.AT_ONCE <= 4 / 4
    assert ens_node.PATIENCE <= 1


def test_no_snapshot_is_open_while_a_name_is_looked_up(
    api: Api, node: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    node.may_answer.set()
    look_up = ens_node.look_up

    def watched(name: str) -> EnsAnswer:
        seen.append((connection.get_autocommit(), connection.in_atomic_block))
        return look_up(name)

    monkeypatch.setattr(ens_node, "look_up", watched)
    given(nft("1"))
    assert ids(api.nfts(contractAddress="apes.eth")) == ["1"]
    assert seen == [(True, False)]
    assert connection.get_autocommit()


def test_what_was_written_meanwhile_counts(api: Api, node: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is of one snapshot: that after the look-up, in which a table has the name."""
    node.may_answer.set()
    look_up = ens_node.look_up

    def overtaken(name: str) -> EnsAnswer:
        load_lines([nft("2", ALICE), ens(name, ALICE)])
        return look_up(name)

    monkeypatch.setattr(ens_node, "look_up", overtaken)
    given(nft("1"))
    assert ids(api.nfts(contractAddress="apes.eth")) == ["2"]


def test_a_node_that_is_left_alone_is_told_by_when_to_come_again(
    api: Api, node: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    def left_alone(name: str) -> EnsAnswer:
        raise ens_node.EnsUnavailableError(12.3)

    monkeypatch.setattr(ens_node, "look_up", left_alone)
    response = api.get("/api/v1/transfers/by-token", {"contractAddress": "apes.eth"})
    assert (response.status_code, response["Retry-After"]) == (503, "13")
    assert "apes.eth" in json.loads(response.content)["errors"][0]["detail"]
