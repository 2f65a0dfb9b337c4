"""A line's `document` is the token's own metadata document: it says what it would say if it had been fetched."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from core.db.keys import uint_key
from tests.builders import APES, Line, chain, contract, load_lines, nft, transfer, write_lines
from tests.files.lines import COLLECTION, MINT_A, dumped, fault_of, load
from tests.offchain.apes import BASE, GOLD, World
from tests.offchain.played_contracts import played_contracts
from tests.shared import DOCUMENTS
from tests.waiting import waits
from tokens.models import Nft, TraitValue

pytestmark = pytest.mark.django_db

APE = {"name": "Ape", "traits": [{"traitType": "Fur", "traitValue": "Gold"}]}
OLD = {"name": "Old", "imageUrl": "https://img.example/old.png"}
IMAGE = "https://img.example/{id}.png"
USEFUL: list[tuple[str, Any]] = [
    ("an object", GOLD),
    ("an object in an object", {"data": {"nft": GOLD}}),
    ("an object in a list", [GOLD]),
    ("a text that is JSON", json.dumps(GOLD)),
    ("a text that is JSON in a text", json.dumps(json.dumps(GOLD))),
    ("a text with a comma too many", '{"name": "Ape", "image": "https://img.example/1.png",}'),
    ("traits alone", GOLD["attributes"]),
    ("an object of traits", {"attributes": {"Fur": "Gold", "Level": 5}}),
    ("the address of an image", "https://img.example/1.png"),
    ("an image in a data URI", "data:image/svg+xml;base64,PHN2Zy8+"),
    ("an animation", {"name": "Ape", "animation_url": "ipfs://x/1.glb"}),
    ("numbers of any size", {"name": "Ape", "attributes": [{"trait_type": "N", "value": 10**60}, {"value": 1.10}]}),
    ("a number beyond doubles", '{"name": "Ape", "attributes": [{"trait_type": "N", "value": 1e400}]}'),
    ("NULs", {"name": "A\0pe", "attributes": [{"trait_type": "\0", "value": "\0x"}]}),
    ("halves of characters", {"name": "A\ud800", "attributes": [{"trait_type": "\udfff", "value": "x\ud800"}]}),
    ("more traits than are kept", {"attributes": [{"trait_type": "A", "value": n} for n in range(600)]}),
    ("a long text", {"name": "x" * 5_000, "description": "y" * 50_000}),
    ("a message beside a picture", {"error": "slow", "image": "https://img.example/1.png"}),
]  # fmt: skip
USELESS: list[tuple[str, Any, str]] = [
    ("null", None, "It is null, not metadata."),
    ("a truth value", True, "It is a truth value, not metadata."),
    ("a number", 5, "It is a number, not metadata."),
    ("a text", "not found", "It is the text “not found”, not metadata."),
    ("an empty text", "", "It is the text “”, not metadata."),
    ("a page", "<!doctype html><html></html>", "It is the text “<!doctype html>"),
    ("a broken text", '{"name": "A', "It is the text"),
    ("a page's address", "https://x.example/1", "It is the text"),
    ("an empty list", [], "It is a list of 0, not metadata."),
    ("several objects", [{"name": "A"}, {"name": "B"}], "It is a list of 2, not metadata."),
    ("an empty object", {}, "It names, shows, describes and lists nothing."),
    ("blanks", {"name": " ", "image": None, "attributes": []}, "It names, shows, describes and lists nothing."),
    ("an error", {"error": "rate limited"}, "It is an error's message, not metadata."),
    ("a status", {"status": 404, "message": "no such token", "name": "NotFoundError"}, "It is an error's message"),
    ("a secret", {"message": "Not revealed yet"}, "It says that the NFT is not revealed yet."),
]  # fmt: skip
each_useful = pytest.mark.parametrize("document", [one[1] for one in USEFUL], ids=[one[0] for one in USEFUL])
each_useless = pytest.mark.parametrize(
    ("document", "reason"), [one[1:] for one in USELESS], ids=[one[0] for one in USELESS]
)


def told(*lines: Line, **options: Any) -> tuple[Any, list[str]]:
    """Load lines; the report, and what was told of them by line."""
    found: list[str] = []
    report = load_lines(lines, on_fault=lambda one: found.append(f"{one.line}: {one.reason}"), **options)
    return report, found


def metadata(token: int | str = 1) -> Any:
    key = uint_key(int(token)) if str(token).isdigit() else f"~{token}"
    stored = Nft.objects.get(token_key=key).metadata
    return None if stored is None else json.loads(stored)


def what_is_kept(token: int) -> tuple[Any, ...]:
    found = Nft.objects.select_related("image", "media").get(token_key=uint_key(token))
    traits = found.traits.order_by("trait__type", "trait__value").values_list("trait__type", "trait__value")
    addresses = [one and one.url for one in (found.image, found.media)]
    return found.metadata, tuple(traits), *addresses


def fetched(*documents: Any, standard: str = "ERC721") -> list[tuple[Any, ...]]:
    """What is kept of documents of tokens 1, 2, … that a worker fetches; then their NFTs have no metadata again."""
    tokens = range(1, len(documents) + 1)
    with played_contracts() as contracts:
        world = World(contracts)
        world.nodes = {}
        world.pages.found = {
            f"{BASE}{token}": document for token, document in zip(tokens, documents, strict=True)
        }
        world.mint(
            len(documents),
            contract(standard=standard),
            *(nft(str(one), uri=f"{BASE}{one}") for one in tokens),
        )
        world.run()
    kept = [what_is_kept(token) for token in tokens]
    load(*(nft(str(token), metadata=None) for token in tokens))
    assert {what_is_kept(token) for token in tokens} == {(None, (), None, None)}
    return kept


@each_useful
def test_a_document_says_what_it_says_when_it_is_fetched(document: Any) -> None:
    kept = fetched(document)
    assert kept[0][0] is not None
    load(nft(document=document))
    assert [what_is_kept(1)] == kept
    before = dumped()
    load(nft(document=document))
    assert dumped() == before


@pytest.mark.shared
@pytest.mark.parametrize("standard", ["ERC721", "ERC1155"])
def test_real_documents_say_what_they_say_when_they_are_fetched(standard: str) -> None:
    with gzip.open(DOCUMENTS, "rt", encoding="utf-8") as lines:
        documents = [json.loads(line)["metadata"] for line in lines]
    kept = fetched(*documents, standard=standard)
    assert len([one for one in kept if one[0] is not None]) >= 25
    report, faults = told(*(nft(str(token), document=one) for token, one in enumerate(documents, start=1)))
    assert [what_is_kept(token) for token in range(1, len(documents) + 1)] == kept
    without = [str(token) for token, one in enumerate(kept, start=1) if one[0] is None]
    assert [fault.partition(":")[0] for fault in faults] == without
    assert (report.fault_count, report.useless, report.counts["nft"]) == (0, len(without), len(documents))


@each_useless
def test_a_document_that_is_no_metadata_is_told_and_the_rest_of_the_line_stands(
    document: Any, reason: str
) -> None:
    load(nft("1", metadata=OLD), transfer("2"), nft("3", document=GOLD))
    lines = [nft(str(token), document=document, uri="ipfs://new") for token in (1, 2, 3, 4)]
    report, faults = told(*lines)
    assert [fault.startswith(f"{line}: `document`: {reason}") for line, fault in enumerate(faults, 1)] == [
        True
    ] * 4
    assert (report.fault_count, report.useless, report.counts["nft"]) == (0, 4, 4)
    assert [metadata(token) for token in (1, 2, 3, 4)] == [OLD, None, APE, None]
    assert set(Nft.objects.values_list("uri", flat=True)) == {"ipfs://new"}
    assert waits() == {2}, "it is still waited for"


@each_useless
def test_a_strict_load_stops_at_a_document_that_is_no_metadata(document: Any, reason: str) -> None:
    report, faults = told(
        nft("1"), nft("2", document=document, Owner=1), nft("3", document=document), strict=True
    )
    assert (report.fault_count, report.useless) == (1, 0)
    assert faults[0].startswith(f"2: `document`: {reason}")
    assert len(faults) == 1
    assert not Nft.objects.exists()


@pytest.mark.parametrize(
    "stated",
    [OLD, {"name": "Old"}, {}, {"traits": []}, {"description": None}],
    ids=["all", "name", "{}", "[]", "null"],
)
@pytest.mark.parametrize("document", [GOLD, {"error": "x"}], ids=["a document", "an error"])
def test_stated_metadata_wins_and_is_not_added_to(stated: Any, document: Any) -> None:
    load(nft("1", metadata=stated, document=document), nft("2", document=document, metadata=stated))
    assert metadata(1) == metadata(2) == stated
    assert not TraitValue.objects.exists()


def test_of_a_document_and_metadata_in_two_lines_the_later_one_holds() -> None:
    for batch_lines in (1, 100):
        lines = [
            nft("1", document=GOLD),
            nft("1", metadata=OLD),
            nft("2", metadata=OLD),
            nft("2", document=GOLD),
        ]
        load(*lines, batch_lines=batch_lines)
        assert (metadata(1), metadata(2)) == (OLD, APE)


def test_metadata_that_is_null_states_none() -> None:
    load(nft("1", metadata=OLD), nft("2", metadata=OLD))
    told(nft("1", metadata=None, document=GOLD), nft("2", metadata=None, document={}))
    assert (metadata(1), metadata(2)) == (APE, None)


def test_a_document_ends_the_wait_for_metadata_and_is_counted_among_traits(client: Client) -> None:
    load(transfer("1"), transfer("2", log=2), transfer("3", log=3), nft("1", document=GOLD))
    assert waits() == {2, 3}
    load(nft("2", document=GOLD))
    assert waits() == {3}
    found = client.get("/api/v1/nfts/by-token", {"contractAddress": APES, "tokenId": "1"}).json()["data"][0]
    assert found["metadata"]["name"] == "Ape"
    assert [(one["traitType"], one["traitFrequency"]) for one in found["metadata"]["traits"]] == [("Fur", 2)]


@pytest.mark.parametrize(
    ("standard", "shown"),
    [("ERC1155", f"{255:064x}"), ("ERC1155Supply", f"{255:064x}"), (None, f"{255:064x}"), ("ERC721", None)],
)
@pytest.mark.parametrize("batch_lines", [1, 100])
@pytest.mark.parametrize("known_by", ["contract", "nft"])
def test_the_token_id_is_put_into_a_document_but_for_an_erc721(
    standard: str | None, shown: str | None, batch_lines: int, known_by: str
) -> None:
    document = {
        "name": "#{id}",
        "image": IMAGE,
        "animation_url": "https://img.example/{id}",
        "attributes": {"Of": "{id}"},
    }
    by_line: dict[str, Any] = (
        {} if standard is None or known_by == "contract" else {"contractStandard": standard}
    )
    first = [contract(standard=standard)] if known_by == "contract" else []
    load(*first, nft("255", document=document, **by_line), batch_lines=batch_lines)
    found = metadata(255)
    assert found["name"] == f"#{shown or '{id}'}"
    assert found["imageUrl"] == f"https://img.example/{shown or '%7Bid%7D'}.png"
    assert found["mediaUrl"] == f"https://img.example/{shown or '%7Bid%7D'}"
    assert found["traits"] == [{"traitType": "Of", "traitValue": shown or "{id}"}]
    assert what_is_kept(255)[1:3] == ((("Of", shown or "{id}"),), found["imageUrl"])


def test_the_contract_of_the_same_batch_may_come_later() -> None:
    load(nft("1", document={"name": "{id}"}), contract(standard="ERC721"))
    assert metadata() == {"name": "{id}"}


def test_a_mint_has_no_number_to_be_put_into_its_document() -> None:
    load(nft(MINT_A, COLLECTION, "solana", document={"name": "A {id}", "image": IMAGE}))
    found = metadata(MINT_A)
    assert (found["name"], found["imageUrl"]) == ("A {id}", "https://img.example/%7Bid%7D.png")


@pytest.mark.parametrize("levels", [50, 200, 500, 900])
def test_a_deep_document_costs_nothing_but_what_lies_deep(levels: int) -> None:
    deep: Any = "x"
    for _ in range(levels):
        deep = [{"a": deep}]  # two levels
        if levels >= 200:
            deep = deep[0]
    load(nft("1", document={"name": "Ape {id}", "deep": deep, "image": deep}), nft("2", document=GOLD))
    assert metadata(1)["name"].startswith("Ape 0")
    assert metadata(2) == APE


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ("[" * 100_000 + "]" * 100_000, "Is nested too deeply."),
        ('{"a":' * 5_000 + "1" + "}" * 5_000, "Is nested too deeply."),
        ('{"name": "A", "x": ' + "9" * 5_000 + "}", "Holds a number that is out of range."),
        ('{"name": "A", "x": 1e' + "9" * 30 + "}", "Holds a number that is out of range."),
        ('{"name": "A", "x": NaN}', "NaN is not JSON."),
        ('{"name": "A\0"}', "Not valid JSON"),
        ('{"name": "A', "Not valid JSON"),
        ('{"name": "' + "A" * (16 << 20) + '"}', "Longer than 16 MiB."),
    ],
    ids=["lists", "objects", "an integer", "an exponent", "NaN", "a bare NUL", "an end", "megabytes"],
)
def test_a_document_that_makes_its_line_unreadable_costs_that_line(document: str, reason: str) -> None:
    line = json.dumps(nft("1"))[:-1] + f', "document": {document}}}'
    assert fault_of(line, nft("2", document=GOLD)).startswith(reason)
    assert metadata(2) == APE


@pytest.mark.parametrize("number", ["1e400", "-1e400", "1e-400", "1" + "0" * 4_000, "0.1000"])
def test_a_number_stays_as_it_is_written(number: str) -> None:
    load(
        json.dumps(nft())[:-1]
        + f', "document": {{"attributes": [{{"trait_type": "N", "value": {number}}}]}}}}'
    )
    kept = Nft.objects.get().metadata
    kept_again = dumped()
    load(*kept_again.splitlines())
    assert (Nft.objects.get().metadata, dumped()) == (kept, kept_again)
    assert TraitValue.objects.get().type == "N"


def test_a_document_of_megabytes_is_cut_like_any() -> None:
    document = {"name": "Ape", "attributes": [{"trait_type": "A", "value": "x" * 2_000}] * 5_000}
    load(nft(document=document))
    assert len(metadata()["traits"]) <= 500


def test_a_dump_of_documents_gives_itself_again() -> None:
    load(*(nft(str(token), document=one) for token, (_, one) in enumerate(USEFUL, start=1)))
    first = dumped()
    Nft.objects.all().delete()
    TraitValue.objects.all().delete()
    load(*first.splitlines())
    assert dumped() == first
    assert '"document"' not in first


def test_a_line_that_waits_for_its_chain_tells_of_its_document_once() -> None:
    joining = transfer("2", on="moon")
    del joining["logIndex"]
    lines = [
        nft("1", on="moon", document={}),
        nft("2", on="moon", document=5, lastTransfer=joining),
        chain("moon"),
    ]
    for batch_lines in (1, 100):
        report, faults = told(*lines, batch_lines=batch_lines)
        assert sorted(fault[:1] for fault in faults) == ["1", "2"]
        assert (report.fault_count, report.useless) == (0, 2)


def test_other_lines_have_no_document() -> None:
    report, _ = told(contract(document=GOLD), transfer(document=GOLD), nft(metadata={"document": GOLD}))
    assert report.unknown == {"contract.document": 1, "transfer.document": 1, "nft.metadata.document": 1}


def test_keys_of_a_document_are_its_authors_affair() -> None:
    report, _ = told(nft(document={**GOLD, "anything": {"Owner": 1}}), strict=True)
    assert (report.fault_count, report.unknown) == (0, {})


def test_the_command_tells_where_and_sums_up(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "raw.jsonl", [nft("1", document=GOLD), nft("2", document={}), nft("3", document=5)]
    )
    out, errors = io.StringIO(), io.StringIO()
    call_command("load", str(path), stdout=out, stderr=errors)
    assert list(filter(None, errors.getvalue().splitlines())) == [
        f"{path}:2: `document`: It names, shows, describes and lists nothing.",
        f"{path}:3: `document`: It is a number, not metadata.",
    ]
    assert out.getvalue() == "Read 3 nft lines; 0 bad; 2 with a document that is no metadata.\n"


def test_null_metadata_takes_an_animation_of_unknown_type_away_too() -> None:
    load(nft(metadata={"mediaUrl": "ipfs://x"}))
    assert what_is_kept(1)[3] == "ipfs://x"
    load(nft(metadata=None))
    assert what_is_kept(1) == (None, (), None, None)
