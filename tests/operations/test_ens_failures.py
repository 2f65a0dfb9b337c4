"""ENS names and a node that does not tell, and what the rest of the query has to do with it."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import override_settings

from tests.builders import ALICE, APES, nft, transfer
from tests.conftest import Api
from tests.net.hostile import HOLDING, LATEST, HostileServer
from tests.net.played import Answer, error
from tests.operations.ens_world import KEYED_PATH, NOTHING, REGISTRY, EnsWorld, reverted
from tests.operations.promises import given, ids, page_of, refused
from tokens.ens import node as ens_node

pytestmark = pytest.mark.django_db

BOTH = pytest.mark.parametrize("operation", ["nfts", "transfers"])


def unavailable(api: Api, operation: str = "nfts", **parameters: Any) -> str:
    """The detail of a 503 for a name, in the one body that errors have."""
    response = api.get(f"{api.base}/{operation}/by-token", parameters)
    assert response.status_code == 503, response.content
    assert (response["Retry-After"], response["Cache-Control"]) == ("1", "no-store")
    body = response.json()
    ((fault),) = body["errors"]
    assert (body["type"], fault["code"], fault["attr"]) == ("server_error", "ens_unavailable", None)
    return str(fault["detail"])


def html(_: Any) -> Answer:
    return Answer(b"<html>busy</html>")


SILENT: dict[str, Any] = {
    "no JSON": html,
    "no object": Answer([]),
    "another id": lambda document: {"jsonrpc": "2.0", "id": "x", "result": NOTHING},
    "status 500": Answer(status=500),
    "rate limit": Answer(status=429, headers={"Retry-After": "30"}),
    "wrong key": Answer({"error": {"code": -32000, "message": f"key {KEYED_PATH} is unknown"}}, status=401),
    "cut off": Answer(b"{}", headers={"Content-Length": "100"}, cut_after=1),
    "far too long": lambda document: Answer(b"[" + b" " * (2 << 20) + b"]"),
}
GARBAGE: dict[str, Any] = {
    "null": None,
    "a number": 5,
    "no hexadecimal digits": "0xzz",
    "half a byte": NOTHING[:-1],
    "a list": [NOTHING],
    "an error of the node": error(-32603, "internal error"),
    "an error that says nothing": error(-32000, "no"),
    "a node that lags": error(-32000, "header not found"),
}


@pytest.mark.parametrize("answer", SILENT.values(), ids=SILENT)
def test_a_node_that_does_not_answer_is_a_503(api: Api, mainnet: EnsWorld, answer: Any) -> None:
    given(nft("1"))
    mainnet.register("apes.eth", APES)
    mainnet.played.script.extend([answer] * 8)
    assert "apes.eth" in unavailable(api, contractAddress="apes.eth")


@BOTH
@pytest.mark.parametrize("answer", GARBAGE.values(), ids=GARBAGE)
def test_an_answer_that_is_none_is_a_503_and_forgotten(
    api: Api, mainnet: EnsWorld, operation: str, answer: Any
) -> None:
    given(transfer("1"))
    mainnet.register("apes.eth", answer)
    unavailable(api, operation, contractAddress="apes.eth")
    mainnet.register("apes.eth", APES)
    assert ids(page_of(api, operation, contractAddress="apes.eth")) == ["1"]


@pytest.mark.parametrize("answer", [*GARBAGE.values(), "0x", "0x" + "ff" * 32, reverted()])
def test_a_registry_that_is_none_is_a_503(api: Api, mainnet: EnsWorld, answer: Any) -> None:
    """The registry fails for nobody: where it seems to, the node or the address is wrong, and no name is to blame."""
    mainnet.contracts[REGISTRY] = lambda _: answer
    unavailable(api, contractAddress="apes.eth")


def test_a_node_of_another_chain_is_a_503(api: Api, mainnet: EnsWorld) -> None:
    mainnet.register("apes.eth", APES)
    mainnet.played.methods["eth_chainId"] = lambda: "0x89"
    unavailable(api, contractAddress="apes.eth")
    assert mainnet.calls == 0


def test_a_node_that_is_down_is_a_503(api: Api, mainnet: EnsWorld, settings: LazySettings) -> None:
    settings.RPC_URLS = {"ethereum": ["http://127.0.0.1:1"]}
    unavailable(api, contractAddress="apes.eth")


@pytest.fixture
def holding(request: pytest.FixtureRequest, settings: LazySettings) -> Iterator[None]:
    """The configured node holds whoever asks it, in one of many ways."""
    server = HostileServer()
    server.otherwise = HOLDING[request.param]
    settings.RPC_URLS = {"ethereum": [f"http://{server.authority}"]}
    yield
    server.close()


@pytest.mark.parametrize("holding", HOLDING, indirect=True)
def test_nobody_waits_for_longer_than_the_patience_whatever_the_node_does(
    api: Api, mainnet: EnsWorld, holding: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ens_node, "PATIENCE", 0.1)
    began = time.monotonic()
    unavailable(api, contractAddress="apes.eth")
    assert time.monotonic() - began < LATEST


def test_the_requests_of_one_look_up_share_its_time(
    api: Api, mainnet: EnsWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The registry answers, a resolver does not; and nobody is asked elsewhere when the time is up."""
    monkeypatch.setattr(ens_node, "PATIENCE", 0.5)
    mainnet.register("apes.eth", APES)
    mainnet.played.script.extend([mainnet.played.by_methods, Answer(hang=True)])
    unavailable(api, contractAddress="apes.eth")
    assert mainnet.calls <= 4


