"""Loading and dumping as a client of the API notices them; the rest is in `tests.files` and `tests.deriving`."""

from __future__ import annotations

import io

import pytest

from interchange.dump import dump
from tests.builders import (
    ALICE,
    APES,
    BOB,
    CAROL,
    START,
    ask,
    nft,
    rate,
    transfer,
)
from tests.conftest import Api
from tests.operations.promises import EVERY_ORDER, MINT, NOW, OTHER_MINT, given, walked
from tokens.models import Ask, Contract, Nft, Rate
from transfers.models import Transfer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_a_dump_loaded_into_an_empty_database_answers_with_the_same_items_in_the_same_order(api: Api) -> None:
    """Ties too: nothing but the order in which things came tells these NFTs apart."""
    other = "0x" + "2b" * 20
    given(
        rate("ETH", "2000"),
        *(nft(str(number), address, rarity=1) for number in (5, 3, 9) for address in (other, APES)),
        *(transfer(str(number), batch=number, transactionHash="0x" + "ab" * 32) for number in (8, 2, 5)),
        *(
            transfer(str(number), log=7, batch=number, on="polygon", timestamp=START + 12)
            for number in (4, 1)
        ),
        *(ask(str(number), price="1", validUntil=NOW + 9) for number in (9, 2, 8)),
        ask("3", price="2000", currency="USDC"),
        nft(OTHER_MINT, None, "solana", traits=[("Hat", 1.0)]),
        nft(MINT, None, "solana", owner=OTHER_MINT, marked=True, markedReason="spam"),
    )
    queries = [
        (operation, {"sortBy": order, "limit": 4, **more})
        for order in EVERY_ORDER
        for operation, more in (
            ("nfts", {"includeLastTransfer": "true"}),
            ("nfts", {"priceFilter": "eth,,", "excludeMarkedNfts": ""}),
            ("transfers", {"contractAddress": APES}),
        )
    ]
    before = [walked(api, operation, **query) for operation, query in queries]
    assert all(before)
    text = io.StringIO()
    dump(text)
    for model in (Ask, Transfer, Nft, Contract, Rate):
        model.objects.all().delete()
    assert api.nfts() == {"data": []}
    given(*text.getvalue().splitlines())
    assert [walked(api, operation, **query) for operation, query in queries] == before


def test_a_corrected_row_replaces_what_it_corrects(api: Api) -> None:
    """F68: what an orphaned block said stayed; a row of the same identity takes its place, the owner follows."""
    given(transfer("1", block=1), transfer("1", block=2, sender=ALICE, receiver=BOB))
    before = api.get(f"{api.base}/nfts/by-token")
    given(transfer("1", block=2, sender=ALICE, receiver=CAROL))
    after = api.get(f"{api.base}/nfts/by-token")
    assert after.json()["data"][0]["owner"] == CAROL
    assert before["ETag"] != after["ETag"]
    assert len(api.transfers(contractAddress=APES)["data"]) == 2
