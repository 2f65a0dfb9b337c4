"""What each method answers, by examples with real values."""

from __future__ import annotations

import json
from typing import Any

import pytest

from compat.chains import checksummed
from indexing.models import Block
from tests.builders import ALICE, APES, BOB, CAROL, START, ZERO, ask, contract, nft, transfer
from tests.compat.client import Alchemy
from tests.compat.sales import sale
from tests.indexed import a_block, a_checkpoint
from tests.operations.promises import EDITIONS, NOW, USDC, WETH, given
from transfers.models import Transfer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

PUNKS = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"
BIG = str(2**256 - 1)


def test_addresses_have_the_letter_case_of_eip_55() -> None:
    """The examples of the EIP itself, and of a payload of theirs."""
    for address in (
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
        "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
        "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
        "0xb47e3cd837dDF8e4c57F05d70Ab865de6e193BBB",
    ):
        assert checksummed(address.lower()) == address


@pytest.mark.parametrize("chain", ["eth-mainnet", "ETH-MAINNET", "ethereum", "Ethereum", "1", "eip155:1"])
def test_a_chain_goes_by_their_hosts_name_and_by_ours(alchemy: Alchemy, chain: str) -> None:
    given(contract(APES, name="Apes", symbol="APE"))
    assert alchemy.get("getContractMetadata", chain, contractAddress=APES)["name"] == "Apes"


@pytest.mark.parametrize(
    "chain", ["moonbeam-mainnet", "solana", "eip155:999999", "99999999999999999999", "%00"]
)
def test_a_chain_that_is_none_of_evm_here_is_not_found(alchemy: Alchemy, chain: str) -> None:
    status, error = alchemy.refused("getContractMetadata", chain, contractAddress=APES)
    assert (status, error["errors"][0]["code"]) == (404, "not_found")


def test_a_contract_has_what_is_known_and_null_for_the_rest(alchemy: Alchemy) -> None:
    given(
        contract(APES, name="Apes", symbol="APE"),
        nft("1"),
        nft("2"),
        ask("1", price="0.5"),
        ask("2", price="0.7"),
    )
    found = alchemy.get("getContractMetadata", contractAddress=APES.upper().replace("X", "x"))
    assert found["address"].lower() == APES
    assert (found["name"], found["symbol"], found["totalSupply"]) == ("Apes", "APE", "2")
    assert (found["tokenType"], found["contractDeployer"], found["deployedBlockNumber"]) == (
        "ERC721",
        None,
        None,
    )
    assert found["openSeaMetadata"]["floorPrice"] == 0.5
    assert found["openSeaMetadata"]["lastIngestedAt"] is None


def test_an_unknown_contract_has_its_address_alone(alchemy: Alchemy) -> None:
    found = alchemy.get("getContractMetadata", contractAddress=APES)
    assert found.pop("address").lower() == APES
    assert found.pop("tokenType") == "NO_SUPPORTED_NFT_STANDARD"
    assert set(found.pop("openSeaMetadata").values()) | set(found.values()) == {None}


@pytest.mark.parametrize(
    ("standard", "told"),
    [
        ("ERC721", "ERC721"),
        ("ERC1155", "ERC1155"),
        ("CryptoKitties", "ERC721"),
        ("CryptoPunks", "NO_SUPPORTED_NFT_STANDARD"),
    ],
)
def test_the_standard_is_told_in_their_words(alchemy: Alchemy, standard: str, told: str) -> None:
    given(contract(APES, standard=standard), nft("1"))
    found = alchemy.get("getNFTMetadata", contractAddress=APES, tokenId="1")
    assert (found["tokenType"], found["contract"]["tokenType"]) == (told, told)
    assert (found["contract"]["totalSupply"] is None) == (told == "ERC1155"), "as theirs of an ERC1155"


def test_contracts_come_as_they_are_asked_for_also_twice_and_unknown(alchemy: Alchemy) -> None:
    given(contract(APES, name="Apes"), contract(EDITIONS, name="Editions", standard="ERC1155"))
    body = {"contractAddresses": [EDITIONS, ALICE, APES, EDITIONS]}
    found = alchemy.post("getContractMetadataBatch", body)["contracts"]
    assert [one["name"] for one in found] == ["Editions", None, "Apes", "Editions"]


