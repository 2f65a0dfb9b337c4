"""The sample in a database: each line is taken, each kind is found, and its images are cached and served."""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Iterator

import pytest
import time_machine
from django.core.management import call_command
from django.db import transaction
from django.db.models import QuerySet

from media.models import CachedImage, url_key
from media.vetters import Vetters
from nftsite.sample import images, loading
from tests.builders import contract, load_lines, nft, settle
from tests.conftest import Api
from tests.sample.lines import ASKS, CONTRACTS, NFTS, TRANSFERS
from tests.sample.readme import QUERIES
from tokens.models import Contract, Nft
from transfers.models import Transfer

# What a test changes in the sample is taken back after it.
pytestmark = pytest.mark.django_db

ADDRESSES = [line["contractAddress"] for line in CONTRACTS]
LANTERNS, TIDES, FIELDS, SEEDS, SIGNALS, VOUCHERS = ADDRESSES
FAR = 4_102_444_800
"""Unix time at which the asks with an end do end: 2100-01-01."""


@pytest.fixture(scope="module")
def loaded(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> Iterator[None]:
    """A database with the sample in it, for the tests of this file; no images yet."""
    with django_db_blocker.unblock(), transaction.atomic():  # type: ignore[attr-defined]
        assert loading.load_sample().fault_count == 0
        settle()
        yield
        transaction.set_rollback(True)


def test_every_line_is_taken(loaded: None) -> None:
    assert (Nft.objects.count(), Contract.objects.count()) == (300, 6)
    assert Transfer.objects.count() == len(TRANSFERS)


def test_dump_writes_the_lines_of_the_file(loaded: None) -> None:
    """So that whoever changes the sample may dump it; a dump does not say where Solana's transfers and asks belong."""
    out = io.StringIO()
    call_command("dump", stdout=out)
    of_mints = re.compile(r'^({"record":"(?:transfer|ask)","chain":"solana",)"contractAddress":"\w+",')
    lines = loading.SAMPLE.read_text(encoding="utf-8").splitlines()
    assert out.getvalue().splitlines() == [of_mints.sub(r"\1", line) for line in lines]


@pytest.mark.parametrize("kind", ["mint", "transfer", "sale", "swap", "burn"])
def test_each_type_of_transfer_is_found(loaded: None, kind: str) -> None:
    assert Transfer.objects.filter(transfer_type=kind).exists()


def test_every_single_price_has_a_value_in_usd_and_in_eth(loaded: None) -> None:
    priced = Transfer.objects.filter(nft_value_amount__isnull=False)
    assert priced.count() > 200
    assert not priced.filter(usd_value=None).exists()
    assert not priced.filter(eth_value=None).exists()


@pytest.mark.parametrize("date", ["2025-01-02", "2027-06-01", "2036-11-27"])
def test_asks_are_live_for_years(loaded: None, api: Api, date: str) -> None:
    with time_machine.travel(f"{date}T12:00:00+00:00"):
        for address in ADDRESSES:
            query = {"contractAddress": address, "sortBy": "lowestAsk", "limit": "10"}
            offered = [record for record in api.nfts(**query)["data"] if "orderbook" in record]
            assert len(offered) == (0 if address == VOUCHERS else 10)


def test_asks_that_are_over_are_not_shown(loaded: None, api: Api) -> None:
    """Each would be the cheapest, at a tenth of a usual price."""
    live: set[str] = set()
    over: set[str] = set()
    for line in ASKS:
        if line.get("contractAddress") == TIDES:
            is_live = line["status"] == "open" and line.get("validUntil", FAR) == FAR
            (live if is_live else over).add(f"{line['marketplace']},{line['currency']},{line['price']}")
    page = api.nfts(contractAddress=TIDES, sortBy="lowestAsk", limit="30")["data"]
    shown = {ask for record in page for ask in record.get("orderbook", ())}
    assert over
    assert shown == live


def test_an_edition_has_many_owners(loaded: None, api: Api) -> None:
    (packet,) = api.nfts(contractAddress=SEEDS, tokenId="1")["data"]
    assert (len(packet["owners"]), packet["ownersTotal"] > 100) == (100, True)


def test_marks_can_be_left_out(loaded: None, api: Api) -> None:
    assert api.nfts(contractAddress=VOUCHERS)["data"]
    assert api.nfts(contractAddress=VOUCHERS, excludeMarkedNfts="true")["data"] == []
    assert api.nfts(contractAddress=LANTERNS, tokenId="17")["data"]
    assert api.nfts(contractAddress=LANTERNS, tokenId="17", excludeMarkedNfts="true")["data"] == []


def test_ens_names_stand_for_contracts(loaded: None, api: Api) -> None:
    named = api.nfts(contractAddress="paper-lanterns.nft-sample.eth", limit="1")["data"]
    assert named[0]["contractAddress"] == LANTERNS
    assert api.nfts(contractAddress="collector.nft-sample.eth")["data"] == []


def test_a_trait_with_a_comma_is_found_in_quotes(loaded: None, api: Api) -> None:
    assert api.nfts(contractAddress=LANTERNS, traits='"Tassel-Black, Knotted"')["data"]


@pytest.fixture
def few(loaded: None, monkeypatch: pytest.MonkeyPatch) -> QuerySet[CachedImage]:
    """The images of three NFTs, of three collections, in place of all."""
    firsts = {line["contractAddress"]: line["metadata"]["imageUrl"] for line in reversed(NFTS)}
    keys = [url_key(firsts[address]) for address in (LANTERNS, TIDES, FIELDS)]
    rows = CachedImage.objects.filter(key__in=keys).order_by("id")
    monkeypatch.setattr(images, "images", rows.all)
    return rows


def test_all_images_of_the_sample_are_to_be_cached(loaded: None) -> None:
    assert images.images().filter(state="pending").count() == CachedImage.objects.count() == 300


def test_images_of_others_are_left_alone(loaded: None) -> None:
    """Whoever loads data beside the sample has no address of theirs asked by it."""
    load_lines([contract(), nft("1", metadata={"imageUrl": "https://images.example/1.png"})])
    assert not images.images().filter(url__startswith="https:").exists()


def test_images_become_ready_by_the_worker_and_are_served(
    few: QuerySet[CachedImage], api: Api, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("load_sample", "--images")
    assert capsys.readouterr().out.startswith("Images cached: 3, each in three sizes")
    assert {(row.state, row.media_type, row.width, row.height) for row in few} == {
        ("ready", "image/png", 256, 256),
        ("ready", "image/svg+xml", 1024, 1024),
        ("ready", "image/png", 24, 24),
    }
    (lantern,) = api.nfts(contractAddress=LANTERNS, tokenId="1")["data"]
    assert lantern["metadata"]["imageUrl"].startswith("data:image/png;base64,")
    for name in ("imageCacheUrl", "imageCachePreviewUrl", "imageCacheThumbnailUrl"):
        response = api.get(lantern["metadata"][name].removeprefix("http://testserver"))
        assert response.status_code == 200
        assert b"".join(response.streaming_content)


def test_what_is_cached_is_left_as_it_is_without_a_word(
    few: QuerySet[CachedImage], capsys: pytest.CaptureFixture[str]
) -> None:
    assert images.cache_images(threading.Event()) == 3
    call_command("load_sample", "--images")
    assert capsys.readouterr().out == ""


def test_caching_ends_when_it_is_told_to(few: QuerySet[CachedImage]) -> None:
    stop = threading.Event()
    stop.set()
    assert images.cache_images(stop) == 0
    assert few.filter(state="ready").count() == 0


def test_an_image_at_which_the_service_failed_holds_nobody_up(
    few: QuerySet[CachedImage], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when no process can be started: the run ends, and `cache_images` tries again."""

    def fail(*_: object) -> None:
        raise RuntimeError("The process that vets images ended.")

    monkeypatch.setattr(Vetters, "vet", fail)
    images.cache_images(threading.Event())
    assert few.filter(next_attempt_at__isnull=False).exclude(fault="").count() == 3


@pytest.mark.parametrize("query", QUERIES)
def test_the_queries_of_the_readme_answer_with_data_of_the_sample(loaded: None, api: Api, query: str) -> None:
    response = api.get(query)
    assert response.status_code == 200
    assert response.json()["data"]
