"""What people reported of other indexers, wallets and markets, tried on this one: what documents say, and where.

Each test names where it was reported, as repository#number.
"""

from __future__ import annotations

import base64
import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from core.net.http.fetch import Fetched, Fetcher
from core.net.http.uris import canonical
from tests.builders import APES, contract, load_lines, transfer
from tests.conftest import Api
from tests.offchain.apes import BASE, GOLD, World, again, ape, row
from tests.offchain.gateway import ROOT, LocalGateway
from tests.offchain.played_contracts import TOKEN_URI, played_contracts, text
from tokens.metadata.documents import metadata_of
from tokens.metadata.jsonish import read
from tokens.metadata.normalise import normalise
from tokens.metadata.relative import within
from tokens.models import MetadataFetch

State = MetadataFetch.State
CID = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"
ARTICLE = "ar://bpVcmXvwf2J6HidDlWH2PagI6sUgByKEdJssRmM18C4"
SVG = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>'


def b64(value: str) -> str:
    return base64.b64encode(value.encode()).decode()


def said(token: int = 1) -> Any:
    return json.loads(ape(token).metadata or "null")


def told(world: World, uri: str, document: Any) -> Any:
    """What is stored of an ape whose contract names the URI, at which the document is."""
    world.contracts.give(APES, TOKEN_URI, lambda token_id, gas: text(uri))
    world.pages.found[canonical(uri)] = document
    world.mint()
    world.run()
    return said()


# References to files beside the document: blockscout/blockscout#4441, exiled-apes/candy-machine-mint#46,
# metaplex-foundation/metaplex#1305

REFERENCES = [
    ("https://x.example/apes/meta/1.json", "1.png", "https://x.example/apes/meta/1.png"),
    ("https://x.example/apes/meta/1", "images/1.webp", "https://x.example/apes/meta/images/1.webp"),
    ("https://x.example/apes/meta/1.json?v=2", "../images/1.png", "https://x.example/apes/images/1.png"),
    ("https://x.example/apes/meta/1.json", "/media/a flower.svg", ""),
    (
        "https://x.example/apes/meta/1.json",
        "a flower, at last.svg",
        "https://x.example/apes/meta/a%20flower,%20at%20last.svg",
    ),
    ("https://x.example/apes/meta/1.json", "/media/1", "https://x.example/media/1"),
    ("https://x.example/apes/meta/1.json", "./1", "https://x.example/apes/meta/1"),
    ("https://x.example/apes/meta/1.json", "//cdn.example/1", "https://cdn.example/1"),
    (f"ipfs://{CID}/meta/1.json", "1.png", f"ipfs://{CID}/meta/1.png"),
    (f"ipfs://{CID}/meta/1.json", "../images/1.gif", f"ipfs://{CID}/images/1.gif"),
    (f"https://ipfs.io/ipfs/{CID}/meta/1.json", "./1.jpg", f"ipfs://{CID}/meta/1.jpg"),
    (f"ipfs://{CID}/1.json", "../../1.png", f"ipfs://{CID}/1.png"),
    (f"{ARTICLE}/0.json", "0.png", f"{ARTICLE}/0.png"),
]


@pytest.mark.parametrize(("uri", "reference", "target"), REFERENCES)
@pytest.mark.django_db
def test_a_reference_to_a_file_beside_the_document_is_followed(
    world: World, uri: str, reference: str, target: str
) -> None:
    """ARC-3 says how; of a text with blanks and no extension nobody can know that it is one."""
    found = told(world, uri, {"name": "Ape", "image": reference})
    assert found.get("imageUrl", "") == target


@pytest.mark.parametrize(
    ("name", "field"), [("image", "imageUrl"), ("animation_url", "mediaUrl"), ("mediaUri", "mediaUrl")]
)
@pytest.mark.django_db
def test_a_reference_counts_in_every_field_of_a_medium(world: World, name: str, field: str) -> None:
    written = "1.png" if field == "imageUrl" else "1.mp4"
    assert told(world, f"{BASE}a/1.json", {"name": "Ape", name: written})[field] == f"{BASE}a/{written}"


