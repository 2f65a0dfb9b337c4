"""What is rendered when it is written is, byte for byte, what the tables say when it is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from typing import Any
from unittest import mock
from urllib.parse import quote

import pytest
from django.core.management import call_command
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.test import override_settings
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rest_framework.renderers import JSONRenderer

from core.db.writing import writing
from core.rest.rendering import PageRenderer
from media.models import CachedImage
from tests.builders import APES, ask, contract, load_lines, nft, transfer
from tests.conftest import Api
from tests.drawn import examples
from tests.operations.promises import COLLECTION, MINT
from tokens.metadata.nft_facts import fill, trait_list
from tokens.models import Contract, Nft, NftRendering, TraitValue
from tokens.records import nft as nft_rows
from tokens.records import rendered
from tokens.records.metadata import Pictures, metadata_record, uri_record
from tokens.records.traits import Population
from tokens.store import removal, withholding
from tokens.store.facts import NftFacts

CID = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"
URIS = st.sampled_from(
    [
        *(f"ipfs://{CID}/1.png", f"https://dweb.link/ipfs/{CID}/é 2.png", f"ipfs://{CID}", "ipfs://bench/1"),
        *("ar://" + "a" * 42 + "A/x", "https://example.com/a.png?x=%20&y", "", "data:image/png;base64,AAAA"),
        *("data:text/plain," + "x" * 9_000, "\x01odd", "https://example.com/\ud800", "ftp://x", "\x1d"),
    ]
)
TEXTS = st.text(max_size=8) | st.sampled_from(
    ["Fur", "Brown", "\x1d\x1e\x1f\x01", "\ud83d", "é\u2028\x7f", "0"]
)
NUMBERS = st.integers() | st.floats() | st.sampled_from([10**400, 10**20, 5e-05, 1e16, -0.0])
VALUES = TEXTS | NUMBERS | st.booleans() | st.none() | st.lists(TEXTS | NUMBERS, max_size=3)
ENTRY = st.fixed_dictionaries(
    {"traitValue": TEXTS | VALUES},
    optional={
        "traitType": TEXTS | VALUES,
        **dict.fromkeys(("traitRarity", "traitFrequency", "traitPercentFrequency"), NUMBERS | VALUES),
    },
)
ENTRIES = st.lists(ENTRY, min_size=1, max_size=4) | st.lists(ENTRY | VALUES, max_size=4) | VALUES
DOCUMENTS = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("name", "description"), VALUES),
        **dict.fromkeys(("imageUrl", "mediaUrl"), URIS | VALUES),
        **dict.fromkeys(("imageMediaType", "mediaType"), st.just("image/png") | VALUES),
        "traits": ENTRIES,
    },
)
TYPES = st.sampled_from([None, "image/webp", "video/mp4", "audio/mpeg", "text/html"])
URLS = st.sampled_from([{}, {"imageCacheUrl": "http://localhost/files/é.png", "imageCachePreviewUrl": "x"}])
GATEWAYS = st.sampled_from(["https://ipfs.io", 'https://gateway.example/"é\\', ""])


def plainly(value: Any) -> str:
    """A value as Django REST Framework writes it."""
    written: bytes = JSONRenderer().render(value, "application/json", {})
    return written.decode()


@settings(max_examples=400, deadline=None)
@given(DOCUMENTS, URIS, VALUES, st.data(), URLS, TYPES, TYPES, GATEWAYS, GATEWAYS)
def test_any_document_is_shown_as_it_is_without_its_rendering(
    document: dict[str, Any],
    uri: str,
    native: Any,
    data: st.DataObject,
    urls: dict[str, str],
    image_type: str | None,
    media_type: str | None,
    ipfs: str,
    arweave: str,
) -> None:
    facts = NftFacts("ethereum", "01", ("ethereum", APES, "01"))
    fill(facts, document)
    assert isinstance(facts.metadata, str)
    pairs = list(dict.fromkeys((one.type, one.value) for one in trait_list(document.get("traits"))))
    counts = {pair: data.draw(st.integers(1, 9)) for pair in pairs if data.draw(st.booleans())}
    ids = {pair: number for number, pair in enumerate(counts)}
    kept = rendered.render(uri, facts.metadata, json.dumps(native), ids)
    if kept is None:
        return
    parts, size, is_computed = (
        rendered.parts_of(kept),
        data.draw(st.integers(0, 10**6)),
        data.draw(st.booleans()),
    )
    by_id = {str(ids[pair]): count for pair, count in counts.items()}
    in_collection = data.draw(st.booleans())
    pictures = Pictures(urls, image_type, media_type)
    with override_settings(IPFS_PUBLIC_GATEWAY=ipfs, ARWEAVE_PUBLIC_GATEWAY=arweave):
        population = Population(size, is_computed, counts if in_collection else {})
        expected = metadata_record(facts.metadata, pictures, population)
        shown = rendered.metadata_text(parts, pictures, size, is_computed, by_id if in_collection else None)
        assert shown == plainly(expected)
        assert rendered.uri_text(parts.uri) == (plainly(uri_record(uri)) if uri_record(uri) else "")
    assert set(rendered.trait_ids_of(parts)) <= set(by_id)


def test_a_trait_that_is_none_any_more_is_noticed() -> None:
    kept = rendered.render(None, '{"traits":[{"traitValue":"Gold"}]}', None, {("", "Gold"): 7})
    assert kept is not None
    with pytest.raises(KeyError):
        rendered.metadata_text(rendered.parts_of(kept), Pictures(), 10, True, {})


@pytest.mark.parametrize(("stated", "shown"), [(7, "7"), (10**400, ""), ("7", "1"), (None, "1")])
def test_a_stated_number_wins_even_if_it_cannot_be_shown(stated: Any, shown: str) -> None:
    text = json.dumps({"traits": [{"traitValue": "Gold", "traitFrequency": stated}]})
    kept = rendered.render(None, text, None, {("", "Gold"): 7})
    assert kept is not None
    record = rendered.metadata_text(rendered.parts_of(kept), Pictures(), 10, False, {"7": 1})
    assert record == plainly(metadata_record(text, Pictures(), Population(10, False, {("", "Gold"): 1})))
    assert ("traitFrequency" in record) == bool(shown)
    assert f'"traitFrequency":{shown}' in record or not shown


@pytest.mark.parametrize("field", ["uri", "metadata", "native", "contract_id"])
def test_a_digest_is_of_everything_that_is_rendered(field: str) -> None:
    known = {"contract_id": 1, "uri": "a", "metadata": "{}", "native": None}
    assert rendered.digest_of(**known) != rendered.digest_of(**{**known, field: 2})  # type: ignore[arg-type]


TOKENS = st.sampled_from(["1", "2"])
FIELDS = {"metadata": DOCUMENTS, "uri": URIS | st.none(), "native": VALUES}


def loaded(*lines: Any) -> Callable[[], object]:
    """Load lines, good or not."""
    return lambda: load_lines(lines)


def written(work: Callable[[], object]) -> Callable[[], object]:
    """Do something within a transaction of a writer's."""

    def run() -> None:
        with writing():
            work()

    return run


