"""What an NFT's record shows, and what it leaves out."""

from __future__ import annotations

import pytest

from tests.builders import ALICE, APES, BOB, CAROL, START, ZERO, ask, contract, nft, rate, transfer
from tests.conftest import Api
from tests.operations.promises import EDITIONS, MINT, NOW, OTHER_MINT, given, only

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

SYSTEM_PROGRAM = "1" * 32


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


def test_what_is_unknown_is_left_out_and_never_null(api: Api) -> None:
    given(nft("7"))
    assert only(api.nfts(includeLastTransfer="true")) == {
        "chain": "ethereum",
        "contractAddress": APES,
        "tokenId": "7",
        "owner": ZERO,
    }


def test_nobody_on_a_mint_identified_chain_is_the_system_program(api: Api) -> None:
    given(nft(MINT, None, "solana"))
    assert only(api.nfts()) == {"chain": "solana", "tokenId": MINT, "owner": SYSTEM_PROGRAM}


def test_evm_addresses_are_shown_in_lower_case_and_base58_as_it_is(api: Api) -> None:
    given(
        nft("1", APES.upper().replace("X", "x"), owner=BOB.upper().replace("X", "x")),
        nft(MINT, None, "solana", owner=OTHER_MINT),
    )
    evm, solana = api.nfts(sortBy="tokenId")["data"]
    assert (evm["contractAddress"], evm["owner"]) == (APES, BOB)
    assert solana["owner"] == OTHER_MINT


@pytest.mark.parametrize("native", [0, False, [], "", {"a": {"b": [None]}}, 2**70, "text", [1, 1.0, "é\x00"]])
def test_native_is_any_json_as_the_source_gave_it(api: Api, native: object) -> None:
    given(nft("1", native=native), transfer("1", native=native))
    record = only(api.nfts(includeLastTransfer="true"))
    for shown in (record, record["lastTransfer"]):
        assert shown["native"] == native
        assert type(shown["native"]) is type(native)


def test_several_holders_go_by_amount_then_by_entering_then_by_address(api: Api) -> None:
    given(
        contract(EDITIONS, standard="ERC1155"),
        transfer("1", EDITIONS, block=1, receiver=CAROL, amount="2"),
        transfer("1", EDITIONS, block=2, receiver=ALICE, amount="2"),
        transfer("1", EDITIONS, block=3, receiver=BOB, amount="3"),
    )
    record = only(api.nfts())
    assert record["owner"] == BOB
    assert [(owner["address"], owner["amount"]) for owner in record["owners"]] == [
        (BOB, "3"),
        (CAROL, "2"),
        (ALICE, "2"),
    ]


def test_the_first_block_and_time_of_an_owner_survive_selling_and_buying_back(api: Api) -> None:
    given(
        contract(),
        transfer("1", block=1, receiver=ALICE),
        transfer("1", block=2, sender=ALICE, receiver=BOB),
        transfer("1", block=9, sender=BOB, receiver=ALICE),
    )
    (owner,) = only(api.nfts())["owners"]
    assert (owner["enteredAtBlock"], owner["enteredAt"]) == (1, START + 12)
    assert (owner["updatedAtBlock"], owner["updatedAt"]) == (9, START + 108)


def test_owners_are_empty_when_nobody_holds_it_and_absent_when_it_is_not_known(api: Api) -> None:
    given(nft("1"), nft("2", owners=[]), nft("3", owner=ZERO))
    one, two, three = api.nfts(sortBy="tokenId")["data"]
    assert "owners" not in one
    assert (two["owners"], two["owner"]) == ([], ZERO)
    assert (three["owners"], three["owner"]) == ([], ZERO)


def test_the_minter_is_the_sender_of_the_minting_transaction(api: Api) -> None:
    given(
        transfer("1", transactionFrom=CAROL),
        transfer("2", block=2),
        nft("3", minter=ZERO),
        nft("4", minter=BOB),
        transfer("5", block=5, sender=ALICE, receiver=BOB, transactionFrom=CAROL),
    )
    found = {record["tokenId"]: record.get("minter") for record in api.nfts()["data"]}
    assert found == {"1": CAROL, "2": None, "3": None, "4": BOB, "5": None}