@pytest.mark.parametrize(
    ("base", "reference"),
    [
        (f"{BASE}1.json", "unknown"),
        (f"{BASE}1.json", "N/A"),
        (f"{BASE}1.json", "An ape, drawn by hand"),
        (f"{BASE}1.json", "www.example.com/1.png"),
        (f"{BASE}1.json", "file:1.png"),
        (f"{BASE}1.json", "c:/apes/1.png"),
        (f"{BASE}1.json", "c:\\apes\\1.png"),
        (f"{BASE}1.json", "/"),
        (f"{BASE}1.json", "//"),
        (f"{BASE}1.json", "1.png" * 1_000_000),
        (f"ipfs://{CID}", "1.png"),
        (f"ipfs://{CID}/", "1.png"),
        (ARTICLE, "image.png"),
        ("data:application/json;base64,e30=", "1.png"),
    ],
)
def test_what_names_no_file_beside_the_document_leads_nowhere(base: str, reference: str) -> None:
    with pytest.raises(ValueError, match=r"it is|its scheme"):
        within(base, canonical)(reference)


@pytest.mark.parametrize("uri", [f"ipfs://{CID}/1", CID, "https://i.example/1.png", "data:image/png,x"])
def test_a_whole_uri_is_no_reference(uri: str) -> None:
    assert within(f"{BASE}1.json", canonical)(uri) == canonical(uri)


@pytest.mark.django_db
def test_after_a_redirect_what_is_beside_the_document_is_where_it_was_found(world: World) -> None:
    body = b'{"name": "Ape", "image": "1.png"}'
    world.pages.fetch = lambda uri: Fetched("https://cdn.example/b/1.json", body, "")  # type: ignore[method-assign]
    world.mint()
    world.run()
    assert said() == {"name": "Ape", "imageUrl": "https://cdn.example/b/1.png", "imageMediaType": "image/png"}


# A word processor's quotes: MetaMask/metamask-mobile#5553


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("{ “name”: “Token Name”, “attributes”: [{ “trait_type”: “Hat”, “value”: “Cap” }], }", None),
        ("{“name“:“Token Name“,“attributes“:[{“trait_type“:“Hat“,“value“:“Cap“}]}", None),
        ("{„name”: „Token Name”, „attributes“: [{„trait_type“: „Hat“, „value“: „Cap“}]}", None),
        ("{‘name’: ‘Token Name’, ‘attributes’: [{‘trait_type’: ‘Hat’, ‘value’: ‘Cap’}]}", None),
        ("{“name”: \"Token Name\", 'attributes': [{trait_type: ‘Hat’, “value”: 'Cap'}]}", None),
        ("{“name”: “It’s “the” ape”}", {"name": "It’s “the” ape"}),
        ("{‘name’: ‘It’s an ape’s ape’}", {"name": "It’s an ape’s ape"}),
        ('{“name”: “say \\"hi\\" or "ho"”}', {"name": 'say "hi" or "ho"'}),
        ('{"name": "“Ape”, said he", }', {"name": "“Ape”, said he"}),
    ],
)
def test_quotes_of_a_word_processor_are_read(written: str, value: Any) -> None:
    """MetaMask/metamask-mobile#5553; within straight quotes they are letters."""
    plain = {"name": "Token Name", "attributes": [{"trait_type": "Hat", "value": "Cap"}]}
    assert read(written) == (value or plain)
    assert metadata_of(written.encode(), "application/json", BASE) == normalise(value or plain)


@pytest.mark.django_db
def test_a_document_with_such_quotes_is_read_in_place_of_its_uri(world: World) -> None:
    pages = Fetcher(ipfs_gateways=[], arweave_gateways=[])
    world.pages.fetch = pages.fetch  # type: ignore[method-assign]
    world.contracts.give(APES, TOKEN_URI, lambda token_id, gas: text("{ “name”: “Token Name” }"))
    world.mint()
    world.run()
    assert said() == {"name": "Token Name"}


@pytest.mark.parametrize(
    "text", ["“" * 200_000, "{“" + "a“ " * 200_000, "[" + "‘a’ ‘" * 200_000, "“a" * 200_000]
)
def test_such_quotes_without_an_end_are_looked_at_once(text: str) -> None:
    with pytest.raises(ValueError, match="not JSON"):
        read(text)


# Documents that were packed twice: sablier-labs/evm-monorepo#616, ourzora/nft-metadata#14

APE = {"name": "Ape é 100% #1", "image": f"ipfs://{CID}"}
JSON = json.dumps(APE)
HEAD = "data:application/json;base64,"
PACKED = [
    b64(f"{HEAD}{b64(JSON)}"),
    b64(f"{HEAD}{JSON}"),
    b64(f"data:application/json;utf8,{JSON}"),
    f"{HEAD}{HEAD}{b64(JSON)}",
    f"{HEAD}{b64(f'{HEAD}{b64(JSON)}')}",
    f"{HEAD}{b64(b64(JSON))}",
    f"data:application/json,{b64(JSON)}",
    f"data:application/json;utf8,{HEAD}{b64(JSON)}",
]