def test_an_nft_has_metadata_as_shown_and_as_stated(alchemy: Alchemy) -> None:
    cid = "QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq"
    given(
        contract(APES, name="Apes"),
        nft(
            "7",
            uri=f"ipfs://{cid}/7",
            metadata={"name": "Ape 7", "description": "An ape.", "imageUrl": f"ipfs://{cid}/7.png"},
            traits=[("Fur", "Brown"), ("Level", 5)],
        ),
        transfer("7", block=3, receiver=ALICE),
        transfer("7", block=9, sender=ALICE, receiver=BOB),
    )
    found = alchemy.get(
        "getNFTMetadata", contractAddress=APES, tokenId="0x7", refreshCache="true", tokenType="ERC721"
    )
    assert (found["tokenId"], found["name"], found["description"]) == ("7", "Ape 7", "An ape.")
    assert found["tokenUri"] == f"https://ipfs.io/ipfs/{cid}/7"
    assert found["image"]["originalUrl"] == f"https://ipfs.io/ipfs/{cid}/7.png"
    assert found["raw"] == {
        "tokenUri": f"ipfs://{cid}/7",
        "metadata": {
            "name": "Ape 7",
            "description": "An ape.",
            "image": f"ipfs://{cid}/7.png",
            "attributes": [{"value": "Brown", "trait_type": "Fur"}, {"value": 5, "trait_type": "Level"}],
        },
        "error": None,
    }
    assert found["collection"]["name"] == "Apes"
    assert found["mint"]["mintAddress"].lower() == ALICE
    assert (found["mint"]["blockNumber"], found["mint"]["timestamp"]) == (3, "2020-09-13T12:27:16Z")


def test_an_unknown_token_is_told_in_its_error(alchemy: Alchemy) -> None:
    given(contract(APES, name="Apes"))
    found = alchemy.get("getNFTMetadata", contractAddress=APES, tokenId="404")
    assert (found["tokenId"], found["name"], found["contract"]["name"]) == ("404", None, "Apes")
    assert found["raw"] == {"tokenUri": None, "metadata": {}, "error": "Token does not exist"}


def test_a_batch_takes_token_ids_as_texts_numbers_and_big_numbers(alchemy: Alchemy) -> None:
    given(*(nft(token, metadata={"name": f"#{token}"}) for token in ("1", "2", BIG)))
    ids = ["0x1", 2, {"type": "BigNumber", "hex": hex(2**256 - 1)}, BIG, "3"]
    body = {"tokens": [{"contractAddress": APES, "tokenId": one} for one in ids], "refreshCache": False}
    found = alchemy.post("getNFTMetadataBatch", body)["nfts"]
    assert [one["name"] for one in found] == ["#1", "#2", f"#{BIG}", f"#{BIG}", None]


def test_withheld_media_are_in_no_record(alchemy: Alchemy) -> None:
    url = "https://example.com/taken-down.png"
    given(
        nft(
            "1",
            uri=url,
            metadata={"name": "One", "imageUrl": url, "description": f"See {url}"},
            traits=[("Link", url)],
        ),
        {
            "record": "takedown",
            "chain": "ethereum",
            "contractAddress": APES,
            "tokenId": "1",
            "reason": "asked",
        },
    )
    found = alchemy.client.get(alchemy.path("getNFTMetadata"), {"contractAddress": APES, "tokenId": "1"})
    assert found.status_code == 200
    assert b"taken-down" not in found.content
    assert found.json()["name"] == "One"


def test_a_marked_contract_is_spam(alchemy: Alchemy) -> None:
    given(contract(APES, marked=True, markedReason="copy"), nft("1"))
    found = alchemy.get("getNFTMetadata", contractAddress=APES, tokenId="1")["contract"]
    assert (found["isSpam"], found["spamClassifications"]) == (True, [])


def test_nfts_of_a_contract_go_by_token_id_from_any_token_on(alchemy: Alchemy) -> None:
    given(*(nft(token) for token in ("10", "2", "1", BIG)), nft("1", on="polygon"))
    page = alchemy.get("getNFTsForContract", contractAddress=APES, limit=2)
    assert [one["tokenId"] for one in page["nfts"]] == ["1", "2"]
    assert page["pageKey"] == "0xa", "the next token's id: it may be passed as startToken, as theirs"
    for name in ("pageKey", "startToken"):
        rest = alchemy.get("getNFTsForContract", contractAddress=APES, **{name: page["pageKey"]})
        assert [one["tokenId"] for one in rest["nfts"]] == ["10", BIG]
        assert rest["pageKey"] is None
    bare = alchemy.get("getNFTsForContract", contractAddress=APES, startToken="3", withMetadata="false")
    assert [list(one) for one in bare["nfts"]] == [["contractAddress", "tokenId"]] * 2


