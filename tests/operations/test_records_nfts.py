"""Fields of the NFT record (specification, NFT record and Owner entry)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from core.addresses import DEAD_ADDRESS, SYSTEM_PROGRAM
from core.db.keys import position_key, token_key
from core.rest.records import Record
from tests.builders import ALICE, BOB, CAROL, ZERO
from tests.operations.rows import (
    BARE_NFT,
    LINKS,
    make_ask,
    make_contract,
    make_image,
    make_nft,
    make_trait,
    make_transfer,
)
from tokens.models import Nft, Owner
from tokens.models.ask import FOREVER
from tokens.records.nft import Side, nft_record, nft_records

NOW = 1_700_000_000


def bare(side: Side | None = None, **fields: Any) -> Record:
    """The record of the bare NFT with some fields known."""
    return nft_record(BARE_NFT._replace(**fields), side or Side(), LINKS)


def records(*nfts: Nft, with_last: bool = False) -> list[Record]:
    """The records of stored NFTs."""
    found = nft_records([nft.pk for nft in nfts], now=NOW, links=LINKS, with_last=with_last)
    return found.records


def test_an_nft_of_which_little_is_known_has_its_required_fields_and_no_other() -> None:
    assert bare() == {
        "chain": "ethereum",
        "contractAddress": BARE_NFT.contract_address,
        "tokenId": "7",
        "owner": ZERO,
    }


def test_nobody_on_a_mint_identified_chain_is_the_system_program() -> None:
    mint = "So11111111111111111111111111111111111111112"
    record = bare(chain="solana", chain_kind="mint", contract_address="", token_key=token_key(mint))
    assert record == {"chain": "solana", "tokenId": mint, "owner": SYSTEM_PROGRAM}


def test_owners_are_absent_when_unknown_and_empty_when_nobody_holds_it() -> None:
    # Field report F49.
    assert "owners" not in bare(owners_total=None)
    burned = bare(owners_total=0)
    assert (burned["owner"], burned["owners"]) == (ZERO, [])
    assert "ownersTotal" not in burned
    assert "ownersTotal" not in bare(owners_total=100), "all are listed"


@pytest.mark.parametrize("nobody", [None, "", ZERO])
def test_the_minter_is_never_the_zero_address(nobody: str | None) -> None:
    assert "minter" not in bare(minter=nobody)


def test_scores_and_ranks_are_json_numbers_and_whole_ones_integers() -> None:
    record = bare(rarity=1.25, rank=3.0)
    assert (record["rarity"], record["rank"], type(record["rank"])) == (1.25, 3, int)
    assert bare(rarity=0.0)["rarity"] == 0


def test_an_nft_shows_all_that_is_known_of_it() -> None:
    last = {"tokenId": "7"}
    side = Side(owners=[{"address": ALICE, "amount": "1"}], asks=["opensea,ETH,1.5"], last_transfer=last)
    record = bare(
        side,
        contract_standard="ERC721",
        uri="ipfs://Qm/7",
        native='{"z":1,"a":2}',
        minter=BOB,
        markets='["blur","opensea"]',
        owners_total=1,
    )
    assert record["contractStandard"] == "ERC721"
    assert record["uri"] == "ipfs://Qm/7"
    assert list(record["native"]) == ["z", "a"]
    assert record["minter"] == BOB
    assert record["markets"] == ["blur", "opensea"]
    assert (record["owner"], record["owners"]) == (ALICE, side.owners)
    assert record["orderbook"] == ["opensea,ETH,1.5"]
    assert record["lastTransfer"] == last


def test_what_is_empty_or_of_no_use_is_left_out() -> None:
    record = bare(markets="[]", uri="", native="null", contract_standard="", minter="")
    assert record == bare()
    assert "uri" not in bare(uri="data:application/json," + "x" * 8_000)


def test_each_rendition_of_an_image_is_optional_by_itself() -> None:
    # Field report F84.
    images = bare(original_path="", preview_path="a b.png", thumbnail_path="t.png")["metadata"]
    assert images == {
        "imageCachePreviewUrl": "https://nft.example/files/a%20b.png",
        "imageCacheThumbnailUrl": "https://nft.example/files/t.png",
    }


def test_what_an_operator_withholds_is_in_no_record_with_any_address() -> None:
    metadata = '{"name":"Seven","imageUrl":"https://x.example/7.png","mediaUrl":"https://x.example/7.mp4"}'
    for name in ("media_withheld", "contract_media_withheld"):
        withheld: Any = {name: True}
        assert bare(metadata=metadata, original_path="o.png", **withheld)["metadata"] == {
            "name": "Seven",
            "traits": [],
        }


def test_the_type_of_the_fetched_bytes_goes_before_a_stated_one() -> None:
    stated = '{"imageUrl":"https://x.example/7","imageMediaType":"image/png"}'
    assert bare(metadata=stated, image_type="image/gif")["metadata"]["imageMediaType"] == "image/gif"
    # What was given as the image is a video: it is the animation.
    assert bare(metadata=stated, image_type="video/mp4")["metadata"] == {
        "imageUrl": "https://x.example/7",
        "mediaType": "video/mp4",
        "mediaUrl": "https://x.example/7",
        "traits": [],
    }


def test_an_nft_of_no_collection_has_no_counts_of_traits() -> None:
    side = Side(trait_counts={("T", "v"): 2})
    metadata = '{"traits":[{"traitType":"T","traitValue":"v"}]}'
    entry = {"traitType": "T", "traitValue": "v"}
    assert bare(side, metadata=metadata, contract_address="")["metadata"]["traits"] == [entry]
    assert bare(side, metadata=metadata, nft_count=4)["metadata"]["traits"] == [
        {**entry, "traitRarity": 2, "traitFrequency": 2, "traitPercentFrequency": 50}
    ]


def own(nft: Nft, address: str, amount: int, entered: int = 1, **fields: Any) -> None:
    """Store a holder."""
    Owner.objects.create(
        nft=nft,
        contract=nft.contract,
        address=address,
        amount=amount,
        entered_key=position_key(entered, entered),
        **fields,
    )


@pytest.mark.django_db
def test_owners_go_by_amount_then_by_entering_then_by_address() -> None:
    # Field report F51.
    nft = make_nft(make_contract(), owners_total=4)
    own(nft, CAROL, 5, entered=2)
    own(nft, BOB, 5, entered=1)
    own(nft, ALICE, 5, entered=2)
    own(nft, DEAD_ADDRESS, 10**70, entered=9)
    own(nft, "0x" + "ee" * 20, 0)
    record = records(nft)[0]
    assert [entry["address"] for entry in record["owners"]] == [DEAD_ADDRESS, BOB, ALICE, CAROL]
    assert record["owner"] == DEAD_ADDRESS
    assert record["owners"][0]["amount"] == "1" + "0" * 70


@pytest.mark.django_db
def test_at_most_100_owners_are_listed_and_the_rest_is_counted() -> None:
    nft = make_nft(make_contract(), owners_total=130)
    Owner.objects.bulk_create(
        Owner(nft=nft, contract=nft.contract, address=f"0x{number:040x}", amount=1 + number, entered_key="a")
        for number in range(130)
    )
    record = records(nft)[0]
    assert record["ownersTotal"] == 130
    assert [entry["amount"] for entry in record["owners"]] == [str(number) for number in range(130, 30, -1)]
    assert record["owner"] == f"0x{129:040x}"


@pytest.mark.django_db
def test_the_orderbook_lists_at_most_50_asks() -> None:
    nft, other = (make_nft(make_contract(on=chain)) for chain in ("ethereum", "polygon"))
    for price in range(60, 0, -1):
        make_ask(nft, str(price))
    make_ask(other, "1000000000000000000000000")
    assert records(nft, other)[0]["orderbook"] == [f"opensea,ETH,{price}" for price in range(1, 51)]
    assert records(nft, other)[1]["orderbook"] == ["opensea,ETH,1000000000000000000000000"]


@pytest.mark.django_db
def test_a_page_knows_when_the_first_of_its_asks_ends() -> None:
    nft = make_nft(make_contract())
    make_ask(nft, "1", valid_until=FOREVER)
    make_ask(nft, "1", valid_until=NOW)
    assert nft_records([nft.pk], now=NOW, links=LINKS, with_last=False).first_end is None
    make_ask(nft, "2", valid_until=NOW + 60)
    make_ask(nft, "3", valid_until=NOW + 30)
    assert nft_records([nft.pk], now=NOW, links=LINKS, with_last=False).first_end == NOW + 30


@pytest.mark.django_db
def test_the_last_transfer_is_added_only_when_asked_for() -> None:
    contract = make_contract()
    moved, unmoved = make_nft(contract, "1"), make_nft(contract, "2")
    make_transfer(moved, block=5)
    last = make_transfer(moved, block=6, usd_value=Decimal("1.5"))
    assert all("lastTransfer" not in record for record in records(moved, unmoved))
    with_last, without = records(moved, unmoved, with_last=True)
    assert with_last["lastTransfer"]["transactionHash"] == last.transaction_hash
    assert with_last["lastTransfer"]["usdValue"] == 1.5
    assert "lastTransfer" not in without


@pytest.mark.django_db
def test_records_come_in_the_order_asked_for() -> None:
    contract = make_contract()
    nfts = [make_nft(contract, str(number)) for number in range(5)]
    assert [record["tokenId"] for record in records(*nfts[::-1])] == ["4", "3", "2", "1", "0"]
    assert records() == []


@pytest.mark.django_db
def test_a_page_of_records_takes_at_most_five_queries(django_assert_max_num_queries) -> None:  # type: ignore[no-untyped-def]
    image = make_image(state="ready", original_path="o.png")
    contract = make_contract(nft_count=30)
    nfts = []
    for number in range(30):
        metadata = '{"traits":[{"traitType":"T","traitValue":"v"}]}'
        nft = make_nft(contract, str(number), owners_total=1, metadata=metadata, image=image)
        own(nft, ALICE, 1)
        make_trait(nft, "T", "v", count=30)
        make_ask(nft, "1")
        make_transfer(nft, block=number)
        nfts.append(nft)
    with django_assert_max_num_queries(5):
        found = records(*nfts, with_last=True)
    assert all(
        record["owner"] == ALICE
        and record["metadata"]["traits"][0]["traitFrequency"] == 30
        and record["orderbook"] == ["opensea,ETH,1"]
        and record["lastTransfer"]["tokenId"] == record["tokenId"]
        and record["metadata"]["imageCacheUrl"].endswith("/files/o.png")
        for record in found
    )
