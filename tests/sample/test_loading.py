"""The sample in a database: taken whole into an empty one, never into another, and completed after a kill."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import time_machine
from django.conf import settings
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db.models import QuerySet

from media.models import CachedImage, url_key
from media.vetters import Vetters
from nftsite.sample import drawing, images, loading
from nftsite.sample.collections import COLLECTIONS
from nftsite.sample.lines import COLLECTOR_ENS, sample_lines
from tests import machine
from tests.builders import contract, load_lines, nft, settle
from tests.conftest import Api
from tests.patience import comes
from tokens.models import Contract, Nft
from transfers.models import Transfer

LANTERNS, TIDES, FIELDS, SEEDS, SIGNALS, VOUCHERS = COLLECTIONS


@pytest.fixture(scope="module")
def loaded(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> Iterator[None]:
    """A database with the sample in it, for the tests of this file; no images yet."""
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():  # type: ignore[attr-defined]
        assert loading.load_sample().fault_count == 0
        settle()
        yield
        transaction.set_rollback(True)


def test_every_line_is_taken(loaded: None) -> None:
    assert (Nft.objects.count(), Contract.objects.count()) == (1_500, 6)
    assert Transfer.objects.count() == sum(line["record"] == "transfer" for line in sample_lines())


@pytest.mark.parametrize("kind", ["mint", "transfer", "sale", "swap", "burn"])
def test_each_type_of_transfer_is_found(loaded: None, kind: str) -> None:
    assert Transfer.objects.filter(transfer_type=kind).exists()


def test_every_single_price_has_a_value_in_usd_and_in_eth(loaded: None) -> None:
    priced = Transfer.objects.filter(nft_value_amount__isnull=False)
    assert priced.count() > 2_000
    assert not priced.filter(usd_value=None).exists()
    assert not priced.filter(eth_value=None).exists()


@pytest.mark.parametrize("date", ["2025-01-02", "2027-06-01", "2036-11-27"])
def test_asks_are_live_for_years(loaded: None, api: Api, date: str) -> None:
    with time_machine.travel(f"{date}T12:00:00+00:00"):
        for collection in COLLECTIONS:
            query = {"contractAddress": collection.address, "sortBy": "lowestAsk", "limit": "20"}
            offered = [record for record in api.nfts(**query)["data"] if "orderbook" in record]
            assert len(offered) == (0 if collection.marked else 20)


def test_asks_that_are_over_are_not_shown(loaded: None, api: Api) -> None:
    """Each would be the cheapest, at a tenth of a usual price."""
    cheapest = api.nfts(contractAddress=TIDES.address, sortBy="lowestAsk", limit="1")["data"][0]["orderbook"][
        0
    ]
    currency, price = cheapest.split(",")[1:]
    assert float(price) > TIDES.price / 10 * (2_600 if currency == "USDC" else 1)


def test_an_edition_has_many_owners(loaded: None, api: Api) -> None:
    (packet,) = api.nfts(contractAddress=SEEDS.address, tokenId="1")["data"]
    assert (len(packet["owners"]), packet["ownersTotal"] > 100) == (100, True)


def test_marks_can_be_left_out(loaded: None, api: Api) -> None:
    assert api.nfts(contractAddress=VOUCHERS.address)["data"]
    assert api.nfts(contractAddress=VOUCHERS.address, excludeMarkedNfts="true")["data"] == []
    assert api.nfts(contractAddress=LANTERNS.address, tokenId="77")["data"]
    assert api.nfts(contractAddress=LANTERNS.address, tokenId="77", excludeMarkedNfts="true")["data"] == []


def test_ens_names_stand_for_contracts(loaded: None, api: Api) -> None:
    named = api.nfts(contractAddress=LANTERNS.ens, limit="1")["data"]
    assert named[0]["contractAddress"] == LANTERNS.address
    assert api.nfts(contractAddress=COLLECTOR_ENS)["data"] == []


def test_a_trait_with_a_comma_is_found_in_quotes(loaded: None, api: Api) -> None:
    assert api.nfts(contractAddress=LANTERNS.address, traits='"Tassel-Black, Knotted"')["data"]


@pytest.fixture
def undone(loaded: None) -> Iterator[None]:
    """What a test changes in the sample is taken back after it."""
    from django.db import transaction

    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def few(undone: None, monkeypatch: pytest.MonkeyPatch) -> QuerySet[CachedImage]:
    """The images of three NFTs, of three collections, in place of all."""
    shown = [drawing.image_url(one.slug, 1)[1] for one in (LANTERNS, TIDES, FIELDS)]
    rows = CachedImage.objects.filter(key__in=map(url_key, shown)).order_by("id")
    monkeypatch.setattr(images, "images", rows.all)
    return rows


def test_all_images_of_the_sample_are_to_be_cached(loaded: None) -> None:
    assert images.missing() == CachedImage.objects.count() > 1_490


def test_images_of_others_are_left_alone(undone: None) -> None:
    """Whoever loads data beside the sample has no address of theirs asked by it."""
    load_lines([contract(), nft("1", metadata={"imageUrl": "https://images.example/1.png"})])
    assert not images.images().filter(url__startswith="https:").exists()


def test_images_become_ready_by_the_worker_and_are_served(few: QuerySet[CachedImage], api: Api) -> None:
    counts: list[int] = []
    assert images.cache_images(counts.append)
    assert sum(counts) == 3
    assert {(row.state, row.media_type, row.width, row.height) for row in few} == {
        ("ready", "image/png", 320, 320),
        ("ready", "image/svg+xml", 1024, 1024),
        ("ready", "image/png", 24, 24),
    }
    (lantern,) = api.nfts(contractAddress=LANTERNS.address, tokenId="1")["data"]
    assert lantern["metadata"]["imageUrl"].startswith("data:image/png;base64,")
    for name in ("imageCacheUrl", "imageCachePreviewUrl", "imageCacheThumbnailUrl"):
        response = api.get(lantern["metadata"][name].removeprefix("http://testserver"))
        assert response.status_code == 200
        assert b"".join(response.streaming_content)


def test_an_image_whose_file_is_gone_is_cached_again(few: QuerySet[CachedImage]) -> None:
    images.cache_images()
    assert images.missing() == 0
    lost = Path(default_storage.path(few[0].preview_path))
    lost.unlink()
    assert images.missing() == 1
    assert images.cache_images()
    assert lost.exists()


def test_caching_ends_when_it_is_told_to(few: QuerySet[CachedImage]) -> None:
    assert not images.cache_images(is_over=lambda: True)
    assert images.missing() == 3


def test_an_image_at_which_the_service_failed_holds_nobody_up(
    few: QuerySet[CachedImage], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when no process can be started: the run ends and says so, the next one tries again."""

    def fail(*_: object) -> None:
        raise RuntimeError("The process that vets images ended.")

    with monkeypatch.context() as broken:
        broken.setattr(Vetters, "vet", fail)
        assert not images.cache_images()
    assert images.missing() == 3
    assert images.cache_images()


