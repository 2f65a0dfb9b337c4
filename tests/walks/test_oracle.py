"""The oracle itself, on small worlds whose right answers follow from the rules by reasoning."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import (
    ALICE,
    APES,
    BOB,
    START,
    ZERO,
    ask,
    contract,
    ens,
    nft,
    rate,
    transfer,
)
from tests.oracle.model import Oracle
from tests.oracle.text import base58_decode, base58_encode, split_list, value_text

NOW = START + 1_000_000
MINT = base58_encode(b"\x07" * 32)


def ids(oracle: Oracle, now: int = NOW, **params: Any) -> list[str]:
    """Token ids of NFTs by Token."""
    return [item.identity[2] for item in oracle.nfts(params, now)]  # type: ignore[misc]


# reading


@pytest.mark.parametrize(
    ("given", "entries"),
    [
        ("a,b", ["a", "b"]),
        (["a,b", "c"], ["a", "b", "c"]),
        ('"a, b" , c', ["a, b", "c"]),
        ('"say ""x""",y', ['say "x"', "y"]),
        ('un"quoted"', ['un"quoted"']),
        ('"",  ,"  "', []),
        ("a,a,", ["a"]),
    ],
)
def test_lists(given: Any, entries: list[str]) -> None:
    assert split_list(given) == entries


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("5", "5"),
        (5, "5"),
        (5.0, "5"),
        (0.5, "0.5"),
        (True, "true"),
        (-1, "-1"),
        ({"b": 1, "a": "é"}, '{"a":"é","b":1}'),
    ],
)
def test_text_of_values(value: Any, text: str) -> None:
    assert value_text(value) == text


def test_base58() -> None:
    assert base58_decode("1" * 32) == bytes(32)
    assert base58_decode(MINT) == b"\x07" * 32


# orders


def test_recency_is_exact_and_never_transferred_last() -> None:
    oracle = Oracle(
        [
            nft("0"),
            transfer("1", block=5, log=1, timestamp=START),
            transfer("2", block=5, log=2, timestamp=START),
            transfer("3", block=6, log=0, timestamp=START),
            transfer("4", block=4, log=9, timestamp=START + 1),
        ]
    )
    assert ids(oracle) == ["4", "3", "2", "1", "0"]


def test_token_ids_by_value_then_mints() -> None:
    big = str(2**256 - 1)
    oracle = Oracle([nft(MINT, None, "solana"), nft("10"), nft(big), nft("2")])
    assert ids(oracle, sortBy="TOKENID") == ["2", "10", big, MINT]
    assert ids(oracle, sortBy="tokenId-desc") == [MINT, big, "10", "2"]


def test_rarest_first_unknown_last() -> None:
    oracle = Oracle([nft("1"), nft("2", rarity=1.5), nft("3", rarity=2)])
    assert ids(oracle, sortBy="rarity") == ["3", "2", "1"]


def test_asks_by_value_unrated_behind_none_last_by_recency() -> None:
    oracle = Oracle(
        [
            rate("ETH", "2000", at=START),
            rate("ETH", "9999", at=NOW + 1),
            rate("USDC", "1", at=START),
            rate("WETH", "1", at=START),
            ask("1", currency="XYZ", price="0.1"),
            ask("1", currency="USDC", price="4000"),
            ask("2", currency="USDC", price="1999"),
            ask("3", currency="WETH", price="1"),
            ask("4", price="3"),
            transfer("5", block=1),
            transfer("6", block=2),
        ]
    )
    assert ids(oracle, sortBy="lowestAsk") == ["2", "3", "1", "4", "6", "5"]
    assert ids(oracle, sortBy="highestAsk") == ["2", "3", "4", "1", "6", "5"]


def test_wrapped_currency_falls_back_on_its_own_rate() -> None:
    oracle = Oracle(
        [rate("WETH", "3"), rate("USDC", "1"), ask("1", currency="WETH"), ask("2", currency="USDC")]
    )
    assert ids(oracle, sortBy="lowestAsk") == ["2", "1"]


@pytest.mark.parametrize(
    ("fields", "live"),
    [
        ({}, True),
        ({"status": "filled"}, False),
        ({"status": "cancelled"}, False),
        ({"validFrom": NOW}, True),
        ({"validFrom": NOW + 1}, False),
        ({"validUntil": NOW}, False),
        ({"validUntil": NOW + 1}, True),
        ({"maker": ALICE}, True),
        ({"maker": BOB}, False),
    ],
)
def test_live_asks(fields: dict[str, Any], live: bool) -> None:
    oracle = Oracle([contract(), transfer("1", receiver=ALICE), ask("1", **fields)])
    assert (ids(oracle, priceFilter="eth,,") == ["1"]) is live


def test_any_maker_where_the_standard_or_the_owner_is_unknown() -> None:
    assert ids(
        Oracle([contract(standard="ERC1155"), transfer("1"), ask("1", maker=BOB)]), priceFilter="eth,,"
    )
    assert ids(Oracle([contract(), ask("1", maker=BOB)]), priceFilter="eth,,") == ["1"]


def test_settled_asks_stay_settled() -> None:
    oracle = Oracle([ask("1", order="0x1", status="filled"), ask("1", order="0x1", status="open")])
    assert ids(oracle, priceFilter="eth,,") == []


