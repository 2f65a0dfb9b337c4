"""Cached images in a real browser: pictures in the gallery, and nothing that runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import override_settings, testcases

from media.models import CachedImage
from media.vetting import Vetter
from tests.browser.conftest import Visit
from tests.builders import APES, contract, load_lines, nft
from tests.images import inputs
from tests.images.working import Clock, Web, due_at, worker

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]  # pages are not of an engine

NFTS = f"/api/v1/nfts/by-token?contractAddress={APES}&sortBy=tokenId"
RUNS = "document.title = document.documentElement.id = 'taken over'"
HOST = "https://images.example"
PAGES = {
    f"{HOST}/photo.jpg": inputs.encoded(inputs.picture(), "JPEG"),
    f"{HOST}/turned.png": inputs.turned("PNG"),
    f"{HOST}/moves.gif": inputs.animated("GIF"),
    f"{HOST}/drawn.svg": inputs.svg(
        f"<script>{RUNS}</script>",
        f'<circle cx="50" cy="50" r="40" fill="red" onload="{RUNS}"/>',
    ),
}


@pytest.fixture(scope="module", autouse=True)
def cached(committed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """An ape for each picture, all of them cached, and served by the service rather than by Django's test server."""
    apes = [nft(str(number), metadata={"imageUrl": url}) for number, url in enumerate(PAGES)]
    load_lines([contract(APES, name="Apes"), *apes])
    clock = Clock()
    due_at(clock)
    with (
        pytest.MonkeyPatch.context() as patched,
        override_settings(MEDIA_ROOT=str(tmp_path_factory.mktemp("files"))),
        Vetter() as vetter,
    ):
        patched.setattr(testcases._MediaFilesHandler, "_should_handle", lambda handler, path: False)
        assert worker(Web(PAGES), clock, vetter).work() == {"ready": len(PAGES)}
        yield


def natural_sizes(visit: Visit) -> list[list[int]]:
    """Width and height of each picture of the gallery, as its bytes have it; 0 of one that did not come."""
    pictures = visit.page.locator(".card img")
    for number in range(pictures.count()):
        pictures.nth(number).scroll_into_view_if_needed()
    visit.page.wait_for_load_state("networkidle")
    measure = "images => images.map(one => [one.naturalWidth, one.naturalHeight])"
    found: list[list[int]] = pictures.evaluate_all(measure)
    return found


def test_the_gallery_shows_pictures_of_about_the_size_that_they_are_shown_in(visit: Visit) -> None:
    visit.open(NFTS)
    assert natural_sizes(visit) == [[250, 250]] * len(PAGES)
    widths = visit.page.locator(".card img").evaluate_all("images => images.map(one => one.width)")
    assert all(125 < width <= 250 for width in widths), widths
    loading = visit.page.locator(".card img").evaluate_all("all => all.map(one => one.loading)")
    assert (set(loading[:6]), set(loading[6:]) - {"lazy"}) == ({"auto"}, set()), (
        "what is seen at once is not lazy"
    )
    sources = visit.page.locator(".card img").evaluate_all("images => images.map(one => one.src)")
    assert all(source.startswith(f"{visit.base}/files/") for source in sources)  # ours, not the strangers'


def test_what_an_svg_with_a_script_became_is_a_picture_that_runs_nothing(scripted: Visit) -> None:
    cached = CachedImage.objects.get(url=f"{HOST}/drawn.svg")
    scripted.expected.add(404)  # the browser asks for /favicon.ico too
    answer = scripted.page.goto(f"{scripted.base}/files/{cached.original_path}")
    assert answer is not None
    assert answer.headers["content-type"] == "image/png"
    assert answer.body().startswith(b"\x89PNG\r\n\x1a\n")
    assert "sandbox" in answer.headers["content-security-policy"]
    assert scripted.page.title() != "taken over"
    assert scripted.page.locator("#taken\\ over, script, svg").count() == 0
    width, height = scripted.page.locator("img").evaluate("one => [one.naturalWidth, one.naturalHeight]")
    assert (width, height) == (1024, 1024)
    # The page that the browser itself puts around a picture has a style, which our policy stops too.
    scripted.faults[:] = [fault for fault in scripted.faults if "inline style" not in fault]