def ids_of(token_id: str) -> list[int]:
    """The ids of the NFTs with a token id, or a mint."""
    return [one.id for one in Nft.objects.all() if one.token_id == token_id]


def cached(image_type: str, path: str, is_withheld: bool) -> Callable[[], object]:
    """Have all images in the cache, or have an operator withhold what is at their addresses."""
    state = CachedImage.State.WITHHELD if is_withheld else CachedImage.State.READY
    values = {"original_path": path, "thumbnail_path": path}
    return lambda: CachedImage.objects.update(state=state, media_type=image_type, **values)


def taken_down(token_id: str, is_withheld: bool) -> Callable[[], object]:
    """Withhold or release an NFT's media, and its contract's."""

    def run() -> None:
        contracts = list(Contract.objects.values_list("id", flat=True))
        if is_withheld:
            withholding.withhold_nfts(ids_of(token_id), "asked for")
            withholding.withhold_contracts(contracts[:1], "asked for")
        else:
            withholding.release_nfts(ids_of(token_id))
            withholding.release_contracts(contracts)

    return written(run)


WRITES: st.SearchStrategy[Callable[[], object]] = st.one_of(
    st.builds(lambda token, fields: loaded(nft(token, **fields)), TOKENS, st.fixed_dictionaries(FIELDS)),
    st.builds(
        lambda token, fields: loaded(nft(token, **fields)), TOKENS, st.fixed_dictionaries({}, optional=FIELDS)
    ),
    st.builds(
        lambda home, fields: loaded(nft(MINT, home, on="solana", **fields)),
        st.sampled_from([COLLECTION, None]),
        st.fixed_dictionaries({}, optional=FIELDS),
    ),
    st.builds(lambda token, number: loaded(nft(token, traits=[("Fur", number)])), TOKENS, st.integers(0, 2)),
    st.builds(lambda token: loaded(ask(token), transfer(token, block=3)), TOKENS),
    st.builds(lambda standard: loaded(contract(standard=standard)), st.sampled_from(["ERC721", "ERC1155"])),
    st.builds(cached, st.sampled_from(["", "image/png", "video/mp4"]), st.just("a/é.png"), st.booleans()),
    st.builds(taken_down, TOKENS, st.booleans()),
    st.just(lambda: call_command("compute_rarity", verbosity=0)),
    st.builds(lambda token: written(lambda: removal.remove(ids_of(token))), TOKENS),
)


