"""A takedown is at once: no record links to the media and no file is left; what others show stays."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured
from django.core.management import call_command

from media.models import CachedImage, WithheldContent
from media.pruning import prune
from media.withholding import delete_doomed
from tests.admin.conftest import Operator
from tests.admin.pictures import ALONE, MOVIE, NEW, SHARED, cache
from tests.builders import APES, load_lines, nft, transfer
from tests.conftest import Api
from tokens.admin import contracts
from tokens.models import Contract, Nft

OTHER = "0x" + "ee" * 20


@pytest.fixture(autouse=True)
def own_files(settings: Any, tmp_path: Path) -> None:
    """A folder of each test's own, in which files can be counted."""
    settings.MEDIA_ROOT = str(tmp_path)


@pytest.fixture
def cached(operator: Operator) -> None:
    """Two NFTs of a contract and one of another; the first shares its image with the latter."""
    load_lines(
        [
            nft("1", metadata={"name": "one", "imageUrl": SHARED, "mediaUrl": MOVIE}),
            nft("2", metadata={"imageUrl": ALONE}),
            nft("1", OTHER, metadata={"imageUrl": SHARED}),
        ]
    )
    cache()


def pictures(api: Api) -> dict[tuple[str, str], bool]:
    """Which NFTs show a cached picture that is there."""
    found = {}
    for record in api.nfts()["data"]:
        url = record["metadata"].get("imageCacheUrl")
        if url is not None:
            response = api.get(url.removeprefix("http://testserver"))
            assert response.status_code == 200
            assert b"".join(response.streaming_content)
        found[record["contractAddress"], record["tokenId"]] = url is not None
    return found


def file_count() -> int:
    return sum(path.is_file() for path in Path(configured.MEDIA_ROOT).rglob("*"))


def test_a_content_is_taken_from_all_that_show_it_and_comes_back_when_released(
    operator: Operator, cached: None, api: Api
) -> None:
    image = CachedImage.objects.get(url=SHARED)
    assert operator.found("media/cachedimage", f"https://api.example/files/{image.preview_path}") == [
        image.pk
    ]
    assert "Keep the content of 1 image(s)" in operator.act("media/cachedimage", "withhold", image.pk)
    told = operator.act("media/cachedimage", "withhold", image.pk, confirmed="1", reason="Court order 7")
    assert "1 image(s) are kept from being served; 3 file(s) were deleted" in told
    assert pictures(api) == {(APES, "1"): False, (APES, "2"): True, (OTHER, "1"): False}
    assert set(WithheldContent.objects.values_list("reason", flat=True)) == {"Court order 7"}
    assert operator.ids("media/cachedimage", show="withheld") == [image.pk]
    operator.act("tokens/nft", "request_image", *Nft.objects.values_list("id", flat=True))
    cache()
    assert not pictures(api)[APES, "1"]  # asked for again by somebody who did not know
    operator.act("media/cachedimage", "release", image.pk)
    cache()
    assert all(pictures(api).values())


def test_the_media_of_an_nft_are_taken_down_and_a_shared_picture_stays_with_the_other(
    operator: Operator, cached: None, api: Api
) -> None:
    nfts = {(one.contract.address, one.token_id): one.pk for one in Nft.objects.select_related("contract")}
    both = (nfts[APES, "1"], nfts[APES, "2"])
    operator.act("tokens/nft", "withhold", *both, confirmed="1", reason="theirs")
    assert pictures(api) == {(APES, "1"): False, (APES, "2"): False, (OTHER, "1"): True}
    assert file_count() == 3
    record = next(one for one in api.nfts(contractAddress=APES)["data"] if one["tokenId"] == "1")
    assert record["metadata"] == {"name": "one", "traits": []}
    operator.act("tokens/nft", "release", *both, confirmed="1", reason="")
    cache()
    assert all(pictures(api).values())


def test_the_media_of_a_contract_are_taken_down_as_a_whole(
    operator: Operator, cached: None, api: Api
) -> None:
    contract = Contract.objects.get(address=APES)
    operator.act("tokens/contract", "withhold", contract.pk, confirmed="1", reason="theirs")
    assert pictures(api) == {(APES, "1"): False, (APES, "2"): False, (OTHER, "1"): True}
    assert file_count() == 3
    load_lines([nft("3", metadata={"imageUrl": ALONE})])
    cache()
    assert not any(shown for (address, _), shown in pictures(api).items() if address == APES)
    operator.act("tokens/contract", "release", contract.pk, confirmed="1", reason="")
    cache()
    assert all(pictures(api).values())


def test_a_takedown_by_address_outlasts_the_release_of_the_nft_and_a_prune(
    operator: Operator, api: Api
) -> None:
    """The image was never fetched: there are no bytes by which it would be known."""
    load_lines([nft("1", metadata={"imageUrl": SHARED})])
    image, row = CachedImage.objects.get(), Nft.objects.get()
    operator.act("media/cachedimage", "withhold", image.pk, confirmed="1", reason="Court order 8")
    for action in ("withhold", "release"):
        operator.act("tokens/nft", action, row.pk, confirmed="1", reason="theirs")
    prune()
    cache()
    assert pictures(api) == {(APES, "1"): False}
    operator.act("media/cachedimage", "release", image.pk)
    cache()
    assert pictures(api) == {(APES, "1"): True}