def test_a_walk_takes_in_what_is_minted_meanwhile(alchemy: Alchemy) -> None:
    given(*(nft(str(token)) for token in range(0, 20, 2)))
    later = iter(range(1, 20, 2))
    found = alchemy.walked(
        "getNFTsForContract",
        "nfts",
        between=lambda: given(nft(str(next(later)))),
        contractAddress=APES,
        limit=3,
    )
    ids = [int(one["tokenId"]) for one in found]
    assert ids == sorted(set(ids))
    assert set(range(0, 20, 2)) <= set(ids)


def test_owners_of_an_nft_page_by_units(alchemy: Alchemy) -> None:
    given(
        contract(EDITIONS, standard="ERC1155"),
        *(
            transfer("1", EDITIONS, block=place, receiver=who, amount=units)
            for place, (who, units) in enumerate(
                [(ALICE, "3"), (BOB, "5"), (CAROL, "5"), ("0x" + "9" * 40, "1")], 1
            )
        ),
        transfer("1", EDITIONS, block=9, sender="0x" + "9" * 40, receiver=ALICE, amount="1"),
    )
    whole = alchemy.get("getOwnersForNFT", contractAddress=EDITIONS, tokenId="1")
    assert [one.lower() for one in whole["owners"]] == [BOB, CAROL, ALICE], (
        "who has none any more is no owner"
    )
    assert whole["pageKey"] is None
    one_by_one = alchemy.walked(
        "getOwnersForNFT", "owners", contractAddress=EDITIONS, tokenId="1", pageSize=1
    )
    assert one_by_one == whole["owners"]


def test_floors_are_of_live_asks_in_the_chains_currency(alchemy: Alchemy) -> None:
    given(
        contract(APES),
        nft("1"),
        ask("1", price="0.9"),
        ask("1", price="0.8", currency="WETH"),
        ask("1", price="0.1", currency="USDC"),
        ask("1", price="0.2", validUntil=NOW),
        ask("1", price="0.3", market="blur"),
    )
    found = alchemy.get("getFloorPrice", contractAddress=APES)
    assert (found["openSea"]["floorPrice"], found["openSea"]["priceCurrency"]) == (0.8, "ETH")
    assert found["openSea"]["error"] is None
    assert found["looksRare"]["error"] == "unable to fetch floor price"
    assert found["looksRare"]["floorPrice"] is None


def test_rarities_are_shares_of_the_known_nfts(alchemy: Alchemy) -> None:
    given(
        nft("1", traits=[("Fur", "Brown"), ("", 5)]), nft("2", traits=[("Fur", "Brown")]), nft("3"), nft("4")
    )
    assert alchemy.get("computeRarity", contractAddress=APES, tokenId="1") == {
        "rarities": [
            {"value": "Brown", "traitType": "Fur", "prevalence": 0.5, "count": 2},
            {"value": "5", "traitType": "", "prevalence": 0.25, "count": 1},
        ]
    }
    assert alchemy.get("computeRarity", contractAddress=APES, tokenId="9") == {"rarities": []}
    found = alchemy.get("summarizeNFTAttributes", contractAddress=APES)
    assert found["summary"] == {"": {"5": 1}, "Fur": {"Brown": 2}}
    assert found["totalSupply"] == "4"


