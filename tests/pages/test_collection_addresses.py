"""Addresses of collections: other spellings, what is not known, what is none, and what a page costs."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.builders import APES, contract, load_lines, nft
from tests.pages.figures import COLLECTION, NOW, PAGE, apes, filled, html, text
from transfers.figures.counting import sweep

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

MOST = 12


@pytest.mark.parametrize(
    "spelling",
    [
        f"/collections/1/{APES}",
        f"/collections/Ethereum/{APES.upper().replace('0X', '0x')}",
        f"/collections/eip155:1/{APES}",
    ],
)
def test_another_spelling_leads_to_the_address(spelling: str) -> None:
    filled()
    for end in ("", "/sales", "/marked"):
        response = Client().get(f"{spelling}{end}?after=")
        assert (response.status_code, response["Location"]) == (302, f"{PAGE}{end}?after=")
    assert Client().get(f"{PAGE}/")["Location"] == PAGE, "no trailing slash"


@pytest.mark.parametrize(
    "address",
    [
        f"/collections/polygon/{APES}",
        "/collections/ethereum/0x12",
        f"/collections/nowhere/{APES}",
        "/collections/ethereum/%00",
        f"/collections/{'9' * 50}/{APES}",
        f"/nfts/ethereum/{APES}/99",
        f"/nfts/ethereum/{APES}/x",
        f"/nfts/ethereum/{APES}/{2**256}",
        f"/nfts/ethereum/{APES}/%C2%B2",
        "/transfers/ethereum/0x12/0/0",
        f"/transfers/ethereum/%00/0/{10**30}",
    ],
)
def test_what_is_not_known_is_a_404_in_words_and_in_json(address: str) -> None:
    filled()
    assert "is known here" in text(address, 404)
    assert Client().get(address).json()["errors"][0]["code"] == "not_found"


@pytest.mark.parametrize(
    "address",
    [
        "/?after=x",
        f"{PAGE}/sales?after=x",
        f"{PAGE}/sales?after=" + "~" * 22 + "1",
        f"/nfts/ethereum/{APES}/1?after=x",
    ],
)
def test_a_place_that_is_none_is_a_400(address: str) -> None:
    filled()
    html(address, 400)


def test_a_collection_of_a_mint_identified_chain_has_its_page() -> None:
    load_lines(
        [nft("So11111111111111111111111111111111111111112", COLLECTION, "solana", traits=[("Sky", "Red")])]
    )
    sweep(lambda: NOW)
    found = text(f"/collections/solana/{COLLECTION}")
    assert "NFTs 1" in found
    assert "Sky Red 1 (100.0%)" in found
    assert Client().get(f"/collections/solana/{COLLECTION.lower()}")["Location"].endswith(COLLECTION)


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/?q=apes",
        PAGE,
        f"{PAGE}/sales",
        f"{PAGE}/sales?from=1",
        f"{PAGE}/marked",
        f"/nfts/ethereum/{APES}/1",
    ],
)
def test_a_page_takes_at_most_twelve_queries_and_weighs_little(address: str) -> None:
    load_lines(
        [
            *apes(),
            *(contract(f"0x{number:040x}", on=("base", "polygon")[number % 2]) for number in range(1, 40)),
            *(nft(str(token), f"0x{token:040x}", ("base", "polygon")[token % 2]) for token in range(1, 40)),
            *(
                nft(str(number), traits=[(f"Kind {kind}", f"Value {number}") for kind in range(20)])
                for number in range(10, 40)
            ),
        ]
    )
    sweep(lambda: NOW)
    with CaptureQueriesContext(connection) as queries:
        page = html(address)
    asked = [
        one["sql"]
        for one in queries.captured_queries
        if one["sql"].lstrip("( ").startswith(("SELECT", "WITH"))
    ]
    assert len(asked) <= MOST, "\n".join(one[:150] for one in asked)
    sheet = Path("nftsite/static/nftsite/site.css").stat().st_size
    assert len(page.encode()) + sheet <= 60_000, "with the style sheet, before any compression"