def test_a_picture_that_only_withheld_nfts_show_by_now_goes_with_a_prune(
    operator: Operator, cached: None, api: Api
) -> None:
    one = Nft.objects.get(contract__address=APES, token_key="011")
    operator.act("tokens/nft", "withhold", one.pk, confirmed="1", reason="theirs")
    assert file_count() == 6  # somebody else shows it too
    load_lines([nft("1", OTHER, metadata={"imageUrl": ALONE})])
    prune()
    delete_doomed()
    assert file_count() == 3


def test_an_nft_of_others_gets_the_picture_that_was_taken_away_with_one_that_is_withheld(
    operator: Operator, cached: None, api: Api
) -> None:
    two = Nft.objects.get(contract__address=APES, token_key="012")
    operator.act("tokens/nft", "withhold", two.pk, confirmed="1", reason="theirs")
    load_lines([nft("2", OTHER, metadata={"imageUrl": ALONE})])
    cache()
    shown = pictures(api)
    assert (shown[OTHER, "2"], shown[APES, "2"]) == (True, False)


def test_metadata_that_changes_while_an_nft_is_withheld_is_fetched_on_release(
    operator: Operator, cached: None, api: Api
) -> None:
    two = Nft.objects.get(contract__address=APES, token_key="012")
    operator.act("tokens/nft", "withhold", two.pk, confirmed="1", reason="theirs")
    load_lines([nft("2", metadata={"imageUrl": NEW})])
    cache()
    operator.act("tokens/nft", "release", two.pk, confirmed="1", reason="")
    cache()
    assert pictures(api)[APES, "2"]


def test_a_document_in_the_token_uri_of_a_withheld_nft_is_left_out(operator: Operator, api: Api) -> None:
    load_lines([nft("1", uri="data:application/json,{}", metadata={"name": "one"})])
    assert "uri" in api.nfts()["data"][0]
    operator.act("tokens/nft", "withhold", Nft.objects.get().pk, confirmed="1", reason="theirs")
    assert "uri" not in api.nfts()["data"][0]


def test_the_files_of_a_large_contract_are_left_to_a_command(
    operator: Operator, cached: None, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contracts, "AT_ONCE", 1)
    contract = Contract.objects.get(address=APES)
    told = operator.act("tokens/contract", "withhold", contract.pk, confirmed="1", reason="theirs")
    assert "by `manage.py apply_marks`" in told
    assert pictures(api) == {(APES, "1"): False, (APES, "2"): False, (OTHER, "1"): True}
    assert file_count() == 6
    call_command("apply_marks", stdout=StringIO())
    assert file_count() == 3


def test_a_page_tells_how_many_images_are_in_which_state_and_what_they_take(
    operator: Operator, cached: None, settings: Any
) -> None:
    page = operator.page("images/")
    assert "/admin/media/cachedimage/?show=ready" in page
    assert "cache_images --follow" in page
    assert f"{file_size() / 1024:.1f}\xa0KB" in page
    settings.MEDIA_MAX_BYTES = 10 * 2**30
    assert "10.0\xa0GB" in operator.page("images/")
    assert ">Images</h3>" in operator.page("")


def file_size() -> int:
    return sum(path.stat().st_size for path in Path(configured.MEDIA_ROOT).rglob("*") if path.is_file())


def shows(api: Api, *texts: str) -> list[str]:
    """Which of the texts any answer about the apes shows: operations as JSON and for a browser, and other pages."""
    paths = ("/api/v1/nfts/by-token", "/api/v1/transfers/by-token")
    query = {"contractAddress": APES, "limit": "30"}
    answers = [
        api.get(path, query | more, accept=accept).content.decode()
        for path, more in ((paths[0], {"includeLastTransfer": "true"}), (paths[1], {}))
        for accept in ("application/json", "text/html")
    ]
    people = ("/", f"/collections/ethereum/{APES}", f"/nfts/ethereum/{APES}/1")
    answers += [api.get(path, accept="text/html").content.decode() for path in people]
    return [text for text in texts if any(text.casefold() in answer.casefold() for answer in answers)]


CID = "QmNf1UsmdGaMbpatQ6toXSkzDpizaGmC9zfunCyoz1enD5"


@pytest.mark.parametrize("taken", ["tokens/nft", "tokens/contract", "media/cachedimage"])
@pytest.mark.parametrize(
    ("url", "needle"),
    [
        (ALONE, "alone.png"),
        (f"ipfs://{CID}/7.png", f"{CID}/7.png"),
        (f"https://gateway.example/ipfs/{CID}/7.png", f"{CID}/7.png"),
        ("data:image/png;base64,QUxPTkU=", "QUxPTkU="),
    ],
)
def test_no_answer_leads_to_media_that_are_taken_down(
    operator: Operator, api: Api, url: str, needle: str, taken: str
) -> None:
    spellings = [url, url.replace("ipfs://", "https://ipfs.io/ipfs/"), f"see {url} for it", {"big": url}]
    load_lines(
        [
            nft(
                "1",
                uri=url,
                native={"image": url, "nested": [{"url": url}]},
                metadata={"name": "one", "description": f"look: {url}", "imageUrl": url, "mediaUrl": url},
                traits=[("Hat", "red"), *((f"Link {place}", one) for place, one in enumerate(spellings))],
            ),
            transfer("1", native={"image": url}),
        ]
    )
    assert shows(api, needle) == [needle]
    rows = {"tokens/nft": Nft, "tokens/contract": Contract, "media/cachedimage": CachedImage}
    row = rows[taken]._default_manager.get()
    operator.act(taken, "withhold", row.pk, confirmed="1", reason="theirs")
    assert shows(api, needle, "red", '"one"') == ["red", '"one"']
    operator.act(taken, "release", row.pk, confirmed="1", reason="")
    assert shows(api, needle) == [needle]