def test_another_url_stands_in(api: Api, mainnet: EnsWorld, settings: LazySettings) -> None:
    given(nft("1"))
    mainnet.register("apes.eth", APES)
    settings.RPC_URLS = {"ethereum": ["http://127.0.0.1:1", mainnet.played.url]}
    assert ids(api.nfts(contractAddress="apes.eth")) == ["1"]


def test_nothing_that_is_shown_or_logged_tells_the_nodes_key(
    api: Api, mainnet: EnsWorld, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answers = [*SILENT.values(), *(lambda document, told=told: told for told in GARBAGE.values())]
    for number, answer in enumerate(answers):
        mainnet.played.script.extend([answer] * 8)
        response = api.get(f"{api.base}/nfts/by-token", {"contractAddress": f"apes{number}.eth"})
        assert response.status_code == 503
        for secret in ("0123456789abcdef", "pa55word", "dXNlcjpwYTU1d29yZA"):
            assert secret not in response.content.decode() + str(response.headers) + caplog.text
        mainnet.played.script.clear()
    assert "An ENS name could not be looked up" in caplog.text
    assert "apes1.eth" not in caplog.text, "queries are not logged"


# The rest of the query


@pytest.mark.parametrize(
    ("rest", "faults"),
    [
        ({"limit": "31"}, [("limit", "invalid")]),
        ({"limt": "1"}, [("limt", "unknown_parameter")]),
        ({"chain": "nope", "cursor": "x"}, [("chain", "invalid_choice"), ("cursor", "cursor_invalid")]),
    ],
)
def test_a_query_with_other_faults_is_told_them_and_nobody_is_asked(
    api: Api, mainnet: EnsWorld, rest: dict[str, str], faults: list[tuple[str, str]]
) -> None:
    """All that can be told without the node; what the name stands for makes no difference to that."""
    assert sorted(refused(api, contractAddress="apes.eth", **rest)) == faults
    assert mainnet.played.seen == []


def test_spellings_of_one_value_are_one(api: Api, mainnet: EnsWorld) -> None:
    given(nft("1"))
    mainnet.register("apes.eth", APES)
    assert ids(api.nfts(f"contractAddress=apes.eth&contractAddress=APES.eth&contractAddress={APES}")) == ["1"]
    assert refused(api, f"contractAddress=apes.eth&contractAddress={ALICE}") == [
        ("contractAddress", "invalid")
    ]


def test_only_one_name_of_a_query_is_looked_up(api: Api, mainnet: EnsWorld) -> None:
    """A query may not have the node asked a hundred times."""
    query = "&".join(f"contractAddress=apes{number}.eth" for number in range(100))
    assert set(refused(api, query)) == {("contractAddress", "invalid")}
    assert mainnet.played.seen == []


@BOTH
def test_a_cursor_of_a_name_goes_on_with_its_address(api: Api, mainnet: EnsWorld, operation: str) -> None:
    given(transfer("1"), transfer("2", log=1))
    mainnet.register("apes.eth", APES)
    first = page_of(api, operation, contractAddress="apes.eth", limit="1")
    rest = page_of(api, operation, contractAddress=APES, limit="1", cursor=first["nextCursor"])
    assert sorted(ids(first) + ids(rest)) == ["1", "2"]


def test_the_form_shows_the_name_whatever_became_of_it(api: Api, mainnet: EnsWorld) -> None:
    given(nft("1"))
    mainnet.register("apes.eth", APES)
    for name, status in (("apes.eth", 200), ("down.eth", 503)):
        mainnet.played.script.extend([Answer(status=500)] * 8 if status == 503 else [])
        response = api.get(f"{api.base}/nfts/by-token", {"contractAddress": name}, accept="text/html")
        assert response.status_code == status
        assert f'value="{name}"' in response.content.decode()


def test_without_a_node_the_table_alone_counts(api: Api) -> None:
    with override_settings(RPC_URLS={"polygon": ["http://127.0.0.1:1"]}):
        assert refused(api, contractAddress="apes.eth") == [("contractAddress", "ens_unavailable")]


def test_another_registry_may_be_named(api: Api, mainnet: EnsWorld, settings: LazySettings) -> None:
    given(nft("1"))
    mainnet.register("apes.eth", APES)
    settings.ENS_REGISTRY = "0x" + "4e" * 20
    mainnet.contracts[settings.ENS_REGISTRY] = mainnet.contracts.pop(REGISTRY)
    assert ids(api.nfts(contractAddress="apes.eth")) == ["1"]
    assert REGISTRY not in json.dumps(mainnet.played.seen)
