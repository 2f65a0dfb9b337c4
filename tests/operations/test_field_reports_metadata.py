"""Field reports F72 to F91 as far as stored and served: metadata and media, marks, and asking for many at once.

Fetching and decoding of documents and images come with their own tests.
"""

from __future__ import annotations

import json

import pytest
from django.test import override_settings

from tests.builders import ALICE, APES, BOB, contract, load_lines, nft, transfer
from tests.conftest import Api
from tests.operations.promises import given, ids, only, refused

pytestmark = pytest.mark.django_db

LIST_FILTERS = ("tokenId", "traits", "excludedTraits", "marketplaces", "excludedTokenIds")


CID = "QmNf1UsmdGaMbpatQ6toXSkzDpizaGmC9zfunCyoz1enD5"
TRANSACTION = "k0X-Nn3M1TM7vl3rX3xFWkGIvSXyEB5bvKxTCfAzpUE"


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


def test_short_data_uris_are_shown_and_long_ones_left_out(api: Api) -> None:
    """F73, F74: whole documents and images live in `data:` URIs; a page cannot carry megabytes of them."""
    short = 'data:application/json;utf8,{"name":"Africa/Djibouti%20-%20EAT(GMT+3)"}'
    long = "data:image/svg+xml;base64," + "PHN2" * 3000
    given(
        nft("1", uri=short, metadata={"name": "x", "imageUrl": long, "mediaUrl": short}), nft("2", uri=long)
    )
    one, two = api.nfts(sortBy="tokenId")["data"]
    assert (one["uri"], one["metadata"]["mediaUrl"]) == (short, short)
    assert "imageUrl" not in one["metadata"]
    assert "uri" not in two


def test_an_nft_whose_metadata_cannot_be_had_is_kept_with_what_is_known(api: Api) -> None:
    """F77: a metadata service answered 504, and the NFT was gone."""
    name_hash = "0x" + "f" * 64
    given(transfer(name_hash, uri="https://example.com/504"))
    record = only(api.nfts(tokenId=name_hash))
    assert record["owner"] == ALICE
    assert "metadata" not in record


def test_cache_urls_of_a_document_are_not_believed(api: Api) -> None:
    """F84: each rendition is there only when this service made it."""
    claimed = dict.fromkeys(
        ("imageCacheUrl", "imageCachePreviewUrl", "imageCacheThumbnailUrl"), "https://evil/"
    )
    given(nft("1", metadata={"name": "x", "imageUrl": "https://example.com/1.png", **claimed}))
    assert not set(claimed) & set(only(api.nfts())["metadata"])


def test_equal_ids_of_other_contracts_and_chains_keep_their_own_metadata(api: Api) -> None:
    """F85: the metadata of two NFTs was swapped."""
    other = "0x" + "2" * 40
    given(
        nft("1", metadata={"name": "ape"}),
        nft("1", other, metadata={"name": "other"}),
        nft("1", on="polygon", metadata={"name": "polygon's"}),
    )
    found = {
        (record["chain"], record["contractAddress"]): record["metadata"]["name"]
        for record in api.nfts(tokenId="1")["data"]
    }
    assert found == {("ethereum", APES): "ape", ("ethereum", other): "other", ("polygon", APES): "polygon's"}


def test_a_malformed_line_is_told_and_the_others_are_served(api: Api) -> None:
    """F86: one malformed item failed the whole call."""
    report = load_lines([nft("1"), "{not json", {**nft("2"), "tokenId": "-2"}, nft("3")])
    assert len(report.faults) == 2
    assert ids(api.nfts(sortBy="tokenId")) == ["1", "3"]


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


def test_marked_nfts_are_shown_unless_they_are_asked_away(api: Api) -> None:
    """F88: "not all being shown": marks are an operator's data, and no filter is on by itself."""
    given(
        nft("1", marked=True, markedReason="stolen"),
        nft("2"),
        nft("3", ALICE),
        contract(ALICE, marked=True, markedReason="spam"),
    )
    assert ids(api.nfts(sortBy="tokenId")) == ["1", "2", "3"]
    assert ids(api.nfts(sortBy="tokenId", excludeMarkedNfts="false")) == ["1", "2", "3"]
    assert ids(api.nfts("excludeMarkedNfts")) == ["2"]


def test_a_mark_can_be_taken_back(api: Api) -> None:
    """F88: a contract was wrongly marked; taking that back leaves the marks of its NFTs alone."""
    given(contract(marked=True, markedReason="spam"), nft("1", marked=True), nft("2"))
    assert ids(api.nfts(excludeMarkedNfts="true")) == []
    given(contract(marked=False))
    assert ids(api.nfts(excludeMarkedNfts="true")) == ["2"]
    given(nft("1", marked=None))
    assert ids(api.nfts(excludeMarkedNfts="true", sortBy="tokenId")) == ["1", "2"]


def test_unknown_ids_are_left_out_and_repeated_ones_come_once(api: Api) -> None:
    """F89: `data` may be shorter than the list that was asked for; the order is the one asked for by `sortBy`."""
    given(*(nft(str(number)) for number in range(5)))
    assert ids(api.nfts(tokenId="3,99,1,3,0x3,03", sortBy="tokenId")) == ["1", "3"]
    assert ids(api.nfts("tokenId=3&tokenId=1&tokenId=3&sortBy=tokenId-desc")) == ["3", "1"]


@pytest.mark.parametrize("name", LIST_FILTERS)
@pytest.mark.parametrize("blank", ["", ",", '""', " , ,"])
def test_a_list_defined_but_empty_gives_nothing(api: Api, name: str, blank: str) -> None:
    """F90: for each of the five list filters, also for those that exclude, and with a cursor."""
    given(*(nft(str(number), traits=[("Hat", "Cap")]) for number in range(3)))
    assert api.nfts(**{name: blank}) == {"data": []}
    entry = {"traits": "Hat-Cap", "excludedTraits": "Hat-Nope", "tokenId": "0,1,2"}.get(name)
    if entry:
        cursor = api.nfts(**{name: entry}, limit=1)["nextCursor"]
        assert refused(api, **{name: blank}, cursor=cursor) == [("cursor", "cursor_mismatch")]


@pytest.mark.parametrize("name", ["tokenId", "traits", "excludedTraits", "excludedTokenIds"])
def test_the_31st_entry_is_refused(api: Api, name: str) -> None:
    """F90: 30 distinct entries at most."""
    entries = [f"-{number}" if "rait" in name else str(number) for number in range(31)]
    assert refused(api, **{name: ",".join(entries)}) == [(name, "max_length")]
    assert api.nfts(**{name: ",".join([*entries[:30], entries[0]])}) == {"data": []}


@pytest.mark.parametrize(
    "query",
    [
        {"contractAddress": "0x" + "9" * 40},
        {"contractAddress": APES, "tokenId": "999"},
        {"contractAddress": APES, "chain": "polygon"},
    ],
)
@pytest.mark.parametrize("operation", ["nfts", "transfers"])
def test_what_is_not_known_is_an_empty_page(api: Api, operation: str, query: dict[str, str]) -> None:
    """F91: an unknown id gave 500, then 200 with nulls, then 404."""
    given(transfer("1"), transfer("2", block=2, sender=ALICE, receiver=BOB))
    ask_for = api.nfts if operation == "nfts" else api.transfers
    assert ask_for(**query) == {"data": []}