def test_caching_ends_with_the_process_it_runs_beside(
    few: QuerySet[CachedImage], capsys: pytest.CaptureFixture[str]
) -> None:
    """A service that was killed tells nobody: another process is the parent then."""
    call_command("load_sample", "--if-empty", beside=os.getpid())
    assert (images.missing(), capsys.readouterr().out) == (3, "")
    call_command("load_sample", "--if-empty", beside=os.getppid())
    assert images.missing() == 0
    assert capsys.readouterr().out.startswith("Images cached: 3,")


@pytest.mark.django_db
def test_a_database_with_data_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    load_lines([contract()])
    with pytest.raises(CommandError, match="holds data already") as refusal:
        call_command("load_sample")
    assert refusal.value.returncode == 1
    call_command("load_sample", "--if-empty")
    assert (Contract.objects.count(), Nft.objects.count(), CachedImage.objects.count()) == (1, 0, 0)
    assert capsys.readouterr().out == ""


@pytest.mark.django_db
def test_it_keeps_away_from_a_database_that_was_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "sqlite:///anything")
    call_command("load_sample", "--if-empty", "--if-default")
    assert not Contract.objects.exists()


@pytest.mark.django_db
def test_a_sample_that_is_faulty_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [b'{"record":"contract","chain":"base","contractAddress":"0x%040d"}\n' % 5, b"{}\n"]
    monkeypatch.setattr(loading, "sample", lambda: lines)
    with pytest.raises(RuntimeError, match="faulty"):
        loading.load_sample()
    assert not Contract.objects.exists()


@pytest.mark.sqlite
def test_a_kill_at_any_moment_is_made_good_by_the_next_run(tmp_path: Path) -> None:
    """Killed while it loads, the database is empty; killed while it caches, the next run does the rest."""
    variables = machine.bare(
        DATABASE_URL=f"sqlite:///{tmp_path}/db.sqlite3", MEDIA_ROOT=f"{tmp_path}/files", SECRET_KEY="k" * 50
    )
    # The process that vets has the paths of its parent.
    variables["PYTHONPATH"] += os.pathsep + str(settings.BASE_DIR)
    command = [sys.executable, "manage.py"]
    root = Path(settings.BASE_DIR)
    subprocess.run([*command, "migrate", "-v0"], cwd=root, env=variables, check=True)
    # The first is there from the first statement to the last, the second from the first image.
    for begun in (tmp_path / "db.sqlite3-wal", tmp_path / "files"):
        process = subprocess.Popen([*command, "load_sample"], cwd=root, env=variables, start_new_session=True)
        assert comes(begun.exists, process, every=0.02)
        process.kill()
        process.wait()
    # What is left of the work is looked at without doing it all.
    script = (
        "import django; django.setup(); from nftsite.sample.images import *; from tokens.models import Nft; "
        "n = missing(); cache_images(is_over=lambda: missing() < n); print(Nft.objects.count(), missing() < n)"
    )
    variables["DJANGO_SETTINGS_MODULE"] = "nftsite.settings"
    rest = subprocess.run(
        [sys.executable, "-c", script], cwd=root, env=variables, capture_output=True, text=True, check=True
    )
    assert rest.stdout == "1500 True\n"