def test_a_contract_with_too_many_values_is_refused(
    alchemy: Alchemy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("compat.traits.CHEAP", 1)
    monkeypatch.setattr("compat.traits.MOST", 2)
    given(*(nft(str(number), traits=[("Serial", number)]) for number in range(2)))
    assert alchemy.get("summarizeNFTAttributes", contractAddress=APES)["summary"] == {
        "Serial": {"0": 1, "1": 1}
    }
    given(nft("2", traits=[("Serial", 2)]))
    status, error = alchemy.refused("summarizeNFTAttributes", contractAddress=APES)
    assert status == 400
    assert error["message"].startswith("contractAddress: Too expensive")


def test_a_sale_has_its_price_and_who_took_the_order(alchemy: Alchemy) -> None:
    value = {"tokenAddress": WETH, "amount": "1500000000000000000"}
    given(sale("1", block=15_000_000, log=7, nftValue=value, transactionFrom=BOB))
    (found,) = alchemy.get("getNFTSales", contractAddress=APES)["nftSales"]
    assert found["sellerFee"] == {
        "amount": "1500000000000000000",
        "tokenAddress": checksummed(WETH),
        "symbol": "WETH",
        "decimals": 18,
    }
    assert found["protocolFee"] == dict.fromkeys(found["sellerFee"])
    assert (found["buyerAddress"].lower(), found["sellerAddress"].lower()) == (CAROL, BOB)
    assert (found["taker"], found["marketplace"], found["quantity"]) == ("SELLER", "seaport", "1")
    assert (found["blockNumber"], found["logIndex"], found["bundleIndex"]) == (15_000_000, 7, 0)


def test_a_price_is_split_as_the_event_told_it_and_the_parts_come_to_it(alchemy: Alchemy) -> None:
    given(sale("1", nftValue={"tokenAddress": ZERO, "amount": "100"}), sale("2", block=2))
    parts = [("seller", "90"), ("royalty", "5"), ("royalty", "1"), ("protocol", "3"), ("other", "1")]
    shares = json.dumps([(role, amount, None) for role, amount in parts])
    Transfer.objects.filter(block_number=1).update(shares=shares)
    priced, bundled = alchemy.get("getNFTSales", contractAddress=APES)["nftSales"]
    names = ("sellerFee", "protocolFee", "royaltyFee", "otherFee", "price")
    assert [priced[name]["amount"] for name in names] == ["90", "3", "6", "1", "100"]
    assert {priced[name]["symbol"] for name in names} == {"ETH"}
    assert [bundled[name]["amount"] for name in names] == [None] * 5, "one price of several is not split"


def test_opensea_is_wyvern_before_the_first_seaport(alchemy: Alchemy) -> None:
    given(sale("1", block=14_946_473), sale("1", block=14_946_474), sale("2", block=5, markets=[]))
    found = alchemy.get("getNFTSales", contractAddress=APES, order="desc")["nftSales"]
    assert [one["marketplace"] for one in found] == ["seaport", "wyvern", "unknown"]
    for name in ("seaport", "wyvern", "unknown"):
        only = alchemy.get("getNFTSales", contractAddress=APES, marketplace=name.upper())["nftSales"]
        assert [one["marketplace"] for one in only] == [name]
    assert alchemy.get("getNFTSales", marketplace="no-such")["nftSales"] == []


def test_a_page_that_looks_at_enough_ends_and_goes_on(
    alchemy: Alchemy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("compat.lists.LOOKED_AT", 3)
    given(
        *(
            sale(str(block), block=block, markets=["blur" if block in (5, 9) else "x2y2"])
            for block in range(1, 11)
        )
    )
    first = alchemy.get("getNFTSales", contractAddress=APES, marketplace="blur")
    assert (first["nftSales"], first["pageKey"] is None) == ([], False)
    for limit in (1, 2, 1000):
        found = alchemy.walked(
            "getNFTSales", "nftSales", contractAddress=APES, marketplace="blur", limit=limit
        )
        assert [one["blockNumber"] for one in found] == [5, 9]


def test_blocks_are_decimal_hexadecimal_or_latest_and_both_ends_count(alchemy: Alchemy) -> None:
    given(*(sale(str(block), block=block) for block in (10, 11, 12)))

    def blocks(**parameters: Any) -> list[int]:
        return [one["blockNumber"] for one in alchemy.get("getNFTSales", **parameters)["nftSales"]]

    assert blocks() == [10, 11, 12]
    assert blocks(fromBlock="0xb", toBlock="latest") == [11, 12]
    assert blocks(fromBlock="10", toBlock="11", order="DESC") == [11, 10]
    assert blocks(fromBlock="12", toBlock="11") == []
    assert blocks(fromBlock="latest") == []


def test_an_answer_says_up_to_which_block_it_holds(alchemy: Alchemy) -> None:
    given(contract(APES))
    a_checkpoint(12, at=START)
    assert Block.objects.count() == 0
    held = {"blockNumber": 12, "blockHash": None, "blockTimestamp": "2020-09-13T12:26:40Z"}
    assert alchemy.get("getNFTSales", contractAddress=APES)["validAt"] == held
    block = a_block(12)
    assert alchemy.get("getNFTSales", contractAddress=APES)["validAt"] == {**held, "blockHash": block.hash}


def test_a_currency_that_is_not_known_has_what_its_contract_says(alchemy: Alchemy) -> None:
    given(
        sale("1", nftValue={"tokenAddress": USDC, "amount": "5"}),
        sale("2", block=2, nftValue={"tokenAddress": PUNKS, "amount": "5"}),
    )
    found = alchemy.get("getNFTSales")["nftSales"]
    assert [(one["sellerFee"]["symbol"], one["sellerFee"]["decimals"]) for one in found] == [
        ("USDC", 6),
        (None, None),
    ]


def test_a_bundle_has_no_price_of_its_own(alchemy: Alchemy) -> None:
    given(sale("1"))
    (found,) = alchemy.get("getNFTSales")["nftSales"]
    assert set(found["sellerFee"].values()) == {None}
    assert found["buyerAddress"] != ZERO
