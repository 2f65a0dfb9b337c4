"""The filters by contract, token id, chain and marks, alone and together."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import ALICE, APES, BOB, ask, chain, contract, nft, transfer
from tests.conftest import Api
from tests.operations.promises import COLLECTION, EVERY_ORDER, MINT, OTHER_MINT, given, ids, only, refused

pytestmark = pytest.mark.django_db


def test_one_contract_address_can_live_on_several_chains(api: Api) -> None:
    given(nft("1"), nft("2", on="polygon"), nft("3", ALICE))
    assert ids(api.nfts(contractAddress=APES, sortBy="tokenId")) == ["1", "2"]
    assert ids(api.nfts(contractAddress=APES, chain="polygon")) == ["2"]
    assert [record["chain"] for record in api.nfts(contractAddress=APES, sortBy="tokenId")["data"]] == [
        "ethereum",
        "polygon",
    ]


@pytest.mark.parametrize("order", EVERY_ORDER)
def test_token_ids_on_any_contract_hold_beside_a_price(api: Api, order: str) -> None:
    given(nft("1"), nft("2"), nft("1", ALICE), *(ask(token_id, price="1") for token_id in ("1", "2")))
    assert ids(api.nfts(tokenId="1", priceFilter="eth,,2", sortBy=order)) == ["1"]
    assert ids(api.nfts(tokenId="1", priceFilter="eth,,2", marketplaces="opensea", sortBy=order)) == ["1"]


def test_a_collection_is_found_exactly_or_as_the_only_one_in_other_letter_case(api: Api) -> None:
    given(nft(MINT, COLLECTION, "solana"))
    other_case = COLLECTION.swapcase()
    assert ids(api.nfts(contractAddress=COLLECTION)) == [MINT]
    assert ids(api.nfts(contractAddress=other_case)) == [MINT], "the only one"
    given(nft(OTHER_MINT, COLLECTION.upper(), "solana"))
    assert ids(api.nfts(contractAddress=COLLECTION)) == [MINT], "an exact match wins"
    assert ids(api.nfts(contractAddress=other_case)) == [], "one of two: nobody knows which"


@pytest.mark.parametrize("malformed", ["0x123", "punks", "0x" + "g" * 40, APES + "00", "a b.eth", MINT[:31]])
@pytest.mark.parametrize("operation", ["nfts", "transfers"])
def test_what_is_no_address_and_no_name_is_refused(api: Api, operation: str, malformed: str) -> None:
    faults = refused(api, operation=operation, contractAddress=malformed)
    assert faults == [("contractAddress", "invalid")]


def test_token_ids_are_decimal_or_hexadecimal_or_mints(api: Api) -> None:
    given(nft("255"), nft(MINT, None, "solana"))
    assert ids(api.nfts(tokenId="0xff")) == ["255"]
    assert ids(api.nfts(tokenId=f"0255,{MINT}", sortBy="tokenId")) == ["255", MINT]
    assert ids(api.nfts(tokenId=MINT, chain="solana")) == [MINT]


def test_the_chain_decides_what_a_token_id_is(api: Api) -> None:
    digits = "1" * 32  # 32 zero bytes in base58, and a number
    given(nft(digits), nft("1" * 31 + "2", None, "solana"))
    assert ids(api.nfts(tokenId=digits)) == [digits], "without a chain all digits are an integer"
    assert refused(api, tokenId=MINT, chain="ethereum") == [("tokenId", "invalid")]
    assert refused(api, tokenId="255", chain="solana") == [("tokenId", "invalid")]
    assert api.nfts(tokenId=digits, chain="solana") == {"data": []}


@pytest.mark.parametrize(
    "bad", [str(2**256), hex(2**256), "-1", "1.5", MINT + "z", MINT[:-1] + "0", "l" * 32]
)
def test_anything_else_is_no_token_id(api: Api, bad: str) -> None:
    assert refused(api, tokenId=f"1,{bad}") == [("tokenId", "invalid")]
    assert refused(api, excludedTokenIds=f"1,{bad}") == [("excludedTokenIds", "invalid")]


def test_the_largest_token_id_is_one(api: Api) -> None:
    given(nft(str(2**256 - 1)))
    assert ids(api.nfts(tokenId="0x" + "f" * 64)) == [str(2**256 - 1)]


def test_token_ids_need_no_contract(api: Api) -> None:
    given(nft("1"), nft("1", ALICE), nft("1", on="polygon"), nft("2"))
    found = api.nfts(tokenId="1")["data"]
    assert len({(record["chain"], record["contractAddress"]) for record in found}) == len(found) == 3


def test_excluded_token_ids_are_left_out_of_every_contract(api: Api) -> None:
    given(nft("1"), nft("1", ALICE), nft("2"), nft("3"))
    assert ids(api.nfts(excludedTokenIds="1,3,0x3")) == ["2"]
    assert ids(api.nfts(tokenId="1,2", excludedTokenIds="1")) == ["2"]


@pytest.mark.parametrize("alias", ["ethereum", "Ethereum", "1", "eip155:1", "EIP155:1"])
def test_an_evm_chain_is_known_by_name_number_and_caip_2(api: Api, alias: str) -> None:
    given(transfer("1"), transfer("2", on="polygon"))
    assert ids(api.nfts(chain=alias)) == ["1"]
    assert ids(api.transfers(chain=alias, contractAddress=APES)) == ["1"]


def test_a_chain_that_a_line_registered_is_known(api: Api) -> None:
    given(chain("mychain", chainId=424242, nativeCurrency="MYC"), nft("1", on="mychain"))
    for name in ("mychain", "424242", "eip155:424242"):
        assert only(api.nfts(chain=name))["chain"] == "mychain"


@pytest.mark.parametrize("operation", ["nfts", "transfers"])
def test_an_unknown_chain_is_refused_and_the_known_ones_are_listed(api: Api, operation: str) -> None:
    query = {"contractAddress": APES, "chain": "etherium"}
    assert refused(api, operation=operation, **query) == [("chain", "invalid_choice")]
    detail = api.get(f"{api.base}/{operation}/by-token", query).json()["errors"][0]["detail"]
    for slug in ("ethereum", "polygon", "solana"):
        assert slug in detail


def test_closed_sets_refuse_and_open_sets_match_nothing(api: Api) -> None:
    given(nft("1"))
    for name, value in (("chain", "nope"), ("sortBy", "nope"), ("priceFilter", "nope,,")):
        assert refused(api, **{name: value}) == [(name, "invalid_choice")]
    for name, value in (("tokenId", "2"), ("traits", "No-pe"), ("marketplaces", "nope")):
        assert api.nfts(**{name: value}) == {"data": []}


def test_marks_of_the_nft_and_of_its_contract_count_alike(api: Api) -> None:
    given(nft("1", marked=True), nft("2"), nft("3", ALICE), contract(ALICE, marked=True))
    assert ids(api.nfts(excludeMarkedNfts="true")) == ["2"]
    given(nft("4", ALICE))
    assert ids(api.nfts(excludeMarkedNfts="true")) == ["2"], "also one that came after the mark"


def test_every_filter_must_hold(api: Api) -> None:
    hat = [("Hat", "Cap")]
    given(
        transfer("1", block=1, markets=["blur"]),
        nft("1", traits=hat),
        transfer("2", block=2, markets=["opensea"]),
        nft("2", traits=hat),
        transfer("3", block=3, markets=["blur"]),
        transfer("4", block=4, markets=["blur"]),
        nft("4", traits=hat, marked=True),
        transfer("5", block=5, markets=["blur"]),
        nft("5", traits=[*hat, ("Fur", "Red")]),
        transfer("6", on="polygon", markets=["blur"]),
        nft("6", on="polygon", traits=hat),
    )
    query = {"traits": "Hat-Cap", "marketplaces": "blur", "contractAddress": APES}
    assert ids(api.nfts(**query, sortBy="tokenId")) == ["1", "4", "5", "6"]
    narrowed = {**query, "chain": "1", "excludeMarkedNfts": "", "excludedTraits": "Fur-Red"}
    assert ids(api.nfts(**narrowed)) == ["1"]
    assert ids(api.nfts(**narrowed, excludedTokenIds="1")) == []


def test_transfers_need_a_contract(api: Api) -> None:
    for query in ("", "contractAddress=", "tokenId=1"):
        assert refused(api, query, operation="transfers") == [("contractAddress", "required")]


def test_transfers_of_one_token_or_of_the_whole_contract(api: Api) -> None:
    given(transfer("1", block=1), transfer("2", block=2), transfer("1", block=3, sender=ALICE, receiver=BOB))
    assert ids(api.transfers(contractAddress=APES)) == ["1", "2", "1"]
    assert ids(api.transfers(contractAddress=APES, tokenId="0x1")) == ["1", "1"]
    assert ids(api.transfers(contractAddress=APES, tokenId="")) == ["1", "2", "1"]


def test_transfers_of_a_mint_by_the_collection_or_the_mint_itself(api: Api) -> None:
    moved: dict[str, Any] = {
        "on": "solana",
        "sender": None,
        "receiver": OTHER_MINT,
        "transactionHash": "5" * 87,
    }
    given(transfer(MINT, COLLECTION, **moved))
    assert ids(api.transfers(contractAddress=COLLECTION)) == [MINT]
    assert ids(api.transfers(contractAddress=MINT)) == [MINT]
    assert ids(api.transfers(contractAddress=MINT, tokenId=MINT, chain="solana")) == [MINT]