@pytest.mark.django_db
@examples(30)
@given(st.lists(WRITES, min_size=1, max_size=6), GATEWAYS)
@example(
    [loaded(nft("1", traits=[("Fur", "a")])), loaded(nft("1", traits=[("Fur", "b")]))], "https://x.example"
)
def test_an_answer_is_the_same_with_and_without_renderings_after_any_writes(
    writes: list[Callable[[], object]], gateway: str
) -> None:
    api = Api()
    with transaction.atomic():
        for write in writes:
            write()
            with override_settings(IPFS_PUBLIC_GATEWAY=gateway):
                answer = api.get("/api/v1/nfts/by-token", "includeLastTransfer")
                with mock.patch.object(nft_rows, "_is_rendered", return_value=False):
                    computed = api.get("/api/v1/nfts/by-token", "includeLastTransfer")
            assert answer.status_code == 200
            assert answer.content == computed.content
            assert answer.headers["ETag"] == computed.headers["ETag"]
            assert all(map(is_in_step, Nft.objects.all()))
            assert not NftRendering.objects.exclude(Exists(Nft.objects.filter(pk=OuterRef("pk")))).exists()
        transaction.set_rollback(True)


def is_in_step(one: Nft) -> bool:
    """Whether whoever wrote an NFT has rendered it."""
    kept = NftRendering.objects.filter(pk=one.pk).first()
    if kept is None:
        return rendered.render(one.uri, one.metadata, one.native, {}) is None
    return kept.digest == rendered.digest_of(one.contract_id, one.uri, one.metadata, one.native)


@pytest.mark.django_db
def test_an_answer_is_put_together_of_renderings(api: Api) -> None:
    """Else the tests above would prove nothing."""
    load_lines([nft("1", traits=[("Fur", "Brown")], uri=f"ipfs://{CID}/1", native={"a": [5e-05, "é"]})])
    with mock.patch.object(nft_rows, "metadata_record", side_effect=AssertionError):
        (record,) = api.nfts()["data"]
    assert record["metadata"]["traits"][0]["traitFrequency"] == 1
    assert record["uri"] == f"https://ipfs.io/ipfs/{CID}/1"


@pytest.mark.django_db
def test_a_page_for_people_and_indented_json_show_the_same(api: Api) -> None:
    load_lines([nft("1", traits=[("Fur", "Brown")], native={"a": [5e-05, 10**30, "\x7f"]})])
    plain = api.get("/api/v1/nfts/by-token").json()
    assert api.get("/api/v1/nfts/by-token", accept="application/json; indent=2").json() == plain
    assert quote("Brown") in api.get("/api/v1/nfts/by-token", accept="text/html").content.decode()


@pytest.mark.django_db
def test_what_json_must_write_is_written_around_what_is_rendered(api: Api) -> None:
    """A transfer's native data has an integer that orjson refuses."""
    load_lines([nft("1", traits=[("Fur", "Brown")], native=[5e-05]), transfer("1", native={"wei": 2**70})])
    answer = api.get("/api/v1/nfts/by-token", "includeLastTransfer")
    with mock.patch.object(nft_rows, "_is_rendered", return_value=False):
        assert answer.content == api.get("/api/v1/nfts/by-token", "includeLastTransfer").content
    assert str(2**70) in answer.content.decode()


@pytest.mark.django_db
def test_what_others_change_in_the_table_is_shown_at_once(api: Api) -> None:
    """A rendering that is out of date is none: nothing has to tell it so."""
    load_lines([nft("1", traits=[("Fur", "Brown")])])
    Nft.objects.update(metadata='{"name":"changed"}', uri="https://example.com/1")
    (record,) = api.nfts()["data"]
    assert (record["metadata"]["name"], record["uri"]) == ("changed", "https://example.com/1")
    told = StringIO()
    call_command("render_nfts", stdout=told)
    call_command("render_nfts", stdout=told)
    assert told.getvalue() == "NFTs rendered: 1.\nNFTs rendered: 0.\n"
    with mock.patch.object(nft_rows, "metadata_record", side_effect=AssertionError):
        assert api.nfts()["data"] == [record]


@pytest.mark.django_db
def test_a_rendering_of_traits_that_are_none_any_more_is_none(api: Api) -> None:
    load_lines([nft(str(one), traits=[("Fur", str(one))]) for one in range(3)])
    TraitValue.objects.filter(value="1").delete()
    answer = api.get("/api/v1/nfts/by-token")
    with mock.patch.object(nft_rows, "_is_rendered", return_value=False):
        assert answer.content == api.get("/api/v1/nfts/by-token").content
    assert answer.status_code == 200


@pytest.mark.django_db
def test_a_takedown_holds_in_the_transaction_that_it_is_made_in(api: Api) -> None:
    load_lines([nft("1", metadata={"name": "A", "imageUrl": "https://example.com/secret.png"})])
    with writing():
        withholding.withhold_nfts(ids_of("1"), "asked for")
        assert "secret" not in api.get("/api/v1/nfts/by-token").content.decode()


def test_the_renderer_is_the_one_that_takes_fragments() -> None:
    assert PageRenderer().render({"a": None}, "application/json", {}) == b'{"a":null}'
