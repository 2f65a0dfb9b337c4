"""What records show of what is loaded, and what they leave out. All else that follows from lines the oracle tells."""

from __future__ import annotations

import json

import pytest
from django.test import override_settings

from tests.builders import (
    ALICE,
    APES,
    BOB,
    CAROL,
    START,
    ZERO,
    ask,
    contract,
    nft,
    rate,
    transaction_hash,
    transfer,
)
from tests.conftest import Api
from tests.operations.promises import MINT, NOW, OTHER_MINT, given, only

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

CID = "QmNf1UsmdGaMbpatQ6toXSkzDpizaGmC9zfunCyoz1enD5"
TRANSACTION = "k0X-Nn3M1TM7vl3rX3xFWkGIvSXyEB5bvKxTCfAzpUE"


def test_a_record_of_which_everything_is_known(api: Api) -> None:
    given(
        contract(name="Apes", symbol="APE"),
        nft(
            "7",
            uri="ipfs://Qm/7",
            rarity=1.5,
            rank=3,
            native={"b": 1, "a_b": None, "C d": [1.5]},
            metadata={
                "name": "Ape #7",
                "description": "An ape.",
                "imageMediaType": "image/png",
                "imageUrl": "https://example.com/7.png",
                "mediaType": "video/mp4",
                "mediaUrl": "https://example.com/7.mp4",
            },
            traits=[("Fur", "Gold")],
        ),
        transfer("7", block=1, transactionFrom=CAROL, transferType="mint"),
        transfer("7", block=5, sender=ALICE, receiver=BOB, markets=["Blur"], transferType="sale"),
        ask("7", price="1.50", maker=BOB),
    )
    assert only(api.nfts()) == {
        "chain": "ethereum",
        "contractAddress": APES,
        "contractStandard": "ERC721",
        "tokenId": "7",
        "uri": "ipfs://Qm/7",
        "metadata": {
            "name": "Ape #7",
            "description": "An ape.",
            "imageMediaType": "image/png",
            "imageUrl": "https://example.com/7.png",
            "mediaType": "video/mp4",
            "mediaUrl": "https://example.com/7.mp4",
            "traits": [
                {
                    "traitType": "Fur",
                    "traitValue": "Gold",
                    "traitFrequency": 1,
                    "traitPercentFrequency": 100,
                    "traitRarity": 1,
                }
            ],
        },
        "owner": BOB,
        "owners": [
            {
                "address": BOB,
                "amount": "1",
                "enteredAtBlock": 5,
                "enteredAt": START + 60,
                "updatedAtBlock": 5,
                "updatedAt": START + 60,
            }
        ],
        "minter": CAROL,
        "markets": ["blur"],
        "orderbook": ["opensea,ETH,1.5"],
        "rarity": 1.5,
        "rank": 3,
        "native": {"b": 1, "a_b": None, "C d": [1.5]},
    }


def test_evm_addresses_are_shown_in_lower_case_and_base58_as_it_is(api: Api) -> None:
    given(
        nft("1", APES.upper().replace("X", "x"), owner=BOB.upper().replace("X", "x")),
        nft(MINT, None, "solana", owner=OTHER_MINT),
    )
    evm, solana = api.nfts(sortBy="tokenId")["data"]
    assert (evm["contractAddress"], evm["owner"]) == (APES, BOB)
    assert solana["owner"] == OTHER_MINT


def test_the_order_book_is_never_narrowed_by_a_marketplace(api: Api) -> None:
    given(ask("1", market="opensea", price="1.50"), ask("1", market="blur", price="3"))
    assert only(api.nfts(marketplaces="blur"))["orderbook"] == ["opensea,ETH,1.5", "blur,ETH,3"]