@pytest.mark.django_db
def test_a_document_that_was_packed_twice_is_read(world: World) -> None:
    """sablier-labs/evm-monorepo#616, ourzora/nft-metadata#14."""
    pages = Fetcher(ipfs_gateways=[], arweave_gateways=[])
    world.pages.fetch = pages.fetch  # type: ignore[method-assign]
    world.contracts.give(APES, TOKEN_URI, lambda token_id, gas: text(PACKED[token_id - 1]))
    world.mint(len(PACKED))
    world.run()
    assert [said(one + 1) for one in range(len(PACKED))] == [normalise(APE)] * len(PACKED)


@pytest.mark.parametrize("body", [b64(JSON), f"{HEAD}{b64(JSON)}", f'"{HEAD}{b64(JSON)}"', f" {b64(JSON)}\n"])
def test_a_server_may_answer_with_a_packed_document(body: str) -> None:
    assert metadata_of(body.encode(), "text/plain", BASE) == normalise(APE)


@pytest.mark.parametrize(
    "body", [b64(SVG), f"data:image/svg+xml;base64,{b64(SVG)}", b64(f"data:image/svg+xml,{SVG}")]
)
def test_a_server_may_answer_with_a_packed_picture(body: str) -> None:
    found = metadata_of(body.encode(), "text/plain", BASE)
    assert found["imageMediaType"] == "image/svg+xml"
    assert Fetcher(ipfs_gateways=[], arweave_gateways=[]).fetch(found["imageUrl"]).body == SVG.encode()


@pytest.mark.parametrize(
    "body", ["data: none yet", b64("Not found, sorry" * 9), HEAD * 50, b64(b64(b64(b64(b64(JSON)))))]
)
def test_a_text_in_base64_is_no_document(body: str) -> None:
    with pytest.raises(ValueError, match="not metadata"):
        metadata_of(body.encode(), "text/plain", BASE)


# What an article says is no picture: Kredeum/kredeum#305


@pytest.mark.parametrize(
    "content", [ARTICLE, "https://mirror.example/10/0xf02", f"ipfs://{CID}", "gm to all apes"]
)
@pytest.mark.parametrize("image", ["ipfs://", "", None])
@pytest.mark.django_db
def test_the_address_of_an_article_is_not_its_picture(world: World, content: str, image: Any) -> None:
    """Kredeum/kredeum#305: Mirror's contracts write ``ipfs://`` and nothing behind it where there is no picture."""
    document = {"name": "Post 1/10", "content": content, "image": image}
    assert told(world, f"{BASE}1", document).keys() <= {"name", "description"}
    assert normalise({**document, "image": f"ipfs://{CID}/1"})["imageUrl"] == f"ipfs://{CID}/1"


@pytest.mark.parametrize(
    "document",
    [
        {"content": {"uri": f"ipfs://{CID}", "mime": "image/png"}},
        {"content": f"ipfs://{CID}", "mimeType": "image/png"},
        {"content": [{"uri": f"ipfs://{CID}"}]},
    ],
)
def test_content_that_is_a_picture_is_one(document: Any) -> None:
    assert normalise(document)["imageUrl"] == f"ipfs://{CID}"


# White space that nobody sees: rarible/ethereum-indexer-public#554


@pytest.mark.parametrize("space", ["\u200b", "\u00a0", "\u2028", "\ufeff", "\u200e", "\u2060\u3000", "\x0b"])
def test_white_space_of_every_kind_may_stand_around_what_is_said(space: str) -> None:
    """rarible/ethereum-indexer-public#554; in a text it stays."""
    written = f'{space}{{{space}"name"{space}:{space}"An{space}ape",{space}"image":"ipfs://{CID}"}}{space}'
    found = metadata_of(written.encode(), "application/json", BASE)
    assert found == {"name": f"An{space}ape", "imageUrl": f"ipfs://{CID}"}


# Attributes that are no plain values: thirdweb-dev/dashboard#2573, Chia-Network/chia-blockchain-gui#1404,
# dfinity/oisy-wallet#10094


@pytest.mark.parametrize(
    "value", [{"level": 7, "of": {"x": [1]}}, ["a", {"b": None}], {"value": {"value": 1}}, 0, False]
)
@pytest.mark.django_db
def test_an_attribute_may_be_any_value(world: World, api: Api, value: Any) -> None:
    world.pages.found[f"{BASE}1"] = {
        "name": "Ape",
        "attributes": [
            None,
            {"trait_type": "Odd", "value": value},
            {"trait_type": "None", "value": None},
            7,
            [],
        ],
    }
    world.mint()
    world.run()
    (shown,) = api.nfts(contractAddress=APES)["data"]
    odd = [one["traitValue"] for one in shown["metadata"]["traits"] if one.get("traitType") == "Odd"]
    assert odd == [value]
    assert not any(one.get("traitType") == "None" for one in shown["metadata"]["traits"])