def test_the_last_transfer_has_the_shape_of_a_transfer_record(api: Api) -> None:
    given(
        rate("ETH", "2000"),
        transfer("1", block=1),
        transfer("1", block=2, sender=ALICE, receiver=BOB, value="5"),
    )
    record = only(api.nfts(includeLastTransfer="true"))
    assert record["lastTransfer"] == api.transfers(contractAddress=APES)["data"][0]
    assert "lastTransfer" not in only(api.nfts())


def test_markets_are_those_it_was_ever_transferred_on_and_stated_ones(api: Api) -> None:
    given(
        transfer("1", block=1, markets=["OpenSea"]),
        transfer("1", block=2, sender=ALICE, receiver=BOB, markets=["blur", "opensea"]),
        nft("1", markets=["Foundation"]),
        ask("1", market="looksrare"),
    )
    assert sorted(only(api.nfts())["markets"]) == ["blur", "foundation", "opensea"]


def test_the_order_book_lists_live_asks_cheapest_first_as_plain_text(api: Api) -> None:
    given(
        rate("ETH", "2000"),
        rate("USDC", "1"),
        ask("1", price="1.500", market="OpenSea"),
        ask("1", price="2000", currency="usdc", market="blur"),
        ask("1", price="0.000000000000000001", currency="WETH", market="x2y2"),
        ask("1", price="100", currency="DOUBLOON"),
        ask("1", price="0.1", validUntil=NOW),
    )
    assert only(api.nfts())["orderbook"] == [
        "x2y2,WETH,0.000000000000000001",
        "blur,USDC,2000",
        "opensea,ETH,1.5",
        "opensea,DOUBLOON,100",
    ]


def test_the_order_book_lists_at_most_fifty_asks(api: Api) -> None:
    given(*(ask("1", price=str(price)) for price in range(60, 0, -1)))
    assert only(api.nfts())["orderbook"] == [f"opensea,ETH,{price}" for price in range(1, 51)]


def test_an_absurd_price_is_shown_in_full(api: Api) -> None:
    given(ask("1", price="9" + "0" * 58))
    assert only(api.nfts())["orderbook"] == ["opensea,ETH,9" + "0" * 58]


def test_frequencies_are_of_the_contracts_known_nfts(api: Api) -> None:
    """3 of 4 known NFTs have a cap: 75 percent, and a rarity of 4 / 3; another contract's cap does not count."""
    given(
        *(nft(str(number), traits=[("Hat", "Cap")]) for number in range(3)),
        nft("3"),
        nft("1", BOB, traits=[("Hat", "Cap")]),
    )
    (trait,) = only(api.nfts(contractAddress=APES, tokenId="1"))["metadata"]["traits"]
    assert (trait["traitFrequency"], trait["traitPercentFrequency"]) == (3, 75)
    assert trait["traitRarity"] == pytest.approx(4 / 3)


def test_stated_frequencies_hold_until_rarity_is_computed(api: Api) -> None:
    stated = {"traitFrequency": 46, "traitPercentFrequency": 0.46, "traitRarity": 217.39}
    given(nft("1", metadata={"traits": [{"traitType": "Fur", "traitValue": "Gold", **stated}]}))
    (trait,) = only(api.nfts())["metadata"]["traits"]
    assert trait == {"traitType": "Fur", "traitValue": "Gold", **stated}


def test_a_description_is_cut_at_ten_kilobytes(api: Api) -> None:
    given(nft("1", metadata={"description": "é" * 9000}))
    shown = only(api.nfts())["metadata"]["description"]
    assert shown != "é" * 9000
    assert 9990 <= len(shown.encode()) <= 10_240


def test_at_most_five_hundred_traits_are_shown(api: Api) -> None:
    given(nft("1", traits=[("Number", number) for number in range(501)]))
    shown = only(api.nfts())["metadata"]["traits"]
    assert [trait["traitValue"] for trait in shown] == list(range(500))


def test_slots_signatures_and_instructions_stand_for_blocks_hashes_and_logs(api: Api) -> None:
    signature = "5" * 87
    given(
        transfer(
            MINT,
            None,
            "solana",
            block=250_000_000,
            log=3,
            timestamp=NOW - 5,
            transactionHash=signature,
            sender=None,
            receiver=OTHER_MINT,
        )
    )
    record = only(api.transfers(contractAddress=MINT))
    assert (record["blockNumber"], record["transactionHash"]) == (250_000_000, signature)
    assert (record["tokenId"], record["toAddress"]) == (MINT, OTHER_MINT)