def test_transfers_by_nft_then_most_recent_first() -> None:
    oracle = Oracle([transfer("2", block=1), transfer("10", block=2), transfer("2", block=3, sender=ALICE)])
    found = oracle.transfers({"contractAddress": APES, "sortBy": "tokenId"}, NOW)
    blocks = [oracle.world.transfers[item.identity]["blockNumber"] for item in found]  # type: ignore[index]
    assert blocks == [3, 1, 2]


# filters


def test_trait_entries_of_one_type_are_alternatives() -> None:
    oracle = Oracle(
        [nft("1", traits=[("Type", "Alien")]), nft("2", traits=[("Type", "Ape"), ("Hat", "Cap")])]
    )
    assert ids(oracle, traits="Type-Alien,Type-Nope") == ["1"]
    assert ids(oracle, traits="Type-Alien,Type-Ape") == ["1", "2"]
    assert ids(oracle, traits="Type-Alien,Hat-Nope") == []
    assert ids(oracle, traits="Type-Ape,Hat-Cap") == ["2"]
    assert ids(oracle, traits="type-Ape") == []


def test_readings_that_exist_decide_the_group() -> None:
    # `Hi-Top-Red` is only (Hi-Top, Red) in the data: no alternative to `Hi-Low`, so both must hold.
    oracle = Oracle([nft("1", traits=[("Hi-Top", "Red")]), nft("2", traits=[("Hi", "Low")])])
    assert ids(oracle, traits="Hi-Top-Red,Hi-Low") == []
    oracle.load([nft("3", traits=[("Hi", "Top-Red")])])
    assert ids(oracle, traits="Hi-Top-Red,Hi-Low") == ["1", "2", "3"]


def test_type_and_value_are_of_one_entry() -> None:
    oracle = Oracle([nft("1", traits=[("Background", "Red"), ("Eyes", "Blue")])])
    assert ids(oracle, traits="Background-Blue") == []


def test_numbers_and_their_texts() -> None:
    oracle = Oracle(
        [
            nft("1", traits=[("Level", 5)]),
            nft("2", traits=[("Level", "5")]),
            nft("3", traits=[("Level", "5.0")]),
        ]
    )
    assert ids(oracle, traits="Level-5") == ["1", "2"]
    assert ids(oracle, traits="Level-5.0") == ["3"]
    assert ids(oracle, traits="Level-5", excludedTraits="Level-5") == []


def test_price_filter_is_exact_and_inclusive() -> None:
    oracle = Oracle(
        [ask("1", price="0.07"), ask("2", price="0.070000000000000001"), ask("3", currency="WETH")]
    )
    assert ids(oracle, priceFilter="eth,0.07,0.07") == ["1"]
    assert ids(oracle, priceFilter="ETH,0.070000000000000001,") == ["2", "3"]
    assert ids(oracle, priceFilter="weth,,") == ["3"]


def test_price_filter_in_usd_takes_the_lowest_of_all_rated_currencies() -> None:
    oracle = Oracle(
        [rate(usd="2000"), rate("USDC", "1"), ask("1"), ask("1", currency="USDC", price="1500.5")]
    )
    assert ids(oracle, priceFilter="usd,1500.5,1500.5") == ["1"]
    assert ids(oracle, priceFilter="usd,1501,") == []


def test_marketplaces_narrow_the_asks_that_count() -> None:
    oracle = Oracle(
        [
            transfer("1", markets=["blur"]),
            ask("1", market="opensea", price="1"),
            ask("2", market="blur", price="2"),
            nft("3"),
        ]
    )
    assert ids(oracle, marketplaces="Blur") == ["1", "2"]
    assert ids(oracle, marketplaces="blur", priceFilter="eth,,") == ["2"]
    assert ids(oracle, marketplaces="blur", sortBy="lowestAsk") == ["2", "1"]


def test_marks_of_the_nft_or_its_contract() -> None:
    other = "0x" + "2b" * 20
    lines = [nft("1", marked=True), nft("2"), nft("3", other), contract(other, marked=True)]
    assert ids(Oracle(lines), excludeMarkedNfts="") == ["2"]
    assert ids(Oracle([*lines, nft("1", marked=None)]), excludeMarkedNfts="1") == ["1", "2"]


def test_names_stand_for_an_address_on_every_evm_chain() -> None:
    oracle = Oracle([nft("1"), nft("2", on="polygon"), nft("3", ZERO), contract(ZERO, ensName="ape.eth")])
    assert ids(oracle, contractAddress="Ape.eth") == ["3"]
    oracle.load([ens("ape.eth", APES)])
    assert ids(oracle, contractAddress="ape.eth") == ["1", "2"]
    assert ids(oracle, contractAddress="ape.eth", chain="eip155:137") == ["2"]


def test_collections_exact_or_the_only_one_in_other_case() -> None:
    mints = [base58_encode(bytes([digit]) * 32) for digit in (7, 8, 9)]
    collection = "AbC" + "d" * 40
    oracle = Oracle([nft(mints[0], collection, "solana")])
    assert ids(oracle, contractAddress=collection.lower()) == [mints[0]]
    oracle.load([nft(mints[1], collection.upper(), "solana")])
    assert ids(oracle, contractAddress=collection) == [mints[0]]
    assert ids(oracle, contractAddress=collection.lower()) == []


def test_lists_defined_but_empty() -> None:
    oracle = Oracle([nft("1")])
    for name in ("tokenId", "excludedTokenIds", "traits", "excludedTraits", "marketplaces"):
        assert oracle.nfts({name: ""}, NOW) == []
    assert ids(oracle, tokenId="0x01,1,2") == ["1"]