# Characters that a contract did not escape: onflow/flow-evm-bridge#213, sablier-labs/evm-monorepo#514,
# llamaxyz/llama#391


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("A\nB", "A\nB"),
        ("A\tB\x01", "A\tB\x01"),
        ("A \\ end", "A \\ end"),
        ("A\r\nB’s", "A\r\nB’s"),
        ("\\x41\\q", "A\\q"),
    ],
)
def test_characters_that_were_not_escaped_are_read(written: str, name: str) -> None:
    assert metadata_of(f'{{"name": "{written}"}}'.encode(), "application/json", BASE) == {"name": name}


@pytest.mark.parametrize("name", ['The "Big" Ape', 'Say "hi", ape', '7" long', '"'])
@pytest.mark.django_db
def test_quotes_that_were_not_escaped_make_no_other_document_of_it(world: World, api: Api, name: str) -> None:
    """Where a text ends that holds them would be a guess. What was there stays."""
    world.pages.found[f"{BASE}1"] = GOLD
    world.mint()
    world.run()
    before = api.nfts(contractAddress=APES)["data"]
    world.pages.found[f"{BASE}1"] = f'{{"name": "{name}", "image": "ipfs://{CID}"}}'.encode()
    again()
    world.run()
    assert row().state == State.UNUSABLE
    assert api.nfts(contractAddress=APES)["data"] == before


# All of them on the whole way: from `manage.py fetch_metadata`, through a gateway, to what the API answers


@pytest.mark.django_db
def test_from_a_gateway_to_the_answer_each_is_what_a_person_would_read(api: Api, settings: Any) -> None:
    documents: dict[str, Any] = {
        "a/1": {"name": "Beside", "image": "../b/1.png"},
        "a/2": "{ “name”: “Quoted” }".encode(),
        "a/3": f"{HEAD}{b64(json.dumps({'name': 'Packed'}))}".encode(),
        "a/4": {"name": "Post", "content": ARTICLE, "image": "ipfs://"},
        "a/5": '\u200b{ \u2060"name": "Blank" }\u200b'.encode(),
        "a/6": {"name": {"zh": "猿", "en": "Ape"}},
        "a/7": b'{"name": "The "Big" Ape"}',
    }
    with played_contracts() as contracts, LocalGateway(documents) as gateway:
        settings.IPFS_GATEWAYS, settings.RPC_URLS = [gateway.url], {"ethereum": [contracts.node.url]}
        contracts.give(APES, TOKEN_URI, lambda token_id, gas: text(f"ipfs://{ROOT}/a/{token_id}"))
        load_lines([contract(), *(transfer(str(one), log=one) for one in range(1, len(documents) + 1))])
        out = StringIO()
        call_command("fetch_metadata", stdout=out)
    assert out.getvalue().strip() == "7 NFTs: 6 ready, 1 unusable."
    shown = {one["tokenId"]: one.get("metadata", {}) for one in api.nfts(contractAddress=APES)["data"]}
    names = [shown[str(one)].get("name") for one in range(1, len(documents) + 1)]
    assert names == ["Beside", "Quoted", "Packed", "Post", "Blank", "Ape", None]
    assert shown["1"]["imageUrl"].endswith(f"/ipfs/{ROOT}/b/1.png")
    assert [one for one, metadata in shown.items() if "imageUrl" in metadata] == ["1"]


# A video in the picture's place: blockscout/frontend#1093, telosnetwork/telos-wallet#764


@pytest.mark.parametrize(
    "document",
    [
        {"image": "https://v.example/a.mp4"},
        {
            "image": "https://v.example/a",
            "properties": {"files": [{"uri": "https://v.example/a", "type": "video/mp4"}]},
        },
        {"image": "https://v.example/a.MP4?x=1", "animation_url": ""},
    ],
)
@pytest.mark.django_db
def test_a_video_in_the_picture_s_place_is_played(world: World, api: Api, document: Any) -> None:
    world.pages.found[f"{BASE}1"] = {"name": "Ape", **document}
    world.mint()
    world.run()
    (shown,) = api.nfts(contractAddress=APES)["data"]
    assert shown["metadata"]["mediaType"] == "video/mp4"
    assert shown["metadata"]["mediaUrl"] == document["image"]
    assert "imageUrl" not in shown["metadata"]
