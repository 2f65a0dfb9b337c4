"""Names, types, nesting and nulls of the answers, held against real payloads of theirs."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from tests.builders import ALICE, APES, BOB, CAROL, ZERO, Line, ask, contract, nft, transfer
from tests.compat.client import Alchemy
from tests.indexed import a_block, a_checkpoint
from tests.operations.promises import EDITIONS, given
from tests.shared import DATA

pytestmark = [pytest.mark.django_db, pytest.mark.shared, pytest.mark.usefixtures("clock")]
PAYLOADS = DATA / "orders" / "alchemy_v3.jsonl"

OTHERS = {
    "getMintedNfts (SDK only)",  # of their node's transfers
    "isSpamContract",
    "refreshContract",
    "getCollectionsForOwner",
    "refreshNftMetadata",
}
"""Methods that there are payloads of, and that are not answered here."""
OPEN = ("summary", "metadata")
"""Objects whose names are data."""
NULL_HERE = {
    *("contractDeployer", "deployedBlockNumber", "collectionSlug", "safelistRequestStatus", "lastIngestedAt"),
    *("openSeaMetadata.imageUrl", "openSeaMetadata.description", "openSeaMetadata.externalUrl"),
    *("twitterUsername", "discordUrl", "bannerImageUrl", "slug", "pngUrl", "size", "marketplaceAddress"),
    *("timeLastUpdated", "collection", "collection.externalUrl", "floorPrice", "collectionName"),
    *("cachedUrl", "thumbnailUrl", "contentType", "originalUrl", "tokenUri", "blockHash"),
    *("sellerFee.amount", "sellerFee.tokenAddress", "sellerFee.symbol", "sellerFee.decimals"),
    *("openSea.priceCurrency", "openSea.collectionUrl", "openSea.retrievedAt"),
    *("looksRare.priceCurrency", "looksRare.collectionUrl", "looksRare.retrievedAt"),
}
"""Fields by the end of their path that are null here where they are not known, as docs/compat.md says."""
ADDED = {
    *("animation", "animation.cachedUrl", "animation.contentType", "animation.size", "animation.originalUrl"),
    *("collection", "mint", "owners", "acquiredAt", "error"),
    *("contract.isSpam", "validAt", "pageKey", "price", "otherFee"),
}
"""Fields that not every payload has, by the end of their path: theirs came later, and are in the types of their SDK."""

Shape = dict[str, set[str]]


def rich() -> list[Line]:
    """NFTs of which much is known, and some of which nothing is."""
    value = {"tokenAddress": ZERO, "amount": "10"}
    sold: dict[str, Any] = {
        "sender": BOB,
        "receiver": CAROL,
        "transferType": "sale",
        "markets": ["opensea"],
        "nftValue": value,
    }
    image = {
        "name": "One",
        "description": "An ape.",
        "imageUrl": "https://e.org/1.png",
        "imageMediaType": "image/png",
    }
    return [
        contract(APES, name="Apes", symbol="APE"),
        contract(EDITIONS, standard="ERC1155", marked=True),
        nft("1", uri="ipfs://Qm/1", metadata=image, traits=[("Fur", "Brown")]),
        nft("2"),
        transfer("1", block=1, receiver=ALICE),
        transfer("2", block=2, receiver=ALICE),
        transfer("3", block=3, receiver=BOB),
        transfer("3", block=4, **sold),
        transfer("5", EDITIONS, block=5, receiver=ALICE, amount="15"),
        ask("1", price="0.5"),
        ask("2", price="0.7", market="looksrare"),
    ]


def answers(alchemy: Alchemy, method: str, payload: Any) -> list[Any]:
    """What is answered where they answered with such a payload."""
    held: Any = payload.get("ownedNfts") or payload.get("contracts") if isinstance(payload, dict) else None
    bare = bool(held) and "contract" not in held[0] and "name" not in held[0]
    plain = {"withMetadata": "false"} if bare else {}
    apes = {"contractAddress": APES}
    if method.startswith("getNFTsForContract"):
        return [alchemy.get("getNFTsForContract", **apes)["nfts"]]
    if method == "getNFTMetadataBatch":
        return [alchemy.post(method, {"tokens": [{**apes, "tokenId": one} for one in ("1", "2", "9")]})]
    if method == "getNFTMetadata":
        return [alchemy.get(method, **apes, tokenId=one) for one in ("1", "2")]
    if method in ("getNFTsForOwner", "getContractsForOwner"):
        return [alchemy.get(method, owner=ALICE, pageSize=size, **plain) for size in (1, 100)]
    return [alchemy.get(method, **apes)]


def shape_of(value: Any, drops_nulls: bool) -> Shape:
    """The types that each path has; of an SDK's object, which drops nulls, what is missing somewhere may be null."""
    found: Shape = defaultdict(set)
    siblings: dict[str, list[dict[str, Any]]] = defaultdict(list)

    def look(path: str, one: Any) -> None:
        found[path].add(kind_of(one))
        if isinstance(one, list):
            for each in one:
                look(f"{path}[]", each)
        elif isinstance(one, dict) and path.rpartition(".")[2] not in OPEN:
            siblings[path].append(one)
            for name, each in one.items():
                look(f"{path}.{name}".lstrip("."), each)

    look("", value)
    if drops_nulls:
        for path, objects in siblings.items():
            for name in {name for one in objects for name in one}:
                if any(name not in one for one in objects):
                    found[f"{path}.{name}".lstrip(".")].add("null")
    return found