def test_an_empty_string_never_stands_for_unknown(api: Api) -> None:
    """F52: `order_hash: ""` in a required field; here what is unknown is absent."""
    given(
        nft("1", uri="", minter="", metadata={"name": "", "imageUrl": ""}),
        transfer("1", sender="", transferType="", markets=[]),
    )
    record = only(api.nfts(includeLastTransfer="true"))
    assert not {"uri", "minter", "contractStandard", "rarity"} & set(record)
    assert not {"name", "imageUrl"} & set(record["metadata"])
    assert not {"fromAddress", "transferType", "nftValue"} & set(record["lastTransfer"])


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (
            f"ipfs://{CID}/gm%20gm%20feelin%20blue%204k.png",
            f"https://ipfs.io/ipfs/{CID}/gm%20gm%20feelin%20blue%204k.png",
        ),
        (f"ipfs://ipfs/{CID}", f"https://ipfs.io/ipfs/{CID}"),
        (CID, f"https://ipfs.io/ipfs/{CID}"),
        (f"https://cloudflare-ipfs.com/ipfs/{CID}/1", f"https://ipfs.io/ipfs/{CID}/1"),
        (f"ar://{TRANSACTION}", f"https://arweave.net/{TRANSACTION}"),
        ("https://example.com/a b.png?x=%2F&y=é", "https://example.com/a b.png?x=%2F&y=é"),
        ("ipfs://no-cid/1.png", "ipfs://no-cid/1.png"),
    ],
)
def test_content_is_shown_at_the_public_gateway_and_other_urls_as_they_were_given(
    api: Api, url: str, shown: str
) -> None:
    """F72, F79: a URL was encoded twice, or stored with a gateway that was switched off later."""
    given(nft("1", uri=url, metadata={"imageUrl": url, "mediaUrl": url}))
    record = only(api.nfts())
    assert (record["uri"], record["metadata"]["imageUrl"], record["metadata"]["mediaUrl"]) == (shown,) * 3


def test_another_public_gateway_takes_effect_at_once(api: Api) -> None:
    """F79: what is stored knows no gateway; with none, content is shown as it is stored."""
    given(nft("1", uri=f"ipfs://{CID}/1"))
    with override_settings(IPFS_PUBLIC_GATEWAY="https://mine.example"):
        assert only(api.nfts())["uri"] == f"https://mine.example/ipfs/{CID}/1"
    with override_settings(IPFS_PUBLIC_GATEWAY=""):
        assert only(api.nfts())["uri"] == f"ipfs://{CID}/1"


@pytest.mark.parametrize(
    "metadata",
    [
        {"name": 7, "description": ["a"], "imageUrl": {}, "traits": {"a": "b"}},
        {
            "traits": [
                None,
                1,
                "x",
                {"traitType": "Hat"},
                {"traitValue": None},
                {"traitType": 1, "traitValue": "y"},
            ]
        },
        {"name": "\x00\ud800", "traits": [{"traitType": "\x00", "traitValue": "\ud800"}]},
        {"deep": json.loads("[" * 90 + "]" * 90)},
        {"traits": [{"traitType": str(number), "traitValue": number} for number in range(600)]},
    ],
)
def test_odd_metadata_never_breaks_a_page(api: Api, metadata: object) -> None:
    """F86: third-party documents hold anything."""
    given(nft("1", metadata=metadata), nft("2", metadata={"name": "fine"}))
    one, two = api.nfts(sortBy="tokenId")["data"]
    assert two["metadata"]["name"] == "fine"
    assert len(one["metadata"].get("traits", [])) <= 500


def test_a_transfer_of_which_everything_is_known(api: Api) -> None:
    given(
        rate("ETH", "2000.5", NOW - 3600),
        transfer(
            "7",
            block=5,
            sender=ALICE,
            receiver=BOB,
            timestamp=NOW,
            value="1500000000000000000",
            nftValue={"tokenAddress": ZERO, "tokenName": "Ether", "amount": "1500000000000000000"},
            isCommercial=True,
            markets=["opensea", "Gem"],
            transferType="sale",
            native={"gas_used": 5},
        ),
    )
    assert only(api.transfers(contractAddress=APES)) == {
        "contractAddress": APES,
        "tokenId": "7",
        "chain": "ethereum",
        "blockNumber": 5,
        "transactionHash": transaction_hash("ethereum", 5, 0),
        "fromAddress": ALICE,
        "toAddress": BOB,
        "value": "1500000000000000000",
        "nftValue": {"tokenAddress": ZERO, "tokenName": "Ether", "amount": "1500000000000000000"},
        "swaps": [],
        "usdValue": 3000.75,
        "ethValue": 1.5,
        "isCommercial": True,
        "amount": "1",
        "timestamp": NOW,
        "markets": ["opensea", "gem"],
        "native": {"gas_used": 5},
        "transferType": "sale",
    }
