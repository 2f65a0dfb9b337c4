"""Both operations over HTTP: how long a page is, what it links to, and texts that are none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.builders import APES
from tests.conftest import Api
from tests.operations.rows import make_contract, make_image, make_nft, make_transfer
from tokens.models import Nft

pytestmark = pytest.mark.django_db

NFTS = "/api/v1/nfts/by-token"
TRANSFERS = "/api/v1/transfers/by-token"
BOTH = pytest.mark.parametrize("path", [NFTS, TRANSFERS])
OF_APES = f"contractAddress={APES}"


def make_nfts(count: int, **fields: Any) -> list[Nft]:
    """Store NFTs of one contract, each transferred once, the last one most recently."""
    contract = make_contract(nft_count=count)
    nfts = [make_nft(contract, str(number), **fields) for number in range(count)]
    for number, nft in enumerate(nfts):
        make_transfer(nft, block=number)
    return nfts


@BOTH
@pytest.mark.parametrize("count", [30, 31, 60])
def test_a_page_holds_30_items_unless_told_otherwise_and_none_follows_a_full_last_one(
    api: Api, path: str, count: int
) -> None:
    """F7."""
    make_nfts(count)
    first = api.get(path, OF_APES).json()
    assert len(first["data"]) == 30
    assert len(api.get(path, f"{OF_APES}&limit=").json()["data"]) == 30
    assert ("nextCursor" in first) == (count > 30)
    if count > 30:
        second = api.get(path, f"{OF_APES}&cursor={first['nextCursor']}").json()
        assert (len(second["data"]), "nextCursor" in second) == (count - 30, False)


@BOTH
def test_options_describes_the_operation(api: Api, path: str) -> None:
    response = api.client.options(path)
    assert response.status_code == 200
    assert response.json()["name"] in {"NFTs by Token", "Transfers by Token"}
    assert response.json()["description"]


def test_cached_images_are_linked_under_the_host_that_was_asked(api: Api, settings: Any) -> None:
    image = make_image(state="ready", original_path="o.png", thumbnail_path="t.png")
    make_nfts(1, image=image)
    asked = api.get(NFTS, OF_APES, host="localhost:8000").json()["data"][0]["metadata"]
    assert asked == {
        "imageCacheUrl": "http://localhost:8000/files/o.png",
        "imageCacheThumbnailUrl": "http://localhost:8000/files/t.png",
    }
    settings.PUBLIC_BASE_URL = "https://nft.example/service"
    assert api.transfers(OF_APES)["data"][0]["imageCacheUrl"] == "https://nft.example/service/files/o.png"


def test_texts_that_no_encoding_knows_do_not_break_an_answer(api: Api) -> None:
    metadata = '{"name":"\\ud800 \\u0000 ok"}'
    make_nft(make_contract(), "1", metadata=metadata, native=metadata)
    response = api.get(NFTS, OF_APES)
    assert response.status_code == 200
    assert json.loads(response.content)["data"][0]["native"] == json.loads(metadata)
    assert api.get(NFTS, OF_APES, accept="text/html").status_code == 200
