"""Images are claimed, fetched, vetted, stored, and only then shown; whatever goes wrong with one stays with it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from core.net.http.fetch import FetchError, FetchKind
from media import cache, store, withholding
from media.models import CachedImage, DoomedFile
from media.outcomes import MOST_ATTEMPTS
from media.renditions import render
from media.vetting import Vetter
from tests.builders import load_lines, nft
from tests.conftest import Api
from tests.images.one_colour import encoded
from tests.images.working import BAD, DOWN, GOOD, PICTURE, Clock, Web, due_at, files, show, worker

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_files")]


def test_a_good_image_is_shown_and_a_bad_one_does_not_stop_it(api: Api, clock: Clock) -> None:
    show(BAD, GOOD, DOWN)
    due_at(clock)
    refused = FetchError("No answer.", FetchKind.UNREACHABLE, None)
    web = Web({BAD: b"<html>not found</html>", GOOD: PICTURE, DOWN: refused})
    assert worker(web, clock).work() == {"failed": 1, "ready": 1, "unreachable": 1}
    shown = {one["metadata"]["imageUrl"]: one["metadata"] for one in api.nfts()["data"]}
    assert shown[GOOD]["imageMediaType"] == "image/png"  # from the bytes: the server said text/html
    response = api.get(shown[GOOD]["imageCacheThumbnailUrl"].removeprefix("http://testserver"))
    assert response.status_code == 200
    assert b"".join(response.streaming_content)
    assert "imageCacheUrl" not in shown[BAD]
    assert CachedImage.objects.get(url=BAD).next_attempt_at is None
    assert CachedImage.objects.get(url=BAD).fault


def test_files_that_were_lost_are_fetched_again_and_no_others(clock: Clock) -> None:
    """As after a database was restored without the files of its images."""
    other = "https://images.example/other.png"
    show(GOOD, other)
    due_at(clock)
    web = Web({GOOD: PICTURE, other: encoded((300, 100), fill=(9, 9, 9))})
    assert worker(web, clock).work() == {"ready": 2}
    before = files()
    assert store.request_lost() == 0
    default_storage.delete(CachedImage.objects.get(url=GOOD).thumbnail_path)
    assert store.request_lost() == 1
    due_at(clock)
    assert worker(web, clock).work() == {"ready": 1}
    assert web.asked.count(GOOD) == 2
    assert files() == before


def test_a_server_that_is_down_is_asked_less_and_less_often_and_then_given_up(clock: Clock) -> None:
    show(DOWN)
    due_at(clock)
    web = Web({DOWN: FetchError("No answer.", FetchKind.UNREACHABLE, None)})
    pauses = []
    for _ in range(MOST_ATTEMPTS - 1):
        assert worker(web, clock).work() == {"unreachable": 1}
        image = CachedImage.objects.get()
        assert image.next_attempt_at is not None
        pauses.append(image.next_attempt_at - clock.now)
        clock.now = image.next_attempt_at
    assert pauses[:4] == [timedelta(seconds=60 * 4**power) for power in range(4)]
    assert max(pauses) == timedelta(days=1)
    assert worker(web, clock).work() == {"failed": 1}
    assert CachedImage.objects.get().fault == "Given up after 12 attempts. No answer."
    assert worker(web, clock).work() == {}


def test_words_that_no_database_takes_are_shown_as_far_as_they_can_be(clock: Clock) -> None:
    show(DOWN)
    due_at(clock)
    web = Web({DOWN: FetchError("It says \0 and half of \ud83d.", FetchKind.UNREACHABLE, None)})
    assert worker(web, clock).work() == {"unreachable": 1}
    image = CachedImage.objects.get()
    assert (image.fault, image.attempts) == ("It says \ufffd and half of \ufffd.", 1)


def test_a_server_that_says_when_to_come_again_is_not_asked_before(clock: Clock) -> None:
    show(DOWN)
    due_at(clock)
    worker(Web({DOWN: FetchError("429", FetchKind.UNREACHABLE, 3_600)}), clock).work()
    assert CachedImage.objects.get().next_attempt_at == clock.now + timedelta(hours=1)


def test_a_changed_image_gets_new_addresses_and_the_old_files_stay_a_week(clock: Clock) -> None:
    show(GOOD)
    due_at(clock)
    web = Web({GOOD: PICTURE})
    worker(web, clock).work()
    before = CachedImage.objects.get()
    web.pages[GOOD] = encoded((40, 20), fill=(9, 9, 9))
    store.request_again([before.pk])
    assert CachedImage.objects.get().thumbnail_path == before.thumbnail_path  # still served meanwhile
    due_at(clock)
    worker(web, clock).work()
    after = CachedImage.objects.get()
    assert after.thumbnail_path != before.thumbnail_path
    assert cache.is_stored(after)
    assert default_storage.exists(before.original_path)
    assert set(DoomedFile.objects.values_list("due_at", flat=True)) == {clock.now + timedelta(days=7)}


def test_what_was_good_stays_when_the_image_is_gone_later(api: Api, clock: Clock) -> None:
    show(GOOD)
    due_at(clock)
    web = Web({GOOD: PICTURE})
    worker(web, clock).work()
    store.request_again([CachedImage.objects.get().pk])
    web.pages[GOOD] = FetchError("410", FetchKind.GONE, None)
    due_at(clock)
    assert worker(web, clock).work() == {"failed": 1}
    assert "imageCacheUrl" in api.nfts()["data"][0]["metadata"]


def test_the_same_bytes_are_stored_once(clock: Clock) -> None:
    show(GOOD, BAD)
    due_at(clock)
    worker(Web({GOOD: PICTURE, BAD: PICTURE}), clock).work()
    assert len({row.original_path for row in CachedImage.objects.all()}) == 1
    assert len(files()) == 3


def test_a_claim_of_a_worker_that_died_is_taken_over_when_its_lease_ends(clock: Clock) -> None:
    show(GOOD)
    due_at(clock)

    class Killed(Web):
        def fetch(self, uri: str) -> object:  # type: ignore[override]
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        worker(Killed({}), clock).work()
    web = Web({GOOD: PICTURE})
    assert worker(web, clock).work() == {}
    clock.forward(seconds=101)
    assert worker(web, clock).work() == {"ready": 1}


def test_a_defect_of_ours_on_one_image_is_told_and_tried_again(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(GOOD)
    due_at(clock)

    def full_disk(renditions: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache, "store", full_disk)
    for _ in range(MOST_ATTEMPTS + 3):  # says nothing of the image, so it does not count against it
        assert worker(Web({GOOD: PICTURE}), clock).work() == {"pending": 1}
        clock.forward(hours=1)
    assert "No space left" in CachedImage.objects.get().fault
    monkeypatch.undo()
    assert worker(Web({GOOD: PICTURE}), clock).work() == {"ready": 1}


def test_a_storage_that_fails_between_storing_and_writing_costs_one_attempt(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(GOOD)
    due_at(clock)

    def outage(image: object, renditions: object) -> None:
        raise OSError("the bucket does not answer")

    monkeypatch.setattr(cache, "make_ready", outage)
    assert worker(Web({GOOD: PICTURE}), clock).work() == {"pending": 1}
    monkeypatch.undo()
    clock.forward(hours=1)
    assert worker(Web({GOOD: PICTURE}), clock).work() == {"ready": 1}


def test_an_image_whose_workers_die_is_given_up(clock: Clock) -> None:
    show(GOOD)
    due_at(clock)
    CachedImage.objects.update(attempts=MOST_ATTEMPTS)
    assert worker(Web({}), clock).work() == {"failed": 1}
    assert CachedImage.objects.get().fault == "12 workers ended while they were at it."


def test_a_picture_that_became_a_video_is_shown_no_longer(api: Api, clock: Clock) -> None:
    show(GOOD)
    due_at(clock)
    web = Web({GOOD: PICTURE})
    worker(web, clock).work()
    store.request_again([CachedImage.objects.get().pk])
    web.pages[GOOD] = MP4
    due_at(clock)
    assert worker(web, clock).work() == {"ready": 1}
    assert "imageCacheUrl" not in api.nfts()["data"][0]["metadata"]
    assert DoomedFile.objects.count() == 3


def test_two_svgs_that_are_one_picture_are_withheld_together(clock: Clock) -> None:
    svg = b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><rect width='9' height='9'/></svg>"
    show(GOOD, BAD)
    due_at(clock)
    web = Web({GOOD: svg, BAD: svg + b"\n", DOWN: svg + b" "})
    with Vetter() as vetter:
        worker(web, clock, vetter).work()
        withholding.withhold_content([CachedImage.objects.get(url=GOOD).pk], "not ours")
        assert withholding.delete_doomed() == 3
        assert files() == set()
        load_lines([nft("9", metadata={"imageUrl": DOWN})])
        due_at(clock)
        assert worker(web, clock, vetter).work() == {"withheld": 1}


def test_a_failed_image_is_tried_again_when_metadata_names_it_a_day_later(clock: Clock) -> None:
    show(BAD)
    due_at(clock)
    web = Web({BAD: b"no image"})
    worker(web, clock).work()
    load_lines([nft("7", metadata={"imageUrl": BAD})])  # the clock stands far in the past
    assert CachedImage.objects.get().state == "pending"
    CachedImage.objects.update(state="failed", next_attempt_at=None, tried_at=timezone.now())
    load_lines([nft("8", metadata={"imageUrl": BAD})])
    assert CachedImage.objects.get().state == "failed"


def test_an_image_that_no_nft_shows_is_not_fetched(clock: Clock) -> None:
    CachedImage.objects.create(key="1", url=GOOD)
    due_at(clock)
    web = Web({})
    assert worker(web, clock).work() == {"pending": 1}
    assert web.asked == []
    assert CachedImage.objects.get().next_attempt_at is None


def test_an_image_is_due_again_when_an_nft_comes_to_show_it(clock: Clock) -> None:
    show(GOOD)
    due_at(clock)
    load_lines([nft("0", metadata={"imageUrl": BAD})])
    web = Web({BAD: PICTURE, GOOD: PICTURE})
    due_at(clock)
    assert worker(web, clock).work() == {"pending": 1, "ready": 1}
    load_lines([nft("0", metadata={"imageUrl": GOOD})])
    due_at(clock)
    assert worker(web, clock).work() == {"ready": 1}


def test_bytes_that_are_withheld_are_not_stored_wherever_they_are_found(clock: Clock) -> None:
    show(GOOD)
    due_at(clock)
    worker(Web({GOOD: PICTURE}), clock).work()
    withholding.withhold_content([CachedImage.objects.get().pk], "not ours")
    assert withholding.delete_doomed() == 3
    assert files() == set()
    load_lines([nft("5", metadata={"imageUrl": BAD})])
    due_at(clock)
    assert worker(Web({BAD: PICTURE}), clock).work() == {"withheld": 1}
    withholding.delete_doomed()
    assert files() == set()
    assert render(PICTURE).original.name not in files()


MOVIE = "https://images.example/movie"
MP4 = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + b"\0" * 100_000


def test_the_type_of_an_animation_comes_from_its_first_bytes(api: Api, clock: Clock) -> None:
    load_lines([nft("1", metadata={"imageUrl": GOOD, "mediaUrl": MOVIE})])
    due_at(clock)
    assert worker(Web({GOOD: PICTURE, MOVIE: MP4}), clock).work() == {"ready": 2}
    metadata = api.nfts()["data"][0]["metadata"]
    assert (metadata["mediaUrl"], metadata["mediaType"]) == (MOVIE, "video/mp4")
    assert "imageCacheUrl" in metadata
    assert len(files()) == 3


def test_a_stated_type_of_an_animation_is_not_looked_up(api: Api, clock: Clock) -> None:
    load_lines([nft("1", metadata={"mediaUrl": MOVIE, "mediaType": "video/webm"})])
    assert not CachedImage.objects.exists()
    assert api.nfts()["data"][0]["metadata"]["mediaType"] == "video/webm"


def test_what_is_given_as_the_image_and_is_a_video_is_the_animation(api: Api, clock: Clock) -> None:
    show(MOVIE)
    due_at(clock)
    assert worker(Web({MOVIE: MP4}), clock).work() == {"ready": 1}
    metadata = api.nfts()["data"][0]["metadata"]
    assert (metadata["mediaUrl"], metadata["mediaType"]) == (MOVIE, "video/mp4")
    assert "imageCacheUrl" not in metadata


def test_an_animation_that_another_nft_shows_as_its_image_becomes_a_picture(clock: Clock) -> None:
    load_lines([nft("1", metadata={"mediaUrl": GOOD})])
    due_at(clock)
    web = Web({GOOD: PICTURE})
    worker(web, clock).work()
    assert files() == set()
    load_lines([nft("2", metadata={"imageUrl": GOOD})])
    due_at(clock)
    assert worker(web, clock).work() == {"ready": 1}
    assert len(files()) == 3
