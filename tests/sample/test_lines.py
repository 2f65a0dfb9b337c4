"""The sample's lines: of every kind that it promises, in a file that is small and good for years."""

from __future__ import annotations

from base64 import b64decode
from collections import Counter, defaultdict
from typing import Any

import pytest

from core.addresses import is_evm_address, is_mint
from media.renditions import render
from media.sniff import media_type_of
from nftsite.sample.loading import SAMPLE
from tests.sample.lines import ASKS, CONTRACTS, LINES, NFTS, TRANSFERS
from tokens.metadata.trait_texts import value_text
from tokens.rarity.openrarity import rate
from tokens.records.metadata import MAX_DATA_URI_BYTES


def test_the_file_is_below_a_megabyte() -> None:
    assert SAMPLE.stat().st_size <= 1_000_000


def test_300_nfts_in_six_contracts_on_three_chains() -> None:
    assert len(NFTS) == 300
    assert Counter(line["chain"] for line in CONTRACTS) == {"ethereum": 3, "base": 2, "solana": 1}
    assert Counter(line["contractStandard"] for line in CONTRACTS) == {
        "ERC721": 4,
        "ERC1155": 1,
        "Metaplex": 1,
    }
    assert {line["contractAddress"] for line in NFTS} == {line["contractAddress"] for line in CONTRACTS}


def test_token_ids_are_as_their_chains_have_them() -> None:
    for line in NFTS:
        if line["chain"] == "solana":
            assert is_mint(line["tokenId"])
        else:
            assert line["tokenId"].isdigit()
            assert is_evm_address(line["contractAddress"])


def test_transfers_are_of_all_five_types_on_several_markets_and_in_several_currencies() -> None:
    kinds = Counter(line["transferType"] for line in TRANSFERS)
    assert set(kinds) == {"mint", "transfer", "sale", "swap", "burn"}
    assert min(kinds.values()) >= 10
    assert len({market for line in TRANSFERS for market in line["markets"]}) >= 8
    names = {line["nftValue"]["tokenName"] for line in TRANSFERS if "nftValue" in line}
    assert names == {"Ether", "Wrapped Ether", "USD Coin", "Sol"}


def test_some_transfers_share_a_log_and_some_sales_are_of_several_nfts_for_one_price() -> None:
    assert any(line["batchIndex"] for line in TRANSFERS)
    assert any(len(line["swaps"]) > 2 for line in TRANSFERS if line["transferType"] == "sale")


def test_both_sides_of_a_swap_carry_both_legs() -> None:
    sides = defaultdict(list)
    for line in TRANSFERS:
        if line["transferType"] == "swap":
            sides[line["transactionHash"]].append(line)
    for one, other in sides.values():
        assert one["swaps"] == other["swaps"]
        assert {leg["tokenId"] for leg in one["swaps"]} == {one["tokenId"], other["tokenId"]}
        assert (one["fromAddress"], one["toAddress"]) == (other["toAddress"], other["fromAddress"])


def test_no_two_transfers_are_one() -> None:
    keys = Counter((line["transactionHash"], line["logIndex"], line["batchIndex"]) for line in TRANSFERS)
    assert max(keys.values()) == 1


def test_asks_are_in_four_currencies_with_an_end_and_without() -> None:
    assert {line["currency"] for line in ASKS} == {"ETH", "WETH", "USDC", "SOL"}
    assert {line["status"] for line in ASKS} == {"open", "filled", "cancelled"}
    assert {"validUntil" in line for line in ASKS if line["status"] == "open"} == {True, False}


def test_history_ended_before_2025_so_that_nothing_lies_ahead() -> None:
    moments = [line["timestamp"] for line in LINES if "timestamp" in line]
    moments += [line["validFrom"] for line in ASKS]
    assert 1_704_067_200 <= min(moments) < max(moments) < 1_735_689_600


def test_every_image_is_in_its_record_as_a_data_uri_short_enough_to_be_shown() -> None:
    """Records leave out those of more than 8,000 bytes (decisions.md, section 5)."""
    images = [(line["metadata"]["imageMediaType"], line["metadata"]["imageUrl"]) for line in NFTS]
    assert len(set(images)) == 300
    for media_type, url in images:
        head, _, data = url.partition(",")
        assert head == f"data:{media_type};base64"
        assert media_type_of(b64decode(data)) == media_type
        assert len(url) <= MAX_DATA_URI_BYTES


def test_the_sample_shows_pixel_art_pictures_and_drawings() -> None:
    """24 pixels a side come out sharp, 256 pixels smooth, and SVG is drawn at 1,024."""
    first = {line["contractAddress"]: line["metadata"]["imageUrl"] for line in reversed(NFTS)}
    assert {
        line["name"]: render(b64decode(first[line["contractAddress"]].partition(",")[2])).width
        for line in CONTRACTS
    } == {
        "Paper Lanterns": 256,
        "Tide Circles": 1024,
        "Quilted Fields": 24,
        "Seed Packets": 1024,
        "Night Signals": 256,
        "Lucky Vouchers": 1024,
    }


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda line: line["symbol"])
def test_rarity_and_rank_are_those_of_openrarity(contract: dict[str, Any]) -> None:
    """Who changes a trait in the file computes them anew (`compute_rarity`)."""
    own = [line for line in NFTS if line["contractAddress"] == contract["contractAddress"]]
    found = rate(
        (number, [(one["traitType"], value_text(one["traitValue"])) for one in line["metadata"]["traits"]])
        for number, line in enumerate(own)
    )
    for number, line in enumerate(own):
        assert (line["rarity"], line["rank"]) == (pytest.approx(found[number].score), found[number].rank)
