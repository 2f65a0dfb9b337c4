"""The sample as lines: the same each time, of every kind that it promises."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections import Counter, defaultdict
from typing import Any

import pytest
from django.conf import settings

from core.addresses import is_evm_address, is_mint
from media.renditions import render
from media.sniff import media_type_of
from nftsite.sample.collections import COLLECTIONS, traits_of
from nftsite.sample.drawing import image_of
from nftsite.sample.lines import sample
from nftsite.sample.rarity import rarities
from tests import machine
from tokens.records.metadata import MAX_DATA_URI_BYTES

Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def lines() -> Lines:
    """All lines of the sample."""
    return [json.loads(line) for line in sample()]


def of(lines: Lines, record: str) -> Lines:
    """The lines of one kind."""
    return [line for line in lines if line["record"] == record]


def test_it_is_the_same_bytes_in_every_process() -> None:
    """No clock, no hash seed and no chance has a say."""
    script = (
        "import sys, hashlib; from nftsite.sample.lines import sample; "
        "print(hashlib.sha256(b''.join(sample())).hexdigest())"
    )
    elsewhere = subprocess.run(
        [sys.executable, "-c", script],
        cwd=settings.BASE_DIR,
        env=machine.bare(PYTHONHASHSEED="7", TZ="Asia/Kathmandu"),
        capture_output=True,
        text=True,
        check=True,
    )
    assert elsewhere.stdout.strip() == hashlib.sha256(b"".join(sample())).hexdigest()


def test_1500_nfts_in_six_contracts_on_three_chains(lines: Lines) -> None:
    contracts = of(lines, "contract")
    assert len(of(lines, "nft")) == 1_500
    assert Counter(line["chain"] for line in contracts) == {"ethereum": 3, "base": 2, "solana": 1}
    assert Counter(line["contractStandard"] for line in contracts) == {
        "ERC721": 4,
        "ERC1155": 1,
        "Metaplex": 1,
    }
    assert {line["chain"] for line in of(lines, "nft")} == {"ethereum", "base", "solana"}


def test_token_ids_are_as_their_chains_have_them(lines: Lines) -> None:
    for line in of(lines, "nft"):
        if line["chain"] == "solana":
            assert is_mint(line["tokenId"])
        else:
            assert line["tokenId"].isdigit()
            assert is_evm_address(line["contractAddress"])


def test_transfers_are_of_all_five_types_on_several_markets_and_in_several_currencies(lines: Lines) -> None:
    transfers = of(lines, "transfer")
    kinds = Counter(line["transferType"] for line in transfers)
    assert set(kinds) == {"mint", "transfer", "sale", "swap", "burn"}
    assert min(kinds.values()) > 50
    assert len({market for line in transfers for market in line["markets"]}) >= 8
    names = {line["nftValue"]["tokenName"] for line in transfers if "nftValue" in line}
    assert names == {"Ether", "Wrapped Ether", "USD Coin", "Sol"}


def test_both_sides_of_a_swap_carry_both_legs(lines: Lines) -> None:
    sides = defaultdict(list)
    for line in of(lines, "transfer"):
        if line["transferType"] == "swap":
            sides[line["transactionHash"]].append(line)
    for one, other in sides.values():
        assert one["swaps"] == other["swaps"]
        assert [leg["tokenId"] for leg in one["swaps"]] == [one["tokenId"], other["tokenId"]]
        assert (one["fromAddress"], one["toAddress"]) == (other["toAddress"], other["fromAddress"])


def test_no_two_transfers_are_one(lines: Lines) -> None:
    keys = Counter(
        (line["transactionHash"], line["logIndex"], line.get("batchIndex", 0))
        for line in of(lines, "transfer")
    )
    assert max(keys.values()) == 1


def test_history_ended_before_2025_so_that_nothing_lies_ahead(lines: Lines) -> None:
    moments = [line["timestamp"] for line in lines if "timestamp" in line]
    moments += [line["validFrom"] for line in of(lines, "ask")]
    assert 1_704_067_200 <= min(moments) < max(moments) < 1_735_689_600


def test_every_image_is_in_its_record_as_a_data_uri_short_enough_to_be_shown(lines: Lines) -> None:
    """Records leave out those of more than 8,000 bytes (decisions.md, section 5)."""
    images = [(line["metadata"]["imageMediaType"], line["metadata"]["imageUrl"]) for line in of(lines, "nft")]
    assert len({url for _, url in images}) > 1_490  # few pixels, few traits: some fields may look alike
    for media_type, url in images:
        assert url.startswith(f"data:{media_type};base64,")
        assert len(url) <= MAX_DATA_URI_BYTES


def test_each_image_is_of_the_type_that_is_stated() -> None:
    for collection in COLLECTIONS:
        media_type, data = image_of(collection.slug, 1)
        assert media_type_of(data) == media_type


def test_the_sample_shows_pixel_art_pictures_and_drawings() -> None:
    """24 pixels a side come out sharp, 320 pixels smooth, and SVG is drawn at 1,024."""
    sizes = {collection.slug: render(image_of(collection.slug, 1)[1]).width for collection in COLLECTIONS}
    assert sizes == {
        "paper-lanterns": 320,
        "tide-circles": 1024,
        "quilted-fields": 24,
        "seed-packets": 1024,
        "night-signals": 320,
        "lucky-vouchers": 1024,
    }


def test_nfts_of_a_collection_look_different() -> None:
    for collection in COLLECTIONS:
        assert len({image_of(collection.slug, number) for number in range(1, 11)}) == 10


def test_what_is_rarer_has_the_higher_score() -> None:
    common, rare = {"Hat": "Cap"}, {"Hat": "Crown"}
    found = rarities([common] * 9 + [rare])
    assert found[0].score < 1 < found[9].score
    assert [one.rank for one in found] == [2] * 9 + [1]


def test_scores_are_information_content_over_entropy() -> None:
    """By hand: of four NFTs two are red, two blue: each has one bit of one bit."""
    assert [one.score for one in rarities([{"Ink": "Red"}, {"Ink": "Blue"}] * 2)] == [1.0] * 4


def test_ranks_are_shared_and_without_gaps_before_them() -> None:
    ranks = sorted(one.rank for one in rarities(traits_of("tide-circles")))
    assert ranks[0] == 1
    assert all(rank == ranks.index(rank) + 1 for rank in ranks)