def kind_of(value: Any) -> str:
    names = {str: "string", bool: "boolean", int: "number", float: "number", dict: "object", list: "list"}
    return names.get(type(value), "null")


def ends_with(path: str, names: set[str]) -> bool:
    plain = path.replace("[]", "")
    return any(plain == name or plain.endswith(f".{name}") for name in names)


def differences(theirs: Shape, ours: Shape, nulls: set[str]) -> Iterator[str]:
    """Where ours is not theirs; ``nulls`` are the names that are null in a payload of theirs."""
    for path, kinds in theirs.items():
        if path not in ours and name_of(path) != "spamClassifications[]":  # words of their own
            yield f"{path} is missing"
        elif path not in ours:
            continue
        elif wrong := ours[path] - kinds - {"null"}:
            if kinds != {"null"}:
                yield f"{path} is {wrong}, theirs {kinds}"
        elif "null" in ours[path] - kinds and not (ends_with(path, NULL_HERE) or name_of(path) in nulls):
            yield f"{path} is null, theirs {kinds}"
    for path in ours:
        if (
            path not in theirs
            and not ends_with(path, ADDED)
            and path.rpartition(".")[0] in theirs | {"": None}
        ):
            parent = theirs.get(path.rpartition(".")[0], set())
            if "object" in parent and not is_within_added(path) and pair_of(path) not in pairs_somewhere():
                yield f"{path} is not theirs"


def is_within_added(path: str) -> bool:
    """Whether a path leads through a field that their SDK has types of."""
    return any(
        part
        in (
            "animation",
            "mint",
            "acquiredAt",
            "collection",
            "openSeaMetadata",
            "protocolFee",
            "royaltyFee",
            "sellerFee",
        )
        for part in path.replace("[]", "").split(".")
    )


def name_of(path: str) -> str:
    return path.rpartition(".")[2]


def pair_of(path: str) -> str:
    """The end of a path: a name and the object that it is in; all of it, where nothing has a name before."""
    return ".".join(path.replace("[]", "").lstrip(".").split(".")[-2:])


@cache
def pairs_somewhere() -> set[str]:
    """The names that objects have in any of their payloads; an SDK's object lacks those that are null."""
    shapes = [shape_of(line["payload"], drops_nulls=False) for line in lines()]
    named = {pair_of(path) for shape in shapes for path in shape}
    return named | {name.partition(".")[2] for name in named if name.startswith("ownedNfts.")}


@cache
def null_somewhere() -> set[str]:
    """The names that are null in any of their payloads."""
    shapes = [shape_of(line["payload"], drops_nulls=False) for line in lines()]
    return {name_of(path) for shape in shapes for path, kinds in shape.items() if "null" in kinds}


def lines() -> list[dict[str, Any]]:
    """The payloads; none where the data is not there."""
    return [json.loads(line) for line in PAYLOADS.read_text().splitlines()] if PAYLOADS.exists() else []


@pytest.mark.parametrize("number", range(22))
def test_an_answer_has_the_shape_of_a_payload_of_theirs(alchemy: Alchemy, number: int) -> None:
    line = lines()[number]
    method, payload = line["method"], line["payload"]
    if method in OTHERS:
        status, _ = alchemy.refused(method.partition(" ")[0])
        assert status == 404
        return
    given(*rich())
    a_checkpoint(12, at=1_600_000_000)
    a_block(12)
    theirs = shape_of(payload, drops_nulls=line["shape"].startswith("SDK"))
    ours: Shape = defaultdict(set)
    for answer in answers(alchemy, method, payload):
        for path, kinds in shape_of(answer, drops_nulls=False).items():
            ours[path] |= kinds
    found = list(differences(theirs, ours, null_somewhere()))
    assert not found, "; ".join(found)


def test_every_payload_is_looked_at() -> None:
    assert len(lines()) == 22
