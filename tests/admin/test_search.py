"""A search finds by exact matches of what it names, and says what can be searched for otherwise."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin

from core.backoffice.tables import TableAdmin
from media.models import CachedImage
from tests.admin.conftest import Operator
from tests.builders import ALICE, APES, ask, contract, ens, load_lines, nft, rate, transfer
from tokens.models import Ask, Contract, Currency, EnsName, Market, Nft, Owner, Rate, TraitValue
from transfers.models import Transfer

pytestmark = pytest.mark.django_db
MINT = "So11111111111111111111111111111111111111112"
OTHER = "0x" + "2b" * 20
HASH = "0x" + "0f" * 32
IMAGE = "https://example.com/7.png"


@pytest.fixture
def world(operator: Operator) -> Operator:
    load_lines(
        [
            contract(ensName="apes.eth"),
            contract(OTHER),
            ens("others.eth", OTHER),
            rate("ETH"),
            nft("7", metadata={"imageUrl": IMAGE}, traits=[("Hat", "red")]),
            nft("7", OTHER),
            nft("255"),
            nft(MINT, None, on="solana"),
            transfer("7", receiver=ALICE, transactionHash=HASH),
            transfer("7", OTHER, block=2),
            ask("7", order=HASH),
        ]
    )
    return operator


def nft_ids(**conditions: Any) -> list[int]:
    return sorted(Nft.objects.filter(**conditions).values_list("id", flat=True))


NFTS: list[tuple[str, dict[str, Any]]] = [
    ("7", {"token_key": "017"}),
    ("0xff", {"token_key": "03255"}),
    (f"{APES}/7", {"token_key": "017", "contract__address": APES}),
    (f"{APES.upper().replace('X', 'x')}/0x7", {"token_key": "017", "contract__address": APES}),
    ("apes.eth/7", {"token_key": "017", "contract__address": APES}),
    (APES, {"contract__address": APES}),
    (f"  {OTHER} ", {"contract__address": OTHER}),
    ("apes.eth", {"contract__address": APES}),
    ("others.eth", {"contract__address": OTHER}),
    (MINT, {"token_key": "~" + MINT}),
    (IMAGE, {"image__url": IMAGE}),
    ("404", {"id": 0}),
    ("nobody.eth", {"id": 0}),
    ("0x" + "3c" * 20, {"id": 0}),
]


def test_nfts_are_found(world: Operator) -> None:
    for term, conditions in NFTS:
        assert sorted(world.found("tokens/nft", term)) == nft_ids(**conditions), term


def test_transfers_are_found_by_transaction_nft_and_contract(world: Operator) -> None:
    first, second = Transfer.objects.order_by("block_number").values_list("id", flat=True)
    found = [
        world.found("transfers/transfer", term)
        for term in (HASH, HASH.upper().replace("X", "x"), APES, OTHER)
    ]
    assert found == [[first], [first], [first], [second]]
    assert world.found("transfers/transfer", f"{OTHER}/7") == [second]
    assert sorted(world.found("transfers/transfer", "7")) == [first, second]


OTHERS: list[tuple[str, Any, str]] = [
    ("tokens/ask", Ask, HASH),
    ("tokens/ask", Ask, f"{APES}/7"),
    ("tokens/owner", Owner, f"{APES}/7"),
    ("tokens/ensname", EnsName, "Others.eth"),
    ("tokens/rate", Rate, "eth"),
    ("tokens/traitvalue", TraitValue, "Hat-red"),
    ("media/cachedimage", CachedImage, IMAGE),
]


def test_other_tables_are_searched(world: Operator) -> None:
    for table, model, term in OTHERS:
        assert model.objects.first().pk in world.found(table, term), (table, term)


def test_dictionaries_are_searched(world: Operator) -> None:
    assert world.found("tokens/market", "OpenSea") == [Market.objects.get(slug="opensea").pk]
    assert world.found("tokens/currency", "eth") == [Currency.objects.get(symbol="ETH").pk]
    assert world.found("tokens/contract", APES) == [Contract.objects.get(address=APES).pk]


def test_an_address_on_several_chains_is_told_apart(world: Operator) -> None:
    load_lines([contract(on="polygon"), nft("9", on="polygon")])
    page = world.page("tokens/nft/", q=APES)
    assert "There are 2 such contracts" in page
    assert f"?contract={Contract.objects.get(address=APES, chain__slug='polygon').pk}" in page


def test_what_names_nothing_is_answered_with_what_can_be_searched_for(world: Operator) -> None:
    for term in ("ape", "%", "x\x00y", "a" * 3000, "0x12zz", "1" * 90, "not a / thing"):
        response = world.client.get("/admin/tokens/nft/", {"q": term})
        assert response.status_code == 200, term
        if "\x00" not in term:
            assert "This cannot be searched for here. What can: a token id" in response.content.decode(), term


def test_every_big_table_answers_any_text(world: Operator) -> None:
    for model, table in admin.site._registry.items():
        if isinstance(table, TableAdmin) and table.searchable:
            for term in ("ape", "7", APES, HASH, "a.b", "a-b", "…", "x/7", "[x", "http://[x"):
                address = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
                assert world.client.get(address, {"q": term}).status_code == 200


@pytest.mark.parametrize("held_as", ["source_hash", "original_path", "preview_path", "thumbnail_path"])
def test_an_image_is_found_by_the_hash_of_what_was_fetched_and_of_each_file(
    world: Operator, rf: Any, held_as: str
) -> None:
    """An SVG's fetched bytes have another hash than its original here: an operator may hold either."""
    sha256 = "ab" + "0c" * 31
    value = sha256 if held_as == "source_hash" else f"{sha256[:2]}/{sha256[2:]}.webp"
    CachedImage.objects.update(**{held_as: value})
    model_admin = admin.site.get_model_admin(CachedImage)
    assert isinstance(model_admin, TableAdmin)
    for term in (sha256, sha256.upper()):
        found = model_admin.find(rf.get("/"), CachedImage.objects.all(), term)
        assert found is not None
        assert [image.url for image in found] == [IMAGE]
