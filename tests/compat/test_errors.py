"""What is refused, and how: their shape of an error, and HTTP as the service has it elsewhere."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from django.conf import settings
from django.test import Client

from compat.views import MAX_BODY
from tests import machine
from tests.builders import APES, nft
from tests.compat.client import Alchemy, error_of
from tests.compat.sales import sale
from tests.operations.promises import given
from tests.patience import PATIENCE

pytestmark = pytest.mark.django_db
SDK = "alchemy-ethers-sdk-method,alchemy-ethers-sdk-version"


@pytest.mark.parametrize(
    ("method", "query", "faults"),
    [
        ("getNFTMetadata", "", {"contractAddress", "tokenId"}),
        ("getNFTMetadata", f"contractAddress={APES}&tokenId=1e3", {"tokenId"}),
        ("getNFTMetadata", f"contractAddress={APES}&tokenId={2**256}", {"tokenId"}),
        ("getNFTMetadata", f"contractAddress={APES}&tokenId=1&tokenId=2", {"tokenId"}),
        ("getNFTMetadata", f"contractAddress={APES}&tokenId=1&tokenType=ERC20", {"tokenType"}),
        ("getContractMetadata", "contractAddress=apes", {"contractAddress"}),
        ("getContractMetadata", "contractAddress=%00", {"contractAddress"}),
        ("getContractMetadata", "contractAddress=%ED%A0%80", {"contractAddress"}),
        ("getNFTsForContract", f"contractAddress={APES}&limit=101", {"limit"}),
        (
            "getNFTsForContract",
            f"contractAddress={APES}&pageKey=x&withMetadata=maybe",
            {"pageKey", "withMetadata"},
        ),
        (
            "getNFTSales",
            "limit=1001&order=up&taker=me&fromBlock=-1",
            {"limit", "order", "taker", "fromBlock"},
        ),
        ("getNFTSales", "tokenId=1", {"contractAddress"}),
        ("getNFTSales", "pageKey=abc.def", {"pageKey"}),
        ("getOwnersForNFT", f"contractAddress={APES}&tokenId=1&pageSize=0", {"pageSize"}),
        ("getOwnersForContract", f"contractAddress={APES}&block=latest", {"block"}),
        ("getFloorPrice", f"contractAddress={APES}&collectionSlug=apes", {"collectionSlug"}),
        ("getNFTsForOwner", "owner=me&orderBy=price&pageSize=101", {"owner", "orderBy", "pageSize"}),
        ("getNFTsForOwner", f"owner={APES}&spamConfidenceLevel=SOME", {"spamConfidenceLevel"}),
        (
            "getNFTsForOwner",
            f"owner={APES}&" + "&".join(f"contractAddresses[]=0x{n:040x}" for n in range(46)),
            {"contractAddresses"},
        ),
    ],
)
def test_every_fault_of_a_query_is_told_in_their_shape(
    alchemy: Alchemy, method: str, query: str, faults: set[str]
) -> None:
    response = alchemy.client.get(f"{alchemy.path(method)}?{query}")
    error = error_of(response)
    assert response.status_code == 400
    assert {one["attr"] for one in error["errors"]} == faults
    assert all(name in error["message"] for name in faults)


def test_names_that_a_method_does_not_have_are_ignored_as_theirs_are(alchemy: Alchemy) -> None:
    given(nft("1"))
    query = {"contractAddress": APES, "tokenId": "1", "cacheBuster": "7", "pageKey": ""}
    assert alchemy.get("getNFTMetadata", **query)["tokenId"] == "1"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[" * 100_000, 400),
        (b"\xff", 400),
        (b"[]", 400),
        (b"{}", 400),
        (b'{"tokens": 5}', 400),
        (json.dumps({"tokens": [{"contractAddress": APES}]}).encode(), 400),
        (json.dumps({"tokens": [{"contractAddress": APES, "tokenId": True}]}).encode(), 400),
        (json.dumps({"tokens": [{"contractAddress": APES, "tokenId": 1.5}]}).encode(), 400),
        (
            json.dumps(
                {"tokens": [{"contractAddress": APES, "tokenId": str(n)} for n in range(101)]}
            ).encode(),
            400,
        ),
        (b" " * (MAX_BODY + 1), 413),
    ],
)
def test_a_bad_body_is_refused_in_their_shape(alchemy: Alchemy, body: bytes, status: int) -> None:
    response = alchemy.client.post(alchemy.path("getNFTMetadataBatch"), body, content_type="application/json")
    assert response.status_code == status
    error_of(response)


def test_a_hundred_tokens_are_taken(alchemy: Alchemy) -> None:
    body = {"tokens": [{"contractAddress": APES, "tokenId": str(number)} for number in range(100)]}
    assert len(alchemy.post("getNFTMetadataBatch", body)["nfts"]) == 100


def test_a_page_key_belongs_to_its_method_chain_and_query(alchemy: Alchemy) -> None:
    given(sale("1", block=1), sale("1", block=2))
    key = alchemy.get("getNFTSales", contractAddress=APES, limit=1)["pageKey"]
    again = alchemy.get("getNFTSales", contractAddress=APES, limit=5, pageKey=key)
    assert [one["blockNumber"] for one in again["nftSales"]] == [2], "the limit may change"
    for chain, query in (
        ("polygon-mainnet", {"contractAddress": APES}),
        ("eth-mainnet", {}),
        ("eth-mainnet", {"contractAddress": APES, "order": "desc"}),
    ):
        status, error = alchemy.refused("getNFTSales", chain, **query, pageKey=key)
        assert (status, error["errors"][0]["code"]) == (400, "cursor_mismatch")
    assert alchemy.refused("getNFTSales", contractAddress=APES, pageKey=key[:-1] + "x")[0] == 400


def test_methods_of_http_and_addresses_that_there_are_not(alchemy: Alchemy) -> None:
    put = alchemy.client.put(alchemy.path("getNFTSales"))
    assert (put.status_code, put["Allow"]) == (405, "GET, HEAD, OPTIONS")
    error_of(put)
    get = alchemy.client.get(alchemy.path("getNFTMetadataBatch"))
    assert (get.status_code, get["Allow"]) == (405, "POST, OPTIONS")
    for method in ("getNFTSales", "getNFTMetadataBatch", "getNFTsForOwner"):
        assert alchemy.client.options(alchemy.path(method)).status_code == 200
    for path in ("getNFTsForCollection", "getNFTSales/", "x" * 3_000):
        found = alchemy.client.get(alchemy.path(path), headers={"accept": "text/html"})
        assert found.status_code == 404
        error_of(found)


def test_an_answer_has_a_tag_and_may_be_read_by_every_origin(alchemy: Alchemy) -> None:
    given(*(nft(str(number)) for number in range(5)))
    path = f"{alchemy.path('getNFTsForContract')}?contractAddress={APES}"
    plain = alchemy.client.get(path)
    assert (plain["Access-Control-Allow-Origin"], plain["Cache-Control"]) == ("*", "no-cache")
    assert alchemy.client.get(path, headers={"if-none-match": plain["ETag"]}).status_code == 304
    assert alchemy.client.head(path)["ETag"] == plain["ETag"]
    zipped = alchemy.client.get(path, headers={"accept-encoding": "gzip"})
    assert (zipped["Content-Encoding"], zipped["ETag"] != plain["ETag"]) == ("gzip", True)
    body = json.dumps({"tokens": [{"contractAddress": APES, "tokenId": "1"}]})
    posted = alchemy.client.post(
        alchemy.path("getNFTMetadataBatch"),
        body,
        content_type="application/json",
        headers={"accept-encoding": "gzip"},
    )
    assert (posted["Content-Encoding"], "ETag" in posted, posted["Cache-Control"]) == (
        "gzip",
        False,
        "no-store",
    )


def test_a_browser_may_send_what_the_sdk_sends() -> None:
    asked = {
        "origin": "https://app.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": SDK,
    }
    preflight = Client().options("/alchemy/eth-mainnet/nft/v3/key/getNFTMetadataBatch", headers=asked)
    assert preflight.status_code == 204
    assert "POST" in preflight["Access-Control-Allow-Methods"]
    allowed = {one.strip().lower() for one in preflight["Access-Control-Allow-Headers"].split(",")}
    assert allowed >= {*SDK.split(","), "content-type"}
    ours = Client().options("/api/v1/nfts/by-token", headers=asked)
    assert "POST" not in ours["Access-Control-Allow-Methods"], "the service's own API reads alone"


def test_no_log_has_the_key(alchemy: Alchemy, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO"):
        alchemy.client.get("/alchemy/eth-mainnet/nft/v3/my-secret-key/getNFTSales?limit=0")
        alchemy.client.get("/alchemy/eth-mainnet/nft/v3/my-secret-key/nothing")
    assert "getNFTSales" in caplog.text
    assert "my-secret-key" not in caplog.text


def test_the_setting_switches_it_off() -> None:
    script = (
        "import django; django.setup()\n"
        "from django.test import Client\n"
        "print(*(Client().get(path).status_code for path in ('/alchemy/schema', '/healthz')))"
    )
    clean = machine.bare(
        DJANGO_SETTINGS_MODULE="nftsite.settings",
        SECRET_KEY="k" * 50,
        ALCHEMY_API="no",
        ALLOWED_HOSTS="testserver",
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=settings.BASE_DIR,
        env=clean,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    assert done.stdout.splitlines()[-1] == "404 200"
